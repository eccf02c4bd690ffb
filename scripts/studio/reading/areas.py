"""Colours of cells and opacities of beams, read from pixels."""

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scenes.kit.marks import BeamMark, CellMark, LitCardMark, Mark, Place
from scenes.kit.text import Box
from scenes.kit.theme import Ramp
from scripts.studio.reading.frames import Picture
from scripts.studio.reading.limits import CHROMA, COLOUR, FAINT, FOREIGN, LUMA, Floats, Measure, rgb
from scripts.studio.reading.readers import Others, reads

# A cell has at least one pixel whose neighbours are its own as well, wherever it stands on their grid; from some size
# on, what is off its scale is another colour, and not something else that reaches into it.
_LEAST, _LARGE = 5.0, 8.0
# Levels of luma that say that a pixel belongs to something else.
_UNEVEN = 10.0
# From red, green and blue to luma and both chromas, BT.709.
_YCC = np.array([[0.2126, 0.7152, 0.0722], [-0.1146, -0.3854, 0.5], [0.5, -0.4542, -0.0458]])


@reads(CellMark, coarsest=0.3)
def cell(mark: CellMark, box: Box, picture: Picture, others: Others) -> Measure:
    """The value whose colour is a cell's, on its scale."""
    (x0, y1), (x1, y0) = picture.at(box[0], box[1]), picture.at(box[2], box[3])
    size = min(x1 - x0, y1 - y0)
    if size < _LEAST:
        return Measure(doubt="too small")
    luma = _within(picture.luma, x0, x1, y0, y1)
    level = float(np.median(luma))
    uneven = float((np.abs(luma - level) > _UNEVEN).mean())
    if uneven > (0.2 if luma.size > 24 else 0.0):
        return Measure(doubt="under something" if size >= _LARGE else "too small")
    chroma, blur = _chroma(picture, (x0, x1, y0, y1), level)
    # A small cell has few pixels whose coding does not regard its neighbours.
    shade = LUMA * max(4.0 - 2 * size / _LARGE, 1.0)
    seen = np.array([level, *chroma])
    values, scale = _scale(mark.ramp)
    # In units of what coding adds to luma and to chroma.
    off = np.linalg.norm((scale - seen) / [shade, blur, blur], axis=1)
    best = int(off.argmin())
    if off[best] > 3:
        return Measure(doubt="a colour that is not on its scale" if size >= _LARGE else "too small")
    alike = values[np.linalg.norm((scale - scale[best]) / [shade, blur, blur], axis=1) <= 1 + off[best]]
    notice = max(abs(float(alike.max() - values[best])), abs(float(values[best] - alike.min())))
    return Measure(float(values[best]), notice + mark.scale / 256)


def _within(plane: Floats, x0: float, x1: float, y0: float, y1: float) -> Floats:
    """The pixels of a plane inside a box, away from its edges: a quarter of its size, or a pixel."""
    aside = [max(1.0, min(0.25 * (high - low), (high - low) / 2 - 1.0)) for low, high in ((x0, x1), (y0, y1))]
    # Never less than the pixel in the middle.
    columns, rows = (
        (min(int(np.ceil(low + a)), int((low + high) / 2)), max(int(np.floor(high - a)), int((low + high) / 2) + 1))
        for low, high, a in ((x0, x1, aside[0]), (y0, y1, aside[1]))
    )
    return plane[rows[0] : rows[1], columns[0] : columns[1]]


def _chroma(picture: Picture, box: tuple[float, float, float, float], level: float) -> tuple[Floats, float]:
    """A box's chroma by the samples that are wholly its own, or else by the nearest one; and how far it may be off.

    Samples of other luma than the box's `level` belong to what reaches into it, as far as there are any of its own.
    """
    across = picture.luma.shape[1] // picture.chroma.shape[1]
    x0, x1, y0, y1 = (side / across for side in box)
    rows, columns = (slice(int(np.ceil(low)), int(np.floor(high))) for low, high in ((y0, y1), (x0, x1)))
    own = picture.chroma[rows, columns]
    if own.size == 0:
        return picture.chroma[int((y0 + y1) / 2), int((x0 + x1) / 2)], 4 * CHROMA
    luma = picture.luma[rows.start * across : rows.stop * across, columns.start * across : columns.stop * across]
    off = np.abs(luma - level).reshape(own.shape[0], across, own.shape[1], across)
    uneven = off.max(axis=(1, 3)) > _UNEVEN
    if min(own.shape[:2]) > 2:
        own, uneven = own[1:-1, 1:-1], uneven[1:-1, 1:-1]
    # Coding spreads the neighbours' chroma over a sample or two.
    return np.median(own[~uneven | uneven.all()], axis=0), CHROMA if min(x1 - x0, y1 - y0) >= 5 else 2.5 * CHROMA


@cache
def _scale(ramp: Ramp) -> tuple[Floats, Floats]:
    """Values along a scale, and their colours as luma and chroma."""
    values = ramp.start + (ramp.stop - ramp.start) * np.linspace(0, 1, 257) ** (1 / ramp.power)
    return values, np.array([_YCC @ rgb(ramp.colour(float(value))) for value in values])


@reads(BeamMark, coarsest=0.25, among=True)
def beam(mark: BeamMark, box: Box, picture: Picture, others: Others) -> Measure:
    """The opacity of a beam of light."""
    return _opacity(mark, _in_beam(np.array(mark.polygon)), picture, others)


@reads(LitCardMark, coarsest=0.25, among=True)
def lit_card(mark: LitCardMark, box: Box, picture: Picture, others: Others) -> Measure:
    """The opacity of light on a card."""
    return _opacity(mark, _on_card(box), picture, others)


def _opacity(mark: BeamMark, at: list[Place], picture: Picture, others: Others) -> Measure:
    """The opacity of light at some places, all other light on them taken into account."""
    places = np.array(at)
    seen = picture.colours(*picture.at(places[:, 0], places[:, 1]))
    ink = rgb(mark.color)
    below, above = np.tile(rgb(mark.over), (len(places), 1)), np.zeros((len(places), 3))
    through = np.ones((len(places), 1))
    for colour, lit in _lights(others.below, places):
        below = below * (1 - lit) + colour * lit
    for colour, lit in _lights(others.above, places):
        through, above = through * (1 - lit), above * (1 - lit) + colour * lit
    way = ink - below
    length = np.maximum((way**2).sum(axis=1), 1.0)
    own_colour = (seen - above) / np.maximum(through, 0.01)
    share = ((own_colour - below) * way).sum(axis=1) / length
    off = np.linalg.norm(own_colour - below - share[:, None] * way, axis=1)
    told_apart = (through[:, 0] >= 0.25) & (length >= FAINT**2) & (off < FOREIGN / 2)
    if told_apart.sum() < max(4, len(places) // 6):
        return Measure(doubt="among others")
    values = share / mark.full
    notices = COLOUR / (through[:, 0] * np.sqrt(length) * mark.full)
    # Light over light: what is coded of each adds up.
    return Measure(float(np.median(values[told_apart])), 1.5 * float(np.median(notices[told_apart])) + 0.01)


def _lights(beams: Sequence[tuple[Mark, float]], places: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Of beams with values, the colours (3,), and their opacities (n, 1) at some places (n, 2)."""
    for other, value in beams:
        if isinstance(other, BeamMark) and (opacity := other.light(value, other.full)):
            inside: Floats = _inside(np.array(other.polygon), places)[:, None].astype(np.float64)
            yield rgb(other.color), inside * opacity


def _in_beam(corners: Floats) -> list[Place]:
    """Places in a beam, given as both ends of its mouth, then right and left of what it lights."""
    mouth, end = corners[:2], corners[[3, 2]]
    if np.linalg.norm(mouth[0] - end[0]) > np.linalg.norm(mouth[0] - end[1]):
        mouth = mouth[::-1]
    places = []
    for t in np.linspace(0.3, 0.9, 13):
        one, other = mouth[0] + (end[0] - mouth[0]) * t, mouth[1] + (end[1] - mouth[1]) * t
        places += [tuple(one + (other - one) * u) for u in (0.25, 0.4, 0.5, 0.6, 0.75)]
    return [(float(x), float(y)) for x, y in places]


def _on_card(box: Box) -> list[Place]:
    """Places on a card above and below its word."""
    left, bottom, right, top = box
    rows = (0.14, 0.18, 0.82, 0.86)
    return [
        (float(left + (right - left) * u), float(bottom + (top - bottom) * v))
        for v in rows for u in np.linspace(0.15, 0.85, 15)
    ]  # fmt: skip


def _inside(corners: Floats, places: Floats) -> NDArray[np.bool_]:
    """(n,): which of some places (n, 2) are inside a polygon."""
    x, y = places.T
    inside = np.zeros(len(places), dtype=bool)
    for (x1, y1), (x2, y2) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if y1 != y2:
            inside ^= ((y1 > y) != (y2 > y)) & (x < (x2 - x1) * (y - y1) / (y2 - y1) + x1)
    return inside
