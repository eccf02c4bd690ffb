"""Formulas, set by Typst; no LaTeX."""

from functools import cache

from manim import MathTypst

from scenes.kit.text import BODY
from scenes.kit.theme import current_theme

# MathTypst's font_size 48 sets 0.667 units an em, as manim's Text does: 90 pixels of a 1080-line frame.
_FONT_SIZE_PER_PX = 48 / 90


@cache
def _parsed(source: str) -> MathTypst:
    return MathTypst(source, font_size=48, color="#FFFFFF")


def formula(source: str, size: float = BODY, color: str | None = None) -> MathTypst:
    """A formula in Typst's notation, for example `op("softmax")(Q K^T / sqrt(d_k)) V`, `size` pixels an em.

    `{{ ... : name }}` marks a part that `.select("name")` finds again.
    """
    drawn = _parsed(source).copy()
    drawn.scale(size * _FONT_SIZE_PER_PX / 48)
    return drawn.set_color(color or current_theme().text)
