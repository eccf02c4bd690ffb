"""What is wrong with a frame when the film is paused there: digits that disagree with what they are read from, text
in scraps, text over text, frames across words, dots that are no dots."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from manim import ImageMobject, Mobject, Rectangle, VMobject
from manim.constants import CapStyleType
from numpy.typing import NDArray

from scenes.kit.encoding import Crossing
from scenes.kit.faults import Fault
from scenes.kit.figures import Hand
from scenes.kit.formula import Glyph
from scenes.kit.lesson import Lesson, Readout
from scenes.kit.picture import Picture, opacity_of_image
from scenes.kit.text import SMALLEST, Box, TextLine, box_around, provenance_of

# What is fainter than this is not seen; what is more opaque than that hides what lies below.
_SEEN, _HIDES = 0.12, 0.95
# Text on its way may be a little smaller than text that rests, but never too small to be read.
_LEAST_SIZE = 0.75 * SMALLEST
# How far points may be from where they belong, in units and in shares of a text's height.
_SLACK, _BENT = 0.03, 0.04
# Beyond what binary fractions do to a value that is measured in a drawing.
_MEASURED = 1e-5
# Units that a stroke of width 1 is wide.
_STROKE = 0.01


@dataclass(frozen=True)
class _Seen:
    """A shape that can be seen: its place from back to front, its box, and how opaque it is."""

    place: int
    shape: Mobject
    box: Box
    opacity: float


def paused(lesson: Lesson) -> Iterator[Fault]:
    """The faults of the frame that `lesson` shows at this moment."""
    where = f"{lesson.name}/{lesson.beat} ({lesson.language}) in the play from frame {lesson.frame}"
    seen = _seen(lesson)
    covers = [(one.place, one.box) for one in seen if _hides(one)]
    texts = [one for one in seen if isinstance(one.shape, TextLine | Glyph)]
    for kind, said, box in (
        *_readings(lesson, {id(one.shape): one.opacity for one in seen}),
        *_drawings(seen),
        *_scraps(texts),
        *_overprints(texts, covers),
        *(_buried(texts, covers) if lesson.last_t == 0 else ()),
        *_crossings(seen, texts, covers),
        *_dots(seen),
    ):
        yield Fault(kind, f"{where}: {said}", box)


_Said = Iterator[tuple[str, str, Box]]


def _seen(lesson: Lesson) -> list[_Seen]:
    order: dict[Mobject, None] = {}
    for top in [*lesson.mobjects, *lesson.foreground_mobjects]:
        for shape in top.get_family():
            order.pop(shape, None)
            order[shape] = None
    found = []
    for place, shape in enumerate(order):
        if isinstance(shape, Hand):
            # A group, whose parts are drawn.
            if shape.stick.get_stroke_opacity() >= _SEEN:
                found.append(_Seen(place, shape, box_around(shape), float(shape.stick.get_stroke_opacity())))
        elif not len(shape.points):
            continue
        elif isinstance(shape, VMobject):
            fill, stroke = float(shape.get_fill_opacity()), float(shape.get_stroke_opacity())
            opacity = max(fill, stroke if shape.get_stroke_width() > 0 else 0.0)
            if opacity >= _SEEN:
                found.append(_Seen(place, shape, _box(shape), opacity))
        elif isinstance(shape, ImageMobject):
            found.append(_Seen(place, shape, box_around(shape), opacity_of_image(shape)))
    return found


def _box(shape: VMobject) -> Box:
    if isinstance(shape, TextLine):
        return shape.ink_box
    (left, bottom), (right, top) = shape.points[:, :2].min(axis=0), shape.points[:, :2].max(axis=0)
    return (float(left), float(bottom), float(right), float(top))


def _hides(one: _Seen) -> bool:
    if isinstance(one.shape, TextLine | Glyph | Hand) or (isinstance(one.shape, Picture) and not one.shape.solid):
        return False
    opacity = one.shape.get_fill_opacity() if isinstance(one.shape, VMobject) else one.opacity
    return float(opacity) >= _HIDES


def _readings(lesson: Lesson, opacities: dict[int, float]) -> _Said:
    """Digits that are not the rounded value of what they are read from."""
    for readout in lesson.readouts:
        digits = readout.digits
        if id(digits) not in opacities or not digits.provenance:
            continue
        if all(id(part) not in opacities for part in readout.marker.get_family()):
            continue
        text, value = digits.provenance[0].text, readout.value()
        if not _agrees(text, value, readout):
            yield "reading", f'"{digits.text}" stands where {value:.4f} is drawn', digits.ink_box


def _agrees(text: str, value: float, readout: Readout) -> bool:
    shown = float(text.replace("\N{MINUS SIGN}", "-").replace(",", ""))
    apart = shown - value
    if readout.turn is not None:
        apart -= readout.turn * round(apart / readout.turn)
    half = 0.5 * 10.0 ** -len(text.partition(".")[2])
    return abs(apart) <= half + _MEASURED


def _drawings(seen: list[_Seen]) -> _Said:
    """Hands and dots that are not where the value says to which they are tied."""
    for one in seen:
        for n, origin in enumerate(provenance_of(one.shape)):
            if isinstance(one.shape, Crossing):
                drawn = one.shape.drawn_at()
                right = abs(drawn - origin.entry.value) <= 1e-3
            elif isinstance(one.shape, Hand):
                x, y = one.shape.tip.get_center()[:2] - np.array(one.shape.mark_of(n).centre)
                drawn = float(np.degrees(np.arctan2(x, y)))
                right = abs((drawn - origin.entry.value + 180) % 360 - 180) <= 1e-2
            else:
                continue
            if not right:
                yield "drawing", f"{origin.entry.address} = {origin.entry.value:.4f} is drawn as {drawn:.4f}", one.box


def _scraps(texts: list[_Seen]) -> _Said:
    """Text that is too small to be read, or whose letters are torn."""
    for one in texts:
        line = one.shape
        if not isinstance(line, TextLine):
            continue
        if line.drawn_size < _LEAST_SIZE:
            yield "scrap", f'"{line.text}" is {line.drawn_size:.1f} px, below {_LEAST_SIZE:g}', one.box
        elif not _whole(line):
            yield "scrap", f'"{line.text}" is torn', one.box


def _whole(line: TextLine) -> bool:
    """Whether a line's letters are its own, moved and scaled as a whole."""
    if line.rows > 1:
        return True
    ink, outline = line.points[8:], line.outline()
    if ink.shape != outline.shape:
        return False
    (left, low, _), (right, high, _) = outline.min(axis=0), outline.max(axis=0)
    scale = (one_extent(ink, 0)) / (right - left) if right > left else one_extent(ink, 1) / (high - low)
    own = (outline - outline.min(axis=0)) * scale
    return bool(np.abs(ink - ink.min(axis=0) - own).max() <= _BENT * line.drawn_size / SMALLEST)


def one_extent(points: NDArray[np.float64], axis: int) -> float:
    return float(np.ptp(points[:, axis]))


def _overprints(texts: list[_Seen], covers: list[tuple[int, Box]]) -> _Said:
    """Text over other text, unless something between the two hides the lower one there."""
    if len(texts) < 2:
        return
    boxes = np.array([one.box for one in texts])
    low, high = np.maximum(boxes[:, None, :2], boxes[None, :, :2]), np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    for i, j in np.argwhere(((high - low) > _SLACK).all(axis=2)).tolist():
        one, other = texts[i], texts[j]
        if i >= j or (isinstance(one.shape, Glyph) and isinstance(other.shape, Glyph)):
            continue
        common = (*low[i, j], *high[i, j])
        if not _hidden(one.place, other.place, common, covers):
            yield "overprint", f"{_named(one)} and {_named(other)} overlap", one.box


def _buried(texts: list[_Seen], covers: list[tuple[int, Box]]) -> _Said:
    """Text that is hidden when a play begins: an animation has brought the wrong thing to the front."""
    front = max((place for place, _ in covers), default=0) + 1
    for one in texts:
        if _hidden(one.place, front, one.box, covers):
            yield "buried", f"{_named(one)} is hidden", one.box


def _named(one: _Seen) -> str:
    return f'"{one.shape.text}"' if isinstance(one.shape, TextLine) else "a formula"


def _hidden(lower: int, upper: int, box: Box, covers: list[tuple[int, Box]]) -> bool:
    """Whether something between two places hides all of a box."""
    left, bottom, right, top = box
    return any(
        lower < place < upper
        and cover[0] <= left + _SLACK
        and cover[1] <= bottom + _SLACK
        and cover[2] >= right - _SLACK
        and cover[3] >= top - _SLACK
        for place, cover in covers
    )


def _crossings(seen: list[_Seen], texts: list[_Seen], covers: list[tuple[int, Box]]) -> _Said:
    """Edges of empty frames that run across a word."""
    for one in seen:
        frame = one.shape
        if not isinstance(frame, Rectangle) or frame.get_fill_opacity() >= _SEEN or frame.get_stroke_width() <= 0:
            continue
        left, bottom, right, top = one.box
        if not np.allclose(frame.points[0], frame.points[-1]) or right - left < _SLACK or top - bottom < _SLACK:
            # Half drawn, or not yet: what is to be seen of it stands where it is going to be.
            continue
        edges = ((left, bottom, left, top), (right, bottom, right, top), (left, top, right, top),
                 (left, bottom, right, bottom))  # fmt: skip
        for text in texts:
            inner = (text.box[0] + _SLACK, text.box[1] + _SLACK, text.box[2] - _SLACK, text.box[3] - _SLACK)
            for edge in edges:
                x, y = max(edge[0], inner[0]), max(edge[1], inner[1])
                right_end, upper_end = min(edge[2], inner[2]), min(edge[3], inner[3])
                if x <= right_end and y <= upper_end and not _hidden(one.place, text.place, text.box, covers):
                    yield "crossing", f"a frame runs across {_named(text)}", text.box
                    break


def _dots(seen: list[_Seen]) -> _Said:
    """Strokes with round ends that are shorter than they are wide: dots that nobody has drawn."""
    for one in seen:
        shape = one.shape
        if not isinstance(shape, VMobject) or isinstance(shape, TextLine | Glyph | Hand):
            continue
        if shape.cap_style != CapStyleType.ROUND or shape.get_stroke_opacity() < _SEEN:
            continue
        if max(one.box[2] - one.box[0], one.box[3] - one.box[1]) < _STROKE * float(shape.get_stroke_width()):
            yield "dot", "a line is drawn as a dot", one.box
