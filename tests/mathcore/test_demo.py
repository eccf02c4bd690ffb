"""The article's program: what is shown is what is run, and its two findings."""

import numpy as np
import pytest

from mathcore.attention import MultiHeadAttention, causal_mask
from mathcore.demo import CODE, MASK_CODE, MENDED_CODE, DemoTrace, run_demo


@pytest.fixture(scope="module")
def trace() -> DemoTrace:
    return run_demo()


def test_nine_lines_and_an_output_of_six_by_sixteen(trace: DemoTrace) -> None:
    assert len(trace.code) == 9 and trace.code == CODE
    assert CODE[0] == "self.W_Q = np.random.randn(d_model, h, self.d_k) * 0.01"
    assert trace.output.shape == (6, 16)
    values = (
        trace.w_q,
        trace.q,
        trace.k,
        trace.v,
        trace.scores,
        trace.weights,
        trace.context,
        trace.concat,
        trace.output,
    )
    for shape, value, line in zip(trace.shapes, values, trace.code, strict=True):
        assert tuple(shape.values) == value.shape
        assert value.formula == line


def test_the_numbers_are_those_of_the_article_s_seed(trace: DemoTrace) -> None:
    """np.random.seed(0), then X, W_Q, W_K, W_V, W_O in the article's order; the global generator is put back."""
    state = np.random.get_state()
    try:
        np.random.seed(0)
        x = np.random.randn(6, 16)
        w_q, w_k, w_v = (np.random.randn(16, 4, 4) * 0.01 for _ in range(3))
        w_o = np.random.randn(16, 16) * 0.01
    finally:
        np.random.set_state(state)
    for name, drawn in (("x", x), ("w_q", w_q), ("w_k", w_k), ("w_v", w_v), ("w_o", w_o)):
        np.testing.assert_array_equal(getattr(trace, name).values, drawn)


def test_it_computes_what_our_attention_does(trace: DemoTrace) -> None:
    w_q, w_k, w_v = (w.values.reshape(16, 16) for w in (trace.w_q, trace.w_k, trace.w_v))
    ours = MultiHeadAttention(w_q, w_k, w_v, trace.w_o, n_heads=4)
    plain, masked = ours(trace.x), ours(trace.x, allowed=causal_mask(6))
    np.testing.assert_allclose(trace.output.values, plain.output.values, atol=1e-15)
    for i in range(4):
        np.testing.assert_allclose(trace.weights.values[:, i], plain.heads[i].weights.values, atol=1e-15)
        np.testing.assert_allclose(trace.masked_weights.values[:, i], masked.heads[i].weights.values, atol=1e-15)


def test_finding_one_nothing_is_attended_yet(trace: DemoTrace) -> None:
    assert trace.uniform.entry().value == 1 / 6
    assert trace.departure.entry().value == np.abs(trace.weights.values - 1 / 6).max()
    assert 0 < trace.departure.entry().value < 0.002


def test_finding_two_a_mask_of_n_by_n_does_not_fit(trace: DemoTrace) -> None:
    assert trace.mask_code == MASK_CODE and trace.mended_code == MENDED_CODE
    assert "could not be broadcast" in trace.mask_error and "(6,4,6)" in trace.mask_error
    assert trace.blocked.entry().value == 0
    np.testing.assert_allclose(trace.masked_weights.values.sum(axis=-1), 1)


def test_finding_two_with_as_many_heads_as_words_the_mistake_is_silent() -> None:
    """Four heads, four words: `scores + mask` runs, and blocks heads instead of words."""
    scores, mask = np.zeros((4, 4, 4)), np.where(causal_mask(4), 0.0, -np.inf)
    space = {"scores": scores, "mask": mask}
    exec(MASK_CODE, space)
    assert np.isneginf(space["scores"][3, 0, 1])  # the last word may not see word 1, in head 0
    exec(MENDED_CODE, space | {"scores": scores})


def test_the_global_random_generator_is_neither_read_nor_moved() -> None:
    np.random.seed(1)
    before = np.random.get_state(legacy=False)
    first = run_demo()
    after = np.random.get_state(legacy=False)
    assert str(before) == str(after)
    np.random.seed(2)
    np.testing.assert_array_equal(run_demo().output.values, first.output.values)
