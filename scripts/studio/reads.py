"""What a lesson really reads: which settings, and which traces of the worked example.

A film is stale when one of these is new, and not when anything else is. Reading a trace counts as reading what it is
computed from, too.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, cast

import numpy as np
from pydantic import BaseModel

from mathcore.example import WorkedExample
from mathcore.named import NamedArray
from scenes.settings import Settings


class WatchedExample(WorkedExample):
    """A worked example that notes which of its traces are read."""

    def __init__(self, words: tuple[str, ...], *, d_model: int, n_heads: int, seed: int, noted: set[str]) -> None:
        super().__init__(words, d_model=d_model, n_heads=n_heads, seed=seed)
        self._noted = noted

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("_"):
            noted: set[str] | None = vars(self).get("_noted")
            if noted is not None and not callable(getattr(WorkedExample, name, None)):
                noted.add(name)
        return super().__getattribute__(name)


class Reads:
    """Settings to play a lesson with, and what has been read of them."""

    def __init__(self, settings: Settings) -> None:
        self.keys: set[str] = set()
        self.traces: set[str] = set()
        self.settings = cast(Settings, _Watched(settings, "", self))


class _Watched:
    """A section of the settings; reading a value of it is noted under its dotted key."""

    def __init__(self, section: BaseModel, path: str, reads: Reads) -> None:
        self._section, self._path, self._reads = section, path, reads

    def __getattr__(self, name: str) -> Any:
        value, path = getattr(self._section, name), f"{self._path}{name}"
        if isinstance(value, BaseModel):
            return _Watched(value, f"{path}.", self._reads)
        self._reads.keys.add(path)
        return value

    def example_for(self, language: str) -> WorkedExample:
        settings = cast(Settings, self._section)
        chosen = settings.example
        return WatchedExample(
            settings.words(language), d_model=chosen.d_model, n_heads=chosen.n_heads, seed=chosen.seed,
            noted=self._reads.traces,
        )  # fmt: skip


def _feed(total: Any, value: object) -> None:
    if isinstance(value, NamedArray):
        total.update(f"{value.path}{value.axes}{value.shape}{value.values.dtype}{value.formula}".encode())
        total.update(np.ascontiguousarray(value.values).tobytes())
    elif isinstance(value, np.ndarray):
        total.update(f"{value.shape}{value.dtype}".encode())
        total.update(np.ascontiguousarray(value).tobytes())
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            total.update(field.name.encode())
            _feed(total, getattr(value, field.name))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            total.update(repr(key).encode())
            _feed(total, item)
    elif isinstance(value, tuple | list):
        total.update(f"{len(value)}".encode())
        for item in value:
            _feed(total, item)
    else:
        total.update(repr(value).encode())


@cache
def _example(words: tuple[str, ...], d_model: int, n_heads: int, seed: int) -> WorkedExample:
    return WorkedExample(words, d_model=d_model, n_heads=n_heads, seed=seed)


@cache
def _trace_digest(words: tuple[str, ...], d_model: int, n_heads: int, seed: int, name: str) -> str:
    example = _example(words, d_model, n_heads, seed)
    if not hasattr(example, name):
        return "no such trace"
    total = hashlib.sha256()
    _feed(total, getattr(example, name))
    return total.hexdigest()


def trace_digests(settings: Settings, language: str, names: Iterable[str]) -> dict[str, str]:
    """A digest for each named trace (or property) of the worked example."""
    chosen, words = settings.example, settings.words(language)
    return {name: _trace_digest(words, chosen.d_model, chosen.n_heads, chosen.seed, name) for name in sorted(names)}
