"""Waves in lanes above one axis of positions, and the reader that finds their values at a position."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import ORIGIN, RIGHT, TAU, UP, Circle, Line, Rectangle, RoundedRectangle, Triangle, VGroup, VMobject

from mathcore.named import Named
from scenes.kit.encoding import feature_colour, is_cosine, path
from scenes.kit.text import SMALLEST, Number, Tie
from scenes.kit.theme import current_theme


class Wave(VMobject):
    """Feature `feature` of `samples` (t, d_model) over `times` (t,), a curve through the real samples.

    Time 0 and value 0 stand at `origin`; a position is `step` wide and the value 1 is `height` high. A sine is
    one thick line, a cosine is dashed and paler. The curve is tied to its samples at whole positions.
    """

    def __init__(self, samples: Named, times: Named, feature: int, *, origin: Any, step: float, height: float) -> None:
        super().__init__()
        self.feature, self.color_of_pair = feature, current_theme().pair(feature // 2)
        self._times = times.values
        x, y = times.values * step, samples.values[:, feature] * height
        self._path = np.array(origin, dtype=float) + np.stack([x, y, np.zeros_like(x)], axis=1)
        drawn = self._styled(*self._path)
        self.match_style(drawn).set_points(drawn.points)
        self.joint_type, self.cap_style = drawn.joint_type, drawn.cap_style
        whole = np.flatnonzero(times.values % 1 == 0)
        self.ties = tuple(Tie("wave", samples.entry(int(i), feature)) for i in whole)

    def _styled(self, *corners: Any) -> VMobject:
        cosine = is_cosine(self.feature)
        return path(*corners, color=feature_colour(self.feature), width=3.5 if cosine else 5, dashed=cosine)

    def sample(self, width: float = 0.31) -> VMobject:
        """A short straight piece in this wave's style, for a legend."""
        return self._styled(ORIGIN, RIGHT * width)

    def at(self, position: float) -> Any:
        """The point of the curve over a position; between two samples, on the line that joins them."""
        return np.array([np.interp(position, self._times, self._path[:, k]) for k in range(3)])


class Crossing(Circle):
    """Where a reader crosses a wave: a filled dot on a sine, a ring on a cosine."""

    def __init__(self, wave: Wave) -> None:
        super().__init__(radius=0.085, stroke_color=wave.color_of_pair, stroke_width=4, fill_opacity=1)
        self.set_fill(current_theme().background if is_cosine(wave.feature) else wave.color_of_pair)
        self.ties: tuple[Tie, ...] = ()


class WavePlot:
    """A lane for each pair with its sine and cosine, above one axis of positions.

    Position 0 stands at x = `left`, positions are `step` apart; the lanes fill the height between `top` and
    `bottom`, where the axis runs. Parts are shown one by one: `lanes`, `waves` (one a feature), `axis`, `numbers`.
    """

    def __init__(
        self, samples: Named, times: Named, positions: Named, *, left: float, step: float, top: float, bottom: float
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
            Number(entry, 0, SMALLEST, theme.muted).move_to((self.x(entry.value), bottom - 0.28, 0))
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

    def turn(self, pair: int, length: float) -> VGroup:
        """The part of a pair's lane that one wavelength covers, and an arrow where it goes on; a part of the lane.

        Both are invisible until their fill is given an opacity.
        """
        end = min(self.x(length), self.right)
        turn = VGroup(Rectangle(width=end - self.left, height=self.lane_height - 0.08))
        turn.move_to(((self.left + end) / 2, self.y(pair), 0))
        if end < self.x(length):
            tip = Triangle().rotate(-TAU / 4).scale_to_fit_height(0.24)
            turn.add(tip.move_to((end + 0.02, self.y(pair) - 0.3 * self.lane_height, 0)))
        turn.set_stroke(width=0).set_fill(current_theme().pair(pair), 0)
        self.lanes[pair].add(turn)
        return turn

    def heights(self, waves: Sequence[Wave], position: float) -> VGroup:
        """The line from the axis at a position up to its crossings with `waves`."""
        dots = [Crossing(wave).move_to(wave.at(position)) for wave in waves]
        foot = (self.x(position), self.bottom, 0)
        line = Line(foot, max((dot.get_center() for dot in dots), key=lambda point: float(point[1])))
        return VGroup(line.set_stroke(current_theme().muted, 2), *dots)


class Reader(VGroup):
    """A vertical line over the waves of `plot` at one position: a dot at each crossing, a ring around the position.

    With `targets`, a point for each wave, links lead from the dots straight to `bend` (an x) and on to the targets.
    """

    def __init__(self, plot: WavePlot, *, targets: Sequence[Any] = (), bend: float = 0.0) -> None:
        super().__init__()
        theme = current_theme()
        self.waves, self.top, self.bottom, self.bend = plot.waves, plot.top, plot.bottom - 0.12, bend
        self.targets = [np.array(target, dtype=float) for target in targets]
        self.line = Line(ORIGIN, UP, stroke_color=theme.text, stroke_width=3.5)
        self.ring = RoundedRectangle(corner_radius=0.08, width=0.37, height=0.3, stroke_width=3)
        self.ring.set_stroke(theme.text).move_to(plot.numbers[0])
        self.links = VGroup()
        for wave in plot.waves[: len(self.targets)]:
            width = 2 if is_cosine(wave.feature) else 3
            self.links.add(VMobject(stroke_color=feature_colour(wave.feature), stroke_width=width))
        self.dots = [Crossing(wave) for wave in plot.waves]
        self.add(self.links, self.ring, self.line, *self.dots)
        self.read(0.0)

    def read(self, position: float, table: Named | None = None) -> "Reader":
        """Move to a position; at a whole one `table` (position, feature) names the values that the dots show."""
        self.position = position
        for k, (wave, dot) in enumerate(zip(self.waves, self.dots, strict=True)):
            here = wave.at(position)
            dot.move_to(here)
            if k < len(self.targets):
                self.links[k].set_points_as_corners([here, np.array([self.bend, here[1], 0.0]), self.targets[k]])
            if table is not None:
                dot.ties = (Tie("wave", table.entry(int(position), wave.feature)),)
        x = float(self.dots[0].get_center()[0])
        self.ring.set_x(x)
        self.line.put_start_and_end_on(np.array([x, self.bottom, 0.0]), np.array([x, self.top, 0.0]))
        return self
