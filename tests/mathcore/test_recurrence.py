"""The recurrent net: on paper, its Jacobian against finite differences, and fact 25."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathcore.recurrence import elman, recurrent_draws

relaxed = settings(deadline=None, max_examples=40)


def net(seed: int, n: int, d_in: int, d: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    return (
        rng.normal(size=(n, d_in)),
        rng.normal(size=(d_in, d)),
        rng.normal(size=(d, d)) / math.sqrt(d),
        rng.normal(size=d),
    )


def test_two_steps_on_paper() -> None:
    """Width 1, W_x 1, W_h 2, b 0, inputs atanh(0.5) and atanh(0.6) - 1: h_1 = 0.5, h_2 = tanh(atanh 0.6) = 0.6.

    d h_1 / d x_1 = (1 - 0.25) 1 = 0.75; d h_2 / d x_1 = (1 - 0.36) 2 0.75 = 0.96; share 0.96 / 0.75 = 1.28.
    """
    trace = elman([[math.atanh(0.5)], [math.atanh(0.6) - 1]], [[1]], [[2]], [0])
    np.testing.assert_allclose(trace.states.values, [[0.5], [0.6]], rtol=1e-15)
    np.testing.assert_allclose(trace.sensitivity.values, [0.75, 0.96], rtol=1e-14)
    np.testing.assert_allclose(trace.jacobian.values, [[0.96]], rtol=1e-14)
    np.testing.assert_allclose(trace.share.values, [1, 1.28], rtol=1e-14)
    assert trace.rate.entry().value == trace.last_share.entry().value == pytest.approx(1.28)


def test_states_follow_the_formula_one_by_one() -> None:
    x, w_x, w_h, b = net(0, 6, 3, 4)
    trace, state = elman(x, w_x, w_h, b), np.zeros(4)
    for t in range(6):
        state = np.array(
            [
                math.tanh(
                    sum(x[t, i] * w_x[i, j] for i in range(3)) + sum(state[i] * w_h[i, j] for i in range(4)) + b[j]
                )
                for j in range(4)
            ]
        )
        np.testing.assert_allclose(trace.states.values[t], state, atol=1e-14)


@relaxed
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 6), d_in=st.integers(1, 3), d=st.integers(1, 4))
def test_the_jacobian_agrees_with_finite_differences(seed: int, n: int, d_in: int, d: int) -> None:
    x, w_x, w_h, b = net(seed, n, d_in, d)
    trace, step = elman(x, w_x, w_h, b), 1e-5
    for i in range(d_in):
        ends = []
        for sign in (1, -1):
            moved = x.copy()
            moved[0, i] += sign * step
            ends.append(elman(moved, w_x, w_h, b).states.values[-1])
        np.testing.assert_allclose(trace.jacobian.values[:, i], (ends[0] - ends[1]) / (2 * step), atol=1e-7)


@relaxed
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 8))
def test_every_step_s_sensitivity_is_that_of_a_shorter_text(seed: int, n: int) -> None:
    x, w_x, w_h, b = net(seed, n, 2, 3)
    trace = elman(x, w_x, w_h, b)
    for t in range(1, n + 1):
        shorter = elman(x[:t], w_x, w_h, b)
        assert trace.sensitivity.values[t - 1] == pytest.approx(np.linalg.svd(shorter.jacobian.values)[1][0], rel=1e-12)
    np.testing.assert_allclose(trace.rate.entry().value ** (n - 1), trace.last_share.entry().value, rtol=1e-12)


def test_fact_25_the_illustration() -> None:
    trace = elman(*net(0, 101, 2, 3))
    assert trace.illustrated_rate.entry().value == 0.9
    assert trace.illustration.values[0] == trace.share.values[0] == 1
    assert trace.illustration.values[-1] == pytest.approx(2.66e-5, abs=0.005e-5)


def test_fact_25_a_recurrent_net_forgets_at_a_rate() -> None:
    """Twenty nets: after 100 tokens hardly anything is left of the first, and louder inputs wash it away faster."""
    draws = recurrent_draws(100, 16, (1.0, 0.5, 0.25), range(20))
    rates = draws.rates.values
    assert (np.diff(np.median(rates, axis=1)) > 0).all()
    assert rates.max() < 0.9 and rates.min() > 0.5
    assert draws.shown.rate.entry().value == rates[-1, 10]
    share = draws.shown.share.values
    assert share[-1] < 1e-4 and share[9] > 0.1
    # Steady: the logarithm falls nearly on a line.
    steps = np.arange(100)
    assert np.corrcoef(steps, np.log(share))[0, 1] < -0.98


def test_without_tanh_s_flattening_an_orthogonal_net_forgets_nothing() -> None:
    """Inputs so quiet that tanh is a straight line: what is lost otherwise is lost to tanh."""
    draws = recurrent_draws(100, 8, (1e-9,), range(3))
    np.testing.assert_allclose(draws.rates.values, 1, atol=1e-12)


def test_the_draws_are_the_same_every_time() -> None:
    one, same = (recurrent_draws(10, 4, (1.0,), range(3)) for _ in range(2))
    np.testing.assert_array_equal(one.rates.values, same.rates.values)
    np.testing.assert_array_equal(one.shown.states.values, same.shown.states.values)


def test_float32_stays_float32() -> None:
    trace = elman(*(part.astype(np.float32) for part in net(0, 4, 2, 3)))
    assert trace.states.values.dtype == trace.jacobian.values.dtype == np.float32


def test_what_does_not_fit_is_refused() -> None:
    x, w_x, w_h, b = net(0, 4, 2, 3)
    with pytest.raises(ValueError, match=r"x must be \(n, d_in\)"):
        elman(x[0], w_x, w_h, b)
    with pytest.raises(ValueError, match="at least one token"):
        elman(x[:0], w_x, w_h, b)
    for parts in ((x, w_x.T, w_h, b), (x, w_x, w_h[:2], b), (x, w_x, w_h, b[:2]), (x, w_x, w_h, 1.0)):
        with pytest.raises(ValueError, match=r"w_x, w_h, b must be \(2, d\), \(d, d\), \(d,\)"):
            elman(*parts)
    with pytest.raises(ValueError, match="must be finite"):
        elman(x, w_x, w_h * np.nan, b)
    with pytest.raises(ValueError, match="no input would reach a state"):
        elman(x, 0 * w_x, w_h, b)
    for scales, seeds in (((), range(2)), ((1.0,), ())):
        with pytest.raises(ValueError, match="at least one scale and one seed"):
            recurrent_draws(4, 2, scales, seeds)
