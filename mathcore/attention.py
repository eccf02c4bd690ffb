"""Scaled dot-product attention and its heads, with every intermediate kept.

Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2. Rows are tokens: `n` queries,
`m` keys; each row of `weights` sums to 1. Leading batch axes are accepted throughout.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mathcore.named import Named, located

Array = NDArray[Any]


def as_float(values: ArrayLike, name: str) -> Array:
    """`values` as float64 (float32 stays): integers would wrap and float16 would lose digits."""
    array = np.asarray(values)
    if array.dtype in (np.float32, np.float64):
        return array
    if array.dtype.kind not in "iufb":
        raise TypeError(f"{name} must hold real numbers, got {array.dtype}")
    return array.astype(np.float64)


def softmax(scores: ArrayLike, axis: int = -1) -> Array:
    """exp(scores) divided by its sum over `axis`; same shape.

    A slice of nothing but -inf (everything blocked) gives zeros. Raises ValueError for an empty
    axis, NaN, or +inf.
    """
    x = as_float(scores, "scores")
    if x.ndim == 0 or x.shape[axis] == 0:
        raise ValueError(f"softmax needs at least one score along axis {axis}, got shape {x.shape}")
    top = np.max(x, axis=axis, keepdims=True)
    if np.isnan(top).any() or np.isposinf(top).any():
        raise ValueError("softmax is undefined for NaN or +inf scores")
    top = np.where(np.isneginf(top), x.dtype.type(0), top)
    weights: Array = np.exp(x - top)
    total = np.sum(weights, axis=axis, keepdims=True)
    weights /= np.where(total == 0, x.dtype.type(1), total)
    return weights


def causal_mask(n_queries: int, n_keys: int | None = None) -> NDArray[np.bool_]:
    """(n_queries, n_keys) of bool, True = allowed: a token sees itself and what came before.

    With more keys than queries the LAST query is aligned with the last key (lower right corner),
    as when earlier keys come from a cache. Raises ValueError when queries outnumber keys.
    """
    n_keys = n_queries if n_keys is None else n_keys
    if n_queries < 1 or n_keys < n_queries:
        raise ValueError(f"a causal mask needs 1 <= n_queries <= n_keys, got {n_queries} and {n_keys}")
    return np.tril(np.ones((n_queries, n_keys), dtype=bool), k=n_keys - n_queries)


@dataclass(frozen=True)
class AttentionTrace:
    """One attention, step by step: scores = q k^T, scaled = scores / sqrt(d), weights, output."""

    q: Named
    k: Named
    v: Named
    scores: Named
    scaled: Named
    weights: Named
    output: Named


def _check_mask(allowed: Any, batch: tuple[int, ...], n: int, m: int) -> NDArray[np.bool_]:
    mask = np.asarray(allowed)
    if mask.dtype != np.bool_:
        raise TypeError(f"allowed must be boolean, True = allowed; got {mask.dtype}. Write `mask > -1` or similar")
    if mask.ndim < 2 or mask.shape[-2:] != (n, m):
        raise ValueError(f"allowed must end in (queries, keys) = ({n}, {m}), got {mask.shape}")
    try:
        fits = np.broadcast_shapes(mask.shape[:-2], batch) == batch
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"allowed has leading axes {mask.shape[:-2]}, which do not fit {batch}")
    return mask


def attend(q: ArrayLike, k: ArrayLike, v: ArrayLike, *, allowed: ArrayLike | None = None) -> AttentionTrace:
    """softmax(q k^T / sqrt(d)) v for q (..., n, d), k (..., m, d), v (..., m, e).

    `allowed` is boolean, True = may be attended, with last axes (n, m); blocked weights are exactly
    0 and a row with nothing allowed gives zero weights and zero output. Raises ValueError for shapes
    that do not fit, values of v or allowed scores that are not finite, and TypeError for a mask that is
    not boolean.
    """
    q, k, v = as_float(q, "q"), as_float(k, "k"), as_float(v, "v")
    if min(q.ndim, k.ndim, v.ndim) < 2:
        raise ValueError(f"q, k, v need (tokens, width) as last axes, got {q.shape}, {k.shape}, {v.shape}")
    if q.shape[-1] != k.shape[-1] or q.shape[-1] == 0:
        raise ValueError(f"q and k must have the same width (at least 1), got {q.shape[-1]} and {k.shape[-1]}")
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(f"k and v must have the same number of tokens, got {k.shape[-2]} and {v.shape[-2]}")
    # A blocked weight of 0 times infinity would be NaN, and an overflow to -inf would pass for a blocked score.
    if not np.isfinite(v).all():
        raise ValueError("v must be finite, but holds NaN or infinity")
    with np.errstate(over="ignore", invalid="ignore"):
        scores = q @ np.swapaxes(k, -1, -2)  # (..., n, m)
    scaled = scores / scores.dtype.type(math.sqrt(q.shape[-1]))
    mask = np.ones(scores.shape[-2:], dtype=bool)
    if allowed is not None:
        mask = _check_mask(allowed, scores.shape[:-2], scores.shape[-2], scores.shape[-1])
    if not np.isfinite(np.where(mask, scores, 0)).all():
        raise ValueError("the scores q k^T must be finite wherever they are allowed, but hold NaN or infinity")
    weights = softmax(np.where(mask, scaled, scaled.dtype.type(-np.inf)))
    output = weights @ v  # (..., n, e)
    return AttentionTrace(
        q=Named(q, "q", ("token", "feature")),
        k=Named(k, "k", ("token", "feature")),
        v=Named(v, "v", ("token", "feature")),
        scores=Named(scores, "scores", ("query", "key"), "Q K^T"),
        scaled=Named(scaled, "scaled", ("query", "key"), "Q K^T / sqrt(d_head)"),
        weights=Named(weights, "weights", ("query", "key"), "softmax(Q K^T / sqrt(d_head))", rows_sum_to_one=True),
        output=Named(output, "output", ("token", "feature"), "weights V"),
    )


def check_heads(d_model: int, n_heads: int) -> int:
    """d_head = d_model / n_heads; raises ValueError that names the nearest valid head counts."""
    if d_model < 1:
        raise ValueError(f"d_model must be at least 1, got {d_model}")
    if n_heads < 1 or d_model % n_heads:
        valid = [h for h in range(1, d_model + 1) if d_model % h == 0]
        near = sorted(sorted(valid, key=lambda h: (abs(h - n_heads), h))[:2])
        raise ValueError(
            f"n_heads = {n_heads} does not divide d_model = {d_model}; nearest valid: {' or '.join(map(str, near))}"
        )
    return d_model // n_heads


def split_heads(x: ArrayLike, n_heads: int) -> Array:
    """(..., n, d_model) -> (..., n_heads, n, d_head): head i takes columns i*d_head to (i+1)*d_head."""
    x = np.asarray(x)
    if x.ndim < 2:
        raise ValueError(f"split_heads needs (..., n, d_model), got {x.shape}")
    d_head = check_heads(x.shape[-1], n_heads)
    return np.swapaxes(x.reshape(*x.shape[:-1], n_heads, d_head), -2, -3)


def merge_heads(heads: ArrayLike) -> Array:
    """(..., n_heads, n, d_head) -> (..., n, n_heads * d_head): the concatenation; undoes split_heads."""
    heads = np.asarray(heads)
    if heads.ndim < 3:
        raise ValueError(f"merge_heads needs (..., n_heads, n, d_head), got {heads.shape}")
    moved = np.swapaxes(heads, -2, -3)
    return moved.reshape(*moved.shape[:-2], moved.shape[-2] * moved.shape[-1])


@dataclass(frozen=True)
class MultiHeadTrace:
    """Every step of one multi-head attention over x (..., n, d_model).

    `heads[i]` is head i's own attention; its q, k, v are columns of q, k, v here.
    """

    x: Named
    w_q: Named
    w_k: Named
    w_v: Named
    w_o: Named
    q: Named
    k: Named
    v: Named
    heads: tuple[AttentionTrace, ...]
    concat: Named
    output: Named


class MultiHeadAttention:
    """Multi-head attention with weights w_q, w_k, w_v (d_model, n_heads * d_head) and w_o (n_heads * d_head, d_model).

    `n_heads` splits the columns of the projections, never the embedding.
    """

    def __init__(self, w_q: ArrayLike, w_k: ArrayLike, w_v: ArrayLike, w_o: ArrayLike, *, n_heads: int) -> None:
        weights = [as_float(w, name) for w, name in ((w_q, "w_q"), (w_k, "w_k"), (w_v, "w_v"), (w_o, "w_o"))]
        d_model = len(np.atleast_1d(weights[0]))
        if any(w.shape != (d_model, d_model) for w in weights):
            raise ValueError(f"all four weights must be (d_model, d_model), got {[w.shape for w in weights]}")
        self.d_head = check_heads(d_model, n_heads)
        self.n_heads = n_heads
        self.w_q, self.w_k, self.w_v, self.w_o = weights

    @classmethod
    def from_seed(cls, d_model: int, n_heads: int, seed: int) -> "MultiHeadAttention":
        """Weights drawn uniformly from [-a, a] with a = sqrt(3 / d_model), so that each has variance 1 / d_model."""
        check_heads(d_model, n_heads)
        rng = np.random.default_rng(seed)
        bound = math.sqrt(3 / d_model)
        w_q, w_k, w_v, w_o = (rng.uniform(-bound, bound, (d_model, d_model)) for _ in range(4))
        return cls(w_q, w_k, w_v, w_o, n_heads=n_heads)

    def __call__(self, x: ArrayLike, *, allowed: ArrayLike | None = None) -> MultiHeadTrace:
        """Attend over x (..., n, d_model); `allowed` as in `attend`, shared by the heads."""
        x = as_float(x, "x")
        if x.ndim < 2 or x.shape[-1] != self.w_q.shape[0]:
            raise ValueError(f"x must be (..., n, {self.w_q.shape[0]}), got {x.shape}")
        q, k, v = x @ self.w_q, x @ self.w_k, x @ self.w_v
        split = [split_heads(part, self.n_heads) for part in (q, k, v)]
        heads = tuple(
            located(attend(*(part[..., i, :, :] for part in split), allowed=allowed), f"heads[{i}]")
            for i in range(self.n_heads)
        )
        concat = np.concatenate([head.output.values for head in heads], axis=-1)
        model = ("feature", "projected")
        return MultiHeadTrace(
            x=Named(x, "x", ("token", "feature")),
            w_q=Named(self.w_q, "w_q", model),
            w_k=Named(self.w_k, "w_k", model),
            w_v=Named(self.w_v, "w_v", model),
            w_o=Named(self.w_o, "w_o", ("projected", "feature")),
            q=Named(q, "q", ("token", "projected"), "X W_Q"),
            k=Named(k, "k", ("token", "projected"), "X W_K"),
            v=Named(v, "v", ("token", "projected"), "X W_V"),
            heads=heads,
            concat=Named(concat, "concat", ("token", "projected"), "Concat(head_1, ..., head_h)"),
            output=Named(concat @ self.w_o, "output", ("token", "feature"), "Concat(head_1, ..., head_h) W_O"),
        )
