"""Stills and their times as moving pictures: GIF, AVIF, lossless WebP, MP4.

All are made from raw frames. GIF: one palette over all frames without dither, then gifsicle. AVIF: 4:4:4, so that
colours keep their place. WebP: every pixel as drawn. MP4: H.264, yuv420p, which plays everywhere.
"""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.filter import Graph
from av.video.reformatter import ColorRange, Colorspace
from PIL import Image, features

from scripts.studio.frame_store import Frame, FrameStore, Showing
from scripts.studio.video import tag_language

KINDS = ("gif", "webp", "avif", "mp4")
_TICK = Fraction(1, 100)
# ISO/IEC 23091-2 code points: BT.709 primaries, transfer and matrix.
_BT709 = 1


class FormatError(RuntimeError):
    """A file could not be made."""


@dataclass(frozen=True)
class Look:
    """How a file is made: what a byte budget may lower.

    `detail` is the GIF's number of colours, the AVIF's quality, the MP4's constant rate factor; nothing for WebP.
    """

    width: int
    height: int
    fps: int
    detail: int

    def told(self, kind: str) -> str:
        """What was chosen, in words."""
        detail = {"gif": f"{self.detail} colours", "avif": f"quality {self.detail}", "mp4": f"crf {self.detail}"}
        return f"{self.width}x{self.height}, {self.fps} fps, {detail.get(kind, 'lossless')}"


def lowered_details(kind: str, colours: int) -> tuple[int, ...]:
    """What `detail` may be, best first; the first is what is tried at full rate and size."""
    if kind == "gif":
        return (colours, *(n for n in (128, 64, 32) if n < colours))
    return {"webp": (0,), "avif": (65, 50, 35), "mp4": (22, 27, 32)}[kind]


def frames_of(store: FrameStore, stills: tuple[int, ...], look: Look) -> Iterator[Frame]:
    """The stills at a look's size, (height, width, 3)."""
    return (sized(store.still(still), look) for still in stills)


def sized(frame: Frame, look: Look) -> Frame:
    """A frame at a look's size: each new pixel is the mean of the area that it covers."""
    if frame.shape[:2] == (look.height, look.width):
        return frame
    smaller = Image.fromarray(frame).resize((look.width, look.height), Image.Resampling.BOX)
    return np.asarray(smaller)


def tools_missing(kinds: tuple[str, ...]) -> list[str]:
    """What these kinds of file need and this machine has not."""
    missing = ["gifsicle"] if "gif" in kinds and shutil.which("gifsicle") is None else []
    for kind in ("avif", "webp"):
        if kind in kinds and not features.check(kind):
            missing.append(f"Pillow with {kind.upper()} (the wheels from `make setup` have it)")
    return missing


def encode(kind: str, target: Path, store: FrameStore, shown: Showing, look: Look, loops: int) -> None:
    """Write a file of a kind. `loops` 0 is for ever. Raises: FormatError."""
    writers: dict[str, Callable[[Path, FrameStore, Showing, Look, int], None]] = {
        "gif": write_gif, "webp": write_webp, "avif": write_avif, "mp4": write_mp4,
    }  # fmt: skip
    writers[kind](target, store, shown, look, loops)


def write_gif(target: Path, store: FrameStore, shown: Showing, look: Look, loops: int) -> None:
    """A GIF with one palette of all its colours, no dither, made smaller by gifsicle."""
    palette = _palette(frames_of(store, shown.stills, look), look)
    # ffmpeg counts repetitions after the first showing, and -1 plays once.
    loop = 0 if loops == 0 else loops - 1 or -1
    raw = target.with_suffix(".raw.gif")
    options = {"loop": str(loop), "final_delay": str(shown.delays[-1])}
    with av.open(str(raw), "w", format="gif", options=options) as output:
        stream = output.add_stream("gif", rate=100)
        stream.width, stream.height, stream.pix_fmt = look.width, look.height, "pal8"
        stream.time_base = stream.codec_context.time_base = _TICK
        at = 0
        for mapped, delay in zip(
            _mapped(frames_of(store, shown.stills, look), palette, look), shown.delays, strict=True
        ):
            mapped.pts, mapped.time_base = at, _TICK
            output.mux(stream.encode(mapped))
            at += delay
        output.mux(stream.encode(None))
    # Without --lossy: a seventh more bytes, and no pixel other than the palette makes it.
    _run("gifsicle", "--no-warnings", "-O3", str(raw), "-o", str(target))
    raw.unlink()


def _source(graph: Graph, look: Look) -> Any:
    return graph.add_buffer(width=look.width, height=look.height, format=av.VideoFormat("rgb24"), time_base=_TICK)


def _palette(frames: Iterator[Frame], look: Look) -> av.VideoFrame:
    graph = Graph()
    source, end = _source(graph, look), graph.add("buffersink")
    maker = graph.add("palettegen", f"max_colors={look.detail}:reserve_transparent=0:stats_mode=full")
    source.link_to(maker)
    maker.link_to(end)
    graph.configure()
    found: list[av.VideoFrame] = []
    for number, frame in enumerate(frames):
        source.push(_picture(frame, number))
        # Nothing comes before the last frame, but unless something is asked for, all frames wait in memory.
        found += _pulled(end)
    source.push(None)
    found += _pulled(end)
    return found[0]


def _mapped(frames: Iterator[Frame], palette: av.VideoFrame, look: Look) -> Iterator[av.VideoFrame]:
    """The frames in the palette's colours, each one the nearest."""
    graph = Graph()
    source = _source(graph, look)
    colours = graph.add_buffer(width=16, height=16, format=palette.format, time_base=_TICK)
    mapper, end = graph.add("paletteuse", "dither=none:diff_mode=rectangle"), graph.add("buffersink")
    source.link_to(mapper, 0, 0)
    colours.link_to(mapper, 0, 1)
    mapper.link_to(end)
    graph.configure()
    palette.pts, palette.time_base = 0, _TICK
    colours.push(palette)
    colours.push(None)
    for number, frame in enumerate(frames):
        source.push(_picture(frame, number))
        yield from _pulled(end)
    source.push(None)
    yield from _pulled(end)


def _pulled(end: Any) -> Iterator[av.VideoFrame]:
    while True:
        try:
            yield end.pull()
        except (av.BlockingIOError, av.EOFError):
            return


def _picture(frame: Frame, number: int) -> av.VideoFrame:
    picture = av.VideoFrame.from_ndarray(np.ascontiguousarray(frame), format="rgb24")
    picture.pts, picture.time_base = number, _TICK
    return picture


class _Moving(Image.Image):
    """Frames as Pillow's writers want them, one in memory at a time."""

    def __init__(self, store: FrameStore, stills: tuple[int, ...], look: Look) -> None:
        super().__init__()
        self._store, self._stills, self._look = store, stills, look
        self.n_frames, self.is_animated = len(stills), len(stills) > 1
        self._mode, self._size = "RGB", (look.width, look.height)
        self._frame = -1
        self.seek(0)

    def seek(self, frame: int) -> None:
        if not 0 <= frame < self.n_frames:
            raise EOFError(f"there are {self.n_frames} frames")
        if frame != self._frame:
            self._frame = frame
            self.im = Image.fromarray(sized(self._store.still(self._stills[frame]), self._look)).im

    def tell(self) -> int:
        return self._frame


def _save(target: Path, kind: str, store: FrameStore, shown: Showing, look: Look, **options: Any) -> None:
    moving = _Moving(store, shown.stills, look)
    durations = [10 * delay for delay in shown.delays]
    try:
        moving.save(target, kind.upper(), save_all=True, duration=durations, **options)
    except (OSError, ValueError) as problem:
        raise FormatError(f"{target.name}: {problem}") from None


def write_webp(target: Path, store: FrameStore, shown: Showing, look: Look, loops: int) -> None:
    """A lossless WebP: every pixel as drawn (at a lowered size, as scaled)."""
    # Key frames only make it larger: nobody seeks in it. 0 means none after the first.
    _save(target, "webp", store, shown, look, loop=loops, lossless=True, quality=50, method=3, kmin=0, kmax=0)


def write_avif(target: Path, store: FrameStore, shown: Showing, look: Look, loops: int) -> None:
    """An AVIF with full colour resolution. Its writer has no number of loops: it plays for ever."""
    _save(target, "avif", store, shown, look, quality=look.detail, speed=7, subsampling="4:4:4", max_threads=2)


def write_mp4(target: Path, store: FrameStore, shown: Showing, look: Look, loops: int) -> None:
    """A small H.264 film at one constant rate, yuv420p, BT.709, its index before its data."""
    with av.open(str(target), "w", format="mp4", options={"movflags": "+faststart"}) as output:
        stream = output.add_stream("libx264", rate=look.fps)
        if store.language:
            tag_language(stream, store.language)
        stream.width, stream.height, stream.pix_fmt = look.width, look.height, "yuv420p"
        tick = stream.time_base = stream.codec_context.time_base = Fraction(1, look.fps)
        stream.options = {"preset": "slow", "crf": str(look.detail), "tune": "animation", "threads": "2"}
        context: Any = stream.codec_context
        context.color_primaries = context.color_trc = context.colorspace = _BT709
        context.color_range = int(ColorRange.MPEG)
        at = frames = 0
        for frame, delay in zip(frames_of(store, shown.stills, look), shown.delays, strict=True):
            at += delay
            picture = _picture(frame, 0).reformat(
                format="yuv420p", dst_colorspace=Colorspace.ITU709, src_color_range=ColorRange.JPEG,
                dst_color_range=ColorRange.MPEG,
            )  # fmt: skip
            while frames < round(at * look.fps / 100):
                picture.pts, picture.time_base = frames, tick
                output.mux(stream.encode(picture))
                frames += 1
        output.mux(stream.encode(None))


def _run(*command: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False)
    except FileNotFoundError:
        raise FormatError(f"{command[0]} is not installed; install it: make setup") from None
    if done.returncode:
        raise FormatError(f"{command[0]} failed: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")


def delays_of(path: Path) -> list[int]:
    """The times of a GIF's, WebP's or AVIF's frames, in hundredths of a second."""
    delays = []
    with Image.open(path) as image:
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            # A WebP frame's time is known only once it is decoded.
            image.load()
            delays.append(round(image.info.get("duration", 0) / 10))
    return delays


def seconds_of(path: Path) -> float:
    """How long one round of a file lasts."""
    if path.suffix != ".mp4":
        return sum(delays_of(path)) / 100
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        return float(sum(1 for packet in container.demux(stream) if packet.size) / (stream.average_rate or 1))


def frames_in(path: Path) -> Iterator[tuple[Frame, float]]:
    """A file's frames as they are decoded, (height, width, 3) each, with the seconds that each stays."""
    if path.suffix == ".mp4":
        with av.open(str(path)) as container:
            seconds = float(1 / (container.streams.video[0].average_rate or 1))
            for decoded in container.decode(video=0):
                yield np.asarray(decoded.to_ndarray(format="rgb24"), np.uint8), seconds
        return
    with Image.open(path) as image:
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            yield np.array(image.convert("RGB")), image.info.get("duration", 0) / 1000
