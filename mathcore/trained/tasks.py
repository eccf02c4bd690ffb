"""The two tasks of the tiny transformer: their sentences, their questions, and what a head that answers must look at.

Task A ("roles"): 12 words in random order. Every position names its previous word, its next word and the sentence's
one rare word; the pronoun also names its noun, the only one before it that is a he, she or it alike.
Task B ("recall"): 8 pairs of key and value, and a last key. Whatever key was seen before is answered with its value:
associative recall, which takes an induction head and a previous-word head before it (Olsson et al. 2022, "In-context
Learning and Induction Heads").
"""

import numpy as np
from numpy.typing import NDArray

from mathcore.trained.tiny import NOT_ASKED, Batch, Shape, Tokens

Array = NDArray[np.float64]

COMMON = ("the", "a", "and", "then", "near", "with", "saw", "met", "called", "helped", "slowly", "often")
NOUNS = (("king", "boy", "uncle"), ("queen", "girl", "aunt"), ("stone", "tree", "lamp"))
PRONOUNS = ("he", "she", "it")
RARE = ("comet", "walrus", "zither", "quartz", "falcon", "saffron", "glacier", "obelisk")
# Word numbers follow this order.
WORDS = (*COMMON, *(noun for kind in NOUNS for noun in kind), *PRONOUNS, *RARE)
SENTENCE = 12
ROLES = ("previous", "next", "rare", "pronoun")
_NOUN, _PRONOUN, _RARE = len(COMMON), len(COMMON) + 9, len(COMMON) + 12

KEYS = ("A", "B", "C", "D", "E", "F", "G", "H")
VALUES = ("1", "2", "3", "4", "5", "6", "7", "8")
SYMBOLS = (*KEYS, *VALUES)
PAIRS = 8
KEYS_IN_USE = 4
RECALL_SCORES = ("previous", "key", "induction")


def roles_shape(n_heads: int) -> Shape:
    """Task A's model: one layer that sees both sides; 9,728 parameters whatever n_heads is."""
    return Shape(1, n_heads, SENTENCE, len(WORDS), len(ROLES), causal=False)


def roles_batch(rng: np.random.Generator, size: int) -> Batch:
    """`size` sentences of task A: three nouns (one a kind), a pronoun, a rare word, and seven common words."""
    every = np.arange(size)
    tokens = rng.integers(len(COMMON), size=(size, SENTENCE))
    places = rng.permuted(np.tile(np.arange(SENTENCE), (size, 1)), axis=1)
    kind = rng.integers(3, size=size)
    # The pronoun comes after its noun: where it would not, the two trade places.
    noun, pronoun = places[every, kind], places[:, 3]
    places[every, kind], pronoun = np.minimum(noun, pronoun), np.maximum(noun, pronoun)
    for other in range(3):
        tokens[every, places[:, other]] = _NOUN + 3 * other + rng.integers(3, size=size)
    tokens[every, pronoun] = _PRONOUN + kind
    tokens[every, places[:, 4]] = _RARE + rng.integers(len(RARE), size=size)
    return Batch(tokens, roles_targets(tokens))


def roles_targets(tokens: Tokens) -> Tokens:
    """(b, n) -> (b, n, 4): the answers of task A's sentences, NOT_ASKED where a role does not ask."""
    targets = np.full((*tokens.shape, len(ROLES)), NOT_ASKED)
    targets[:, 1:, 0] = tokens[:, :-1]
    targets[:, :-1, 1] = tokens[:, 1:]
    targets[:, :, 2] = np.take_along_axis(tokens, _rare(tokens), axis=1)
    pronoun, noun = _pronoun_and_noun(tokens)
    np.put_along_axis(targets[:, :, 3], pronoun, np.take_along_axis(tokens, noun, axis=1), axis=1)
    return targets


def _rare(tokens: Tokens) -> Tokens:
    """(b, 1): where the rare word stands."""
    return np.asarray((tokens >= _RARE).argmax(axis=1))[:, None]


def _pronoun_and_noun(tokens: Tokens) -> tuple[Tokens, Tokens]:
    """(b, 1) each: where the pronoun stands, and where its noun does."""
    pronoun = np.asarray(((tokens >= _PRONOUN) & (tokens < _RARE)).argmax(axis=1))[:, None]
    kind = np.take_along_axis(tokens, pronoun, axis=1) - _PRONOUN
    of_kind = (tokens >= _NOUN) & (tokens < _PRONOUN) & ((tokens - _NOUN) // 3 == kind)
    return pronoun, np.asarray(of_kind.argmax(axis=1))[:, None]


def roles_scores(weights: Array, batch: Batch) -> Array:
    """(heads, roles): the mean weight (b, heads, n, n) that a head puts where the answer stands.

    Previous and next word over all positions that have one, the rare word over all positions but its own, the
    pronoun's noun over the pronouns.
    """
    n = batch.tokens.shape[1]
    every = np.arange(len(batch.tokens))
    rare = _rare(batch.tokens)[:, 0]
    pronoun, noun = (places[:, 0] for places in _pronoun_and_noun(batch.tokens))
    others = np.arange(n) != rare[:, None]
    return np.stack(
        [
            np.diagonal(weights, -1, 2, 3).mean(axis=(0, 2)),
            np.diagonal(weights, 1, 2, 3).mean(axis=(0, 2)),
            weights[every, :, :, rare].swapaxes(1, 2)[others].mean(axis=0),
            weights[every, :, pronoun, noun].mean(axis=0),
        ],
        axis=-1,
    )


def recall_shape(n_layers: int, n_heads: int = 2) -> Shape:
    """Task B's model: causal layers."""
    return Shape(n_layers, n_heads, 2 * PAIRS + 1, len(SYMBOLS), 1, causal=True)


def recall_batch(rng: np.random.Generator, size: int) -> Batch:
    """`size` sequences of task B: four keys, each with a value of its own, in eight pairs and a last key."""
    keys = rng.permuted(np.tile(np.arange(len(KEYS)), (size, 1)), axis=1)[:, :KEYS_IN_USE]
    values = len(KEYS) + rng.permuted(np.tile(np.arange(len(VALUES)), (size, 1)), axis=1)[:, :KEYS_IN_USE]
    which = rng.integers(KEYS_IN_USE, size=(size, PAIRS + 1))
    tokens = np.empty((size, 2 * PAIRS + 1), dtype=np.int64)
    tokens[:, 0::2] = np.take_along_axis(keys, which, axis=1)
    tokens[:, 1::2] = np.take_along_axis(values, which[:, :-1], axis=1)
    return Batch(tokens, recall_targets(tokens))


def recall_targets(tokens: Tokens) -> Tokens:
    """(b, n) -> (b, n, 1): the value that a key had before, NOT_ASKED for a new key and for values."""
    targets = np.full((*tokens.shape, 1), NOT_ASKED)
    repeats = _before(tokens[:, 0::2])[:, :, :-1]  # (b, pairs + 1, pairs)
    values = np.take_along_axis(tokens[:, 1::2], repeats.argmax(axis=-1), axis=1)
    targets[:, 0::2, 0] = np.where(repeats.any(axis=-1), values, NOT_ASKED)
    return targets


def recall_scores(weights: Array, batch: Batch) -> Array:
    """(heads, 3): the mean weight (b, heads, n, n) on the previous token, on a value's key, and on the answer.

    The first over all tokens that have a previous one, the second over the values alone, the third (the induction
    score) over the keys that are asked for.
    """
    repeats = _before(batch.tokens[:, 0::2])  # (b, pairs + 1, pairs + 1)
    answers = weights[:, :, 0::2, 1::2] * repeats[:, None, :, :-1]
    asked = batch.targets[:, 0::2, 0] != NOT_ASKED
    return np.stack(
        [
            np.diagonal(weights, -1, 2, 3).mean(axis=(0, 2)),
            np.diagonal(weights[:, :, 1::2, 0::2], 0, 2, 3).mean(axis=(0, 2)),
            answers.sum(axis=-1).swapaxes(1, 2)[asked].mean(axis=0),
        ],
        axis=-1,
    )


def _before(marks: Tokens) -> NDArray[np.bool_]:
    """(b, n) -> (b, n, n): whether the mark at j is that at i, and comes before it."""
    return np.asarray((marks[:, :, None] == marks[:, None, :]) & np.tri(marks.shape[1], k=-1, dtype=bool))
