"""What the lessons say: a YAML file for each language and lesson, and the sources of its claims.

A line of text may have slots, `{weight}`, which the lesson fills with numbers; `{{` and `}}` are
braces.  A slot is a plain name, so a line of text can run no code.  In a spoken line it may say in
which form its number is spoken, `{ratio:fraction}` (see `numerals`), and there may be marks,
`{@query}`: they are not seen or heard, and name the moment at which the word after them is spoken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from scenes.strict_yaml import Document, KeyPath, Unclear, Value, YamlProblem, printable, quoted, read_yaml, shown
from scenes.words.numerals import FORMS

FOLDER = Path(__file__).resolve().parent
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


class WordsError(ValueError):
    """What is wrong with a text, in one line."""


@dataclass(frozen=True)
class Words:
    """A lesson's words in one language: `say` has a line for each beat, `labels` the text on screen.

    `alt` describes the film to those who cannot see it; `sources` are ids of `load_sources()`.
    """

    title: str
    alt: str
    say: Mapping[str, str]
    labels: Mapping[str, str]
    sources: tuple[str, ...]


@dataclass(frozen=True)
class Source:
    """A publication: `where` is its venue and address."""

    id: str
    authors: str
    year: int
    title: str
    where: str


def load_words(language: str, lesson: str, folder: Path | None = None) -> Words:
    """Read `<folder>/<language>/<lesson>.yaml`.  Raises: WordsError, which names file, line and key."""
    folder = folder or FOLDER
    if not _NAME.fullmatch(language) or not _NAME.fullmatch(lesson):
        raise WordsError(f"read {quoted(f'{language}/{lesson}')}; write a language and a lesson such as en and qkv")
    reader = _Reader(folder / language / f"{lesson}.yaml", f"{folder.name}/{language}/{lesson}.yaml")
    root = reader.section((), required=("title", "alt", "say"), optional=("labels", "sources"))
    say = {beat: reader.text(("say", beat), spoken=True) for beat in reader.section(("say",))}
    labels = {name: reader.text(("labels", name)) for name in reader.section(("labels",))} if "labels" in root else {}
    if not say:
        raise reader.error(("say",), "read no beats; write a line of text for each beat")
    sources = root.get("sources", [])
    if not isinstance(sources, list):
        raise reader.error(("sources",), f"read {shown(sources)}; write a list such as [vaswani2017]")
    known = load_sources(folder) if sources else {}
    for number, name in enumerate(sources):
        if not isinstance(name, str) or name not in known or name in sources[:number]:
            close = get_close_matches(str(name), known, 1, 0.3)
            advice = f"an id of sources.yaml, once{', such as ' + close[0] if close else ''}"
            raise reader.error(("sources", number), f"read {shown(name)}; write {advice}")
    title, alt = reader.text(("title",)), reader.text(("alt",))
    return Words(title, alt, say, labels, tuple(str(name) for name in sources))


def load_sources(folder: Path | None = None) -> Mapping[str, Source]:
    """Read `<folder>/sources.yaml`: publications by id.  Raises: WordsError."""
    folder = folder or FOLDER
    reader = _Reader(folder / "sources.yaml", f"{folder.name}/sources.yaml")
    sources: dict[str, Source] = {}
    for name in reader.section(()):
        entry = reader.section((name,), required=("authors", "year", "title", "where"))
        year = entry["year"]
        if isinstance(year, bool) or not isinstance(year, int) or not 1900 <= year <= 2100:
            raise reader.error((name, "year"), f"read {shown(year)}; write a year such as 2017")
        authors, title, where = (reader.text((name, key)) for key in ("authors", "title", "where"))
        sources[name] = Source(name, authors, year, title, where)
    return sources


@dataclass(frozen=True)
class Slot:
    """A place for a value of the lesson; `form` says how a number is spoken there, "" that it is shown as digits."""

    name: str
    form: str = ""


@dataclass(frozen=True)
class Mark:
    """The moment at which the word after it is spoken."""

    name: str


def parts_of(text: str) -> tuple[str | Slot | Mark, ...]:
    """A line as what is written, its slots and its marks, in order.

    Raises: WordsError for a slot that is badly written, and for a mark that is there twice.
    """
    parts: list[str | Slot | Mark] = []
    at = 0
    for match in _BRACES.finditer(text):
        part: str | Slot | Mark = match[0][0] if match[0] in ("{{", "}}") else _slot_or_mark(match)
        if isinstance(part, Mark) and part in parts:
            raise WordsError(f"read {{@{part.name}}} twice; write each mark once")
        parts += [text[at : match.start()], part]
        at = match.end()
    return tuple(part for part in (*parts, text[at:]) if part != "")


def _slot_or_mark(match: re.Match[str]) -> Slot | Mark:
    inside = match[1] or ""
    is_mark = inside.startswith("@")
    name, colon, form = inside.removeprefix("@").partition(":")
    if not _NAME.fullmatch(name) or (colon and (is_mark or not _NAME.fullmatch(form))):
        advice = "write a slot as {name}, and {{ or }} for a brace"
        raise WordsError(f"read {printable(match[0])}; {advice}")
    if form and form not in FORMS:
        raise WordsError(f"read {printable(match[0])}; write one of these after the colon: {', '.join(FORMS)}")
    return Mark(name) if is_mark else Slot(name, form)


def slots_of(text: str) -> tuple[str, ...]:
    """The names of the slots of `text`, each once, in order.  Raises: WordsError."""
    return tuple(dict.fromkeys(part.name for part in parts_of(text) if isinstance(part, Slot)))


def marks_of(text: str) -> tuple[str, ...]:
    """The names of the marks of `text`, in order.  Raises: WordsError."""
    return tuple(part.name for part in parts_of(text) if isinstance(part, Mark))


class _Reader:
    """One file of words, and its errors."""

    def __init__(self, path: Path, name: str) -> None:
        try:
            self.document: Document = read_yaml(path, name, example='title: "..."')
        except YamlProblem as problem:
            raise WordsError(str(problem)) from None

    def error(self, path: KeyPath, text: str) -> WordsError:
        return WordsError(str(self.document.problem(path, text)))

    def at(self, path: KeyPath) -> Value:
        value: Value = self.document.root
        for part in path:
            assert isinstance(value, dict)
            value = value[str(part)]
        return value

    def section(
        self, path: KeyPath, required: tuple[str, ...] = (), optional: tuple[str, ...] = ()
    ) -> dict[str, Value]:
        """A section with these keys; without `required`, one of any plain names."""
        value = self.at(path)
        if not isinstance(value, dict):
            raise self.error(path, f"read {shown(value)}; write a section: lines of name: text, indented")
        names = (*required, *optional)
        for key in value:
            if required and key not in names:
                close = get_close_matches(key, names, 1, 0.5) or [", ".join(names)]
                raise self.error((*path, key), f"read a key that is unknown; write one of these: {close[0]}")
            if not _NAME.fullmatch(key):
                raise self.error((*path, key), f"read {quoted(key)} as a key; write a plain name such as first_beat")
        for key in required:
            if key not in value:
                raise self.error((*path, key), f"read no key {key}; write {key} and its value")
        return value

    def text(self, path: KeyPath, *, spoken: bool = False) -> str:
        """A line of text whose slots are well formed; only a `spoken` one may have marks, and numbers in words."""
        value = self.at(path)
        if not isinstance(value, str):
            written = value.text if isinstance(value, Unclear) else shown(value)
            plain = isinstance(value, int | float | Unclear) and written
            advice = f"it in quotes: {quoted(written)}" if plain else 'a text in quotes such as "Each word asks."'
            raise self.error(path, f"read {shown(value)}; write {advice}")
        text = value.strip()
        if not text or "\n" in text:
            raise self.error(path, f"read {quoted(text)}; write one line of text, or one paragraph after >-")
        try:
            parts = parts_of(text)
        except WordsError as error:
            raise self.error(path, str(error)) from None
        for part in parts if not spoken else ():
            if isinstance(part, Mark):
                raise self.error(path, f"read {{@{part.name}}}; write marks in spoken lines only")
            if isinstance(part, Slot) and part.form:
                advice = f"write {{{part.name}}}, as only spoken lines say numbers in words"
                raise self.error(path, f"read {{{part.name}:{part.form}}}; {advice}")
        return text
