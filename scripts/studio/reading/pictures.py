"""Pictures of numbers read from pixels: colours, opacities, widths, angles, heights and lengths as values.

Every reader gets what the picture is to be read by (a scale, a centre, a colour; see `told` of the kit's shapes) and
never the value. It answers with the value that the pixels show, and how exact that is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from scenes.formats import current_format
from scenes.kit.ledger import Row
from scripts.studio.reading.areas import beam, cell
from scripts.studio.reading.curves import dot, thread, wave
from scripts.studio.reading.dials import hand, outline, sector, winding
from scripts.studio.reading.frames import Picture
from scripts.studio.reading.ledgers import UnusableError
from scripts.studio.reading.lengths import bar, part
from scripts.studio.reading.limits import Measure

Others = Sequence[tuple[Row, float]]
Reader = Callable[[Row, Picture, Others], Measure]
# Below this opacity, what lies behind shows through; threads, and what a hand has swept, are a wash of their colour.
SOLID, SHADE = 0.97, 0.4
# What can be noticed only from this difference on has not been read: it is too small. Of weights, of a cell's scale, of
# a wave's amplitude, of a bar's unit; hands are in degrees.
COARSEST: Mapping[str, float] = {"cell": 0.3, "beam": 0.25, "thread": 0.15, "wave": 0.3, "bar": 0.3, "hand": 15.0}


def _alone(reader: Callable[[Row, Picture], Measure]) -> Reader:
    """A reader that needs not know what else there is."""
    return lambda row, picture, others: reader(row, picture)


_READERS: dict[str, Reader] = {
    "cell": cell,
    "beam": beam,
    "thread": thread,
    "hand hand": _alone(hand),
    "hand outline": _alone(outline),
    "hand sector": _alone(sector),
    "hand winding": _alone(winding),
    "wave": wave,
    "wave dot": dot,
    "bar": _alone(bar),
    "bar part": _alone(part),
}


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


def mark(row: Row) -> str:
    """The kind of mark that a row's picture is: "cell", "hand winding", "wave dot"."""
    shape = row.drawn.get("shape", "")
    kind = f"{row.kind} {shape}" if shape else row.kind
    return kind + (" dot" if row.drawn.get("dot") else " part" if row.drawn.get("part") else "")


def measure(row: Row, picture: Picture, others: Others = ()) -> Measure:
    """Read a row's picture; `others` are all of its kind in the frame from back to front, with their values."""
    if row.box is None or not row.drawn:
        return Measure(doubt="not told how it is drawn")
    try:
        washed = row.kind == "thread" or row.drawn.get("shape") in ("sector", "winding")
        if row.drawn["opacity"] < (SHADE if washed else SOLID):
            return Measure(doubt="see-through")
        (left, bottom, right, top), frame = row.box, current_format()
        if max(abs(left), abs(right)) > frame.width / 2 or max(abs(bottom), abs(top)) > frame.height / 2:
            return Measure(doubt="off the frame")
        found = _READERS[mark(row)](row, picture, others)
    except KeyError as missing:
        raise UnusableError(
            f"{row.lesson}.ledger.json: not a ledger of this version (no {missing} of a {row.kind}); render it again"
        ) from None
    if not found.doubt and found.notice > COARSEST[row.kind] * _scale_of(row):
        return replace(found, doubt="too small")
    return found


def _scale_of(row: Row) -> float:
    """How much a whole scale is, in the unit of a row's values."""
    ramp = row.drawn.get("ramp")
    return abs(float(ramp["stop"]) - float(ramp["start"])) if ramp else 1.0
