"""Measures all 72 heads of MiniLM-L6 on two sets of sentences: one to choose heads by, one to report.

A measure is taken a sentence, over words and marks as a reader parts them ([CLS], [SEP] only where said), then averaged
over the sentences. Weights from a word that is cut into pieces are averaged, weights on it are added up.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathcore import roles
from mathcore.trained import sentences
from mathcore.trained.minilm import MiniLM
from mathcore.trained.sentences import Annotated, Apart, Pronoun
from mathcore.trained.wordpiece import Pieces

Array = NDArray[Any]

# Each measure gives one number a head; the order of the stored scores.
MEASURES = (
    "previous",  # mean weight of a word on the word before it
    "next",  # mean weight of a word on the word after it
    "sink",  # mean weight of a word on [CLS]
    "punctuation",  # mean weight of a word that is no mark on all marks together
    "rarity",  # Spearman's correlation of the attention a word receives with its number in the vocabulary
    "determiner",  # mean weight of a determiner on its noun
    "adjective",  # mean weight of an adjective on its noun, the next word
    "adjective_apart",  # mean weight of the first of two adjectives on the noun
    "subject",  # mean weight of a verb on its subject, mostly the previous word
    "subject_apart",  # mean weight of a verb on its subject, with another noun between
    "related",  # mean weight of a noun on another that belongs to the same matter
)
# A head is chosen by its lowest score in these measures; so is the score that is reported.
ROLES = {
    "previous": ("previous",),
    "next": ("next",),
    "sink": ("sink",),
    "punctuation": ("punctuation",),
    "rarity": ("rarity",),
    "determiner": ("determiner",),
    "modifier": ("adjective", "adjective_apart"),
    "subject": ("subject", "subject_apart"),
    "related": ("related",),
}


def groups(word_ids: Sequence[int | None]) -> list[list[int]]:
    """Places of the pieces of [CLS], of each word in turn, and of [SEP]."""
    found: list[list[int]] = []
    for i, word_id in enumerate(word_ids):
        if i == 0 or word_id is None or word_id != word_ids[i - 1]:
            found.append([])
        found[-1].append(i)
    return found


def merge_words(weights: Array, word_ids: Sequence[int | None]) -> Array:
    """(..., pieces, pieces) -> (..., words + 2, words + 2): rows of a word's pieces averaged, columns added up."""
    places = groups(word_ids)
    rows = np.stack([weights[..., group, :].mean(axis=-2) for group in places], axis=-2)
    return np.stack([rows[..., group].sum(axis=-1) for group in places], axis=-1)


@dataclass(frozen=True)
class _Read:
    """One sentence as the model reads it: `weights` (6, 12, words + 2, words + 2), [CLS] first and [SEP] last."""

    pieces: Pieces
    weights: Array

    def pairs(self, pairs: Sequence[tuple[int, int]]) -> Array:
        return roles.modifier(self.weights, [(i + 1, j + 1) for i, j in pairs])


Reader = Callable[[str], _Read]


def _reader(model: MiniLM) -> Reader:
    def read(text: str) -> _Read:
        pieces = model.tokenizer(text)
        return _Read(pieces, merge_words(model(pieces).weights.values, pieces.word_ids))

    return read


def _measure(annotated: Annotated, read: Reader) -> dict[str, Array]:
    """The measures that one annotated sentence allows."""
    done = read(annotated.text)
    n = len(done.pieces.words)
    names = ("[CLS]", *done.pieces.words, "[SEP]")
    marks = roles.punctuation_places(names)
    words = [i for i in range(1, n + 1) if i not in marks]
    # A word of several pieces is as rare as its rarest.
    numbers = [max(done.pieces.ids[i] for i in group) for group in groups(done.pieces.word_ids)]
    found = {
        "previous": done.pairs([(i, i - 1) for i in range(1, n)]),
        "next": done.pairs([(i, i + 1) for i in range(n - 1)]),
        "sink": roles.sink(done.weights[..., 1:-1, :], [0]),
        "punctuation": roles.punctuation(done.weights[..., words, :], names),
        "rarity": roles.rarity(done.weights[..., words, :], numbers, without=[0, *marks, n + 1]),
    }
    pairs = {name: getattr(annotated, name) for name in ("determiner", "adjective", "subject", "related")}
    return found | {name: done.pairs(listed) for name, listed in pairs.items() if listed}


def _measure_apart(apart: Apart, read: Reader) -> tuple[Array, Array]:
    """Mean weight on what should be looked at, and how often it is the largest of all words': (6, 12) each."""
    done = read(apart.text)
    wins = [done.weights[..., i + 1, 1:-1].argmax(axis=-1) == j for i, _, j in apart.triples]
    return done.pairs([(i, j) for i, _, j in apart.triples]), np.sum(wins, axis=0)


def _measure_pronoun(pronoun: Pronoun, read: Reader) -> tuple[Array, Array]:
    """For both endings, the weight of "it" on the noun that is meant, and on the other: (2, 6, 12) each."""
    first, second = (read(text).weights[..., pronoun.it + 1, 1:-1][..., list(pronoun.nouns)] for text in pronoun.texts)
    return np.stack([first[..., 0], second[..., 1]]), np.stack([first[..., 1], second[..., 0]])


def _measure_set(
    annotated: Sequence[Annotated],
    adjectives: Sequence[Apart],
    subjects: Sequence[Apart],
    pronouns: Sequence[Pronoun],
    read: Reader,
) -> dict[str, Array]:
    each: dict[str, list[Array]] = {name: [] for name in MEASURES}
    wins = {}
    for sentence in annotated:
        for name, score in _measure(sentence, read).items():
            each[name].append(score)
    for name, aparts in (("adjective", adjectives), ("subject", subjects)):
        done = [_measure_apart(apart, read) for apart in aparts]
        each[f"{name}_apart"] = [score for score, _ in done]
        wins[f"{name}_wins"] = np.sum([won for _, won in done], axis=0)
        wins[f"{name}_tries"] = np.array(sum(len(apart.triples) for apart in aparts))
    meant, other = (np.array(part) for part in zip(*(_measure_pronoun(p, read) for p in pronouns), strict=True))
    return {
        "scores": np.array([np.mean(each[name], axis=0) for name in MEASURES]),  # (measures, 6, 12)
        "sentences": np.array([len(each[name]) for name in MEASURES]),
        **wins,
        "it_right": (meant > other).mean(axis=(0, 1)),  # (6, 12)
        "it_flips": (meant > other).all(axis=1).sum(axis=0),  # (6, 12)
        "it_weight": meant.mean(axis=(0, 1)),  # (6, 12)
        "it_pairs": np.array(len(pronouns)),
    }


def _whole(annotated: Sequence[Annotated], model: MiniLM) -> dict[str, Array]:
    """Over all rows: the mass on [CLS] and [SEP], and the mean distance in bits of two heads, by layer."""
    masses, distances = [], []
    for sentence in annotated:
        weights = model(sentence.text).weights.values
        masses.append(roles.sink(weights, [0, weights.shape[-1] - 1]).mean(axis=-1))
        between = roles.jensen_shannon(weights[:, :, None], weights[:, None])
        distances.append(between.sum(axis=(1, 2)) / (between.shape[1] * (between.shape[1] - 1)))
    return {"special_mass": np.mean(masses, axis=0), "head_distance": np.mean(distances, axis=0)}


def _order(model: MiniLM) -> dict[str, Array]:
    """With positions and without: how alike two orders of the same words are, and what reordering does to attention."""
    cosines, changes = [], []
    for positions in (True, False):
        one, other = (model(text, positions=positions) for text in (sentences.DOG_BITES, sentences.MAN_BITES))
        cosines.append(one.sentence.values @ other.sentence.values)
        turned = one.weights.values[..., [0, 3, 2, 1, 4], :][..., [0, 3, 2, 1, 4]]
        changes.append(np.abs(turned - other.weights.values).max())
    return {"order_cosines": np.array(cosines), "order_changes": np.array(changes)}


def evaluate(model: MiniLM) -> dict[str, Array]:
    """Everything that is measured, for one stored file; the heads chosen by role are `layers` and `heads`."""
    read = _reader(model)
    s = sentences
    choosing = _measure_set(s.CHOOSING, s.ADJECTIVES_CHOOSING, s.SUBJECTS_CHOOSING, s.PRONOUNS_CHOOSING, read)
    held_out = _measure_set(s.HELD_OUT, s.ADJECTIVES_HELD_OUT, s.SUBJECTS_HELD_OUT, s.PRONOUNS_HELD_OUT, read)
    chosen = [np.unravel_index(by_role(choosing["scores"], role).argmax(), (6, 12)) for role in ROLES]
    return {
        "layers": np.array([layer for layer, _ in chosen]),
        "heads": np.array([head for _, head in chosen]),
        **{f"choosing.{name}": values for name, values in choosing.items()},
        **{f"held_out.{name}": values for name, values in held_out.items()},
        **_whole(s.HELD_OUT, model),
        **_order(model),
    }


def by_role(scores: Array, role: str) -> Array:
    """(measures, ...) -> (...): the lowest of the scores that a role is judged by."""
    return np.asarray(scores[[MEASURES.index(name) for name in ROLES[role]]].min(axis=0))
