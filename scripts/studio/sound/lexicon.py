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

    `said` is text, or, where it stands between slashes, phonemes; `pinyin` has a syllable a character.
    """

    start: int
    stop: int
    said: str
    pinyin: tuple[str, ...] = ()


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
    """What is read and what to write instead, or nothing."""
    if not isinstance(value, str) or not value.strip():
        return f'read {shown(value)}; write how it is said, in quotes: "soft max"'
    if value.startswith("/"):
        bad = [sign for sign in value.strip("/") if sign not in PHONEMES]
        if bad or not value.endswith("/") or len(value) < 3:
            return f"read {quoted(value)}; write phonemes between slashes, such as /sˈɔftmæks/"
    syllables = value.split() if _PINYIN.fullmatch(value) else ()
    if syllables and HAN.match(written) and len(syllables) != len(written):
        return f"read {len(syllables)} syllables; write one for each of the {len(written)} characters"
    return ""


def parts_of(text: str, lexicon: Mapping[str, str]) -> list[Part]:
    """A line as parts, in order and without gaps: entries of the lexicon, the longest first, and what is between."""
    parts: list[Part] = []
    at = 0
    for match in _pattern(tuple(lexicon)).finditer(text) if lexicon else ():
        if match.start() > at:
            parts.append(Part(at, match.start(), text[at : match.start()]))
        said = lexicon[match[0]]
        pinyin = tuple(said.split()) if _PINYIN.fullmatch(said) and HAN.match(match[0]) else ()
        parts.append(Part(match.start(), match.end(), match[0] if pinyin else said, pinyin))
        at = match.end()
    return [*parts, Part(at, len(text), text[at:])] if at < len(text) else parts


def entries_used(lines: Iterable[str], lexicon: Mapping[str, str]) -> dict[str, str]:
    """The entries that these lines are said with."""
    found = {match[0] for line in lines for match in _pattern(tuple(lexicon)).finditer(line)} if lexicon else set()
    return {written: lexicon[written] for written in sorted(found)}


@cache
def _pattern(written: tuple[str, ...]) -> re.Pattern[str]:
    """Entries as they stand in a line: a letter or digit at an end must not go on."""
    choices = []
    for form in sorted(written, key=lambda form: (-len(form), form)):
        before = r"(?<![A-Za-z0-9])" if re.match("[A-Za-z0-9]", form) else ""
        after = r"(?![A-Za-z0-9])" if re.search("[A-Za-z0-9]$", form) else ""
        choices.append(f"{before}{re.escape(form)}{after}")
    return re.compile("|".join(choices))
