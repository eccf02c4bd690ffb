"""Blocks: bodies that can be laid out larger or smaller, with a heading, a foot and a cover around them."""

from collections.abc import Callable
from typing import Any, Literal, Self

import numpy as np
from manim import DOWN, RIGHT, UP, Rectangle, RoundedRectangle, VGroup, VMobject

from scenes.kit.layout.arrangements import Column, Reach, arrangement, between
from scenes.kit.page import Page
from scenes.kit.theme import current_theme, mix

Cover = Literal["", "card", "page"]
# Between a body and its heading, and what a cover adds at each side, at the least and at the most ease.
_NEAR, _MARGIN = (0.06, 0.14), (0.1, 0.2)
# The rings of a page: how far they reach into it, and out of it.
_INTO, _OUT = 0.16, 0.1


class Block(VGroup):
    """A body with `above` and `below` it whatever is given, and around all of it a `cover` in `color`.

    A cover is a "card" or a "page" of a notebook. A subclass draws the body in `bulk`: its middle is the anchor.
    """

    def __init__(
        self, bulk: VMobject, *, above: VMobject | None = None, below: VMobject | None = None, cover: Cover = "",
        color: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.bulk, self.above, self.below = bulk, above, below
        self.cover, self.hue = cover, color or current_theme().line
        self.outer = VGroup(*(part for part in (above, below) if part is not None))
        # The middle of the body, wherever the block is moved to.
        self._middle = VMobject(stroke_width=0).set_points_as_corners([np.zeros(3), np.zeros(3)])
        self.sheet: VGroup = VGroup()
        self.add(self.sheet, bulk, self.outer, self._middle)
        self.settle(1.0)

    # What a subclass says of its body

    def body_reach(self, ease: float) -> Reach:
        """How far the body reaches from its middle."""
        raise NotImplementedError

    def lay_body(self, ease: float, middle: Any) -> None:
        """Lay the body out about a point."""
        raise NotImplementedError

    # A flexible shape

    @property
    def anchor(self) -> Any:
        return self._middle.points[0]

    def reach(self, ease: float) -> Reach:
        body, near = self.body_reach(ease), between(_NEAR, ease)
        up, down, half = body.up, body.down, 0.0
        if self.above is not None:
            own = arrangement(self.above).reach(ease)
            up, half = up + near + own.height, max(half, own.width / 2)
        if self.below is not None:
            own = arrangement(self.below).reach(ease)
            down, half = down + near + own.height, max(half, own.width / 2)
        margin = between(_MARGIN, ease) if self.cover else 0.0
        left = margin + (_INTO + _OUT if self.cover == "page" else 0.0)
        return Reach(max(body.left, half) + left, max(body.right, half) + margin, up + margin, down + margin)

    def in_place_of(self, other: "Block") -> Self:
        """Stand where another block stands, laid out as large."""
        self.settle(other.ease)
        self.shift(other.anchor - self.anchor)
        return self

    def settle(self, ease: float) -> Self:
        self.ease, middle = ease, self.anchor.copy()
        self.lay_body(ease, middle)
        body, near = self.body_reach(ease), between(_NEAR, ease)
        for part, way, edge in ((self.above, UP, body.up), (self.below, DOWN, body.down)):
            if part is not None:
                part_of = arrangement(part)
                own = part_of.reach(ease)
                place = middle + way * (edge + near + (own.down if way is UP else own.up))
                part_of.put(ease, float(place[0]), float(place[1]))
        if self.cover:
            self._lay_cover(self.reach(ease), middle)
        return self

    def _lay_cover(self, own: Reach, middle: Any) -> None:
        theme = current_theme()
        if self.cover == "page":
            rings = len(self.sheet[0].submobjects) // 2 if len(self.sheet) else None
            new: VMobject = Page(own.width - _OUT, own.height, self.hue, rings=rings)
            shift = RIGHT * (own.right - own.left + _OUT) / 2
        else:
            new = RoundedRectangle(
                corner_radius=0.1, width=own.width, height=own.height, stroke_color=self.hue, stroke_width=2.5,
                fill_color=mix(theme.background, self.hue, 0.08), fill_opacity=1,
            )  # fmt: skip
            shift = RIGHT * (own.right - own.left) / 2
        new.shift(middle + shift + UP * (own.up - own.down) / 2)
        if not len(self.sheet):
            self.sheet.add(new)
            return
        for old, part in zip(self.sheet[0].get_family(), new.get_family(), strict=True):
            old.set_points(part.points)


def lay_box(shape: VMobject, width: float, height: float, place: Any) -> VMobject:
    """Give a rectangle another size and place (x, y); round corners keep their radius where there is room for it."""
    new = Rectangle(width=width, height=height)
    if isinstance(shape, RoundedRectangle):
        radius = min(abs(float(np.max(shape.corner_radius))), width / 3, height / 3)
        new = RoundedRectangle(corner_radius=radius, width=width, height=height)
    return shape.set_points(new.shift(np.array([place[0], place[1], 0.0])).points)


class Panel(Block):
    """A block around one or several `things`, one below the other."""

    def __init__(self, *things: VMobject, gap: float = 0.14, **around: Any) -> None:
        self.things, self._column = things, Column(things, gap, "middle")
        super().__init__(VGroup(*things), **around)

    def body_reach(self, ease: float) -> Reach:
        return self._column.reach(ease)

    def lay_body(self, ease: float, middle: Any) -> None:
        self._column.put(ease, float(middle[0]), float(middle[1]))


class Measured(VGroup):
    """A thing that is drawn anew for its size: `draw` gets a number from `least` to `most`, and returns the thing.

    It takes what room is left. `thing` is what was drawn last.
    """

    def __init__(self, draw: Callable[[float], VMobject], least: float, most: float) -> None:
        super().__init__()
        self.draw, self._range, self.breadth = draw, (least, most), 1.0
        self.thing: VMobject = draw(1.0)
        self._unit = self.thing.width, self.thing.height
        self.add(self.thing)

    @property
    def anchor(self) -> Any:
        return self.thing.get_center()

    def reach(self, ease: float) -> Reach:
        size = between(self._range, self.breadth)
        width, height = (side * size / 2 for side in self._unit)
        return Reach(width, width, height, height)

    def settle(self, ease: float) -> Self:
        centre = self.anchor
        self.thing = self.draw(between(self._range, self.breadth)).move_to(centre)
        self.submobjects = [self.thing]
        return self
