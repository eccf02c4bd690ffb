"""The detective team: every word asks every other, and one word's case summary is counted out."""

from collections.abc import Mapping, Sequence
from operator import index

from manim import (
    DOWN,
    RIGHT,
    UP,
    ApplyMethod,
    FadeIn,
    FadeOut,
    LaggedStart,
    Mobject,
    ReplacementTransform,
    RoundedRectangle,
    Succession,
    Transform,
    VGroup,
    there_and_back,
)

from scenes.cast.casefile import GUTTER, CaseFile, Counted, Overview, vector_grid
from scenes.cast.paper import ShareBar, Slip, slip_icon, tag_icon
from scenes.cast.team import FEET_BACK, Plan, Team
from scenes.kit.figures import Magnifier, Notebook
from scenes.kit.lesson import Lesson
from scenes.kit.lines import SlotValue
from scenes.kit.motion import Carry, Draw, Pulse
from scenes.kit.text import BODY, SMALL, Number, TextLine, fitted
from scenes.kit.values import formatted


class Briefing(Lesson):
    """Follow one word's detective through one head: query, keys, weights, values, summary."""

    beats = ("gather", "ask", "match", "collect", "summary")
    formats = ("landscape",)

    def slots(self) -> Mapping[str, SlotValue]:
        report, sizes = self.example.report, self.example.sizes
        return {
            "word": self.token(self.example.focus),
            "top": self.token(self.top),
            "weight": report.weights[self.top],
            "sum": formatted(report.weight_sum, 0),
            "d_head": sizes.d_head,
        }

    @property
    def top(self) -> int:
        """The word with the largest weight."""
        return index(self.example.report.strongest)

    def gather(self) -> None:
        self._furnish()
        # They rise one after the other; a LaggedStart would draw them in front of their table.
        self.play(*self.team.rise(), run_time=2.2)
        card = self.file.row.cards[0]
        reader = RoundedRectangle(corner_radius=0.1, width=card.width + 0.1, height=card.height + 0.1)
        reader.set_stroke(self.theme.glow, 6).move_to(card)
        self.show(reader, seconds=0.4)
        # Behind the cards it runs across no word.
        self.add(self.file.row)
        self.play(reader.animate.move_to(self.file.row.cards[-1]), run_time=2.5)
        self.hide(reader)

    def ask(self) -> None:
        file, team, focus, color = self.file, self.team, self.example.focus, self.theme.head(0)
        rise = ApplyMethod(file.move_to, (file.middle, file.low, 0))
        self.play(FadeOut(self.wall, team.captain, shift=UP * 0.3), run_time=0.5)
        self.play(*team.step_back(), rise, run_time=1.0)
        nets = [file.strands(i, FEET_BACK, color, hem=0.5) for i in range(len(team.members))]
        self.play(LaggedStart(*(Draw(net, lag_ratio=0) for net in nets), lag_ratio=0.25), run_time=2.4)
        self.strands = nets.pop(focus)
        self.others = self.label("others", SMALL, width=2.7)
        moves, self.page = team.step_aside(self.others)
        drawn = Transform(self.strands, file.strands(focus, team.feet, color))
        self.play(FadeOut(*nets), *moves, drawn, run_time=1.4)
        # Threads end under the cards and start under the coat.
        self.add(file.row, team.asker)
        self._ask_aloud()

    def _ask_aloud(self) -> None:
        """The query stands on the page, and every word shows its key."""
        self.written: list[Mobject] = []
        self.show(self.page, self.others, seconds=0.5)
        room = self.page.sheet.width - 1
        self.q = vector_grid(self.example.report.q, self.theme.query)
        self.q.scale(min(1.35, room / self.q.width))
        question = self.label("query_asks", 1.15 * BODY, self.theme.query, width=room)
        made = self.label("query_is", SMALL, width=room)
        self.until("query")
        self._turn_page(VGroup(question, self.q, made).arrange(DOWN, buff=0.16), question, self.q, made)
        self.keys = self.file.tags(self.example.heads[0].k, self.theme.key)
        self.key_word = self.label("key_asks", SMALL, self.theme.key)
        self.key_word.move_to((self.file.middle, self.keys[0].get_bottom()[1] - 0.25, 0))
        self.key_name = self._row_name("key", 0, self.theme.key).set_y(self.keys[0].paper.get_y())
        hung = (FadeIn(tag, shift=DOWN * 0.1) for tag in self.keys)
        self.until("key")
        self.play(LaggedStart(*hung, lag_ratio=0.2), FadeIn(self.key_name, self.key_word), run_time=1.8)

    def match(self) -> None:
        self._meet_every_key()
        self._count_out()
        self._weigh()
        self._point_at_matrix()

    def collect(self) -> None:
        self._lift()
        self.values = self.file.slips(self.example.heads[0].v, self.theme.value, 1)
        self.value_word = self.label("value_asks", SMALL, self.theme.value)
        self.value_word.move_to((self.file.middle, self.values[0].get_bottom()[1] - 0.25, 0))
        tells = (FadeIn(slip, shift=DOWN * 0.1) for slip in self.values)
        self.value_name = self._row_name("value", 1, self.theme.value)
        self.until("value")
        self.play(LaggedStart(*tells, lag_ratio=0.15), FadeIn(self.value_name, self.value_word), run_time=1.6)
        room = self.page.sheet.width - 0.7
        self.bar = ShareBar(self.example.report.weights, self.example.words, room, 0.42, self.theme.value)
        head = self.label("mix", SMALL, width=room)
        self._turn_page(VGroup(head, self.bar).arrange(DOWN, buff=0.16), head, self.bar.outline)
        self._travel()

    def summary(self) -> None:
        place = 2 if self.file.roomy else 1
        slips = self.file.slips(self.example.report.weighted_values, self.theme.line, place)
        weighed = (FadeIn(slip, shift=DOWN * 0.1) for slip in slips)
        # Long vectors leave no room for both.
        self.hide(self.value_word, *(() if self.file.roomy else (*self.values, self.value_name)), seconds=0.3)
        self.play(LaggedStart(*weighed, lag_ratio=0.1), FadeIn(self._row_name("share", place)), run_time=1.8)
        column = VGroup(*self.weights.column(self.top), slips[self.top])
        self.play(Draw(self.weights.outline(column, self.theme.text, 0.04)), run_time=0.6)
        self._sum_up(slips)

    def _sum_up(self, slips: Sequence[Slip]) -> None:
        """All slips of the last row add up to the case summary on the page."""
        vector = self.example.report.output
        output = Slip(vector, (0.9 if len(vector) <= 2 else 0.64) * min(4, len(vector)), self.theme.head(0))
        room = self.page.sheet.width - 0.7
        head = self.label("case_summary", BODY, self.theme.head_word(0), bold=True, width=room)
        total = VGroup(self.label("total", SMALL, width=room - output.width - 0.2), output).arrange(RIGHT, buff=0.2)
        what = self.label("summary_is", SMALL, width=room)
        content = VGroup(head, total, what).arrange(DOWN, buff=0.14)
        self._turn_page(content, head, total[0], output[0])
        self._run_up(self.theme.text)
        self.show(*output[1:], what, seconds=0.4)

    # The room

    def _furnish(self) -> None:
        """What stands there from the first frame: plan, captain, team, table and the case file, back to front."""
        theme, color = self.theme, self.theme.head(0)
        icons = (Magnifier(theme.query, 0.58), tag_icon(theme.key), slip_icon(theme.value), Notebook(color, 0.46, 0.58))
        hues = (theme.query, theme.key, theme.value, color)
        steps = [(icon, *self._step(key), hue) for icon, key, hue in zip(icons, self.beats[1:], hues, strict=True)]
        plan = Plan(steps, self.stage)
        self.file = CaseFile(self.example.words, self.stage, len(self.example.report.q))
        self.team = Team(self.file, self.example.focus, color, self.stage)
        self.wall = VGroup(plan, self.team.gather(plan))
        self.add(self.title("illustrative"), self.wall, self.team.captain, *self.team.members, self.file)

    def _step(self, key: str) -> tuple[TextLine, TextLine]:
        ink = self.theme.ink
        return self.label(key, BODY, ink, bold=True, width=1.6), self.label(f"{key}_hint", SMALL, ink, width=2.2)

    def _turn_page(self, content: Mobject, *shown: Mobject, moved: Sequence[tuple[Mobject, Mobject]] = ()) -> None:
        """Write `content` on the page: `shown` of it fades in, `moved` was there before, the rest comes later."""
        content.move_to(self.page.writing)
        kept = [old for old, _ in moved]
        gone = [m for m in self.written if m not in kept]
        if gone:
            self.hide(*gone, seconds=0.4)
        if moved:
            self.play(*(ReplacementTransform(old, new) for old, new in moved), run_time=0.6)
        self.show(*shown, seconds=0.6, shift=UP * 0.1)
        self.written = [*shown, *(new for _, new in moved)]

    def _row_name(self, key: str, k: int, color: str | None = None) -> TextLine:
        return self.file.row_name(self.label(key, SMALL, color, width=GUTTER - 0.15), k)

    # Match

    def _meet_every_key(self) -> None:
        """The question runs down every thread, and every tag answers."""
        runs = []
        for strand, tag in zip(self.strands, self.keys, strict=True):
            asks = Pulse(strand, self.theme.query, width=7, run_time=0.8)
            runs.append(Succession(asks, ApplyMethod(tag.scale, 1.12, rate_func=there_and_back, run_time=0.6)))
        self.play(LaggedStart(*runs, lag_ratio=0.15), run_time=2)

    def _count_out(self) -> None:
        """One match with its numbers: product by product, sum, scaled, weight."""
        report, t, theme = self.example.report, self.top, self.theme
        vectors = (report.q, self.example.heads[0].k.row(t), report.query_key_products.row(t))
        q, k, product = (vector_grid(v, h) for v, h in zip(vectors, (theme.query, theme.key, theme.line), strict=True))
        entries = (("add", report.scores), ("scale", report.scaled), ("softmax", report.weights))
        steps = [(self.label(key), Number(named.entry(t), bold=True)) for key, named in entries]
        self.counted = steps[-1][1]

        def counted(width: float) -> Counted:
            names = (
                self.label("query_of", SMALL, theme.query, width=width),
                self.label("key_of", SMALL, theme.key, width=width),
                self.label("product", SMALL),
            )
            return Counted((q, k, product), names, steps)

        table = counted(1.2 if len(report.q) > 2 else 2.2)
        # The edges of the page, and its rings, stay free.
        over = table.width - (self.page.sheet.width - 0.7)
        if over > 0:
            table = counted(table.names.width - over)
        self._turn_page(table, k[0], product[0], table.names, moved=[(self.q, q)])
        self.play(Carry(VGroup(*self.keys[t].numbers), VGroup(*k.numbers[0]), *k.boxes[0]), run_time=1.0)
        self.play(LaggedStart(*(FadeIn(x, shift=DOWN * 0.15) for x in product.numbers[0]), lag_ratio=0.5), run_time=0.8)
        shown = (FadeIn(step, shift=RIGHT * 0.2) for step in table.steps)
        self.play(LaggedStart(*shown, lag_ratio=0.8), run_time=1.8)
        self.written = [q, k, product, table.names, *table.steps]

    def _weigh(self) -> None:
        """Threads take their widths, and their weights stand where they end."""
        file, report, color = self.file, self.example.report, self.theme.head(0)
        self.threads = file.threads(self.example.focus, self.team.feet, color, report.weights)
        self.drops, self.weights = file.drops(self.threads, color), file.weights(report.weights, color)
        down = DOWN * file.tag_drop(self.keys[0])
        self.weight_name = self._row_name("weight", 0)
        hung = (*self.keys, self.key_name)
        self.play(FadeOut(self.key_word), *(m.animate.shift(down) for m in hung), run_time=0.5)
        grown = [ReplacementTransform(old, new) for old, new in zip(self.strands, self.threads, strict=True)]
        self.play(*grown, FadeIn(self.drops), FadeIn(self.weights[0], self.weight_name), run_time=1.2)
        digits, boxes = self.weights.numbers[0], self.weights.boxes[0]
        flown = Carry(self.counted, digits[self.top], boxes[self.top])
        rest = [FadeIn(number, shift=DOWN * 0.1) for number in digits if number is not digits[self.top]]
        self.play(flown, LaggedStart(*rest, lag_ratio=0.1), run_time=1)

    def _point_at_matrix(self) -> None:
        """The row under the cards is one row of the matrix: every detective of the team fills one."""
        focus, side, theme = self.example.focus, self.team.side, self.theme
        axes = (self.label("axis_query"), self.label("axis_key"))
        word, says = fitted(self.token(focus), 0.95, SMALL), self.label("matrix", width=side.width)
        weights = self.example.heads[0].weights
        matrix = Overview(weights, side, theme.head(0), focus, axes=axes, word=word, says=says)
        self.hide(self.others, *self.team.others, seconds=0.4)
        self.show(matrix)
        self.frame_row = self.weights.outline(self.weights, theme.text)
        there = self.weights.outline(matrix.row_box, theme.text, 0.0)
        self.play(Draw(self.frame_row), Draw(there), run_time=1.0)

    # Collect

    def _lift(self) -> None:
        """The keys have done their work; the table rises and makes room for what the words can tell."""
        file, rise = self.file, self.file.high - self.file.low
        lifted = file.copy().shift(UP * rise)
        threads = lifted.threads(self.example.focus, self.team.feet, self.theme.head(0), self.example.report.weights)
        self.hide(self.frame_row, self.key_name, *self.keys, *self.written)
        self.play(
            *(m.animate.shift(UP * rise) for m in (file.table, file.row, self.drops, self.weights, self.weight_name)),
            *(Transform(old, new) for old, new in zip(self.threads, threads, strict=True)),
        )  # fmt: skip
        self.written = []

    def _travel(self) -> None:
        """Light from the slips runs up the threads, as wide as they are, and parts of the report grow."""
        self._run_up(self.theme.value)
        self.play(LaggedStart(*(FadeIn(part) for part in self.bar.parts), lag_ratio=0.3), run_time=1.2)
        self.show(self.bar.names, seconds=0.4)
        self.written += [*self.bar.parts, self.bar.names]

    def _run_up(self, color: str) -> None:
        lights = (Pulse(t, color, width=t.get_stroke_width() + 3, back=True) for t in self.threads)
        self.play(LaggedStart(*lights, lag_ratio=0.1), run_time=2.2)
