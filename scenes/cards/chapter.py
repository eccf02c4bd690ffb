"""The card before a chapter: its emblem, its name and its lessons."""

from collections.abc import Mapping, Sequence
from typing import Any

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, LaggedStart, RoundedRectangle, VGroup

from scenes.kit.contents import DOT, chapters, common_size, listing
from scenes.kit.emblems import emblem
from scenes.kit.lesson import Lesson
from scenes.kit.lines import SlotValue
from scenes.kit.text import BODY, SMALL, SMALLEST, TITLE, fitted
from scenes.lessons import LESSONS

SIZE = 1.9


class ChapterCard(Lesson):
    """`chapter` is a folder of scenes/; without it, the chapter of the lecture's first lesson."""

    beats = ("announce",)
    formats = ("landscape",)

    def __init__(self, renderer: Any = None, *, chapter: str | None = None, **options: Any) -> None:
        super().__init__(renderer, **options)
        self.chapter = chapter or LESSONS[self.settings.lecture.lessons[0]]

    def slots(self) -> Mapping[str, SlotValue]:
        return {"about": self.words.labels[f"{self.chapter}_about"]}

    def announce(self) -> None:
        parts = chapters(self.settings, self.language)
        here = {part.folder: part for part in parts}[self.chapter]
        film = getattr(self.settings.lecture.title, self.language)
        context = fitted(film, self.title_slot.width * 0.6, SMALL, self.theme.muted)
        context.move_to(self.title_slot.centre).shift(RIGHT * (self.title_slot.left - context.get_left()[0]))
        picture = emblem(here.folder, self.example, SIZE)
        picture.move_to((self.stage.left + picture.width / 2, self.stage.centre[1], 0))
        room = self.stage.right - picture.get_right()[0] - 0.7
        name = fitted(here.name, room, 1.2 * TITLE, bold=True)
        lines = listing(here.titles, room, 2.6, common_size(here.titles, room - DOT, 1.1 * BODY))
        marks = self._marks([part.folder == here.folder for part in parts])
        text = VGroup(marks, name, lines).arrange(DOWN, buff=0.4, aligned_edge=LEFT).next_to(picture, RIGHT, buff=0.7)
        text.shift(UP * (picture.get_y() - text.get_y()))
        note = self.label("illustrative", SMALLEST, self.theme.muted)
        note.move_to(self.title_slot.centre).shift(RIGHT * (self.title_slot.right - note.get_right()[0]))
        self.add(context, note, picture, *([marks] if len(parts) > 1 else []), name)
        self.play(*picture.shine(0.1, 1.0), run_time=2.2)
        self.play(LaggedStart(*(FadeIn(line, shift=RIGHT * 0.2) for line in lines), lag_ratio=0.3), run_time=1.2)

    def _marks(self, here: Sequence[bool]) -> VGroup:
        """A mark for each chapter, long and bright for this one."""
        marks = VGroup()
        for current in here:
            color = self.theme.text if current else self.theme.line
            mark = RoundedRectangle(corner_radius=0.05, width=0.8 if current else 0.35, height=0.1, stroke_width=0)
            marks.add(mark.set_fill(color, opacity=1))
        return marks.arrange(RIGHT, buff=0.14)
