"""Notebooks with matrices: an open page, closed ones on a shelf, and one sentence projected onto three pages."""

from collections.abc import Sequence
from typing import Any, TypeVar

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    DashedVMobject,
    Group,
    Rectangle,
    RoundedRectangle,
    VGroup,
    VMobject,
)

from mathcore.named import Named
from scenes.formats import UNIT_PX
from scenes.kit.contents import common_size
from scenes.kit.figures import Notebook, route
from scenes.kit.grid import CellMap, Grid
from scenes.kit.heatmap import HeatMap
from scenes.kit.layout import Slot
from scenes.kit.paper import Page
from scenes.kit.text import BODY, SMALL, TextLine, fitted
from scenes.kit.theme import current_theme, mix

Shape = TypeVar("Shape", bound=VMobject)
# What is written on a page and on a card: heading lines, a formula, and the colour of both.
Heading = tuple[Sequence[TextLine], VMobject, str]


def bold(formula: Shape) -> Shape:
    """A formula whose thin strokes have the weight of the words beside it."""
    formula.set_stroke(formula.get_fill_color(), 1.5)
    return formula


class GridPage(VGroup):
    """A notebook page with a grid on it and, above that, lines of text; the grid stays where it is."""

    def __init__(self, grid: Grid | CellMap, lines: Sequence[TextLine], color: str) -> None:
        super().__init__()
        self.grid = grid
        self.head = VGroup(*lines).arrange(DOWN, buff=0.02).next_to(grid, UP, buff=0.1)
        width, height = max(grid.width, self.head.width) + 0.5, grid.height + self.head.height + 0.34
        self.page = Page(width, height, color)
        self.page.shift(grid.get_center() + (LEFT * 0.1 + UP * (self.head.height + 0.1) / 2))
        self.add(self.page, grid, self.head)


class MatrixCard(VGroup):
    """A card with a grid of parameters on it and its formula above."""

    def __init__(self, grid: VMobject, name: VMobject, color: str) -> None:
        super().__init__()
        theme = current_theme()
        self.grid = grid
        bold(name).next_to(grid, UP, buff=0.14)
        content = VGroup(grid, name)
        self.card = RoundedRectangle(
            corner_radius=0.12, width=content.width + 0.3, height=content.height + 0.26, stroke_color=color,
            stroke_width=2.5, fill_color=mix(theme.background, color, 0.08), fill_opacity=1,
        ).move_to(content)  # fmt: skip
        self.add(self.card, grid, name)


class Shelf(VGroup):
    """A shelf at the bottom of `stage` with an empty place for each closed notebook.

    A notebook has a colour, a letter, and lines of text beside it; `books` and `texts` are put in later.
    """

    _BOOK, _BOARD = (0.66, 0.8), 0.14

    def __init__(self, stage: Slot, notebooks: Sequence[tuple[str, TextLine, Sequence[TextLine]]]) -> None:
        super().__init__()
        theme = current_theme()
        board = Rectangle(width=stage.width, height=self._BOARD, fill_color=theme.wood, fill_opacity=1,
                          stroke_color=mix(theme.wood, theme.text, 0.3), stroke_width=2)  # fmt: skip
        self.add(board.move_to((stage.centre[0], stage.bottom + self._BOARD / 2, 0)))
        self.books: list[VGroup] = []
        self.texts: list[VGroup] = []
        for k, (color, letter, lines) in enumerate(notebooks):
            book = Notebook(color, *self._BOOK)
            text = VGroup(*lines).arrange(DOWN, buff=0.04, aligned_edge=LEFT).next_to(book, RIGHT, buff=0.25)
            x = stage.left + (k + 0.5) * stage.width / len(notebooks)
            both = VGroup(book, text)
            both.shift((x - both.get_x(), board.get_top()[1] - book.get_bottom()[1], 0))
            empty = RoundedRectangle(corner_radius=0.08, width=book.width, height=book.height, stroke_color=theme.line,
                                     stroke_width=2).move_to(book)  # fmt: skip
            self.add(DashedVMobject(empty, num_dashes=24))
            self.books.append(VGroup(book.cover, book[1], letter.move_to(book).shift(RIGHT * 0.04)))
            self.texts.append(text)


class ThreeWays(Group):
    """X as a colour map with its words, and an arrow from it to each page of results, `row` units a row.

    `headings` say what stands on each page and beside the arrow to it.
    """

    _LANE, _NEAREST, _APART = 0.12, 0.46, 0.3

    def __init__(
        self, x: Named, results: Sequence[Named], headings: Sequence[Heading], words: Sequence[str], name: TextLine,
        *, stage: Slot, row: float, label_width: float,
    ) -> None:  # fmt: skip
        super().__init__()
        size = min(common_size(words, label_width, BODY), row * UNIT_PX)
        beside = max(fitted(word, label_width, size).width for word in words) + 0.18
        self.pages = self._turned_up(results, headings, row, stage.width - beside - 1.0 - 2 * self._APART)
        pages = VGroup(*self.pages)
        room = stage.width - pages.width - beside - 2 * self._APART
        self.heat = HeatMap(x, max(1.0, min(2.4, room)), self.pages[0].grid.height, fill="signed")
        pages.next_to(self.heat, RIGHT, buff=2 * self._APART)
        pages.shift(UP * (self.heat.get_y() - self.pages[0].grid.get_y()))
        self.name_line = name.next_to(self.heat, DOWN, buff=0.06)
        self.names = VGroup()
        for i, word in enumerate(words):
            label = fitted(word, label_width, size)
            self.names.add(label.next_to(self.heat.row_box(i), LEFT, buff=0.18))
        self.add(self.heat, pages, self.name_line, self.names)
        self.arrows = [self._arrow(which, heading) for which, heading in enumerate(headings)]
        self.add(*(part for arrow in self.arrows for part in arrow))
        self.move_to(stage.centre)

    def _turned_up(
        self, results: Sequence[Named], headings: Sequence[Heading], row: float, room: float
    ) -> list[GridPage]:
        """The pages side by side; where there is no room for digits, with a colour for each number."""
        hues, d_head = [hue for _, _, hue in headings], results[0].shape[1]
        for width in (0.92, 0.66):
            style: dict[str, Any] = {"size": min(SMALL, row * 96), "cell": (width, row)}
            pages = self._bound([Grid(r, 2, hue=hue, **style) for r, hue in zip(results, hues, strict=True)], headings)
            if VGroup(*pages).width <= room:
                return pages
        cell = ((room - 2 * self._APART) / len(results) - 0.6) / d_head
        return self._bound(
            [CellMap(r, (cell, row), [hue] * d_head) for r, hue in zip(results, hues, strict=True)], headings
        )

    def _bound(self, grids: Sequence[Grid | CellMap], headings: Sequence[Heading]) -> list[GridPage]:
        pages = [GridPage(grid, lines, color) for grid, (lines, _, color) in zip(grids, headings, strict=True)]
        VGroup(*pages).arrange(RIGHT, buff=self._APART)
        return pages

    def _arrow(self, which: int, heading: Heading) -> tuple[VMobject, VMobject, VMobject]:
        """Up from X, across, and down to a page; the farther the page, the higher the lane, so that none cross."""
        _, formula, color = heading
        x, top = self.pages[which].page.sheet.get_center()[0], self.pages[which].page.sheet.get_top()[1]
        start = self.heat.get_center()[0] + (1 - which) * self.heat.width / 4
        lane = top + self._NEAREST + which * self._LANE
        line, head = route([(start, self.heat.get_top()[1] + 0.08), (start, lane), (x, lane), (x, top + 0.1)], color)
        return line, head, formula.next_to((x, top + 0.24, 0), RIGHT, buff=0.14)

    def rows(self, i: int) -> VGroup:
        """A frame around row i of X, and of each page."""
        color = current_theme().text
        parts = [self.heat.row_box(i), *(VGroup(*page.grid.boxes[i]) for page in self.pages)]
        return VGroup(
            *(
                RoundedRectangle(
                    corner_radius=0.06, width=part.width + 0.06, height=part.height + 0.04, stroke_color=color,
                    stroke_width=3.5,
                ).move_to(part)
                for part in parts
            )
        )  # fmt: skip
