"""The pictures of a finished film or GIF, decoded once, in order, by frame number."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scenes.formats import Canvas, current_format
from scripts.studio.video import VideoError

Floats = NDArray[np.float64]
# BT.709: luma's shares of red, green and blue, and from luma and chroma to red, green and blue.
_LUMA = np.array([0.2126, 0.7152, 0.0722])
_TO_RGB = np.array([[1.0, 0.0, 1.5748], [1.0, -0.1873, -0.4681], [1.0, 1.8556, 0.0]])


@dataclass(frozen=True)
class Picture:
    """A decoded frame: luma (height, width) at full resolution, chroma (height, width, 2) at full or half; 0 to 255."""

    luma: Floats
    chroma: Floats

    @property
    def height(self) -> int:
        return int(self.luma.shape[0])

    @cached_property
    def canvas(self) -> Canvas:
        """How it shows the frame of the format in force."""
        return current_format().canvas(self.luma.shape[1], self.height)

    @property
    def unit(self) -> float:
        """Pixels of a frame unit."""
        return self.canvas.unit

    def at(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Column and row, from the upper left corner, of places in frame units."""
        return self.canvas.at(x, y)

    @cached_property
    def rgb(self) -> Floats:
        """(height, width, 3), not clipped."""
        chroma = self.chroma
        if chroma.shape[0] != self.height:
            chroma = chroma.repeat(2, axis=0).repeat(2, axis=1)
        found: Floats = np.concatenate([self.luma[..., None], chroma], axis=-1) @ _TO_RGB.T
        return found

    def colours(self, columns: Floats, rows: Floats) -> Floats:
        """(n, 3): the colours at places in pixels, between the middles of pixels."""
        x = np.clip(columns - 0.5, 0, self.rgb.shape[1] - 1.001)
        y = np.clip(rows - 0.5, 0, self.rgb.shape[0] - 1.001)
        i, j = y.astype(int), x.astype(int)
        v, u = (y - i)[..., None], (x - j)[..., None]
        rgb = self.rgb
        upper, lower = rgb[i, j] * (1 - u) + rgb[i, j + 1] * u, rgb[i + 1, j] * (1 - u) + rgb[i + 1, j + 1] * u
        found: Floats = upper * (1 - v) + lower * v
        return found


def pictures(path: Path, fps: int, wanted: Iterable[int]) -> Iterator[tuple[int, Picture]]:
    """The wanted frames of a film in order, by number; of a variable rate, the picture that stands there.

    Raises VideoError for what is no film, or ends before the last wanted frame.
    """
    waiting: list[int] = sorted(set(wanted))
    if path.suffix == ".gif":
        yield from _of_gif(path, fps, waiting)
        return
    shown: av.VideoFrame | None = None
    number = 0
    try:
        with av.open(str(path)) as container:
            stream = container.streams.video[0]
            stream.thread_type = "AUTO"
            tick, first = Fraction(stream.time_base or Fraction(1, fps)), stream.start_time or 0
            ends = float((stream.duration or 0) * tick * fps)
            for frame in container.decode(stream):
                number = round((int(frame.pts or 0) - first) * tick * fps)
                while waiting and waiting[0] < number and shown is not None:
                    yield waiting.pop(0), _planes(shown)
                shown = frame
                if not waiting:
                    return
            while waiting and shown is not None and waiting[0] < max(ends, number + 1):
                yield waiting.pop(0), _planes(shown)
    except (av.FFmpegError, IndexError, ValueError, OSError) as problem:
        raise VideoError(f"{path.name} is not a video file: {problem}") from None
    if waiting:
        raise VideoError(f"{path.name} ends before frame {waiting[0]}")


def _planes(frame: av.VideoFrame) -> Picture:
    if frame.format.name != "yuv420p":
        frame = frame.reformat(format="yuv420p")
    planes, height, width = frame.to_ndarray(), frame.height, frame.width
    luma = (planes[:height].astype(np.float64) - 16) * (255 / 219)
    quarter = (height // 2, width // 2)
    size = quarter[0] * quarter[1]
    flat = planes[height:].reshape(-1)
    chroma = np.stack([flat[:size].reshape(quarter), flat[size : 2 * size].reshape(quarter)], axis=-1)
    return Picture(luma, (chroma.astype(np.float64) - 128) * (255 / 224))


def drawn(pixels: NDArray[np.uint8]) -> Picture:
    """A picture of exact pixels (height, width, 3)."""
    rgb = pixels[..., :3].astype(np.float64)
    luma = rgb @ _LUMA
    chroma = np.stack([(rgb[..., 2] - luma) / 1.8556, (rgb[..., 0] - luma) / 1.5748], axis=-1)
    return Picture(luma, chroma)


def _of_gif(path: Path, fps: int, waiting: list[int]) -> Iterator[tuple[int, Picture]]:
    for _, stop, picture in gif_pictures(path):
        while waiting and 100 * (waiting[0] + 0.5) / fps < stop:
            yield waiting.pop(0), picture
    if waiting:
        raise VideoError(f"{path.name} ends before frame {waiting[0]}")


def gif_pictures(path: Path) -> Iterator[tuple[int, int, Picture]]:
    """The pictures of a GIF, each with the hundredths of a second at which it appears and goes."""
    try:
        with Image.open(path) as gif:
            now = 0
            for number in range(getattr(gif, "n_frames", 1)):
                gif.seek(number)
                stop = now + round(gif.info.get("duration", 0) / 10)
                yield now, stop, drawn(np.asarray(gif.convert("RGB")))
                now = stop
    except (OSError, ValueError, SyntaxError) as problem:
        raise VideoError(f"{path.name} is not a GIF: {problem}") from None
