"""Why scores are divided by sqrt(d_head): how loud dot products are, and what softmax makes of them; measured.

Source: Vaswani et al. 2017, section 3.2.1. Components are drawn independently with mean 0 and variance 1; the queries
and keys of a trained model need not be like that.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mathcore.arguments import count, whole
from mathcore.attention import attend, softmax
from mathcore.named import NamedArray
from mathcore.roles import entropy


@dataclass(frozen=True)
class SaturationTrace:
    """Dot products of random queries and keys, by width; `largest` is the mean largest weight, entropies are in nats.

    The `sample` arrays are one query of `sample_width`, its scores with every key, and the weights that softmax gives
    with and without the scaling.
    """

    widths: NamedArray
    queries: NamedArray
    keys: NamedArray
    expected_std: NamedArray
    std: NamedArray
    scaled_std: NamedArray
    largest: NamedArray
    scaled_largest: NamedArray
    entropy: NamedArray
    scaled_entropy: NamedArray
    most_entropy: NamedArray
    sample_width: NamedArray
    sample_scale: NamedArray
    sample_scores: NamedArray
    sample_scaled: NamedArray
    sample_unscaled_weights: NamedArray
    sample_weights: NamedArray


def measure_saturation(
    widths: Sequence[int], *, queries: int, keys: int, sample_width: int, seed: int
) -> SaturationTrace:
    """Measure `queries` random queries against `keys` random keys each, for every d_head in `widths`.

    A narrower query is the front part of a wider one. The sample is the query whose unscaled largest weight at
    `sample_width` is nearest to the mean. Raises ValueError for no widths, or a sample_width that is not among them.
    """
    widths = [whole(width, "a width") for width in widths]
    if not widths or min(widths) < 1 or whole(sample_width, "sample_width") not in widths:
        raise ValueError(f"widths must be at least 1 and hold sample_width {sample_width}, got {widths}")
    queries, keys = count(queries, "queries"), count(keys, "keys")
    rng = np.random.default_rng(count(seed, "seed", least=0))
    q, k = rng.standard_normal((queries, 1, max(widths))), rng.standard_normal((queries, keys, max(widths)))
    nothing = np.zeros((queries, keys, 1))
    traces = [attend(q[..., :d], k[..., :d], nothing) for d in widths]
    scores = [trace.scores.values[:, 0] for trace in traces]  # (queries, keys) each
    scaled = [trace.scaled.values[:, 0] for trace in traces]
    loud, even = [softmax(s) for s in scores], [softmax(s) for s in scaled]
    at = list(widths).index(sample_width)
    tops = loud[at].max(axis=-1)
    pick = int(np.abs(tops - tops.mean()).argmin())
    case, key = ("case",), ("key",)

    def means(name: str, values: list[np.floating], formula: str) -> NamedArray:
        return NamedArray(np.array(values), name, case, formula)

    return SaturationTrace(
        widths=NamedArray(np.array(widths), "widths", case),
        queries=NamedArray(queries, "queries", ()),
        keys=NamedArray(keys, "keys", ()),
        expected_std=NamedArray(np.sqrt(widths), "expected_std", case, "sqrt(d_head)"),
        std=means("std", [s.std() for s in scores], "standard deviation of q . k"),
        scaled_std=means("scaled_std", [s.std() for s in scaled], "standard deviation of q . k / sqrt(d_head)"),
        largest=means("largest", [w.max(axis=-1).mean() for w in loud], "mean largest weight, not scaled"),
        scaled_largest=means("scaled_largest", [w.max(axis=-1).mean() for w in even], "mean largest weight, scaled"),
        entropy=means("entropy", [entropy(w).mean() for w in loud], "mean entropy of a row, not scaled"),
        scaled_entropy=means("scaled_entropy", [entropy(w).mean() for w in even], "mean entropy of a row, scaled"),
        most_entropy=NamedArray(np.log(keys), "most_entropy", (), "ln(keys)"),
        sample_width=NamedArray(sample_width, "sample_width", ()),
        sample_scale=NamedArray(np.sqrt(sample_width), "sample_scale", (), "sqrt(d_head)"),
        sample_scores=NamedArray(scores[at][pick], "sample_scores", key, "q . k"),
        sample_scaled=NamedArray(scaled[at][pick], "sample_scaled", key, "q . k / sqrt(d_head)"),
        sample_unscaled_weights=NamedArray(loud[at][pick], "sample_unscaled_weights", key, "softmax(q . k)"),
        sample_weights=NamedArray(even[at][pick], "sample_weights", key, "softmax(q . k / sqrt(d_head))"),
    )
