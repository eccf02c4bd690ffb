"""Captions: a spoken line cut into cues, and cues into rows, by display width (CJK counts 2).

Rows break at sense. A clause that fits a row is never broken; a longer one breaks before a conjunction or a
preposition, not within a name or a formula, nor between a number and what it counts. Only the standard library is
needed here.
"""

import re
import unicodedata
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import ceil, inf

from scenes.formats import current_format
from scenes.kit.sentences import CLOSING, OPENING, sentences
from scenes.kit.speech import LineTimes

ROWS = 2

# Marks that must not start a row, and marks that must not end one.
_NO_START = "，。、；：？！）》」』】〉”’…,.;:?!)]}%·—"
_NO_END = "（《「『【〈“‘([{"
# A run of letters, digits and ASCII marks is one piece; anything wide is a piece by itself.
_PIECE = re.compile(r"\s+|[!-~\u00a1-\u2fff]+|.", re.DOTALL)
_OPERATORS = tuple("=+-−×÷·*/^<>≤≥≠≈~±→√∈&–—")
_NUMBER = re.compile(r"[^\w\s]*\d[\d.,:/–-]*[^\W_]{0,2}[%°‰]?[^\w\s]*")

# What a break costs, by what stands before and after it; a clause's end is best.
_CLAUSE_COSTS = {**dict.fromkeys("；;：:—–…?!？！。", 1.0), "，": 2.0, ",": 3.0, "、": 5.0}
_BEFORE_LINK, _BEFORE_PREPOSITION, _PLAIN, _AFTER_LINK, _WITHIN_WORD = 8.0, 10.0, 16.0, 40.0, 30.0
_LINKS = re.compile(
    r"(?:and|but|or|nor|so|yet|that|which|who|whose|where|when|while|if|because|as|than|until|unless|whether|then)\b"
)
_PREPOSITIONS = re.compile(
    r"of|to|in|on|at|by|with|from|for|into|onto|over|under|between|through|across|without|within|about|after|before|like"
)
# What a row should not end with, besides those.
_LEADING = re.compile(
    r"an?|the|this|that|these|those|its|their|his|her|our|your|my|no|not|each|every|is|are|was|were|be|been|has|have|had"
    r"|can|will|would|may|must|do|does|one|two|all|both|any|some|very|only"
)
# Chinese characters that mostly start a phrase, and those that mostly end one.
_STARTS_PHRASE, _ENDS_PHRASE = "和与或而但并把被让从向用按由再就也都才则是在对给比每", "的了着过地得们里中后时内外下"
# What a cue, unevenness and a row of less than _LEAST columns cost, against the costs of breaks.
_CUE, _UNEVEN, _SHORT, _LEAST = 4.0, 6.0, 4.0, 10
_OPEN_CALL = re.compile(r"\w[(\[{][^)\]}]*$")


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
    """The parts between which a row can break; spaces stay at the end of the part before them."""
    pieces: list[str] = []
    for part in _PIECE.findall(" ".join(text.split())):
        glued = pieces and (part.isspace() or part[0] in _NO_START or pieces[-1].rstrip()[-1:] in tuple(_NO_END))
        if glued:
            pieces[-1] += part
        else:
            pieces.append(part)
    return pieces


def _atoms(text: str, width: int) -> list[str]:
    """Pieces joined to what stays on one row: names, formulas, numbers and what they count, if a row can hold it."""
    atoms: list[str] = []
    last = ""
    for piece in _pieces(text):
        if atoms and _belong(atoms[-1], last, piece) and display_width((atoms[-1] + piece).rstrip()) <= width:
            atoms[-1] += piece
        else:
            atoms.append(piece)
        last = piece
    return atoms


def _belong(atom: str, before: str, after: str) -> bool:
    """Whether the pieces `before`, the last of `atom`, and `after` stay together."""
    a, b = before.rstrip(), after.rstrip()
    # A bracket that a name opens, as softmax(Q K^T) does, is closed on the same row.
    if _OPEN_CALL.search(atom) or a in _OPERATORS or b in _OPERATORS:
        return True
    if _clause_cost(before) is not None:
        return False
    # A full stop within a sentence is an abbreviation's: Dr. Smith, Fig. 2.
    return a.endswith(".") or bool(_NUMBER.fullmatch(a)) != bool(_NUMBER.fullmatch(b))


def _clause_cost(piece: str) -> float | None:
    """The cost of a break at the end of a clause; None where none ends with the piece."""
    bare = piece.rstrip().rstrip(CLOSING + "\"'")
    return _CLAUSE_COSTS.get("…" if bare.endswith("...") else bare[-1:])


def _cost(before: str, after: str) -> float:
    """What a break between two atoms of a sentence costs."""
    clause = _clause_cost(before)
    if clause is not None:
        # Before a conjunction the clause is over; after "MiniLM-L6," its verb may be yet to come.
        return clause / 2 if before.rstrip().endswith(",") and _LINKS.match(after) else clause
    marks = OPENING + CLOSING + "\"' "
    a, b = before.strip(marks).lower(), after.strip(marks).lower()
    if not before.endswith(" ") and display_width(a[-1:]) == display_width(b[:1]) == 2:
        if b[0] in _STARTS_PHRASE:
            return _BEFORE_PREPOSITION
        return _PLAIN if a[-1] in _ENDS_PHRASE else _WITHIN_WORD
    first, last = b.split(" ")[0], a.split(" ")[-1]
    if any(words.fullmatch(last) for words in (_LEADING, _PREPOSITIONS, _LINKS)):
        return _AFTER_LINK
    if _LINKS.fullmatch(first):
        return _BEFORE_LINK
    return _BEFORE_PREPOSITION if _PREPOSITIONS.fullmatch(first) else _PLAIN


def _units(sentence: str, width: int) -> list[str]:
    """A sentence as its clauses, those wider than a row as their atoms."""
    clauses: list[list[str]] = [[]]
    for atom in _atoms(sentence, width):
        if clauses[-1] and _clause_cost(clauses[-1][-1]) is not None:
            clauses.append([])
        clauses[-1].append(atom)
    units: list[str] = []
    for clause in clauses:
        whole = "".join(clause)
        units += [whole] if display_width(whole.rstrip()) <= width else clause
    return units


class _Layout:
    """Units as rows of at most `width` columns: what each row and break costs."""

    def __init__(self, units: list[str], width: int) -> None:
        self.units, self.width = units, width
        self._edges = [0, *accumulate(map(display_width, units))]
        self._spaces = [len(unit) - len(unit.rstrip()) for unit in units]
        self.costs = [*(_cost(a, b) for a, b in pairwise(units)), 0.0]

    def row(self, start: int, stop: int) -> str:
        return "".join(self.units[start:stop]).strip()

    def columns(self, start: int, stop: int) -> int:
        return self._edges[stop] - self._edges[start] - self._spaces[stop - 1]

    def stops(self, start: int) -> list[int]:
        """Where a row that starts with a unit may stop; one that is too wide has a row of its own."""
        found = []
        for stop in range(start + 1, len(self.units) + 1):
            if stop > start + 1 and self.columns(start, stop) > self.width:
                break
            found.append(stop)
        return found


def rows_of(text: str, width: int | None = None) -> tuple[str, ...]:
    """`text` in as few rows of at most `width` columns (by default a caption's) as it needs, even, broken at sense.

    A single piece wider than a row (a very long word) has a row of its own.
    """
    width = width or current_format().caption_columns
    layout = _Layout(_atoms(text, width), width)
    count = len(layout.units)
    # The fewest rows from each unit on, then the least cost, and the stop of the first of these rows.
    best: list[tuple[int, float, int]] = [(0, 0.0, count)] * (count + 1)
    even = layout.columns(0, count) / max(1, -(-layout.columns(0, count) // width)) if count else 0.0
    for start in reversed(range(count)):
        best[start] = min(
            (
                best[stop][0] + 1,
                best[stop][1] + layout.costs[stop - 1] + _uneven(layout.columns(start, stop), even),
                stop,
            )
            for stop in layout.stops(start)
        )
    rows, at = [], 0
    while at < count:
        rows.append(layout.row(at, best[at][2]))
        at = best[at][2]
    return tuple(rows)


def _uneven(columns: int, even: float) -> float:
    return 2 * _UNEVEN * ((columns - even) / even) ** 2


def split_line(text: str) -> list[tuple[str, ...]]:
    """A spoken line as cues, each a tuple of at most two rows; every sentence starts one."""
    return [cue for start, stop in sentences(text) for cue in _cues(text[start:stop])]


def _cues(sentence: str) -> list[tuple[str, ...]]:
    width = current_format().caption_columns
    layout = _Layout(_units(sentence, width), width)
    count = len(layout.units)
    # The least cost from each unit on, and the first cue's stops of rows.
    best: list[tuple[float, tuple[int, ...]]] = [*((inf, ()) for _ in range(count)), (0.0, ())]
    for start in reversed(range(count)):
        for middle in layout.stops(start):
            first = layout.columns(start, middle)
            rest = _CUE + best[middle][0] + 1.5 * layout.costs[middle - 1]
            best[start] = min(best[start], (rest + _SHORT * (first < _LEAST), (middle,)))
            for stop in layout.stops(middle) if middle < count else ():
                second = layout.columns(middle, stop)
                cost = layout.costs[middle - 1] + _UNEVEN * abs(first - second) / width
                cost += _SHORT * (min(first, second) < _LEAST) + _CUE + best[stop][0] + 1.5 * layout.costs[stop - 1]
                best[start] = min(best[start], (cost, (middle, stop)))
    cues, at = [], 0
    while at < count:
        edges = (at, *best[at][1])
        cues.append(tuple(layout.row(a, b) for a, b in pairwise(edges)))
        at = edges[-1]
    return cues


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
