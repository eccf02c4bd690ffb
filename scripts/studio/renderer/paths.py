"""Whole paths for cairo: NumPy lays them out in the form of cairo's C interface, one call appends them."""

import ctypes
import ctypes.util
import sys
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import cairo
import numpy as np
from numpy.typing import NDArray

Appender = Callable[["cairo.Context[Any]", "Path"], None]

# cairo_path_data_type_t, and the entries (of 16 bytes) that each kind takes, its header included.
_MOVE, _CURVE, _CLOSE = 0, 2, 3
_MOVE_SIZE, _CURVE_SIZE, _CLOSE_SIZE = 2, 4, 1


class Path(ctypes.Structure):
    """cairo_path_t over laid-out entries, which it keeps alive."""

    _fields_ = (("status", ctypes.c_int), ("data", ctypes.c_void_p), ("num_data", ctypes.c_int))

    def __init__(self, entries: NDArray[np.float64]) -> None:
        super().__init__(0, entries.ctypes.data, len(entries))
        self.entries = entries


class _Context(ctypes.Structure):
    """The head of pycairo's Context object: Python's object header, then the C context."""

    _fields_ = (("refcount", ctypes.c_ssize_t), ("type", ctypes.c_void_p), ("context", ctypes.c_void_p))


def _libraries() -> list[str | None]:
    """Where pycairo's own libcairo may be found: in the process, beside its module's wheel, in the system."""
    return [
        None,
        str(vars(cairo)["_cairo"].__file__),
        "libcairo.so.2",
        "libcairo.2.dylib",
        ctypes.util.find_library("cairo"),
    ]


@cache
def appender() -> Appender | None:
    """What appends a laid-out path to a pycairo context, or None where that is not known to be safe."""
    if sys.byteorder != "little" or ctypes.sizeof(ctypes.c_void_p) != 8 or sys.implementation.name != "cpython":
        return None
    for name in _libraries():
        try:
            library = ctypes.CDLL(name)
            function, version = library.cairo_append_path, library.cairo_version_string
        except (OSError, AttributeError, TypeError):
            continue
        version.restype = ctypes.c_char_p
        function.argtypes, function.restype = (ctypes.c_void_p, ctypes.POINTER(Path)), None

        def append(context: "cairo.Context[Any]", path: Path, function: Any = function) -> None:
            function(_Context.from_address(id(context)).context, ctypes.byref(path))

        if version().decode() == cairo.cairo_version_string() and _arrives(append):
            return append
    return None


def _arrives(append: Appender) -> bool:
    """Whether a path laid out here arrives in a pycairo context as meant."""
    context = cairo.Context(cairo.ImageSurface(cairo.FORMAT_A8, 4, 4))
    points = np.array([[0, 0], [1, 0], [2, 1], [2, 2], [2, 2], [1, 3], [0, 2], [0, 0]], dtype=float)
    append(context, Path(laid_out(points, 1e-6)))
    wanted = [(0, (0, 0)), (2, (1, 0, 2, 1, 2, 2)), (2, (1, 3, 0, 2, 0, 0)), (3, ()), (0, (0, 0))]
    return [(kind, tuple(numbers)) for kind, numbers in context.copy_path()] == wanted


def _header(kind: int, size: int) -> float:
    """A path entry's header, {int type; int length}, as the eight bytes of a double."""
    return float(np.array([kind, size], dtype=np.int32).view(np.float64)[0])


_MOVE_HEAD, _CURVE_HEAD = _header(_MOVE, _MOVE_SIZE), _header(_CURVE, _CURVE_SIZE)
_CLOSE_HEAD = _header(_CLOSE, _CLOSE_SIZE)


def laid_out(points: NDArray[np.float64], tolerance: float) -> NDArray[np.float64]:
    """(entries, 2): the curves of `points` (4 a curve, 3), as cairo_path_data_t.

    Curves that meet are one subpath, closed if it ends where it starts: both as manim decides it, by
    numpy.isclose with the shape's own tolerance.
    """
    flat = points[:, :2]
    apart = _apart(flat[3:-1:4], flat[4::4], tolerance)
    if not apart.any():
        return _one_subpath(flat, closed=not _apart(flat[:1], flat[-1:], tolerance)[0])
    stops = np.append(np.flatnonzero(apart) * 4 + 4, len(flat))
    begins = np.concatenate([[0], stops[:-1]])
    closings = ~_apart(flat[begins], flat[stops - 1], tolerance)
    template, source, target = _template(tuple(begins.tolist()), tuple(stops.tolist()), closings.tobytes())
    data = template.copy()
    data[target] = flat[source]
    return data


def _apart(ones: NDArray[np.float64], others: NDArray[np.float64], tolerance: float) -> NDArray[np.bool_]:
    """(n,): which points are not the same."""
    differ = ones != others
    if not differ.any():
        # Shapes are mostly made of curves that meet exactly.
        return np.zeros(len(ones), dtype=np.bool_)
    far: NDArray[np.bool_] = np.abs(ones - others) > tolerance + 1e-5 * np.abs(others)
    return far[:, 0] | far[:, 1]


def _one_subpath(flat: NDArray[np.float64], closed: bool) -> NDArray[np.float64]:
    used = _MOVE_SIZE + len(flat)
    data = np.empty((used + closed, 2))
    data[0, 0] = _MOVE_HEAD
    data[1] = flat[0]
    # A curve's first point is where the pen stands; its header takes that place.
    data[2:used] = flat
    data[2:used:4, 0] = _CURVE_HEAD
    if closed:
        data[-1, 0] = _CLOSE_HEAD
    return data


@lru_cache(maxsize=4096)
def _template(
    begins: tuple[int, ...], stops: tuple[int, ...], closings: bytes
) -> tuple[NDArray[np.float64], NDArray[np.int_], NDArray[np.int_]]:
    """The headers of a path of several subpaths, and which point goes to which entry."""
    heads: list[float] = []
    source: list[int] = []
    target: list[int] = []
    for begin, stop, closing in zip(begins, stops, closings, strict=True):
        for head, first, last in [
            (_MOVE_HEAD, begin, begin + 1),
            *((_CURVE_HEAD, curve + 1, curve + 4) for curve in range(begin, stop, 4)),
        ]:
            source += range(first, last)
            target += range(len(heads) + 1, len(heads) + 1 + last - first)
            heads += [head] + [0.0] * (last - first)
        heads += [_CLOSE_HEAD] * closing
    template = np.zeros((len(heads), 2))
    template[:, 0] = heads
    return template, np.array(source, dtype=np.int_), np.array(target, dtype=np.int_)
