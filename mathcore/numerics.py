"""Results that are the same on every machine, and right for numbers of any size.

Sums come out with other last digits where they are added in another order, and squares overflow long before numbers do.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mathcore.arguments import as_float

Array = NDArray[Any]
Given = ParamSpec("Given")

# Values that differ by less than this, relative to the largest in size, are equal; in float32 by less than _STEPS times
# its smallest step.
TIE, _STEPS = 1e-9, 16


def not_too_large(result: Array, what: str) -> Array:
    """What was computed from finite numbers. Raises ValueError where it is too large for its floats."""
    if not np.isfinite(result).all():
        raise ValueError(f"{what} is too large for {result.dtype}: scale the numbers down")
    return result


def in_range(what: str, compute: Callable[[], Array]) -> Array:
    """What `compute` makes of finite numbers, checked by `not_too_large` and without warnings."""
    with np.errstate(over="ignore", invalid="ignore"):
        return not_too_large(compute(), what)


def no_overflow(function: Callable[Given, Array]) -> Callable[Given, Array]:
    """A function that raises ValueError where its result is too large for floats."""

    @wraps(function)
    def checked(*args: Given.args, **kwargs: Given.kwargs) -> Array:
        return in_range(f"the result of {function.__name__}", lambda: function(*args, **kwargs))

    return checked


def lengths(vectors: Array, axis: int | tuple[int, ...] = -1) -> Array:
    """Euclidean lengths over `axis`, right even where the squares of the numbers are too large or small for floats."""
    largest = np.abs(vectors).max(axis=axis, keepdims=True, initial=0)
    # A power of two, so that no digit changes.
    scale = np.ldexp(np.ones_like(largest), np.frexp(largest)[1] - 1)
    squares = np.square(vectors / scale).sum(axis=axis)
    return in_range("a length", lambda: np.sqrt(squares) * np.squeeze(scale, axis=axis))


def first_largest(values: ArrayLike, axis: int = -1) -> NDArray[np.intp]:
    """The first index over `axis` whose value is the largest, or within `TIE` of it: the same on every machine."""
    array = as_float(values, "values")
    slack = max(TIE, _STEPS * float(np.finfo(array.dtype).eps)) * np.abs(array).max(axis=axis, keepdims=True)
    return np.asarray((array >= array.max(axis=axis, keepdims=True) - slack).argmax(axis=axis))


def first_smallest(values: ArrayLike, axis: int = -1) -> NDArray[np.intp]:
    """The first index over `axis` whose value is the smallest, or within `TIE` of it: the same on every machine."""
    return first_largest(-as_float(values, "values"), axis)
