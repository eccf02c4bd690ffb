"""Attention against three independent accounts of it: paper, plain loops, and PyTorch; then its properties."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import FrozenInstanceError, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mathcore.attention import (
    AttentionTrace,
    MultiHeadAttention,
    MultiHeadTrace,
    attend,
    causal_mask,
    merge_heads,
    multi_head_attention,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from mathcore.named import named_arrays

REFERENCE = Path(__file__).resolve().parent / "reference" / "attention.npz"
TOLERANCE = 1e-12

Floats = NDArray[np.float64]
Rows = list[list[float]]

relaxed = settings(deadline=None, max_examples=60, derandomize=True)
seeds = st.integers(0, 2**32 - 1)


# --- Comparing stage by stage -----------------------------------------------------------------------------------------


def stages(trace: AttentionTrace | MultiHeadTrace) -> dict[str, Any]:
    """Every intermediate of a trace by its path, in the order in which they are computed."""
    return {array.path: array.values for array in named_arrays(trace)}


def assert_same_stages(actual: Mapping[str, Any], expected: Mapping[str, Any], tolerance: float = TOLERANCE) -> None:
    """Fails at the FIRST stage that differs, and names it: what follows is only its consequence."""
    assert expected
    for stage, want in expected.items():
        got, wanted = np.asarray(actual[stage], dtype=float), np.asarray(want, dtype=float)
        assert got.shape == wanted.shape, f"stage {stage!r} has shape {got.shape}, expected {wanted.shape}"
        error = np.abs(got - wanted)
        # Written so that NaN fails.
        if not (error <= tolerance).all():
            worst = np.unravel_index(int(np.nan_to_num(error, nan=np.inf).argmax()), error.shape)
            place = [int(i) for i in worst]
            pytest.fail(f"stage {stage!r} diverged first: at {place} got {got[worst]!r}, expected {wanted[worst]!r}")


@pytest.mark.parametrize("stage", ["q", "scores", "scaled", "weights", "output"])
def test_a_divergence_is_named_by_its_first_stage(stage: str) -> None:
    trace = stages(attend([[1.0, 2.0]], [[0.5, 1.0], [2.0, 0.0]], [[1.0], [3.0]]))
    order = list(trace)
    broken = {name: values + (1e-9 if order.index(name) >= order.index(stage) else 0) for name, values in trace.items()}
    with pytest.raises(pytest.fail.Exception, match=f"stage '{stage}' diverged first"):
        assert_same_stages(broken, trace)


def test_a_nan_is_a_divergence() -> None:
    with pytest.raises(pytest.fail.Exception, match="stage 'output' diverged first: at \\[1\\]"):
        assert_same_stages({"output": [1.0, math.nan]}, {"output": [1.0, 2.0]})


# --- On paper ---------------------------------------------------------------------------------------------------------


def test_two_tokens_on_paper() -> None:
    """Two queries, two keys, width 2; with L3 = ln 3, L4 = ln 4 and r = sqrt 2.

    Q = [r L3, -r L3]   K = [1, 0]   V = [4,  0]
        [0,     r L4]       [1, 1]       [0, 20]

    Q K^T:     row 0: r L3 * 1 - r L3 * 0 = r L3,   r L3 - r L3 = 0
               row 1: 0,                            0 + r L4    = r L4
    / sqrt 2:  [L3, 0], [0, L4]
    softmax:   e^L3 = 3 and e^0 = 1 give [3/4, 1/4];   1 and 4 give [1/5, 4/5]
    weights V: [3/4 * 4, 1/4 * 20] = [3, 5];           [1/5 * 4, 4/5 * 20] = [0.8, 16]
    """
    r, l3, l4 = math.sqrt(2), math.log(3), math.log(4)
    trace = attend([[r * l3, -r * l3], [0, r * l4]], [[1, 0], [1, 1]], [[4, 0], [0, 20]])
    expected = {
        "scores": [[r * l3, 0], [0, r * l4]],
        "scaled": [[l3, 0], [0, l4]],
        "weights": [[3 / 4, 1 / 4], [1 / 5, 4 / 5]],
        "output": [[3, 5], [0.8, 16]],
    }
    assert_same_stages(stages(trace), expected, 1e-14)


def test_two_tokens_on_paper_behind_a_causal_mask() -> None:
    """As above, but token 0 sees only itself: weights [1, 0], output V[0]. Token 1 sees both, so nothing changes."""
    r, l3, l4 = math.sqrt(2), math.log(3), math.log(4)
    q, k, v = [[r * l3, -r * l3], [0, r * l4]], [[1, 0], [1, 1]], [[4, 0], [0, 20]]
    trace = attend(q, k, v, allowed=causal_mask(2))
    assert_same_stages(stages(trace), {"weights": [[1, 0], [1 / 5, 4 / 5]], "output": [[4, 0], [0.8, 16]]}, 1e-14)
    assert trace.weights.values[0, 1] == 0


def test_two_heads_on_paper() -> None:
    """Two tokens, d_model 2, two heads of width 1 (sqrt 1 = 1: scaling changes nothing). X = I, so Q = W_Q and so on.

    W_Q = [ln 2, 0]   W_K = I   W_V = [3, 0]   W_O = [1, 2]
          [0, ln 3]                   [0, 4]         [0, 1]

    Head 0 has column 0: q = (ln 2, 0), k = (1, 0), v = (3, 0).
        q k^T = [ln 2, 0], [0, 0];  weights [2/3, 1/3], [1/2, 1/2];  output 2 and 1.5
    Head 1 has column 1: q = (0, ln 3), k = (0, 1), v = (0, 4).
        q k^T = [0, 0], [0, ln 3];  weights [1/2, 1/2], [1/4, 3/4];  output 2 and 3
    Concat [2, 2], [1.5, 3].  Times W_O: [2, 2*2 + 2] = [2, 6];  [1.5, 1.5*2 + 3] = [1.5, 6]
    """
    l2, l3 = math.log(2), math.log(3)
    eye = [[1, 0], [0, 1]]
    trace = MultiHeadAttention([[l2, 0], [0, l3]], eye, [[3, 0], [0, 4]], [[1, 2], [0, 1]], n_heads=2)(eye)
    expected = {
        "q": [[l2, 0], [0, l3]],
        "k": eye,
        "v": [[3, 0], [0, 4]],
        "heads[0].q": [[l2], [0]],
        "heads[0].scores": [[l2, 0], [0, 0]],
        "heads[0].scaled": [[l2, 0], [0, 0]],
        "heads[0].weights": [[2 / 3, 1 / 3], [1 / 2, 1 / 2]],
        "heads[0].output": [[2], [1.5]],
        "heads[1].q": [[0], [l3]],
        "heads[1].scores": [[0, 0], [0, l3]],
        "heads[1].scaled": [[0, 0], [0, l3]],
        "heads[1].weights": [[1 / 2, 1 / 2], [1 / 4, 3 / 4]],
        "heads[1].output": [[2], [3]],
        "concat": [[2, 2], [1.5, 3]],
        "output": [[2, 6], [1.5, 6]],
    }
    assert_same_stages(stages(trace), expected, 1e-14)


def test_softmax_on_paper() -> None:
    """e^0, e^ln2, e^ln5 are 1, 2, 5: eighths."""
    np.testing.assert_allclose(softmax([0, math.log(2), math.log(5)]), [1 / 8, 2 / 8, 5 / 8], rtol=1e-15)
    np.testing.assert_allclose(softmax([[0, math.log(3)], [math.log(3), 0]], axis=0), [[1 / 4, 3 / 4], [3 / 4, 1 / 4]])


def test_causal_masks_written_out() -> None:
    t, f = True, False
    assert causal_mask(3).tolist() == [[t, f, f], [t, t, f], [t, t, t]]
    # Two new queries after two cached keys: the last query still sees everything.
    assert causal_mask(2, 4).tolist() == [[t, t, t, f], [t, t, t, t]]
    assert causal_mask(1, 3).tolist() == [[t, t, t]]
    assert causal_mask(1).tolist() == [[t]]
    assert causal_mask(3).dtype == np.bool_


# --- Plain loops ------------------------------------------------------------------------------------------------------


def loop_product(a: Rows, b: Rows) -> Rows:
    return [[sum(a[i][t] * b[t][j] for t in range(len(b))) for j in range(len(b[0]))] for i in range(len(a))]


def loop_attend(q: Rows, k: Rows, v: Rows, allowed: list[list[bool]] | None) -> dict[str, Rows]:
    """Attention as the formula reads, one number at a time."""
    n, m, d = len(q), len(k), len(q[0])
    scores = [[0.0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            for t in range(d):
                scores[i][j] += q[i][t] * k[j][t]
    scaled = [[score / d**0.5 for score in row] for row in scores]
    weights = [[0.0] * m for _ in range(n)]
    for i in range(n):
        seen = [j for j in range(m) if allowed is None or allowed[i][j]]
        total = sum(math.exp(scaled[i][j]) for j in seen)
        for j in seen:
            weights[i][j] = math.exp(scaled[i][j]) / total
    output = [[sum(weights[i][j] * v[j][t] for j in range(m)) for t in range(len(v[0]))] for i in range(n)]
    return {"q": q, "k": k, "v": v, "scores": scores, "scaled": scaled, "weights": weights, "output": output}


def loop_heads(
    x: Rows, w_q: Rows, w_k: Rows, w_v: Rows, w_o: Rows, n_heads: int, allowed: list[list[bool]] | None
) -> dict[str, Rows]:
    """Multi-head attention, one number at a time; head i has columns i * d_head up to (i + 1) * d_head."""
    d_head = len(x[0]) // n_heads
    q, k, v = loop_product(x, w_q), loop_product(x, w_k), loop_product(x, w_v)
    found = {"x": x, "w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o, "q": q, "k": k, "v": v}
    concat: Rows = [[] for _ in x]
    for h in range(n_heads):
        own_q, own_k, own_v = ([row[h * d_head : (h + 1) * d_head] for row in part] for part in (q, k, v))
        head = loop_attend(own_q, own_k, own_v, allowed)
        found |= {f"heads[{h}].{stage}": values for stage, values in head.items()}
        for row, part in zip(concat, head["output"], strict=True):
            row.extend(part)
    return found | {"concat": concat, "output": loop_product(concat, w_o)}


@dataclass(frozen=True)
class Case:
    """Sizes and the seed of a random attention; `mask` is how much of it is allowed."""

    n: int
    m: int
    d_head: int
    n_heads: int
    mask: str
    seed: int

    @property
    def rng(self) -> np.random.Generator:
        return np.random.default_rng(self.seed)

    def allowed(self, n: int, m: int) -> NDArray[np.bool_] | None:
        if self.mask == "none":
            return None
        if self.mask == "causal" and n <= m:
            return causal_mask(n, m)
        return np.random.default_rng([self.seed, 1]).random((n, m)) < 0.5  # some rows wholly blocked


cases = st.builds(
    Case,
    n=st.integers(1, 5),
    m=st.integers(1, 5),
    d_head=st.integers(1, 4),
    n_heads=st.integers(1, 4),
    mask=st.sampled_from(["none", "causal", "random"]),
    seed=seeds,
)


def drawn(case: Case) -> tuple[Floats, Floats, Floats]:
    """q (n, d), k (m, d), v (m, e)."""
    rng = case.rng
    return (
        rng.normal(size=(case.n, case.d_head)),
        rng.normal(size=(case.m, case.d_head)),
        rng.normal(size=(case.m, case.n_heads)),
    )


def drawn_heads(case: Case, batch: tuple[int, ...] = ()) -> tuple[MultiHeadAttention, Floats]:
    """A multi-head attention and its input (*batch, n, d_model)."""
    d_model = case.d_head * case.n_heads
    layer = MultiHeadAttention.from_seed(d_model, case.n_heads, case.seed)
    return layer, case.rng.normal(size=(*batch, case.n, d_model))


def listed(mask: NDArray[np.bool_] | None) -> list[list[bool]] | None:
    return None if mask is None else mask.tolist()


@relaxed
@given(cases)
def test_attend_equals_plain_loops(case: Case) -> None:
    q, k, v = drawn(case)
    allowed = case.allowed(case.n, case.m)
    trace = attend(q, k, v, allowed=allowed)
    expected = loop_attend(q.tolist(), k.tolist(), v.tolist(), listed(allowed))
    assert list(expected) == list(stages(trace))
    assert_same_stages(stages(trace), expected)


@relaxed
@given(cases)
def test_heads_equal_plain_loops(case: Case) -> None:
    layer, x = drawn_heads(case)
    allowed = case.allowed(case.n, case.n)
    trace = layer(x, allowed=allowed)
    matrices = (layer.w_q.tolist(), layer.w_k.tolist(), layer.w_v.tolist(), layer.w_o.tolist())
    expected = loop_heads(x.tolist(), *matrices, case.n_heads, listed(allowed))
    assert list(expected) == list(stages(trace))
    assert_same_stages(stages(trace), expected)


# --- PyTorch ----------------------------------------------------------------------------------------------------------

SINGLE = ("attend_plain", "attend_causal", "attend_row_blocked", "attend_batch")
MULTI = {"heads_plain": 2, "heads_causal": 3, "heads_padded": 4}


@cache
def reference() -> dict[str, NDArray[Any]]:
    with np.load(REFERENCE, allow_pickle=False) as stored:
        return {name: stored[name] for name in stored.files}


def reference_case(name: str) -> tuple[dict[str, Any], NDArray[np.bool_] | None]:
    found = {key.partition("/")[2]: values for key, values in reference().items() if key.startswith(f"{name}/")}
    return found, found.pop("allowed", None)


def test_every_stored_case_is_compared() -> None:
    assert {key.partition("/")[0] for key in reference()} == {*SINGLE, *MULTI}


@pytest.mark.parametrize("name", SINGLE)
def test_attend_equals_pytorch(name: str) -> None:
    expected, allowed = reference_case(name)
    trace = attend(expected["q"], expected["k"], expected["v"], allowed=allowed)
    assert list(expected) == list(stages(trace))
    assert_same_stages(stages(trace), expected)


@pytest.mark.parametrize("name", MULTI)
def test_heads_equal_pytorch(name: str) -> None:
    expected, allowed = reference_case(name)
    weights = (expected["w_q"], expected["w_k"], expected["w_v"], expected["w_o"])
    trace = MultiHeadAttention(*weights, n_heads=MULTI[name])(expected["x"], allowed=allowed)
    actual = stages(trace)
    # PyTorch keeps the heads in an axis of their own, before the tokens.
    for stage in ("scores", "scaled", "weights"):
        actual[stage] = np.stack([actual[f"heads[{i}].{stage}"] for i in range(MULTI[name])], axis=-3)
    assert_same_stages(actual, expected)


def test_the_reference_has_a_wholly_blocked_row_and_blocked_cells() -> None:
    """Otherwise the comparison would say nothing about masks."""
    assert not reference()["attend_row_blocked/allowed"][1].any()
    assert not reference()["attend_row_blocked/weights"][1].any()
    for name in ("attend_causal", "heads_causal", "heads_padded"):
        assert not reference()[f"{name}/allowed"].all()


# --- The definition ---------------------------------------------------------------------------------------------------


@relaxed
@given(cases, st.sampled_from([np.float64, np.float32]))
def test_attend_equals_the_definition(case: Case, dtype: type[np.floating[Any]]) -> None:
    q, k, v = (part.astype(dtype) for part in drawn(case))
    allowed = case.allowed(case.n, case.m)
    defined, trace = scaled_dot_product_attention(q, k, v, allowed=allowed), attend(q, k, v, allowed=allowed)
    assert defined.dtype == trace.output.values.dtype == dtype
    np.testing.assert_allclose(defined, trace.output.values, rtol=1e-12 if dtype == np.float64 else 1e-4, atol=1e-6)


@relaxed
@given(cases, st.lists(st.integers(1, 3), max_size=2).map(tuple))
def test_heads_equal_the_definition(case: Case, batch: tuple[int, ...]) -> None:
    layer, x = drawn_heads(case, batch)
    allowed = case.allowed(x.shape[-2], x.shape[-2])
    weights = (layer.w_q, layer.w_k, layer.w_v, layer.w_o)
    defined = multi_head_attention(x, *weights, n_heads=layer.n_heads, allowed=allowed)
    np.testing.assert_allclose(defined, layer(x, allowed=allowed).output.values, rtol=1e-12, atol=1e-13)


def test_the_definition_takes_what_attend_takes() -> None:
    """Keys shared by a batch, a row wholly blocked, NaN in a blocked key."""
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(2, 3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2))
    allowed = rng.random((3, 5)) < 0.6
    allowed[1], allowed[:, 4], k[4] = False, False, math.nan
    defined = scaled_dot_product_attention(q, k, v, allowed=allowed)
    np.testing.assert_allclose(defined, attend(q, k, v, allowed=allowed).output.values, rtol=1e-12)
    assert not defined[:, 1].any()


# --- Properties -------------------------------------------------------------------------------------------------------


@relaxed
@given(cases)
def test_allowed_rows_sum_to_one_and_weights_lie_between_zero_and_one(case: Case) -> None:
    allowed = case.allowed(case.n, case.m)
    weights = attend(*drawn(case), allowed=allowed).weights.values
    some = np.ones(case.n) if allowed is None else allowed.any(axis=-1).astype(float)
    np.testing.assert_allclose(weights.sum(axis=-1), some, atol=1e-15)
    assert ((weights >= 0) & (weights <= 1)).all()
    if allowed is not None:
        assert (weights[~allowed] == 0).all()
        assert (weights[allowed] > 0).all()


@relaxed
@given(cases)
def test_an_output_is_a_convex_mix_of_the_allowed_value_rows(case: Case) -> None:
    q, k, v = drawn(case)
    allowed = case.allowed(case.n, case.m)
    output = attend(q, k, v, allowed=allowed).output.values
    for i in range(case.n):
        seen = v if allowed is None else v[allowed[i]]
        if len(seen) == 0:
            assert (output[i] == 0).all()
            continue
        assert (output[i] >= seen.min(axis=0) - 1e-14).all()
        assert (output[i] <= seen.max(axis=0) + 1e-14).all()


@relaxed
@given(cases)
def test_a_blocked_key_might_as_well_not_exist(case: Case) -> None:
    """Blocking keys equals leaving them out, whatever stands in them."""
    q, k, v = drawn(case)
    keep = case.rng.random(case.m) < 0.5
    keep[0] = True
    k[~keep], v[~keep] = 1e6, -1e6
    masked = attend(q, k, v, allowed=np.broadcast_to(keep, (case.n, case.m)))
    short = attend(q, k[keep], v[keep])
    np.testing.assert_allclose(masked.weights.values[:, keep], short.weights.values, atol=1e-14)
    np.testing.assert_allclose(masked.output.values, short.output.values, atol=1e-13)


@relaxed
@given(cases, st.randoms(use_true_random=False))
def test_heads_follow_a_permutation_of_the_tokens(case: Case, random: Any) -> None:
    layer, x = drawn_heads(case)
    order = list(range(case.n))
    random.shuffle(order)
    plain, moved = layer(x), layer(x[order])
    np.testing.assert_allclose(moved.output.values, plain.output.values[order], atol=1e-13)
    for before, after in zip(plain.heads, moved.heads, strict=True):
        np.testing.assert_allclose(after.weights.values, before.weights.values[np.ix_(order, order)], atol=1e-13)


@relaxed
@given(cases)
def test_a_causal_output_ignores_what_comes_later(case: Case) -> None:
    layer, x = drawn_heads(case)
    mask = causal_mask(case.n)
    before = layer(x, allowed=mask).output.values
    for i in range(case.n):
        changed = x.copy()
        changed[i + 1 :] += 7.0
        np.testing.assert_allclose(layer(changed, allowed=mask).output.values[: i + 1], before[: i + 1], atol=1e-12)
        # It does see itself: otherwise the mask would be one off.
        assert layer(x, allowed=mask).heads[0].weights.values[i, i] > 0


@relaxed
@given(cases, st.randoms(use_true_random=False))
def test_heads_may_change_places_together_with_their_rows_of_w_o(case: Case, random: Any) -> None:
    layer, x = drawn_heads(case)
    order = list(range(case.n_heads))
    random.shuffle(order)
    columns = np.arange(case.n_heads * case.d_head).reshape(case.n_heads, case.d_head)[order].ravel()
    moved = MultiHeadAttention(
        layer.w_q[:, columns], layer.w_k[:, columns], layer.w_v[:, columns], layer.w_o[columns], n_heads=case.n_heads
    )
    np.testing.assert_allclose(moved(x).output.values, layer(x).output.values, atol=1e-13)


@relaxed
@given(cases, st.lists(st.integers(1, 3), max_size=2).map(tuple))
def test_leading_axes_give_the_same_as_one_by_one(case: Case, batch: tuple[int, ...]) -> None:
    layer, x = drawn_heads(case, batch)
    shared = case.allowed(case.n, case.n)
    together = layer(x, allowed=shared)
    own_masks = case.rng.random((*batch, case.n, case.n)) < 0.7
    apart = layer(x, allowed=own_masks)
    for place in np.ndindex(*batch):
        for trace, mask in ((together, shared), (apart, own_masks[place])):
            alone = stages(layer(x[place], allowed=mask))
            shaped = {
                path: values if path.startswith("w_") else values[place] for path, values in stages(trace).items()
            }
            assert_same_stages(shaped, alone)


@relaxed
@given(cases)
def test_keys_shared_by_a_batch_of_queries(case: Case) -> None:
    _, k, v = drawn(case)
    q = case.rng.normal(size=(2, case.n, case.d_head))
    together = attend(q, k, v)
    for i in range(2):
        np.testing.assert_allclose(together.output.values[i], attend(q[i], k, v).output.values, atol=1e-14)


@relaxed
@given(st.lists(st.integers(1, 3), max_size=2), st.integers(1, 5), st.integers(1, 4), st.integers(1, 4))
def test_split_and_merge_undo_each_other(batch: list[int], n: int, n_heads: int, d_head: int) -> None:
    x = np.arange(math.prod([*batch, n, n_heads, d_head])).reshape(*batch, n, n_heads * d_head)
    heads = split_heads(x, n_heads)
    assert heads.shape == (*batch, n_heads, n, d_head)
    for i in range(n_heads):
        assert (heads[..., i, :, :] == x[..., i * d_head : (i + 1) * d_head]).all()
    assert (merge_heads(heads) == x).all()
    assert (split_heads(merge_heads(heads), n_heads) == heads).all()


def test_a_bare_reshape_mixes_positions() -> None:
    """Token 0 holds 0..3 and token 1 holds 4..7: head 0 must get columns 0 and 1 of both, not all of token 0."""
    x = np.arange(8).reshape(2, 4)
    assert split_heads(x, 2).tolist() == [[[0, 1], [4, 5]], [[2, 3], [6, 7]]]
    assert x.reshape(2, 2, 2).tolist() == [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]


@relaxed
@given(st.lists(st.floats(-50, 50), min_size=1, max_size=8), st.floats(-1000, 1000))
def test_softmax_ignores_a_constant_and_survives_large_scores(scores: list[float], constant: float) -> None:
    plain = softmax(scores)
    np.testing.assert_allclose(softmax(np.array(scores) + constant), plain, atol=1e-12)
    exact = [math.exp(score) for score in scores]
    np.testing.assert_allclose(plain, [part / sum(exact) for part in exact], atol=1e-14)


@relaxed
@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4), seeds)
def test_softmax_over_any_axis(a: int, b: int, c: int, seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(a, b, c))
    for axis in (-3, -2, -1, 0, 1, 2):
        weights = softmax(scores, axis=axis)
        np.testing.assert_allclose(weights.sum(axis=axis), 1, atol=1e-15)
        np.testing.assert_allclose(weights, np.moveaxis(softmax(np.moveaxis(scores, axis, -1)), -1, axis), atol=1e-15)


# --- Traces -----------------------------------------------------------------------------------------------------------


def every_array(traces: Iterable[AttentionTrace | MultiHeadTrace]) -> list[str]:
    return [array.path for trace in traces for array in named_arrays(trace)]


def test_a_trace_names_every_stage() -> None:
    trace = MultiHeadAttention.from_seed(4, 2, 0)(np.eye(3, 4))
    own = ["q", "k", "v", "scores", "scaled", "weights", "output"]
    heads = [f"heads[{i}].{stage}" for i in range(2) for stage in own]
    assert every_array([trace]) == ["x", "w_q", "w_k", "w_v", "w_o", "q", "k", "v", *heads, "concat", "output"]
    for head in trace.heads:
        assert head.scores.axes == head.scaled.axes == head.weights.axes == ("query", "key")


def test_a_trace_cannot_be_changed() -> None:
    trace = attend([[1.0]], [[1.0]], [[1.0]])
    with pytest.raises(FrozenInstanceError):
        trace.q = trace.k  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        trace.weights.values[0, 0] = 2.0


def test_a_trace_does_not_follow_later_changes_of_its_inputs() -> None:
    x = np.ones((2, 4))
    layer = MultiHeadAttention.from_seed(4, 2, 0)
    trace = layer(x)
    before = {path: values.copy() for path, values in stages(trace).items()}
    x[:] = 9
    # The trace shares the layer's weights, which therefore nobody can change.
    with pytest.raises(ValueError, match="read-only"):
        layer.w_q[:] = 9
    assert_same_stages(stages(trace), before, 0)


def test_weights_from_a_seed_are_reproducible_and_scaled_to_the_width() -> None:
    one, same, other = (MultiHeadAttention.from_seed(64, 4, seed) for seed in (3, 3, 4))
    assert (one.w_q == same.w_q).all() and (one.w_o == same.w_o).all()
    assert not (one.w_q == other.w_q).any()
    for w in (one.w_q, one.w_k, one.w_v, one.w_o):
        assert np.abs(w).max() <= math.sqrt(3 / 64)
        assert w.var() == pytest.approx(1 / 64, rel=0.05)
    assert len({w.tobytes() for w in (one.w_q, one.w_k, one.w_v, one.w_o)}) == 4
