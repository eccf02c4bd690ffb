"""A matrix with its real numbers in its cells."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from manim import DOWN, RIGHT, Rectangle, RoundedRectangle, VGroup, VMobject

from mathcore.named import Entry, NamedArray
from scenes.formats import UNIT_PX
from scenes.kit.marks import CellMark
from scenes.kit.text import SMALL, SMALLEST, Box, Number, Provenance, box_around, fitted
from scenes.kit.theme import Ramp, current_theme, mix, signed_colour, text_on, weight_colour, weight_ramp
from scenes.kit.values import formatted

Shape = TypeVar("Shape", bound=VMobject)

# How far a plain cell is tinted with its hue: far enough to tell hues apart, and its number still reads well.
_TINT = 0.22


class Grid(VGroup):
    """A named vector or matrix, one number a cell; a vector is one row, or one column with `upright`.

    `fill` says how a cell is coloured: "signed" (blue below zero, orange above), "weight" (0 to 1, in
    `hue`), or "plain" (the panel, tinted with `hue`). `limit` is the value at which "signed" is full; by
    default the largest absolute value. `hues`, one colour a column, tints "plain" cells by column. Cells are
    as wide as the widest number needs, at least `cell`.
    """

    def __init__(
        self,
        named: NamedArray,
        places: int | None = None,
        *,
        size: float = SMALL,
        cell: tuple[float, float] | None = None,
        fill: str = "plain",
        hue: str | None = None,
        limit: float | None = None,
        upright: bool = False,
        gap: float = 0.04,
        numbers: bool = True,
        hues: Sequence[str] | None = None,
    ) -> None:
        super().__init__()
        if len(named.axes) not in (1, 2):
            raise ValueError(f"a grid needs one or two axes, {named.path} has {named.axes}")
        self.named, self.hue = named, hue
        entries = (
            [[e for e in named.row(i).entries()] for i in range(len(named))]
            if len(named.axes) == 2
            else ([[e] for e in named.entries()] if upright else [list(named.entries())])
        )
        self.entries = entries
        drawn = [[Number(formatted(e, places), size) for e in row] for row in entries]
        widest = max(n.width for row in drawn for n in row)
        minimum = cell or (0.0, 0.0)
        self.cell_width = max(minimum[0], widest + 0.35 * size / UNIT_PX)
        self.cell_height = max(minimum[1], 1.3 * size / UNIT_PX)
        limit = limit if limit is not None else float(np.abs(named.values).max()) or 1.0
        self.boxes: list[list[Rectangle]] = []
        self.numbers: list[list[Number]] = []
        for i, row in enumerate(drawn):
            boxes = []
            for j, digits in enumerate(row):
                value = entries[i][j].value
                colour = mix(current_theme().panel, hues[j], _TINT) if hues else self._colour(fill, value, limit)
                box = Rectangle(
                    width=self.cell_width - gap, height=self.cell_height - gap, stroke_width=0, fill_opacity=1
                ).set_fill(colour)
                box.move_to(RIGHT * self.cell_width * j + DOWN * self.cell_height * i)
                digits.set_fill(text_on(colour)).move_to(box)
                boxes.append(box)
            self.boxes.append(boxes)
            self.numbers.append(row)
        self.add(VGroup(*(b for row in self.boxes for b in row)))
        if numbers:
            self.add(VGroup(*(n for row in self.numbers for n in row)))
        self.move_to((0, 0, 0))

    def _colour(self, fill: str, value: float, limit: float) -> str:
        theme = current_theme()
        if fill == "signed":
            return signed_colour(value, limit)
        if fill == "weight":
            return weight_colour(value, self.hue)
        return mix(theme.panel, self.hue, _TINT) if self.hue else theme.panel

    @property
    def n_rows(self) -> int:
        return len(self.numbers)

    @property
    def n_columns(self) -> int:
        return len(self.numbers[0])

    def cell(self, i: int, j: int) -> VGroup:
        """The box and the number at row i, column j."""
        return VGroup(self.boxes[i][j], self.numbers[i][j])

    def row(self, i: int) -> VGroup:
        """Boxes and numbers of row i."""
        return VGroup(*self.boxes[i], *self.numbers[i])

    def column(self, j: int) -> VGroup:
        """Boxes and numbers of column j."""
        return VGroup(*(r[j] for r in self.boxes), *(r[j] for r in self.numbers))

    def columns(self, start: int, stop: int) -> VGroup:
        """Boxes and numbers of columns start to stop - 1."""
        return VGroup(
            *(b for r in self.boxes for b in r[start:stop]), *(n for r in self.numbers for n in r[start:stop])
        )

    def outline(self, part: VMobject, color: str | None = None, buff: float = 0.03) -> RoundedRectangle:
        """A rounded frame around a cell, row or column of this grid."""
        frame = RoundedRectangle(
            corner_radius=0.06,
            width=part.width + 2 * buff,
            height=part.height + 2 * buff,
            stroke_color=color or current_theme().text,
            stroke_width=3.5,
        )
        return frame.move_to(part)


class PaintedCell(Rectangle):
    """A cell whose colour is an entry's value on a scale of colours."""

    def __init__(self, entry: Entry, ramp: Ramp, width: float, height: float) -> None:
        color = ramp.colour(entry.value)
        super().__init__(width=width, height=height, stroke_width=0, fill_color=color, fill_opacity=1)
        self.provenance: tuple[Provenance, ...] = (Provenance("picture", entry),)
        self.ramp = ramp

    def box_of(self, n: int) -> Box:
        return box_around(self)

    def mark_of(self, n: int) -> CellMark:
        return CellMark(ramp=self.ramp, opacity=float(self.get_fill_opacity()))


class Strip(VGroup):
    """A row of weights as cells without numbers, in all `width` x `height`, from the panel's colour to `hue`."""

    def __init__(self, weights: NamedArray, width: float, height: float, hue: str) -> None:
        super().__init__()
        for entry in weights.entries():
            self.add(PaintedCell(entry, weight_ramp(hue), width / len(weights), height))
        self.arrange(RIGHT, buff=0)


class CellMap(VGroup):
    """A matrix as small cells without numbers, each in its hue: from the panel's colour (lowest) to the hue (highest).

    `hues` has one colour a column, or one a row with `by_row`. Both ends stand at the largest absolute value.
    `turned`, the matrix is drawn transposed, its rows as columns; `cell` is then the size of a cell as drawn.
    """

    def __init__(
        self, named: NamedArray, cell: tuple[float, float], hues: Sequence[str], *, by_row: bool = False,
        turned: bool = False, gap: float = 0.02,
    ) -> None:  # fmt: skip
        super().__init__()
        if len(named.axes) != 2:
            raise ValueError(f"a cell map needs two axes, {named.path} has {named.axes}")
        limit = float(np.abs(named.values).max()) or 1.0
        self.boxes: list[list[PaintedCell]] = []
        for i in range(len(named)):
            row = []
            for j, entry in enumerate(named.row(i).entries()):
                ramp = Ramp(current_theme().panel, hues[i if by_row else j], -limit, limit)
                box = PaintedCell(entry, ramp, cell[0] - gap, cell[1] - gap)
                across, down = (i, j) if turned else (j, i)
                row.append(box.move_to((cell[0] * across, -cell[1] * down, 0)))
            self.boxes.append(row)
            self.add(*row)
        self.move_to((0, 0, 0))

    def rows(self, start: int, stop: int) -> VGroup:
        """The cells of rows start to stop - 1."""
        return VGroup(*(box for row in self.boxes[start:stop] for box in row))

    def columns(self, start: int, stop: int) -> VGroup:
        """The cells of columns start to stop - 1."""
        return VGroup(*(box for row in self.boxes for box in row[start:stop]))


def row_labels(
    grid: Grid, words: Sequence[str], width: float, *, size: float = SMALL, color: str | None = None, gap: float = 0.18
) -> VGroup:
    """A word before each row of `grid`, right-aligned, none wider than `width`."""
    labels = VGroup()
    for word, boxes in zip(words, grid.boxes, strict=True):
        label = fitted(word, width, min(size, max(SMALLEST, grid.cell_height * UNIT_PX)), color or current_theme().text)
        label.move_to(boxes[0]).shift(RIGHT * (boxes[0].get_left()[0] - gap - label.get_right()[0]))
        labels.add(label)
    return labels


def heading(text: Shape, grid: VMobject, gap: float = 0.12) -> Shape:
    """Put a line of text, or a formula, centred above a grid."""
    text.move_to(grid).shift((0, grid.get_top()[1] + gap - text.get_bottom()[1], 0))
    return text
