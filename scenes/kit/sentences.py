"""Where the sentences of a line end: one rule for captions and for the voice. Only the standard library is needed.

A mark ends a sentence together with the marks, quotes and brackets that follow it. The full stop of an abbreviation, an
initial, a list number or a decimal ends none, and neither does the last mark of a quotation within a sentence.
"""

import re

OPENING = "“‘「『（【《〈«([{"
CLOSING = "”’」』）】》〉»)]}"
CLAUSE_MARKS = "，；：、,;:—–"
# ASCII quotes open or close.
_QUOTES = "\"'"
_WIDE = "。！？｡"
_ENDS = re.compile(rf"[.!?…⋯{_WIDE}]+")
_CLOSERS = re.compile(rf"[{re.escape(CLOSING + _QUOTES)}]*")
_HAN = re.compile(r"[\u3400-\u9fff]")
# Abbreviations that end no sentence, and those that end one only before a word that starts sentences.
_INNER = re.compile(
    r"mr|mrs|ms|dr|prof|gen|gov|sen|rep|capt|lt|col|sgt|rev|hon|pres|e\.g|i\.e|vs|cf|viz|figs?|eqs?|vols?|pp|approx|resp|ca",
    re.IGNORECASE,
)
_EITHER = re.compile(
    r"st|mt|ft|jr|sr|inc|ltd|co|corp|al|dept|univ|min|max|avg|est|secs?|ch|chap|refs?|eds?|tab|thm|app|ave|rd|ph\.d"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|(?:[a-z]\.)+[a-z]",
    re.IGNORECASE,
)
_STARTERS = re.compile(
    r"A|After|All|And?|As|At|Because|Before|Both|But|By|Each|Every|Finally|First|For|From|Go|He|Her|Here|His|How|I|If|In|Its?"
    r"|Last|Let|More|Most|My|Next|No|Nobody|Not|Nothing|Now|Of|On|One|Only|Or|Our|She|Since|So|Some|Stop|Such|That|The|Their"
    r"|Then|There|These|They|This|Those|To|Two|We|What|When|Where|Which|While|Who|Why|With|You|Your"
)
_WORD_BEFORE = re.compile(r"[^\s“‘「『（【《〈«([{\"'，。；：、]*$")


def sentences(text: str) -> list[tuple[int, int]]:
    """The sentences of a line as (start, stop), without the space around them, in order."""
    spans: list[tuple[int, int]] = []
    start = 0
    for marks in _ENDS.finditer(text):
        stop = _CLOSERS.match(text, marks.end()).end()  # type: ignore[union-attr]
        if marks.start() >= start and _is_end(text, start, marks, stop):
            spans.append((start, stop))
            start = stop
    spans.append((start, len(text)))
    found: list[tuple[int, int]] = []
    for a, b in (_trimmed(text, *span) for span in spans):
        if found and not re.search(r"\w", text[a:b]):
            # Marks alone are no sentence.
            found[-1] = (found[-1][0], max(found[-1][1], b))
        elif a < b:
            found.append((a, b))
    return found


def _trimmed(text: str, start: int, stop: int) -> tuple[int, int]:
    part = text[start:stop]
    return start + len(part) - len(part.lstrip()), stop - len(part) + len(part.rstrip())


def _is_end(text: str, start: int, marks: re.Match[str], stop: int) -> bool:
    """Whether a run of marks, with the closing marks until `stop`, ends the sentence that starts at `start`."""
    rest = text[stop:].lstrip()
    if not rest:
        return True
    following, spaced = rest[0], text[stop].isspace()
    if following in CLAUSE_MARKS + CLOSING + "…":
        return False
    run = marks[0]
    if any(mark in _WIDE for mark in run):
        return not _goes_on(text[start : marks.start()], text[marks.end() : stop])
    if not spaced:
        # Latin marks in a Chinese line.
        ellipsis = run.endswith("..") or set(run) <= set("…⋯")
        word = _before(text, start, marks)
        numbered = run == "." and (word[-1:].isdigit() or _INNER.fullmatch(word) or _EITHER.fullmatch(word))
        chinese = bool(_HAN.match(following)) and not ellipsis and not numbered
        return chinese and not _goes_on(text[start : marks.start()], text[marks.end() : stop])
    if following.islower():
        # Names of code and mathematics start sentences in lower case; what follows a quotation is its sentence.
        return run == "." and stop == marks.end() and not _is_abbreviation(text, start, marks, rest)
    return run != "." or not _is_abbreviation(text, start, marks, rest)


def _goes_on(before: str, closing: str) -> bool:
    """Whether a sentence goes on after a quotation: one that started within it, and that no colon introduced."""
    if not closing:
        return False
    mark = closing[-1]
    opening = mark if mark in _QUOTES else OPENING[CLOSING.index(mark)]
    at = before.rfind(opening)
    lead = before[: max(at, 0)].rstrip()
    return at >= 0 and bool(lead) and lead[-1] not in "：:，,"


def _before(text: str, start: int, marks: re.Match[str]) -> str:
    """The word to which a full stop belongs, without it."""
    return _WORD_BEFORE.search(text[start : marks.start()])[0]  # type: ignore[index]


def _is_abbreviation(text: str, start: int, marks: re.Match[str], rest: str) -> bool:
    word = _before(text, start, marks)
    following = re.match(r"[^\W\d_]+", rest.lstrip(OPENING + _QUOTES))
    starts = following is not None and _STARTERS.fullmatch(following[0]) is not None
    if _INNER.fullmatch(word):
        return True
    if word.lower() in ("no", "nos"):
        return rest[0].isdigit()
    if word.lower() == "etc":
        return not rest[0].isupper()
    if _EITHER.fullmatch(word):
        return not starts
    if word.isdigit() or (len(word) == 1 and word.isupper()):
        before = text[start : marks.start() - len(word)].strip()
        if not before:
            # The number of a list, or an author's first initial.
            return word.isdigit() or not starts
        # An initial stands after another one, a first name, or what names people; "as wide as X." ends a sentence.
        named = re.search(r"(?:\b[A-Z]\.|\b[A-Z][a-z]+|\bby|\band|,)$", before)
        return word.isupper() and named is not None and following is not None and rest[0].isupper() and not starts
    return False


def bare_word(word: str) -> str:
    """A word of a sentence without the quotes and end marks that it carries there: `mat.` as mat, `“猫。”` as 猫.

    An abbreviation keeps its full stop; a word of marks alone stays as it is.
    """
    bare, before = word, ""
    while bare != before:
        before = bare
        bare = bare.lstrip('“「『«"').rstrip('”」』»"' + CLAUSE_MARKS + _WIDE + "!?…⋯")
        if bare.endswith(".") and not (_INNER.fullmatch(bare[:-1]) or _EITHER.fullmatch(bare[:-1])):
            bare = bare.rstrip(".")
        if bare[:1] + bare[-1:] in ("''", "‘’"):
            bare = bare[1:-1]
    return bare or word
