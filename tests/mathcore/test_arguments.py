"""What every public calculation refuses, in one line: wrong kinds, NaN, infinity, overflow, shapes that do not fit."""

import math
import warnings
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mathcore import comparisons, cost, encoding, layers, order, position, recurrence, roles
from mathcore.arguments import as_finite, as_float, count, leading_axes, real, whole
from mathcore.attention import (
    MultiHeadAttention,
    attend,
    causal_mask,
    check_heads,
    multi_head_attention,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from mathcore.example import WorkedExample
from mathcore.named import NamedArray, named_arrays
from mathcore.numerics import first_largest, first_smallest, lengths
from mathcore.saturation import measure_saturation

relaxed = settings(deadline=None, max_examples=100)
EYE, X = np.eye(4), np.arange(12.0).reshape(3, 4) / 10
LAYER = MultiHeadAttention.from_seed(4, 2, 0)
WEIGHTS = np.full((3, 3), 1 / 3)


def refused(
    call: Callable[[], Any], kind: type[Exception] | tuple[type[Exception], ...], said: str | None = None
) -> None:
    """The call ends in an error of this kind, in one line that says `said`, and no warning comes before it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(kind, match=said) as raised:
            call()
    assert type(raised.value) in (TypeError, ValueError, IndexError)
    assert str(raised.value) and "\n" not in str(raised.value)


# --- Whole numbers ----------------------------------------------------------------------------------------------------

COUNTS: dict[str, Callable[[Any], Any]] = {
    "causal_mask n_queries": causal_mask,
    "causal_mask n_keys": lambda n: causal_mask(1, n),
    "check_heads d_model": lambda n: check_heads(n, 1),
    "check_heads n_heads": lambda n: check_heads(4, n),
    "split_heads": lambda n: split_heads(X, n),
    "MultiHeadAttention n_heads": lambda n: MultiHeadAttention(EYE, EYE, EYE, EYE, n_heads=n),
    "multi_head_attention n_heads": lambda n: multi_head_attention(X, EYE, EYE, EYE, EYE, n_heads=n),
    "from_seed d_model": lambda n: MultiHeadAttention.from_seed(n, 1, 0),
    "from_seed seed": lambda n: MultiHeadAttention.from_seed(4, 2, n),
    "softmax axis": lambda n: softmax([1.0], axis=n),
    "sinusoidal n_positions": lambda n: position.sinusoidal(n, 8),
    "sinusoidal d_model": lambda n: position.sinusoidal(2, n),
    "sinusoidal start": lambda n: position.sinusoidal(2, 8, start=n),
    "sinusoidal_at d_model": lambda n: position.sinusoidal_at([1], n),
    "angular_frequencies": position.angular_frequencies,
    "wavelengths": position.wavelengths,
    "shift_matrix d_model": lambda n: position.shift_matrix(n, 1),
    "clock_hands d_model": lambda n: position.clock_hands(1, n),
    "offset_products d_model": lambda n: position.offset_products(n, 2),
    "offset_products n_offsets": lambda n: position.offset_products(4, n),
    "first_rise": position.first_rise,
    "closest_pair n_positions": lambda n: position.closest_pair(n, 8),
    "closest_pair d_model": lambda n: position.closest_pair(9, n),
    "attention_parameters": lambda n: cost.attention_parameters(n, 1),
    "cut_up_parameters": lambda n: cost.cut_up_parameters(4, n),
    "feed_forward_parameters": lambda n: cost.feed_forward_parameters(4, n),
    "encoder_layer_parameters": lambda n: cost.encoder_layer_parameters(4, 2, n),
    "recurrent_parameters": cost.recurrent_parameters,
    "parameters": lambda n: cost.parameters(4, 2, n),
    "window": cost.window,
    "strided": cost.strided,
    "pattern_mask": lambda n: cost.pattern_mask(n, cost.full),
    "window_mask": lambda n: cost.window_mask(3, n),
    "strided_mask": lambda n: cost.strided_mask(n, 1),
    "allowed_pairs": cost.allowed_pairs,
    "projection_multiplications": lambda n: cost.projection_multiplications(n, 4),
    "mixing_multiplications": lambda n: cost.mixing_multiplications(3, n),
    "recurrent_multiplications": lambda n: cost.recurrent_multiplications(3, n),
    "strided_path": lambda n: cost.strided_path(3, n),
    "costs lengths": lambda n: cost.costs([n], 4, radius=1, stride=1),
    "costs radius": lambda n: cost.costs([3], 4, radius=n, stride=1),
    "patterns": lambda n: cost.patterns(n, radius=1, stride=1),
    "recurrent_draws n": lambda n: recurrence.recurrent_draws(n, 2, [1.0], [0]),
    "recurrent_draws d": lambda n: recurrence.recurrent_draws(3, n, [1.0], [0]),
    "recurrent_draws seeds": lambda n: recurrence.recurrent_draws(3, 2, [1.0], [n]),
    "encoding_map": lambda n: encoding.encoding_map(n, 4, [3]),
    "similarity distances": lambda n: encoding.similarity(4, n, [(0, 1)], [4], trained=5, far=9),
    "similarity compared": lambda n: encoding.similarity(4, 3, [(0, n)], [4], trained=5, far=9),
    "similarity widths": lambda n: encoding.similarity(4, 3, [(0, 1)], [n], trained=5, far=9),
    "similarity far": lambda n: encoding.similarity(4, 3, [(0, 1)], [4], trained=5, far=n),
    "order": lambda n: order.order_experiment(LAYER, X, X, [0, 1, n]),
    "positional": lambda n: roles.positional(WEIGHTS, n),
    "sink": lambda n: roles.sink(WEIGHTS, [n]),
    "modifier": lambda n: roles.modifier(WEIGHTS, [(0, n)]),
    "bottleneck": lambda n: comparisons.bottleneck(LAYER(X), n),
    "measure_saturation widths": lambda n: measure_saturation([n, 4], queries=2, keys=2, sample_width=4, seed=0),
    "measure_saturation queries": lambda n: measure_saturation([4], queries=n, keys=2, sample_width=4, seed=0),
    "measure_saturation seed": lambda n: measure_saturation([4], queries=2, keys=2, sample_width=4, seed=n),
    "WorkedExample d_model": lambda n: WorkedExample(("a",), d_model=n, n_heads=1),
    "WorkedExample n_heads": lambda n: WorkedExample(("a",), n_heads=n),
    "WorkedExample seed": lambda n: WorkedExample(("a",), seed=n),
    "named array index": lambda n: NamedArray([1.0, 2.0, 3.0], "x", ("item",))[n],
}  # fmt: skip


NOT_WHOLE = (2.5, 2.0, True, np.True_, "2", None, Fraction(2), math.nan, [2])
# As many keys as queries; a list of one column more.
MEANT = (("causal_mask n_keys", None), ("sink", [2]))


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in COUNTS for value in NOT_WHOLE if (name, value) not in MEANT]
)
def test_where_something_is_counted_only_whole_numbers_are_accepted(name: str, value: Any) -> None:
    refused(lambda: COUNTS[name](value), TypeError)


@pytest.mark.parametrize("name", COUNTS)
def test_a_count_may_be_any_integer_type(name: str) -> None:
    """Two, however it is spelled; positions and axes are 0 here, as there are few of them."""
    value = 0 if name in ("softmax axis",) else 2
    for spelled in (value, np.int8(value), np.uint64(value), np.array(value)):
        COUNTS[name](spelled)


@given(st.integers(-(10**20), 10**20), st.integers(-5, 5))
def test_counts_are_python_integers_of_at_least_the_least(value: int, least: int) -> None:
    if value >= least:
        assert count(value, "n", least=least) == whole(value, "n") == value
    else:
        refused(lambda: count(value, "n", least=least), ValueError, f"n must be at least {least}, got {value}")


def test_small_integer_types_do_not_wrap() -> None:
    small: Any = np.int32(60_000)
    assert cost.attention_parameters(small, np.int8(8)) == 4 * 60_000**2  # type: ignore[arg-type]
    assert cost.recurrent_parameters(small) == 2 * 60_000**2
    assert cost.projection_multiplications(small, small) == 4 * 60_000**3


# --- Real numbers -----------------------------------------------------------------------------------------------------

REALS: dict[str, Callable[[Any], Any]] = {
    "shift_matrix": lambda x: position.shift_matrix(4, x),
    "clock_hands": lambda x: position.clock_hands(x, 4),
    "sinusoidal_at": lambda x: position.sinusoidal_at([0.5, x], 4),
    "layer_norm eps": lambda x: layers.layer_norm(X, eps=x),
    "elman rate": lambda x: recurrence.elman([[1.0]], [[1.0]], [[1.0]], [0.0], illustrated_rate=x),
    "recurrent_draws scale": lambda x: recurrence.recurrent_draws(3, 2, [x], [0]),
    "encoding_map span": lambda x: encoding.encoding_map(3, 4, [x]),
}


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "1", None, 1j, [0.5]], ids=repr)
@pytest.mark.parametrize("name", REALS)
def test_where_a_number_is_wanted_only_finite_real_ones_are_accepted(name: str, value: Any) -> None:
    refused(lambda: REALS[name](value), (TypeError, ValueError))


def test_a_truth_value_is_no_number() -> None:
    for name in (
        "shift_matrix",
        "clock_hands",
        "layer_norm eps",
        "elman rate",
        "recurrent_draws scale",
        "encoding_map span",
    ):
        refused(lambda name=name: REALS[name](True), TypeError)  # type: ignore[misc]
    assert real(np.float32(0.5), "x") == 0.5 and real(2, "x") == 2.0


# --- Arrays -----------------------------------------------------------------------------------------------------------

ARRAYS: dict[str, tuple[np.ndarray, Callable[[Any], Any]]] = {
    "attend q": (X, lambda a: attend(a, X, X)),
    "attend k": (X, lambda a: attend(X, a, X)),
    "attend v": (X, lambda a: attend(X, X, a)),
    "definition q": (X, lambda a: scaled_dot_product_attention(a, X, X)),
    "definition v": (X, lambda a: scaled_dot_product_attention(X, X, a)),
    "heads x": (X, lambda a: multi_head_attention(a, EYE, EYE, EYE, EYE, n_heads=2)),
    "heads w_o": (EYE, lambda a: multi_head_attention(X, EYE, EYE, EYE, a, n_heads=2)),
    "layer x": (X, LAYER),
    "layer w_q": (EYE, lambda a: MultiHeadAttention(a, EYE, EYE, EYE, n_heads=2)),
    "layer w_k": (EYE, lambda a: MultiHeadAttention(EYE, a, EYE, EYE, n_heads=2)),
    "layer w_v": (EYE, lambda a: MultiHeadAttention(EYE, EYE, a, EYE, n_heads=2)),
    "layer w_o": (EYE, lambda a: MultiHeadAttention(EYE, EYE, EYE, a, n_heads=2)),
    "layer b_o": (X[0], lambda a: MultiHeadAttention(EYE, EYE, EYE, EYE, n_heads=2, b_o=a)),
    "relu": (X, layers.relu),
    "gelu": (X, layers.gelu),
    "layer_norm x": (X, layers.layer_norm),
    "layer_norm gain": (X[0], lambda a: layers.layer_norm(X, a)),
    "layer_norm bias": (X[0], lambda a: layers.layer_norm(X, None, a)),
    "feed_forward x": (X, lambda a: layers.feed_forward(a, EYE, EYE)),
    "feed_forward w_1": (EYE, lambda a: layers.feed_forward(X, a, EYE)),
    "feed_forward w_2": (EYE, lambda a: layers.feed_forward(X, EYE, a)),
    "feed_forward b_1": (X[0], lambda a: layers.feed_forward(X, EYE, EYE, b_1=a)),
    "feed_forward b_2": (X[0], lambda a: layers.feed_forward(X, EYE, EYE, b_2=a)),
    "encoder_layer x": (X, lambda a: layers.encoder_layer(a, LAYER, EYE, EYE)),
    "encoder_layer gain": (X[0], lambda a: layers.encoder_layer(X, LAYER, EYE, EYE, gains=(a, None))),
    "mlp x": (X[0], lambda a: layers.mlp(a, [(EYE, X[0])])),
    "mlp w": (EYE, lambda a: layers.mlp(X[0], [(a, X[0])])),
    "mlp b": (X[0], lambda a: layers.mlp(X[0], [(EYE, a)])),
    "elman x": (X, lambda a: recurrence.elman(a, EYE, EYE, X[0])),
    "elman w_x": (EYE, lambda a: recurrence.elman(X, a, EYE, X[0])),
    "elman w_h": (EYE, lambda a: recurrence.elman(X, EYE, a, X[0])),
    "elman b": (X[0], lambda a: recurrence.elman(X, EYE, EYE, a)),
    "add_positions": (X, lambda a: encoding.add_positions(a, list("abc"))),
    "order x": (X, lambda a: order.order_experiment(LAYER, a, X, [2, 1, 0])),
    "order positions": (X, lambda a: order.order_experiment(LAYER, X, a, [2, 1, 0])),
    "positional": (WEIGHTS, lambda a: roles.positional(a, -1)),
    "sink": (WEIGHTS, lambda a: roles.sink(a, [0])),
    "entropy": (WEIGHTS, roles.entropy),
    "jensen_shannon": (WEIGHTS, lambda a: roles.jensen_shannon(a, WEIGHTS)),
    "rarity ranks": (np.array([1.0, 2, 3]), lambda a: roles.rarity(WEIGHTS, a)),
    "ranks": (X, roles.ranks),
    "spearman a": (X, lambda a: roles.spearman(a, X)),
    "spearman b": (X, lambda a: roles.spearman(X, a)),
}  # fmt: skip


OPTIONAL = (
    "layer b_o",
    "layer_norm gain",
    "layer_norm bias",
    "feed_forward b_1",
    "feed_forward b_2",
    "encoder_layer gain",
)
# Of nothing there is nothing to compute: values without features, and what is done to each number on its own.
MAY_BE_EMPTY = ("attend v", "definition v", "relu", "gelu", "ranks")


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf], ids=repr)
@pytest.mark.parametrize("name", ARRAYS)
def test_numbers_that_are_not_finite_are_refused_wherever_they_stand(name: str, bad: float) -> None:
    good, call = ARRAYS[name]
    call(good)
    for place in (0, good.size // 2, good.size - 1):
        spoilt = good.copy()
        spoilt.flat[place] = bad
        refused(lambda spoilt=spoilt: call(spoilt), ValueError)  # type: ignore[misc]


@pytest.mark.parametrize("name", ARRAYS)
def test_what_holds_no_numbers_is_refused(name: str) -> None:
    good, call = ARRAYS[name]
    for wrong in (good.astype(str), good.astype(complex), good.astype(object)):
        refused(lambda wrong=wrong: call(wrong), TypeError)  # type: ignore[misc]
    refused(lambda: call([[1.0, 2.0], [3.0]]), ValueError)
    if name not in OPTIONAL:
        refused(lambda: call(None), (TypeError, ValueError))
    if name not in MAY_BE_EMPTY:
        refused(lambda: call(good[..., :0]), ValueError)


@pytest.mark.parametrize("size", [1e200, 1e308])
@pytest.mark.parametrize("name", ARRAYS)
def test_large_numbers_give_finite_results_or_are_refused_without_a_warning(name: str, size: float) -> None:
    good, call = ARRAYS[name]
    large = np.where(np.indices(good.shape).sum(axis=0) % 2 == 0, size, -size)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            found = call(large)
        except ValueError as problem:
            assert "\n" not in str(problem)
            return
    for values in [found] if isinstance(found, np.ndarray) else [a.values for a in named_arrays(found)]:
        assert np.isfinite(values).all()


@pytest.mark.parametrize("name", [n for n in ARRAYS if not n.startswith(("positional", "sink", "entropy", "jensen"))])
def test_tiny_numbers_give_finite_results_without_a_warning(name: str) -> None:
    good, call = ARRAYS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = call(np.where(np.indices(good.shape).sum(axis=0) % 2 == 0, 1e-300, -1e-300))
    values = [found] if isinstance(found, np.ndarray) else [a.values for a in named_arrays(found)]
    assert all(np.isfinite(part).all() for part in values) or not (is_dataclass(found) and fields(found))


@pytest.mark.parametrize(
    "call",
    [
        lambda: attend(np.ones((2, 3, 4)), np.ones((3, 3, 4)), np.ones((3, 4))),
        lambda: attend(np.ones((3, 4)), np.ones((2, 3, 4)), np.ones((3, 3, 4))),
        lambda: attend(np.ones((2, 3, 4)), np.ones((3, 4)), np.ones((3, 3, 4))),
        lambda: scaled_dot_product_attention(np.ones((2, 3, 4)), np.ones((3, 4)), np.ones((3, 3, 4))),
        lambda: roles.jensen_shannon(np.full((2, 3, 3), 1 / 3), np.full((3, 3, 3), 1 / 3)),
        lambda: roles.spearman(np.ones((2, 4)), np.ones((3, 4))),
        lambda: leading_axes(1, a=np.ones((2, 4)), b=np.ones((3, 1))),
    ],
)
def test_batches_that_do_not_fit_are_named(call: Callable[[], Any]) -> None:
    refused(call, ValueError, r"leading axes do not fit each other: \w+ \(")


def test_traces_of_a_batch_are_refused_where_a_sentence_is_wanted() -> None:
    trace = LAYER(np.stack([X, X]))
    for call in (
        lambda: comparisons.bottleneck(trace, 0),
        lambda: comparisons.diagonal(trace),
        lambda: comparisons.arrows(trace.heads[0]),
        lambda: roles.ablation(trace),
    ):
        refused(call, ValueError, "trace of one sentence")


@pytest.mark.parametrize("words", ["cat", (1, 2, 3), (b"cat",), ("cat", None)])
def test_words_are_a_sequence_of_words(words: Any) -> None:
    refused(lambda: WorkedExample(words), TypeError, "words must be a sequence of words")
    refused(lambda: encoding.add_positions(X, words), TypeError, "words must be a sequence of words")


def test_as_float_and_as_finite() -> None:
    assert as_float([1, 2], "x").dtype == as_float(np.float16(2), "x").dtype == np.float64
    assert as_float(np.array([1], dtype=np.float32), "x").dtype == np.float32
    assert as_finite([[True, False]], "x").tolist() == [[1.0, 0.0]]
    refused(lambda: as_float([[1], [2, 3]], "x"), ValueError, "x must be an array, but its rows differ in length")


# --- Numbers that were wrong ------------------------------------------------------------------------------------------


def test_layer_norm_of_numbers_whose_squares_overflow() -> None:
    refused(lambda: layers.layer_norm([[1e200, -1e200]]), ValueError, "the variance of x is too large for float64")
    refused(lambda: layers.layer_norm([[1e308, 1e308]]), ValueError, "the mean of x is too large for float64")
    refused(lambda: layers.layer_norm(np.array([[1e30, -1e30]], dtype=np.float32)), ValueError, "too large for float32")
    np.testing.assert_allclose(layers.layer_norm([[1e150, -1e150]]).output.values, [[1, -1]])


@relaxed
@given(value=st.floats(-1e100, 1e100), size=st.integers(1, 40))
def test_equal_features_have_no_variance_whatever_they_are(value: float, size: int) -> None:
    """The mean of equal numbers is rounded: 0.1, 0.1, 0.1 came out as -1."""
    x = np.full((1, size), value)
    refused(lambda: layers.layer_norm(x, eps=0), ValueError, "has no variance: give an eps above 0")
    assert not layers.layer_norm(x).output.values.any()


@relaxed
@given(arrays(np.float64, (2, 5), elements=st.floats(-1e6, 1e6)))
def test_normalised_tokens_have_mean_0_and_variance_1_also_far_from_0(x: np.ndarray) -> None:
    trace = layers.layer_norm(x + np.array([[0.0, 1, 2, 3, 4]]) + 1e9, eps=0)
    np.testing.assert_allclose(trace.normalised.values.mean(axis=-1), 0, atol=1e-15)
    np.testing.assert_allclose(trace.normalised.values.var(axis=-1), 1, rtol=1e-12)


def test_a_saturated_first_state_is_refused_and_a_nearly_saturated_one_is_not() -> None:
    refused(lambda: recurrence.elman([[500.0]], [[1.0]], [[1.0]], [0.0]), ValueError, "first state is saturated")
    # tanh(30) is 1 in float64, but its slope is 4 exp(-60).
    trace = recurrence.elman([[30.0], [0.0]], [[1.0]], [[1e-3]], [0.0])
    np.testing.assert_allclose(trace.sensitivity.values[0], 4 * math.exp(-60), rtol=1e-12)
    np.testing.assert_allclose(trace.share.values, [1, 1e-3 / math.cosh(1e-3) ** 2], rtol=1e-12)


def test_what_many_steps_leave_is_not_lost() -> None:
    """A rate of 0.1 over 1,000 steps leaves 1e-1000, which no float64 holds; the rate is known all the same."""
    trace = recurrence.elman(np.zeros((1001, 1)), [[1.0]], [[0.1]], [0.0])
    assert trace.last_share.entry().value == 0 and trace.rate.entry().value == pytest.approx(0.1, rel=1e-12)


def test_arrows_of_very_long_and_very_short_vectors() -> None:
    q, k = np.array([[3e200, 4e200]]), np.array([[4e-200, -3e-200], [3e-200, 4e-200]])
    trace = comparisons.arrows(attend(q, k, [[0.0], [0.0]]))
    np.testing.assert_allclose(trace.cosines.values, [1, 0, 0], atol=1e-15)
    assert trace.query_length.entry().value == pytest.approx(5e200)


def test_an_output_of_zeros_measures_nothing() -> None:
    silent = MultiHeadAttention(EYE, EYE, EYE, 0 * EYE, n_heads=2)
    refused(lambda: roles.ablation(silent(X)), ValueError, "the output is all zeros")


@relaxed
@given(seed=st.integers(0, 2**32 - 1), size=st.integers(2, 12))
def test_ties_are_broken_by_place_whatever_rounding_does(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.choice([0.1, 0.2, 0.3], size=size)
    noisy = values * (1 + rng.uniform(-1e-12, 1e-12, size=size))
    assert first_largest(noisy) == values.argmax() and first_smallest(noisy) == values.argmin()


@relaxed
@given(arrays(np.float64, (3, 4), elements=st.floats(-1e3, 1e3, width=16)), st.integers(-900, 900))
def test_lengths_do_not_overflow(vectors: np.ndarray, power: int) -> None:
    expected = np.ldexp(np.array([math.hypot(*row) for row in vectors]), power)
    np.testing.assert_allclose(lengths(np.ldexp(vectors, power)), expected, rtol=1e-14)
