"""A matrix as one image: fast at any size, every cell a real value."""

import numpy as np
from manim import Group, ImageMobject, Rectangle, VGroup
from manim.constants import RESAMPLING_ALGORITHMS
from PIL import ImageColor

from mathcore.named import NamedArray
from scenes.kit.marks import CellMark
from scenes.kit.text import Box, Provenance, box_around
from scenes.kit.theme import current_theme, signed_colour, signed_ramp, weight_colour, weight_ramp


class HeatMap(Group):
    """A named matrix drawn as an image of `width` x `height` units, row 0 at the top.

    `fill` is "weight" (0 to 1, towards `hue`, see `weight_colour`) or "signed" (blue-neutral-orange, full
    at the largest absolute value).
    """

    def __init__(
        self, named: NamedArray, width: float, height: float, *, fill: str = "weight", hue: str | None = None
    ) -> None:
        super().__init__()
        if len(named.axes) != 2:
            raise ValueError(f"a heat map needs two axes, {named.path} has {named.axes}")
        self.named = named
        values = named.values
        limit = float(np.abs(values).max()) or 1.0
        # 256 steps are finer than a screen shows; one mix a distinct step, not one a cell.
        low, high = (0.0, 1.0) if fill == "weight" else (-limit, limit)
        # As drawn: a theme in force for a while may be gone when somebody asks.
        ramps = [weight_ramp(hue)] * 2 if fill == "weight" else [signed_ramp(sign, limit) for sign in (1.0, -1.0)]
        self._ramps = [ramps[int(value < 0)] for value in values.flat]
        steps = np.clip(np.rint((values - low) / (high - low) * 255), 0, 255).astype(int)
        palette = np.zeros((256, 3), dtype=np.uint8)
        for step in np.unique(steps):
            value = low + (high - low) * float(step) / 255
            colour = weight_colour(value, hue) if fill == "weight" else signed_colour(value, limit)
            palette[step] = ImageColor.getrgb(colour)
        image = ImageMobject(palette[steps])
        image.set_resampling_algorithm(RESAMPLING_ALGORITHMS["nearest"])
        image.stretch_to_fit_width(width).stretch_to_fit_height(height)
        self.image = image
        self.border = Rectangle(width=width, height=height, stroke_width=2, stroke_color=current_theme().line)
        self.provenance = tuple(Provenance("picture", entry) for entry in named.entries())
        self.add(image, self.border)

    def box_of(self, n: int) -> Box:
        # By arithmetic: a ledger asks for every cell, at every change.
        (i, j), (rows, columns) = divmod(n, self.named.shape[1]), self.named.shape
        left, bottom, right, top = box_around(self.border)
        width, height = (right - left) / columns, (top - bottom) / rows
        return (left + j * width, top - (i + 1) * height, left + (j + 1) * width, top - i * height)

    def mark_of(self, n: int) -> CellMark:
        return CellMark(ramp=self._ramps[n], opacity=float(self.image.pixel_array[0, 0, 3]) / 255)

    def cell_box(self, i: int, j: int) -> Rectangle:
        """An invisible rectangle on the cell at row i, column j, to point at."""
        rows, columns = self.named.shape
        width, height = self.border.width / columns, self.border.height / rows
        box = Rectangle(width=width, height=height, stroke_width=0)
        corner = self.border.get_corner((-1, 1, 0))
        return box.move_to(corner + np.array([(j + 0.5) * width, -(i + 0.5) * height, 0]))

    def row_box(self, i: int) -> Rectangle:
        """An invisible rectangle on row i."""
        return self._union(self.cell_box(i, 0), self.cell_box(i, self.named.shape[1] - 1))

    @staticmethod
    def _union(one: Rectangle, other: Rectangle) -> Rectangle:
        both = VGroup(one, other)
        return Rectangle(width=both.width, height=both.height, stroke_width=0).move_to(both)
