"""What is stored: the files are those of the README, the results say what the films say of them."""

import hashlib
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mathcore.named import named_arrays, resolve
from mathcore.trained import stored
from mathcore.trained.runs import RECALL, ROLES, SHORT, Run, Task, collect, train_run
from mathcore.trained.tiny_results import tiny_model, tiny_results

README = (stored.FOLDER / "README.md").read_text(encoding="utf-8")
TABLE = dict(re.findall(r"^\| (\w+\.npz) \|.*\| ([0-9a-f]{64}) \|$", README, re.MULTILINE))


def test_the_readme_has_the_hash_of_every_stored_file() -> None:
    files = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in stored.FOLDER.glob("*.npz")}
    assert files == TABLE
    assert len(files) == 5


def test_stored_files_are_small() -> None:
    assert sum((stored.FOLDER / name).stat().st_size for name in TABLE) < 500_000


def test_equal_arrays_make_equal_files(tmp_path: Path) -> None:
    arrays = stored.read("tiny_recall.npz")
    assert stored.write("tiny_recall.npz", arrays, tmp_path) == stored.write("again.npz", arrays, tmp_path)
    for name, array in stored.read("again.npz", tmp_path).items():
        np.testing.assert_array_equal(array, arrays[name])
        assert not array.flags.writeable


def test_millionths_keep_rows_whole() -> None:
    rows = np.random.default_rng(0).dirichlet(np.full(7, 0.3), size=(4, 50))
    whole = stored.millionths(rows)
    assert (whole.sum(axis=-1) == stored.UNIT).all()
    assert np.abs(whole / stored.UNIT - rows).max() < 1e-6
    assert stored.millionths([[1 / 3, 1 / 3, 1 / 3]]).tolist() == [[333_334, 333_333, 333_333]]
    assert stored.millionths([0, 1]).tolist() == [0, stored.UNIT]
    np.testing.assert_array_equal(stored.rounded(rows), whole / stored.UNIT)
    with pytest.raises(ValueError, match="sum to 1"):
        stored.millionths([0.5, 0.4])


@pytest.mark.parametrize("task", [ROLES, RECALL])
def test_every_run_is_stored_failed_ones_too(task: Task) -> None:
    data = stored.read(f"tiny_{task.name}.npz")
    columns = (data[name].tolist() for name in ("n_layers", "n_heads", "seeds", "steps"))
    runs = [Run(*row) for row in zip(*columns, strict=True)]
    assert runs == [replace(run, kept=False) for run in task.runs]
    assert len(data["accuracy"]) == len(runs)
    assert np.isfinite(data["accuracy"]).all()
    for i, run in enumerate(task.runs):
        has = np.isfinite(data["scores"][i])
        assert has[: run.n_layers, : run.n_heads].all()
        assert has.sum() == run.n_layers * run.n_heads * data["scores"].shape[-1]
        assert any(name.startswith(f"run{i}.") for name in data) == run.kept


@pytest.mark.parametrize(("task", "run"), [(task, run) for task in (ROLES, RECALL) for run in task.runs if run.kept])
def test_stored_weights_give_the_stored_figures(task: Task, run: Run) -> None:
    data, i = stored.read(f"tiny_{task.name}.npz"), task.runs.index(run)
    model, test = tiny_model(task, run), task.held_out()
    # Stored in float32: an answer on the edge may fall to the other side.
    np.testing.assert_allclose(model.accuracy(test), data["accuracy"][i], atol=2e-3)
    scores = [task.score(weights, test) for weights in model.weights(test.tokens)]
    np.testing.assert_allclose(scores, data["scores"][i, : run.n_layers, : run.n_heads], atol=1e-4)


def test_weights_that_are_not_kept_are_not_made_up() -> None:
    with pytest.raises(ValueError, match="are not kept"):
        tiny_model(ROLES, Run(1, 8, 0))


def test_the_roles_experiment_says_what_the_film_says() -> None:
    roles = tiny_results().roles
    assert roles.head_counts.values.tolist() == [1, 2, 4, 8]
    assert roles.accuracy.shape == (4, 3, 4)
    assert roles.parameters.entry().value == 9728
    # One head: a neighbour, the rare word and the noun, but never both neighbours.
    assert roles.highest.values[0, :2].min() < 0.5
    assert (roles.accuracy.values[0, :, :2].sum(axis=-1) < 1.5).all()
    assert (roles.longer.values[0, :, :2].sum(axis=-1) < 1.5).all()
    assert (roles.lowest.values[0, 2:] > 0.99).all()
    assert (roles.lowest.values[1:] > 0.98).all()
    np.testing.assert_array_equal(roles.lowest.values, roles.accuracy.values.min(axis=1))
    np.testing.assert_allclose(roles.mean.values, roles.accuracy.values.mean(axis=1))


def test_each_head_of_the_shown_run_has_a_role_of_its_own() -> None:
    shown = tiny_results().roles.four_heads
    scores = shown.scores.values[0]
    assert sorted(scores.argmax(axis=0).tolist()) == [0, 1, 2, 3]
    assert scores.max(axis=0) == pytest.approx([1.0, 1.0, 0.97, 0.77], abs=0.01)
    assert (int(shown.n_heads.values), int(shown.seed.values), int(shown.steps.values)) == (4, 2, 2000)
    assert shown.weights.shape == (1, 4, 12, 12)
    np.testing.assert_allclose(shown.weights.values.sum(axis=-1), 1, atol=1e-12)
    previous = shown.weights.values[0, scores[:, 0].argmax()]
    assert all(previous[i].argmax() == i - 1 for i in range(1, 12))


def test_the_examples_are_answered_as_the_accuracies_promise() -> None:
    results = tiny_results()
    words = results.roles.four_heads.tokens
    right = (
        ("", *words[:-1]),
        (*words[1:], ""),
        ("comet",) * 12,
        tuple("king" if word == "he" else "" for word in words),
    )
    assert results.roles.four_heads.answers == right
    one = results.roles.one_head.answers
    assert sum(a != b for a, b in zip(one[1], right[1], strict=True)) > 3
    assert results.recall.two_layers.answers[0][-1] == "4"
    assert results.recall.one_layer.answers[0][-1] != "4"


def test_recall_takes_two_layers_and_an_induction_head() -> None:
    recall = tiny_results().recall
    assert recall.accuracy.shape == (2, 5)
    assert recall.highest.values[0] < 0.5 < 0.99 < recall.lowest.values[1]
    assert max(recall.longer.values.max(), recall.wider.values.max()) < 0.5
    # An accuracy could be had without: these are how it is done.
    assert recall.induction.values.min() > 0.9
    assert recall.key.values.min() > 0.9
    assert recall.previous.values.min() > 0.5
    assert recall.parameters.values.tolist() == [5680, 9776]
    shown = recall.two_layers
    causal = np.triu(np.ones((17, 17), dtype=bool), 1)
    assert not shown.weights.values[..., causal].any()
    # The last A looks where its value stood.
    head = shown.scores.values[1, :, 2].argmax()
    assert shown.weights.values[1, head, 16][[1, 7]].sum() > 0.9


def test_paths_lead_back_and_the_digest_follows_the_numbers() -> None:
    results = tiny_results()
    for array in named_arrays(results):
        assert resolve(results, array.path) is array
    other = replace(results, recall=replace(results.recall, longer=results.recall.wider))
    assert results.digest() == replace(results).digest() != other.digest()


def test_a_task_is_stored_from_its_runs(tmp_path: Path) -> None:
    task = replace(ROLES, runs=(Run(1, 2, 0, 40, kept=True), Run(1, 1, 1, 40)))
    results = [train_run(task, run) for run in task.runs]
    data = collect(task, results)
    assert data["curve"].shape == (2, 21, 4)
    assert data["losses"].shape == (2, 40)
    assert data["scores"].shape == (2, 1, 2, 4)
    assert np.isnan(data["scores"][1, 0, 1]).all()
    assert {name.split(".")[0] for name in data if "." in name} == {"run0"}
    assert data["run0.parameters.w_q"].dtype == np.float32
    assert data["steps"].tolist() == [40, 40] != [SHORT, SHORT]
