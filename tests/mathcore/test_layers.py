"""Layer norm, feed-forward, encoder layer and the small network: on paper, against PyTorch, and their properties."""

import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mathcore.attention import MultiHeadAttention, causal_mask
from mathcore.layers import EncoderLayerTrace, encoder_layer, feed_forward, gelu, layer_norm, mlp, relu
from mathcore.named import named_arrays
from tests.mathcore.comparing import assert_same_stages, stages

REFERENCE = Path(__file__).resolve().parent / "reference" / "layers.npz"
ENCODERS = ("encoder_relu", "encoder_gelu", "encoder_causal", "encoder_padded")
NORMS = ("norm_plain", "norm_affine", "norm_batch", "norm_far")

relaxed = settings(deadline=None, max_examples=60)
seeds = st.integers(0, 2**32 - 1)


@cache
def reference(case: str) -> dict[str, Any]:
    with np.load(REFERENCE) as file:
        return {name.partition("/")[2]: file[name] for name in file.files if name.startswith(f"{case}/")}


def random_layer(seed: int, d: int = 8, h: int = 2, f: int = 12) -> dict[str, Any]:
    """Arguments of encoder_layer, x aside."""
    rng = np.random.default_rng(seed)
    return {
        "attention": MultiHeadAttention.from_seed(d, h, seed),
        "w_1": rng.normal(size=(d, f)),
        "w_2": rng.normal(size=(f, d)),
        "b_1": rng.normal(size=f),
        "b_2": rng.normal(size=d),
        "gains": (rng.normal(size=d), rng.normal(size=d)),
        "biases": (rng.normal(size=d), rng.normal(size=d)),
    }


# --- On paper ---------------------------------------------------------------------------------------------------------


def test_layer_norm_on_paper() -> None:
    """[1, 3]: mean 2, centred [-1, 1], variance 1; [5, -5]: mean 0, centred the same, variance 25.

    With eps 0, gain [2, 10], bias [0.5, 0]: normalised [-1, 1] and [1, -1]; output [-1.5, 10] and [2.5, -10].
    """
    trace = layer_norm([[1, 3], [5, -5]], [2, 10], [0.5, 0], eps=0)
    expected = {
        "mean": [2, 0],
        "centred": [[-1, 1], [5, -5]],
        "variance": [1, 25],
        "normalised": [[-1, 1], [1, -1]],
        "output": [[-1.5, 10], [2.5, -10]],
    }
    assert_same_stages(stages(trace), expected, 0)


def test_eps_is_added_under_the_root() -> None:
    """Variance 1, eps 3: divided by 2."""
    assert layer_norm([[1, 3]], eps=3).output.values.tolist() == [[-0.5, 0.5]]


def test_feed_forward_on_paper() -> None:
    """x = [1, 2], W_1 has columns (1, 1), (1, -1): x W_1 + [0.5, 0] = [3.5, -1]; ReLU [3.5, 0]; times [2, 7] + 1: 8."""
    trace = feed_forward([[1, 2]], [[1, 1], [1, -1]], [[2], [7]], b_1=[0.5, 0], b_2=[1])
    assert_same_stages(stages(trace), {"hidden": [[3.5, -1]], "activated": [[3.5, 0]], "output": [[8]]}, 0)


def test_feed_forward_without_biases_has_biases_of_zero() -> None:
    trace = feed_forward([[1, 2]], [[1, 1], [1, -1]], [[2], [7]])
    assert not trace.b_1.values.any() and not trace.b_2.values.any()
    assert trace.output.values.tolist() == [[6]]


def test_gelu_has_its_digits_everywhere() -> None:
    """x Phi(x), with Phi from published tables of the normal distribution, 13 digits or more."""
    table = {
        0.0: 0.5,
        1.0: 0.8413447460685429,
        -1.0: 0.15865525393145705,
        2.0: 0.9772498680518208,
        -5.0: 2.866515718791939e-07,
        -10.0: 7.619853024160526e-24,
        -30.0: 4.906713927148187e-198,
        40.0: 1.0,
    }
    found = gelu(list(table))
    for value, (x, phi) in zip(found, table.items(), strict=True):
        # Far below 0, the rounding of x / sqrt(2) alone costs x^2 units in the last place.
        assert value == pytest.approx(x * phi, rel=4e-16 * (1 + x * x), abs=0), x
    # The tanh approximation is off by 1e-4 and more.
    tanh = 0.5 * (1 + math.tanh(math.sqrt(2 / math.pi) * (1 + 0.044715)))
    assert abs(gelu([1.0])[0] - tanh) > 1e-4


def test_gelu_is_x_minus_its_mirror_image() -> None:
    x = np.linspace(-8, 8, 1001)
    np.testing.assert_allclose(gelu(x) - gelu(-x), x, atol=1e-15)


def test_relu_cuts_below_zero() -> None:
    assert relu([[-2.0, 0.0], [0.5, -0.1]]).tolist() == [[0, 0], [0.5, 0]]


def test_the_small_network_on_paper() -> None:
    """x [1, 2]. Layer 0: weights [[1, -1], [0.5, 1]], bias [0, -2]: [1 + 1, -1 + 2 - 2] = [2, -1], ReLU [2, 0].

    Layer 1: weights [[ln 3 / 2, 0], [5, 5]], no bias: [ln 3, 0], softmax [3/4, 1/4].
    """
    trace = mlp([1, 2], [([[1.0, -1.0], [0.5, 1.0]], [0, -2]), ([[math.log(3) / 2, 0.0], [5.0, 5.0]], [0, 0])])
    expected = {
        "layers[0].signals": [[1, -1], [1, 2]],
        "layers[0].pre_activation": [2, -1],
        "layers[0].activation": [2, 0],
        "layers[1].signals": [[math.log(3), 0], [0, 0]],
        "layers[1].pre_activation": [math.log(3), 0],
        "layers[1].activation": [0.75, 0.25],
    }
    assert_same_stages(stages(trace), expected, 1e-15)
    assert trace.output is trace.layers[1].activation


# --- PyTorch ----------------------------------------------------------------------------------------------------------


def test_gelu_agrees_with_pytorch() -> None:
    known = reference("gelu")
    np.testing.assert_allclose(gelu(known["x"]), known["output"], rtol=1e-15, atol=2e-15)


@pytest.mark.parametrize("case", NORMS)
def test_layer_norm_agrees_with_pytorch_at_every_stage(case: str) -> None:
    known = reference(case)
    trace = layer_norm(known["x"], known["gain"], known["bias"], eps=known["eps"].item())
    known = {stage: value for stage, value in known.items() if stage != "eps"}
    assert list(known) == list(stages(trace))
    assert_same_stages(stages(trace), known, 1e-12)


def reference_encoder(case: str, dtype: type = np.float64) -> tuple[EncoderLayerTrace, dict[str, Any]]:
    known = reference(case)
    k = {stage: value if value.dtype == bool else value.astype(dtype) for stage, value in known.items()}
    attention = MultiHeadAttention(
        *(k[f"attention.w_{name}"] for name in "qkvo"),
        n_heads=known["weights"].shape[-3],
        **{f"b_{name}": k[f"attention.b_{name}"] for name in "qkvo"},
    )
    trace = encoder_layer(
        k["x"],
        attention,
        k["feed_forward.w_1"],
        k["feed_forward.w_2"],
        b_1=k["feed_forward.b_1"],
        b_2=k["feed_forward.b_2"],
        gains=(k["attention_norm.gain"], k["feed_forward_norm.gain"]),
        biases=(k["attention_norm.bias"], k["feed_forward_norm.bias"]),
        activation="gelu" if case in ("encoder_gelu", "encoder_padded") else "relu",
        eps=known["eps"].item(),
        allowed=k.get("allowed"),
    )
    return trace, known


@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float64, 1e-12), (np.float32, 2e-5)])
@pytest.mark.parametrize("case", ENCODERS)
def test_the_encoder_layer_agrees_with_pytorch_at_every_stage(case: str, dtype: type, tolerance: float) -> None:
    trace, known = reference_encoder(case, dtype)
    found = stages(trace)
    found["weights"] = np.stack([head.weights.values for head in trace.attention.heads], axis=-3)
    compared = {stage: value for stage, value in known.items() if stage not in ("eps", "allowed")}
    assert len(compared) == 29
    assert_same_stages(found, compared, tolerance)


def test_a_wrong_stage_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison itself: with another activation, the first stage that differs is the activated one."""
    trace, known = reference_encoder("encoder_relu")
    found = stages(trace)
    wrong = encoder_layer(
        trace.x,
        MultiHeadAttention(
            *(known[f"attention.w_{name}"] for name in "qkvo"),
            n_heads=2,
            **{f"b_{name}": known[f"attention.b_{name}"] for name in "qkvo"},
        ),
        known["feed_forward.w_1"],
        known["feed_forward.w_2"],
        b_1=known["feed_forward.b_1"],
        b_2=known["feed_forward.b_2"],
        gains=(known["attention_norm.gain"], known["feed_forward_norm.gain"]),
        biases=(known["attention_norm.bias"], known["feed_forward_norm.bias"]),
        activation="gelu",
        eps=1e-5,
    )
    with pytest.raises(pytest.fail.Exception, match=r"stage 'feed_forward\.activated' diverged first"):
        assert_same_stages(stages(wrong), found, 1e-12)


# --- Properties -------------------------------------------------------------------------------------------------------


@relaxed
@given(seed=seeds, n=st.integers(1, 5), d=st.integers(2, 9), shift=st.floats(-100, 100), scale=st.floats(0.1, 100))
def test_layer_norm_forgets_shift_and_scale(seed: int, n: int, d: int, shift: float, scale: float) -> None:
    x = np.random.default_rng(seed).normal(size=(n, d))
    plain, moved = layer_norm(x, eps=0), layer_norm(scale * x + shift, eps=0)
    np.testing.assert_allclose(moved.output.values, plain.output.values, atol=1e-6)
    np.testing.assert_allclose(plain.output.values.mean(axis=-1), 0, atol=1e-12)
    np.testing.assert_allclose(plain.output.values.std(axis=-1), 1, atol=1e-12)


@relaxed
@given(seed=seeds, n=st.integers(2, 6))
def test_feed_forward_treats_every_token_alike_and_alone(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    x, w_1, w_2 = rng.normal(size=(n, 4)), rng.normal(size=(4, 7)), rng.normal(size=(7, 3))
    whole = feed_forward(x, w_1, w_2, activation="gelu").output.values
    for i in range(n):
        np.testing.assert_allclose(feed_forward(x[i : i + 1], w_1, w_2, activation="gelu").output.values, whole[[i]])


@relaxed
@given(seed=seeds, n=st.integers(1, 6))
def test_an_encoder_layer_is_equivariant(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    x, order = rng.normal(size=(n, 8)), rng.permutation(n)
    parts = random_layer(seed)
    plain, moved = encoder_layer(x, **parts), encoder_layer(x[order], **parts)
    np.testing.assert_allclose(moved.output.values, plain.output.values[order], atol=1e-10)


@relaxed
@given(seed=seeds, n=st.integers(2, 6))
def test_the_road_is_kept_and_every_stage_follows_from_the_one_before(seed: int, n: int) -> None:
    x = np.random.default_rng(seed).normal(size=(n, 8))
    trace = encoder_layer(x, **random_layer(seed))
    np.testing.assert_array_equal(trace.attention_sum.values, x + trace.attention.output.values)
    np.testing.assert_array_equal(trace.attention_norm.x.values, trace.attention_sum.values)
    np.testing.assert_array_equal(trace.feed_forward.x.values, trace.attention_norm.output.values)
    along = trace.feed_forward.x.values + trace.feed_forward.output.values
    np.testing.assert_array_equal(trace.feed_forward_sum.values, along)
    np.testing.assert_array_equal(trace.feed_forward_norm.x.values, along)
    assert trace.output is trace.feed_forward_norm.output


def test_a_causal_encoder_layer_does_not_look_ahead() -> None:
    x = np.random.default_rng(0).normal(size=(5, 8))
    changed = x.copy()
    changed[3:] += 1
    one, other = (encoder_layer(v, **random_layer(1), allowed=causal_mask(5)).output.values for v in (x, changed))
    np.testing.assert_array_equal(one[:3], other[:3])
    assert (one[3:] != other[3:]).all()


def test_a_batch_is_its_sentences_one_by_one() -> None:
    x = np.random.default_rng(0).normal(size=(2, 3, 4, 8))
    parts = random_layer(2)
    whole = encoder_layer(x, **parts)
    for place in np.ndindex(2, 3):
        np.testing.assert_allclose(
            whole.output.values[place], encoder_layer(x[place], **parts).output.values, atol=1e-13
        )


def test_float32_stays_float32_and_integers_become_float64() -> None:
    x = np.random.default_rng(0).normal(size=(3, 8)).astype(np.float32)
    parts = random_layer(0)
    weights: dict[str, Any] = {
        name: value.astype(np.float32) for name, value in parts.items() if isinstance(value, np.ndarray)
    }
    own = parts["attention"]
    narrow = MultiHeadAttention(*(w.astype(np.float32) for w in (own.w_q, own.w_k, own.w_v, own.w_o)), n_heads=2)
    gains, biases = (tuple(v.astype(np.float32) for v in parts[name]) for name in ("gains", "biases"))
    trace = encoder_layer(x, narrow, **weights, gains=gains, biases=biases, activation="gelu")
    assert {array.values.dtype for array in named_arrays(trace)} == {np.dtype(np.float32)}
    assert layer_norm(np.array([[1, 2]], dtype=np.uint8)).output.values.dtype == np.float64
    assert feed_forward([[200]], np.array([[200]], dtype=np.uint8), [[1]]).output.values.tolist() == [[40_000]]
    assert gelu(np.array([3.0], dtype=np.float16)).dtype == np.float64


def test_traces_cannot_be_changed() -> None:
    trace = encoder_layer(np.random.default_rng(0).normal(size=(3, 8)), **random_layer(0))
    for array in named_arrays(trace):
        with pytest.raises(ValueError, match="read-only"):
            array.values[...] = 0
    paths = [array.path for array in named_arrays(trace)]
    assert len(set(paths)) == len(paths)


# --- What is refused --------------------------------------------------------------------------------------------------

OK: NDArray[np.float64] = np.ones((2, 3))


def test_layer_norm_refuses() -> None:
    with pytest.raises(ValueError, match=r"x must be \(\.\.\., n, d\), got \(3,\)"):
        layer_norm(np.ones(3))
    with pytest.raises(ValueError, match=r"x must be"):
        layer_norm(np.ones((3, 0)))
    with pytest.raises(ValueError, match=r"gain must be \(3,\), got \(2,\)"):
        layer_norm(OK, np.ones(2))
    with pytest.raises(ValueError, match=r"bias must be \(3,\), got \(\)"):
        layer_norm(OK, None, 1.0)
    for eps in (-1e-9, math.nan, math.inf):
        with pytest.raises(ValueError, match="eps must be 0 or a positive number"):
            layer_norm(OK, eps=eps)
    with pytest.raises(ValueError, match="no variance: give an eps above 0"):
        layer_norm(OK, eps=0)
    assert not layer_norm(OK).output.values.any()
    for bad in (math.nan, math.inf):
        with pytest.raises(ValueError, match="x must be finite"):
            layer_norm([[1, bad]])


def test_feed_forward_refuses() -> None:
    with pytest.raises(ValueError, match=r"w_1 and w_2 must be \(d, f\) and \(f, e\), got \(3, 4\) and \(5, 3\)"):
        feed_forward(OK, np.ones((3, 4)), np.ones((5, 3)))
    with pytest.raises(ValueError, match=r"x must be \(\.\.\., n, 4\), got \(2, 3\)"):
        feed_forward(OK, np.ones((4, 4)), np.ones((4, 3)))
    with pytest.raises(ValueError, match=r"b_1 must be \(4,\)"):
        feed_forward(OK, np.ones((3, 4)), np.ones((4, 3)), b_1=np.ones(3))
    with pytest.raises(ValueError, match=r"b_2 must be \(3,\)"):
        feed_forward(OK, np.ones((3, 4)), np.ones((4, 3)), b_2=np.ones(4))
    with pytest.raises(ValueError, match="activation must be relu or gelu, got 'tanh'"):
        feed_forward(OK, np.ones((3, 4)), np.ones((4, 3)), activation="tanh")  # type: ignore[arg-type]


def test_encoder_layer_refuses_a_feed_forward_that_leads_elsewhere() -> None:
    with pytest.raises(ValueError, match="w_2 must lead back to 8 features, got 5"):
        encoder_layer(np.ones((2, 8)), MultiHeadAttention.from_seed(8, 2, 0), np.ones((8, 4)), np.ones((4, 5)))


def test_the_small_network_refuses() -> None:
    with pytest.raises(ValueError, match="at least one layer"):
        mlp([1.0], [])
    with pytest.raises(ValueError, match=r"layers\[1\] must be \(2, out\) and \(out,\), got \(3, 1\) and \(1,\)"):
        mlp([1.0], [([[1, 2]], [0, 0]), (np.ones((3, 1)), [0])])
    with pytest.raises(ValueError, match=r"layers\[0\] must be"):
        mlp([1.0], [([[1, 2]], [0])])
    with pytest.raises(ValueError, match="one finite vector"):
        mlp([[1.0]], [([[1]], [0])])
    with pytest.raises(ValueError, match="one finite vector"):
        mlp([math.nan], [([[1]], [0])])
