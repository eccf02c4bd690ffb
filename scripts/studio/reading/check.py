"""Everything that can be verified of a finished film: files, rows, captions, and what its pixels show."""

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from mathcore.example import WorkedExample
from scenes.formats import use_format
from scenes.kit.ledger import Row
from scenes.kit.marks import DrawnMark, Mark, WaveDotMark, WaveMark, WrittenMark
from scenes.kit.text import Box
from scripts.studio.files import digest
from scripts.studio.reading.frames import Picture, pictures
from scripts.studio.reading.glyphs import Reading
from scripts.studio.reading.ledgers import Record, fresh_entry, unresolved
from scripts.studio.reading.limits import Measure
from scripts.studio.reading.pictures import measure, read_digits
from scripts.studio.reading.readers import ALONE, Others, crosses
from scripts.studio.reading.spoken import caption_faults, fresh_lines
from scripts.studio.reading.strays import strays

_NOTHING = "nothing is to be seen of "
DIGITS = ("number", "label", "text", "constant")
# How much later a picture is looked at to see whether it is changing, and the levels of luma that say so.
_LATER, _CHANGED = 2, 6.0
_Values = Sequence[tuple[Mark, float]]


@dataclass(frozen=True)
class Mismatch:
    """Something that is not as it must be."""

    film: str
    what: str
    beat: str
    frame: int
    fps: float
    told: str
    box: tuple[float, ...] | None = None
    path: str = ""

    @property
    def time(self) -> str:
        seconds, rest = divmod(self.frame, self.fps)
        return f"{int(seconds) // 60}:{int(seconds) % 60:02}.{int(rest):02}"

    def __str__(self) -> str:
        place = f" at ({', '.join(f'{v:.2f}' for v in self.box)})" if self.box else ""
        where = f"{self.film}/{self.beat} {self.time}" if self.beat else self.film
        return f"{where}: {self.what}{place}: {self.told}" + (f"; {self.path}" if self.path else "")


@dataclass
class Verdict:
    """What was found in one film; `moving` are rows that were on their way in a frame, and `paused` other frames."""

    film: str
    rows: int = 0
    resolved: int = 0
    placed: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    left: list[tuple[Row, str]] = field(default_factory=list)
    wrong: int = 0
    notices: dict[str, list[float]] = field(default_factory=dict)
    mismatches: list[Mismatch] = field(default_factory=list)
    seen: set[tuple[str, str, tuple[int, ...], str]] = field(default_factory=set)
    vanished: list[tuple[Row, int]] = field(default_factory=list)
    moving: int = 0
    frames: tuple[int, ...] = ()
    paused: "Verdict | None" = None

    @property
    def unread(self) -> Counter[str]:
        """Rows that were left unread, by reason."""
        return Counter(reason for _, reason in self.left)

    @property
    def boxes(self) -> int:
        """Rows with a place in the picture."""
        return self.read.total() + len(self.left) + self.wrong

    @property
    def coverage(self) -> float:
        return self.read.total() / self.boxes if self.boxes else 1.0


def verify_film(
    record: Record, *, pixels: bool = True, example: WorkedExample | None = None, frames: Collection[int] = ()
) -> Verdict:
    """Verify a film against a worked example, built now unless given. Manim must be configured.

    Every row that stands somewhere is read once; in each of `frames`, everything that stands there then is read, too.
    """
    with use_format(record.settings.render.format):
        return _verify(record, pixels, example, sorted(set(frames)))


def random_frames(record: Record, count: int, seed: int) -> list[int]:
    """So many frames of a film, the same ones for the same seed."""
    whole = range(int(record.receipt["frames"]))
    return sorted(random.Random(f"{seed} {record.name}").sample(whole, min(count, len(whole))))


def _verify(record: Record, pixels: bool, example: WorkedExample | None, frames: Sequence[int]) -> Verdict:
    verdict = Verdict(record.name, rows=len(record.rows))
    example = example or record.example()
    _files(record, verdict)
    written = record.literals()
    for row in record.rows:
        fault = unresolved(row, example, written)
        if fault:
            _note(verdict, record, row, row.frame, "ledger", fault)
        else:
            verdict.resolved += 1
    for beat, frame, fault in caption_faults(record, fresh_lines(record)):
        verdict.mismatches.append(Mismatch(record.name, "caption", beat, frame, record.fps, fault))
    if pixels:
        film = _Film(record, example)
        last = record.last_frames
        film.read(verdict, [(_best_frame(row, last), row) for row in film.rows if not row.moves], last)
        if frames:
            verdict.paused = paused = Verdict(record.name, seen=verdict.seen, frames=tuple(frames))
            film.read(paused, [(frame, row) for frame in frames for row in film.rows if row.rests_at(frame)], frames)
            paused.moving = sum(row.moves and row.at(frame) for row in film.rows for frame in frames)
            verdict.mismatches += [m for m in paused.mismatches if m not in verdict.mismatches]
    return verdict


def _best_frame(row: Row, last: Collection[int]) -> int:
    """The frame in which a row is read: at its beat's end, or late, but so that it rests a little longer."""
    end = row.until - 1
    return end if end in last else max(row.frame, end - _LATER)


def _files(record: Record, verdict: Verdict) -> None:
    for name, recorded in record.receipt["outputs"].items():
        path = record.path.with_name(name)
        if not path.is_file() or digest(path) != recorded:
            told = "checksum differs from the receipt" if path.is_file() else "missing file"
            verdict.mismatches.append(Mismatch(record.name, "file", "", 0, record.fps, f"{told} ({name})"))


def _note(verdict: Verdict, record: Record, row: Row, frame: int, what: str, told: str) -> None:
    place = address(row.path, row.index)
    verdict.mismatches.append(
        Mismatch(record.name, f"{what} {row.kind}", row.beat, frame, record.fps, told, row.box, place)
    )


def address(path: str, index: tuple[int, ...]) -> str:
    """An entry's place in its array, as messages have it."""
    return f"{path}[{', '.join(map(str, index))}]" if index else path


@dataclass(frozen=True)
class _Doubt:
    """Something that did not read as it should in a frame: a row, or a digit that no row explains.

    By frame `due` it is seen whether it was changing. A reason why it is unread begins with a question mark.
    """

    frame: int
    due: int
    picture: Picture
    box: Box
    told: str
    row: Row | None


class _Film:
    """A film, its rows that have a place in the picture, and what is read of them."""

    def __init__(self, record: Record, example: WorkedExample) -> None:
        self.record, self.example = record, example
        self.rows = [row for row in record.rows if row.box is not None]
        self.frames = int(record.receipt["frames"])
        # Whatever is drawn in a lane at any time may be there when another curve is read.
        self._curves: dict[tuple[float, float], list[tuple[Mark, float]]] = {}
        for row in self.rows:
            if isinstance(row.mark, WaveMark):
                self._curves.setdefault(_lane(row.mark), []).append((row.mark, row.value))

    def read(self, verdict: Verdict, sights: Sequence[tuple[int, Row]], whole: Collection[int]) -> None:
        """Read rows in frames (frame, row), and look for digits that no row explains in `whole` frames."""
        by_frame: dict[int, list[Row]] = {}
        for frame, row in sights:
            by_frame.setdefault(frame, []).append(row)
            verdict.placed[row.kind] += 1
        last = self.record.last_frames
        wanted = {*by_frame, *whole}
        wanted |= {self._later(frame, last) for frame in wanted}
        waiting: list[_Doubt] = []
        for frame, picture in pictures(self.record.path, self.record.fps, wanted):
            waiting = self._settle(verdict, waiting, frame, picture)
            due = self._later(frame, last)
            for row, told in self._look(by_frame.get(frame, ()), frame, picture, verdict):
                assert row.box is not None
                waiting.append(_Doubt(frame, due, picture, row.box, told, row))
            if frame in whole:
                known = [row for row in self.rows if row.at(frame)]
                waiting += [_Doubt(frame, due, picture, box, told, None) for told, box in strays(picture, known)]
            waiting = self._settle(verdict, waiting, frame, picture)
        self._forgive(verdict)

    def _later(self, frame: int, last: Collection[int]) -> int:
        """The frame by which what changes in a frame looks different; at a beat's end, nothing does."""
        return frame if frame in last else min(frame + _LATER, self.frames - 1)

    def _settle(self, verdict: Verdict, doubts: Sequence[_Doubt], frame: int, picture: Picture) -> list[_Doubt]:
        """What could not be read as it is to be: because it changes at that moment, or because it is wrong.

        Returns the doubts that are not due yet.
        """
        for doubt in doubts:
            if doubt.due > frame:
                continue
            row, changing = doubt.row, changes(doubt.box, doubt.picture, picture)
            if row is None:
                if not changing:
                    beat = next(span["beat"] for span in self.record.receipt["beats"] if doubt.frame < span["stop"])
                    verdict.mismatches.append(
                        Mismatch(self.record.name, "stray digit", beat, doubt.frame, self.record.fps, doubt.told,
                                 doubt.box)
                    )  # fmt: skip
            elif doubt.told != "?too small" and changing:
                verdict.left.append((row, "changing"))
            elif doubt.told.startswith("?"):
                verdict.left.append((row, doubt.told[1:]))
            else:
                verdict.wrong += 1
                if doubt.told.startswith(_NOTHING):
                    verdict.vanished.append((row, doubt.frame))
                _note(verdict, self.record, row, doubt.frame, "picture", doubt.told)
        return [doubt for doubt in doubts if doubt.due > frame]

    @staticmethod
    def _forgive(verdict: Verdict) -> None:
        """A number that is read elsewhere in its beat was only covered for a moment."""
        for row, frame in verdict.vanished:
            if (row.beat, row.path, row.index, row.text) in verdict.seen:
                verdict.wrong -= 1
                verdict.left.append((row, "covered for a moment"))
                verdict.mismatches = [
                    m for m in verdict.mismatches
                    if (m.beat, m.frame, m.box, m.told) != (row.beat, frame, row.box, f"{_NOTHING}{row.text}")
                ]  # fmt: skip

    def _look(self, rows: Sequence[Row], frame: int, picture: Picture, verdict: Verdict) -> Iterator[tuple[Row, str]]:
        """Count the rows that read as they should; yield the others, a reason why unread after a question mark."""
        there = sorted((row for row in self.rows if row.at(frame) and crosses(row.kind)), key=lambda row: row.layer)
        for row in rows:
            if row.box is None or not isinstance(row.mark, DrawnMark):
                yield row, "?not told how it is drawn"
            elif isinstance(row.mark, WrittenMark):
                if told := _spelt(row, read_digits(row.mark, row.box, picture)):
                    yield row, told
                else:
                    verdict.read[row.kind] += 1
                    verdict.seen.add((row.beat, row.path, row.index, row.text))
            elif isinstance(row.mark, WaveMark) and _behind_dot(row.mark, there):
                yield row, "?behind a dot"
            else:
                found = measure(row.mark, row.box, picture, self._others(row, there))
                told = _measured(row.mark, found, row.mark.shown(self._value(row)))
                if not told:
                    verdict.read[row.kind] += 1
                    verdict.notices.setdefault(row.kind, []).append(found.notice)
                elif not told.startswith("?") and any(other.moves and _meet(row, other) for other in there):
                    yield row, "?beside what moves"
                else:
                    yield row, told

    def _others(self, row: Row, there: Sequence[Row]) -> Others:
        """The other marks of its kind in the frame, of those that are read with regard to them."""
        if isinstance(row.mark, WaveMark):
            return Others(self._curves[_lane(row.mark)])
        if not crosses(row.kind):
            return ALONE
        alike = [other for other in there if other.kind == row.kind and other.mark is not None]
        own = next((k for k, other in enumerate(alike) if other is row), len(alike))
        values = [(other.mark, self._value(other)) for other in alike if other.mark is not None]
        return Others(values[:own], values[own + 1 :])

    def _value(self, row: Row) -> float:
        """A row's value as it is computed now; a ledger row that names nothing keeps its own."""
        entry = fresh_entry(row, self.example)
        return row.value if entry is None else entry.value


def _spelt(row: Row, reading: Reading) -> str:
    """What is wrong with digits by what was read of them."""
    if reading.doubt == "no ink":
        return f"{_NOTHING}{row.text}"
    if reading.doubt:
        return f"?{reading.doubt}"
    return "" if reading.text == row.text else f"shows {row.text}; read is {reading.text}"


def _measured(mark: DrawnMark, found: Measure, value: float) -> str:
    """What is wrong with a picture by what was measured of it."""
    if found.doubt:
        return found.doubt if found.doubt.startswith("a colour") else f"?{found.doubt}"
    if _apart(mark, found.value, value) <= found.notice:
        return ""
    if any(_apart(mark, other, value) <= found.notice for other in found.others):
        return "?among others"
    return f"stands for {value:.4g}; read is {found.value:.4g}, and {found.notice:.2g} would be noticed"


def _apart(mark: DrawnMark, found: float, value: float) -> float:
    apart = found - value
    return abs(apart if mark.turn is None else apart - mark.turn * round(apart / mark.turn))


def changes(box: Box, one: Picture, other: Picture) -> bool:
    """Whether a box looks different in two pictures."""
    if one is other:
        return False
    (x0, y1), (x1, y0) = one.at(box[0], box[1]), one.at(box[2], box[3])
    part = slice(max(0, int(y0) - 2), int(y1) + 3), slice(max(0, int(x0) - 2), int(x1) + 3)
    apart = np.abs(one.luma[part] - other.luma[part])
    return bool(apart.size and np.percentile(apart, 98) > _CHANGED)


def _lane(wave: WaveMark) -> tuple[float, float]:
    """Where a curve is read: at which place, around which zero."""
    return round(wave.x, 2), round(wave.zero, 2)


def _behind_dot(wave: WaveMark, rows: Sequence[Row]) -> bool:
    """Whether a dot, which is read itself, stands where a wave is to be read."""
    return any(isinstance(row.mark, WaveDotMark) and abs(row.mark.x - wave.x) < 0.2 for row in rows)


def _meet(one: Row, other: Row) -> bool:
    """Whether the boxes of two rows of one kind overlap."""
    a, b = one.box, other.box
    return bool(a and b and one.kind == other.kind and a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3])


def films_in(path: Path) -> list[Path]:
    """The films of lessons and cards below a folder; the film itself if it is one."""
    if path.is_file():
        return [path]
    media = (p for ending in ("mp4", "gif") for p in path.rglob(f"*.{ending}"))
    return sorted(p for p in media if p.with_suffix(".ledger.json").is_file())


def as_json(verdict: Verdict) -> dict[str, Any]:
    """A verdict for machines."""
    return {
        "film": verdict.film, "rows": verdict.rows, "resolved": verdict.resolved, "boxes": verdict.boxes,
        "placed": dict(verdict.placed), "read": dict(verdict.read), "wrong": verdict.wrong,
        "unread": dict(verdict.unread), "coverage": verdict.coverage,
        "noticed": {kind: float(np.median(values)) for kind, values in verdict.notices.items()},
        "mismatches": [{**vars(m), "time": m.time} for m in verdict.mismatches],
        **({"frames": {"looked at": verdict.paused.frames, "read": dict(verdict.paused.read),
                       "moving": verdict.paused.moving, "wrong": verdict.paused.wrong,
                       "unread": dict(verdict.paused.unread)}} if verdict.paused else {}),
    }  # fmt: skip
