"""Split and concatenate: one word asks every head, each answers with a brick, and the bricks click into one row."""

from collections.abc import Mapping
from operator import index

from scenes.cast.areas import CountedSquare
from scenes.cast.bricks import BrickRow
from scenes.cast.figure import Figure
from scenes.cast.windows import Window
from scenes.kit.formula import Formula, formula
from scenes.kit.layout import column, equation, is_upright, row, sign, table
from scenes.kit.lesson import Lesson
from scenes.kit.lines import SlotValue
from scenes.kit.matrix import Matrix
from scenes.kit.text import BODY, SMALL, TITLE, TextLine
from scenes.kit.values import formatted


class SplitConcat(Lesson):
    """Follow one word through all heads to one row, then all words, and count the parameters."""

    beats = ("split", "windows", "bricks", "join", "everyone", "mix", "count")

    def slots(self) -> Mapping[str, SlotValue]:
        sizes, budget = self.example.sizes, self.example.head_parameters
        return {
            "word": self.token(self.example.focus),
            "n": sizes.words,
            "heads": sizes.heads,
            "d_model": sizes.d_model,
            "d_head": sizes.d_head,
            "width": budget.d_model,
            "many": budget.heads[1],
            "total": formatted(budget.totals[1], grouped=True),
        }

    def split(self) -> None:
        attention, focus, heads = self.example.attention, self.example.focus, range(self.example.n_heads)
        word = Matrix(attention.x.row(focus), digits=0, places=1, above=self.label("word_row"))
        w = Matrix(attention.w_q, heads=len(heads), above=self._symbol("W_Q"), cover="card")
        self.query = Matrix(attention.q.row(focus), digits=0, heads=len(heads), above=self.label("query_row"))
        signs = sign("×"), sign("=")
        self.stage.column(equation(word, signs[0], w), row(signs[1], self.query, gap=(0.1, 0.36)))
        self.veil(self.query.inside)
        self.heading = self.title("parameters")
        self.add(self.heading, word)
        self.enter(signs[0], w, signs[1], self.query, lag=0.3, seconds=1.6)
        ring = word.ring(word.row(0))
        self.enter(ring, seconds=0.4)
        for i in heads:
            mine = w.ring(w.head(i), self.theme.head(i))
            self.enter(mine, seconds=0.4)
            self.unveil(self.query, *self.query.head(i), seconds=0.8, lag=0.0)
        self.leaving = [thing for thing in self.mobjects if thing not in (self.heading, self.query)]

    def windows(self) -> None:
        focus, example = self.example.focus, self.example
        across = 2 if is_upright() else example.n_heads
        room = self.stage.width / min(across, example.n_heads) - 0.3
        self.panes = [
            Window(head.weights.row(focus), example.words, self.theme.head(i), self._head_name(i), room)
            for i, head in enumerate(example.heads)
        ]
        # On a phone there is no room above the windows for those who look through them.
        self.team = [] if is_upright() else [Figure(i, least=0.3, most=0.42) for i in range(example.n_heads)]
        bays = [column(*pair, gap=0.0) for pair in zip(self.team, self.panes, strict=True)] if self.team else self.panes
        self.wall = column(*(row(*bays[k : k + across], gap=0.25, level="bottom") for k in range(0, len(bays), across)))
        self.leave(*self.leaving)
        for window in self.panes:
            self.veil(*window.lights)
        with self.gliding():
            self.stage.column(self.query, self.wall, gap=(0.15, 0.5))
        self.enter(*self.team, *self.panes, lag=0.15, seconds=1.6)
        for i, window in enumerate(self.panes):
            with self.together(seconds=1.2):
                self.unveil(window, *window.lights, lag=0.1, shift=(0, 0))
                self.perform(*(figure.acts(look=window, mood="thinks") for figure in self.team[i : i + 1]))

    def bricks(self) -> None:
        focus = self.example.focus
        self.row = BrickRow([head.output.row(focus) for head in self.example.heads])
        self.leave(self.query)
        with self.gliding():
            self.stage.column(self.wall, self.row, gap=(0.15, 0.6))
        self.veil(*self.row.bricks)
        self.add(self.row)
        for i, brick in enumerate(self.row.bricks):
            with self.together(seconds=0.9):
                self.unveil(self.row, brick, shift=(0, 0.6))
                self.perform(*(figure.acts(look=brick, mood="found") for figure in self.team[i : i + 1]))

    def join(self) -> None:
        self.row.joined, told = True, self.label("joined", BODY)
        with self.gliding(seconds=1.4):
            self.stage.column(self.wall, column(self.row, told, gap=(0.1, 0.2)), gap=(0.15, 0.8))
        self.enter(told)
        self.told = told

    def everyone(self) -> None:
        example, focus = self.example, self.example.focus
        concat, words = example.attention.concat, example.words
        self.joined = Matrix(concat, digits=focus, heads=example.n_heads, rows=words, above=self.label("concat"))
        self.leave(*self.team, *self.panes, self.told)
        self.stage.place(self.joined)
        # Nothing else is there yet that the row could cross.
        self.veil(self.joined)
        self.add(self.joined)
        with self.together(seconds=1.4):
            self.trace(self.row.numbers, [self.joined.digit(focus, j) for j in range(example.d_model)])
            self.leave(self.row)
        around = (self.joined.bed, self.joined.outer, *self.joined.names)
        others = (*self.joined.cells[focus], *self.joined.each_row(focus))
        self.unveil(self.joined, *around, *others, lag=0.1, seconds=2.2)
        if example.seats.repeated.entry().value:
            twins = map(index, example.seats.seats.entries())
            self.enter(*(self.joined.ring(self.joined.row(i), self.theme.query) for i in twins))

    def mix(self) -> None:
        attention, heads = self.example.attention, self.example.n_heads
        w_o = Matrix(attention.w_o, head_rows=heads, above=self._symbol("W_O"), cover="card")
        out = Matrix(attention.output, digits=self.example.focus, above=self.label("out"))
        signs = sign("×"), sign("≈")
        self.leave_all(self.heading, self.joined)
        with self.gliding():
            self.stage.column(equation(self.joined, signs[0], w_o), row(signs[1], out, gap=(0.1, 0.36)))
        self.veil(out.inside)
        self.enter(signs[0], w_o, signs[1], out, lag=0.3, seconds=1.6)
        for i in range(heads):
            self.enter(*(each.ring(each.head(i), self.theme.head(i)) for each in (self.joined, w_o)), seconds=0.6)
        self.unveil(out, *out.each_row(), seconds=1.6)

    def count(self) -> None:
        one, several = (self._case(which) for which in (0, 1))
        self.leave_all(self.heading)
        note = self.label("original", color=self.theme.muted)
        if is_upright():
            cases = (
                column(name, row(*squares, gap=(0.2, 0.4)), total, gap=0.12) for name, squares, total in (one, several)
            )
            self.stage.column(note, *cases, gap=(0.15, 0.4))
        else:
            rows = ([name, *squares, total] for name, squares, total in (one, several))
            self.stage.column(note, table(*rows, even=False), gap=0.2)
        self.enter(note, seconds=0.4)
        for name, squares, total in (one, several):
            self.enter(name, *squares, lag=0.2, seconds=1.6)
            if squares is several[1]:
                self.perform(*(square.cut() for square in squares), seconds=1.0)
            self.enter(total)

    # Parts

    def _symbol(self, name: str) -> Formula:
        return formula(name, TITLE, self.theme.text)

    def _head_name(self, i: int) -> TextLine:
        """A head's question, or its number where none is clear."""
        key = self.example.head_names[i] or "head"
        return self.label(key, SMALL, self.theme.head_word(i), number=self.example.sizes.head_numbers[i])

    def _case(self, which: int) -> tuple[TextLine, list[CountedSquare], TextLine]:
        """The name, the squares and the total of one head, or of several, at the width of the paper."""
        budget, theme = self.example.head_parameters, self.theme
        heads, width, d_head = budget.heads[which], budget.d_model, budget.d_heads[which]
        name = self.label(("single", "several")[which], heads=heads, d_head=d_head)
        total = self.label("sum", BODY, bold=True, total=formatted(budget.totals[which], grouped=True))
        squares = []
        for letter, color in zip("QKVO", (theme.query, theme.key, theme.value, theme.muted), strict=True):
            mixes = letter == "O"
            high, wide = (d_head, width) if mixes else (width, d_head)
            count = (budget.output if mixes else budget.projections)[which]
            shape = self.label(("whole", "cut")[which], color=theme.muted, heads=heads, rows=high, columns=wide)
            symbol = formula(f"W_{letter}", TITLE, color)
            squares.append(CountedSquare(count, color, index(heads), by_row=mixes, above=symbol, below=shape))
        return name, squares, total
