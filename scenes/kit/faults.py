"""What is wrong with a picture: text off the safe frame, over other text, too small, or in the caption band."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from scenes.formats import SAFE, current_format
from scenes.kit.lesson import Lesson
from scenes.kit.text import SMALLEST, Box, TextLine

# Glyph edges are placed to about a hundredth of a unit; 0.03 units are 4 pixels of a 1080-line frame.
_SLACK = 0.03


@dataclass(frozen=True)
class Fault:
    """Something wrong with a picture: its kind, a line that says what, and where in the frame."""

    kind: str
    said: str
    box: Box

    def __str__(self) -> str:
        return self.said


def _overlaps(boxes: Sequence[Box]) -> Iterator[tuple[int, int, float, float]]:
    """Which two boxes overlap by more than the slack, and by how much in width and height."""
    left, bottom, right, top = np.array(boxes).reshape(-1, 4).T
    width = np.minimum(right[:, None], right) - np.maximum(left[:, None], left)
    height = np.minimum(top[:, None], top) - np.maximum(bottom[:, None], bottom)
    for i, j in np.argwhere(np.triu((width > _SLACK) & (height > _SLACK), 1)):
        yield int(i), int(j), float(width[i, j]), float(height[i, j])


def lines_of(lesson: Lesson) -> list[TextLine]:
    """Every line of text that can be seen at this moment."""
    return [m for m in lesson.visible() if isinstance(m, TextLine) and len(m.points) > 8]


def faults_of(lesson: Lesson) -> Iterator[Fault]:
    """The faults of the picture that `lesson` shows at this moment."""
    where = f"{lesson.name}/{lesson.beat} ({lesson.language})"
    lines = lines_of(lesson)
    frame = current_format()
    right, top = frame.width / 2 - SAFE + _SLACK, frame.height / 2 - SAFE + _SLACK
    boxes = [line.ink_box for line in lines]
    for line, box in zip(lines, boxes, strict=True):
        left, bottom, line_right, line_top = box
        named = f'{where}: "{line.text}"'
        if left < -right or line_right > right or line_top > top:
            yield Fault("safe frame", f"{named} leaves the safe frame: {', '.join(f'{v:.2f}' for v in box)}", box)
        if bottom < frame.caption.top - _SLACK:
            yield Fault("caption band", f"{named} is in the caption band: bottom {bottom:.2f}", box)
        if line.drawn_size < SMALLEST * 0.99:
            yield Fault("text size", f"{named} is {line.drawn_size:.1f} px, below {SMALLEST}", box)
    for i, j, width, height in _overlaps(boxes):
        said = f'{where}: "{lines[i].text}" and "{lines[j].text}" overlap by {width:.2f} x {height:.2f}'
        yield Fault("text over text", said, boxes[i])
