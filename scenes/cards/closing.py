"""The closing card: the whole in one row, and the sources of the claims."""

from itertools import pairwise
from typing import Any

from scenes.cast.emblems import FramedEmblem, shining
from scenes.kit.captions import display_width
from scenes.kit.contents import chapters, sources
from scenes.kit.layout import Arrangement, across, column, grouped, is_upright, link, row, table
from scenes.kit.lesson import Lesson
from scenes.kit.text import BODY, SMALL, TextLine
from scenes.words import Source

# A source of more authors is named by its first one.
MOST_AUTHORS = 2
# Columns of a title: in landscape beside the names, on a phone below them.
WIDE, UPRIGHT = 64, 44


class Closing(Lesson):
    """The chapters' emblems joined in a row, the film's message, and where its claims can be read.

    A lecture whose lessons name no sources ends with the message.
    """

    beats: tuple[str, ...] = ("join", "cite")

    def __init__(self, renderer: Any = None, **options: Any) -> None:
        super().__init__(renderer, **options)
        if not sources(self.settings, self.language):
            self.beats = ("join",)

    def join(self) -> None:
        folders = [part.folder for part in chapters(self.settings, self.language)]
        self.emblems = [FramedEmblem(folder, self.example) for folder in folders]
        self.says = [self.paragraph(f"{folder}_says", 1.1 * BODY, upright=2) for folder in folders]
        self.stage.along(*self._named(), gap=(0.6, 0.9), edge="left")
        self._join()
        self.add(self.title("parameters"), *self.emblems, *self.arrows)
        steps = len(folders)
        self.play(*shining(self.emblems, 1 / steps, 1 / steps), run_time=0.9 + 0.7 * steps)
        self.add(*self.emblems)
        self.enter(*self.says, lag=0.3, seconds=1.2, shift=(0, -0.15))

    def _named(self) -> list[Arrangement]:
        return [across(*pair, gap=(0.2, 0.3), edge="middle") for pair in zip(self.emblems, self.says, strict=True)]

    def _join(self) -> None:
        """A line from each emblem to the next."""
        sides = ("bottom", "top") if is_upright() else ("right", "left")
        self.arrows = [link(one, other, sides=sides) for one, other in pairwise(self.emblems)]

    def cite(self) -> None:
        head = self.label("sources", SMALL, bold=True)
        rows = [self._cited(source) for source in sources(self.settings, self.language)]
        self.leave(*self.arrows, *self.says, *(self.emblems if is_upright() else ()))
        with self.gliding(seconds=1.2):
            whole = column(head, self._list(rows), gap=(0.06, 0.2), edge="left")
            if is_upright():
                self.stage.place(whole)
            else:
                self.stage.column(row(*self.emblems, gap=(0.3, 0.6)), whole, gap=(0.3, 0.6))
        self.enter(head, *(grouped(*each) for each in rows), lag=0.2, seconds=1.4, shift=(0.2, 0))

    def _cited(self, source: Source) -> list[TextLine]:
        """Who and when, what, and where; on a phone there is room for the first two."""
        cut = _whole_words(source.title, UPRIGHT if is_upright() else WIDE)
        who, what = TextLine(self._who(source), SMALL, self.theme.muted), TextLine(cut, SMALL)
        return [who, what] if is_upright() else [who, what, TextLine(source.where, SMALL, self.theme.muted)]

    @staticmethod
    def _list(rows: list[list[TextLine]]) -> Arrangement:
        if is_upright():
            return column(*(column(*each, gap=0.0, edge="left") for each in rows), gap=(0.04, 0.14), edge="left")
        return table(*rows, edge="left", gap=(0.3, 0.5), apart=(0.0, 0.14))

    def _who(self, source: Source) -> str:
        authors = source.authors.split(", ")
        if len(authors) > MOST_AUTHORS:
            return f"{authors[0]} {self.words.labels['et_al']} {source.year}"
        return f"{' & '.join(authors)} {source.year}"


def _whole_words(title: str, columns: int) -> str:
    """A title, or as many of its first words as fit so many columns, and an ellipsis."""
    words = title.split()
    for count in range(len(words), 1, -1):
        text = title if count == len(words) else f"{' '.join(words[:count]).rstrip(':,')}…"
        if display_width(text) <= columns:
            return text
    return title
