"""The raw frames of one pass, kept bit for bit, each different one once; and which of them is shown for how long."""

import zlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

Frame = NDArray[np.uint8]
"""(height, width, 3) or (height, width, 4), uint8."""

# Two neighbouring bytes of our pictures are nearly always equal, so the fastest level compresses nearly as well.
_LEVEL = 1
# A channel that differs by more than this is seen as another colour.
_SEEN = 16


class FrameStore:
    """A sink that keeps frames in a file of `folder`, which is deleted with the store.

    Frames are numbered as they are shown, stills by difference. `language` is that of the words in them, if any.
    """

    def __init__(self, folder: Path, language: str = "") -> None:
        self.language = language
        # Not a deleted file that is still open, which some network folders do not have.
        self._path = folder / f"frames-{id(self):x}"
        self._file = self._path.open("x+b")
        self._at: list[tuple[int, int]] = []
        self._starts: list[int] = []
        self._last = b""
        self.frames = 0
        self.width = self.height = 0

    def __enter__(self) -> "FrameStore":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        self._path.unlink(missing_ok=True)

    def write(self, frame: Frame, repeat: int) -> None:
        self.height, self.width = frame.shape[:2]
        packed = zlib.compress(frame[..., :3].tobytes(), _LEVEL)
        if packed != self._last:
            self._at.append((self._file.seek(0, 2), len(packed)))
            self._file.write(packed)
            self._starts.append(self.frames)
            self._last = packed
        self.frames += repeat

    @property
    def stills(self) -> int:
        """How many stills there are."""
        return len(self._at)

    def still(self, number: int) -> Frame:
        """A still's pixels, (height, width, 3)."""
        start, size = self._at[number]
        self._file.seek(start)
        pixels = np.frombuffer(zlib.decompress(self._file.read(size)), np.uint8)
        return pixels.reshape(self.height, self.width, 3)

    def still_at(self, frame: int) -> int:
        """The number of the still that is shown as frame number `frame`."""
        return bisect_right(self._starts, frame) - 1

    def stretches(self, start: int, stop: int) -> list[tuple[int, int]]:
        """The stills of frames `start` to `stop` (not included), each with the number of frames that it stays."""
        first, last = self.still_at(start), self.still_at(stop - 1)
        edges = [start, *self._starts[first + 1 : last + 1], stop]
        return [(first + i, b - a) for i, (a, b) in enumerate(pairwise(edges))]


@dataclass(frozen=True)
class Showing:
    """Stills in their order, each with its time in hundredths of a second, the GIF's unit."""

    stills: tuple[int, ...]
    delays: tuple[int, ...]

    @property
    def total(self) -> int:
        """Hundredths of a second of one round."""
        return sum(self.delays)


def showing(store: FrameStore, start: int, stop: int, *, drawn: int, fps: int, hold: float) -> Showing:
    """Frames `start` to `stop`, drawn at `drawn` frames a second, shown at `fps`, the last one `hold` seconds more.

    A still that stays is one entry. Every time is a whole number of hundredths, 3, 3, 4 at 30 frames a second, so that
    the sum is within one of the plan.
    """
    stills: list[int] = []
    times: list[int] = []
    shown = max(1, (stop - start) * fps // drawn)
    for k in range(shown):
        # The last frame is the finished picture, so it is not left out at a lower rate.
        frame = stop - 1 if k == shown - 1 else start + min(k * drawn // fps, stop - start - 1)
        still = store.still_at(frame)
        if not stills or stills[-1] != still:
            stills.append(still)
            times.append(100 * k // fps)
    times.append(round(100 * ((stop - start) / drawn + hold)))
    return Showing(tuple(stills), tuple(b - a for a, b in pairwise(times)))


@dataclass(frozen=True)
class Seam:
    """How the first frame differs from the last, where a loop goes from the one to the other."""

    mean: float
    """Mean difference of a channel, of 255."""
    share: float
    """Share of the pixels that are seen to differ."""

    @property
    def jumps(self) -> bool:
        """More than a twentieth of the picture changes at once."""
        return self.share > 0.05


def seam(last: Frame, first: Frame) -> Seam:
    """Compare the frames on both sides of a loop's seam."""
    apart = np.abs(last[..., :3].astype(np.int16) - first[..., :3].astype(np.int16))
    return Seam(float(apart.mean()), float((apart.max(axis=-1) > _SEEN).mean()))


def chroma_lost(frames: Sequence[Frame]) -> float:
    """Share of the pixels that get another colour when chroma has half the resolution (4:2:0), in the worst frame.

    Columns one pixel wide lose nearly all of theirs.
    """
    worst = 0.0
    for frame in frames:
        rgb = frame[: frame.shape[0] // 2 * 2, : frame.shape[1] // 2 * 2, :3].astype(np.float32)
        # Blue and red against BT.709 luma: what is stored at half the resolution.
        luma = rgb @ np.array([0.2126, 0.7152, 0.0722], np.float32)
        chroma = rgb[..., ::2] - luma[..., None]
        height, width = luma.shape
        halved = chroma.reshape(height // 2, 2, width // 2, 2, 2).mean(axis=(1, 3))
        restored = halved.repeat(2, axis=0).repeat(2, axis=1)
        worst = max(worst, float((np.abs(chroma - restored).max(axis=-1) > 2 * _SEEN).mean()))
    return worst
