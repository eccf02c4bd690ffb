"""What a head does, measured: scores of its weights, distances between heads, and what a head adds to the output.

`weights` are (..., n, m), rows are queries and sum to 1 (a row that a mask blocks wholly is all zeros); a score has the
leading axes' shape, so that all heads of a layer can be given at once. A score describes the sentences it is measured
on, not the head as such: measure on other sentences than those that a head was chosen by.

Sources: Clark et al. 2019, "What Does BERT Look At?" (positions, separators, punctuation, syntactic pairs); Voita et
al. 2019, "Analyzing Multi-Head Self-Attention" (rare words); Olsson et al. 2022, "In-context Learning and Induction
Heads".
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mathcore.arguments import as_finite, as_float, leading_axes, whole
from mathcore.attention import MultiHeadTrace
from mathcore.named import NamedArray
from mathcore.numerics import in_range, lengths

Array = NDArray[Any]


def _weights(values: ArrayLike, *, square: bool = False) -> Array:
    weights = as_float(values, "weights")
    if weights.ndim < 2 or 0 in weights.shape[-2:] or (square and weights.shape[-1] != weights.shape[-2]):
        raise ValueError(f"weights must be (..., {'n, n' if square else 'n, m'}), got {weights.shape}")
    # Negated, so that NaN is refused too. The tolerance lets weights in that were stored in half precision.
    total = weights.sum(axis=-1)
    if not ((weights >= 0).all() and (np.minimum(np.abs(total - 1), np.abs(total)) < 1e-3).all()):
        raise ValueError("weights must not be negative, and each row must sum to 1 (or to 0 if it is blocked)")
    return weights


def _places(indices: ArrayLike, size: int, name: str) -> NDArray[np.intp]:
    found = np.asarray(indices)
    if found.size == 0:
        raise ValueError(f"{name}: at least one is needed")
    if found.dtype.kind not in "iu":
        raise TypeError(f"{name} must be whole numbers, got {found.dtype}")
    if found.min() < 0 or found.max() >= size:
        raise ValueError(f"{name} must lie in 0..{size - 1}, got {found.min()} to {found.max()}")
    return found.astype(np.intp)


# --- What a head looks at ---------------------------------------------------------------------------------------------


def positional(weights: ArrayLike, offset: int) -> Array:
    """Mean weight on the key `offset` places from the query (-1 the previous, +1 the next), over queries that have one.

    Raises ValueError for an offset that reaches out of every row.
    """
    array = _weights(weights, square=True)
    if abs(whole(offset, "offset")) >= array.shape[-1]:
        raise ValueError(f"no query among {array.shape[-1]} tokens has a key {offset:+d} places away")
    return np.asarray(np.diagonal(array, offset=offset, axis1=-2, axis2=-1).mean(axis=-1))


def sink(weights: ArrayLike, columns: Sequence[int]) -> Array:
    """Mean mass that a query puts on the keys `columns` together, such as [CLS] and [SEP]."""
    array = _weights(weights)
    places = np.unique(_places(columns, array.shape[-1], "columns"))
    return np.asarray(array[..., places].sum(axis=-1).mean(axis=-1))


def punctuation_places(tokens: Sequence[str]) -> list[int]:
    """Where a token is nothing but punctuation (Unicode category P), in any language."""
    return [i for i, token in enumerate(tokens) if token and all(unicodedata.category(c)[0] == "P" for c in token)]


def punctuation(weights: ArrayLike, tokens: Sequence[str]) -> Array:
    """Mean mass that a query puts on punctuation. Raises ValueError when there is none, or tokens are not the keys'."""
    array = _weights(weights)
    if len(tokens) != array.shape[-1]:
        raise ValueError(f"{len(tokens)} tokens do not name {array.shape[-1]} keys")
    return sink(array, punctuation_places(tokens))


def modifier(weights: ArrayLike, pairs: Sequence[tuple[int, int]]) -> Array:
    """Mean weight of given (query, key) pairs, such as an adjective and its noun."""
    array = _weights(weights)
    # Of objects, as NumPy makes one type of all numbers, and floats of unsigned integers beside others.
    listed = np.asarray(pairs, dtype=object)
    if listed.ndim != 2 or listed.shape[1] != 2:
        raise ValueError(f"pairs must be (query, key) pairs, at least one, got shape {listed.shape}")
    queries = _places([whole(query, "a query") for query in listed[:, 0]], array.shape[-2], "queries")
    keys = _places([whole(key, "a key") for key in listed[:, 1]], array.shape[-1], "keys")
    return np.asarray(array[..., queries, keys].mean(axis=-1))


def ranks(values: ArrayLike) -> Array:
    """Ranks 1, 2, ... over the last axis, equal values sharing the mean of theirs; same shape, float64.

    Raises ValueError for a single number, or values that are not finite.
    """
    x = as_finite(values, "values")
    if x.ndim == 0:
        raise ValueError("ranks need at least one axis of values, got a single number")
    below = (x[..., None, :] < x[..., :, None]).sum(axis=-1)
    equal = (x[..., None, :] == x[..., :, None]).sum(axis=-1)
    return np.asarray(below + (equal + 1) / 2)


def spearman(a: ArrayLike, b: ArrayLike) -> Array:
    """Spearman's rank correlation over the last axis, -1 to 1; 0 where one side is the same everywhere.

    The leading axes broadcast. Raises ValueError for last axes of different length, or values that are not finite.
    """
    a, b = as_float(a, "a"), as_float(b, "b")
    if not a.ndim or not b.ndim or a.shape[-1] != b.shape[-1] or not a.shape[-1]:
        raise ValueError(f"a and b must have last axes of one length, at least 1, got {a.shape} and {b.shape}")
    leading_axes(1, a=a, b=b)
    first, second = (r - r.mean(axis=-1, keepdims=True) for r in (ranks(a), ranks(b)))
    scale = np.sqrt((first**2).sum(axis=-1) * (second**2).sum(axis=-1))
    return np.asarray((first * second).sum(axis=-1) / np.where(scale == 0, 1, scale))


def rarity(weights: ArrayLike, frequency_ranks: Sequence[float], *, without: Sequence[int] = ()) -> Array:
    """Spearman's correlation of the attention that a key receives with how rare it is (rank 1 the most frequent).

    The mean over queries is taken; keys `without` ([CLS], punctuation) do not count. A correlation is no proof that
    rarity is the cause. Raises ValueError for fewer than 3 keys, or when their ranks are all the same.
    """
    array = _weights(weights)
    rank = as_finite(frequency_ranks, "frequency_ranks")
    if rank.shape != array.shape[-1:]:
        raise ValueError(f"frequency_ranks must be one for each of {array.shape[-1]} keys, got shape {rank.shape}")
    dropped = set(_places(without, array.shape[-1], "without").tolist()) if len(without) else set()
    kept = [i for i in range(len(rank)) if i not in dropped]
    if len(kept) < 3 or len(set(rank[kept].tolist())) < 2:
        raise ValueError(f"a rank correlation needs 3 keys or more, not all equally rare; got ranks {rank[kept]}")
    return spearman(array.mean(axis=-2)[..., kept], rank[kept])


def induction(weights: ArrayLike, tokens: Sequence[object]) -> Array:
    """Mean mass that a repeated token puts on the tokens that followed its earlier occurrences.

    A follower that is the query itself (`a a`) does not count. Raises ValueError when no token has such a follower.
    """
    array = _weights(weights, square=True)
    if len(tokens) != array.shape[-1]:
        raise ValueError(f"{len(tokens)} tokens do not name {array.shape[-1]} places")
    followers = [[j + 1 for j in range(i - 1) if tokens[j] == tokens[i]] for i in range(len(tokens))]
    masses = [array[..., i, keys].sum(axis=-1) for i, keys in enumerate(followers) if keys]
    if not masses:
        raise ValueError("induction needs a token that occurs again, two or more places later")
    return np.asarray(np.mean(masses, axis=0))


def entropy(weights: ArrayLike) -> Array:
    """Entropy of every row in NATS, 0 to ln m; shape (..., n). A blocked row has 0."""
    array = _weights(weights)
    return np.asarray(np.maximum(0, -(array * np.log(np.where(array > 0, array, 1))).sum(axis=-1)))


def jensen_shannon(one: ArrayLike, other: ArrayLike) -> Array:
    """Jensen-Shannon divergence of rows in BITS, 0 (the same) to 1 (no key in common), mean over queries.

    The leading axes broadcast, so `jensen_shannon(w[:, None], w[None])` compares all heads of w (h, n, m) in pairs.
    """
    a, b = _weights(one), _weights(other)
    if a.shape[-2:] != b.shape[-2:]:
        raise ValueError(f"rows of {a.shape[-2:]} and {b.shape[-2:]} cannot be compared")
    leading_axes(2, one=a, other=b)
    middle = (a + b) / 2
    # Where a weight is 0 its term is 0, and where the middle is 0 both weights are.
    middle = np.where(middle > 0, middle, 1)
    terms = [part * np.log2(np.where(part > 0, part, 1) / np.where(part > 0, middle, 1)) for part in (a, b)]
    return np.asarray(np.maximum(0, (terms[0] + terms[1]).sum(axis=-1) / 2).mean(axis=-1))


# --- What a head adds -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AblationTrace:
    """The heads' own parts of a multi-head output, and the output without each.

    `contributions[i]` (n, d_model) is head i times its rows of W_O; together (and b_O) they are the output, but for
    `error`. `without[i]` is the output with head i taken away, `moved[i]` (n,) how far (Euclidean) that moves every
    token, and `relative_moves[i]` the length of the whole movement over that of the output. These are no shares of a
    whole: heads push in different directions, so that together they are more than 1.
    """

    contributions: NamedArray
    together: NamedArray
    error: NamedArray
    without: NamedArray
    moved: NamedArray
    relative_moves: NamedArray


def ablation(trace: MultiHeadTrace) -> AblationTrace:
    """Take every head of one attention over x (n, d_model) away in turn: exact, as the output is a sum over heads.

    Raises ValueError for a trace of a batch, or an output of zeros, against which nothing can be measured.
    """
    output = trace.output.values
    if output.ndim != 2:
        raise ValueError(f"ablation needs the trace of one sentence (n, d_model), got {output.shape}")
    heads = np.array([head.output.values for head in trace.heads])  # (h, n, d_head)
    rows = trace.w_o.values.reshape(len(heads), -1, output.shape[-1])  # (h, d_head, d_model)
    contributions = in_range("head_i times its rows of W_O", lambda: heads @ rows)  # (h, n, d_model)
    together = contributions.sum(axis=0) + (0 if trace.b_o is None else trace.b_o.values)  # (n, d_model)
    moved, size = lengths(contributions), lengths(output, axis=(-2, -1))  # (h, n), ()
    if size == 0:
        raise ValueError("the output is all zeros, so that no movement can be measured against it")
    each = ("head", "token", "feature")
    return AblationTrace(
        contributions=NamedArray(contributions, "contributions", each, "head_i times its rows of W_O"),
        together=NamedArray(together, "together", ("token", "feature"), "sum over heads of contributions"),
        error=NamedArray(np.abs(together - output).max(), "error", (), "largest |together - output|"),
        without=NamedArray(output - contributions, "without", each, "output - contribution"),
        moved=NamedArray(moved, "moved", ("head", "token"), "|contribution|"),
        relative_moves=NamedArray(
            lengths(contributions, axis=(-2, -1)) / size, "relative_moves", ("head",), "|contributions| / |output|"
        ),
    )
