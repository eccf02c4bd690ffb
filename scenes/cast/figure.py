"""A person on stage: stands somewhere in a pose, looks at things, and moves from pose to pose."""

from functools import cache
from typing import Any, Self

import numpy as np
from manim import Animation, Mobject, smooth

from scenes.cast.people import CAPTAIN, Person, detective
from scenes.cast.pose import Hold, Pose, between, pose
from scenes.formats import Slot
from scenes.kit.layout.arrangements import Reach
from scenes.kit.picture import Picture, corners
from scenes.kit.sheet import Light, Sheet, ellipse, extent
from scenes.kit.theme import current_theme

# A figure is measured on a sheet of its own, larger than anybody's reach.
_GROUND, _FINE = Slot(-3.4, -0.4, 3.4, 5.2), 24.0
# A thing this far away is looked at from the corner of the eye.
_FAR = 1.6
_SHADOW = "#0B0912"


class Figure(Picture):
    """The captain, or the detective who is a head, in a pose; `stands` with a shadow at the feet.

    The figure is laid out with others, `least` to `most` units of the frame for one of its own (a person is 2.7 to 4.1
    high). `light` is the lamp of the scene as it falls on this figure.
    """

    def __init__(
        self, head: int | None = None, *, light: Light | None = None, stands: bool = False, least: float = 0.3,
        most: float = 1.0, **pose_changes: Any,
    ) -> None:  # fmt: skip
        self.person: Person = CAPTAIN if head is None else detective(head)
        self.band = "#B8C4E6" if head is None else current_theme().head(head)
        self.light, self.stands, self._range, self.breadth = light or Light(), stands, (least, most), 1.0
        self.pose = pose(**pose_changes)
        super().__init__(self._slot(), self._key(), self._paint)

    def _key(self) -> tuple[object, ...]:
        return self.person.name, self.band, self.pose, self.light, self.stands

    def _slot(self) -> Slot:
        return reach_of(self.person, self.pose, self.stands)

    def _paint(self, sheet: Sheet) -> None:
        paint(sheet, self.person, self.pose, self.light, self.band, self.stands)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        copy = super().__deepcopy__(memo)
        copy.paint = copy._paint
        return copy

    # Where it stands

    @property
    def feet(self) -> Any:
        """The point between its feet, in the frame."""
        return self.frame_point(0.0, 0.0)

    def frame_point(self, x: float, y: float) -> Any:
        """The place in the frame of a point in the figure's own units."""
        corner, unit = self.points[0], self.unit
        return corner + np.array([(x - self.slot.left) * unit, (y - self.slot.top) * unit, 0.0])

    def stand(self, x: float, y: float, unit: float | None = None) -> Self:
        """Stand with the feet at (x, y) of the frame."""
        unit = self.unit if unit is None else unit
        self.points = corners(self.slot) * unit + np.array([x, y, 0.0])
        return self

    def hand(self, side: str) -> Any:
        """The place in the frame of its "left" or "right" hand, as the picture shows it."""
        return self.frame_point(*self.person.hand(self.pose, -1 if side == "left" else 1))

    def held(self, side: str) -> Any:
        """The middle of what a hand holds."""
        return self.frame_point(*self.person.held(self.pose, -1 if side == "left" else 1))

    @property
    def eyes(self) -> Any:
        """The place in the frame between its eyes."""
        return self.frame_point(*self.person.eyes)

    @property
    def mouth(self) -> Any:
        """The place in the frame beside its mouth, from which it speaks."""
        (_, y), (across, up) = self.person.build.head, self.person.build.radii
        return self.frame_point(across + 0.08, y - 0.5 * up)

    @property
    def top(self) -> Any:
        """The place in the frame above its head, for a thought or a word."""
        return self.frame_point(0.0, self.slot.top)

    # What it does

    def take(self, new: Pose) -> Self:
        """Take a pose at once, where it stands."""
        (x, y, _), unit = self.feet, self.unit
        self.pose = new
        self.slot, self.key = self._slot(), self._key()
        return self.stand(float(x), float(y), unit)

    def be(self, look: Mobject | Any = None, **changes: Any) -> Self:
        """Take a pose that differs from this one by `changes`, see `pose`; `look` is what it looks at, if given."""
        return self.take(self.changed(look, **changes))

    def changed(self, look: Mobject | Any = None, **changes: Any) -> Pose:
        """This pose with changes; `look` is a thing, or a place in the frame."""
        if look is not None:
            changes["glance"] = self.glance_at(look)
        return pose(self.pose, **changes)

    def acts(self, look: Mobject | Any = None, **changes: Any) -> "Act":
        """An animation to a pose that differs from this one by changes."""
        return Act(self, self.changed(look, **changes))

    def glance_at(self, target: Mobject | Any) -> tuple[float, float]:
        """Where it looks when it looks at a thing, or at a place in the frame."""
        place = target.get_center() if isinstance(target, Mobject) else np.array([*target, 0.0][:3])
        way = (place - self.eyes)[:2] / self.unit
        length = max(float(np.hypot(*way)), 1e-9)
        share = min(1.0, length / _FAR)
        return float(way[0] / length * share), float(way[1] / length * share)

    def reaches(self, side: str, place: Any) -> tuple[float, float]:
        """Where a hand is, in arm's lengths, when it is at a place in the frame, or as near as the arm is long."""
        way = -1 if side == "left" else 1
        start = self.frame_point(*self.person.shoulder(way))
        across, up = (np.array([*place, 0.0][:2]) - start[:2]) / self.unit / self.person.build.arm
        length = max(float(np.hypot(across, up)), 1.0)
        return float(way * across / length), float(up / length)

    def aim(self, thing: str, place: Any) -> Any:
        """Hold a thing, such as a lamp, and turn it to a place in the frame; returns where its middle is then."""
        side = "left" if float(place[0]) < float(self.feet[0]) else "right"
        self.be(look=place, **{side: self.reaches(side, place)})
        across, up = np.array([*place, 0.0][:2]) - self.hand(side)[:2]
        angle = float(np.arctan2(up, across)) - (np.pi if side == "left" else 0.0)
        self.be(**{f"holds_{side}": Hold(thing, angle)})
        return self.held(side)

    # How it is laid out

    @property
    def anchor(self) -> Any:
        return self.frame_point(0.0, (self.slot.bottom + self.slot.top) / 2)

    def _scale(self) -> float:
        least, most = self._range
        return least + self.breadth * (most - least)

    def reach(self, ease: float) -> Reach:
        unit, slot = self._scale(), self.slot
        half = slot.height / 2 * unit
        return Reach(-slot.left * unit, slot.right * unit, half, half)

    def settle(self, ease: float) -> Self:
        x, y, _ = self.anchor
        unit = self._scale()
        return self.stand(float(x), float(y) - (self.slot.bottom + self.slot.top) / 2 * unit, unit)


class Act(Animation):
    """A figure goes from the pose that it has to another."""

    def __init__(self, figure: Figure, pose: Pose, **options: Any) -> None:
        self.figure, self.end = figure, pose
        super().__init__(figure, **{"rate_func": smooth, **options})

    def create_starting_mobject(self) -> Mobject:
        return Mobject()

    def begin(self) -> None:
        self.start = self.figure.pose
        super().begin()

    def interpolate(self, alpha: float) -> None:
        self.figure.take(between(self.start, self.end, self.rate_func(alpha)))


def paint(sheet: Sheet, person: Person, pose: Pose, light: Light, band: str, stands: bool = False) -> None:
    """Paint a person, with a shadow on the floor if it `stands`: away from the lamp, as long as the lamp is low."""
    if stands:
        sheet.fill(ellipse(-light.unit[0] * 0.22, 0.04, 2.2 * person.build.hem[0] + 0.7, 0.26), _SHADOW, 0.5)
    person.paint(sheet, pose, light, band)


@cache
def reach_of(person: Person, pose: Pose, stands: bool = False) -> Slot:
    """How far a person reaches in a pose, in units of its own: the box of all that is painted of it."""
    sheet = Sheet(_GROUND, _FINE)
    paint(sheet, person, pose, Light(), "#FFFFFF", stands)
    found = extent(sheet.rgba())
    assert found is not None
    left, top, right, bottom = found
    across, up = _GROUND.width / sheet.columns, _GROUND.height / sheet.rows
    # A pixel at each side: edges are measured coarsely.
    return Slot(
        _GROUND.left + (left - 1) * across, _GROUND.top - (bottom + 1) * up, _GROUND.left + (right + 1) * across,
        _GROUND.top - (top - 1) * up,
    )  # fmt: skip
