"""What the worked example's model learnt, run by run, and the parameters that are kept, from `make train`."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from numpy.typing import NDArray

from mathcore.named import NamedArray
from mathcore.trained import stored
from mathcore.trained.toy_heads import ASKS, HeadMeasures, measured, names, served
from mathcore.trained.toy_model import SHOWN, ToyModel, ToyShape
from mathcore.trained.toy_training import RUNS, STORED, held_out_sentences

Array = NDArray[Any]
_BY = ("run", "form", "language", "split", "group", "question")


@dataclass(frozen=True)
class ToyResults:
    """Every run. `accuracy` (runs, forms, languages, splits, groups, questions) is measured on sentences with a pair,
    or a triple, of words that no training sentence has; NaN where a group does not ask.

    Forms: as trained, rounded afterwards, rounded while training went on. `worst` (runs, forms) is the lowest accuracy
    of a question that words alone decide.
    """

    d_model: NamedArray
    n_heads: NamedArray
    positions: NamedArray
    seeds: NamedArray
    accuracy: NamedArray
    worst: NamedArray


@lru_cache(maxsize=1)
def toy_results() -> ToyResults:
    """The stored results of all runs, failed ones too."""
    data = stored.read(STORED)
    runs = {name: NamedArray(data[name], name, ("run",)) for name in ("d_model", "n_heads", "positions", "seeds")}
    accuracy = data["accuracy"]
    return ToyResults(
        **runs,
        accuracy=NamedArray(accuracy, "accuracy", _BY),
        worst=NamedArray(accuracy[..., 0, :].min(axis=(2, 3, 4)), "worst", _BY[:2], "min of accuracy"),
    )


@lru_cache(maxsize=8)
def toy_model(shape: ToyShape) -> ToyModel | None:
    """The kept model of a shape; None where no run reached .98 in every question that words alone decide."""
    number = next((i for i, run in enumerate(RUNS) if run.kept and run.shape == shape), None)
    if number is None:
        return None
    prefix, data = f"run{number}.parameters.", stored.read(STORED)
    parameters = {name.removeprefix(prefix): a for name, a in data.items() if name.startswith(prefix)}
    return ToyModel(shape, {name: a / 10 if name in SHOWN else a for name, a in parameters.items()})


@dataclass(frozen=True)
class HeadRoles:
    """What each head is for, on the English held-out pairs. `names` are questions, empty where none is clear.

    By `asks`, (question, kind of word): `accuracy` (asks,) with all heads, `without` and `costs` (heads, asks) with one
    removed, `links` (heads, asks) the mean weight that the asking word gives the answer.
    """

    names: tuple[str, ...]
    asks: tuple[tuple[str, str], ...]
    accuracy: NamedArray
    without: NamedArray
    costs: NamedArray
    links: NamedArray

    def served(self, kind: str) -> tuple[tuple[str, ...], ...]:
        """The questions of one kind of word, such as `verb`, that each head serves."""
        return served(HeadMeasures(self.accuracy.values, self.without.values, self.links.values), kind)


@lru_cache(maxsize=8)
def head_roles(shape: ToyShape) -> HeadRoles:
    """The roles of a kept model's heads. Raises ValueError for a shape of which none is kept."""
    model = toy_model(shape)
    if model is None:
        raise ValueError(f"no parameters are kept for {shape}")
    found = measured(model, held_out_sentences("en", "pairs"))
    by_head = ("head", "ask")
    return HeadRoles(
        names=names(found),
        asks=ASKS,
        accuracy=NamedArray(found.accuracy, "accuracy", ("ask",)),
        without=NamedArray(found.without, "without", by_head, "accuracy without the head"),
        costs=NamedArray(found.costs, "costs", by_head, "accuracy - without"),
        links=NamedArray(found.links, "links", by_head),
    )
