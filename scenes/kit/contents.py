"""What a lecture holds: its chapters in order of first appearance, and their lessons."""

from collections.abc import Sequence
from dataclasses import dataclass

from manim import DOWN, LEFT, RIGHT, Dot, VGroup

from scenes.formats import UNIT_PX
from scenes.kit.captions import display_width, rows_of
from scenes.kit.text import SMALLEST, TextLine, fitted
from scenes.kit.theme import current_theme
from scenes.lessons import LESSONS
from scenes.settings import Settings
from scenes.words import Source, load_sources, load_words

# The room that a line's dot takes; and how high a line is at least, in its text's size.
DOT, _LEAST = 0.32, 1.3


@dataclass(frozen=True)
class Chapter:
    """A chapter of a lecture: its folder of scenes/, its name, and the titles of the lessons that were chosen."""

    folder: str
    name: str
    titles: tuple[str, ...]


def chapters(settings: Settings, language: str) -> list[Chapter]:
    """The chapters of the lecture; names stand in the words of the chapter card."""
    names, lessons = load_words(language, "chapter").labels, settings.lecture.lessons
    return [
        Chapter(
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


def common_size(lines: Sequence[str], width: float, size: float) -> float:
    """The size at which all `lines` fit `width`, at most `size`, never below the smallest legible one."""
    widest = max(TextLine(line, size).width for line in lines)
    return max(SMALLEST, size * min(1.0, width / widest))


def listing(lines: Sequence[str], width: float, height: float, size: float) -> VGroup:
    """Lines with dots before them, one below the other, in at most `width` x `height`."""
    step = min(1.8 * size / UNIT_PX, height / len(lines))
    size = max(SMALLEST, min(size, step * UNIT_PX / _LEAST))
    rows = VGroup()
    for k, line in enumerate(lines):
        dot = Dot(radius=0.05, color=current_theme().muted)
        text = fitted(line, width - DOT, size).next_to(dot, RIGHT, buff=0.2)
        rows.add(VGroup(dot, text).shift(DOWN * step * k))
    return rows


def film_title(text: str, width: float) -> VGroup:
    """A film's title as large as it fits `width`: on one row, or on two."""
    for size in (64, 54, 46):
        line = TextLine(text, size, bold=True)
        if line.width <= width:
            return VGroup(line)
    rows = rows_of(text, display_width(text) // 2 + 8)
    return VGroup(*(fitted(row, width, 38, bold=True) for row in rows)).arrange(DOWN, buff=0.02, aligned_edge=LEFT)
