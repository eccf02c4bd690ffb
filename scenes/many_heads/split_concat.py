"""Split and concatenate: the projections are split among the heads, and their outputs are joined and mixed."""

from collections.abc import Mapping

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Animation,
    Create,
    FadeIn,
    FadeOut,
    Group,
    GrowFromEdge,
    LaggedStart,
    ReplacementTransform,
    Transform,
    TransformFromCopy,
    VGroup,
    VMobject,
)

from scenes.kit.figures import connector
from scenes.kit.formula import formula
from scenes.kit.grid import CellMap, Grid, row_labels
from scenes.kit.heads import Bay, BudgetRow, Lane, arcs, block, bracket, cables, column_tags, columns, owners, row_tags
from scenes.kit.lesson import Lesson, SlotValue
from scenes.kit.text import BODY, SMALL, SMALLEST, UNIT_PX, Shown, TextLine
from scenes.kit.theatre import Rays, edge

# Room for the words before the rows, and for W_O between two matrices with numbers.
NAMES, MAP_WIDTH = 1.25, 1.76


class SplitConcat(Lesson):
    """Follow the matrices of multi-head attention from X to the output, then count its parameters."""

    beats = ("project", "split", "attend", "concat", "mix", "count")

    def slots(self) -> Mapping[str, SlotValue]:
        sizes, budget = self.example.sizes, self.example.budget
        return {
            "n": Shown(sizes.words.entry(), 0),
            "d_model": Shown(sizes.d_model.entry(), 0),
            "d_head": Shown(sizes.d_head.entry(), 0),
            "width": Shown(budget.d_model.entry(), 0),
            "many": Shown(budget.heads.entry(1), 0),
            "narrow": Shown(budget.d_heads.entry(1), 0),
            "total": Shown(budget.totals.entry(1), 0, grouped=True),
        }

    def project(self) -> None:
        attention, numbers = self.example.attention, self.example.sizes.head_numbers
        self.hues = owners(self.example.d_model, self.example.n_heads)
        size, em, high = self._fit(5.75, self.stage.width - NAMES - 3.9)
        self.x = Grid(attention.x, 1, size=size, cell=(min(2.6 * em, 0.8), high))
        self.q = Grid(attention.q, 2, size=size, cell=(min(3.15 * em, 0.95), high), hues=self.hues)
        w_q = CellMap(attention.w_q, (2 / self.example.d_model, 0.38), self.hues)
        times, equals = (TextLine(sign, BODY, self.theme.muted) for sign in "×=")
        VGroup(self.x, times, w_q, equals, self.q).arrange(RIGHT, buff=0.25).move_to((NAMES / 2, -0.6, 0))
        self.names = row_labels(self.x, self.example.words, NAMES)
        self.x_label, w_label, q_label = (
            self._under(key, part, symbol)
            for symbol, key, part in (("X", "tall", self.x), ("W_Q", "square", w_q), ("Q", "tall", self.q))
        )
        whole, tags, q_tags = bracket(self.x), column_tags(w_q, numbers), column_tags(self.q, numbers)
        reads = arcs(whole, tags, 1.35)
        self.heading, place = self.title("illustrative"), self.q.outline(self.q, self.theme.line, 0.05)
        self.add(self.heading, place, q_label, self.x, self.names, self.x_label, times, w_q, w_label, tags, equals)
        self.show(whole, seconds=0.6)
        for i, read in enumerate(reads):
            all_of_x = self.x.outline(self.x, self.theme.head(i)).set_fill(self.theme.head(i), 0.2)
            its_columns = columns(w_q, i, self.d_head)
            frame = self.x.outline(its_columns, self.theme.head(i))
            self.play(Create(read), ReplacementTransform(all_of_x, frame), run_time=0.9)
            boxes, digits = block(self.q, i, self.d_head)
            self.play(FadeOut(frame), TransformFromCopy(its_columns, boxes), FadeIn(digits, q_tags[i]), run_time=0.7)
            self.add(boxes, digits)
        self.leaving = [times, equals, w_q, w_label, tags, whole, reads, q_label, q_tags, place]

    def split(self) -> None:
        attention, n, theme = self.example.attention, len(self.example.words), self.theme
        left = self.stage.left + NAMES + self.x.width + 0.8
        high = min(4.1 - self.q.height, 0.3 * n)
        cell = ((self.q.cell_width - 0.2 / self.d_head) / 2, high / n)
        k, v = (CellMap(part, cell, self.hues) for part in (attention.k, attention.v))
        q = self.q.copy().move_to(((left + self.stage.right) / 2, self._middle(high / 2 + 0.1), 0))
        VGroup(k, v).arrange(RIGHT, buff=0.8).next_to(q, DOWN, buff=0.6)
        wholes = (("Q", q, theme.query), ("K", k, theme.key), ("V", v, theme.value))
        made = [
            formula(f"{letter} = X W_{letter}", BODY, color).next_to(p, UP, buff=0.1) for letter, p, color in wholes
        ]
        home = VGroup(self.x, self.names, self.x_label)
        to_home = RIGHT * (self.stage.left - home.get_left()[0]) + UP * (self._middle() - self.x.get_y())
        gone = [FadeOut(m) for m in self.leaving]
        self.play(*gone, home.animate.shift(to_home), self.q.animate.move_to(q), run_time=1.2)
        source = VGroup(*(box for row in self.x.boxes for box in row))
        self.play(TransformFromCopy(source, k), TransformFromCopy(source, v), *(FadeIn(m) for m in made), run_time=1.2)
        room = (self.stage.right - left) / self.example.n_heads
        self.bays = []
        for i in range(self.example.n_heads):
            parts = (block(self.q, i, self.d_head), columns(k, i, self.d_head), columns(v, i, self.d_head))
            self.bays.append(Bay(left + (i + 0.5) * room, room, parts, self._head_name(i), theme.head(i)))
        moves = [part.animate.shift(by) for bay in self.bays for part, by in zip(bay.parts, bay.moves, strict=True)]
        self.play(*moves, *(FadeOut(m) for m in made), run_time=1.6)
        letter = formula("Q", BODY, theme.query).next_to(self.bays[0].frame, LEFT, buff=0.15).set_y(self.q.get_y())
        self.play(*(FadeIn(bay) for bay in self.bays), FadeIn(letter), run_time=0.6)
        self.leaving = [letter, *(bay.letters for bay in self.bays)]
        self.x_frame = self.x.outline(self.x, buff=0.08)
        self.play(Create(self.x_frame), run_time=0.8)

    def attend(self) -> None:
        self.size, self.cell = self._pair_fit()
        room = min((self.stage.width - NAMES - 0.1) / self.example.n_heads - 0.15, 7.5)
        self.lanes = [
            Lane(head, self.theme.head(i), room, self._head_name(i), self.cell, self.size)
            for i, head in enumerate(self.example.heads)
        ]
        row = Group(*self.lanes).arrange(RIGHT, buff=0.15).move_to(self.stage.centre).shift(RIGHT * (NAMES + 0.1) / 2)
        names = row_labels(self.lanes[0].output, self.example.words, NAMES, size=SMALLEST)
        names.shift(RIGHT * (row.get_left()[0] - 0.14 - names.get_right()[0]))
        change: list[Animation] = [FadeOut(m) for m in (*self.leaving, self.x, self.x_label, self.x_frame)]
        for lane, bay in zip(self.lanes, self.bays, strict=True):
            # The panel has a fill, and belongs behind the maps.
            self.bring_to_back(bay.frame)
            (boxes, digits), k, v = bay.parts
            old, new = (bay.frame, bay.name_line, boxes, k, v), (lane.panel, lane.name_line, *lane.maps)
            change += [ReplacementTransform(*pair) for pair in zip(old, new, strict=True)]
            change += [FadeOut(digits), FadeIn(lane.letters)]
        self.play(*change, ReplacementTransform(self.names, names), run_time=1.6)
        self.names = names
        axes = VGroup(*(self.label(key, SMALLEST, self.theme.muted) for key in ("key_axis", "query_axis")))
        axes.arrange(DOWN, buff=0.08, aligned_edge=RIGHT).next_to(names, UP, buff=0.12, aligned_edge=RIGHT)
        self.play(*(Create(link) for lane in self.lanes for link in lane.links[:2]), run_time=0.5)
        self.play(
            FadeIn(axes),
            LaggedStart(*(FadeIn(lane.heat, shift=DOWN * 0.2) for lane in self.lanes), lag_ratio=0.3),
            run_time=1.6,
        )
        self.play(*(Create(link) for lane in self.lanes for link in (lane.links[2], lane.link)), run_time=0.5)
        self.play(
            LaggedStart(*(FadeIn(lane.output, shift=RIGHT * 0.2) for lane in self.lanes), lag_ratio=0.3), run_time=1.6
        )
        focus = self.example.focus
        frames = VGroup(*(lane.row_frame(focus, self.theme.query) for lane in self.lanes))
        self.play(*(Create(frame) for frame in frames), names[focus].animate.set_color(self.theme.query), run_time=0.8)
        self.leaving = [axes, frames]

    def concat(self) -> None:
        numbers = self.example.sizes.head_numbers
        self.joined = Grid(self.example.attention.concat, 2, size=self.size, cell=self.cell, hues=self.hues)
        self.joined.move_to((NAMES / 2, self.stage.bottom + 0.4 + self.joined.height / 2, 0))
        self.joined_label, self.tags = self._under("concat", self.joined), column_tags(self.joined, numbers)
        names = row_labels(self.joined, self.example.words, NAMES, size=SMALLEST)
        gone = [FadeOut(m) for lane in self.lanes for m in (lane.panel, lane.letters, lane.maps, lane.links, lane.link)]
        moves, self.rays = [], VGroup()
        for i, lane in enumerate(self.lanes):
            place = (NAMES / 2 + (i - (len(self.lanes) - 1) / 2) * 2.9, self.stage.top - 0.5, 0)
            heat = lane.heat.copy().stretch_to_fit_width(2.2).stretch_to_fit_height(0.95).move_to(place)
            moves += [Transform(lane.heat, heat), lane.output.animate.move_to(block(self.joined, i, self.d_head))]
            moves.append(ReplacementTransform(lane.name_line, self.tags[i]))
            self.rays.add(Rays(edge(heat, DOWN), edge(self.tags[i], UP), self.theme.head(i), 0.45))
        self.play(*gone, *(FadeOut(m) for m in self.leaving), run_time=0.6)
        self.play(*moves, ReplacementTransform(self.names, names), run_time=2)
        self.remove(*(lane.output for lane in self.lanes))
        self.add(self.joined)
        self.play(
            LaggedStart(*(GrowFromEdge(ray, UP) for ray in self.rays), lag_ratio=0.2),
            FadeIn(self.joined_label),
            run_time=1.4,
        )
        self.names = names

    def mix(self) -> None:
        w_o = CellMap(
            self.example.attention.w_o,
            (MAP_WIDTH / self.example.d_model, min(0.38, 2.9 / self.example.d_model)),
            self.hues,
            by_row=True,
        )
        out = Grid(self.example.attention.output, 2, size=self.size, cell=self.cell)
        equals = TextLine("=", BODY, self.theme.muted)
        here = VGroup(self.names, self.joined, self.joined_label, self.tags)
        there = here.copy()
        w_o.next_to(there[1], RIGHT, buff=1.15)
        equals.next_to(w_o, RIGHT, buff=0.2)
        out.next_to(equals, RIGHT, buff=0.2)
        VGroup(there, w_o, equals, out).move_to(self.stage.centre).shift(DOWN * 0.3)
        rows = row_tags(w_o, self.example.sizes.head_numbers)
        lines = cables(there[3], rows)
        heats = [lane.heat for lane in self.lanes]
        self.play(FadeOut(self.rays), *(FadeOut(heat) for heat in heats), run_time=0.6)
        self.play(
            here.animate.move_to(there),
            FadeIn(w_o, rows, self._under("square", w_o, "W_O"), equals, shift=LEFT * 0.3),
            run_time=1.2,
        )
        self.play(LaggedStart(*(Create(line) for line in lines), lag_ratio=0.5), run_time=2.4)
        boxes = VGroup(*(box for row in self.joined.boxes for box in row))
        made = VGroup(*(box for row in out.boxes for box in row))
        self.play(TransformFromCopy(boxes, made), run_time=1.2)
        digits = LaggedStart(*(FadeIn(VGroup(*row)) for row in out.numbers), lag_ratio=0.2)
        self.play(digits, FadeIn(self._under("output", out)), run_time=1.2)

    def count(self) -> None:
        self.play(*(FadeOut(m) for m in self.mobjects if m is not self.heading), FadeOut(self.heading[1]), run_time=0.6)
        one, many = (self._budget(case, y) for case, y in ((0, 1.3), (1, -1.15)))
        letters = VGroup(
            *(formula(f"W_{letter}", 44, color).next_to(square, UP, buff=0.15)
              for letter, color, square in zip("QKVO", one.colors, one.squares, strict=True))
        )  # fmt: skip
        self.play(
            FadeIn(one.name_line),
            FadeIn(letters),
            LaggedStart(*(FadeIn(s) for s in one.squares), lag_ratio=0.2),
            run_time=1.2,
        )
        self.play(FadeIn(one.counts, one.shapes, one.total), run_time=0.8)
        whole = VGroup(*(s.copy() for s in one.squares)).move_to(many.squares)
        self.play(FadeIn(many.name_line), TransformFromCopy(one.squares, whole), run_time=1)
        self.play(*(ReplacementTransform(*pair) for pair in zip(whole, many.squares, strict=True)), run_time=1)
        self.play(FadeIn(many.counts, many.shapes, many.total), run_time=0.8)
        same = self.label("same", SMALL, self.theme.muted)
        same.move_to((many.total.get_x(), (one.total.get_y() + many.total.get_y()) / 2, 0))
        up, down = (connector(same.get_edge_center(way) + way * 0.1, total.get_edge_center(-way) - way * 0.1)
                    for way, total in ((UP, one.total), (DOWN, many.total)))  # fmt: skip
        self.play(FadeIn(same), Create(up), Create(down), run_time=0.8)

    # Parts

    @property
    def d_head(self) -> int:
        return self.example.d_model // self.example.n_heads

    def _middle(self, rise: float = 0.0) -> float:
        return self.stage.centre[1] + rise

    def _fit(self, ems: float, room: float, high: float = 3.3) -> tuple[float, float, float]:
        """Text size, units an em, and row height with which matrices of `ems` a column fill room x high."""
        n, em = len(self.example.words), room / (ems * self.example.d_model)
        size = min(BODY, em * UNIT_PX, high * UNIT_PX / (1.3 * n))
        return max(SMALLEST, size), em, min(0.38, high / n)

    def _pair_fit(self) -> tuple[float, tuple[float, float]]:
        """Text size and cell with which two matrices of outputs stand beside each other, W_O between them."""
        n, pair = len(self.example.words), 2 * self.example.d_model
        room = self.stage.width - NAMES - 0.2 - 1.8 - MAP_WIDTH
        size = max(SMALLEST, min(BODY, room * UNIT_PX / (2.85 * pair), 2.9 * UNIT_PX / (1.3 * n)))
        return size, (min(room / pair, 0.9), min(0.5, 2.9 / n))

    def _under(self, key: str, part: VMobject, symbol: str = "") -> VGroup:
        """A label below a matrix, after its symbol if it has one."""
        symbols = [formula(symbol, BODY)] if symbol else []
        return VGroup(*symbols, self.label(key)).arrange(RIGHT, buff=0.2).next_to(part, DOWN, buff=0.14)

    def _head_name(self, i: int) -> TextLine:
        number = Shown(self.example.sizes.head_numbers.entry(i), 0)
        return self.label("head", SMALL, self.theme.head_word(i), number=number)

    def _budget(self, case: int, y: float) -> BudgetRow:
        """The parameters of one head, or of several, at the width of the paper."""
        budget, theme = self.example.budget, self.theme
        heads, width, d_head = (
            Shown(part, 0) for part in (budget.heads.entry(case), budget.d_model.entry(), budget.d_heads.entry(case))
        )
        name = self.label(("single", "several")[case], BODY, width=2.5, heads=heads, d_head=d_head)
        total = self.label("sum", 44, bold=True, total=Shown(budget.totals.entry(case), 0, grouped=True))
        shapes = [
            self.label(("whole", "cut")[case], SMALLEST, theme.muted, heads=heads, rows=rows, columns=across)
            for rows, across in [(width, d_head)] * 3 + [(d_head, width)]
        ]
        counts = [budget.projections.entry(case)] * 3 + [budget.output.entry(case)]
        return BudgetRow(self.stage, y, name, shapes, total, counts, round(budget.heads.entry(case).value))
