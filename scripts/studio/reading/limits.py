"""What pixels can resolve: how exactly colours and places are read, and from which difference on a value is wrong.

Limits are in pixels and levels of 255. A reader turns them into its own unit by the size of what it reads and by the
contrast in which it is drawn, so they grow where pictures are smaller or paler.
"""

from dataclasses import dataclass

import numpy as np
from manim.utils.color import ManimColor
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# What coding adds to a flat colour (docs/verify.md): to luma, and to the chroma of samples that lie wholly inside it.
LUMA, CHROMA = 3.0, 6.0
# The same in a single number, as the distance of two colours.
COLOUR = 4.4
# A place is read to this part of a pixel where ink and page are far apart; a thin line's width too.
PLACE, WIDTH = 1.0, 0.8
# Colours nearer than this cannot be told apart along an edge, whose chroma is shared by four pixels.
FAINT = 30.0
# Pixels whose colour is this far off the way from page to ink belong to something else.
FOREIGN = 45.0


@dataclass(frozen=True)
class Measure:
    """The value that a picture shows, and the difference that would be noticed; or why none was read.

    `others` are values that the same pixels may show as well.
    """

    value: float = 0.0
    notice: float = 0.0
    doubt: str = ""
    others: tuple[float, ...] = ()


def place(contrast: float) -> float:
    """Pixels by which an edge may lie elsewhere than it seems: coding moves it the more, the paler it is."""
    return PLACE + 2 * COLOUR / max(contrast, 1.0)


def rgb(colour: str) -> Floats:
    return np.array(ManimColor(colour).to_int_rgb(), dtype=np.float64)


def shares(colours: Floats, page: Floats, ink: Floats) -> Floats:
    """How far each colour (..., 3) is on the way from page to ink; not a number where it is off that way."""
    way = ink - page
    share = (colours - page) @ way / max(float(way @ way), 1.0)
    off = np.linalg.norm(colours - page - share[..., None] * way, axis=-1)
    found: Floats = np.where(off > FOREIGN, np.nan, share)
    return found


def runs(filled: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The first place and the one after the last of every run."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], filled, [False]]).astype(int)))
    return [(int(start), int(stop)) for start, stop in edges.reshape(-1, 2)]
