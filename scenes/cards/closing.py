"""The closing card: the whole in one row, and the sources of the claims."""

from itertools import pairwise
from typing import Any

from manim import DOWN, RIGHT, Animation, ApplyMethod, Arrow, FadeIn, FadeOut, LaggedStart, Transform, VGroup

from scenes.formats import UNIT_PX
from scenes.kit.contents import chapters, common_size, sources
from scenes.kit.emblems import HEIGHT, WIDTH, Emblem, emblem
from scenes.kit.lesson import Lesson
from scenes.kit.text import BODY, SMALL, SMALLEST, TextLine, fitted
from scenes.words import Source

GAP, LARGEST = 0.8, 1.5
# Fewer sources than FEW are set larger; their list is at most LONGEST high, unless lines would touch.
FEW, LONGEST, LEAST_LINE = 5, 2.4, 0.235
# Of more authors than these, only the first is named.
MOST_AUTHORS = 2


class Closing(Lesson):
    """The chapters' emblems joined in a row, the film's message, and where its claims can be read.

    A lecture whose lessons name no sources ends with the message.
    """

    beats: tuple[str, ...] = ("join", "cite")
    formats = ("landscape",)

    def __init__(self, renderer: Any = None, **options: Any) -> None:
        super().__init__(renderer, **options)
        if not sources(self.settings, self.language):
            self.beats = ("join",)

    def join(self) -> None:
        self.folders = [part.folder for part in chapters(self.settings, self.language)]
        self.row = self._emblems(self.stage.height - 1.0, self.stage.top)
        self.arrows = self._arrows(self.row)
        width = self.row[0].width if len(self.row) > 1 else self.stage.width
        keys = [f"{folder}_says" for folder in self.folders]
        size = common_size([self.words.labels[key] for key in keys], width, 1.1 * BODY)
        self.says = VGroup(*(self.label(key, size, width=width) for key in keys))
        for says, one in zip(self.says, self.row, strict=True):
            says.next_to(one, DOWN, buff=0.3)
        whole = VGroup(*self.row, self.arrows, self.says)
        whole.move_to(self.stage.centre)
        self.add(self.title("illustrative"), *self.row, self.arrows)
        steps = len(self.row)
        shining = [move for k, one in enumerate(self.row) for move in one.shine(k / steps, (k + 1) / steps)]
        self.play(*shining, run_time=0.9 + 0.7 * steps)
        self.play(LaggedStart(*(FadeIn(line, shift=DOWN * 0.15) for line in self.says), lag_ratio=0.3), run_time=1.2)

    def cite(self) -> None:
        list_ = self._list(sources(self.settings, self.language))
        list_.move_to((self.stage.left + list_.width / 2, self.stage.bottom + list_.height / 2, 0))
        room = self.stage.top - float(list_.get_top()[1]) - 0.35
        names = room > self.row[0].height + 0.9
        small = self._emblems(room, self.stage.top)
        moves: list[Animation] = [Transform(old, new.settle()) for old, new in zip(self.row, small, strict=True)]
        for name, one in zip(self.says, small, strict=True):
            moves.append(ApplyMethod(name.next_to, one, DOWN, 0.3) if names else FadeOut(name))
        self.play(Transform(self.arrows, self._arrows(small)), *moves, run_time=1.2)
        self.play(LaggedStart(*(FadeIn(line, shift=RIGHT * 0.2) for line in list_), lag_ratio=0.2), run_time=1.4)

    def _list(self, cited: list[Source]) -> VGroup:
        """Who and when, what, where: three columns; a title that is too long for its column ends with a whole word."""
        size = SMALL if len(cited) < FEW else SMALLEST
        step = max(LEAST_LINE, min(1.7 * size / UNIT_PX, LONGEST / len(cited)))
        texts = [(self._who(source), source.title, source.where) for source in cited]
        who, what, where = (max(TextLine(text[k], size).width for text in texts) + 0.5 for k in range(3))
        widths = (who, min(what, self.stage.width - who - where), where)
        rows = VGroup(self.label("sources", SMALL, bold=True))
        rows.shift(RIGHT * (self.stage.left - rows.get_left()[0]))
        for k, text in enumerate(texts):
            row, left = VGroup(), self.stage.left
            for part, width, color in zip(
                text, widths, (self.theme.muted, self.theme.text, self.theme.muted), strict=True
            ):
                line = fitted(_whole_words(part, width - 0.3), width - 0.3, size, color)
                row.add(line.shift(RIGHT * (left - line.get_left()[0])))
                left += width
            rows.add(row.shift(DOWN * (step * k + 0.42)))
        return rows

    def _who(self, source: Source) -> str:
        authors = source.authors.split(", ")
        if len(authors) > MOST_AUTHORS:
            return f"{authors[0]} {self.words.labels['et_al']} {source.year}"
        return f"{' & '.join(authors)} {source.year}"

    def _emblems(self, height: float, top: float) -> list[Emblem]:
        """The emblems side by side, at most `height` high, their upper edges at `top`."""
        n = len(self.folders)
        size = min(LARGEST, height / HEIGHT, (self.stage.width - GAP * (n - 1)) / n / WIDTH)
        row = [emblem(folder, self.example, size) for folder in self.folders]
        group = VGroup(*row).arrange(RIGHT, buff=GAP)
        group.move_to((0, top - group.height / 2, 0))
        return row

    def _arrows(self, row: list[Emblem]) -> VGroup:
        """From each emblem to the next."""
        color = self.theme.muted
        return VGroup(
            *(
                Arrow(a.get_right(), b.get_left(), buff=0.14, stroke_width=6, color=color, tip_length=0.2)
                for a, b in pairwise(row)
            )
        )


def _whole_words(title: str, width: float) -> str:
    """A title, or as many of its first words as fit `width`, and an ellipsis."""
    words = title.split()
    for count in range(len(words), 1, -1):
        text = title if count == len(words) else f"{' '.join(words[:count]).rstrip(':,')}…"
        # A line may be set a little smaller to fit whole.
        if TextLine(text, SMALLEST).width <= width:
            return text
    return title
