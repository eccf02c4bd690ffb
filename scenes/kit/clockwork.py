"""An ordinary watch, and banks of dials whose hands show a position."""

from collections.abc import Sequence

import numpy as np
from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Circle,
    Line,
    Polygon,
    RoundedRectangle,
    UpdateFromAlphaFunc,
    VGroup,
    linear,
)
from manim.constants import LineJointType

from mathcore.named import NamedArray
from scenes.kit.encoding import Bar, Crossing, feature_colour, moment, path, row_at
from scenes.kit.figures import Dial, Hand
from scenes.kit.text import BODY, Number, TextLine, hexadecimal
from scenes.kit.theme import current_theme
from scenes.kit.values import FormattedValue


class Watch(VGroup):
    """An ordinary clock of `radius` with a second, a minute and an hour hand in `colors`, in this order."""

    def __init__(self, radius: float, colors: Sequence[str]) -> None:
        super().__init__()
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
            hand.points = hand.points * radius
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
        for hand, points, degrees in zip(self.hands, self._at_noon, self.degrees(seconds), strict=True):
            angle = np.radians(degrees)
            clockwise = [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
            hand.points = points @ np.array(clockwise) + self.rim.get_center()
        return self


class DialBank(VGroup):
    """Dials side by side at the height `y`, one a pair and at its own x of `columns`.

    Their hands show `angles` (position, hand) in degrees at whole positions, and `between` (moment, hand) at others.
    """

    def __init__(
        self, angles: NamedArray, between: NamedArray, columns: Sequence[float], y: float, radius: float
    ) -> None:
        super().__init__()
        self.dials = [Dial(current_theme().pair(i), radius).move_to((x, y, 0)) for i, x in enumerate(columns)]
        self._values = (angles, between)
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

    def set_to(self, degrees: Sequence[float]) -> "DialBank":
        """Turn the hands to angles that are not a position's, the first ones as given and the rest to twelve."""
        for i, dial in enumerate(self.dials):
            dial.turn_to(degrees[i] if i < len(degrees) else 0.0)
        return self

    def to_twelve(self, share: float, start: Sequence[float]) -> "DialBank":
        """Turn the hands on, `share` of their way from the angles `start` to the next twelve o'clock."""
        return self.set_to([angle + share * (-angle % 360) for angle in start])

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


class Reading(VGroup):
    """How far right and how far up the tip of a dial's hand lies, read on a scale below and on one beside the dial.

    `row` (d_model,) names the two values of the `pair`. Each scale runs from -1 to 1, at `GAP` from the dial; the
    parts are `scales`, `bars` and, where they end, `dots` as on the waves. The `guides` that lead there from the tip
    belong below the hand, so they are left to be added to the dial.
    """

    GAP = 0.18

    def __init__(self, dial: Dial, row: NamedArray, pair: int) -> None:
        super().__init__()
        theme, centre, tip = current_theme(), dial.centre, dial.tip_at(dial.degrees)
        reach, away = dial.hand.length, dial.radius + self.GAP
        self.scales, self.guides, self.bars, self.dots = VGroup(), VGroup(), VGroup(), VGroup()
        for part, (along, aside) in enumerate(((RIGHT, DOWN), (UP, RIGHT))):
            zero = centre + aside * away
            end = zero + along * np.dot(tip - centre, along)
            ticks = (
                Line(zero + along * at - aside * 0.05, zero + along * at + aside * 0.05) for at in (-reach, 0, reach)
            )
            self.scales.add(VGroup(Line(zero - along * reach, zero + along * reach), *ticks).set_stroke(theme.muted, 2))
            self.guides.add(path(tip, end, color=theme.muted, width=2))
            entry, colour = row.entry(2 * pair + part), feature_colour(2 * pair + part)
            # A dot has the sine's own colour; a ring hides the end of the cosine.
            beyond, dot = -Crossing.INNER if part else Crossing.REACH, Crossing(2 * pair + part)
            edge = hexadecimal(dot.get_stroke_color())
            self.bars.add(Bar(zero, along * reach, entry, colour, width=9, beyond=beyond, tip=edge))
            self.dots.add(dot.move_to(end))
        self.add(self.scales, self.bars, self.dots)


class Comparison(VGroup):
    """A panel around `x` with a dial for each hand, where two positions are compared under a `title`.

    `angles` (end, hand) are in degrees, `pair` (end,) holds the positions, `distance` is that of their vectors and
    called `name`. Added are the frame with the title and the dials at the first position; the hands of `others` at
    the second one, and the `facts`, are left to be shown.
    """

    WIDTH = 4.3

    def __init__(
        self, x: float, title: TextLine, angles: NamedArray, pair: NamedArray, distance: FormattedValue, name: TextLine
    ) -> None:
        super().__init__()
        theme, count = current_theme(), angles.shape[1]
        frame = RoundedRectangle(corner_radius=0.15, width=self.WIDTH, height=4.7, stroke_width=2)
        self.frame = VGroup(frame.set_stroke(theme.line).move_to((x, -0.13, 0)), title.move_to((x, 1.9, 0)))
        across = int(np.ceil(np.sqrt(count)))
        left, width, height = x - self.WIDTH / 2 + 0.1, (self.WIDTH - 0.2) / across, 2.74 / -(-count // across)
        radius = min(0.45 * width, 0.45 * height, 1.04)
        self.dials: list[Dial] = []
        self.others: list[Hand] = []
        for i, (first, second) in enumerate(zip(angles.row(0).entries(), angles.row(1).entries(), strict=True)):
            row, column = divmod(i, across)
            middle = (left + (column + 0.5) * width, 1.62 - (row + 0.5) * height, 0)
            self.dials.append(Dial(theme.pair(i), radius).move_to(middle).turn_to(first.value, first))
            self.others.append(self.dials[i].second_hand(second.value, second))
        # Signs like the tips of the hands.
        signs = Circle(0.08, theme.text, fill_opacity=1), Circle(0.12, theme.text, stroke_width=3.5)
        ends = VGroup(*(Number(entry, BODY) for entry in pair.entries()))
        ends = VGroup(*(VGroup(*both).arrange(RIGHT, buff=0.12) for both in zip(signs, ends, strict=True)))
        apart = VGroup(name, Number(distance, BODY, bold=True)).arrange(RIGHT, buff=0.18)
        start = np.array([left + 0.2, -2.24, 0.0])
        bar = Bar(start, RIGHT * 5.6, distance.entry, theme.text, width=16, least=0.02)
        ends.arrange(RIGHT, buff=0.5).move_to(start + UP * 0.84, LEFT)
        self.facts = VGroup(ends, apart.move_to(start + UP * 0.38, LEFT), bar)
        self.add(self.frame, *self.dials)


def lifted(hand: Hand, dial: Dial, watch: Watch) -> Hand:
    """A copy of a dial's hand where the watch's own hand is, as long as that one."""
    size = float(watch.rim.width) / (2 * 1.08 * dial.radius)
    copied: Hand = hand.copy()
    copied.scale(size, about_point=dial.centre).shift(watch.rim.get_center() - dial.centre)
    return copied


def running(watch: Watch, start: float, seconds: float, *banks: DialBank) -> UpdateFromAlphaFunc:
    """A watch runs on from the time `start`, as real watches do, and the dials of `banks` show exactly its hands."""

    def move(_: object, share: float) -> None:
        watch.show_time(start + seconds * share)
        for bank in banks:
            bank.set_to(Watch.degrees(start + seconds * share))

    return UpdateFromAlphaFunc(VGroup(watch, *banks), move, rate_func=linear)
