"""What the tiny transformer learnt, run by run, from the stored results of `make train`."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathcore.named import NamedArray, digest, located, named_arrays
from mathcore.trained import stored
from mathcore.trained.runs import CURVE, LONG, LOSSES, RECALL, ROLES, SHORT, Run, Task
from mathcore.trained.tiny import NOT_ASKED, TinyTransformer

Array = NDArray[Any]

# Whose heads take a role each; picked among the seeds that were tried.
SHOWN_SEED = 2


@dataclass(frozen=True)
class TinyRun:
    """One training run whose weights are kept. Axis `score` is the task's roles, or its RECALL_SCORES.

    `answers` (roles, n) are the words that it names for `tokens`, "" where a role does not ask.
    `accuracy` (roles,) and `scores` (layers, heads, scores) are measured on 1,000 sentences that no run trained on;
    `curve` (21, roles) is the accuracy after `curve_steps`, `losses` (40,) the mean loss in nats up to `loss_steps`.
    `weights` (layers, heads, n, n) are those over `tokens`, rounded to six decimals.
    """

    tokens: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]
    n_heads: NamedArray
    seed: NamedArray
    steps: NamedArray
    parameters: NamedArray
    accuracy: NamedArray
    curve_steps: NamedArray
    curve: NamedArray
    loss_steps: NamedArray
    losses: NamedArray
    scores: NamedArray
    weights: NamedArray


@dataclass(frozen=True)
class RolesResults:
    """Task A. `accuracy` (head counts, seeds, roles) after 800 steps, `mean`, `lowest` and `highest` over seeds, `best`
    (head counts, seeds, roles) the highest score that any head has in a role.

    `longer` (2, seeds, roles) is the accuracy of 1 and of 4 heads after 2,000 steps. `parameters` is the same for all.
    """

    head_counts: NamedArray
    seeds: NamedArray
    parameters: NamedArray
    accuracy: NamedArray
    mean: NamedArray
    lowest: NamedArray
    highest: NamedArray
    best: NamedArray
    longer: NamedArray
    one_head: TinyRun
    four_heads: TinyRun


@dataclass(frozen=True)
class RecallResults:
    """Task B. `accuracy` (2, seeds) of one layer and of two, `highest` and `lowest` over seeds, with the number of
    `parameters` (2,). Of two layers, by seed: the best `induction` head of the second layer, and of the first the head
    that best looks from a value to its `key` and that best looks at any `previous` token.

    `longer` (seeds,) is the accuracy of one layer after 2,000 steps, `wider` (seeds,) that of one layer of 4 heads.
    """

    layer_counts: NamedArray
    seeds: NamedArray
    parameters: NamedArray
    accuracy: NamedArray
    lowest: NamedArray
    highest: NamedArray
    induction: NamedArray
    key: NamedArray
    previous: NamedArray
    longer: NamedArray
    wider: NamedArray
    one_layer: TinyRun
    two_layers: TinyRun


@dataclass(frozen=True)
class TinyResults:
    """Both tasks' results."""

    roles: RolesResults
    recall: RecallResults

    def digest(self) -> str:
        """SHA-256 over every array: changes when any number does."""
        return digest(named_arrays(self))


@lru_cache(maxsize=1)
def tiny_results() -> TinyResults:
    """The stored results; paths start with `roles` and `recall`."""
    return TinyResults(located(_roles(), "roles"), located(_recall(), "recall"))


def _find(task: Task, **wanted: int) -> list[int]:
    return [i for i, run in enumerate(task.runs) if all(getattr(run, k) == v for k, v in wanted.items())]


def _roles() -> RolesResults:
    data, counts = stored.read("tiny_roles.npz"), (1, 2, 4, 8)
    runs = np.array([_find(ROLES, n_heads=h, steps=SHORT) for h in counts])  # (head counts, seeds)
    longer = np.array([_find(ROLES, n_heads=h, steps=LONG) for h in (1, 4)])
    accuracy = data["accuracy"][runs]
    by_seed, by_count = ("heads", "seed", "role"), ("heads", "role")
    sizes = {ROLES.shape(1, h).n_parameters() for h in counts}
    (parameters,) = sizes
    return RolesResults(
        head_counts=NamedArray(counts, "head_counts", ("heads",)),
        seeds=NamedArray(data["seeds"][runs[0]], "seeds", ("seed",)),
        parameters=NamedArray(parameters, "parameters", ()),
        accuracy=NamedArray(accuracy, "accuracy", by_seed),
        mean=NamedArray(accuracy.mean(axis=1), "mean", by_count, "mean over seeds of accuracy"),
        lowest=NamedArray(accuracy.min(axis=1), "lowest", by_count, "min over seeds of accuracy"),
        highest=NamedArray(accuracy.max(axis=1), "highest", by_count, "max over seeds of accuracy"),
        best=NamedArray(np.nanmax(data["scores"][runs], axis=(2, 3)), "best", by_seed, "max over heads of scores"),
        longer=NamedArray(data["accuracy"][longer], "longer", by_seed),
        one_head=_run(ROLES, data, Run(1, 1, 0, kept=True), "one_head"),
        four_heads=_run(ROLES, data, Run(1, 4, SHOWN_SEED, LONG, kept=True), "four_heads"),
    )


def _recall() -> RecallResults:
    data = stored.read("tiny_recall.npz")
    runs = np.array([_find(RECALL, n_layers=n, n_heads=2, steps=SHORT) for n in (1, 2)])  # (layer counts, seeds)
    accuracy, scores = data["accuracy"][runs][..., 0], data["scores"][runs[1]]  # (seeds, layers, heads, scores)
    previous, key, induction = (np.nanmax(scores[:, layer, :, i], axis=1) for layer, i in ((0, 0), (0, 1), (1, 2)))
    seed, layers = ("seed",), ("layers",)
    return RecallResults(
        layer_counts=NamedArray([1, 2], "layer_counts", layers),
        seeds=NamedArray(data["seeds"][runs[0]], "seeds", seed),
        parameters=NamedArray([RECALL.shape(n, 2).n_parameters() for n in (1, 2)], "parameters", layers),
        accuracy=NamedArray(accuracy, "accuracy", ("layers", "seed")),
        lowest=NamedArray(accuracy.min(axis=1), "lowest", layers, "min over seeds of accuracy"),
        highest=NamedArray(accuracy.max(axis=1), "highest", layers, "max over seeds of accuracy"),
        induction=NamedArray(induction, "induction", seed, "max over heads of scores"),
        key=NamedArray(key, "key", seed, "max over heads of scores"),
        previous=NamedArray(previous, "previous", seed, "max over heads of scores"),
        longer=NamedArray(data["accuracy"][_find(RECALL, n_layers=1, steps=LONG), 0], "longer", seed),
        wider=NamedArray(data["accuracy"][_find(RECALL, n_layers=1, n_heads=4), 0], "wider", seed),
        one_layer=_run(RECALL, data, Run(1, 2, 0, kept=True), "one_layer"),
        two_layers=_run(RECALL, data, Run(2, 2, 0, kept=True), "two_layers"),
    )


def tiny_model(task: Task, run: Run) -> TinyTransformer:
    """A trained model whose weights are kept. Raises ValueError for a run that is not one of them."""
    return _model(task, stored.read(f"tiny_{task.name}.npz"), run)


def _model(task: Task, data: dict[str, Array], run: Run) -> TinyTransformer:
    if not run.kept or run not in task.runs:
        raise ValueError(f"the weights of {run} are not kept; kept are {[r for r in task.runs if r.kept]}")
    prefix = f"run{task.runs.index(run)}.parameters."
    parameters = {name.removeprefix(prefix): a for name, a in data.items() if name.startswith(prefix)}
    return TinyTransformer(task.shape(run.n_layers, run.n_heads), parameters)


def _run(task: Task, data: dict[str, Array], run: Run, path: str) -> TinyRun:
    model, i = _model(task, data, run), task.runs.index(run)
    numbers = np.array([[task.vocabulary.index(token) for token in task.example]])
    weights = np.array([stored.rounded(layer[0]) for layer in model.weights(numbers)])
    answers = model.logits(numbers)[0].argmax(axis=-1)  # (n, roles)
    asked = task.targets(numbers)[0] != NOT_ASKED
    names = [
        [task.vocabulary[word] if here else "" for word, here in zip(*row, strict=True)]
        for row in zip(answers.T, asked.T, strict=True)
    ]
    each = ("layer", "head")
    return located(
        TinyRun(
            tokens=task.example,
            answers=tuple(map(tuple, names)),
            n_heads=NamedArray(run.n_heads, "n_heads", ()),
            seed=NamedArray(run.seed, "seed", ()),
            steps=NamedArray(run.steps, "steps", ()),
            parameters=NamedArray(model.shape.n_parameters(), "parameters", ()),
            accuracy=NamedArray(data["accuracy"][i], "accuracy", ("role",)),
            curve_steps=NamedArray(np.arange(CURVE + 1) * (run.steps // CURVE), "curve_steps", ("point",)),
            curve=NamedArray(data["curve"][i], "curve", ("point", "role")),
            loss_steps=NamedArray((np.arange(LOSSES) + 1) * (run.steps // LOSSES), "loss_steps", ("point",)),
            losses=NamedArray(data["losses"][i], "losses", ("point",)),
            scores=NamedArray(data["scores"][i, : run.n_layers, : run.n_heads], "scores", (*each, "score")),
            weights=NamedArray(weights, "weights", (*each, "query", "key")),
        ),
        path,
    )
