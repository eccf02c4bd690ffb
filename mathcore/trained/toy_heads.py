"""What each head of the worked example's model is for: measured by removing it, and by where it looks.

A head serves a question if, for some kind of word that asks it, answers that are right with the head are wrong without
it in half of the cases, and the word looks mostly at the answer.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathcore.attention import split_heads
from mathcore.trained.tiny import NOT_ASKED
from mathcore.trained.toy_model import ToyModel
from mathcore.trained.toy_sentences import BY_WORDS, KIND_OF, KINDS, QUESTIONS, Asked

Array = NDArray[Any]

# Who asks what, where words alone decide the answer: question, kind of word.
ASKS = (
    ("kind", "living"),
    ("kind", "thing"),
    ("who", "living adjective"),
    ("who", "thing adjective"),
    ("who", "verb"),
    ("who", "transitive verb"),
    ("who", "thing"),
    ("does", "living"),
    ("where", "living"),
    ("where", "verb"),
    ("where", "transitive verb"),
    ("where", "preposition"),
)
# What it takes to serve a question.
LEAST_COST, LEAST_LINK = 0.5, 0.5


@dataclass(frozen=True)
class HeadMeasures:
    """By ASKS: `accuracy` (asks,) with all heads; `without` (heads, asks) with one removed; `links` (heads, asks), the
    mean weight that the asking word gives the answer. NaN where nobody asks.
    """

    accuracy: Array
    without: Array
    links: Array

    @property
    def costs(self) -> Array:
        """(heads, asks): the accuracy that goes with the head."""
        return np.asarray(self.accuracy - self.without)


def measured(model: ToyModel, asked: Asked) -> HeadMeasures:
    """Measure all heads on sentences with their questions."""
    kinds, heads = np.append(KIND_OF, NOT_ASKED)[asked.rows], range(model.shape.n_heads)
    weights = model.forward(asked.rows).weights  # (b, h, n, n)
    right = np.stack([model.right(asked), *(model.right(asked, head) for head in heads)])  # (1 + h, b, n, questions)
    accuracy, links = [], []
    for name, kind in ASKS:
        question = QUESTIONS.index(name)
        which = (kinds == KINDS.index(kind)) & (asked.targets[..., question] != NOT_ASKED)
        which &= asked.groups[..., question] == BY_WORDS
        sentence, place = np.nonzero(which)
        if not len(sentence):
            accuracy.append(np.full(len(right), np.nan))
            links.append(np.full(len(right) - 1, np.nan))
            continue
        accuracy.append(right[:, sentence, place, question].mean(axis=-1))
        links.append(weights[sentence, :, place, asked.places[sentence, place, question]].mean(axis=0))
    scores = np.stack(accuracy, axis=-1)  # (1 + h, asks)
    return HeadMeasures(scores[0], scores[1:], np.stack(links, axis=-1))


def served(measures: HeadMeasures, kind: str) -> tuple[tuple[str, ...], ...]:
    """The questions of one kind of word, such as `living`, that each head serves."""
    serves = (measures.costs >= LEAST_COST) & (measures.links >= LEAST_LINK)
    return tuple(tuple(ask[0] for i, ask in enumerate(ASKS) if row[i] and ask[1] == kind) for row in serves)


def names(measures: HeadMeasures) -> tuple[str, ...]:
    """A question for each head, empty for a head without a clear one: the one question of living beings that it serves,
    and that no other head serves.
    """
    serves = served(measures, "living")
    every = [name for head in serves for name in head]
    return tuple(head[0] if len(head) == 1 and every.count(head[0]) == 1 else "" for head in serves)


def in_order(model: ToyModel, order: tuple[int, ...]) -> ToyModel:
    """The same model with its heads in another order: what it computes does not depend on it."""
    p, shape = model.parameters, model.shape
    columns = split_heads(np.arange(shape.d_model)[None], shape.n_heads)[list(order), 0].ravel()
    moved = {name: p[name][:, columns] for name in ("w_q", "w_k", "w_v")}
    return ToyModel(shape, {**p, **moved, "w_o": p["w_o"][columns]})


def by_name(model: ToyModel, asked: Asked) -> ToyModel:
    """The same model with its named heads first, in the order of the questions."""
    given = names(measured(model, asked))
    ranks = [QUESTIONS.index(name) if name else len(QUESTIONS) for name in given]
    return in_order(model, tuple(int(head) for head in np.argsort(ranks, kind="stable")))
