"""A sheet to paint on: closed shapes filled without outlines, with the light of one lamp on them.

Shapes are arrays (curves, 4, 2) of cubic curves that close on themselves; lengths are units, y points up. A painted
sheet becomes a picture of pixels, so that what is rich in detail costs no more in a film than a photograph.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import cairo
import numpy as np
from numpy.typing import NDArray

from scenes.formats import Slot
from scenes.kit.theme import mix, rgb

Floats = NDArray[np.float64]
Shape = Floats
"""(curves, 4, 2): a closed outline."""
Point = tuple[float, float]

# Colours of light and shade: what a lamp makes of an edge, and what the night makes of the side that it does not reach.
RIM, NIGHT = "#FFD9A0", "#141226"
# Points of a curve that is drawn as short straight lines.
_STEPS = 24
# How far the shade is from a shape's own colour, and how much darker what stands in half-light is.
_SHADE, _HALF = 0.34, 0.85


# Shapes


def blob(*points: Point) -> Shape:
    """A smooth outline through points, in order (Catmull-Rom)."""
    at = np.array(points, dtype=float)
    before, after = np.roll(at, 1, axis=0), np.roll(at, -1, axis=0)
    beyond = np.roll(at, -2, axis=0)
    return np.stack([at, at + (after - before) / 6, after - (beyond - at) / 6, after], axis=1)


def mirrored(*half: Point) -> Shape:
    """A smooth outline that is the same at both sides: points of its right half, from the top down."""
    left = [(-x, y) for x, y in reversed(half) if x > 0]
    return blob(*half, *left)


def slab(*corners: Point, radius: float = 0.0) -> Shape:
    """An outline with straight edges and corners rounded by `radius`."""
    at = np.array(corners, dtype=float)
    if not radius:
        return _straight(at)
    pieces, ends = [], []
    for k, corner in enumerate(at):
        ways = [at[k - 1] - corner, at[(k + 1) % len(at)] - corner]
        lengths = [max(float(np.hypot(*way)), 1e-9) for way in ways]
        start, stop = (
            corner + way / length * min(radius, length / 2) for way, length in zip(ways, lengths, strict=True)
        )
        pieces.append([start, start + (corner - start) * 0.56, stop + (corner - stop) * 0.56, stop])
        ends.append((start, stop))
    joined = []
    for k, piece in enumerate(pieces):
        joined += [piece, _line(ends[k][1], ends[(k + 1) % len(ends)][0])]
    return np.array(joined)


def box(left: float, bottom: float, right: float, top: float, radius: float = 0.0) -> Shape:
    """A rectangle."""
    return slab((left, bottom), (right, bottom), (right, top), (left, top), radius=radius)


def ellipse(x: float, y: float, width: float, height: float) -> Shape:
    """An ellipse around a point."""
    turns = np.arange(4) * np.pi / 2
    start = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    along = np.stack([-np.sin(turns), np.cos(turns)], axis=1) * 0.5523
    stop, back = np.roll(start, -1, axis=0), np.roll(along, -1, axis=0)
    return np.stack([start, start + along, stop - back, stop], axis=1) * [width / 2, height / 2] + [x, y]


def disc(x: float, y: float, radius: float) -> Shape:
    """A circle around a point."""
    return ellipse(x, y, 2 * radius, 2 * radius)


def curve(*points: Point) -> Floats:
    """Points (n, 2) along a line: straight, quadratic or cubic by the number of points that lead it."""
    t = np.linspace(0, 1, _STEPS)[:, None]
    at = [np.array(point, dtype=float) for point in points]
    while len(at) > 1:
        at = [a * (1 - t) + b * t for a, b in pairwise(at)]
    return at[0]


def limb(line: Floats, start: float, stop: float | None = None, *, blunt: bool = False) -> Shape:
    """A band along a line (n, 2), `start` wide where it begins and `stop` where it ends; round ends unless `blunt`."""
    stop = start if stop is None else stop
    way = np.gradient(line, axis=0)
    way /= np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)[:, None]
    aside = np.stack([-way[:, 1], way[:, 0]], axis=1) * (np.linspace(start, stop, len(line)) / 2)[:, None]
    turns = np.linspace(0, np.pi, 9)[1:-1, None]
    far = line[-1] + aside[-1] * np.cos(turns) + way[-1] * stop / 2 * np.sin(turns)
    near = line[0] - aside[0] * np.cos(turns) - way[0] * start / 2 * np.sin(turns)
    ends = ([], []) if blunt else ([far], [near])
    return _straight(np.concatenate([line + aside, *ends[0], (line - aside)[::-1], *ends[1]]))


def moved(shape: Shape, x: float, y: float, scale: float = 1.0, angle: float = 0.0) -> Shape:
    """A shape made larger, turned (radians, anticlockwise) and moved."""
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    moved_to: Shape = shape * scale @ turn + [x, y]
    return moved_to


def _line(start: Floats, stop: Floats) -> list[Floats]:
    return [start, start + (stop - start) / 3, start + (stop - start) * 2 / 3, stop]


def _straight(corners: Floats) -> Shape:
    following = np.roll(corners, -1, axis=0)
    way = following - corners
    return np.stack([corners, corners + way / 3, corners + way * 2 / 3, following], axis=1)


# Light


@dataclass(frozen=True)
class Light:
    """The one lamp of a scene, as a figure stands to it.

    `way` leads to the lamp; at a `level` of 1 a figure stands in its light, at 0.5 in half-light. Edges towards it have
    a warm rim, `rim` units wide; edges away from it, with a `cool` colour, a faint cold one.
    """

    way: Point = (-0.8, 0.6)
    level: float = 1.0
    rim: float = 0.055
    warmth: float = 0.62
    night: str = NIGHT
    cool: str = ""

    def base(self, colour: str) -> str:
        """A colour in this light."""
        return blended(colour, self.night, (1 - self.level) * _HALF)

    def edge(self, colour: str) -> str:
        """The rim of a shape in that colour."""
        return blended(self.base(colour), RIM, self.warmth * (0.45 + 0.55 * self.level))

    def shade(self, colour: str) -> str:
        """The side of it that the lamp does not reach."""
        return blended(self.base(colour), self.night, _SHADE)

    def far_edge(self, colour: str) -> str:
        """The cold rim of that side."""
        return blended(self.shade(colour), self.cool, 0.5)

    @property
    def unit(self) -> Point:
        """The way to the lamp, one unit long."""
        length = float(np.hypot(*self.way)) or 1.0
        return self.way[0] / length, self.way[1] / length


@cache
def blended(one: str, other: str, share: float) -> str:
    """`mix` of the theme, computed once."""
    return mix(one, other, share)


@cache
def _rgb(colour: str) -> tuple[float, float, float]:
    red, green, blue = rgb(colour)
    return float(red), float(green), float(blue)


class Sheet:
    """Pixels of a rectangle of the frame, `density` a unit, transparent at first."""

    def __init__(self, slot: Slot, density: float) -> None:
        self.columns, self.rows = max(1, round(slot.width * density)), max(1, round(slot.height * density))
        self._surface = cairo.ImageSurface(cairo.FORMAT_ARGB32, self.columns, self.rows)
        self._ink: cairo.Context[Any] = cairo.Context(self._surface)
        across, up = self.columns / slot.width, self.rows / slot.height
        self._ink.transform(cairo.Matrix(across, 0, 0, -up, -slot.left * across, slot.top * up))
        self._whole = self._ink.get_matrix()

    # Where

    @contextmanager
    def at(
        self, x: float, y: float, scale: float = 1.0, angle: float = 0.0, about: Point = (0.0, 0.0)
    ) -> Iterator[None]:
        """Paint made larger and turned about a point, which stands at (x, y)."""
        self._ink.save()
        self._ink.translate(x, y)
        self._ink.rotate(angle)
        self._ink.scale(scale, scale)
        self._ink.translate(-about[0], -about[1])
        yield
        self._ink.restore()

    @contextmanager
    def flipped(self) -> Iterator[None]:
        """Paint with left and right exchanged."""
        self._ink.save()
        self._ink.scale(-1, 1)
        yield
        self._ink.restore()

    @contextmanager
    def within(self, shape: Shape) -> Iterator[None]:
        """Paint within a shape only."""
        self._ink.save()
        self._trace(shape)
        self._ink.clip()
        yield
        self._ink.restore()

    # What

    def fill(self, shape: Shape, colour: str, opacity: float = 1.0) -> None:
        """A shape in one colour."""
        self._trace(shape)
        self._ink.set_source_rgba(*_rgb(colour), opacity)
        self._ink.fill()

    def ring(self, outer: Shape, inner: Shape, colour: str, opacity: float = 1.0) -> None:
        """What is within one shape and not within another."""
        self._trace(outer, inner)
        self._ink.set_fill_rule(cairo.FILL_RULE_EVEN_ODD)
        self._ink.set_source_rgba(*_rgb(colour), opacity)
        self._ink.fill()
        self._ink.set_fill_rule(cairo.FILL_RULE_WINDING)

    def graded(self, shape: Shape, *stops: tuple[float, str, float], start: Point, stop: Point) -> None:
        """A shape in colours that change from one point to another; stops are (share of the way, colour, opacity)."""
        ramp = cairo.LinearGradient(*start, *stop)
        for share, colour, opacity in stops:
            ramp.add_color_stop_rgba(share, *_rgb(colour), opacity)
        self._trace(shape)
        self._ink.set_source(ramp)
        self._ink.fill()

    def lit(self, shape: Shape, colour: str, light: Light, *, rim: float | None = None, shade: float = 0.16) -> None:
        """A shape in the light: its colour, the shade away from the lamp, the rim towards it."""
        self.fill(shape, light.base(colour))
        x, y = light.unit
        with self.within(shape):
            if shade:
                self._beside(shape, (x * shade, y * shade), light.shade(colour))
            if light.cool and rim != 0:
                self._beside(shape, (x * light.rim * 0.55, y * light.rim * 0.55), light.far_edge(colour))
            wide = light.rim if rim is None else rim
            if wide:
                self._beside(shape, (-x * wide, -y * wide), light.edge(colour))

    def glow(
        self, x: float, y: float, across: float, up: float, colour: str, strength: float, power: float = 2.0
    ) -> None:
        """Light that is added around a point, `across` and `up` far; nothing that is bright turns dark."""
        with self.at(x, y):
            self._ink.scale(across, up)
            ramp = cairo.RadialGradient(0, 0, 0, 0, 0, 1)
            for share in np.linspace(0, 1, 24):
                ramp.add_color_stop_rgba(float(share), *_rgb(colour), strength * (1 - float(share)) ** power)
            self._ink.set_source(ramp)
            self._ink.set_operator(cairo.OPERATOR_SCREEN)
            self._ink.arc(0, 0, 1, 0, 2 * np.pi)
            self._ink.fill()
            self._ink.set_operator(cairo.OPERATOR_OVER)

    def mesh(self, colour: str, *patches: Sequence[tuple[Point, float]], adds: bool = False) -> None:
        """Quadrangles in one colour that meet without a seam; each corner is a point and how opaque it is there.

        With `adds` they are light that is added, as a `glow` is.
        """
        pattern = cairo.MeshPattern()
        for patch in patches:
            pattern.begin_patch()
            pattern.move_to(*patch[0][0])
            for corner, _ in patch[1:]:
                pattern.line_to(*corner)
            for k, (_, opacity) in enumerate(patch):
                pattern.set_corner_color_rgba(k, *_rgb(colour), opacity)
            pattern.end_patch()
        self._ink.set_source(pattern)
        self._ink.set_operator(cairo.OPERATOR_SCREEN if adds else cairo.OPERATOR_OVER)
        self._ink.paint()
        self._ink.set_operator(cairo.OPERATOR_OVER)

    def rgba(self) -> NDArray[np.uint8]:
        """The pixels (rows, columns, 4): red, green, blue, opacity; they cannot be changed."""
        self._surface.flush()
        stride = self._surface.get_stride() // 4
        raw = np.frombuffer(self._surface.get_data(), dtype=np.uint8).reshape(self.rows, stride, 4)[:, : self.columns]
        found = raw[..., [2, 1, 0, 3]].astype(np.uint16)
        opacity = np.maximum(found[..., 3:], 1)
        found[..., :3] = np.minimum((found[..., :3] * 255 + opacity // 2) // opacity, 255)
        pixels = found.astype(np.uint8)
        pixels.setflags(write=False)
        return pixels

    # How

    def _trace(self, *shapes: Shape) -> None:
        ink = self._ink
        ink.new_path()
        for shape in shapes:
            ink.move_to(*shape[0, 0])
            for _, (x1, y1), (x2, y2), (x3, y3) in shape.tolist():
                ink.curve_to(x1, y1, x2, y2, x3, y3)
            ink.close_path()

    def _beside(self, shape: Shape, shift: Point, colour: str) -> None:
        """Within the clip, what a copy of a shape moved by `shift` (units of the whole sheet) does not cover."""
        ink = self._ink
        # The lamp stands where it stands, however a part is turned.
        x, y = ink.device_to_user_distance(*self._whole.transform_distance(*shift))
        size = (shape.max(axis=(0, 1)) - shape.min(axis=(0, 1))).max() * 2 + abs(x) + abs(y)
        middle = shape.mean(axis=(0, 1))
        self._trace(shape + np.array([x, y]))
        ink.rectangle(middle[0] - size, middle[1] - size, 2 * size, 2 * size)
        ink.set_fill_rule(cairo.FILL_RULE_EVEN_ODD)
        ink.set_source_rgba(*_rgb(colour), 1.0)
        ink.fill()
        ink.set_fill_rule(cairo.FILL_RULE_WINDING)


def extent(pixels: NDArray[np.uint8]) -> tuple[int, int, int, int] | None:
    """Columns and rows of what is painted: left, top, right and bottom (not included); None for nothing."""
    ink = pixels[..., 3] > 0
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def between(one: Sequence[float], other: Sequence[float], share: float) -> tuple[float, ...]:
    """Numbers at a share of the way from some to others."""
    return tuple(a + (b - a) * share for a, b in zip(one, other, strict=True))
