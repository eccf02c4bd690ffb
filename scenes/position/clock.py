"""The positional encoding as a bank of clock hands: one dial for each pair of sine and cosine."""

from collections.abc import Callable, Mapping
from operator import index
from typing import Any

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Arrow,
    CubicBezier,
    CurvedArrow,
    FadeIn,
    FadeOut,
    LaggedStart,
    ReplacementTransform,
    UpdateFromAlphaFunc,
    VGroup,
    VMobject,
)

from mathcore.named import Entry
from scenes.kit.clockwork import Comparison, DialBank, Reading, Watch, lifted, running
from scenes.kit.encoding import PairCells, Seats, feature_colour, is_cosine, moment, path
from scenes.kit.lesson import Lesson
from scenes.kit.lines import SlotValue
from scenes.kit.motion import Draw
from scenes.kit.text import BODY, SMALL, SMALLEST, TextLine
from scenes.kit.values import formatted, places_for, whole_or_two

# Heights of the rows: speeds, dials, angles, cells of the vector, their names, words.
SPEEDS, DIALS, ANGLES, CELLS, NAMES, WORDS = 2.55, 1.0, -0.8, -0.66, -1.17, -2.12
# The two banks of the shift.
UPPER, LOWER = 1.85, -1.5
# Where the room of the dials begins: left of it stand the names of the rows, or longer ones.
AFTER_NAMES, AFTER_CASES = -5.35, -4.2
# Nine minutes past ten, when the hands of a watch stand well apart, and how many seconds it then runs.
TIME, RUN = 36540.0, 40.0
# A turn of fewer degrees is too small to be seen.
FAINT = 3


class Clock(Lesson):
    """From a watch to dials, from dials to the vector, to shifts as rotations."""

    beats = ("watch", "hands", "tick", "read", "shift", "unique")
    formats = ("landscape",)

    def slots(self) -> Mapping[str, SlotValue]:
        clock = self.example.clock
        return {
            "position": clock.telling,
            "word": self.token(clock.telling),
            "shift": clock.shift,
            "first_start": clock.shift_starts[0],
            "second_start": clock.shift_starts[1],
            "first_end": clock.shift_ends[0],
            "second_end": clock.shift_ends[1],
            "positions": clock.unique_positions,
            "steps": clock.twin_steps,
            "turns": formatted(clock.twin_turns, 0),
            "most": clock.unique_hands[-1],
            "fastest": clock.degrees_per_token[0],
            "ratio": whole_or_two(clock.ratio),
        }

    def watch(self) -> None:
        self.n = self.example.d_model // 2
        self.bank = self._bank(1.55, 1.05, self.stage.left).set_to(Watch.degrees(TIME + RUN))
        colours = [self.theme.pair(i) for i in range(3)]
        large, small = Watch(2.3, colours).move_to((0, 0.15, 0)), Watch(0.95, colours).move_to((0, -1.42, 0))
        self.small = small.show_time(TIME + RUN)
        self.add(self.title(), large.show_time(TIME))
        self.play(running(large, TIME, RUN), run_time=2.6)
        dials = self.bank.dials
        faces = [VGroup(*(part for part in dial if part is not dial.hand)) for dial in dials]
        self.play(ReplacementTransform(large, small), run_time=0.9)
        self.play(LaggedStart(*(FadeIn(face, scale=0.8) for face in faces), lag_ratio=0.2), run_time=0.7)
        for dial, _ in zip(dials, small.hands, strict=False):
            self.play(ReplacementTransform(lifted(dial.hand, dial, small), dial.hand), run_time=0.6)
        if len(dials) > len(small.hands):
            self.show(*(dial.hand for dial in dials[len(small.hands) :]), seconds=0.4)
        self.add(self.bank)
        self._name_dials()
        self.play(running(small, TIME + RUN, RUN, self.bank), run_time=3)

    def _name_dials(self) -> None:
        """Say below each dial which hand of the watch it is, and lead to it from the watch; slower ones go on."""
        self.links, names = VGroup(), VGroup()
        for i, key in zip(range(self.n), ("second", "minute", "hour", "slower"), strict=False):
            colour, x = self.theme.pair(i), self.columns[i]
            names.add(self.label(key, SMALL, colour, width=self.pitch - 0.2).move_to((x, 0.22, 0)))
            start, end = self.small.rim.point_at_angle(1.5708 - 0.15 * x), names[i].get_bottom() + DOWN * 0.05
            link: VMobject = CubicBezier(start, start + UP * 0.24, end + DOWN * 0.3, end, color=colour, stroke_width=4)
            if key == "slower":
                ends = names[i - 1].get_right() + RIGHT * 0.2, names[i].get_left() + LEFT * 0.2
                link = Arrow(*ends, buff=0, color=self.theme.muted, stroke_width=4, tip_length=0.2)
            self.links.add(VGroup(names[i], link))
        self.play(LaggedStart(*(FadeIn(link) for link in self.links), lag_ratio=0.2), run_time=1.2)

    def hands(self) -> None:
        self.seats, self.turned = Seats(self.example.words, self.example.sizes.word_places, 12.6, WORDS), VGroup()
        starts = [dial.degrees for dial in self.bank.dials]
        back = UpdateFromAlphaFunc(self.bank, lambda _, share: self.bank.to_twelve(share, starts))
        self.hide(self.small, self.links, seconds=0.4)
        self.play(back, run_time=0.9)
        self.bank.turn_to(0)
        self._change(self._bank(DIALS, 1.25, AFTER_NAMES), FadeIn(self.seats.ring, self.seats, shift=UP * 0.2))
        self.speeds = VGroup(self._row_name("speed", SPEEDS))
        for x, entry in zip(self.columns, self.example.clock.degrees_per_token.entries(), strict=True):
            self.speeds.add(self._degrees(entry).move_to((x, SPEEDS, 0)))
        self.play(self._go(1, lambda _: self.bank.sweep(0)), FadeIn(self.speeds), run_time=1.8)
        self.ratios = VGroup()
        for left, right in zip(self.bank.dials, self.bank.dials[1:], strict=False):
            ends = left.get_bottom() + DOWN * 0.12 + RIGHT * 0.2, right.get_bottom() + DOWN * 0.12 + LEFT * 0.2
            arrow = CurvedArrow(*ends, angle=0.7, stroke_width=4, color=self.theme.muted, tip_length=0.2)
            self.ratios.add(VGroup(arrow, self.label("ratio", BODY).next_to(arrow, DOWN, buff=0.08)))
        self.play(LaggedStart(*(FadeIn(r, shift=RIGHT * 0.2) for r in self.ratios), lag_ratio=0.4), run_time=1.6)

    def tick(self) -> None:
        self._unshade(self.bank, gone=self.ratios)
        self.turned_name, angles = self._row_name("turned", ANGLES), self.bank.row(1).entries()
        self.angles = [self.rolling("degrees", 44, bold=True, angle=entry) for entry in angles]
        for i, (line, x) in enumerate(zip(self.angles, self.columns, strict=True)):
            self.turned.add(line.move_to((x, ANGLES, 0)))
            self._bind(i, line)
        self.bank.wind()
        self.play(FadeIn(self.turned_name, self.turned), run_time=0.6)
        last, position = len(self.example.words) - 1, index(self.example.clock.telling)
        for stop in range(last + 1):
            self.play(self._go(stop, self._show_angles, lambda _: self.bank.wind()), run_time=0.75)
        if position != last:
            self.play(self._go(position, self._show_angles, lambda _: self.bank.wind()), run_time=1.6)

    def _bind(self, hand: int, digits: TextLine) -> None:
        """Digits say where a hand stands, up to whole turns, and how far it came while the ring came to its seat."""
        dial, seats, bank = self.bank.dials[hand], self.seats, self.bank
        self.follow(digits, dial.hand, dial.drawn_at, turn=360)
        self.follow(digits, seats.ring, lambda: bank.degrees(hand, seats.ridden()))

    def _show_angles(self, position: float) -> None:
        """How far each hand has turned."""
        for line, angle in zip(self.angles, self.bank.row(position).entries(), strict=True):
            line.change_to(angle)

    def read(self) -> None:
        clock = self.example.clock
        row = clock.table.row(clock.telling)
        self._unshade(self.bank, gone=VGroup(self.turned_name, self.turned, self.speeds))
        self._change(self._bank(1.36, 0.95, AFTER_NAMES, aside=0.34))
        dials = self.bank.dials
        apart = dials[0].radius + Reading.GAP
        self.cells = PairCells(row, 1.0, 0.5, pitches=(apart, self.pitch - apart))
        self.cells.shift((self.bank.dials[0].get_x() - self.cells.boxes[0].get_x(), CELLS, 0))
        self.parts = VGroup(self._row_name("vector", CELLS, self.theme.text))
        for j, box in enumerate(self.cells.boxes):
            name = self.label("cos" if is_cosine(j) else "sin", SMALL, self.theme.muted)
            self.parts.add(name.move_to((box.get_x(), NAMES, 0)))
        self.play(FadeIn(self.parts, *self.cells.boxes), run_time=0.6)
        readings = [Reading(dial, row, i) for i, dial in enumerate(dials)]
        lines, (right, up) = self.theme.text, readings[0].scales
        ways = self._row_name("right", right.get_y(), lines), self.label("up", SMALL, lines, bold=True)
        ways[1].next_to(up, UP, buff=0.12)
        links = VGroup()
        for j, (box, number) in enumerate(zip(self.cells.boxes, self.cells.numbers, strict=True)):
            # The first hand is read slowly, the others like it.
            pace, part, reading = 1.0 if j < 2 else 0.4, j % 2, readings[j // 2]
            scale, dot = reading.scales[part], reading.dots[part]
            dials[j // 2].swept.add(reading.guides[part])
            start, end = (box.get_x(), scale.get_bottom()[1] - 0.08, 0), box.get_top() + UP * 0.05
            link = path(start, end, color=feature_colour(j), dashed=is_cosine(j))
            named = [FadeIn(way) for way in ways[part : part + 1] if j < 2]
            self.play(FadeIn(scale), *named, Draw(reading.guides[part]), run_time=0.6 * pace)
            self.play(Draw(reading.bars[part]), FadeIn(dot), run_time=0.5 * pace)
            self.play(Draw(link), FadeIn(number, shift=DOWN * 0.15), run_time=0.6 * pace)
            links.add(link)
        self.parts = VGroup(self.parts, *readings, links, *ways)

    def shift(self) -> None:
        clock = self.example.clock
        starts = list(map(index, clock.shift_starts.entries()))
        banks = [self._bank(y, 0.82, AFTER_CASES).turn_to(at) for y, at in zip((UPPER, LOWER), starts, strict=True)]
        self._unshade(self.bank, gone=VGroup(self.parts, self.cells, self.seats, self.seats.ring))
        at = self.bank.position
        self._change(banks[0], FadeIn(banks[1]))
        back = UpdateFromAlphaFunc(banks[0], lambda bank, share: bank.turn_to(at + (starts[0] - at) * share))
        self.play(back, run_time=0.8)
        self.said = VGroup(*(self._case(case, y) for case, y in enumerate((UPPER, LOWER))))
        self.show(*self.said, seconds=0.6)
        span = index(clock.shift)

        def move(_: object, share: float) -> None:
            for bank, start in zip(banks, starts, strict=True):
                bank.turn_to(start + span * share).sweep(start, clock.shift_angles if share == 1 else None)

        self.play(UpdateFromAlphaFunc(VGroup(*banks), move), run_time=3)
        self.banks = banks
        self._say_angles(*banks)

    def _case(self, case: int, y: float) -> VGroup:
        """From which position to which, and whether the sentence goes that far."""
        lines = VGroup(self.label("position", SMALL, self.theme.muted))
        lines.add(self.label(("step_first", "step_second")[case], BODY, bold=True))
        if self.example.clock.shift_ends.entry(case).value >= len(self.example.words):
            lines.add(self.label("beyond", SMALLEST, self.theme.muted, width=AFTER_CASES - self.stage.left - 0.1))
        return lines.arrange(DOWN, buff=0.14, aligned_edge=LEFT).move_to((self.stage.left, y, 0), LEFT)

    def _say_angles(self, upper: DialBank, lower: DialBank) -> None:
        """One number between the two dials of a column: the angle by which both hands turned."""
        middle = (UPPER + LOWER) / 2
        same = VGroup(self.label("same", SMALL, self.theme.muted).move_to((self.stage.left, middle, 0), LEFT))
        for i, (x, entry) in enumerate(zip(self.columns, self.example.clock.shift_angles.entries(), strict=True)):
            colour = self.theme.pair(i)
            number = self._degrees(entry, BODY, colour).move_to((x, middle, 0))
            foot = number
            if entry.value < FAINT:
                number.shift(UP * 0.14)
                foot = self.label("faint", SMALLEST, self.theme.muted).next_to(number, DOWN, buff=0.04)
                same.add(foot)
            above = number.get_top() + UP * 0.04, upper.dials[i].get_bottom() + DOWN * 0.06
            below = foot.get_bottom() + DOWN * 0.04, lower.dials[i].get_top() + UP * 0.06
            same.add(number, *(path(*ends, color=colour, width=4) for ends in (above, below)))
        self.show(same)
        self.said.add(same)

    def unique(self) -> None:
        clock, panels = self.example.clock, []
        self._unshade(*self.banks, gone=self.said)
        for case, (count, angles) in enumerate(zip(clock.unique_hands.entries(), clock.unique_angles, strict=True)):
            title = self.label("hands", SMALL, bold=True, count=count)
            pair = clock.unique_pairs.row(case)
            distance = formatted(clock.unique_distances[case], places_for(clock.unique_distances))
            name = self.label("distance", SMALL, self.theme.muted)
            x = (case - 1) * (self.stage.width - Comparison.WIDTH) / 2
            panels.append(Comparison(x, title, angles, pair, distance, name))
        self.hide(*self.banks)
        closest = self.label("closest", BODY).move_to((0, 2.53, 0))
        self.play(FadeIn(closest), LaggedStart(*(FadeIn(panel) for panel in panels), lag_ratio=0.3), run_time=1.2)
        for panel in panels:
            self.show(*panel.others, panel.facts, seconds=1.2, lag=0.2)

    # Parts

    def _bank(self, y: float, radius: float, left: float, *, aside: float = 0.0) -> DialBank:
        """A bank of dials in columns from `left` on, each `aside` to the left of its column's middle."""
        clock = self.example.clock
        self.pitch = min((self.stage.right - left) / self.n, 4.2)
        middle = (left + self.stage.right) / 2
        self.columns = [middle + self.pitch * (i - (self.n - 1) / 2) for i in range(self.n)]
        places = [x - aside for x in self.columns]
        return DialBank(clock.angles, clock.between, places, y, radius)

    def _change(self, bank: DialBank, *others: Any) -> None:
        """Let the dials become those of another bank, at the same position."""
        self.play(ReplacementTransform(self.bank, bank.turn_to(self.bank.position)), *others, run_time=1.0)
        self.bank = bank

    def _go(self, stop: int, *follow: Callable[[float], Any]) -> UpdateFromAlphaFunc:
        """The hands turn to a position by their real angles, and everything that follows goes along."""
        start = self.bank.position

        def move(_: object, share: float) -> None:
            for each in (self.bank.turn_to, self.seats.ride, *follow):
                each(moment(start + (stop - start) * share))

        return UpdateFromAlphaFunc(VGroup(self.bank, self.seats.ring, self.seats, self.turned), move)

    def _unshade(self, *banks: DialBank, gone: VGroup) -> None:
        """Take away what the hands have swept, and something else with it."""
        shades = [dial.swept for bank in banks for dial in bank.dials]
        self.play(*(shade.animate.set_opacity(0) for shade in shades), FadeOut(gone), run_time=0.5)
        for bank in banks:
            bank.clear()

    def _degrees(self, entry: Entry, size: float = SMALL, color: str | None = None) -> TextLine:
        return self.label("degrees", size, color, bold=True, angle=entry)

    def _row_name(self, key: str, y: float, color: str | None = None) -> TextLine:
        right = self.columns[0] - self.pitch / 2 - 0.12
        name = self.label(key, SMALL, color or self.theme.muted, bold=color is not None, width=right - self.stage.left)
        return name.move_to((right - name.width / 2, y, 0))
