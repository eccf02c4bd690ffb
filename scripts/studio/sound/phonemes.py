"""Lines as phonemes of Kokoro's alphabet, each run with the characters of the line that it is said for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from scenes.cache_folder import cache_folder
from scripts.studio.sound.lexicon import HAN, Part, SpeechError

# A call of the model takes about 510 signs; a sentence longer than this is cut at its commas.
LONGEST = 400
_SENTENCE_END, _CLAUSE_END = ".!?…", ",;:—"


@dataclass(frozen=True)
class Run:
    """Phonemes said for characters `start` to `stop` (not included); `spaced` when a space follows."""

    start: int
    stop: int
    phonemes: str
    spaced: bool = True


@dataclass(frozen=True)
class _Said:
    """A word or more without a space between them in the line, as it is to be said."""

    start: int
    stop: int
    text: str


def _words(parts: Sequence[Part], text: str) -> list[_Said]:
    """The parts of a line, joined where no space is between them."""
    words: list[_Said] = []
    for part in parts:
        pieces = (
            [(m.start(), m.end(), m[0]) for m in re.finditer(r"\S+", part.said)]
            if part.said == text[part.start : part.stop]
            else [(0, part.stop - part.start, part.said)]
        )
        for a, b, said in pieces:
            start, stop = part.start + a, part.start + b
            if words and words[-1].stop == start and not part.said.startswith("/"):
                words[-1] = _Said(words[-1].start, stop, _glued(words[-1].text, said))
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
    from hibari.g2p.normalize import normalize

    plain, marked, spans = "", "", []
    for word in _words(parts, text):
        match = re.fullmatch(r"(\W*)/(.+)/(\W*)", word.text)
        # Given phonemes stand for one word, whose own letters only keep its place.
        said = f"{match[1]}x{match[3]}" if match else normalize(_numbers(word.text))
        begin = len(plain) + bool(plain)
        plain = f"{plain} {said}".strip()
        given = f"{match[1]}[x](/{match[2]}/){match[3]}" if match else said
        marked = f"{marked} {given}".strip()
        spans.append((begin, len(plain), word))
    g2p = hibari().g2p
    found: dict[int, str] = {}
    at = 0
    for token in g2p.phonemize_tokens(g2p.tokenize(marked)):
        here = plain.find(token.text, at)
        at = at if here < 0 else here + len(token.text)
        owner = next((n for n, (begin, end, _) in enumerate(spans) if max(here, 0) < end), len(spans) - 1)
        found[owner] = found.get(owner, "") + (token.phonemes or "") + (" " if token.whitespace else "")
    return [Run(word.start, word.stop, found.get(n, "").strip()) for n, (_, _, word) in enumerate(spans)]


def _numbers(text: str) -> str:
    """Signs that belong to a number, as words; digits themselves are read by the phonemiser."""
    return re.sub(r"[-−](?=\d)", "minus ", text)


# What comes after two of something: 两 then, not 二.
_MEASURES = "个根行列条对块盏只本种位队张层句"
_NUMBER = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?%?")
_MARKS = {"，": ",", "、": ",", "。": ".", "：": ":", "；": ";", "？": "?", "！": "!", "（": "(", "）": ")",
          "—": "—", "…": "…", "“": "“", "”": "”", **{mark: mark for mark in ".,:;?!"}}  # fmt: skip
_TONES = (("˧˩˧", "↓"), ("˧˥", "↗"), ("˥˩", "↘"), ("˥", "→"), ("\u032f", ""))
# Affricates are one sign in Kokoro's alphabet, and syllabic r and z are ɨ.
_SIGNS = (("tsʰ", "ʦʰ"), ("ts", "ʦ"), ("ʈʂ", "ꭧ"), ("tɕ", "ʨ"), ("ɻ\u0329", "ɨ"), ("ɹ\u0329", "ɨ"))


def spoken_number(written: str, following: str) -> str:
    """A number as people say it in Chinese: −0.5 is 负零点五, 2 before a measure word is 两."""
    import cn2an

    digits = written.replace(",", "").replace("−", "-")
    if digits == "2" and following.lstrip()[:1] in tuple(_MEASURES):
        return "两"
    said = str(cn2an.an2cn(digits.strip("-%")))
    said = f"百分之{said}" if digits.endswith("%") else said
    return f"负{said}" if digits.startswith("-") else said


@cache
def _jieba() -> Any:
    import logging

    import jieba

    jieba.setLogLevel(logging.ERROR)
    # Not in the folder for temporary files, where anybody could put something for it to load.
    jieba.dt.tmp_dir = str(cache_folder())
    return jieba


@cache
def syllable(pinyin: str) -> str:
    """A syllable such as hang2 in Kokoro's alphabet."""
    from pinyin_to_ipa import pinyin_to_ipa

    try:
        ipa = "".join(next(iter(pinyin_to_ipa(pinyin))))
    except (ValueError, StopIteration):
        raise SpeechError(f"read {pinyin} as pinyin; write a syllable such as hang2") from None
    for old, new in (*_TONES, *_SIGNS):
        ipa = ipa.replace(old, new)
    return ipa


def chinese(text: str, parts: Sequence[Part]) -> list[Run]:
    """A Chinese line as phonemes: words by jieba, readings by pypinyin, English words by hibari's phonemiser."""
    runs: list[Run] = []
    for part in parts:
        if part.pinyin:
            runs += [
                Run(part.start + n, part.start + n + 1, syllable(reading), n == len(part.pinyin) - 1)
                for n, reading in enumerate(part.pinyin)
            ]
        elif part.said.startswith("/"):
            runs.append(Run(part.start, part.stop, part.said.strip("/")))
        elif part.said != text[part.start : part.stop]:
            # All of what is said for an entry takes its place.
            inner = _chinese_text(part.said, 0)
            said = "".join(run.phonemes + " " * run.spaced for run in inner).strip()
            runs.append(Run(part.start, part.stop, said))
        else:
            runs += _chinese_text(part.said, part.start)
    return runs


_PIECE = re.compile(
    rf"(?P<number>{_NUMBER.pattern})|(?P<han>{HAN.pattern}+)|(?P<latin>[A-Za-z][A-Za-z' -]*)|(?P<mark>\S)"
)


def _chinese_text(text: str, offset: int) -> list[Run]:
    runs: list[Run] = []
    for match in _PIECE.finditer(text):
        start, stop = offset + match.start(), offset + match.end()
        if match["number"]:
            said = spoken_number(match[0], text[match.end() :])
            runs.append(Run(start, stop, "".join(map(syllable, _readings(said)))))
        elif match["han"]:
            for word in _jieba().lcut(match[0]):
                for n, reading in enumerate(_readings(word)):
                    runs.append(Run(start + n, start + n + 1, syllable(reading), n == len(word) - 1))
                start += len(word)
        elif match["latin"]:
            words = [Part(m.start(), m.end(), m[0]) for m in re.finditer(r"\S+", match[0])]
            runs += [Run(start + run.start, start + run.stop, run.phonemes) for run in english(match[0], words)]
        elif match[0] in _MARKS:
            mark = _MARKS[match[0]]
            if runs and mark not in "(“":
                runs[-1] = Run(runs[-1].start, stop, runs[-1].phonemes + mark)
            else:
                runs.append(Run(start, stop, mark, False))
    return runs


def _readings(word: str) -> list[str]:
    from pypinyin import Style, lazy_pinyin

    return [str(reading) for reading in lazy_pinyin(word, style=Style.TONE3, neutral_tone_with_five=True)]


def sentences(runs: Sequence[Run]) -> list[list[Run]]:
    """Runs in stretches that the model takes at once: sentences, and where one is too long, clauses."""
    found: list[list[Run]] = [[]]
    for run in runs:
        ended = found[-1] and found[-1][-1].phonemes.rstrip('”)"')[-1:] in tuple(_SENTENCE_END)
        if ended or (found[-1] and length(found[-1]) + len(run.phonemes) > LONGEST):
            rest: list[Run] = []
            if not ended:
                cut = max((n for n, r in enumerate(found[-1], 1) if r.phonemes[-1:] in tuple(_CLAUSE_END)), default=0)
                found[-1], rest = (found[-1][:cut], found[-1][cut:]) if cut else (found[-1], [])
            found.append(rest)
        found[-1].append(run)
    return [stretch for stretch in found if any(run.phonemes for run in stretch)]


def length(runs: Sequence[Run]) -> int:
    """Signs of these runs, with the spaces between them."""
    return sum(len(run.phonemes) + run.spaced for run in runs)
