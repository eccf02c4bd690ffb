"""Digits that are written in words, not computed: where each of them is written."""

import re
from collections.abc import Callable, Iterator

from mathcore.example import WorkedExample
from mathcore.named import Entry
from scenes.kit.text import Provenance, TextLine
from scenes.lessons import CARDS
from scenes.settings import Settings
from scenes.words import load_sources, load_words

Literals = Iterator[tuple[str, str, str]]
_DIGITS = re.compile(r"[0-9]+")
_SLOT = re.compile(r"\{[^{}]*\}")


def literals(settings: Settings, language: str, lesson: str, example: WorkedExample) -> Literals:
    """Every text that a lesson may show as it is: its place, such as `words/en/qkv.yaml: title`, and the text.

    A year is also told with the name that it stands beside; for the rest, that is empty.
    """
    # Only cards show the titles of other lessons.
    others = settings.lecture.lessons if lesson in CARDS else ()
    for name in dict.fromkeys((lesson, "chapter", *others)):
        place, words = f"words/{language}/{name}.yaml", load_words(language, name).told_of(example)
        yield f"{place}: title", words.title, ""
        if name in (lesson, "chapter"):
            yield from ((f"{place}: labels.{key}", text, "") for key, text in words.labels.items())
        if name == lesson:
            yield from ((f"sentence: {number}", word, "") for number, word in enumerate(example.words))
    for name, source in load_sources().items():
        place = f"words/sources.yaml: {name}"
        yield f"{place}.year", str(source.year), source.authors.split(", ")[0]
        for key, text in (("authors", source.authors), ("title", source.title), ("where", source.where)):
            yield f"{place}.{key}", text, ""
    # Last, as a film counts as made from the settings that were read.
    yield "media_config.yaml: lecture.title", getattr(settings.lecture.title, language), ""


def literal_ties(line: TextLine, written: Callable[[], Literals]) -> None:
    """Attribute the digits of a line that no number accounts for to the place where they are written."""
    if any(origin.kind == "number" for origin in line.provenance):
        return
    computed = [origin for origin in line.provenance if origin.kind != "text"]
    spans = [origin.span for origin in computed if origin.span]
    provenance = []
    for match in _DIGITS.finditer(line.text):
        if not any(first <= match.start() < last for first, last in spans):
            entry = Entry(_place(line.text, match[0], written), (match.start(),), float(match[0]))
            provenance.append(Provenance("text", entry, match[0], match.span()))
    line.provenance = (*computed, *provenance)


def _place(line: str, digits: str, written: Callable[[], Literals]) -> str:
    """Where a line, or the part of it that holds `digits`, is written; empty when it is written nowhere."""
    shown = line.removesuffix("…").rstrip()
    for place, text, beside in written():
        # Between its slots, a text is shown as it is written.
        parts = [part for part in _SLOT.split(text) if digits in part]
        if parts and (beside in line and text in line if beside else shown in text or any(p in line for p in parts)):
            return place
    return ""
