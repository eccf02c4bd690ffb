"""Large areas that flash: measured on raw frames, by relative luminance.

The limits are those of WCAG 2.2, "three flashes or below threshold": a flash is a pair of opposing changes of relative
luminance by 0.1 or more, where the darker is below 0.8; more than three within a second over more than a quarter of the
picture can harm.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scripts.studio.frame_store import Frame

CHANGE, DARKER, AREA, FLASHES = 0.1, 0.8, 0.25, 3
# Every third pixel of every third row is enough for areas.
_STEP, _CELLS = 3, (27, 48)


def _linear() -> NDArray[np.float32]:
    value = np.arange(256) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32)


_LINEAR = _linear()
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722], np.float32)


def luminance(frame: Frame) -> NDArray[np.float32]:
    """Relative luminance (0 to 1) of the cells of a coarse grid over a frame."""
    light = _LINEAR[frame[::_STEP, ::_STEP, :3]] @ _LUMINANCE
    rows, columns = (min(n, size) for n, size in zip(_CELLS, light.shape, strict=True))
    cropped = light[: light.shape[0] // rows * rows, : light.shape[1] // columns * columns]
    cells = cropped.reshape(rows, cropped.shape[0] // rows, columns, -1).mean(axis=(1, 3))
    return np.asarray(cells, np.float32)


@dataclass(frozen=True)
class Flashing:
    """The worst second: flashes over more than a quarter of the picture, and the frame at which they end."""

    flashes: float
    frame: int

    @property
    def harmful(self) -> bool:
        return self.flashes > FLASHES


class FlashMeter:
    """Counts flashes cell by cell in a sliding second."""

    def __init__(self, fps: int) -> None:
        self.fps = fps
        self.frame = 0
        self.worst = Flashing(0, 0)
        self._low: NDArray[np.float32] | None = None
        self._recent: deque[tuple[int, NDArray[np.bool_]]] = deque()

    def see(self, light: NDArray[np.float32], repeat: int = 1) -> None:
        """Take the luminance of a frame's cells, shown `repeat` times."""
        if self._low is None:
            # The darkest and brightest since a cell's last change, and the direction of that change.
            self._low, self._high = light.copy(), light.copy()
            self._way = np.zeros(light.shape, np.int8)
            self._count = np.zeros(light.shape, np.int16)
        else:
            self._compare(light)
        self.frame += repeat

    def _compare(self, light: NDArray[np.float32]) -> None:
        assert self._low is not None
        up = (light - self._low >= CHANGE) & (self._low < DARKER) & (self._way != 1)
        down = (self._high - light >= CHANGE) & (light < DARKER) & (self._way != -1)
        turned = up | down
        self._way[up], self._way[down] = 1, -1
        self._low = np.where(turned, light, np.minimum(self._low, light))
        self._high = np.where(turned, light, np.maximum(self._high, light))
        while self._recent and self._recent[0][0] <= self.frame - self.fps:
            self._count -= self._recent.popleft()[1]
        if turned.any():
            self._recent.append((self.frame, turned))
            self._count += turned
            # So many changes, at least, have more than a quarter of the cells.
            ranked = np.sort(self._count, axis=None)[::-1]
            flashes = float(ranked[int(ranked.size * AREA)]) / 2
            if flashes > self.worst.flashes:
                self.worst = Flashing(flashes, self.frame)


class Light:
    """A sink that keeps the luminance of every frame, so that any stretch can be judged."""

    def __init__(self, fps: int) -> None:
        self.fps = fps
        self._seen: list[tuple[int, NDArray[np.float32]]] = []
        self._frames = 0

    def write(self, frame: Frame, repeat: int) -> None:
        self._seen.append((self._frames, luminance(frame)))
        self._frames += repeat

    def worst(self, start: int, stop: int) -> Flashing:
        """The worst second of frames `start` to `stop`, counted from `start`."""
        meter = FlashMeter(self.fps)
        ends = [at for at, _ in self._seen[1:]] + [self._frames]
        for (at, light), end in zip(self._seen, ends, strict=True):
            first, last = max(at, start), min(end, stop)
            if first < last:
                meter.see(light, last - first)
        return meter.worst
