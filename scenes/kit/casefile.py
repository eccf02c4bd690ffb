"""The case file: the sentence on a table, one column a word, with rows of numbers below it."""

from collections.abc import Sequence

from manim import Animation, Mobject, UpdateFromAlphaFunc, VGroup, interpolate
from manim.constants import CapStyleType

from mathcore.named import Named
from scenes.kit.figures import Strand, Table, Thread, connector
from scenes.kit.grid import Grid
from scenes.kit.layout import Slot
from scenes.kit.paper import Slip, slip_height
from scenes.kit.text import SMALL, TextLine
from scenes.kit.tokens import TokenRow

Point = tuple[float, float, float]
# Room left of the columns for the names of rows, and the widest that a column may be.
GUTTER, WIDEST = 1.0, 2.7
_TABLE, _CARD, _HANG, _WEIGHTS, _GAP = 0.82, 0.58, 0.24, 0.38, 0.12
_TALL, _NAME = 0.75, 0.36


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
        self.slip_width = self.pitch - 0.06
        self.slip_height = slip_height(size, self.slip_width)
        self.on_floor = stage.bottom + _TABLE / 2
        self.low = self.on_floor + self.slip_height + _GAP + _WEIGHTS + _HANG
        # Where two rows of slips would leave no room above the table, the second takes the place of the first.
        self.roomy = self.slip_height < _TALL
        self.high = self.low + (self.slip_height + _GAP if self.roomy else _NAME)
        gap = max(0.1, self.pitch - 2.2)
        self.row = TokenRow(words, n * self.pitch - gap, height=_CARD, gap=gap)
        self.table = Table(n * self.pitch + 0.06, _TABLE)
        self.add(self.table, self.row)
        self.move_to((self.middle, self.on_floor, 0))

    @property
    def back_edge(self) -> float:
        """The height of the table's far edge."""
        return float(self.table.get_top()[1])

    def _ends(self, i: int, height: float) -> list[tuple[Point, Point]]:
        """From the hand above column i to the upper edge of each card; side by side, so that nothing crosses there."""
        n, top = len(self.xs), float(self.row.get_top()[1])
        return [((self.xs[i] + 0.5 * (j + 0.5 - n / 2) / n, height, 0.0), (x, top, 0.0)) for j, x in enumerate(self.xs)]

    def strands(self, i: int, height: float, color: str) -> VGroup:
        """Thin threads from `height` above column i to every card."""
        return VGroup(*(Strand(start, end, color, opacity=0.5) for start, end in self._ends(i, height)))

    def threads(self, i: int, height: float, color: str, weights: Named) -> list[Thread]:
        """The same threads, each as wide as its weight."""
        ends = self._ends(i, height)
        return [Thread(start, end, weights.entry(j), color) for j, (start, end) in enumerate(ends)]

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

    def weights(self, named: Named, hue: str) -> Grid:
        """Row 0: a cell under each card."""
        grid = Grid(named, 2, size=SMALL, cell=(self.pitch, _WEIGHTS), fill="weight", hue=hue)
        return grid.move_to((self.middle, self.row_y(0), 0))

    def slips(self, named: Named, color: str, k: int, *, tag: bool = False, limit: float | None = None) -> list[Slip]:
        """A slip under each card, in row k; in row 0 they hang right below the table."""
        y = self.row_y(k) if k else float(self.table.get_bottom()[1]) - _HANG - self.slip_height / 2
        slips = [Slip(named.row(j), self.slip_width, color, tag=tag, limit=limit) for j in range(len(self.xs))]
        for slip, x in zip(slips, self.xs, strict=True):
            slip.shift((x, y, 0))
        return slips

    def row_name(self, text: TextLine, k: int) -> TextLine:
        """Put `text` before row k, in the gutter."""
        return text.move_to((self.left - 0.13 - text.width / 2, self.row_y(k), 0))


def sent(slip: Slip, thread: Thread) -> Animation:
    """A slip (a copy of one that hangs there) runs up its card and its thread, shrunk to its weight."""
    whole, start, share = slip.copy(), slip.get_center(), max(0.12, thread.entry.value)

    def move(moving: Mobject, alpha: float) -> None:
        up = min(1.0, alpha / 0.3)
        place = interpolate(start, thread.get_end(), up)
        if alpha > 0.3:
            place = thread.point_from_proportion(1 - (alpha - 0.3) / 0.7)
        moving.become(whole.copy().scale(1 + (share - 1) * up).move_to(place))

    return UpdateFromAlphaFunc(slip, move)
