"""How written words are said: `scenes/words/<language>/lexicon.yaml`, for users to extend. No engine is needed here."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scenes.strict_yaml import YamlProblem, quoted, read_yaml, shown
from scenes.words import FOLDER

# The signs of Kokoro's phonemes, which hibari shares, without stress on its own and without spaces.
PHONEMES = frozenset(
    "ʣʥʦʨᵝꭧAIOQSTWYᵊabcdefhijklmnopqrstuvwxyzɑɐɒæβɔɕçɖðʤəɚɛɜɟɡɥɨɪʝɯɰŋɳɲɴøɸθœɹɾɻʁɽʂʃʈʧʊʋʌɣɤχʎʒʔˈˌːʰʲ↓→↗↘ᵻ ,"
)
_PINYIN = re.compile(r"[a-zü]+[1-5]( [a-zü]+[1-5])*")
HAN = re.compile(r"[\u3400-\u9fff]")


class SpeechError(RuntimeError):
    """A line cannot be spoken, in one line of text."""


@dataclass(frozen=True)
class Part:
    """Characters `start` to `stop` (not included) of a line, and how they are said.

    `said` is text, or, where it stands between slashes, phonemes. `given` are entries of the lexicon, and `form` is a
    number or sign in words.
    """

    start: int
    stop: int
    said: str
    given: bool = False
    form: bool = False


@cache
def load_lexicon(language: str, folder: Path = FOLDER) -> Mapping[str, str]:
    """Written forms and how they are said.  Raises: SpeechError, which names file, line and key."""
    path = folder / language / "lexicon.yaml"
    try:
        document = read_yaml(path, f"{folder.name}/{language}/{path.name}", example='"W_O": "W O"')
        said: dict[str, str] = {}
        for written, value in document.root.items():
            if wrong := _wrong(written, value):
                raise document.problem((written,), wrong)
            said[written] = str(value).strip()
    except YamlProblem as problem:
        raise SpeechError(str(problem)) from None
    return said


def _wrong(written: str, value: object) -> str:
    """What is wrong with an entry; empty if nothing is."""
    if not isinstance(value, str) or not value.strip():
        return f'expected how it is said, in quotes such as "soft max", found {shown(value)}'
    if value.startswith("/"):
        bad = [sign for sign in value.strip("/") if sign not in PHONEMES]
        if bad or not value.endswith("/") or len(value) < 3:
            return f"expected phonemes between slashes, such as /sˈɔftmæks/, found {quoted(value)}"
    characters = len(HAN.findall(written))
    if is_reading(written, value) and len(value.split()) != characters:
        return f"expected a syllable for each of the {characters} characters, found {len(value.split())}"
    return ""


def is_reading(written: str, said: str) -> bool:
    """Whether an entry says how Chinese characters are read, in pinyin; `#` in it stands for any number."""
    return _PINYIN.fullmatch(said.strip()) is not None and HAN.search(written) is not None


def parts_of(text: str, lexicon: Mapping[str, str]) -> list[Part]:
    """A line as parts, in order and without gaps: entries of the lexicon, the longest first, and what is between."""
    parts: list[Part] = []
    at = 0
    for match in _pattern(_words(lexicon)).finditer(text):
        if match.start() > at:
            parts.append(Part(at, match.start(), text[at : match.start()]))
        parts.append(Part(match.start(), match.end(), lexicon[match[0]], given=True))
        at = match.end()
    return [*parts, Part(at, len(text), text[at:])] if at < len(text) else parts


def readings_of(text: str, lexicon: Mapping[str, str]) -> dict[int, str]:
    """The syllables that entries give to characters of a line, by their places; the longest entry counts.

    An entry of one character is left out: it is read so only where it is a word by itself.
    """
    found: dict[int, str] = {}
    for written in sorted(lexicon, key=len):
        if len(written) > 1 and is_reading(written, lexicon[written]):
            for match in _reading_pattern(written).finditer(text):
                places = [place for n in range(1, len(match.groups()) + 1) for place in range(*match.span(n))]
                han = [place for place in places if HAN.match(text[place])]
                found |= dict(zip(han, lexicon[written].split(), strict=True))
    return found


def entries_used(lines: Iterable[str], lexicon: Mapping[str, str]) -> dict[str, str]:
    """The entries that these lines are said with."""
    found: set[str] = set()
    for line in lines:
        found |= {match[0] for match in _pattern(_words(lexicon)).finditer(line)}
        found |= {w for w in lexicon if is_reading(w, lexicon[w]) and _reading_pattern(w).search(line)}
    return {written: lexicon[written] for written in sorted(found)}


def _words(lexicon: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(written for written, said in lexicon.items() if not is_reading(written, said))


@cache
def _reading_pattern(written: str) -> re.Pattern[str]:
    digits = r"(?<![A-Za-z0-9.])[-−]?[0-9][0-9,.]*%?"
    # After a character, 一 is mostly part of another word: 懂得一个.
    before, after = rf"(?:{digits} ?|[一二两三四五六七八九十百千万几零]+)", rf" ?{digits}"
    pieces = [f"({re.escape(piece)})" if piece else "" for piece in written.split("#")]
    return re.compile((after if written.endswith("#") else before).join(pieces))


@cache
def _pattern(written: tuple[str, ...]) -> re.Pattern[str]:
    """Entries as they stand in a line: a letter or digit at an end must not go on."""
    choices = []
    for form in sorted(written, key=lambda form: (-len(form), form)):
        before = r"(?<![A-Za-z0-9])" if re.match("[A-Za-z0-9]", form) else ""
        after = r"(?![A-Za-z0-9])" if re.search("[A-Za-z0-9]$", form) else ""
        choices.append(f"{before}{re.escape(form)}{after}")
    # Without entries, nothing matches.
    return re.compile("|".join(choices) or "(?!)")
