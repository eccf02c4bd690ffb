"""The rest of an encoder layer: layer norm, feed-forward, residual sums; and a small network of plain layers.

Source: Vaswani et al. 2017, "Attention Is All You Need", sections 3.1 and 3.3 (post-norm); Ba et al. 2016, "Layer
Normalization"; Hendrycks and Gimpel 2016, "Gaussian Error Linear Units". Rows are tokens. Weights are (in, out).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mathcore.arguments import as_finite, as_float, real
from mathcore.attention import MultiHeadAttention, MultiHeadTrace, softmax
from mathcore.named import NamedArray, located
from mathcore.numerics import in_range

Array = NDArray[Any]
Activation = Literal["relu", "gelu"]

TOKENS = ("token", "feature")


def relu(x: ArrayLike) -> Array:
    """max(0, x); same shape. Raises ValueError for values that are not finite."""
    return np.maximum(as_finite(x, "x"), 0)


def gelu(x: ArrayLike) -> Array:
    """x Phi(x), Phi the normal distribution's cumulative function; same shape. Exact, not the tanh approximation.

    Computed in float64 as x erfc(-x / sqrt 2) / 2, which keeps its digits where 1 + erf loses them (x far below 0).
    Raises ValueError for values that are not finite.
    """
    x = as_finite(x, "x")
    below = (x.astype(np.float64) * -math.sqrt(0.5)).ravel()
    doubled = np.fromiter(map(math.erfc, below.tolist()), dtype=np.float64, count=x.size)  # 2 Phi(x)
    return (x * (0.5 * doubled.reshape(x.shape))).astype(x.dtype)


_ACTIVATIONS: dict[str, Callable[[ArrayLike], Array]] = {"relu": relu, "gelu": gelu}


def _tokens(x: ArrayLike, width: int | None = None) -> Array:
    """`x` as float, checked to be (..., n, d), finite, and of the given width."""
    x = as_finite(x, "x")
    if x.ndim < 2 or x.shape[-1] == 0 or width not in (None, x.shape[-1]):
        raise ValueError(f"x must be (..., n, {'d' if width is None else width}), got {x.shape}")
    return x


def _vector(values: ArrayLike | None, default: float, like: Array, width: int, name: str) -> Array:
    vector = np.full(width, default, dtype=like.dtype) if values is None else as_finite(values, name)
    if vector.shape != (width,):
        raise ValueError(f"{name} must be ({width},), got {vector.shape}")
    return vector


@dataclass(frozen=True)
class LayerNormTrace:
    """One layer norm, step by step; `mean` and `variance` are one number a token."""

    x: NamedArray
    gain: NamedArray
    bias: NamedArray
    mean: NamedArray
    centred: NamedArray
    variance: NamedArray
    normalised: NamedArray
    output: NamedArray


def layer_norm(
    x: ArrayLike, gain: ArrayLike | None = None, bias: ArrayLike | None = None, *, eps: float = 1e-5
) -> LayerNormTrace:
    """Every token of x (..., n, d) brought to mean 0 and variance 1, then times gain (d,) plus bias (d,).

    The variance is the mean square (divided by d), `eps` is added to it under the root. Gain is 1 and bias 0 when not
    given. Raises ValueError for shapes that do not fit, values that are not finite, a negative eps, features so large
    that their variance is not a float, and a token of equal features when eps is 0 (or 0 in float32).
    """
    x = _tokens(x)
    wanted = "0 or a positive number"
    if real(eps, "eps", wanted) < 0:
        raise ValueError(f"eps must be {wanted}, got {eps}")
    gain = _vector(gain, 1, x, x.shape[-1], "gain")
    bias = _vector(bias, 0, x, x.shape[-1], "bias")
    mean = in_range("the mean of x", lambda: x.mean(axis=-1))  # (..., n)
    centred = in_range("x - mean", lambda: x - mean[..., None])  # (..., n, d)
    # The mean is rounded; what that leaves would be all that equal features differ by.
    rest = centred.mean(axis=-1)
    mean, centred = mean + rest, centred - rest[..., None]
    variance = in_range("the variance of x", lambda: np.square(centred).mean(axis=-1))  # (..., n)
    deviation = np.sqrt(variance + x.dtype.type(eps))
    if not deviation.all():
        raise ValueError(
            f"a token whose features are all equal, or differ by less than {x.dtype} can square, has no variance: "
            f"give an eps above 0"
        )
    normalised = centred / deviation[..., None]  # (..., n, d)
    output = in_range("gain normalised + bias", lambda: normalised * gain + bias)  # (..., n, d)
    return LayerNormTrace(
        x=NamedArray(x, "x", TOKENS),
        gain=NamedArray(gain, "gain", ("feature",)),
        bias=NamedArray(bias, "bias", ("feature",)),
        mean=NamedArray(mean, "mean", ("token",), "mean over features"),
        centred=NamedArray(centred, "centred", TOKENS, "x - mean"),
        variance=NamedArray(variance, "variance", ("token",), "mean over features of (x - mean)^2"),
        normalised=NamedArray(normalised, "normalised", TOKENS, "(x - mean) / sqrt(variance + eps)"),
        output=NamedArray(output, "output", TOKENS, "gain normalised + bias", copy=False),
    )


@dataclass(frozen=True)
class FeedForwardTrace:
    """One feed-forward, step by step: the same two layers for every token on its own."""

    x: NamedArray
    w_1: NamedArray
    b_1: NamedArray
    w_2: NamedArray
    b_2: NamedArray
    hidden: NamedArray
    activated: NamedArray
    output: NamedArray


def feed_forward(
    x: ArrayLike,
    w_1: ArrayLike,
    w_2: ArrayLike,
    *,
    b_1: ArrayLike | None = None,
    b_2: ArrayLike | None = None,
    activation: Activation = "relu",
) -> FeedForwardTrace:
    """activation(x W_1 + b_1) W_2 + b_2 for x (..., n, d), w_1 (d, f), w_2 (f, e), b_1 (f,) and b_2 (e,).

    A bias that is not given is 0. Raises ValueError for shapes that do not fit, values that are not finite or too large
    to be multiplied, or an activation of another name.
    """
    if activation not in _ACTIVATIONS:
        raise ValueError(f"activation must be {' or '.join(_ACTIVATIONS)}, got {activation!r}")
    w_1, w_2 = as_finite(w_1, "w_1"), as_finite(w_2, "w_2")
    if w_1.ndim != 2 or w_2.ndim != 2 or w_1.shape[1] != w_2.shape[0] or 0 in (*w_1.shape, *w_2.shape):
        raise ValueError(f"w_1 and w_2 must be (d, f) and (f, e), got {w_1.shape} and {w_2.shape}")
    x = _tokens(x, w_1.shape[0])
    b_1 = _vector(b_1, 0, x, w_1.shape[1], "b_1")
    b_2 = _vector(b_2, 0, x, w_2.shape[1], "b_2")
    hidden = in_range("x W_1 + b_1", lambda: x @ w_1 + b_1)  # (..., n, f)
    activated = _ACTIVATIONS[activation](hidden)  # (..., n, f)
    output = in_range(f"{activation}(x W_1 + b_1) W_2 + b_2", lambda: activated @ w_2 + b_2)  # (..., n, e)
    neurons = ("token", "neuron")
    return FeedForwardTrace(
        x=NamedArray(x, "x", TOKENS),
        w_1=NamedArray(w_1, "w_1", ("feature", "neuron")),
        b_1=NamedArray(b_1, "b_1", ("neuron",)),
        w_2=NamedArray(w_2, "w_2", ("neuron", "feature")),
        b_2=NamedArray(b_2, "b_2", ("feature",)),
        hidden=NamedArray(hidden, "hidden", neurons, "x W_1 + b_1"),
        activated=NamedArray(activated, "activated", neurons, f"{activation}(x W_1 + b_1)"),
        output=NamedArray(output, "output", TOKENS, f"{activation}(x W_1 + b_1) W_2 + b_2", copy=False),
    )


@dataclass(frozen=True)
class EncoderLayerTrace:
    """One post-norm encoder layer: attention, add, norm, feed-forward, add, norm. The sums are the residual road."""

    x: NamedArray
    attention: MultiHeadTrace
    attention_sum: NamedArray
    attention_norm: LayerNormTrace
    feed_forward: FeedForwardTrace
    feed_forward_sum: NamedArray
    feed_forward_norm: LayerNormTrace

    @property
    def output(self) -> NamedArray:
        """(..., n, d_model): what the last norm gives."""
        return self.feed_forward_norm.output


def encoder_layer(
    x: ArrayLike,
    attention: MultiHeadAttention,
    w_1: ArrayLike,
    w_2: ArrayLike,
    *,
    b_1: ArrayLike | None = None,
    b_2: ArrayLike | None = None,
    gains: tuple[ArrayLike | None, ArrayLike | None] = (None, None),
    biases: tuple[ArrayLike | None, ArrayLike | None] = (None, None),
    activation: Activation = "relu",
    eps: float = 1e-5,
    allowed: ArrayLike | None = None,
) -> EncoderLayerTrace:
    """Both halves of a post-norm encoder layer over x (..., n, d_model): y = norm(x + attention(x)), norm(y + ff(y)).

    `gains` and `biases` belong to the norm after attention and to that after the feed-forward; the rest is as in
    `MultiHeadAttention`, `feed_forward` and `layer_norm`, errors too.
    """
    first = attention(x, allowed=allowed)
    first_sum = in_range("x + attention(x)", lambda: first.x.values + first.output.values)  # (..., n, d_model)
    first_norm = layer_norm(first_sum, gains[0], biases[0], eps=eps)
    second = feed_forward(first_norm.output, w_1, w_2, b_1=b_1, b_2=b_2, activation=activation)
    if second.output.shape != second.x.shape:
        raise ValueError(f"w_2 must lead back to {second.x.shape[-1]} features, got {second.output.shape[-1]}")
    second_sum = in_range("y + feed_forward(y)", lambda: second.x.values + second.output.values)  # (..., n, d_model)
    second_norm = layer_norm(second_sum, gains[1], biases[1], eps=eps)
    return EncoderLayerTrace(
        x=NamedArray(first.x, "x", TOKENS),
        attention=located(first, "attention"),
        attention_sum=NamedArray(first_sum, "attention_sum", TOKENS, "x + attention(x)"),
        attention_norm=located(first_norm, "attention_norm"),
        feed_forward=located(second, "feed_forward"),
        feed_forward_sum=NamedArray(second_sum, "feed_forward_sum", TOKENS, "y + feed_forward(y)"),
        feed_forward_norm=located(second_norm, "feed_forward_norm"),
    )


@dataclass(frozen=True)
class DenseTrace:
    """One layer of a small network: `signals[i, j]` is what neuron i sends to neuron j, input times weight."""

    w: NamedArray
    b: NamedArray
    signals: NamedArray
    pre_activation: NamedArray
    activation: NamedArray


@dataclass(frozen=True)
class MLPTrace:
    """A forward pass of a small network, layer by layer."""

    x: NamedArray
    layers: tuple[DenseTrace, ...]

    @property
    def output(self) -> NamedArray:
        """(last width,): the activations of the last layer."""
        return self.layers[-1].activation


def mlp(x: ArrayLike, layers: Sequence[tuple[ArrayLike, ArrayLike]]) -> MLPTrace:
    """A forward pass of one vector x (d,) through layers (w, b) of shapes (in, out) and (out,).

    ReLU follows every layer but the last, which softmax follows. Raises ValueError for no layers, values that are not
    finite or too large to be multiplied, or shapes that do not fit, naming the layer.
    """
    x = as_float(x, "x")
    if x.ndim != 1 or not np.isfinite(x).all():
        raise ValueError(f"x must be one finite vector, got shape {x.shape}")
    if not layers:
        raise ValueError("an MLP needs at least one layer")
    traces: list[DenseTrace] = []
    for i, pair in enumerate(layers):
        values = traces[-1].activation.values if traces else x
        traces.append(_dense(values, pair, f"layers[{i}]", last=i == len(layers) - 1))
    return MLPTrace(x=NamedArray(x, "x", ("input",)), layers=tuple(traces))


def _dense(x: Array, pair: tuple[ArrayLike, ArrayLike], path: str, *, last: bool) -> DenseTrace:
    """One layer of a small network; `last`, softmax follows instead of ReLU."""
    if len(pair) != 2:
        raise ValueError(f"{path} must be a pair (w, b), got {len(pair)} parts")
    w, b = (as_finite(part, path) for part in pair)
    if w.ndim != 2 or w.shape[0] != len(x) or b.shape != w.shape[1:] or 0 in w.shape:
        raise ValueError(f"{path} must be ({len(x)}, out) and (out,), got {w.shape} and {b.shape}")
    signals = in_range(f"{path}: x w", lambda: x[:, None] * w)  # (in, out)
    before = in_range(f"{path}: x W + b", lambda: x @ w + b)  # (out,)
    after = softmax(before) if last else relu(before)  # (out,)
    formula = "softmax(x W + b)" if last else "max(0, x W + b)"
    return DenseTrace(
        w=NamedArray(w, f"{path}.w", ("input", "neuron")),
        b=NamedArray(b, f"{path}.b", ("neuron",)),
        signals=NamedArray(signals, f"{path}.signals", ("input", "neuron"), "x w"),
        pre_activation=NamedArray(before, f"{path}.pre_activation", ("neuron",), "x W + b"),
        activation=NamedArray(after, f"{path}.activation", ("neuron",), formula),
    )
