"""Things of paper: slips and tags that carry a vector, pages, notes and their icons, a bar of shares."""

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from manim import (
    DOWN,
    UP,
    Circle,
    Dot,
    Line,
    Polygon,
    Rectangle,
    RoundedRectangle,
    VGroup,
    VMobject,
)
from manim.constants import LineJointType

from mathcore.named import Entry, NamedArray
from scenes.formats import UNIT_PX
from scenes.kit.marks import BarPartMark
from scenes.kit.text import SMALL, SMALLEST, Box, Number, Provenance, TextLine, box_around, hexadecimal
from scenes.kit.theme import current_theme, mix, text_on
from scenes.kit.values import formatted

# A number such as -1.16 at the smallest legible size, bare and with air beside it; and the largest size on a slip.
_INK, _CELL, _LARGEST = 0.43, 0.53, 32
_EDGE, _HOLE = 0.05, 0.13


def cells_per_line(size: int, width: float, *, most: int = 4) -> int:
    """How many numbers of a vector stand side by side on a slip of `width`; at most four lines where two fit."""
    fitting = min(size, most, max(1, int((width - 2 * _EDGE) / _CELL)))
    if -(-size // fitting) > most:
        fitting = 2
    # Lines of equal length: five numbers are three and two, not four and one.
    lines = -(-size // fitting)
    return -(-size // lines)


def _digits(size: int, width: float) -> float:
    """The size of digits on a slip, in pixels: larger where all numbers stand on one line."""
    per_line = cells_per_line(size, width)
    if per_line < size:
        return SMALLEST
    room = (width - 2 * _EDGE) / per_line - (_CELL - _INK)
    return max(SMALLEST, min(_LARGEST, SMALLEST * room / _INK))


def slip_height(size: int, width: float) -> float:
    """The height of a `Slip` (without the hole of a tag)."""
    lines = -(-size // cells_per_line(size, width))
    return lines * 1.32 * _digits(size, width) / UNIT_PX + 2 * _EDGE


class Slip(VGroup):
    """A slip of paper with the numbers of a vector, a few on each line; never below the smallest legible size.

    With `tag` it is a luggage tag: slanted shoulders, a hole and a string.
    """

    def __init__(
        self, named: NamedArray, width: float, color: str, *, places: int | None = None, tag: bool = False
    ) -> None:
        super().__init__()
        theme = current_theme()
        per_line, digits = cells_per_line(len(named), width), _digits(len(named), width)
        height = slip_height(len(named), width)
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
        self.numbers: list[Number] = []
        cell_width, line_height = (width - 2 * _EDGE) / per_line, 1.32 * digits / UNIT_PX
        for k, entry in enumerate(named.entries()):
            line, column = divmod(k, per_line)
            here = min(per_line, len(named) - line * per_line)
            place = ((column - (here - 1) / 2) * cell_width, y - _EDGE - (line + 0.5) * line_height, 0)
            self.numbers.append(Number(formatted(entry, places), digits, text_on(fill)).move_to(place))
        self.add(VGroup(*self.numbers))


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


def tag_icon(color: str) -> VGroup:
    """A luggage tag, as words wear their keys."""
    corners = ((-0.22, -0.3), (0.22, -0.3), (0.22, 0.14), (0.1, 0.3), (-0.1, 0.3), (-0.22, 0.14))
    edge = mix(color, "#000000", 0.35)
    shape = Polygon(*((x, y, 0.0) for x, y in corners), fill_color=color, fill_opacity=1, stroke_color=edge,
                    stroke_width=2)  # fmt: skip
    lines = VGroup(*(Line((-0.12, y, 0), (0.12, y, 0), stroke_color=edge, stroke_width=2) for y in (0.0, -0.14)))
    return VGroup(shape, lines, Dot((0, 0.18, 0), radius=0.045, color=current_theme().paper))


def slip_icon(color: str) -> VGroup:
    """A slip with a few lines, as words hand over their values."""
    edge = mix(color, "#000000", 0.35)
    paper = RoundedRectangle(corner_radius=0.06, width=0.62, height=0.5, fill_color=color, fill_opacity=1,
                             stroke_color=edge, stroke_width=2)  # fmt: skip
    lines = (Line((-0.2, y, 0), (0.2, y, 0), stroke_color=edge, stroke_width=2) for y in (0.12, 0.0, -0.12))
    return VGroup(paper, *lines)


class SharePart(Rectangle):
    """A part of a bar, as long as an entry's value; the value 1 is `unit` long."""

    def __init__(self, entry: Entry, unit: float, height: float, color: str) -> None:
        width = BarPartMark.length(entry.value, unit)
        super().__init__(width=width, height=height, fill_color=color, fill_opacity=1)
        self.set_stroke(current_theme().background, 1.5)
        self.provenance, self._share = (Provenance("picture", entry),), unit / width

    def box_of(self, n: int) -> Box:
        return box_around(self)

    def mark_of(self, n: int) -> BarPartMark:
        color, opacity = hexadecimal(self.get_fill_color()), float(self.get_fill_opacity())
        return BarPartMark(color=color, opacity=opacity, unit=float(self.width) * self._share)


class ShareBar(VGroup):
    """A bar cut into parts as long as the entries of a row that sums to 1, in `color`; every part has its word.

    Words stand on their parts, or, where these are too short, below and tied to them.
    """

    _APART = 0.16

    def __init__(self, row: NamedArray, words: Sequence[str], width: float, height: float, color: str) -> None:
        super().__init__()
        theme = current_theme()
        self.parts: list[SharePart] = []
        self.names = VGroup()
        left, fill, short = -width / 2, mix(theme.panel, color, 0.75), []
        for entry, word in zip(row.entries(), words, strict=True):
            part = SharePart(entry, width, height, fill).move_to((left + width * entry.value / 2, 0, 0))
            left += width * entry.value
            self.parts.append(part)
            name = TextLine(word, SMALL, text_on(fill))
            if name.width + self._APART < part.width:
                self.names.add(name.move_to(part))
            else:
                short.append((part, word))
        self.outline = Rectangle(width=width, height=height, stroke_color=theme.line, stroke_width=2)
        if short:
            self._below(short, width, -height / 2)
        self.add(*self.parts, self.outline, self.names)

    def _below(self, short: Sequence[tuple[SharePart, str]], width: float, edge: float) -> None:
        """Names below short parts; of many long words, those of the longest parts that there is room for."""
        lines = {part: TextLine(word, SMALL) for part, word in short}
        room, named = width, set()
        for part in sorted(lines, key=lambda part: -part.width):
            if lines[part].width + self._APART <= room:
                room -= lines[part].width + self._APART
                named.add(part)
        parts = [part for part, _ in short if part in named]
        places = spread([part.get_x() for part in parts], [lines[part].width + self._APART for part in parts], width)
        for part, x in zip(parts, places, strict=True):
            name = lines[part].move_to((x, edge - 0.24 - lines[part].height / 2, 0))
            lead = Line((part.get_x(), edge, 0), (x, name.get_top()[1] + 0.02, 0))
            self.names.add(lead.set_stroke(current_theme().muted, 2), name)


def spread(wanted: Sequence[float], widths: Sequence[float], room: float) -> list[float]:
    """Places in order for things of `widths`, without overlap, as near as can be to `wanted`, within +-`room` / 2.

    Least squares: things that would overlap form a block around their mean (pool adjacent violators).
    """
    starts = [sum(widths[:k]) + widths[k] / 2 for k in range(len(widths))]
    blocks: list[list[float]] = []
    for place, start in zip(wanted, starts, strict=True):
        blocks.append([place - start])
        while len(blocks) > 1 and fmean(blocks[-2]) > fmean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    low, high = -room / 2, room / 2 - sum(widths)
    moved = [max(low, min(high, fmean(block))) for block in blocks for _ in block]
    return [start + shift for start, shift in zip(starts, moved, strict=True)]
