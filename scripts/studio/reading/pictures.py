"""Pictures of numbers read from pixels: colours, opacities, widths, angles, heights and lengths as values.

Every reader gets what the picture is to be read by (a scale, a centre, a colour; see `told` of the kit's shapes) and
never the value. It answers with the value that the pixels show, and how exact that is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from manim.utils.color import ManimColor
from numpy.typing import NDArray

from scenes.formats import current_format
from scenes.kit.figures import Swept
from scenes.kit.lesson import Row
from scenes.kit.theme import Ramp
from scripts.studio.reading.frames import Picture

Floats = NDArray[np.float64]
# What coding adds to a flat colour, in levels of 255: half of the cells are within 1.1, 99 of 100 within this.
COLOUR = 4.4
# A place is read to this part of a pixel, and a thin line's width too.
PLACE, WIDTH = 1.0, 0.8
# Below this opacity, what lies behind shows through; threads, and what a hand has swept, are a wash of their colour.
SOLID, SHADE = 0.97, 0.4
# Pixels whose colour is this far off the way from page to ink belong to something else.
_FOREIGN = 45.0


@dataclass(frozen=True)
class Measure:
    """The value that a picture shows, and the difference that would be noticed; or why none was read."""

    value: float = 0.0
    notice: float = 0.0
    doubt: str = ""


def shown_value(row: Row, value: float) -> float:
    """The value as its picture can show it: some have a least or a greatest size, and a clock's hand no turns."""
    told = row.drawn
    if row.kind == "thread":
        return max(value, 1.5 / float(told["full"]))
    if row.kind == "beam":
        return min(max(value, 0.0), 1.0)
    if row.kind == "bar" and told.get("least"):
        return max(value, float(told["least"]) / float(np.hypot(*told["unit"])))
    if row.kind == "hand":
        if told["shape"] == "sector":
            return min(value, 359.9)
        return value if told["shape"] == "winding" else value % 360
    return value


def measure(row: Row, picture: Picture, others: Sequence[tuple[Row, float]] = ()) -> Measure:
    """Read a row's picture; `others` are all of its kind in the frame from back to front, with their values."""
    if row.box is None or not row.drawn:
        return Measure(doubt="not told how it is drawn")
    washed = row.kind == "thread" or row.drawn.get("shape") in ("sector", "winding")
    if row.drawn["opacity"] < (SHADE if washed else SOLID):
        return Measure(doubt="see-through")
    (left, bottom, right, top), frame = row.box, current_format()
    if max(abs(left), abs(right)) > frame.width / 2 or max(abs(bottom), abs(top)) > frame.height / 2:
        return Measure(doubt="off the frame")
    if row.kind == "beam":
        return _beam(row, picture, others)
    if row.kind == "thread":
        return _thread(row, picture, others)
    shape = row.drawn.get("shape", "")
    kind = f"{row.kind} {shape}" if shape else row.kind
    kind += " dot" if row.drawn.get("dot") else " part" if row.drawn.get("part") else ""
    return _READERS[kind](row, picture)


def rgb(colour: str) -> Floats:
    return np.array(ManimColor(colour).to_int_rgb(), dtype=np.float64)


def _share(colours: Floats, page: Floats, ink: Floats) -> Floats:
    """How far each colour (..., 3) is on the way from page to ink; not a number where it is off that way."""
    way = ink - page
    share = (colours - page) @ way / max(float(way @ way), 1.0)
    off = np.linalg.norm(colours - page - share[..., None] * way, axis=-1)
    found: Floats = np.where(off > _FOREIGN, np.nan, share)
    return found


def _cell(row: Row, picture: Picture) -> Measure:
    ramp = Ramp(**row.drawn["ramp"])
    assert row.box is not None
    (x0, y1), (x1, y0) = picture.at(row.box[0], row.box[1]), picture.at(row.box[2], row.box[3])
    if min(x1 - x0, y1 - y0) < 8:
        return Measure(doubt="too small")
    # Away from the edges, whose chroma is shared with the neighbours.
    inset_x, inset_y = max(2.5, 0.25 * (x1 - x0)), max(2.5, 0.25 * (y1 - y0))
    if inset_x * 2 >= x1 - x0 - 0.9 or inset_y * 2 >= y1 - y0 - 0.9:
        inset_x, inset_y = (x1 - x0) / 2 - 0.5, (y1 - y0) / 2 - 0.5
    inner = picture.rgb[round(y0 + inset_y) : max(round(y1 - inset_y), round(y0 + inset_y) + 1),
                        round(x0 + inset_x) : max(round(x1 - inset_x), round(x0 + inset_x) + 1)]  # fmt: skip
    seen = np.median(inner.reshape(-1, 3), axis=0)
    if float((np.abs(inner.reshape(-1, 3) - seen).max(axis=1) > 16).mean()) > 0.2:
        return Measure(doubt="under something")
    values, scale = _scale(ramp)
    off = np.linalg.norm(scale - seen, axis=1)
    best = int(off.argmin())
    if off[best] > 3 * COLOUR:
        return Measure(doubt="a colour that is not on its scale")
    # The chroma of a small cell is shared with its neighbours.
    apart = COLOUR * (1.6 if min(x1 - x0, y1 - y0) < 20 else 1.0) + float(off[best])
    alike = values[np.linalg.norm(scale - scale[best], axis=1) <= apart]
    notice = max(abs(float(alike.max() - values[best])), abs(float(values[best] - alike.min())))
    return Measure(float(values[best]), notice + abs(ramp.stop - ramp.start) / 256)


@cache
def _scale(ramp: Ramp) -> tuple[Floats, Floats]:
    """Values along a scale, and their colours."""
    values = ramp.start + (ramp.stop - ramp.start) * np.linspace(0, 1, 257) ** (1 / ramp.power)
    return values, np.array([rgb(ramp.colour(float(value))) for value in values])


def _thread(row: Row, picture: Picture, others: Sequence[tuple[Row, float]]) -> Measure:
    told, ink = row.drawn, rgb(row.drawn["color"])
    curve, full = np.array(told["curve"]), told["full"] * picture.unit / 100
    widths: list[float] = []
    beside = [(_along(other), other.drawn["full"] * value / 200) for other, value in others if other is not row]
    # Threads start close together, and end apart.
    for t in np.linspace(0.4, 0.93, 27):
        share = np.array([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
        slope = np.array([-3 * (1 - t) ** 2, 3 * (1 - t) ** 2 - 6 * t * (1 - t), 6 * t * (1 - t) - 3 * t**2, 3 * t**2])
        if len(curve) != 4:
            return Measure(doubt="not whole")
        place, way = share @ curve, slope @ curve
        if any(np.linalg.norm(points - place, axis=1).min() < half + 9 / picture.unit for points, half in beside):
            continue
        across = np.array([-way[1], way[0]]) / max(float(np.linalg.norm(way)), 1e-9)
        steps = np.arange(-full / 2 - 6, full / 2 + 6.01, 0.25)
        x, y = picture.at(float(place[0]), float(place[1]))
        colours = picture.colours(x + steps * across[0], y - steps * across[1])
        width = _width_across(colours, steps, ink)
        if width is not None:
            widths.append(width)
    if len(widths) < 4:
        return Measure(doubt="among others")
    # What lies under a thread at some places makes it look wider or thinner there.
    width = float(np.median(widths)) / told["opacity"]
    low, high = np.percentile(widths, [25, 75])
    if width > 1.1 * full or high - low > max(WIDTH, 0.15 * float(np.median(widths))):
        return Measure(doubt="among others")
    return Measure(width / full, WIDTH / full + 0.04 * width / full)


def _along(thread: Row) -> Floats:
    """Points along a thread, (n, 2)."""
    t = np.linspace(0, 1, 80)[:, None]
    a, b, c, d = np.array(thread.drawn["curve"])[:4]
    found: Floats = (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d
    return found


def _width_across(colours: Floats, steps: Floats, ink: Floats) -> float | None:
    """Pixels of ink in the run around the middle; None where the page beside it is not even."""
    middle = len(steps) // 2
    for reach in range(6, middle - 3, 2):
        sides = colours[middle - reach - 3 : middle - reach], colours[middle + reach + 1 : middle + reach + 4]
        pages = [side.mean(axis=0) for side in sides]
        if np.linalg.norm(pages[0] - pages[1]) < 10 and all(np.ptp(side, axis=0).max() < 8 for side in sides):
            page = (pages[0] + pages[1]) / 2
            share = _share(colours[middle - reach : middle + reach + 1], page, ink)
            if np.isnan(share).any() or np.linalg.norm(ink - page) < 40 or np.nanmax(share) < 0.15:
                return None
            return float(share.sum() * (steps[1] - steps[0]))
    return None


def _beam(row: Row, picture: Picture, beams: Sequence[tuple[Row, float]]) -> Measure:
    told, corners = row.drawn, np.array(row.drawn["polygon"])
    places = _on_card(corners) if told.get("card") else _in_beam(corners)
    seen = picture.colours(*(np.array(axis) for axis in zip(*(picture.at(*place) for place in places), strict=True)))
    order = [other for other, _ in beams]
    if row not in order:
        return Measure(doubt="among others")
    own, ink = next(k for k, other in enumerate(order) if other is row), rgb(told["color"])
    found = []
    for place, colour in zip(places, seen, strict=True):
        below, through, above = rgb(told["over"]), 1.0, np.zeros(3)
        for k, (other, value) in enumerate(beams):
            if k == own or not _inside(np.array(other.drawn["polygon"]), place):
                continue
            opacity = other.drawn["full"] * shown_value(other, value)
            if k < own:
                below = below * (1 - opacity) + rgb(other.drawn["color"]) * opacity
            else:
                through, above = through * (1 - opacity), above * (1 - opacity) + rgb(other.drawn["color"]) * opacity
        way = ink - below
        if through < 0.25 or way @ way < 900:
            continue
        own_colour = (colour - above) / through
        share = (own_colour - below) @ way / (way @ way)
        off = np.linalg.norm(own_colour - below - share * way)
        if off < _FOREIGN / 2:
            found.append((share / told["full"], COLOUR / (through * np.sqrt(way @ way) * told["full"])))
    if len(found) < max(4, len(places) // 6):
        return Measure(doubt="among others")
    values, notices = np.array(found).T
    # Light over light: what is coded of each adds up.
    return Measure(float(np.median(values)), 1.5 * float(np.median(notices)) + 0.01)


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


def _inside(corners: Floats, place: tuple[float, float]) -> bool:
    x, y = place
    inside = False
    for (x1, y1), (x2, y2) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            inside = not inside
    return inside


def _around(row: Row, picture: Picture, radii: Floats, angles: Floats) -> Floats:
    """(radii, angles, 3): the colours on circles, at angles in degrees clockwise from twelve."""
    x, y = picture.at(*row.drawn["centre"])
    turn = np.radians(angles)
    reach = (radii * row.drawn["radius"] * picture.unit)[:, None]
    return picture.colours(x + reach * np.sin(turn), y - reach * np.cos(turn))


def _hand(row: Row, picture: Picture) -> Measure:
    if row.drawn["radius"] * picture.unit < 12:
        return Measure(doubt="too small")
    angles = np.arange(0, 360, 0.25)
    colours = _around(row, picture, np.linspace(0.3, 0.86, 15), angles)
    ink = rgb(row.drawn["color"])
    # The hand is a whole radius of its colour; faces, marks and shades have it nowhere, or paler.
    near = np.clip(1 - np.linalg.norm(colours - ink, axis=-1) / 60, 0, 1).mean(axis=0)
    # A thin line of the same colour, where a sweep began, is not the hand.
    wide = np.convolve(np.concatenate([near[-12:], near, near[:12]]), np.full(25, 1 / 25), "valid")
    return _peak(near, angles, row, picture, int(wide.argmax()))


def _outline(row: Row, picture: Picture) -> Measure:
    if row.drawn["radius"] * picture.unit < 12:
        return Measure(doubt="too small")
    angles = np.arange(0, 360, 0.25)
    x, y = picture.at(*row.drawn["centre"])
    reach, turn = row.drawn["radius"] * picture.unit, np.radians(angles)[:, None]
    # The ring at its end, at every angle.
    ring = np.linspace(0, 2 * np.pi, 32, endpoint=False)[None, :]
    tip = row.drawn["tip"] * picture.unit
    columns, rows = x + reach * np.sin(turn) + tip * np.sin(ring), y - reach * np.cos(turn) - tip * np.cos(ring)
    colours = picture.colours(columns, rows)
    near = np.clip(1 - np.linalg.norm(colours - rgb(row.drawn["color"]), axis=-1) / 90, 0, 1)
    return _peak(near.mean(axis=1), angles, row, picture)


def _peak(near: Floats, angles: Floats, row: Row, picture: Picture, top: int | None = None) -> Measure:
    top = int(near.argmax()) if top is None else top
    if near[top] < 0.35:
        return Measure(doubt="no hand")
    # The middle of the run around the top that is at least half as high.
    turned = np.roll(near, len(near) // 2 - top)
    middle = len(near) // 2
    low, high = middle, middle
    while low > 0 and turned[low - 1] > near[top] / 2:
        low -= 1
    while high < len(turned) - 1 and turned[high + 1] > near[top] / 2:
        high += 1
    weights = turned[low : high + 1]
    offset = float((weights * np.arange(low, high + 1)).sum() / weights.sum()) - middle
    value = (angles[top] + offset * (angles[1] - angles[0])) % 360
    notice = float(np.degrees(PLACE / (0.6 * row.drawn["radius"] * picture.unit))) + 0.2
    return Measure(float(value), notice)


def _sector(row: Row, picture: Picture) -> Measure:
    told = row.drawn
    angles = told["start"] + np.arange(-6, 366, 0.25)
    colours = _around(row, picture, np.array([0.5, 0.55, 0.6]), angles)
    # The shade is a wash of the hand's colour over the face; the hand at its end is stronger.
    face = _around(row, picture, np.array([0.78]), np.arange(0, 360, 1.0))[0]
    page = np.median(face, axis=0)
    share = np.nan_to_num(_share(colours, page, rgb(told["color"]))).mean(axis=0)
    filled = share > 0.2
    start = int(np.argmax(angles >= told["start"] + 0.5))
    if not filled[start : start + 3].any():
        return Measure(0.0, _swept(0.55, told, picture))
    gaps = np.flatnonzero(~filled[start:])
    end = start + int(gaps[0]) if len(gaps) else len(angles) - 1
    # The hand, whose middle is the end, is seen beyond it.
    wide = float(np.degrees(0.04 / (0.55 * told["radius"])))
    return Measure(min(float(angles[end] - told["start"]) - wide, 359.9), _swept(0.55, told, picture))


def _swept(radius: float, told: dict[str, Any], picture: Picture) -> float:
    """Degrees of a pixel and a half at so many radii from a dial's centre, and half a degree."""
    return 0.5 + float(np.degrees(1.5 / (radius * told["radius"] * picture.unit)))


def _winding(row: Row, picture: Picture) -> Measure:
    told = row.drawn
    along = np.arange(0.0, 360 * 3, 0.5)
    radii = Swept.INNER + Swept.OUTWARDS * along / 360
    inside = radii < 0.92
    along, radii = along[inside], radii[inside]
    x, y = picture.at(*told["centre"])
    reach, turn = radii * told["radius"] * picture.unit, np.radians(along)
    colours = picture.colours(x + reach * np.sin(turn), y - reach * np.cos(turn))
    face = np.median(_around(row, picture, np.array([0.25]), np.arange(0, 360, 1.0))[0], axis=0)
    share = np.nan_to_num(_share(colours, face, rgb(told["color"])))
    # Its own edge at twelve may fall within a pixel.
    edge = along < _swept(Swept.INNER, told, picture)
    gaps = np.flatnonzero((share < 0.3) & ~edge)
    end = float(along[gaps[0]]) if len(gaps) else float(along[-1])
    radius = Swept.INNER + Swept.OUTWARDS * end / 360
    wide = float(np.degrees(0.04 / (radius * told["radius"])))
    return Measure(max(0.0, end - wide), 1.0 + _swept(radius, told, picture))


def _wave(row: Row, picture: Picture) -> Measure:
    told = row.drawn
    ink, unit = rgb(told["color"]), told["unit"] * picture.unit
    if unit < 15:
        return Measure(doubt="too small")
    x, zero = picture.at(told["x"], told["zero"])
    steps = np.arange(-1.15 * unit, 1.15 * unit, 0.25)
    # A curve is followed for a while on both sides: dashes have gaps, and curves cross.
    found = []
    for aside in np.arange(-15.0, 15.1, 1.0):
        colours = picture.colours(np.full_like(steps, x + aside), zero - steps)
        near = np.clip(1 - np.linalg.norm(colours - ink, axis=1) / 50, 0, 1)
        top = int(near.argmax())
        if near[top] < 0.6:
            continue
        low, high = top, top
        while low > 0 and near[low - 1] > 0.1:
            low -= 1
        while high < len(near) - 1 and near[high + 1] > 0.1:
            high += 1
        run = near[low : high + 1]
        found.append((aside, float((run * steps[low : high + 1]).sum() / run.sum())))
    level, slope, spread = _followed(found, told["dashed"])
    if spread > 1.2:
        return Measure(doubt="among others")
    return Measure(level / unit, (PLACE * (1 + abs(slope)) + 2 * spread + 0.5) / unit)


def _followed(found: Sequence[tuple[float, float]], dashed: bool) -> tuple[float, float, float]:
    """Height and slope in the middle of a curve's points, without those that lie off it, and how far the rest do."""
    for reach in (5.0, 8.0, 15.0):
        points = np.array([point for point in found if abs(point[0]) <= reach])
        for _ in range(6):
            if len(points) < 5:
                break
            curve = np.polynomial.Polynomial.fit(points[:, 0], points[:, 1], 2)
            off = np.abs(points[:, 1] - curve(points[:, 0]))
            if off.max() < 1.0:
                if np.abs(points[:, 0]).min() <= (4 if dashed else 1) and len(points) >= (6 if dashed else reach + 1):
                    return float(curve(0.0)), float(curve.deriv()(0.0)), float(off.mean())
                break
            points = points[off < max(1.0, float(off.max()) * 0.8)]
    return 0.0, 0.0, np.inf


def _dot(row: Row, picture: Picture) -> Measure:
    told = row.drawn
    ink, unit = rgb(told["color"]), told["unit"] * picture.unit
    x, zero = picture.at(told["x"], told["zero"])
    radius = 0.085 * picture.unit
    if radius < 4:
        return Measure(doubt="too small")
    steps = np.arange(-1.12 * unit - 2 * radius, 1.12 * unit + 2 * radius, 0.5)
    aside = np.arange(-radius, radius + 0.1, 1.0)
    grid_x, grid_y = np.meshgrid(x + aside, zero - steps)
    near = np.clip(1 - np.linalg.norm(picture.colours(grid_x, grid_y) - ink, axis=-1) / 60, 0, 1)
    # The dot's own shape, moved along the column.
    rise = np.arange(-radius - 3, radius + 3.1, 0.5)
    out = np.hypot(aside[None, :], rise[:, None])
    edge = 0.02 * picture.unit
    shape = (np.abs(out - radius) < edge) if told["ring"] else (out < radius + edge)
    weights = np.where(shape, 1.0, -0.6)
    scores = np.array([(near[k : k + len(rise)] * weights).sum() for k in range(len(steps) - len(rise))])
    best = int(scores.argmax())
    if scores[best] < 0.45 * shape.sum():
        return Measure(doubt="behind something, or in a dash's gap")
    return Measure(float(steps[best + len(rise) // 2]) / unit, 2.0 / unit)


def _bar(row: Row, picture: Picture) -> Measure:
    told = row.drawn
    unit = np.array(told["unit"])
    length = float(np.linalg.norm(unit))
    way, start, ink = unit / length, np.array(told["start"]), rgb(told["color"])
    across = np.array([-way[1], way[0]]) * 0.3 * told["width"] / 100
    steps = np.arange(-2.1 * length - 0.15, 2.1 * length + 0.15, 0.25 / picture.unit)
    near = []
    for side in (-1.0, 1.0):
        places = start + side * across + steps[:, None] * way
        columns, rows = picture.at(places[:, 0], places[:, 1])
        near.append(np.linalg.norm(picture.colours(np.asarray(columns), np.asarray(rows)) - ink, axis=1))
    filled = np.minimum(*near) < 40
    beyond = told["beyond"]
    ends = [0.0, 0.0]
    zero = int(np.argmin(np.abs(steps)))
    for which, sign in enumerate((-1, 1)):
        k, missing = zero, 0
        while 0 <= k < len(steps) and missing < 14:
            missing = 0 if filled[k] else missing + 1
            if filled[k]:
                ends[which] = float(steps[k])
            k += sign
    low, high = ends
    if max(high, -low) * picture.unit < 2 and beyond:
        return Measure(doubt="behind something")
    end = high - beyond if high >= -low else low + beyond
    return Measure(end / length, 3.0 / picture.unit / length)


def _part(row: Row, picture: Picture) -> Measure:
    told = row.drawn
    assert row.box is not None
    ink, unit = rgb(told["color"]), told["unit"] * picture.unit
    left, bottom, right, top = row.box
    # Below the words that stand on the parts.
    x, y = picture.at((left + right) / 2, bottom + 0.14 * (top - bottom))
    if (right - left) * picture.unit < 5:
        return Measure(doubt="too small")
    steps = np.arange(-unit, unit, 0.25)
    near = np.linalg.norm(picture.colours(x + steps, np.full_like(steps, y)) - ink, axis=1) < 30
    middle = len(steps) // 2
    if not near[middle]:
        return Measure(doubt="a colour that is not on its scale")
    low, high = middle, middle
    while near[low - 1]:
        low -= 1
    while near[high + 1]:
        high += 1
    seam = 1.5 * picture.unit / 100
    return Measure((float(steps[high] - steps[low]) + seam) / unit, 2.5 / unit)


_READERS: dict[str, Callable[[Row, Picture], Measure]] = {
    "cell": _cell,
    "hand hand": _hand,
    "hand outline": _outline,
    "hand sector": _sector,
    "hand winding": _winding,
    "wave": _wave,
    "wave dot": _dot,
    "bar": _bar,
    "bar part": _part,
}
