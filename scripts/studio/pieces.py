"""The pieces that a lecture is made of, and where their films go. Manim is not imported here."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from scenes.formats import LANDSCAPE
from scenes.lessons import CARDS, LESSONS, module_of
from scenes.settings import PROJECT, Quality, Settings

# A file's name has room for an ending, and for the folder's name before it in a message.
_LONGEST_NAME = 80


class LayoutError(ValueError):
    """Lessons that cannot be shown in a format."""


@dataclass(frozen=True)
class Piece:
    """A stretch of film of its own: a lesson, or a card of the joined lecture."""

    lesson: str
    chapter: str = ""

    @property
    def name(self) -> str:
        """The piece's file name, without ending."""
        return f"{self.lesson}-{self.chapter}" if self.lesson == "chapter" else self.lesson

    @property
    def is_card(self) -> bool:
        return self.lesson in CARDS


def lecture_pieces(lessons: Iterable[str]) -> list[Piece]:
    """Opening, a card before each chapter, the lessons in order, closing."""
    pieces, chapter = [Piece("opening")], ""
    for lesson in lessons:
        if LESSONS[lesson] != chapter:
            chapter = LESSONS[lesson]
            pieces.append(Piece("chapter", chapter))
        pieces.append(Piece(lesson))
    return [*pieces, Piece("closing")]


def lecture_name(settings: Settings) -> str:
    """The joined film's file name, without ending. One of lessons that were chosen is named after them."""
    lessons = settings.lecture.lessons
    if not settings.lessons_chosen:
        return "lecture"
    name = "-".join(("lecture", *lessons))
    if len(name) <= _LONGEST_NAME:
        return name
    known = hashlib.sha256(name.encode()).hexdigest()[:6]
    return f"lecture-{lessons[0]}-to-{lessons[-1]}-{len(lessons)}-{known}"


def laid_out(settings: Settings) -> tuple[Settings, tuple[str, ...]]:
    """The settings with those lessons that have a layout in the film's format, and the names of the others.

    Raises: LayoutError when none is left.
    """
    shape, lessons = settings.render.format, settings.lecture.lessons
    if shape == LANDSCAPE.name:
        return settings, ()
    from scripts.studio.stage import lesson_class

    left_out = tuple(name for name in lessons if shape not in lesson_class(name).formats)
    if len(left_out) == len(lessons):
        raise LayoutError(f"{_listed(left_out)} no {shape} layout yet; choose other lessons, or --format landscape")
    return settings.without_lessons(left_out), left_out


def told_left_out(names: tuple[str, ...], shape: str) -> str:
    """A line about the lessons that are left out of a film of a format."""
    return f"left out: {_listed(names)} no {shape} layout yet"


def told_drawn(settings: Settings, language: str) -> str:
    """A line about an example whose parameters are drawn and not trained; empty if they are trained."""
    source = settings.example_for(language).parameter_source
    if source.trained:
        return ""
    where = "make words prints it" if source.unknown else "sizes: mathcore/trained/README.md"
    return f"illustrative parameters, not trained: {source.reason} ({where})"


def _listed(names: tuple[str, ...]) -> str:
    return f"{', '.join(names)} {'has' if len(names) == 1 else 'have'}"


def source_of(piece: Piece) -> Path:
    """The file of a piece's class."""
    return PROJECT.joinpath(*module_of(piece.lesson).split(".")).with_suffix(".py")


def film_folder(settings: Settings, language: str, quality: Quality | None = None) -> Path:
    """Where a language's films of a quality, format and theme go; no two kinds of film share a path."""
    name = (quality or settings.render.quality).name.replace("@", "-")
    return settings.folder() / language / film_kind(name, settings)


def film_kind(name: str, settings: Settings) -> str:
    """A folder's name, with the format where it is not landscape and the theme where it is not dark."""
    shape, theme = settings.render.format, settings.render.theme
    return ("" if shape == LANDSCAPE.name else f"{shape}-") + name + ("" if theme == "dark" else f"-{theme}")


def piece_folder(piece: Piece, settings: Settings, language: str) -> Path:
    """Where a piece's film goes. Cards show what a lecture holds, so each lecture has a folder of them."""
    folder = film_folder(settings, language)
    return folder / lecture_name(settings).replace("lecture", "cards", 1) if piece.is_card else folder
