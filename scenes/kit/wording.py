"""A lesson's words on screen: labels, paragraphs, rolling numbers and titles, with their slots filled."""

from collections.abc import Mapping, Sequence

from manim import DOWN, LEFT, UP, VGroup

from scenes.formats import Slot
from scenes.kit.layout.stage import is_upright
from scenes.kit.lines import Line, SlotValue, fill
from scenes.kit.paragraph import Paragraph, in_rows
from scenes.kit.sentences import bare_word
from scenes.kit.text import SMALL, SMALLEST, FontError, Rolling, TextLine, fitted, missing_glyphs
from scenes.kit.theme import current_theme
from scenes.kit.values import Value
from scenes.words import Words


class Wording:
    """The words of a lesson in a language."""

    def __init__(self, name: str, language: str, words: Words) -> None:
        self.name, self.language, self.words = name, language, words

    def filled(self, key: str, text: str, values: Mapping[str, SlotValue]) -> Line:
        """A text of the words, found under `key`, with its slots filled."""
        # Within a line, a word of the sentence does not bring its own punctuation.
        known = {
            name: bare_word(value) if isinstance(value, str) and not text.endswith(f"{{{name}}}") else value
            for name, value in values.items()
        }
        return fill(text, known, self.language, f"{self.language}/{self.name}.yaml: {key}")

    def said(self, beat: str, values: Mapping[str, SlotValue]) -> Line:
        """The line of a beat."""
        return self.filled(f"say.{beat}", self.words.say[beat], values)

    def _labelled(self, key: str, values: Mapping[str, SlotValue]) -> Line:
        return self.filled(f"labels.{key}", self.words.labels[key], values)

    def label(
        self, key: str, values: Mapping[str, SlotValue], size: float, color: str | None, bold: bool, width: float | None
    ) -> TextLine:
        """A line of the labels. With `width` it is made smaller, and cut at last, to fit."""
        said = self._labelled(key, values)
        if width is None:
            return TextLine(said.text, size, color, bold=bold, provenance=said.provenance)
        line = fitted(said.text, width, size, color, bold=bold)
        # What was cut off is not shown.
        line.provenance = tuple(
            origin for origin in said.provenance if origin.span and line.text[slice(*origin.span)] == origin.text
        )
        return line

    def paragraph(
        self, key: str, values: Mapping[str, SlotValue], size: float, color: str | None, count: int, **style: bool | str
    ) -> Paragraph:
        """A text of the labels in at most `count` rows."""
        said = self._labelled(key, values)
        rows = in_rows(said.text, count)
        return Paragraph(rows, size, color, provenance=said.provenance, text=said.text, **style)  # type: ignore[arg-type]

    def rolling(
        self, key: str, values: Mapping[str, SlotValue], slot: Mapping[str, Value], size: float, color: str | None,
        bold: bool,
    ) -> Rolling:  # fmt: skip
        """A line of the labels around one number that is going to change; its one slot comes from `slot`."""
        said = self._labelled(key, {**values, **slot})
        (value,), (origin,) = slot.values(), said.provenance
        start, stop = origin.span or (0, 0)
        return Rolling(said.text[:start], value, said.text[stop:], size, color, bold=bold)

    def title(self, text: str, note: TextLine | None, slot: Slot, size: float, color: str | None) -> VGroup:
        """A title in a slot; at its right, or below it on a phone, a note that is made to fit."""
        if is_upright():
            return self._upright_title(text, note, slot, size, color)
        line = fitted(text, slot.width * 0.72, size, color, bold=True)
        line.move_to(slot.centre).shift((slot.left - line.get_left()[0], 0, 0))
        if note is None:
            return VGroup(line)
        small = _again(note, slot.width - line.width - 0.5, SMALL)
        small.move_to(line).shift((slot.right - small.get_right()[0], 0, 0))
        return VGroup(line, small)

    @staticmethod
    def _upright_title(text: str, note: TextLine | None, slot: Slot, size: float, color: str | None) -> VGroup:
        rows = (text,) if TextLine(text, size, bold=True).width <= slot.width else in_rows(text, 2)
        line = Paragraph(rows, size, color, bold=True, edge="left")
        line.scale(min(1.0, slot.width / line.width)).align_to((slot.left, slot.top, 0), UP + LEFT)
        if note is None:
            return VGroup(line)
        return VGroup(line, _again(note, slot.width, SMALLEST).next_to(line, DOWN, buff=0.08, aligned_edge=LEFT))

    def check_glyphs(self, more: Sequence[str]) -> None:
        """Raise FontError if the film's font lacks a character of the words, or of `more`."""
        spoken = [self.words.title, *self.words.say.values(), *self.words.labels.values(), *more]
        missing = missing_glyphs("".join(spoken))
        if missing:
            named = ", ".join(f"{c} (U+{ord(c):04X})" for c in missing)
            raise FontError(
                f"lesson {self.name}, {self.language}: the film's font has no {named}; use other characters"
            )


def _again(note: TextLine, width: float, size: float) -> TextLine:
    """A note at another size, made to fit a width, in the page's quieter colour."""
    line = fitted(note.text, width, size, current_theme().muted)
    line.provenance = tuple(
        origin for origin in note.provenance if origin.span and line.text[slice(*origin.span)] == origin.text
    )
    return line
