"""Animations that change shapes in place: whatever they move stays one shape of the scene, its parts in their order.

Parts appear, rest and return where they stand; things glide to where they stand next, take each other's place, travel.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import Animation, Group, ImageMobject, Mobject, VMobject, linear, smooth
from numpy.typing import NDArray

from scenes.kit.layout.ways import Corner
from scenes.kit.picture import opacity_of_image
from scenes.kit.text import Box, TextLine, box_around, provenance_of

# Opacity of what rests while other things are the subject.
RESTING = 0.35
Floats = NDArray[np.float64]


def staggered(alpha: float, k: int, count: int, lag: float) -> float:
    """How far part k of `count` is at `alpha` of the whole; each starts `lag` of its time after the one before."""
    whole = 1 + lag * (count - 1)
    return min(max(alpha * whole - lag * k, 0.0), 1.0)


def opacity_of(part: Mobject) -> float:
    """How much of its own opacity a shape has, 0 to 1; see `set_shade`."""
    return float(vars(part).get("shade", 1.0))


def set_shade(thing: Mobject, share: float) -> None:
    """Give all parts of a thing a share of their own opacity. What has none is not seen, and shows no number."""
    for part in thing.get_family():
        _shade(part, share)


def _shade(part: Mobject, share: float) -> None:
    own = vars(part)
    now = own.get("shade", 1.0)
    if now == share:
        return
    if now == 1.0:
        own["unshaded"], own["unshaded_provenance"] = _opacities(part), provenance_of(part)
    own["shade"] = share
    _set_opacities(part, own["unshaded"], share)
    if own["unshaded_provenance"]:
        own["provenance"] = own["unshaded_provenance"] if share > 0 else ()


def _eased(share: float) -> float:
    """Manim's smooth pace, and exactly its ends."""
    return 1.0 if share >= 1 else float(smooth(max(0.0, share)))


def _opacities(part: Mobject) -> tuple[float, ...]:
    if isinstance(part, VMobject):
        return float(part.get_fill_opacity()), float(part.get_stroke_opacity())
    return (opacity_of_image(part),) if isinstance(part, ImageMobject) else ()


def _set_opacities(part: Mobject, own: tuple[float, ...], share: float) -> None:
    if isinstance(part, VMobject):
        part.set_fill(opacity=own[0] * share, family=False)
        part.set_stroke(opacity=own[1] * share, family=False)
    elif isinstance(part, ImageMobject):
        part.set_opacity(own[0] * share)


class _InPlace(Animation):
    """An animation that keeps no copy of its shape: it says itself what the shape is at any time.

    Of what is in the scene, it changes no more than it says in `changes`.
    """

    @property
    def changes(self) -> Sequence[Mobject]:
        whole: Any = self.mobject
        return [whole]

    def create_starting_mobject(self) -> Mobject:
        return Mobject()


class Shade(_InPlace):
    """Parts of a thing that is in the scene become as visible as `share`, one after the other with `lag`.

    What of them is not to be seen stays so, unless they are to be `unveiled`.
    """

    def __init__(
        self, thing: Mobject, parts: Sequence[Mobject] = (), share: float = 1.0, *, lag: float = 0.0,
        shift: tuple[float, float] = (0.0, 0.0), unveiled: bool = False, **options: Any,
    ) -> None:  # fmt: skip
        self.parts, self.share, self.lag = list(parts) or [thing], share, lag
        self.by, self.unveiled = np.array([*shift, 0.0]), unveiled
        super().__init__(thing, rate_func=linear, **options)

    @property
    def changes(self) -> Sequence[Mobject]:
        return self.parts

    def begin(self) -> None:
        self.before = [[opacity_of(member) for member in part.get_family()] for part in self.parts]
        self.places = [[member.points.copy() for member in part.get_family()] for part in self.parts]
        super().begin()

    def interpolate(self, alpha: float) -> None:
        for k, (part, before, places) in enumerate(zip(self.parts, self.before, self.places, strict=True)):
            done = _eased(staggered(alpha, k, len(self.parts), self.lag))
            for member, start, points in zip(part.get_family(), before, places, strict=True):
                if start > 0 or self.unveiled:
                    _shade(member, start + (self.share - start) * done)
                if self.by.any():
                    member.points = points + self.by * (done - 1)


class Glide(_InPlace):
    """Things move from where they stood (`before`, points of their families) to where they stand now."""

    def __init__(self, thing: Mobject, before: Sequence[Floats], **options: Any) -> None:
        self.before = before
        self.after = [part.points.copy() for part in thing.get_family()]
        super().__init__(thing, **options)
        # Until it plays, the thing is where it was: what is noted of a picture is noted before it is drawn.
        self.interpolate(0.0)

    def interpolate(self, alpha: float) -> None:
        done = self.rate_func(alpha)
        for part, start, end in zip(self.mobject.get_family(), self.before, self.after, strict=True):
            if start.shape == end.shape and done < 1:
                part.points = start + (end - start) * done
            else:
                # A word that is cut otherwise where it stands next.
                part.points = (end if done > 0 else start).copy()


class Swap(_InPlace):
    """One thing leaves, and only then another one appears in its place: their texts are never over each other."""

    def __init__(self, old: Mobject, new: Mobject, **options: Any) -> None:
        self.old, self.new = old, new
        super().__init__(old, rate_func=linear, **options)

    @property
    def changes(self) -> Sequence[Mobject]:
        return [self.old, self.new]

    def _setup_scene(self, scene: Any) -> None:
        # What of the new thing is veiled stays so.
        self.after = [opacity_of(part) for part in self.new.get_family()]
        set_shade(self.new, 0.0)
        scene.add(self.new)

    def begin(self) -> None:
        self.before = [opacity_of(part) for part in self.old.get_family()]
        super().begin()

    def interpolate(self, alpha: float) -> None:
        for part, share in zip(self.old.get_family(), self.before, strict=True):
            _shade(part, share * (1 - _eased(2 * alpha)))
        for part, share in zip(self.new.get_family(), self.after, strict=True):
            _shade(part, share * _eased(2 * alpha - 1))

    def clean_up_from_scene(self, scene: Any) -> None:
        super().clean_up_from_scene(scene)
        scene.remove(self.old)
        for part, share in zip(self.old.get_family(), self.before, strict=True):
            _shade(part, share)


class Travel(_InPlace):
    """Copies of parts travel along a way in formation, and become the parts that they go to.

    On the way their formation turns from that of the parts that they leave into that of those they go to. Without a
    way they fade where they are, and then the others appear.
    """

    def __init__(
        self, copies: Mobject, targets: Sequence[Mobject], way: Sequence[Corner] | None, **options: Any
    ) -> None:
        self.copies, self.targets = list(copies.submobjects), targets
        self.path = None if way is None else _Path(way)
        # Where the copies come by.
        self.room: Box | None = None
        super().__init__(copies, rate_func=linear, introducer=True, **options)

    @property
    def changes(self) -> Sequence[Mobject]:
        return [*self.copies, *self.targets]

    def begin(self) -> None:
        whole, there = self.mobject.get_center(), Group(*self.targets).get_center()
        self.starts = [[part.points - copy.get_center() for part in copy.get_family()] for copy in self.copies]
        self.offsets = [
            (copy.get_center() - whole, target.get_center() - there)
            for copy, target in zip(self.copies, self.targets, strict=True)
        ]
        self.left_behind = [box_around(copy) if _written(copy) else None for copy in self.copies]
        self.growths = [_growth(copy, target) for copy, target in zip(self.copies, self.targets, strict=True)]
        ends = (self.mobject, Group(*self.targets))
        self.room = None if self.path is None else _room_around(self.path.points, *ends)
        super().begin()

    def interpolate(self, alpha: float) -> None:
        if self.path is None:
            seen, reached = 1 - _eased(2 * alpha), _eased(2 * alpha - 1)
        else:
            self._go(_eased(alpha))
            seen, reached = float(0 < alpha < 1), float(alpha >= 1)
        for copy, source in zip(self.copies, self.left_behind, strict=True):
            # Digits are never drawn over the same digits: a copy is seen once it is clear of its source.
            apart = source is None or self.path is None or not meet(box_around(copy), source)
            set_shade(copy, seen if apart else 0.0)
        for target in self.targets:
            set_shade(target, reached)

    def _go(self, share: float) -> None:
        assert self.path is not None
        middle = self.path.at(share)
        # Digits keep their size for most of the way, as they are read.
        grown = max(0.0, 3 * share - 2)
        for copy, start, (leaving, going), growth in zip(
            self.copies, self.starts, self.offsets, self.growths, strict=True
        ):
            place = middle + leaving + (going - leaving) * share
            for part, points in zip(copy.get_family(), start, strict=True):
                part.points = points * (1 + (growth - 1) * grown) + place

    def clean_up_from_scene(self, scene: Any) -> None:
        super().clean_up_from_scene(scene)
        scene.remove(self.mobject)


def _room_around(points: Floats, *things: Any) -> Box:
    """Where things come by whose middles go straight from one of some points (n, 3) to the next."""
    size = np.array([max(thing.width for thing in things), max(thing.height for thing in things)]) / 2
    low, high = points[:, :2].min(axis=0) - size, points[:, :2].max(axis=0) + size
    return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def _growth(copy: Mobject, target: Mobject) -> Floats:
    """By how much a copy grows on its way, across and up; text keeps its proportions."""
    across, up = target.width / max(copy.width, 1e-6), target.height / max(copy.height, 1e-6)
    return np.array([up if _written(copy) else across, up, 1.0])


def _written(thing: Mobject) -> bool:
    return any(isinstance(part, TextLine) for part in thing.get_family())


def meet(one: Box, other: Box) -> bool:
    """Whether two boxes overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


class _Path:
    """A way with its corners, walked at an even pace."""

    def __init__(self, corners: Sequence[Corner]) -> None:
        self.points = np.array([[x, y, 0.0] for x, y in corners])
        steps = np.linalg.norm(np.diff(self.points, axis=0), axis=1)
        self.lengths = np.concatenate([[0.0], np.cumsum(steps)])

    def at(self, share: float) -> Floats:
        """The point at a share of its length."""
        return np.array([np.interp(share * self.lengths[-1], self.lengths, axis) for axis in self.points.T])
