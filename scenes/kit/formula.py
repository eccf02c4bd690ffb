"""Formulas, set by Typst; no LaTeX."""

from functools import cache
from tempfile import TemporaryDirectory
from typing import Any, Self

import numpy as np
from manim import MathTypst, VGroup, VMobject, tempconfig
from numpy.typing import NDArray

from mathcore.named import Entry
from scenes.formats import LANDSCAPE, UNIT_PX
from scenes.kit.marks import FormulaDigitsMark
from scenes.kit.outline_cache import Outlines, cached
from scenes.kit.text import BODY, Box, Provenance, box_around, hexadecimal
from scenes.kit.theme import current_theme

# MathTypst's font_size 48 sets 0.667 units an em, as manim's Text does: 90 pixels of a 1080-line frame.
_FONT_SIZE_PER_PX = 48 / 90
# What a glyph or a bar of a parsed formula is drawn with, besides its points.
_STYLE = ("fill_opacity", "stroke_opacity", "stroke_width")


class Formula(VGroup):
    """A formula's glyphs and bars, in Typst's order, without the SVG that they came from."""

    def __init__(self, source: str, size: float, color: str) -> None:
        super().__init__()
        header, outlines = _parsed(source)
        self._glyphs: list[Glyph] = []
        for style, outline in zip(header["styles"], outlines, strict=True):
            self._glyphs.append(Glyph(outline, **style))
        self.add(*self._glyphs)
        self._parts: dict[str, list[int]] = header["parts"]
        self.scale(float(size) * _FONT_SIZE_PER_PX / 48)
        self.set_color(color)

    def scale(self, scale_factor: float, scale_stroke: bool = True, **options: Any) -> Self:
        """As manim's; bars and roots are strokes, and keep their proportion."""
        return super().scale(scale_factor, scale_stroke, **options)

    def select(self, name: str) -> VGroup:
        """The part that the source marks with `{{ ... : name }}`."""
        return VGroup(*(self.submobjects[i] for i in self._parts[name]))

    def account(self, **constants: Entry) -> Self:
        """Attribute the digits of the parts with these names to constants of the worked example."""
        for name, entry in constants.items():
            # On a glyph, as an animation may take the formula apart.
            first, *others = (self._glyphs[i] for i in self._parts[name])
            first.provenance, first.others = (Provenance("constant", entry, entry.text(0)),), others
        return self


class Glyph(VMobject):
    """A glyph or a bar of a formula."""

    def __init__(
        self, outline: NDArray[np.float64], fill_opacity: float, stroke_opacity: float, stroke_width: float
    ) -> None:
        super().__init__(fill_opacity=fill_opacity, stroke_opacity=stroke_opacity, stroke_width=stroke_width)
        self.set_points(outline)
        self.provenance: tuple[Provenance, ...] = ()
        self.others: list[Glyph] = []

    def box_of(self, n: int) -> Box:
        return box_around(VGroup(self, *self.others))

    def mark_of(self, n: int) -> FormulaDigitsMark:
        return FormulaDigitsMark(color=hexadecimal(self.get_fill_color()), opacity=float(self.get_fill_opacity()))


@cache
def _parsed(source: str) -> Outlines:
    return cached(["formula", source], lambda: _parse(source))


def _parse(source: str) -> Outlines:
    # Manim gives bars and roots a width in pixels of the film; these are those of a 1080-line film in every film.
    size: dict[str, Any] = {"pixel_width": round(UNIT_PX * LANDSCAPE.width), "frame_width": LANDSCAPE.width}
    with TemporaryDirectory() as scratch, tempconfig({**size, "media_dir": scratch}):
        # From manim's cache they would have another width.
        drawn = MathTypst(source, font_size=48, color="#FFFFFF", use_svg_cache=False)
    leaves = [part for part in drawn.get_family() if len(part.points)]
    place = {id(leaf): number for number, leaf in enumerate(leaves)}
    parts = {
        name: [place[id(part)] for part in drawn.select(name).get_family() if id(part) in place]
        for name in drawn._user_label_keys()
    }
    styles = [{key: float(getattr(leaf, key)) for key in _STYLE} for leaf in leaves]
    return {"styles": styles, "parts": parts}, [leaf.points for leaf in leaves]


def formula(source: str, size: float = BODY, color: str | None = None) -> Formula:
    """A formula in Typst's notation, for example `op("softmax")(Q K^T / sqrt(d_k)) V`, `size` pixels an em.

    `{{ ... : name }}` marks a part that `.select("name")` finds again.
    """
    return Formula(source, size, color or current_theme().text)
