"""The positional encoding as a bank of clock hands: one dial for each pair of sine and cosine."""

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

from manim import FadeOut, Mobject, UpdateFromAlphaFunc

from scenes.kit.clockwork import Comparison, DialBank, Radian, Reading, Watch, joined, lifted, running, turning
from scenes.kit.encoding import PairCells, Seats
from scenes.kit.layout import along, column, grid, is_upright, over, table
from scenes.kit.lesson import Lesson
from scenes.kit.lines import SlotValue
from scenes.kit.motion import Draw
from scenes.kit.text import BODY, SMALL, SMALLEST, TextLine
from scenes.kit.values import formatted, places_for, whole_or_two

# Nine minutes past ten, when the hands of a watch stand well apart, and how many seconds it then runs.
TIME, RUN = 36540.0, 40.0
# Between dials and the angle that joins them, in units, at the least and at the most ease.
APART = (0.26, 0.4)


class Clock(Lesson):
    """From a watch to dials, from dials to the vector, to shifts as rotations."""

    beats = ("watch", "hands", "tick", "read", "faster", "shift", "unique")

    def slots(self) -> Mapping[str, SlotValue]:
        clock = self.example.clock
        first, second = zip(clock.shift_starts.entries(), clock.shift_ends.entries(), strict=True)
        named = zip(("first_start", "first_end", "second_start", "second_end"), (*first, *second), strict=True)
        return {
            "position": clock.telling,
            "word": self.token(clock.telling),
            "last": formatted(clock.run_positions.entry(-1, -1), grouped=True),
            "shift": clock.shift,
            **dict(named),
            "positions": clock.unique_positions,
            "steps": clock.twin_steps,
            "turns": formatted(clock.twin_turns, 0),
            "most": clock.unique_hands[-1],
            "fastest": clock.degrees_per_token[0],
            "ratio": whole_or_two(clock.ratio),
        }

    def watch(self) -> None:
        self.bank = self._bank().set_to(Watch.degrees(TIME + RUN))
        dials, watch = self.bank.dials, Watch([self.theme.pair(i) for i in range(3)]).show_time(TIME)
        self.stage.place(watch)
        self.heading = self.title()
        self.add(self.heading, watch)
        self.play(running(watch, TIME, RUN), run_time=2.4)
        keys = zip(("second", "minute", "hour", "slower"), dials, strict=False)
        names = [self.label(key, SMALL, dial.color_of_hand) for key, dial in keys]
        with self.gliding():
            self.stage.column(grid(*map(column, dials, names)), watch)
        self.enter(*(part for dial in dials for part in dial if part is not dial.hand), lag=0.1)
        for dial, name in zip(dials, names, strict=True):
            self.perform(lifted(dial, watch), seconds=0.6)
            self.enter(name, seconds=0.3)
        self.add(self.bank)
        self.play(running(watch, TIME + RUN, RUN, self.bank), run_time=2.4)

    def hands(self) -> None:
        clock, bank = self.example.clock, self.bank
        self.seats = Seats(self.example.words, self.example.sizes.word_places, self.stage.width)
        keys = ("speed", *["next"] * (len(bank.dials) - 1))
        told = zip(keys, bank.dials, clock.degrees_per_token.entries(), strict=True)
        self.speeds = [self.label(key, SMALL, dial.color_of_hand, bold=True, angle=angle) for key, dial, angle in told]
        widest = clock.angles.row(clock.telling).entries()
        self.turned = [self.rolling("turned", SMALL, bold=True, angle=angle) for angle in widest]
        self.leave_all(self.heading, bank)
        self.play(bank.home(), run_time=0.8)
        with self.gliding():
            self._lay(map(column, self.speeds, bank.dials, self.turned))
        self.enter(self.seats, seconds=0.5)
        self.play(bank.go(1, self.seats, lambda _: bank.sweep(0)), run_time=1.4)
        radian, name = Radian(bank.dials[0]), over(self.label("radian", SMALL, bold=True), self.turned[0])
        self.radian = radian, name
        self.enter(radian, name, seconds=0.5)
        self.play(UpdateFromAlphaFunc(radian, lambda _, share: radian.bend(share)), run_time=1.2)
        self.enter(*self.speeds, lag=0.6, seconds=2.0)

    def tick(self) -> None:
        self._unshade(*self.radian)
        for i, line in enumerate(self.turned):
            self._bind(i, line)
        self._wind(1)
        self.enter(*self.turned, seconds=0.4)
        for stop in range(index(self.example.clock.telling) + 1):
            self.play(self.bank.go(stop, self.seats, self._wind), run_time=0.9)

    def _bind(self, hand: int, digits: TextLine) -> None:
        """Digits say where a hand stands, up to whole turns, and how far it came while the ring came to its seat."""
        dial, seats, bank = self.bank.dials[hand], self.seats, self.bank
        self.follow(digits, dial.hand, dial.drawn_at, turn=360)
        self.follow(digits, seats.ring, lambda: bank.degrees(hand, seats.ridden()))

    def _wind(self, position: float) -> None:
        """Trace how far each hand has turned, and say it."""
        self.bank.wind()
        for line, angle in zip(self.turned, self.bank.row(position).entries(), strict=True):
            line.change_to(angle)

    def read(self) -> None:
        row = self.example.clock.table.row(self.example.clock.telling)
        cells, readings = PairCells(row), []
        for i, dial in enumerate(self.bank.dials):
            two = slice(2 * i, 2 * i + 2)
            names = [self.label(key, SMALLEST, self.theme.muted) for key in ("sin", "cos")]
            ways = () if i else (self.label("right"), self.label("up"))
            readings.append(Reading(dial, row, i, cells.boxes[two], cells.numbers[two], names, ways))
        self._unshade(*self.speeds, *self.turned)
        with self.gliding():
            self._lay(readings)
        self.enter(*cells.boxes, *(name for reading in readings for name in reading.names), seconds=0.5)
        # The first hand is read alone.
        for some, pace in ((readings[:1], 1.0), (readings[1:], 1 / 2)):
            self._read(some, pace)

    def _read(self, readings: Sequence[Reading], pace: float) -> None:
        """How far right the tips of hands lie, and how far up, goes into their cells."""
        for part in (0, 1):
            for each in readings:
                each.dial.swept.add(each.guides[part])
            scales = (thing for each in readings for thing in (each.scales[part], *each.ways[part : part + 1]))
            self.enter(*scales, seconds=pace / 2)
            for lines, ends in (("guides", ""), ("bars", "dots"), ("links", "numbers")):
                self.perform(*(Draw(getattr(each, lines)[part]) for each in readings), seconds=pace / 2)
                self.enter(*(getattr(each, ends)[part] for each in readings if ends), seconds=pace / 3)

    def faster(self) -> None:
        positions, angles, bank = self.example.clock.run_positions, self.example.clock.run_angles, self.bank
        at = self.rolling("at", BODY, bold=True, at=formatted(positions.entry(-1, -1), grouped=True))
        # By itself: it went along with the seats.
        self.add(bank)
        self._unshade(*(thing for thing in self.mobjects if thing not in (self.heading, bank)))
        with self.gliding():
            self.stage.column(grid(*bank.dials), at)
        self.enter(at.change_to(positions[0, 0]), seconds=0.4)
        self.follow(at, bank, lambda: bank.reached(self.running))
        for stage in range(len(positions)):
            self.running = stage + 1
            bank.clear()
            # What turns too fast to be followed rests.
            self.rest(*bank.dials[:stage][-1:])
            self.play(bank.run(positions.row(stage), angles.row(stage), self.running, at), run_time=1.8)

    def shift(self) -> None:
        clock = self.example.clock
        banks = [self._bank().turn_to(index(start)) for start in clock.shift_starts.entries()]
        (upper, lower), cases = (bank.dials for bank in banks), [column(*self._case(case)) for case in (0, 1)]
        turns = zip(upper, clock.shift_angles.entries(), strict=True)
        angles = [self.label("turn", BODY, dial.color_of_hand, bold=True, angle=angle) for dial, angle in turns]
        self.leave_all(self.heading)
        if is_upright():
            rows = table((None, *upper), (None, *angles), (None, *lower), apart=APART)
            self.stage.column(cases[0], rows, cases[1])
        else:
            self.stage.table((cases[0], *upper), (None, *angles), (cases[1], *lower), apart=APART)
        for bank, case in zip(banks, cases, strict=True):
            self.enter(bank, *case.things(), seconds=0.6)
        self.play(turning(banks, index(clock.shift), clock.shift_angles), run_time=2.6)
        self.enter(*angles, *map(joined, upper, angles, lower))

    def unique(self) -> None:
        panels = [self._panel(case) for case in range(len(self.example.clock.unique_hands))]
        closest = self.paragraph("closest", upright=2)
        self.leave_all(self.heading)
        self.veil(*(panel.facts for panel in panels))
        self.stage.column(closest, along(*panels))
        self.enter(closest, *panels, lag=0.2, seconds=1.4)
        for panel in panels:
            self.enter(*panel.box.others(), seconds=0.6)
            self.unveil(panel, panel.facts, seconds=0.6)

    # Parts

    def _bank(self) -> DialBank:
        return DialBank(self.example.clock.angles, self.example.clock.between)

    def _lay(self, columns: Any) -> None:
        """The dials, each in the middle of its own column, over the words."""
        self.stage.column(grid(*columns), self.seats)

    def _unshade(self, *gone: Mobject) -> None:
        """Take away what the hands have swept, and other things with it."""
        self.play(*self.bank.unshade(), *map(FadeOut, gone), run_time=0.5)
        self.bank.clear()

    def _case(self, case: int) -> Sequence[TextLine]:
        """From which position to which, and whether the sentence goes that far."""
        lines = [self.label(("step_first", "step_second")[case], BODY, bold=True)]
        if index(self.example.clock.shift_ends[case]) >= len(self.example.words):
            lines.append(self.label("beyond", SMALLEST, self.theme.muted))
        return lines

    def _panel(self, case: int) -> Comparison:
        clock = self.example.clock
        distance = formatted(clock.unique_distances[case], places_for(clock.unique_distances))
        title = self.label("hands", SMALL, bold=True, count=clock.unique_hands[case])
        name = self.label("distance", SMALL, self.theme.muted)
        return Comparison(title, clock.unique_angles[case], clock.unique_pairs.row(case), distance, name)
