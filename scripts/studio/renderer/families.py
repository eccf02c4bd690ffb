"""Families and copies of mobjects, as manim makes them, without its detours.

Manim walks families through nested generators and copies shapes attribute by attribute through `copy.deepcopy`:
together a fifth of a lesson's time. `shortcuts` puts what is here in manim's place while a lesson plays.
"""

import copy
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from manim import ManimColor, Mobject

# What a copy may share with its original, as it cannot be changed.
_SHARED = (str, int, float, bool, type(None), ManimColor)


def members(mobjects: Iterable[Mobject]) -> list[Mobject]:
    """Mobjects and all below them; one that occurs twice stands where it came last, as in manim."""
    found: dict[Mobject, None] = {}
    for mobject in mobjects:
        _collect(mobject, found, set())
    return list(found)


def _collect(mobject: Mobject, found: dict[Mobject, None], above: set[Mobject]) -> None:
    found.pop(mobject, None)
    found[mobject] = None
    if mobject.submobjects:
        # A mobject below itself is not entered again.
        above.add(mobject)
        for below in mobject.submobjects:
            if below not in above:
                _collect(below, found, above)
        above.discard(mobject)


def _get_family(self: Mobject, recurse: bool = True) -> list[Mobject]:
    return members([self]) if self.submobjects else [self]


def _deepcopy(self: Mobject, memo: dict[int, Any]) -> Mobject:
    """As Mobject.__deepcopy__: every attribute copied, except what is immutable."""
    result = object.__new__(type(self))
    memo[id(self)] = result
    state = result.__dict__
    for name, value in self.__dict__.items():
        kind = type(value)
        if kind is np.ndarray and value.dtype != object:
            done = memo.get(id(value))
            if done is None:
                done = memo[id(value)] = value.copy()
            state[name] = done
        elif kind in _SHARED:
            state[name] = value
        elif kind is list and not value:
            state[name] = []
        else:
            state[name] = copy.deepcopy(value, memo)
    result.original_id = str(id(self))
    return result


@contextmanager
def shortcuts() -> Iterator[None]:
    """Manim's mobjects with the functions of this module."""
    ours = {"get_family": _get_family, "__deepcopy__": _deepcopy}
    theirs = {name: Mobject.__dict__[name] for name in ours}
    for name, function in ours.items():
        setattr(Mobject, name, function)
    try:
        yield
    finally:
        for name, function in theirs.items():
            setattr(Mobject, name, function)
