"""Marks that are drawn as another value than the ledger says: one of each kind a beat, in the real pictures."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from manim import Mobject, VMobject
from manim.mobject.types.image_mobject import ImageMobject

from scenes.cast.paper import SharePart
from scenes.cast.yard import CardLight
from scenes.kit.encoding import Bar, Crossing
from scenes.kit.figures import Beam, Hand, Swept, Thread
from scenes.kit.grid import PaintedCell
from scenes.kit.heatmap import HeatMap
from scenes.kit.in_place import meet
from scenes.kit.ledger import Row
from scenes.kit.lesson import Lesson
from scenes.kit.marks import (
    BarMark,
    BeamMark,
    CellMark,
    DrawnMark,
    HandMark,
    SectorMark,
    ThreadMark,
    WaveDotMark,
    WaveMark,
    WindingMark,
)
from scenes.kit.text import Box, Drawn, Number, TextLine, box_around, provenance_of
from scenes.kit.waveplot import Wave
from scripts.studio.reading import pictures  # noqa: F401 - registers the readers
from scripts.studio.reading.readers import READERS

Key = tuple[int, str, tuple[int, ...], Box]
"""Last frame, path, index and box of a row."""


def key_of(row: Row) -> Key:
    assert row.box is not None
    return row.until - 1, row.path, row.index, row.box


# Somewhat more than what must be noticed wherever a mark is read.
MORE = 1.2
# A sweep or winding of fewer degrees lies for a good part below its hand.
_SHORT = 40.0
_STYLE = ("points", "fill_rgbas", "stroke_rgbas", "stroke_width")


def coarsest(mark: type[DrawnMark]) -> float:
    """The difference that must be noticed wherever a mark is read."""
    return READERS[mark].coarsest


def _digit(mobject: Any, n: int) -> None:
    """The last digit becomes another one, in place."""
    text = mobject.text[:-1] + str((int(mobject.text[-1]) + 5) % 10)
    other = TextLine(text, mobject.drawn_size, bold=mobject.bold)
    left = mobject.box_of(n)[0]
    # The baseline is where it was: what both have in common is their first characters.
    shift = np.array([left - other.ink_box[0], mobject._line_box[1] - other._line_box[1], 0.0])
    mobject.set_points(other.points + shift)


def _cell(mobject: Any, n: int) -> None:
    ramp, value = mobject.ramp, mobject.provenance[n].entry.value
    mobject.set_fill(ramp.colour(_moved(value, ramp)))


def _map(mobject: Any, n: int) -> None:
    ramp, value = mobject._ramps[n], mobject.provenance[n].entry.value
    i, j = divmod(n, mobject.named.shape[1])
    mobject.image.pixel_array[i, j, :3] = _levels(ramp.colour(_moved(value, ramp)))


def _moved(value: float, ramp: Any) -> float:
    """Another value on a scale, on the side where there is room for it."""
    step = MORE * coarsest(CellMark) * (ramp.stop - ramp.start)
    return float(value + step if abs(value - ramp.start) < abs(ramp.stop - ramp.start) / 2 else value - step)


def _levels(colour: str) -> list[int]:
    return [int(colour[k : k + 2], 16) for k in (1, 3, 5)]


def _thread(mobject: Any, n: int) -> None:
    step = MORE * coarsest(ThreadMark) * mobject._full
    mobject.set_stroke(width=mobject.get_stroke_width() + (step if mobject.entry.value < 0.5 else -step))


def _beam(mobject: Any, n: int) -> None:
    full = mobject.mark_of(n).full
    value = mobject.entry.value
    step = MORE * coarsest(BeamMark)
    mobject.set_fill(opacity=full * (value - step if value > 0.5 else value + step))


def _hand(mobject: Any, n: int) -> None:
    centre = np.array([*mobject.mark_of(n).centre, 0.0])
    mobject.rotate(-np.radians(MORE * coarsest(HandMark)), about_point=centre)


def _swept(mobject: Any, n: int) -> None:
    """A sweep or a winding goes on for less than it should, or is turned on."""
    mark = mobject.mark_of(n)
    if isinstance(mark, WindingMark):
        mobject.pointwise_become_partial(mobject.copy(), 0, 0.7)
    else:
        mobject.rotate(-np.radians(MORE * coarsest(SectorMark) + 5), about_point=np.array([*mark.centre, 0.0]))


def _wave(mobject: Any, n: int) -> None:
    mobject.shift(
        (0, MORE * coarsest(WaveMark) * mobject.unit * (-1 if mobject.provenance[n].entry.value > 0 else 1), 0)
    )


def _dot(mobject: Any, n: int) -> None:
    down = mobject.provenance[n].entry.value > 0
    mobject.shift((0, MORE * coarsest(WaveDotMark) * mobject._unit * (-1 if down else 1), 0))


def _bar(mobject: Any, n: int) -> None:
    mark = mobject.mark_of(n)
    start, unit = np.array([*mark.start, 0.0]), np.array([*mark.unit, 0.0])
    value = mobject.provenance[n].entry.value
    other = value + MORE * coarsest(BarMark) * (1 if value < 0.5 else -1)
    # Beyond the mark at its end, which stays.
    mobject.set_points_as_corners([start, start + unit * (other if not mark.beyond else value + np.sign(value))])


def _part(mobject: Any, n: int) -> None:
    mobject.stretch_to_fit_width(0.5 * mobject.width)


SPOILERS: dict[type, tuple[str, Callable[[Any, int], None]]] = {
    Number: ("digit", _digit),
    PaintedCell: ("cell", _cell),
    HeatMap: ("cell", _map),
    Thread: ("thread", _thread),
    Beam: ("beam", _beam),
    CardLight: ("beam", _beam),
    Hand: ("hand", _hand),
    Swept: ("hand swept", _swept),
    Wave: ("wave", _wave),
    Crossing: ("wave dot", _dot),
    Bar: ("bar", _bar),
    SharePart: ("bar part", _part),
}


class Spoiler:
    """Spoils up to `most` marks of each kind in the picture of every beat, and keeps what it spoilt."""

    def __init__(self, most: int = 3) -> None:
        self.most = most
        self.spoilt: dict[Key, str] = {}

    def __call__(self, lesson: Lesson) -> Callable[[], None]:
        chosen = list(self._chosen(lesson))
        kept = [(part, _state(part)) for mobject, *_ in chosen for part in mobject.get_family()]
        for mobject, n, kind, spoil in chosen:
            entry = provenance_of(mobject)[n].entry
            box = mobject.box_of(n) if hasattr(mobject, "box_of") else box_around(mobject)
            self.spoilt[lesson.frame - 1, entry.path, entry.index, box] = kind
            spoil(mobject, n)

        def restore() -> None:
            for part, state in kept:
                for name, value in state.items():
                    setattr(part, name, value)

        return restore

    def _chosen(self, lesson: Lesson) -> Iterator[tuple[Mobject, int, str, Callable[[Any, int], None]]]:
        found: dict[str, list[tuple[Mobject, int, Callable[[Any, int], None]]]] = {}
        for mobject in lesson.visible():
            spoiler = SPOILERS.get(type(mobject))
            if spoiler is None:
                continue
            kind, spoil = spoiler
            ties = range(len(provenance_of(mobject)))
            # All values of a wave are moved with it; one is as good as any.
            for n in list(ties)[len(ties) // 2 : len(ties) // 2 + 1]:
                if kind == "hand swept" and provenance_of(mobject)[n].entry.value < _SHORT:
                    continue
                if not isinstance(mobject, Number) or mobject.text[-1:].isdigit():
                    found.setdefault(kind, []).append((mobject, n, spoil))
        for kind, all_of_it in found.items():
            # Spread over the picture.
            step, boxes = max(1, len(all_of_it) // self.most), list[Box]()
            for mobject, n, spoil in all_of_it[::step][: self.most]:
                box = mobject.box_of(n) if isinstance(mobject, Drawn) else box_around(mobject)
                # Of light, or threads, over each other only the sum is seen: which of two is wrong cannot be told.
                if kind in ("beam", "thread") and any(meet(box, other) for other in boxes):
                    continue
                boxes.append(box)
                yield mobject, n, kind, spoil


def _state(part: Mobject) -> dict[str, Any]:
    if isinstance(part, ImageMobject):
        return {"pixel_array": part.pixel_array.copy(), "points": part.points.copy()}
    if isinstance(part, VMobject):
        return {name: np.copy(getattr(part, name)) if name != "stroke_width" else part.stroke_width for name in _STYLE}
    return {}
