"""The flashlight and the searchlights: one averaged pattern of attention against a pattern for each trained head.

The lamps are heads of MiniLM-L6, chosen and measured by `mathcore.trained`. They sit in different layers, so that no
output matrix joins them: what mixing does is shown with the heads of the worked example.
"""

from collections.abc import Mapping

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    FadeIn,
    FadeOut,
    GrowFromEdge,
    LaggedStart,
    Restore,
    Transform,
    VGroup,
    linear,
)

from mathcore.named import Entry, NamedArray
from mathcore.trained.heads import LAMPS, TrainedHeads
from scenes.cast.theatre import (
    Curtains,
    Pit,
    Prism,
    Rays,
    Shine,
    SpeechBubble,
    Spotlight,
    Theatre,
    legible,
    legible_cells,
    night,
    subdued,
)
from scenes.kit.figures import Flashlight, connector
from scenes.kit.formula import formula
from scenes.kit.grid import CellMap, Grid, Strip
from scenes.kit.layout import beside
from scenes.kit.lesson import DIMMED, Lesson
from scenes.kit.lines import SlotValue
from scenes.kit.motion import Draw
from scenes.kit.text import BODY, SMALL, SMALLEST, TextLine
from scenes.kit.tokens import TokenRow
from scenes.kit.values import formatted

# Room beside the cards, for the rows' names and their sums.
SIDE = 1.8
NAME_WIDTH = 1.6
# The labels of the lamps, in the order of the trained heads.
ROLES = LAMPS
GAP = 0.08


class Searchlights(Lesson):
    """Light one word's attention with a flashlight, then with a lamp a head, and mix the lamps' reports."""

    beats = ("dark", "flashlight", "lamps", "overlap", "mixed")
    formats = ("landscape",)

    @property
    def heads(self) -> TrainedHeads:
        """The trained heads at work on the sentence."""
        return self.example.trained.sentence

    def slots(self) -> Mapping[str, SlotValue]:
        heads = self.heads
        peaks = [self._peak(i) for i in range(len(ROLES))]
        best = max(range(len(peaks)), key=lambda i: peaks[i].value)
        favourite = peaks[best].index[-1]
        scores, roles = self.example.trained.scores, zip(ROLES, (getattr(heads, role) for role in ROLES), strict=True)
        return {
            # What each lamp's head does on other sentences.
            **{role: head.held_out for role, head in roles},
            "all_heads": scores.all_heads,
            "lamps": scores.lamp_heads,
            "layers": scores.lamp_layers,
            "word": heads.tokens[heads.query],
            "favourite": heads.tokens[favourite],
            "peak": peaks[best],
            "washed": heads.flashlight[heads.query, favourite],
            "sum": formatted(heads.lamp_sums[best, heads.query], 0),
            "example_word": self.token(self.example.focus),
        }

    def dark(self) -> None:
        self.pit = Pit(self.stage, GAP)
        self.house, self.curtains = self._house(self.pit.floor(1))
        with night():
            self.unlit = self.theme.panel
            tokens = TokenRow(self.heads.tokens, self.stage.width - 2 * SIDE, height=0.6, size=SMALL, gap=GAP)
            tokens.shift(UP * (self.pit.floor(1) - tokens.get_bottom()[1]))
            self.cards, self.names = VGroup(*tokens.cards), VGroup(*tokens.labels)
            asker = self.cards[self.heads.query]
            self.mark = asker.copy().set_fill(opacity=0).set_stroke(self.theme.query, 5)
            question = self.label("asks", BODY, self.theme.query)
            self.bubble = SpeechBubble(question, asker, self.stage.part(0.07, 0.93), self.theme.query)
            self.badge = self.bubble.shrunk(self.label("asker", SMALLEST, self.theme.background, bold=True))
            self.spots = [self._spot(i, lit=False, down=True) for i in range(len(ROLES))]
        self.heading = self.title("trained")
        self.add(self.heading, self.house, self.house.day, self.cards)
        self.add_foreground_mobjects(*self.spots, self.names, self.curtains)
        self.wait(0.8)
        darker = self.cards.animate.set_fill(self.unlit)
        self.play(FadeOut(self.house.day), darker, legible(self.names, self.cards), run_time=1.6)
        self.play(Draw(self.mark), run_time=0.8)
        self.play(FadeIn(self.bubble, shift=UP * 0.2))

    def flashlight(self) -> None:
        mean = self.heads.flashlight.row(self.heads.query)
        self.mean = self.pit.row(mean, self.cards, self.theme.glow, 0, 1)
        self.mean_name = self._mean_name(self.mean)
        # Beside the lamp in the middle, if there is one.
        x = 0.0 if len(ROLES) % 2 == 0 else self._apart() / 2
        with night():
            glow = self.theme.glow
            targets = [(x, 0.0, 0.0), *(card.get_top() for card in self.cards)]
            rest, *aims = (Flashlight((x, 1.75, 0.0), target, glow) for target in targets)
            self.torch = aims[0].copy()
            self.shine = Shine(sum(rest.mouth) / len(rest.mouth), self.cards, mean, glow)
        self.hide(self.bubble, seconds=0.4)
        self.add_foreground_mobjects(self.torch, self.mark, self.curtains)
        self.play(FadeIn(self.torch, shift=DOWN * 0.6), FadeIn(self.badge, self.mean_name), run_time=0.8)
        self.add_foreground_mobjects(self.badge)
        for j, (aim, beam) in enumerate(zip(aims, self.shine.beams, strict=True)):
            turn = Transform(self.torch, aim, rate_func=linear)
            cell = FadeIn(self.mean.cell(0, j), shift=DOWN * 0.1)
            words = legible(self.names, self.cards, self.shine, first=j + 1)
            self.play(turn, FadeIn(beam), cell, words, run_time=0.45)
        self.play(Transform(self.torch, rest), run_time=0.8)

    def lamps(self) -> None:
        self._make_room()
        n_heads = len(ROLES)
        self.shines, self.rows, self.row_names = [], [], []
        for i in range(n_heads):
            lit, hue = self._spot(i), self.theme.head(i)
            self.shines.append(Shine(lit.source, self.cards, self._weights(i), hue))
            self.rows.append(self.pit.row(self._weights(i), self.cards, hue, i, n_heads + 1))
            self.row_names.append(beside(self._name(i, SMALL, NAME_WIDTH), self.rows[-1], "left", 0.2))
            rest = [earlier.animate.fade(1 - DIMMED) for earlier in self.shines[:-1][-1:]]
            words = legible(self.names, self.cards, *self.shines[:-1])
            self.play(Transform(self.spots[i], lit), *rest, words, run_time=0.6)
            self.shines[i].save_state()
            cells = LaggedStart(
                *(FadeIn(self.rows[i].cell(0, j), shift=DOWN * 0.06) for j in range(len(self.cards))), lag_ratio=0.2
            )
            words = legible(self.names, self.cards, *self.shines)
            self.play(FadeIn(self.shines[i], self.row_names[i]), cells, words, run_time=1.4)
        together = [Restore(shine) for shine in self.shines[:-1]]
        self.play(*together, legible(self.names, self.cards, *self.shines), run_time=0.8)

    def overlap(self) -> None:
        theme, n_heads, heads = self.theme, len(ROLES), self.heads
        sums = [heads.lamp_sums.entry(i, heads.query) for i in range(n_heads)]
        colors = [*(theme.head_word(i) for i in range(n_heads)), theme.text]
        self.sums = []
        for row, total, color in zip(
            [*self.rows, self.mean], [*sums, heads.flashlight_sums.entry(heads.query)], colors, strict=True
        ):
            line = self.label("total", SMALL, color, total=total)
            self.sums.append(line.next_to(row, RIGHT, buff=0.2))
        shown = LaggedStart(*(FadeIn(s, shift=RIGHT * 0.5) for s in self.sums), lag_ratio=0.4)
        page = self.theme.background
        self.play(shown, Transform(self.mean, self._last_row()), legible_cells(self.mean, page), run_time=1.8)
        rings, quiet, below = [], [], []
        for i, row in enumerate(self.rows):
            best = self._strongest(row.named)
            for j, (box, number) in enumerate(zip(row.boxes[0], row.numbers[0], strict=True)):
                if j in best:
                    rings.append(row.outline(box, theme.text))
                    below.append(self.mean.outline(self.mean.boxes[0][j], theme.head(i)))
                else:
                    quiet.append(number.animate.set_color(subdued(box.get_fill_color().to_hex())))
        self.play(LaggedStart(*(Draw(ring) for ring in rings), lag_ratio=0.4), *quiet, run_time=1.6)
        self.play(LaggedStart(*(Draw(ring) for ring in below), lag_ratio=0.3), run_time=1.6)
        boxes = (self.mean.boxes[0][j] for j in self._strongest(self.mean.named))
        tops = [self.mean.outline(box, theme.text, 0.075) for box in boxes]
        self.play(*(Draw(ring) for ring in tops), run_time=0.6)
        self.rings = [*rings, *below, *tops]

    def mixed(self) -> None:
        reports = self._reports()
        with night():
            prism, matrix = Prism().move_to((1.1, -0.92, 0)), self._matrix()
            out = self._cells(self.example.attention.output.row(self.example.focus), self.theme.glow)
            out.move_to((0, -2.03, 0))
            frame = out.outline(out, self.theme.text, 0.02)
            names = [
                beside(self.label("prism", SMALL), prism, "left", 0.3),
                beside(self.label("mixed", SMALL), out, "left", 0.2),
            ]
            wire = connector(prism.get_right(), matrix[0].get_left() + LEFT * 0.1)
            coloured, white = prism.gather(reports, out)
        self.play(FadeIn(names[0], prism), Draw(wire), FadeIn(matrix, shift=LEFT * 0.2), run_time=0.8)
        self.play(LaggedStart(*(GrowFromEdge(ray, UP) for ray in coloured), lag_ratio=0.2), run_time=1.4)
        self.play(*(GrowFromEdge(ray, UP) for ray in white), run_time=0.6)
        cells = LaggedStart(*(FadeIn(out.cell(0, j)) for j in range(out.n_columns)), lag_ratio=0.1)
        self.play(FadeIn(names[1]), Draw(frame), cells, run_time=1.2)

    # Parts

    def _weights(self, i: int) -> NamedArray:
        """Lamp i's weights of the asking word."""
        return self.heads.lamps.row(i, self.heads.query)

    def _peak(self, i: int) -> Entry:
        return max(self._weights(i).entries(), key=lambda entry: entry.value)

    def _strongest(self, weights: NamedArray) -> list[int]:
        """Where the largest of a row of weights stands: at several places, if their digits do not tell them apart."""
        top = max(weights.entries(), key=lambda entry: entry.value)
        return [j for j, entry in enumerate(weights.entries()) if entry.text(2) == top.text(2)]

    def _house(self, floor: float) -> tuple[Theatre, Curtains]:
        return Theatre(self.stage, floor), Curtains(self.stage, floor)

    def _name(self, i: int, size: float, width: float) -> TextLine:
        return self.label(ROLES[i], size, self.theme.head_word(i), width=width)

    def _mean_name(self, row: Grid) -> VGroup:
        """The averaged row's name, and that it is rounded: averaging the digits above may give another last one."""
        name = self.label("averaged", SMALL, width=1.2)
        note = self.label("rounded", SMALLEST, self.theme.muted, width=1.2)
        lines = VGroup(name, note).arrange(DOWN, buff=-0.02, aligned_edge=RIGHT)
        return lines.next_to(row, LEFT, buff=0.2)

    def _last_row(self) -> Grid:
        n_heads = len(ROLES)
        return self.pit.row(self.mean.named, self.cards, self.theme.glow, n_heads, n_heads + 1)

    def _make_room(self) -> None:
        """The flashlight goes; the cards rise, and the averaged row moves down, to be compared later."""
        floor = self.pit.floor(len(ROLES) + 1)
        rise = UP * (floor - self.pit.floor(1))
        house, curtains = self._house(floor)
        mean = self._last_row()
        # Only the cells rest: the numbers stay to be read.
        VGroup(*mean.numbers[0]).set_fill(self.theme.text)
        VGroup(*mean.boxes[0]).set_opacity(DIMMED)
        words = legible(self.names, self.cards, self.shine)
        self.play(FadeOut(self.shine), FadeOut(self.torch, shift=UP * 0.6), words, run_time=0.6)
        self.play(
            Transform(self.house, house), Transform(self.curtains, curtains),
            *(m.animate.shift(rise) for m in (self.cards, self.names, self.mark, self.badge)),
            Transform(self.mean, mean), legible_cells(self.mean, self.theme.background),
            Transform(self.mean_name, self._mean_name(mean)),
            run_time=1.2,
        )  # fmt: skip

    def _apart(self) -> float:
        return min(3.0, 9.0 / len(ROLES))

    def _spot(self, i: int, *, down: bool = False, lit: bool = True) -> Spotlight:
        """Lamp i, pointed at its favourite word, or straight `down`."""
        x = (i - (len(ROLES) - 1) / 2) * self._apart()
        with night():
            target = (x, 0, 0) if down else self.cards[self._peak(i).index[-1]].get_top()
            return Spotlight(self.house, x, target, self.theme.head(i), self._name(i, SMALLEST, 2.4), lit=lit)

    def _example_spot(self, i: int, apart: float) -> Spotlight:
        """A lamp for head i of the worked example, pointed straight down."""
        x = (i - (self.example.n_heads - 1) / 2) * apart
        number = self.example.sizes.head_numbers[i]
        name = self.label("head", SMALLEST, self.theme.head_word(i), width=2.4, number=number)
        return Spotlight(self.house, x, (x, 0, 0), self.theme.head(i), name)

    def _cells(self, numbers: NamedArray, hue: str) -> Grid:
        return Grid(numbers, 2, cell=(0.8, 0.46), hue=hue)

    def _matrix(self) -> VGroup:
        """W_O for the prism's side, each head's rows in its colour, and its symbol."""
        d_model, n_heads = self.example.d_model, self.example.n_heads
        hues = [self.theme.head(j * n_heads // d_model) for j in range(d_model)]
        cells = CellMap(self.example.attention.w_o, (0.22, 1.36 / len(hues)), hues, by_row=True)
        cells.move_to((3.6, -0.92, 0))
        return VGroup(cells, formula("W_O", 44).next_to(cells, RIGHT, buff=0.2))

    def _clear(self) -> None:
        """The trained heads leave, and the note says that what follows is the worked example again."""
        house, curtains = self._house(self.stage.bottom + 0.16)
        note = self.label("illustrative", SMALL, self.theme.muted).move_to(self.heading[1])
        note.shift(RIGHT * (self.heading[1].get_right()[0] - note.get_right()[0]))
        gone = (self.cards, self.names, self.mark, self.badge, self.mean, self.mean_name, self.heading[1])
        rest = (*self.spots, *self.shines, *self.rows, *self.row_names, *self.sums, *self.rings)
        self.play(*(FadeOut(m) for m in (*gone, *rest)), run_time=0.7)
        self.play(Transform(self.house, house), Transform(self.curtains, curtains), FadeIn(note), run_time=1)

    def _reports(self) -> list[Grid]:
        """The worked example's word asks; below each lamp stand its weights, and what it makes of the values."""
        self._clear()
        focus, heads, apart = self.example.focus, range(self.example.n_heads), 0.1
        with night():
            reports = [self._cells(self.example.heads[i].output.row(focus), self.theme.head(i)) for i in heads]
            share = reports[0].width
            spots = [self._example_spot(i, share + apart) for i in heads]
            strips = []
            for i, (lamp, report) in enumerate(zip(spots, reports, strict=True)):
                report.move_to((lamp.source[0], 0.82, 0))
                strips.append(Strip(self.example.heads[i].weights.row(focus), share - 0.04, 0.26, self.theme.head(i)))
                strips[-1].next_to(report, UP, buff=0.24)
            label = beside(self.label("report", SMALL), reports[0], "left", 0.2)
            asker = TokenRow([self.token(focus)], 1.2, height=0.6, size=SMALL, fill=self.unlit, color=self.theme.text)
            mark = asker.cards[0].copy().set_fill(opacity=0).set_stroke(self.theme.query, 5)
            VGroup(asker, mark).next_to(strips[0], LEFT, buff=0.2)
            falls = [Rays.between(s, r, str(r.hue), 0.45) for s, r in zip(strips, reports, strict=True)]
        self.play(FadeIn(asker, mark), *(FadeIn(spot, shift=DOWN * 0.3) for spot in spots), run_time=0.8)
        self.play(*(FadeIn(strip) for strip in strips), run_time=0.6)
        shown = [FadeIn(report, shift=DOWN * 0.2) for report in reports]
        self.play(*(GrowFromEdge(fall, UP) for fall in falls), *shown, FadeIn(label), run_time=1.2)
        return reports
