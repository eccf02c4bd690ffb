"""Attention at work on all heads at once, piece by piece: the same numbers as head by head; biases; cross-attention."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mathcore import attention as core
from mathcore.attention import MultiHeadAttention, attend, causal_mask, softmax
from mathcore.named import named_arrays
from tests.mathcore.comparing import assert_same_stages, stages

Floats = NDArray[np.float64]
relaxed = settings(deadline=None, max_examples=60)
seeds = st.integers(0, 2**32 - 1)


def plain_attend(q: Floats, k: Floats, v: Floats, allowed: NDArray[np.bool_]) -> dict[str, Floats]:
    """The formula, whole arrays at once."""
    scores = np.einsum("...nd,...md->...nm", q, k)
    scaled = scores / np.sqrt(q.shape[-1])
    weights = softmax(np.where(allowed, scaled, -np.inf))
    return {
        "scores": scores,
        "scaled": scaled,
        "weights": weights,
        "output": np.einsum("...nm,...me->...ne", weights, v),
    }


@relaxed
@given(
    seed=seeds,
    lead=st.lists(st.integers(1, 3), max_size=3),
    n=st.integers(1, 5),
    m=st.integers(1, 5),
    block=st.sampled_from([1, 2, 5, 7, 20, 1 << 18]),
    blocking=st.booleans(),
)
def test_pieces_of_any_size_give_the_same_numbers(
    seed: int, lead: list[int], n: int, m: int, block: int, blocking: bool
) -> None:
    rng = np.random.default_rng(seed)
    q, k, v = (rng.normal(size=(*lead, size, 3)) for size in (n, m, m))
    allowed = rng.random((*lead, n, m)) < 0.6 if blocking else np.ones((n, m), dtype=bool)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "_BLOCK", block)
        trace = attend(q, k, v, allowed=allowed if blocking else None)
    assert_same_stages(stages(trace), plain_attend(q, k, v, allowed), 1e-13)
    assert (trace.weights.values[~np.broadcast_to(allowed, trace.weights.shape)] == 0).all()


@relaxed
@given(shape=st.lists(st.integers(0, 4), min_size=1, max_size=4), width=st.integers(1, 5), block=st.integers(1, 60))
def test_pieces_cover_everything_once_and_are_not_too_large(shape: list[int], width: int, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "_BLOCK", block)
        pieces = list(core._blocks(tuple(shape), width))
    seen = np.zeros(shape, dtype=int)
    for piece in pieces:
        seen[piece] += 1
        assert seen[piece].size * width <= max(block, width)
    assert (seen == 1).all()


@pytest.mark.parametrize("block", [1, 6, 1 << 18])
@pytest.mark.parametrize("lead", [(), (2,), (2, 3)])
def test_heads_are_those_of_attend_one_by_one(
    lead: tuple[int, ...], block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core, "_BLOCK", block)
    layer, rng = MultiHeadAttention.from_seed(6, 3, 0), np.random.default_rng(0)
    x, allowed = rng.normal(size=(*lead, 4, 6)), rng.random((*lead, 4, 4)) < 0.7
    for mask in (None, allowed, causal_mask(4)):
        trace = layer(x, allowed=mask)
        for i, head in enumerate(trace.heads):
            own = [part.values[..., 2 * i : 2 * i + 2] for part in (trace.q, trace.k, trace.v)]
            alone = attend(*own, allowed=mask)
            expected = {f"heads[{i}].{stage}": values for stage, values in stages(alone).items()}
            assert_same_stages(stages(head), expected, 1e-14)
            np.testing.assert_array_equal(trace.concat.values[..., 2 * i : 2 * i + 2], head.output.values)


def test_heads_share_their_memory_and_nothing_can_be_written() -> None:
    trace = MultiHeadAttention.from_seed(6, 3, 0)(np.ones((4, 6)))
    for i, head in enumerate(trace.heads):
        assert np.shares_memory(head.output.values, trace.concat.values)
        assert np.shares_memory(head.q.values, trace.q.values)
        assert head.q.path == f"heads[{i}].q"
    for array in named_arrays(trace):
        with pytest.raises(ValueError, match="read-only"):
            array.values[...] = 0
        with pytest.raises(ValueError, match="cannot set WRITEABLE"):
            array.values.flags.writeable = True


def test_a_layer_keeps_its_own_weights() -> None:
    """A trace shares the layer's arrays, so neither the layer nor whoever made it may change them."""
    given = [np.eye(4) for _ in range(4)]
    layer = MultiHeadAttention(*given, n_heads=2)
    trace = layer(np.ones((2, 4)))
    before = trace.w_q.values.copy()
    given[0][:] = 9
    with pytest.raises(ValueError, match="read-only"):
        layer.w_q[:] = 9
    np.testing.assert_array_equal(trace.w_q.values, before)
    assert np.shares_memory(trace.w_q.values, layer.w_q)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("block", [1, 1 << 18])
def test_the_precision_of_the_input_is_kept(dtype: type, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "_BLOCK", block)
    layer = MultiHeadAttention.from_seed(6, 3, 0)
    weights: list[NDArray[Any]] = [w.astype(dtype) for w in (layer.w_q, layer.w_k, layer.w_v, layer.w_o)]
    narrow = MultiHeadAttention(weights[0], weights[1], weights[2], weights[3], n_heads=3)
    x = np.random.default_rng(0).normal(size=(5, 6))
    trace = narrow(x.astype(dtype), allowed=causal_mask(5))
    assert {array.values.dtype for array in named_arrays(trace)} == {np.dtype(dtype)}
    np.testing.assert_allclose(trace.output, layer(x, allowed=causal_mask(5)).output, atol=1e-6)


def test_mixed_precisions_take_the_wider() -> None:
    x = np.random.default_rng(0).normal(size=(3, 2))
    for narrow in range(3):
        parts = [x.astype(np.float32) if i == narrow else x for i in range(3)]
        assert attend(*parts).output.values.dtype == np.float64
    layer = MultiHeadAttention.from_seed(2, 1, 0)
    mixed = MultiHeadAttention(layer.w_q, layer.w_k, layer.w_v.astype(np.float32), layer.w_o, n_heads=1)
    trace = mixed(x.astype(np.float32))
    assert trace.v.values.dtype == np.float32
    assert {part.values.dtype for part in (trace.concat, trace.output, trace.heads[0].output)} == {np.dtype(np.float64)}


# --- What is not finite -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("block", [1, 1 << 18])
def test_an_overflow_is_found_in_whichever_piece_it_lies(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "_BLOCK", block)
    for place in np.ndindex(2, 3):
        q, k = np.ones((2, 3, 1)), np.ones((2, 3, 1))
        q[place], k[place[0], 1] = 1e200, -1e200
        with pytest.raises(ValueError, match="finite wherever they are allowed"):
            attend(q, k, np.ones((2, 3, 1)))
        allowed = np.ones((2, 3, 3), dtype=bool)
        allowed[(*place, 1)] = False
        assert attend(q, k, np.ones((2, 3, 1)), allowed=allowed).weights.values[(*place, 1)] == 0


def test_an_overflow_by_adding_up_is_found() -> None:
    """No single product is large, but 300 of them are beyond float64."""
    wide = np.full((1, 300), 1e153)
    with pytest.raises(ValueError, match="finite wherever they are allowed"):
        attend(wide, wide, np.ones((1, 1)))


def test_large_values_that_do_not_overflow_are_no_trouble() -> None:
    """The bound that saves looking at every score must not refuse what is fine."""
    weights = attend([[1e154, 0.0]], [[1e154, 0.0], [1e154, 7.0]], [[1.0], [2.0]]).weights.values
    assert weights.tolist() == [[0.5, 0.5]]
    big = np.array([[1e19]], dtype=np.float32)
    assert attend(big, big, np.ones((1, 1), dtype=np.float32)).scores.values[0, 0] == np.float32(1e38)


# --- Biases -----------------------------------------------------------------------------------------------------------


def test_biases_are_added_to_each_projection() -> None:
    layer, rng = MultiHeadAttention.from_seed(4, 2, 0), np.random.default_rng(0)
    biases = {name: rng.normal(size=4) for name in ("b_q", "b_k", "b_v", "b_o")}
    x = rng.normal(size=(3, 4))
    trace = MultiHeadAttention(layer.w_q, layer.w_k, layer.w_v, layer.w_o, n_heads=2, **biases)(x)
    assert_same_stages(
        stages(trace),
        {
            **biases,
            "q": x @ layer.w_q + biases["b_q"],
            "k": x @ layer.w_k + biases["b_k"],
            "v": x @ layer.w_v + biases["b_v"],
            "output": trace.concat.values @ layer.w_o + biases["b_o"],
        },
        1e-15,
    )
    assert trace.q.formula == "X W_Q + b_Q" and trace.output.formula.endswith("W_O + b_O")
    assert {array.path for array in named_arrays(trace)} - {array.path for array in named_arrays(layer(x))} == set(
        biases
    )


def test_without_biases_nothing_is_added() -> None:
    layer = MultiHeadAttention.from_seed(4, 2, 0)
    trace = layer(np.eye(4))
    assert (trace.b_q, trace.b_k, trace.b_v, trace.b_o) == (None, None, None, None)
    np.testing.assert_array_equal(trace.q.values, layer.w_q)


@pytest.mark.parametrize("name", ["b_q", "b_k", "b_v", "b_o"])
def test_a_bias_of_another_size_is_refused(name: str) -> None:
    layer = MultiHeadAttention.from_seed(4, 2, 0)
    for bias in (np.ones(3), np.ones((1, 4)), 1.0):
        with pytest.raises(ValueError, match=rf"{name} must be \(d_model,\) = \(4,\), got"):
            MultiHeadAttention(layer.w_q, layer.w_k, layer.w_v, layer.w_o, n_heads=2, **{name: bias})


# --- Cross-attention --------------------------------------------------------------------------------------------------


@relaxed
@given(seed=seeds, n=st.integers(1, 6), m=st.integers(1, 6))
def test_cross_attention_is_n_by_m_and_each_query_is_alone(seed: int, n: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    q, k, v = rng.normal(size=(n, 3)), rng.normal(size=(m, 3)), rng.normal(size=(m, 2))
    trace = attend(q, k, v)
    assert trace.weights.shape == (n, m) and trace.output.shape == (n, 2)
    np.testing.assert_allclose(trace.weights.values.sum(axis=-1), 1)
    for i in range(n):
        np.testing.assert_allclose(attend(q[[i]], k, v).output.values[0], trace.output.values[i], atol=1e-13)
    # The keys' order is nothing to it: weights move with the keys, the output stays.
    order = rng.permutation(m)
    moved = attend(q, k[order], v[order])
    np.testing.assert_allclose(moved.weights.values, trace.weights.values[:, order], atol=1e-13)
    np.testing.assert_allclose(moved.output.values, trace.output.values, atol=1e-13)
    # Convex: between the values, and all the same when they are.
    assert (trace.output.values <= v.max(axis=0) + 1e-12).all() and (trace.output.values >= v.min(axis=0) - 1e-12).all()
    # Scores shifted by the same amount for all keys of a query: nothing changes.
    wide = np.concatenate([q, np.full((n, 1), 5.0)], axis=1) * np.sqrt(4 / 3)
    shifted = attend(wide, np.concatenate([k, np.ones((m, 1))], axis=1), v)
    np.testing.assert_allclose(shifted.weights.values, trace.weights.values, atol=1e-12)


@relaxed
@given(seed=seeds, n=st.integers(1, 5), more=st.integers(0, 5))
def test_a_causal_mask_with_more_keys_is_aligned_at_the_lower_right_corner(seed: int, n: int, more: int) -> None:
    """New queries after cached keys give the last rows of the whole: that is what the corner is for."""
    m = n + more
    x = np.random.default_rng(seed).normal(size=(m, 3))
    whole = attend(x, x, x, allowed=causal_mask(m))
    late = attend(x[more:], x, x, allowed=causal_mask(n, m))
    np.testing.assert_allclose(late.weights.values, whole.weights.values[more:], atol=1e-14)
    np.testing.assert_allclose(late.output.values, whole.output.values[more:], atol=1e-14)
    assert causal_mask(n, m)[-1].all() and causal_mask(n, m)[0].sum() == more + 1
