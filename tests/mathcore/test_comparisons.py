"""Heads side by side: arrows, favourites, averages and the diagonal."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathcore.attention import MultiHeadAttention, attend
from mathcore.comparisons import arrows, bottleneck, diagonal
from mathcore.roles import entropy, jensen_shannon

relaxed = settings(deadline=None, max_examples=60)


def test_arrows_on_paper() -> None:
    """Query 1 has keys along it, across it and against it; query 0 has none of them."""
    q = [[3.0, 1.0], [0.0, 2.0]]
    k = [[0.0, 3.0], [1.0, 0.0], [0.0, -1.0], [1.0, 1.0]]
    trace = arrows(attend(q, k, np.ones((4, 1))))
    assert trace.query.entry().value == 1
    assert trace.keys.values.tolist() == [0, 1, 2]
    assert trace.products.values.tolist() == [[0, 6], [0, 0], [0, -2]]
    assert trace.dots.values.tolist() == [6, 0, -2]
    assert trace.cosines.values.tolist() == [1, 0, -1]
    # (1, 0) lies a quarter turn clockwise from (0, 2).
    np.testing.assert_allclose(np.abs(trace.angles.values), [0, 90, 180], atol=1e-12)
    assert trace.angles.values[1] == -90
    assert trace.lengths.values.tolist() == [3, 1, 1] and trace.query_length.entry().value == 2


@relaxed
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 6), d=st.integers(1, 4))
def test_arrows_agree_with_the_head(seed: int, n: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    q, k = rng.integers(-10, 11, (n, d)) / 10, rng.integers(-10, 11, (n, d)) / 10
    head = attend(q, k, np.ones((n, 1)))
    trace = arrows(head)
    i, keys = int(trace.query.entry().value), trace.keys.values
    np.testing.assert_array_equal(trace.dots.values, head.scores.values[i, keys])
    np.testing.assert_allclose(trace.products.values.sum(axis=-1), trace.dots.values, atol=1e-15)
    np.testing.assert_allclose(
        trace.cosines.values * trace.lengths.values * trace.query_length.entry().value, trace.dots.values, atol=1e-12
    )
    assert trace.cosines.values[0] >= trace.cosines.values[2] - 1e-12
    if d == 2 and (trace.lengths.values > 0).all() and trace.query_length.entry().value:
        for vector, length, angle in zip(trace.k.values, trace.lengths.values, trace.angles.values, strict=True):
            turned = math.atan2(q[i, 1], q[i, 0]) + math.radians(angle)
            np.testing.assert_allclose([length * math.cos(turned), length * math.sin(turned)], vector, atol=1e-6)


@relaxed
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 6), h=st.sampled_from([1, 2, 4]))
def test_an_average_is_never_sharper_than_its_heads(seed: int, n: int, h: int) -> None:
    trace = MultiHeadAttention.from_seed(8, h, seed)(np.random.default_rng(seed).normal(size=(n, 8)))
    for query in range(n):
        found = bottleneck(trace, query)
        rows = np.array([head.weights.values[query] for head in trace.heads])
        np.testing.assert_array_equal(found.rows.values, rows)
        np.testing.assert_allclose(found.average.values, rows.mean(axis=0))
        # The average's entropy is at least the mean of the heads' (concavity).
        assert found.average_entropy.entry().value >= found.entropies.values.mean() - 1e-12
        np.testing.assert_allclose(found.entropies.values, entropy(rows), atol=1e-15)
        for head, key in enumerate(found.favourites.values):
            assert found.favourite_weights.values[head] == rows[head].max() == rows[head, key]
            assert found.averaged_weights.values[head] == pytest.approx(rows[:, key].mean())
        divergences = found.divergences.values
        np.testing.assert_allclose(divergences, divergences.T, atol=1e-15)
        np.testing.assert_allclose(np.diag(divergences), 0, atol=1e-15)
        if h > 1:
            first, second = trace.heads[0].weights.values, trace.heads[1].weights.values
            assert divergences[0, 1] == pytest.approx(jensen_shannon(first, second), abs=1e-14)
            pairs = [divergences[i, j] for i in range(h) for j in range(i)]
            assert found.mean_divergence.entry().value == pytest.approx(np.mean(pairs))
        else:
            assert found.mean_divergence.entry().value == 0


def test_fact_11_the_diagonal_is_counted() -> None:
    """Two heads of width 1 over [1, 2]: head 0 scores x_i x_j, so both prefer token 1; head 1 scores their opposite."""
    eye, other = np.eye(2), np.diag([1.0, -1.0])
    trace = MultiHeadAttention(eye, other, eye, eye, n_heads=2)([[1.0, 1.0], [2.0, 2.0]])
    found = diagonal(trace)
    assert found.largest.values.tolist() == [1, 1]
    assert (found.total.entry().value, found.rows.entry().value, found.words.entry().value) == (2, 4, 2)
    for head, gap in zip(trace.heads, found.asymmetry.values, strict=True):
        assert gap == abs(head.weights.values[0, 1] - head.weights.values[1, 0]) > 0.01


@pytest.mark.parametrize("seed", range(20))
def test_the_diagonal_by_plain_loops(seed: int) -> None:
    trace = MultiHeadAttention.from_seed(8, 2, seed)(np.random.default_rng(seed).normal(size=(5, 8)))
    expected = [sum(int(head.weights.values[i].argmax() == i) for i in range(5)) for head in trace.heads]
    assert diagonal(trace).largest.values.tolist() == expected
