"""The look with which a file fits its bytes: frame rate is lowered first, then size, then colours.

A full encoding is slow, so what a step would save is estimated from a few short stretches of the film.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from scripts.studio.frame_store import FrameStore, Showing, showing
from scripts.studio.media_kinds import Look, encode, lowered_details

MEGABYTE = 1_000_000
# Lowered in this order, and no further than this.
_FPS_STEPS, _SIZE_STEPS = (12, 10, 8), (0.8, 0.64, 0.5)
# Only for a limit of frames, which nothing else helps to keep.
_SLOW_STEPS = (6, 5)
# Stretches of the sample, and stills in each; a film of fewer stills than twice all of them is encoded whole.
_STRETCHES, _LENGTH = 4, 12
# A step is tried when it is estimated to come this near to the budget.
_HOPE = 1.1


@dataclass(frozen=True)
class Budget:
    """The most bytes, and the most frames (0: any number), that a file may have."""

    bytes: float
    frames: int = 0


class OverBudget(RuntimeError):
    """No look fits."""


@dataclass(frozen=True)
class Part:
    """Frames `start` to `stop` of a store drawn at `fps`, the last one held `hold` seconds more."""

    store: FrameStore
    start: int
    stop: int
    fps: int
    hold: float

    def shown(self, fps: int) -> Showing:
        return showing(self.store, self.start, self.stop, drawn=self.fps, fps=fps, hold=self.hold)


@dataclass(frozen=True)
class Fitting:
    """What was chosen, and how many full encodings it took to find it."""

    look: Look
    shown: Showing
    size: int
    encodings: int


def looks(kind: str, first: Look, *, slow: bool = False) -> list[Look]:
    """Every look that may be tried, in order; `slow` adds rates at which motion is jerky."""
    details = lowered_details(kind, first.detail)
    rates = _FPS_STEPS + (_SLOW_STEPS if slow else ())
    found = [first, *(replace(first, fps=fps) for fps in rates if fps < first.fps)]
    for share in _SIZE_STEPS:
        width = 2 * round(first.width * share / 2)
        height = 2 * round(width * first.height / first.width / 2)
        found.append(replace(found[-1], width=width, height=height))
    return found + [replace(found[-1], detail=detail) for detail in details[1:]]


def sample(shown: Showing) -> Showing | None:
    """A few stretches of neighbouring stills, or None when they would be more than half of all."""
    count = len(shown.stills)
    if count < 2 * _STRETCHES * _LENGTH:
        return None
    starts = [round(i * (count - _LENGTH) / (_STRETCHES - 1)) for i in range(_STRETCHES)]
    chosen = [n for start in starts for n in range(start, start + _LENGTH)]
    return Showing(tuple(shown.stills[n] for n in chosen), tuple(shown.delays[n] for n in chosen))


def fit(kind: str, target: Path, part: Part, first: Look, budget: Budget, loops: int) -> Fitting:
    """Write the file with the first look that fits, to `target`. Raises OverBudget with the size reached."""
    allowed = _few_enough(looks(kind, first), part, budget) or _few_enough(looks(kind, first, slow=True), part, budget)
    if not allowed:
        fps = looks(kind, first, slow=True)[-1].fps
        least = len(part.shown(fps).stills)
        raise OverBudget(f"{least} frames at {fps} fps are still more than {budget.frames}; raise gif.max_frames")
    estimates, reached, encodings = _Estimates(kind, target, part), 0, 0
    for look in allowed:
        hopeless = encodings and estimates.ratio(look, allowed[0]) * estimates.first > _HOPE * budget.bytes
        if hopeless and look is not allowed[-1]:
            continue
        shown = part.shown(look.fps)
        encode(kind, target, part.store, shown, look, loops)
        reached, encodings = target.stat().st_size, encodings + 1
        if reached <= budget.bytes:
            return Fitting(look, shown, reached, encodings)
        estimates.first = estimates.first or reached
    target.unlink()
    raise OverBudget(
        f"{reached / MEGABYTE:.2f} MB at {allowed[-1].told(kind)} is still over {budget.bytes / MEGABYTE:g} MB"
        "; raise gif.max_mb"
    )


def _few_enough(ladder: list[Look], part: Part, budget: Budget) -> list[Look]:
    return [look for look in ladder if not budget.frames or len(part.shown(look.fps).stills) <= budget.frames]


class _Estimates:
    """What looks would save, measured on the sample."""

    def __init__(self, kind: str, target: Path, part: Part) -> None:
        self.kind, self.part = kind, part
        self.path = target.with_suffix(f".sample{target.suffix}")
        # The bytes of the whole film with the first look.
        self.first = 0
        self._known: dict[Look, float] = {}

    def ratio(self, look: Look, other: Look) -> float:
        """Bytes with `look` divided by bytes with `other`: the sample's bytes a still, times the stills."""
        return self._bytes(look) / self._bytes(other)

    def _bytes(self, look: Look) -> float:
        if look not in self._known:
            shown = self.part.shown(look.fps)
            part = sample(shown) or shown
            encode(self.kind, self.path, self.part.store, part, look, 0)
            self._known[look] = self.path.stat().st_size * len(shown.stills) / len(part.stills)
            self.path.unlink()
        return self._known[look]
