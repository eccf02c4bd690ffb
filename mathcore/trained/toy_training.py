"""Every training run of the worked example's model that is reported, and what is kept of each.

Training has three stages: all parameters as they are; then what the films show is rounded to one decimal in every
forward pass while its exact values go on learning (the gradient passes straight through the rounding, Bengio et al.
2013); at last the readouts alone, on rounded values.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathcore.trained.toy_heads import by_name
from mathcore.trained.toy_model import SHOWN, ToyModel, ToyShape, rounded
from mathcore.trained.toy_sentences import BY_WORDS, LANGUAGES, QUESTIONS, Asked, Sentence, asked, draw

STORED = "toy_example.npz"
# What every question must reach for parameters to be kept.
GOOD = 0.98
# Sentences a language, and what they are drawn from.
TRAINING, TESTED = 4000, 1000
_TRAINING_SEED, _TEST_SEED = 5, 2**31
SPLITS = ("pairs", "triples")
# How the parameters are when accuracy is measured.
FORMS = ("float", "rounded", "trained rounded")
# No entry of what the films show is larger.
LARGEST = 3.0
# What values are scaled to before anything is rounded, so that their digits are few: the largest of any word.
LARGEST_VALUE = 9.0
READOUTS = tuple(f"{part}.{question}" for part in ("readout", "bias") for question in QUESTIONS)


@dataclass(frozen=True)
class ToySchedule:
    """Steps of each stage, sentences a step, the first stage's rate, and `later` times it for the others.

    The rate rises over `warm_up` steps of a stage, then falls to 0 as a cosine. `decay` is Adam's; `shrink` times the
    rate is taken off every parameter but biases (Loshchilov and Hutter 2019). `sharing`: see `loss_and_gradients`.
    Before anything is rounded, outputs are scaled to `largest_output`: a larger one loses less to rounding W_O.
    """

    steps: tuple[int, int, int] = (4000, 900, 300)
    batch: int = 64
    rate: float = 0.03
    later: float = 0.4
    warm_up: int = 50
    decay: tuple[float, float] = (0.9, 0.99)
    shrink: float = 1e-3
    sharing: float = 0.0
    largest_output: float = 9.0

    def stages(self) -> Iterator[tuple[int, float]]:
        """Every step's stage and rate."""
        for stage, steps in enumerate(self.steps):
            top = self.rate * (self.later if stage else 1)
            for step in range(steps):
                yield stage, top * min(1, (step + 1) / self.warm_up) * (1 + math.cos(math.pi * step / steps)) / 2


@dataclass(frozen=True)
class ToyRun:
    """One training: its shape, seed and schedule. `kept` says whether its parameters are stored."""

    shape: ToyShape
    seed: int
    schedule: ToySchedule = ToySchedule()
    kept: bool = False


_CLEAR = ToySchedule(sharing=6e-3)
_LONG = ToySchedule(steps=(8000, 1500, 300))
# One head must learn to mix, which takes it longer.
_MIXING = replace(_LONG, batch=96, largest_output=15.0)


def _runs(shape: ToyShape, seeds: int, schedule: ToySchedule, kept: int | None = None) -> list[ToyRun]:
    return [ToyRun(shape, seed, schedule, kept=seed == kept) for seed in range(seeds)]


# Every size that media_config.yaml allows; of those that reach .98 in every question that words alone decide, one is
# kept. Of the four-head runs that one whose heads can be named.
RUNS = (
    *_runs(ToyShape(8, 4), 10, _CLEAR, kept=9),
    *_runs(ToyShape(8, 2), 3, ToySchedule(), kept=1),
    *_runs(ToyShape(8, 1), 3, _MIXING, kept=0),
    *_runs(ToyShape(6, 3), 3, _LONG, kept=1),
    *_runs(ToyShape(6, 2), 2, _LONG),
    *_runs(ToyShape(6, 1), 2, _MIXING),
    *(run for h in (4, 2, 1) for run in _runs(ToyShape(4, h), 2, ToySchedule())),
    *_runs(ToyShape(8, 4, positions=True), 2, _LONG, kept=1),
    *_runs(ToyShape(8, 2, positions=True), 2, _LONG),
    *_runs(ToyShape(8, 1, positions=True), 2, _MIXING),
    *_runs(ToyShape(6, 3, positions=True), 2, _LONG, kept=1),
)


@lru_cache(maxsize=1)
def training_sentences() -> Asked:
    """What all runs train on: as many sentences of each language, without a held-out combination."""
    found: list[Sentence] = []
    for number, language in enumerate(LANGUAGES):
        found += draw(np.random.default_rng([_TRAINING_SEED, number]), TRAINING, language)
    return asked(found)


@lru_cache(maxsize=4)
def held_out_sentences(language: str, split: str) -> Asked:
    """Sentences that each have a pair, or a triple, of words that no training sentence has."""
    place = LANGUAGES.index(language), SPLITS.index(split)
    return asked(draw(np.random.default_rng([_TEST_SEED, *place]), TESTED, language, split))


def train_toy(run: ToyRun) -> tuple[ToyModel, ToyModel]:
    """Train one run: the model after the first stage, and at the end with one decimal in whatever is shown."""
    start, order = np.random.default_rng([run.seed, 0]), np.random.default_rng([run.seed, 1])
    model, schedule, data = ToyModel(run.shape, run.shape.initial(start)), run.schedule, training_sentences()
    p = model.parameters
    mean, square = ({name: np.zeros_like(values) for name, values in p.items()} for _ in range(2))
    beta, gamma = schedule.decay
    exact, before, sharing, largest = model, 0, schedule.sharing, dict.fromkeys(SHOWN, LARGEST)
    for step, (stage, rate) in enumerate(schedule.stages()):
        if stage != before:
            before = stage
            if stage == 1:
                exact = ToyModel(run.shape, {name: values.copy() for name, values in p.items()})
                factors = _scales(model, schedule.largest_output)
                for name, factor in factors.items():
                    p[name] *= factor
                    mean[name] /= factor
                    square[name] /= factor**2
                largest["w_v"] *= factors["w_v"]
                # W_O and a readout together are as much larger as values are smaller.
                sharing *= factors["w_v"]
            else:
                p |= rounded(p)
        chosen = order.integers(len(data), size=schedule.batch)
        now = model if stage == 0 else model.rounded()
        _, gradients = now.loss_and_gradients(data.chosen(chosen), sharing if stage < 2 else 0.0)
        for name in p if stage < 2 else READOUTS:
            gradient = gradients[name]
            mean[name] += (1 - beta) * (gradient - mean[name])
            square[name] += (1 - gamma) * (gradient**2 - square[name])
            unbiased = mean[name] / (1 - beta ** (step + 1))
            spread = np.sqrt(square[name] / (1 - gamma ** (step + 1)))
            p[name] -= rate * unbiased / (spread + 1e-9)
            if not name.startswith("bias"):
                p[name] *= 1 - rate * schedule.shrink
            if name in SHOWN:
                np.clip(p[name], -largest[name], largest[name], out=p[name])
    return exact, model.rounded()


def _scales(model: ToyModel, largest_output: float) -> dict[str, float]:
    """Factors of W_V and W_O that scale values and outputs, and of the readouts, so that all answers stay."""
    p, sample = model.parameters, training_sentences().chosen(np.arange(0, 2 * TRAINING, 10))
    w_v = LARGEST_VALUE / float(np.abs(p["embedding"] @ p["w_v"]).max())
    output = largest_output / float(np.abs(model.forward(sample.rows).output).max())
    return {"w_v": w_v, "w_o": output / w_v, **dict.fromkeys((f"readout.{name}" for name in QUESTIONS), 1 / output)}


def accuracies(model: ToyModel) -> NDArray[np.float64]:
    """(languages, splits, groups, questions) on the held-out sentences, NaN where a group does not ask."""
    return np.array([[model.accuracy(held_out_sentences(one, split)) for split in SPLITS] for one in LANGUAGES])


def worst(accuracy: NDArray[np.float64]) -> float:
    """The lowest accuracy (..., groups, questions) of a question that words alone decide."""
    return float(np.min(accuracy[..., BY_WORDS, :]))


def train_run(run: ToyRun) -> dict[str, NDArray[Any]]:
    """Train one run: its accuracy (forms, languages, splits, groups, questions), and its parameters.

    What has one decimal is stored in tenths. Heads with a name come first, in the order of the questions.
    """
    exact, done = train_toy(run)
    done = by_name(done, held_out_sentences("en", "pairs"))
    models = exact, exact.rounded(), done
    parameters = {
        name: np.round(values * 10).astype(np.int8) if name in SHOWN else values.astype(np.float32)
        for name, values in done.parameters.items()
    }
    return {
        "accuracy": np.array([accuracies(model) for model in models]),
        **{f"parameters.{name}": values for name, values in parameters.items()},
    }


def collect(runs: Iterable[ToyRun], results: Iterable[dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """One stored file from the results of all runs, in their order."""
    listed, done = list(runs), list(results)
    stored: dict[str, NDArray[Any]] = {
        "d_model": np.array([run.shape.d_model for run in listed]),
        "n_heads": np.array([run.shape.n_heads for run in listed]),
        "positions": np.array([run.shape.positions for run in listed]),
        "seeds": np.array([run.seed for run in listed]),
        "accuracy": np.array([result["accuracy"] for result in done]),
    }
    for i, (run, result) in enumerate(zip(listed, done, strict=True)):
        if run.kept:
            stored |= {f"run{i}.{name}": a for name, a in result.items() if name.startswith("parameters.")}
    return stored
