"""The opening card: the film's title, and its contents by chapter."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, LaggedStart, VGroup

from scenes.formats import UNIT_PX
from scenes.kit.contents import DOT, Chapter, chapters, common_size, film_title, listing
from scenes.kit.emblems import HEIGHT, WIDTH, Emblem, emblem
from scenes.kit.lesson import Lesson
from scenes.kit.text import BODY, SMALLEST, TITLE, fitted

GAP, LARGEST = 0.4, 1.75
# A column's greatest width, and the greatest height of its list of lessons.
WIDEST, LIST = 5.4, 2.2


class Opening(Lesson):
    """A column for each chapter; a lecture of one chapter has its emblem at the left and its lessons at the right."""

    beats = ("contents",)
    formats = ("landscape",)

    def contents(self) -> None:
        title = film_title(getattr(self.settings.lecture.title, self.language), self.title_slot.width)
        title.move_to(self.title_slot.centre).shift((self.title_slot.left - title.get_left()[0], 0, 0))
        parts = chapters(self.settings, self.language)
        self.emblems: list[Emblem] = []
        note = self.label("illustrative", SMALLEST, self.theme.muted)
        note.move_to((self.stage.right - note.width / 2, self.stage.bottom + note.height / 2, 0))
        columns = self._columns(parts) if len(parts) > 1 else [self._spread(parts[0])]
        whole = VGroup(*columns).arrange(RIGHT, buff=GAP, aligned_edge=UP)
        whole.move_to((0, (self.stage.top + float(note.get_top()[1])) / 2, 0))
        self.add(title, note, *(part for column in columns for part in column[:2]))
        shining = [move for k, one in enumerate(self.emblems) for move in one.shine(0.2 * k, 0.2 * k + 0.4)]
        self.play(*shining, run_time=2.6)
        lines = [FadeIn(line, shift=RIGHT * 0.2) for column in columns for line in column[2]]
        self.play(LaggedStart(*lines, lag_ratio=0.2), run_time=1.8)

    def _columns(self, parts: list[Chapter]) -> list[VGroup]:
        """For each chapter emblem, name and lessons, one below the other."""
        width = min((self.stage.width - GAP * (len(parts) - 1)) / len(parts), WIDEST)
        longest = max(len(part.titles) for part in parts)
        size = common_size([title for part in parts for title in part.titles], width - DOT, BODY)
        height = min(longest * 1.8 * size / UNIT_PX, LIST)
        columns = []
        for part in parts:
            picture = self._emblem(part, min(width / WIDTH, (self.stage.height - height - 1.25) / HEIGHT))
            name = fitted(part.name, width, 1.2 * BODY, bold=True).next_to(picture, DOWN, buff=0.18)
            lines = listing(part.titles, width, height, size).next_to(name, DOWN, buff=0.14)
            left = min(picture.get_left()[0] + 0.05, picture.get_x() - width / 2)
            for thing in (name, lines):
                thing.shift(RIGHT * (left - thing.get_left()[0]))
            columns.append(VGroup(picture, name, lines))
        return columns

    def _spread(self, part: Chapter) -> VGroup:
        """Emblem, and right of it name and lessons."""
        picture = self._emblem(part, LARGEST)
        width = self.stage.width - picture.width - 0.7
        name = fitted(part.name, width, TITLE, bold=True)
        lines = listing(part.titles, width, 3.0, common_size(part.titles, width - DOT, BODY))
        lines.next_to(name, DOWN, buff=0.35, aligned_edge=LEFT)
        VGroup(name, lines).next_to(picture, RIGHT, buff=0.7)
        return VGroup(picture, name, lines)

    def _emblem(self, part: Chapter, size: float) -> Emblem:
        self.emblems.append(emblem(part.folder, self.example, size))
        return self.emblems[-1]
