"""How matrices show their heads: coloured columns with numbered tags, a lane for each head, areas cut in pieces."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    CubicBezier,
    Group,
    Rectangle,
    RoundedRectangle,
    Triangle,
    VGroup,
    VMobject,
)

from mathcore.attention import AttentionTrace
from mathcore.named import Entry, Named
from scenes.kit.figures import connector
from scenes.kit.formula import formula
from scenes.kit.grid import CellMap, Grid
from scenes.kit.heatmap import HeatMap
from scenes.kit.layout import Slot
from scenes.kit.text import BODY, SMALL, Number, TextLine
from scenes.kit.theme import current_theme, mix, text_on


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


def column_tags(grid: Grid | CellMap, numbers: Named) -> VGroup:
    """For each head a bar over its columns, and its number above the bar."""
    tags, theme = VGroup(), current_theme()
    d_head = len(grid.boxes[0]) // len(numbers)
    for i, entry in enumerate(numbers.entries()):
        columns = VGroup(*grid.boxes[0][i * d_head : (i + 1) * d_head])
        bar = Rectangle(width=columns.width, height=0.08, stroke_width=0, fill_color=theme.head(i), fill_opacity=1)
        number = Number(entry, 0, SMALL, theme.head_word(i), bold=True)
        bar.next_to(columns, UP, buff=0.06)
        tags.add(VGroup(bar, number.next_to(bar, UP, buff=0.03)))
    return tags


def row_tags(cells: CellMap, numbers: Named) -> VGroup:
    """For each head a bar at the left of its rows, and its number before the bar."""
    tags, theme = VGroup(), current_theme()
    d_head = len(cells.boxes) // len(numbers)
    for i, entry in enumerate(numbers.entries()):
        rows = VGroup(*(row[0] for row in cells.boxes[i * d_head : (i + 1) * d_head]))
        bar = Rectangle(width=0.08, height=rows.height, stroke_width=0, fill_color=theme.head(i), fill_opacity=1)
        number = Number(entry, 0, SMALL, theme.head_word(i), bold=True)
        bar.next_to(rows, LEFT, buff=0.06)
        tags.add(VGroup(bar, number.next_to(bar, LEFT, buff=0.08)))
    return tags


def bracket(part: VMobject) -> VGroup:
    """A bracket over the whole width of a part."""
    left, right, y = part.get_left()[0], part.get_right()[0], part.get_top()[1] + 0.2
    corners = [(left, y - 0.1, 0), (left, y, 0), (right, y, 0), (right, y - 0.1, 0)]
    color = current_theme().text
    return VGroup(*(connector(start, end, color, 4) for start, end in pairwise(corners)))


def arcs(start: VMobject, tags: Iterable[VMobject], reach: float) -> VGroup:
    """An arrow from the top of `start` over to each head's tag, in the head's colour; the farthest is outermost."""
    drawn, theme, ends = VGroup(), current_theme(), list(tags)
    for i, end in enumerate(ends):
        nest = i - (len(ends) - 1) / 2
        source = start.get_top() + UP * 0.06 + LEFT * 0.13 * nest
        target = end.get_top() + UP * 0.12
        rise = UP * (reach + 0.28 * nest)
        arc = CubicBezier(source, source + rise, target + rise, target, stroke_color=theme.head(i), stroke_width=5)
        tip = Triangle(fill_color=theme.head(i), fill_opacity=1, stroke_width=0).rotate_about_origin(3.141592653589793)
        drawn.add(VGroup(arc, tip.scale_to_fit_width(0.17).move_to(target)))
    return drawn


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


class Bay(VGroup):
    """A frame at `x`, at most `room` wide, for one head's columns of Q and, below, K and V; `moves` brings them in."""

    def __init__(self, x: float, room: float, parts: tuple[VGroup, VGroup, VGroup], name: TextLine, color: str) -> None:
        super().__init__()
        theme = current_theme()
        q, k, _ = self.parts = parts
        side = (q.width - k.width) / 2
        self.moves = [RIGHT * (x + at - part.get_x()) for part, at in zip(parts, (0.0, -side, side), strict=True)]
        top, bottom = q.get_top()[1] + 0.55, k.get_bottom()[1] - 0.12
        self.frame = RoundedRectangle(
            corner_radius=0.12, width=min(room - 0.12, q.width + 1.2), height=top - bottom, stroke_color=color,
            stroke_width=2.5,
        ).move_to((x, (top + bottom) / 2, 0))  # fmt: skip
        self.name_line = name.move_to((x, top - 0.27, 0))
        self.letters = VGroup(
            *(
                formula(letter, BODY, hue).next_to(part, UP, buff=0.1).shift(move)
                for part, move, letter, hue in zip(
                    parts[1:], self.moves[1:], "KV", (theme.key, theme.value), strict=True
                )
            )
        )
        self.add(self.frame, self.name_line, self.letters)


class Lane(Group):
    """One head at work, from top to bottom: name, Q, K and V as small maps, its weights with its output beside them.

    The rows of the weights and of the output stand side by side, a row a query.
    """

    def __init__(
        self, head: AttentionTrace, hue: str, width: float, name: TextLine, cell: tuple[float, float], size: float
    ) -> None:
        super().__init__()
        theme = current_theme()
        n, d_head = head.q.shape
        high = n * cell[1]
        across = min(2.4, width - d_head * cell[0] - 0.7)
        small = min(1.0, 0.2 * n, 3.6 - high)
        self.output = Grid(head.output, 2, size=size, cell=cell, hue=hue)
        self.heat = HeatMap(head.weights, across, high - 0.04, hue=hue)
        Group(self.heat, self.output).arrange(RIGHT, buff=0.22)
        w = min(0.25, 0.42 * across / d_head)
        left, right = self.heat.get_left()[0], self.heat.get_right()[0]
        top = self.heat.get_top()[1]
        places = ((3 * left + right) / 4, (left + 3 * right) / 4, self.output.get_center()[0])
        traces, colors = (head.q, head.k, head.v), (theme.query, theme.key, theme.value)
        self.maps = VGroup(*(CellMap(trace, (w, small / n), [hue] * d_head) for trace in traces))
        self.letters, self.links = VGroup(), VGroup()
        for part, letter, x, color in zip(self.maps, "QKV", places, colors, strict=True):
            part.move_to((x, top + 0.42 + small / 2, 0))
            self.letters.add(formula(letter, BODY, color).next_to(part, UP, buff=0.1))
            self.links.add(connector(part.get_bottom() + DOWN * 0.06, (x, top + 0.06, 0), color, 3.5))
        self.link = connector(self.heat.get_right(), self.output.get_left(), theme.text, 3.5)
        name.next_to((0, self.letters.get_top()[1], 0), UP, buff=0.1)
        inside = Group(self.heat, self.output, name)
        self.panel = RoundedRectangle(
            corner_radius=0.12, width=width, height=inside.height + 0.24, stroke_color=hue, stroke_width=2,
            fill_color=mix(theme.background, hue, 0.04), fill_opacity=1,
        ).move_to(inside)  # fmt: skip
        name.set_x(self.panel.get_x())
        self.name_line = name
        self.add(self.panel, name, self.letters, self.maps, self.links, self.link, self.heat, self.output)

    def row_frame(self, i: int, color: str) -> RoundedRectangle:
        """A frame around query i's weights and output."""
        row = VGroup(self.heat.row_box(i), *self.output.boxes[i])
        return self.output.outline(row, color, 0.0)


def area(side: float, color: str, pieces: int = 1, *, by_row: bool = False) -> VGroup:
    """A square that stands for a count, cut into `pieces` of equal size: strips of columns, or of rows."""
    strips = VGroup()
    for k in range(pieces):
        strip = Rectangle(
            width=side if by_row else side / pieces, height=side / pieces if by_row else side,
            fill_color=color, fill_opacity=1, stroke_color=current_theme().background,
            stroke_width=3 if pieces > 1 else 0,
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
            number = Number(count, 0, SMALL, text_on(fill), bold=True, grouped=True).move_to(place)
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
