"""Bricks: what a head puts out for one word; bricks of several heads click into one row."""

from collections.abc import Sequence
from typing import Any

from manim import Rectangle, RoundedRectangle, VGroup

from mathcore.named import NamedArray
from scenes.formats import UNIT_PX
from scenes.kit.layout.arrangements import Reach, between
from scenes.kit.layout.blocks import lay_box
from scenes.kit.text import BODY, SMALLEST, Number
from scenes.kit.theme import current_theme, mix

# The air beside a number in the size of type, and the rim around numbers in units, from the least to the most; the
# height of a number's place in the size of type.
_BESIDE, _RIM, _WELL = (0.2, 0.7), (0.04, 0.09), 1.7
# A stud's width in a number's place, and its height in units.
_STUD = (0.42, 0.1)
# How much larger than text its numbers may be, where there is room.
_LARGER = 1.5
# Between bricks that are not joined, in units.
_APART = (0.12, 0.9)


class Brick(VGroup):
    """A brick in a head's colour with the numbers of `values` (feature,) set into it, a stud above each.

    `numbers[j]` is the number of feature j.
    """

    def __init__(self, values: NamedArray, hue: str) -> None:
        super().__init__()
        theme = current_theme()
        self.hull = RoundedRectangle(corner_radius=0.08, width=1, height=1, stroke_width=0, fill_opacity=1)
        self.hull.set_fill(hue)
        self.gleam = Rectangle(width=1, height=0.04, stroke_width=0, fill_color=mix(hue, "#FFFFFF", 0.45))
        self.gleam.set_fill(opacity=1)
        # What is set into a brick is as dark on a light page, so that its numbers read alike.
        well = mix("#0E1322", hue, 0.06)
        self.numbers = [Number(entry, BODY, "#FFFFFF", bold=True) for entry in values.entries()]
        self.studs, self.wells = (
            [RoundedRectangle(corner_radius=0.04, width=1, height=1, stroke_width=0, fill_opacity=1).set_fill(fill)
             for _ in self.numbers]
            for fill in (mix(hue, theme.background, 0.25), well)
        )  # fmt: skip
        self.add(*self.studs, self.hull, self.gleam, *self.wells, *self.numbers)

    @property
    def widest(self) -> float:
        """The width of its widest number, in the size of type."""
        return max(float(number.width) / number.drawn_size for number in self.numbers)

    def lay(self, wide: float, size: float, rim: float, place: tuple[float, float]) -> None:
        """Lay it out about a place, with numbers' places so wide, the rim around them included."""
        (x, y), well = place, _WELL * size / UNIT_PX
        width, height = wide * len(self.numbers), well + 2 * rim
        for shape, (across, up), (at_x, at_y) in (
            (self.hull, (width - 0.03, height), (0.0, 0.0)),
            (self.gleam, (width - 0.2, 0.035), (0.0, height / 2 - 0.045)),
        ):
            lay_box(shape, across, up, (x + at_x, y + at_y))
        for j, (stud, inset, number) in enumerate(zip(self.studs, self.wells, self.numbers, strict=True)):
            middle = x + (j + 0.5) * wide - width / 2
            lay_box(stud, _STUD[0] * wide, 2 * _STUD[1], (middle, y + height / 2))
            lay_box(inset, wide - 2 * rim, well, (middle, y))
            number.scale(size / number.drawn_size).move_to((middle, y, 0))


class BrickRow(VGroup):
    """The bricks of all heads in a row, in order, `joined` or apart; `values` (head, feature) are theirs."""

    def __init__(self, values: Sequence[NamedArray]) -> None:
        super().__init__()
        theme = current_theme()
        self.bricks = [Brick(row, theme.head(i)) for i, row in enumerate(values)]
        self.joined, self.breadth = False, 0.0
        self._widest = max(brick.widest for brick in self.bricks)
        self.add(*self.bricks)
        self.settle(1.0)

    @property
    def numbers(self) -> list[Number]:
        """All numbers, from left to right."""
        return [number for brick in self.bricks for number in brick.numbers]

    # A flexible shape

    @property
    def anchor(self) -> Any:
        first, last = self.bricks[0].hull, self.bricks[-1].hull
        return (first.get_left() + last.get_right()) / 2

    def _size(self, ease: float) -> float:
        return between((float(SMALLEST), float(BODY)), ease) * between((1.0, _LARGER), self.breadth)

    def _wide(self, ease: float) -> float:
        size = self._size(ease)
        return self._widest * size + between(_BESIDE, ease) * size / UNIT_PX + 2 * between(_RIM, ease)

    def _gap(self, ease: float) -> float:
        return 0.0 if self.joined else between(_APART, ease)

    def reach(self, ease: float) -> Reach:
        half = (len(self.numbers) * self._wide(ease) + (len(self.bricks) - 1) * self._gap(ease)) / 2
        up = _WELL * self._size(ease) / UNIT_PX / 2 + between(_RIM, ease)
        return Reach(half, half, up + _STUD[1], up)

    def settle(self, ease: float) -> "BrickRow":
        (x, y, _), own, wide = self.anchor.copy(), self.reach(ease), self._wide(ease)
        left = x - own.left
        for brick in self.bricks:
            width = wide * len(brick.numbers)
            brick.lay(wide, self._size(ease), between(_RIM, ease), (left + width / 2, y))
            left += width + self._gap(ease)
        return self
