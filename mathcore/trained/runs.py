"""Every training run of the tiny transformer that is reported, and what is kept of each."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathcore.trained import tasks
from mathcore.trained.tiny import Batch, Schedule, Shape, TinyTransformer, Tokens, train

Array = NDArray[Any]

SHORT, LONG = 800, 2000
SEEDS = (0, 1, 2, 3, 4)
# Sentences that no run trains on: all runs answer the same.
HELD_OUT, HELD_OUT_SEED = 1000, 2**31
# A run's accuracy is taken at its start and after each twentieth, its loss as the mean over each fortieth.
CURVE, LOSSES = 20, 40


@dataclass(frozen=True)
class Task:
    """What a run needs to know of a task; `score` gives (heads, scores) for a layer's weights.

    The example is a sentence whose weights are shown.
    """

    name: str
    shape: Callable[[int, int], Shape]
    batch: Callable[[np.random.Generator, int], Batch]
    score: Callable[[Array, Batch], Array]
    targets: Callable[[Tokens], Tokens]
    vocabulary: tuple[str, ...]
    example: tuple[str, ...]
    runs: tuple["Run", ...]

    def held_out(self) -> Batch:
        return self.batch(np.random.default_rng(HELD_OUT_SEED), HELD_OUT)


@dataclass(frozen=True, order=True)
class Run:
    """One training: its size, seed and steps. `kept` says whether the weights are stored."""

    n_layers: int
    n_heads: int
    seed: int
    steps: int = SHORT
    kept: bool = False


ROLES = Task(
    "roles",
    lambda _, n_heads: tasks.roles_shape(n_heads),
    tasks.roles_batch,
    tasks.roles_scores,
    tasks.roles_targets,
    tasks.WORDS,
    # "He" is the king.
    ("the", "king", "met", "a", "girl", "near", "the", "tree", "and", "he", "saw", "comet"),
    (
        *(Run(1, h, seed, kept=(h, seed) == (1, 0)) for h in (1, 2, 4, 8) for seed in SEEDS[:3]),
        # One head does not do better for being trained longer; of the four-head runs one is shown.
        *(Run(1, h, seed, LONG, kept=(h, seed) == (4, 2)) for h in (1, 4) for seed in SEEDS[:3]),
    ),
)
RECALL = Task(
    "recall",
    tasks.recall_shape,
    tasks.recall_batch,
    tasks.recall_scores,
    tasks.recall_targets,
    tasks.SYMBOLS,
    # The last A asks for 4.
    ("A", "4", "C", "1", "F", "7", "A", "4", "H", "2", "C", "1", "F", "7", "H", "2", "A"),
    (
        *(Run(n_layers, 2, seed, kept=seed == 0) for n_layers in (1, 2) for seed in SEEDS),
        # Neither more steps nor more heads make up for the missing layer.
        *(Run(1, 2, seed, LONG) for seed in SEEDS[:3]),
        *(Run(1, 4, seed) for seed in SEEDS[:3]),
    ),
)


def train_run(task: Task, run: Run, schedule: Schedule | None = None) -> dict[str, Array]:
    """Train one run: its accuracy (roles,), curve (21, roles), losses (40,), scores (layers, heads, scores), weights.

    `schedule` replaces the usual one; its steps must be a multiple of 40.
    """
    schedule = Schedule(steps=run.steps) if schedule is None else schedule
    test, curve = task.held_out(), []

    def watch(done: int, model: TinyTransformer) -> None:
        if done % (schedule.steps // CURVE) == 0:
            curve.append(model.accuracy(test))

    model, losses = train(task.shape(run.n_layers, run.n_heads), task.batch, schedule, run.seed, watch)
    return {
        "accuracy": curve[-1],
        "curve": np.array(curve),
        "losses": losses.reshape(LOSSES, -1).mean(axis=-1),
        "scores": np.array([task.score(weights, test) for weights in model.weights(test.tokens)]),
        **{f"parameters.{name}": values.astype(np.float32) for name, values in model.parameters.items()},
    }


def collect(task: Task, results: Iterable[dict[str, Array]]) -> dict[str, Array]:
    """One stored file from the results of all of a task's runs, in their order.

    Scores of heads and layers that a run does not have are NaN.
    """
    done = list(results)
    largest = np.max([result["scores"].shape for result in done], axis=0)
    scores = np.full((len(done), *largest), np.nan)
    for i, result in enumerate(done):
        n_layers, n_heads = result["scores"].shape[:2]
        scores[i, :n_layers, :n_heads] = result["scores"]
    stored: dict[str, Array] = {
        "n_layers": np.array([run.n_layers for run in task.runs]),
        "n_heads": np.array([run.n_heads for run in task.runs]),
        "seeds": np.array([run.seed for run in task.runs]),
        "steps": np.array([run.steps for run in task.runs]),
        "scores": scores,
        **{name: np.array([result[name] for result in done]) for name in ("accuracy", "curve", "losses")},
    }
    for i, (run, result) in enumerate(zip(task.runs, done, strict=True)):
        if run.kept:
            stored |= {f"run{i}.{name}": a for name, a in result.items() if name.startswith("parameters.")}
    return stored
