"""The positional encoding as a bank of clock hands: one dial for each pair of sine and cosine."""

from collections.abc import Callable, Mapping
from typing import Any

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Circle,
    Create,
    CubicBezier,
    CurvedArrow,
    FadeIn,
    FadeOut,
    LaggedStart,
    ReplacementTransform,
    TransformFromCopy,
    UpdateFromAlphaFunc,
    VGroup,
    linear,
    smooth,
)

from mathcore.named import Entry
from scenes.kit.clockwork import DialBank, Watch, projections
from scenes.kit.encoding import Bar, PairCells, Seats, path
from scenes.kit.figures import Dial
from scenes.kit.lesson import Lesson, SlotValue
from scenes.kit.text import BODY, SMALL, SMALLEST, Number, Shown, TextLine, places_for

# Heights of the rows: speeds, dials, angles, cells of the vector, their names, words.
SPEEDS, DIALS, ANGLES, CELLS, NAMES, WORDS = 2.6, 1.32, 0.0, -0.85, -1.28, -2.2
RADIUS = 1.03
# The two banks of the shift, and the three of the comparison.
UPPER, LOWER, BANKS = 1.85, -1.5, (1.95, 0.15, -1.65)
# The room of the dials; left of it stand the names of the rows.
LEFT_EDGE, RIGHT_EDGE = -5.35, 6.71
# Nine minutes past ten, when the hands of a watch stand well apart, and how many seconds it then runs.
TIME, RUN = 36540.0, 40.0
# Where the dials pause after running along with the watch.
PAUSE = 9


class Clock(Lesson):
    """From a watch to dials, from dials to the vector, to shifts as rotations."""

    beats = ("watch", "hands", "tick", "read", "shift", "unique")

    def slots(self) -> Mapping[str, SlotValue]:
        clock = self.example.clock
        seat, ratio = clock.telling.entry(), clock.ratio.entry()
        whole = {
            "seat": seat,
            "shift": clock.shift.entry(),
            "first_start": clock.shift_starts.entry(0),
            "second_start": clock.shift_starts.entry(1),
            "first_end": clock.shift_ends.entry(0),
            "second_end": clock.shift_ends.entry(1),
            "positions": clock.unique_positions.entry(),
        }
        return {
            "fastest": Shown(clock.degrees_per_token.entry(0)),
            "ratio": Shown(ratio, 2 if abs(ratio.value - round(ratio.value)) > 1e-6 else 0),
            "word": self.token(int(seat.value)),
            **{name: Shown(entry, 0) for name, entry in whole.items()},
        }

    def watch(self) -> None:
        self.n, middle = self.example.d_model // 2, (LEFT_EDGE + RIGHT_EDGE) / 2
        self.pitch = min((RIGHT_EDGE - LEFT_EDGE) / self.n, 4.2)
        self.columns = [middle + self.pitch * (i - (self.n - 1) / 2) for i in range(self.n)]
        self.bank = self._bank(DIALS, RADIUS)
        # What else moves with the position, and how.
        self.moving: list[Any] = [self.bank]
        self.followers: list[Callable[[float], Any]] = [self.bank.turn_to]
        colours = [self.theme.pair(i) for i in range(3)]
        large, small = Watch(2.3, colours).move_to((0, 0.15, 0)), Watch(0.86, colours).move_to((middle, -1.53, 0))
        self.small = small.show_time(TIME + RUN)
        self.add(self.title(), large.show_time(TIME))
        self.play(_running(large, TIME), run_time=2.6)
        dials = self.bank.dials
        faces = [VGroup(*(part for part in dial if part is not dial.hand)) for dial in dials]
        self.play(ReplacementTransform(large, small), *(FadeIn(face, scale=0.6) for face in faces), run_time=1.2)
        self.play(
            *(TransformFromCopy(hand, dial.hand.stick) for hand, dial in zip(small.hands, dials, strict=False)),
            *(FadeIn(dial.hand.stick) for dial in dials[len(small.hands) :]),
            *(FadeIn(dial.hand.tip) for dial in dials),
            run_time=1.2,
        )
        self.add(self.bank)
        self._name_dials(middle)
        self.play(_running(small, TIME + RUN), self._go(PAUSE, linear), run_time=3)

    def _name_dials(self, middle: float) -> None:
        """Say below each dial which hand of the watch it is like, and lead to it from the watch."""
        self.links = VGroup()
        for i, key in zip(range(self.n), ("second", "minute", "hour", "slower"), strict=False):
            colour = self.theme.pair(i)
            link = VGroup(self.label(key, SMALL, colour, width=self.pitch - 0.2).move_to((self.columns[i], ANGLES, 0)))
            if key != "slower":
                start = self.small.rim.point_at_angle(1.5708 - 0.15 * (self.columns[i] - middle))
                end = link.get_bottom() + DOWN * 0.05
                link.add(CubicBezier(start, start + UP * 0.24, end + DOWN * 0.3, end, color=colour, stroke_width=4))
            self.links.add(link)
        self.play(LaggedStart(*(FadeIn(link) for link in self.links), lag_ratio=0.2), run_time=1.2)

    def hands(self) -> None:
        self.seats = Seats(self.example.words, self.example.sizes.word_places, 12.6, WORDS)
        self.play(FadeOut(self.small, self.links), self._go(0), run_time=1.0)
        self.play(FadeIn(self.seats, shift=UP * 0.2), FadeIn(self.seats.ring), run_time=0.8)
        self._follow(self.seats.ride, self.seats.ring)
        self.speeds = VGroup(self._row_name("speed", SPEEDS))
        for x, entry in zip(self.columns, self.example.clock.degrees_per_token.entries(), strict=True):
            self.speeds.add(self._degrees(entry, places_for(entry)).move_to((x, SPEEDS, 0)))
        self._follow(self._shade)
        self.play(self._go(1), FadeIn(self.speeds), run_time=1.8)
        self.followers.remove(self._shade)
        self.ratios = VGroup()
        for left, right in zip(self.bank.dials, self.bank.dials[1:], strict=False):
            ends = left.get_bottom() + DOWN * 0.12 + RIGHT * 0.2, right.get_bottom() + DOWN * 0.12 + LEFT * 0.2
            arrow = CurvedArrow(*ends, angle=0.7, stroke_width=4, color=self.theme.muted, tip_length=0.2)
            self.ratios.add(VGroup(arrow, self.label("ratio", BODY).next_to(arrow, DOWN, buff=0.08)))
        self.play(LaggedStart(*(FadeIn(r, shift=RIGHT * 0.2) for r in self.ratios), lag_ratio=0.4), run_time=1.6)

    def tick(self) -> None:
        self._unshade([self.bank], self.ratios)
        self.turned, self.tracks = VGroup(), VGroup(self._row_name("turned", ANGLES))
        for x in self.columns:
            self.tracks.add(Bar(*self._track(x, self.pitch - 0.5), self.theme.panel, width=16))
        self.reached = 1
        self._show_angles(1)
        self.play(FadeIn(self.tracks, self.turned), run_time=0.6)
        self._follow(self._show_angles, self.turned)
        last, seat = len(self.example.words) - 1, int(self.example.clock.telling.entry().value)
        for stop in range(last + 1):
            self.play(self._go(stop), run_time=0.75)
        if seat != last:
            self.play(self._go(seat), run_time=1.6)

    def read(self) -> None:
        clock, half = self.example.clock, self.pitch / 2
        row = clock.table.row(int(clock.telling.entry().value))
        self.cells = PairCells(row, half - 0.07, 0.5, pitches=(half, half))
        self.cells.move_to((sum(self.columns) / self.n, CELLS, 0))
        self.parts = VGroup(self._row_name("vector", CELLS, self.theme.text))
        for j, box in enumerate(self.cells.boxes):
            name = self.label("cos" if j % 2 else "sin", SMALLEST, self.theme.muted)
            self.parts.add(name.move_to((box.get_x(), NAMES, 0)))
        self.play(FadeOut(self.turned, self.tracks), FadeIn(self.parts, *self.cells.boxes), run_time=0.8)
        for i, dial in enumerate(self.bank.dials):
            # The first hand is read slowly, the others like it.
            pace = 1.0 if i == 0 else 0.45
            lines = projections(dial, row, i, self.cells.boxes[2 * i : 2 * i + 2], DIALS - RADIUS - 0.2)
            for (bar, line), number in zip(lines, self.cells.numbers[2 * i : 2 * i + 2], strict=True):
                self.play(Create(bar), run_time=0.5 * pace)
                self.play(Create(line, rate_func=linear), run_time=0.7 * pace)
                self.play(FadeIn(number, shift=DOWN * 0.15), run_time=0.35 * pace)
                self.parts.add(bar, line)

    def shift(self) -> None:
        clock = self.example.clock
        starts = [int(entry.value) for entry in clock.shift_starts.entries()]
        banks = [self._bank(y, 0.82).turn_to(start) for y, start in zip((UPPER, LOWER), starts, strict=True)]
        self.play(FadeOut(self.parts, self.cells, self.seats, self.seats.ring, self.speeds), run_time=0.6)
        self.play(ReplacementTransform(self.bank, banks[0]), TransformFromCopy(self.bank, banks[1]), run_time=1.2)
        steps = (("step_first", UPPER), ("step_second", LOWER))
        names = [self._row_name(key, y, self.theme.text) for key, y in steps]
        self.show(*names, seconds=0.6)
        span = int(clock.shift.entry().value)

        def move(_: object, share: float) -> None:
            for bank, start in zip(banks, starts, strict=True):
                bank.turn_to(start + span * share).sweep(start, clock.shift_angles if share == 1 else None)

        self.play(UpdateFromAlphaFunc(VGroup(*banks), move), run_time=3)
        self.banks, self.said = banks, VGroup(*names)
        self._say_angles(*banks)

    def _say_angles(self, upper: DialBank, lower: DialBank) -> None:
        """One number between the two dials of a column: the angle by which both hands turned."""
        middle = (UPPER + LOWER) / 2
        same = VGroup(self._row_name("same", middle))
        for i, (x, entry) in enumerate(zip(self.columns, self.example.clock.shift_angles.entries(), strict=True)):
            colour = self.theme.pair(i)
            number = self._degrees(entry, places_for(entry), BODY, colour).move_to((x, middle, 0))
            above = number.get_top() + UP * 0.04, upper.dials[i].get_bottom() + DOWN * 0.06
            below = number.get_bottom() + DOWN * 0.02, lower.dials[i].get_top() + UP * 0.06
            same.add(number, *(path(*ends, color=colour, width=4) for ends in (above, below)))
        self.show(same)
        self.said.add(same)

    def unique(self) -> None:
        clock = self.example.clock
        self._unshade(self.banks, self.said)
        rows = [self._compared(case, y) for case, y in enumerate(BANKS)]
        old = (self.banks[1].dials[:2], self.banks[0].dials)
        moved = [pair for dials, row in zip(old, rows[1:], strict=True) for pair in zip(dials, row, strict=False)]
        came = [new for _, new in moved]
        self.play(
            *(ReplacementTransform(before, after) for before, after in moved),
            *(FadeOut(dial) for dial in self.banks[1].dials[2:]),
            *(FadeIn(dial) for row in rows for dial in row if dial not in came),
            run_time=1.2,
        )
        for case, (y, count) in enumerate(zip(BANKS, clock.unique_hands.entries(), strict=True)):
            name = self.label("hands", SMALL, bold=True, count=Shown(count, 0)).move_to((self.stage.left, y, 0), LEFT)
            angles = clock.unique_angles[case].row(1).entries()
            others = [dial.second_hand(angle.value, angle) for dial, angle in zip(rows[case], angles, strict=True)]
            self.show(name, *others, self._collision(case, y), seconds=1.2, lag=0.2)

    def _compared(self, case: int, y: float) -> list[Dial]:
        """The dials of one bank, their hands at the first of the two seats that are most alike."""
        angles = self.example.clock.unique_angles[case].row(0).entries()
        return [
            Dial(self.theme.pair(i), 0.74).move_to((-4.1 + 1.62 * i, y, 0)).turn_to(angle.value, angle)
            for i, angle in enumerate(angles)
        ]

    def _collision(self, case: int, y: float) -> VGroup:
        """The two seats that are most alike, and the distance of their vectors as a bar."""
        clock, x = self.example.clock, 2.1
        signs = [Circle(radius=0.09, color=self.theme.text, fill_opacity=fill, stroke_width=4) for fill in (1, 0)]
        seats = VGroup(self.label("closest", SMALL, self.theme.muted))
        for sign, entry in zip(signs, clock.unique_pairs.row(case).entries(), strict=True):
            seats.add(sign, Number(entry, 0, SMALL))
        seats.arrange(RIGHT, buff=0.14).move_to((x, y + 0.32, 0), LEFT)
        distance = clock.unique_distances.entry(case)
        name = self.label("distance", SMALL, self.theme.muted).move_to((x, y - 0.28, 0), LEFT)
        start = name.get_right() + RIGHT * 0.2
        bar = Bar(start, start + RIGHT * max(0.02, 3.2 * distance.value), self.theme.text, distance, width=22)
        return VGroup(seats, name, bar, Number(distance, 5, BODY, bold=True).next_to(bar, RIGHT, buff=0.18))

    # Parts

    def _bank(self, y: float, radius: float) -> DialBank:
        clock = self.example.clock
        return DialBank(clock.degrees_per_token, clock.angles, self.columns, y, radius)

    def _go(self, stop: int, rate: Callable[[float], float] = smooth) -> UpdateFromAlphaFunc:
        """The hands turn to a position by their real angles, and everything that follows goes along."""
        start = self.bank.position

        def move(_: object, share: float) -> None:
            for follow in self.followers:
                follow(stop if share == 1 else start + (stop - start) * share)

        return UpdateFromAlphaFunc(VGroup(*self.moving), move, rate_func=rate)

    def _follow(self, follow: Callable[[float], Any], *moving: Any) -> None:
        self.followers.append(follow)
        self.moving += moving

    def _shade(self, _: float) -> None:
        self.bank.sweep(0)

    def _unshade(self, banks: list[DialBank], other: VGroup) -> None:
        """Take away what the hands have swept, and something else with it."""
        shades = [dial.swept for bank in banks for dial in bank.dials]
        self.play(*(shade.animate.set_opacity(0) for shade in shades), FadeOut(other), run_time=0.5)
        for shade in shades:
            shade.submobjects = []

    def _show_angles(self, position: float) -> None:
        """How far each hand has turned, unrolled into a bar; the number is that of the last seat reached."""
        angles, parts = self.example.clock.angles, VGroup()
        if abs(position - self.reached) >= 1:
            self.reached += int(position - self.reached)
        whole = position == self.reached
        scale = (self.pitch - 0.5) / angles.entry(len(self.example.words) - 1, 0).value
        for dial, x, angle in zip(self.bank.dials, self.columns, angles.row(self.reached).entries(), strict=True):
            ends = self._track(x, max(0.02, dial.degrees * scale))
            parts.add(Bar(*ends, dial.color_of_hand, *([angle] if whole else []), width=16))
            parts.add(self._degrees(angle, 2, BODY).move_to((x, ANGLES, 0)))
        self.turned.submobjects = [*parts]

    def _track(self, x: float, length: float) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        left, y = x - (self.pitch - 0.5) / 2, ANGLES - 0.42
        return (left, y, 0), (left + length, y, 0)

    def _degrees(self, entry: Entry, places: int, size: float = SMALL, color: str | None = None) -> TextLine:
        return self.label("degrees", size, color, bold=True, angle=Shown(entry, places))

    def _row_name(self, key: str, y: float, color: str | None = None) -> TextLine:
        right = self.columns[0] - self.pitch / 2 - 0.12
        name = self.label(key, SMALL, color or self.theme.muted, bold=color is not None, width=right - self.stage.left)
        return name.move_to((right - name.width / 2, y, 0))


def _running(watch: Watch, start: float) -> UpdateFromAlphaFunc:
    """The watch runs from a time, as real watches do."""
    return UpdateFromAlphaFunc(watch, lambda _, share: watch.show_time(start + RUN * share), rate_func=linear)
