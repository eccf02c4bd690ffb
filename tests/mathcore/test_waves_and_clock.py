"""What only the lessons on waves and clock hands show: gaps, divisors, telling words, colliding hands."""

import numpy as np
import pytest

from mathcore.example import WorkedExample
from mathcore.example.position import COMPARED, LAST_POSITION, MOMENTS_PER_POSITION, UNIQUE_HANDS
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


def test_gaps_are_chords_of_the_angle_between_two_positions(example: WorkedExample) -> None:
    omega = angular_frequencies(example.d_model)
    for case, other in enumerate(COMPARED[1:]):
        chord = 2 * np.abs(np.sin(omega * (other - COMPARED[0]) / 2))
        assert np.allclose(example.waves.gaps.values[case], chord, atol=1e-15)


def test_what_the_film_says_of_near_and_far_is_so(example: WorkedExample) -> None:
    near, far = example.waves.gaps.values
    # Neighbours: the fast pair moves most. Far apart: it is nearly back, and a slower one tells the two apart.
    assert near[0] == near.max() > 5 * near[1]
    assert far[0] < 0.2 < 0.2 * near[0] + near[0] and far[1:].max() > far[0]


def test_a_pair_of_the_paper_runs_a_little_slower_than_the_one_before(example: WorkedExample) -> None:
    # 10000^(-1/256): 256 such steps make 1 / 10000.
    assert example.waves.paper_pace.values**256 == pytest.approx(1e-4, rel=1e-12)
    assert example.waves.paper_pace.entry().text(2) == "0.96"
    assert (1 / example.waves.paper_pace.values) == pytest.approx(1.0366, abs=5e-5)


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
