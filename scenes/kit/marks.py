"""Marks: how a number is drawn, as its drawing class fills it, the ledger writes it, and its reader measures it.

A mark holds what its picture is to be read by (a scale, a centre, a colour), never the value that it stands for. What
drawing and reading must agree about, such as the width of a thread of some value, is a method of the mark. Places and
lengths are in frame units, widths of lines in manim's stroke units (100 to a frame unit), colours are `#RRGGBB`.
"""

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from scenes.kit.theme import Ramp

Place = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, bottom, right, top, in frame units."""
MARKS: dict[str, type["Mark"]] = {}
"""Every kind of mark, by its name in ledgers."""
_WITHIN = re.compile("(?<!^)(?=[A-Z])")


@dataclass(frozen=True, kw_only=True)
class Mark:
    """How a number is drawn.

    A class of marks says its `kind`: marks of one kind are counted and read together. Its `name` is that in ledgers.
    """

    kind: ClassVar[str] = ""
    name: ClassVar[str] = ""

    def __init_subclass__(cls, kind: str = "") -> None:
        if kind:
            cls.kind, cls.name = kind, _WITHIN.sub(" ", cls.__name__.removesuffix("Mark")).lower()
            MARKS[cls.name] = cls

    @property
    def scale(self) -> float:
        """How much its whole scale is, in the unit of its values."""
        return 1.0

    @property
    def turn(self) -> float | None:
        """The value after which it looks as before; None where there is none."""
        return None

    @property
    def room(self) -> Box | None:
        """Where it may come by while its value changes, besides where it stands before and after."""
        return None

    def shown(self, value: float) -> float:
        """A value as its picture can show it: some have a least or a greatest size."""
        return value


@dataclass(frozen=True, kw_only=True)
class SpokenMark(Mark, kind="caption"):
    """A number said in words: in a `form` of `scenes.words.numerals`."""

    form: str
    language: str


@dataclass(frozen=True, kw_only=True)
class DrawnMark(Mark):
    """What is drawn, as opaque as `opacity` says."""

    opacity: float


@dataclass(frozen=True, kw_only=True)
class ColouredMark(DrawnMark):
    """What is drawn in one colour."""

    color: str


@dataclass(frozen=True, kw_only=True)
class WrittenMark(ColouredMark):
    """Digits."""


@dataclass(frozen=True, kw_only=True)
class DigitsMark(WrittenMark, kind="digits"):
    """Digits of the film's font: size in pixels of a 1080-line frame, the height of their baseline, weight."""

    size: float
    baseline: float
    bold: bool


@dataclass(frozen=True, kw_only=True)
class FormulaDigitsMark(WrittenMark, kind="digits"):
    """Digits of a formula."""


@dataclass(frozen=True, kw_only=True)
class CellMark(DrawnMark, kind="cell"):
    """A cell whose colour is a value on a scale of colours."""

    ramp: Ramp

    @property
    def scale(self) -> float:
        return abs(self.ramp.stop - self.ramp.start)


@dataclass(frozen=True, kw_only=True)
class ThreadMark(ColouredMark, kind="thread"):
    """A thread along a Bezier curve (4 points), whose width is a value; the value 1 is `full` wide."""

    curve: tuple[Place, ...]
    full: float
    LEAST: ClassVar[float] = 1.5

    @classmethod
    def width(cls, value: float, full: float) -> float:
        """How wide a thread of some value is drawn."""
        return max(cls.LEAST, full * value)

    def shown(self, value: float) -> float:
        return self.width(value, self.full) / self.full


@dataclass(frozen=True, kw_only=True)
class BeamMark(ColouredMark, kind="beam"):
    """Light whose opacity is a value, up to `full`, over what has the colour `over`.

    The corners of its `polygon` are both ends of its mouth, then right and left of what it lights. Its `opacity` is
    that as a share of what it is to be.
    """

    polygon: tuple[Place, ...]
    full: float
    over: str

    @staticmethod
    def light(value: float, full: float) -> float:
        """How opaque light of some value is drawn."""
        return full * min(max(value, 0.0), 1.0)

    def shown(self, value: float) -> float:
        return self.light(value, 1.0)


@dataclass(frozen=True, kw_only=True)
class LitCardMark(BeamMark, kind="beam"):
    """Light on a card with a word in its middle; its polygon is the card's box."""


@dataclass(frozen=True, kw_only=True)
class DialMark(ColouredMark):
    """What shows an angle, in degrees clockwise from twelve, about a `centre` and up to a `radius`.

    `width` is that of the dial's hand.
    """

    centre: Place
    radius: float
    width: float


@dataclass(frozen=True, kw_only=True)
class HandMark(DialMark, kind="hand"):
    """A hand from the centre, with a tip of the radius `tip` at its end."""

    tip: float

    @property
    def turn(self) -> float | None:
        return 360.0

    @property
    def room(self) -> Box | None:
        (x, y), reach = self.centre, self.radius + self.tip
        return (x - reach, y - reach, x + reach, y + reach)


@dataclass(frozen=True, kw_only=True)
class HandOutlineMark(HandMark, kind="hand"):
    """A hand that is an outline, ending in a ring of the radius `tip`."""


@dataclass(frozen=True, kw_only=True)
class SectorMark(DialMark, kind="hand"):
    """What a hand has swept since the angle `start`: at most a whole turn, out to `REACH` radii."""

    start: float
    REACH: ClassVar[float] = 0.7
    MOST: ClassVar[float] = 359.9

    def shown(self, value: float) -> float:
        return min(value, self.MOST)


@dataclass(frozen=True, kw_only=True)
class WindingMark(DialMark, kind="hand"):
    """How far a hand has turned since twelve: a line, `line` wide, that winds outwards, a winding a turn."""

    line: float
    INNER: ClassVar[float] = 0.42
    OUTWARDS: ClassVar[float] = 0.15

    @classmethod
    def out(cls, degrees: float) -> float:
        """How far from the centre the line is after a turn by so many degrees, in radii."""
        return cls.INNER + cls.OUTWARDS * degrees / 360


@dataclass(frozen=True, kw_only=True)
class WaveMark(ColouredMark, kind="wave"):
    """A curve's height at the place `x`: 0 at the height `zero`, 1 `unit` above it; dashed in dashes and gaps."""

    x: float
    zero: float
    unit: float
    width: float
    dashed: bool
    DASH: ClassVar[float] = 0.11
    GAP: ClassVar[float] = 0.09


@dataclass(frozen=True, kw_only=True)
class WaveDotMark(ColouredMark, kind="wave"):
    """A dot or ring at a curve's height; `reach` is from its middle to its outer edge, whose line is `width` wide."""

    x: float
    zero: float
    unit: float
    reach: float
    width: float
    fill: str

    @property
    def room(self) -> Box | None:
        half = self.unit + self.reach
        return (self.x - self.reach, self.zero - half, self.x + self.reach, self.zero + half)


@dataclass(frozen=True, kw_only=True)
class BarMark(ColouredMark, kind="bar"):
    """A thick line whose length is a value; the value 1 is the vector `unit` from `start`.

    However small its value, it is `least` long. `beyond` is how far what stands at its end, whose edge has the colour
    `tip`, lets it seem longer, or, below zero, hides of it.
    """

    start: Place
    unit: Place
    width: float
    least: float
    beyond: float
    tip: str

    @staticmethod
    def length(value: float, whole: float, least: float) -> float:
        """How long a bar of some value is drawn, against its direction below zero; the value 1 is `whole` long."""
        return value * whole if abs(value * whole) >= least else least

    def shown(self, value: float) -> float:
        whole = float(np.hypot(*self.unit))
        return self.length(value, whole, self.least) / whole


@dataclass(frozen=True, kw_only=True)
class BarPartMark(ColouredMark, kind="bar"):
    """A part of a bar, as long as a value; the value 1 is `unit` long."""

    unit: float
    LEAST: ClassVar[float] = 0.012

    @classmethod
    def length(cls, value: float, unit: float) -> float:
        """How long a part of some value is drawn."""
        return max(cls.LEAST, unit * value)

    def shown(self, value: float) -> float:
        return self.length(value, self.unit) / self.unit
