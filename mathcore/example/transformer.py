"""Chapter 4, the Transformer: a small network, a whole encoder layer, and attention with other masks and shapes."""

from dataclasses import dataclass
from itertools import count as numbers
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mathcore.attention import AttentionTrace, MultiHeadAttention, attend, causal_mask
from mathcore.example.illustrative import one_decimal
from mathcore.layers import EncoderLayerTrace, MLPTrace, encoder_layer, mlp
from mathcore.named import NamedArray, located

# The feed-forward is as many times as wide as the model as in the 2017 paper.
FEED_FORWARD_FACTOR = 4
# Neurons a layer of the small network.
MLP_WIDTHS = (4, 5, 5, 3)
# An image cut into 4 x 4 patches, for words that look at a picture.
PATCHES = 16
# Each of these draws has a stream of its own, beside the seed.
MLP_STREAM, FEED_FORWARD_STREAM, PATCH_STREAM = 1, 2, 3


@dataclass(frozen=True)
class Applications:
    """The same computation with other masks and shapes, in head 0 (untrained).

    `both_sides` and `causal` are attentions over the sentence, with `everything` or only `earlier` words allowed;
    `translation` is the cards looking at a longer sentence (n x m), `picture` the sentence looking at image patches.
    """

    everything: NamedArray
    earlier: NamedArray
    both_sides: AttentionTrace
    causal: AttentionTrace
    translation: AttentionTrace
    picture: AttentionTrace


def two_inputs(seed: int) -> tuple[MLPTrace, MLPTrace]:
    """Two inputs through one small network: the first draw of weights that treats them differently.

    That is: other outputs win, other neurons fire, and in each hidden layer some fire and some do not.
    """
    one, other = next(pair for pair in (_drawn_mlp(seed, attempt) for attempt in numbers()) if _differ(*pair))
    return located(one, "mlp[0]"), located(other, "mlp[1]")


def _drawn_mlp(seed: int, attempt: int) -> tuple[MLPTrace, MLPTrace]:
    rng = np.random.default_rng([seed, MLP_STREAM, attempt])
    layers = [(one_decimal(rng, shape), one_decimal(rng, shape[1:], -0.5, 0.5)) for shape in pairwise(MLP_WIDTHS)]
    one, other = one_decimal(rng, (2, MLP_WIDTHS[0]), 0)
    return mlp(one, layers), mlp(other, layers)


def _differ(one: MLPTrace, other: MLPTrace) -> bool:
    hidden = zip(one.layers[:-1], other.layers[:-1], strict=True)
    firing = [tuple(layer.activation.values > 0 for layer in pair) for pair in hidden]
    if not all((a != b).any() and all(2 <= neurons.sum() < len(neurons) for neurons in (a, b)) for a, b in firing):
        return False
    return bool(one.output.values.argmax() != other.output.values.argmax())


def whole_layer(x: NamedArray, attention: MultiHeadAttention, seed: int) -> EncoderLayerTrace:
    """A whole encoder layer over x (n, d_model), gain 1 and bias 0 in its norms.

    The feed-forward's weights have one decimal from -0.5 to 0.5, so that it does not drown what it is added to.
    """
    rng, d = np.random.default_rng([seed, FEED_FORWARD_STREAM]), x.shape[-1]
    f = FEED_FORWARD_FACTOR * d
    w_1, b_1, w_2, b_2 = (one_decimal(rng, shape, -0.5, 0.5) for shape in ((d, f), (f,), (f, d), (d,)))
    return located(encoder_layer(x, attention, w_1, w_2, b_1=b_1, b_2=b_2), "encoder_layer")


def applications(
    x: NDArray[np.float64],
    target: NDArray[np.float64],
    source: NDArray[np.float64],
    head_weights: tuple[NamedArray, ...],
    seed: int,
) -> Applications:
    """Masks and shapes of well-known uses, with one head's W_Q, W_K, W_V (d_model, d_head).

    `x` are the sentence's embeddings, `target` and `source` those of a sentence and its translation: (n, d_model) each.
    """
    w_q, w_k, w_v = (w.values for w in head_weights)
    patches = one_decimal(np.random.default_rng([seed, PATCH_STREAM]), (PATCHES, x.shape[-1]))
    everything, earlier = np.ones((len(x), len(x)), dtype=bool), causal_mask(len(x))
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    pairs = ("query", "key")
    return located(
        Applications(
            everything=NamedArray(everything, "everything", pairs, "True = allowed"),
            earlier=NamedArray(earlier, "earlier", pairs, "True = allowed"),
            both_sides=located(attend(q, k, v, allowed=everything), "both_sides"),
            causal=located(attend(q, k, v, allowed=earlier), "causal"),
            translation=located(attend(target @ w_q, source @ w_k, source @ w_v), "translation"),
            picture=located(attend(q, patches @ w_k, patches @ w_v), "picture"),
        ),
        "applications",
    )
