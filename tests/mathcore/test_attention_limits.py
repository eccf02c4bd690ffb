"""Attention at its edges: masks, number types, sizes that do not fit, and values that are not finite."""

import numpy as np
import pytest
from numpy.typing import DTypeLike

from mathcore.arguments import as_float
from mathcore.attention import (
    MultiHeadAttention,
    attend,
    causal_mask,
    check_heads,
    merge_heads,
    softmax,
    split_heads,
)
from mathcore.cost import attention_parameters

INF, NAN = float("inf"), float("nan")


# --- Masks ------------------------------------------------------------------------------------------------------------


def test_a_wholly_blocked_row_gives_zeros_not_nan() -> None:
    allowed = np.array([[True, True], [False, False]])
    trace = attend(np.ones((2, 3)), np.ones((2, 3)), np.ones((2, 2)), allowed=allowed)
    assert trace.weights.values.tolist() == [[0.5, 0.5], [0.0, 0.0]]
    assert trace.output.values.tolist() == [[1.0, 1.0], [0.0, 0.0]]


def test_every_row_blocked_in_every_head() -> None:
    trace = MultiHeadAttention.from_seed(4, 2, 0)(np.ones((3, 4)), allowed=np.zeros((3, 3), dtype=bool))
    assert not trace.concat.values.any() and not trace.output.values.any()
    assert all(not head.weights.values.any() for head in trace.heads)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_softmax_of_nothing_but_minus_infinity_is_zero(dtype: DTypeLike) -> None:
    weights = softmax(np.array([[-INF, -INF], [-INF, 3.0]], dtype=dtype))
    assert weights.tolist() == [[0.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    "mask",
    [
        np.zeros((2, 2)),
        np.array([[0.0, -1e9], [0.0, 0.0]]),
        np.array([[0.0, -INF], [0.0, 0.0]]),
        np.ones((2, 2), dtype=np.int64),
        np.ones((2, 2), dtype=np.uint8),
        [[1, 0], [1, 1]],
        [["yes", "no"], ["yes", "yes"]],
    ],
    ids=["zeros", "-1e9", "-inf", "int64", "uint8", "list of ints", "words"],
)
def test_a_mask_that_is_not_boolean_is_refused(mask: object) -> None:
    eye = np.eye(2)
    with pytest.raises(TypeError, match="allowed must be boolean, True = allowed"):
        attend(eye, eye, eye, allowed=mask)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="allowed must be boolean, True = allowed"):
        MultiHeadAttention(eye, eye, eye, eye, n_heads=1)(eye, allowed=mask)  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", [(3, 2), (2,), (3,), (), (1, 3), (2, 1), (2, 3, 1), (4, 2, 3), (2, 2, 3)])
def test_a_mask_of_another_layout_is_refused(shape: tuple[int, ...]) -> None:
    """Two queries and three keys: only (2, 3) is the declared layout; nothing is stretched or turned to fit."""
    with pytest.raises(ValueError, match="allowed"):
        attend(np.ones((2, 4)), np.ones((3, 4)), np.ones((3, 1)), allowed=np.ones(shape, dtype=bool))


def test_the_message_names_the_layout() -> None:
    with pytest.raises(ValueError, match=r"\(queries, keys\) = \(2, 3\), got \(3, 2\)"):
        attend(np.ones((2, 4)), np.ones((3, 4)), np.ones((3, 1)), allowed=np.ones((3, 2), dtype=bool))


def test_a_mask_for_each_head_is_refused() -> None:
    """Three heads, three tokens: (heads, n, n) must not be taken for something else."""
    layer = MultiHeadAttention.from_seed(6, 3, 0)
    with pytest.raises(ValueError, match="leading axes"):
        layer(np.ones((3, 6)), allowed=np.ones((3, 3, 3), dtype=bool))


@pytest.mark.parametrize("lead", [(3,), (2, 2), (5, 2)])
def test_a_mask_for_another_batch_is_refused(lead: tuple[int, ...]) -> None:
    x = np.ones((2, 3, 4))
    with pytest.raises(ValueError, match="leading axes"):
        attend(x, x, x, allowed=np.ones((*lead, 3, 3), dtype=bool))


def test_a_mask_shared_by_a_batch_is_welcome() -> None:
    x = np.ones((2, 3, 4))
    for lead in ((), (1,), (2,)):
        weights = attend(x, x, x, allowed=np.broadcast_to(causal_mask(3), (*lead, 3, 3))).weights.values
        np.testing.assert_allclose(weights[1, 1], [0.5, 0.5, 0.0])


@pytest.mark.parametrize(("n", "m"), [(0, None), (3, 2), (0, 4), (-1, None)])
def test_causal_masks_that_cannot_be(n: int, m: int | None) -> None:
    with pytest.raises(ValueError, match="1 <= n_queries <= n_keys"):
        causal_mask(n, m)


# --- Number types -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.int64, np.bool_, np.float16])
def test_other_number_types_are_cast_to_float64_first(dtype: DTypeLike) -> None:
    rng = np.random.default_rng(1)
    q, k, v = (rng.integers(0, 120, (3, 4)).astype(dtype) for _ in range(3))
    narrow = attend(q, k, v)
    wide = attend(q.astype(np.float64), k.astype(np.float64), v.astype(np.float64))
    for name in ("q", "k", "v", "scores", "scaled", "weights", "output"):
        got, expected = getattr(narrow, name).values, getattr(wide, name).values
        assert got.dtype == np.float64, name
        assert (got == expected).all(), name


def test_uint8_scores_do_not_wrap() -> None:
    q = np.array([[200]], dtype=np.uint8)
    assert attend(q, q, q).scores.values[0, 0] == 40_000
    x = np.array([[200, 100]], dtype=np.uint8)
    eye = np.eye(2, dtype=np.uint8) * np.uint8(2)
    assert MultiHeadAttention(eye, eye, eye, eye, n_heads=2)(x).q.values.tolist() == [[400.0, 200.0]]
    assert softmax(np.array([0, 255], dtype=np.uint8))[1] == pytest.approx(1)


def test_float16_scores_do_not_overflow() -> None:
    """300 * 300 = 90,000 is beyond float16's 65,504."""
    q = np.array([[300.0]], dtype=np.float16)
    one = attend(q, q, q)
    assert one.scores.values[0, 0] == 90_000 and one.output.values[0, 0] == 300
    many = MultiHeadAttention(q, q, q, q, n_heads=1)(q)
    assert many.q.values[0, 0] == 90_000 and many.output.values.dtype == np.float64


def test_float32_stays_float32() -> None:
    x = np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32)
    trace = attend(x, x, x, allowed=causal_mask(3))
    assert {array.values.dtype for array in (trace.scores, trace.scaled, trace.weights, trace.output)} == {x.dtype}
    np.testing.assert_allclose(trace.output.values, attend(*[x.astype(float)] * 3, allowed=causal_mask(3)).output, 1e-5)


@pytest.mark.parametrize("values", [[[1j]], [["a"]], np.array([[None]])], ids=["complex", "text", "object"])
def test_what_is_not_a_real_number_is_refused(values: object) -> None:
    with pytest.raises(TypeError, match="k must hold real numbers"):
        attend([[1.0]], values, [[1.0]])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="scores must hold real numbers"):
        softmax(values)  # type: ignore[arg-type]


def test_as_float_casts_once_and_only_when_needed() -> None:
    x = np.ones(2)
    assert as_float(x, "x") is x
    assert as_float([1, 2], "x").dtype == np.float64


# --- Sizes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("d_model", "n_heads", "nearest"),
    [
        (8, 3, "2 or 4"),
        (8, 0, "1 or 2"),
        (8, -1, "1 or 2"),
        (8, 9, "4 or 8"),
        (8, 100, "4 or 8"),
        (12, 5, "4 or 6"),
        (512, 7, "4 or 8"),
        (7, 2, "1 or 7"),
        (1, 2, "1"),
    ],
)
def test_heads_that_do_not_divide_name_the_nearest_that_do(d_model: int, n_heads: int, nearest: str) -> None:
    message = f"n_heads = {n_heads} does not divide d_model = {d_model}; nearest valid: {nearest}$"
    with pytest.raises(ValueError, match=message):
        check_heads(d_model, n_heads)
    with pytest.raises(ValueError, match=message):
        split_heads(np.ones((2, d_model)), n_heads)
    with pytest.raises(ValueError, match=message):
        MultiHeadAttention.from_seed(d_model, n_heads, 0)
    with pytest.raises(ValueError, match=message):
        MultiHeadAttention(*[np.ones((d_model, d_model))] * 4, n_heads=n_heads)
    with pytest.raises(ValueError, match=message):
        attention_parameters(d_model, n_heads)


@pytest.mark.parametrize("d_model", [0, -4])
def test_a_model_without_width_is_refused(d_model: int) -> None:
    with pytest.raises(ValueError, match=f"d_model must be at least 1, got {d_model}"):
        check_heads(d_model, 1)


def test_check_heads_gives_the_head_width() -> None:
    assert [check_heads(12, h) for h in (1, 2, 3, 4, 6, 12)] == [12, 6, 4, 3, 2, 1]


@pytest.mark.parametrize("shape", [(0,), (2, 0), (3, 2, 0), ()])
def test_softmax_over_an_empty_axis_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="softmax needs at least one score along axis -1"):
        softmax(np.zeros(shape))


def test_no_keys_no_tokens_no_width() -> None:
    with pytest.raises(ValueError, match="at least one score"):
        attend(np.ones((2, 3)), np.ones((0, 3)), np.ones((0, 3)))
    with pytest.raises(ValueError, match="at least one score"):
        MultiHeadAttention.from_seed(4, 2, 0)(np.ones((0, 4)))
    with pytest.raises(ValueError, match="at least 1"):
        attend(np.ones((2, 0)), np.ones((2, 0)), np.ones((2, 1)))


def test_no_queries_give_no_rows() -> None:
    assert attend(np.ones((0, 3)), np.ones((2, 3)), np.ones((2, 4))).output.shape == (0, 4)


def test_shapes_that_do_not_fit_say_which() -> None:
    with pytest.raises(ValueError, match="same width"):
        attend(np.ones((2, 3)), np.ones((2, 4)), np.ones((2, 3)))
    with pytest.raises(ValueError, match="same number of tokens"):
        attend(np.ones((2, 3)), np.ones((2, 3)), np.ones((3, 3)))
    with pytest.raises(ValueError, match="last axes"):
        attend(np.ones(3), np.ones((2, 3)), np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"x must be \(\.\.\., n, 4\), got \(2, 3\)"):
        MultiHeadAttention.from_seed(4, 2, 0)(np.ones((2, 3)))
    with pytest.raises(ValueError, match="split_heads needs"):
        split_heads(np.ones(4), 2)
    with pytest.raises(ValueError, match="merge_heads needs"):
        merge_heads(np.ones((2, 4)))


@pytest.mark.parametrize("shape", [(), (4,), (4, 2), (2, 4), (4, 4, 4)])
@pytest.mark.parametrize("which", range(4))
def test_projections_that_are_not_square_are_refused(which: int, shape: tuple[int, ...]) -> None:
    weights = [np.ones((4, 4))] * 4
    weights[which] = np.ones(shape)
    with pytest.raises(ValueError, match="all four weights must be"):
        MultiHeadAttention(*weights, n_heads=2)


# --- Values that are not finite ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [INF, NAN])
def test_softmax_refuses_nan_and_plus_infinity(bad: float) -> None:
    for scores in ([0.0, bad], [bad, -INF], [bad]):
        with pytest.raises(ValueError, match="undefined for NaN or \\+inf"):
            softmax(scores)


@pytest.mark.parametrize("bad", [INF, -INF, NAN])
@pytest.mark.parametrize("which", range(3))
def test_attend_refuses_what_is_not_finite(which: int, bad: float) -> None:
    parts = [np.ones((2, 2)) for _ in range(3)]
    parts[which][1, 0] = bad
    with pytest.raises(ValueError, match="must be finite"):
        attend(*parts)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("dtype", "big"), [(np.float64, 1e200), (np.float32, 1e30)])
def test_scores_that_overflow_are_an_error_not_a_plausible_row(dtype: DTypeLike, big: float, sign: int) -> None:
    """An overflow to -inf must not pass for a blocked key: both keys here would come out with weight 0."""
    q, k = np.array([[big]], dtype=dtype), np.array([[sign * big], [sign * 2 * big]], dtype=dtype)
    with pytest.raises(ValueError, match="must be finite"):
        attend(q, k, np.ones((2, 1), dtype=dtype))


def test_a_blocked_key_may_hold_anything() -> None:
    """Padding is often garbage: it is never looked at, so it does no harm."""
    k = np.array([[1.0], [NAN], [INF]])
    allowed = np.array([[True, False, False]])
    trace = attend([[1.0]], k, np.ones((3, 1)), allowed=allowed)
    assert trace.weights.values.tolist() == [[1.0, 0.0, 0.0]] and trace.output.values.tolist() == [[1.0]]


def test_a_value_that_is_not_finite_is_refused_even_where_blocked() -> None:
    """0 times infinity is NaN, which would reach every output."""
    with pytest.raises(ValueError, match="v must be finite"):
        attend([[1.0]], [[1.0], [1.0]], [[1.0], [INF]], allowed=[[True, False]])


def test_large_finite_scores_are_no_trouble() -> None:
    weights = attend([[1e4]], [[1e4], [-1e4], [1e4]], [[1.0], [2.0], [3.0]]).weights.values
    assert weights.tolist() == [[0.5, 0.0, 0.5]]
