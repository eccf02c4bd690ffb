"""The figures of the analogies: detectives, notebooks, lamps, beams, threads, dials."""

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from manim import (
    DOWN,
    LEFT,
    ORIGIN,
    RIGHT,
    UP,
    AnnularSector,
    ArcBetweenPoints,
    Circle,
    CubicBezier,
    Dot,
    Ellipse,
    Line,
    Polygon,
    Rectangle,
    RoundedRectangle,
    Triangle,
    VGroup,
    VMobject,
)
from manim.constants import CapStyleType, LineJointType

from mathcore.named import Entry
from scenes.kit.marks import (
    BeamMark,
    HandMark,
    HandOutlineMark,
    Place,
    SectorMark,
    ThreadMark,
    WindingMark,
)
from scenes.kit.text import Box, Provenance, box_around, hexadecimal
from scenes.kit.theme import current_theme, mix

Shape = TypeVar("Shape", bound=VMobject)

_SKIN, _COAT, _COAT_DARK, _HAT = "#F1C9A5", "#C9A878", "#9C7C50", "#7A5A3E"
_COAT_CAPTAIN, _COAT_CAPTAIN_DARK, _HAT_CAPTAIN = "#51638F", "#38466B", "#2E3A5C"


def _round(mobject: Shape) -> Shape:
    mobject.joint_type = LineJointType.ROUND
    mobject.set_cap_style(CapStyleType.ROUND)
    return mobject


def _smooth_polygon(*points: tuple[float, float], radius: float, **style: Any) -> Polygon:
    return Polygon(*((x, y, 0.0) for x, y in points), **style).round_corners(radius)


class Notebook(VGroup):
    """A notebook with a coloured cover and, with `letter`, a place for what is written on it."""

    def __init__(self, color: str, width: float = 0.5, height: float = 0.66) -> None:
        super().__init__()
        edge = mix(color, "#000000", 0.35)
        cover = RoundedRectangle(
            corner_radius=0.12 * width, width=width, height=height, fill_color=color, fill_opacity=1,
            stroke_color=edge, stroke_width=2,
        )  # fmt: skip
        spine = Line(UP * height * 0.38, DOWN * height * 0.38, stroke_color=edge, stroke_width=2.5)
        spine.shift(LEFT * width * 0.33)
        lines = VGroup(
            *(
                Line(LEFT * width * 0.16, RIGHT * width * 0.34, stroke_color=edge, stroke_width=2).shift(
                    UP * height * (0.2 - 0.2 * k)
                )
                for k in range(3)
            )
        )
        self.cover = cover
        self.add(cover, spine, lines)


class Magnifier(VGroup):
    """A magnifying glass, `size` high, with a rim in `color`."""

    def __init__(self, color: str, size: float = 0.5) -> None:
        super().__init__()
        glass = Circle(radius=0.15, stroke_color=mix(color, "#000000", 0.2), stroke_width=5, fill_color="#DFF1FF",
                       fill_opacity=0.45)  # fmt: skip
        handle = _round(Line((0.08, -0.13, 0), (0.18, -0.32, 0), stroke_color=_HAT, stroke_width=7))
        self.add(handle, glass)
        self.scale_to_fit_height(size)


class Detective(VGroup):
    """A detective in hat and coat, about 1.1 wide and 1.65 high, with a notebook in `color`.

    `captain` wears blue and a star. `notebook` and `hat_band` carry the colour. `magnifier`, if asked for, is
    in the hand that holds no notebook.
    """

    def __init__(self, color: str, *, captain: bool = False, magnifier: bool = False) -> None:
        super().__init__()
        coat, dark, hat = (_COAT_CAPTAIN, _COAT_CAPTAIN_DARK, _HAT_CAPTAIN) if captain else (_COAT, _COAT_DARK, _HAT)
        body = _smooth_polygon(
            (-0.38, -0.05), (0.38, -0.05), (0.52, -0.85), (-0.52, -0.85), radius=0.13,
            fill_color=coat, fill_opacity=1, stroke_color=dark, stroke_width=2,
        )  # fmt: skip
        lapels = VGroup(
            *(
                Polygon(
                    (0, -0.42, 0),
                    (side * 0.05, 0.0, 0),
                    (side * 0.27, -0.06, 0),
                    fill_color=dark,
                    fill_opacity=1,
                    stroke_width=0,
                )
                for side in (-1, 1)
            )
        )
        buttons = VGroup(*(Dot((0, y, 0), radius=0.028, color=dark) for y in (-0.54, -0.7)))
        head = Circle(radius=0.26, fill_color=_SKIN, fill_opacity=1, stroke_width=0).shift(UP * 0.2)
        eyes = VGroup(*(Dot((x, 0.19, 0), radius=0.032, color="#2A2320") for x in (-0.09, 0.09)))
        smile = ArcBetweenPoints((-0.07, 0.07, 0), (0.07, 0.07, 0), angle=0.9, stroke_color="#8A5A44", stroke_width=2)
        brim = Ellipse(width=0.86, height=0.16, fill_color=hat, fill_opacity=1, stroke_width=0).shift(UP * 0.36)
        crown = _smooth_polygon(
            (-0.3, 0.36), (0.3, 0.36), (0.24, 0.72), (-0.24, 0.72), radius=0.07,
            fill_color=hat, fill_opacity=1, stroke_width=0,
        )  # fmt: skip
        band = Polygon(
            (-0.295, 0.4, 0), (0.295, 0.4, 0), (0.278, 0.5, 0), (-0.278, 0.5, 0),
            fill_color=color, fill_opacity=1, stroke_width=0,
        )  # fmt: skip
        self.hat_band = band
        self.notebook = Notebook(color, 0.34, 0.44).rotate(-0.12).move_to((0.36, -0.42, 0))
        self.add(body, lapels, buttons, head, eyes, smile, crown, brim, band)
        if captain:
            star = Polygon(
                *(
                    (r * np.sin(k * np.pi / 5), r * np.cos(k * np.pi / 5), 0)
                    for k, r in enumerate([0.11, 0.045] * 5)
                ),
                fill_color=color, fill_opacity=1, stroke_width=0,
            ).move_to((-0.26, -0.3, 0))  # fmt: skip
            self.add(star)
        self.magnifier = VGroup()
        if magnifier:
            self.magnifier = Magnifier(color, 0.47).move_to((-0.485, -0.365, 0))
            self.add(self.magnifier)
        self.add(self.notebook)


class Thread(CubicBezier):
    """A thread hanging from `start` to `end`, whose width is an entry's value: 1.0 is `full` pixels wide.

    It leaves and arrives upright, for `bend` of its height.
    """

    FULL = 26.0

    def __init__(
        self, start: Any, end: Any, entry: Entry, color: str, *, full: float = FULL, bend: float = 0.55
    ) -> None:
        start, end = np.array(start, dtype=float), np.array(end, dtype=float)
        drop = np.array([0.0, (end[1] - start[1]) * bend, 0.0])
        super().__init__(start, start + drop, end - drop, end, stroke_color=color)
        self.set_stroke(width=ThreadMark.width(entry.value, full), opacity=0.4 + 0.6 * min(1.0, entry.value * 1.6))
        _round(self)
        self.entry, self._full = entry, full
        self.provenance = (Provenance("picture", entry),)

    def box_of(self, n: int) -> Box:
        return box_around(self)

    def mark_of(self, n: int) -> ThreadMark:
        return ThreadMark(
            curve=tuple(map(_place, self.points)), full=self._full, color=hexadecimal(self.get_stroke_color()),
            opacity=float(self.get_stroke_opacity()),
        )  # fmt: skip


class Lamp(VGroup):
    """A lamp's housing that points from `position` at `target`; its light leaves from `mouth`."""

    def __init__(self, position: Any, target: Any, color: str, *, scale: float = 1.0) -> None:
        super().__init__()
        theme = current_theme()
        shell = _smooth_polygon(
            (-0.2, 0.3), (0.2, 0.3), (0.33, -0.25), (-0.33, -0.25), radius=0.08,
            fill_color=mix(theme.panel, color, 0.25), fill_opacity=1, stroke_color=color, stroke_width=4,
        )  # fmt: skip
        lens = RoundedRectangle(
            corner_radius=0.05, width=0.76, height=0.12, fill_color=color, fill_opacity=1, stroke_width=0
        ).shift(DOWN * 0.27)
        knob = Circle(radius=0.07, fill_color=color, fill_opacity=1, stroke_width=0).shift(UP * 0.1)
        self.add(shell, lens, knob)
        self.scale(scale, about_point=ORIGIN)
        position, target = np.array(position, dtype=float), np.array(target, dtype=float)
        way = target - position
        angle = float(np.arctan2(way[1], way[0]) + np.pi / 2)
        self.rotate(angle, about_point=ORIGIN).shift(position)
        unit = way / max(float(np.linalg.norm(way)), 1e-9)
        across = np.array([-unit[1], unit[0], 0.0])
        front = position + unit * 0.33 * scale
        self.mouth = (front - across * 0.3 * scale, front + across * 0.3 * scale)
        self.head_color = color


class Flashlight(VGroup):
    """A hand-held flashlight at `position`, pointing down its beam at `target`."""

    def __init__(self, position: Any, target: Any, color: str) -> None:
        super().__init__()
        theme = current_theme()
        metal = mix(theme.panel, theme.text, 0.35)
        handle = RoundedRectangle(corner_radius=0.08, width=0.32, height=0.95, fill_color=metal, fill_opacity=1,
                                  stroke_color=theme.line, stroke_width=2).shift(UP * 0.5)  # fmt: skip
        grip = VGroup(
            *(Line((-0.13, y, 0), (0.13, y, 0), stroke_color=theme.line, stroke_width=2.5) for y in (0.45, 0.6, 0.75))
        )
        switch = RoundedRectangle(corner_radius=0.03, width=0.1, height=0.16, fill_color=color, fill_opacity=1,
                                  stroke_width=0).shift(UP * 0.24)  # fmt: skip
        cone = _smooth_polygon(
            (-0.17, 0.08), (0.17, 0.08), (0.36, -0.26), (-0.36, -0.26), radius=0.05,
            fill_color=metal, fill_opacity=1, stroke_color=theme.line, stroke_width=2,
        )  # fmt: skip
        lens = RoundedRectangle(corner_radius=0.04, width=0.76, height=0.1, fill_color=color, fill_opacity=1,
                                stroke_width=0).shift(DOWN * 0.29)  # fmt: skip
        self.add(handle, grip, cone, lens, switch)
        position, target = np.array(position, dtype=float), np.array(target, dtype=float)
        way = target - position
        self.rotate(float(np.arctan2(way[1], way[0]) + np.pi / 2), about_point=ORIGIN).shift(position)
        unit = way / max(float(np.linalg.norm(way)), 1e-9)
        across = np.array([-unit[1], unit[0], 0.0])
        front = position + unit * 0.33
        self.mouth = (front - across * 0.3, front + across * 0.3)


class Beam(Polygon):
    """Light from a lamp's mouth to the top of a box of colour `over`; its opacity is an entry's value, up to `full`."""

    FULL = 0.9

    def __init__(
        self, mouth: tuple[Any, Any], left: Any, right: Any, entry: Entry, color: str, over: str, *, full: float = FULL
    ) -> None:
        super().__init__(mouth[0], mouth[1], right, left, stroke_width=0)
        self.set_fill(color, opacity=BeamMark.light(entry.value, full))
        self.entry, self._over, self._full = entry, over, full
        self.provenance = (Provenance("picture", entry),)

    def box_of(self, n: int) -> Box:
        return box_around(self)

    def mark_of(self, n: int) -> BeamMark:
        whole = BeamMark.light(self.entry.value, self._full)
        return BeamMark(
            polygon=tuple(map(_place, self.get_vertices())), full=self._full, over=self._over,
            color=hexadecimal(self.get_fill_color()),
            opacity=float(self.get_fill_opacity()) / whole if whole else 1.0,
        )  # fmt: skip


class Hand(VGroup):
    """A clock hand, `length` long, with a tip at its end; a `hollow` one is an outline around what lies below."""

    def __init__(self, color: str, length: float, *, width: float = 8, tip: float = 0.1, hollow: bool = False) -> None:
        super().__init__()
        self.length, self._tip = length, tip
        stick = VMobject(stroke_color=color, stroke_width=width).set_points_as_corners([ORIGIN, UP * length])
        self.stick, self._hollow = _round(stick), hollow
        self.tip = Circle(radius=tip, color=color, fill_opacity=0 if hollow else 1, stroke_width=4 if hollow else 0)
        self.provenance: tuple[Provenance, ...] = ()
        self.add(self.stick, self.tip)

    def box_of(self, n: int) -> Box:
        return box_around(self)

    def mark_of(self, n: int) -> HandMark:
        tip, corners = self.tip.get_center(), self.stick.get_anchors()
        centre = np.array(corners[0])
        if self._hollow:
            behind = (np.array(corners[2]) + np.array(corners[4])) / 2
            centre = tip - self.length * (tip - behind) / np.linalg.norm(tip - behind)
        return (HandOutlineMark if self._hollow else HandMark)(
            centre=_place(centre), radius=float(np.linalg.norm(tip - centre)), tip=float(self.tip.width / 2),
            width=float(self.stick.get_stroke_width()), color=hexadecimal(self.stick.get_stroke_color()),
            opacity=float(self.stick.get_stroke_opacity()),
        )  # fmt: skip

    def resize(self, length: float, tip: float) -> "Hand":
        """Give it another length and size of its tip; it needs to be pointed anew."""
        self.length, self._tip = length, tip
        self.tip.set_points(Circle(radius=tip).points)
        return self

    def point(self, centre: Any, degrees: float) -> "Hand":
        """Turn to an angle, clockwise from twelve, about `centre`."""
        way, centre = _clockwise(degrees), np.array(centre, dtype=float)
        self.tip.move_to(centre + way * self.length)
        if not self._hollow:
            self.stick.set_points_as_corners([centre, centre + way * self.length])
            return self
        # An outline: along one edge from the ring, round behind the centre, and back along the other.
        half = 0.55 * self._tip
        beside = half * np.array([way[1], -way[0], 0.0])
        start, end = centre - way * half, centre + way * (self.length - float(np.sqrt(self._tip**2 - half**2)))
        self.stick.set_points_as_corners([end + beside, start + beside, start - beside, end - beside])
        return self


class Dial(VGroup):
    """A clock face of `radius` with one hand; angles are degrees clockwise from twelve."""

    def __init__(self, color: str, radius: float = 1.0, *, ticks: int = 12) -> None:
        super().__init__()
        theme = current_theme()
        self.radius, self.color_of_hand = radius, color
        self.face = Circle(
            radius=radius, stroke_color=theme.line, stroke_width=4, fill_color=theme.panel, fill_opacity=1
        )
        self.marks = VGroup()
        for k in range(ticks):
            way = _clockwise(360 * k / ticks)
            inner = 0.84 if k % max(1, ticks // 4) == 0 else 0.9
            self.marks.add(Line(way * radius * inner, way * radius * 0.97, stroke_color=theme.muted, stroke_width=3))
        self.hand = Hand(color, radius * 0.82, tip=0.085 * radius + 0.02)
        self.hub = Circle(radius=0.06 * radius + 0.02, fill_color=theme.text, fill_opacity=1, stroke_width=0)
        self._shade, self._edge = Swept(self), VMobject()
        self.swept = VGroup(self._shade, self._edge)
        self.add(self.face, self.marks, self.swept, self.hand, self.hub)
        self.turn_to(0.0)

    def resize(self, radius: float) -> "Dial":
        """Make it larger or smaller about its centre; what its hand has swept is cleared."""
        centre, factor = self.centre, radius / self.radius
        self.face.scale(factor, about_point=centre)
        self.marks.scale(factor, about_point=centre)
        self.radius = radius
        self.hand.resize(radius * 0.82, 0.085 * radius + 0.02).point(centre, self.degrees)
        self.hub.set_points(Circle(radius=0.06 * radius + 0.02).points + centre)
        return self.clear()

    @property
    def centre(self) -> Any:
        return self.face.get_center()

    def tip_at(self, degrees: float) -> Any:
        """Where the hand's tip is at an angle."""
        return self.centre + _clockwise(degrees) * self.radius * 0.82

    def turn_to(self, degrees: float, entry: Entry | None = None) -> "Dial":
        """Turn the hand; `entry` is the angle it shows, if it is one of the worked example's."""
        self.degrees = degrees
        self.hand.point(self.centre, degrees)
        self.hand.provenance = () if entry is None else (Provenance("picture", entry),)
        return self

    def drawn_at(self) -> float:
        """The angle at which the hand is drawn, above -180 and up to 180 degrees."""
        x, y, _ = self.hand.tip.get_center() - self.centre
        return float(np.degrees(np.arctan2(x, y)))

    def second_hand(self, degrees: float, entry: Entry | None = None) -> Hand:
        """Another hand of this dial, an outline around which the first can be seen, to compare with it."""
        hand = Hand(current_theme().text, self.radius * 0.82, width=3.5, tip=0.12 * self.radius + 0.05, hollow=True)
        if entry is not None:
            hand.provenance = (Provenance("picture", entry),)
        return hand.point(self.centre, degrees)

    def sweep(self, start: float, stop: float, opacity: float = 0.4, entry: Entry | None = None) -> "Dial":
        """Shade below the hand what it sweeps from `start` to `stop` degrees, at most a turn; `entry` is that angle."""
        edge = Line(self.centre, self.tip_at(start), stroke_color=self.color_of_hand, stroke_width=3)
        self._shade.start, self._shade.winds = start, False
        return self._show_below(Sector(self, start, stop, opacity), edge, entry)

    def wind(self, entry: Entry | None = None) -> "Dial":
        """Trace below the hand how far it has turned since twelve, a winding a turn; `entry` is that angle."""
        self._shade.start, self._shade.winds = 0.0, True
        steps = np.linspace(0.0, self.degrees, 2 + int(self.degrees / 4))
        points = [self.centre + self.radius * WindingMark.out(at) * _clockwise(at) for at in steps]
        trail = VMobject(stroke_color=self.color_of_hand, stroke_width=11, stroke_opacity=0.6)
        return self._show_below(trail.set_points_as_corners(points), VMobject(), entry)

    def clear(self) -> "Dial":
        """Take away what lies below the hand."""
        self.swept.submobjects = [self._shade, self._edge]
        return self._show_below(VMobject(), VMobject(), None)

    def _show_below(self, shade: VMobject, edge: VMobject, entry: Entry | None) -> "Dial":
        # In place: a shape that is exchanged while an animation runs would stay on screen until its end.
        for old, new in ((self._shade, shade), (self._edge, edge)):
            old.match_style(new).set_points(new.points)
            old.joint_type = LineJointType.ROUND
        self._shade.provenance = () if entry is None else (Provenance("picture", entry),)
        return self


class Swept(VMobject):
    """What a dial's hand has swept: a sector, or a line that winds outwards."""

    def __init__(self, dial: Dial) -> None:
        super().__init__()
        self.provenance: tuple[Provenance, ...] = ()
        self.start, self.winds = 0.0, False
        self._face, self._hand, self._color = dial.face, dial.hand.stick, dial.color_of_hand

    def box_of(self, n: int) -> Box:
        return box_around(self._face)

    def mark_of(self, n: int) -> SectorMark | WindingMark:
        centre, radius = _place(self._face.get_center()), float(self._face.width / 2)
        width, color = float(self._hand.get_stroke_width()), self._color
        if self.winds:
            return WindingMark(
                centre=centre, radius=radius, width=width, color=color, line=float(self.get_stroke_width()),
                opacity=float(self.get_stroke_opacity()),
            )  # fmt: skip
        return SectorMark(
            centre=centre, radius=radius, width=width, color=color, start=self.start,
            opacity=float(self.get_fill_opacity()),
        )  # fmt: skip


class Sector(AnnularSector):
    """The area that a dial's hand sweeps between two angles."""

    def __init__(self, dial: Dial, start: float, stop: float, opacity: float) -> None:
        super().__init__(
            inner_radius=0, outer_radius=dial.radius * SectorMark.REACH,
            angle=-float(np.radians(min(stop - start, SectorMark.MOST))),
            start_angle=float(np.pi / 2 - np.radians(start)), fill_color=dial.color_of_hand, fill_opacity=opacity,
            stroke_width=0,
        )  # fmt: skip
        self.shift(dial.centre)


def _place(point: Any) -> Place:
    """Where a point stands, for marks."""
    return float(point[0]), float(point[1])


def _clockwise(degrees: float) -> Any:
    """The unit vector at an angle clockwise from twelve: (sin, cos)."""
    angle = np.radians(degrees)
    return np.array([np.sin(angle), np.cos(angle), 0.0])


class Table(VGroup):
    """A wooden table top to lay the case file on."""

    def __init__(self, width: float, height: float) -> None:
        super().__init__()
        theme = current_theme()
        top = RoundedRectangle(corner_radius=0.14, width=width, height=height, fill_color=theme.wood, fill_opacity=1,
                               stroke_color=mix(theme.wood, theme.text, 0.3), stroke_width=2.5)  # fmt: skip
        edge = Rectangle(width=width - 0.4, height=0.02, fill_color=mix(theme.wood, theme.text, 0.18), fill_opacity=1,
                         stroke_width=0).move_to(top.get_bottom() + UP * 0.09)  # fmt: skip
        self.add(top, edge)


def connector(start: Any, end: Any, color: str | None = None, width: float = 2.5) -> Line:
    """A thin line that says which number belongs to which picture."""
    return _round(Line(np.array(start), np.array(end), stroke_color=color or current_theme().muted, stroke_width=width))


class Strand(CubicBezier):
    """A thread whose weight is not known yet: the curve of a `Thread`, thin, and tied to no number."""

    def __init__(
        self, start: Any, end: Any, color: str, *, width: float = 2.0, opacity: float = 0.6, bend: float = 0.55
    ) -> None:
        start, end = np.array(start, dtype=float), np.array(end, dtype=float)
        drop = np.array([0.0, (end[1] - start[1]) * bend, 0.0])
        super().__init__(start, start + drop, end - drop, end, stroke_color=color)
        self.set_stroke(width=width, opacity=opacity)
        _round(self)


def in_shade(figure: VMobject, share: float = 0.4) -> VMobject:
    """A copy that stands in the shade: solid, its colours nearer to the page, so that it rests but is not a ghost."""
    page = current_theme().background
    shaded = figure.copy()
    for part in shaded.family_members_with_points():
        fill, stroke = part.get_fill_color().to_hex(), part.get_stroke_color().to_hex()
        part.set_fill(mix(fill, page, share), opacity=part.get_fill_opacity(), family=False)
        part.set_stroke(mix(stroke, page, share), width=part.get_stroke_width(), family=False)
    return shaded


def stand(figure: VMobject, x: float, feet: float, height: float) -> VMobject:
    """Make a figure `height` high and stand it with its feet at `feet` and its head above `x`; returns the figure."""
    figure.scale_to_fit_height(height).move_to((x, feet + height / 2, 0))
    # What it holds in one hand must not move a detective out of line.
    middle = figure.hat_band if isinstance(figure, Detective) else figure
    figure.shift(RIGHT * (x - middle.get_center()[0]))
    return figure


def ranks(figures: Sequence[VMobject], left: float, right: float, feet: float, top: float) -> list[VMobject]:
    """Stand figures in rows, as large as they can be without hiding one another. Returns them."""

    def height(rows: int) -> float:
        return min((top - feet) / rows - 0.1, 1.3 * (right - left) / -(-len(figures) // rows))

    # Another row must be worth it: one row reads as a team, a block as a crowd.
    rows = max(range(1, 4), key=lambda rows: height(rows) / (1 + 0.2 * (rows - 1)))
    a_row, step = -(-len(figures) // rows), (top - feet) / rows
    for k, figure in enumerate(figures):
        row, place = divmod(k, a_row)
        here = min(a_row, len(figures) - row * a_row)
        x = (left + right) / 2 + (place - (here - 1) / 2) * min((right - left) / a_row, height(rows))
        stand(figure, x, feet + (rows - 1 - row) * step, height(rows))
    return list(figures)


def pointer(shoulder: Any, tip: Any) -> VGroup:
    """An arm in a captain's coat that points with a stick, from `shoulder` to `tip`."""
    line = Line(shoulder, tip)
    hand = line.point_from_proportion(min(1.0, 0.62 / line.get_length()))
    arm = Line(shoulder, hand, stroke_color=_COAT_CAPTAIN, stroke_width=20)
    arm.set_cap_style(CapStyleType.ROUND)
    # Seen on dark cork and on pale paper alike.
    edge = _round(Line(hand, tip, stroke_color="#3A2A1C", stroke_width=9))
    stick = _round(Line(hand, tip, stroke_color="#E8B25A", stroke_width=4))
    return VGroup(edge, stick, arm, Dot(hand, radius=0.11, color=_SKIN))


def route(corners: Sequence[tuple[float, float]], color: str, width: float = 4) -> tuple[VMobject, VMobject]:
    """A line through `corners`, and the arrow's head at its end."""
    line = VMobject(stroke_color=color, stroke_width=width, joint_type=LineJointType.ROUND)
    line.set_points_as_corners([np.array((x, y, 0.0)) for x, y in corners])
    (x, y), (before_x, before_y) = corners[-1], corners[-2]
    head = Triangle(color=color, fill_opacity=1, stroke_width=0).scale_to_fit_height(0.16)
    head.rotate(float(np.arctan2(y - before_y, x - before_x) - np.pi / 2))
    return line, head.move_to(line.get_end())
