"""Windows in the heads' colours: each shows the whole sentence, lit by one query's weights."""

from collections.abc import Sequence
from typing import Any

from manim import Rectangle, RoundedRectangle, VGroup

from mathcore.named import Entry, NamedArray
from scenes.formats import UNIT_PX
from scenes.kit.grid import PaintedCell
from scenes.kit.layout.arrangements import Reach, between
from scenes.kit.layout.blocks import lay_box
from scenes.kit.layout.stage import is_upright
from scenes.kit.text import BODY, SMALL, SMALLEST, Box, TextLine, fitted
from scenes.kit.theme import current_theme, mix, text_on, weight_ramp

# Panes side by side, and rows of them in landscape and on a phone, at most; their air beside a word and between them,
# and the frame's width, in units.
_MOST, _ROWS, _AIR, _APART, _FRAME = 4, (6, 4), 0.16, 0.06, 0.1
# A pane's height in the size of its word, from the least to the most, and the share of it below the word that only
# light fills.
_HIGH, _CLEAR = (1.4, 3.6), 0.26
# The air above and below the name on the sill.
_SILL = 0.08


class Pane(PaintedCell):
    """A pane as bright as a weight; it is looked at where no word stands on it."""

    def __init__(self, weight: Entry, hue: str) -> None:
        super().__init__(weight, weight_ramp(hue), 1, 1)

    def box_of(self, n: int) -> Box:
        left, bottom, right, top = super().box_of(n)
        return left, bottom, right, bottom + _CLEAR * (top - bottom)


class Window(VGroup):
    """A window in the colour `hue` with a pane for every word; on its sill stands its `name`.

    `weights` (word,) are one query's. `lights[j]` is word j's pane as its weight lights it, with the word on it; where
    it is veiled, the pane is dark. `room` is the width at hand.
    """

    def __init__(self, weights: NamedArray, words: Sequence[str], hue: str, name: TextLine, room: float) -> None:
        super().__init__()
        theme = current_theme()
        self._words, self.name_line, self.ease, self.breadth = tuple(words), name, 1.0, 0.0
        self._widest = max(TextLine(word, SMALLEST).width for word in words) / float(SMALLEST)
        least = self._widest * float(SMALLEST) + _AIR + _APART
        most = max(1, min(_MOST, len(words), int((room - 2 * _FRAME) / least)))
        # As many in each row, but for the last; long words are rather cut than left no row.
        rows = min(-(-len(words) // most), _ROWS[is_upright()])
        self._columns = -(-len(words) // rows)
        self._room = room
        self.frame = RoundedRectangle(corner_radius=0.1, width=1, height=1, stroke_color=hue, stroke_width=5)
        self.frame.set_fill(mix(theme.background, hue, 0.15), 1)
        self.sill = RoundedRectangle(corner_radius=0.08, width=1, height=1, stroke_color=hue, stroke_width=3)
        self.sill.set_fill(mix(theme.background, hue, 0.2), 1)
        dark = mix(theme.panel, theme.background, 0.4)
        self.panes = [Rectangle(width=1, height=1, stroke_width=0, fill_color=dark, fill_opacity=1) for _ in words]
        cells = [Pane(weight, hue) for weight in weights.entries()]
        lit = [
            TextLine(word, SMALLEST, text_on(cell.get_fill_color().to_hex()))
            for cell, word in zip(cells, words, strict=True)
        ]
        self.lights = [VGroup(cell, text) for cell, text in zip(cells, lit, strict=True)]
        self._lit = lit
        self.add(self.frame, self.sill, *self.panes, *self.lights, name)
        self.settle(1.0)

    # A flexible shape

    @property
    def anchor(self) -> Any:
        return self.frame.get_center()

    def _size(self, ease: float) -> float:
        return between((float(SMALLEST), float(BODY)), ease)

    def _pane(self, ease: float) -> tuple[float, float]:
        """The width and height of a pane's place."""
        size = self._size(ease)
        wide = min(self._widest * size + _AIR * 1.5 + _APART, (self._room - 2 * _FRAME) / self._columns)
        return wide, between(_HIGH, self.breadth) * size / UNIT_PX + _APART

    def _name_size(self, ease: float) -> float:
        return between((float(SMALLEST), float(SMALL)), ease)

    def reach(self, ease: float) -> Reach:
        wide, high = self._pane(ease)
        rows = -(-len(self._words) // self._columns)
        across = max(self._columns * wide, self.name_line.width / self.name_line.drawn_size * self._name_size(ease))
        half, up = across / 2 + _FRAME, rows * high / 2 + _FRAME
        return Reach(half, half, up, up + self._name_size(ease) * 1.3 / UNIT_PX + _SILL + 0.05)

    def settle(self, ease: float) -> "Window":
        (x, y, _), own, (wide, high) = self.anchor.copy(), self.reach(ease), self._pane(ease)
        self.ease = ease
        lay_box(self.frame, own.width, 2 * own.up, (x, y))
        below = own.down - own.up - 0.05
        lay_box(self.sill, own.width, below, (x, y - own.up - 0.05 - below / 2))
        self.name_line.scale(self._name_size(ease) / self.name_line.drawn_size).move_to(self.sill)
        for j, word in enumerate(self._words):
            row, column = divmod(j, self._columns)
            in_row = min(self._columns, len(self._words) - row * self._columns)
            place = (x + (column - (in_row - 1) / 2) * wide, y + own.up - _FRAME - (row + 0.5) * high)
            for pane in (self.panes[j], self.lights[j][0]):
                lay_box(pane, wide - _APART, high - _APART, place)
            line = fitted(word, wide - _APART - _AIR / 2, self._size(ease))
            line.move_to((place[0], place[1] + _CLEAR / 2 * high, 0))
            text = self._lit[j].set_points(line.points)
            text.text, text.whole = line.text, word
        return self
