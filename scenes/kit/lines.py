"""A lesson's line with its slots filled: the text, the numbers in it, and its moments."""

from collections.abc import Mapping
from dataclasses import dataclass

from scenes.kit.text import Provenance
from scenes.kit.values import Value, as_formatted
from scenes.strict_yaml import unknown
from scenes.words import Mark, Slot, WordsError, parts_of
from scenes.words.numerals import numeral

SlotValue = str | Value
"""A word, or a value of the worked example."""


@dataclass(frozen=True)
class Line:
    """`provenance` are the numbers that stand in `text`; `moments` has the place (characters) of every mark."""

    text: str
    provenance: tuple[Provenance, ...]
    moments: Mapping[str, int]


def fill(text: str, values: Mapping[str, SlotValue], language: str, where: str = "") -> Line:
    """`text` with its slots filled and without its marks; braces in values stay, values without a slot are unused.

    Raises: WordsError for a slot that has no value, or not one that its form can say; it starts with `where`, such as
    "en/qkv.yaml: say.query".
    """
    place = f"{where}: " if where else ""
    filled, provenance, moments = "", [], {}
    for part in parts_of(text):
        if isinstance(part, Mark):
            moments[part.name] = len(filled)
        elif isinstance(part, Slot):
            if part.name not in values:
                raise WordsError(f"{place}{unknown('slot', part.name, sorted(values) or ['none'])}")
            value = values[part.name]
            said = _said(part, value, language, place)
            if not isinstance(value, str):
                provenance.append(
                    Provenance(
                        "label", as_formatted(value).entry, said, (len(filled), len(filled) + len(said)), part.form
                    )
                )
            filled += said
        else:
            filled += part
    return Line(filled, tuple(provenance), moments)


def _said(slot: Slot, value: SlotValue, language: str, place: str) -> str:
    if not slot.form:
        return value if isinstance(value, str) else as_formatted(value).text
    written = f"{place}{{{slot.name}:{slot.form}}}"
    if isinstance(value, str):
        raise WordsError(f"{written}: {slot.name} is a word, which has no form; write {{{slot.name}}}")
    try:
        return numeral(as_formatted(value).entry.value, slot.form, language)
    except ValueError as error:
        raise WordsError(f"{written}: {error}; write {{{slot.name}}}") from None
