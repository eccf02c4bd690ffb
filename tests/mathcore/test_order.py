"""Order-blindness as an experiment: facts 1 and 2, and what positions change."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathcore.attention import MultiHeadAttention, causal_mask
from mathcore.order import OrderTrace, order_experiment
from mathcore.position import sinusoidal

relaxed = settings(deadline=None, max_examples=60)


def experiment(seed: int, n: int, order: list[int]) -> tuple[MultiHeadAttention, np.ndarray, OrderTrace]:
    layer = MultiHeadAttention.from_seed(8, 2, seed)
    x = np.random.default_rng(seed).normal(size=(n, 8))
    return layer, x, order_experiment(layer, x, sinusoidal(n, 8), order)


@relaxed
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 7), data=st.data())
def test_fact_01_plain_attention_is_blind_to_any_order(seed: int, n: int, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(n)))
    _, x, trace = experiment(seed, n, order)
    p = trace.permutation.values
    np.testing.assert_array_equal(p @ x, x[order])
    for head in range(2):
        np.testing.assert_allclose(trace.plain.expected.values[head], p @ trace.plain.weights.values[head] @ p.T)
    np.testing.assert_allclose(trace.plain.expected_output.values, p @ trace.plain.output.values)
    for error in (trace.plain.weights_error, trace.plain.output_error, trace.plain.pooled_change):
        assert 0 <= error.entry().value < 1e-14


@pytest.mark.parametrize("seed", range(10))
def test_fact_01_the_matrices_themselves_are_not_the_same(seed: int) -> None:
    trace = experiment(seed, 3, [2, 1, 0])[2].plain
    assert trace.weights_change.entry().value > 0.01
    assert np.abs(trace.shuffled_output.values - trace.output.values).max() > 0.01


@pytest.mark.parametrize("seed", range(10))
def test_positions_make_the_two_sentences_differ(seed: int) -> None:
    layer, x, trace = experiment(seed, 3, [2, 1, 0])
    for change in (trace.positioned.weights_error, trace.positioned.output_error, trace.positioned.pooled_change):
        assert change.entry().value > 1e-3
    # The seats stay where they are; the words move.
    expected = layer(x[[2, 1, 0]] + sinusoidal(3, 8)).output.values
    np.testing.assert_array_equal(trace.positioned.shuffled_output.values, expected)


@pytest.mark.parametrize("seed", range(10))
def test_fact_02_a_causal_mask_is_not_blind(seed: int) -> None:
    layer, x, trace = experiment(seed, 3, [2, 1, 0])
    assert trace.causal.output_error.entry().value > 0.01
    assert trace.causal.weights_error.entry().value > 0.01
    assert trace.causal.pooled_change.entry().value > 1e-3
    expected = layer(x[[2, 1, 0]], allowed=causal_mask(3)).output.values
    np.testing.assert_array_equal(trace.causal.shuffled_output.values, expected)


def test_the_errors_are_the_differences_they_say() -> None:
    for case in (getattr(experiment(0, 4, [1, 3, 0, 2])[2], name) for name in ("plain", "positioned", "causal")):
        pairs = {
            "weights_error": (case.shuffled_weights, case.expected),
            "output_error": (case.shuffled_output, case.expected_output),
            "weights_change": (case.shuffled_weights, case.weights),
            "pooled_change": (case.shuffled_pooled, case.pooled),
        }
        for name, (one, other) in pairs.items():
            assert getattr(case, name).entry().value == np.abs(one.values - other.values).max()
        np.testing.assert_allclose(case.pooled.values, case.output.values.mean(axis=0), atol=1e-15)
        np.testing.assert_allclose(case.weights.values.sum(axis=-1), 1)


def test_the_order_that_changes_nothing_changes_nothing() -> None:
    trace = experiment(0, 4, [0, 1, 2, 3])[2]
    for case, name in itertools.product(
        ("plain", "positioned", "causal"), ("weights_error", "output_error", "weights_change")
    ):
        assert getattr(getattr(trace, case), name).entry().value == 0


def test_what_does_not_fit_is_refused() -> None:
    layer, x = MultiHeadAttention.from_seed(8, 2, 0), np.ones((3, 8))
    for order in ([0, 1], [0, 1, 1], [1, 2, 3], [0, 1, 2, 3]):
        with pytest.raises(ValueError, match=r"order must be a permutation of 0\.\.2"):
            order_experiment(layer, x, x, order)
    with pytest.raises(ValueError, match=r"must both be \(n, d_model\), got \(3, 8\) and \(2, 8\)"):
        order_experiment(layer, x, x[:2], [0, 1, 2])
