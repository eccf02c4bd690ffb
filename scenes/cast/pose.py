"""How a figure stands: where it looks, what its face says, where its hands are and what they hold.

All of it is numbers, so that a figure moves from one pose to another through every pose between them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

Point = tuple[float, float]


@dataclass(frozen=True)
class Mood:
    """A face: brows `lift` and `slant`, eyes `wide` or `shut`, a mouth that is `bent` up, `open`, with a `blush`."""

    lift: float = 0.0
    slant: float = 0.0
    wide: float = 0.0
    shut: float = 0.0
    bent: float = 0.25
    open: float = 0.0
    blush: float = 0.0


MOODS = {
    "calm": Mood(),
    "thinks": Mood(lift=0.35, slant=0.9, bent=-0.35),
    "found": Mood(lift=0.8, wide=1.0, bent=1.0, open=1.0, blush=1.0),
    "glad": Mood(lift=0.5, shut=1.0, bent=1.0, open=0.75, blush=1.0),
    "speaks": Mood(lift=0.3, bent=0.3, open=0.5),
    "worried": Mood(lift=0.45, slant=-0.9, bent=-0.8),
}

# Where a hand is, in arm's lengths from its shoulder: outwards and up.
GESTURES: dict[str, Point] = {
    "hangs": (0.12, -0.84),
    "hip": (0.05, -0.62),
    "out": (0.68, -0.34),
    "points": (0.96, 0.12),
    "up": (0.5, 0.7),
    "holds": (0.5, -0.12),
    "writes": (-0.22, -0.5),
    "chin": (-0.26, 0.06),
}

# What can be held; `scenes/cast/held.py` draws it.
HELD = ("magnifier", "notebook", "tag", "slip", "lamp", "ticket", "pen")


@dataclass(frozen=True)
class Hold:
    """A thing in a hand, `size` times as large as usual, turned by `angle` (radians, anticlockwise)."""

    name: str
    angle: float = 0.0
    size: float = 1.0

    def __post_init__(self) -> None:
        if self.name not in HELD:
            raise ValueError(f'nobody holds "{self.name}"; there are {", ".join(HELD)}')


@dataclass(frozen=True)
class Pose:
    """A pose. `glance` is where the eyes look, from -1 to 1 across and up; hands are in arm's lengths, see `GESTURES`.

    "left" and "right" are sides of the picture. `tilt` turns the head, in radians, anticlockwise.
    """

    glance: Point = (0.0, 0.0)
    mood: Mood = MOODS["calm"]
    left: Point = GESTURES["hangs"]
    right: Point = GESTURES["hangs"]
    holds_left: Hold | None = None
    holds_right: Hold | None = None
    tilt: float = 0.0


def pose(base: Pose | None = None, /, **changes: Any) -> Pose:
    """A pose with changes; moods, gestures and things to hold may be given by their names.

    Raises: ValueError for a name that there is not.
    """
    for name, value in changes.items():
        if not isinstance(value, str):
            continue
        known: Mapping[str, Any] = {each: Hold(each) for each in HELD}
        if name in ("left", "right", "mood"):
            known = MOODS if name == "mood" else GESTURES
        if value not in known:
            raise ValueError(f'{name}: there is no "{value}"; there are {", ".join(known)}')
        changes[name] = known[value]
    return replace(base or Pose(), **changes)


def between(one: Pose, other: Pose, share: float) -> Pose:
    """The pose at a share of the way from one to another; what is taken up or put down grows or shrinks in the hand."""
    if share <= 0:
        return one
    if share >= 1:
        return other

    def mixed(a: Any, b: Any) -> Any:
        return tuple(x + (y - x) * share for x, y in zip(a, b, strict=True))

    def held(a: Hold | None, b: Hold | None) -> Hold | None:
        if a is not None and b is not None and a.name == b.name:
            return Hold(a.name, *mixed((a.angle, a.size), (b.angle, b.size)))
        # One thing is put down before another is taken up.
        if share < 0.5:
            return a and replace(a, size=a.size * (1 - 2 * share if b != a else 1.0))
        return b and replace(b, size=b.size * (2 * share - 1))

    moods = [[getattr(pose.mood, field.name) for field in fields(Mood)] for pose in (one, other)]
    return Pose(
        mixed(one.glance, other.glance), Mood(*mixed(*moods)), mixed(one.left, other.left),
        mixed(one.right, other.right), held(one.holds_left, other.holds_left),
        held(one.holds_right, other.holds_right), one.tilt + (other.tilt - one.tilt) * share,
    )  # fmt: skip
