"""Colours of cells and opacities of beams, read from pixels."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scenes.kit.ledger import Row
from scenes.kit.theme import Ramp
from scripts.studio.reading.frames import Picture
from scripts.studio.reading.limits import CHROMA, COLOUR, FAINT, FOREIGN, LUMA, Floats, Measure, rgb

Others = Sequence[tuple[Row, float]]
# A cell has at least one pixel whose neighbours are its own as well, wherever it stands on their grid; from some size
# on, what is off its scale is another colour, and not something else that reaches into it.
_LEAST, _LARGE = 5.0, 8.0
# Levels of luma that say that a pixel belongs to something else.
_UNEVEN = 10.0
# From red, green and blue to luma and both chromas, BT.709.
_YCC = np.array([[0.2126, 0.7152, 0.0722], [-0.1146, -0.3854, 0.5], [0.5, -0.4542, -0.0458]])


def cell(row: Row, picture: Picture, others: Others) -> Measure:
    """The value whose colour is a cell's, on its scale."""
    ramp = Ramp(**row.drawn["ramp"])
    assert row.box is not None
    (x0, y1), (x1, y0) = picture.at(row.box[0], row.box[1]), picture.at(row.box[2], row.box[3])
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
    values, scale = _scale(ramp)
    # In units of what coding adds to luma and to chroma.
    off = np.linalg.norm((scale - seen) / [shade, blur, blur], axis=1)
    best = int(off.argmin())
    if off[best] > 3:
        return Measure(doubt="a colour that is not on its scale" if size >= _LARGE else "too small")
    alike = values[np.linalg.norm((scale - scale[best]) / [shade, blur, blur], axis=1) <= 1 + off[best]]
    notice = max(abs(float(alike.max() - values[best])), abs(float(values[best] - alike.min())))
    return Measure(float(values[best]), notice + abs(ramp.stop - ramp.start) / 256)


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


def beam(row: Row, picture: Picture, beams: Others) -> Measure:
    """The opacity of light, all other light on the same place taken into account."""
    told, corners = row.drawn, np.array(row.drawn["polygon"])
    own = next((k for k, (other, _) in enumerate(beams) if other is row), None)
    if own is None:
        return Measure(doubt="among others")
    places = np.array(_on_card(corners) if told.get("card") else _in_beam(corners))
    seen = picture.colours(*picture.at(places[:, 0], places[:, 1]))
    ink = rgb(told["color"])
    below, above = np.tile(rgb(told["over"]), (len(places), 1)), np.zeros((len(places), 3))
    through = np.ones((len(places), 1))
    for k, (other, value) in enumerate(beams):
        opacity = other.drawn["full"] * min(max(value, 0.0), 1.0)
        if k == own or not opacity:
            continue
        colour = rgb(other.drawn["color"])
        lit = opacity * _inside(np.array(other.drawn["polygon"]), places)[:, None]
        if k < own:
            below = below * (1 - lit) + colour * lit
        else:
            through, above = through * (1 - lit), above * (1 - lit) + colour * lit
    way = ink - below
    length = np.maximum((way**2).sum(axis=1), 1.0)
    own_colour = (seen - above) / np.maximum(through, 0.01)
    share = ((own_colour - below) * way).sum(axis=1) / length
    off = np.linalg.norm(own_colour - below - share[:, None] * way, axis=1)
    told_apart = (through[:, 0] >= 0.25) & (length >= FAINT**2) & (off < FOREIGN / 2)
    if told_apart.sum() < max(4, len(places) // 6):
        return Measure(doubt="among others")
    values = share / told["full"]
    notices = COLOUR / (through[:, 0] * np.sqrt(length) * told["full"])
    # Light over light: what is coded of each adds up.
    return Measure(float(np.median(values[told_apart])), 1.5 * float(np.median(notices[told_apart])) + 0.01)


def _in_beam(corners: Floats) -> list[tuple[float, float]]:
    """Places in a beam, given as both ends of its mouth, then right and left of what it lights."""
    mouth, end = corners[:2], corners[[3, 2]]
    if np.linalg.norm(mouth[0] - end[0]) > np.linalg.norm(mouth[0] - end[1]):
        mouth = mouth[::-1]
    places = []
    for t in np.linspace(0.3, 0.9, 13):
        one, other = mouth[0] + (end[0] - mouth[0]) * t, mouth[1] + (end[1] - mouth[1]) * t
        places += [tuple(one + (other - one) * u) for u in (0.25, 0.4, 0.5, 0.6, 0.75)]
    return [(float(x), float(y)) for x, y in places]


def _on_card(corners: Floats) -> list[tuple[float, float]]:
    """Places on a card above and below its word."""
    (left, bottom), (right, top) = corners.min(axis=0), corners.max(axis=0)
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
