"""Where things stand: the frame's slots, and things beside one another."""

from manim import LEFT, Mobject

from scenes.formats import Slot

__all__ = ["Slot", "left_of"]


def left_of(label: Mobject, other: Mobject, gap: float = 0.2) -> Mobject:
    """Put `label` to the left of `other`, centred on it."""
    return label.next_to(other, LEFT, buff=gap)
