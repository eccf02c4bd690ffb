"""The worked example's model: gradients, agreement with the attention of the films, rounding, training."""

import numpy as np
import pytest

from mathcore.attention import MultiHeadAttention
from mathcore.position import sinusoidal
from mathcore.trained.tiny import NOT_ASKED
from mathcore.trained.toy_heads import ASKS, HeadMeasures, in_order, measured, names, served
from mathcore.trained.toy_model import SHOWN, ToyModel, ToyShape, rounded
from mathcore.trained.toy_sentences import ANSWERS, QUESTIONS, Asked, asked, draw
from mathcore.trained.toy_training import LARGEST, ToyRun, ToySchedule, train_run, train_toy

SHAPES = [ToyShape(4, 2), ToyShape(6, 3, positions=True), ToyShape(4, 1)]


def made(shape: ToyShape, seed: int = 0) -> tuple[ToyModel, Asked]:
    rng = np.random.default_rng(seed)
    model = ToyModel(shape, {name: 1.3 * values + 0.05 for name, values in shape.initial(rng).items()})
    return model, asked([*draw(rng, 4, "en"), *draw(rng, 4, "zh", "pairs")])


@pytest.mark.parametrize("sharing", [0.0, 0.02])
@pytest.mark.parametrize("shape", SHAPES)
def test_gradients_agree_with_finite_differences(shape: ToyShape, sharing: float) -> None:
    model, batch = made(shape)
    _, gradients = model.loss_and_gradients(batch, sharing)
    assert gradients.keys() == model.parameters.keys()
    rng, step = np.random.default_rng(1), 1e-5
    for name, values in model.parameters.items():
        exact, numeric = [], []
        # All entries of the matrices, some of the many that belong to words.
        places = list(np.ndindex(values.shape))
        if len(places) > 100:
            seen = [place for place in places if gradients[name][place]]
            places = [seen[i] for i in rng.choice(len(seen), size=40, replace=False)]
        for place in places:
            kept, sides = values[place], []
            for side in (kept + step, kept - step):
                values[place] = side
                sides.append(model.loss_and_gradients(batch, sharing)[0])
            values[place] = kept
            exact.append(gradients[name][place])
            numeric.append((sides[0] - sides[1]) / (2 * step))
        error = np.linalg.norm(np.subtract(exact, numeric)) / np.linalg.norm(numeric)
        assert error < 1e-6, f"{name}: {error}"


def test_words_that_no_sentence_has_get_no_gradient() -> None:
    model, batch = made(SHAPES[0])
    _, gradients = model.loss_and_gradients(batch)
    absent = np.setdiff1d(np.arange(len(gradients["embedding"])), batch.rows)
    assert len(absent) and not gradients["embedding"][absent].any()


@pytest.mark.parametrize("shape", SHAPES)
def test_it_is_the_attention_of_the_films(shape: ToyShape) -> None:
    model, batch = made(shape)
    p, done = model.parameters, model.forward(batch.rows)
    layer = MultiHeadAttention(p["w_q"], p["w_k"], p["w_v"], p["w_o"], n_heads=shape.n_heads)
    for i, n in enumerate(batch.lengths):
        x = p["embedding"][batch.rows[i, :n]] + (sinusoidal(n, shape.d_model) if shape.positions else 0)
        trace = layer(x)
        np.testing.assert_allclose(done.output[i, :n], trace.output.values, atol=1e-12)
        for head, attention in enumerate(trace.heads):
            np.testing.assert_allclose(done.weights[i, head, :n, :n], attention.weights.values, atol=1e-12)
        # What comes after a sentence's end gets no weight.
        assert not done.weights[i, :, :n, n:].any()


def test_the_loss_is_worked_out_by_hand() -> None:
    shape = ToyShape(4, 2)
    model = ToyModel(shape, {name: np.zeros(size) for name, size in shape.parameters().items()})
    batch = made(shape)[1]
    # Every answer is as likely as any other.
    assert model.loss_and_gradients(batch)[0] == pytest.approx(np.mean([np.log(len(rows)) for rows in ANSWERS]))


def test_a_model_that_knows_the_answer_is_right() -> None:
    model, batch = made(SHAPES[0])
    rows = ANSWERS[2]
    model.parameters["bias.does"][:] = -1e3 * (rows != batch.targets[..., 2].max())
    right = model.right(batch)[..., 2]
    np.testing.assert_array_equal(right, batch.targets[..., 2] == batch.targets[..., 2].max())
    share = right.sum() / (batch.targets[..., 2] != NOT_ASKED).sum()
    assert model.accuracy(batch)[0, 2] == pytest.approx(share)
    assert np.isnan(model.accuracy(batch)[1, 2])


def test_a_head_that_is_removed_adds_nothing() -> None:
    model, batch = made(SHAPES[1])
    without = [model.forward(batch.rows, head).output for head in range(3)]
    parts = [model.forward(batch.rows).output - output for output in without]
    np.testing.assert_allclose(sum(parts), model.forward(batch.rows).output, atol=1e-12)
    assert all(np.abs(part).max() > 0.1 for part in parts)


def test_the_order_of_heads_changes_nothing() -> None:
    model, batch = made(SHAPES[1])
    other = in_order(model, (2, 0, 1))
    np.testing.assert_allclose(other.forward(batch.rows).output, model.forward(batch.rows).output, atol=1e-12)
    weights = model.forward(batch.rows).weights
    np.testing.assert_allclose(other.forward(batch.rows).weights, weights[:, [2, 0, 1]], atol=1e-14)


def test_a_head_is_named_after_the_question_that_it_alone_serves() -> None:
    kind, does, where = (ASKS.index((question, "living")) for question in ("kind", "does", "where"))
    without, links = np.ones((2, 3, len(ASKS)))
    without[0, kind] = 0.1
    without[1, does] = without[2, does] = 0.2
    without[2, where] = 0.3
    measures = HeadMeasures(np.ones(len(ASKS)), without, links)
    assert served(measures, "living") == (("kind",), ("does",), ("does", "where"))
    assert names(measures) == ("kind", "", "")
    links[0, 0] = 0.4
    assert names(HeadMeasures(np.ones(len(ASKS)), without, links)) == ("", "", "")


def test_measures_count_answers_and_average_links() -> None:
    model, batch = made(ToyShape(8, 4))
    found = measured(model, asked(draw(np.random.default_rng(2), 400, "en")))
    assert found.accuracy.shape == (len(ASKS),)
    assert found.links.shape == found.costs.shape == (4, len(ASKS))
    assert ((found.links > 0) & (found.links < 1)).all()
    assert len(batch) == 8


def test_only_what_is_shown_is_rounded() -> None:
    model, _ = made(SHAPES[0])
    for name, values in rounded(model.parameters).items():
        if name in SHOWN:
            np.testing.assert_array_equal(values, np.round(values, 1))
            assert not np.array_equal(values, model.parameters[name])
            assert np.abs(values - model.parameters[name]).max() <= 0.05 + 1e-12
        else:
            np.testing.assert_array_equal(values, model.parameters[name])


def test_parameters_must_fit_the_shape() -> None:
    with pytest.raises(ValueError, match="parameters have the shapes"):
        ToyModel(SHAPES[1], SHAPES[0].initial(np.random.default_rng(0)))
    with pytest.raises(ValueError, match="n_heads = 3 does not divide d_model = 8"):
        ToyShape(8, 3)


def test_the_rate_rises_and_falls_in_every_stage() -> None:
    stages = list(ToySchedule(steps=(60, 60, 0), rate=1, later=0.5, warm_up=10).stages())
    assert [stage for stage, _ in stages] == [0] * 60 + [1] * 60
    rates = np.array([rate for _, rate in stages]).reshape(2, 60)
    assert rates.argmax(axis=1).tolist() == [9, 9]
    np.testing.assert_allclose(rates[1], rates[0] / 2)
    assert rates[0, 0] == pytest.approx(0.1) and 0 < rates[0, -1] < 1e-2


SHORT = ToySchedule(steps=(12, 8, 4), batch=16)


def test_training_again_gives_the_same_bytes() -> None:
    runs = [train_run(ToyRun(ToyShape(4, 2), 3, SHORT)) for _ in range(2)]
    assert {name: a.tobytes() for name, a in runs[0].items()} == {name: a.tobytes() for name, a in runs[1].items()}
    stored = {name.removeprefix("parameters."): a for name, a in runs[0].items() if name.startswith("parameters.")}
    other = train_toy(ToyRun(ToyShape(4, 2), 4, SHORT))[1]
    assert not np.array_equal(other.parameters["w_q"], stored["w_q"] / 10)
    assert all((a.dtype == np.int8) == (name in SHOWN) for name, a in stored.items())
    assert all(np.abs(stored[name]).max() <= 10 * LARGEST for name in SHOWN)


def test_the_last_stage_moves_the_readouts_alone() -> None:
    """And what is rounded goes on learning in the stage before."""
    shape = ToyShape(4, 2)
    exact, early = train_toy(ToyRun(shape, 0, ToySchedule(steps=(12, 30, 0), batch=16, warm_up=5)))
    late = train_toy(ToyRun(shape, 0, ToySchedule(steps=(12, 30, 6), batch=16, warm_up=5)))[1]
    for name in SHOWN:
        np.testing.assert_array_equal(early.parameters[name], late.parameters[name])
        assert not np.array_equal(early.parameters[name], np.round(exact.parameters[name], 1))
    for name in QUESTIONS:
        assert not np.array_equal(early.parameters[f"readout.{name}"], late.parameters[f"readout.{name}"])


def test_training_learns() -> None:
    data = asked(draw(np.random.default_rng(9), 300, "en"))
    run = ToyRun(ToyShape(8, 4), 0, ToySchedule(steps=(600, 60, 20)))
    before = ToyModel(run.shape, run.shape.initial(np.random.default_rng([0, 0])))
    after = train_toy(run)[1]
    assert after.loss_and_gradients(data)[0] < before.loss_and_gradients(data)[0] / 2
