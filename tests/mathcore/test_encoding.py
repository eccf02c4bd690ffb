"""Seats, the map of all cells and similarity: facts 15, 16, 19, 20 and 22, and the pieces they are made of."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathcore.encoding import add_positions, encoding_map, similarity
from mathcore.position import first_rise, offset_products, sinusoidal, sinusoidal_at

relaxed = settings(deadline=None, max_examples=40)


# --- Seats ------------------------------------------------------------------------------------------------------------


def test_a_seat_number_is_added_cell_by_cell() -> None:
    """Width 2, so PE(p) = [sin p, cos p], and sqrt(d_model) = sqrt 2."""
    trace = add_positions([[0.5, -1.0], [0.25, 2.0], [0.5, -1.0]], ["a", "b", "A"])
    seats = [[math.sin(p), math.cos(p)] for p in range(3)]
    np.testing.assert_allclose(trace.positions.values, seats, atol=1e-15)
    np.testing.assert_allclose(trace.sums.values[1], [0.25 + math.sin(1), 2 + math.cos(1)], atol=1e-15)
    np.testing.assert_allclose(trace.scaled.values[1], [0.25 * math.sqrt(2), 2 * math.sqrt(2)], atol=1e-15)
    np.testing.assert_allclose(trace.scaled_sums.values, trace.scaled.values + trace.positions.values, atol=1e-15)
    assert trace.word.entry().value == 0 and trace.seats.values.tolist() == [0, 2] and trace.repeated.entry().value == 1
    np.testing.assert_array_equal(trace.seat_sums.values, trace.sums.values[[0, 2]])
    np.testing.assert_allclose(
        trace.difference.values, trace.seat_sums.values[1] - trace.seat_sums.values[0], atol=1e-15
    )
    assert trace.distance.entry().value == pytest.approx(math.dist(seats[0], seats[2]))


def test_how_much_of_a_word_is_left_when_its_seat_is_added() -> None:
    """Width 2: the word [3, 4] at seat 0 is [3, 5], at seat 1 it is [3 + sin 1, 4 + cos 1]."""
    trace = add_positions([[3.0, 4.0], [3.0, 4.0]], ["a", "A"], [[1.0], [2.0]])
    np.testing.assert_array_equal(trace.seat_words.values, [[3.0, 4.0], [3.0, 4.0]])
    assert trace.word_distance.entry().value == 0
    first = (3 * 3 + 4 * 5) / (5 * math.hypot(3, 5))
    second = (3 * (3 + math.sin(1)) + 4 * (4 + math.cos(1))) / (5 * math.hypot(3 + math.sin(1), 4 + math.cos(1)))
    np.testing.assert_allclose(trace.cosines.values, [first, second], atol=1e-15)
    # Multiplied by sqrt 2 first, the word is larger beside its seat, and more of it is left.
    root = math.sqrt(2)
    scaled = (9 * root + 4 * (4 * root + 1)) / (5 * math.hypot(3 * root, 4 * root + 1))
    assert trace.scaled_cosines.entry(0).value == pytest.approx(scaled)
    assert (trace.scaled_cosines.values > trace.cosines.values).all()


def test_a_matrix_takes_word_and_seat_apart_again() -> None:
    """W(x + p) = W x + W p: worked by hand for [3, 4] at seats 0 and 1 and one column [1, 2]."""
    trace = add_positions([[3.0, 4.0], [3.0, 4.0]], ["a", "A"], [[1.0], [2.0]])
    assert trace.word_part.values.tolist() == [11.0]
    np.testing.assert_allclose(trace.seat_parts.values, [[2.0], [math.sin(1) + 2 * math.cos(1)]], atol=1e-15)
    np.testing.assert_allclose(trace.projected.values, [[13.0], [11 + math.sin(1) + 2 * math.cos(1)]], atol=1e-14)
    assert trace.split_error.entry().value < 1e-14
    plain = add_positions([[3.0, 4.0], [3.0, 4.0]], ["a", "A"])
    np.testing.assert_array_equal(plain.projected.values, plain.seat_sums.values)


def test_the_cosine_with_a_sum_of_zero_is_zero() -> None:
    trace = add_positions([[0.0, -1.0], [0.0, -1.0]], ["a", "a"])
    assert trace.seat_sums.values[0].tolist() == [0.0, 0.0]
    assert trace.cosines.values[0] == 0 and np.isfinite(trace.cosines.values).all()


@relaxed
@given(st.integers(2, 9), st.integers(1, 4), st.integers(0, 999))
def test_word_and_seat_are_taken_apart_whatever_the_matrix(n: int, columns: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    trace = add_positions(rng.normal(size=(n, 6)), [f"w{i % 3}" for i in range(n)], rng.normal(size=(6, columns)))
    assert trace.split_error.entry().value < 1e-12
    assert (np.abs(trace.cosines.values) <= 1 + 1e-12).all()


@pytest.mark.parametrize(
    ("words", "seats", "repeated"),
    [
        ("The tired cat sat on the warm mat", [0, 5], 1),
        ("疲惫 的 猫 坐 在 温暖 的 垫子 上", [1, 6], 1),
        ("one two three", [0, 2], 0),
        ("x a b a b a", [1, 3], 1),
        ("alone", [0, 1], 0),
    ],
)
def test_the_word_that_is_seated_twice(words: str, seats: list[int], repeated: int) -> None:
    split = words.split()
    names = {word.casefold(): i for i, word in enumerate(split)}
    x = np.array([np.full(4, names[word.casefold()]) for word in split])
    trace = add_positions(x, split)
    assert (trace.seats.values.tolist(), trace.repeated.entry().value) == (seats, repeated)
    expected = x[seats[0]] + sinusoidal_at(seats, 4)
    np.testing.assert_allclose(trace.seat_sums.values, expected, atol=1e-15)
    assert trace.distance.entry().value > 0


def test_fact_22_the_factor_of_the_paper() -> None:
    assert add_positions(np.zeros((1, 512)), ["a"]).factor.entry().value == pytest.approx(22.627, abs=5e-4)


def test_a_projection_must_fit_the_words() -> None:
    with pytest.raises(ValueError, match=r"projection must be \(d_model, projected\) with d_model 2, got \(3, 1\)"):
        add_positions(np.ones((2, 2)), ["a", "b"], np.ones((3, 1)))


def test_seats_refuse() -> None:
    for x, words in ((np.ones((2, 4)), ["a"]), (np.ones((0, 4)), []), (np.ones(4), ["a"])):
        with pytest.raises(ValueError, match=r"embeddings must be \(n, d_model\)"):
            add_positions(x, words)
    with pytest.raises(ValueError, match="d_model must be even"):
        add_positions(np.ones((2, 3)), ["a", "b"])


# --- The map ----------------------------------------------------------------------------------------------------------


def test_fact_20_pairs_that_turn_within_a_few_positions() -> None:
    trace = encoding_map(20, 512, (20, 50))
    assert trace.turning.values.tolist() == [33, 58] and trace.pairs.entry().value == 256
    np.testing.assert_array_equal(trace.table.values, sinusoidal(20, 512))
    # A pair that has turned shows the same column again after its wavelength; counted by hand from the formula.
    assert sum(2 * math.pi * 10000 ** (2 * i / 512) <= 20 for i in range(256)) == 33


def test_low_dimensions_flicker_and_high_ones_stand_still() -> None:
    flicker = encoding_map(20, 512, (20,)).flicker.values
    assert flicker[:2].min() > 0.5 and flicker[-2:].max() < 1e-3
    # Both columns of a pair together: the length of the step, which falls with the frequency.
    steps = np.hypot(flicker[0::2], flicker[1::2])
    assert (np.diff(steps[::16]) < 0).all()


def test_the_map_refuses() -> None:
    with pytest.raises(ValueError, match="at least 2 positions"):
        encoding_map(1, 8, (20,))
    with pytest.raises(ValueError, match="nearest valid: 6 or 8"):
        encoding_map(4, 7, (20,))


# --- Similarity -------------------------------------------------------------------------------------------------------


@relaxed
@given(pairs=st.integers(1, 40), p=st.integers(0, 2000), k=st.integers(0, 99))
def test_fact_16_products_depend_on_the_distance_alone(pairs: int, p: int, k: int) -> None:
    one, other = sinusoidal_at([p, p + k], 2 * pairs)
    products = offset_products(2 * pairs, 100)
    assert one @ other == pytest.approx(products[k], abs=1e-9)
    assert products[0] == pairs
    assert (products <= pairs).all()


@pytest.mark.parametrize(("d_model", "k"), [(2, 3), (16, 3), (64, 5), (128, 11), (512, 43)])
def test_fact_16_similarity_does_not_fall_steadily(d_model: int, k: int) -> None:
    assert first_rise(d_model) == k
    products = [
        sum(math.cos(distance * 10000 ** (-2 * i / d_model)) for i in range(d_model // 2)) for distance in range(k + 2)
    ]
    assert all(products[j] > products[j + 1] for j in range(k)) and products[k] < products[k + 1]


def test_fact_16_at_the_paper_s_width() -> None:
    trace = similarity(512, 101, ((2, 3), (2, 50)), (16, 64, 128, 512), trained=512, far=1000)
    assert trace.compared_cosines.values.tolist() == pytest.approx([0.973055, 0.512564], abs=5e-7)
    assert trace.rise.values.tolist() == [43, 44]
    assert trace.rise_products.values.tolist() == pytest.approx([134.758700, 134.770351], abs=5e-7)
    np.testing.assert_array_equal(trace.rise_products.values, trace.products.values[[43, 44]])
    assert trace.rises.values.tolist() == [[3, 4], [5, 6], [11, 12], [43, 44]]
    assert trace.square.entry().value == 256 and trace.far_square.entry().value == pytest.approx(256)
    assert 0 <= trace.spread.entry().value < 1e-11
    assert trace.cosines.values[1] == pytest.approx(trace.compared_cosines.values[0])
    assert trace.cosines.values[48] == pytest.approx(trace.compared_cosines.values[1])
    np.testing.assert_array_equal(trace.far_row.values, sinusoidal_at([1000], 512)[0])


def test_no_distances_are_refused() -> None:
    with pytest.raises(ValueError, match="n_offsets must be at least 1"):
        offset_products(8, 0)
