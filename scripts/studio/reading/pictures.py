"""Pictures of numbers read from pixels: colours, opacities, widths, angles, heights and lengths as values.

Each mark has its reader; importing this module registers all of them.
"""

from dataclasses import replace

from scenes.formats import current_format
from scenes.kit.marks import DrawnMark
from scenes.kit.text import Box
from scripts.studio.reading import areas, curves, dials, digits, lengths
from scripts.studio.reading.frames import Picture
from scripts.studio.reading.glyphs import Reading
from scripts.studio.reading.limits import Measure
from scripts.studio.reading.readers import ALONE, DIGIT_READERS, READERS, Others

__all__ = ["areas", "curves", "dials", "digits", "lengths", "measure", "read_digits"]


def measure(mark: DrawnMark, box: Box, picture: Picture, others: Others = ALONE) -> Measure:
    """Read the picture of a number; `others` are all of its kind in the frame."""
    reader = READERS[type(mark)]
    if mark.opacity < reader.faintest:
        return Measure(doubt="see-through")
    (left, bottom, right, top), frame = box, current_format()
    if max(abs(left), abs(right)) > frame.width / 2 or max(abs(bottom), abs(top)) > frame.height / 2:
        return Measure(doubt="off the frame")
    found = reader.measure(mark, box, picture, others)
    if not found.doubt and found.notice > reader.coarsest * mark.scale:
        return replace(found, doubt="too small")
    return found


def read_digits(mark: DrawnMark, box: Box, picture: Picture) -> Reading:
    """Read digits."""
    return DIGIT_READERS[type(mark)](mark, box, picture)
