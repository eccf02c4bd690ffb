"""Heights of waves and of the dots on them, and widths of threads, read from pixels.

A line that is thinner than two pixels has nowhere its own colour. But neither antialiasing nor shared chroma changes
how much ink there is in all: across a line, the colours' differences from the page add up to its width times its
colour. By this sum a curve is told from another, and from whatever else crosses it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scenes.kit.marks import ThreadMark, WaveDotMark, WaveMark
from scenes.kit.text import Box
from scripts.studio.reading.frames import Picture
from scripts.studio.reading.limits import FAINT, FOREIGN, LUMA, WIDTH, Floats, Measure, place, rgb, runs
from scripts.studio.reading.readers import SHADE, Others, reads

# A curve's amplitude, and a dot's radius, below this many pixels show no height.
_LEAST_UNIT, _LEAST_DOT = 10.0, 3.5
# How much of a curve's ink may be missing in a column, or be too much.
_INK = 0.35
# Up to which part of the contrast a dot's pixels may differ from a dot's, on average.
_UNLIKE = 0.22
_LUMA = np.array([0.2126, 0.7152, 0.0722])


@reads(WaveMark, coarsest=0.3, among=True)
def wave(mark: WaveMark, box: Box, picture: Picture, others: Others) -> Measure:
    """The height of a curve at a place, followed for a while on both sides: dashes have gaps, and curves cross."""
    unit = mark.unit * picture.unit
    if unit < _LEAST_UNIT:
        return Measure(doubt="too small")
    x, zero = picture.at(mark.x, mark.zero)
    # The other curves of its lane, each once.
    waves = [other for other, _ in others.all if isinstance(other, WaveMark)]
    rivals = {other.color: other for other in waves if other.color != mark.color}
    # Nearly as far as a dash and a gap, on both sides.
    reach = max(15.0, 0.8 * (mark.DASH + mark.GAP) * picture.unit)
    columns, seen = _block(picture, x, reach, zero, 1.2 * unit)
    top = int(np.floor(zero - 1.2 * unit))
    page = np.median(np.median(seen, axis=0), axis=0)
    contrast = float(np.linalg.norm(rgb(mark.color) - page))
    ink, *foreign = [(rgb(curve.color) - page) * curve.width / 100 * picture.unit for curve in (mark, *rivals.values())]
    if contrast < FAINT or np.linalg.norm(ink) < 0.8 * contrast:
        return Measure(doubt="too faint" if contrast < FAINT else "too small")
    found = _points(seen, page, [ink, *foreign], contrast)
    left = [(float(columns[k] - x), zero - (top + height)) for k, height in found]
    # Above and below the middle of a curve, all of its ink is within so many pixels.
    half, tracks = round(mark.width / 200 * picture.unit + 1.5), []
    while (track := _followed(left, mark.dashed, picture.unit, 0.3 * len(columns))) is not None:
        # A solid line has no gaps, and dashes have some.
        if (_gaps(track, seen, columns - x, zero - top, ink, half) > 0.05) == mark.dashed:
            tracks.append(track)
        left = [point for point in left if abs(point[1] - track.at(point[0])) > 2]
    if not tracks:
        return Measure(doubt="among others")
    best, *rest = sorted(tracks, key=lambda track: -track.points)
    notice = (place(contrast) * (1 + abs(best.slope)) + 2 * best.spread + 0.5) / unit
    # Where a curve begins, its height is guessed from one side.
    notice *= 1 if best.first < -1 and best.last > 1 else 2
    return Measure(best.level / unit, notice, others=tuple(track.level / unit for track in rest))


@dataclass(frozen=True)
class _Track:
    """A curve's height at a place by its points around it, its slope, and how far these are off it."""

    curve: Any
    spread: float
    points: int
    first: float
    last: float

    def at(self, aside: float) -> float:
        return float(self.curve(aside))

    @property
    def level(self) -> float:
        return self.at(0.0)

    @property
    def slope(self) -> float:
        return float(self.curve.deriv()(0.0))


def _gaps(track: _Track, seen: Floats, aside: Floats, zero: float, ink: Floats, half: int) -> float:
    """The share of columns of a track that have less than half of a curve's `ink` there."""
    pages = np.median(seen, axis=0)
    page = np.median(pages, axis=0)
    free = counted = 0
    for k, at in enumerate(aside):
        row = int(zero - track.at(float(at)))
        # Behind an upright line nothing is seen of it.
        if not track.first <= at <= track.last or np.linalg.norm(pages[k] - page) > 12:
            continue
        counted += 1
        there = (seen[max(0, row - half) : row + half + 1, k] - pages[k]).sum(axis=0)
        free += bool(there @ ink / (ink @ ink) < 0.45)
    return free / max(counted, 1)


def _block(picture: Picture, x: float, reach: float, y: float, half: float) -> tuple[Floats, Floats]:
    """The middles of columns around x, and their pixels' (rows, columns, 3) between two heights."""
    columns = np.arange(max(0, int(np.floor(x - reach))), min(picture.luma.shape[1], int(np.ceil(x + reach))))
    rows = slice(max(0, int(np.floor(y - half))), int(np.ceil(y + half)))
    found: Floats = picture.rgb[rows, columns[0] : columns[-1] + 1]
    return columns + 0.5, found


def _points(seen: Floats, page: Floats, inks: Sequence[Floats], contrast: float) -> list[tuple[int, float]]:
    """(column, height from the top) wherever the first of some curves crosses a column, by the sum of its ink."""
    pages = np.median(seen, axis=0)
    away = seen - pages
    strength = np.linalg.norm(away, axis=-1)
    limit = max(4 * LUMA, 0.15 * contrast)
    heights = [_crossings(away[:, k], strength[:, k], limit) for k in range(seen.shape[1])]
    # Elsewhere than on the page, or behind an upright line, a column shows nothing.
    free = np.linalg.norm(pages - page, axis=1) <= 12
    crossings = [(k, *crossing) for k, column in enumerate(heights) if free[k] for crossing in column]
    if not crossings:
        return []
    lean = np.array([np.hypot(1, _slope(height, heights, k)) for k, height, _ in crossings])
    seen_inks = np.array([ink for *_, ink in crossings]) / lean[:, None]
    off = np.array([np.linalg.norm(seen_inks - own, axis=1) / np.linalg.norm(own) for own in inks])
    own = (off[0] < _INK) & (off[0] <= off.min(axis=0))
    return [(k, height) for (k, height, _), is_own in zip(crossings, own, strict=True) if is_own]


def _crossings(away: Floats, strength: Floats, limit: float) -> list[tuple[float, Floats]]:
    """The middle and the sum of ink of every run in a column that is off the page."""
    found = []
    for start, stop in runs(strength > limit):
        low, high = max(0, start - 1), min(len(away), stop + 1)
        weights = np.abs(away[low:high] @ _LUMA)
        if weights.max() < limit / 3:
            weights = strength[low:high]
        middle = float((weights * (np.arange(low, high) + 0.5)).sum() / weights.sum())
        found.append((middle, away[low:high].sum(axis=0)))
    return found


def _slope(height: float, heights: Sequence[Sequence[tuple[float, Floats]]], k: int) -> float:
    """Pixels that a curve rises a column, by what is nearest in the columns beside one; 0 where it ends."""
    steps = []
    for aside in (-2, 2):
        if 0 <= k + aside < len(heights) and heights[k + aside]:
            near = min((other for other, _ in heights[k + aside]), key=lambda other: abs(other - height))
            if abs(near - height) < 8:
                steps.append((near - height) / aside)
    return float(np.mean(steps)) if steps else 0.0


def _followed(found: Sequence[tuple[float, float]], dashed: bool, unit: float, least: float) -> _Track | None:
    """The curve on which most of some points (aside, height) lie, if it comes near the middle."""
    if len(found) < 6:
        return None
    aside, height = np.array(found).T
    # The line on which most lie, of all through two points that are near each other; then the curve around it.
    one, other = np.triu_indices(len(found), 1)
    near = (np.abs(aside[one] - aside[other]) > 2.5) & (np.abs(aside[one] - aside[other]) < 10.5)
    one, other = one[near], other[near]
    if not len(one):
        return None
    slopes = (height[other] - height[one]) / (aside[other] - aside[one])
    off = np.abs(height[None, :] - height[one][:, None] - slopes[:, None] * (aside[None, :] - aside[one][:, None]))
    own = off[int((off < 0.8).sum(axis=1).argmax())] < 0.8
    for _ in range(4):
        curve = np.polynomial.Polynomial.fit(aside[own], height[own], 2 if own.sum() > 5 else 1)
        own, before = np.abs(height - curve(aside)) < 1.0, own
        if own.sum() < 5 or (own == before).all():
            break
    # The gap between two dashes is as wide as they are at all sizes.
    nearest = max(2.0, 0.04 * unit) if dashed else 1.5
    if own.sum() < max(6, least if dashed else 1.3 * least) or np.abs(aside[own]).min() > nearest:
        return None
    spread = float(np.abs(height - curve(aside))[own].mean())
    return _Track(curve, spread, int(own.sum()), float(aside[own].min()), float(aside[own].max()))


@reads(WaveDotMark, coarsest=0.3, among=True)
def dot(mark: WaveDotMark, box: Box, picture: Picture, others: Others) -> Measure:
    """The height of a filled dot or a ring in a column: where a drawn one, put over the pixels, differs least."""
    unit = mark.unit * picture.unit
    outer, inner = mark.reach * picture.unit, (mark.reach - mark.width / 100) * picture.unit
    if unit < _LEAST_UNIT or outer < _LEAST_DOT:
        return Measure(doubt="too small")
    ink, fill = rgb(mark.color), rgb(mark.fill)
    x, zero = picture.at(mark.x, mark.zero)
    half = 1.12 * unit + 2 * outer
    columns, seen = _block(picture, x, outer + 2, zero, half)
    top = max(0, int(np.floor(zero - half)))
    # The page is what most pixels of the lane show, beside the dots.
    _, lane = _block(picture, x, 30.0, zero, unit)
    page = np.median(lane.reshape(-1, 3), axis=0)
    contrast = float(np.linalg.norm(ink - page))
    if contrast < FAINT:
        return Measure(doubt="too faint")
    look = _Dot(seen, columns - x, top, outer, inner, ink, fill, page, _in_front(mark, picture, others))
    coarse = np.arange(-1.12 * unit, 1.12 * unit + 1, max(1.0, outer / 6))
    unlike = np.array([look.unlike(zero - rise) for rise in coarse])
    found: list[tuple[float, float]] = []
    while unlike.min() < 1.3 * _UNLIKE:
        about = float(coarse[int(unlike.argmin())])
        unlike[np.abs(coarse - about) < outer] = 1.0
        fine = about + np.arange(-outer / 6 - 1, outer / 6 + 1.1, 0.25)
        near = np.array([look.unlike(zero - rise) for rise in fine])
        if near.min() < _UNLIKE:
            # As good as the best are those heights at which its pixels are inside the dot as well.
            weights = np.clip(near.min() + 0.05 - near, 0, None)
            found.append((float(near.min()), float((weights * fine).sum() / weights.sum()) / unit))
    if not found:
        return Measure(doubt="behind something")
    (_, value), *rest = sorted(found)
    return Measure(value, (place(contrast) + 0.5) / unit, others=tuple(other for _, other in rest))


def _in_front(mark: WaveDotMark, picture: Picture, others: Others) -> list[float]:
    """The heights, in pixels from the top, of dots in the same column that were drawn after one."""
    return [
        picture.at(0, other.zero + value * other.unit)[1]
        for other, value in others.above
        if isinstance(other, WaveDotMark) and abs(other.x - mark.x) < other.reach
    ]


@dataclass(frozen=True)
class _Dot:
    """A column of pixels (rows, columns, 3) from `top` on, and a dot that may stand there, behind those in `front`."""

    seen: Floats
    aside: Floats
    top: int
    outer: float
    inner: float
    ink: Floats
    fill: Floats
    page: Floats
    front: Sequence[float]

    def unlike(self, y: float) -> float:
        """How much the pixels around a height differ from a dot there, as a part of its contrast."""
        first = max(0, int(np.floor(y - self.outer - 2)) - self.top)
        last = min(len(self.seen), int(np.ceil(y + self.outer + 2)) - self.top)
        rows = self.top + np.arange(first, last) + 0.5
        out = np.hypot(self.aside[None, :], rows[:, None] - y)
        free = np.ones(out.shape, dtype=bool)
        for other in self.front:
            free &= np.hypot(self.aside[None, :], rows[:, None] - other) > self.outer + 1
        whole = np.clip(self.outer - out + 0.5, 0, 1)[..., None]
        core = np.clip(self.inner - out + 0.5, 0, 1)[..., None]
        drawn = core * self.fill + (whole - core) * self.ink
        inside = out < self.outer - 0.5
        if (inside & free).sum() < 0.4 * inside.sum():
            return 1.0
        part = self.seen[first:last]
        apart = (part - drawn)[inside & free]
        # Luma has every pixel, chroma one of four.
        shape, colour = np.abs(apart @ _LUMA).mean(), np.linalg.norm(apart.mean(axis=0))
        # Beyond it, more of its ink would be a dot that stands elsewhere.
        beyond = (out > self.outer + 0.5) & (out < self.outer + 2) & free
        far = np.linalg.norm(self.ink - self.page)
        more = np.clip(1 - np.linalg.norm(part - self.ink, axis=-1) / far, 0, 1)[beyond]
        return float((shape + colour / 2) / far + 0.3 * (np.median(more) if len(more) else 0.0))


@reads(ThreadMark, coarsest=0.15, faintest=SHADE, among=True)
def thread(mark: ThreadMark, box: Box, picture: Picture, others: Others) -> Measure:
    """The width of a thread, across it at many places where no other is near."""
    ink = rgb(mark.color)
    curve, full = np.array(mark.curve), mark.full * picture.unit / 100
    if len(curve) != 4:
        return Measure(doubt="not whole")
    widths: list[float] = []
    threads = [(other, value) for other, value in others.all if isinstance(other, ThreadMark)]
    beside = [(_along(other), other.full * value / 200) for other, value in threads]
    # Threads start close together, and end apart.
    for t in np.linspace(0.4, 0.93, 27):
        share = np.array([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
        slope = np.array([-3 * (1 - t) ** 2, 3 * (1 - t) ** 2 - 6 * t * (1 - t), 6 * t * (1 - t) - 3 * t**2, 3 * t**2])
        at, way = share @ curve, slope @ curve
        if any(np.linalg.norm(points - at, axis=1).min() < half + 9 / picture.unit for points, half in beside):
            continue
        across = np.array([-way[1], way[0]]) / max(float(np.linalg.norm(way)), 1e-9)
        steps = np.arange(-full / 2 - 6, full / 2 + 6.01, 0.25)
        x, y = picture.at(float(at[0]), float(at[1]))
        width = _width_across(picture.colours(x + steps * across[0], y - steps * across[1]), steps, ink)
        if width is not None:
            widths.append(width)
    if len(widths) < 4:
        return Measure(doubt="among others")
    # What lies under a thread at some places makes it look wider or thinner there.
    width = float(np.median(widths)) / mark.opacity
    low, high = np.percentile(widths, [25, 75])
    if width > 1.1 * full or high - low > max(WIDTH, 0.15 * float(np.median(widths))):
        return Measure(doubt="among others")
    return Measure(width / full, WIDTH / full + 0.04 * width / full)


def _along(mark: ThreadMark) -> Floats:
    """Points along a thread, (n, 2)."""
    t = np.linspace(0, 1, 80)[:, None]
    a, b, c, d = np.array(mark.curve)[:4]
    found: Floats = (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d
    return found


def _width_across(colours: Floats, steps: Floats, ink: Floats) -> float | None:
    """Pixels of ink in the run around the middle; None where the page beside it is not even."""
    middle = len(steps) // 2
    for reach in range(6, middle - 3, 2):
        sides = colours[middle - reach - 3 : middle - reach], colours[middle + reach + 1 : middle + reach + 4]
        pages = [side.mean(axis=0) for side in sides]
        page = (pages[0] + pages[1]) / 2
        way = ink - page
        # Both sides may still be on the thread itself, through which some of the page is seen.
        if np.linalg.norm(pages[0] - pages[1]) > 10 or np.linalg.norm(way) < 40:
            continue
        if max(np.ptp(side, axis=0).max() for side in sides) > 8:
            continue
        run = colours[middle - reach : middle + reach + 1] - page
        share = run @ way / (way @ way)
        if share.max() < 0.15:
            continue
        # At its edges chroma is shared with the page; what is another colour altogether is not this thread.
        if np.linalg.norm(run - share[:, None] * way, axis=1).mean() > FOREIGN / 2:
            return None
        return float(share.sum() * (steps[1] - steps[0]))
    return None
