"""Costs: counted on real arrays and masks, against the formulas, and facts 4, 24 and 25."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathcore.attention import MultiHeadAttention, attend, causal_mask
from mathcore.cost import (
    allowed_pairs,
    attention_parameters,
    costs,
    cut_up_parameters,
    encoder_layer_parameters,
    feed_forward_parameters,
    full,
    mixing_multiplications,
    parameters,
    path_length,
    pattern_mask,
    patterns,
    projection_multiplications,
    recurrent_multiplications,
    recurrent_parameters,
    strided,
    strided_mask,
    strided_path,
    window,
    window_mask,
)
from mathcore.layers import encoder_layer
from mathcore.named import named_arrays
from mathcore.recurrence import elman

relaxed = settings(deadline=None, max_examples=60)
lengths = st.integers(1, 24)
reaches = st.integers(1, 10)

# --- Parameters -------------------------------------------------------------------------------------------------------


def test_parameters_are_those_of_real_layers() -> None:
    d, h, f = 12, 3, 20
    layer = MultiHeadAttention.from_seed(d, h, 0)
    biased = MultiHeadAttention(
        layer.w_q, layer.w_k, layer.w_v, layer.w_o, n_heads=h, **dict.fromkeys(("b_q", "b_k", "b_v", "b_o"), np.ones(d))
    )
    x, w_1, w_2 = np.ones((2, d)) * [[1], [2]], np.ones((d, f)), np.ones((f, d))
    trace = encoder_layer(x + np.arange(d), biased, w_1, w_2)

    def size(*arrays: object) -> int:
        return sum(array.values.size for root in arrays for array in named_arrays(root))

    attention, ff = trace.attention, trace.feed_forward
    weights = (attention.w_q, attention.w_k, attention.w_v, attention.w_o)
    biases = (attention.b_q, attention.b_k, attention.b_v, attention.b_o)
    assert size(*weights) == attention_parameters(d, h)
    assert size(*weights, *biases) == attention_parameters(d, h, bias=True)
    assert size(ff.w_1, ff.w_2) == feed_forward_parameters(d, f)
    assert size(ff.w_1, ff.w_2, ff.b_1, ff.b_2) == feed_forward_parameters(d, f, bias=True)
    gains, offsets = (
        [getattr(norm, part) for norm in (trace.attention_norm, trace.feed_forward_norm)] for part in ("gain", "bias")
    )
    assert size(*weights, ff.w_1, ff.w_2, *gains) == encoder_layer_parameters(d, h, f)
    everything = (*weights, *biases, ff.w_1, ff.w_2, ff.b_1, ff.b_2, *gains, *offsets)
    assert size(*everything) == encoder_layer_parameters(d, h, f, bias=True)


def test_recurrent_parameters_are_those_of_a_real_net() -> None:
    trace = elman(np.ones((2, 5)), np.ones((5, 5)), np.ones((5, 5)), np.ones(5))
    assert trace.w_x.values.size + trace.w_h.values.size == recurrent_parameters(5)
    assert trace.w_x.values.size + trace.w_h.values.size + trace.b.values.size == recurrent_parameters(5, bias=True)


def test_fact_04_at_the_paper_s_width() -> None:
    table = parameters(512, 8, 2048)
    expected = {
        "attention": 1_048_576,
        "biased_attention": 1_050_624,
        "feed_forward": 2_097_152,
        "biased_feed_forward": 2_099_712,
        "encoder_layer": 3_146_752,
        # PyTorch's nn.TransformerEncoderLayer(512, 8, 2048) counts as many.
        "biased_encoder_layer": 3_152_384,
        "recurrence": 524_288,
        "biased_recurrence": 524_800,
        "projections": 786_432,
        "cut_up": 98_304,
    }
    assert {name: getattr(table, name).entry().value for name in expected} == expected
    assert [cut_up_parameters(512, h) for h in (1, 2, 512)] == [786_432, 393_216, 1_536]


# --- Masks ------------------------------------------------------------------------------------------------------------


def picture(mask: np.ndarray) -> list[str]:
    return ["".join(".#"[allowed] for allowed in row) for row in mask.astype(int)]


def test_masks_written_out() -> None:
    assert picture(window_mask(5, 1)) == ["##...", "###..", ".###.", "..###", "...##"]
    assert picture(window_mask(5, 2, causal=True)) == ["#....", "##...", "###..", ".###.", "..###"]
    assert picture(strided_mask(7, 3)) == [
        "####..#",
        "#####..",
        "######.",
        "#######",
        ".######",
        "..#####",
        "#..####",
    ]
    assert picture(strided_mask(6, 2, causal=True)) == ["#.....", "##....", "###...", ".###..", "#.###.", ".#.###"]
    assert window_mask(3, 9).all() and strided_mask(4, 1).all()


@relaxed
@given(n=lengths, reach=reaches, causal=st.booleans())
def test_masks_follow_their_rule_cell_by_cell(n: int, reach: int, causal: bool) -> None:
    near, far = window_mask(n, reach, causal=causal), strided_mask(n, reach, causal=causal)
    assert near.dtype == far.dtype == np.bool_
    for i, j in itertools.product(range(n), range(n)):
        seen = not causal or j <= i
        assert near[i, j] == (seen and abs(i - j) <= reach)
        assert far[i, j] == (seen and (abs(i - j) <= reach or (i - j) % reach == 0))
    assert (pattern_mask(n, full, causal=True) == causal_mask(n)).all()


@relaxed
@given(n=lengths, reach=reaches, causal=st.booleans())
def test_pairs_are_those_of_the_mask(n: int, reach: int, causal: bool) -> None:
    for pattern in (full, window(reach), strided(reach)):
        assert allowed_pairs(n, pattern, causal=causal) == pattern_mask(n, pattern, causal=causal).sum()


def test_attention_takes_the_masks() -> None:
    x = np.random.default_rng(0).normal(size=(6, 3))
    for mask in (window_mask(6, 1), strided_mask(6, 2), strided_mask(6, 2, causal=True)):
        weights = attend(x, x, x, allowed=mask).weights.values
        assert ((weights > 0) == mask).all()


# --- Path length ------------------------------------------------------------------------------------------------------


def slow_path_length(mask: np.ndarray) -> int:
    """Breadth first, from every token, one layer at a time."""
    longest = 0
    for start in range(len(mask)):
        seen, edge, layers = {start}, {start}, 0
        while edge:
            edge = {int(j) for i in edge for j in np.flatnonzero(mask[i])} - seen
            seen |= edge
            layers += bool(edge)
        longest = max(longest, layers)
    return longest


@relaxed
@given(n=st.integers(1, 8), seed=st.integers(0, 2**32 - 1))
def test_path_length_agrees_with_a_search(n: int, seed: int) -> None:
    mask = np.random.default_rng(seed).random((n, n)) < 0.3
    reached = np.linalg.matrix_power(mask + np.eye(n, dtype=int), n) > 0
    if (reached | reached.T).all():
        assert path_length(mask) == slow_path_length(mask)
    else:
        with pytest.raises(ValueError, match="joined by no number of layers"):
            path_length(mask)


def test_parts_that_are_not_joined_have_no_path_length() -> None:
    assert path_length(np.eye(1, dtype=bool)) == 0
    with pytest.raises(ValueError, match="tokens 0 and 1 are joined by no number of layers"):
        path_length(np.eye(3, dtype=bool))
    # Both see a third, but nothing leads from one to the other.
    with pytest.raises(ValueError, match="tokens 1 and 2"):
        path_length(np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1]], dtype=bool))


@pytest.mark.parametrize("reach", range(1, 11))
@pytest.mark.parametrize("n", range(1, 15))
def test_path_lengths_of_the_patterns(n: int, reach: int) -> None:
    assert path_length(np.ones((n, n), dtype=bool)) == min(1, n - 1)
    assert path_length(window_mask(n, reach)) == path_length(window_mask(n, reach, causal=True)) == -(-(n - 1) // reach)
    assert path_length(strided_mask(n, reach)) == strided_path(n, reach) <= 2
    assert path_length(strided_mask(n, reach, causal=True)) == strided_path(n, reach)


# --- Work -------------------------------------------------------------------------------------------------------------


def test_multiplications_are_those_of_plain_loops() -> None:
    """Count every product that the matrix products of a small attention need."""
    n, d, h = 5, 6, 2
    mask = window_mask(n, 1)
    projecting = 4 * sum(1 for _ in itertools.product(range(n), range(d), range(d)))
    pairs = [(i, j) for i in range(n) for j in range(n) if mask[i, j]]
    mixing = sum(2 * (d // h) for _ in range(h) for _ in pairs)
    assert projection_multiplications(n, d) == projecting
    assert mixing_multiplications(n, d, window(1)) == mixing
    assert mixing_multiplications(n, d) == 2 * n * n * d
    assert recurrent_multiplications(n, d) == sum(d * d + d * d for _ in range(n))


def test_fact_24_multiplications_at_d_model_512() -> None:
    assert mixing_multiplications(512, 512) == 268_435_456  # 0.268e9
    assert projection_multiplications(512, 512) == 536_870_912  # 0.537e9
    assert mixing_multiplications(4096, 512) == 17_179_869_184  # 17.18e9
    assert projection_multiplications(4096, 512) == 4_294_967_296  # 4.29e9
    for d_model in (8, 64, 512):
        assert mixing_multiplications(2 * d_model, d_model) == projection_multiplications(2 * d_model, d_model)


def test_fact_24_as_a_table() -> None:
    table = costs((129, 512, 1024, 4096), 512, radius=64, stride=64)
    assert table.balance.entry().value == 1024
    for i, n in enumerate((129, 512, 1024, 4096)):
        column = {array.path: array.values[i] for array in named_arrays(table) if array.shape}
        assert column["n"] == n
        assert column["attention"] == column["projections"] + column["mixing"] == 4 * n * 512**2 + 2 * n * n * 512
        assert column["recurrence"] == 2 * n * 512**2
        assert column["window"] == column["projections"] + column["window_mixing"]
        assert column["window_mixing"] == 2 * 512 * window_mask(n, 64).sum()
        assert column["strided"] == column["projections"] + column["strided_mixing"]
        assert column["strided_mixing"] == 2 * 512 * strided_mask(n, 64).sum()
        assert (column["attention_steps"], column["recurrence_steps"]) == (1, n)
        assert (column["attention_path"], column["recurrence_path"], column["strided_path"]) == (1, n, 2)
        assert column["window_path"] == -(-(n - 1) // 64)
        assert column["dilution"] == 1 / n


def test_attention_overtakes_a_recurrence_and_window_does_not_grow_apart() -> None:
    """Doubling n: attention's mixing grows fourfold, the window's and the recurrence's work twofold."""
    table = costs((2048, 4096, 8192), 512, radius=64, stride=64)
    ratios = {array.path: array.values[1:] / array.values[:-1] for array in named_arrays(table) if array.shape}
    np.testing.assert_allclose(ratios["mixing"], 4)
    np.testing.assert_allclose(ratios["recurrence"], 2)
    np.testing.assert_allclose(ratios["window_mixing"], 2, rtol=0.02)
    assert (ratios["strided_mixing"] > 2).all() and (ratios["strided_mixing"] < 4).all()


def test_the_small_masks_are_counted() -> None:
    trace = patterns(16, radius=2, stride=4)
    assert trace.pairs.values.tolist() == [mask.values.sum() for mask in (trace.full, trace.window, trace.strided)]
    halves = (trace.causal_full, trace.causal_window, trace.causal_strided)
    assert trace.causal_pairs.values.tolist() == [mask.values.sum() for mask in halves]
    assert trace.paths.values.tolist() == [1, 8, 2]
    assert all(
        (whole.values & causal_mask(16) == half.values).all()
        for whole, half in zip((trace.full, trace.window, trace.strided), halves, strict=True)
    )


# --- What is refused --------------------------------------------------------------------------------------------------


def test_sizes_below_one_are_refused() -> None:
    for call in (
        lambda: feed_forward_parameters(0, 4),
        lambda: feed_forward_parameters(4, 0),
        lambda: recurrent_parameters(0),
        lambda: window_mask(0, 1),
        lambda: window_mask(3, 0),
        lambda: strided_mask(3, 0),
        lambda: allowed_pairs(0),
        lambda: projection_multiplications(0, 4),
        lambda: mixing_multiplications(4, 0),
        lambda: recurrent_multiplications(4, -1),
        lambda: strided_path(0, 1),
        lambda: costs((0,), 4, radius=1, stride=1),
    ):
        with pytest.raises(ValueError, match="must be at least 1, got"):
            call()
    with pytest.raises(ValueError, match="at least one length"):
        costs((), 4, radius=1, stride=1)
    with pytest.raises(ValueError, match="nearest valid: 2 or 4"):
        cut_up_parameters(8, 3)


def test_path_length_refuses() -> None:
    with pytest.raises(TypeError, match="the mask must be boolean"):
        path_length(np.ones((2, 2)))
    with pytest.raises(ValueError, match=r"must be \(n, n\), got \(2, 3\)"):
        path_length(np.ones((2, 3), dtype=bool))
