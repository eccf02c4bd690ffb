"""Counts as areas: squares of equal size for equal counts, cut into as many pieces as there are heads."""

from typing import Any

from manim import Animation, Rectangle, VGroup

from mathcore.named import Entry, NamedArray
from scenes.kit.layout.arrangements import Reach, between
from scenes.kit.layout.blocks import Block, lay_box
from scenes.kit.text import SMALL, SMALLEST, Number
from scenes.kit.theme import current_theme, mix, text_on
from scenes.kit.values import formatted

# The side of a square from the least to the most, in units, and the width of a cut.
_SIDE, _CUT = (0.9, 1.5), 4.0
# The air around the number.
_AIR = 0.12


class CountedSquare(Block):
    """A square in `hue` that stands for a count, with its number, in `pieces` columns, or rows, that may be cut apart.

    `strips` are the pieces, which seem to be one until `cut`; the rest is as for any block.
    """

    def __init__(
        self, count: Entry | NamedArray, hue: str, pieces: int = 1, *, by_row: bool = False, **around: Any
    ) -> None:
        fill = mix(current_theme().panel, hue, 0.4)
        self._by_row, self.breadth = by_row, 0.0
        self.strips = VGroup(
            *(Rectangle(width=1, height=1, fill_color=fill, fill_opacity=1, stroke_color=fill, stroke_width=1)
              for _ in range(pieces))
        )  # fmt: skip
        self.number = Number(formatted(count, grouped=True), SMALL, text_on(fill), bold=True)
        # The number stands on a whole patch, not on the cuts.
        self.patch = Rectangle(width=1, height=1, stroke_width=0, fill_color=fill, fill_opacity=1)
        super().__init__(VGroup(self.strips, self.patch, self.number), **around)

    def cut(self) -> Animation:
        """The pieces come apart."""
        return self.strips.animate.set_stroke(current_theme().background, _CUT).build()

    def _size(self, ease: float) -> float:
        return between((float(SMALLEST), float(SMALL)), ease)

    def _side(self, ease: float) -> float:
        wide = float(self.number.width) / self.number.drawn_size * self._size(ease) + 2 * _AIR
        return max(between(_SIDE, self.breadth), wide)

    def body_reach(self, ease: float) -> Reach:
        half = self._side(ease) / 2
        return Reach(half, half, half, half)

    def lay_body(self, ease: float, middle: Any) -> None:
        side, count = self._side(ease), len(self.strips)
        for k, strip in enumerate(self.strips):
            off = (k + 0.5) * side / count - side / 2
            if self._by_row:
                lay_box(strip, side, side / count, (middle[0], middle[1] - off))
            else:
                lay_box(strip, side / count, side, (middle[0] + off, middle[1]))
        self.number.scale(self._size(ease) / self.number.drawn_size).move_to(middle)
        lay_box(self.patch, self.number.width + _AIR, self.number.height + _AIR, middle)
