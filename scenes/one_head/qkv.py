"""Three notebooks: the same sentence projected into queries, keys and values."""

from collections.abc import Mapping
from typing import Any

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    FadeIn,
    LaggedStart,
    ReplacementTransform,
    Transform,
    VGroup,
)

from mathcore.named import Named
from scenes.kit.contents import common_size
from scenes.kit.figures import route
from scenes.kit.formula import formula
from scenes.kit.grid import Grid, heading, row_labels
from scenes.kit.lesson import Lesson
from scenes.kit.lines import SlotValue
from scenes.kit.motion import Carry, Draw
from scenes.kit.notebooks import GridPage, MatrixCard, Shelf, ThreeWays, bold
from scenes.kit.text import BODY, SMALL, SMALLEST, Number, Shown, TextLine, fitted
from scenes.kit.theme import text_on

LABEL_WIDTH = 1.5
# The highest that the rows of X and of the results may begin, so that headings fit above.
HANG = 2.25
NOTEBOOKS = (("q", "W_Q"), ("k", "W_K"), ("v", "W_V"))


class QKV(Lesson):
    """Project the sentence three ways with the matrices of head 0."""

    beats = ("case_file", "one_cell", "query", "key", "value", "same_words_three_ways")
    formats = ("landscape",)

    def slots(self) -> Mapping[str, SlotValue]:
        sizes = self.example.sizes
        return {
            "word": self.token(self.example.focus),
            "n": Shown(sizes.words.entry(), 0),
            "d_model": Shown(sizes.d_model.entry(), 0),
            "result": Shown(self.example.cell.result.entry()),
        }

    def case_file(self) -> None:
        self.colors = (self.theme.query, self.theme.key, self.theme.value)
        self._measure()
        self.x = self._matrix(self.example.attention.x, places=1, fill="signed")
        self.names = row_labels(self.x, self.example.words, LABEL_WIDTH, size=self.word_size)
        self.x_head = heading(self.label("x"), self.x)
        self.case = VGroup(self.x, self.names, self.x_head)
        self.large = min(1.4, self.stage.width / self.case.width, self.stage.height / self.case.height)
        self.case.scale(self.large).move_to(self.stage.centre)
        self.add(self.title("illustrative"), self.names, self.x_head)
        rows = (FadeIn(self.x.row(i), shift=RIGHT * 0.1) for i in range(self.x.n_rows))
        self.play(LaggedStart(*rows, lag_ratio=0.3), run_time=2.8)

    def one_cell(self) -> None:
        there = self.case.copy().scale(1 / self.large)
        self._set_out(there)
        self.play(Transform(self.case, there))
        self.show(self.signs, self.card, self.page.page, self.page.head, self.result[0])
        focus = self.example.focus
        row = self.x.outline(VGroup(*self.x.boxes[focus]))
        column = self.w.outline(VGroup(*(boxes[0] for boxes in self.w.boxes)), self.theme.query)
        self.show(row, column, seconds=0.5)
        table, total = self._count_out()
        self.play(Carry(total, self.result.numbers[focus][0], self.result.boxes[focus][0]))
        self.counted = VGroup(table, total, row, column)

    def _set_out(self, case: VGroup) -> None:
        """X, the matrix's card and the page of results, side by side over the whole width."""
        x = case[0]
        self.w, self.card = self._card(0)
        self.result, self.page = self._page(0)
        self.signs = VGroup(TextLine("×", BODY), TextLine("=", BODY))
        row = (case, self.signs[0], self.card, self.signs[1], self.page)
        VGroup(*row).arrange(RIGHT, buff=min(0.4, (self.stage.width - sum(m.width for m in row)) / 4))
        VGroup(*row).move_to(self.stage.centre)
        # Rows of the page are level with those of X; those of the card are not, they belong to no word.
        middle = min(self.stage.top - self.card.height / 2, HANG - x.height / 2)
        self.card.set_y(middle)
        hang = min(HANG, middle + x.height / 2)
        case.shift(UP * (hang - x.get_top()[1]))
        self.page.shift(UP * (hang - self.result.get_top()[1]))
        self.signs.set_y(middle)

    def _count_out(self) -> tuple[VGroup, Number]:
        """Row times column, product by product, below the matrices."""
        cell = self.example.cell
        style: dict[str, Any] = {"size": SMALL, "cell": (0.86, 0.36)}
        left = Grid(cell.left, 1, fill="signed", **style)
        right = Grid(cell.right, 1, hue=self.theme.query, **style)
        products = Grid(cell.products, 2, **style)
        rows = VGroup(left, right, products).arrange(DOWN, buff=0.05)
        names = VGroup(*(self.label(key) for key in ("row_x", "column_w", "product")))
        for name, grid in zip(names, rows, strict=True):
            name.next_to(grid, LEFT, buff=0.2)
        total = Number(cell.result.entry(), 2, BODY + 4, self.theme.query, bold=True)
        adds = VGroup(self.label("sum"), total).arrange(RIGHT, buff=0.2).next_to(products, RIGHT, buff=0.3)
        table = VGroup(rows, names, adds)
        table.move_to((0, self.stage.bottom + 0.1 + table.height / 2, 0))
        focus = self.example.focus
        self.show(VGroup(*left.boxes[0]), VGroup(*right.boxes[0]), names[0], names[1], seconds=0.4)
        column = [numbers[0] for numbers in self.w.numbers]
        for source, row in ((self.x.numbers[focus], left), (column, right)):
            flown = zip(source, row.numbers[0], row.boxes[0], strict=True)
            self.play(*(Carry(*each, across_first=row is right) for each in flown), run_time=1.2)
        steps = (FadeIn(products.cell(0, j), shift=DOWN * 0.15) for j in range(products.n_columns))
        self.play(FadeIn(names[2]), LaggedStart(*steps, lag_ratio=0.8), run_time=3)
        self.show(adds)
        return VGroup(rows, names, adds[0]), total

    def query(self) -> None:
        self.shelf = Shelf(self.stage, [self._closed(which) for which in range(len(NOTEBOOKS))])
        self.hide(self.counted, seconds=0.4)
        self.show(self.shelf, seconds=0.4)
        focus, numbers = self.example.focus, self.result.numbers
        self._fill([VGroup(*row) if i != focus else VGroup(*row[1:]) for i, row in enumerate(numbers)])
        self.until("queries")
        self._keep(0)

    def key(self) -> None:
        self._project(1)
        self.until("keys")
        self._keep(1)

    def value(self) -> None:
        self._project(2)
        self.until("values")
        self._keep(2)

    def same_words_three_ways(self) -> None:
        one, labels = self.example.heads[0], []
        for (key, matrix), color in zip(NOTEBOOKS, self.colors, strict=True):
            lines = (self.label(key, BODY, color, bold=True), self.label(f"{key}_asks", width=2.3))
            labels.append((lines, bold(formula(matrix, BODY + 8, color)), color))
        whole = ThreeWays(
            self.example.attention.x, (one.q, one.k, one.v), labels, self.example.words,
            self.label("x_short", BODY, bold=True), stage=self.stage, row=self.row, label_width=LABEL_WIDTH,
        )  # fmt: skip
        leaving = (self.x, self.names, self.x_head, self.signs, self.card, self.page, self.link)
        self.hide(*leaving, *self.shelf.texts, *(part for book in self.shelf.books for part in book[1:]), self.shelf)
        sheets = [page.page.sheet for page in whole.pages]
        opened = (ReplacementTransform(book[0], sheet) for book, sheet in zip(self.shelf.books, sheets, strict=True))
        self.play(LaggedStart(*opened, lag_ratio=0.3), run_time=1.5)
        pages = [part for page in whole.pages for part in (*page.page[1:], page.grid, page.head)]
        self.show(whole.heat, whole.names, whole.name_line, *pages, seconds=0.6)
        for line, head, name in whole.arrows:
            self.play(Draw(line), FadeIn(name), run_time=0.5)
            self.show(head, seconds=0.15)
        self.show(whole.rows(self.example.focus), seconds=0.6)

    # Parts

    def _measure(self) -> None:
        """The width of cells and the size of their digits, as large as X, a card and a page have room side by side."""
        d_model, d_head = self.example.d_model, self.example.d_model // self.example.n_heads
        self.word_size = common_size(self.example.words, LABEL_WIDTH, BODY)
        names = max(fitted(word, LABEL_WIDTH, self.word_size).width for word in self.example.words)
        room = self.stage.width - names - (2.7 if d_head <= 2 else 2.1)
        # Results have a digit more, so their cells are wider by a quarter.
        self.cell = min(0.74, room / (d_model + 2.25 * d_head))
        self.digits = max(SMALLEST, min(BODY - 2, SMALLEST * (self.cell - 0.18) / 0.33))
        self.row = min(0.42, 3.3 / len(self.example.words))

    def _matrix(self, named: Named, places: int = 2, **style: Any) -> Grid:
        size = min(self.digits, SMALL if self.row < 0.34 else BODY)
        return Grid(named, places, size=size, cell=(self.cell * (1 if places < 2 else 1.25), self.row), **style)

    def _card(self, which: int) -> tuple[Grid, MatrixCard]:
        """One of the head's matrices, and the card that it is on."""
        color = self.colors[which]
        grid = Grid(self.example.head_weights[which], 1, size=self.digits, cell=(self.cell, 0.35), hue=color)
        return grid, MatrixCard(grid, formula(NOTEBOOKS[which][1], BODY + 12, color), color)

    def _page(self, which: int) -> tuple[Grid, GridPage]:
        """The results, and the open notebook that they are in."""
        key, color = NOTEBOOKS[which][0], self.colors[which]
        grid = self._matrix(getattr(self.example.heads[0], key), hue=color)
        return grid, GridPage(grid, [self.label(key, BODY, color, bold=True)], color)

    def _closed(self, which: int) -> tuple[str, TextLine, tuple[TextLine, TextLine]]:
        """The same notebook, closed: its colour, its letter, and what is in it."""
        key, color = NOTEBOOKS[which][0], self.colors[which]
        letter = self.label(f"{key}_short", BODY, text_on(color), bold=True)
        return color, letter, (self.label(key, BODY, color, bold=True), self.label(f"{key}_asks"))

    def _fill(self, rows: list[VGroup]) -> None:
        self.play(LaggedStart(*(FadeIn(row, shift=RIGHT * 0.2) for row in rows), lag_ratio=0.3), run_time=2.2)

    def _keep(self, which: int) -> None:
        """What is on the page is now in its notebook on the shelf."""
        book, page = self.shelf.books[which], self.page
        start, end = page.page.sheet.get_bottom(), book.get_top()
        lane = end[1] + 0.22
        corners = [(start[0], start[1]), (start[0], lane), (end[0], lane), (end[0], end[1] + 0.08)]
        line, head = route(corners, self.colors[which])
        self.play(Draw(line), run_time=0.8)
        self.show(head, seconds=0.2)
        self.show(book, self.shelf.texts[which], seconds=0.6)
        self.link = VGroup(line, head)

    def _project(self, which: int) -> None:
        (self.w, card), (result, page) = self._card(which), self._page(which)
        card.move_to(self.card)
        page.shift(self.result.get_center() - result.get_center())
        self.hide(self.link, self.page, self.card)
        self.card, self.page, self.result = card, page, result
        self.show(card, page.page, page.head, result[0], seconds=0.6)
        self._fill([VGroup(*row) for row in result.numbers])
