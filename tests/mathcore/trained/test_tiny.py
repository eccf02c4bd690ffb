"""The tiny transformer: its gradients, its agreement with the attention of the films, and that it learns."""

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from mathcore.trained import tasks
from mathcore.trained.tiny import NOT_ASKED, Batch, Schedule, Shape, TinyTransformer, train

ROOT = Path(__file__).resolve().parents[3]
SHAPES = [Shape(1, 4, 5, 7, 3, causal=False, d_model=8), Shape(2, 2, 6, 5, 1, causal=True, d_model=4)]


def made(shape: Shape, seed: int = 0) -> tuple[TinyTransformer, Batch]:
    """A model with weights large enough for uneven attention, and questions with gaps."""
    rng = np.random.default_rng(seed)
    model = TinyTransformer(shape, {k: 2 * v + 0.1 for k, v in shape.initial(rng).items()})
    tokens = rng.integers(shape.n_vocabulary, size=(3, shape.n_words))
    targets = rng.integers(shape.n_vocabulary, size=(3, shape.n_words, shape.n_roles))
    targets[rng.random(targets.shape) < 0.3] = NOT_ASKED
    return model, Batch(tokens, targets)


@pytest.mark.parametrize("shape", SHAPES)
def test_gradients_agree_with_finite_differences(shape: Shape) -> None:
    model, batch = made(shape)
    _, gradients = model.loss_and_gradients(batch)
    assert gradients.keys() == model.parameters.keys()
    step = 1e-5
    for name, values in model.parameters.items():
        numeric = np.empty_like(values)
        for place in np.ndindex(values.shape):
            kept = values[place]
            sides = []
            for side in (kept + step, kept - step):
                values[place] = side
                sides.append(model.loss_and_gradients(batch)[0])
            values[place] = kept
            numeric[place] = (sides[0] - sides[1]) / (2 * step)
        error = np.linalg.norm(gradients[name] - numeric) / np.linalg.norm(numeric)
        assert error < 1e-7, f"{name}: {error}"


def test_a_batch_that_asks_nothing_of_a_role_has_no_gradient_there() -> None:
    model, batch = made(SHAPES[0])
    batch.targets[:, :, 1] = NOT_ASKED
    loss, gradients = model.loss_and_gradients(batch)
    assert np.isfinite(loss)
    assert not gradients["bias"][1].any()
    assert gradients["bias"][0].any()


@pytest.mark.parametrize("shape", SHAPES)
def test_it_is_the_attention_of_the_films(shape: Shape) -> None:
    model, batch = made(shape)
    weights = model.weights(batch.tokens)
    for i, tokens in enumerate(batch.tokens):
        traces = model.trace(tokens)
        assert [trace.heads[0].weights.path for trace in traces] == [
            f"layers[{layer}].heads[0].weights" for layer in range(shape.n_layers)
        ]
        for layer, trace in zip(weights, traces, strict=True):
            ours = np.array([head.weights.values for head in trace.heads])
            np.testing.assert_allclose(ours, layer[i], atol=1e-14)
        last = traces[-1].x.values + traces[-1].output.values
        logits = np.einsum("nd,rdv->nrv", last, model.parameters["readout"]) + model.parameters["bias"]
        np.testing.assert_allclose(logits, model.logits(batch.tokens)[i], atol=1e-12)


def test_a_causal_model_does_not_look_ahead() -> None:
    model, batch = made(SHAPES[1])
    changed = batch.tokens.copy()
    changed[:, -1] = (changed[:, -1] + 1) % 5
    np.testing.assert_array_equal(model.logits(changed)[:, :-1], model.logits(batch.tokens)[:, :-1])
    assert np.abs(model.logits(changed)[:, -1] - model.logits(batch.tokens)[:, -1]).max() > 1e-3


def test_the_loss_is_worked_out_by_hand() -> None:
    shape = Shape(1, 1, 2, 2, 2, causal=False, d_model=2)
    model = TinyTransformer(shape, {k: np.zeros(s) for k, s in shape.parameters().items()})
    model.parameters["bias"][0] = [np.log(3), 0]
    # Role 0 answers word 0 with 3/4, role 1 either with 1/2; role 0 is asked twice, role 1 once.
    batch = Batch(np.array([[0, 1]]), np.array([[[0, NOT_ASKED], [1, 1]]]))
    loss, gradients = model.loss_and_gradients(batch)
    assert loss == pytest.approx(((np.log(4 / 3) + np.log(4)) / 2 + np.log(2)) / 2)
    np.testing.assert_allclose(gradients["bias"], [[0.125, -0.125], [0.25, -0.25]])
    np.testing.assert_allclose(model.accuracy(batch), [0.5, 0])


@pytest.mark.parametrize("n_heads", [1, 2, 4, 8])
def test_the_number_of_heads_changes_no_parameter(n_heads: int) -> None:
    shape = tasks.roles_shape(n_heads)
    assert shape.n_parameters() == 9728
    assert sum(values.size for values in shape.initial(np.random.default_rng(0)).values()) == 9728


def test_impossible_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="n_heads = 3 does not divide d_model = 32"):
        tasks.roles_shape(3)
    with pytest.raises(ValueError, match="parameters have the shapes"):
        TinyTransformer(SHAPES[0], SHAPES[1].initial(np.random.default_rng(0)))


def test_the_rate_rises_and_falls() -> None:
    rates = [Schedule(steps=100, rate=1, warm_up=10).rate_at(step) for step in range(100)]
    assert rates[0] == pytest.approx(0.1)
    assert int(np.argmax(rates)) == 9
    assert all(after < before for before, after in pairwise(rates[9:]))
    assert 0 < rates[-1] < 1e-3


def test_training_again_gives_the_same_model() -> None:
    runs = [train(tasks.roles_shape(2), tasks.roles_batch, Schedule(steps=5, batch=4), seed) for seed in (3, 3, 4)]
    for name, values in runs[0][0].parameters.items():
        np.testing.assert_array_equal(values, runs[1][0].parameters[name])
    np.testing.assert_array_equal(runs[0][1], runs[1][1])
    assert not np.array_equal(runs[0][1], runs[2][1])


def test_the_first_step_of_adam_has_the_size_of_the_rate() -> None:
    before: dict[str, object] = {}

    def watch(done: int, model: TinyTransformer) -> None:
        if done == 0:
            before.update({name: values.copy() for name, values in model.parameters.items()})

    schedule = Schedule(steps=1, batch=8, rate=0.5, warm_up=1)
    model, _ = train(tasks.roles_shape(2), tasks.roles_batch, schedule, 0, watch)
    moved = np.abs(model.parameters["bias"] - np.asarray(before["bias"]))
    np.testing.assert_allclose(moved[moved > 0], 0.5, rtol=1e-3)


# Matrices this small take ten times as long with several threads of a busy machine; the library reads the setting when
# NumPy is first imported, so a process of its own trains.
BRIEFLY = """
import json
from mathcore.trained.runs import RECALL, ROLES, Run, train_run
from mathcore.trained.tiny import Schedule
found = {}
for name, task, run in (
    ("one_head", ROLES, Run(1, 1, 0)),
    ("four_heads", ROLES, Run(1, 4, 0)),
    ("one_layer", RECALL, Run(1, 2, 0)),
    ("two_layers", RECALL, Run(2, 2, 0)),
):
    done = train_run(task, run, Schedule(steps=520 if task is ROLES else 400))
    found[name] = {key: done[key].tolist() for key in ("accuracy", "scores", "losses", "curve")}
print(json.dumps(found))
"""


def test_it_learns_when_trained_briefly() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BRIEFLY],
        cwd=ROOT,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = {name: {k: np.array(v) for k, v in run.items()} for name, run in json.loads(done.stdout).items()}
    for run in found.values():
        assert run["losses"][-1] < run["losses"][0] / 1.2
        np.testing.assert_array_equal(run["curve"][-1], run["accuracy"])
        # Before training, about as good as naming any word.
        assert (run["curve"][0] < 0.3).all()
    # Task A: four heads name both neighbours, one head cannot; both name what is found by its content.
    one, four = found["one_head"]["accuracy"], found["four_heads"]["accuracy"]
    assert (four > 0.93).all()
    assert one[:2].sum() < 1.5
    assert (one[2:] > 0.93).all()
    # Two different heads, each nearly all on one neighbour.
    scores = found["four_heads"]["scores"][0]
    assert (scores.max(axis=0)[:2] > 0.6).all()
    assert scores[:, 0].argmax() != scores[:, 1].argmax()
    # Task B: accuracy alone would not show how it is done.
    assert found["two_layers"]["accuracy"][0] > 0.9
    assert found["two_layers"]["scores"][1, :, 2].max() > 0.85
    assert found["two_layers"]["scores"][0, :, 1].max() > 0.8
    assert found["one_layer"]["accuracy"][0] < 0.55
    assert found["one_layer"]["scores"][0, :, 2].max() < 0.6
