"""Scores of what a head does: on paper, against slower accounts, and their ranges; ablation is exact (fact 6)."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mathcore.attention import MultiHeadAttention, attend, causal_mask, softmax
from mathcore.roles import (
    ablation,
    entropy,
    induction,
    jensen_shannon,
    modifier,
    positional,
    punctuation,
    punctuation_places,
    ranks,
    rarity,
    sink,
    spearman,
)

Floats = NDArray[np.float64]
relaxed = settings(deadline=None, max_examples=60)
seeds = st.integers(0, 2**32 - 1)

# Rows are queries; every number below is read off this table.
TABLE = np.array([[0.1, 0.2, 0.3, 0.4], [0.5, 0.1, 0.2, 0.2], [0.3, 0.4, 0.2, 0.1], [0.0, 0.1, 0.6, 0.3]])


def random_weights(seed: int, *shape: int) -> Floats:
    return softmax(2 * np.random.default_rng(seed).normal(size=shape))


# --- On paper ---------------------------------------------------------------------------------------------------------


def test_positional_scores_read_a_diagonal() -> None:
    assert positional(TABLE, -1) == pytest.approx((0.5 + 0.4 + 0.6) / 3)
    assert positional(TABLE, 1) == pytest.approx((0.2 + 0.2 + 0.1) / 3)
    assert positional(TABLE, 0) == pytest.approx((0.1 + 0.1 + 0.2 + 0.3) / 4)
    assert positional(TABLE, 3) == 0.4
    assert positional(TABLE, -3) == 0


def test_sinks_add_columns() -> None:
    assert sink(TABLE, [0]) == pytest.approx((0.1 + 0.5 + 0.3 + 0.0) / 4)
    assert sink(TABLE, [0, 3]) == sink(TABLE, [3, 0, 0]) == pytest.approx((0.5 + 0.7 + 0.4 + 0.3) / 4)
    assert sink(TABLE, [0, 1, 2, 3]) == pytest.approx(1)


def test_punctuation_in_both_languages() -> None:
    assert punctuation_places(["[CLS]", "dog", ",", "isn't", "。", "...", "", "—", "$", "《"]) == [2, 4, 5, 7, 9]
    assert punctuation(TABLE, ["a", ",", "b", "."]) == sink(TABLE, [1, 3])


def test_modifier_reads_pairs() -> None:
    assert modifier(TABLE, [(1, 0), (3, 2), (0, 3)]) == pytest.approx((0.5 + 0.6 + 0.4) / 3)


def test_induction_looks_after_the_earlier_occurrence() -> None:
    """a b c a b: the second a may look at b (place 1), the second b at c (place 2). Row 3 has 0.7 there, row 4 0.5."""
    weights = np.full((5, 5), 0.2)
    weights[3], weights[4] = [0.1, 0.7, 0.1, 0.1, 0.0], [0.1, 0.1, 0.5, 0.2, 0.1]
    assert induction(weights, list("abcab")) == pytest.approx((0.7 + 0.5) / 2)
    # Two earlier occurrences: a b a c a; the last a may look at b and at c, the middle one at b.
    weights[2] = [0.3, 0.4, 0.1, 0.1, 0.1]
    assert induction(weights, list("abaca")) == pytest.approx((0.4 + (0.1 + 0.2)) / 2)


def test_induction_does_not_count_the_query_itself() -> None:
    """a a b a: the second a follows the first, so it would be its own follower; the last a has two, a and b."""
    weights = np.full((4, 4), 0.25)
    weights[3] = [0.1, 0.2, 0.3, 0.4]
    assert induction(weights, list("aaba")) == pytest.approx(0.2 + 0.3)
    with pytest.raises(ValueError, match="occurs again, two or more places later"):
        induction(weights, list("aabb"))


def test_ranks_share_ties() -> None:
    assert ranks([10, 20, 20, 5]).tolist() == [2, 3.5, 3.5, 1]
    assert ranks([[1, 1, 1], [3, 2, 1]]).tolist() == [[2, 2, 2], [3, 2, 1]]


def test_spearman_on_paper() -> None:
    """Ranks 1 2 3 4 5 against 2 1 4 3 5: squared differences add up to 4; 1 - 6 * 4 / (5 * 24) = 0.8."""
    assert spearman([1, 2, 3, 4, 5], [20, 10, 40, 30, 50]) == pytest.approx(0.8)
    assert spearman([1, 2, 3], [9, 4, 1]) == pytest.approx(-1)
    assert spearman([1, 1, 1], [1, 2, 3]) == 0


def test_rarity_ranks_the_keys_by_what_they_receive() -> None:
    """Column means of TABLE: 0.225, 0.2, 0.325, 0.25."""
    assert rarity(TABLE, [2, 1, 4, 3]) == pytest.approx(1)
    assert rarity(TABLE, [3, 4, 1, 2]) == pytest.approx(-1)
    # Without key 2: 0.225, 0.2, 0.25 against 1, 2, 3: ranks 2 1 3, so 1 - 6 * 2 / (3 * 8).
    assert rarity(TABLE, [1, 2, 99, 3], without=[2]) == pytest.approx(0.5)


def test_entropy_is_in_nats() -> None:
    assert entropy([[0.25] * 4, [1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]]).tolist() == pytest.approx(
        [math.log(4), 0, math.log(2)]
    )
    assert entropy([[0.0, 0.0]]).tolist() == [0]


def test_jensen_shannon_is_in_bits() -> None:
    """[1, 0] and [1/2, 1/2]: the middle is [3/4, 1/4] with 0.8113 bits; minus the mean of 0 and 1 bit: 0.3113."""
    one, half, other = [[1.0, 0.0]], [[0.5, 0.5]], [[0.0, 1.0]]
    assert jensen_shannon(one, other) == 1
    assert jensen_shannon(one, one) == 0
    middle = -(0.75 * math.log2(0.75) + 0.25 * math.log2(0.25))
    assert jensen_shannon(one, half) == pytest.approx(middle - 0.5)


# --- Heads built to do one thing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("offset", [-2, -1, 1, 3])
def test_a_head_that_only_looks_at_an_offset_has_score_one(offset: int) -> None:
    n = 7
    weights = np.zeros((n, n))
    for i in range(n):
        weights[i, min(max(i + offset, 0), n - 1)] = 1
    assert positional(weights, offset) == 1
    assert positional(weights, -offset) < 0.5


def test_scores_take_all_heads_at_once() -> None:
    weights = random_weights(0, 2, 3, 6, 6)
    tokens = list("abcabc")
    scores = {
        "positional": lambda w: positional(w, -1),
        "sink": lambda w: sink(w, [0, 5]),
        "punctuation": lambda w: punctuation(w, ["a", ".", "b", "c", ",", "d"]),
        "modifier": lambda w: modifier(w, [(0, 1), (2, 4)]),
        "rarity": lambda w: rarity(w, [3, 1, 4, 1, 5, 9]),
        "induction": lambda w: induction(w, tokens),
        "entropy": entropy,
    }
    for name, score in scores.items():
        whole = score(weights)
        for place in np.ndindex(2, 3):
            np.testing.assert_allclose(whole[place], score(weights[place]), err_msg=name)
    flat = weights.reshape(6, 6, 6)
    pairs = jensen_shannon(flat[:, None], flat[None])
    assert pairs.shape == (6, 6)
    for a, b in itertools.product(range(6), range(6)):
        assert pairs[a, b] == pytest.approx(jensen_shannon(flat[a], flat[b]), abs=1e-15)


# --- Ranges and slower accounts ---------------------------------------------------------------------------------------


@relaxed
@given(seed=seeds, n=st.integers(3, 9))
def test_scores_of_uniform_and_of_any_weights(seed: int, n: int) -> None:
    weights = random_weights(seed, n, n)
    for offset in range(1 - n, n):
        assert 0 <= positional(weights, offset) <= 1
    uniform = np.full((n, n), 1 / n)
    assert positional(uniform, -1) == sink(uniform, [0]) == pytest.approx(1 / n)
    assert rarity(uniform, list(range(n))) == 0
    assert entropy(uniform).tolist() == pytest.approx([math.log(n)] * n)
    assert (entropy(weights) <= math.log(n) + 1e-12).all() and (entropy(weights) >= 0).all()
    # Every diagonal together is the whole matrix, whose rows sum to 1.
    total = sum(float(positional(weights, k)) * (n - abs(k)) for k in range(1 - n, n))
    assert total == pytest.approx(n)


@relaxed
@given(seed=seeds, n=st.integers(2, 8), ties=st.integers(1, 10))
def test_spearman_is_pearson_of_ranks(seed: int, n: int, ties: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, ties, n), rng.integers(0, ties, n)
    found = float(spearman(a, b))
    assert -1 - 1e-12 <= found <= 1 + 1e-12
    if len(set(a)) > 1 and len(set(b)) > 1:
        assert found == pytest.approx(np.corrcoef(ranks(a), ranks(b))[0, 1], abs=1e-12)


@relaxed
@given(seed=seeds, n=st.integers(1, 6), m=st.integers(1, 6))
def test_jensen_shannon_by_its_definition(seed: int, n: int, m: int) -> None:
    a, b = random_weights(seed, n, m), random_weights(seed + 1, n, m)
    # Some keys are blocked, so that zeros occur.
    a[:, 0], b[:, -1] = (0, 0) if m > 2 else (a[:, 0], b[:, -1])
    a, b = a / a.sum(axis=-1, keepdims=True), b / b.sum(axis=-1, keepdims=True)

    def bits(row: Floats) -> float:
        return -sum(float(p) * math.log2(p) for p in row if p > 0)

    by_rows = [bits((p + q) / 2) - (bits(p) + bits(q)) / 2 for p, q in zip(a, b, strict=True)]
    assert jensen_shannon(a, b) == pytest.approx(np.mean(by_rows), abs=1e-12)
    assert jensen_shannon(a, b) == pytest.approx(jensen_shannon(b, a), abs=1e-15)
    assert -1e-15 <= jensen_shannon(a, b) <= 1


def test_scores_take_weights_with_blocked_rows_and_in_half_precision() -> None:
    allowed = causal_mask(4)
    allowed[2] = False
    x = np.random.default_rng(0).normal(size=(4, 3))
    weights = attend(x, x, x, allowed=allowed).weights.values
    assert entropy(weights)[2] == 0
    assert 0 < sink(weights, [0]) < 1
    stored = random_weights(0, 50, 50).astype(np.float16)
    assert positional(stored, -1) == pytest.approx(positional(random_weights(0, 50, 50), -1), rel=1e-3)


# --- Ablation ---------------------------------------------------------------------------------------------------------


@relaxed
@given(seed=seeds, n=st.integers(1, 6), h=st.sampled_from([1, 2, 4]))
def test_fact_06_contributions_add_up_to_the_output(seed: int, n: int, h: int) -> None:
    layer = MultiHeadAttention.from_seed(8, h, seed)
    trace = layer(np.random.default_rng(seed).normal(size=(n, 8)))
    found = ablation(trace)
    assert found.error.entry().value < 1e-14
    np.testing.assert_allclose(found.contributions.values.sum(axis=0), trace.output.values, atol=1e-14)
    np.testing.assert_allclose(
        found.without.values + found.contributions.values, np.broadcast_to(trace.output.values, (h, n, 8)), atol=1e-14
    )


@pytest.mark.parametrize("head", range(4))
def test_taking_a_head_away_is_what_zero_rows_of_w_o_do(head: int) -> None:
    """Not by subtraction: the layer is run again with that head's rows of W_O set to 0."""
    layer = MultiHeadAttention.from_seed(8, 4, 3)
    bias = np.arange(8.0)
    layer = MultiHeadAttention(layer.w_q, layer.w_k, layer.w_v, layer.w_o, n_heads=4, b_o=bias)
    x = np.random.default_rng(3).normal(size=(5, 8))
    found = ablation(layer(x))
    w_o = layer.w_o.copy()
    w_o[2 * head : 2 * head + 2] = 0
    without = MultiHeadAttention(layer.w_q, layer.w_k, layer.w_v, w_o, n_heads=4, b_o=bias)(x).output.values
    np.testing.assert_allclose(found.without.values[head], without, atol=1e-14)
    moved = np.linalg.norm(layer(x).output.values - without, axis=-1)
    np.testing.assert_allclose(found.moved.values[head], moved, atol=1e-13)
    assert found.relative_moves.values[head] == pytest.approx(
        np.linalg.norm(moved) / np.linalg.norm(layer(x).output.values)
    )
    assert found.error.entry().value < 1e-14


def test_a_head_whose_rows_are_zero_contributes_nothing() -> None:
    layer = MultiHeadAttention.from_seed(8, 2, 0)
    w_o = layer.w_o.copy()
    w_o[4:] = 0
    found = ablation(MultiHeadAttention(layer.w_q, layer.w_k, layer.w_v, w_o, n_heads=2)(np.eye(8)))
    assert found.relative_moves.values[1] == 0 and not found.moved.values[1].any()
    assert found.relative_moves.values[0] == pytest.approx(1)


# --- What is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "weights",
    [[[0.5, 0.4], [0.5, 0.5]], [[1.5, -0.5], [0.5, 0.5]], [[math.nan, 1], [0.5, 0.5]], [[2.0, 3.0], [1.0, 0.0]]],
    ids=["0.9", "negative", "nan", "scores"],
)
def test_what_is_no_distribution_is_refused(weights: list[list[float]]) -> None:
    for call in (lambda w: positional(w, -1), lambda w: sink(w, [0]), entropy, lambda w: jensen_shannon(w, w)):
        with pytest.raises(ValueError, match="each row must sum to 1"):
            call(weights)


def test_places_that_are_not_there_are_refused() -> None:
    with pytest.raises(ValueError, match=r"no query among 4 tokens has a key \+4 places away"):
        positional(TABLE, 4)
    with pytest.raises(ValueError, match="weights must be"):
        positional(TABLE[:3], 1)
    with pytest.raises(ValueError, match=r"columns must lie in 0\.\.3, got -1 to 0"):
        sink(TABLE, [-1, 0])
    with pytest.raises(ValueError, match="columns: at least one is needed"):
        sink(TABLE, [])
    with pytest.raises(TypeError, match="columns must be whole numbers"):
        sink(TABLE, [0.5])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="columns: at least one is needed"):
        punctuation(TABLE, ["a", "b", "c", "d"])
    with pytest.raises(ValueError, match="3 tokens do not name 4 keys"):
        punctuation(TABLE, ["a", ".", "c"])
    with pytest.raises(ValueError, match="pairs must be"):
        modifier(TABLE, [])
    with pytest.raises(ValueError, match=r"keys must lie in 0\.\.3"):
        modifier(TABLE, [(0, 4)])
    with pytest.raises(ValueError, match="2 tokens do not name 4 places"):
        induction(TABLE, ["a", "a"])
    with pytest.raises(ValueError, match="rows of"):
        jensen_shannon(TABLE, TABLE[:, :2] / TABLE[:, :2].sum(axis=-1, keepdims=True))


def test_rarity_refuses() -> None:
    with pytest.raises(ValueError, match="one for each of 4 keys"):
        rarity(TABLE, [1, 2, 3])
    with pytest.raises(ValueError, match="3 keys or more, not all equally rare"):
        rarity(TABLE, [1, 1, 1, 1])
    with pytest.raises(ValueError, match="3 keys or more"):
        rarity(TABLE, [1, 2, 3, 4], without=[0, 1])


def test_ablation_refuses_a_batch() -> None:
    with pytest.raises(ValueError, match="trace of one sentence"):
        ablation(MultiHeadAttention.from_seed(4, 2, 0)(np.ones((2, 3, 4))))
