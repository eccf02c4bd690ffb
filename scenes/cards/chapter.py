"""The card before a chapter: its emblem, its name and its lessons."""

from collections.abc import Mapping, Sequence
from typing import Any

from manim import RoundedRectangle, VGroup

from scenes.cast.emblems import FramedEmblem, shining
from scenes.kit.contents import chapters, listing
from scenes.kit.layout import column
from scenes.kit.lesson import Lesson
from scenes.kit.lines import SlotValue
from scenes.kit.text import SMALL, TITLE, TextLine
from scenes.lessons import LESSONS


class ChapterCard(Lesson):
    """`chapter` is a folder of scenes/; without it, the chapter of the lecture's first lesson."""

    beats = ("announce",)

    def __init__(self, renderer: Any = None, *, chapter: str | None = None, **options: Any) -> None:
        super().__init__(renderer, **options)
        self.chapter = chapter or LESSONS[self.settings.lecture.lessons[0]]

    def slots(self) -> Mapping[str, SlotValue]:
        return {"about": self.words.labels[f"{self.chapter}_about"]}

    def announce(self) -> None:
        parts = chapters(self.settings, self.language)
        here = {part.folder: part for part in parts}[self.chapter]
        film = getattr(self.settings.lecture.title, self.language)
        picture, name = FramedEmblem(here.folder, self.example), TextLine(here.name, 1.2 * TITLE, bold=True)
        titles, marks = listing(here.titles), self._marks([part.folder == here.folder for part in parts])
        text = column(*([marks] if len(parts) > 1 else []), name, titles, gap=(0.2, 0.4), edge="left")
        self.stage.along(picture, text, gap=(0.3, 0.7))
        context = self.title("parameters", text=film, size=SMALL, color=self.theme.muted)
        self.add(context, picture, *([marks] if len(parts) > 1 else []), name)
        self.play(*shining([picture]), run_time=2.2)
        self.enter(*titles.lines(), lag=0.3, seconds=1.2, shift=(0.2, 0))

    def _marks(self, here: Sequence[bool]) -> VGroup:
        """A mark for each chapter, long and bright for this one."""
        marks = VGroup()
        for current in here:
            color = self.theme.text if current else self.theme.line
            mark = RoundedRectangle(corner_radius=0.05, width=0.8 if current else 0.35, height=0.1, stroke_width=0)
            marks.add(mark.set_fill(color, opacity=1))
        return marks.arrange(buff=0.14)
