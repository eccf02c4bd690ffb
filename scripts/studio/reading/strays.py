"""Digits that stand in a picture and that no row of the ledger accounts for."""

import string
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from scenes.formats import UNIT_PX, current_format
from scenes.kit.ledger import Row
from scenes.kit.text import TextLine
from scripts.studio.reading.frames import Picture
from scripts.studio.reading.glyphs import Glyph, glyph_of, glyphs

Floats = NDArray[np.float64]
# Shapes are compared at this size; a digit is one that is so much like it, and more so than like any letter.
_WIDTH, _HEIGHT = 20, 32
ALIKE, MORE = 0.88, 0.02
# Thin shapes on a page: strokes of at most so many pixels of a 1080-line frame, so many levels from the page.
_STROKE, _LEVELS = 17, 24.0
# Heights of digits, in pixels of a 1080-line frame, and how much a shape's proportions may be off a digit's.
_LOWEST, _HIGHEST, _OFF = 9.0, 80.0, 0.16
# Around the boxes of the ledger's rows, in pixels.
_MARGIN = 4


def strays(picture: Picture, known: Sequence[Row]) -> list[tuple[str, tuple[float, float, float, float]]]:
    """What looks like a digit outside the boxes of `known` rows and above the captions: the digit, and its box.

    The box of a row that moves is where its digits may come by.
    """
    scale = picture.unit / UNIT_PX
    size = max(3, round(_STROKE * scale)) | 1
    free = np.ones(picture.luma.shape, dtype=bool)
    free[int(picture.at(0, current_format().caption.top)[1]) :] = False
    for row in known:
        if row.box is not None and row.text:
            (left, low), (right, high) = picture.at(row.box[0], row.box[1]), picture.at(row.box[2], row.box[3])
            rows = slice(max(0, int(high) - _MARGIN), int(low) + _MARGIN + 1)
            free[rows, max(0, int(left) - _MARGIN) : int(right) + _MARGIN + 1] = False
    found = []
    luma = picture.luma.astype(np.float32)
    for ink in (ndimage.white_tophat(luma, size=size), ndimage.black_tophat(luma, size=size)):
        labels, _ = ndimage.label(ink > _LEVELS, structure=np.ones((3, 3)))
        for part in ndimage.find_objects(labels):
            height, width = (side.stop - side.start for side in part)
            if not _LOWEST * scale <= height <= _HIGHEST * scale or not 0.25 < width / height < 1.0:
                continue
            if free[part].all() and (digit := _digit(ink[part])):
                found.append((f"reads {digit}; no row of the ledger is there", _box(picture, *part)))
    return found


def _box(picture: Picture, rows: slice, columns: slice) -> tuple[float, float, float, float]:
    return (*picture.canvas.place(columns.start, rows.stop), *picture.canvas.place(columns.stop, rows.start))


def _digit(ink: NDArray[np.float32]) -> str:
    """The digit that a shape is; empty when it is none, or a letter."""
    # Without the pixels at the edge that are less than half ink: so the shape has its true proportions.
    full = ink > 0.4 * ink.max()
    rows, columns = np.flatnonzero(full.any(axis=1)), np.flatnonzero(full.any(axis=0))
    ink = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    proportion = ink.shape[1] / ink.shape[0]
    shape = _unit(np.asarray(Image.fromarray(ink).resize((_WIDTH, _HEIGHT)), dtype=np.float64))
    characters, shapes, proportions = _shapes()
    alike = shapes @ shape.ravel()
    alike[np.abs(proportions / proportion - 1) > _OFF] = -1.0
    digits = np.array([c.isdigit() for c in characters])
    best = int(np.where(digits, alike, -1.0).argmax())
    if alike[best] < ALIKE or alike[best] < float(alike[~digits].max()) + MORE:
        return ""
    return characters[best]


def _unit(shape: Floats) -> Floats:
    shape = shape - shape.mean()
    found: Floats = shape / max(1e-9, float(np.linalg.norm(shape)))
    return found


@cache
def _shapes() -> tuple[list[str], Floats, Floats]:
    """Digits of every font, and letters: characters, shapes of unit length (n, pixels), width to height (n,)."""
    drawn: list[tuple[str, Glyph]] = []
    for font in ("regular", "bold", "math"):
        drawn += [(c, glyph) for c, glyph in glyphs(font).items() if c.isdigit()]
    for bold in (False, True):
        for letter in string.ascii_letters + "口日目回曰":
            drawn.append((letter, glyph_of(TextLine(letter, UNIT_PX, bold=bold).points[8:], 1.0)))
    shapes, proportions = [], []
    for _, glyph in drawn:
        ink = np.diff(np.diff(glyph.sums, axis=0), axis=1)
        rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
        cut = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.float32)
        resized = Image.fromarray(cut).resize((_WIDTH, _HEIGHT), Image.Resampling.BOX)
        shapes.append(_unit(np.asarray(resized, dtype=np.float64)).ravel())
        proportions.append(cut.shape[1] / cut.shape[0])
    return [c for c, _ in drawn], np.array(shapes), np.array(proportions)
