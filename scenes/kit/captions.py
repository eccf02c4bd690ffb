"""Captions: a spoken line cut into cues, and cues into rows, by display width (CJK counts 2).

Cuts fall after punctuation where they can. A row never starts with closing punctuation, and a run
without spaces such as `softmax(QK^T)` stays whole. Only the standard library is needed here.
"""

import re
import unicodedata
from dataclasses import dataclass
from math import ceil

from scenes.kit.speech import LineTimes

ROW_WIDTH = 60
ROWS = 2

# Marks that must not start a row, and marks that must not end one.
_NO_START = "，。、；：？！）》」』”’…,.;:?!)]}%·"
_NO_END = "（《「『“‘([{"
_SENTENCE_END = re.compile(r"(?<=[。！？])|(?<=[.!?])\s+")
_CLAUSE_END = "，；：、,;:—"
# A run of letters, digits and ASCII marks is one piece; anything wide is a piece by itself.
_PIECE = re.compile(r"\s+|[!-~\u00a1-\u2fff]+|.", re.DOTALL)


@dataclass(frozen=True)
class Cue:
    """A caption of up to two rows, shown from frame `start` to frame `stop` (not included)."""

    rows: tuple[str, ...]
    start: int
    stop: int

    @property
    def text(self) -> str:
        return "\n".join(self.rows)


def display_width(text: str) -> int:
    """Columns of a fixed grid: 2 for wide characters, 0 for combining marks, 1 for the rest."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _pieces(text: str) -> list[str]:
    """The parts between which a row may break; spaces stay at the end of the part before them."""
    pieces: list[str] = []
    for part in _PIECE.findall(" ".join(text.split())):
        glued = pieces and (part.isspace() or part[0] in _NO_START or pieces[-1].rstrip()[-1:] in tuple(_NO_END))
        if glued:
            pieces[-1] += part
        else:
            pieces.append(part)
    return pieces


def _pack(pieces: list[str], width: int) -> list[str]:
    rows: list[str] = []
    for piece in pieces:
        if rows and display_width((rows[-1] + piece).rstrip()) <= width:
            rows[-1] += piece
        else:
            rows.append(piece)
    return [row.strip() for row in rows]


def rows_of(text: str, width: int = ROW_WIDTH) -> tuple[str, ...]:
    """`text` in as few rows of at most `width` columns as it needs, of nearly even length.

    A single piece wider than a row (a very long word) has a row of its own.
    """
    pieces = _pieces(text)
    rows = _pack(pieces, width)
    if len(rows) == 2:
        return _two_rows(pieces, width)
    for narrower in range(width - 1, 0, -1):
        trial = _pack(pieces, narrower)
        if len(trial) > len(rows) or any(display_width(row) > narrower for row in trial):
            break
        rows = trial
    return tuple(rows)


def _two_rows(pieces: list[str], width: int) -> tuple[str, ...]:
    """The break that leaves two even rows, better after punctuation: Chinese words are not to be torn."""
    choices = [("".join(pieces[:i]).strip(), "".join(pieces[i:]).strip()) for i in range(1, len(pieces))]
    fitting = [rows for rows in choices if max(map(display_width, rows)) <= width]

    def badness(rows: tuple[str, str]) -> float:
        uneven = abs(display_width(rows[0]) - display_width(rows[1]))
        return uneven - (width / 2 if rows[0][-1] in _CLAUSE_END else 0)

    return min(fitting, key=badness)


def _clauses(sentence: str) -> list[str]:
    clauses: list[str] = []
    for piece in _pieces(sentence):
        if clauses and clauses[-1].rstrip()[-1:] not in tuple(_CLAUSE_END):
            clauses[-1] += piece
        else:
            clauses.append(piece)
    return clauses


def split_line(text: str) -> list[tuple[str, ...]]:
    """A spoken line as cues, each a tuple of at most two rows."""
    cues: list[tuple[str, ...]] = []
    for sentence in filter(None, (s.strip() for s in _SENTENCE_END.split(text))):
        if len(rows_of(sentence)) <= ROWS:
            cues.append(rows_of(sentence))
            continue
        waiting = ""
        for clause in _clauses(sentence):
            if waiting and len(rows_of(waiting + clause)) > ROWS:
                cues.extend(_by_width(waiting))
                waiting = ""
            waiting += clause
        cues.extend(_by_width(waiting))
    return cues


def _by_width(text: str) -> list[tuple[str, ...]]:
    rows = rows_of(text)
    return [rows[i : i + ROWS] for i in range(0, len(rows), ROWS)]


def reading_time(text: str, units_a_second: float) -> float:
    """Seconds to read `text`: a Chinese character is one unit, and so is a word of letters or digits."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" and c not in _NO_START + _NO_END for c in text)
    words = len(
        re.findall(r"[^\W_]+(?:[.'’-][^\W_]+)*", re.sub(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]", " ", text))
    )
    return (wide + words) / units_a_second


def cues_of(text: str, units_a_second: float, start: int, fps: int) -> list[Cue]:
    """The cues of a line that starts at frame `start`, one after the other in reading time."""
    cues: list[Cue] = []
    seconds = 0.0
    for rows in split_line(text):
        begin = start + round(seconds * fps)
        seconds += max(reading_time(" ".join(rows), units_a_second), 1.0)
        cues.append(Cue(rows, begin, start + round(seconds * fps)))
    return cues


def spoken_cues(line: LineTimes, start: int, fps: int) -> list[Cue]:
    """The cues of a line that is heard from frame `start`: each appears with its first word, to the nearest frame."""
    cues: list[Cue] = []
    place = 0
    for rows in split_line(line.text):
        begin = start + (round(line.at(_skip(line.text, place)) * fps) if cues else 0)
        for char in "".join(rows).replace(" ", ""):
            place = line.text.index(char, place) + 1
        # Two cues never share a frame.
        begin = max(begin, cues[-1].start + 1) if cues else begin
        if cues:
            cues[-1] = Cue(cues[-1].rows, cues[-1].start, begin)
        cues.append(Cue(rows, begin, max(begin + 1, start + ceil(line.seconds * fps))))
    return cues


def _skip(text: str, place: int) -> int:
    """The place of the next character that is no space."""
    return place + len(text[place:]) - len(text[place:].lstrip())
