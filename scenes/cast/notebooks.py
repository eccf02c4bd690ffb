"""Notebooks, closed, on a shelf."""

from collections.abc import Sequence
from typing import Any, TypeVar

from manim import RIGHT, DashedVMobject, Rectangle, RoundedRectangle, VGroup, VMobject

from scenes.kit.figures import Notebook
from scenes.kit.layout.arrangements import Column, Reach, Row
from scenes.kit.layout.stage import is_upright
from scenes.kit.paragraph import Paragraph
from scenes.kit.text import TextLine
from scenes.kit.theme import current_theme, mix

Shape = TypeVar("Shape", bound=VMobject)
_BOOK, _BOARD = (0.66, 0.8), 0.14


def bold(formula: Shape) -> Shape:
    """A formula whose thin strokes have the weight of the words beside it."""
    formula.set_stroke(formula.get_fill_color(), 1.5)
    return formula


class ClosedNotebook(VGroup):
    """A notebook's cover with its letter, and its name beside it, or below it on a phone.

    Before it is put there, its `place` is empty: a dashed outline. `book` is the notebook, `text` what is written.
    """

    def __init__(self, color: str, letter: TextLine, *text: TextLine | Paragraph) -> None:
        super().__init__()
        notebook = Notebook(color, *_BOOK)
        cover = notebook.cover
        outline = RoundedRectangle(corner_radius=0.08, width=cover.width, height=cover.height, stroke_width=2)
        self.place = DashedVMobject(outline.set_stroke(current_theme().line).move_to(cover), num_dashes=24)
        self.book = VGroup(cover, notebook[1], letter.move_to(cover).shift(RIGHT * 0.04))
        self.text = VGroup(*text)
        self._cover = cover
        self.add(self.place, self.book, self.text)
        self.settle(1.0)

    @property
    def anchor(self) -> Any:
        return self._cover.get_center()

    def _lines(self) -> Column:
        return Column(list(self.text), 0.02, "middle" if is_upright() else "left")

    def reach(self, ease: float) -> Reach:
        text, (width, height) = self._lines().reach(ease), _BOOK
        if is_upright():
            half = max(width, text.width) / 2
            return Reach(half, half, height / 2, height / 2 + _BOARD + 0.1 + text.height)
        return Reach(width / 2, width / 2 + 0.25 + text.width, height / 2, height / 2 + _BOARD)

    def settle(self, ease: float) -> "ClosedNotebook":
        (x, y, _), lines, (width, height) = self.anchor, self._lines(), _BOOK
        own = lines.reach(ease)
        if is_upright():
            lines.put(ease, x, y - height / 2 - _BOARD - 0.1 - own.up)
        else:
            lines.put(ease, x + width / 2 + 0.25 + own.left, y)
        return self


class Shelf(VGroup):
    """Closed notebooks in a row on a board as wide as `width`, the board behind all names' room."""

    def __init__(self, notebooks: Sequence[ClosedNotebook], width: float) -> None:
        super().__init__()
        theme = current_theme()
        self.notebooks, self._width = list(notebooks), width
        self.board = Rectangle(width=width, height=_BOARD, fill_color=theme.wood, fill_opacity=1, stroke_width=2)
        self.board.set_stroke(mix(theme.wood, theme.text, 0.3))
        self.add(self.board, *notebooks)
        self.settle(1.0)

    @property
    def anchor(self) -> Any:
        return self.board.get_center()

    def _row(self) -> Row:
        return Row(self.notebooks, 0.0, "middle")

    def reach(self, ease: float) -> Reach:
        reaches = [notebook.reach(ease) for notebook in self.notebooks]
        width = max(self._width, max(r.width for r in reaches) * len(reaches))
        up, down = max(r.up for r in reaches), max(r.down for r in reaches)
        return Reach(width / 2, width / 2, up + _BOOK[1] / 2 + _BOARD / 2, down - _BOOK[1] / 2 - _BOARD / 2)

    def settle(self, ease: float) -> "Shelf":
        (x, y, _), step = self.anchor, self._width / len(self.notebooks)
        for k, notebook in enumerate(self.notebooks):
            own = notebook.reach(ease)
            middle = x + (k - (len(self.notebooks) - 1) / 2) * step
            notebook.settle(ease)
            notebook.shift((middle + (own.left - own.right) / 2, y + (_BOARD + _BOOK[1]) / 2, 0) - notebook.anchor)
        return self
