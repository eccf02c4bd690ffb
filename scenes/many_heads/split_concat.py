"""Split and concatenate: the projections are split among the heads, and their outputs are joined and mixed."""

from collections.abc import Mapping

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    AnimationGroup,
    ApplyMethod,
    FadeIn,
    FadeOut,
    Group,
    LaggedStart,
    ReplacementTransform,
    VGroup,
    VMobject,
)

from scenes.kit.figures import connector
from scenes.kit.formula import formula
from scenes.kit.grid import CellMap, Grid, row_labels
from scenes.kit.heads import (
    CUT,
    NAMES,
    Bay,
    BudgetRow,
    LaneLabels,
    Wires,
    block,
    bracket,
    cables,
    column_tags,
    columns,
    fitting,
    lanes,
    names_width,
    owners,
    plate,
    row_tags,
)
from scenes.kit.lesson import Lesson
from scenes.kit.lines import SlotValue
from scenes.kit.motion import Draw
from scenes.kit.text import BODY, SMALL, TextLine
from scenes.kit.values import formatted

# The height for rows of numbers, and how wide W_Q and W_O are drawn.
HIGH, MAP_WIDTH = 3.1, 1.5


class SplitConcat(Lesson):
    """Follow the matrices of multi-head attention from X to the output, then count its parameters."""

    beats = ("project", "split", "attend", "concat", "mix", "count")
    formats = ("landscape",)

    def slots(self) -> Mapping[str, SlotValue]:
        sizes, budget = self.example.sizes, self.example.budget
        return {
            "n": sizes.words,
            "d_model": sizes.d_model,
            "d_head": sizes.d_head,
            "width": budget.d_model,
            "many": budget.heads[1],
            "total": formatted(budget.totals[1], grouped=True),
        }

    def project(self) -> None:
        attention, numbers = self.example.attention, self.example.sizes.head_numbers
        self.hues = owners(self.example.d_model, self.example.n_heads)
        room = self.stage.width - names_width(self.example.words) - MAP_WIDTH - 1.7
        size, (x_cell, q_cell) = fitting(((attention.x, 1), (attention.q, 2)), room, HIGH)
        self.x = Grid(attention.x, 1, size=size, cell=x_cell)
        self.q = Grid(attention.q, 2, size=size, cell=q_cell, hues=self.hues)
        w_q = CellMap(attention.w_q, (MAP_WIDTH / self.example.d_model, HIGH / self.example.d_model), self.hues)
        times, equals = (TextLine(sign, BODY) for sign in "×=")
        self.names = row_labels(self.x, self.example.words, NAMES)
        row = VGroup(self.x, times, w_q, equals, self.q).arrange(RIGHT, buff=0.2)
        self.names.move_to(self.x).shift(RIGHT * (self.x.get_left()[0] - 0.18 - self.names.get_right()[0]))
        VGroup(self.names, row).move_to((0, self.stage.bottom + 0.95 + row.height / 2, 0))
        self.x_label, w_label, q_label = (
            self._under(key, part, symbol)
            for key, part, symbol in (("tall", self.x, "X"), ("square", w_q, "W_Q"), ("tall", self.q, "Q"))
        )
        share = self.label("share", SMALL, self.theme.muted).next_to(w_label, DOWN, buff=0.06)
        tags, q_tags = column_tags(w_q, numbers), column_tags(self.q, numbers)
        wires = Wires(self.x, tags, tags.get_top()[1] + 0.32)
        self.heading, place = self.title("illustrative"), self.q.outline(self.q, self.theme.line, 0.05)
        self.add(
            self.heading, place, q_label, self.x, self.names, self.x_label, times, w_q, w_label, share, tags, equals
        )
        self.show(wires.risers, seconds=0.6)
        for i, wire in enumerate(wires.wires):
            all_of_x = self.x.outline(self.x, self.theme.head(i)).set_fill(self.theme.head(i), 0.2)
            frame = self.x.outline(columns(w_q, i, self.d_head), self.theme.head(i))
            self.play(Draw(wire), FadeIn(all_of_x, frame), run_time=0.9)
            self.play(FadeOut(all_of_x, frame), FadeIn(*block(self.q, i, self.d_head), q_tags[i]), run_time=0.7)
        self.leaving = [times, equals, w_q, w_label, share, tags, wires, q_label, q_tags, place]

    def split(self) -> None:
        attention, n_heads, theme = self.example.attention, self.example.n_heads, self.theme
        home = VGroup(self.names, self.x, self.x_label)
        left = self.stage.left + home.width + 0.4
        room = (self.stage.right - left) / n_heads
        across = min((room - 0.08 - 2 * (Bay.SIDE + Bay.APART)) / 3 / self.d_head, 0.4)
        cell = (across, self.x.cell_height)
        wholes = [CellMap(part, cell, self.hues) for part in (attention.q, attention.k, attention.v)]
        middle = ((left + self.stage.right) / 2, self.stage.centre[1] - 0.33, 0)
        VGroup(*wholes).arrange(RIGHT, buff=0.3).move_to(middle)
        made = VGroup()
        for letter, whole, color in zip("QKV", wholes, (theme.query, theme.key, theme.value), strict=True):
            made.add(formula(f"{letter} = X W_{letter}", BODY, color).next_to(whole, UP, buff=0.14))
        to_home = RIGHT * (self.stage.left - home.get_left()[0]) + UP * (wholes[0].get_y() - self.x.get_y())
        old = VGroup(*(box for row in self.q.boxes for box in row))
        digits = VGroup(*(number for row in self.q.numbers for number in row))
        # The parts of Q, and no group of them, are in the scene.
        self.remove(old, digits)
        self.add(old)
        self.play(*(FadeOut(m) for m in (*self.leaving, digits)), run_time=0.5)
        self.play(home.animate.shift(to_home), ReplacementTransform(old, wholes[0]), run_time=1.0)
        shown = (
            FadeIn(VGroup(whole, name), shift=RIGHT * 0.1) for whole, name in zip(wholes[1:], made[1:], strict=True)
        )
        self.play(FadeIn(made[0]), LaggedStart(*shown, lag_ratio=0.5), run_time=1.2)
        self.bays = []
        for i in range(n_heads):
            q, k, v = (columns(whole, i, self.d_head) for whole in wholes)
            self.bays.append(Bay(left + (i + 0.5) * room, (q, k, v), self._head_name(i), theme.head(i)))
        self.hide(made, seconds=0.4)
        decks = [VGroup(*(VGroup(plate(part), part) for part in bay.parts)) for bay in self.bays]
        # The first head is dealt first, over all others.
        self.add(*reversed(decks))
        dealt = (
            AnimationGroup(*(ApplyMethod(card.shift, by) for card, by in zip(deck, bay.moves, strict=True)))
            for deck, bay in zip(decks, self.bays, strict=True)
        )
        self.play(LaggedStart(*dealt, lag_ratio=0.3), run_time=2.4)
        self.remove(*(card[0] for deck in decks for card in deck))
        self.play(*(FadeIn(bay) for bay in self.bays), run_time=0.6)
        frames = [bay.frame for bay in self.bays]
        wires = Wires(self.x, frames, frames[0].get_top()[1] + 0.32)
        self.show(wires.risers, seconds=0.4)
        self.play(LaggedStart(*(Draw(wire) for wire in wires.wires), lag_ratio=0.3), run_time=1.4)
        self.leaving = [wires, *(bay.letters for bay in self.bays)]

    def attend(self) -> None:
        names = [self._head_name(i) for i in range(self.example.n_heads)]
        labels = LaneLabels(*(self.label(key, SMALL, self.theme.muted) for key in ("key_axis", "query_axis", "made")))
        self.lanes = lanes(self.stage, self.example.heads, names, self.example.words, labels)
        first = self.lanes[0]
        large, *small = self.bays
        gone = [*self.leaving, self.x, self.x_label, *(bay.name_line for bay in self.bays)]
        gone += [part for bay in small for part in (bay.frame, *bay.parts)]
        self.hide(*gone)
        # The panel has a fill, and belongs behind the maps.
        self.bring_to_back(large.frame)
        old, new = (self.names, large.frame, *large.parts), (first.names, first.panel, *first.maps)
        self.play(*(ReplacementTransform(*pair) for pair in zip(old, new, strict=True)), run_time=1.6)
        others = [part for lane in self.lanes[1:] for part in (lane.panel, lane.maps)]
        self.show(*others, first.letters, *(lane.name_line for lane in self.lanes), seconds=0.6)
        self.play(
            LaggedStart(*(FadeIn(lane.heat) for lane in self.lanes), lag_ratio=0.4),
            FadeIn(first.note),
            run_time=2,
        )
        made = (FadeIn(Group(lane.signs, lane.output)) for lane in self.lanes)
        self.play(LaggedStart(*made, lag_ratio=0.4), run_time=2)
        color = self.theme.query
        self.frames = VGroup(*(lane.row_frames(self.example.focus, color) for lane in self.lanes))
        word = first.names[self.example.focus].animate.set_color(color)
        self.play(*(Draw(frame) for frame in self.frames), word, run_time=0.8)

    def concat(self) -> None:
        attention, numbers, words = self.example.attention, self.example.sizes.head_numbers, self.example.words
        size, (cell,) = fitting(((attention.concat, 2),), (self.stage.width - names_width(words) - 1) / 2, HIGH)
        self.joined = Grid(attention.concat, 2, size=size, cell=cell, hues=self.hues)
        x = Grid(attention.x, 1, size=size, cell=(self.joined.cell_width, self.joined.cell_height))
        x.next_to(self.joined, LEFT, buff=0.7)
        names = row_labels(x, words, NAMES)
        VGroup(names, x, self.joined).move_to((0, self.stage.centre[1] - 0.25, 0))
        self.tags, self.joined_label = column_tags(self.joined, numbers), self._under("concat", self.joined)
        room = (self.joined.get_right()[0] - x.get_left()[0]) / len(self.lanes)
        apart = [block(self.joined, i, self.d_head).copy() for i in range(len(self.lanes))]
        self.hide(*(part for lane in self.lanes for part in (*lane.hidden, lane.name_line)), self.frames)
        tags, out = self.tags.copy(), [ReplacementTransform(self.lanes[0].names, names)]
        shown: list[VMobject] = []
        for i, (lane, part) in enumerate(zip(self.lanes, apart, strict=True)):
            part.set_x(x.get_left()[0] + (i + 0.5) * room)
            tags[i].set_x(part.get_x())
            shown.append(tags[i])
            if isinstance(lane.output, Grid):
                out.append(ReplacementTransform(lane.output, part))
            else:
                out.append(ReplacementTransform(lane.output, part[0]))
                shown.append(part[1])
        self.play(*out, run_time=1.2)
        self.show(*shown, seconds=0.5)
        joins = [part.animate.move_to(block(self.joined, i, self.d_head)) for i, part in enumerate(apart)]
        named = (ReplacementTransform(old, new) for old, new in zip(tags, self.tags, strict=True))
        self.play(*joins, *named, run_time=2)
        self.remove(*apart)
        self.add(self.joined)
        spans = VGroup(bracket(VGroup(self.joined, self.tags)))
        spans.add(spans[0].copy().set_x(x.get_x()))
        wide = [self.label("wide", SMALL).next_to(span, UP, buff=0.1) for span in spans]
        x_label = self._under("tall", x, "X")
        self.play(FadeIn(x, x_label, self.joined_label, shift=RIGHT * 0.3), run_time=0.8)
        self.play(Draw(spans), FadeIn(*wide), run_time=0.8)
        self.names, self.leaving = names, [x, x_label, spans, *wide]

    def mix(self) -> None:
        attention, d_model, numbers = self.example.attention, self.example.d_model, self.example.sizes.head_numbers
        room = self.stage.width - names_width(self.example.words) - MAP_WIDTH - 2.0
        size, cells = fitting(((attention.concat, 2), (attention.output, 2)), room, HIGH)
        joined = Grid(attention.concat, 2, size=size, cell=cells[0], hues=self.hues)
        out = Grid(attention.output, 2, size=size, cell=cells[1])
        w_o = CellMap(attention.w_o, (MAP_WIDTH / d_model, min(0.38, HIGH / d_model)), self.hues, by_row=True)
        # Unlike those of Q, the digits of both are rounded.
        times, equals = (TextLine(sign, BODY) for sign in "×≈")
        names = row_labels(joined, self.example.words, NAMES)
        times.next_to(joined, RIGHT, buff=0.1)
        w_o.next_to(joined, RIGHT, buff=1.2)
        equals.next_to(w_o, RIGHT, buff=0.15)
        out.next_to(equals, RIGHT, buff=0.15)
        VGroup(names, joined, times, w_o, equals, out).move_to((0, self.stage.centre[1] - 0.25, 0))
        tags, label, rows = column_tags(joined, numbers), self._under("concat", joined), row_tags(w_o, numbers)
        moved = ((self.names, names), (self.joined, joined), (self.tags, tags), (self.joined_label, label))
        self.play(*(FadeOut(m) for m in self.leaving), run_time=0.5)
        self.play(*(ReplacementTransform(*pair) for pair in moved), run_time=0.9)
        self.show(times, w_o, rows, self._under("square", w_o, "W_O"), equals, seconds=0.6)
        self.play(LaggedStart(*(Draw(line) for line in cables(tags, rows)), lag_ratio=0.5), run_time=2.4)
        self.show(VGroup(*(box for row in out.boxes for box in row)), seconds=0.6)
        digits = LaggedStart(*(FadeIn(VGroup(*row)) for row in out.numbers), lag_ratio=0.2)
        self.play(digits, FadeIn(self._under("output", out)), run_time=1.2)

    def count(self) -> None:
        note = self.heading[1]
        self.play(*(FadeOut(m) for m in self.mobjects if m is not self.heading), FadeOut(note), run_time=0.6)
        room = note.get_right()[0] - self.heading[0].get_right()[0] - 0.5
        original = self.label("original", SMALL, self.theme.muted, width=room)
        original.move_to(note).shift(RIGHT * (note.get_right()[0] - original.get_right()[0]))
        one, many = (self._budget(case, y) for case, y in ((0, 1.3), (1, -1.15)))
        letters = VGroup(
            *(formula(f"W_{letter}", 44, color).next_to(square, UP, buff=0.15)
              for letter, color, square in zip("QKVO", one.colors, one.squares, strict=True))
        )  # fmt: skip
        self.play(
            FadeIn(original, one.name_line),
            FadeIn(letters),
            LaggedStart(*(FadeIn(s) for s in one.squares), lag_ratio=0.2),
            run_time=1.2,
        )
        self.play(FadeIn(one.counts, one.shapes, one.total), run_time=0.8)
        # Uncut first, and as large as above.
        strips = [strip for square in many.squares for strip in square]
        for strip in strips:
            strip.set_stroke(strip.get_fill_color(), 1)
        self.show(many.name_line, many.squares, seconds=1.0)
        self.play(*(strip.animate.set_stroke(self.theme.background, CUT) for strip in strips), run_time=1.0)
        self.play(FadeIn(many.counts, many.shapes, many.total), run_time=0.8)
        same = self.label("same", SMALL, self.theme.muted)
        same.move_to((many.total.get_x(), (one.total.get_y() + many.total.get_y()) / 2, 0))
        up, down = (connector(same.get_edge_center(way) + way * 0.1, total.get_edge_center(-way) - way * 0.1)
                    for way, total in ((UP, one.total), (DOWN, many.total)))  # fmt: skip
        self.play(FadeIn(same), Draw(up), Draw(down), run_time=0.8)

    # Parts

    @property
    def d_head(self) -> int:
        return self.example.d_model // self.example.n_heads

    def _under(self, key: str, part: VMobject, symbol: str = "") -> VGroup:
        """A label below a matrix, after its symbol if it has one."""
        symbols = [formula(symbol, BODY)] if symbol else []
        return VGroup(*symbols, self.label(key)).arrange(RIGHT, buff=0.2).next_to(part, DOWN, buff=0.14)

    def _head_name(self, i: int) -> TextLine:
        number = self.example.sizes.head_numbers[i]
        return self.label("head", SMALL, self.theme.head_word(i), number=number)

    def _budget(self, case: int, y: float) -> BudgetRow:
        """The parameters of one head, or of several, at the width of the paper."""
        budget, theme = self.example.budget, self.theme
        heads, width, d_head = budget.heads[case], budget.d_model, budget.d_heads[case]
        name = self.label(("single", "several")[case], SMALL, width=2.65, heads=heads, d_head=d_head)
        total = self.label("sum", 44, bold=True, total=formatted(budget.totals[case], grouped=True))
        shapes = [
            self.label(("whole", "cut")[case], SMALL, theme.muted, heads=heads, rows=rows, columns=across)
            for rows, across in [(width, d_head)] * 3 + [(d_head, width)]
        ]
        counts = [budget.projections.entry(case)] * 3 + [budget.output.entry(case)]
        return BudgetRow(self.stage, y, name, shapes, total, counts, round(budget.heads.entry(case).value))
