"""How matrices show their heads: columns with numbered tags, wires to each head, a head at work, areas in pieces."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Dot,
    Group,
    Mobject,
    Rectangle,
    RoundedRectangle,
    Triangle,
    VGroup,
    VMobject,
)

from mathcore.attention import AttentionTrace
from mathcore.named import Entry, NamedArray
from scenes.formats import UNIT_PX
from scenes.kit.figures import connector
from scenes.kit.formula import formula
from scenes.kit.grid import CellMap, Grid, row_labels
from scenes.kit.heatmap import HeatMap
from scenes.kit.layout import Slot
from scenes.kit.text import BODY, SMALL, SMALLEST, Number, TextLine, fitted
from scenes.kit.theme import current_theme, mix, text_on
from scenes.kit.values import formatted

# Room for the words before the rows of a matrix.
NAMES = 1.25
# What is kept free at each side of digits in a cell, and between cells.
AIR, GAP = 0.06, 0.04
# The stroke between the pieces of a square.
CUT = 3


def names_width(words: Iterable[str]) -> float:
    """How wide the widest of the words is before the rows of a matrix."""
    return max(fitted(word, NAMES, SMALL).width for word in words)


def fitting(
    parts: Sequence[tuple[NamedArray, int]], room: float, high: float, *, row: float = 0.38, largest: float = BODY
) -> tuple[float, list[tuple[float, float]]]:
    """The text size, and the cell of each part, with which matrices stand side by side in room x high.

    `parts` are matrices of equal height with the decimals they show; `row` is the greatest height of a row.
    """
    widest = [
        max(Number(formatted(entry, places), UNIT_PX).width for entry in named.entries()) for named, places in parts
    ]
    columns = [named.shape[1] for named, _ in parts]
    rows, count = parts[0][0].shape[0], sum(columns)
    ems = sum(c * em for c, em in zip(columns, widest, strict=True))
    size = min(largest, (room - count * (2 * AIR + GAP)) * UNIT_PX / ems, high * UNIT_PX / (1.3 * rows))
    size = max(SMALLEST, size)
    # What is left goes to the cells, up to a measure; numbers far apart are hard to read as a row.
    spare = min(0.3, (room - ems * size / UNIT_PX) / count)
    return size, [(em * size / UNIT_PX + spare, min(row, high / rows)) for em in widest]


def owners(d_model: int, n_heads: int) -> list[str]:
    """The colour of each of d_model columns: that of the head it belongs to."""
    return [current_theme().head(j * n_heads // d_model) for j in range(d_model)]


def block(grid: Grid, i: int, d_head: int) -> VGroup:
    """Head i's columns of a grid: a group of boxes, and a group of numbers."""
    span = slice(i * d_head, (i + 1) * d_head)
    boxes = VGroup(*(box for row in grid.boxes for box in row[span]))
    return VGroup(boxes, VGroup(*(digits for row in grid.numbers for digits in row[span])))


def columns(cells: CellMap, i: int, d_head: int) -> VGroup:
    """Head i's columns of a map."""
    return cells.columns(i * d_head, (i + 1) * d_head)


def plate(part: VMobject) -> Rectangle:
    """A plate behind a part, so that nothing is seen between its cells when it passes over something."""
    page = current_theme().background
    back = Rectangle(width=part.width + GAP, height=part.height + GAP, stroke_width=0, fill_color=page, fill_opacity=1)
    return back.move_to(part)


def column_tags(grid: Grid | CellMap, numbers: NamedArray) -> VGroup:
    """For each head a bar over its columns, and its number above the bar."""
    tags, theme = VGroup(), current_theme()
    d_head = len(grid.boxes[0]) // len(numbers)
    for i, entry in enumerate(numbers.entries()):
        columns = VGroup(*grid.boxes[0][i * d_head : (i + 1) * d_head])
        bar = Rectangle(width=columns.width, height=0.08, stroke_width=0, fill_color=theme.head(i), fill_opacity=1)
        number = Number(entry, SMALL, theme.head_word(i), bold=True)
        bar.next_to(columns, UP, buff=0.06)
        tags.add(VGroup(bar, number.next_to(bar, UP, buff=0.03)))
    return tags


def row_tags(cells: CellMap, numbers: NamedArray) -> VGroup:
    """For each head a bar at the left of its rows, and its number before the bar."""
    tags, theme = VGroup(), current_theme()
    d_head = len(cells.boxes) // len(numbers)
    for i, entry in enumerate(numbers.entries()):
        rows = VGroup(*(row[0] for row in cells.boxes[i * d_head : (i + 1) * d_head]))
        bar = Rectangle(width=0.08, height=rows.height, stroke_width=0, fill_color=theme.head(i), fill_opacity=1)
        number = Number(entry, SMALL, theme.head_word(i), bold=True)
        bar.next_to(rows, LEFT, buff=0.06)
        tags.add(VGroup(bar, number.next_to(bar, LEFT, buff=0.08)))
    return tags


def bracket(part: VMobject) -> VGroup:
    """A bracket over the whole width of a part."""
    left, right, y = part.get_left()[0], part.get_right()[0], part.get_top()[1] + 0.2
    corners = [(left, y - 0.1, 0), (left, y, 0), (right, y, 0), (right, y - 0.1, 0)]
    color = current_theme().text
    return VGroup(*(connector(start, end, color, 4) for start, end in pairwise(corners)))


class Wires(VGroup):
    """Every head reads every column: a riser from each column of `source`, and a wire over all of them to each end.

    The wires are in the heads' colours, the lowest at height `low`, with a joint at each riser and an arrow down
    to the end. They nest, so that none crosses another.
    """

    STEP = 0.17

    def __init__(self, source: Grid, ends: Iterable[VMobject], low: float) -> None:
        super().__init__()
        theme, ends = current_theme(), list(ends)
        tops = [box.get_top() + UP * 0.06 for box in source.boxes[0]]
        high = low + self.STEP * (len(ends) - 1)
        self.risers = VGroup(*(connector(top, (top[0], high, 0), theme.line, 2.5) for top in tops))
        self.wires = VGroup()
        for i, end in enumerate(ends):
            color, y, target = theme.head(i), low + self.STEP * i, end.get_top() + UP * 0.16
            line = VMobject(stroke_color=color, stroke_width=4.5)
            line.set_points_as_corners([(tops[0][0], y, 0), (target[0], y, 0), target])
            joints = VGroup(*(Dot((top[0], y, 0), radius=0.055, color=color) for top in tops))
            tip = Triangle(fill_color=color, fill_opacity=1, stroke_width=0).rotate_about_origin(3.141592653589793)
            self.wires.add(VGroup(line, joints, tip.scale_to_fit_width(0.2).move_to(target + DOWN * 0.03)))
        self.add(self.risers, self.wires)


def cables(column_tags: Iterable[VMobject], row_tags: Iterable[VMobject]) -> VGroup:
    """A line from the top of each column tag to the left of the row tag of the same head, none across another."""
    drawn, theme, columns = VGroup(), current_theme(), list(column_tags)
    for i, (column, row) in enumerate(zip(columns, row_tags, strict=True)):
        x, top = column.get_top()[0], column.get_top()[1] + 0.05
        height = max(c.get_top()[1] for c in columns) + 0.2 + 0.12 * (len(columns) - 1 - i)
        turn = row.get_left()[0] - 0.16 - 0.12 * i
        y = row.get_center()[1]
        line = VMobject(stroke_color=theme.head(i), stroke_width=4)
        drawn.add(
            line.set_points_as_corners(
                [(x, top, 0), (x, height, 0), (turn, height, 0), (turn, y, 0), (row.get_left()[0] - 0.06, y, 0)]
            )
        )
    return drawn


def _tinted(hue: str) -> str:
    """The page's colour in a head's frame."""
    return mix(current_theme().background, hue, 0.04)


class Bay(VGroup):
    """A frame at `x` for one head's columns of Q, K and V, which `moves` bring in side by side, their rows level."""

    # Between the columns of Q, K and V, and between the outer ones and the frame.
    APART, SIDE = 0.1, 0.1

    def __init__(self, x: float, parts: tuple[VGroup, VGroup, VGroup], name: TextLine, color: str) -> None:
        super().__init__()
        theme = current_theme()
        self.parts = parts
        width = parts[0].width
        places = [x + (k - 1) * (width + self.APART) for k in range(len(parts))]
        self.moves = [RIGHT * (place - part.get_x()) for part, place in zip(parts, places, strict=True)]
        self.letters = VGroup()
        for part, letter, place, hue in zip(parts, "QKV", places, (theme.query, theme.key, theme.value), strict=True):
            self.letters.add(formula(letter, BODY, hue).move_to((place, part.get_top()[1] + 0.3, 0)))
        top, bottom = parts[0].get_top()[1] + 0.52, parts[0].get_bottom()[1] - 0.5
        self.frame = RoundedRectangle(
            corner_radius=0.12, width=max(3 * width + 2 * (self.APART + self.SIDE), name.width + 0.2),
            height=top - bottom, stroke_color=color, stroke_width=2.5, fill_color=_tinted(color),
        ).move_to((x, (top + bottom) / 2, 0))  # fmt: skip
        self.name_line = name.move_to((x, bottom + 0.25, 0))
        self.add(self.frame, self.name_line, self.letters)


class LaneLabels(NamedTuple):
    """What the columns of the weights are, what their rows are, and what comes out."""

    keys: TextLine
    queries: TextLine
    output: TextLine


class Large(NamedTuple):
    """What a large lane says: the words of its rows, its labels, and the text size and cell of its output."""

    words: Sequence[str]
    labels: LaneLabels
    size: float
    cell: tuple[float, float]


class Lane(Group):
    """One head at work: Q at the left of the weights and K, turned, above them; then times V, and the output.

    `unit` is the side of a weight. A `large` lane names its rows and parts, and its output has numbers; a small one
    is the same picture in colours alone.
    """

    def __init__(self, head: AttentionTrace, hue: str, name: TextLine, unit: float, large: Large | None = None) -> None:
        super().__init__()
        theme, (n, d_head) = current_theme(), head.q.shape
        w, gap, sign = (min(0.3, 0.8 / d_head), 0.16, BODY) if large else (min(0.18, 0.4 / d_head), 0.1, SMALL)
        hues = [hue] * d_head
        self.heat = HeatMap(head.weights, n * unit, n * unit, hue=hue)
        self.q = CellMap(head.q, (w, unit), hues).next_to(self.heat, LEFT, buff=gap)
        self.k = CellMap(head.k, (unit, w), hues, turned=True).next_to(self.heat, UP, buff=gap)
        self.v = CellMap(head.v, (w, unit), hues)
        self.output: Grid | CellMap = (
            Grid(head.output, 2, size=large.size, cell=large.cell, hue=hue)
            if large
            else CellMap(head.output, (w, unit), hues)
        )
        # Digits are rounded, colours are not.
        self.signs = VGroup(*(TextLine(mark, sign, theme.text) for mark in ("×≈" if large else "×=")))
        last: Mobject = self.heat
        for part in (self.signs[0], self.v, self.signs[1], self.output):
            last = part.next_to(last, RIGHT, buff=gap)
        self.maps, self.letters, self.note = VGroup(self.q, self.k, self.v), VGroup(), VGroup()
        self.names = VGroup()
        if large and isinstance(self.output, Grid):
            self.names = row_labels(self.output, large.words, NAMES)
            self._name_parts(large)
        inside = Group(self.heat, self.maps, self.output, self.names, self.letters, self.note)
        if large:
            name.next_to(inside, UP, buff=0.1, aligned_edge=LEFT)
        else:
            name.next_to(self.q, LEFT, buff=0.2)
        inside.add(name)
        self.panel = RoundedRectangle(
            corner_radius=0.12, width=inside.width + 0.4, height=inside.height + 0.3, stroke_color=hue, stroke_width=2,
            fill_color=_tinted(hue), fill_opacity=1,
        ).move_to(inside)  # fmt: skip
        self.name_line = name
        self.add(self.panel, name, self.names, self.maps, self.letters, self.note, self.heat, self.signs, self.output)

    def _name_parts(self, large: Large) -> None:
        """Set the words, letters, labels and formula of a large lane."""
        theme, left, (keys, queries, output) = current_theme(), self.q.get_left()[0], large.labels
        self.names.shift(RIGHT * (left - 0.15 - self.names.get_right()[0]))
        softmax = formula('op("softmax")(Q K^T \\/ sqrt(d_"head"))', BODY).next_to(self.heat, DOWN, buff=0.12)
        self.note.add(softmax)
        low = softmax.get_y()
        q, k, v = (
            formula(*pair) for pair in (("Q", BODY, theme.query), ("K^T", BODY, theme.key), ("V", BODY, theme.value))
        )
        # The formula is wider than the weights of a short sentence.
        q.move_to((min(self.q.get_x(), softmax.get_left()[0] - 0.25), low, 0))
        v.move_to((max(self.v.get_x(), softmax.get_right()[0] + 0.25), low, 0))
        output.move_to((self.output.get_x(), low, 0))
        k.next_to(self.k, RIGHT, buff=0.12)
        top = self.heat.get_top()[1]
        keys.move_to((0, max(self.k.get_y(), top + 0.42), 0))
        keys.shift(RIGHT * (self.k.get_left()[0] - 0.15 - keys.get_right()[0]))
        queries.move_to((0, top + 0.17, 0)).shift(RIGHT * (left - 0.15 - queries.get_right()[0]))
        self.letters.add(q, k, v, keys, queries)
        self.note.add(output)

    @property
    def hidden(self) -> Group:
        """All but the output, the words and the name: what goes when the outputs are joined."""
        return Group(self.panel, self.maps, self.letters, self.note, self.heat, self.signs)

    def row_frames(self, i: int, color: str) -> VGroup:
        """Frames around word i's query with its weights, and around its output."""
        rows = (VGroup(self.heat.row_box(i), *self.q.boxes[i]), VGroup(*self.output.boxes[i]))
        return VGroup(
            *(
                RoundedRectangle(
                    corner_radius=0.04, width=row.width + 0.06, height=row.height + 0.06, stroke_color=color,
                    stroke_width=3.5,
                ).move_to(row)
                for row in rows
            )
        )  # fmt: skip


def lanes(
    slot: Slot, heads: Sequence[AttentionTrace], names: Sequence[TextLine], words: Sequence[str], labels: LaneLabels
) -> list[Lane]:
    """The heads at work: the first one large, the others small at its right, one below the other."""
    theme, (n, d_head) = current_theme(), heads[0].q.shape
    small = [Lane(head, theme.head(i), names[i], min(0.3, 1 / n)) for i, head in enumerate(heads) if i]
    column = Group(*small).arrange(DOWN, buff=0.12)
    room = slot.width - (column.width + 0.25 if small else 0.0)
    # What stands beside the weights and the output: words, Q, V, signs and margins.
    fixed, unit = 1.75 + names_width(words) + 2 * min(0.3 * d_head, 0.8), min(0.6, 2.9 / n)
    across = max(0.6 * d_head, min(0.8 * d_head, room - fixed - 2.9))
    output = ((heads[0].output, 2),)
    _, ((width, _),) = fitting(output, across, n * unit, largest=30)
    unit = min(unit, (room - fixed - width * d_head) / n)
    size, ((width, _),) = fitting(output, across, n * unit, largest=30)
    first = Lane(heads[0], theme.head(0), names[0], unit, Large(words, labels, size, (width, unit)))
    Group(first, *([column] if small else [])).arrange(RIGHT, buff=0.25).move_to(slot.centre)
    return [first, *small]


def area(side: float, color: str, pieces: int = 1, *, by_row: bool = False) -> VGroup:
    """A square that stands for a count, cut into `pieces` of equal size: strips of columns, or of rows."""
    strips = VGroup()
    for k in range(pieces):
        strip = Rectangle(
            width=side if by_row else side / pieces, height=side / pieces if by_row else side,
            fill_color=color, fill_opacity=1, stroke_color=current_theme().background,
            stroke_width=CUT if pieces > 1 else 0,
        )  # fmt: skip
        strips.add(strip.move_to((DOWN if by_row else RIGHT) * side / pieces * k))
    return strips.move_to((0, 0, 0))


class BudgetRow(VGroup):
    """The parameters of W_Q, W_K, W_V and W_O as squares of equal area, each cut into `pieces` heads, and their total.

    `shapes` say how each square's count comes about; `counts` are the squares' entries.
    """

    SIDE, APART = 1.5, 0.55

    def __init__(
        self, slot: Slot, y: float, name: TextLine, shapes: Sequence[TextLine], total: TextLine,
        counts: Sequence[Entry], pieces: int,
    ) -> None:  # fmt: skip
        super().__init__()
        theme = current_theme()
        self.name_line = name.move_to((slot.left + name.width / 2, y, 0))
        self.total = total.move_to((slot.right - total.width / 2, y, 0))
        self.squares, self.counts, self.shapes = VGroup(), VGroup(), VGroup()
        self.colors = (theme.query, theme.key, theme.value, theme.muted)
        for k, (color, shape, count) in enumerate(zip(self.colors, shapes, counts, strict=True)):
            place = (slot.left + 3.45 + k * (self.SIDE + self.APART), y, 0)
            fill = mix(theme.panel, color, 0.4)
            square = area(self.SIDE, fill, pieces, by_row=k == len(counts) - 1).move_to(place)
            number = Number(formatted(count, grouped=True), SMALL, text_on(fill), bold=True).move_to(place)
            # The number stands on a whole patch, not on the cuts.
            patch = Rectangle(width=number.width + 0.12, height=0.34, stroke_width=0, fill_color=fill, fill_opacity=1)
            self.squares.add(square)
            self.counts.add(VGroup(patch.move_to(place), number))
            self.shapes.add(shape.next_to(square, DOWN, buff=0.08))
            if k:
                self.shapes.add(
                    TextLine("+", BODY, theme.muted).move_to(place).shift(LEFT * (self.SIDE + self.APART) / 2)
                )
        self.add(self.name_line, self.squares, self.counts, self.shapes, self.total)
