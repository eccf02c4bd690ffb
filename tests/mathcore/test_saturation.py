"""Facts 7 and 8, measured: dot products grow as sqrt(d_head), and softmax saturates without the scaling."""

import math

import numpy as np
import pytest

from mathcore.attention import softmax
from mathcore.experiments import saturation
from mathcore.roles import entropy
from mathcore.saturation import measure_saturation


def test_fact_07_the_spread_grows_as_the_root_of_the_width() -> None:
    trace = saturation()
    assert trace.widths.values.tolist() == [4, 8, 16, 32, 64, 128, 256, 512]
    np.testing.assert_allclose(trace.expected_std.values, np.sqrt(trace.widths.values))
    np.testing.assert_allclose(trace.std.values, trace.expected_std.values, rtol=0.03)
    np.testing.assert_allclose(trace.scaled_std.values, 1, rtol=0.03)
    np.testing.assert_allclose(trace.std.values, trace.scaled_std.values * trace.expected_std.values)
    assert trace.std.values[4] == pytest.approx(8, rel=0.02)


def test_fact_08_ten_keys_at_width_64() -> None:
    trace, at = saturation(), 4
    assert trace.largest.values[at] == pytest.approx(0.866, abs=0.015)
    assert trace.entropy.values[at] == pytest.approx(0.345, abs=0.03)
    assert trace.scaled_largest.values[at] == pytest.approx(0.320, abs=0.015)
    assert trace.scaled_entropy.values[at] == pytest.approx(1.923, abs=0.03)
    assert trace.most_entropy.entry().value == pytest.approx(2.303, abs=5e-4)


def test_unscaled_softmax_saturates_more_and_more_and_scaled_softmax_does_not() -> None:
    trace = saturation()
    assert (np.diff(trace.largest.values) > 0).all() and (np.diff(trace.entropy.values) < 0).all()
    assert np.ptp(trace.scaled_largest.values) < 0.03 and np.ptp(trace.scaled_entropy.values) < 0.06


def test_the_sample_is_one_query_of_the_experiment() -> None:
    trace = saturation()
    scores = trace.sample_scores.values
    np.testing.assert_allclose(trace.sample_scaled.values, scores / 8)
    np.testing.assert_allclose(trace.sample_unscaled_weights.values, softmax(scores))
    np.testing.assert_allclose(trace.sample_weights.values, softmax(scores / 8))
    assert trace.sample_scale.entry().value == math.sqrt(trace.sample_width.entry().value) == 8
    # Typical: its largest unscaled weight is the mean one.
    assert trace.sample_unscaled_weights.values.max() == pytest.approx(trace.largest.values[4], abs=0.01)
    assert entropy(trace.sample_weights.values[None])[0] > entropy(trace.sample_unscaled_weights.values[None])[0]


def test_by_another_road() -> None:
    """The same draws, without attend: one query and key at a time."""
    trace = measure_saturation((2, 5), queries=3, keys=4, sample_width=5, seed=9)
    rng = np.random.default_rng(9)
    q, k = rng.standard_normal((3, 1, 5)), rng.standard_normal((3, 4, 5))
    for case, d in enumerate((2, 5)):
        scores = np.array([[sum(q[i, 0, t] * k[i, j, t] for t in range(d)) for j in range(4)] for i in range(3)])
        assert trace.std.values[case] == pytest.approx(scores.std())
        assert trace.largest.values[case] == pytest.approx(softmax(scores).max(axis=-1).mean())
        assert trace.scaled_largest.values[case] == pytest.approx(softmax(scores / d**0.5).max(axis=-1).mean())


def test_what_cannot_be_measured_is_refused() -> None:
    for widths, sample in (((), 4), ((4, 8), 5), ((0, 4), 4)):
        with pytest.raises(ValueError, match="widths must be at least 1 and hold sample_width"):
            measure_saturation(widths, queries=2, keys=2, sample_width=sample, seed=0)
    with pytest.raises(ValueError, match="queries must be at least 1, got 0"):
        measure_saturation((4,), queries=0, keys=2, sample_width=4, seed=0)
