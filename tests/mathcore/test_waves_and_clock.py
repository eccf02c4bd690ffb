"""What only the lessons on waves and clock hands show: windows, runs, divisors, telling words, colliding hands."""

import numpy as np
import pytest

from mathcore.encoding import lanes
from mathcore.example import WorkedExample
from mathcore.example.position import DISTANT, LAST_POSITION, MOMENTS_PER_POSITION, UNIQUE_HANDS
from mathcore.named import resolve
from mathcore.position import angular_frequencies, sinusoidal

WIDTHS = (4, 6, 8)


@pytest.fixture(params=WIDTHS)
def example(request: pytest.FixtureRequest) -> WorkedExample:
    return WorkedExample(tuple("abcdefgh"), d_model=request.param, n_heads=1)


def test_a_pair_divides_by_the_inverse_of_its_frequency(example: WorkedExample) -> None:
    waves = example.waves
    assert np.allclose(waves.divisors.values * angular_frequencies(example.d_model), 1, atol=1e-15)
    assert np.allclose(waves.wavelengths.values, 2 * np.pi * waves.divisors.values, rtol=1e-15)


def test_drawn_back_every_wave_bends_as_often_as_the_first(example: WorkedExample) -> None:
    drawn = example.waves.drawn_back
    assert (drawn.starts.values == 0).all() and drawn.stops.values[0] == LAST_POSITION
    omega = angular_frequencies(example.d_model)
    assert np.allclose(drawn.stops.values * omega, LAST_POSITION, rtol=0.1)
    for pair, slow in enumerate(omega):
        times = drawn.times.values[pair]
        assert np.allclose(times, np.linspace(0, drawn.stops.values[pair], len(times)))
        assert np.allclose(drawn.samples.values[pair, :, 0], np.sin(times * slow), atol=1e-12)
        assert np.allclose(drawn.samples.values[pair, :, 1], np.cos(times * slow), atol=1e-12)
        # Straight from sample to sample, a curve is off by less than a pixel.
        assert np.abs(np.diff(drawn.samples.values[pair], axis=0)).max() < 0.06


def test_as_shipped_every_window_is_ten_times_as_long_as_the_one_before() -> None:
    made = WorkedExample(tuple("abcdefgh"))
    assert made.waves.drawn_back.stops.values.tolist() == [20, 200, 2000, 20000]
    distant = made.waves.distant
    assert distant.starts.values.tolist() == [2740, 2600, 2000, 0]
    assert distant.stops.values.tolist() == [2760, 2800, 4000, 20000]


def test_a_distant_position_lies_in_every_window_and_each_window_in_the_next(example: WorkedExample) -> None:
    far = example.waves.distant
    starts, stops = far.starts.values, far.stops.values
    assert (starts <= DISTANT).all() and (stops > DISTANT).all()
    assert (starts[1:] <= starts[:-1]).all() and (stops[:-1] <= stops[1:]).all()
    angle = DISTANT * angular_frequencies(example.d_model)
    assert np.allclose(far.row.values.reshape(-1, 2), np.stack([np.sin(angle), np.cos(angle)], axis=-1), atol=1e-12)
    assert np.abs(np.diff(far.row.values.reshape(-1, 2))).min() > 1
    # Marks of a window are whole positions.
    marks = far.times.values[:, :: far.MARK]
    assert np.array_equal(marks, np.rint(marks))


@pytest.mark.parametrize(("span", "position"), [(10, 0), (20, -1), (0, 3)])
def test_windows_need_marks_at_whole_positions_from_0_on(span: int, position: int) -> None:
    with pytest.raises(ValueError, match=r"span|position"):
        lanes(8, span, position)


def test_a_run_takes_the_next_slower_hand_where_the_fastest_stood(example: WorkedExample) -> None:
    clock = example.clock
    start = int(clock.telling.values)
    assert len(clock.run_positions) == example.d_model // 2 - 1
    for stage, positions in enumerate(clock.run_positions.values):
        assert (np.diff(positions) >= 0).all() and np.array_equal(positions, np.rint(positions))
        assert np.allclose(
            clock.run_angles.values[stage], np.degrees(np.outer(positions, angular_frequencies(example.d_model)))
        )
        assert clock.run_angles.values[stage, -1, stage + 1] == pytest.approx(np.degrees(start), rel=0.04)
    assert clock.run_positions.values[0, 0] == start


def test_a_pair_of_the_paper_divides_by_a_little_more_than_the_one_before(example: WorkedExample) -> None:
    # 10000^(1/256): 256 such steps make 10000.
    assert example.waves.paper_ratio.values**256 == pytest.approx(1e4, rel=1e-12)
    assert example.waves.paper_ratio.entry().text(2) == "1.04"


def test_one_hand_takes_710_steps_for_almost_exactly_113_turns(example: WorkedExample) -> None:
    steps, turns = example.clock.twin_steps.values, example.clock.twin_turns.values
    # 355/113 is close to pi, so 710 radians are close to 113 turns.
    assert (int(steps), round(float(turns))) == (710, 113)
    assert abs(turns - 113) < 1e-5
    first, second = sinusoidal(int(steps) + 1, 2)[[0, int(steps)]]
    assert np.linalg.norm(second - first) == pytest.approx(2 * np.pi * abs(turns - 113), rel=1e-6)


def test_with_most_hands_even_the_closest_pair_is_clearly_apart(example: WorkedExample) -> None:
    # The vectors are sqrt(hands) = 2 long.
    assert example.clock.unique_hands.values[-1] == 4
    assert example.clock.unique_distances.values[-1] == pytest.approx(0.6453, abs=5e-5)


@pytest.mark.parametrize("n_words", range(1, 13))
@pytest.mark.parametrize("d_model", WIDTHS)
def test_telling_words_are_in_the_sentence_and_not_the_first(n_words: int, d_model: int) -> None:
    made = WorkedExample(tuple("abcdefghijkl"[:n_words]), d_model=d_model, n_heads=1)
    for telling in (made.waves.telling, made.clock.telling):
        assert 1 <= int(telling.values) <= max(n_words - 1, 1)


def test_colliding_hands_point_at_the_encodings_that_nearly_meet(example: WorkedExample) -> None:
    for case, hands in enumerate(UNIQUE_HANDS):
        pair = example.clock.unique_pairs.values[case]
        angles = example.clock.unique_angles[case]
        tips = np.stack([np.sin(np.radians(angles.values)), np.cos(np.radians(angles.values))], axis=-1)
        assert np.allclose(tips.reshape(2, -1), sinusoidal(1000, 2 * hands)[pair], atol=1e-9)
        distance = np.linalg.norm(tips[0] - tips[1])
        assert np.isclose(distance, example.clock.unique_distances.values[case], atol=1e-9)
        assert resolve(example, angles.path) is angles


def test_between_whole_positions_values_are_those_of_the_formula(example: WorkedExample) -> None:
    waves, clock = example.waves, example.clock
    assert float(waves.moments.values[-1]) == LAST_POSITION
    # Two decimals say exactly where a moment is.
    assert [f"{moment:.2f}" for moment in waves.moments.values[:3]] == ["0.00", "0.02", "0.04"]
    assert np.array_equal(waves.moments.values, np.round(waves.moments.values, 2))
    for moment in (0, 1, 149, 1000):
        position = moment / MOMENTS_PER_POSITION
        for pair in range(example.d_model // 2):
            angle = position / 10000 ** (2 * pair / example.d_model)
            found = waves.between.values[moment, 2 * pair : 2 * pair + 2]
            assert found == pytest.approx([np.sin(angle), np.cos(angle)], abs=1e-12)
            assert clock.between.values[moment, pair] == pytest.approx(angle * 180 / np.pi, rel=1e-12)
    assert np.allclose(waves.between.values[::MOMENTS_PER_POSITION], waves.table.values, atol=1e-15)
    assert np.allclose(clock.between.values[::MOMENTS_PER_POSITION], clock.angles.values, atol=1e-12)
