"""The positional encoding as waves: a sine and a cosine for each pair, read off where a line crosses them."""

from collections.abc import Mapping
from typing import Any

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Create,
    FadeIn,
    FadeOut,
    FadeTransform,
    LaggedStart,
    Line,
    Mobject,
    ReplacementTransform,
    RoundedRectangle,
    TransformFromCopy,
    UpdateFromAlphaFunc,
    VGroup,
    VMobject,
    linear,
)

from scenes.kit.encoding import HUNG_PITCH, Bar, HungCards, PairCells, Seats, elbow, hung_rows
from scenes.kit.formula import formula
from scenes.kit.lesson import DIMMED, Lesson, SlotValue
from scenes.kit.text import BODY, SMALL, SMALLEST, Number, Shown, TextLine
from scenes.kit.waveplot import Reader, WavePlot

# From left to right: the pairs' names, the waves, where their links bend, the column of cells, what stands beside it.
NAMES, START, STEP, BEND, CELLS, NOTES, FAR_NOTES = -6.05, -5.25, 0.405, 3.1, 4.1, 5.18, 6.22
TOP, HEADS = 2.25, 2.52


class Waves(Lesson):
    """From the formula to waves, from waves to the vector of a position."""

    beats = ("formula", "first_wave", "slower_waves", "read_off", "neighbours", "wavelengths")

    def slots(self) -> Mapping[str, SlotValue]:
        waves, ratio = self.example.waves, self.example.clock.ratio.entry()
        here, near, far = (Shown(entry, 0) for entry in waves.compared.entries())
        return {
            "first": Shown(waves.pairs.entry(0), 0),
            "ratio": Shown(ratio, _whole_or_two(ratio.value)),
            "d_model": Shown(self.example.sizes.d_model.entry(), 0),
            "here": here,
            "near": near,
            "far": far,
            "shortest": Shown(waves.wavelengths.entry(0)),
            "longest": Shown(waves.wavelengths.entry(-1)),
            "limit": Shown(waves.limit.entry()),
        }

    def formula(self) -> None:
        self.n_pairs = self.example.d_model // 2
        self.seats = Seats(self.example.words, self.example.sizes.word_places, 12.4, -2.2)
        self.flat = PairCells(self.example.waves.table.row(0), 1.2, 0.5, pitches=(1.24, 1.58)).move_to((0, 2.02, 0))
        self.rules = VGroup(formula(_rule("", "sin"), 64), formula(_rule("+ 1", "cos"), 64))
        self.rules.arrange(DOWN, buff=0.18).move_to((0, 0.05, 0))
        self.rules[1].shift(RIGHT * (self.rules[0].select("eq").get_x() - self.rules[1].select("eq").get_x()))
        self.rules.set_x(0)
        self.chips = VGroup(*(self._chip(rule.select(key)) for rule in self.rules for key in ("posA", "posB")))
        # The first picture says what the lesson is about.
        self.add(self.title(), self.chips, self.rules)
        self._explain_seats()
        self._explain_pairs()

    def _chip(self, part: VMobject) -> RoundedRectangle:
        """A piece of the word cards' paper under `pos`: it belongs to the words."""
        part.set_color(self.theme.ink)
        chip = RoundedRectangle(corner_radius=0.06, width=part.width + 0.12, height=0.36, stroke_width=2)
        return chip.set_stroke(self.theme.line).set_fill(self.theme.paper, 1).move_to(part).shift(UP * 0.01)

    def _explain_seats(self) -> None:
        """Lead from pos in the formula to the seat numbers of the words."""
        start, numbers = self.chips[2].get_bottom(), self.seats.numbers
        arms = [elbow(start, seat.get_top() + UP * 0.02, seat.get_top()[1] + 0.14) for seat in numbers]
        cards = (FadeIn(card, shift=UP * 0.2) for card in self.seats.row)
        self.play(LaggedStart(*cards, lag_ratio=0.15), run_time=1.2)
        seats = LaggedStart(*(FadeIn(seat, shift=DOWN * 0.1) for seat in numbers), lag_ratio=0.2)
        self.play(*(Create(arm) for arm in arms), seats, run_time=1.4)
        self.explained = VGroup(*arms)

    def _explain_pairs(self) -> None:
        """Lead from i in the formula to the pairs of cells, one after the other."""
        start = self.rules[0].select("iA").get_top() + UP * 0.06
        for i in range(self.n_pairs):
            boxes, colour = self.flat.boxes[2 * i : 2 * i + 2], self.theme.pair(i)
            foot = VGroup(*boxes).get_bottom() + DOWN * 0.1
            head, arm = self._pair_name(i).next_to(foot, UP, buff=0.68), elbow(start, foot, foot[1] - 0.3)
            parts = VGroup(head, Line(foot + DOWN * 0.3, foot, stroke_color=colour, stroke_width=4))
            for box, key, place in zip(boxes, ("sin", "cos"), (2 * i, 2 * i + 1), strict=True):
                number = Number(self.example.sizes.feature_numbers.entry(place), 0, SMALLEST, self.theme.muted)
                parts.add(self.label(key, SMALL).move_to(box), number.next_to(box, DOWN, buff=0.06))
            self.play(Create(arm), FadeIn(*boxes, parts), *self._signs(colour), run_time=1.0)
            self.explained.add(arm, parts)
        self.play(*self._signs(self.theme.text), run_time=0.4)

    def _signs(self, color: str) -> list[Any]:
        return [rule.select(key).animate.set_color(color) for rule in self.rules for key in ("iA", "iB")]

    def first_wave(self) -> None:
        self._prepare()
        plot, n = self.plot, len(self.example.words)
        self.lane, *self.large = plot.magnified(0)
        plain = [rule.select(key).animate.set_color(self.theme.text) for rule in self.rules for key in ("posA", "posB")]
        self.play(FadeOut(self.explained, self.chips), *plain, run_time=0.5)
        self.play(
            FadeIn(plot.axis, self.lane, self.names[0]),
            *(ReplacementTransform(old, new) for old, new in zip(self.seats.row, self.hung.cards, strict=True)),
            *(ReplacementTransform(old, new) for old, new in zip(self.seats.numbers, plot.numbers, strict=False)),
            *(ReplacementTransform(old, new) for old, new in zip(self.flat.boxes, self.cells.boxes, strict=True)),
            *(FadeTransform(rule, note) for rule, note in zip(self.rules, self.notes, strict=False)),
            LaggedStart(*(FadeIn(number) for number in plot.numbers[n:]), lag_ratio=0.1),
            run_time=1.8,
        )
        rest = [box.animate.set_opacity(DIMMED) for box in self.cells.boxes[2:]]
        # The stems of the lower cards pass behind the upper ones.
        self.bring_to_back(self.hung.stems)
        self.play(FadeIn(self.hung.stems), *rest, run_time=0.4)
        for wave in self.large:
            self.play(Create(wave, rate_func=linear), run_time=1.9)
        self.heights = VGroup(*(plot.heights(self.large, seat) for seat in range(n)))
        self.play(LaggedStart(*(FadeIn(height) for height in self.heights), lag_ratio=0.3), run_time=1.6)

    def slower_waves(self) -> None:
        plot = self.plot
        self.play(FadeOut(self.heights), run_time=0.4)
        self.play(
            ReplacementTransform(self.lane, plot.lanes[0]),
            ReplacementTransform(self.large[0], plot.waves[0]),
            FadeTransform(self.large[1], plot.waves[1]),
            self.names[0].animate.set_y(plot.y(0)),
            run_time=1.0,
        )
        for i in range(1, self.n_pairs):
            two = slice(2 * i, 2 * i + 2)
            back = [box.animate.set_opacity(1) for box in self.cells.boxes[two]]
            self.play(FadeIn(plot.lanes[i], self.names[i], *self.notes[two], shift=LEFT * 0.15), *back, run_time=0.5)
            self.play(*(Create(wave, rate_func=linear) for wave in plot.waves[two]), run_time=1.8)

    def read_off(self) -> None:
        ends, n = [box.get_left() for box in self.cells.boxes], len(self.hung.cards)
        self.reader = Reader(self.plot, targets=ends, bend=BEND)
        self.head = VGroup(self._head(0, CELLS))
        self.play(FadeIn(self.reader, self.head), run_time=0.6)
        pairs = zip(self.reader.dots, self.cells.numbers, strict=True)
        self.play(*(TransformFromCopy(dot, number) for dot, number in pairs), run_time=0.9)
        for seat in range(1, n):
            self._glide(seat, 1.1 if seat < 4 else 0.6)
        # Back to a word whose two fast values are far apart.
        self._glide(int(self.example.waves.telling.entry().value), 1.2)

    def _glide(self, stop: int, seconds: float) -> None:
        """Move the reader along the curves; the numbers change whenever it reaches a whole position."""
        start, table = int(self.reader.position), self.example.waves.table
        if start == stop:
            return

        def move(_: Mobject, share: float) -> None:
            self.reader.read(start + (stop - start) * share)
            reached = start + int((stop - start) * share + (0.001 if stop > start else -0.001))
            self.cells.read(table.row(reached))
            self.head.submobjects = [self._head(reached, CELLS)]

        moving = VGroup(self.reader, self.head, *self.cells.numbers)
        self.play(UpdateFromAlphaFunc(moving, move), run_time=seconds)
        self.reader.read(stop, table)

    def neighbours(self) -> None:
        here, near, far = (int(entry.value) for entry in self.example.waves.compared.entries())
        self.play(FadeOut(self.notes), run_time=0.4)
        self._glide(here, 0.8)
        self.play(FadeOut(self.reader.links), run_time=0.4)
        self.other, self.bars = Reader(self.plot).read(here), VGroup()
        self.add(self.bars, self.other)
        self._compare(near, 0, 1.0)
        self.wait(2.4)
        self.play(FadeOut(self.second), run_time=0.4)
        self._compare(far, 1, 2.4)

    def _compare(self, stop: int, case: int, seconds: float) -> None:
        """Move the other reader to `stop`: bars show how far its dots have moved, numbers say it."""
        waves, start = self.example.waves, self.other.position

        def move(_: Mobject, share: float) -> None:
            self.other.read(start + (stop - start) * share)
            self._set_bars(stop)

        self.play(UpdateFromAlphaFunc(VGroup(self.bars, self.other), move), run_time=seconds)
        self.other.read(stop, waves.table)
        self.second = VGroup(self._column(stop, NOTES), self._head(stop, NOTES))
        self.second.add(self.label("moved", SMALLEST, self.theme.muted).move_to((FAR_NOTES, HEADS, 0)))
        for i in range(self.n_pairs):
            number = Number(waves.gaps.entry(case, i), 3, SMALL, self.theme.pair(i), bold=True)
            self.second.add(number.move_to((FAR_NOTES, self.plot.y(i), 0)))
        self.show(self.second)

    def _set_bars(self, stop: int) -> None:
        table, here, bars = self.example.waves.table, int(self.reader.position), []
        for j, (first, second) in enumerate(zip(self.reader.dots, self.other.dots, strict=True)):
            x = second.get_x() + (0.17 if j % 2 else -0.17)
            ends = (x, first.get_y(), 0), (x, second.get_y(), 0)
            bars.append(Bar(*ends, self.theme.pair(j // 2), table.entry(here, j), table.entry(stop, j)))
        self.bars.submobjects = [*bars]

    def wavelengths(self) -> None:
        waves, plot, x = self.example.waves, self.plot, (NOTES + FAR_NOTES) / 2
        self.play(FadeOut(self.second, self.bars, self.other), FadeIn(self.reader.links), run_time=0.6)
        head = self.label("wavelength", SMALL, self.theme.muted).move_to((x, HEADS, 0))
        self.show(head, seconds=0.4)
        for i, (entry, turn) in enumerate(zip(waves.wavelengths.entries(), self.turns, strict=True)):
            number = Number(entry, 2, BODY, self.theme.pair(i), bold=True).move_to((x, plot.y(i), 0))
            shade = turn[0].animate.set_fill(opacity=0.22)
            arrow = (part.animate.set_fill(opacity=1) for part in turn[1:])
            self.play(shade, *arrow, FadeIn(number, shift=RIGHT * 0.2), run_time=0.9)
        law = formula('2 pi <= lambda_i <= 2 pi dot 10000^((d_"model" - 2) \\/ d_"model")', 50)
        law.move_to((START, HEADS + 0.05, 0), LEFT)
        limit = self.label("limit", SMALL, self.theme.muted).next_to(law, RIGHT, buff=0.6).set_y(HEADS)
        self.show(law, limit, lag=0.4)

    # Parts

    def _prepare(self) -> None:
        """The plot and what stands around it."""
        waves, words = self.example.waves, self.example.words
        # The lanes leave as much room as the hung words need.
        bottom = -1.66 + (hung_rows(words, STEP) - 1) * HUNG_PITCH
        self.plot = WavePlot(waves.samples, waves.times, waves.positions, left=START, step=STEP, top=TOP, bottom=bottom)
        self.hung = HungCards(words, [number.get_bottom() for number in self.plot.numbers[: len(words)]])
        self.names = [self._pair_name(i).move_to((NAMES, self.plot.y(i), 0)) for i in range(self.n_pairs)]
        self.names[0].set_y((TOP + bottom) / 2)
        self.turns = [self.plot.turn(i, length.value) for i, length in enumerate(waves.wavelengths.entries())]
        self.cells, self.notes = self._column(0, CELLS), VGroup()
        for wave, box in zip(self.plot.waves, self.cells.boxes, strict=True):
            divisor = waves.divisors.entry(wave.feature // 2)
            shown = Shown(divisor, _whole_or_two(divisor.value))
            text = self.label("cosine" if wave.feature % 2 else "sine", SMALLEST, wave.color_of_pair, divisor=shown)
            note = VGroup(wave.sample(), text).arrange(RIGHT, buff=0.1)
            self.notes.add(note.next_to(box, RIGHT, buff=0.14))

    def _column(self, position: int, x: float) -> PairCells:
        height = min(0.5, 0.42 * self.plot.lane_height)
        pitches = (height + 0.05, self.plot.lane_height - height - 0.05)
        cells = PairCells(self.example.waves.table.row(position), 0.95, height, pitches=pitches, upright=True)
        return cells.move_to((x, (TOP + self.plot.bottom) / 2, 0))

    def _head(self, position: int, x: float) -> TextLine:
        shown = Shown(self.example.waves.positions.entry(position), 0)
        return self.label("vector", SMALL, bold=True, pos=shown).move_to((x, HEADS, 0))

    def _pair_name(self, i: int) -> TextLine:
        shown = Shown(self.example.waves.pairs.entry(i), 0)
        return self.label("pair", SMALL, self.theme.pair(i), bold=True, pair=shown)


def _rule(plus: str, function: str) -> str:
    """One line of the definition; its pos and i can be selected."""
    place = f'"PE"(thin {{{{ "pos" : posA }}}} thin, 2 {{{{ i : iA }}}} {plus}) {{{{ = : eq }}}}'
    return place + f' {function}(frac({{{{ "pos" : posB }}}}, 10000^(2 {{{{ i : iB }}}} \\/ d_"model")))'


def _whole_or_two(value: float) -> int:
    """Decimals of a factor: none for whole ones, two for the rest."""
    return 0 if abs(value - round(value)) < 1e-6 else 2
