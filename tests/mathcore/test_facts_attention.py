"""What is often told wrongly about attention, a test or two a fact; facts are numbered as in test_position.py.

Statements about random data are measured, with a seed and a tolerance.
"""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from mathcore.attention import MultiHeadAttention, attend, causal_mask, merge_heads, softmax, split_heads
from mathcore.cost import attention_parameters

SEED = 2017


def sentence(seed: int, n: int = 6, d_model: int = 16) -> NDArray[np.float64]:
    return np.random.default_rng([SEED, seed]).normal(size=(n, d_model))


@pytest.mark.parametrize("seed", range(10))
def test_fact_01_attention_is_equivariant_not_invariant(seed: int) -> None:
    """f(PX) = P f(X) and A becomes P A P^T; the matrices themselves differ, only a pooled output does not."""
    x, layer = sentence(seed), MultiHeadAttention.from_seed(16, 4, seed)
    order = np.roll(np.arange(6), 1 + seed % 5)
    plain, moved = layer(x), layer(x[order])
    error = np.abs(moved.output.values - plain.output.values[order]).max()
    assert error < 1e-14
    for before, after in zip(plain.heads, moved.heads, strict=True):
        assert np.abs(after.weights.values - before.weights.values[order][:, order]).max() < 1e-14
        assert np.abs(after.weights.values - before.weights.values).max() > 0.01
    assert np.abs(moved.output.values - plain.output.values).max() > 0.1
    np.testing.assert_allclose(moved.output.values.mean(axis=0), plain.output.values.mean(axis=0), atol=1e-14)


@pytest.mark.parametrize("seed", range(10))
def test_fact_02_a_causal_mask_breaks_equivariance(seed: int) -> None:
    x, layer = sentence(seed), MultiHeadAttention.from_seed(16, 4, seed)
    order = np.array([1, 0, 2, 3, 4, 5])
    plain = layer(x, allowed=causal_mask(6)).output.values
    moved = layer(x[order], allowed=causal_mask(6)).output.values
    assert np.abs(moved - plain[order]).max() > 0.1


def test_fact_03_rows_are_queries_and_each_row_sums_to_one() -> None:
    """One query that prefers key 1 among three: its row, not a column, is the distribution."""
    trace = attend([[1.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [5.0, 0.0], [1.0, 0.0]], np.ones((3, 1)))
    weights = trace.weights
    assert weights.axes == ("query", "key") and weights.shape == (2, 3)
    np.testing.assert_allclose(weights.values.sum(axis=1), 1, atol=1e-15)
    assert np.abs(weights.values.sum(axis=0) - 1).max() > 0.1
    assert weights.values[0].argmax() == 1
    np.testing.assert_allclose(weights.values[1], 1 / 3)


def test_fact_04_parameters_do_not_depend_on_the_number_of_heads() -> None:
    for n_heads in (1, 2, 4, 8, 16, 512):
        assert attention_parameters(512, n_heads) == 1_048_576 == 4 * 512**2
        assert attention_parameters(512, n_heads, bias=True) == 1_050_624
    layer = MultiHeadAttention.from_seed(512, 8, 0)
    assert sum(w.size for w in (layer.w_q, layer.w_k, layer.w_v, layer.w_o)) == attention_parameters(512, 8)


def test_fact_04_heads_split_the_projections_not_the_embedding() -> None:
    """Counted in weight arrays that really compute: Q, K, V of eight heads, against eight attentions of width 64."""
    whole = MultiHeadAttention.from_seed(512, 8, 0)
    assert sum(w.size for w in (whole.w_q, whole.w_k, whole.w_v)) == 786_432
    pieces = [MultiHeadAttention.from_seed(64, 1, i) for i in range(8)]
    assert sum(w.size for piece in pieces for w in (piece.w_q, piece.w_k, piece.w_v)) == 98_304
    # Every head reads every feature: a change of the last feature reaches the queries of head 0.
    small = MultiHeadAttention.from_seed(8, 4, 0)
    x = np.ones((2, 8))
    changed = x.copy()
    changed[:, -1] = 2
    assert (small(x).heads[0].q.values != small(changed).heads[0].q.values).all()


def test_fact_05_splitting_keeps_every_token_s_own_numbers() -> None:
    n, h, d_head = 3, 2, 4
    token = np.repeat(np.arange(n)[:, None], h * d_head, axis=1)  # every number says whose it is
    right, wrong = split_heads(token, h), token.reshape(h, n, d_head)
    assert right.shape == wrong.shape == (h, n, d_head)
    for i in range(n):
        assert (right[:, i] == i).all()
    assert any(len(set(wrong[head, i].tolist()) - {i}) for head in range(h) for i in range(n))
    assert (merge_heads(right) == token).all()


@pytest.mark.parametrize("seed", range(5))
def test_fact_06_the_output_is_a_sum_over_heads(seed: int) -> None:
    x, layer = sentence(seed), MultiHeadAttention.from_seed(16, 4, seed)
    trace = layer(x)
    parts = [head.output.values @ layer.w_o[4 * i : 4 * i + 4] for i, head in enumerate(trace.heads)]
    np.testing.assert_allclose(sum(parts), trace.output.values, atol=1e-14)
    # Heads trade places with their rows of W_O, and nothing changes; without their rows, much does.
    order = np.array([2, 0, 3, 1])
    columns = (4 * order[:, None] + np.arange(4)).ravel()
    w_q, w_k, w_v = (w[:, columns] for w in (layer.w_q, layer.w_k, layer.w_v))
    together = MultiHeadAttention(w_q, w_k, w_v, layer.w_o[columns], n_heads=4)(x).output.values
    apart = MultiHeadAttention(w_q, w_k, w_v, layer.w_o, n_heads=4)(x).output.values
    np.testing.assert_allclose(together, trace.output.values, atol=1e-14)
    assert np.abs(apart - trace.output.values).max() > 0.1


def test_fact_07_scores_are_scaled_by_the_root_of_the_head_width() -> None:
    """Independent unit-variance components: Var(q . k) = d_head = 64, so std 8, and 1 after scaling."""
    rng = np.random.default_rng(SEED)
    q, k = rng.normal(size=(500, 1, 64)), rng.normal(size=(500, 200, 64))
    trace = attend(q, k, np.zeros((500, 200, 1)))
    assert trace.scores.values.std() == pytest.approx(8, rel=0.02)
    assert trace.scaled.values.std() == pytest.approx(1, rel=0.02)


def test_fact_07_the_width_is_the_head_s_not_the_model_s() -> None:
    trace = MultiHeadAttention.from_seed(64, 8, 0)(sentence(0, d_model=64))
    for head in trace.heads:
        np.testing.assert_allclose(head.scaled.values * math.sqrt(8), head.scores.values, rtol=1e-14)


@pytest.mark.parametrize(("std", "largest", "entropy"), [(8, 0.866, 0.345), (1, 0.320, 1.923)])
def test_fact_08_unscaled_scores_saturate_softmax(std: float, largest: float, entropy: float) -> None:
    """Ten keys, 200,000 rows: the mean largest weight, and the mean entropy in nats (at most ln 10 = 2.303)."""
    weights = softmax(np.random.default_rng(SEED).normal(scale=std, size=(200_000, 10)))
    found = -(weights * np.log(np.maximum(weights, 1e-300))).sum(axis=-1)
    assert weights.max(axis=-1).mean() == pytest.approx(largest, abs=0.003)
    assert found.mean() == pytest.approx(entropy, abs=0.005)
    assert found.max() <= math.log(10) + 1e-12


@pytest.mark.parametrize("seed", range(10))
def test_fact_09_an_output_lies_between_the_values(seed: int) -> None:
    for head in MultiHeadAttention.from_seed(16, 4, seed)(sentence(seed)).heads:
        output, v = head.output.values, head.v.values
        assert (output >= v.min(axis=0) - 1e-15).all() and (output <= v.max(axis=0) + 1e-15).all()
        # Strictly inside: no value row is simply copied.
        assert (output > v.min(axis=0)).all() and (output < v.max(axis=0)).all()


def test_fact_10_a_wholly_blocked_row_is_zero_and_minus_a_billion_is_no_mask() -> None:
    x = sentence(0, n=4)
    allowed = causal_mask(4)
    allowed[2] = False
    trace = MultiHeadAttention.from_seed(16, 4, 0)(x, allowed=allowed)
    for head in trace.heads:
        assert (head.weights.values[2] == 0).all() and (head.output.values[2] == 0).all()
        assert (head.weights.values[~allowed] == 0).all()
        np.testing.assert_allclose(head.weights.values.sum(axis=-1), [1, 1, 0, 1], atol=1e-15)
    assert (trace.output.values[2] == 0).all() and np.isfinite(trace.output.values).all()
    # A finite number in place of a mask gives a plausible row instead; so it is refused.
    np.testing.assert_allclose(softmax(np.full(4, -1e9)), 0.25)
    with pytest.raises(TypeError, match="boolean"):
        attend(x, x, x, allowed=np.where(allowed, 0.0, -1e9))


def test_fact_11_nothing_makes_the_diagonal_the_largest() -> None:
    """With W_Q and W_K drawn apart, a token's favourite is itself about as often as any other of six: 1/6."""
    favourites, asymmetric = [], 0
    for seed in range(200):
        for head in MultiHeadAttention.from_seed(16, 2, seed)(sentence(seed)).heads:
            favourites += (head.weights.values.argmax(axis=-1) == np.arange(6)).tolist()
            asymmetric += bool(np.abs(head.scores.values - head.scores.values.T).max() > 0.01)
    assert np.mean(favourites) == pytest.approx(1 / 6, abs=0.03)
    assert asymmetric == 400


def test_fact_11_only_equal_projections_make_scores_symmetric() -> None:
    w, v, o = (MultiHeadAttention.from_seed(8, 1, seed).w_q for seed in range(3))
    head = MultiHeadAttention(w, w, v, o, n_heads=1)(sentence(0, d_model=8)).heads[0]
    np.testing.assert_allclose(head.scores.values, head.scores.values.T, atol=1e-13)


def test_fact_12_weights_alone_do_not_explain_an_output() -> None:
    q, k = np.array([[4.0]]), np.array([[1.0], [0.0]])
    # The favourite key adds nothing when its value is zero: all of the output comes from the other one.
    trace = attend(q, k, [[0.0], [5.0]])
    assert trace.weights.values[0].argmax() == 0
    np.testing.assert_allclose(trace.output.values, trace.weights.values[0, 1] * 5)
    # Equal weights, other values: another output.
    other = attend(q, k, [[5.0], [0.0]])
    assert (other.weights.values == trace.weights.values).all()
    assert (other.output.values > 10 * trace.output.values).all()


def test_fact_12_w_o_may_ignore_a_head() -> None:
    x, layer = sentence(0), MultiHeadAttention.from_seed(16, 4, 0)
    w_o = layer.w_o.copy()
    w_o[:4] = 0
    w_q = layer.w_q.copy()
    w_q[:, :4] = -5 * w_q[:, :4]
    before = MultiHeadAttention(layer.w_q, layer.w_k, layer.w_v, w_o, n_heads=4)(x)
    after = MultiHeadAttention(w_q, layer.w_k, layer.w_v, w_o, n_heads=4)(x)
    assert np.abs(after.heads[0].weights.values - before.heads[0].weights.values).max() > 0.3
    np.testing.assert_allclose(after.output.values, before.output.values, atol=1e-14)
