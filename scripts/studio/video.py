"""Frames to files: H.264 films, checked after they are written, and joined."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace, Interpolation, VideoReformatter
from numpy.typing import NDArray

from scenes.settings import Quality
from scripts.studio.sound.loudness import RATE
from scripts.studio.sound.track import AacTrack, Track

Frame = NDArray[np.uint8]

# ISO/IEC 23091-2 code points: BT.709 primaries, transfer and matrix.
_BT709 = 1
# ISO 639-2/T, as MP4 has it, for the languages of our words.
_LANGUAGES = {"en": "eng", "zh": "zho"}
# Films up to this height are drafts: encoded faster, not worse (SSIM) than manim's, in more bytes.
DRAFT_HEIGHT = 480


class VideoError(RuntimeError):
    """A film could not be written, or is not what it should be."""


def tag_language(stream: Any, language: str) -> None:
    """Say in which language a stream is, so that players name it."""
    stream.metadata["language"] = _LANGUAGES[language]


class Mp4Sink:
    """Writes H.264, yuv420p, BT.709, its index before its data; one constant frame rate, unless `variable`.

    With a variable rate a held picture is written when it appears and once more where it ends.
    """

    def __init__(self, path: Path, quality: Quality, language: str, *, variable: bool = False) -> None:
        if quality.width % 2 or quality.height % 2:
            raise VideoError(f"{quality.width}x{quality.height} cannot be encoded: both sides must be even")
        self.path = path
        self._container = av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"})
        stream = self._container.add_stream("libx264", rate=quality.fps)
        tag_language(stream, language)
        stream.width, stream.height, stream.pix_fmt = quality.width, quality.height, "yuv420p"
        # The container may choose a finer unit for itself once its header is written.
        self._tick = stream.time_base = stream.codec_context.time_base = Fraction(1, quality.fps)
        # A key frame at least every other second, so that a viewer can jump to any beat.
        stream.codec_context.gop_size = 2 * quality.fps
        # One thread each: lessons are rendered side by side, and the bytes do not depend on the machine.
        preset, crf = ("superfast", "24") if quality.height <= DRAFT_HEIGHT else ("veryfast", "19")
        # No frames predicted from later ones, and a short search: a quarter less time at no less SSIM, in more bytes.
        stream.options = {"preset": preset, "crf": crf, "bf": "0", "subq": "1", "threads": "1"}
        context: Any = stream.codec_context
        context.color_primaries = context.color_trc = context.colorspace = _BT709
        context.color_range = int(ColorRange.MPEG)
        self._stream, self._reformatter = stream, VideoReformatter()
        self.variable, self.frames, self.written = variable, 0, 0

    def write(self, frame: Frame, repeat: int) -> None:
        # Averaging four pixels costs what the default does and is exact but for rounding: 62 dB of chroma, not 55.
        picture = self._reformatter.reformat(
            av.VideoFrame.from_numpy_buffer(frame, format="rgba"), format="yuv420p", dst_colorspace=Colorspace.ITU709,
            src_color_range=ColorRange.JPEG, dst_color_range=ColorRange.MPEG, interpolation=Interpolation.AREA,
            threads=1,
        )  # fmt: skip
        shown = dict.fromkeys((0, repeat - 1)) if self.variable else range(repeat)
        for number in shown:
            picture.pts = self.frames + number
            picture.time_base = self._tick
            self._container.mux(self._stream.encode(picture))
            self.written += 1
        self.frames += repeat

    def close(self) -> None:
        """Finish the file; without it the file is not a film."""
        self._container.mux(self._stream.encode(None))
        self._container.close()


class LastFrame:
    """Keeps the newest frame, for posters: after the last one, the finished canvas."""

    def __init__(self) -> None:
        self.frame: Frame | None = None

    def write(self, frame: Frame, repeat: int) -> None:
        self.frame = frame


@dataclass(frozen=True)
class Probe:
    """What a finished film really holds."""

    codec: str
    pixels: str
    width: int
    height: int
    fps: Fraction
    frames: int
    """Packets; fewer than `length` where the frame rate is variable."""
    last: Fraction
    """Seconds from the first picture to the last."""
    sound: Fraction | None
    """Seconds of sound; None for a silent film."""

    def length(self, fps: int) -> int:
        """Frames of a constant rate that the film fills."""
        return round(self.last * fps) + 1


def probe(path: Path) -> Probe:
    """Read a film's facts, counting its packets. Raises VideoError for anything that is no film."""
    try:
        with av.open(str(path)) as container:
            stream = container.streams.video[0]
            context = stream.codec_context
            times = [packet.pts for packet in container.demux(stream) if packet.size and packet.pts is not None]
            rate = stream.average_rate or Fraction(0)
            return Probe(
                codec=context.name,
                pixels=context.pix_fmt or "",
                width=context.width,
                height=context.height,
                fps=Fraction(rate),
                frames=len(times),
                last=(max(times) - min(times)) * Fraction(stream.time_base or 0),
                sound=_seconds(container.streams.audio[0]) if container.streams.audio else None,
            )
    except (av.FFmpegError, IndexError, ValueError, OSError) as problem:
        raise VideoError(f"{path.name} is not a video file: {problem}") from None


def _seconds(stream: Any) -> Fraction:
    return Fraction(stream.duration or 0) * Fraction(stream.time_base or 0)


@dataclass(frozen=True)
class ChapterMark:
    """A named stretch of the joined film, in frames."""

    title: str
    start: int
    stop: int


def join(
    parts: Sequence[tuple[Path, int]],
    target: Path,
    fps: int,
    language: str,
    chapters: Sequence[ChapterMark] = (),
    title: str = "",
    track: Track | None = None,
) -> int:
    """Put films of one size and rate, each with its length in frames, one after the other without encoding again.

    Their sound is `track`, which is encoded once, so that none of it drifts. Returns the number of pictures.
    """
    total = packets = 0
    options = {"movflags": "+faststart"}
    if track is not None:
        # Else the sound's end would be rounded to whole milliseconds.
        options["movie_timescale"] = str(RATE)
    with av.open(str(target), "w", format="mp4", options=options) as output:
        if title:
            output.metadata["title"] = title
        stream = sound = None
        for part, length in parts:
            with av.open(str(part)) as source:
                incoming = source.streams.video[0]
                if stream is None:
                    stream = output.add_stream_from_template(incoming)
                    tag_language(stream, language)
                    shape = (incoming.codec_context.width, incoming.codec_context.height)
                    sound = None if track is None else AacTrack(output, track, _LANGUAGES[language])
                if (incoming.codec_context.width, incoming.codec_context.height) != shape:
                    raise VideoError(f"{part.name} differs in size from the films before it")
                offset = round(Fraction(total, fps) / (incoming.time_base or Fraction(1, fps)))
                for packet in source.demux(incoming):
                    if packet.size == 0 or packet.pts is None or packet.dts is None:
                        continue
                    packet.pts += offset
                    packet.dts += offset
                    packet.stream = stream
                    if sound is not None:
                        sound.until(packet.dts * Fraction(incoming.time_base or 0))
                    output.mux(packet)
                    packets += 1
                total += length
        if sound is not None:
            sound.until(None)
        marks: list[Any] = [
            {
                "id": number,
                "start": chapter.start,
                "end": chapter.stop,
                "time_base": Fraction(1, fps),
                "metadata": {"title": chapter.title},
            }
            for number, chapter in enumerate(chapters)
        ]
        if marks:
            output.set_chapters(marks)
    return packets
