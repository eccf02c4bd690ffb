"""Lines as phonemes of Kokoro's alphabet, each run with the characters of the line that it is said for."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from typing import Any

from scenes.kit.sentences import sentences
from scripts.studio.sound.lexicon import HAN, Part, SpeechError, parts_of, readings_of
from scripts.studio.sound.wording import unsayable, worded

# A call of the model takes about 510 signs; a sentence longer than this is cut at its commas.
LONGEST = 400
_CLAUSE_END = (",", ";", ":", "—")


@dataclass(frozen=True)
class Run:
    """Phonemes said for characters `start` to `stop` (not included); `spaced` when a space follows."""

    start: int
    stop: int
    phonemes: str
    spaced: bool = True


@dataclass(frozen=True)
class _Said:
    """A word or more without a space between them in the line, as it is to be said, or in phonemes."""

    start: int
    stop: int
    text: str
    phonemes: str = ""


def runs_of(text: str, language: str, lexicon: Mapping[str, str]) -> list[Run]:
    """A line as phonemes.  Raises: SpeechError, which names what cannot be said."""
    parts = worded(text, parts_of(text, lexicon), language)
    return chinese(text, parts, lexicon) if language == "zh" else english(text, parts)


def _words(parts: Sequence[Part], text: str) -> list[_Said]:
    """The parts of a line, joined where no space is between them."""
    words: list[_Said] = []
    for part in parts:
        if part.said.startswith("/") and part.given:
            words.append(_Said(part.start, part.stop, "", part.said.strip("/")))
            continue
        whole = part.given or part.form
        pieces = [(0, part.stop - part.start, part.said)] if whole else [
            (m.start(), m.end(), m[0]) for m in re.finditer(r"\S+", part.said)
        ]  # fmt: skip
        for a, b, said in pieces:
            start, stop = part.start + a, part.start + b
            touching = bool(words) and words[-1].stop == start
            if touching and words[-1].phonemes and re.match(r"\w", said):
                touching = False
            if touching:
                before = words[-1]
                words[-1] = _Said(before.start, stop, _glued(before.text, said), before.phonemes)
            else:
                words.append(_Said(start, stop, said))
    return words


def _glued(before: str, after: str) -> str:
    """Marks stay at their word; a number and a sign that is said as a word do not run together."""
    return f"{before} {after}" if before[-1:].isalnum() and after[:1].isalnum() else before + after


@cache
def hibari() -> Any:
    """The English model with its phonemiser, one a process, one thread (more are slower)."""
    from hibari import Hibari

    return Hibari(threads=1)


def english(text: str, parts: Sequence[Part]) -> list[Run]:
    """An English line as phonemes, by hibari's phonemiser, which knows Kokoro's alphabet."""
    plain, marked, spans = "", "", []
    for word in _words(parts, text):
        # Given phonemes stand for one word, whose own letter only keeps its place.
        said = " ".join(word.text.replace("’", "'").split())
        begin = len(plain) + bool(plain)
        plain = f"{plain} {'x' if word.phonemes else ''}{said}".strip()
        marked = f"{marked} {f'[x](/{word.phonemes}/)' if word.phonemes else ''}{said}".strip()
        spans.append((begin, len(plain), word))
    g2p = hibari().g2p
    found: dict[int, str] = {}
    at = 0
    for token in g2p.phonemize_tokens(g2p.tokenize(marked)):
        here = plain.find(token.text, at)
        at = at if here < 0 else here + len(token.text)
        owner = next((n for n, (begin, end, _) in enumerate(spans) if max(here, 0) < end), len(spans) - 1)
        found[owner] = found.get(owner, "") + (token.phonemes or "") + (" " if token.whitespace else "")
    runs = []
    for n, (_, _, word) in enumerate(spans):
        said = found.get(n, "").strip()
        if not any(sign.isalpha() for sign in said) and any(c.isalnum() for c in word.text):
            raise SpeechError(unsayable(text[word.start : word.stop], "en"))
        runs.append(Run(word.start, word.stop, said))
    return runs


_MARKS = {"，": ",", "、": ",", "。": ".", "：": ":", "；": ";", "？": "?", "！": "!", "（": "(", "）": ")", "—": "—",
          "…": "…", "“": "“", "”": "”", **{mark: mark for mark in ".,:;?!()"}}  # fmt: skip
_TONES = (("˧˩˧", "↓"), ("˧˥", "↗"), ("˥˩", "↘"), ("˥", "→"), ("\u032f", ""))
# Affricates are one sign in Kokoro's alphabet, and syllabic r and z are ɨ.
_SIGNS = (("tsʰ", "ʦʰ"), ("ts", "ʦ"), ("ʈʂ", "ꭧ"), ("tɕ", "ʨ"), ("ɻ\u0329", "ɨ"), ("ɹ\u0329", "ɨ"))
_PIECE = re.compile(rf"(?P<han>{HAN.pattern}+)|(?P<latin>[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ' -]*)|(?P<mark>\S)")


@cache
def _jieba() -> Any:
    import logging

    import jieba

    jieba.setLogLevel(logging.ERROR)
    return jieba


@cache
def syllable(pinyin: str) -> str:
    """A syllable such as hang2 in Kokoro's alphabet."""
    from pinyin_to_ipa import pinyin_to_ipa

    try:
        ipa = "".join(next(iter(pinyin_to_ipa(pinyin))))
    except (ValueError, StopIteration):
        raise SpeechError(f"{pinyin} is not a pinyin syllable with its tone, such as hang2") from None
    for old, new in (*_TONES, *_SIGNS):
        ipa = ipa.replace(old, new)
    return ipa


def chinese(text: str, parts: Sequence[Part], lexicon: Mapping[str, str]) -> list[Run]:
    """A Chinese line as phonemes: words by jieba, readings by pypinyin, English words by hibari's phonemiser."""
    runs: list[Run] = []
    readings = readings_of(text, lexicon)
    for part in parts:
        if part.given and part.said.startswith("/"):
            runs.append(Run(part.start, part.stop, part.said.strip("/")))
        elif part.given or part.form:
            # All of what is said for an entry or a number takes its place.
            inner = _chinese_text(part.said, 0, readings_of(part.said, lexicon), lexicon)
            # The characters of a number are one word.
            gaps = (run.spaced and (part.given or part.said[run.start].isascii()) for run in inner)
            said = "".join(run.phonemes + " " * gap for run, gap in zip(inner, gaps, strict=True)).strip()
            runs.append(Run(part.start, part.stop, said))
        else:
            _extend(runs, _chinese_text(part.said, part.start, readings, lexicon))
    return [run for run in runs if run.phonemes]


def _extend(runs: list[Run], more: list[Run]) -> None:
    """Put runs after others; closing marks go to the run before them."""
    for run in more:
        if runs and run.phonemes and not any(map(str.isalpha, run.phonemes)) and run.phonemes[0] not in "(“":
            last = runs[-1]
            runs[-1] = Run(last.start, run.stop, last.phonemes + run.phonemes, last.spaced)
        else:
            runs.append(run)


def _chinese_text(text: str, offset: int, readings: Mapping[int, str], lexicon: Mapping[str, str]) -> list[Run]:
    runs: list[Run] = []
    for match in _PIECE.finditer(text):
        start = offset + match.start()
        if match["han"]:
            syllables = pinyin_of(match[0], lexicon)
            ends = set(accumulate(map(len, _jieba().lcut(match[0]))))
            for n, reading in enumerate(syllables):
                said = syllable(readings.get(start + n, reading))
                runs.append(Run(start + n, start + n + 1, said, n + 1 in ends))
        elif match["latin"]:
            words = [Part(m.start(), m.end(), m[0]) for m in re.finditer(r"\S+", match[0])]
            runs += [replace(run, start=start + run.start, stop=start + run.stop) for run in english(match[0], words)]
        elif match[0] in _MARKS:
            _extend(runs, [Run(start, start + 1, _MARKS[match[0]], False)])
    return runs


def pinyin_of(han: str, lexicon: Mapping[str, str]) -> list[str]:
    """The syllables of a stretch of Chinese; the lexicon reads characters that are words by themselves."""
    from pypinyin import Style, lazy_pinyin

    found: list[str] = []
    for word in _jieba().lcut(han):
        found += map(str, lazy_pinyin(word, style=Style.TONE3, neutral_tone_with_five=True))
    at = 0
    # Guessed words would hide characters that stand alone.
    for word in _jieba().lcut(han, HMM=False):
        if len(word) == 1 and word in lexicon:
            found[at] = lexicon[word]
        at += len(word)
    return found


def stretches(text: str, runs: Sequence[Run]) -> list[list[Run]]:
    """Runs in stretches that the model takes at once: sentences, and where one is too long, clauses.

    A full stop within a sentence, such as an abbreviation's, is no pause.
    """
    found: list[list[Run]] = []
    for start, stop in sentences(text):
        inside = [run for run in runs if start <= run.start < stop]
        spoken = [n for n, run in enumerate(inside) if any(map(str.isalpha, run.phonemes))]
        if spoken:
            last = spoken[-1]
            found += _clauses([
                replace(run, phonemes=run.phonemes.replace(".", "")) if n < last else run
                for n, run in enumerate(inside)
            ])  # fmt: skip
    return found


def _clauses(runs: Sequence[Run]) -> list[list[Run]]:
    """Runs in stretches of at most LONGEST signs, cut after the last clause that fits."""
    found: list[list[Run]] = [[]]
    for run in runs:
        if found[-1] and length(found[-1]) + len(run.phonemes) > LONGEST:
            cut = max((n for n, r in enumerate(found[-1], 1) if r.phonemes.endswith(_CLAUSE_END)), default=0)
            rest = found[-1][cut:] if cut else []
            found[-1] = found[-1][:cut] if cut else found[-1]
            found.append(rest)
        found[-1].append(run)
    return found


def length(runs: Sequence[Run]) -> int:
    """Signs of these runs, with the spaces between them."""
    return sum(len(run.phonemes) + run.spaced for run in runs)
