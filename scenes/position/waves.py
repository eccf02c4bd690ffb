"""The positional encoding as waves: a sine and a cosine for each pair, read off where a line crosses them."""

from collections.abc import Mapping
from operator import index
from typing import Any

from manim import UpdateFromAlphaFunc, VGroup, linear

from mathcore.encoding import LaneTrace
from scenes.kit.encoding import Definition, place_at, power
from scenes.kit.layout import table
from scenes.kit.lesson import Lesson
from scenes.kit.lines import SlotValue
from scenes.kit.motion import Draw
from scenes.kit.text import SMALL, SMALLEST, Number, TextLine
from scenes.kit.values import Value, formatted, whole_or_two
from scenes.kit.waveplot import Lane, WavePlot


class Waves(Lesson):
    """From waves to the vector of a position, near and far; the formula comes last."""

    beats = ("first_wave", "slower_waves", "read_off", "draw_back", "far", "formula")

    def slots(self) -> Mapping[str, SlotValue]:
        waves = self.example.waves
        return {
            "first": waves.pairs[0],
            "ratio": whole_or_two(self.example.clock.ratio),
            "paper": waves.paper_ratio,
            "width": self.example.head_parameters.d_model,
            "d_model": self.example.sizes.d_model,
            "far": self._far,
            "longest": waves.wavelengths[-1],
        }

    def first_wave(self) -> None:
        self.plot = plot = WavePlot(self.example.waves, self.example.words, self.stage)
        self.pairs, self.lane = range(len(plot.lanes)), plot.lanes[0]
        self.lane.lay(plot.magnified(0))
        self.heading, self.scale = self.title(), plot.scale(self.lane)
        self.legend = plot.legend(self.label("sine"), self.label("cosine"))
        self.numbers = VGroup(*plot.numbers.values())
        self.add(self.heading, self.lane.bed, plot.axis, self.numbers)
        self.enter(*plot.hung.cards, lag=0.3, seconds=1.6, shift=(0, -0.2))
        self.beyond = plot.beyond(len(self.example.words), self.paragraph("beyond", upright=2))
        self.bring_to_back(plot.hung.stems)
        self.enter(plot.hung.stems, self.scale, self.beyond, seconds=0.5)
        for wave, name in zip(self.lane.waves, self.legend, strict=True):
            self.enter(name, seconds=0.3)
            self.play(Draw(wave, rate_func=linear), run_time=1.7)
        self.heights = [self.lane.heights(place) for place in range(len(self.example.words))]
        self.enter(*self.heights, lag=0.3, seconds=1.6)

    def slower_waves(self) -> None:
        plot = self.plot
        self.leave(*self.heights, self.scale, seconds=0.4)
        self.play(*plot.go({0: plot.with_words(0)}))
        self.names = plot.names(*(self._lines(i, "pair") for i in self.pairs))
        self.enter(self.names[0], seconds=0.3)
        for lane, name in zip(plot.lanes[1:], self.names[1:], strict=True):
            self.enter(lane.bed, name, seconds=0.4)
            self.play(*(Draw(wave, rate_func=linear) for wave in lane.waves), run_time=1.6)

    def read_off(self) -> None:
        plot = self.plot
        self.reader, self.cells = plot.reader(), plot.cells(self.example.waves.table.row(0))
        # Between two words it is longest.
        self.head = plot.heading(self.rolling("place", SMALL, bold=True, pos=self._place(1 / 2)), "right")
        self.head.change_to(self._place(0))
        self._bind()
        self.forks = VGroup(*(plot.fork(i, self.cells.boxes[2 * i : 2 * i + 2]) for i in self.pairs))
        lines, marks = ([part for fork in self.forks for part in fork[k::2]] for k in (0, 1))
        self.leave(self.legend, seconds=0.4)
        self.enter(self.reader, self.head, *lines, *self.cells.boxes, seconds=0.6)
        self.play(*self.reader.send_dots(marks), run_time=0.9)
        self.enter(*self.cells.numbers, seconds=0.4)
        for place in range(1, len(self.example.words)):
            self._glide(place)
        # Back to a word whose two fast values are far apart.
        self._glide(index(self.example.waves.telling))

    def _bind(self) -> None:
        """The heading says where the line is, and the cells how high it crosses the waves."""
        self.follow(self.head, self.reader.lines[0], self.reader.drawn_at)
        for number, dot in zip(self.cells.numbers, self.reader.dots, strict=True):
            self.follow(number, dot, dot.drawn_at)

    def _glide(self, stop: int) -> None:
        """Move the reader along the curves; heading and cells say at every moment what it reads."""
        start = self.reader.position

        def move(_: object, share: float) -> None:
            self.cells.read(self.reader.read(start + (stop - start) * share).row())
            self.head.change_to(self._place(self.reader.position))

        self.play(UpdateFromAlphaFunc(VGroup(self.reader, self.head, *self.cells.numbers), move), run_time=0.7)

    def draw_back(self) -> None:
        plot, drawn, lengths = self.plot, self.example.waves.drawn_back, self.example.waves.wavelengths
        # Strips and waves came one by one, and stay as whole lanes.
        self.add(*plot.lanes)
        self.leave_all(self.heading, *plot.lanes)
        self.play(*plot.go({i: plot.drawn_back(i, 0) for i in self.pairs}))
        self.names = plot.names(*(self._lines(i, "from", "to", trace=drawn) for i in self.pairs))
        written = (formatted(length, grouped=True) for length in lengths.entries())
        numbers = (Number(length, SMALL, self.theme.pair(i), bold=True) for i, length in enumerate(written))
        self.values, self.zooms = plot.values(*numbers), VGroup()
        self.enter(plot.heading(self.label("positions"), "left"), plot.heading(self.label("wave"), "right"))
        for i, lane in enumerate(plot.lanes):
            if i:
                self.play(*plot.go({j: plot.drawn_back(j, i) for j in self.pairs[i:]}), run_time=1.6)
                self.zooms.add(plot.zoom(i - 1))
                self.enter(self.zooms[-1], self.names[i], seconds=0.5)
            else:
                self.enter(self.names[0])
            lane.shade(lengths.entry(i).value)
            self.unveil(lane, lane.turn, seconds=0.4)
            self.enter(self.values[i], seconds=0.3)

    def far(self) -> None:
        plot, far = self.plot, self.example.waves.distant
        before, plot.lanes = plot.lanes, [Lane(i, self.plot.around(far, i)) for i in self.pairs]
        self.cells, self.reader, place = plot.cells(far.row), plot.reader(far), self.label("place", pos=self._far)
        self.leave_all(self.heading, *before)
        self.veil(*(lane.turn for lane in before))
        names = plot.names(*(self._lines(i, "from", "to", trace=far) for i in self.pairs))
        self.enter(plot.heading(self.label("positions"), "left"), plot.heading(place, "right"))
        for i in reversed(self.pairs):
            if i + 1 < len(self.pairs):
                self.enter(plot.zoom(i), seconds=0.4)
            self.leave(*before[i].waves, seconds=0.3)
            self.enter(*plot.lanes[i].waves, names[i], seconds=0.5)
            self.enter(self.reader.at_lane(i), seconds=0.5)
            two = slice(2 * i, 2 * i + 2)
            self.enter(*plot.fork(i, self.cells.boxes[two]), *self.cells.boxes[two], *self.cells.numbers[two])

    def formula(self) -> None:
        example, definition = self.example, Definition(self.example.constants)
        here, there = example.clock.ratio, example.waves.paper_ratio
        ratios = [
            (self.label("here"), power(example.constants, example.sizes.d_model, here)),
            (self.label("original"), power(example.constants, example.head_parameters.d_model, there)),
        ]
        legend = [(sign, self.label(key)) for sign, key in definition.legend(example.sizes.d_model.entry())]
        self.leave_all(self.heading)
        told, shown = self.stage.parts(3 / 2, 1)
        told.column(
            definition, *(table(*rows, edge="left", gap=(0.2, 0.5)) for rows in (legend, ratios)), gap=(0.2, 0.7)
        )
        names = self.plot.move(shown, *(self._lines(i, "divided", "window") for i in self.pairs))
        self.enter(definition, seconds=1.0)
        self.enter(*(part for row in legend for part in row), lag=0.4, seconds=2.0)
        self.enter(*(part for both in zip(self.plot.lanes, names, strict=True) for part in both), lag=0.4, seconds=2.4)
        self.enter(*(part for row in ratios for part in row), lag=0.4, seconds=2.0)

    # Parts

    @property
    def _far(self) -> Value:
        return formatted(self.example.waves.distant.position, grouped=True)

    def _place(self, position: float) -> Value:
        return place_at(position, self.example.waves.positions, self.example.waves.moments)

    def _lines(self, i: int, *keys: str, trace: LaneTrace | None = None) -> list[TextLine]:
        """Labels in a pair's colour, about its formula, and from where to where its lane goes in a trace."""
        waves = self.example.waves
        ends = trace or waves.drawn_back
        values: dict[str, Any] = {"pair": waves.pairs[i], "divisor": whole_or_two(waves.divisors, i)}
        for name, each in (("start", ends.starts), ("stop", ends.stops)):
            values[name] = formatted(each.entry(i), grouped=True)
        return [self.label(key, SMALLEST, self.theme.pair(i), bold=True, **values) for key in keys]
