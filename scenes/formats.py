"""The formats of a film: the frame's size in units, where title, stage and captions stand in it, and its type sizes.

A format is context, as the theme is: a piece reads it when it is drawn, through `current_format()`, never when a module
is imported. Only the standard library is needed here.
"""

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

# Pixels of a unit where a frame has its full size: 1080 lines in landscape, 1080 columns on a phone.
UNIT_PX = 135
SAFE = 0.4
"""Units at each edge of a frame that stay free of text."""


@dataclass(frozen=True)
class Slot:
    """A rectangle of the frame, in units; the origin is the frame's centre, y points up."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def centre(self) -> tuple[float, float, float]:
        return ((self.left + self.right) / 2, (self.bottom + self.top) / 2, 0.0)

    def part(self, left: float = 0.0, right: float = 1.0, bottom: float = 0.0, top: float = 1.0) -> "Slot":
        """A part of the slot, in shares of its width and height."""
        return Slot(
            self.left + left * self.width,
            self.bottom + bottom * self.height,
            self.left + right * self.width,
            self.bottom + top * self.height,
        )


@dataclass(frozen=True)
class TypeSizes:
    """Sizes of type, in pixels of a frame with `UNIT_PX` pixels a unit."""

    title: float
    body: float
    small: float
    smallest: float
    caption: float


@dataclass(frozen=True)
class Canvas:
    """A picture of `columns` x `rows` pixels, `width` x `height` units; `centre` is its middle in units."""

    columns: int
    rows: int
    width: float
    height: float
    centre: tuple[float, float] = (0.0, 0.0)

    def at(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Column and row, from the upper left corner, of places in units."""
        # A width that is rounded to whole pixels stretches the picture a little.
        across, down = self.columns / self.width, self.rows / self.height
        return (x - self.centre[0] + self.width / 2) * across, (self.height / 2 - y + self.centre[1]) * down

    def place(self, column: float, row: float) -> tuple[float, float]:
        """The place in units of a pixel's upper left corner."""
        across, down = self.columns / self.width, self.rows / self.height
        return column / across - self.width / 2 + self.centre[0], self.height / 2 - row / down + self.centre[1]

    @property
    def unit(self) -> float:
        """Pixels of a unit."""
        return self.rows / self.height


@dataclass(frozen=True)
class Format:
    """A film's frame: its size and slots in units, its sizes of type, and columns and rows of a caption.

    `ratio` is width to height. `boxed`, if there is one, is another ratio in which the same picture stands in a box
    (left, top, right, bottom, in shares of the width and height) with the page around it.
    """

    name: str
    width: float
    height: float
    ratio: tuple[int, int]
    title: Slot
    stage: Slot
    caption: Slot
    sizes: TypeSizes
    caption_columns: int
    boxed: tuple[int, int] | None = None
    box: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)

    @property
    def ratios(self) -> tuple[tuple[int, int], ...]:
        """The ratios of width to height that a film of this format may have."""
        return (self.ratio, *([self.boxed] if self.boxed else []))

    def height_of(self, width: int) -> int:
        """The even height of a picture `width` pixels wide."""
        return 2 * round(width * self.ratio[1] / self.ratio[0] / 2)

    def size(self, shorter: int) -> tuple[int, int]:
        """Width and height, even, of a picture whose shorter side has so many pixels."""
        across, down = self.ratio
        longer = 2 * round(shorter * max(across, down) / min(across, down) / 2)
        return (longer, shorter) if across > down else (shorter, longer)

    def fits(self, columns: int, rows: int, ratio: tuple[int, int] | None = None) -> bool:
        """Whether a picture has the ratio (any of the format's), as near as whole pixels allow (854x480 is 16:9)."""
        if ratio is None:
            return any(self.fits(columns, rows, each) for each in self.ratios)
        across, down = ratio
        return abs(columns - rows * across / down) <= 1 or abs(rows - columns * down / across) <= 1

    def canvas(self, columns: int, rows: int) -> Canvas:
        """How a picture of so many pixels shows the frame."""
        if self.boxed is None or self.fits(columns, rows, self.ratio) or not self.fits(columns, rows, self.boxed):
            return Canvas(columns, rows, self.width, self.height)
        left, top, right, bottom = self.box
        width, height = self.width / (right - left), self.height / (bottom - top)
        return Canvas(columns, rows, width, height, ((1 - left - right) / 2 * width, (top + bottom - 1) / 2 * height))


def _band(width: float, bottom: float, top: float) -> Slot:
    """A slot from edge to edge of a frame, as far as text may go."""
    return Slot(SAFE - width / 2, bottom, width / 2 - SAFE, top)


_WIDE = 128 / 9
LANDSCAPE = Format(
    "landscape", _WIDE, 8.0, (16, 9),
    title=_band(_WIDE, 2.95, 4 - SAFE), stage=_band(_WIDE, -2.5, 2.8), caption=_band(_WIDE, SAFE - 4, -2.65),
    sizes=TypeSizes(title=54, body=34, small=28, smallest=24, caption=36), caption_columns=60,
)  # fmt: skip
# Where a film is 360 pixels wide, as in the feed of a phone, captions are 15 pixels high and digits 12. Upright films
# of 9:16 are covered by their platform's own signs at the edges: what all of them leave free is a box of 4:5.
PHONE = Format(
    "phone", 8.0, 10.0, (4, 5),
    title=_band(8, 3.2, 5 - SAFE), stage=_band(8, -3.35, 3.0), caption=_band(8, SAFE - 5, -3.5),
    sizes=TypeSizes(title=56, body=44, small=40, smallest=36, caption=46), caption_columns=38,
    boxed=(9, 16), box=(120 / 1080, 288 / 1920, 888 / 1080, 1248 / 1920),
)  # fmt: skip
FORMATS = {each.name: each for each in (LANDSCAPE, PHONE)}

_current: ContextVar[Format] = ContextVar("format", default=LANDSCAPE)


def current_format() -> Format:
    """The format that pieces are drawn in at this moment."""
    return _current.get()


@contextmanager
def use_format(name: str) -> Iterator[Format]:
    """Draw in the format called `name` ("landscape" or "phone") within the block."""
    token = _current.set(FORMATS[name])
    try:
        yield FORMATS[name]
    finally:
        _current.reset(token)


class TypeSize(float):
    """A size of type: a number whose value is that of the format in force when it is computed with or compared.

    By itself it is not a number, so that code which does not ask for the format cannot draw with it.
    """

    # NumPy's scalars leave the computation to the methods below.
    __array_ufunc__ = None
    role: str

    def __new__(cls, role: str) -> "TypeSize":
        made = super().__new__(cls, float("nan"))
        made.role = role
        return made

    def __float__(self) -> float:
        return float(getattr(current_format().sizes, self.role))

    def __hash__(self) -> int:
        return hash(self.role)

    def __repr__(self) -> str:
        return f"{float(self):g}"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(float(self), spec or "g")

    def __reduce__(self) -> tuple[type["TypeSize"], tuple[str]]:
        return TypeSize, (self.role,)

    def __round__(self, places: Any = None) -> Any:
        return round(float(self), places)

    def __bool__(self) -> bool:
        return True


def _computed(compute: Callable[[Any, Any], Any]) -> tuple[Callable[[TypeSize, Any], Any], ...]:
    def forward(self: TypeSize, other: Any) -> Any:
        return compute(float(self), float(other) if isinstance(other, TypeSize) else other)

    def backward(self: TypeSize, other: Any) -> Any:
        return compute(other, float(self))

    return forward, backward


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    _forward, _backward = _computed(getattr(operator, _name))
    setattr(TypeSize, f"__{_name}__", _forward)
    setattr(TypeSize, f"__r{_name}__", _backward)
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(TypeSize, f"__{_name}__", _computed(getattr(operator, _name))[0])
for _name in ("neg", "pos", "abs", "int", "trunc"):
    setattr(TypeSize, f"__{_name}__", lambda self, _do=_name: getattr(float(self), f"__{_do}__")())
