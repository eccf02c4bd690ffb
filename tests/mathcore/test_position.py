"""Sinusoidal positions: what is often told wrongly, and the edges.

Facts are numbered on from test_facts_attention.py.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import DTypeLike

from mathcore.position import (
    angular_frequencies,
    check_even,
    clock_hands,
    closest_pair,
    shift_matrix,
    sinusoidal,
    sinusoidal_at,
    wavelengths,
)

relaxed = settings(deadline=None, max_examples=60, derandomize=True)
widths = st.integers(1, 32).map(lambda pairs: 2 * pairs)
positions = st.integers(0, 1000)


# --- The facts --------------------------------------------------------------------------------------------------------


def test_fact_13_the_row_of_position_1_at_width_4() -> None:
    np.testing.assert_allclose(sinusoidal(2, 4)[1], [0.84147098, 0.54030231, 0.00999983, 0.99995000], atol=5e-9)
    np.testing.assert_array_equal(sinusoidal(1, 6)[0], [0, 1, 0, 1, 0, 1])


@relaxed
@given(widths, positions)
def test_fact_13_sine_and_cosine_of_a_pair_share_a_frequency(d_model: int, position: int) -> None:
    """The formula, one number at a time; i counts pairs, not columns."""
    row = sinusoidal_at([position], d_model)[0]
    for i in range(d_model // 2):
        omega = 10000 ** (-2 * i / d_model)
        assert angular_frequencies(d_model)[i] == pytest.approx(omega, rel=1e-14)
        assert row[2 * i] == pytest.approx(math.sin(position * omega), abs=1e-12)
        assert row[2 * i + 1] == pytest.approx(math.cos(position * omega), abs=1e-12)


@pytest.mark.parametrize(
    ("d_model", "nearest"),
    [(7, "6 or 8"), (513, "512 or 514"), (3, "2 or 4"), (1, "2"), (0, "2"), (-2, "2"), (-3, "2")],
)
def test_fact_14_an_odd_width_is_refused_and_the_nearest_named(d_model: int, nearest: str) -> None:
    message = f"d_model must be even and at least 2, got {d_model}; nearest valid: {nearest}$"
    for call in (check_even, angular_frequencies, wavelengths):
        with pytest.raises(ValueError, match=message):
            call(d_model)
    for refused in (
        lambda: sinusoidal(3, d_model),
        lambda: sinusoidal_at([0.5], d_model),
        lambda: shift_matrix(d_model, 1),
        lambda: clock_hands(1, d_model),
        lambda: closest_pair(3, d_model),
    ):
        with pytest.raises(ValueError, match=message):
            refused()


@pytest.mark.parametrize(
    ("d_model", "longest"),
    [(4, 628.32), (8, 6_283.19), (64, 47_117.24), (128, 54_410.14), (512, 60_611.48)],
)
def test_fact_15_wavelengths_do_not_reach_their_limit(d_model: int, longest: float) -> None:
    found = wavelengths(d_model)
    assert found.shape == (d_model // 2,)
    assert found[0] == 2 * math.pi
    assert round(float(found[-1]), 2) == longest
    assert (np.diff(found) > 0).all()
    assert found[-1] < 2 * math.pi * 10000 == pytest.approx(62_831.85, abs=0.005)


@pytest.mark.parametrize("d_model", [2, 4, 8, 64, 512])
def test_fact_16_every_row_has_the_same_length(d_model: int) -> None:
    squared = (sinusoidal(2000, d_model) ** 2).sum(axis=-1)
    np.testing.assert_allclose(squared, d_model / 2, rtol=1e-14)


@relaxed
@given(widths, positions, st.integers(-200, 200))
def test_fact_16_likeness_depends_on_the_offset_alone_and_is_even(d_model: int, position: int, offset: int) -> None:
    one, other = sinusoidal_at([position, position + offset], d_model)
    here, ahead, behind = sinusoidal_at([0, offset, -offset], d_model)
    expected = sum(math.cos(omega * offset) for omega in angular_frequencies(d_model))
    assert one @ other == pytest.approx(expected, abs=1e-10)
    assert here @ ahead == pytest.approx(expected, abs=1e-10)
    assert here @ behind == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(("d_model", "last_fall"), [(16, 3), (64, 5), (128, 11), (512, 43)])
def test_fact_16_likeness_is_not_monotone(d_model: int, last_fall: int) -> None:
    """`last_fall` is the k whose successor is the first to be MORE like position 0."""
    table = sinusoidal(60, d_model)
    rises = np.flatnonzero(np.diff(table @ table[0]) > 0)
    assert rises[0] == last_fall


def test_fact_16_the_first_rise_and_two_cosines_at_width_512() -> None:
    table = sinusoidal(60, 512)
    dots = table @ table[0]
    assert dots[43] == pytest.approx(134.758700, abs=1e-6)
    assert dots[44] == pytest.approx(134.770351, abs=1e-6)
    assert table[2] @ table[3] / 256 == pytest.approx(0.973055, abs=1e-6)
    assert table[2] @ table[50] / 256 == pytest.approx(0.512564, abs=1e-6)


@relaxed
@given(widths, positions, st.integers(-100, 100))
def test_fact_17_one_rotation_shifts_every_position(d_model: int, position: int, offset: int) -> None:
    matrix = shift_matrix(d_model, offset)
    here, there = sinusoidal_at([position, position + offset], d_model)
    np.testing.assert_allclose(matrix @ here, there, atol=1e-12)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(d_model), atol=1e-14)
    assert np.linalg.det(matrix) == pytest.approx(1)  # a rotation, no mirror


def test_fact_17_the_error_is_rounding_alone() -> None:
    table = sinusoidal(120, 64)
    moved = table[:100] @ shift_matrix(64, 20).T
    assert np.abs(moved - table[20:]).max() < 1e-13


@relaxed
@given(widths, st.integers(-30, 30), st.integers(-30, 30))
def test_fact_17_shifts_add_up(d_model: int, a: int, b: int) -> None:
    np.testing.assert_allclose(
        shift_matrix(d_model, a) @ shift_matrix(d_model, b), shift_matrix(d_model, a + b), atol=1e-13
    )
    np.testing.assert_array_equal(shift_matrix(d_model, 0), np.eye(d_model))


def test_fact_17_a_shift_turns_each_pair_by_itself() -> None:
    """Width 4, one token on: the first pair turns by 1 rad, the second by 0.01."""
    c, s, c2, s2 = math.cos(1), math.sin(1), math.cos(0.01), math.sin(0.01)
    expected = [[c, s, 0, 0], [-s, c, 0, 0], [0, 0, c2, s2], [0, 0, -s2, c2]]
    np.testing.assert_allclose(shift_matrix(4, 1), expected, atol=1e-16)


def test_fact_18_hands_start_at_twelve_and_run_clockwise() -> None:
    np.testing.assert_array_equal(clock_hands(0, 8), [[0, 1]] * 4)
    # A quarter of the fastest hand's turn points at three o'clock, half of it at six, three quarters at nine.
    for quarter, tip in ((1, (1, 0)), (2, (0, -1)), (3, (-1, 0))):
        np.testing.assert_allclose(clock_hands(quarter * math.pi / 2, 2), [tip], atol=1e-15)
    # Every hand leaves twelve to the right.
    assert (clock_hands(0.5, 8)[:, 0] > 0).all()


def test_fact_18_the_fastest_hand_turns_one_radian_a_token() -> None:
    x, y = clock_hands(1, 8)[0]
    assert math.degrees(math.atan2(x, y)) == pytest.approx(57.2958, abs=5e-5)


@pytest.mark.parametrize(("d_model", "ratio"), [(4, 100), (8, 10), (64, 1.3335), (512, 1.0366)])
def test_fact_18_neighbouring_hands_keep_one_ratio(d_model: int, ratio: float) -> None:
    omega = angular_frequencies(d_model)
    np.testing.assert_allclose(omega[:-1] / omega[1:], 10000 ** (2 / d_model), rtol=1e-12)
    assert omega[0] / omega[1] == pytest.approx(ratio, abs=5e-5)


@relaxed
@given(widths, positions)
def test_fact_18_hands_are_the_pairs_of_the_encoding(d_model: int, position: int) -> None:
    hands = clock_hands(position, d_model)
    assert hands.shape == (d_model // 2, 2)
    np.testing.assert_array_equal(hands.ravel(), sinusoidal_at([position], d_model)[0])
    np.testing.assert_allclose(np.hypot(*hands.T), 1, rtol=1e-14)


@pytest.mark.parametrize(
    ("d_model", "distance", "half_a_digit", "second"),
    [(2, 6.03e-5, 5e-8, 710), (4, 0.07239, 5e-6, 622), (8, 0.6453, 5e-5, 63)],
)
def test_fact_19_the_closest_of_a_thousand_positions(
    d_model: int, distance: float, half_a_digit: float, second: int
) -> None:
    """Hundreds of pairs tie; the smallest is named, not the one that rounding makes the nearest."""
    found, *pair = closest_pair(1000, d_model)
    assert found == pytest.approx(distance, abs=half_a_digit)
    assert pair == [0, second]
    assert np.linalg.norm(np.subtract(*sinusoidal_at(pair, d_model))) == pytest.approx(found, rel=1e-11)


def test_fact_19_one_hand_comes_back_after_710_tokens() -> None:
    """710 rad are 113 turns within 6.03e-5 rad. All pairs 710 apart tie; 15 and 725 are one of them."""
    distance, *_ = closest_pair(1000, 2)
    fifteen, later = sinusoidal_at([15, 725], 2)
    assert np.linalg.norm(fifteen - later) == pytest.approx(distance, abs=1e-12)
    assert 710 - 113 * 2 * math.pi == pytest.approx(distance, abs=1e-12)


@pytest.mark.parametrize("d_model", [2, 4, 6, 10])
def test_fact_19_closest_pair_equals_a_search_by_loops(d_model: int) -> None:
    table = sinusoidal(60, d_model).tolist()
    by_loops = min((math.dist(table[i], table[j]), i, j) for i in range(60) for j in range(i + 1, 60))
    distance, first, second = closest_pair(60, d_model)
    assert distance == pytest.approx(by_loops[0], rel=1e-9)
    assert math.dist(table[first], table[second]) == pytest.approx(by_loops[0], rel=1e-9)


@pytest.mark.parametrize("n_positions", [1, 0, -1])
def test_fact_19_a_pair_needs_two_positions(n_positions: int) -> None:
    with pytest.raises(ValueError, match="at least 2 positions"):
        closest_pair(n_positions, 8)


@pytest.mark.parametrize(("length", "pairs"), [(20, 33), (50, 58)])
def test_fact_20_few_pairs_turn_fully_within_a_sentence(length: int, pairs: int) -> None:
    found = wavelengths(512)
    assert found.size == 256
    assert int((found <= length).sum()) == pairs


def test_fact_21_a_row_exists_for_any_position() -> None:
    far = sinusoidal_at([-5, 0.25, 1e6], 64)
    assert np.isfinite(far).all()
    np.testing.assert_allclose((far**2).sum(axis=-1), 32)


@pytest.mark.parametrize("d_model", [2, 4, 8, 64])
def test_fact_22_interleaved_and_concatenated_differ_by_a_column_permutation(d_model: int) -> None:
    angle = np.arange(30)[:, None] * angular_frequencies(d_model)
    concatenated = np.concatenate([np.sin(angle), np.cos(angle)], axis=-1)
    order = np.arange(d_model).reshape(2, -1).T.ravel()  # 0, d/2, 1, d/2 + 1, ...
    interleaved = sinusoidal(30, d_model)
    np.testing.assert_array_equal(interleaved, concatenated[:, order])
    np.testing.assert_allclose(interleaved @ interleaved.T, concatenated @ concatenated.T, atol=1e-12)
    assert d_model == 2 or (interleaved != concatenated).any()


def test_fact_23_angles_are_computed_in_float64() -> None:
    """Position 1e5, width 64: angles in float32 would be off by 2e-3; float32 positions are not."""
    angle = np.float32(1e5) * angular_frequencies(64).astype(np.float32)
    assert angle.dtype == np.float32
    exact = sinusoidal_at([100_000], 64)[0]
    error = np.abs(np.sin(angle.astype(np.float64)) - exact[0::2]).max()
    assert error == pytest.approx(2e-3, rel=0.5)
    by_math = [math.sin(100_000 * 10000 ** (-i / 32)) for i in range(32)]
    np.testing.assert_allclose(exact[0::2], by_math, atol=1e-10)
    for dtype in (np.float32, np.int32):
        np.testing.assert_array_equal(sinusoidal_at(np.array([1e5], dtype=dtype), 64)[0], exact)


# --- The edges --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int32, np.uint64, np.float16, np.float32])
def test_positions_of_other_types_are_cast_first(dtype: DTypeLike) -> None:
    where = np.array([0, 1, 100], dtype=dtype)
    found = sinusoidal_at(where, 8)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, sinusoidal_at([0.0, 1.0, 100.0], 8))


def test_sinusoidal_counts_on_from_its_start() -> None:
    np.testing.assert_array_equal(sinusoidal(4, 6, start=3), sinusoidal(7, 6)[3:])
    assert sinusoidal(5, 6).shape == (5, 6)
    assert sinusoidal_at([], 6).shape == (0, 6)


@pytest.mark.parametrize("n_positions", [0, -1])
def test_no_positions_are_refused(n_positions: int) -> None:
    with pytest.raises(ValueError, match="n_positions must be at least 1"):
        sinusoidal(n_positions, 8)


@pytest.mark.parametrize("where", [3.0, [[1.0]], [math.nan], [math.inf], [0.0, -math.inf]])
def test_positions_that_are_not_one_finite_row_are_refused(where: object) -> None:
    with pytest.raises(ValueError, match="one finite row"):
        sinusoidal_at(where, 8)  # type: ignore[arg-type]


@pytest.mark.parametrize("where", [["1"], [1j], [True], np.array([None])])
def test_positions_that_are_not_real_numbers_are_refused(where: object) -> None:
    with pytest.raises(TypeError, match="positions must be real numbers"):
        sinusoidal_at(where, 8)  # type: ignore[arg-type]


@pytest.mark.parametrize("position", [math.nan, math.inf])
def test_a_clock_without_a_time_is_refused(position: float) -> None:
    with pytest.raises(ValueError, match="one finite row"):
        clock_hands(position, 8)
