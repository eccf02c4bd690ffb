"""Things of paper: slips and key tags that carry a vector, notebook pages, notes on a board, a bar of shares."""

from collections.abc import Sequence
from typing import Any

from manim import DOWN, RIGHT, UP, Circle, Dot, Line, Polygon, Rectangle, RoundedRectangle, VGroup, VMobject
from manim.constants import LineJointType

from mathcore.named import Named
from scenes.kit.grid import PaintedCell
from scenes.kit.text import SMALLEST, UNIT_PX, Number, TextLine
from scenes.kit.theme import current_theme, mix, signed_colour, text_on

# A number such as -1.16 at the smallest legible size, and air beside it.
_CELL = 0.53
_LINE = 1.32 * SMALLEST / UNIT_PX
_EDGE, _HOLE = 0.05, 0.13


def cells_per_line(size: int, width: float, *, most: int = 4) -> int:
    """How many numbers of a vector stand side by side on a slip of `width`; at most four lines where two fit."""
    fitting = min(size, most, max(1, int((width - 2 * _EDGE) / _CELL)))
    if -(-size // fitting) > most:
        fitting = 2
    # Lines of equal length: five numbers are three and two, not four and one.
    lines = -(-size // fitting)
    return -(-size // lines)


def slip_height(size: int, width: float) -> float:
    """The height of a `Slip` (without the hole of a tag)."""
    return -(-size // cells_per_line(size, width)) * _LINE + 2 * _EDGE


class Slip(VGroup):
    """A slip of paper with the numbers of a vector, a few on each line; never below the smallest legible size.

    With `tag` it is a luggage tag: slanted shoulders, a hole and a string. With `limit` its cells have
    signed colours, full at that value.
    """

    def __init__(
        self, named: Named, width: float, color: str, *, places: int = 2, tag: bool = False, limit: float | None = None
    ) -> None:
        super().__init__()
        theme = current_theme()
        per_line = cells_per_line(len(named), width)
        lines = -(-len(named) // per_line)
        height = lines * _LINE + 2 * _EDGE
        fill = mix(theme.panel, color, 0.2)
        style: dict[str, Any] = {
            "fill_color": fill, "fill_opacity": 1, "stroke_color": color, "stroke_width": 2.5,
        }  # fmt: skip
        x, y = width / 2, height / 2
        self.paper: VMobject
        if tag:
            slant = min(0.16, width / 5)
            corners = ((-x, -y), (x, -y), (x, y), (x - slant, y + _HOLE), (slant - x, y + _HOLE), (-x, y))
            self.paper = Polygon(*((a, b, 0.0) for a, b in corners), **style)
            self.paper.joint_type = LineJointType.ROUND
        else:
            self.paper = RoundedRectangle(corner_radius=0.05, width=width, height=height, **style)
        self.add(self.paper)
        if tag:
            hole = y + _HOLE * 0.4
            self.add(Line((0, hole, 0), (0, hole + 0.18, 0), stroke_color=color, stroke_width=2))
            self.add(Circle(radius=0.045, fill_color=theme.background, fill_opacity=1, stroke_color=color,
                            stroke_width=2).move_to((0, hole, 0)))  # fmt: skip
        self.cells = VGroup()
        self.numbers: list[Number] = []
        cell_width = (width - 2 * _EDGE) / per_line
        for k, entry in enumerate(named.entries()):
            line, column = divmod(k, per_line)
            here = min(per_line, len(named) - line * per_line)
            place = ((column - (here - 1) / 2) * cell_width, y - _EDGE - (line + 0.5) * _LINE, 0)
            colour = fill if limit is None else signed_colour(entry.value, limit)
            if limit is not None:
                box = Rectangle(width=cell_width - 0.02, height=_LINE - 0.02, stroke_width=0, fill_opacity=1)
                self.cells.add(box.set_fill(colour).move_to(place))
            self.numbers.append(Number(entry, places, SMALLEST, text_on(colour)).move_to(place))
        self.add(self.cells, VGroup(*self.numbers))


class Page(VGroup):
    """A page of a detective's notebook: a panel with rings down its left edge, in the notebook's `color`."""

    def __init__(self, width: float, height: float, color: str) -> None:
        super().__init__()
        theme = current_theme()
        self.sheet = RoundedRectangle(
            corner_radius=0.1, width=width, height=height, fill_color=mix(theme.background, theme.panel, 0.75),
            fill_opacity=1, stroke_color=color, stroke_width=3,
        )  # fmt: skip
        self.add(self.sheet)
        rings = max(3, round(height / 0.28))
        for k in range(rings):
            y = height / 2 - height * (k + 0.5) / rings
            hole = Dot((0.14 - width / 2, y, 0), radius=0.04, color=theme.background)
            ring = Line((-0.1 - width / 2, y, 0), (0.14 - width / 2, y, 0), stroke_color=color, stroke_width=4)
            self.add(hole, ring)

    @property
    def writing(self) -> Any:
        """The middle of the area to write on, right of the rings."""
        return self.sheet.get_center() + RIGHT * 0.1


class Note(VGroup):
    """A note pinned to a board; the pin and the upper edge carry `color`."""

    def __init__(self, width: float, height: float, color: str) -> None:
        super().__init__()
        theme = current_theme()
        paper = Rectangle(width=width, height=height, fill_color=theme.paper, fill_opacity=1, stroke_width=1.5,
                          stroke_color=theme.line)  # fmt: skip
        edge = Rectangle(width=width, height=0.09, fill_color=color, fill_opacity=1, stroke_width=0)
        edge.align_to(paper, UP)
        pin = Dot(paper.get_top() + DOWN * 0.02, radius=0.09, color=color)
        pin.set_stroke(mix(color, "#000000", 0.4), width=2)
        self.add(paper, edge, pin)


class Board(VGroup):
    """A pinboard in a wooden frame."""

    def __init__(self, width: float, height: float) -> None:
        super().__init__()
        theme = current_theme()
        frame = RoundedRectangle(corner_radius=0.08, width=width, height=height, fill_color=theme.wood, fill_opacity=1,
                                 stroke_color=mix(theme.wood, theme.text, 0.3), stroke_width=2.5)  # fmt: skip
        cork = Rectangle(width=width - 0.24, height=height - 0.24, fill_color=mix(theme.background, theme.wood, 0.45),
                         fill_opacity=1, stroke_width=0)  # fmt: skip
        self.add(frame, cork)


class ShareBar(VGroup):
    """A bar cut into parts as long as the entries of a row that sums to 1, in tints of `color`."""

    def __init__(self, row: Named, width: float, height: float, color: str) -> None:
        super().__init__()
        theme = current_theme()
        self.parts: list[PaintedCell] = []
        left = -width / 2
        for k, entry in enumerate(row.entries()):
            fill = mix(theme.panel, color, 0.85 if k % 2 else 0.6)
            part = PaintedCell(entry, fill, max(0.012, width * entry.value), height)
            part.set_stroke(theme.background, 1).move_to((left + width * entry.value / 2, 0, 0))
            left += width * entry.value
            self.parts.append(part)
        self.outline = Rectangle(width=width, height=height, stroke_color=theme.line, stroke_width=2)
        self.add(*self.parts, self.outline)

    def names(self, words: Sequence[str]) -> VGroup:
        """The words whose parts are long enough to hold them, each on its part."""
        names = VGroup()
        for part, word in zip(self.parts, words, strict=True):
            name = TextLine(word, SMALLEST, text_on(part.get_fill_color().to_hex()))
            if name.width + 0.08 < part.width:
                names.add(name.move_to(part))
        return names
