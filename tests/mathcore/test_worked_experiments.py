"""What the worked example shows of layers, order, cost and the rest: real, reachable, reproducible, and cheap."""

import itertools
from decimal import Decimal

import numpy as np
import pytest

from mathcore import experiments
from mathcore.attention import MultiHeadAttention, attend
from mathcore.example import WorkedExample, solution
from mathcore.example.illustrative import embedding
from mathcore.example.worked import CARDS, SOURCE
from mathcore.layers import encoder_layer
from mathcore.named import Entry, NamedArray, named_arrays, resolve
from mathcore.position import sinusoidal
from mathcore.rounding import MINUS

SENTENCE = ("The", "tired", "cat", "sat", "on", "the", "warm", "mat")
CHINESE = ("疲惫", "的", "猫", "坐", "在", "温暖", "的", "垫子", "上")
# With a word that has no trained row, so that a seed draws all parameters.
DRAWN = ("The", "tired", "walrus", "sat", "on", "the", "warm", "mat")
# What this file is about, and what of it depends on neither sentence nor seed.
FIXED = ("saturation", "parameters", "recurrence", "costs", "patterns", "encoding_map", "similarity", "demo")
OWN = (
    "mlp",
    "arrows",
    "bottleneck",
    "ablation",
    "order",
    "sentence_order",
    "seats",
    "encoder_layer",
    "applications",
    "diagonal",
)


@pytest.fixture(
    scope="module",
    params=[(SENTENCE, 25900), (CHINESE, 25900), (DRAWN, 25900), (("dog",), 0)],
    ids=["en", "zh", "drawn", "one word"],
)
def example(request: pytest.FixtureRequest) -> WorkedExample:
    words, seed = request.param
    return WorkedExample(words, d_model=8, n_heads=4, seed=seed)


def paper(entry: Entry, places: int) -> Decimal:
    """The digits that a film would show, as a number."""
    return Decimal(entry.text(places).replace(MINUS, "-"))


def exact(named: NamedArray, places: int) -> list[Decimal]:
    """Every value as a decimal, after checking that its digits end after `places`."""
    found = [paper(entry, places) for entry in named.entries()]
    assert found == [paper(entry, 12) for entry in named.entries()], named.path
    return found


# --- Reachable, covered, cheap ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FIXED + OWN)
def test_every_trace_is_listed_under_its_own_name(example: WorkedExample, name: str) -> None:
    listed = {array.path: array for array in example.arrays()}
    arrays = list(named_arrays(getattr(example, name)))
    assert arrays
    for array in arrays:
        assert array.path.startswith((f"{name}.", f"{name}["))
        assert listed[array.path] is array is resolve(example, array.path)
        assert not array.values.flags.writeable
        if array.values.dtype.kind == "f":
            assert np.isfinite(array.values).all(), array.path


@pytest.mark.parametrize("name", FIXED)
def test_experiments_do_not_depend_on_the_sentence_and_run_once(name: str) -> None:
    one, other = WorkedExample(("a", "b"), seed=1), WorkedExample(("c",), d_model=4, n_heads=2, seed=2)
    assert getattr(one, name) is getattr(other, name) is getattr(experiments, name)()


@pytest.mark.parametrize("name", OWN)
def test_the_others_do(name: str) -> None:
    def numbers(seed: int) -> list[bytes]:
        made = getattr(WorkedExample(DRAWN, seed=seed), name)
        return [array.values.tobytes() for array in named_arrays(made)]

    assert numbers(1) == numbers(1) != numbers(2)


@pytest.mark.parametrize(("d_model", "n_heads"), [(2, 1), (4, 1), (4, 4), (6, 3), (8, 1), (8, 2), (8, 8), (16, 4)])
@pytest.mark.parametrize("n", [1, 2, 12])
def test_every_size_works(d_model: int, n_heads: int, n: int) -> None:
    made = WorkedExample(tuple("abcdefghijkl")[:n], d_model=d_model, n_heads=n_heads, seed=3)
    for name in OWN:
        for array in named_arrays(getattr(made, name)):
            assert np.isfinite(array.values).all(), array.path
    assert made.seats.sums.shape == (n, d_model)
    assert made.encoder_layer.output.shape == (n, d_model)


@pytest.mark.parametrize("seed", [0, 25900, 2**32 - 1, *range(1, 12)])
def test_the_small_network_tells_two_stories(seed: int) -> None:
    one, other = WorkedExample(("a",), seed=seed).mlp
    assert [layer.w.shape for layer in one.layers] == [(4, 5), (5, 5), (5, 3)]
    for a, b in zip(one.layers, other.layers, strict=True):
        np.testing.assert_array_equal(a.w.values, b.w.values)
    for a, b in zip(one.layers[:-1], other.layers[:-1], strict=True):
        firing = [layer.activation.values > 0 for layer in (a, b)]
        assert (firing[0] != firing[1]).any()
        assert all(2 <= neurons.sum() <= 4 for neurons in firing)
    assert one.output.values.argmax() != other.output.values.argmax()


# --- Exact on paper ---------------------------------------------------------------------------------------------------


def test_the_small_network_is_exact_on_paper(example: WorkedExample) -> None:
    for trace in example.mlp:
        values = exact(trace.x, 1)
        assert all(0 <= value <= 1 for value in values)
        for depth, layer in enumerate(trace.layers):
            w, b = exact(layer.w, 1), exact(layer.b, 1)
            width = len(b)
            before = [sum((values[i] * w[i * width + j] for i in range(len(values))), b[j]) for j in range(width)]
            assert exact(layer.pre_activation, depth + 2) == before
            signals = [values[i] * w[i * width + j] for i in range(len(values)) for j in range(width)]
            assert exact(layer.signals, depth + 2) == signals
            if depth < 2:
                values = [max(value, Decimal(0)) for value in before]
                assert exact(layer.activation, depth + 2) == values


def test_the_encoder_layer_s_weights_have_one_decimal(example: WorkedExample) -> None:
    trace = example.encoder_layer
    for weights in (trace.feed_forward.w_1, trace.feed_forward.b_1, trace.feed_forward.w_2, trace.feed_forward.b_2):
        assert all(abs(value) <= Decimal("0.5") for value in exact(weights, 1))
    assert trace.feed_forward.w_1.shape == (8, 32)
    for norm in (trace.attention_norm, trace.feed_forward_norm):
        assert (norm.gain.values == 1).all() and not norm.bias.values.any()


def test_arrows_are_exact_on_paper(example: WorkedExample) -> None:
    trace = example.arrows
    q, k, products = exact(trace.q, 2), exact(trace.k, 2), exact(trace.products, 4)
    assert products == [a * b for a, b in zip(q * 3, k, strict=True)]
    assert exact(trace.dots, 4) == [sum(products[2 * i : 2 * i + 2]) for i in range(3)]


# --- Parts that must agree --------------------------------------------------------------------------------------------


def test_the_encoder_layer_starts_from_the_seated_words_with_the_example_s_own_heads(example: WorkedExample) -> None:
    trace, own = example.encoder_layer, example.attention
    np.testing.assert_array_equal(trace.x.values, example.seats.sums.values)
    np.testing.assert_array_equal(example.seats.embeddings.values, own.x.values)
    np.testing.assert_array_equal(trace.attention.w_q.values, own.w_q.values)
    ff, layer = trace.feed_forward, MultiHeadAttention(own.w_q, own.w_k, own.w_v, own.w_o, n_heads=4)
    again = encoder_layer(trace.x, layer, ff.w_1, ff.w_2, b_1=ff.b_1, b_2=ff.b_2)
    np.testing.assert_array_equal(again.output.values, trace.output.values)


def test_fact_01_and_02_in_the_example(example: WorkedExample) -> None:
    for trace in (example.order, example.sentence_order):
        for error in (trace.plain.weights_error, trace.plain.output_error, trace.plain.pooled_change):
            assert error.entry().value < 1e-13
        if len(trace.x) > 1:
            assert trace.plain.weights_change.entry().value > 0.01
            assert trace.positioned.pooled_change.entry().value > 0.01
            assert trace.causal.pooled_change.entry().value > 0.01


def test_the_cards_are_the_same_in_every_sentence_of_a_seed() -> None:
    for words, others, vectors in (
        (SENTENCE, CHINESE, solution.embeddings(CARDS, 8, 4)),
        (DRAWN, ("海象",), np.array([embedding(word, 8, 4) for word in CARDS])),
    ):
        one, other = WorkedExample(words, seed=4).order, WorkedExample(others, seed=4).order
        assert [array.values.tobytes() for array in named_arrays(one)] == [
            array.values.tobytes() for array in named_arrays(other)
        ]
        np.testing.assert_array_equal(one.x.values, vectors)
        assert one.order.values.tolist() == [2, 1, 0]


def test_fact_06_in_the_example(example: WorkedExample) -> None:
    trace = example.ablation
    assert trace.error.entry().value < 1e-14
    np.testing.assert_allclose(trace.together.values, example.attention.output.values, atol=1e-14)
    assert trace.relative_moves.shape == (4,) and (trace.relative_moves.values > 0).all()


def test_the_bottleneck_is_the_focus_word_s(example: WorkedExample) -> None:
    trace = example.bottleneck
    assert trace.query.entry().value == example.focus
    rows = [head.weights.values[example.focus] for head in example.heads]
    np.testing.assert_allclose(trace.average.values, sum(rows) / len(rows), atol=1e-15)


def test_applications_are_masks_and_shapes_of_head_0(example: WorkedExample) -> None:
    trace, head, n = example.applications, example.heads[0], len(example.words)
    np.testing.assert_allclose(trace.both_sides.weights.values, head.weights.values, atol=1e-15)
    assert trace.everything.values.all() and (np.tril(np.ones((n, n))) == trace.earlier.values).all()
    assert ((trace.causal.weights.values > 0) == trace.earlier.values).all()
    np.testing.assert_allclose(trace.causal.weights.values[-1], head.weights.values[-1], atol=1e-15)
    assert trace.translation.weights.shape == (len(CARDS), len(SOURCE)) == (3, 5)
    assert trace.picture.weights.shape == (n, 16)
    w_q, w_k, w_v = (w.values for w in example.head_weights)
    target, source = (
        solution.embeddings(words, 8, 4)
        if example.has_trained_parameters
        else np.array([embedding(word, 8, example.seed) for word in words])
        for words in (CARDS, SOURCE)
    )
    again = attend(target @ w_q, source @ w_k, source @ w_v)
    np.testing.assert_array_equal(again.output.values, trace.translation.output.values)


def test_fact_24_and_04_are_within_reach() -> None:
    made = WorkedExample(("a",))
    n = made.costs.n.values.tolist()
    for length, mixing, projections in ((512, 268_435_456, 536_870_912), (4096, 17_179_869_184, 4_294_967_296)):
        at = n.index(length)
        assert made.costs.mixing[at].value == mixing and made.costs.projections[at].value == projections  # type: ignore[union-attr]
    assert made.parameters.attention.entry().text(0, grouped=True) == "1,048,576"
    assert made.parameters.biased_attention.entry().text(0, grouped=True) == "1,050,624"


def test_positions_are_the_encoding(example: WorkedExample) -> None:
    np.testing.assert_array_equal(example.seats.positions.values, sinusoidal(len(example.words), 8))
    np.testing.assert_array_equal(example.order.positions.values, sinusoidal(3, 8))


def test_every_number_has_digits_to_show(example: WorkedExample) -> None:
    for name in FIXED + OWN:
        for array in named_arrays(getattr(example, name)):
            assert all(entry.text(2) for entry in itertools.islice(array.entries(), 20))
