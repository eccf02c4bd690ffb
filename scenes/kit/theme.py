"""Colours with one meaning each, for a dark and a light page.

A piece reads the theme when it is drawn, through `current_theme()`, so a change of theme reaches everything.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

# Okabe & Ito's palette, safe for the common kinds of colour blindness; heads keep these in every lesson.
SKY, ORANGE, GREEN, PURPLE = "#56B4E9", "#E69F00", "#009E73", "#CC79A7"


@dataclass(frozen=True)
class Theme:
    """Every colour of a frame, by meaning."""

    name: str
    background: str
    panel: str
    line: str
    text: str
    muted: str
    paper: str
    ink: str
    wood: str
    query: str
    key: str
    value: str
    heads: tuple[str, ...]
    head_text: tuple[str, ...]
    weight: str
    negative: str
    positive: str
    glow: str
    pairs: tuple[str, ...]

    def head(self, index: int) -> str:
        """The colour of a head's lamp, notebook and beam."""
        return self.heads[index % len(self.heads)]

    def head_word(self, index: int) -> str:
        """The same head's colour where it writes text on the page."""
        return self.head_text[index % len(self.head_text)]

    def pair(self, index: int) -> str:
        """The colour of a sine/cosine pair of the positional encoding: its waves, hand, cells and words."""
        return self.pairs[index % len(self.pairs)]


DARK = Theme(
    name="dark",
    background="#0E1322",
    panel="#1B2440",
    line="#4A5880",
    text="#ECF0FA",
    muted="#9AA6C4",
    paper="#F4EEDF",
    ink="#232A3B",
    wood="#3A2B24",
    query="#FFD84D",
    key="#FF8A66",
    value="#B9A3FF",
    heads=(SKY, ORANGE, GREEN, PURPLE),
    head_text=("#7CC7F2", "#F0B02E", "#35C79B", "#E096BF"),
    weight="#8CCBFF",
    negative="#4C8FE0",
    positive="#E8843A",
    glow="#FFF3C4",
    pairs=("#C3E24A", "#42D3C2", "#DD81DF", "#FF6F7F"),
)
LIGHT = Theme(
    name="light",
    background="#FBF9F4",
    panel="#ECE8DC",
    line="#8C8672",
    text="#1B2133",
    muted="#5A6175",
    paper="#FFFFFF",
    ink="#232A3B",
    wood="#D9C7A8",
    query="#866200",
    key="#7A1800",
    value="#6546BE",
    heads=(SKY, ORANGE, GREEN, PURPLE),
    head_text=("#17679C", "#875C00", "#006B4D", "#97366F"),
    weight="#1F6FB5",
    negative="#6FA8E6",
    positive="#F0A060",
    glow="#C98A00",
    pairs=("#5E6B0C", "#2E6E65", "#B0229E", "#C80459"),
)
THEMES = {theme.name: theme for theme in (DARK, LIGHT)}

_current: ContextVar[Theme] = ContextVar("theme", default=DARK)


def current_theme() -> Theme:
    """The theme that pieces are drawn in at this moment."""
    return _current.get()


@contextmanager
def use_theme(name: str) -> Iterator[Theme]:
    """Draw in the theme called `name` ("dark" or "light") within the block."""
    token = _current.set(THEMES[name])
    try:
        yield THEMES[name]
    finally:
        _current.reset(token)


# OKLab (Ottosson 2020): mixing there keeps lightness even along a ramp, which RGB mixing does not.
_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def rgb(colour: str) -> Vector:
    """Red, green, blue in 0..1 of a "#RRGGBB" colour."""
    return np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])


def _linear(channel: Vector) -> Vector:
    return np.where(channel <= 0.04045, channel / 12.92, ((channel + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2."""
    return float(np.array([0.2126, 0.7152, 0.0722]) @ _linear(rgb(colour)))


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2)."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def mix(start: str, end: str, share: float) -> str:
    """The colour at `share` (0..1) of the way from `start` to `end`, in OKLab."""
    share = min(max(share, 0.0), 1.0)
    ends = [_TO_LAB @ np.cbrt(_TO_LMS @ _linear(rgb(colour))) for colour in (start, end)]
    lab = ends[0] + share * (ends[1] - ends[0])
    linear = np.linalg.inv(_TO_LMS) @ (np.linalg.inv(_TO_LAB) @ lab) ** 3
    linear = np.clip(linear, 0.0, 1.0)
    srgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(float(c) * 255):02X}" for c in srgb)


@dataclass(frozen=True)
class Ramp:
    """A scale of colours: `low` at the value `start`, `high` at `stop`, along the share's power `power`."""

    low: str
    high: str
    start: float
    stop: float
    power: float = 1.0

    def colour(self, value: float) -> str:
        """The colour of a value; beyond the ends, that of the end."""
        share = (value - self.start) / (self.stop - self.start)
        return mix(self.low, self.high, min(max(share, 0.0), 1.0) ** self.power)


def weight_ramp(hue: str | None = None) -> Ramp:
    """For weights in 0..1: from the panel to the theme's weight hue, or to a head's colour.

    The way to the hue is the weight's square root: most weights are small, and would all look alike and dark.
    """
    theme = current_theme()
    return Ramp(theme.panel, hue or theme.weight, 0.0, 1.0, 0.5)


def signed_ramp(value: float, limit: float) -> Ramp:
    """For values with the sign of `value`: blue below zero, orange above, the panel at zero; three quarters of the
    way at `limit`."""
    theme = current_theme()
    stop = (limit if limit > 0 else 1.0) / 0.75
    return Ramp(theme.panel, theme.negative, 0.0, -stop) if value < 0 else Ramp(theme.panel, theme.positive, 0.0, stop)


def weight_colour(weight: float, hue: str | None = None) -> str:
    """The fill of a weight, see `weight_ramp`."""
    return weight_ramp(hue).colour(weight)


def signed_colour(value: float, limit: float) -> str:
    """The fill of a signed value, see `signed_ramp`; beyond `limit` as at it."""
    return signed_ramp(value, limit).colour(min(max(value, -limit), limit))


def text_on(fill: str) -> str:
    """White or black, whichever reads better on `fill`: at least 4.58 to 1, which no softer black gives."""
    return max(("#FFFFFF", "#000000"), key=lambda colour: contrast(colour, fill))
