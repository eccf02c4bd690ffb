"""Where things stand: the frame's slots, and rows and columns in them."""

from dataclasses import dataclass
from typing import Any

from manim import DOWN, LEFT, RIGHT, UP, Group, Mobject, VGroup, VMobject

FRAME_WIDTH, FRAME_HEIGHT = 128 / 9, 8.0
SAFE = 0.4


@dataclass(frozen=True)
class Slot:
    """A rectangle of the frame, in units; the origin is the frame's centre, y points up."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def centre(self) -> tuple[float, float, float]:
        return ((self.left + self.right) / 2, (self.bottom + self.top) / 2, 0.0)

    def place(self, mobject: Mobject) -> Mobject:
        """Move to the slot's centre, scaled down (never up) to fit."""
        self.fit(mobject)
        return mobject.move_to(self.centre)

    def fit(self, mobject: Mobject) -> Mobject:
        """Scale down (never up) until it fits."""
        factor = min(1.0, self.width / max(mobject.width, 1e-9), self.height / max(mobject.height, 1e-9))
        return mobject.scale(factor) if factor < 1 else mobject

    def columns(self, *mobjects: Mobject, gap: float = 0.5) -> Group:
        """Side by side, centred in the slot."""
        row = Group(*mobjects).arrange(RIGHT, buff=gap)
        self.place(row)
        return row

    def rows(self, *mobjects: Mobject, gap: float = 0.4) -> Group:
        """One below the other, centred in the slot."""
        column = Group(*mobjects).arrange(DOWN, buff=gap)
        self.place(column)
        return column

    def part(self, left: float = 0.0, right: float = 1.0, bottom: float = 0.0, top: float = 1.0) -> "Slot":
        """A part of the slot, in shares of its width and height."""
        return Slot(
            self.left + left * self.width,
            self.bottom + bottom * self.height,
            self.left + right * self.width,
            self.bottom + top * self.height,
        )


_EDGE = FRAME_WIDTH / 2 - SAFE
TITLE_SLOT = Slot(-_EDGE, 2.95, _EDGE, FRAME_HEIGHT / 2 - SAFE)
STAGE = Slot(-_EDGE, -2.5, _EDGE, 2.8)
CAPTION_SLOT = Slot(-_EDGE, -FRAME_HEIGHT / 2 + SAFE, _EDGE, -2.65)


def above(label: Mobject, below: Mobject, gap: float = 0.15) -> Mobject:
    """Centre `label` above `below`."""
    return label.next_to(below, UP, buff=gap)


def left_of(label: Mobject, other: Mobject, gap: float = 0.2) -> Mobject:
    """Put `label` to the left of `other`, centred on it."""
    return label.next_to(other, LEFT, buff=gap)


def group(*mobjects: Mobject) -> Any:
    """A group that may hold images as well as shapes."""
    shapes = [m for m in mobjects if isinstance(m, VMobject)]
    return VGroup(*shapes) if len(shapes) == len(mobjects) else Group(*mobjects)
