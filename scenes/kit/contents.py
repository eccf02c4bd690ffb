"""What a lecture holds: its chapters in order of first appearance, and their lessons."""

from collections.abc import Sequence
from dataclasses import dataclass

from manim import Dot

from scenes.kit.captions import display_width
from scenes.kit.layout import is_upright
from scenes.kit.layout.arrangements import Column, Row
from scenes.kit.paragraph import Paragraph, in_rows
from scenes.kit.text import BODY
from scenes.kit.theme import current_theme
from scenes.lessons import LESSONS
from scenes.settings import Settings
from scenes.words import Source, load_sources, load_words

# Columns of a line that is long on a phone.
_LONG = 24


@dataclass(frozen=True)
class ListedChapter:
    """A chapter of a lecture: its folder of scenes/, its name, and the titles of the lessons that were chosen."""

    folder: str
    name: str
    titles: tuple[str, ...]


def chapters(settings: Settings, language: str) -> list[ListedChapter]:
    """The chapters of the lecture; names stand in the words of the chapter card."""
    names, lessons = load_words(language, "chapter").labels, settings.lecture.lessons
    return [
        ListedChapter(
            folder,
            names[folder],
            tuple(load_words(language, lesson).title for lesson in lessons if LESSONS[lesson] == folder),
        )
        for folder in dict.fromkeys(LESSONS[lesson] for lesson in lessons)
    ]


def sources(settings: Settings, language: str) -> list[Source]:
    """The publications that the chosen lessons name, each once, in their order."""
    named = (source for lesson in settings.lecture.lessons for source in load_words(language, lesson).sources)
    known = load_sources()
    return [known[name] for name in dict.fromkeys(named)]


def listing(lines: Sequence[str]) -> Column:
    """Lines with dots before them, one below the other; on a phone a long one has two rows."""
    items = []
    for line in lines:
        text = Paragraph(in_rows(line, 2 if is_upright() and display_width(line) > _LONG else 1), BODY, edge="left")
        items.append(Row([Dot(radius=0.05, color=current_theme().muted), text], 0.2, "middle"))
    return Column(items, (0.06, 0.26), "left")
