"""The stage: a part of the frame that lays out what stands in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from manim import Mobject

from scenes.formats import Slot, current_format
from scenes.kit.layout.arrangements import (
    GAP,
    Arranged,
    Arrangement,
    Column,
    Equation,
    Grid,
    Row,
    Table,
    fit,
)

Gap = float | tuple[float, float]
Align = tuple[str, str]
_MIDDLE = ("middle", "middle")


@dataclass(frozen=True)
class Stage(Slot):
    """A rectangle that fits what it is given to its room, in either format.

    Each verb moves things to their places at once and returns them as a group; what is on screen already glides there
    within `with self.gliding():`. Things may be arrangements themselves (`row`, `column`, ... of this package).
    """

    @classmethod
    def of(cls, slot: Slot) -> "Stage":
        """A slot as a stage."""
        return cls(slot.left, slot.bottom, slot.right, slot.top)

    # Where

    def rows(self, *shares: float, gap: float = 0.25) -> "list[Stage]":
        """Parts one below the other, as high as their shares say."""
        unit = (self.height - gap * (len(shares) - 1)) / sum(shares)
        parts, top = [], self.top
        for share in shares:
            parts.append(Stage(self.left, top - share * unit, self.right, top))
            top -= share * unit + gap
        return parts

    def columns(self, *shares: float, gap: float = 0.35) -> "list[Stage]":
        """Parts side by side, as wide as their shares say."""
        unit = (self.width - gap * (len(shares) - 1)) / sum(shares)
        parts, left = [], self.left
        for share in shares:
            parts.append(Stage(left, self.bottom, left + share * unit, self.top))
            left += share * unit + gap
        return parts

    def parts(self, *shares: float) -> "list[Stage]":
        """Parts side by side in landscape, one below the other on a phone."""
        return self.rows(*shares) if is_upright() else self.columns(*shares)

    def above(self, thing: Mobject, gap: float = 0.2) -> "Stage":
        """What is left above a thing."""
        return Stage(self.left, min(float(thing.get_top()[1]) + gap, self.top), self.right, self.top)

    def below(self, thing: Mobject, gap: float = 0.2) -> "Stage":
        """What is left below a thing."""
        return Stage(self.left, self.bottom, self.right, max(float(thing.get_bottom()[1]) - gap, self.bottom))

    def right_of(self, thing: Mobject, gap: float = 0.3) -> "Stage":
        """What is left at the right of a thing."""
        return Stage(min(float(thing.get_right()[0]) + gap, self.right), self.bottom, self.right, self.top)

    # How

    def place(self, thing: Arranged, *, align: Align = _MIDDLE) -> Any:
        """One thing, or arrangement, as large as it would like, or as there is room for."""
        return fit(thing if isinstance(thing, Arrangement) else Row([thing], 0.0, "middle"), self, align)

    def row(self, *things: Arranged, gap: Gap = GAP, level: str = "middle", align: Align = _MIDDLE) -> Any:
        """Things side by side, their middles level, or their "top" or "bottom" edges."""
        return fit(Row(things, gap, level), self, align)

    def column(self, *things: Arranged, gap: Gap = GAP, edge: str = "middle", align: Align = _MIDDLE) -> Any:
        """Things one below the other, centred, or with their "left" or "right" edges in line."""
        return fit(Column(things, gap, edge), self, align)

    def along(
        self, *things: Arranged, gap: Gap = GAP, level: str = "middle", edge: str = "middle", align: Align = _MIDDLE
    ) -> Any:
        """A row in landscape, a column on a phone."""
        return fit(along(*things, gap=gap, level=level, edge=edge), self, align)

    def grid(self, *things: Arranged, gap: Gap = GAP, align: Align = _MIDDLE) -> Any:
        """Things in rows of equal places, in as many rows as leave them most room."""
        return fit(Grid(things, gap), self, align)

    def equation(self, *things: Arranged, gap: Gap = (0.1, 0.36), align: Align = _MIDDLE) -> Any:
        """Operands and signs, such as `a, "×", b, "=", c`; it breaks before a sign where one line is too narrow.

        Matrices of as many rows are level.
        """
        return fit(Equation(things, gap), self, align)

    def table(self, *rows: Sequence[Arranged | None], even: bool = True, align: Align = _MIDDLE, **gaps: Any) -> Any:
        """Rows of a name and things that stand in columns; None leaves a place free."""
        return fit(Table(rows, even=even, **gaps), self, align)

    def fan(self, source: Mobject, ends: Sequence[Mobject], *, lanes: float = 0.9) -> Any:
        """One thing and several at its right, on a phone below it, with room for lines from it to each of them.

        The lines are `fan`'s, above all things, or between the one and the others.
        """
        if is_upright():
            return self.column(source, Row(ends, (0.1, 0.3), "middle"), gap=lanes)
        return Stage(self.left, self.bottom, self.right, self.top - lanes).row(source, *ends, gap=(0.2, 0.6))

    def fill(self, thing: Mobject) -> Any:
        """One thing, made as large as fits."""
        placed = self.place(thing)
        factor = min(self.width / thing.width, self.height / thing.height)
        if factor > 1:
            thing.scale(factor)
        thing.move_to(self.centre)
        return placed


def is_upright() -> bool:
    """Whether the format in force is higher than it is wide, as a phone is."""
    return current_format().height > current_format().width


def row(*things: Arranged, gap: Gap = GAP, level: str = "middle") -> Row:
    """Things side by side, as a part of another arrangement."""
    return Row(things, gap, level)


def column(*things: Arranged, gap: Gap = GAP, edge: str = "middle") -> Column:
    """Things one below the other, as a part of another arrangement."""
    return Column(things, gap, edge)


def along(*things: Arranged, gap: Gap = GAP, level: str = "middle", edge: str = "middle") -> Arrangement:
    """A row in landscape, a column on a phone, as a part of another arrangement."""
    return Column(things, gap, edge) if is_upright() else Row(things, gap, level)


def across(*things: Arranged, gap: Gap = GAP, edge: str = "left") -> Arrangement:
    """A column in landscape, a row on a phone: what goes across the way that `along` goes."""
    return Row(things, gap, "middle") if is_upright() else Column(things, gap, edge)


def grid(*things: Arranged, gap: Gap = GAP) -> Grid:
    """Things in rows of equal places, as a part of another arrangement."""
    return Grid(things, gap)


def equation(*things: Arranged, gap: Gap = (0.1, 0.36)) -> Arrangement:
    """Operands and signs, as a part of another arrangement."""
    return Equation(things, gap)


def table(*rows: Sequence[Arranged | None], even: bool = True, **gaps: Any) -> Table:
    """Rows of a name and things in columns, as a part of another arrangement."""
    return Table(rows, even=even, **gaps)
