"""Where a thing stands to another one: beside, above, below, over it; in line with it, as wide or high as it."""

from typing import Literal, TypeVar

from manim import DOWN, LEFT, RIGHT, UP, Mobject

Thing = TypeVar("Thing", bound=Mobject)
Edge = Literal["left", "right", "top", "bottom", "middle"]
_WAYS = {"left": LEFT, "right": RIGHT, "top": UP, "bottom": DOWN}


def beside(thing: Thing, other: Mobject, side: Literal["left", "right"] = "right", gap: float = 0.18) -> Thing:
    """Put a thing right (or left) of another, their middles level."""
    thing.next_to(other, _WAYS[side], buff=gap)
    return thing


def above(thing: Thing, other: Mobject, gap: float = 0.12, edge: Edge = "middle") -> Thing:
    """Put a thing above another, centred, or with an edge in line."""
    thing.next_to(other, UP, buff=gap)
    return thing if edge == "middle" else aligned(thing, other, edge)


def below(thing: Thing, other: Mobject, gap: float = 0.12, edge: Edge = "middle") -> Thing:
    """Put a thing below another, centred, or with an edge in line."""
    thing.next_to(other, DOWN, buff=gap)
    return thing if edge == "middle" else aligned(thing, other, edge)


def over(thing: Thing, other: Mobject) -> Thing:
    """Put a thing on another, their middles together."""
    thing.move_to(other)
    return thing


def aligned(thing: Thing, other: Mobject, edge: Edge) -> Thing:
    """Move a thing until its edge is in line with that of another."""
    if edge == "middle":
        thing.set_x(other.get_x())
    else:
        thing.align_to(other, _WAYS[edge])
    return thing


def as_wide(thing: Thing, other: Mobject) -> Thing:
    """Make a thing as wide as another, in proportion."""
    thing.scale_to_fit_width(other.width)
    return thing


def as_high(thing: Thing, other: Mobject) -> Thing:
    """Make a thing as high as another, in proportion."""
    thing.scale_to_fit_height(other.height)
    return thing
