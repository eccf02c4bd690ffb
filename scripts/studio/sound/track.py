"""Sound as files: a lesson's track beside its film, and the film's own AAC."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from scripts.studio.sound.loudness import RATE

# Samples that are encoded at a time: an AAC frame.
_CHUNK = 1024
_BIT_RATE = 96_000

Track = NDArray[np.int16]
"""(n,), mono, at 48 kHz; both channels of a film play it."""


def samples_until(frame: int, fps: int) -> int:
    """How many samples of sound there are before a frame; counted from the start, nothing is lost to rounding."""
    return round(Fraction(frame * RATE, fps))


def track_of(lines: Iterable[tuple[int, Track]], frames: int, fps: int) -> Track:
    """A track exactly as long as `frames` of picture, with each line from the frame at which its beat starts."""
    track = np.zeros(samples_until(frames, fps), np.int16)
    for frame, line in lines:
        start = samples_until(frame, fps)
        stop = min(len(track), start + len(line))
        track[start:stop] = line[: stop - start]
    return track


def write_flac(path: Path, track: Track) -> None:
    """Write a track without loss, 48 kHz stereo."""
    with av.open(str(path), "w", format="flac") as output:
        stream: Any = output.add_stream("flac", rate=RATE, layout="stereo", format="s16")
        for packet in _encoded(stream, track, "s16"):
            output.mux(packet)


def read_flac(path: Path) -> Track:
    """The track of a file that `write_flac` wrote."""
    with av.open(str(path)) as container:
        parts = [np.asarray(frame.to_ndarray())[0, ::2] for frame in container.decode(audio=0)]
    return np.concatenate([np.zeros(0, np.int16), *parts]).astype(np.int16)


class AacTrack:
    """The sound of a film that is being written: its packets come as its picture goes on."""

    def __init__(self, container: Any, track: Track, language: str) -> None:
        # The quick search for a coding is nearer to the samples (38 dB, not 29), in a third of the time.
        self._stream: Any = container.add_stream(
            "aac", rate=RATE, options={"aac_coder": "fast"}, layout="stereo", format="fltp"
        )
        self._stream.bit_rate = _BIT_RATE
        self._stream.metadata["language"] = language
        self._container = container
        self._packets = _encoded(self._stream, track, "fltp")
        self._waiting: Any = None

    def until(self, seconds: float | Fraction | None) -> None:
        """Write the sound before a time, or with None all that is left, so that a player finds both side by side."""
        while True:
            packet = self._waiting or next(self._packets, None)
            self._waiting = None
            if packet is None:
                return
            if seconds is not None and packet.pts * packet.time_base > seconds:
                self._waiting = packet
                return
            self._container.mux(packet)


def _encoded(stream: Any, track: Track, form: str) -> Iterator[Any]:
    for start in range(0, len(track), _CHUNK):
        part = track[start : start + _CHUNK]
        if form == "s16":
            values: NDArray[Any] = np.repeat(part, 2)[None]
        else:
            values = np.stack([part, part]).astype(np.float32) / 32768
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(values), format=form, layout="stereo")
        frame.sample_rate, frame.pts, frame.time_base = RATE, start, Fraction(1, RATE)
        yield from stream.encode(frame)
    yield from stream.encode(None)


def joined(tracks: Sequence[Track | None], frames: Sequence[int], fps: int) -> Track:
    """The tracks of films one after the other, each exactly as long as its picture; a film without one is silent."""
    total = samples_until(sum(frames), fps)
    whole = np.zeros(total, np.int16)
    at = 0
    for track, length in zip(tracks, frames, strict=True):
        start, stop = samples_until(at, fps), samples_until(at + length, fps)
        if track is not None:
            whole[start : start + min(len(track), stop - start)] = track[: stop - start]
        at += length
    return whole
