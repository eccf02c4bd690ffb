"""What only the lessons on waves and clock hands show: gaps, divisors, telling words, colliding hands."""

import numpy as np
import pytest

from mathcore.example import COMPARED, UNIQUE_HANDS, WorkedExample
from mathcore.named import resolve
from mathcore.position import angular_frequencies, sinusoidal

WIDTHS = (4, 6, 8)


@pytest.fixture(params=WIDTHS)
def example(request: pytest.FixtureRequest) -> WorkedExample:
    return WorkedExample(tuple("abcdefgh"), d_model=request.param, n_heads=1)


def test_a_pair_divides_by_the_inverse_of_its_frequency(example: WorkedExample) -> None:
    waves = example.waves
    assert np.allclose(waves.divisors.values * waves.frequencies.values, 1, atol=1e-15)
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
