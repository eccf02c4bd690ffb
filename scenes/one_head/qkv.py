"""Three notebooks: the same sentence projected into queries, keys and values."""

from collections.abc import Mapping

from scenes.cast.notebooks import ClosedNotebook, Shelf, bold
from scenes.kit.formula import Formula, formula
from scenes.kit.layout import Arrangement, Panel, along, equation, is_upright, row, sign, table
from scenes.kit.lesson import Lesson
from scenes.kit.lines import SlotValue
from scenes.kit.matrix import Matrix, alike
from scenes.kit.paragraph import Paragraph
from scenes.kit.text import BODY, TITLE, Number, TextLine
from scenes.kit.theme import text_on

NOTEBOOKS = (("q", "W_Q", "queries"), ("k", "W_K", "keys"), ("v", "W_V", "values"))


class QKV(Lesson):
    """Project the sentence three ways with the matrices of head 0."""

    beats = ("case_file", "one_cell", "query", "key", "value", "same_words_three_ways")

    def slots(self) -> Mapping[str, SlotValue]:
        sizes = self.example.sizes
        return {
            "word": self.token(self.example.focus),
            "n": sizes.words,
            "d_model": sizes.d_model,
            "result": self.example.cell.result,
        }

    def case_file(self) -> None:
        self.focus, self.colors = self.example.focus, (self.theme.query, self.theme.key, self.theme.value)
        self.x = self._x()
        self.stage.place(self.x)
        self.veil(self.x.inside)
        self.add(self.title("parameters"), self.x)
        self.unveil(self.x, *self.x.each_row(), seconds=2.8)

    def one_cell(self) -> None:
        self.w, self.page, self.signs = self._card(0), self._page(0), (sign("×"), sign("="))
        self._count_out()
        self.hush(self.x)
        with self.gliding():
            self.stage.column(self._product(), along(self.factors, row(self.adds, self.total)))
        self.veil(self.page.inside)
        self.enter(self.signs[0], self.w, self.signs[1], self.page, lag=0.3)
        rings = [self.x.ring(self.x.row(self.focus)), self.w.ring(self.w.column(0), self.theme.query)]
        self.enter(*rings, seconds=0.5)
        self._multiply()
        self.enter(self.adds, self.total)
        self.trace([self.total], [self.page.cell(self.focus, 0)])
        self.counted = [*self.factors.things(), self.adds, self.total, *rings]

    def _count_out(self) -> None:
        """A row of X, a column of the matrix, their products and the sum of these, number by number."""
        cell = self.example.cell
        self.left, self.right = (Matrix(part, digits="all", places=1) for part in (cell.left, cell.right))
        self.products = Matrix(cell.products, digits="all")
        alike(self.left, self.right, self.products)
        rows = zip(("row_x", "column_w", "product"), (self.left, self.right, self.products), strict=True)
        self.factors = table(*((self.label(key), numbers) for key, numbers in rows))
        self.adds = self.label("sum")
        self.total = Number(cell.result, TITLE, self.theme.query, bold=True)

    def _multiply(self) -> None:
        """Row and column come down, cell by cell, and each pair is multiplied."""
        names, factors = self.factors.names, (self.left, self.right)
        self.veil(*(each.inside for each in (*factors, self.products)))
        self.enter(*factors, seconds=0.4)
        with self.together(seconds=1.4):
            self.trace(self.x.row_cells(self.focus), self.left.row_cells(0))
            self.trace(self.w.column_cells(0), self.right.row_cells(0))
        self.enter(*names, self.products, seconds=0.4)
        self.unveil(self.products, *self.products.row_cells(0), lag=0.8, seconds=3)

    def query(self) -> None:
        books = [self._closed(which) for which in range(len(NOTEBOOKS))]
        self.shelf = Shelf(books, self.stage.width)
        self.veil(*(part for book in books for part in (book.book, book.text)))
        self.leave(*self.counted)
        with self.together(), self.gliding():
            self.stage.column(self._product(), self.shelf, gap=(0.7, 0.9))
            self.enter(self.shelf)
        first = self.page.row_cells(self.focus)[1:]
        self.unveil(self.page, *self.page.each_row(self.focus), *first, seconds=2.2)
        self._keep(0)

    def key(self) -> None:
        self._project(1)

    def value(self) -> None:
        self._project(2)

    def _project(self, which: int) -> None:
        """The same X times another matrix fills the next notebook."""
        card, page = self._card(which).in_place_of(self.w), self._page(which).in_place_of(self.page)
        self.leave(self.link_down, seconds=0.3)
        with self.together():
            self.w, self.page = self.swap(self.w, card), self.swap(self.page, page)
            self.veil(page.inside)
        self.unveil(self.page, *self.page.each_row(), seconds=2.2)
        self._keep(which)

    def _keep(self, which: int) -> None:
        """What is on the page is now in its notebook on the shelf."""
        self.until(NOTEBOOKS[which][2])
        notebook = self.shelf.notebooks[which]
        self.link_down = self.link(self.page.sheet, notebook.place, self.colors[which], sides=("bottom", "top"))
        self.unveil(self.shelf, notebook.book, notebook.text, seconds=0.8)

    def same_words_three_ways(self) -> None:
        pages = [self._page(k, asks=True) for k in range(len(NOTEBOOKS))]
        self.leave(*self.signs, self.w, self.page, self.link_down, self.shelf)
        if is_upright():
            # There is room for the word's own row.
            word = Matrix(self.example.attention.x.row(self.focus), digits=0, places=1, rows=[self.token(self.focus)])
            self.x = self.swap(self.x, self.stage.fan(word, pages)[0])
        with self.gliding():
            self.stage.fan(self.x, pages)
        self.enter(*pages, lag=0.3, seconds=1.5)
        matrices = [
            bold(formula(matrix, BODY, color)) for (_, matrix, _), color in zip(NOTEBOOKS, self.colors, strict=True)
        ]
        self.fan(self.x, [page.sheet for page in pages], self.colors, matrices)
        self.enter(*(each.ring(each.row(min(self.focus, each.shape[0] - 1))) for each in (self.x, *pages)))

    # Parts

    def _product(self) -> Arrangement:
        """X times the matrix is the page."""
        return equation(self.x, self.signs[0], self.w, self.signs[1], self.page)

    def _x(self) -> Matrix:
        x, words = self.example.attention.x, self.example.words
        return Matrix(x, digits=self.focus, places=1, rows=words, above=self.label("x"))

    def _name(self, which: int) -> Formula:
        return bold(formula(NOTEBOOKS[which][1], BODY, self.colors[which]))

    def _card(self, which: int) -> Matrix:
        """One of the head's matrices, on a card."""
        color = self.colors[which]
        return Matrix(self.example.head_weights[which], above=self._name(which), cover="card", color=color)

    def _page(self, which: int, *, asks: bool = False) -> Matrix:
        """The results, on the open page of their notebook; with `asks`, it says what they are for."""
        key, color = NOTEBOOKS[which][0], self.colors[which]
        head = Panel(*self._written(which)) if asks else self.label(key, BODY, color, bold=True)
        named = getattr(self.example.heads[0], key)
        return Matrix(named, digits=self.focus, fill=color, above=head, cover="page", color=color)

    def _written(self, which: int) -> tuple[TextLine, Paragraph]:
        """What is written on a notebook, and what is in it."""
        key, color = NOTEBOOKS[which][0], self.colors[which]
        return self.label(key, BODY, color, bold=True), self.paragraph(f"{key}_asks", upright=2)

    def _closed(self, which: int) -> ClosedNotebook:
        letter = self.label(f"{NOTEBOOKS[which][0]}_short", BODY, text_on(self.colors[which]), bold=True)
        return ClosedNotebook(self.colors[which], letter, *self._written(which))
