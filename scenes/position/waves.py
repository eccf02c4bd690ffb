"""The positional encoding as waves: a sine and a cosine for each pair, read off where a line crosses them."""

from collections.abc import Mapping
from operator import index
from typing import Any

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    FadeIn,
    FadeOut,
    FadeTransform,
    LaggedStart,
    Line,
    Mobject,
    ReplacementTransform,
    UpdateFromAlphaFunc,
    VGroup,
    linear,
)

from scenes.kit.encoding import (
    HUNG_PITCH,
    Bar,
    Definition,
    HungCards,
    PairCells,
    Seats,
    elbow,
    hung_rows,
    path,
    place_at,
)
from scenes.kit.formula import formula
from scenes.kit.lesson import Lesson
from scenes.kit.lines import SlotValue
from scenes.kit.motion import Draw, become
from scenes.kit.text import BODY, SMALL, SMALLEST, Number, TextLine
from scenes.kit.values import Value, whole_or_two
from scenes.kit.waveplot import Reader, WavePlot

# From left to right: the pairs' names, the waves, what stands beside them until the cells come, the column of cells,
# a second one, what the two are compared by.
NAMES, START, STEP, NOTES, CELLS, OTHERS, GAPS = -6.25, -5.0, 0.395, 3.6, 3.95, 5.0, 5.66
TOP, HEADS = 2.25, 2.52


class Waves(Lesson):
    """From the formula to waves, from waves to the vector of a position."""

    beats = ("formula", "first_wave", "slower_waves", "read_off", "neighbours", "wavelengths")
    formats = ("landscape",)

    def slots(self) -> Mapping[str, SlotValue]:
        waves = self.example.waves
        here, near, far = waves.compared.entries()
        return {
            "first": waves.pairs[0],
            "ratio": whole_or_two(self.example.clock.ratio),
            "width": self.example.head_parameters.d_model,
            "pace": waves.paper_pace,
            "d_model": self.example.sizes.d_model,
            "here": here,
            "near": near,
            "far": far,
            "shortest": waves.wavelengths[0],
            "longest": waves.wavelengths[-1],
        }

    def formula(self) -> None:
        self.n_pairs = self.example.d_model // 2
        self.seats = Seats(self.example.words, self.example.sizes.word_places, 12.4, -2.2)
        self.flat = PairCells(self.example.waves.table.row(0), 1.2, 0.5, pitches=(1.24, 1.58)).move_to((0, 2.02, 0))
        self.definition = Definition(64, self.example.constants).move_to((0, 0.05, 0))
        width = Definition.width_of(self.example.sizes.d_model.entry())
        self.asides = VGroup()
        for way, key, sign in ((LEFT, "pe", formula('"PE"', 64)), (RIGHT, "width", width)):
            inner, outer = self.definition.get_edge_center(way)[0], self.stage.right * way[0]
            note = self.label(key, SMALL, self.theme.muted, width=abs(outer - inner) - 0.4)
            x, y = (inner + outer) / 2, self.definition.get_y()
            self.asides.add(sign.move_to((x, y + 0.3, 0)), note.move_to((x, y - 0.3, 0)))
        # The first picture says what the lesson is about.
        self.add(self.title(), self.asides, self.definition)
        self._explain_seats()
        self._explain_pairs()

    def _explain_seats(self) -> None:
        """Lead from pos in both lines of the formula to the numbers of the words' positions."""
        numbers, (upper, _, lower, _) = self.seats.numbers, self.definition.chips
        start = lower.get_bottom()
        arms = [elbow(start, seat.get_top() + UP * 0.02, seat.get_top()[1] + 0.14) for seat in numbers]
        arms.append(path(upper.get_bottom(), lower.get_top()))
        cards = (FadeIn(card, shift=UP * 0.2) for card in self.seats.row)
        self.play(LaggedStart(*cards, lag_ratio=0.15), run_time=1.2)
        seats = LaggedStart(*(FadeIn(seat, shift=DOWN * 0.1) for seat in numbers), lag_ratio=0.2)
        self.play(*(Draw(arm) for arm in arms), seats, run_time=1.4)
        self.explained = VGroup(*arms)

    def _explain_pairs(self) -> None:
        """Lead from i in the formula to the pairs of cells, one after the other."""
        start = self.definition.parts("iA")[0].get_top() + UP * 0.16
        for i in range(self.n_pairs):
            boxes, colour = self.flat.boxes[2 * i : 2 * i + 2], self.theme.pair(i)
            foot = VGroup(*boxes).get_bottom() + DOWN * 0.1
            head, arm = self._pair_name(i).next_to(foot, UP, buff=0.68), elbow(start, foot, foot[1] - 0.3)
            parts = VGroup(head, Line(foot + DOWN * 0.3, foot, stroke_color=colour, stroke_width=4))
            for box, key, place in zip(boxes, ("sin", "cos"), (2 * i, 2 * i + 1), strict=True):
                number = Number(self.example.sizes.feature_numbers.entry(place), SMALLEST, self.theme.muted)
                parts.add(self.label(key, SMALL).move_to(box), number.next_to(box, DOWN, buff=0.06))
            self.play(Draw(arm), FadeIn(*boxes, parts), *self._signs(colour), run_time=1.0)
            self.explained.add(arm, parts)
        self.play(*self._signs(self.theme.text), run_time=0.4)

    def _signs(self, color: str) -> list[Any]:
        return [part.animate.set_color(color) for part in self.definition.parts("iA", "iB")]

    def first_wave(self) -> None:
        self._prepare()
        plot, n = self.plot, len(self.example.words)
        self.lane, *self.large = plot.magnified(0)
        self.scale = plot.scale(*self.large)
        self.legend = VGroup(*(note.copy() for note in self.notes[:2])).set_y(self.lane.get_y())
        plain = [part.animate.set_color(self.theme.text) for part in self.definition.parts("posA", "posB")]
        gone = FadeOut(*self.flat.boxes, self.explained, self.definition.chips, self.asides)
        self.play(gone, *plain, run_time=0.5)
        self.hide(self.definition.rules)
        self.play(
            FadeIn(plot.axis, self.lane, self.names[0], self.scale),
            *(become(old, new) for old, new in zip(self.seats.row, self.hung.cards, strict=True)),
            *(ReplacementTransform(old, new) for old, new in zip(self.seats.numbers, plot.numbers, strict=False)),
            run_time=1.2,
        )
        further = LaggedStart(*(FadeIn(number) for number in plot.numbers[n:]), lag_ratio=0.1)
        self.play(further, FadeIn(self.legend, shift=RIGHT * 0.2), run_time=0.6)
        # The stems of the lower cards pass behind the upper ones.
        self.bring_to_back(self.hung.stems)
        self.play(FadeIn(self.hung.stems), FadeIn(self.beyond), run_time=0.4)
        for wave in self.large:
            self.play(Draw(wave, rate_func=linear), run_time=1.9)
        self.heights = VGroup(*(plot.heights(self.large, seat) for seat in range(n)))
        self.play(LaggedStart(*(FadeIn(height) for height in self.heights), lag_ratio=0.3), run_time=1.6)

    def slower_waves(self) -> None:
        plot, waves = self.plot, self.example.waves
        self.play(FadeOut(self.heights), run_time=0.4)
        self.play(
            ReplacementTransform(self.lane, plot.lanes[0]),
            ReplacementTransform(self.large[0], plot.waves[0]),
            FadeTransform(self.large[1], plot.waves[1]),
            *(ReplacementTransform(old, new) for old, new in zip(self.legend, self.notes, strict=False)),
            ReplacementTransform(self.scale, plot.scale(*plot.waves[:2])),
            self.names[0].animate.set_y(plot.y(0)),
            run_time=1.0,
        )
        self.slow = VGroup()
        for i in range(1, self.n_pairs):
            two = slice(2 * i, 2 * i + 2)
            self.play(FadeIn(plot.lanes[i], self.names[i], *self.notes[two], shift=LEFT * 0.15), run_time=0.5)
            self.play(*(Draw(wave, rate_func=linear) for wave in plot.waves[two]), run_time=1.8)
            # A twentieth of a wave looks like a straight line.
            if waves.wavelengths.entry(i).value > 20 * waves.positions.entry(-1).value:
                self.slow.add(self._in_lane("slow", i))
                self.show(self.slow[-1], seconds=0.4)

    def read_off(self) -> None:
        self.reader = self._reader()
        self.head = self.rolling("vector", SMALL, bold=True, pos=self._place(0)).move_to((CELLS, HEADS, 0))
        self._bind()
        beside = CELLS - NOTES + self.cells.boxes[0].width / 2 + 0.15
        self.play(FadeOut(self.slow), self.notes.animate.shift(RIGHT * beside), run_time=0.6)
        lines, marks = ([part for fork in self.forks for part in fork[k::2]] for k in (0, 1))
        self.play(FadeIn(self.reader, self.head, *lines, *self.cells.boxes), run_time=0.6)
        self.play(*self.reader.send_dots(marks), run_time=0.9)
        self.play(FadeIn(*self.cells.numbers, shift=RIGHT * 0.1), run_time=0.4)
        for seat in range(1, len(self.hung.cards)):
            self._glide(seat, 1.1 if seat < 4 else 0.6)
        # Back to a word whose two fast values are far apart.
        self._glide(index(self.example.waves.telling), 1.2)

    def _bind(self) -> None:
        """The heading says where the line is, and the cells how high it crosses the waves."""
        reader = self.reader
        self.follow(self.head, reader.line, reader.drawn_at)
        for number, dot in zip(self.cells.numbers, reader.dots, strict=True):
            self.follow(number, dot, dot.drawn_at)

    def _glide(self, stop: int, seconds: float) -> None:
        """Move the reader along the curves; heading and cells say at every moment what it reads."""
        start = self.reader.position
        if start == stop:
            return

        def move(_: Mobject, share: float) -> None:
            self.cells.read(self.reader.read(start + (stop - start) * share).row())
            self.head.change_to(self._place(self.reader.position))

        moving = VGroup(self.reader, self.head, *self.cells.numbers)
        self.play(UpdateFromAlphaFunc(moving, move), run_time=seconds)

    def neighbours(self) -> None:
        here, near, far = map(index, self.example.waves.compared.entries())
        self.play(FadeOut(self.notes), run_time=0.4)
        self._glide(here, 0.8)
        self.other = self._reader().read(here)
        self._compare(near, 0, 1.0)
        self.wait(2.4)
        self.play(FadeOut(self.second), run_time=0.4)
        self._compare(far, 1, 2.4)

    def _compare(self, stop: int, case: int, seconds: float) -> None:
        """Move the other reader to `stop`; numbers and bars say how far apart the two readers' values lie."""
        waves, start = self.example.waves, self.other.position
        go = UpdateFromAlphaFunc(self.other, lambda _, share: self.other.read(start + (stop - start) * share))
        self.play(go, run_time=seconds)
        head = self.label("vector", SMALL, bold=True, pos=self._place(stop)).move_to((OTHERS, HEADS, 0))
        self.follow(head, self.other.line, self.other.drawn_at)
        self.second = VGroup(self._column(stop, OTHERS), head)
        self.second.add(self.label("distance", SMALL, self.theme.muted).move_to((GAPS, HEADS, 0), LEFT))
        for i in range(self.n_pairs):
            entry, colour, y = waves.gaps.entry(case, i), self.theme.pair(i), self.plot.y(i)
            self.second.add(Number(entry, SMALL, colour, bold=True).move_to((GAPS, y + 0.07, 0), LEFT))
            bar = Bar((GAPS, y - 0.2, 0), RIGHT * 0.52, entry, colour)
            self.second.add(bar)
        self.show(self.second)

    def wavelengths(self) -> None:
        waves, plot = self.example.waves, self.plot
        self.play(
            FadeOut(self.second, self.other, self.reader, self.head, self.forks),
            FadeOut(*self.cells.boxes, *self.cells.numbers),
            run_time=0.6,
        )
        equals = 5.34
        self.show(self.label("wavelength", SMALL, self.theme.muted).move_to((equals, HEADS, 0)), seconds=0.4)
        for i, (entry, turn) in enumerate(zip(waves.wavelengths.entries(), self.turns, strict=True)):
            divisor, colour = whole_or_two(waves.divisors, i), self.theme.pair(i)
            measure = plot.measure(i, entry.value, HEADS)
            circle = formula("{{ 2 : two }} pi times", 44).account(two=self.example.constants.circle.entry())
            row = VGroup(circle, Number(divisor, BODY))
            row.add(formula("approx", 44), Number(entry, BODY, colour, bold=True)).arrange(RIGHT, buff=0.14)
            row.set_y(plot.y(i)).shift(RIGHT * (equals - row[2].get_x()))
            whole = self._in_lane("part", i)
            if plot.x(entry.value) <= plot.right:
                whole = self.label("whole", SMALL, colour).next_to(measure, RIGHT, buff=0.2)
            shown = FadeIn(measure, whole, row, shift=RIGHT * 0.1)
            self.play(turn.animate.set_fill(opacity=0.22), shown, run_time=0.9)

    # Parts

    def _prepare(self) -> None:
        """The plot and what stands around it."""
        waves, words = self.example.waves, self.example.words
        # The lanes leave as much room as the hung words need.
        bottom = -1.66 + (hung_rows(words, STEP) - 1) * HUNG_PITCH
        self.plot = WavePlot(waves.samples, waves.times, waves.positions, left=START, step=STEP, top=TOP, bottom=bottom)
        self.hung = HungCards(words, [number.get_bottom() for number in self.plot.numbers[: len(words)]])
        bracket = self.plot.bracket(len(words), self.hung.cards)
        label = self.label("beyond", SMALL, self.theme.muted, width=bracket.width)
        self.beyond = VGroup(bracket, label.next_to(bracket, DOWN, buff=0.06))
        self.names = [self._pair_name(i).move_to((NAMES, self.plot.y(i), 0)) for i in range(self.n_pairs)]
        self.names[0].set_y((TOP + bottom) / 2)
        self.turns = [self.plot.turn(i, length.value) for i, length in enumerate(waves.wavelengths.entries())]
        self.cells, self.notes = self._column(0, CELLS), VGroup()
        self.forks = VGroup(*(self.plot.fork(i, self.cells.boxes[2 * i : 2 * i + 2]) for i in range(self.n_pairs)))
        for wave, box in zip(self.plot.waves, self.cells.boxes, strict=True):
            divisor = whole_or_two(waves.divisors, wave.feature // 2)
            text = self.label("cosine" if wave.feature % 2 else "sine", SMALL, wave.color_of_pair, divisor=divisor)
            note = VGroup(wave.sample(0.42), text).arrange(RIGHT, buff=0.1)
            self.notes.add(note.move_to((NOTES, box.get_y(), 0), LEFT))

    def _column(self, position: int, x: float) -> PairCells:
        return self.plot.cells(self.example.waves.table.row(position), x)

    def _reader(self) -> Reader:
        return Reader(self.plot, self.example.waves.table, self.example.waves.between)

    def _place(self, position: float) -> Value:
        return place_at(position, self.example.waves.positions, self.example.waves.moments)

    def _in_lane(self, key: str, i: int) -> TextLine:
        """A remark in the lower half of a slow pair's lane, which its waves leave free."""
        y = self.plot.y(i) - 0.26 * self.plot.lane_height
        return self.label(key, SMALLEST).move_to((START + 0.2, y, 0), LEFT)

    def _pair_name(self, i: int) -> TextLine:
        shown = self.example.waves.pairs[i]
        return self.label("pair", SMALL, self.theme.pair(i), bold=True, pair=shown)
