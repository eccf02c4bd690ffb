"""A matrix in colour, with digits only where they are asked for."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, Literal, Self

import numpy as np
from manim import RIGHT, Rectangle, RoundedRectangle, VGroup, VMobject

from mathcore.named import Entry, NamedArray
from scenes.formats import UNIT_PX, current_format
from scenes.kit.grid import PaintedCell
from scenes.kit.in_place import opacity_of
from scenes.kit.layout.arrangements import Reach, between
from scenes.kit.layout.blocks import Block
from scenes.kit.text import BODY, SMALLEST, Number, Provenance, TextLine, fitted
from scenes.kit.theme import Ramp, current_theme, signed_ramp, text_on, weight_ramp
from scenes.kit.values import formatted

# The height of a cell without digits, in units; and its width in its height, least and most.
_PITCH, _BROAD = (0.16, 0.6), (0.8, 1.8)
# A cell with digits: its height in their size, and the room beside them, in units.
_AIR, _BESIDE = 1.3, (0.1, 0.26)
# The least height of a row that may be left without its name.
_LOWEST = 0.1
# The least width of a column that may be left without its digits.
_NARROW = 0.16
# The line box of text in its size.
_LINE = 1.16
# Cells leave so much of their place free, and groups of columns so much of a cell's height.
_JOINT, _APART = 0.05, 0.4
# Names of rows: their distance from the body, and their greatest width in the stage's.
_NEAR, _LONGEST = (0.1, 0.18), 0.23


class Matrix(Block):
    """A named vector or matrix as cells of colour; digits stand in the rows and columns asked for.

    `digits` are rows and `digit_columns` columns whose cells show their numbers, with `places` decimals; all cells are
    wide enough for them. `fill` is "signed" (blue, neutral, orange), "weight" (0 to 1), or a colour: from the panel at
    the lowest value to that colour at the highest. `heads` cuts the columns into as many groups, each in its head's
    colour; `head_rows` gives the rows their heads' colours. `rows` are names before the rows. A vector is a row, or a
    column if `upright`; `turned`, a matrix is transposed. The rest is as for any block: `above`, `below`, `cover`,
    `color`.

    `cells[i][j]` are its cells as drawn, `numbers[i][j]` their digits or None, `names[i]` the names.
    """

    def __init__(
        self, named: NamedArray, *, digits: Collection[int] | int | Literal["all"] = (),
        digit_columns: Collection[int] = (), places: int | None = None, fill: str = "signed", heads: int = 0,
        head_rows: int = 0, rows: Sequence[str] = (), upright: bool = False, turned: bool = False, **around: Any,
    ) -> None:  # fmt: skip
        if len(named.axes) not in (1, 2):
            raise ValueError(f"a matrix needs one or two axes, {named.path} has {named.axes}")
        entries = _entries(named, upright or turned)
        self.named, self.shape, self._heads, self._head_rows = named, (len(entries), len(entries[0])), heads, head_rows
        colour = _painter(named, fill, heads, head_rows)
        self.cells = [[PaintedCell(e, colour(e), 1, 1) for e in row] for row in entries]
        shown = set(range(self.shape[0])) if digits == "all" else {digits} if isinstance(digits, int) else set(digits)
        self.numbers: list[list[Number | None]] = [
            [
                self._number(cell, entry, places) if {i, i - self.shape[0]} & shown or j in digit_columns else None
                for j, (cell, entry) in enumerate(zip(cells, row, strict=True))
            ]
            for i, (cells, row) in enumerate(zip(self.cells, entries, strict=True))
        ]
        digits_drawn = [number for row in self.numbers for number in row if number is not None]
        # The digits of each place that shows some, as they were drawn first.
        self._entries, self._outlines = (
            entries,
            {
                (i, j): number.points.copy()
                for i, row in enumerate(self.numbers)
                for j, number in enumerate(row)
                if number is not None
            },
        )
        self._widest = max((number.width / number.size for number in digits_drawn), default=0.0)
        self._words, self.names = tuple(rows), [TextLine(word, BODY) for word in rows]
        self._name_widths = [float(name.width) / name.size for name in self.names]
        # What is written in a row is not left out.
        self._marked = [any(number is not None for number in row) for row in self.numbers]
        self.breadth, self._level = 0.0, [self]
        self.bed = RoundedRectangle(corner_radius=0.03, width=1, height=1, stroke_width=0)
        self.bed.set_fill(current_theme().panel, 1)
        self.body, self.digits = VGroup(*(cell for row in self.cells for cell in row)), VGroup(*digits_drawn)
        super().__init__(VGroup(self.bed, self.body, self.digits, VGroup(*self.names)), **around)

    @staticmethod
    def _number(cell: PaintedCell, entry: Entry, places: int | None) -> Number:
        # It is read by its digits; its colour shows the same value again.
        cell.provenance = ()
        return Number(formatted(entry, places), BODY, text_on(cell.get_fill_color().to_hex()))

    # Parts

    @property
    def inside(self) -> VGroup:
        """All cells and digits."""
        return VGroup(self.body, self.digits)

    def each_row(self, *but: int) -> list[VGroup]:
        """The rows in order, without some."""
        return [self.row(i) for i in range(self.shape[0]) if i not in but]

    def row_cells(self, i: int) -> list[VGroup]:
        """The cells of row i, each with its digits."""
        return [self.cell(i, j) for j in range(self.shape[1])]

    def column_cells(self, j: int) -> list[VGroup]:
        """The cells of column j, each with its digits."""
        return [self.cell(i, j) for i in range(self.shape[0])]

    def cell(self, i: int, j: int) -> VGroup:
        """The cell in row i, column j, with its digits, if it shows any."""
        number = self.numbers[i][j]
        return VGroup(self.cells[i][j], *([] if number is None else [number]))

    def row(self, i: int) -> VGroup:
        """Cells and digits of row i."""
        return VGroup(*self.cells[i], *(number for number in self.numbers[i] if number is not None))

    def column(self, j: int) -> VGroup:
        """Cells and digits of column j."""
        digits = (row[j] for row in self.numbers)
        return VGroup(*(row[j] for row in self.cells), *(number for number in digits if number is not None))

    def head(self, i: int) -> VGroup:
        """Cells and digits of head i's columns, or rows."""
        if self._head_rows:
            high = self.shape[0] // self._head_rows
            return VGroup(*(self.row(k) for k in range(i * high, (i + 1) * high)))
        wide = self.shape[1] // self._heads
        return VGroup(*(part for j in range(i * wide, (i + 1) * wide) for part in self.column(j)))

    def digit(self, i: int, j: int) -> Number:
        """The number in row i, column j, which must be one that shows digits."""
        number = self.numbers[i][j]
        if number is None:
            raise ValueError(f"{self.named.path}: row {i}, column {j} shows no digits")
        return number

    def ring(self, part: VMobject, color: str | None = None) -> RoundedRectangle:
        """A frame around a cell, row or column."""
        cells = VGroup(*(cell for cell in part.get_family() if isinstance(cell, PaintedCell)))
        frame = RoundedRectangle(
            corner_radius=0.05, width=cells.width + 0.05, height=cells.height + 0.05, stroke_width=4,
            stroke_color=color or current_theme().text,
        )  # fmt: skip
        return frame.move_to(cells)

    def hush(self) -> VGroup:
        """Show no digits any more: laid out anew, it needs no room for them. Returns them, to fade out."""
        self._widest = 0.0
        for place in self._outlines:
            self._read_by_colour(*place)
        return self.digits

    def _read_by_colour(self, i: int, j: int) -> None:
        cell, ties = self.cells[i][j], (Provenance("picture", self._entries[i][j]),)
        # A cell that is not to be seen yet has its ties laid aside; see in_place.py.
        vars(cell)["provenance" if opacity_of(cell) > 0 else "unshaded_provenance"] = ties

    def _write(self, i: int, j: int, number: Number, written: bool) -> None:
        """Let a cell show its digits, or only its colour."""
        if written == bool(len(number.points)) or (not written and not self._widest):
            return
        number.set_points(self._outlines[i, j] if written else np.zeros((0, 3)))
        if written:
            cell = self.cells[i][j]
            vars(cell)["provenance" if opacity_of(cell) > 0 else "unshaded_provenance"] = ()
        else:
            self._read_by_colour(i, j)

    # Laying out

    def _size(self, ease: float) -> float:
        return between((float(SMALLEST), float(BODY)), ease)

    def level(self, others: Sequence[Any]) -> None:
        """Have rows as high as those of other matrices with as many along the same axis."""
        self._level = [each for each in others if isinstance(each, Matrix) and each._rows == self._rows]

    @property
    def _rows(self) -> tuple[int, str]:
        return self.shape[0], self.named.axes[0]

    def in_place_of(self, other: Block) -> Self:
        if isinstance(other, Matrix):
            self.breadth, self._level = other.breadth, other._level
        return super().in_place_of(other)

    def _needs(self, ease: float) -> list[float]:
        """The least height of each row, for its name and its digits; below an ease of 0, only marked rows are named."""
        named = _LINE * SMALLEST / UNIT_PX if self._words else 0.0
        written = _AIR * self._size(ease) / UNIT_PX if self._written(ease) else 0.0
        return [
            max(
                named if ease >= 0 or marked else 0.0,
                written if any(number is not None for number in numbers) else 0.0,
            )
            for numbers, marked in zip(self.numbers, self._marked, strict=True)
        ]  # fmt: skip

    def _heights(self, ease: float) -> list[float]:
        """The height of each row; rows are alike, unless there is too little room for that."""
        needs = [max(row) for row in zip(*(each._needs(ease) for each in self._level), strict=True)]
        if ease >= 0:
            return [max(between(_PITCH, ease), *needs)] * self.shape[0]
        share = min(-ease, 1.0)
        return [high - share * (high - max(need, _LOWEST)) for high, need in zip(self._heights(0), needs, strict=True)]

    def _written(self, ease: float) -> bool:
        """Whether it shows digits."""
        return self._widest > 0 and ease >= -1

    def _width(self, ease: float) -> float:
        """The width of a cell's place."""
        bare = min(self._heights(ease)) * between(_BROAD, self.breadth)
        if not self._widest:
            return bare
        written = max(bare, self._widest * self._size(ease) + between(_BESIDE, ease))
        # Without digits, columns are as narrow as they must be.
        return written if ease >= -1 else written + (ease + 1) * (written - min(bare, _NARROW))

    def _name_size(self, ease: float) -> float:
        return max(float(SMALLEST), min(self._size(ease), max(self._heights(ease)) * UNIT_PX / _LINE))

    def _names_width(self, ease: float) -> float:
        names = zip(self._name_widths, self._marked if self._words else (), strict=True)
        shown = [width for width, marked in names if marked or ease >= 0]
        return min(max(shown, default=0.0) * self._name_size(ease), _LONGEST * current_format().stage.width)

    def _joints(self, ease: float) -> float:
        return _APART * min(self._heights(ease))

    def body_reach(self, ease: float) -> Reach:
        width = self.shape[1] * self._width(ease) + max(0, self._heads - 1) * self._joints(ease)
        names = self._names_width(ease) + between(_NEAR, ease) if self._words else 0.0
        half = sum(self._heights(ease)) / 2
        return Reach(width / 2 + names, width / 2, half, half)

    def lay_body(self, ease: float, middle: Any) -> None:
        wide, heights, own, size = self._width(ease), self._heights(ease), self.body_reach(ease), self._size(ease)
        left, top, joints = middle[0] - own.right, middle[1] + own.up, self._joints(ease)
        self.bed.set_points(Rectangle(width=2 * own.right, height=own.height).shift(middle).points)
        for i, (row, high) in enumerate(zip(self.cells, heights, strict=True)):
            joint = min(_JOINT, 0.12 * high)
            for j, cell in enumerate(row):
                group = j * self._heads // self.shape[1] if self._heads else 0
                place = np.array((left + (j + 0.5) * wide + group * joints, top - high / 2, 0.0))
                cell.set_points(Rectangle(width=wide - joint, height=high - joint).shift(place).points)
                if (number := self.numbers[i][j]) is not None:
                    self._write(i, j, number, self._written(ease))
                    if self._written(ease):
                        number.scale(size / number.drawn_size).move_to(place)
            top -= high
        for i in range(len(self._words)):
            self._lay_name(i, ease, left - between(_NEAR, ease))

    def _lay_name(self, i: int, ease: float, right: float) -> None:
        name, word = self.names[i], self._words[i]
        if ease < 0 and not self._marked[i]:
            name.set_points(np.zeros((0, 3)))
            return
        room = self._names_width(ease)
        line = fitted(word, room, self._name_size(ease))
        line.scale(min(1.0, room / line.width)).move_to(self.cells[i][0])
        name.set_points(line.shift(RIGHT * (right - line.get_right()[0])).points)
        name.text, name.whole = line.text, word


def alike(*matrices: Matrix) -> None:
    """Give matrices cells of one width, so that columns below one another are in line."""
    widest = max(matrix._widest for matrix in matrices)
    for matrix in matrices:
        matrix._widest = widest


def _entries(named: NamedArray, turned: bool) -> list[list[Entry]]:
    rows = (
        [list(named.row(i).entries()) for i in range(len(named))] if len(named.axes) == 2 else [list(named.entries())]
    )
    return [list(column) for column in zip(*rows, strict=True)] if turned else rows


def _painter(named: NamedArray, fill: str, heads: int, head_rows: int) -> Callable[[Entry], Ramp]:
    """The scale of colours of each entry."""
    limit, theme = float(np.abs(named.values).max()) or 1.0, current_theme()

    def ramp(entry: Entry) -> Ramp:
        if fill == "weight":
            return weight_ramp()
        if head_rows:
            return Ramp(theme.panel, theme.head(entry.index[-2] * head_rows // named.shape[-2]), -limit, limit)
        if heads:
            return Ramp(theme.panel, theme.head(entry.index[-1] * heads // named.shape[-1]), -limit, limit)
        if fill == "signed":
            return signed_ramp(entry.value, limit)
        return Ramp(theme.panel, fill, -limit, limit)

    return ramp
