"""The worked example's trained parameters: whether a sentence can have them, and what its words find out with them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mathcore.attention import MultiHeadAttention
from mathcore.named import NamedArray, located
from mathcore.trained.toy_model import ToyModel, ToyShape
from mathcore.trained.toy_results import HeadRoles, head_roles, toy_model
from mathcore.trained.toy_sentences import ANSWERS, BY_WORDS, QUESTIONS, questions
from mathcore.trained.vocabulary import WORDS, bare, row_of, unknown_words


@dataclass(frozen=True)
class ParameterSource:
    """Whether the example's parameters are trained, or else drawn, and then the `reason`: a clause for one line.

    `unknown` are the words of the sentence that the vocabulary does not have.
    """

    trained: bool
    reason: str = ""
    unknown: tuple[str, ...] = ()


def parameter_source(words: Sequence[str], d_model: int, n_heads: int) -> ParameterSource:
    """Trained parameters need a size that was trained, and words of the vocabulary alone."""
    if unknown := unknown_words(words):
        named = ", ".join(f'"{word}"' for word in unknown)
        verb = "is" if len(unknown) == 1 else "are"
        return ParameterSource(False, f"{named} {verb} not in the vocabulary", unknown)
    if toy_model(ToyShape(d_model, n_heads)) is None:
        heads = "1 head" if n_heads == 1 else f"{n_heads} heads"
        return ParameterSource(False, f"no parameters are trained for d_model {d_model} with {heads}")
    return ParameterSource(True)


@dataclass(frozen=True)
class Answers:
    """What the words of the sentence ask, and the answers that the readouts give.

    By ask: `questions`, and `places` of the asking words; `words`, the two likeliest answers, with `probabilities`
    (asks, 2). `right` is the probability of the right answer, `without` (heads, asks) the same with one head removed.
    `by_words` is False where the answer depends on the order of words too.
    """

    questions: tuple[str, ...]
    words: tuple[tuple[str, str], ...]
    places: NamedArray
    probabilities: NamedArray
    right: NamedArray
    without: NamedArray
    by_words: NamedArray


@dataclass(frozen=True)
class Solution:
    """What trained parameters make of the sentence: the heads' `roles`, the `answers`, and those of a model that is
    trained with positions, `seated`, where one is kept of the same size.
    """

    roles: HeadRoles
    answers: Answers
    seated: Answers | None


def attention_layer(d_model: int, n_heads: int) -> MultiHeadAttention:
    """The trained W_Q, W_K, W_V and W_O. Raises ValueError for a size of which none are kept."""
    p = _model(ToyShape(d_model, n_heads)).parameters
    return MultiHeadAttention(p["w_q"], p["w_k"], p["w_v"], p["w_o"], n_heads=n_heads)


def embeddings(words: Sequence[str], d_model: int, n_heads: int) -> NDArray[np.float64]:
    """The trained vectors (n, d_model) of words. Raises ValueError for one that is not in the vocabulary."""
    return np.asarray(_model(ToyShape(d_model, n_heads)).parameters["embedding"][list(_rows(words))])


def solution(words: Sequence[str], d_model: int, n_heads: int) -> Solution:
    """The solution of a sentence whose parameters are trained; paths start with `solution`."""
    shape = ToyShape(d_model, n_heads)
    seated = toy_model(ToyShape(d_model, n_heads, positions=True))
    found = Solution(
        roles=located(head_roles(shape), "roles"),
        answers=located(_answers(_model(shape), words), "answers"),
        seated=None if seated is None else located(_answers(seated, words), "seated"),
    )
    return located(found, "solution")


def focus(words: Sequence[str]) -> int | None:
    """The word (its row) that asks most that words alone decide, the first of equals; None if nothing is asked."""
    places = [one.place for one in questions(_rows(words)) if one.group == BY_WORDS]
    return max(sorted(set(places)), key=places.count) if places else None


def _model(shape: ToyShape) -> ToyModel:
    model = toy_model(shape)
    if model is None:
        raise ValueError(f"no parameters are kept for {shape}")
    return model


def _rows(words: Sequence[str]) -> tuple[int, ...]:
    rows = tuple(row for word in words if (row := row_of(word)) is not None)
    if len(rows) != len(words):
        raise ValueError(f"not in the vocabulary: {', '.join(unknown_words(words))}")
    return rows


def _answers(model: ToyModel, words: Sequence[str]) -> Answers:
    sentence = _rows(words)
    asked, heads = questions(sentence), range(model.shape.n_heads)
    outputs = [model.forward(np.array([sentence]), without).output[0] for without in (None, *heads)]
    named, likeliest = [], np.empty((len(asked), 2))
    right = np.empty((len(outputs), len(asked)))
    for i, one in enumerate(asked):
        rows = ANSWERS[one.question]
        shares = np.array([model.probabilities(output[one.place], one.question) for output in outputs])
        two = np.argsort(-shares[0], kind="stable")[:2]
        named.append((_named(int(rows[two[0]]), words), _named(int(rows[two[1]]), words)))
        likeliest[i] = shares[0, two]
        right[:, i] = shares[:, rows == sentence[one.answer]][:, 0]
    return Answers(
        questions=tuple(QUESTIONS[one.question] for one in asked),
        words=tuple(named),
        places=NamedArray([one.place for one in asked] or np.empty(0, dtype=int), "places", ("ask",)),
        probabilities=NamedArray(likeliest, "probabilities", ("ask", "answer"), "softmax of a readout"),
        right=NamedArray(right[0], "right", ("ask",)),
        without=NamedArray(right[1:], "without", ("head", "ask"), "right, without a head"),
        by_words=NamedArray(np.array([one.group == BY_WORDS for one in asked], dtype=bool), "by_words", ("ask",)),
    )


def _named(row: int, words: Sequence[str]) -> str:
    """A word as the sentence has it, or else in the sentence's language."""
    language = "en" if all(bare(word).isascii() for word in words) else "zh"
    own = next((bare(word) for word in words if row_of(word) == row), None)
    return own or WORDS[row].forms(language)[0]
