"""Heads side by side: arrows that agree or not, patterns that differ, and what is left of them in an average."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathcore.arguments import whole
from mathcore.attention import AttentionTrace, MultiHeadTrace
from mathcore.named import NamedArray
from mathcore.numerics import TIE, first_largest, first_smallest, lengths
from mathcore.roles import entropy, jensen_shannon

Array = NDArray[Any]


@dataclass(frozen=True)
class ArrowTrace:
    """One query and three keys of a head: the most aligned, the most nearly orthogonal, the most opposed.

    `products` (3, d_head) adds up to `dots` (3,). `angles` are degrees, counter-clockwise from the query in a plane
    (d_head 2), else 0 to 180; a vector of zeros has cosine 0 with any other.
    """

    query: NamedArray
    keys: NamedArray
    q: NamedArray
    k: NamedArray
    products: NamedArray
    dots: NamedArray
    lengths: NamedArray
    query_length: NamedArray
    cosines: NamedArray
    angles: NamedArray


def arrows(head: AttentionTrace) -> ArrowTrace:
    """The arrows of the query whose three cosines come nearest to 1, 0 and -1, in one head over (n, d_head).

    Of queries or keys that are equally near the first is taken. Raises ValueError for the trace of a batch.
    """
    q, k = head.q.values, head.k.values
    if q.ndim != 2 or k.ndim != 2:
        raise ValueError(f"arrows need the trace of one sentence (n, d_head), got {q.shape} and {k.shape}")
    long_q, long_k = lengths(q), lengths(k)  # (n,), (m,)
    cosines = _units(q, long_q) @ _units(k, long_k).T  # (n, m)
    wanted = np.array([1.0, 0.0, -1.0])
    miss = np.abs(cosines[:, :, None] - wanted)  # (n, m, 3)
    i = int(first_smallest(miss.min(axis=1).sum(axis=-1)))
    keys = first_smallest(miss[i], axis=0)  # (3,)
    cosine = np.clip(cosines[i, keys], -1, 1)
    angles = np.degrees(np.arccos(cosine))
    if q.shape[-1] == 2:
        angles = np.copysign(angles, q[i, 0] * k[keys, 1] - q[i, 1] * k[keys, 0])
    case, each = ("case",), ("case", "feature")
    return ArrowTrace(
        query=NamedArray(i, "query", ()),
        keys=NamedArray(keys, "keys", case),
        q=NamedArray(q[i], "q", ("feature",)),
        k=NamedArray(k[keys], "k", each),
        products=NamedArray(q[i] * k[keys], "products", each, "q k"),
        dots=NamedArray(head.scores.values[i, keys], "dots", case, "q . k"),
        lengths=NamedArray(long_k[keys], "lengths", case, "|k|"),
        query_length=NamedArray(long_q[i], "query_length", (), "|q|"),
        cosines=NamedArray(cosine, "cosines", case, "q . k / (|q| |k|)"),
        angles=NamedArray(angles, "angles", case, "angle from q to k in degrees"),
    )


def _units(vectors: Array, long: Array) -> Array:
    """Vectors of length 1; zeros stay zeros."""
    return vectors / np.where(long > 0, long, 1)[..., None]


@dataclass(frozen=True)
class BottleneckTrace:
    """One word's rows of weights in every head, and the average that a single pattern could keep of them.

    `favourites[i]` is head i's strongest key, `favourite_weights` its weight there, `averaged_weights` what the average
    has left for that key. Entropies are in nats; `divergences` (h, h) are Jensen-Shannon, in bits, over all words.
    """

    query: NamedArray
    rows: NamedArray
    average: NamedArray
    favourites: NamedArray
    favourite_weights: NamedArray
    averaged_weights: NamedArray
    entropies: NamedArray
    average_entropy: NamedArray
    most_entropy: NamedArray
    divergences: NamedArray
    mean_divergence: NamedArray


def bottleneck(trace: MultiHeadTrace, query: int) -> BottleneckTrace:
    """Compare the heads' rows of `query` in one attention over (n, d_model).

    A favourite is the first of the largest weights. Raises ValueError for the trace of a batch, or no such query.
    """
    weights = _one_sentence(trace)  # (h, n, n)
    if not 0 <= whole(query, "query") < weights.shape[1]:
        raise ValueError(f"query must be 0 to {weights.shape[1] - 1}, got {query}")
    rows, average = weights[:, query], weights[:, query].mean(axis=0)  # (h, n), (n,)
    favourites = first_largest(rows)  # (h,)
    divergences = jensen_shannon(weights[:, None], weights[None])  # (h, h)
    others = divergences[np.triu_indices(len(weights), 1)]
    head = ("head",)
    return BottleneckTrace(
        query=NamedArray(query, "query", ()),
        rows=NamedArray(rows, "rows", ("head", "key"), "weights of one query"),
        average=NamedArray(average, "average", ("key",), "mean over heads"),
        favourites=NamedArray(favourites, "favourites", head, "key with the largest weight"),
        favourite_weights=NamedArray(rows.max(axis=-1), "favourite_weights", head, "largest weight"),
        averaged_weights=NamedArray(average[favourites], "averaged_weights", head, "the average's weight there"),
        entropies=NamedArray(entropy(rows), "entropies", head, "entropy of the row"),
        average_entropy=NamedArray(entropy(average[None])[0], "average_entropy", (), "entropy of the average"),
        most_entropy=NamedArray(np.log(rows.shape[-1]), "most_entropy", (), "ln(keys)"),
        divergences=NamedArray(divergences, "divergences", ("head", "head"), "Jensen-Shannon divergence"),
        mean_divergence=NamedArray(
            others.mean() if len(others) else 0.0, "mean_divergence", (), "mean over pairs of heads"
        ),
    )


def _one_sentence(trace: MultiHeadTrace) -> Array:
    """(h, n, n): the heads' weights."""
    weights = np.array([head.weights.values for head in trace.heads])
    if weights.ndim != 3:
        raise ValueError(f"the trace of one sentence is needed, with weights (h, n, n), got {weights.shape}")
    return weights


@dataclass(frozen=True)
class DiagonalTrace:
    """How often a word's strongest key is itself: `largest` (h,) of `words` rows in every head; `total` of `rows`.

    `asymmetry` (h,) is the largest |A - A^T|: W_Q and W_K differ, so who looks at whom is no two-way street.
    """

    words: NamedArray
    largest: NamedArray
    total: NamedArray
    rows: NamedArray
    asymmetry: NamedArray


def diagonal(trace: MultiHeadTrace) -> DiagonalTrace:
    """Count in one attention over (n, d_model); a tie counts for the diagonal.

    Raises ValueError for the trace of a batch.
    """
    weights = _one_sentence(trace)  # (h, n, n)
    own = np.diagonal(weights, axis1=-2, axis2=-1)  # (h, n)
    largest = (own >= weights.max(axis=-1) * (1 - TIE)).sum(axis=-1)  # (h,)
    return DiagonalTrace(
        words=NamedArray(weights.shape[-1], "words", ()),
        largest=NamedArray(largest, "largest", ("head",), "rows whose diagonal is largest"),
        total=NamedArray(largest.sum(), "total", (), "rows whose diagonal is largest, all heads"),
        rows=NamedArray(weights.shape[0] * weights.shape[1], "rows", (), "heads x words"),
        asymmetry=NamedArray(
            np.abs(weights - np.swapaxes(weights, -1, -2)).max(axis=(-2, -1)),
            "asymmetry",
            ("head",),
            "largest |A - A^T|",
        ),
    )
