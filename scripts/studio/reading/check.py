"""Everything that can be verified of a finished film: files, rows, captions, and what its pixels show."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from mathcore.example import WorkedExample
from scenes.formats import UNIT_PX, use_format
from scenes.kit.ledger import Row
from scripts.studio.files import digest
from scripts.studio.reading.frames import Picture, pictures
from scripts.studio.reading.glyphs import Reading, Setting, read
from scripts.studio.reading.ledgers import Record, fresh_entry, unresolved
from scripts.studio.reading.pictures import measure, shown_value
from scripts.studio.reading.spoken import caption_faults, fresh_lines
from scripts.studio.reading.strays import strays

_NOTHING = "nothing is to be seen of "
DIGITS = ("number", "label", "text", "constant")
# What is read with regard to all others of its kind.
CROSSING = ("beam", "thread", "wave")
# How much later a picture is looked at to see whether it is changing, and the levels of luma that say so.
_LATER, _CHANGED = 2, 6.0
# A digit of formulas is so many times as high as an em is, by the font's own measure, whether it hangs over or not.
_MATH_HEIGHTS = (0.5, 0.516)
# Lines of text are laid out in steps of this part of an em; the ink of digits is so much
# narrower, at most, than their advance.
_STEP, _AIR = 1 / 96, 0.12
_Values = Sequence[tuple[Row, float]]


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
    """What was found in one film."""

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
    vanished: list[Row] = field(default_factory=list)

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


def verify_film(record: Record, *, pixels: bool = True, example: WorkedExample | None = None) -> Verdict:
    """Verify a film against a worked example, built now unless given. Manim must be configured."""
    with use_format(record.settings.render.format):
        return _verify(record, pixels, example)


def _verify(record: Record, pixels: bool, example: WorkedExample | None) -> Verdict:
    verdict = Verdict(record.name, rows=len(record.rows))
    example = example or record.example()
    _files(record, verdict)
    written = record.literals()
    sound: list[Row] = []
    for row in record.rows:
        fault = unresolved(row, example, written)
        if fault:
            _note(verdict, record, row, "ledger", fault)
        else:
            verdict.resolved += 1
        if row.box is not None:
            sound.append(row)
            verdict.placed[row.kind] += 1
    for beat, frame, fault in caption_faults(record, fresh_lines(record)):
        verdict.mismatches.append(Mismatch(record.name, "caption", beat, frame, record.fps, fault))
    if pixels:
        _pixels(record, verdict, sound, example)
    return verdict


def _files(record: Record, verdict: Verdict) -> None:
    for name, recorded in record.receipt["outputs"].items():
        path = record.path.with_name(name)
        if not path.is_file() or digest(path) != recorded:
            told = "checksum differs from the receipt" if path.is_file() else "missing file"
            verdict.mismatches.append(Mismatch(record.name, "file", "", 0, record.fps, f"{told} ({name})"))


def _note(verdict: Verdict, record: Record, row: Row, what: str, told: str) -> None:
    place = address(row.path, row.index)
    verdict.mismatches.append(
        Mismatch(record.name, f"{what} {row.kind}", row.beat, row.frame, record.fps, told, row.box, place)
    )


def address(path: str, index: tuple[int, ...]) -> str:
    """An entry's place in its array, as messages have it."""
    return f"{path}[{', '.join(map(str, index))}]" if index else path


def _pixels(record: Record, verdict: Verdict, rows: Sequence[Row], example: WorkedExample) -> None:
    by_frame: dict[int, list[Row]] = {}
    for row in rows:
        by_frame.setdefault(row.frame, []).append(row)
    last, frames = record.last_frames, int(record.receipt["frames"])
    curves: dict[tuple[float, float], list[tuple[Row, float]]] = {}
    for row in filter(_is_curve, rows):
        # Whatever is drawn in a lane at any time may be there when another curve is read.
        curves.setdefault(_lane(row), []).append((row, row.value))
    crossing = [row for row in rows if row.kind in CROSSING]
    waiting: list[tuple[int, Row, str, Picture]] = []
    later = (min(frame + _LATER, frames - 1) for frame in by_frame if frame not in last)
    wanted = {*by_frame, *last, *later}
    for number, picture in pictures(record.path, record.fps, wanted):
        _settle(record, verdict, [w for w in waiting if w[0] <= number], picture)
        waiting = [w for w in waiting if w[0] > number]
        there = [row for row in crossing if row.frame == number or row.frame <= number < row.until]
        for row, told in _look(by_frame.get(number, ()), there, picture, example, verdict, curves):
            # A beat's last picture has been held: whatever is wrong in it is not on its way.
            waiting.append((number if number in last else min(number + _LATER, frames - 1), row, told, picture))
        if number in last:
            _settle(record, verdict, [w for w in waiting if w[0] <= number], picture)
            waiting = [w for w in waiting if w[0] > number]
            known = [row for row in by_frame.get(number, ()) if row.box]
            for told, box in strays(picture, known):
                verdict.mismatches.append(
                    Mismatch(record.name, "stray digit", last[number], number, record.fps, told, box)
                )
    _forgive(verdict, record)


def _settle(record: Record, verdict: Verdict, rows: Iterable[tuple[int, Row, str, Picture]], later: Picture) -> None:
    """What could not be read as it is to be: because it changes at that moment, or because it is wrong."""
    for _, row, told, picture in rows:
        if told != "?too small" and changes(row, picture, later):
            verdict.left.append((row, "changing"))
        elif told.startswith("?"):
            verdict.left.append((row, told[1:]))
        else:
            verdict.wrong += 1
            if told.startswith(_NOTHING):
                verdict.vanished.append(row)
            _note(verdict, record, row, "picture", told)


def _forgive(verdict: Verdict, record: Record) -> None:
    """A number that is read elsewhere in its beat was only covered for a moment."""
    for row in verdict.vanished:
        if (row.beat, row.path, row.index, row.text) in verdict.seen:
            verdict.wrong -= 1
            verdict.left.append((row, "covered for a moment"))
            verdict.mismatches = [
                m for m in verdict.mismatches
                if (m.beat, m.frame, m.box, m.told) != (row.beat, row.frame, row.box, f"{_NOTHING}{row.text}")
            ]  # fmt: skip


def changes(row: Row, one: Picture, other: Picture) -> bool:
    """Whether the box of a row looks different in two pictures."""
    if one is other or row.box is None:
        return False
    (x0, y1), (x1, y0) = one.at(row.box[0], row.box[1]), one.at(row.box[2], row.box[3])
    part = slice(max(0, int(y0) - 2), int(y1) + 3), slice(max(0, int(x0) - 2), int(x1) + 3)
    apart = np.abs(one.luma[part] - other.luma[part])
    return bool(apart.size and np.percentile(apart, 98) > _CHANGED)


def _lane(row: Row) -> tuple[float, float]:
    """Where a curve is read: at which place, around which zero."""
    return round(row.drawn["x"], 2), round(row.drawn["zero"], 2)


def _is_curve(row: Row) -> bool:
    return row.kind == "wave" and not row.drawn.get("dot")


def _look(
    rows: Sequence[Row], crossing: Sequence[Row], picture: Picture, example: WorkedExample, verdict: Verdict,
    curves: Mapping[tuple[float, float], _Values],
) -> Iterator[tuple[Row, str]]:  # fmt: skip
    """Count the rows that read as they should; yield the others, a reason why unread after a question mark.

    `crossing` are all that are on screen, of those kinds that are read with regard to each other.
    """
    alike = {kind: [(row, _value(row, example)) for row in crossing if row.kind == kind] for kind in CROSSING}
    for row in rows:
        if row.kind in DIGITS:
            reading = read_digits(row, picture)
            if reading.doubt == "no ink":
                yield row, f"{_NOTHING}{row.text}"
            elif reading.doubt:
                yield row, f"?{reading.doubt}"
            elif reading.text != row.text:
                yield row, f"shows {row.text}; read is {reading.text}"
            else:
                verdict.read[row.kind] += 1
                verdict.seen.add((row.beat, row.path, row.index, row.text))
            continue
        if _is_curve(row) and _behind_dot(row, crossing):
            yield row, "?behind a dot"
            continue
        others = curves[_lane(row)] if _is_curve(row) else alike.get(row.kind, ())
        found, value = measure(row, picture, others), shown_value(row, _value(row, example))
        if found.doubt:
            yield row, found.doubt if found.doubt.startswith("a colour") else f"?{found.doubt}"
        elif _apart(row, found.value, value) <= found.notice:
            verdict.read[row.kind] += 1
            verdict.notices.setdefault(row.kind, []).append(found.notice)
        elif any(_apart(row, other, value) <= found.notice for other in found.others):
            yield row, "?among others"
        else:
            yield row, f"stands for {value:.4g}; read is {found.value:.4g}, and {found.notice:.2g} would be noticed"


def _behind_dot(wave: Row, rows: Sequence[Row]) -> bool:
    """Whether a dot, which is read itself, stands where a wave is to be read."""
    return any(row.drawn.get("dot") and abs(row.drawn["x"] - wave.drawn["x"]) < 0.2 for row in rows)


def _value(row: Row, example: WorkedExample) -> float:
    """A row's value as it is computed now; a ledger row that names nothing keeps its own."""
    entry = fresh_entry(row, example)
    return row.value if entry is None else entry.value


def _apart(row: Row, found: float, value: float) -> float:
    if row.kind == "hand" and row.drawn["shape"] in ("hand", "outline"):
        return abs((found - value + 180) % 360 - 180)
    return abs(found - value)


def read_digits(row: Row, picture: Picture) -> Reading:
    """The digits in a row's box."""
    told = row.drawn
    assert row.box is not None
    if told["opacity"] < 0.15:
        return Reading("", 0.0, "too faint")
    (x0, y1), (x1, y0) = picture.at(row.box[0], row.box[1]), picture.at(row.box[2], row.box[3])
    if told.get("font") != "math":
        em = told["size"] * picture.unit / UNIT_PX
        font = "bold" if told["bold"] else "regular"
        setting = Setting(x0, y0, x1, y1, em, picture.at(0, told["baseline"])[1], font)
        exact = read(picture.luma, setting)
        if exact.doubt != "unsure":
            return exact
        # Where two scripts meet in a line, the baseline is set to whole units of its own.
        shifts = (replace(setting, baseline=setting.baseline + step * _STEP * em) for step in (-1, 1))
        best = max((exact, *(read(picture.luma, shifted) for shifted in shifts)), key=lambda reading: reading.score)
        if best.doubt != "unsure":
            return best
        # Other digits than those of the ledger may begin and end a little elsewhere.
        freer = (replace(setting, left=x0 + step * _AIR * em, slack=_AIR) for step in (-1, -0.5, 0, 0.5, 1))
        others = [reading for reading in (read(picture.luma, other) for other in freer) if not reading.doubt]
        return max(others, key=lambda reading: reading.score, default=best)
    readings = []
    for font, height, hang in product(("math", "script"), _MATH_HEIGHTS, (0.0, 0.008)):
        em = (y1 - y0) / height
        readings.append(read(picture.luma, Setting(x0, y0, x1, y1, em, y1 - hang * em, font)))
    return max(readings, key=lambda reading: reading.score)


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
    }  # fmt: skip
