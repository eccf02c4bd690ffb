"""Three notebooks: the same sentence projected into queries, keys and values."""

from collections.abc import Mapping
from typing import Any

from manim import (
    DOWN,
    RIGHT,
    UP,
    Arrow,
    FadeIn,
    FadeOut,
    LaggedStart,
    ReplacementTransform,
    RoundedRectangle,
    TransformFromCopy,
    VGroup,
    VMobject,
)

from mathcore.named import Named
from scenes.kit.figures import Notebook
from scenes.kit.formula import formula
from scenes.kit.grid import Grid, heading, row_labels
from scenes.kit.heatmap import HeatMap
from scenes.kit.layout import group
from scenes.kit.lesson import Lesson, SlotValue
from scenes.kit.text import BODY, SMALL, SMALLEST, Number, Shown, TextLine
from scenes.kit.theme import mix

LABEL_WIDTH = 1.5
# The matrices hang from this height, so that their first rows are level; and lower once the count below is gone.
HANG, LOWER = 2.25, 0.5
NOTEBOOKS = (("q", "W_Q"), ("k", "W_K"), ("v", "W_V"))


class QKV(Lesson):
    """Project the sentence three ways with the weights of head 0."""

    beats = ("case_file", "one_cell", "query", "key", "value", "same_words_three_ways")

    def slots(self) -> Mapping[str, SlotValue]:
        sizes = self.example.sizes
        return {
            "word": self.token(self.example.focus),
            "n": Shown(sizes.words.entry(), 0),
            "d_model": Shown(sizes.d_model.entry(), 0),
            "result": Shown(self.example.cell.result.entry()),
        }

    def case_file(self) -> None:
        self.hang = HANG
        columns = self.example.d_model + 2 * self.example.d_model // self.example.n_heads
        self.cell_width = min(0.72, 8.2 / columns)
        self.digits = BODY - 2 if self.cell_width > 0.6 else SMALLEST
        self.colors = (self.theme.query, self.theme.key, self.theme.value)
        self.x = self._matrix(self.example.attention.x, places=1, fill="signed")
        self.names = row_labels(self.x, self.example.words, LABEL_WIDTH, size=BODY)
        self.x_head = heading(self.label("x"), self.x)
        self.case = VGroup(self.x, self.names, self.x_head).move_to(self.stage.centre)
        self.show(self.title("illustrative"))
        self.show(self.names, shift=RIGHT * 0.2)
        rows = (FadeIn(self.x.row(i), shift=RIGHT * 0.3) for i in range(self.x.n_rows))
        self.play(LaggedStart(*rows, lag_ratio=0.3), FadeIn(self.x_head), run_time=2.5)

    def one_cell(self) -> None:
        case = self.case
        self.play(case.animate.shift(RIGHT * (self.stage.left - case.get_left()[0]) + UP * self._rise(self.x)))
        self.times = TextLine("×", BODY, self.theme.muted).next_to(self.x, RIGHT, buff=0.28)
        self.w, self.w_head = self._weights(0)
        self.equals = TextLine("=", BODY, self.theme.muted).next_to(self.w, RIGHT, buff=0.28).match_y(self.times)
        self.result, self.result_head = self._projection(0)
        self.show(self.times, self.w, self.w_head, self.equals, self.result_head)
        focus = self.example.focus
        row = self.x.outline(VGroup(*self.x.boxes[focus]))
        column = self.w.outline(VGroup(*(boxes[0] for boxes in self.w.boxes)), self.theme.query)
        self.show(row, column, seconds=0.5)
        table, total = self._count_out()
        box, digits = self.result.cell(focus, 0)
        self.play(FadeIn(box), run_time=0.2)
        self.play(TransformFromCopy(total, digits))
        self.counted = VGroup(table, total, row, column)

    def _count_out(self) -> tuple[VGroup, Number]:
        """Row times column, product by product, below the matrices."""
        cell = self.example.cell
        style: dict[str, Any] = {"size": SMALL, "cell": (0.86, 0.36)}
        left = Grid(cell.left, 1, fill="signed", **style)
        right = Grid(cell.right, 1, hue=self.theme.query, **style)
        products = Grid(cell.products, 2, **style)
        rows = VGroup(left, right, products).arrange(DOWN, buff=0.06)
        names = VGroup(*(self.label(key, color=self.theme.muted) for key in ("row_x", "column_w", "product")))
        for name, grid in zip(names, rows, strict=True):
            name.move_to(grid).shift(RIGHT * (grid.get_left()[0] - 0.2 - name.get_right()[0]))
        total = Number(cell.result.entry(), 2, BODY + 4, self.theme.query, bold=True)
        adds = VGroup(self.label("sum", color=self.theme.muted), total).arrange(RIGHT, buff=0.2)
        adds.next_to(products, RIGHT, buff=0.3)
        table = VGroup(rows, names, adds)
        table.move_to((0, self.stage.bottom + table.height / 2, 0))
        focus = self.example.focus
        self.show(VGroup(*left.boxes[0]), VGroup(*right.boxes[0]), names[0], names[1], seconds=0.4)
        self.play(
            *(TransformFromCopy(self.x.numbers[focus][j], left.numbers[0][j]) for j in range(left.n_columns)),
            *(TransformFromCopy(self.w.numbers[j][0], right.numbers[0][j]) for j in range(left.n_columns)),
            run_time=1.5,
        )
        steps = (FadeIn(products.cell(0, j), shift=DOWN * 0.15) for j in range(products.n_columns))
        self.play(FadeIn(names[2]), LaggedStart(*steps, lag_ratio=0.8), run_time=3)
        self.show(adds)
        return VGroup(rows, names, adds[0]), total

    def query(self) -> None:
        self.play(FadeOut(self.counted), run_time=0.6)
        self.hang -= LOWER
        matrices = (self.case, self.times, self.w, self.w_head, self.equals, self.result_head)
        first = self.result.cell(self.example.focus, 0)
        self.play(*(m.animate.shift(DOWN * LOWER) for m in (*matrices, first)))
        VGroup(*(m for m in self.result[0] if m not in first), *(m for m in self.result[1] if m not in first)).shift(
            DOWN * LOWER
        )
        grid, done = self.result, self.example.focus
        rest = [VGroup(*grid.boxes[i], *grid.numbers[i]) for i in range(grid.n_rows) if i != done]
        rest.insert(done, VGroup(*grid.boxes[done][1:], *grid.numbers[done][1:]))
        self.play(LaggedStart(*(FadeIn(r, shift=RIGHT * 0.2) for r in rest), lag_ratio=0.3), run_time=2.5)
        self.books = VGroup(*(self._book(key, c) for (key, _), c in zip(NOTEBOOKS, self.colors, strict=True)))
        self.books.arrange(DOWN, buff=0.3).move_to((self.stage.right - 0.45, self.hang - 1.6, 0))
        self.show(self.books[0], shift=UP * 0.2)

    def key(self) -> None:
        self._project(1)

    def value(self) -> None:
        self._project(2)

    def same_words_three_ways(self) -> None:
        head = self.example.heads[0]
        pages = [self._page(named, which) for which, named in enumerate((head.q, head.k, head.v))]
        grids = [grid for _, grid in pages]
        book = VGroup(*(page for page, _ in pages)).arrange(RIGHT, buff=0.35 if self.cell_width > 0.5 else 0.1)
        names = row_labels(grids[0], self.example.words, LABEL_WIDTH, size=BODY, gap=0.25)
        whole = group(VGroup(book, names))
        source = self._source()
        if whole.width + 3.6 < self.stage.width:
            whole = group(VGroup(book, names), source).arrange(RIGHT, buff=0.6)
            source.move_to(whole).shift((whole.get_left()[0] + source.width / 2 - source.get_center()[0], 0, 0))
            VGroup(book, names).next_to(source, RIGHT, buff=1.1)
            whole.move_to(self.stage.centre)
        else:
            source = None
            whole.move_to(self.stage.centre)
        self._close(2)
        leaving = (self.x, self.x_head, self.times, self.w, self.w_head, self.equals)
        self.play(*(FadeOut(m) for m in leaving), ReplacementTransform(self.names, names))
        if source is not None:
            arrow = Arrow(source.get_right(), book.get_left() - (names.width + 0.3, 0, 0), buff=0.1)
            arrow.set_color(self.theme.muted)
            self.play(FadeIn(source), FadeIn(arrow), run_time=0.6)
        opened = (ReplacementTransform(b, page) for b, page in zip(self.books, book, strict=True))
        self.play(LaggedStart(*opened, lag_ratio=0.4), run_time=2)
        focus = self.example.focus
        outlines = (FadeIn(grid.outline(VGroup(*grid.boxes[focus]))) for grid in grids)
        self.play(LaggedStart(*outlines, lag_ratio=0.5), run_time=1.2)

    # Parts

    def _matrix(self, named: Named, places: int = 2, **style: Any) -> Grid:
        height = min(0.42, 3.3 / len(self.example.words))
        return Grid(
            named,
            places,
            size=min(self.digits, SMALL if height < 0.34 else BODY),
            cell=(self.cell_width, height),
            **style,
        )

    def _weights(self, which: int) -> tuple[Grid, VMobject]:
        grid = Grid(
            self.example.head_weights[which], 1, size=self.digits, cell=(self.cell_width, 0.41), hue=self.colors[which]
        )
        grid.next_to(self.times, RIGHT, buff=0.28)
        grid.shift(UP * self._rise(grid))
        return grid, heading(formula(NOTEBOOKS[which][1], BODY + 4, self.colors[which]), grid)

    def _projection(self, which: int) -> tuple[Grid, TextLine]:
        """The grid of results, in its place right of the weights, and its heading."""
        key = NOTEBOOKS[which][0]
        grid = self._matrix(getattr(self.example.heads[0], key), hue=self.colors[which])
        grid.next_to(self.equals, RIGHT, buff=0.28)
        grid.shift(UP * self._rise(grid))
        return grid, heading(self.label(key, BODY, self.colors[which], bold=True), grid)

    def _rise(self, grid: Grid) -> float:
        return float(self.hang - grid.get_top()[1])

    def _book(self, key: str, color: str) -> VGroup:
        cover = Notebook(color, 0.8, 1.0)
        letter = self.label(key, BODY, mix(color, "#000000", 0.75), bold=True)
        return VGroup(cover.cover, letter.move_to(cover))

    def _page(self, named: Named, which: int) -> tuple[VGroup, Grid]:
        """An open notebook: a page in its colour, the letter and its meaning on top, the grid below."""
        key, color = NOTEBOOKS[which][0], self.colors[which]
        grid = self._matrix(named, hue=color)
        letter = self.label(key, BODY + 6, color, bold=True)
        meaning = self.label(f"{key}_asks", SMALL, self.theme.text)
        top = VGroup(letter, meaning).arrange(DOWN, buff=0.02).next_to(grid, UP, buff=0.12)
        page = RoundedRectangle(
            corner_radius=0.15,
            width=max(grid.width, top.width) + 0.2,
            height=grid.height + top.height + 0.4,
            stroke_color=color,
            stroke_width=4,
            fill_color=mix(self.theme.background, color, 0.08),
            fill_opacity=1,
        ).move_to(VGroup(grid, top))
        return VGroup(page, grid, top), grid

    def _source(self) -> Any:
        """X as a small colour map, to say where the three pages come from."""
        side = 2.0
        image = HeatMap(self.example.attention.x, side, side, fill="signed")
        return group(image, self.label("x_short", BODY, bold=True).next_to(image, UP, buff=0.1))

    def _close(self, which: int) -> None:
        """The finished results go into their notebook."""
        leaving = VGroup(self.result, self.result_head)
        self.play(leaving.animate.scale(0.1).move_to(self.books[which]).set_opacity(0), run_time=0.9)
        self.remove(leaving, self.result, self.result_head)

    def _project(self, which: int) -> None:
        self._close(which - 1)
        new, new_head = self._weights(which)
        self.play(ReplacementTransform(self.w, new), ReplacementTransform(self.w_head, new_head))
        self.w, self.w_head = new, new_head
        self.result, self.result_head = self._projection(which)
        grid = self.result
        rows = (FadeIn(grid.row(i), shift=RIGHT * 0.2) for i in range(grid.n_rows))
        self.play(FadeIn(self.result_head), LaggedStart(*rows, lag_ratio=0.3), run_time=2.2)
        self.show(self.books[which], shift=UP * 0.2)
