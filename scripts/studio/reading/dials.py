"""Angles of the hands of dials, of what they have swept, and of their windings, read from pixels."""

from typing import Any

import numpy as np

from scenes.kit.marks import DialMark, HandMark, HandOutlineMark, SectorMark, WindingMark
from scenes.kit.text import Box
from scripts.studio.reading.frames import Picture
from scripts.studio.reading.limits import FAINT, Floats, Measure, place, rgb, runs, shares
from scripts.studio.reading.readers import SHADE, Others, reads

# A dial's radius and a hand's width below this many pixels show no angle.
_LEAST_RADIUS, _LEAST_WIDTH = 12.0, 2.0
# Between what a hand has swept, a wash of its colour, and the hand itself.
_SOLID = 0.72


def around(mark: DialMark, picture: Picture, radii: Floats, angles: Floats) -> Floats:
    """(radii, angles, 3): the colours on circles, at angles in degrees clockwise from twelve."""
    x, y = picture.at(*mark.centre)
    turn = np.radians(angles)
    reach = (radii * mark.radius * picture.unit)[:, None]
    return picture.colours(x + reach * np.sin(turn), y - reach * np.cos(turn))


def _face(mark: DialMark, picture: Picture, radius: float) -> Floats:
    """The colour of a dial's face, on a circle that is mostly free."""
    found: Floats = np.median(around(mark, picture, np.array([radius]), np.arange(0, 360, 1.0))[0], axis=0)
    return found


@reads(HandMark, coarsest=15.0)
def hand(mark: HandMark, box: Box, picture: Picture, others: Others) -> Measure:
    """A hand of one colour: a line from the centre, as wide at all radii as the row says."""
    ink = rgb(mark.color)
    reach, width = mark.radius * picture.unit, mark.width / 100 * picture.unit
    if reach < _LEAST_RADIUS or width < _LEAST_WIDTH:
        return Measure(doubt="too small")
    face = _face(mark, picture, 0.3)
    contrast = float(np.linalg.norm(ink - face))
    if contrast < FAINT:
        return Measure(doubt="too faint")
    # Of a whole turn and a little more, so that a hand at twelve is one run.
    angles, radii = np.arange(0, 370, 0.25), np.linspace(0.3, 0.86, 24)
    share = np.nan_to_num(shares(around(mark, picture, radii, angles), face, ink))
    found = []
    for radius, along in zip(radii * reach, share, strict=True):
        step = np.radians(0.25) * radius
        for start, stop in runs(along > _SOLID):
            # A hand that touches a winding or where a sweep began is wider there, or narrower below an outline. Its
            # edges are not as solid, as they share chroma with the face.
            more = float((stop - start) * step) - width
            if start and stop < len(along) and -1 - place(contrast) < more < place(contrast):
                weights = along[start:stop]
                middle = float((weights * angles[start:stop]).sum() / weights.sum())
                found.append((middle % 360, radius))
    lines = _lines(found)
    if not lines:
        return Measure(doubt="behind something")
    (value, radius), *rest = lines
    notice = float(np.degrees(place(contrast) / radius)) + 0.2
    return Measure(value, notice, others=tuple(angle for angle, _ in rest))


def _lines(found: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Angle and mean radius of all lines through a centre among points (angle, radius), the longest first."""
    lines: list[tuple[float, float]] = []
    left = found
    while len(left) >= 4:
        angles, radii = np.array(left).T
        apart = np.abs((angles[:, None] - angles[None, :] + 180) % 360 - 180) * np.radians(radii) < 1.5
        best = int(apart.sum(axis=1).argmax())
        near = apart[best]
        if near.sum() < 4 or (lines and near.sum() < len(found) / 3):
            break
        turned = (angles[near] - angles[best] + 180) % 360 - 180
        # Farther out, a pixel is less of an angle.
        value = angles[best] + float((turned * radii[near]).sum() / radii[near].sum())
        lines.append((float(value % 360), float(radii[near].mean())))
        left = [point for point, taken in zip(left, near, strict=True) if not taken]
    return lines


@reads(HandOutlineMark, coarsest=15.0)
def outline(mark: HandOutlineMark, box: Box, picture: Picture, others: Others) -> Measure:
    """A hand drawn as an outline, by the ring at its end."""
    reach, tip = mark.radius * picture.unit, mark.tip * picture.unit
    if reach < _LEAST_RADIUS or tip < 4:
        return Measure(doubt="too small")
    angles = np.arange(0, 360, 0.25)
    x, y = picture.at(*mark.centre)
    turn = np.radians(angles)[:, None]
    ring = np.linspace(0, 2 * np.pi, 32, endpoint=False)[None, :]
    columns, rows = x + reach * np.sin(turn) + tip * np.sin(ring), y - reach * np.cos(turn) - tip * np.cos(ring)
    near = np.clip(1 - np.linalg.norm(picture.colours(columns, rows) - rgb(mark.color), axis=-1) / 90, 0, 1)
    near = near.mean(axis=1)
    notice = float(np.degrees(place(200) / reach)) + 0.2
    # Rings may stand at several places; each is the middle of the angles that are at least half as likely.
    found = []
    left = near.copy()
    while left.max() >= 0.35 and left.max() > 0.8 * near.max():
        top = int(left.argmax())
        turned = np.roll(left, len(left) // 2 - top)
        low, high = next(run for run in runs(turned > left[top] / 2) if run[0] <= len(left) // 2 < run[1])
        weights = turned[low:high]
        middle = float((weights * np.arange(low, high)).sum() / weights.sum()) - len(left) // 2
        found.append(float((angles[top] + middle * 0.25) % 360))
        turned[low:high] = 0
        left = np.roll(turned, top - len(left) // 2)
    if not found:
        return Measure(doubt="behind something")
    return Measure(found[0], notice, others=tuple(found[1:]))


@reads(SectorMark, coarsest=15.0, faintest=SHADE)
def sector(mark: SectorMark, box: Box, picture: Picture, others: Others) -> Measure:
    """What a hand has swept since an angle: a wash of its colour over the face, up to the hand."""
    ink = rgb(mark.color)
    if mark.radius * picture.unit < _LEAST_RADIUS:
        return Measure(doubt="too small")
    page = _face(mark, picture, 0.78)
    contrast = float(np.linalg.norm(ink - page)) * mark.opacity
    if contrast < FAINT:
        return Measure(doubt="too faint")
    angles = mark.start + np.arange(-6, 366, 0.25)
    colours = around(mark, picture, np.array([0.5, 0.55, 0.6]), angles)
    share = np.nan_to_num(shares(colours, page, ink)).mean(axis=0)
    end = _end_of(share > mark.opacity / 2, angles - mark.start, mark, picture, 0.55)
    if end is None:
        return Measure(doubt="behind something")
    # A whole turn ends where it began.
    return Measure(min(max(0.0, end), 359.9), _swept(0.55, contrast, mark, picture))


@reads(WindingMark, coarsest=15.0, faintest=SHADE)
def winding(mark: WindingMark, box: Box, picture: Picture, others: Others) -> Measure:
    """How far a hand has turned since twelve: a line that winds outwards, a winding a turn, up to the hand."""
    ink = rgb(mark.color)
    width, unit = mark.line / 100 * picture.unit, mark.radius * picture.unit
    # Between two windings there must be some of the face.
    if unit < _LEAST_RADIUS or mark.OUTWARDS * unit - width < 2:
        return Measure(doubt="too small")
    along = np.arange(0.0, 360 * 4, 0.5)
    radii = mark.INNER + mark.OUTWARDS * along / 360
    inside = radii < 0.92
    along, radii = along[inside], radii[inside]
    page = _face(mark, picture, 0.25)
    contrast = float(np.linalg.norm(ink - page)) * mark.opacity
    if contrast < FAINT:
        return Measure(doubt="too faint")
    x, y = picture.at(*mark.centre)
    turn = np.radians(along)
    across = radii[None, :] * unit + np.array([-0.2, 0.0, 0.2])[:, None] * width
    colours = picture.colours(x + across * np.sin(turn), y - across * np.cos(turn))
    share = np.nan_to_num(shares(colours, page, ink)).mean(axis=0)
    filled = share > mark.opacity / 2
    rough = _end_of(filled, along, mark, picture, mark.INNER)
    if rough is None:
        return Measure(doubt="behind something")
    radius = mark.out(rough)
    end = _end_of(filled, along, mark, picture, radius) or 0.0
    if end > along[-1] - 5:
        return Measure(doubt="off its dial")
    return Measure(max(0.0, end), _swept(radius, contrast, mark, picture))


def _end_of(
    filled: Any, angles: Floats, mark: SectorMark | WindingMark, picture: Picture, radius: float
) -> float | None:
    """The angle up to which a shade is filled from 0, less half of the hand that stands there; None where it is not."""
    pixel = float(np.degrees(1 / (radius * mark.radius * picture.unit)))
    end = None
    for start, stop in runs(filled):
        # A gap of two pixels is one; the edge at which it begins is half a pixel of page.
        if angles[start] > max(end or 0.0, 0.0) + 2 * pixel:
            break
        if angles[stop - 1] >= -2 * pixel:
            end = float(angles[stop - 1])
    return None if end is None else end - float(np.degrees(mark.width / 200 / (radius * mark.radius)))


def _swept(radius: float, contrast: float, mark: SectorMark | WindingMark, picture: Picture) -> float:
    """Degrees of the error of both edges, of the shade and of the hand, at so many radii from a dial's centre."""
    pixels = 0.5 + place(contrast)
    return 0.5 + float(np.degrees(pixels / (radius * mark.radius * picture.unit)))
