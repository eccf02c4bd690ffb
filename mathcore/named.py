"""Arrays with provenance: a path in the worked example, names of axes, and a formula."""

import hashlib
import operator
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, SupportsIndex, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mathcore.arguments import whole
from mathcore.rounding import decimal_text

Trace = TypeVar("Trace")


@dataclass(frozen=True)
class Entry:
    """One value of a named array: the only thing the films may draw or speak as a number."""

    path: str
    index: tuple[int, ...]
    value: float
    whole: bool = False
    """Whether its array holds integers (or booleans)."""

    @property
    def places(self) -> int:
        """The decimals that it is shown with unless others are asked for: none of an integer, else two."""
        return 0 if self.whole else 2

    @property
    def address(self) -> str:
        """Where the value stands, for example `heads[1].weights[2, 0]`."""
        return f"{self.path}[{', '.join(map(str, self.index))}]" if self.index else self.path

    def __index__(self) -> int:
        """An integer as a Python int, so that it may be an index. Raises TypeError for a value of real numbers."""
        if not self.whole:
            raise TypeError(f"{self.address} is no integer")
        return int(self.value)

    def text(self, places: int | None = None, *, signed: bool = False, grouped: bool = False) -> str:
        """The digits to show: the nearest rounding of the value."""
        return decimal_text(self.value, self.places if places is None else places, signed=signed, grouped=grouped)


class NamedArray:
    """A read-only array with its `path`, the names of its `axes`, and the `formula` that made it.

    Indexing with integers gives a smaller NamedArray that remembers its place, or an Entry once every
    axis is used: `weights[2]` is a row, `weights[2, 0]` or `weights[2][0]` one value.

    The values are copied, so that changes of the original do not change what the films show; with `copy=False` they are
    not, and the caller must not keep a reference.

    Raises TypeError for values that are not numbers or booleans, ValueError where there are fewer dimensions than axes.
    """

    __slots__ = ("_prefix", "axes", "formula", "path", "values")

    def __init__(
        self,
        values: ArrayLike,
        path: str,
        axes: tuple[str, ...],
        formula: str = "",
        *,
        copy: bool = True,
        _prefix: tuple[int, ...] = (),
    ) -> None:
        array = values.values if isinstance(values, NamedArray) else np.array(values) if copy else np.asarray(values)
        if array.dtype.kind not in "iufb":
            raise TypeError(f"{path}: a named array holds numbers or booleans, got {array.dtype}")
        if array.flags.writeable:
            # And what it is a view of.
            for part in (array, array.base):
                if isinstance(part, np.ndarray):
                    part.setflags(write=False)
        # Leading batch axes need no name of their own.
        if array.ndim > len(axes):
            axes = ("batch",) * (array.ndim - len(axes)) + axes
        if array.ndim != len(axes):
            raise ValueError(f"{path}: {array.ndim} dimensions but axes {axes}")
        # A view of what is read-only: its protection cannot be lifted.
        self.values: NDArray[Any] = array.view()
        self.path, self.axes, self.formula = path, axes, formula
        self._prefix = _prefix

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __reduce__(self) -> tuple[Any, ...]:
        # Copies, and what another process is sent, are as read-only as the original.
        return _rebuilt, (np.array(self.values), self.path, self.axes, self.formula, self._prefix)

    def __repr__(self) -> str:
        return f"NamedArray({self.path}, axes={self.axes}, shape={self.shape})"

    def __index__(self) -> int:
        """A scalar integer as a Python int, as for an Entry. Raises IndexError for an array that is not a scalar."""
        return operator.index(self.entry())

    def row(self, *index: SupportsIndex) -> "NamedArray":
        """The part at `index`, which must leave at least one axis."""
        part = self._at(index)
        if isinstance(part, Entry):
            raise IndexError(f"{self.path}{list(index)} is a single value, not a row")
        return part

    def entry(self, *index: SupportsIndex) -> Entry:
        """The single value at `index` (none for a scalar)."""
        part = self._at(index)
        if isinstance(part, NamedArray):
            raise IndexError(f"{self.path}{list(index)} is not a single value: axes {part.axes} are left")
        return part

    def entries(self) -> Iterator[Entry]:
        """Every value in reading order."""
        for index in np.ndindex(self.shape):
            yield self.entry(*index)

    def __getitem__(self, index: SupportsIndex | tuple[SupportsIndex, ...]) -> "NamedArray | Entry":
        return self._at(index if isinstance(index, tuple) else (index,))

    def _at(self, index: tuple[SupportsIndex, ...]) -> "NamedArray | Entry":
        if len(index) > len(self.axes):
            raise IndexError(f"{self.path} has {len(self.axes)} axes, got index {index}")
        normal = []
        for given, size, axis in zip(index, self.shape, self.axes, strict=False):
            i = whole(given, f"{self.path}: {axis} index")
            if not -size <= i < size:
                raise IndexError(f"{self.path}: {axis} index {i} is outside 0..{size - 1}")
            normal.append(i % size)
        place = self._prefix + tuple(normal)
        part = self.values[tuple(normal)]
        if len(normal) < len(self.axes):
            return NamedArray(part, self.path, self.axes[len(normal) :], self.formula, copy=False, _prefix=place)
        return Entry(self.path, place, float(part), part.dtype.kind in "iub")

    def located(self, prefix: str) -> "NamedArray":
        """The same array under `prefix`, as when a trace becomes part of a larger one."""
        path = f"{prefix}.{self.path}"
        return NamedArray(self.values, path, self.axes, self.formula, copy=False, _prefix=self._prefix)


def _rebuilt(values: Any, path: str, axes: tuple[str, ...], formula: str, prefix: tuple[int, ...]) -> NamedArray:
    return NamedArray(values, path, axes, formula, copy=False, _prefix=prefix)


def located(trace: Trace, prefix: str) -> Trace:
    """A copy of a trace whose arrays' paths all start with `prefix`."""

    def move(value: Any) -> Any:
        if isinstance(value, NamedArray):
            return value.located(prefix)
        if isinstance(value, tuple):
            return tuple(move(item) for item in value)
        if is_dataclass(value) and not isinstance(value, type):
            return located(value, prefix)
        return value

    changes = {field.name: move(getattr(trace, field.name)) for field in fields(trace)}  # type: ignore[arg-type]
    return replace(trace, **changes)  # type: ignore[type-var]


# One spelling a path: no leading zeros, no other alphabet's digits, nothing private.
_STEP = re.compile(r"\.([A-Za-z]\w*)|\[(0|[1-9]\d{0,8})\]", re.ASCII)


def resolve(root: object, path: str) -> NamedArray:
    """Find the array that `path` names below `root`, as in `heads[1].weights`.

    Only public attributes and tuple items are followed. Raises KeyError for a path that leads nowhere.
    """
    here: Any = root
    rest = path if path.startswith("[") or not path else f".{path}"
    position = 0
    while position < len(rest):
        step = _STEP.match(rest, position)
        if step is None:
            raise KeyError(f"{path!r} is not a path (stopped at {rest[position:]!r})")
        name, item = step.groups()
        if name is not None and hasattr(here, name):
            here = getattr(here, name)
        elif item is not None and isinstance(here, tuple) and int(item) < len(here):
            here = here[int(item)]
        else:
            raise KeyError(f"{path!r}: nothing is called {step.group()!r} there")
        position = step.end()
    if not isinstance(here, NamedArray):
        raise KeyError(f"{path!r} is not an array")
    return here


def named_arrays(root: object) -> Iterator[NamedArray]:
    """Every array of a trace, in field order, traces within it included."""
    if isinstance(root, NamedArray):
        yield root
    elif isinstance(root, tuple):
        for item in root:
            yield from named_arrays(item)
    elif is_dataclass(root) and not isinstance(root, type):
        for field in fields(root):
            yield from named_arrays(getattr(root, field.name))


def digest(arrays: Iterable[NamedArray]) -> str:
    """SHA-256 over every array, its path, its shape and its type: changes when any of them does."""
    total = hashlib.sha256()
    for array in arrays:
        total.update(f"{array.path}{array.shape}{array.values.dtype}".encode())
        total.update(np.ascontiguousarray(array.values).tobytes())
    return total.hexdigest()
