"""What is wrong with a picture: text off the safe frame, over other text, too small, or in the caption band."""

from collections.abc import Iterator
from itertools import combinations

from scenes.kit.layout import CAPTION_SLOT, FRAME_HEIGHT, FRAME_WIDTH, SAFE
from scenes.kit.lesson import Lesson
from scenes.kit.text import SMALLEST, TextLine

Box = tuple[float, float, float, float]
# Glyph edges are placed to about a hundredth of a unit; 0.03 units are 4 pixels of a 1080-line frame.
_SLACK = 0.03


def _overlap(one: Box, other: Box) -> tuple[float, float]:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width, height


def findings(lesson: Lesson) -> Iterator[str]:
    """One line for each fault of the picture that `lesson` shows at this moment."""
    where = f"{lesson.name}/{lesson.beat} ({lesson.language})"
    lines = [m for m in lesson.visible() if isinstance(m, TextLine) and len(m.points) > 8]
    right, top = FRAME_WIDTH / 2 - SAFE + _SLACK, FRAME_HEIGHT / 2 - SAFE + _SLACK
    for line in lines:
        left, bottom, line_right, line_top = line.ink_box
        if left < -right or line_right > right or line_top > top:
            named = ", ".join(f"{v:.2f}" for v in line.ink_box)
            yield f'{where}: "{line.text}" leaves the safe frame: {named}'
        if bottom < CAPTION_SLOT.top - _SLACK:
            yield f'{where}: "{line.text}" is in the caption band: bottom {bottom:.2f}'
        if line.drawn_size < SMALLEST * 0.99:
            yield f'{where}: "{line.text}" is {line.drawn_size:.1f} px, below {SMALLEST}'
    for one, other in combinations(lines, 2):
        width, height = _overlap(one.ink_box, other.ink_box)
        if width > _SLACK and height > _SLACK:
            yield f'{where}: "{one.text}" and "{other.text}" overlap by {width:.2f} x {height:.2f}'
