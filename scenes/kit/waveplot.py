"""Waves in lanes, one a pair, each over a window of positions; and the line that reads their values at a position."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from manim import (
    DOWN,
    LEFT,
    ORIGIN,
    RIGHT,
    UL,
    Line,
    Mobject,
    Rectangle,
    ReplacementTransform,
    RoundedRectangle,
    UpdateFromAlphaFunc,
    VGroup,
    VMobject,
)
from numpy.typing import NDArray

from mathcore.encoding import LaneTrace
from mathcore.example.position import WaveTrace
from mathcore.named import Entry, NamedArray
from scenes.formats import UNIT_PX, Slot
from scenes.kit.encoding import (
    Crossing,
    HungCards,
    PairCells,
    feature_colour,
    hung_pitch,
    hung_rows,
    is_cosine,
    moment,
    path,
    row_at,
)
from scenes.kit.in_place import set_shade
from scenes.kit.marks import WaveMark
from scenes.kit.text import SMALL, SMALLEST, Box, Number, Provenance, TextLine, hexadecimal
from scenes.kit.theme import current_theme
from scenes.kit.values import formatted

Floats = NDArray[np.float64]
# Points of a curve; how high a wave is in its lane.
_POINTS, _UNIT = 401, 0.42
# Units: by how much a lane's strip is wider than its window, between rows, between a lane and what is beside it, and
# from a lane to the cells.
_PAD, _CLEAR, _NEAR, _FORK = 0.1, 0.08, 0.24, 0.5
# The widest texts that stand left and right of a lane.
_LEFT, _RIGHT = "0,000 –", "\N{MINUS SIGN}0.00"


@dataclass(frozen=True)
class Samples:
    """A pair's values (time, part) at positions `times`; every `marks`-th time is a whole position."""

    times: Floats
    values: Floats
    entry: Callable[[int, int], Entry]
    marks: int

    @classmethod
    def of_words(cls, waves: WaveTrace, pair: int) -> "Samples":
        """Where words stand."""
        values, part = waves.samples.values[:, 2 * pair : 2 * pair + 2], 2 * pair
        whole = int(np.searchsorted(waves.times.values, 1.0))
        return cls(waves.times.values, values, lambda t, p: waves.samples.entry(t, part + p), whole)

    @classmethod
    def of_lane(cls, trace: LaneTrace, pair: int) -> "Samples":
        """In the pair's own window."""
        samples = trace.samples.row(pair)
        return cls(trace.times.values[pair], samples.values, samples.entry, trace.MARK)


@dataclass(frozen=True)
class View:
    """What a lane shows, in which slot: samples over the positions from `start` to `stop`."""

    slot: Slot
    samples: Samples
    start: float
    stop: float

    @property
    def whole(self) -> bool:
        """Whether all samples are shown."""
        return (self.start, self.stop) == (self.samples.times[0], self.samples.times[-1])

    def x(self, position: float) -> float:
        """Where a position stands."""
        return self.slot.left + self.slot.width * (position - self.start) / (self.stop - self.start)

    def towards(self, other: "View", share: float) -> "View":
        """A share of the way to another view of the same lane; windows grow by the same factor at every moment."""
        here, there = (np.array([v.slot.left, v.slot.bottom, v.slot.right, v.slot.top, v.start]) for v in (self, other))
        *slot, start = here + (there - here) * share
        long, longer = self.stop - self.start, other.stop - other.start
        return View(Slot(*slot), other.samples, start, start + long * (longer / long) ** share)


class Wave(VMobject):
    """A sine or cosine of a pair, a curve straight from sample to sample; a cosine is dashed and paler.

    It is tied to its samples at whole positions while its window is that of the samples.
    """

    def __init__(self, feature: int) -> None:
        super().__init__()
        self.feature = feature
        self.provenance: tuple[Provenance, ...] = ()
        self.zero, self.unit = 0.0, 1.0
        self._marks: list[float] = []

    def draw(self, view: View, *, tied: bool = True) -> None:
        """Draw it anew."""
        samples, part = view.samples, self.feature % 2
        self.zero, self.unit = view.slot.centre[1], _UNIT * view.slot.height
        positions = np.linspace(view.start, view.stop, _POINTS)
        y = self.zero + self.unit * np.interp(positions, samples.times, samples.values[:, part])
        self._path = np.stack([np.vectorize(view.x)(positions), y, np.zeros_like(y)], axis=1)
        drawn = self._styled(*self._path)
        self.match_style(drawn).set_points(drawn.points)
        self.joint_type, self.cap_style = drawn.joint_type, drawn.cap_style
        places = range(0, len(samples.times), samples.marks)
        # While it changes, its places are known, but nothing is read at them.
        self.provenance = tuple(Provenance("picture", samples.entry(place, part)) for place in places) if tied else ()
        self._marks = [view.x(float(samples.times[place])) for place in places]
        self._first = self.points[0].copy()

    def _place_of(self, n: int) -> tuple[float, float]:
        """Where tie number n is read: its x, and the height of 0."""
        moved = self.points[0] - self._first
        return self._marks[n] + float(moved[0]), self.zero + float(moved[1])

    def box_of(self, n: int) -> Box:
        x, zero = self._place_of(n)
        return (x - 0.05, zero - self.unit, x + 0.05, zero + self.unit)

    def mark_of(self, n: int) -> WaveMark:
        x, zero = self._place_of(n)
        return WaveMark(
            x=x, zero=zero, unit=self.unit, width=float(self.get_stroke_width()), dashed=is_cosine(self.feature),
            color=hexadecimal(self.get_stroke_color()), opacity=float(self.get_stroke_opacity()),
        )  # fmt: skip

    def _styled(self, *corners: Any) -> VMobject:
        cosine = is_cosine(self.feature)
        return path(*corners, color=feature_colour(self.feature), width=3.5 if cosine else 5, dashed=cosine)

    def sample(self, width: float) -> VMobject:
        """A short straight piece in this wave's style, for a legend."""
        return self._styled(ORIGIN, RIGHT * width)

    def at(self, x: float) -> Any:
        """The point of the curve at a height of the axis across."""
        return np.array([x, np.interp(x, self._path[:, 0], self._path[:, 1]), 0.0])


class Lane(VGroup):
    """A pair's sine and cosine over a window of positions: `bed` with a line at zero, and `waves` on it."""

    def __init__(self, pair: int, view: View) -> None:
        super().__init__()
        theme = current_theme()
        self.pair, self.waves = pair, [Wave(2 * pair + part) for part in (0, 1)]
        self.strip = RoundedRectangle(corner_radius=0.1, stroke_width=0).set_fill(theme.panel, 0.6)
        self.zero = Line(stroke_color=theme.line, stroke_width=2)
        self.turn = Rectangle(stroke_width=0).set_fill(theme.pair(pair), 0.22)
        self.bed = VGroup(self.strip, self.turn, self.zero)
        self.add(self.bed, *self.waves)
        self.lay(view)

    def lay(self, view: View, *, tied: bool = True) -> None:
        """Lay it out, and draw its waves, for a view."""
        self.view, slot = view, view.slot
        bed = RoundedRectangle(corner_radius=0.1, width=slot.width + 2 * _PAD, height=slot.height)
        self.strip.set_points(bed.move_to(slot.centre).points)
        ends = (np.array([x, slot.centre[1], 0.0]) for x in (slot.left, slot.right))
        self.zero.set_points_as_corners(list(ends))
        self.turn.set_points(np.zeros((0, 3)))
        for wave in self.waves:
            wave.draw(view, tied=tied)

    def shade(self, length: float) -> None:
        """Shade so many positions from the window's start on: the `turn`, which is veiled."""
        slot, end = self.view.slot, min(self.view.x(self.view.start + length), self.view.slot.right)
        turn = Rectangle(width=end - slot.left, height=slot.height).move_to(((slot.left + end) / 2, slot.centre[1], 0))
        self.turn.set_points(turn.points)
        set_shade(self.turn, 0.0)

    def heights(self, position: int) -> VGroup:
        """A line from the lane's foot up to its crossings with both waves at a whole position, and the crossings."""
        samples, x = self.view.samples, self.view.x(position)
        place = int(np.searchsorted(samples.times, position))
        dots = [Crossing(wave.feature).move_to(wave.at(x)) for wave in self.waves]
        for wave, dot in zip(self.waves, dots, strict=True):
            dot.stands_for(samples.entry(place, wave.feature % 2), wave.zero, wave.unit)
        top = max((dot.get_center() for dot in dots), key=lambda point: float(point[1]))
        line = Line((x, self.view.slot.bottom, 0), top)
        return VGroup(line.set_stroke(current_theme().muted, 2), *dots)


class WavePlot:
    """A lane for each pair in a `room`, over one axis of positions from which the `words` hang.

    It fits itself to the room: as many rows of words as keep them apart, numbers at as many positions as there is room
    for, lanes as high as the rest allows. Left of the lanes is a column for names, right of them one for cells, above
    both a row for their headings. Parts are shown one by one: `lanes`, `axis`, `numbers` by position, `hung`.
    """

    def __init__(self, waves: WaveTrace, words: Sequence[str], room: Slot) -> None:
        theme, self._waves, self.room = current_theme(), waves, room
        line = 1.2 * SMALL / UNIT_PX
        left, right = TextLine(_LEFT, SMALLEST, bold=True).width, TextLine(_RIGHT, SMALL).width
        self.cell_width = right + 0.22
        self.left, self.right = room.left + left + _NEAR, room.right - self.cell_width - _FORK
        step = (self.right - self.left) / float(waves.positions.values[-1])
        rows = hung_rows(words, step)
        self.head, self.top = room.top - line / 2, room.top - line - _CLEAR
        self.bottom = room.bottom + line + rows * hung_pitch() + 3 * _CLEAR
        self.lanes = [Lane(pair, self.with_words(pair)) for pair in range(len(waves.pairs))]
        foot = self.bottom - 2 * _CLEAR - line / 2
        self.numbers = _numbered(waves.positions, self.lanes[0].view, foot)
        marks = [(self.left + step * place, foot - line / 2, 0.0) for place in range(len(words))]
        self.hung = HungCards(words, marks, rows=rows)
        self.axis = VGroup(Line((self.left, self.bottom, 0), (self.right, self.bottom, 0)))
        ticks = (self.left + step * float(place) for place in waves.positions.values)
        self.axis.add(*(Line((x, self.bottom, 0), (x, self.bottom - 0.1, 0)) for x in ticks)).set_stroke(theme.muted, 3)

    def move(self, room: Slot, *names: Sequence[TextLine]) -> VGroup:
        """Take another room, without words and cells, and with lines left of each lane; returns these.

        They stand one below the other, or side by side where lanes are too low for that.
        """
        self.room, self.top = room, room.top
        pitch = room.height / len(self.lanes)
        groups = [VGroup(*lines).arrange(DOWN, buff=_CLEAR) for lines in names]
        if max(group.height for group in groups) > pitch - _CLEAR:
            groups = [group.arrange(RIGHT, buff=_NEAR) for group in groups]
        self.left, self.right = room.left + max(group.width for group in groups) + _NEAR, room.right - _PAD
        for pair, lane in enumerate(self.lanes):
            lane.lay(self.drawn_back(pair, pair))
            groups[pair].move_to((self.left - _NEAR, lane.view.slot.centre[1], 0), RIGHT)
        return VGroup(*groups)

    # What lanes can show

    def _slot(self, pair: int, bottom: float, free: float) -> Slot:
        pitch = (self.top - bottom) / len(self._waves.pairs)
        top = self.top - pair * pitch
        return Slot(self.left, top - (1 - free) * pitch, self.right, top)

    def _words(self, pair: int, slot: Slot) -> View:
        return View(slot, Samples.of_words(self._waves, pair), 0.0, float(self._waves.positions.values[-1]))

    def magnified(self, pair: int) -> View:
        """A pair over the words, as high as all lanes together."""
        return self._words(pair, Slot(self.left, self.bottom + _CLEAR, self.right, self.top))

    def with_words(self, pair: int) -> View:
        """A pair over the words, with the others."""
        return self._words(pair, self._slot(pair, self.bottom + _CLEAR, 0.1))

    def drawn_back(self, pair: int, step: int) -> View:
        """A pair without the words, after so many steps back: its own window, or that of pair `step`, if shorter."""
        trace = self._waves.drawn_back
        stop = float(trace.stops.values[min(pair, step)])
        return View(self._slot(pair, self.room.bottom, 0.24), Samples.of_lane(trace, pair), 0.0, stop)

    def around(self, trace: LaneTrace, pair: int) -> View:
        """A pair in its window of a trace."""
        ends = trace.starts.values[pair], trace.stops.values[pair]
        return View(self._slot(pair, self.room.bottom, 0.24), Samples.of_lane(trace, pair), *map(float, ends))

    def go(self, views: Mapping[int, View]) -> list[UpdateFromAlphaFunc]:
        """Lanes go to other views of theirs; what they show on the way is untied."""
        return [self._gone(self.lanes[pair], view) for pair, view in views.items()]

    @staticmethod
    def _gone(lane: Lane, stop: View) -> UpdateFromAlphaFunc:
        start = lane.view

        def move(_: Mobject, share: float) -> None:
            there = share == 1
            lane.lay(stop if there else start.towards(stop, share), tied=there and stop.whole)

        return UpdateFromAlphaFunc(lane, move)

    # What stands around them

    def names(self, *things: Sequence[TextLine]) -> VGroup:
        """Lines left of each lane, one below the other; returns them."""
        middle, room = (self.room.left + self.left - _NEAR) / 2, self.left - _NEAR - self.room.left
        return self._beside([_fit(VGroup(*lines).arrange(DOWN, buff=0.06), room) for lines in things], middle)

    def values(self, *things: VMobject) -> VGroup:
        """A thing right of each lane; returns them."""
        room = self.room.right - self.right - _NEAR
        return self._beside([_fit(thing, room) for thing in things], self.room.right - room / 2)

    def _beside(self, things: Sequence[VMobject], x: float) -> VGroup:
        for lane, thing in zip(self.lanes, things, strict=False):
            thing.move_to((x, lane.view.slot.centre[1], 0))
        return VGroup(*things)

    def heading(self, thing: VMobject, side: Literal["left", "right"]) -> Any:
        """A line above the names, or above the cells; returns it."""
        if side == "left":
            return thing.move_to((self.room.left, self.head, 0), LEFT)
        if thing.width > self.cell_width:
            return thing.move_to((self.room.right, self.head, 0), RIGHT)
        return thing.move_to((self.room.right - self.cell_width / 2, self.head, 0))

    def beyond(self, first: int, text: VMobject) -> VGroup:
        """A bracket below the numbers from a position on, and a text below it; none where it has no room."""
        y, right = self.bottom - 1.2 * SMALL / UNIT_PX - 3 * _CLEAR, self.right + _PAD
        cards = [card.get_right()[0] + _NEAR for card in self.hung.cards if card.get_top()[1] > y - 2 * text.height]
        left = max(self.lanes[0].view.x(first) - _PAD, *cards)
        corners = (left, y + _CLEAR, 0), (left, y, 0), (right, y, 0), (right, y + _CLEAR, 0)
        if text.width > right - left:
            return VGroup()
        return VGroup(path(*corners), text.move_to(((left + right) / 2, y - _CLEAR - text.height / 2, 0)))

    def scale(self, lane: Lane) -> VGroup:
        """The highest value, zero and the lowest value of a lane's waves, as numbers at their heights left of it."""
        samples, (sine, cosine) = lane.view.samples, lane.waves
        column, marks = samples.values[:, 1], VGroup()
        for wave, time in ((cosine, int(column.argmax())), (sine, 0), (cosine, int(column.argmin()))):
            number = Number(formatted(samples.entry(time, wave.feature % 2), 0), SMALL, current_theme().muted)
            y = wave.zero + wave.unit * float(samples.values[time, wave.feature % 2])
            marks.add(number.move_to((self.left - _NEAR, y, 0), RIGHT).set_y(y))
        return marks

    def legend(self, *names: TextLine) -> VGroup:
        """What sines and cosines are drawn as, right of the first lane: a piece of each with its name."""
        rows = VGroup()
        for wave, name in zip(self.lanes[0].waves, names, strict=True):
            rows.add(VGroup(wave.sample(0.36), name).arrange(RIGHT, buff=0.1))
        room = self.room.right - self.right - _NEAR
        _fit(rows.arrange(DOWN, buff=0.16, aligned_edge=LEFT), room)
        return rows.move_to((self.right + _NEAR, self.top, 0), UL)

    def cells(self, row: NamedArray) -> PairCells:
        """A position's vector as a column of cells, each pair beside its lane."""
        slots = [lane.view.slot for lane in self.lanes]
        height = min(0.5, 0.47 * slots[0].height)
        pitches = (height + 0.05, slots[0].top - slots[1].top - height - 0.05)
        cells = PairCells(row, self.cell_width, height, pitches=pitches, upright=True)
        middle = (slots[0].centre[1] + slots[-1].centre[1]) / 2
        return cells.move_to((self.room.right - self.cell_width / 2, middle, 0))

    def fork(self, pair: int, cells: Sequence[VMobject]) -> VGroup:
        """From the right end of a pair's lane to its two cells, each end marked as the crossings of that wave are."""
        y, start = self.lanes[pair].view.slot.centre[1], self.right + _PAD
        parts = VGroup()
        for part, cell in enumerate(cells):
            end = cell.get_left() + LEFT * 0.15
            corners = (start, y, 0), (start + 0.08, y, 0), (start + 0.08, end[1], 0), end
            parts.add(path(*corners, color=feature_colour(2 * pair)), Crossing(2 * pair + part).move_to(end))
        return parts

    def zoom(self, pair: int) -> VMobject:
        """A frame in the next lane around the window of a pair's lane, and lines that open it to that lane."""
        here, there = self.lanes[pair].view, self.lanes[pair + 1].view
        low, high = here.slot.bottom, there.slot.top
        frame = VMobject(stroke_color=current_theme().pair(pair), stroke_width=3)
        ends = [(there.x(place), here.x(place)) for place in (here.start, here.stop)]
        for x, above in ends:
            frame.start_new_path(np.array([above, low, 0.0]))
            frame.add_points_as_corners([np.array([x, high, 0.0]), np.array([x, there.slot.bottom, 0.0])])
        frame.start_new_path(np.array([ends[0][0], there.slot.bottom, 0.0]))
        return frame.add_points_as_corners([np.array([ends[1][0], there.slot.bottom, 0.0])])

    def reader(self, trace: LaneTrace | None = None) -> "Reader":
        """What reads the waves at the position of a trace, or, without one, at those of the words."""
        if trace is not None:
            return Reader(self, lambda _: trace.row, float(trace.position.entry().value))
        return Reader(self, lambda place: row_at(place, self._waves.table, self._waves.between), 0.0)


def _numbered(positions: NamedArray, view: View, y: float) -> dict[int, Number]:
    """The numbers of every position, or of so many that they stand apart."""
    made = {k: Number(entry, SMALLEST, current_theme().muted) for k, entry in enumerate(positions.entries())}
    widest = max(number.width for number in made.values()) + _CLEAR
    every = next(n for n in (1, 2, 5, 10, 20) if view.x(n) - view.x(0) > widest)
    return {k: number.move_to((view.x(k), y, 0)) for k, number in made.items() if k % every == 0}


def _fit(thing: Any, width: float) -> Any:
    """A thing made no wider than a width; text stays legible."""
    return thing.scale(min(1.0, width / thing.width))


class Reader(VGroup):
    """A line through all lanes at one position, with a dot at each crossing and a ring around the position's number.

    Where the lanes have windows of their own, it bends from each to the next. `rows` gives the values (feature,) at a
    position. `lines` are its pieces, one a lane. Between two numbers there is no ring, as it would run across them.
    """

    def __init__(self, plot: WavePlot, rows: Callable[[float], NamedArray], position: float) -> None:
        super().__init__()
        theme, self._plot, self._rows = current_theme(), plot, rows
        self.lines = [VMobject(stroke_color=theme.text, stroke_width=3.5) for _ in plot.lanes]
        self.ring = RoundedRectangle(corner_radius=0.08, width=0.37, height=0.3, stroke_width=3)
        self.ring.set_stroke(theme.text)
        self.dots = [Crossing(wave.feature) for lane in plot.lanes for wave in lane.waves]
        self.add(self.ring, *self.lines, *self.dots)
        self.read(position)

    def at_lane(self, pair: int) -> VGroup:
        """What of it is in a lane."""
        return VGroup(self.lines[pair], *self.dots[2 * pair : 2 * pair + 2])

    def drawn_at(self) -> float:
        """The position where the line is drawn."""
        view = self._plot.lanes[0].view
        share = (float(self.lines[0].get_start()[0]) - view.slot.left) / view.slot.width
        return view.start + share * (view.stop - view.start)

    def send_dots(self, marks: Sequence[Mobject]) -> list[ReplacementTransform]:
        """A copy of each dot goes to a mark, to become it."""
        sent = []
        for dot, mark in zip(self.dots, marks, strict=True):
            copied = dot.copy()
            # On its way it shows no value.
            copied.provenance = ()
            sent.append(ReplacementTransform(copied, mark))
        return sent

    def row(self) -> NamedArray:
        """The values that the dots show."""
        return self._rows(self.position)

    def read(self, position: float) -> "Reader":
        """Move to a position, or to the `moment` nearest to it."""
        self.position = moment(position)
        row = self.row()
        lanes = self._plot.lanes
        corners = [self._corners(lane) for lane in lanes]
        for line, own, after in zip(self.lines, corners, [*corners[1:], corners[-1][1:]], strict=True):
            line.set_points_as_corners([*own, after[0]])
        for wave, dot in zip((wave for lane in lanes for wave in lane.waves), self.dots, strict=True):
            entry, x = row.entry(wave.feature), corners[wave.feature // 2][0][0]
            dot.move_to((x, wave.zero + wave.unit * entry.value, 0)).stands_for(entry, wave.zero, wave.unit)
        number = self._plot.numbers.get(round(self.position)) if self.position == round(self.position) else None
        self.ring.set_stroke(opacity=float(number is not None))
        if number is not None:
            self.ring.move_to(number)
        return self

    def _corners(self, lane: Lane) -> tuple[Any, Any]:
        view, last = lane.view, lane is self._plot.lanes[-1]
        x, down = view.x(self.position), 0.0
        if last and view.slot.bottom > self._plot.bottom:
            # As far as the numbers.
            down = view.slot.bottom - self._plot.bottom + 0.12
        up = 0.06 if lane is self._plot.lanes[0] else 0.0
        return np.array([x, view.slot.top + up, 0.0]), np.array([x, view.slot.bottom - down, 0.0])
