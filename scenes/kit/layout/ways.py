"""Free ways: lines between two things, and paths for what travels, that cross nothing that is in their way."""

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

import numpy as np
from manim import DOWN, RIGHT, UP, Mobject, Triangle, VGroup, VMobject
from manim.constants import LineJointType

from scenes.formats import SAFE, current_format
from scenes.kit.text import Box, box_around
from scenes.kit.theme import current_theme

Corner = tuple[float, float]
# The side of a square of the map on which ways are looked for, and what a bend costs, in units.
_STEP, _BEND = 0.1, 0.8
# A way stays so far from what is in its way; a line ends so far from what it leads to, and is straight before that.
_CLEAR, _END, _STRAIGHT = 0.12, 0.06, 0.25
_WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def free_way(
    start: Mobject, end: Mobject, around: Iterable[Mobject] = (), *, sides: tuple[str, str] = ("", ""),
    room: tuple[float, float] = (0.0, 0.0),
) -> list[Corner] | None:  # fmt: skip
    """Corners of the best way from the edge of one thing to the edge of another, or None where there is none.

    It keeps clear of the boxes of the things `around`, goes straight or bends by right angles, and is as short as it
    can be with few bends. `sides` ("left", "right", "top", "bottom") are where it leaves and arrives, if that is
    asked for. What goes that way may have `room`, its width and height.
    """
    ground = _Ground([box_around(thing) for thing in around], room)
    starts, ends = _doors(box_around(start), sides[0]), _doors(box_around(end), sides[1])
    return ground.way(starts, ends)


Door = tuple[Corner, tuple[int, int]]
"""A point at a thing's edge, and the direction that leads away from the thing."""


def _before(door: Door, straight: float) -> Corner:
    (x, y), (across, up) = door
    return x + across * straight, y + up * straight


def _doors(box: Box, side: str) -> list[Door]:
    left, bottom, right, top = box
    x, y = (left + right) / 2, (bottom + top) / 2
    all_: dict[str, Door] = {
        "right": ((right + _END, y), (1, 0)), "top": ((x, top + _END), (0, 1)),
        "left": ((left - _END, y), (-1, 0)), "bottom": ((x, bottom - _END), (0, -1)),
    }  # fmt: skip
    return [all_[side]] if side else list(all_.values())


class _Ground:
    """The frame as squares, free or not."""

    def __init__(self, boxes: Sequence[Box], room: tuple[float, float]) -> None:
        frame = current_format()
        self.left, self.bottom = SAFE - frame.width / 2, frame.caption.top
        self.columns = round((frame.width - 2 * SAFE) / _STEP) + 1
        self.rows = round((frame.height / 2 - SAFE - self.bottom) / _STEP) + 1
        self.blocked = np.zeros((self.columns, self.rows), dtype=bool)
        x, y = (start + _STEP * np.arange(n) for start, n in ((self.left, self.columns), (self.bottom, self.rows)))
        for left, bottom, right, top in boxes:
            wide = (x > left - _CLEAR - room[0] / 2) & (x < right + _CLEAR + room[0] / 2)
            high = (y > bottom - _CLEAR - room[1] / 2) & (y < top + _CLEAR + room[1] / 2)
            self.blocked |= wide[:, None] & high[None, :]

    def square(self, point: Corner) -> tuple[int, int]:
        column, row = round((point[0] - self.left) / _STEP), round((point[1] - self.bottom) / _STEP)
        return min(max(column, 0), self.columns - 1), min(max(row, 0), self.rows - 1)

    def way(self, starts: Sequence[Door], ends: Sequence[Door]) -> list[Corner] | None:
        """The cheapest way (Dijkstra over squares and directions)."""
        for straight in (_STRAIGHT, 0.0):
            found = self._way(starts, ends, straight)
            if found is not None:
                return found
        return None

    def _way(self, starts: Sequence[Door], ends: Sequence[Door], straight: float) -> list[Corner] | None:
        goals = {(self.square(_before(door, straight)), (-door[1][0], -door[1][1])): door[0] for door in ends}
        doors = {self.square(_before(door, straight)) for door in (*starts, *ends)}
        best: dict[Any, float] = {}
        before: dict[Any, Any] = {}
        waiting: list[tuple[float, int, Any]] = []
        begun = {}
        for door in starts:
            state = (self.square(_before(door, straight)), door[1])
            best[state], begun[state] = 0.0, door[0]
            heappush(waiting, (0.0, len(waiting), state))
        count = len(waiting)
        while waiting:
            cost, _, state = heappop(waiting)
            if cost > best[state]:
                continue
            if state in goals:
                return self._corners(state, before, begun, goals[state])
            (column, row), way = state
            for turn in _WAYS:
                if turn == (-way[0], -way[1]):
                    continue
                place = (column + turn[0], row + turn[1]) if turn == way else (column, row)
                if not (0 <= place[0] < self.columns and 0 <= place[1] < self.rows):
                    continue
                if self.blocked[place] and place not in doors:
                    continue
                step = (place, turn)
                price = cost + (_STEP if turn == way else _BEND)
                if price < best.get(step, np.inf):
                    best[step], before[step] = price, state
                    count += 1
                    heappush(waiting, (price, count, step))
        return None

    def _corners(self, state: Any, before: Any, begun: Any, goal: Corner) -> list[Corner]:
        """Where the way begins, bends and ends; what is between two bends is straight, and ends where it is to."""
        states = [state]
        while states[-1] in before:
            states.append(before[states[-1]])
        states.reverse()
        start: Corner = begun[states[0]]
        bends = [s[0] for s, after in pairwise(states) if s[1] != after[1]]
        corners = [start, *((self.left + _STEP * c, self.bottom + _STEP * r) for c, r in bends), goal]
        # Squares are coarse: the first and last stretch go exactly through the doors.
        for first, second in ((0, 1), (-1, -2)):
            if len(corners) > 2:
                (x, y), (at_x, at_y) = corners[first], corners[second]
                level = abs(at_y - y) < abs(at_x - x)
                corners[second] = (at_x, y) if level else (x, at_y)
        if len(corners) == 2 and min(abs(corners[0][k] - corners[1][k]) for k in (0, 1)) > 1e-6:
            # Nearly in line: the start moves, as a thing's edge is wider than a line.
            (x, y), (at_x, at_y) = corners
            corners[0] = (at_x, y) if abs(at_x - x) < abs(at_y - y) else (x, at_y)
        return corners


class Link(VGroup):
    """A line through corners with an arrow's head at its end, and a `label` beside its last stretch, if given."""

    def __init__(
        self, corners: Sequence[Corner], color: str | None = None, *, width: float = 4, label: VMobject | None = None
    ) -> None:
        super().__init__()
        color = color or current_theme().muted
        self.line = VMobject(stroke_color=color, stroke_width=width, joint_type=LineJointType.ROUND)
        self.line.set_points_as_corners([np.array((x, y, 0.0)) for x, y in corners])
        (x, y), (before_x, before_y) = corners[-1], corners[-2]
        self.tip = Triangle(color=color, fill_opacity=1, stroke_width=0).scale_to_fit_height(0.16)
        self.tip.rotate(float(np.arctan2(y - before_y, x - before_x) - np.pi / 2)).move_to((x, y, 0))
        self.add(self.line, self.tip)
        self.label = label
        if label is not None:
            upright = abs(y - before_y) > abs(x - before_x)
            middle = np.array(((x + before_x) / 2, (y + before_y) / 2, 0.0))
            self.add(label.next_to(middle, RIGHT if upright else UP, buff=0.12))


def link(
    start: Mobject, end: Mobject, around: Iterable[Mobject] = (), color: str | None = None, *,
    sides: tuple[str, str] = ("", ""), label: VMobject | None = None,
) -> Link:  # fmt: skip
    """A line from one thing to another that finds a free way around others; straight where there is none."""
    corners = free_way(start, end, around, sides=sides)
    if corners is None:
        corners = [tuple(map(float, thing.get_center()[:2])) for thing in (start, end)]  # type: ignore[misc]
    return Link(corners, color, label=label)


def fan(
    source: Mobject, ends: Sequence[Mobject], colors: Sequence[str], labels: Sequence[VMobject | None] = (), *,
    lane: float = 0.14, nearest: float = 0.5,
) -> list[Link]:  # fmt: skip
    """Lines from the top of one thing over to the tops of others beside it, or from its bottom to others below it.

    They run in lanes of their own, so that none crosses another.
    """
    beside = all(
        end.get_bottom()[1] < source.get_top()[1] and end.get_top()[1] > source.get_bottom()[1] for end in ends
    )
    labels = labels or [None] * len(ends)
    count, links = len(ends), []
    way = UP if beside else DOWN
    edge = source.get_edge_center(way)
    order = sorted(range(count), key=lambda k: abs(float(ends[k].get_x() - edge[0])))
    for k, end in enumerate(ends):
        rank = order.index(k)
        if beside:
            # The nearest end has the lowest lane, and leaves where no other crosses it.
            right = float(np.sign(end.get_x() - edge[0]))
            x = float(edge[0]) + right * source.width * (0.5 - (rank + 1) / (count + 1)) * 0.8
            target = end.get_top()
            level = max(float(thing.get_top()[1]) for thing in (source, *ends)) + nearest + lane * rank
            corners = [(x, float(edge[1]) + _END), (x, level), (float(target[0]), level)]
            corners.append((float(target[0]), float(target[1]) + _END))
        else:
            share = (k + 1) / (count + 1) - 0.5
            x, target = float(edge[0]) + share * min(source.width, 2.0), end.get_top()
            side = sum(1 for other in range(count) if (other - k) * share > 0)
            level = float(edge[1]) - nearest + lane * (side if abs(target[0] - x) > 1e-3 else 0)
            corners = [(x, float(edge[1]) - _END), (x, level), (float(target[0]), level)]
            corners.append((float(target[0]), float(target[1]) + _END))
        links.append(Link(corners, colors[k], label=labels[k]))
    return links
