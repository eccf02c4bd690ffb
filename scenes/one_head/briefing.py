"""The detective team: every word asks every other, and one word's case summary is counted out."""

from collections.abc import Mapping

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Animation,
    Create,
    Dot,
    FadeIn,
    FadeOut,
    Group,
    GrowFromEdge,
    LaggedStart,
    Mobject,
    MoveAlongPath,
    ReplacementTransform,
    RoundedRectangle,
    Transform,
    TransformFromCopy,
    UpdateFromAlphaFunc,
    VGroup,
    VMobject,
)

from mathcore.named import Named
from scenes.kit.figures import Detective, Notebook, Strand, Table, Thread, connector, in_shade
from scenes.kit.grid import Grid
from scenes.kit.heatmap import HeatMap
from scenes.kit.lesson import Lesson, SlotValue
from scenes.kit.paper import Board, Note, Page, ShareBar, Slip, beside, pointer, slip_height
from scenes.kit.text import BODY, SMALL, SMALLEST, Number, Shown, TextLine
from scenes.kit.tokens import TokenRow

# Room left of the columns for the names of rows, and the widest that a column may be.
GUTTER, WIDEST = 1.0, 2.7
TABLE, CARD, HANG, WEIGHTS, GAP = 0.82, 0.58, 0.22, 0.36, 0.12
# Where the team stands: back from the table, or at the wall; and the upper edge of the page of the one who asks.
FEET_BACK, FEET_WALL, WALL_HEIGHT, PAGE_TOP = 1.05, 2.0, 0.78, 1.86


class Briefing(Lesson):
    """Follow one word's detective through head 0: query, keys, weights, values, summary."""

    beats = ("gather", "ask", "match", "collect", "summary")

    def slots(self) -> Mapping[str, SlotValue]:
        report, sizes = self.example.report, self.example.sizes
        return {
            "word": self.token(self.example.focus),
            "top": self.token(self.top),
            "weight": Shown(report.weights.entry(self.top)),
            "sum": Shown(report.weight_sum.entry()),
            "d_head": Shown(sizes.d_head.entry(), 0),
            "head": Shown(sizes.head_numbers.entry(0), 0),
        }

    @property
    def top(self) -> int:
        """The word with the largest weight."""
        return int(self.example.report.strongest.entry().value)

    def gather(self) -> None:
        self._measure()
        self._furnish()
        steps = (FadeIn(one, shift=UP * 0.5) for one in self.team)
        self.play(LaggedStart(*steps, lag_ratio=0.3), run_time=2.2)
        card = self.row.cards[0]
        reader = RoundedRectangle(corner_radius=0.1, width=card.width + 0.1, height=card.height + 0.1)
        reader.set_stroke(self.theme.glow, 6).move_to(card)
        self.show(reader, seconds=0.4)
        self.play(reader.animate.move_to(self.row.cards[-1]), run_time=2.5)
        self.hide(reader)

    def ask(self) -> None:
        self.play(FadeOut(self.wall, shift=UP * 0.5), *self._step_back(), run_time=1.2)
        nets = [self._strands(i, FEET_BACK) for i in range(len(self.team))]
        self.play(LaggedStart(*(Create(net, lag_ratio=0) for net in nets), lag_ratio=0.25), run_time=2.4)
        self._step_forward(nets)
        self.q = Grid(self.example.report.q, hue=self.theme.query, **self._cell)
        question = self.label("query_asks", SMALL, self.theme.query)
        self._turn_page(VGroup(question, self.q).arrange(DOWN, buff=0.16))
        keys = self.example.heads[0].k
        self.keys = VGroup(*(self._slip(keys.row(j), self.theme.key, j, 0, tag=True) for j in range(self.n)))
        self.key_word = self.label("key_asks", SMALL, self.theme.key)
        self.key_word.move_to((self.middle, self.keys.get_bottom()[1] - 0.25, 0))
        hung = (FadeIn(tag, shift=DOWN * 0.3) for tag in self.keys)
        self.play(LaggedStart(*hung, lag_ratio=0.2), FadeIn(self.key_word), run_time=1.8)

    def match(self) -> None:
        self._meet_every_key()
        self._count_one()
        self._weigh()
        self._point_at_matrix()

    def collect(self) -> None:
        self._lift()
        values = self.example.heads[0].v
        self.values = VGroup(*(self._slip(values.row(j), self.theme.value, j, 1) for j in range(self.n)))
        self.value_word = self.label("value_asks", SMALL, self.theme.value).move_to((self.middle, self._row_y(2), 0))
        tells = (FadeIn(slip, shift=DOWN * 0.3) for slip in self.values)
        name = self._row_name("value", 1, self.theme.value)
        self.play(LaggedStart(*tells, lag_ratio=0.15), FadeIn(name), FadeIn(self.value_word), run_time=1.6)
        self.bar = ShareBar(self.example.report.weights, 4.0, 0.36, self.theme.value)
        head = self.label("mix", SMALL, width=4.4)
        self._turn_page(VGroup(head, self.bar).arrange(DOWN, buff=0.16), VGroup(head, self.bar.outline))
        self._travel()

    def summary(self) -> None:
        report = self.example.report
        limit = max(abs(entry.value) for entry in report.shares.entries())
        slips = [self._slip(report.shares.row(j), self.theme.line, j, 2, limit=limit) for j in range(self.n)]
        weighed = (TransformFromCopy(v, s) for v, s in zip(self.values, slips, strict=True))
        self.hide(self.value_word)
        self.play(LaggedStart(*weighed, lag_ratio=0.1), FadeIn(self._row_name("share", 2)), run_time=1.8)
        output = Slip(report.output, 0.62 * min(4, len(report.output)) + 0.1, self.theme.text, limit=limit)
        head = self.label("case_summary", BODY, bold=True, width=4.4)
        total = VGroup(self.label("total", SMALL), output).arrange(RIGHT, buff=0.2)
        content = VGroup(head, self.bar.copy(), total).arrange(DOWN, buff=0.12)
        self._turn_page(content, VGroup(head, total[0], output[0]), (self.bar, content[1]))
        added = (
            FadeOut(digits.copy(), target_position=output.numbers[k])
            for slip in slips
            for k, digits in enumerate(slip.numbers)
        )
        self.play(LaggedStart(*added, lag_ratio=0.03), run_time=1.6)
        self.show(output[1:], seconds=0.4)
        column = VGroup(self.weights.column(self.top), self.values[self.top], slips[self.top])
        self.play(Create(self.weights.outline(column, self.theme.text, 0.06)))

    # The room

    def _measure(self) -> None:
        """Columns of one width, and the table's heights: `low`, with one row of slips below, and `high`, with two."""
        self.n, self.d_head = len(self.example.words), len(self.example.report.q)
        self.pitch = min((self.stage.width - GUTTER) / self.n, WIDEST)
        left = (GUTTER - self.n * self.pitch) / 2
        self.xs = [left + self.pitch * (j + 0.5) for j in range(self.n)]
        self.left, self.middle = left, left + self.n * self.pitch / 2
        self.slip = slip_height(self.d_head, self.pitch - 0.06)
        self.low = self.stage.bottom + self.slip + GAP + WEIGHTS + HANG + TABLE / 2
        self.high = self.low + self.slip + GAP
        self.feet = max(0.9, self.high + TABLE / 2 + 0.55)
        self.wide = self.d_head > 4
        self._cell = {"size": SMALLEST, "cell": (0.53, 0.27)} if self.wide else {"size": SMALL, "cell": (0.66, 0.32)}
        self.page: Page | None = None

    def _furnish(self) -> None:
        """What stands there from the first frame: board, captain, team, table and the case file, back to front."""
        color, focus = self.theme.head(0), self.example.focus
        notes = VGroup(*(self._note(key, c) for key, c in self._steps())).arrange(RIGHT, buff=0.28)
        board = Board(notes.width + 0.6, 1.85)
        board.move_to((self.stage.right - board.width / 2, self.stage.top - board.height / 2, 0))
        notes.move_to(board)
        captain_x = (self.stage.left + board.get_left()[0]) / 2
        self.captain = self._stand(Detective(color, captain=True), captain_x, board.get_bottom()[1], 1.9)
        stick = pointer(self.captain.get_right() + UP * 0.02, notes[0].get_left() + RIGHT * 0.2)
        self.wall = VGroup(board, notes, stick)
        height = min(1.95, 1.36 * self.pitch)
        at_table = self.stage.bottom + TABLE - 0.14
        self.team = [
            self._stand(Detective(color, magnifier=i == focus), x, at_table, height) for i, x in enumerate(self.xs)
        ]
        gap = max(0.1, self.pitch - 2.2)
        self.row = TokenRow(self.example.words, self.n * self.pitch - gap, height=CARD, gap=gap)
        self.table = Table(self.n * self.pitch + 0.06, TABLE)
        VGroup(self.table, self.row).move_to((self.middle, self.stage.bottom + TABLE / 2, 0))
        self.add(self.title("illustrative"), self.wall, self.captain, *self.team, self.table, self.row)

    def _steps(self) -> tuple[tuple[str, str], ...]:
        theme = self.theme
        return (("ask", theme.query), ("match", theme.key), ("collect", theme.value), ("summary", theme.head(0)))

    def _note(self, key: str, color: str) -> VGroup:
        """A step of the plan, on paper."""
        book = Notebook(color, 0.36, 0.46)
        name = self.label(key, BODY, self.theme.ink, bold=True, width=1.6)
        top = VGroup(book, name).arrange(RIGHT, buff=0.15)
        hint = self.label(f"{key}_hint", SMALLEST, self.theme.ink, width=2.2)
        return VGroup(Note(2.4, 1.3, color), VGroup(top, hint).arrange(DOWN, buff=0.14))

    @staticmethod
    def _stand(figure: VMobject, x: float, feet: float, height: float) -> VMobject:
        return figure.scale_to_fit_height(height).move_to((x, feet + height / 2, 0))

    def _step_back(self) -> list[Animation]:
        height = min(1.5, 1.36 * self.pitch)
        rest = self._stand(in_shade(self.captain), self.left - GUTTER / 2, FEET_WALL, WALL_HEIGHT)
        return [
            *(one.animate.scale_to_fit_height(height).move_to((x, FEET_BACK + height / 2, 0))
              for one, x in zip(self.team, self.xs, strict=True)),
            VGroup(self.table, self.row).animate.move_to((self.middle, self.low, 0)),
            Transform(self.captain, rest),
        ]  # fmt: skip

    def _step_forward(self, nets: list[VGroup]) -> None:
        """The one whom the lesson follows comes forward; the others go to the wall, and their threads fade."""
        focus = self.example.focus
        self.threads = nets.pop(focus)
        rest = [
            Transform(one, self._stand(in_shade(one), x, FEET_WALL, WALL_HEIGHT))
            for i, (one, x) in enumerate(zip(self.team, self.xs, strict=True))
            if i != focus
        ]
        height = min(1.75, self.stage.top - 0.05 - self.feet)
        front = self._stand(self.team[focus].copy(), self.xs[focus], self.feet, height)
        self.play(
            FadeOut(*nets), *rest, Transform(self.team[focus], front),
            Transform(self.threads, self._strands(focus, self.feet)), run_time=1.4,
        )  # fmt: skip

    # Threads, rows and pages

    def _strands(self, i: int, feet: float) -> VGroup:
        ends = zip(self._starts(i, feet), self._card_tops(), strict=True)
        return VGroup(*(Strand(start, end, self.theme.head(0), opacity=0.5) for start, end in ends))

    def _starts(self, i: int, feet: float) -> list[tuple[float, float, float]]:
        """Where detective i holds his threads: side by side, so that they do not cross."""
        return [(self.xs[i] + 0.5 * (j + 0.5 - self.n / 2) / self.n, feet, 0.0) for j in range(self.n)]

    def _card_tops(self) -> list[tuple[float, float, float]]:
        return [(x, float(self.row.get_top()[1]), 0.0) for x in self.xs]

    def _weight_threads(self) -> list[Thread]:
        ends = zip(self._starts(self.example.focus, self.feet), self._card_tops(), strict=True)
        weights = self.example.report.weights
        return [Thread(start, end, weights.entry(j), self.theme.head(0)) for j, (start, end) in enumerate(ends)]

    def _row_y(self, k: int) -> float:
        """The middle of row k below the table: 0 holds the weights, the others slips."""
        below = self.table.get_bottom()[1] - HANG
        if k == 0:
            return float(below - WEIGHTS / 2)
        return float(below - WEIGHTS - GAP - self.slip / 2 - (k - 1) * (self.slip + GAP))

    def _row_name(self, key: str, k: int, color: str | None = None) -> TextLine:
        name = self.label(key, SMALLEST, color, width=GUTTER - 0.05)
        return name.move_to((self.left - 0.06 - name.width / 2, self._row_y(k), 0))

    def _slip(
        self, named: Named, color: str, j: int, k: int, *, tag: bool = False, limit: float | None = None
    ) -> Slip:
        """A slip in column j; row 0 is right below the table."""
        slip = Slip(named, self.pitch - 0.06, color, tag=tag, limit=limit)
        y = self._row_y(k) if k else self.table.get_bottom()[1] - HANG - self.slip / 2
        return slip.shift((self.xs[j], y, 0))

    def _turn_page(
        self, content: Mobject, shown: Mobject | None = None, *moved: tuple[VMobject, VMobject], seconds: float = 1.0
    ) -> None:
        """The page beside the detective grows to hold `content`; `shown` of it fades in, `moved` comes from before."""
        focus, color = self.example.focus, self.theme.head(0)
        right = self.xs[focus] < 0
        page = Page(content.width + 0.75, content.height + 0.36, color)
        offset = 0.85 + page.width / 2
        page.move_to((self.xs[focus] + (offset if right else -offset), PAGE_TOP - page.height / 2, 0))
        content.move_to(page.writing)
        kept = {old for old, _ in moved}
        old = [m for m in self.written if m not in kept] if self.page else []
        turn = FadeIn(page, shift=RIGHT * 0.3) if self.page is None else ReplacementTransform(self.page, page)
        self.play(
            turn, *(FadeOut(m) for m in old), *(ReplacementTransform(a, b) for a, b in moved),
            FadeIn(shown or content), run_time=seconds,
        )  # fmt: skip
        self.page, self.written = page, [shown or content, *(b for _, b in moved)]

    # Match

    def _meet_every_key(self) -> None:
        """The question runs down every thread, and every tag answers."""
        focus = self.team[self.example.focus]
        for _ in ():
            pass
        dots = VGroup(*(Dot(radius=0.1, color=self.theme.query).move_to(focus) for _ in range(self.n)))
        runs = [
            MoveAlongPath(dot, thread) for dot, thread in zip(dots, self.threads, strict=True)
        ]
        self.play(LaggedStart(*runs, lag_ratio=0.15), run_time=2)
