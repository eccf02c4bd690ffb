"""How lines are drawn and things sent, so that the film may be paused at any moment.

Manim's `Create` starts every line as a dot; its transforms tear the letters of a text that becomes another one, and
let digits travel across other digits.
"""

from typing import Any

import numpy as np
from manim import (
    Animation,
    Create,  # noqa: TID251
    FadeIn,
    FadeOut,
    Mobject,
    ReplacementTransform,
    Scene,
    ShowPassingFlash,
    Succession,
    VGroup,
    VMobject,
    interpolate,
)
from manim.constants import CapStyleType

from scenes.kit.text import Box, TextLine

# Units that a stroke of width 1 is wide.
_STROKE = 0.01
# Manim's classes do not agree about what `interpolate_submobject` returns, so it is `Any` below.


class Draw(Create):
    """Draw a line from its start on, without the dot that a line with round ends begins as."""

    def interpolate_submobject(self, submobject: Mobject, starting_submobject: Mobject, alpha: float) -> Any:
        super().interpolate_submobject(submobject, starting_submobject, alpha)
        _no_dot(submobject, starting_submobject)


class Pulse(ShowPassingFlash):
    """A light in `color` runs along a line, as wide as the line or `width`; with `back`, from its end to its start."""

    def __init__(
        self, line: VMobject, color: str, *, width: float | None = None, back: bool = False, share: float = 0.35,
        **options: Any,
    ) -> None:  # fmt: skip
        light = VMobject().set_points(line.points[::-1] if back else line.points)
        light.joint_type, light.cap_style = line.joint_type, line.cap_style
        light.set_stroke(color, line.get_stroke_width() if width is None else width, 1)
        super().__init__(light, time_width=share, **options)

    def interpolate_submobject(self, submobject: Mobject, starting_submobject: Mobject, alpha: float) -> Any:
        super().interpolate_submobject(submobject, starting_submobject, alpha)
        _no_dot(submobject, starting_submobject)


class Carry(Animation):
    """A copy of `target` sets out from `source` on a card of its own, and lands on `target`, which then stands there.

    The card, a copy of `cells`, hides what it passes over, within `room`. It sets out as large as the text at the
    source is. With `across_first` it goes level, and then upright: cards of a column become a row and stay clear of
    each other.
    """

    def __init__(
        self, source: Mobject, target: VMobject, *cells: VMobject, across_first: bool = False, **options: Any
    ) -> None:
        self._target, self._from, self._to = target, source.get_center(), target.get_center()
        self._scale = _text_size(source) / _text_size(target)
        moving = VGroup(*(cell.copy().set_fill(opacity=1) for cell in cells), target.copy())
        size = np.array([moving.width, moving.height, 0.0]) / 2 * max(1.0, self._scale)
        ends = np.stack([self._from, self._to])
        self.room: Box = (*(ends.min(axis=0) - size)[:2].tolist(), *(ends.max(axis=0) + size)[:2].tolist())
        self._landed = [part.points.copy() for part in moving.get_family()]
        self._across_first = across_first
        super().__init__(moving, introducer=True, remover=True, **options)

    def begin(self) -> None:
        # No copy of all shapes is kept to start from, as other animations do.
        self.starting_mobject = self.mobject
        self.interpolate(0)

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        size, centre = interpolate(self._scale, 1.0, share), interpolate(self._from, self._to, share)
        if self._across_first:
            across, down = min(1.0, 2 * share), max(0.0, 2 * share - 1)
            centre = interpolate(self._from, self._to, np.array([across, down, down]))
        for part, points in zip(self.mobject.get_family(), self._landed, strict=True):
            # Before it sets out, nothing of it is seen.
            part.points = (points - self._to) * size + centre if alpha > 0 else points[:0]

    def clean_up_from_scene(self, scene: Scene) -> None:
        super().clean_up_from_scene(scene)
        scene.add(self._target)


def _text_size(mobject: Mobject) -> float:
    return next((part.drawn_size for part in mobject.get_family() if isinstance(part, TextLine)), 1.0)


def become(old: VMobject, new: VMobject) -> Animation:
    """Turn one thing into another. It moves there; if its text is another one, it fades out first, and then in."""
    said, told = (
        [(part.text, part.rows) for part in thing.get_family() if isinstance(part, TextLine)] for thing in (old, new)
    )
    if said == told:
        return ReplacementTransform(old, new)
    return Succession(FadeOut(old), FadeIn(new))


def _no_dot(shown: Mobject, whole: Mobject) -> None:
    """Give a part of a line no round ends as long as it is shorter than it is wide."""
    if isinstance(shown, VMobject) and isinstance(whole, VMobject) and len(whole.points):
        extent = float(np.ptp(shown.points[:, :2], axis=0).max())
        short = extent < min(_STROKE * whole.get_stroke_width(), float(np.ptp(whole.points[:, :2], axis=0).max()) / 2)
        shown.cap_style = CapStyleType.BUTT if short else whole.cap_style
