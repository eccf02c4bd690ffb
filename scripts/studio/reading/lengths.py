"""Lengths of bars, read from pixels."""

import numpy as np
from numpy.typing import NDArray

from scenes.kit.marks import BarMark, BarPartMark
from scenes.kit.text import Box
from scripts.studio.reading.frames import Picture
from scripts.studio.reading.limits import FAINT, Floats, Measure, place, rgb, runs
from scripts.studio.reading.readers import Others, reads

# A bar thinner than this, or a part shorter, in pixels, cannot be told from what stands around it.
_LEAST_WIDTH, _LEAST_PART = 2.5, 5.0
# Places along a bar are so many pixels apart; its seams and ends spread over so many pixels.
_STEP, _BLUR = 0.25, 4.0


@reads(BarMark, coarsest=0.3)
def bar(mark: BarMark, box: Box, picture: Picture, others: Others) -> Measure:
    """A thick line from where it starts to where neither its own colour goes on, nor that of the mark at its end."""
    unit = np.array(mark.unit)
    length = float(np.linalg.norm(unit))
    way, start, ink = unit / length, np.array(mark.start), rgb(mark.color)
    if mark.width / 100 * picture.unit < _LEAST_WIDTH:
        return Measure(doubt="too small")
    steps = np.arange(-2.1 * length - 0.15, 2.1 * length + 0.15, 0.25 / picture.unit)
    across = np.array([-way[1], way[0]])
    strips = []
    for side in (-0.2, 0.0, 0.2):
        places = start + side * across * mark.width / 100 + steps[:, None] * way
        strips.append(picture.colours(*(np.array(axis) for axis in picture.at(places[:, 0], places[:, 1]))))
    seen = np.mean(strips, axis=0)
    contrast = _contrast(seen, ink)
    if contrast < FAINT:
        return Measure(doubt="too faint")
    # Half of the way from its colour to the page is its edge.
    inks = [ink, *([rgb(mark.tip)] if mark.tip else [])]
    filled = np.min([np.linalg.norm(seen - colour, axis=1) for colour in inks], axis=0) < contrast / 2
    pixel, zero = 1 / picture.unit, int(np.argmin(np.abs(steps)))
    low, high = _run_at(filled, zero, round(1.5 / 0.25))
    if low == high:
        # What stands at the end of a short one hides it.
        if mark.beyond:
            return Measure(doubt="behind something")
        return Measure(0.0, 2 * place(contrast) * pixel / length)
    ends = float(steps[low]), float(steps[high - 1])
    end = ends[1] - mark.beyond if ends[1] >= -ends[0] else ends[0] + mark.beyond
    if mark.beyond < 0:
        if max(ends[1], -ends[0]) < 2 * pixel:
            return Measure(doubt="behind something")
        # Beyond a ring there is its edge, and nothing more of the bar.
        further = _goes_on(filled, (low, high), ends[1] >= -ends[0], -2 * mark.beyond / pixel)
        end = end if further is None else float(steps[further])
    # Both ends may be off by a pixel, and so may be the mark.
    return Measure(end / length, (2 * place(contrast) + 0.5) * pixel / length)


def _goes_on(filled: NDArray[np.bool_], run: tuple[int, int], up: bool, hole: float) -> int | None:
    """Where a bar ends that goes on behind a ring with a hole of so many pixels; None where it does not."""
    # Four steps are a pixel; the ring's edge is no wider than a third of its hole.
    reach, edge = round(4 * (hole + 2)), round(4 * (hole / 3 + 2.5))
    for start, stop in runs(filled):
        away = start - run[1] if up else run[0] - stop
        if 0 <= away <= reach and stop - start > edge:
            return stop - 1 if up else start
    return None


def _contrast(seen: Floats, ink: Floats) -> float:
    """How far a bar's colour is from the page, which is what most of the places beyond it show."""
    off = np.linalg.norm(seen - ink, axis=1)
    page = seen[off > FAINT]
    return float(np.linalg.norm(np.median(page, axis=0) - ink)) if len(page) else 0.0


def _run_at(filled: NDArray[np.bool_], at: int, near: int) -> tuple[int, int]:
    """The run of filled places that reaches a place or begins near it."""
    return next(((low, high) for low, high in runs(filled) if low - near <= at < high + near), (at, at))


@reads(BarPartMark, coarsest=0.3)
def part(mark: BarPartMark, box: Box, picture: Picture, others: Others) -> Measure:
    """A part of a bar, from one seam to the next."""
    ink, unit = rgb(mark.color), mark.unit * picture.unit
    left, bottom, right, top = box
    # Below the words that stand on the parts.
    x, y = picture.at((left + right) / 2, bottom + 0.14 * (top - bottom))
    if (right - left) * picture.unit < _LEAST_PART:
        return Measure(doubt="too small")
    steps = np.arange(-unit, unit, _STEP)
    off = np.linalg.norm(picture.colours(x + steps, np.full_like(steps, y)) - ink, axis=1)
    middle = len(steps) // 2
    if off[middle] >= FAINT:
        return Measure(doubt="a colour that is not on its scale")
    # A seam is drawn half on the part.
    half = 0.75 / 100 * picture.unit
    length = (_seam(off[middle:], half) + _seam(off[middle::-1], half)) * _STEP
    return Measure(length / unit, 2.0 / unit)


def _seam(off: Floats, half: float) -> float:
    """Steps to the seam that ends a part: the middle of what is not its colour, or of its edge where nothing follows.

    `off` is how far the colour of each place is from the part's own, `half` half a seam's width in pixels.
    """
    other = next(iter(runs(off >= FAINT)), None)
    if other is None:
        return float(len(off))
    start, stop = other
    if stop < len(off) and (stop - start) * _STEP <= 2 * half + _BLUR:
        return float(np.average(np.arange(start, stop), weights=off[start:stop]))
    # Beyond it there is the page, or something else.
    reach = off[start : start + round(_BLUR / _STEP)]
    return start + float(np.argmax(reach >= reach.max() / 2)) + half / _STEP
