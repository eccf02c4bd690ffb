"""Animations of a lesson's things: enter, leave, rest, wake, glide, change, link, travel."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from manim import Animation, FadeIn, FadeOut, Group, LaggedStart, Mobject, Scene, VMobject

from scenes.kit.in_place import RESTING, Glide, Shade, Swap, Travel, meet, opacity_of, set_shade
from scenes.kit.layout.ways import Link, fan, free_way, link
from scenes.kit.matrix import Matrix
from scenes.kit.motion import Draw
from scenes.kit.text import Box, TextLine, box_around


class Verbs(Scene):
    """The verbs of every lesson. Each plays at once; within `with self.together():` all play at the same time."""

    _waiting: list[Animation] | None = None

    def _act(self, animations: Sequence[Animation], seconds: float) -> None:
        if self._waiting is not None:
            self._waiting += animations
        elif animations:
            self.play(*animations, run_time=seconds)

    @contextmanager
    def together(self, seconds: float = 1.0) -> Iterator[None]:
        """Play all that the verbs within the block say at the same time."""
        outer, self._waiting = self._waiting, []
        try:
            yield
            animations = self._waiting
        finally:
            self._waiting = outer
        self._act(animations, seconds)

    def perform(self, *animations: Animation, seconds: float = 0.8) -> None:
        """Animations play: what a figure does, for example."""
        self._act(animations, seconds)

    # What there is

    def enter(self, *things: Mobject, seconds: float = 0.8, lag: float = 0.0, shift: Any = (0.0, 0.0)) -> None:
        """Things appear, one after the other with `lag`, from `shift` units away."""
        moves = [FadeIn(thing, shift=_vector(shift)) for thing in things]
        self._act([LaggedStart(*moves, lag_ratio=lag)] if lag and len(moves) > 1 else moves, seconds)

    def leave(self, *things: Mobject, seconds: float = 0.5, shift: Any = (0.0, 0.0)) -> None:
        """Things fade out and leave the picture."""
        self._act([FadeOut(thing, shift=_vector(shift)) for thing in things], seconds)

    def leave_all(self, *but: Mobject, seconds: float = 0.5) -> None:
        """Everything fades out, but for some things."""
        self.leave(*(thing for thing in self.mobjects if thing not in but), seconds=seconds)

    def veil(self, *things: Mobject) -> None:
        """Things, or parts of them, are not to be seen yet; `unveil` shows them."""
        for thing in things:
            set_shade(thing, 0.0)

    def unveil(
        self, thing: Mobject, *parts: Mobject, seconds: float = 1.6, lag: float = 0.4, shift: Any = (0.15, 0.0)
    ) -> None:
        """Veiled parts of a thing on screen appear, one after the other; by default the whole thing at once."""
        self._act([Shade(thing, parts, 1.0, lag=lag, shift=shift, unveiled=True)], seconds)

    def conceal(self, *things: Mobject, seconds: float = 0.5) -> None:
        """Things fade out where they are, until `unveil` shows them again."""
        self._act([Shade(thing, share=0.0) for thing in things], seconds)

    def rest(self, *things: Mobject, seconds: float = 0.5) -> None:
        """Dim things that stay in sight while others are the subject."""
        self._act([Shade(thing, share=RESTING) for thing in things], seconds)

    def wake(self, *things: Mobject, seconds: float = 0.5) -> None:
        """Things that rested are as bright as before."""
        self._act([Shade(thing, share=1.0) for thing in things], seconds)

    def hush(self, matrix: Matrix, seconds: float = 0.3) -> None:
        """A matrix shows no digits any more."""
        self._act([Shade(matrix, [matrix.hush()], 0.0)], seconds)

    # Where they are

    @contextmanager
    def gliding(self, seconds: float = 1.0) -> Iterator[None]:
        """What is on screen glides to where the block puts it, instead of being there at once."""
        before = {thing: [part.points.copy() for part in thing.get_family()] for thing in self.mobjects}
        yield
        moved = []
        for thing, points in before.items():
            now = [part.points for part in thing.get_family()]
            if len(now) == len(points) and any(
                a.shape != b.shape or (a != b).any() for a, b in zip(now, points, strict=True)
            ):
                moved.append(Glide(thing, points))
        self._act(moved, seconds)

    def swap(self, old: Mobject, new: Any, seconds: float = 0.8) -> Any:
        """One thing takes the place of another, which is gone before it appears; returns the new one."""
        self._act([Swap(old, new)], seconds)
        return new

    # What joins them

    def draw(self, *links: Link, seconds: float = 0.6) -> None:
        """Lines grow from their starts, and their heads appear."""
        self._act([part for line in links for part in self._drawn(line)], seconds)

    @staticmethod
    def _drawn(line: Link) -> list[Animation]:
        labels = [FadeIn(line.label)] if line.label is not None else []
        # The tip is not there before the line is.
        return [Draw(line.line), *labels, FadeIn(line.tip, rate_func=_late)]

    def link(
        self, start: Mobject, end: Mobject, color: str | None = None, *, sides: tuple[str, str] = ("", ""),
        label: VMobject | None = None, seconds: float = 0.6,
    ) -> Link:  # fmt: skip
        """Draw a line from one thing to another; it finds a free way around what else is on screen. Returns it."""
        made = link(start, end, self.obstacles(start, end), color, sides=sides, label=label)
        self.draw(made, seconds=seconds)
        return made

    def fan(
        self, source: Mobject, ends: Sequence[Mobject], colors: Sequence[str], labels: Sequence[VMobject] = (), *,
        seconds: float = 0.6,
    ) -> list[Link]:  # fmt: skip
        """Draw lines from one thing to several, one after the other, none across another. Returns them."""
        links = fan(source, ends, colors, labels)
        for line in links:
            self.draw(line, seconds=seconds)
        return links

    def trace(self, sources: Sequence[Mobject], targets: Sequence[Mobject], *, seconds: float = 1.4) -> None:
        """Copies of things travel to others in formation, in a free lane, and become them: they cross no text.

        The others appear when the copies arrive. Copies that find no free lane fade where they are.
        """
        copies = Group(*(_bare(source.copy()) for source in sources))
        for target in targets:
            set_shade(target, 0.0)
        here = set(map(id, self.get_mobject_family_members()))
        self.add(*(t for t in targets if not any(id(part) in here for part in t.get_family())))
        self._act([Travel(copies, targets, self._lane(copies, Group(*targets)))], seconds)

    def _lane(self, copies: Mobject, targets: Mobject) -> Any:
        """Corners from the middle of what travels to where it goes: straight, or around all texts, or None."""
        texts = [box_around(text) for text in self._texts()]
        start, end = (tuple(map(float, thing.get_center()[:2])) for thing in (copies, targets))
        sizes = [(float(thing.width), float(thing.height)) for thing in (copies, targets)]
        kept = [box for box in texts if not any(meet(box, box_around(thing)) for thing in (copies, targets))]
        if all(not meet(box, swept) for swept in _swept(start, end, *sizes) for box in kept):
            return [start, end]
        room = max(sizes)
        way = free_way(copies, targets, [text for text in self._texts() if box_around(text) in kept], room=room)
        return None if way is None else [start, *way, end]

    def obstacles(self, *but: Mobject) -> list[Mobject]:
        """The boxes on screen that a line must not cross: of things, or of the parts of what holds one of `but`."""
        kept = {id(part) for thing in but for part in thing.get_family()}
        found: list[Mobject] = []

        def collect(thing: Mobject) -> None:
            if id(thing) in kept:
                return
            family = thing.get_family()
            if any(id(part) in kept for part in family):
                for part in thing.submobjects:
                    collect(part)
            elif any(len(part.points) for part in family) and not _holds(thing, but):
                found.append(thing)

        for thing in self.mobjects:
            collect(thing)
        return found

    def _texts(self) -> list[Mobject]:
        return [m for m in self.get_mobject_family_members() if isinstance(m, TextLine) and m.get_fill_opacity() > 0]


def _holds(thing: Mobject, inner: Sequence[Mobject]) -> bool:
    """Whether one of some things stands on another: on its page, its card, its board."""
    low, high = thing.get_corner((-1, -1, 0)), thing.get_corner((1, 1, 0))
    middles = [each.get_center() for each in inner]
    return any(low[0] < x < high[0] and low[1] < y < high[1] for x, y, _ in middles)


def _bare(copy: Mobject) -> Mobject:
    """A copy without what of it is not to be seen."""
    for part in copy.get_family():
        part.submobjects = [below for below in part.submobjects if opacity_of(below) > 0]
    return copy


def _swept(start: Any, end: Any, one: tuple[float, float], other: tuple[float, float]) -> Iterator[Box]:
    """Boxes of what travels straight from a start to an end, where it changes its size from one to another."""
    for share in np.linspace(0, 1, 21):
        x, y, width, height = (a + share * (b - a) for a, b in zip((*start, *one), (*end, *other), strict=True))
        yield (x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _late(alpha: float) -> float:
    return max(0.0, 5 * alpha - 4)


def _vector(shift: Any) -> Any:
    x, y, *_ = shift
    return np.array([x, y, 0.0])
