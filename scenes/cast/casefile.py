"""The case file: the sentence on a table, one column a word, with rows of numbers below it."""

from collections.abc import Sequence

from manim import DOWN, LEFT, RIGHT, UP, Group, Line, VGroup
from manim.constants import CapStyleType

from mathcore.named import NamedArray
from scenes.cast.paper import Slip, slip_height
from scenes.kit.figures import Strand, Table, Thread, connector
from scenes.kit.grid import Grid
from scenes.kit.heatmap import HeatMap
from scenes.kit.layout import Slot
from scenes.kit.text import BODY, SMALL, SMALLEST, Number, TextLine
from scenes.kit.theme import current_theme
from scenes.kit.tokens import TokenRow

Point = tuple[float, float, float]
# Room left of the columns for the names of rows, and the widest that a column may be.
GUTTER, WIDEST = 1.15, 2.7
_TABLE, _CARD, _HANG, _WEIGHTS, _GAP = 0.82, 0.58, 0.24, 0.38, 0.12
_TALL, _NAME = 0.75, 0.36
# Between columns; and how much lower than a slip a tag hangs, whose string takes room.
_APART, _STRING = 0.1, 0.11
# Over how much of the coat of the one who asks the threads start: far enough apart to be told apart.
HEM, _BEND = 1.05, 0.25


class CaseFile(VGroup):
    """A table in `stage` with a card for each word; `size` is the length of the vectors that hang below.

    Rows below the table: 0 holds one number a word, 1 and 2 hold slips. The table's middle stands at
    `on_floor` (nothing below), `low` (rows 0 and 1 fit below) or `high` (rows 0 to 2 do; if not `roomy`,
    because vectors are long, rows 0 and 1 and a line of text).
    """

    def __init__(self, words: Sequence[str], stage: Slot, size: int) -> None:
        super().__init__()
        n = len(words)
        self.pitch = min((stage.width - GUTTER) / n, WIDEST)
        self.left = (GUTTER - n * self.pitch) / 2
        self.middle = self.left + n * self.pitch / 2
        self.xs = [self.left + self.pitch * (j + 0.5) for j in range(n)]
        self.slip_width = self.pitch - _APART
        self.slip_height = slip_height(size, self.slip_width)
        self.on_floor = stage.bottom + _TABLE / 2
        self.low = self.on_floor + self.slip_height + _STRING + _GAP + _WEIGHTS + _HANG
        # Where two rows of slips would leave no room above the table, the second takes the place of the first.
        self.roomy = self.slip_height < _TALL
        self.high = self.low + (self.slip_height + _GAP if self.roomy else _NAME)
        gap = max(_APART, self.pitch - 2.2)
        self.row = TokenRow(words, n * self.pitch - gap, height=_CARD, gap=gap)
        self.table = Table(n * self.pitch + 0.06, _TABLE)
        self.add(self.table, self.row)
        self.move_to((self.middle, self.on_floor, 0))

    @property
    def back_edge(self) -> float:
        """The height of the table's far edge."""
        return float(self.table.get_top()[1])

    def _ends(self, i: int, height: float, hem: float) -> list[tuple[Point, Point]]:
        """From the coat above column i to the upper edge of each card; side by side, so that nothing crosses there."""
        n, top = len(self.xs), float(self.row.get_top()[1])
        return [((self.xs[i] + hem * (j + 0.5 - n / 2) / n, height, 0.0), (x, top, 0.0)) for j, x in enumerate(self.xs)]

    def strands(self, i: int, height: float, color: str, hem: float = HEM) -> VGroup:
        """Thin threads from `height` above column i to every card."""
        return VGroup(*(Strand(*ends, color, opacity=0.6, bend=_BEND) for ends in self._ends(i, height, hem)))

    def threads(self, i: int, height: float, color: str, weights: NamedArray) -> list[Thread]:
        """The same threads, each as wide as its weight."""
        ends = self._ends(i, height, HEM)
        threads = [Thread(*ends[j], entry, color, full=20, bend=_BEND) for j, entry in enumerate(weights.entries())]
        for thread in threads:
            # Thin ones beside a thick one must still be seen.
            thread.set_stroke(opacity=max(0.7, thread.get_stroke_opacity()))
        return threads

    def drops(self, threads: Sequence[Thread], color: str) -> VGroup:
        """The threads' last pieces, from under the cards down to row 0: which number is which thread."""
        top, bottom = float(self.row.get_bottom()[1]), self.row_y(0) + _WEIGHTS / 2
        drops = VGroup()
        for x, thread in zip(self.xs, threads, strict=True):
            drop = connector((x, top, 0), (x, bottom, 0), color, thread.get_stroke_width())
            drop.set_stroke(opacity=thread.get_stroke_opacity()).set_cap_style(CapStyleType.BUTT)
            drops.add(drop)
        return drops

    def row_y(self, k: int) -> float:
        """The middle of row k below the table, where the table stands now."""
        below = float(self.table.get_bottom()[1]) - _HANG
        if k == 0:
            return below - _WEIGHTS / 2
        return below - _WEIGHTS - _GAP - self.slip_height / 2 - (k - 1) * (self.slip_height + _GAP)

    def weights(self, named: NamedArray, hue: str) -> Grid:
        """Row 0: a cell under each card."""
        cell = (self.pitch, _WEIGHTS + _APART)
        grid = Grid(named, 2, size=SMALL, cell=cell, fill="weight", hue=hue, gap=_APART)
        return grid.move_to((self.middle, self.row_y(0), 0))

    def slips(self, named: NamedArray, color: str, k: int) -> list[Slip]:
        """A slip under each card, in row k."""
        return self._hung([Slip(named.row(j), self.slip_width, color) for j in range(len(named))], self.row_y(k))

    def tags(self, named: NamedArray, color: str) -> list[Slip]:
        """A tag under each card, right below the table."""
        y = float(self.table.get_bottom()[1]) - _HANG - self.slip_height / 2
        return self._hung([Slip(named.row(j), self.slip_width, color, tag=True) for j in range(len(named))], y)

    def tag_drop(self, tag: Slip) -> float:
        """How far a tag that hangs below the table goes down to hang below row 0."""
        return float(tag.paper.get_center()[1]) - self.row_y(1) + _STRING

    def _hung(self, slips: list[Slip], y: float) -> list[Slip]:
        for slip, x in zip(slips, self.xs, strict=True):
            slip.shift((x, y, 0))
        return slips

    def row_name(self, text: TextLine, k: int) -> TextLine:
        """Put `text` before row k, in the gutter."""
        return text.move_to((self.left - 0.13 - text.width / 2, self.row_y(k), 0))


def vector_grid(named: NamedArray, hue: str) -> Grid:
    """A vector as one row of cells, as large as its length allows."""
    sizes = ((2, BODY, (0.86, 0.44)), (4, SMALL, (0.7, 0.42)), (len(named), SMALLEST, (0.54, 0.27)))
    _, size, cell = next(fitting for fitting in sizes if len(named) <= fitting[0])
    return Grid(named, 2, size=size, cell=cell, hue=hue)


class Counted(VGroup):
    """Rows of numbers below one another, each with its name before it; `steps` (name, number) beside, or below."""

    def __init__(
        self, rows: Sequence[Grid], names: Sequence[TextLine], steps: Sequence[tuple[TextLine, Number]]
    ) -> None:
        super().__init__()
        VGroup(*rows).arrange(DOWN, buff=0.06)
        for name, row in zip(names, rows, strict=True):
            name.next_to(row, LEFT, buff=0.2)
        self.rows, self.names = rows, VGroup(*names)
        self.steps = VGroup(*(VGroup(*step).arrange(RIGHT, buff=0.12) for step in steps))
        widest = max(name.width for name, _ in steps)
        for row, step in zip(rows, self.steps, strict=True):
            step.next_to(row, RIGHT, buff=0.45 + widest - step[0].width)
        if rows[0].n_columns > 4:
            self.steps.arrange(RIGHT, buff=0.35).next_to(VGroup(*rows, *names), DOWN, buff=0.14)
        self.add(*rows, self.names, self.steps)


class Overview(Group):
    """The whole attention matrix in `slot`; row `i` has `word` before it, the axes have names, and below is `says`."""

    def __init__(
        self, named: NamedArray, slot: Slot, hue: str, i: int, *, axes: tuple[TextLine, TextLine], word: TextLine,
        says: TextLine,
    ) -> None:  # fmt: skip
        super().__init__()
        down, across = axes
        says.move_to((slot.centre[0], slot.bottom + says.height / 2, 0))
        width = slot.width - max(down.width, word.width) - 0.2
        height = slot.height - says.height - across.height - 0.14
        self.heat = HeatMap(named, width, height, hue=hue)
        self.heat.move_to((slot.right - width / 2, slot.top - across.height - 0.06 - height / 2, 0))
        self.row_box = self.heat.row_box(i)
        across.next_to(self.heat, UP, buff=0.06)
        down.next_to(self.heat, LEFT, buff=0.12).match_y(across)
        word.next_to(self.row_box, LEFT, buff=0.12)
        self.add(self.heat, self._rules(), across, down, word, says)

    def _rules(self) -> VGroup:
        """Lines between cells, so that pale cells count as cells."""
        box, (rows, columns) = self.heat.border, self.heat.named.shape
        color = current_theme().background
        (left, low, _), (right, high, _) = box.get_corner(DOWN + LEFT), box.get_corner(UP + RIGHT)
        level = [low + (high - low) * i / rows for i in range(1, rows)]
        upright = [left + (right - left) * j / columns for j in range(1, columns)]
        ends = [((left, y, 0), (right, y, 0)) for y in level] + [((x, low, 0), (x, high, 0)) for x in upright]
        return VGroup(*(Line(*pair, stroke_color=color, stroke_width=2) for pair in ends))
