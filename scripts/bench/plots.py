"""The picture of the benchmark: how the time of attention grows, on logarithmic axes, drawn with Cairo."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import cairo

if TYPE_CHECKING:
    from scripts.bench.attention import Curve

WIDTH, HEIGHT = 1800, 860
# Left edge, right edge and labels' room of a panel; top and bottom edge of both.
PANEL, TOP, BOTTOM = 900, 110, 720
LEFT, RIGHT = 150, 220
INK, FAINT = (0.13, 0.15, 0.18), (0.86, 0.87, 0.89)
# Colour-blind safe (Okabe and Ito); every curve has its own mark as well.
COLORS = ((0.0, 0.45, 0.70), (0.84, 0.37, 0.0), (0.0, 0.62, 0.45), (0.80, 0.47, 0.65))


def powers_of_ten(lowest: float, highest: float) -> tuple[int, int]:
    """Exponents of two different powers of ten that enclose a range."""
    low = math.floor(math.log10(lowest))
    return low, max(low + 1, math.ceil(math.log10(highest)))


class Panel:
    """One pair of logarithmic axes: sizes across, milliseconds up."""

    def __init__(self, context: cairo.Context[cairo.ImageSurface], left: float, curves: Sequence[Curve]) -> None:
        self.context, self.left, self.right = context, left + LEFT, left + PANEL - RIGHT
        self.sizes = sorted({size for curve in curves for size in curve.sizes})
        milliseconds = [1e3 * s for curve in curves for s in curve.seconds]
        self.low, self.high = powers_of_ten(min(milliseconds), max(milliseconds))

    def x(self, size: float) -> float:
        span = math.log(self.sizes[-1] / self.sizes[0])
        return self.left + (self.right - self.left) * math.log(size / self.sizes[0]) / span

    def y(self, milliseconds: float) -> float:
        return BOTTOM + (TOP - BOTTOM) * (math.log10(milliseconds) - self.low) / (self.high - self.low)

    def text(self, x: float, y: float, words: str, *, align: float = 0.5, size: float = 22, bold: bool = False) -> None:
        """`align` 0 puts the words right of x, 0.5 over it, 1 left of it; y is their middle."""
        weight = cairo.FONT_WEIGHT_BOLD if bold else cairo.FONT_WEIGHT_NORMAL
        self.context.select_font_face("sans-serif", cairo.FONT_SLANT_NORMAL, weight)
        self.context.set_font_size(size)
        extents = self.context.text_extents(words)
        self.context.move_to(x - align * extents.x_advance, y + 0.35 * size)
        self.context.show_text(words)
        # Or the next line would begin where the words end.
        self.context.new_path()

    def line(self, points: Sequence[tuple[float, float]], color: tuple[float, float, float], width: float) -> None:
        self.context.set_source_rgb(*color)
        self.context.set_line_width(width)
        for point in points:
            self.context.line_to(*point)
        self.context.stroke()

    def axes(self, title: str) -> None:
        for exponent in range(self.low, self.high + 1):
            y = self.y(10.0**exponent)
            self.line([(self.left, y), (self.right, y)], FAINT, 2)
            self.context.set_source_rgb(*INK)
            self.text(self.left - 16, y, f"{10.0**exponent:g} ms", align=1)
        for size in self.sizes:
            self.line([(self.x(size), BOTTOM), (self.x(size), BOTTOM + 10)], INK, 2)
            self.text(self.x(size), BOTTOM + 34, str(size))
        self.line([(self.left, TOP), (self.left, BOTTOM), (self.right, BOTTOM)], INK, 2)
        self.text((self.left + self.right) / 2, BOTTOM + 84, title, bold=True)

    def slope(self, power: int) -> None:
        """A dashed guide through the lower left corner that rises as the size to the given power."""
        ratio = min(self.sizes[-1] / self.sizes[0], 10.0 ** ((self.high - self.low) / power))
        ends = [(self.x(self.sizes[0] * part), self.y(10.0**self.low * part**power)) for part in (1, ratio)]
        self.context.set_dash([3, 9])
        self.line(ends, (0.45, 0.47, 0.5), 2)
        self.context.set_dash([])

    def mark(self, x: float, y: float, kind: int) -> None:
        r = 8.0
        corners = {1: 4, 2: 3}.get(kind)
        if corners is None:
            self.context.arc(x, y, r if kind == 0 else 0.7 * r, 0, 2 * math.pi)
        else:
            turn = math.pi / 4 if corners == 4 else -math.pi / 2
            for corner in range(corners):
                angle = turn + 2 * math.pi * corner / corners
                self.context.line_to(x + 1.25 * r * math.cos(angle), y + 1.25 * r * math.sin(angle))
            self.context.close_path()
        self.context.fill()

    def curves(self, curves: Sequence[Curve]) -> None:
        for kind, curve in enumerate(curves):
            points = [(self.x(n), self.y(1e3 * s)) for n, s in zip(curve.sizes, curve.seconds, strict=True)]
            self.line(points, COLORS[kind % len(COLORS)], 4)
            for point in points:
                self.mark(*point, kind)
        ends = [self.y(1e3 * curve.seconds[-1]) for curve in curves]
        for kind, y in zip(sorted(range(len(curves)), key=ends.__getitem__), apart(sorted(ends), 32), strict=True):
            self.context.set_source_rgb(*COLORS[kind % len(COLORS)])
            self.text(self.right + 24, y, curves[kind].name, align=0, bold=True)


def apart(heights: Sequence[float], gap: float) -> Iterator[float]:
    """The heights, in order, each moved down until it is `gap` below the one before."""
    last = -math.inf
    for height in heights:
        last = max(height, last + gap)
        yield last


def draw(
    path: Path,
    *panels: tuple[str, Sequence[Curve]],
    heading: str = "One multi-head attention, float64: median time of a forward pass",
) -> None:
    """Write the panels, each a title of its horizontal axis and its curves, side by side into a PNG."""
    surface = cairo.ImageSurface(cairo.FORMAT_RGB24, PANEL * len(panels), HEIGHT)
    context = cairo.Context(surface)
    context.set_source_rgb(1, 1, 1)
    context.paint()
    context.set_line_cap(cairo.LINE_CAP_ROUND)
    for i, (title, curves) in enumerate(panels):
        panel = Panel(context, PANEL * i, curves)
        panel.axes(title)
        for power in (1, 2):
            panel.slope(power)
        panel.curves(curves)
    context.set_source_rgb(*INK)
    Panel.text(panel, 60, 48, heading, align=0, size=28, bold=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    surface.write_to_png(str(path))
