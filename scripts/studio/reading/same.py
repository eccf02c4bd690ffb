"""Whether two renders are the same: their decoded frames, their ledgers and what else their receipts tell of."""

import hashlib
from pathlib import Path
from typing import Any

import av
import numpy as np
from PIL import Image

from scripts.studio.files import read_json
from scripts.studio.reading.ledgers import UnusableError
from scripts.studio.video import VideoError

_MOVING = (".mp4", ".gif", ".webp")
# When and how fast a film was made is not what it is.
_APART = ("work", "inputs")


def frame_digests(path: Path) -> list[str]:
    """SHA-256 of every decoded frame with the time at which it is shown.  Raises: VideoError."""
    try:
        if path.suffix == ".mp4":
            with av.open(str(path)) as film:
                return [
                    _digest(frame.to_ndarray(), int(frame.pts or 0)) for frame in film.decode(film.streams.video[0])
                ]
        with Image.open(path) as image:
            digests = []
            for number in range(getattr(image, "n_frames", 1)):
                image.seek(number)
                digests.append(_digest(np.asarray(image.convert("RGBA")), int(image.info.get("duration", 0))))
            return digests
    except (av.FFmpegError, IndexError, OSError, ValueError, SyntaxError) as problem:
        raise VideoError(f"{path.name} is not a video file: {problem}") from None


def sound_digest(path: Path) -> str:
    """SHA-256 of a film's coded sound; empty where there is none.  Raises: VideoError."""
    try:
        with av.open(str(path)) as film:
            if not film.streams.audio:
                return ""
            whole = hashlib.sha256()
            for packet in film.demux(film.streams.audio[0]):
                whole.update(bytes(packet))
            return whole.hexdigest()
    except (av.FFmpegError, IndexError, OSError, ValueError) as problem:
        raise VideoError(f"{path.name} is not a video file: {problem}") from None


def _digest(pixels: Any, time: int) -> str:
    return hashlib.sha256(np.ascontiguousarray(pixels).tobytes() + str(time).encode()).hexdigest()


def differences(one: Path, other: Path) -> tuple[int, list[str]]:
    """How many files were compared, and a line for each that differs.  Raises: UnusableError, VideoError."""
    pairs = _pairs(one, other)
    found = []
    for first, second in pairs:
        if first.name.endswith(".receipt.json"):
            found += _receipts(first, second)
        elif first.suffix in _MOVING:
            digests = frame_digests(first), frame_digests(second)
            if digests[0] != digests[1]:
                found.append(_frames_told(first.name, *digests))
            elif first.suffix == ".mp4" and sound_digest(first) != sound_digest(second):
                found.append(f"{first.name}: the sound differs")
        elif first.read_bytes() != second.read_bytes():
            found.append(f"{first.name}: the files differ")
    return len(pairs), found


def _pairs(one: Path, other: Path) -> list[tuple[Path, Path]]:
    for path in (one, other):
        if not path.exists():
            raise UnusableError(f"no such file or folder: {path}; name two films, or two folders of films")
    if one.is_file() != other.is_file():
        raise UnusableError(
            f"cannot compare a film with a folder ({one}, {other}); name two films, or two folders of films"
        )
    if one.is_file():
        return [(one, other)]
    trees = [
        {p.relative_to(root) for p in root.rglob("*") if p.is_file() and p.suffix != ".log"} for root in (one, other)
    ]
    alone = sorted(map(str, trees[0] ^ trees[1]))
    if alone:
        raise UnusableError(f"only in one of {one} and {other}: {', '.join(alone[:3])}")
    if not trees[0]:
        raise UnusableError(f"{one} holds no film; name two films, or two folders of films")
    return [(one / name, other / name) for name in sorted(trees[0])]


def _frames_told(name: str, one: list[str], other: list[str]) -> str:
    if len(one) != len(other):
        return f"{name}: {len(one)} frames in one, {len(other)} in the other"
    apart = [number for number, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]]
    return f"{name}: {len(apart)} of {len(one)} frames differ, the first is frame {apart[0]}"


def _receipts(first: Path, second: Path) -> list[str]:
    """What two receipts tell differently, but for the files' own digests, which are compared themselves."""
    receipts = [read_json(path) for path in (first, second)]
    if not all(isinstance(receipt, dict) for receipt in receipts):
        raise UnusableError(f"{first} is not valid JSON")
    for receipt in receipts:
        # Where it was put is not what it is.
        (receipt.get("configuration") or {}).pop("out", None)
    left, right = receipts
    keys = sorted({*left, *right} - {*_APART, "outputs", "pieces"})
    apart = [key for key in keys if left.get(key) != right.get(key)]
    one, other = (receipt.get("inputs") or {} for receipt in receipts)
    apart += [f"inputs.{kind}" for kind in sorted({*one, *other}) if one.get(kind) != other.get(kind)]
    return [f"{first.name}: {', '.join(apart)} differ"] if apart else []
