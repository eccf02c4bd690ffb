"""Scaled dot-product attention and its heads: the definition in a few lines, and the same with every step kept.

Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2. Rows are tokens: `n` queries, `m` keys; each row
of `weights` sums to 1. Leading batch axes are accepted throughout.

`scaled_dot_product_attention` and `multi_head_attention` are the definition, written as in the paper. `attend` and
`MultiHeadAttention` give the same numbers, keep every intermediate, and go through memory less often.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mathcore.arguments import as_finite, as_float, count, leading_axes, whole
from mathcore.named import NamedArray
from mathcore.numerics import no_overflow, not_too_large

Array = NDArray[Any]
Mask = NDArray[np.bool_]

# Attention works through so many scores at a time: from the product to the weights they stay in the processor's cache.
_BLOCK = 1 << 18
_TOKENS, _PAIRS = ("token", "feature"), ("query", "key")


# --- The definition ---------------------------------------------------------------------------------------------------


@no_overflow
def scaled_dot_product_attention(
    q: ArrayLike, k: ArrayLike, v: ArrayLike, *, allowed: ArrayLike | None = None
) -> Array:
    """softmax(q k^T / sqrt(d)) v, as it is defined; shapes, mask and errors are those of `attend`."""
    q, k, v, mask = _checked(q, k, v, allowed)
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])  # (..., n, m): how well each query fits each key
    weights = softmax(masked(scores, mask))  # (..., n, m): each row sums to 1
    return weights @ v  # (..., n, e): the values, mixed by these weights


@no_overflow
def multi_head_attention(
    x: ArrayLike,
    w_q: ArrayLike,
    w_k: ArrayLike,
    w_v: ArrayLike,
    w_o: ArrayLike,
    *,
    n_heads: int,
    allowed: ArrayLike | None = None,
) -> Array:
    """Concat(head_1, ..., head_h) W_O, as it is defined, without biases; otherwise as `MultiHeadAttention`."""
    w_q, w_k, w_v, w_o = _check_weights(w_q, w_k, w_v, w_o)
    x, mask = _check_tokens(x, len(w_q), allowed)
    q, k, v = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))  # (..., h, n, d_head) each
    heads = scaled_dot_product_attention(q, k, v, allowed=mask)  # (..., h, n, d_head)
    return merge_heads(heads) @ w_o  # (..., n, d_model)


def softmax(scores: ArrayLike, axis: int = -1) -> Array:
    """exp(scores) divided by its sum over `axis`; same shape.

    A slice of nothing but -inf (everything blocked) gives zeros. Raises ValueError for an axis that is empty or not
    there, NaN, or +inf.
    """
    x = as_float(scores, "scores")
    if not -x.ndim <= whole(axis, "axis") < x.ndim or x.shape[axis] == 0:
        raise ValueError(f"softmax needs at least one score along axis {axis}, got shape {x.shape}")
    top = np.max(x, axis=axis, keepdims=True)
    if np.isnan(top).any() or np.isposinf(top).any():
        raise ValueError("softmax is undefined for NaN or +inf scores")
    with np.errstate(over="ignore"):
        return _softmax(x, top, np.empty_like(x), axis)


def masked(scores: ArrayLike, allowed: Mask | None) -> Array:
    """Scores where `allowed` is True, -inf elsewhere. Raises ValueError for an allowed score that is not finite.

    An overflow to -inf would pass for a blocked score.
    """
    x = as_float(scores, "scores")
    finite = np.isfinite(x)
    if not (finite if allowed is None else finite | ~allowed).all():
        raise ValueError("the scores q k^T must be finite wherever they are allowed, but hold NaN or infinity")
    return x if allowed is None else np.where(allowed, x, x.dtype.type(-np.inf))


def causal_mask(n_queries: int, n_keys: int | None = None) -> Mask:
    """(n_queries, n_keys) of bool, True = allowed: a token sees itself and what came before.

    With more keys than queries the LAST query is aligned with the last key (lower right corner),
    as when earlier keys come from a cache. Raises ValueError when queries outnumber keys.
    """
    n_queries = whole(n_queries, "n_queries")
    n_keys = n_queries if n_keys is None else whole(n_keys, "n_keys")
    if n_queries < 1 or n_keys < n_queries:
        raise ValueError(f"a causal mask needs 1 <= n_queries <= n_keys, got {n_queries} and {n_keys}")
    return np.tril(np.ones((n_queries, n_keys), dtype=bool), k=n_keys - n_queries)


def check_heads(d_model: int, n_heads: int) -> int:
    """d_head = d_model / n_heads; raises ValueError that names the nearest valid head counts."""
    d_model, n_heads = count(d_model, "d_model"), whole(n_heads, "n_heads")
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
    return _split(x, n_heads, check_heads(x.shape[-1], n_heads))


def merge_heads(heads: ArrayLike) -> Array:
    """(..., n_heads, n, d_head) -> (..., n, n_heads * d_head): the concatenation; undoes split_heads."""
    heads = np.asarray(heads)
    if heads.ndim < 3:
        raise ValueError(f"merge_heads needs (..., n_heads, n, d_head), got {heads.shape}")
    moved = np.swapaxes(heads, -2, -3)
    return moved.reshape(*moved.shape[:-2], moved.shape[-2] * moved.shape[-1])


# --- Every step kept --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AttentionTrace:
    """One attention, step by step: scores = q k^T, scaled = scores / sqrt(d), weights, output."""

    q: NamedArray
    k: NamedArray
    v: NamedArray
    scores: NamedArray
    scaled: NamedArray
    weights: NamedArray
    output: NamedArray


@np.errstate(over="ignore", invalid="ignore")
def attend(q: ArrayLike, k: ArrayLike, v: ArrayLike, *, allowed: ArrayLike | None = None) -> AttentionTrace:
    """softmax(q k^T / sqrt(d)) v for q (..., n, d), k (..., m, d), v (..., m, e).

    `allowed` is boolean, True = may be attended, with last axes (n, m); blocked weights are exactly
    0 and a row with nothing allowed gives zero weights and zero output. Raises ValueError for shapes
    that do not fit, values of v or allowed scores that are not finite, and TypeError for a mask that is
    not boolean.
    """
    q, k, v, mask = _checked(q, k, v, allowed)
    made = _weigh(q, k, mask)
    output = not_too_large(made[-1] @ v, "weights V")  # (..., n, e)
    return _trace("", (q, k, v), (*made, output), copy=True)


@dataclass(frozen=True)
class MultiHeadTrace:
    """Every step of one multi-head attention over x (..., n, d_model).

    `heads[i]` is head i's own attention; its q, k, v are columns of q, k, v here. Biases are None where there are none.
    """

    x: NamedArray
    w_q: NamedArray
    w_k: NamedArray
    w_v: NamedArray
    w_o: NamedArray
    b_q: NamedArray | None
    b_k: NamedArray | None
    b_v: NamedArray | None
    b_o: NamedArray | None
    q: NamedArray
    k: NamedArray
    v: NamedArray
    heads: tuple[AttentionTrace, ...]
    concat: NamedArray
    output: NamedArray


class MultiHeadAttention:
    """Multi-head attention with weights w_q, w_k, w_v (d_model, n_heads * d_head) and w_o (n_heads * d_head, d_model).

    `n_heads` splits the columns of the projections, never the embedding. Each of the four may have a bias (d_model,).
    Raises ValueError for shapes that do not fit, weights or biases that are not finite, and heads that do not divide
    d_model.
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
        weights = _check_weights(w_q, w_k, w_v, w_o)
        d_model = len(weights[0])
        given = (("b_q", b_q), ("b_k", b_k), ("b_v", b_v), ("b_o", b_o))
        biases = {name: None if b is None else as_finite(b, name) for name, b in given}
        for name, bias in biases.items():
            if bias is not None and bias.shape != (d_model,):
                raise ValueError(f"{name} must be (d_model,) = ({d_model},), got {bias.shape}")
        self.d_head = check_heads(d_model, n_heads)
        self.n_heads = d_model // self.d_head
        # Copies, so that a trace can share them whatever becomes of the originals.
        self.w_q, self.w_k, self.w_v, self.w_o = (_frozen(w.copy()) for w in weights)
        self.b_q, self.b_k, self.b_v, self.b_o = (None if b is None else _frozen(b.copy()) for b in biases.values())

    @classmethod
    def from_seed(cls, d_model: int, n_heads: int, seed: int) -> "MultiHeadAttention":
        """Weights drawn uniformly from [-a, a] with a = sqrt(3 / d_model), so that each has variance 1 / d_model."""
        check_heads(d_model, n_heads)
        rng = np.random.default_rng(count(seed, "seed", least=0))
        bound = math.sqrt(3 / d_model)
        w_q, w_k, w_v, w_o = (rng.uniform(-bound, bound, (d_model, d_model)) for _ in range(4))
        return cls(w_q, w_k, w_v, w_o, n_heads=n_heads)

    @np.errstate(over="ignore", invalid="ignore")
    def __call__(self, x: ArrayLike, *, allowed: ArrayLike | None = None) -> MultiHeadTrace:
        """Attend over x (..., n, d_model); `allowed` as in `attend`, shared by the heads.

        Raises ValueError for shapes that do not fit, values that are not finite, or too large to be multiplied.
        """
        x, mask = _check_tokens(x, len(self.w_q), allowed)
        projections = ((self.w_q, self.b_q), (self.w_k, self.b_k), (self.w_v, self.b_v))
        q, k, v = (_affine(x, w, b) for w, b in projections)  # (..., n, d_model)
        split = [_split(part, self.n_heads, self.d_head) for part in (q, k, v)]  # (..., h, n, d_head)
        made = _weigh(split[0], split[1], mask, strict=True)  # (..., h, n, n)
        concat = np.empty(v.shape, dtype=np.result_type(made[-1], v))
        # The heads write side by side into their own columns.
        output = np.matmul(made[-1], split[2], out=_split(concat, self.n_heads, self.d_head))  # (..., h, n, d_head)
        for part in (*split, *made, output):
            _frozen(part)
        # What is too large among values or outputs is so in the mixed output, or is NaN there.
        mixed = not_too_large(_affine(concat, self.w_o, self.b_o), "the output")  # (..., n, d_model)
        heads = tuple(
            _trace(
                f"heads[{i}].",
                [part[..., i, :, :] for part in split],
                [part[..., i, :, :] for part in (*made, output)],
                copy=False,
            )
            for i in range(self.n_heads)
        )
        tokens, model = ("token", "projected"), ("feature", "projected")
        return MultiHeadTrace(
            x=NamedArray(x, "x", _TOKENS),
            w_q=NamedArray(self.w_q, "w_q", model, copy=False),
            w_k=NamedArray(self.w_k, "w_k", model, copy=False),
            w_v=NamedArray(self.w_v, "w_v", model, copy=False),
            w_o=NamedArray(self.w_o, "w_o", model[::-1], copy=False),
            b_q=_bias(self.b_q, "b_q", "projected"),
            b_k=_bias(self.b_k, "b_k", "projected"),
            b_v=_bias(self.b_v, "b_v", "projected"),
            b_o=_bias(self.b_o, "b_o", "feature"),
            q=NamedArray(q, "q", tokens, "X W_Q" if self.b_q is None else "X W_Q + b_Q", copy=False),
            k=NamedArray(k, "k", tokens, "X W_K" if self.b_k is None else "X W_K + b_K", copy=False),
            v=NamedArray(v, "v", tokens, "X W_V" if self.b_v is None else "X W_V + b_V", copy=False),
            heads=heads,
            concat=NamedArray(concat, "concat", tokens, "Concat(head_1, ..., head_h)", copy=False),
            output=NamedArray(
                mixed,
                "output",
                _TOKENS,
                "Concat(head_1, ..., head_h) W_O" + ("" if self.b_o is None else " + b_O"),
                copy=False,
            ),
        )


# --- How it is computed -----------------------------------------------------------------------------------------------


def _softmax(x: Array, top: Array, out: Array, axis: int = -1) -> Array:
    """Fills `out`, which may be `x` itself; `top` is the maximum of x over `axis`."""
    top[np.isneginf(top)] = 0
    # May overflow to -inf: a score so far below the top has the weight 0.
    np.subtract(x, top, out=out)
    np.exp(out, out=out)
    total = np.sum(out, axis=axis, keepdims=True)
    total[total == 0] = 1
    out /= total
    return out


def _weigh(q: Array, k: Array, mask: Mask | None, *, strict: bool = False) -> tuple[Array, Array, Array]:
    """Scores, scaled scores and weights (..., n, m) of q (..., n, d) and k (..., m, d), the mask being checked.

    Where `strict`, NaN or infinity in q or k is refused, even if a mask hides it.
    """
    batch, n, m = leading_axes(2, q=q, k=k), q.shape[-2], k.shape[-2]
    dtype = np.result_type(q, k)
    scores, scaled, weights = (np.empty((*batch, n, m), dtype=dtype) for _ in range(3))
    q, k = (x if x.shape[:-2] == batch else np.broadcast_to(x, (*batch, *x.shape[-2:])) for x in (q, k))
    open_ = None if mask is None else np.broadcast_to(mask, scores.shape)
    root = dtype.type(math.sqrt(q.shape[-1]))
    largest = [float(np.abs(part).max(initial=0)) for part in (q, k)]
    if strict and not all(map(math.isfinite, largest)):
        raise ValueError(f"X W_Q or X W_K is too large for {dtype}: scale the numbers down")
    # Whether no product of a row of q and a row of k can overflow, whichever they are.
    finite = largest[0] * largest[1] * q.shape[-1] < float(np.finfo(dtype).max) / 2
    for rows in _blocks((*batch, n), m):
        keys = np.swapaxes(k[rows[: len(batch)]], -1, -2)  # (..., d, m)
        np.matmul(q[rows], keys, out=scores[rows])
        np.divide(scores[rows], root, out=scaled[rows])
        seen = (
            scaled[rows] if finite and open_ is None else masked(scaled[rows], None if open_ is None else open_[rows])
        )
        _softmax(seen, seen.max(axis=-1, keepdims=True), weights[rows])
    return scores, scaled, weights


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


def _split(x: Array, n_heads: int, d_head: int) -> Array:
    return np.swapaxes(x.reshape(*x.shape[:-1], n_heads, d_head), -2, -3)


def _affine(x: Array, w: Array, b: Array | None) -> Array:
    y = x @ w
    return y if b is None else y + b


def _frozen(array: Array) -> Array:
    array.setflags(write=False)
    return array.view()


def _bias(b: Array | None, name: str, axis: str) -> NamedArray | None:
    return None if b is None else NamedArray(b, name, (axis,), copy=False)


def _trace(prefix: str, given: Sequence[Array], made: Sequence[Array], *, copy: bool) -> AttentionTrace:
    """Names for q, k, v (copied if somebody else may hold them) and for scores, scaled, weights and output."""
    q, k, v = given
    scores, scaled, weights, output = made
    return AttentionTrace(
        q=NamedArray(q, f"{prefix}q", _TOKENS, copy=copy),
        k=NamedArray(k, f"{prefix}k", _TOKENS, copy=copy),
        v=NamedArray(v, f"{prefix}v", _TOKENS, copy=copy),
        scores=NamedArray(scores, f"{prefix}scores", _PAIRS, "Q K^T", copy=False),
        scaled=NamedArray(scaled, f"{prefix}scaled", _PAIRS, "Q K^T / sqrt(d_head)", copy=False),
        weights=NamedArray(weights, f"{prefix}weights", _PAIRS, "softmax(Q K^T / sqrt(d_head))", copy=False),
        output=NamedArray(output, f"{prefix}output", _TOKENS, "weights V", copy=False),
    )


# --- What is accepted -------------------------------------------------------------------------------------------------


def _checked(
    q: ArrayLike, k: ArrayLike, v: ArrayLike, allowed: ArrayLike | None
) -> tuple[Array, Array, Array, Mask | None]:
    """Queries, keys, values and mask of `attend`."""
    # A blocked weight of 0 times infinity would be NaN.
    q, k, v = as_float(q, "q"), as_float(k, "k"), as_finite(v, "v")
    if min(q.ndim, k.ndim, v.ndim) < 2:
        raise ValueError(f"q, k, v need (tokens, width) as last axes, got {q.shape}, {k.shape}, {v.shape}")
    if q.shape[-1] != k.shape[-1] or q.shape[-1] == 0:
        raise ValueError(f"q and k must have the same width (at least 1), got {q.shape[-1]} and {k.shape[-1]}")
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(f"k and v must have the same number of tokens, got {k.shape[-2]} and {v.shape[-2]}")
    if k.shape[-2] == 0:
        raise ValueError("attention needs at least one score a query, but there are no keys")
    leading_axes(2, q=q, k=k, v=v)
    return q, k, v, _check_mask(allowed, leading_axes(2, q=q, k=k), q.shape[-2], k.shape[-2])


def _check_tokens(x: ArrayLike, d_model: int, allowed: ArrayLike | None) -> tuple[Array, Mask | None]:
    """Tokens (..., n, d_model) of a multi-head attention, and its mask, with an axis for the heads if it needs one."""
    x = as_finite(x, "x")
    if x.ndim < 2 or x.shape[-1] != d_model:
        raise ValueError(f"x must be (..., n, {d_model}), got {x.shape}")
    n = x.shape[-2]
    if n == 0:
        raise ValueError("attention needs at least one score a query, but there are no tokens")
    mask = _check_mask(allowed, x.shape[:-2], n, n)
    return x, mask if mask is None or mask.ndim == 2 else mask[..., None, :, :]


def _check_mask(allowed: Any, batch: tuple[int, ...], n: int, m: int) -> Mask | None:
    if allowed is None:
        return None
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


def _check_weights(*given: ArrayLike) -> tuple[Array, Array, Array, Array]:
    w_q, w_k, w_v, w_o = weights = [as_finite(w, n) for w, n in zip(given, ("w_q", "w_k", "w_v", "w_o"), strict=True)]
    d_model = len(np.atleast_1d(w_q))
    if any(w.shape != (d_model, d_model) for w in weights):
        raise ValueError(f"all four weights must be (d_model, d_model), got {[w.shape for w in weights]}")
    return w_q, w_k, w_v, w_o
