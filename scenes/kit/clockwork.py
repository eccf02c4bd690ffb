"""An ordinary watch, and banks of dials whose hands show a position."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from manim import (
    DOWN,
    RIGHT,
    UP,
    Animation,
    Circle,
    FadeIn,
    Line,
    Mobject,
    Polygon,
    ReplacementTransform,
    UpdateFromAlphaFunc,
    VGroup,
    VMobject,
    linear,
)
from manim.constants import LineJointType

from mathcore.named import NamedArray
from scenes.formats import current_format
from scenes.kit.encoding import Bar, Crossing, Seats, feature_colour, is_cosine, moment, path, row_at
from scenes.kit.figures import Dial, Hand
from scenes.kit.layout import is_upright
from scenes.kit.layout.arrangements import Arranged, Arrangement, Column, Reach, Row, between
from scenes.kit.layout.blocks import Block
from scenes.kit.text import BODY, Number, Rolling, TextLine, hexadecimal
from scenes.kit.theme import current_theme
from scenes.kit.values import FormattedValue, formatted

# Radii of dials and of watches, least and most, in units.
_DIAL, _WATCH = (0.45, 1.5), (0.6, 2.1)
# Between a dial and the scales beside it; between a thing and its name; from a scale to the cells. By how much of its
# height the sine's cell is lower than its scale, so that nothing goes on where the bar ends.
_GAP, _NAMED, _LINK, _DROP = 0.18, 0.08, 0.36, 0.8
# In a comparison, the dials' box, least and most, in landscape and on a phone; a bar of 1 in the stage's width.
_BOX, _UPRIGHT_BOX, _UNIT = ((2.6, 1.6), (3.7, 2.7)), ((3.0, 0.9), (3.6, 1.5)), 0.28


class Watch(VGroup):
    """An ordinary clock with a second, a minute and an hour hand in `colors`, in this order.

    It is as large as there is room for, in a layout.
    """

    def __init__(self, colors: Sequence[str], radius: float = 1.0) -> None:
        super().__init__()
        self.radius, self.colors, self._seconds = radius, tuple(colors), 0.0
        theme = current_theme()
        self.rim = Circle(radius=radius * 1.08, stroke_color=theme.line, stroke_width=10, fill_opacity=1)
        self.rim.set_fill(theme.panel)
        face = Circle(radius=radius, stroke_color=theme.muted, stroke_width=2)
        marks = VGroup()
        for k in range(60):
            angle, hour = 2 * np.pi * k / 60, k % 5 == 0
            way = radius * np.array([np.sin(angle), np.cos(angle), 0.0])
            mark = Line(way * (0.86 if hour else 0.92), way * 0.96)
            marks.add(mark.set_stroke(theme.text if hour else theme.muted, 5 if hour else 2))
        self.hands: list[Polygon] = []
        # Length, half the width and tail of each hand, in radii.
        for (length, half, tail), color in zip(
            ((0.84, 0.022, 0.16), (0.78, 0.045, 0.1), (0.52, 0.06, 0.08)), colors, strict=True
        ):
            shape = ((-half, -tail, 0), (half, -tail, 0), (half * 0.45, length, 0), (-half * 0.45, length, 0))
            hand = Polygon(*shape, fill_color=color, fill_opacity=1, stroke_color=color, stroke_width=2)
            hand.joint_type = LineJointType.ROUND
            self.hands.append(hand)
        self._at_noon = [hand.points.copy() for hand in self.hands]
        hub = Circle(radius=0.07 * radius, fill_color=theme.text, fill_opacity=1, stroke_width=0)
        # The slowest lies lowest, as in a real movement.
        self.add(self.rim, face, marks, *reversed(self.hands), hub)

    @staticmethod
    def degrees(seconds: float) -> list[float]:
        """The angles of the second, the minute and the hour hand at a time after twelve o'clock, in seconds."""
        return [360 * (seconds % turn) / turn for turn in (60, 3600, 43200)]

    def show_time(self, seconds: float) -> "Watch":
        """Set the hands to a time after twelve o'clock, in seconds."""
        self._seconds = seconds
        for hand, points, degrees in zip(self.hands, self._at_noon, self.degrees(seconds), strict=True):
            angle = np.radians(degrees)
            clockwise = [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
            hand.points = self.radius * points @ np.array(clockwise) + self.rim.get_center()
        return self

    @property
    def anchor(self) -> Any:
        return self.rim.get_center()

    def reach(self, ease: float) -> Reach:
        half = 1.08 * between(_WATCH, ease)
        return Reach(half, half, half, half)

    def settle(self, ease: float) -> "Watch":
        radius, centre = between(_WATCH, ease), self.anchor
        still = [part for part in self.submobjects if part not in self.hands]
        for part in still:
            part.scale(radius / self.radius, about_point=centre)
        self.radius = radius
        return self.show_time(self._seconds)


class RoomyDial(Dial):
    """A dial that is as large as there is room for, in a layout."""

    @property
    def anchor(self) -> Any:
        return self.centre

    def reach(self, ease: float) -> Reach:
        radius = between(_DIAL, ease)
        return Reach(radius, radius, radius, radius)

    def settle(self, ease: float) -> "RoomyDial":
        self.resize(between(_DIAL, ease))
        return self


class DialBank(VGroup):
    """A dial for each pair, to be laid out; where they stand, a lesson says.

    Their hands show `angles` (position, hand) in degrees at whole positions, and `moments` (moment, hand) at others.
    """

    def __init__(self, angles: NamedArray, moments: NamedArray) -> None:
        super().__init__()
        self.dials = [RoomyDial(current_theme().pair(i)) for i in range(angles.shape[1])]
        self._values = (angles, moments)
        self.add(*self.dials)
        self.turn_to(0)

    def row(self, position: float) -> NamedArray:
        """The angles (hand,) at a position, or at the `moment` nearest to it."""
        return row_at(moment(position), *self._values)

    def degrees(self, hand: int, position: float) -> float:
        """The angle of a hand at any position: it turns evenly, and begins at twelve."""
        return float(self._values[0].values[1, hand]) * position

    def turn_to(self, position: float) -> "DialBank":
        """Turn every hand to its angle at a position, or at the `moment` nearest to it."""
        self.position = moment(position)
        for dial, entry in zip(self.dials, self.row(self.position).entries(), strict=True):
            dial.turn_to(entry.value, entry)
        return self

    def show_angles(self, row: NamedArray) -> "DialBank":
        """Turn every hand to an angle of a row (hand,)."""
        for dial, entry in zip(self.dials, row.entries(), strict=True):
            dial.turn_to(entry.value, entry)
        return self

    def reached(self, hand: int) -> float:
        """The position at which a hand stands as it is drawn, in its first turn."""
        return float(self.dials[hand].drawn_at() % 360) / float(self._values[0].values[1, hand])

    def set_to(self, degrees: Sequence[float]) -> "DialBank":
        """Turn the hands to angles that are not a position's, the first ones as given and the rest to twelve."""
        for i, dial in enumerate(self.dials):
            dial.turn_to(degrees[i] if i < len(degrees) else 0.0)
        return self

    def home(self) -> UpdateFromAlphaFunc:
        """The hands turn on to the next twelve o'clock, which is position 0 from then on."""
        starts = [dial.degrees for dial in self.dials]

        def move(_: object, share: float) -> None:
            self.set_to([angle + share * (-angle % 360) for angle in starts])
            if share == 1:
                self.turn_to(0)

        return UpdateFromAlphaFunc(self, move)

    def go(self, stop: float, seats: Seats, *follow: Callable[[float], Any]) -> UpdateFromAlphaFunc:
        """The hands turn to a position by their real angles, the seats' ring rides there, and others follow."""
        start = self.position

        def move(_: object, share: float) -> None:
            for each in (self.turn_to, seats.ride, *follow):
                each(moment(start + (stop - start) * share))

        return UpdateFromAlphaFunc(VGroup(self, seats), move)

    def run(self, positions: NamedArray, angles: NamedArray, hand: int, said: Rolling) -> UpdateFromAlphaFunc:
        """The hands run through `angles` (moment, hand), where one of them is shaded; `said` are the `positions`."""

        def move(_: object, share: float) -> None:
            step = round(share * (len(angles) - 1))
            self.show_angles(angles.row(step)).dials[hand].sweep(0, angles.entry(step, hand).value)
            said.change_to(formatted(positions.entry(step), grouped=True))

        return UpdateFromAlphaFunc(VGroup(self, said), move)

    def unshade(self) -> list[Any]:
        """What hands have swept is on its way out; after that, `clear`."""
        return [dial.swept.animate.set_opacity(0) for dial in self.dials]

    def sweep(self, start: float, swept: NamedArray | None = None) -> None:
        """Shade what every hand has swept since a position; `swept` (hand,) names the angles."""
        for i, (dial, since) in enumerate(zip(self.dials, self.row(start).entries(), strict=True)):
            dial.sweep(since.value, dial.degrees, 0.45, None if swept is None else swept.entry(i))

    def wind(self) -> None:
        """Trace how far every hand has turned since position 0."""
        for dial, entry in zip(self.dials, self.row(self.position).entries(), strict=True):
            dial.wind(entry)

    def clear(self) -> None:
        """Take away what the hands have swept or traced."""
        for dial in self.dials:
            dial.clear()


class Reading(Arrangement):
    """A dial with how far right and how far up its hand's tip lies, read on scales below and beside it, as two cells.

    `row` (d_model,) names the two values of the `pair`; `boxes` and `numbers` are their cells, with `names` above them.
    Each scale runs from -1 to 1; `ways` are the names of the two directions, at the scales. The parts are made where it
    is laid out: `scales`, `bars` and, where they end, `dots` as on the waves, `links` to the cells. The `guides` that
    lead to a scale from the tip belong below the hand, so they are to be added to the dial.
    """

    def __init__(
        self, dial: RoomyDial, row: NamedArray, pair: int, boxes: Sequence[VMobject], numbers: Sequence[VMobject],
        names: Sequence[TextLine], ways: Sequence[TextLine] = (),
    ) -> None:  # fmt: skip
        self.dial, self.pair, self._row = dial, pair, row
        self.boxes, self.numbers, self.names, self.ways = boxes, numbers, names, ways
        self.scales, self.guides, self.bars, self.dots, self.links = (VGroup() for _ in range(5))

    def things(self) -> Iterator[Mobject]:
        yield from (self.dial, *self.boxes, *self.numbers, *self.names, *self.ways)

    @staticmethod
    def _radius(ease: float) -> float:
        return between(_DIAL, ease)

    def reach(self, ease: float) -> Reach:
        radius = self._radius(ease)
        right, up = (_NAMED + way.height for way in self.ways) if self.ways else (0.0, 0.0)
        cell = self.boxes[0].height
        top, below = cell / 2 + _NAMED + self.names[1].height, (0.5 + _DROP) * cell
        return Reach(
            radius, radius + _GAP + _LINK + self.boxes[0].width, max(radius, 0.82 * radius + up, top),
            radius + _GAP + max(below, right + 0.05),
        )  # fmt: skip

    def put(self, ease: float, x: float, y: float) -> None:
        radius = self._radius(ease)
        self.dial.resize(radius).move_to((x, y, 0))
        low, right = np.array([x, y - radius - _GAP, 0.0]), np.array([x + radius + _GAP, y, 0.0])
        for part, (along, zero) in enumerate(((RIGHT, low), (UP, right))):
            self._lay_scale(part, along, zero)
            box, name = self.boxes[part], self.names[part]
            box.move_to((right[0] + _LINK + box.width / 2, zero[1] - (0 if part else _DROP * box.height), 0))
            self.numbers[part].move_to(box)
            name.next_to(box, UP, buff=_NAMED)
            feature, x = 2 * self.pair + part, self.scales[part].get_right()[0] + 0.08
            corners = ((x, zero[1] - 0.08, 0), (x, box.get_y(), 0), box.get_left())[part:]
            self.links.add(path(*corners, color=feature_colour(feature), dashed=is_cosine(feature)))
        for way, (scale, side) in zip(self.ways, zip(self.scales, (DOWN, UP), strict=True), strict=False):
            way.next_to(scale, side, buff=_NAMED)

    def _lay_scale(self, part: int, along: Any, zero: Any) -> None:
        theme, tip, reach = current_theme(), self.dial.tip_at(self.dial.degrees), self.dial.hand.length
        feature, aside = 2 * self.pair + part, DOWN if part == 0 else RIGHT
        end = zero + along * np.dot(tip - self.dial.centre, along)
        ticks = (Line(zero + along * at - aside * 0.05, zero + along * at + aside * 0.05) for at in (-reach, 0, reach))
        self.scales.add(VGroup(Line(zero - along * reach, zero + along * reach), *ticks).set_stroke(theme.muted, 2))
        self.guides.add(path(tip, end, color=theme.muted, width=2))
        # A dot has the sine's own colour; a ring hides the end of the cosine.
        beyond, dot = -Crossing.INNER if part else Crossing.REACH, Crossing(feature)
        edge, entry = hexadecimal(dot.get_stroke_color()), self._row.entry(feature)
        self.bars.add(Bar(zero, along * reach, entry, feature_colour(feature), width=9, beyond=beyond, tip=edge))
        self.dots.add(dot.move_to(end))


class DialBox(VGroup):
    """Dials in a box, as large as it holds them, with hands at the first of two positions.

    `angles` (end, hand) are in degrees.
    """

    def __init__(self, angles: NamedArray) -> None:
        super().__init__()
        self._angles = angles
        self.dials = [Dial(current_theme().pair(i)) for i in range(angles.shape[1])]
        self.add(*self.dials)

    @property
    def anchor(self) -> Any:
        return VGroup(*(dial.face for dial in self.dials)).get_center()

    def _size(self, ease: float) -> tuple[float, float]:
        least, most = _UPRIGHT_BOX if is_upright() else _BOX
        return between((least[0], most[0]), ease), between((least[1], most[1]), ease)

    def reach(self, ease: float) -> Reach:
        width, height = self._size(ease)
        return Reach(width / 2, width / 2, height / 2, height / 2)

    def settle(self, ease: float) -> "DialBox":
        (width, height), count, middle = self._size(ease), len(self.dials), self.anchor
        columns = max(range(1, count + 1), key=lambda n: min(width / n, height / -(-count // n)))
        wide, high = width / columns, height / -(-count // columns)
        for i, (dial, first) in enumerate(zip(self.dials, self._angles.row(0).entries(), strict=True)):
            row, column = divmod(i, columns)
            place = ((column + 0.5) * wide - width / 2, height / 2 - (row + 0.5) * high, 0.0)
            dial.resize(0.45 * min(wide, high)).move_to(middle + np.array(place)).turn_to(first.value, first)
        return self

    def others(self) -> list[Hand]:
        """Hands at the second position, for the dials as they are laid out."""
        ends = zip(self.dials, self._angles.row(1).entries(), strict=True)
        return [dial.second_hand(entry.value, entry) for dial, entry in ends]


class Comparison(Block):
    """A card with dials where two positions are compared under a `title`; see `DialBox`.

    `pair` (end,) holds the positions, `distance` is that of their vectors and called `name`: these `facts` can be
    shown after the rest, as can the hands at the second position, `box.others()`.
    """

    def __init__(
        self, title: TextLine, angles: NamedArray, pair: NamedArray, distance: FormattedValue, name: TextLine
    ) -> None:
        theme, unit = current_theme(), RIGHT * _UNIT * current_format().stage.width
        self.box = DialBox(angles)
        # Signs like the tips of the hands.
        signs = Circle(0.08, theme.text, fill_opacity=1), Circle(0.12, theme.text, stroke_width=3.5)
        ends: list[VMobject] = []
        for sign, entry in zip(signs, pair.entries(), strict=True):
            ends += [sign, Number(entry, BODY)]
        bar = Bar((0, 0, 0), unit, distance.entry, theme.text, width=16, least=0.02)
        apart = (name, Number(distance, BODY, bold=True))
        told: list[Arranged] = [Row(ends, (0.1, 0.16), "middle"), Row(apart, (0.1, 0.2), "middle"), bar]
        self._body: Arrangement = Column([title, self.box, *told], (0.1, 0.2), "left")
        if is_upright():
            self._body = Row([self.box, Column([title, *told], (0.06, 0.14), "left")], (0.2, 0.3), "middle")
        self.facts = VGroup(*ends, *apart, bar)
        super().__init__(VGroup(title, self.box, self.facts), cover="card", color=theme.line)

    def body_reach(self, ease: float) -> Reach:
        return self._body.reach(ease)

    def lay_body(self, ease: float, middle: Any) -> None:
        self._body.put(ease, float(middle[0]), float(middle[1]))


class Radian(VMobject):
    """A piece of line as long as a dial's hand, which bends onto the circle of the hand's tip: an angle of 1 radian."""

    def __init__(self, dial: Dial) -> None:
        super().__init__(stroke_color=current_theme().text, stroke_width=7)
        self._dial = dial
        self.joint_type = LineJointType.ROUND
        self.bend(0.0)

    def bend(self, share: float) -> "Radian":
        """Bend it, from a straight line at twelve to the circle."""
        length = self._dial.hand.length
        along = np.linspace(0.0, 1.0, 40)
        # A curve of curvature share / length, which begins level.
        turn = max(share, 1e-4)
        x, y = np.sin(turn * along) / turn, (np.cos(turn * along) - 1) / turn
        points = np.stack([x, 1 + y, np.zeros_like(x)], axis=1) * length
        self.set_points_as_corners(points + self._dial.centre)
        return self


def joined(upper: Dial, middle: Mobject, lower: Dial) -> VGroup:
    """Lines in the colour of two dials' hands from both to what stands between them."""
    style: dict[str, Any] = {"color": upper.color_of_hand, "width": 4}
    above = upper.get_bottom() + DOWN * 0.06, middle.get_top() + UP * 0.04
    below = middle.get_bottom() + DOWN * 0.04, lower.get_top() + UP * 0.06
    return VGroup(path(*above, **style), path(*below, **style))


def lifted(dial: Dial, watch: Watch) -> Animation:
    """The watch's hand of a dial's colour sets out from it and becomes the dial's; a hand that it lacks appears."""
    if dial.color_of_hand not in watch.colors:
        return FadeIn(dial.hand)
    copied: Hand = dial.hand.copy()
    copied.scale(watch.radius / dial.radius, about_point=dial.centre).shift(watch.anchor - dial.centre)
    return ReplacementTransform(copied, dial.hand)


def turning(banks: Sequence[DialBank], by: float, angles: NamedArray) -> UpdateFromAlphaFunc:
    """Banks go on by so many positions, and shade what their hands sweep; `angles` (hand,) name it."""
    starts = [bank.position for bank in banks]

    def move(_: object, share: float) -> None:
        for bank, start in zip(banks, starts, strict=True):
            bank.turn_to(start + by * share).sweep(start, angles if share == 1 else None)

    return UpdateFromAlphaFunc(VGroup(*banks), move)


def running(watch: Watch, start: float, seconds: float, *banks: DialBank) -> UpdateFromAlphaFunc:
    """A watch runs on from the time `start`, as real watches do, and the dials of `banks` show exactly its hands."""

    def move(_: object, share: float) -> None:
        watch.show_time(start + seconds * share)
        for bank in banks:
            bank.set_to(Watch.degrees(start + seconds * share))

    return UpdateFromAlphaFunc(VGroup(watch, *banks), move, rate_func=linear)
