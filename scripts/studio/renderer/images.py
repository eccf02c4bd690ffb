"""Images laid over a frame in their own boxes: the pixels of manim's camera, which composes a whole frame for each."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float64]
Placed = tuple[Image.Image, int, int]
"""An image as it is seen, and the column and row of its upper left corner."""
# An image that is seen from its edge, fewer pixels high than this, is not drawn.
_FLAT = 0.5


def transformed(pixels: Pixels, corners: Floats, resampling: int) -> Placed | None:
    """Pixels (rows, columns, 4) drawn between `corners` (4, 2), in pixels of the frame: the upper left one, the upper
    right, the lower left, the lower right. None where nothing of them can be seen."""
    whole = corners.astype(np.int64)
    left, top = (int(value) for value in whole.min(axis=0))
    columns, rows = (int(value) for value in (whole - [left, top]).max(axis=0))
    placed = corners - [left, top]
    if _height(placed) < _FLAT:
        return None
    height, width = pixels.shape[:2]
    coefficients = _perspective(placed, np.array([[0, 0], [width, 0], [0, height], [width, height]]))
    if coefficients is None:
        return None
    image = Image.fromarray(pixels)
    drawn = image.transform(
        (columns, rows), Image.Transform.PERSPECTIVE, coefficients.tolist(), resample=Image.Resampling(resampling)
    )
    return drawn, left, top


def lay_over(frame: Pixels, image: Image.Image, left: int, top: int) -> None:
    """Lay an image over a frame (rows, columns, 4), as far as it is within it."""
    rows, columns = frame.shape[:2]
    low, high = max(0, left), min(columns, left + image.width)
    first, last = max(0, top), min(rows, top + image.height)
    if high <= low or last <= first:
        return
    part = image.crop((low - left, first - top, high - left, last - top))
    below = Image.fromarray(np.ascontiguousarray(frame[first:last, low:high]))
    frame[first:last, low:high] = np.asarray(Image.alpha_composite(below, part))


def _height(corners: Floats) -> float:
    """How high a quadrangle stands on its longest side."""
    around = corners[[0, 1, 3, 2]]
    sides = np.roll(around, -1, axis=0) - around
    lengths = np.linalg.norm(sides, axis=1)
    longest = int(lengths.argmax())
    if lengths[longest] == 0:
        return 0.0
    (x, y), (before_x, before_y) = sides[longest], sides[longest - 1]
    return float(abs(x * before_y - y * before_x) / lengths[longest])


def _perspective(seen: Floats, own: NDArray[np.int64]) -> Floats | None:
    """What takes points of the frame to those of the image (the eight numbers of a homography)."""
    equations = []
    for (x, y), (column, row) in zip(seen, own, strict=True):
        equations.append([x, y, 1, 0, 0, 0, -column * x, -column * y])
        equations.append([0, 0, 0, x, y, 1, -row * x, -row * y])
    try:
        found: Floats = np.linalg.solve(np.array(equations, dtype=np.float64), own.reshape(8).astype(np.float64))
    except np.linalg.LinAlgError:
        return None
    return found
