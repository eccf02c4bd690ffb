"""Whether attention can tell the order of its words: shuffle them and look.

Without positions and mask, shuffling the words shuffles the outputs and nothing else: attention is permutation-
EQUIVARIANT. A becomes P A P^T, which is another matrix; only what is pooled over the words stays the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mathcore.arguments import as_finite, whole
from mathcore.attention import MultiHeadAttention, causal_mask
from mathcore.named import NamedArray, located

Array = NDArray[Any]


@dataclass(frozen=True)
class ShuffleTrace:
    """One attention before and after its words were shuffled by P; weights are (h, n, n), outputs (n, d_model).

    `expected` is P A P^T, what a mere relabelling would give. `weights_error` and `output_error` are the largest
    differences from that: rounding if attention is blind to order. `weights_change` is the largest difference between
    the two matrices as they stand, cell by cell, and `pooled_change` that between the outputs' means over words.
    """

    weights: NamedArray
    shuffled_weights: NamedArray
    expected: NamedArray
    output: NamedArray
    shuffled_output: NamedArray
    expected_output: NamedArray
    pooled: NamedArray
    shuffled_pooled: NamedArray
    weights_error: NamedArray
    output_error: NamedArray
    weights_change: NamedArray
    pooled_change: NamedArray


@dataclass(frozen=True)
class OrderTrace:
    """The same words in two orders, `plain` (embeddings alone), `positioned` (a seat's encoding added), and `causal`.

    `order[i]` is the old place of the word that now stands at place i; `permutation` (n, n) is P, with P x = x[order].
    """

    x: NamedArray
    positions: NamedArray
    order: NamedArray
    permutation: NamedArray
    plain: ShuffleTrace
    positioned: ShuffleTrace
    causal: ShuffleTrace


def _shuffle(layer: MultiHeadAttention, x: Array, moved: Array, order: Array, allowed: Array | None) -> ShuffleTrace:
    before, after = layer(x, allowed=allowed), layer(moved, allowed=allowed)
    weights, shuffled = (np.array([head.weights.values for head in trace.heads]) for trace in (before, after))
    expected = weights[:, order][:, :, order]  # (h, n, n)
    output, shuffled_output = before.output.values, after.output.values  # (n, d_model)
    pooled, shuffled_pooled = output.mean(axis=0), shuffled_output.mean(axis=0)  # (d_model,)
    rows, tokens = ("head", "query", "key"), ("token", "feature")

    def largest(name: str, difference: Array, formula: str) -> NamedArray:
        return NamedArray(np.abs(difference).max(), name, (), formula)

    return ShuffleTrace(
        weights=NamedArray(weights, "weights", rows, "A"),
        shuffled_weights=NamedArray(shuffled, "shuffled_weights", rows, "A of the shuffled words"),
        expected=NamedArray(expected, "expected", rows, "P A P^T"),
        output=NamedArray(output, "output", tokens, "f(X)"),
        shuffled_output=NamedArray(shuffled_output, "shuffled_output", tokens, "f(P X)"),
        expected_output=NamedArray(output[order], "expected_output", tokens, "P f(X)"),
        pooled=NamedArray(pooled, "pooled", ("feature",), "mean over words of f(X)"),
        shuffled_pooled=NamedArray(shuffled_pooled, "shuffled_pooled", ("feature",), "mean over words of f(P X)"),
        weights_error=largest("weights_error", shuffled - expected, "largest |A' - P A P^T|"),
        output_error=largest("output_error", shuffled_output - output[order], "largest |f(P X) - P f(X)|"),
        weights_change=largest("weights_change", shuffled - weights, "largest |A' - A|"),
        pooled_change=largest("pooled_change", shuffled_pooled - pooled, "largest difference of the means"),
    )


def order_experiment(layer: MultiHeadAttention, x: ArrayLike, positions: ArrayLike, order: Sequence[int]) -> OrderTrace:
    """Shuffle the rows of x (n, d_model): `order[i]` is the old place of the row that comes to place i.

    `positions` (n, d_model) belongs to the seats and stays where it is. Raises ValueError when x and positions differ
    in shape or are not finite, or order is not a permutation of 0..n-1.
    """
    x, positions = as_finite(x, "x"), as_finite(positions, "positions")
    if x.ndim != 2 or x.shape != positions.shape:
        raise ValueError(f"x and positions must both be (n, d_model), got {x.shape} and {positions.shape}")
    old = [whole(place, "a place in order") for place in order]
    if sorted(old) != list(range(len(x))):
        raise ValueError(f"order must be a permutation of 0..{len(x) - 1}, got {old}")
    places = np.array(old)
    moved, mask = x[places], causal_mask(len(x))
    return OrderTrace(
        x=NamedArray(x, "x", ("token", "feature")),
        positions=NamedArray(positions, "positions", ("token", "feature"), "PE(pos)"),
        order=NamedArray(places, "order", ("token",)),
        permutation=NamedArray(np.eye(len(x))[places], "permutation", ("token", "token"), "P"),
        plain=located(_shuffle(layer, x, moved, places, None), "plain"),
        positioned=located(_shuffle(layer, x + positions, moved + positions, places, None), "positioned"),
        causal=located(_shuffle(layer, x, moved, places, mask), "causal"),
    )
