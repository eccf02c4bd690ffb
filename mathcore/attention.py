"""Scaled dot-product attention and its heads, with every intermediate kept.

Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2. Rows are tokens: `n` queries,
`m` keys; each row of `weights` sums to 1. Leading batch axes are accepted throughout.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mathcore.named import Named

Array = NDArray[Any]

# Attention works through so many scores at a time: from the product to the weights they stay in the processor's cache.
_BLOCK = 1 << 18


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
    return _softmax(x, top, np.empty_like(x), axis)


def _softmax(x: Array, top: Array, out: Array, axis: int = -1) -> Array:
    """Fills `out`, which may be `x` itself; `top` is the maximum of x over `axis`."""
    top[np.isneginf(top)] = 0
    np.subtract(x, top, out=out)
    np.exp(out, out=out)
    total = np.sum(out, axis=axis, keepdims=True)
    total[total == 0] = 1
    out /= total
    return out


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


def _check_values(v: Array) -> None:
    # A blocked weight of 0 times infinity would be NaN.
    if not np.isfinite(v).all():
        raise ValueError("v must be finite, but holds NaN or infinity")


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
    _check_values(v)
    batch = np.broadcast_shapes(q.shape[:-2], k.shape[:-2])
    mask = None if allowed is None else _check_mask(allowed, batch, q.shape[-2], k.shape[-2])
    scores, scaled, weights = _weigh(q, k, mask)
    return _trace("", q, k, v, scores, scaled, weights, _frozen(weights @ v))  # output (..., n, e)


def _weigh(q: Array, k: Array, mask: NDArray[np.bool_] | None) -> tuple[Array, Array, Array]:
    """Scores, scaled scores and weights (..., n, m) of q (..., n, d) and k (..., m, d), the mask being checked."""
    batch, n, m = np.broadcast_shapes(q.shape[:-2], k.shape[:-2]), q.shape[-2], k.shape[-2]
    if m == 0:
        raise ValueError("attention needs at least one score a query, but there are no keys")
    dtype = np.result_type(q, k)
    scores, scaled, weights = (np.empty((*batch, n, m), dtype=dtype) for _ in range(3))
    q, k = np.broadcast_to(q, (*batch, *q.shape[-2:])), np.broadcast_to(k, (*batch, *k.shape[-2:]))
    blocked = None if mask is None else np.broadcast_to(~mask, scores.shape)
    root = dtype.type(math.sqrt(q.shape[-1]))
    finite = _surely_finite(q, k)
    for rows in _blocks((*batch, n), m):
        keys = np.swapaxes(k[rows[: len(batch)]], -1, -2)  # (..., d, m)
        with np.errstate(over="ignore", invalid="ignore"):
            np.matmul(q[rows], keys, out=scores[rows])
        np.divide(scores[rows], root, out=scaled[rows])
        hidden = None if blocked is None else blocked[rows]
        # An overflow to -inf would pass for a blocked score.
        if not finite and not (np.isfinite(scores[rows]) | (hidden is not None and hidden)).all():
            raise ValueError("the scores q k^T must be finite wherever they are allowed, but hold NaN or infinity")
        seen = scaled[rows] if hidden is None else np.where(hidden, dtype.type(-np.inf), scaled[rows])
        _softmax(seen, seen.max(axis=-1, keepdims=True), weights[rows])
    return _frozen(scores), _frozen(scaled), _frozen(weights)


def _surely_finite(q: Array, k: Array) -> bool:
    """Whether no product of a row of q and a row of k can overflow, whichever they are."""
    largest = [float(np.abs(part).max(initial=0)) for part in (q, k)]
    return bool(largest[0] * largest[1] * q.shape[-1] < float(np.finfo(np.result_type(q, k)).max) / 2)


def _blocks(shape: tuple[int, ...], width: int) -> Iterator[tuple[int | slice, ...]]:
    """Indices that together cover an array of `shape`, whose items are rows of `width`, about _BLOCK numbers each."""
    axis = len(shape) - 1
    while axis > 0 and width * shape[axis] <= _BLOCK:
        width *= shape[axis]
        axis -= 1
    step = max(1, _BLOCK // max(1, width))
    for outer in np.ndindex(shape[:axis]):
        for start in range(0, shape[axis], step):
            yield (*outer, slice(start, start + step))


def _frozen(array: Array) -> Array:
    """The array, which nobody else holds, made read-only so that a Named need not copy it."""
    array.flags.writeable = False
    return array


def _trace(
    prefix: str, q: Array, k: Array, v: Array, scores: Array, scaled: Array, weights: Array, output: Array
) -> AttentionTrace:
    tokens, pairs = ("token", "feature"), ("query", "key")
    return AttentionTrace(
        q=Named(q, f"{prefix}q", tokens),
        k=Named(k, f"{prefix}k", tokens),
        v=Named(v, f"{prefix}v", tokens),
        scores=Named(scores, f"{prefix}scores", pairs, "Q K^T"),
        scaled=Named(scaled, f"{prefix}scaled", pairs, "Q K^T / sqrt(d_head)"),
        weights=Named(weights, f"{prefix}weights", pairs, "softmax(Q K^T / sqrt(d_head))"),
        output=Named(output, f"{prefix}output", tokens, "weights V"),
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

    `heads[i]` is head i's own attention; its q, k, v are columns of q, k, v here. Biases are None where there are none.
    """

    x: Named
    w_q: Named
    w_k: Named
    w_v: Named
    w_o: Named
    b_q: Named | None
    b_k: Named | None
    b_v: Named | None
    b_o: Named | None
    q: Named
    k: Named
    v: Named
    heads: tuple[AttentionTrace, ...]
    concat: Named
    output: Named


class MultiHeadAttention:
    """Multi-head attention with weights w_q, w_k, w_v (d_model, n_heads * d_head) and w_o (n_heads * d_head, d_model).

    `n_heads` splits the columns of the projections, never the embedding. Each of the four may have a bias (d_model,).
    """

    def __init__(
        self,
        w_q: ArrayLike,
        w_k: ArrayLike,
        w_v: ArrayLike,
        w_o: ArrayLike,
        *,
        n_heads: int,
        b_q: ArrayLike | None = None,
        b_k: ArrayLike | None = None,
        b_v: ArrayLike | None = None,
        b_o: ArrayLike | None = None,
    ) -> None:
        weights = [as_float(w, name) for w, name in ((w_q, "w_q"), (w_k, "w_k"), (w_v, "w_v"), (w_o, "w_o"))]
        d_model = len(np.atleast_1d(weights[0]))
        if any(w.shape != (d_model, d_model) for w in weights):
            raise ValueError(f"all four weights must be (d_model, d_model), got {[w.shape for w in weights]}")
        given = (("b_q", b_q), ("b_k", b_k), ("b_v", b_v), ("b_o", b_o))
        biases = {name: None if b is None else as_float(b, name) for name, b in given}
        for name, bias in biases.items():
            if bias is not None and bias.shape != (d_model,):
                raise ValueError(f"{name} must be (d_model,) = ({d_model},), got {bias.shape}")
        self.d_head = check_heads(d_model, n_heads)
        self.n_heads = n_heads
        # Copies, so that a trace can share them whatever becomes of the originals.
        self.w_q, self.w_k, self.w_v, self.w_o = (_frozen(w.copy()) for w in weights)
        self.b_q, self.b_k, self.b_v, self.b_o = (None if b is None else _frozen(b.copy()) for b in biases.values())

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
        n = x.shape[-2]
        mask = None if allowed is None else _check_mask(allowed, x.shape[:-2], n, n)
        if mask is not None and mask.ndim > 2:
            mask = mask[..., None, :, :]
        projections = ((self.w_q, self.b_q), (self.w_k, self.b_k), (self.w_v, self.b_v))
        q, k, v = (_frozen(_affine(x, w, b)) for w, b in projections)  # (..., n, d_model)
        _check_values(v)
        split = [split_heads(part, self.n_heads) for part in (q, k, v)]  # (..., h, n, d_head)
        scores, scaled, weights = _weigh(split[0], split[1], mask)  # (..., h, n, n)
        concat = np.empty(v.shape, dtype=np.result_type(weights, v))
        # The heads write side by side into their own columns.
        output = np.matmul(weights, split[2], out=split_heads(concat, self.n_heads))  # (..., h, n, d_head)
        for part in (concat, output):
            _frozen(part)
        heads = tuple(
            _trace(f"heads[{i}].", *(part[..., i, :, :] for part in (*split, scores, scaled, weights, output)))
            for i in range(self.n_heads)
        )
        tokens, model = ("token", "projected"), ("feature", "projected")
        return MultiHeadTrace(
            x=Named(x, "x", ("token", "feature")),
            w_q=Named(self.w_q, "w_q", model),
            w_k=Named(self.w_k, "w_k", model),
            w_v=Named(self.w_v, "w_v", model),
            w_o=Named(self.w_o, "w_o", model[::-1]),
            b_q=_bias(self.b_q, "b_q", "projected"),
            b_k=_bias(self.b_k, "b_k", "projected"),
            b_v=_bias(self.b_v, "b_v", "projected"),
            b_o=_bias(self.b_o, "b_o", "feature"),
            q=Named(q, "q", tokens, "X W_Q" if self.b_q is None else "X W_Q + b_Q"),
            k=Named(k, "k", tokens, "X W_K" if self.b_k is None else "X W_K + b_K"),
            v=Named(v, "v", tokens, "X W_V" if self.b_v is None else "X W_V + b_V"),
            heads=heads,
            concat=Named(concat, "concat", tokens, "Concat(head_1, ..., head_h)"),
            output=Named(
                _frozen(_affine(concat, self.w_o, self.b_o)),
                "output",
                ("token", "feature"),
                "Concat(head_1, ..., head_h) W_O" + ("" if self.b_o is None else " + b_O"),
            ),
        )


def _bias(b: Array | None, name: str, axis: str) -> Named | None:
    return None if b is None else Named(b, name, (axis,))


def _affine(x: Array, w: Array, b: Array | None) -> Array:
    y = x @ w
    return y if b is None else y + b
