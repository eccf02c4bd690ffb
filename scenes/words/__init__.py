"""What the lessons say: a YAML file for each language and lesson, and the sources of its claims.

A section `drawn` has other texts for an example whose parameters are drawn and not trained, so that a film claims only
what its own numbers show.

A line of text may have slots, `{weight}`, which the lesson fills with numbers; `{{` and `}}` are
braces.  A slot is a plain name, so a line of text can run no code.  In a spoken line it may say in
which form its number is spoken, `{ratio:fraction}` (see `numerals`), and there may be marks,
`{@query}`: they are not seen or heard, and name the moment at which the word after them is spoken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mathcore.example import WorkedExample
from scenes.strict_yaml import Document, KeyPath, Value, YamlProblem, printable, quoted, read_yaml, shown, unknown
from scenes.words.numerals import FORMS

FOLDER = Path(__file__).resolve().parent
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BRACES = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


class WordsError(ValueError):
    """What is wrong with a text, in one line."""


@dataclass(frozen=True)
class Words:
    """A lesson's words in one language: `say` has a line for each beat, `labels` the text on screen.

    `alt` describes the film to those who cannot see it; `sources` are ids of `load_sources()`. `drawn` are the words
    for an example whose parameters are drawn and not trained, None if they are the same.
    """

    title: str
    alt: str
    say: Mapping[str, str]
    labels: Mapping[str, str]
    sources: tuple[str, ...]
    drawn: Words | None = None

    def told_of(self, example: WorkedExample) -> Words:
        """The words for an example: `drawn` ones if its parameters are drawn."""
        # An example is asked only where the answer matters: what a film reads, it is made again for.
        return self.drawn if self.drawn and not example.has_trained_parameters else self


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
        raise WordsError(
            f"{quoted(f'{language}/{lesson}')} is no language and lesson, such as en/qkv; check both names"
        )
    reader = _Reader(folder / language / f"{lesson}.yaml", f"{folder.name}/{language}/{lesson}.yaml")
    root = reader.section((), required=("title", "alt", "say"), optional=("labels", "sources", "drawn"))
    say = {beat: reader.text(("say", beat), spoken=True) for beat in reader.section(("say",))}
    labels = {name: reader.text(("labels", name)) for name in reader.section(("labels",))} if "labels" in root else {}
    if not say:
        raise reader.error(("say",), "there are no beats; write a line of text for each beat")
    sources = root.get("sources", [])
    if not isinstance(sources, list):
        raise reader.error(("sources",), f"expected a list such as [vaswani2017], found {reader.shown(('sources',))}")
    known = load_sources(folder) if sources else {}
    for number, name in enumerate(sources):
        if not isinstance(name, str) or name not in known:
            raise reader.error(("sources", number), unknown("source", name, known))
        if name in sources[:number]:
            raise reader.error(("sources", number), f"{name} is listed twice; name each source once")
    title, alt = reader.text(("title",)), reader.text(("alt",))
    words = Words(title, alt, say, labels, tuple(str(name) for name in sources))
    return replace(words, drawn=_drawn(reader, words)) if "drawn" in root else words


def _drawn(reader: _Reader, words: Words) -> Words:
    """The words with those of the section `drawn` in place of some: other texts, with the same slots and marks."""
    section = reader.section(("drawn",), optional=("alt", "say", "labels"))
    alt = reader.text(("drawn", "alt")) if "alt" in section else words.alt
    told: dict[str, dict[str, str]] = {}
    for part, texts in (("say", words.say), ("labels", words.labels)):
        told[part] = dict(texts)
        for key in reader.section(("drawn", part)) if part in section else ():
            path = ("drawn", part, key)
            if key not in texts:
                raise reader.error(path, unknown("key", key, texts))
            told[part][key] = reader.text(path, spoken=part == "say")
            for kind, of in (("slots", slots_of), ("marks", marks_of)):
                here, there = set(of(told[part][key])), set(of(texts[key]))
                if here != there:
                    named = ", ".join(sorted(here ^ there))
                    raise reader.error(path, f"the {kind} differ from those of {part}.{key} ({named}); use the same")
            if told[part][key] == texts[key]:
                raise reader.error(path, f"the text is that of {part}.{key}; delete it here")
    if alt == words.alt and "alt" in section:
        raise reader.error(("drawn", "alt"), "the text is that of alt; delete it here")
    return replace(words, alt=alt, say=told["say"], labels=told["labels"])


def load_sources(folder: Path | None = None) -> Mapping[str, Source]:
    """Read `<folder>/sources.yaml`: publications by id.  Raises: WordsError."""
    folder = folder or FOLDER
    reader = _Reader(folder / "sources.yaml", f"{folder.name}/sources.yaml")
    sources: dict[str, Source] = {}
    for name in reader.section(()):
        entry = reader.section((name,), required=("authors", "year", "title", "where"))
        year = entry["year"]
        if isinstance(year, bool) or not isinstance(year, int) or not 1900 <= year <= 2100:
            found = reader.shown((name, "year"))
            raise reader.error((name, "year"), f"expected a year from 1900 to 2100, found {found}")
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
            raise WordsError(f"the mark {{@{part.name}}} is there twice; use each mark once")
        parts += [text[at : match.start()], part]
        at = match.end()
    return tuple(part for part in (*parts, text[at:]) if part != "")


def _slot_or_mark(match: re.Match[str]) -> Slot | Mark:
    inside = match[1] or ""
    is_mark = inside.startswith("@")
    name, colon, form = inside.removeprefix("@").partition(":")
    if not _NAME.fullmatch(name) or (colon and (is_mark or not _NAME.fullmatch(form))):
        advice = "write a slot as {name}, and {{ or }} for a brace"
        raise WordsError(f"{printable(match[0])} is no slot; {advice}")
    if form and form not in FORMS:
        raise WordsError(f"{printable(match[0])}: {unknown('form', form, FORMS)}")
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

    def shown(self, path: KeyPath) -> str:
        return shown(self.at(path), self.document.written.get(path, ""))

    def at(self, path: KeyPath) -> Value:
        value: Value = self.document.root
        for part in path:
            assert isinstance(value, dict)
            value = value[str(part)]
        return value

    def section(
        self, path: KeyPath, required: tuple[str, ...] = (), optional: tuple[str, ...] = ()
    ) -> dict[str, Value]:
        """A section with these keys; without any, one of any plain names."""
        value = self.at(path)
        if not isinstance(value, dict):
            raise self.error(path, f"expected a section (indented lines of name: text), found {self.shown(path)}")
        names = (*required, *optional)
        for key in value:
            if names and key not in names:
                raise self.error((*path, key), unknown("key", key, names))
            if not _NAME.fullmatch(key):
                raise self.error((*path, key), f"{quoted(key)} cannot be a key; write a plain name such as first_beat")
        for key in required:
            if key not in value:
                raise self.error((*path, key), "missing key; add it and its value")
        return value

    def text(self, path: KeyPath, *, spoken: bool = False) -> str:
        """A line of text whose slots are well formed; only a `spoken` one may have marks, and numbers in words."""
        value = self.at(path)
        if not isinstance(value, str):
            written = self.document.written.get(path)
            advice = f"; put it in quotes: {quoted(written)}" if written else ', such as "Each word asks."'
            raise self.error(path, f"expected text in quotes, found {self.shown(path)}{advice}")
        text = value.strip()
        if not text:
            raise self.error(path, "the text is empty; write one line")
        if "\n" in text:
            raise self.error(path, f"line breaks in {quoted(text)}; write one line, or one paragraph after >-")
        try:
            parts = parts_of(text)
        except WordsError as error:
            raise self.error(path, str(error)) from None
        for part in parts if not spoken else ():
            if isinstance(part, Mark):
                raise self.error(path, f"{{@{part.name}}} is a mark, which only spoken lines have; delete it")
            if isinstance(part, Slot) and part.form:
                written = f"{{{part.name}:{part.form}}}"
                raise self.error(path, f"only spoken lines say numbers in words, as {written}; write {{{part.name}}}")
        return text
