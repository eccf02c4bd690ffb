"""Arrangements: things in rows, columns and tables, as large as there is room for.

An arrangement is laid out at an *ease*: at 1 everything has the size that it would like, at 0 the least at which all
of it can be read, at -1 what may be left out is left out, at -2 what can be told by colour alone is. `fit` finds the
greatest ease at which a slot holds it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any, Protocol, runtime_checkable

import numpy as np
from manim import Group, Mobject, VGroup, VMobject

from scenes.formats import Slot
from scenes.kit.text import BODY, SMALLEST, TextLine

# Between neighbours, at the least and at the most ease.
GAP = (0.14, 0.4)
_STEPS = 18
LEAST = -2.0
# What an equation may break before.
_SIGNS = ("×", "=", "+", "−", "≈")


@dataclass(frozen=True)
class Reach:
    """How far a thing reaches from its anchor, in units."""

    left: float
    right: float
    up: float
    down: float

    @property
    def width(self) -> float:
        return self.left + self.right

    @property
    def height(self) -> float:
        return self.up + self.down


@runtime_checkable
class Flexible(Protocol):
    """A shape that can be laid out anew: larger or smaller, with its text still legible."""

    @property
    def anchor(self) -> Any:
        """The point that stays in line with its neighbours: the middle of its body."""

    def reach(self, ease: float) -> Reach:
        """How far it would reach from its anchor."""

    def settle(self, ease: float) -> Any:
        """Lay it out anew, about its anchor."""


@runtime_checkable
class Broad(Protocol):
    """A shape that takes what room is left: none at a `breadth` of 0, all that it may at 1."""

    breadth: float


@runtime_checkable
class Levelled(Protocol):
    """A shape with rows, which can be made as high as those of its neighbours that have as many."""

    def level(self, others: Sequence[Any]) -> None: ...


class Arrangement(ABC):
    """Things and where they stand to each other."""

    @abstractmethod
    def reach(self, ease: float) -> Reach:
        """How far it reaches from its anchor."""

    @abstractmethod
    def put(self, ease: float, x: float, y: float) -> None:
        """Lay it out with its anchor at (x, y)."""

    @abstractmethod
    def things(self) -> Iterator[Mobject]:
        """Everything in it, in order."""

    def grouped(self) -> Any:
        """Everything in it as a group."""
        return grouped(*self.things())

    def variants(self) -> Iterator["Arrangement"]:
        """Other ways to arrange the same things, the preferred one first."""
        yield self

    def prepare(self) -> None:  # noqa: B027
        """Let things know of their neighbours, before they are asked how far they reach."""


class _One(Arrangement):
    """A single thing: flexible, a line of text (between its size and the smallest), or as it is."""

    def __init__(self, thing: Mobject) -> None:
        self.thing = thing

    def _scale(self, ease: float) -> float:
        if not isinstance(self.thing, TextLine):
            return 1.0
        least = min(self.thing.size, float(SMALLEST))
        return between((least, self.thing.size), ease) / self.thing.drawn_size

    def reach(self, ease: float) -> Reach:
        if isinstance(self.thing, Flexible):
            own: Reach = self.thing.reach(ease)
            return own
        width, height = self.thing.width * self._scale(ease), self.thing.height * self._scale(ease)
        return Reach(width / 2, width / 2, height / 2, height / 2)

    def put(self, ease: float, x: float, y: float) -> None:
        if isinstance(self.thing, Flexible):
            self.thing.settle(ease)
            self.thing.shift(np.array([x, y, 0.0]) - self.thing.anchor)
        else:
            self.thing.scale(self._scale(ease)).move_to((x, y, 0))

    def things(self) -> Iterator[Mobject]:
        yield self.thing


Arranged = Arrangement | Mobject | str
"""What can be arranged; a text is a sign such as "×"."""


def arrangement(thing: Arranged) -> Arrangement:
    """An arrangement of a single thing; one that is an arrangement already is returned as it is."""
    if isinstance(thing, Arrangement):
        return thing
    return _One(sign(thing) if isinstance(thing, str) else thing)


def sign(text: str) -> TextLine:
    """A sign between the operands of an equation."""
    return TextLine(text, 1.3 * BODY)


def between(pair: tuple[float, float], ease: float) -> float:
    """What lies between two numbers: the first at an ease of 0 and below, the second at 1."""
    return pair[0] + max(0.0, ease) * (pair[1] - pair[0])


class _Line(Arrangement):
    """Things in a line; `gap` is the distance of neighbours, one number or the least and the most."""

    def __init__(self, things: Sequence[Arranged], gap: float | tuple[float, float], align: str) -> None:
        self.parts = [arrangement(thing) for thing in things]
        self.gap, self.align = gap if isinstance(gap, tuple) else (gap, gap), align

    def things(self) -> Iterator[Mobject]:
        for part in self.parts:
            yield from part.things()

    def lines(self) -> list[Any]:
        """Its parts in order, each as a group."""
        return [part.grouped() for part in self.parts]

    def prepare(self) -> None:
        for part in self.parts:
            part.prepare()

    def variants(self) -> Iterator[Arrangement]:
        for parts in product(*(tuple(part.variants()) for part in self.parts)):
            yield type(self)(parts, self.gap, self.align)


class Row(_Line):
    """Things side by side, their bodies' middles, or their "top" or "bottom" edges, level."""

    def prepare(self) -> None:
        super().prepare()
        shapes = list(self.things())
        for shape in shapes:
            if isinstance(shape, Levelled):
                shape.level(shapes)

    def reach(self, ease: float) -> Reach:
        reaches = [part.reach(ease) for part in self.parts]
        width = sum(r.width for r in reaches) + between(self.gap, ease) * (len(reaches) - 1)
        if self.align == "middle":
            return Reach(width / 2, width / 2, max(r.up for r in reaches), max(r.down for r in reaches))
        height = max(r.height for r in reaches)
        return Reach(width / 2, width / 2, height / 2, height / 2)

    def put(self, ease: float, x: float, y: float) -> None:
        whole, gap = self.reach(ease), between(self.gap, ease)
        x -= whole.left
        for part in self.parts:
            own = part.reach(ease)
            level = {"middle": y, "top": y + whole.up - own.up, "bottom": y - whole.down + own.down}[self.align]
            part.put(ease, x + own.left, level)
            x += own.width + gap


class Column(_Line):
    """Things one below the other, centred, or with their "left" or "right" edges in line."""

    def reach(self, ease: float) -> Reach:
        reaches = [part.reach(ease) for part in self.parts]
        height = sum(r.height for r in reaches) + between(self.gap, ease) * (len(reaches) - 1)
        width = max(r.width for r in reaches)
        return Reach(width / 2, width / 2, height / 2, height / 2)

    def put(self, ease: float, x: float, y: float) -> None:
        whole, gap = self.reach(ease), between(self.gap, ease)
        y += whole.up
        for part in self.parts:
            own = part.reach(ease)
            place = {
                "middle": x + (own.left - own.right) / 2,
                "left": x - whole.left + own.left,
                "right": x + whole.right - own.right,
            }[self.align]
            part.put(ease, place, y - own.up)
            y -= own.height + gap


class Grid(_Line):
    """Things in rows of equal places, in as many rows as leave them most room; `columns` are so many a row."""

    def __init__(
        self, things: Sequence[Arranged], gap: float | tuple[float, float] = GAP, align: str = "middle",
        columns: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(things, gap, align)
        self.columns = columns or len(self.parts)

    def variants(self) -> Iterator[Arrangement]:
        counts = dict.fromkeys(-(-len(self.parts) // rows) for rows in range(1, len(self.parts) + 1))
        for columns in counts:
            yield Grid(self.parts, self.gap, self.align, columns)

    def _place(self, ease: float) -> Reach:
        """How far the largest thing reaches in each direction."""
        reaches = [part.reach(ease) for part in self.parts]
        left, right, up, down = (max(getattr(r, side) for r in reaches) for side in ("left", "right", "up", "down"))
        return Reach(left, right, up, down)

    def reach(self, ease: float) -> Reach:
        place, gap, rows = self._place(ease), between(self.gap, ease), -(-len(self.parts) // self.columns)
        width = self.columns * place.width + (self.columns - 1) * gap
        height = rows * place.height + (rows - 1) * gap
        return Reach(width / 2, width / 2, height / 2, height / 2)

    def put(self, ease: float, x: float, y: float) -> None:
        whole, place, gap = self.reach(ease), self._place(ease), between(self.gap, ease)
        for k, part in enumerate(self.parts):
            row, column = divmod(k, self.columns)
            # A row that is not full stands in the middle.
            free = self.columns - min(self.columns, len(self.parts) - row * self.columns)
            left = x - whole.left + (column + free / 2) * (place.width + gap)
            part.put(ease, left + place.left, y + whole.up - row * (place.height + gap) - place.up)


class Equation(_Line):
    """Operands and the signs between them, side by side; where that is too narrow, it breaks before a sign.

    Matrices of as many rows are level.
    """

    def __init__(
        self, things: Sequence[Arranged], gap: float | tuple[float, float] = GAP, align: str = "middle",
        breaks: Sequence[int] = (),
    ) -> None:  # fmt: skip
        super().__init__(things, gap, align)
        self.signs = [k for k, part in enumerate(self.parts) if _is_sign(part)]
        edges = [0, *breaks, len(self.parts)]
        rows = [Row(self.parts[start:stop], self.gap, align) for start, stop in pairwise(edges)]
        self._rows: Arrangement = rows[0] if len(rows) == 1 else Column(rows, self.gap, "middle")

    def prepare(self) -> None:
        self._rows.prepare()

    def reach(self, ease: float) -> Reach:
        return self._rows.reach(ease)

    def put(self, ease: float, x: float, y: float) -> None:
        self._rows.put(ease, x, y)

    def variants(self) -> Iterator[Arrangement]:
        choices = product((False, True), repeat=len(self.signs))
        for chosen in sorted(choices, key=sum):
            breaks = [at for at, broken in zip(self.signs, chosen, strict=True) if broken]
            yield Equation(self.parts, self.gap, self.align, breaks)


def _is_sign(part: Arrangement) -> bool:
    return isinstance(part, _One) and isinstance(part.thing, TextLine) and part.thing.text in _SIGNS


class Table(Arrangement):
    """Rows of things in columns: the first thing of each row is its name, the others stand in line below each other.

    None leaves a place free. Where names leave too little room, they stand above their rows. With the `edge` "left",
    all columns begin in line, and have the widths that they need.
    """

    def __init__(
        self, rows: Sequence[Sequence[Arranged | None]], gap: tuple[float, float] = GAP,
        apart: tuple[float, float] = (0.08, 0.24), even: bool = True, edge: str = "middle",
    ) -> None:  # fmt: skip
        self.edge = edge
        self.rows = [[None if thing is None else arrangement(thing) for thing in row] for row in rows]
        self.gap, self.apart, self.even = gap, apart, even and edge == "middle"
        if len({len(row) for row in self.rows}) > 1:
            raise ValueError(f"rows of {sorted({len(row) for row in self.rows})} things make no table")
        self.names = [thing for row in self.rows if row[0] is not None for thing in row[0].things()]

    def things(self) -> Iterator[Mobject]:
        for row in self.rows:
            for part in row:
                if part is not None:
                    yield from part.things()

    def variants(self) -> Iterator[Arrangement]:
        yield self
        if self.edge == "left":
            return
        names = [row[0] for row in self.rows]
        bodies: list[Arrangement] = []
        for name, row in zip(names, self.rows, strict=True):
            own = Table([[None, *row[1:]]], self.gap, self.apart, self.even)
            bodies.append(own if name is None else Column([name, own], (0.04, 0.1), "middle"))
        yield Column(bodies, self.apart, "middle")

    def _widths(self, ease: float) -> list[float]:
        columns = list(zip(*self.rows, strict=True))
        widths = [
            max((part.reach(ease).width for part in column if part is not None), default=0.0) for column in columns
        ]
        return [widths[0], *[max(widths[1:], default=0.0)] * (len(widths) - 1)] if self.even else widths

    def _heights(self, ease: float) -> list[tuple[float, float]]:
        reaches = [[part.reach(ease) for part in row if part is not None] for row in self.rows]
        return [(max(r.up for r in row), max(r.down for r in row)) for row in reaches]

    def reach(self, ease: float) -> Reach:
        widths, heights = self._widths(ease), self._heights(ease)
        width = sum(widths) + between(self.gap, ease) * sum(w > 0 for w in widths[:-1])
        height = sum(map(sum, heights)) + between(self.apart, ease) * (len(heights) - 1)
        return Reach(width / 2, width / 2, height / 2, height / 2)

    def put(self, ease: float, x: float, y: float) -> None:
        whole, widths, gap = self.reach(ease), self._widths(ease), between(self.gap, ease)
        y += whole.up
        for row, (up, down) in zip(self.rows, self._heights(ease), strict=True):
            left = x - whole.left
            for k, (part, width) in enumerate(zip(row, widths, strict=True)):
                if part is not None:
                    own = part.reach(ease)
                    # Names end where their column ends; everything else stands in the middle of its own.
                    place = own.left if self.edge == "left" else width - own.right if k == 0 else width / 2
                    part.put(ease, left + place, y - up)
                left += width + (gap if width else 0.0)
            y -= up + down + between(self.apart, ease)


def greatest_ease(whole: Arrangement, width: float, height: float) -> float:
    """The greatest ease at which an arrangement is no larger; below LEAST by how much it is too large even then."""

    def over(ease: float) -> float:
        reach = whole.reach(ease)
        return max(reach.width / width, reach.height / height) - 1

    if over(1.0) <= 1e-9:
        return 1.0
    if (least := over(LEAST)) > 1e-9:
        return LEAST - least
    low = next(ease for ease in (0.0, -1.0, LEAST) if over(ease) <= 1e-9)
    high = low + 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if over(middle) <= 0 else (low, middle)
    return low


def fit(whole: Arrangement, slot: Slot, align: tuple[str, str] = ("middle", "middle")) -> Any:
    """Lay out an arrangement in a slot, in that of its variants that has the greatest ease; returns its things.

    `align` is where it stands in the slot: "left", "middle" or "right", and "top", "middle" or "bottom". What is too
    large even at the least ease is made smaller as a whole.
    """
    best, ease = whole, -np.inf
    for thing in whole.things():
        if isinstance(thing, Broad):
            thing.breadth = 0.0
    for variant in whole.variants():
        variant.prepare()
        found = greatest_ease(variant, slot.width, slot.height)
        # Another way of arranging must be worth it.
        if found > ease + 0.02:
            best, ease = variant, found
    best.prepare()
    _broaden(best, slot, ease)
    reach = best.reach(max(ease, LEAST))
    x = {"left": slot.left + reach.left, "right": slot.right - reach.right,
         "middle": slot.centre[0] + (reach.left - reach.right) / 2}[align[0]]  # fmt: skip
    y = {"bottom": slot.bottom + reach.down, "top": slot.top - reach.up,
         "middle": slot.centre[1] + (reach.down - reach.up) / 2}[align[1]]  # fmt: skip
    best.put(max(ease, LEAST), x, y)
    things = grouped(*best.things())
    if ease < LEAST:
        _shrink(things, slot, 1 / (1 + LEAST - ease), align)
    return things


def _broaden(whole: Arrangement, slot: Slot, ease: float) -> None:
    """Let what may be broader take the room that is left."""
    broad = [thing for thing in whole.things() if isinstance(thing, Broad)]

    def too_large(breadth: float) -> bool:
        for thing in broad:
            thing.breadth = breadth
        reach = whole.reach(max(ease, LEAST))
        return max(reach.width - slot.width, reach.height - slot.height) > 1e-6

    low, high = 0.0, 1.0
    for _ in range(_STEPS if broad and too_large(1.0) else 0):
        middle = (low + high) / 2
        low, high = (low, middle) if too_large(middle) else (middle, high)
        too_large(low)


def _shrink(things: Mobject, slot: Slot, factor: float, align: tuple[str, str]) -> None:
    across = {"left": slot.left, "right": slot.right, "middle": slot.centre[0]}[align[0]]
    down = {"bottom": slot.bottom, "top": slot.top, "middle": slot.centre[1]}[align[1]]
    things.scale(factor, about_point=np.array([across, down, 0.0]))


def grouped(*things: Mobject) -> Any:
    """A group that may hold images as well as shapes."""
    shapes = [thing for thing in things if isinstance(thing, VMobject)]
    return VGroup(*shapes) if len(shapes) == len(things) else Group(*things)
