"""The pieces that a lecture is made of, and where their films go. Manim is not imported here."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from scenes.lessons import CARDS, LESSONS, module_of
from scenes.settings import PROJECT, Quality, Settings


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


def source_of(piece: Piece) -> Path:
    """The file of a piece's class."""
    return PROJECT.joinpath(*module_of(piece.lesson).split(".")).with_suffix(".py")


def film_folder(settings: Settings, language: str, quality: Quality | None = None) -> Path:
    """Where a language's films of a quality and theme go; no two kinds of film share a path."""
    name = (quality or settings.render.quality).name.replace("@", "-")
    theme = settings.render.theme
    return settings.folder() / language / (name if theme == "dark" else f"{name}-{theme}")
