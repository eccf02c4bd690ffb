"""What attention costs, beside a recurrence: parameters, multiplications, steps in a row, and how far words are apart.

Sources: Vaswani et al. 2017, table 1; Child et al. 2019, "Generating Long Sequences with Sparse Transformers" (strided,
both of its patterns in one mask); Beltagy et al. 2020, "Longformer" (window). Multiplications are those of the matrix
products; additions are not counted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mathcore.arguments import count
from mathcore.attention import check_heads
from mathcore.named import NamedArray

Mask = NDArray[np.bool_]


# --- Parameters -------------------------------------------------------------------------------------------------------


def attention_parameters(d_model: int, n_heads: int, *, bias: bool = False) -> int:
    """Parameters of one multi-head attention, W_Q, W_K, W_V and W_O counted: 4 d_model^2 whatever n_heads is."""
    d_head = check_heads(d_model, n_heads)
    d_model, n_heads = int(d_model), int(n_heads)
    projections = 3 * n_heads * d_model * d_head + n_heads * d_head * d_model
    return projections + (3 * n_heads * d_head + d_model if bias else 0)


def cut_up_parameters(d_model: int, n_heads: int) -> int:
    """What W_Q, W_K and W_V would hold if the EMBEDDING were cut into n_heads pieces: it is not (see the test)."""
    return check_heads(d_model, n_heads) ** 2 * 3 * int(n_heads)


def feed_forward_parameters(d_model: int, d_ff: int, *, bias: bool = False) -> int:
    """Parameters of a feed-forward d_model -> d_ff -> d_model."""
    d_model, d_ff = count(d_model, "d_model"), count(d_ff, "d_ff")
    return 2 * d_model * d_ff + (d_ff + d_model if bias else 0)


def encoder_layer_parameters(d_model: int, n_heads: int, d_ff: int, *, bias: bool = False) -> int:
    """Parameters of an encoder layer; its two norms have a gain each, and with `bias` a bias each."""
    sublayers = attention_parameters(d_model, n_heads, bias=bias) + feed_forward_parameters(d_model, d_ff, bias=bias)
    return sublayers + 2 * int(d_model) * (2 if bias else 1)


def recurrent_parameters(d_model: int, *, bias: bool = False) -> int:
    """Parameters of a plain recurrent layer of equal widths: input and state each have a d_model x d_model matrix."""
    d_model = count(d_model, "d_model")
    return 2 * d_model**2 + (d_model if bias else 0)


@dataclass(frozen=True)
class ParameterTrace:
    """Parameters of one encoder layer and of its parts, without biases, and `biased` with them.

    `projections` is what W_Q, W_K and W_V hold, and `cut_up` what they would hold if the EMBEDDING were cut up.
    """

    d_model: NamedArray
    heads: NamedArray
    d_ff: NamedArray
    attention: NamedArray
    biased_attention: NamedArray
    feed_forward: NamedArray
    biased_feed_forward: NamedArray
    encoder_layer: NamedArray
    biased_encoder_layer: NamedArray
    recurrence: NamedArray
    biased_recurrence: NamedArray
    projections: NamedArray
    cut_up: NamedArray


def parameters(d_model: int, n_heads: int, d_ff: int) -> ParameterTrace:
    """All counts for one choice of sizes."""

    d_model, n_heads, d_ff = count(d_model, "d_model"), count(n_heads, "n_heads"), count(d_ff, "d_ff")

    def one(name: str, value: int, formula: str = "") -> NamedArray:
        return NamedArray(value, name, (), formula)

    return ParameterTrace(
        d_model=one("d_model", d_model),
        heads=one("heads", n_heads),
        d_ff=one("d_ff", d_ff),
        attention=one("attention", attention_parameters(d_model, n_heads), "4 d_model^2"),
        biased_attention=one(
            "biased_attention", attention_parameters(d_model, n_heads, bias=True), "4 d_model^2 + 4 d_model"
        ),
        feed_forward=one("feed_forward", feed_forward_parameters(d_model, d_ff), "2 d_model d_ff"),
        biased_feed_forward=one(
            "biased_feed_forward", feed_forward_parameters(d_model, d_ff, bias=True), "2 d_model d_ff + d_ff + d_model"
        ),
        encoder_layer=one(
            "encoder_layer", encoder_layer_parameters(d_model, n_heads, d_ff), "attention + feed-forward + 2 d_model"
        ),
        biased_encoder_layer=one(
            "biased_encoder_layer",
            encoder_layer_parameters(d_model, n_heads, d_ff, bias=True),
            "attention + feed-forward + 4 d_model, with biases",
        ),
        recurrence=one("recurrence", recurrent_parameters(d_model), "2 d_model^2"),
        biased_recurrence=one("biased_recurrence", recurrent_parameters(d_model, bias=True), "2 d_model^2 + d_model"),
        projections=one("projections", 3 * d_model**2, "3 d_model^2"),
        cut_up=one("cut_up", cut_up_parameters(d_model, n_heads), "3 heads d_head^2"),
    )


# --- Who may look at whom ---------------------------------------------------------------------------------------------

# Whether a query may look at a key this many tokens away, for whole arrays of distances 0, 1, 2, ...
Pattern = Callable[[NDArray[Any]], Mask]


def full(distance: NDArray[Any]) -> Mask:
    """Every key."""
    return np.ones(distance.shape, dtype=bool)


def window(radius: int) -> Pattern:
    """Keys at most `radius` tokens away."""
    radius = count(radius, "radius")
    return lambda distance: distance <= radius


def strided(stride: int) -> Pattern:
    """Keys at most `stride` tokens away, and every `stride`-th key: together any key is two steps away at most."""
    stride = count(stride, "stride")
    return lambda distance: (distance <= stride) | (distance % stride == 0)


def pattern_mask(n: int, pattern: Pattern, *, causal: bool = False) -> Mask:
    """(n, n) of bool, True = allowed, for `attend`; causal: only keys up to the query's own place."""
    n = count(n, "n")
    offset = np.arange(n)[:, None] - np.arange(n)[None, :]  # (n, n), query minus key
    mask = pattern(np.abs(offset))
    return mask & (offset >= 0) if causal else mask


def window_mask(n: int, radius: int, *, causal: bool = False) -> Mask:
    """(n, n): True where a key is at most `radius` tokens away."""
    return pattern_mask(n, window(radius), causal=causal)


def strided_mask(n: int, stride: int, *, causal: bool = False) -> Mask:
    """(n, n): True where a key is at most `stride` tokens away, or a multiple of it."""
    return pattern_mask(n, strided(stride), causal=causal)


def allowed_pairs(n: int, pattern: Pattern = full, *, causal: bool = False) -> int:
    """How many (query, key) pairs `pattern_mask` allows, without making the mask."""
    distance = np.arange(count(n, "n"))
    there = (len(distance) - distance) * pattern(distance)
    return int(there.sum()) * (1 if causal else 2) - (0 if causal else int(there[0]))


def path_length(mask: ArrayLike) -> int:
    """The most layers of attention through `mask` (n, n) that any token needs to reach another, if it ever does.

    Counted on the mask itself, True = allowed. Raises TypeError for a mask that is not boolean, ValueError for one that
    is not square, or holds two tokens neither of which ever reaches the other: no number of layers joins them.
    """
    allowed = np.asarray(mask)
    if allowed.dtype != np.bool_:
        raise TypeError(f"the mask must be boolean, True = allowed; got {allowed.dtype}")
    if allowed.ndim != 2 or allowed.shape[0] != allowed.shape[1] or not allowed.size:
        raise ValueError(f"the mask must be (n, n), got {allowed.shape}")
    # Counts of paths stay exact in float64 as they are cut to 0 or 1 after each layer.
    step = (allowed | np.eye(len(allowed), dtype=bool)).astype(np.float64)
    reached, layers = np.eye(len(allowed)), 0
    while True:
        further = np.minimum(step @ reached, 1)
        if (further == reached).all():
            break
        reached, layers = further, layers + 1
    apart = np.argwhere((reached + reached.T) == 0)
    if len(apart):
        raise ValueError(f"tokens {apart[0, 0]} and {apart[0, 1]} are joined by no number of layers through this mask")
    return layers


# --- Work -------------------------------------------------------------------------------------------------------------


def projection_multiplications(n: int, d_model: int) -> int:
    """Those of x W_Q, x W_K, x W_V and concat W_O: 4 n d_model^2."""
    return 4 * count(n, "n") * count(d_model, "d_model") ** 2


def mixing_multiplications(n: int, d_model: int, pattern: Pattern = full, *, causal: bool = False) -> int:
    """Those of Q K^T and weights V, all heads together: 2 d_model for each pair that may look; 2 n^2 d_model in all."""
    return 2 * count(d_model, "d_model") * allowed_pairs(n, pattern, causal=causal)


def recurrent_multiplications(n: int, d_model: int) -> int:
    """Those of a plain recurrent layer of equal widths, input and state: 2 n d_model^2."""
    return 2 * count(n, "n") * count(d_model, "d_model") ** 2


@dataclass(frozen=True)
class CostTrace:
    """What one layer of each kind costs as the number of tokens grows; one entry a length in `n`.

    Multiplications of the attentions: their projections and their mixing, together. Steps cannot be done at the same
    time; a path is the most layers (or steps) between two tokens. `window` looks `radius` tokens to each side;
    `strided` looks `stride` tokens to each side and at every `stride`-th token beyond.
    """

    n: NamedArray
    d_model: NamedArray
    radius: NamedArray
    stride: NamedArray
    balance: NamedArray
    projections: NamedArray
    mixing: NamedArray
    attention: NamedArray
    recurrence: NamedArray
    window: NamedArray
    strided: NamedArray
    window_mixing: NamedArray
    strided_mixing: NamedArray
    attention_steps: NamedArray
    recurrence_steps: NamedArray
    attention_path: NamedArray
    recurrence_path: NamedArray
    window_path: NamedArray
    strided_path: NamedArray
    dilution: NamedArray


def costs(lengths: Sequence[int], d_model: int, *, radius: int, stride: int) -> CostTrace:
    """The table of costs for token counts `lengths`. Raises ValueError for none, or a size below 1."""
    if not len(lengths):
        raise ValueError("a table of costs needs at least one length")
    lengths = [count(length, "a length") for length in lengths]
    d_model, radius, stride = count(d_model, "d_model"), count(radius, "radius"), count(stride, "stride")
    near, far = window(radius), strided(stride)
    n = np.array(lengths)

    def table(name: str, formula: str, count: Callable[[int], int]) -> NamedArray:
        return NamedArray(np.array([count(length) for length in lengths]), name, ("case",), formula)

    def one(name: str, value: int, formula: str = "") -> NamedArray:
        return NamedArray(value, name, (), formula)

    def through(pattern: Pattern) -> Callable[[int], int]:
        return lambda length: (
            projection_multiplications(length, d_model) + mixing_multiplications(length, d_model, pattern)
        )

    return CostTrace(
        n=NamedArray(n, "n", ("case",)),
        d_model=one("d_model", d_model),
        radius=one("radius", radius),
        stride=one("stride", stride),
        balance=one("balance", 2 * d_model, "n at which mixing costs as much as projecting: 2 d_model"),
        projections=table("projections", "4 n d_model^2", lambda n: projection_multiplications(n, d_model)),
        mixing=table("mixing", "2 n^2 d_model", lambda n: mixing_multiplications(n, d_model)),
        attention=table("attention", "4 n d_model^2 + 2 n^2 d_model", through(full)),
        recurrence=table("recurrence", "2 n d_model^2", lambda n: recurrent_multiplications(n, d_model)),
        window=table("window", "4 n d_model^2 + 2 pairs d_model", through(near)),
        strided=table("strided", "4 n d_model^2 + 2 pairs d_model", through(far)),
        window_mixing=table("window_mixing", "2 pairs d_model", lambda n: mixing_multiplications(n, d_model, near)),
        strided_mixing=table("strided_mixing", "2 pairs d_model", lambda n: mixing_multiplications(n, d_model, far)),
        attention_steps=table("attention_steps", "1", lambda n: 1),
        recurrence_steps=table("recurrence_steps", "n", lambda n: n),
        attention_path=table("attention_path", "1", lambda n: 1),
        recurrence_path=table("recurrence_path", "n", lambda n: n),
        window_path=table("window_path", "(n - 1) / radius, rounded up", lambda n: -(-(n - 1) // radius)),
        strided_path=table("strided_path", "2", lambda n: strided_path(n, stride)),
        dilution=NamedArray(1 / n, "dilution", ("case",), "1 / n, the share of each token if all were alike"),
    )


@dataclass(frozen=True)
class PatternTrace:
    """The masks themselves for a few tokens, True = allowed, and what was counted on each; causal ones look back only.

    `pairs` and `paths` belong to full, window and strided, in that order, and `causal_pairs` to their causal halves.
    """

    n: NamedArray
    radius: NamedArray
    stride: NamedArray
    full: NamedArray
    window: NamedArray
    strided: NamedArray
    causal_full: NamedArray
    causal_window: NamedArray
    causal_strided: NamedArray
    pairs: NamedArray
    causal_pairs: NamedArray
    paths: NamedArray


def patterns(n: int, *, radius: int, stride: int) -> PatternTrace:
    """Full, window and strided masks (n, n), with their allowed pairs and path lengths counted on them."""
    n, radius, stride = count(n, "n"), count(radius, "radius"), count(stride, "stride")
    kinds = {"full": full, "window": window(radius), "strided": strided(stride)}
    masks = {name: pattern_mask(n, kind) for name, kind in kinds.items()}
    halves = {f"causal_{name}": pattern_mask(n, kind, causal=True) for name, kind in kinds.items()}
    kind_axis = ("pattern",)
    return PatternTrace(
        n=NamedArray(n, "n", ()),
        radius=NamedArray(radius, "radius", ()),
        stride=NamedArray(stride, "stride", ()),
        pairs=NamedArray(np.array([mask.sum() for mask in masks.values()]), "pairs", kind_axis, "allowed pairs"),
        causal_pairs=NamedArray(
            np.array([m.sum() for m in halves.values()]), "causal_pairs", kind_axis, "allowed pairs"
        ),
        paths=NamedArray(np.array([path_length(mask) for mask in masks.values()]), "paths", kind_axis, "layers needed"),
        **{name: NamedArray(mask, name, ("query", "key"), "True = allowed") for name, mask in (masks | halves).items()},
    )


def strided_path(n: int, stride: int) -> int:
    """`path_length` of `strided_mask`, without making the mask: 2 unless every distance is allowed already."""
    n, stride = count(n, "n"), count(stride, "stride")
    return min(n - 1, 1 if n <= stride + 1 or stride == 1 else 2)
