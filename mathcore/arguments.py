"""Validation of arguments: conversion of what is accepted, one clear line for what is refused.

A TypeError means that a value is of the wrong kind (2.5 or True where tokens are counted), a ValueError that it is of
the right kind and does not fit: a shape, a range, NaN or infinity.
"""

import math
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]


def as_float(values: ArrayLike, name: str) -> Array:
    """`values` as float64 (float32 stays): integers would wrap and float16 would lose digits. True is 1, False 0.

    Raises TypeError for anything but real numbers, ValueError for rows of unequal length.
    """
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} must be an array, but its rows differ in length") from None
    if array.dtype in (np.float32, np.float64):
        return array
    if array.dtype.kind not in "iufb":
        raise TypeError(f"{name} must hold real numbers, got {array.dtype}")
    return array.astype(np.float64)


def as_finite(values: ArrayLike, name: str) -> Array:
    """`values` as by `as_float`. Raises ValueError where they hold NaN or infinity."""
    array = as_float(values, name)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, but holds NaN or infinity")
    return array


def whole(value: Any, name: str) -> int:
    """A whole number as an int. Raises TypeError for one with decimals, even .0, and for True and False."""
    try:
        if not isinstance(value, bool | np.bool_):
            return index(value)
    except TypeError:
        pass
    raise TypeError(f"{name} must be a whole number, got {value!r}")


def count(value: Any, name: str, *, least: int = 1) -> int:
    """A whole number of at least `least`, as an int. Raises TypeError as `whole` does, ValueError for a smaller one."""
    number = whole(value, name)
    if number < least:
        raise ValueError(f"{name} must be at least {least}, got {number}")
    return number


def real(value: Any, name: str, wanted: str = "finite") -> float:
    """A finite real number as a float. Raises TypeError for True, text and arrays, ValueError for NaN and infinity."""
    array = np.asarray(value)
    if array.ndim or array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be a real number, got {value!r}")
    if not math.isfinite(array):
        raise ValueError(f"{name} must be {wanted}, got {value!r}")
    return float(array)


def leading_axes(trailing: int, **arrays: Array) -> tuple[int, ...]:
    """The axes before the last `trailing` ones, broadcast together. Raises ValueError where they do not fit."""
    shapes = [array.shape[: array.ndim - trailing] for array in arrays.values()]
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        listed = ", ".join(f"{name} {shape}" for name, shape in zip(arrays, shapes, strict=True))
        raise ValueError(f"leading axes do not fit each other: {listed}") from None
