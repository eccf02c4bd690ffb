"""A room at night: one desk lamp, a table, a window on the town; who works there, and who looks on from half-light.

It is night on any page: what stands in the room is drawn within `night()`, what is on paper within `daylight()`.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from manim import FadeOut, Group

from scenes.cast.figure import Figure
from scenes.cast.scenery import (
    COLD,
    DEEP,
    WALL,
    WALL_GLOW,
    WOOD,
    WOOD_EDGE,
    WOOD_LIT,
    cone,
    desk_lamp,
    shelf,
    window,
)
from scenes.formats import SAFE, Slot, current_format
from scenes.kit.layout.stage import Stage, is_upright
from scenes.kit.picture import Picture, full_width
from scenes.kit.sheet import Light, Point, Sheet, box
from scenes.kit.theme import DARK, LIGHT, use_theme

# The room reaches so far beyond the stage, up and down: as far as titles and captions leave it.
_BEYOND = 0.08
# The table's front, which is seen below its top.
_FRONT = 0.2


def night() -> AbstractContextManager[object]:
    """Draw in the dark theme within the block, whatever the page's theme is."""
    return use_theme(DARK.name)


def daylight() -> AbstractContextManager[object]:
    """Draw in the light theme within the block: what is written on paper."""
    return use_theme(LIGHT.name)


class Room:
    """A room from edge to edge of the frame, whose table is `depth` units deep: as a row of cards, or two on a phone.

    Add its parts from back to front: `back` (wall and window), whoever stands behind the table, `front` (table and
    lamp), and what lies on the table. `dark` hides the light of the lamp until it is switched on. The rest are places:
    `table` for what lies there, `at_desk` for who works at it, `side` for who looks on, `leaf` for a sheet of paper,
    `bubble` for what is said; `spool` is where the hand is that threads lead from.
    """

    def __init__(self, depth: float | None = None) -> None:
        depth = depth or (2.75 if is_upright() else 1.5)
        stage = current_format().stage
        self.slot = full_width(stage.bottom - _BEYOND, stage.top + _BEYOND)
        self.near = self.slot.bottom + _FRONT
        self.far = self.near + depth
        left, right = self.slot.left, self.slot.right
        tall = is_upright()
        self._base: Point = (left + (0.75 if tall else 1.0), self.far - 0.28)
        self._elbow: Point = (left + (0.42 if tall else 0.62), self.far + 1.5)
        self._head: Point = (left + (1.0 if tall else 1.66), self.far + 2.62)
        self._aim: Point = (left + (3.2 if tall else 4.4), self.near)
        self.at_desk: Point = (left + (2.45 if tall else 4.1), self.far - (0.85 if tall else 0.95))
        self.unit = 1.02 if tall else 1.14
        edge = left + (4.1 if tall else 6.75)
        self.spool: Point = (self.at_desk[0] + (1.28 if tall else 1.42), self.far + (0.5 if tall else 0.46))
        self.side = Stage(edge, self.far + 0.68, right - SAFE, stage.top - 0.08)
        self.table = Stage(left + SAFE, self.near + 0.06, right - SAFE, self.far - 0.06)
        # On a phone there is no room beside a sheet of paper.
        more, less = (0.4, 0.0) if tall else (0.0, 2.3)
        self.leaf = Stage(edge - more, self.side.bottom, self.side.right - less, self.side.top)
        beside = self.at_desk[0] + (0.95 if tall else 1.5)
        self.bubble = Stage(beside, stage.top - 0.85, right - SAFE - 0.3, stage.top - 0.2)
        key = self.slot, depth
        self.back = Picture(self.slot, ("room", "back", *key), self._wall, solid=True)
        self.front = Picture(self.slot, ("room", "front", *key), self._desk)
        self.dark = Picture(self.slot, ("room", "dark", *key), self._darkness)

    # Who is there

    def light_at(self, x: float, level: float = 1.0, *, aside: bool = False) -> Light:
        """The lamp's light on somebody who stands at `x`; those `aside` have the moon behind them."""
        way = (self._head[0] - x, 0.35 * abs(self._head[0] - x) if not aside else 0.8)
        return Light(way, level, 0.06, 0.8, "#1B1630" if aside else DEEP, COLD if aside else "")

    def worker(self, head: int, **pose: Any) -> Figure:
        """The detective who works at the table, in the light."""
        x, y = self.at_desk
        return Figure(head, light=self.light_at(x), **pose).stand(x, y, self.unit)

    def onlookers(self, heads: Sequence[int | None], **pose: Any) -> list[Figure]:
        """Others behind the table, in half-light, who look at it; None is the captain. In landscape the last one has
        a place apart, at the end of the table, which `leaf` leaves free."""
        tall, apart = is_upright(), self.leaf.right < self.side.right
        left, right = self.side.left + 0.2, self.leaf.right if apart else self.side.right + 0.1
        step = (right - left) / max(len(heads) - (1 if apart else 0), 1)
        unit = min(self.unit * (0.62 if tall else 0.92), max(step, 0.8) / (1.0 if tall else 1.3))
        found = []
        for k, head in enumerate(heads):
            x = left + (k + 0.5) * step
            if apart and k == len(heads) - 1:
                x = (self.leaf.right + self.side.right + 0.3) / 2
            light = self.light_at(x, 0.68 - 0.14 * k / max(len(heads) - 1, 1), aside=True)
            figure = Figure(head, light=light, **pose)
            # Short people stand nearer.
            lift = 0.16 * (3.3 - figure.slot.top)
            figure.stand(x, self.far + (lift - 1.05) * unit, unit)
            found.append(figure.be(look=(self.at_desk[0] + 1.0, self.near, 0.0)))
        return found

    def covered(self, onlookers: Sequence[Figure]) -> list[Figure]:
        """Those who make room for a sheet of paper."""
        return [each for each in onlookers if self.leaf.left < each.feet[0] < self.leaf.right]

    def switch_on(self) -> FadeOut:
        """The lamp is switched on."""
        return FadeOut(self.dark)

    @property
    def parts(self) -> Group:
        """What stands there before anybody comes, from back to front."""
        return Group(self.back, self.front)

    # How it looks

    def _wall(self, sheet: Sheet) -> None:
        slot, (x, y) = self.slot, self._head
        whole = box(slot.left, slot.bottom, slot.right, slot.top)
        sheet.fill(whole, WALL)
        sheet.glow(x + 0.4, y - 0.6, 8.8, 6.4, WALL_GLOW, 0.85, 1.5)
        tall = is_upright()
        shelf(
            sheet, slot.left + (2.0 if tall else 2.7), slot.top - (0.95 if tall else 1.15), 1.7 if tall else 2.5, 0.45
        )
        width, height = (2.5, 1.6) if tall else (3.1, 1.9)
        window(sheet, slot.right - width / 2 - (0.5 if tall else 1.35), slot.top - height / 2 - 0.55, width, height)
        dim = Slot(slot.left, slot.bottom, slot.right, slot.top)
        sheet.graded(
            whole, (0, DEEP, 0.0), (0.45, DEEP, 0.0), (1, DEEP, 0.42), start=(dim.left, 0), stop=(dim.right, 0)
        )
        sheet.graded(whole, (0, DEEP, 0.5), (0.4, DEEP, 0.0), start=(0, dim.top), stop=(0, dim.bottom))

    def _desk(self, sheet: Sheet) -> None:
        slot, near, far = self.slot, self.near, self.far
        middle, depth = self._aim[0] - 0.6, far - near
        top = box(slot.left, near, slot.right, far)
        sheet.fill(top, WOOD)
        for k in (1, 2, 3):
            y = far - depth * (k / 4) ** 1.25
            sheet.fill(box(slot.left, y, slot.right, y + 0.018), "#2E1D1D")
        with sheet.within(top):
            sheet.glow(middle, (near + far) / 2, 5.6, depth * 0.72, WOOD_LIT, 0.85, 1.3)
        sheet.fill(box(slot.left, far - 0.03, slot.right, far + 0.01), "#8A5A40", 0.55)
        front = box(slot.left, slot.bottom, slot.right, near)
        sheet.graded(
            front, (0, WOOD_EDGE, 1), (0.55, WOOD_EDGE, 1), (1, "#1A1119", 1), start=(0, near), stop=(0, slot.bottom)
        )
        with sheet.within(front):
            sheet.glow(middle, near - 0.05, 5.0, 0.16, "#F0B478", 0.45, 1.0)
        # The light falls behind the lamp's own shade.
        ends = (slot.left + 0.2, near), (self._aim[0] + 2.6, near)
        way = self._aim[0] - self._head[0], self._aim[1] - self._head[1]
        length = (way[0] ** 2 + way[1] ** 2) ** 0.5
        mouth = self._head[0] + way[0] / length * 0.27, self._head[1] + way[1] / length * 0.27
        cone(sheet, mouth, self._aim, ends)
        desk_lamp(sheet, self._base, self._elbow, self._head, self._aim)

    def _darkness(self, sheet: Sheet) -> None:
        slot = self.slot
        whole = box(slot.left, slot.bottom, slot.right, slot.top)
        sheet.graded(whole, (0, "#0A0A18", 0.8), (1, "#101A38", 0.55), start=(slot.left, 0), stop=(slot.right, 0))
