"""The flashlight and the searchlights: one averaged pattern of attention against a pattern for each head."""

from collections.abc import Mapping
from typing import NamedTuple

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Create,
    FadeIn,
    FadeOut,
    GrowFromEdge,
    LaggedStart,
    ReplacementTransform,
    Restore,
    Transform,
    TransformFromCopy,
    VGroup,
    linear,
)

from mathcore.named import Entry, Named
from scenes.kit.figures import Flashlight, Prism, connector
from scenes.kit.formula import formula
from scenes.kit.grid import CellMap, Grid
from scenes.kit.layout import left_of
from scenes.kit.lesson import DIMMED, Lesson, SlotValue
from scenes.kit.text import BODY, SMALL, SMALLEST, Shown, TextLine
from scenes.kit.theatre import Curtains, Rays, Shine, SpeechBubble, Spotlight, Theatre, edge, legible, night
from scenes.kit.theme import text_on
from scenes.kit.tokens import TokenRow

# Room beside the cards, for the rows' names and their sums.
SIDE = 1.4
GAP = 0.08
# From the cards' feet to the first row of numbers, over the boards' edge.
BELOW_FLOOR = 0.24
TORCH = (0.0, 1.75, 0.0)


class Light(NamedTuple):
    """What a lamp shows: weights (n, n), the sum of each of its rows, its name's label and number, its colour."""

    weights: Named
    sums: Named
    label: str
    number: Entry
    colour: int


class Searchlights(Lesson):
    """Light one word's attention with a flashlight, then with a lamp a head, and mix the lamps' reports."""

    beats = ("dark", "flashlight", "lamps", "overlap", "mixed")

    def lights(self) -> tuple[Light, ...]:
        """The heads to draw, a lamp each."""
        sums, numbers = self.example.weight_sums, self.example.sizes.head_numbers
        return tuple(
            Light(head.weights, sums.row(i), "head", numbers.entry(i), i) for i, head in enumerate(self.example.heads)
        )

    def slots(self) -> Mapping[str, SlotValue]:
        best = max(self.lights(), key=lambda light: self._peak(light).value)
        favourite = self._peak(best).index[-1]
        return {
            "word": self.token(self.example.focus),
            "favourite": self.token(favourite),
            "peak": Shown(self._peak(best)),
            "washed": Shown(self.example.mean_weights.entry(self.example.focus, favourite)),
            "sum": Shown(best.sums.entry(self.example.focus)),
            "d_head": Shown(self.example.sizes.d_head.entry(), 0),
        }

    def dark(self) -> None:
        floor = self._floor(1)
        self.house, self.curtains = Theatre(self.stage, floor), Curtains(self.stage, floor, 0.6)
        with night():
            self.unlit, words = self.theme.panel, self.example.words
            tokens = TokenRow(words, self.stage.width - 2 * SIDE, height=0.6, size=SMALL, gap=GAP, fill=self.unlit,
                              color=self.theme.muted)  # fmt: skip
            tokens.shift(UP * (floor - tokens.get_bottom()[1]))
            self.cards, self.names = VGroup(*tokens.cards), VGroup(*tokens.labels)
            asker = self.cards[self.example.focus]
            self.mark = asker.copy().set_fill(opacity=0).set_stroke(self.theme.query, 5)
            question = self.label("asks", BODY, self.theme.query)
            self.bubble = SpeechBubble(question, asker, self.stage.part(0.07, 0.93), self.theme.query)
            self.badge = self.bubble.shrunk(self.label("asker", SMALLEST, self.theme.background, bold=True))
        self.add(self.title("illustrative"), self.house, self.cards)
        self.add_foreground_mobjects(self.names, self.curtains)
        self.wait(0.6)
        self.play(Transform(self.curtains, Curtains(self.stage, floor)), run_time=2)
        bright = self.names[self.example.focus].animate.set_color(text_on(self.unlit))
        self.play(Create(self.mark), bright, run_time=0.8)
        self.play(FadeIn(self.bubble, shift=UP * 0.2))

    def flashlight(self) -> None:
        mean = self.example.mean_weights.row(self.example.focus)
        self.mean = self._weight_row(mean, self.theme.glow, 0, 1)
        self.mean_name = left_of(self.label("averaged"), self.mean)
        with night():
            glow = self.theme.glow
            self.torch, *aims = (Flashlight(TORCH, card.get_top(), glow) for card in (self.cards[0], *self.cards))
            rest = Flashlight(TORCH, (0, 0, 0), glow)
            self.shine = Shine(sum(rest.mouth) / len(rest.mouth), self.cards, mean, glow)
        self.add_foreground_mobjects(self.torch, self.mark, self.curtains)
        arrive = FadeIn(self.torch, shift=DOWN * 0.6)
        self.play(ReplacementTransform(self.bubble, self.badge), arrive, FadeIn(self.mean_name), run_time=0.8)
        self.add_foreground_mobjects(self.badge)
        for j, (aim, beam) in enumerate(zip(aims, self.shine.beams, strict=True)):
            turn = Transform(self.torch, aim, rate_func=linear)
            self.play(turn, FadeIn(beam), FadeIn(self.mean.cell(0, j), shift=DOWN * 0.15), run_time=0.45)
        self.play(Transform(self.torch, rest), *legible(self.names, self.unlit, self.shine), run_time=0.8)

    def lamps(self) -> None:
        self._make_room()
        lights = self.lights()
        self.spots = [self._spot(i, min(3.0, 9.0 / len(lights))) for i in range(len(lights))]
        self.shines, self.rows, self.row_names = [], [], []
        for i, (light, spot) in enumerate(zip(lights, self.spots, strict=True)):
            weights, hue = light.weights.row(self.example.focus), self.theme.head(light.colour)
            self.shines.append(Shine(spot.source, self.cards, weights, hue))
            self.rows.append(self._weight_row(weights, hue, i, len(lights) + 1))
            self.row_names.append(left_of(self._name(light, SMALL, 1.2), self.rows[-1]))
        for i, (spot, shine, row) in enumerate(zip(self.spots, self.shines, self.rows, strict=True)):
            self.add_foreground_mobjects(spot, self.curtains)
            rest = [earlier.animate.fade(1 - DIMMED) for earlier in self.shines[:i][-1:]]
            self.play(FadeIn(spot, shift=DOWN * 0.3), *rest, run_time=0.5)
            shine.save_state()
            cells = LaggedStart(
                *(FadeIn(row.cell(0, j), shift=DOWN * 0.25) for j in range(row.n_columns)), lag_ratio=0.2
            )
            self.play(FadeIn(shine, self.row_names[i]), cells, *legible(self.names, self.unlit, shine), run_time=1.4)
        together = [Restore(shine) for shine in self.shines[:-1]]
        self.play(*together, *legible(self.names, self.unlit, *self.shines), run_time=0.8)

    def overlap(self) -> None:
        lights = self.lights()
        colors = [*(self.theme.head_word(light.colour) for light in lights), self.theme.text]
        sums = [*(light.sums for light in lights), self.example.mean_sums]
        self.sums = []
        for row, total, color in zip([*self.rows, self.mean], sums, colors, strict=True):
            line = self.label("total", SMALL, color, total=Shown(total.entry(self.example.focus)))
            self.sums.append(line.next_to(row, RIGHT, buff=0.2))
        self.play(LaggedStart(*(FadeIn(s, shift=RIGHT * 0.5) for s in self.sums[:-1]), lag_ratio=0.4), run_time=1.6)
        best = [self._peak(light).index[-1] for light in lights]
        rings = [row.outline(row.boxes[0][j], buff=0.0) for row, j in zip(self.rows, best, strict=True)]
        rest = [n for row, j in zip(self.rows, best, strict=True) for n in row.numbers[0] if n is not row.numbers[0][j]]
        self.play(LaggedStart(*(Create(ring) for ring in rings), lag_ratio=0.4), *self.dim(*rest), run_time=1.6)
        same = sorted(set(best))
        bright = [m.animate.set_opacity(1) for m in (self.mean_name, *self.mean.boxes[0])]
        for j in same:
            fill = self.mean.boxes[0][j].get_fill_color().to_hex()
            bright.append(self.mean.numbers[0][j].animate.set_fill(text_on(fill), opacity=1))
        self.play(*bright, FadeIn(self.sums[-1]), run_time=0.8)
        washed = [self.mean.outline(self.mean.boxes[0][j], buff=0.0) for j in same]
        falls = (TransformFromCopy(rings[best.index(j)], ring) for j, ring in zip(same, washed, strict=True))
        self.play(LaggedStart(*falls, lag_ratio=0.3), run_time=1.4)
        self.rings = [*rings, *washed]

    def mixed(self) -> None:
        reports = self._reports()
        with night():
            joined, prism, matrix = VGroup(*reports), Prism(1.5).move_to((0, -0.5, 0)), self._matrix()
            out = self._cells(self.example.attention.output.row(self.example.focus), self.theme.glow)
            out.move_to((0, -1.95, 0))
            named = (("joined", joined), ("prism", prism), ("mixed", out))
            names = [left_of(self.label(key, SMALL, width=1.6), part) for key, part in named]
            tie = connector(prism.get_right() + LEFT * 0.2, matrix[0].get_left() + LEFT * 0.1)
            into = [Rays(edge(r, DOWN), (-0.1, 0.1, -0.3), str(r.hue), 0.5) for r in reports]
            fan = Rays((-0.5, 0.5, -1.1), edge(out, UP), self.theme.glow, 0.4)
        self.add_foreground_mobjects(prism)
        self.play(FadeIn(*names[:2], prism), Create(tie), FadeIn(matrix, shift=LEFT * 0.2), run_time=0.8)
        self.play(LaggedStart(*(GrowFromEdge(ray, UP) for ray in into), lag_ratio=0.2), run_time=1.2)
        cells = LaggedStart(*(FadeIn(out.cell(0, j), shift=DOWN * 0.2) for j in range(out.n_columns)), lag_ratio=0.15)
        self.play(GrowFromEdge(fan, UP), FadeIn(names[2]), cells, run_time=1.5)

    # Parts

    def _peak(self, light: Light) -> Entry:
        """The largest weight in the asking word's row."""
        return max(light.weights.row(self.example.focus).entries(), key=lambda entry: entry.value)

    def _row_height(self, rows: int) -> float:
        return min(0.44, 1.9 / rows)

    def _floor(self, rows: int) -> float:
        """The height of the cards' feet when `rows` rows of numbers stand below them."""
        return self.stage.bottom + rows * self._row_height(rows) + BELOW_FLOOR

    def _weight_row(self, weights: Named, hue: str, place: int, rows: int) -> Grid:
        """A row of weights, each cell under the card that it lights."""
        height = self._row_height(rows)
        grid = Grid(weights, 2, cell=(self.cards[0].width + GAP, height), fill="weight", hue=hue, gap=GAP)
        return grid.move_to((self.stage.centre[0], self._floor(rows) - BELOW_FLOOR - (place + 0.5) * height, 0))

    def _name(self, light: Light, size: float, width: float) -> TextLine:
        color = self.theme.head_word(light.colour)
        return self.label(light.label, size, color, width=width, number=Shown(light.number, 0))

    def _make_room(self) -> None:
        """The flashlight goes; the cards rise, and the averaged row moves down, dimmed, to be compared later."""
        rows = len(self.lights()) + 1
        rise = UP * (self._floor(rows) - self._floor(1))
        house, curtains = Theatre(self.stage, self._floor(rows)), Curtains(self.stage, self._floor(rows))
        with night():
            muted = [name.animate.set_color(self.theme.muted) for name in self.names]
        mean = self._weight_row(self.example.mean_weights.row(self.example.focus), self.theme.glow, rows - 1, rows)
        # Dark digits would be lost on a dimmed cell.
        VGroup(*mean.numbers[0]).set_fill(self.theme.text)
        name = left_of(self.mean_name.copy(), mean)
        self.play(FadeOut(self.shine), FadeOut(self.torch, shift=UP * 0.6), *muted, run_time=0.6)
        self.play(
            Transform(self.house, house), Transform(self.curtains, curtains),
            *(m.animate.shift(rise) for m in (self.cards, self.names, self.mark, self.badge)),
            Transform(self.mean, mean.set_opacity(DIMMED)), Transform(self.mean_name, name.set_opacity(DIMMED)),
            run_time=1.2,
        )  # fmt: skip

    def _spot(self, i: int, apart: float, *, down: bool = False) -> Spotlight:
        """Lamp i, `apart` from its neighbours, pointed at its favourite word, or straight `down`."""
        light = self.lights()[i]
        x = (i - (len(self.lights()) - 1) / 2) * apart
        with night():
            target = (x, 0, 0) if down else self.cards[self._peak(light).index[-1]].get_top()
            return Spotlight(self.house, x, target, self.theme.head(light.colour), self._name(light, SMALLEST, 2.4))

    def _cells(self, numbers: Named, hue: str) -> Grid:
        return Grid(numbers, 2, cell=(min(1.0, 8.0 / self.example.d_model), 0.5), hue=hue)

    def _matrix(self) -> VGroup:
        """W_O for the prism's side, each head's rows in its colour, and its symbol."""
        d_head = self.example.d_model // self.example.n_heads
        owners = [self.theme.head(j // d_head) for j in range(self.example.d_model)]
        cells = CellMap(self.example.attention.w_o, (0.22, 1.36 / len(owners)), owners, by_row=True).move_to(
            (3.6, -0.5, 0)
        )
        return VGroup(cells, formula("W_O", 44).next_to(cells, RIGHT, buff=0.2))

    def _reports(self) -> list[Grid]:
        """The sentence goes; each lamp turns down and shows its report; then the reports slide side by side."""
        floor, focus, heads = self.stage.bottom + 0.16, self.example.focus, self.example.heads
        house, curtains = Theatre(self.stage, floor), Curtains(self.stage, floor)
        with night():
            reports = [self._cells(head.output.row(focus), self.theme.head(i)) for i, head in enumerate(heads)]
        gone = [*self.shines, *self.rows, *self.row_names, *self.sums, *self.rings, self.mean, self.mean_name]
        self.play(*(FadeOut(m) for m in (*gone, self.cards, self.names, self.mark, self.badge)), run_time=0.7)
        share, apart = reports[0].cell_width * reports[0].n_columns, 0.35
        turned = [self._spot(i, share + apart, down=True) for i in range(len(reports))]
        turns = [Transform(spot, new) for spot, new in zip(self.spots, turned, strict=True)]
        self.play(Transform(self.house, house), Transform(self.curtains, curtains), *turns, run_time=1.2)
        groups = []
        for spot, new, report in zip(self.spots, turned, reports, strict=True):
            x, y = float(new.source[0]), float(new.source[1])
            report.move_to((x, 0.95, 0))
            groups.append(VGroup(spot, Rays((x - 0.25, x + 0.25, y), edge(report, UP), str(report.hue), 0.45), report))
        shown = [FadeIn(report, shift=DOWN * 0.2) for report in reports]
        self.play(*(GrowFromEdge(group[1], UP) for group in groups), *shown, run_time=1)
        moves = [((len(groups) - 1) / 2 - i) * apart for i in range(len(groups))]
        self.play(*(g.animate.shift(RIGHT * move) for g, move in zip(groups, moves, strict=True)), run_time=1)
        return reports
