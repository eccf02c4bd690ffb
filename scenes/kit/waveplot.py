"""Waves in lanes above one axis of positions, and the reader that finds their values at a position."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import (
    LEFT,
    ORIGIN,
    RIGHT,
    UP,
    Arrow,
    Line,
    Mobject,
    Rectangle,
    ReplacementTransform,
    RoundedRectangle,
    VGroup,
    VMobject,
)

from mathcore.named import NamedArray
from scenes.kit.encoding import Crossing, PairCells, feature_colour, is_cosine, moment, path, row_at
from scenes.kit.text import SMALL, SMALLEST, Box, Number, Tie, hexadecimal
from scenes.kit.theme import current_theme
from scenes.kit.values import formatted


class Wave(VMobject):
    """Feature `feature` of `samples` (t, d_model) over `times` (t,), a curve through the real samples.

    Time 0 and value 0 stand at `origin`; a position is `step` wide and the value 1 is `height` high. A sine is
    one thick line, a cosine is dashed and paler. The curve is tied to its samples at whole positions.
    """

    def __init__(
        self, samples: NamedArray, times: NamedArray, feature: int, *, origin: Any, step: float, height: float
    ) -> None:
        super().__init__()
        self.feature, self.color_of_pair = feature, current_theme().pair(feature // 2)
        self._times = times.values
        x, y = times.values * step, samples.values[:, feature] * height
        self._path = np.array(origin, dtype=float) + np.stack([x, y, np.zeros_like(x)], axis=1)
        drawn = self._styled(*self._path)
        self.match_style(drawn).set_points(drawn.points)
        self.joint_type, self.cap_style = drawn.joint_type, drawn.cap_style
        self._whole = np.flatnonzero(times.values % 1 == 0)
        self.ties = tuple(Tie("wave", samples.entry(int(i), feature)) for i in self._whole)
        self.zero, self.unit, self._start = float(np.array(origin)[1]), height, self.points[0].copy()

    def box_of(self, n: int) -> Box:
        told = self.told(n)
        x, zero = told["x"], told["zero"]
        return (x - 0.05, zero - self.unit, x + 0.05, zero + self.unit)

    def told(self, n: int) -> dict[str, Any]:
        moved = self.points[0] - self._start
        return {
            "x": float(self._path[self._whole[n], 0] + moved[0]),
            "zero": self.zero + float(moved[1]),
            "unit": self.unit,
            "width": float(self.get_stroke_width()),
            "dashed": is_cosine(self.feature),
            "color": hexadecimal(self.get_stroke_color()),
            "opacity": float(self.get_stroke_opacity()),
        }

    def _styled(self, *corners: Any) -> VMobject:
        cosine = is_cosine(self.feature)
        return path(*corners, color=feature_colour(self.feature), width=3.5 if cosine else 5, dashed=cosine)

    def sample(self, width: float = 0.31) -> VMobject:
        """A short straight piece in this wave's style, for a legend."""
        return self._styled(ORIGIN, RIGHT * width)

    def at(self, position: float) -> Any:
        """The point of the curve over a position; between two samples, on the line that joins them."""
        return np.array([np.interp(position, self._times, self._path[:, k]) for k in range(3)])


class WavePlot:
    """A lane for each pair with its sine and cosine, above one axis of positions.

    Position 0 stands at x = `left`, positions are `step` apart; the lanes fill the height between `top` and
    `bottom`, where the axis runs. Parts are shown one by one: `lanes`, `waves` (one a feature), `axis`, `numbers`.
    """

    def __init__(
        self,
        samples: NamedArray,
        times: NamedArray,
        positions: NamedArray,
        *,
        left: float,
        step: float,
        top: float,
        bottom: float,
    ) -> None:
        theme = current_theme()
        n_pairs = samples.shape[1] // 2
        self.left, self.step, self.top, self.bottom = left, step, top, bottom
        self.lane_height = (top - bottom) / n_pairs
        self.right = self.x(float(positions.values[-1]))
        self._series = (samples, times)
        self.lanes = VGroup()
        for pair in range(n_pairs):
            zero = Line((left, self.y(pair), 0), (self.right, self.y(pair), 0), stroke_color=theme.line, stroke_width=2)
            self.lanes.add(VGroup(self._lane(self.y(pair), self.lane_height), zero))
        self.waves = [self._wave(j, self.y(j // 2), self.lane_height) for j in range(2 * n_pairs)]
        self.numbers = [
            Number(entry, SMALLEST, theme.muted).move_to((self.x(entry.value), bottom - 0.28, 0))
            for entry in positions.entries()
        ]
        self.axis = VGroup(Line((left, bottom, 0), (self.right, bottom, 0)))
        self.axis.add(*(Line((self.x(p), bottom, 0), (self.x(p), bottom - 0.1, 0)) for p in positions.values))
        self.axis.set_stroke(theme.muted, 3)

    def x(self, position: float) -> float:
        """Where a position stands."""
        return self.left + self.step * position

    def y(self, pair: int) -> float:
        """The middle of a pair's lane."""
        return self.top - (pair + 0.5) * self.lane_height

    def _lane(self, y: float, height: float) -> RoundedRectangle:
        lane = RoundedRectangle(corner_radius=0.1, width=self.right - self.left + 0.3, height=height - 0.08)
        return (
            lane.set_stroke(width=0).set_fill(current_theme().panel, 0.6).move_to(((self.left + self.right) / 2, y, 0))
        )

    def _wave(self, feature: int, y: float, height: float) -> Wave:
        return Wave(*self._series, feature, origin=(self.left, y, 0), step=self.step, height=0.41 * height)

    def magnified(self, pair: int) -> tuple[RoundedRectangle, Wave, Wave]:
        """A pair's lane and its two waves as high as all lanes together."""
        middle, height = (self.top + self.bottom) / 2, self.top - self.bottom
        sine, cosine = (self._wave(2 * pair + part, middle, height) for part in (0, 1))
        return self._lane(middle, height), sine, cosine

    def scale(self, sine: Wave, cosine: Wave) -> VGroup:
        """The highest value, zero and the lowest value of two waves, as numbers at their heights left of the lane."""
        samples, times = self._series
        values, marks = samples.values[:, cosine.feature], VGroup()
        for wave, time in ((cosine, int(values.argmax())), (sine, 0), (cosine, int(values.argmin()))):
            number = Number(formatted(samples.entry(time, wave.feature), 0), SMALL, current_theme().muted)
            right = (self.left - 0.25, wave.at(float(times.values[time]))[1], 0)
            marks.add(number.move_to(right, RIGHT).set_y(right[1]))
        return marks

    def turn(self, pair: int, length: float) -> Rectangle:
        """The part of a pair's lane that one wavelength covers, below the waves; invisible until its fill is shown."""
        end = min(self.x(length), self.right)
        turn = Rectangle(width=end - self.left, height=self.lane_height - 0.08, stroke_width=0)
        turn.move_to(((self.left + end) / 2, self.y(pair), 0)).set_fill(current_theme().pair(pair), 0)
        self.lanes[pair].add(turn)
        return turn

    def measure(self, pair: int, length: float, y: float) -> VMobject:
        """A measuring line at the height `y` from position 0 to `length`; if too long, an arrow out of the lane."""
        if self.x(length) > self.right:
            start = np.array([self.right + 0.2, self.y(pair), 0.0])
            return Arrow(start, start + RIGHT * 0.36, buff=0, color=current_theme().pair(pair), stroke_width=5)
        ends = (self.left, y, 0), (self.x(length), y, 0)
        marks = VGroup(Line(*ends), *(Line((x, y - 0.12, 0), (x, y + 0.12, 0)) for x, *_ in ends))
        return marks.set_stroke(current_theme().pair(pair), 4)

    def bracket(self, first: int, cards: Sequence[VMobject]) -> VMobject:
        """A bracket below the numbers of the positions from `first` on, and clear of the word `cards` beside it."""
        y, right = self.numbers[0].get_y() - 0.3, self.right + 0.15
        beside = (card.get_right()[0] + 0.12 for card in cards if card.get_top()[1] > y - 0.4)
        left = max(self.x(first) - 0.15, *beside)
        return path((left, y + 0.08, 0), (left, y, 0), (right, y, 0), (right, y + 0.08, 0))

    def cells(self, row: NamedArray, x: float) -> PairCells:
        """A position's vector as a column of cells at `x`, each pair beside its lane."""
        height = min(0.5, 0.42 * self.lane_height)
        pitches = (height + 0.05, self.lane_height - height - 0.05)
        cells = PairCells(row, 0.95, height, pitches=pitches, upright=True)
        return cells.move_to((x, (self.top + self.bottom) / 2, 0))

    def fork(self, pair: int, cells: Sequence[VMobject]) -> VGroup:
        """From the right end of a pair's lane to its two cells, each end marked as the crossings of that wave are."""
        start, turn = (self.right + 0.15, self.y(pair), 0), self.right + 0.25
        parts = VGroup()
        for part, cell in enumerate(cells):
            end = cell.get_left() + LEFT * 0.15
            line = path(start, (turn, start[1], 0), (turn, end[1], 0), end, color=feature_colour(2 * pair), width=3)
            parts.add(line, Crossing(2 * pair + part).move_to(end))
        return parts

    def heights(self, waves: Sequence[Wave], position: float) -> VGroup:
        """The line from the axis at a whole position up to its crossings with `waves`."""
        dots = [Crossing(wave.feature).move_to(wave.at(position)) for wave in waves]
        samples, times = self._series
        time = int(np.searchsorted(times.values, position))
        for wave, dot in zip(waves, dots, strict=True):
            dot.stands_for(samples.entry(time, wave.feature), wave.zero, wave.unit)
        foot = (self.x(position), self.bottom, 0)
        line = Line(foot, max((dot.get_center() for dot in dots), key=lambda point: float(point[1])))
        return VGroup(line.set_stroke(current_theme().muted, 2), *dots)


class Reader(VGroup):
    """A vertical line over the waves of `plot` at one position: a dot at each crossing, a ring around the number.

    `table` (position, feature) and `between` (moment, feature) name the values that the dots show. Between two numbers
    there is no ring, as it would run across them.
    """

    def __init__(self, plot: WavePlot, table: NamedArray, between: NamedArray) -> None:
        super().__init__()
        theme = current_theme()
        self.waves, self._plot, self._values = plot.waves, plot, (table, between)
        self.line = Line(ORIGIN, UP, stroke_color=theme.text, stroke_width=3.5)
        self.ring = RoundedRectangle(corner_radius=0.08, width=0.37, height=0.3, stroke_width=3)
        self.ring.set_stroke(theme.text).move_to(plot.numbers[0])
        self.dots = [Crossing(wave.feature) for wave in plot.waves]
        self.add(self.ring, self.line, *self.dots)
        self.read(0.0)

    def drawn_at(self) -> float:
        """The position where the line is drawn."""
        return (float(self.line.get_x()) - self._plot.left) / self._plot.step

    def send_dots(self, marks: Sequence[Mobject]) -> list[ReplacementTransform]:
        """A copy of each dot goes to a mark, to become it."""
        sent = []
        for dot, mark in zip(self.dots, marks, strict=True):
            copied = dot.copy()
            # On its way it shows no value.
            copied.ties = ()
            sent.append(ReplacementTransform(copied, mark))
        return sent

    def row(self) -> NamedArray:
        """The values that the dots show."""
        return row_at(self.position, *self._values)

    def read(self, position: float) -> "Reader":
        """Move to a position, or to the `moment` nearest to it."""
        self.position = moment(position)
        x, row = self._plot.x(self.position), self.row()
        for wave, dot in zip(self.waves, self.dots, strict=True):
            entry = row.entry(wave.feature)
            dot.move_to((x, wave.zero + wave.unit * entry.value, 0)).stands_for(entry, wave.zero, wave.unit)
        self.ring.set_x(x).set_stroke(opacity=float(self.position == round(self.position)))
        self.line.put_start_and_end_on(np.array([x, self._plot.bottom - 0.12, 0.0]), np.array([x, self._plot.top, 0.0]))
        return self
