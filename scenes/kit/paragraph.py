"""A text in several rows that is laid out as one thing."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import VGroup

from scenes.formats import UNIT_PX
from scenes.kit.captions import display_width, rows_of
from scenes.kit.layout.arrangements import Reach, between
from scenes.kit.text import SMALLEST, Provenance, TextLine

# From one row to the next, in the text's size; and the columns that a row has room for at least.
_STEP, _SHORT = 1.2, 14


class Paragraph(VGroup):
    """A text of `size` in rows, centred or with their left edges in line; between that size and the smallest one.

    `provenance` name characters of the whole `text`: that of the rows with a space between them, unless it is given.
    """

    def __init__(
        self, rows: Sequence[str], size: float, color: str | None = None, *, bold: bool = False, edge: str = "middle",
        provenance: Sequence[Provenance] = (), text: str = "",
    ) -> None:  # fmt: skip
        super().__init__()
        self.size, self._edge = float(size), edge
        start = 0
        text = text or " ".join(rows)
        for row in rows:
            start = text.index(row, start)
            own = [t for t in provenance if t.span and start <= t.span[0] and t.span[1] <= start + len(row)]
            moved = tuple(Provenance(t.kind, t.entry, t.text, _moved(t.span, -start)) for t in own)
            self.add(TextLine(row, size, color, bold=bold, provenance=moved))
            start += len(row)
        self.settle(1.0)

    @property
    def anchor(self) -> Any:
        return self.get_center()

    def _size(self, ease: float) -> float:
        return between((min(self.size, float(SMALLEST)), self.size), ease)

    def reach(self, ease: float) -> Reach:
        size = self._size(ease)
        width = max(float(line.width) * size / line.drawn_size for line in self._lines)
        height = (len(self) - 1) * _STEP * size / UNIT_PX + self._lines[0].height * size / self._lines[0].drawn_size
        return Reach(width / 2, width / 2, height / 2, height / 2)

    def settle(self, ease: float) -> "Paragraph":
        centre, size = self.get_center(), self._size(ease)
        for k, line in enumerate(self._lines):
            line.scale(size / line.drawn_size).move_to((0, -k * _STEP * size / UNIT_PX, 0))
            if self._edge == "left":
                line.shift(np.array([-line.get_left()[0], 0, 0]))
        self.move_to(centre)
        return self

    @property
    def _lines(self) -> list[TextLine]:
        return [line for line in self.submobjects if isinstance(line, TextLine)]


def _moved(span: tuple[int, int] | None, by: int) -> tuple[int, int] | None:
    return span and (span[0] + by, span[1] + by)


def in_rows(text: str, count: int) -> tuple[str, ...]:
    """A text in at most so many rows, as even as they can be, broken at sense."""
    least = max(_SHORT, -(-display_width(text) // count))
    for columns in range(least, max(least, display_width(text)) + 1):
        rows = rows_of(text, columns)
        if len(rows) <= count and max(map(display_width, rows)) <= columns:
            return rows
    return (text,)
