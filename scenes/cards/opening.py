"""The opening card: the film's title, and its contents by chapter."""

from scenes.cast.emblems import FramedEmblem, shining
from scenes.kit.contents import ListedChapter, chapters, listing
from scenes.kit.layout import Arrangement, across, along, column
from scenes.kit.lesson import Lesson
from scenes.kit.text import BODY, TextLine


class Opening(Lesson):
    """Each chapter's emblem, name and lessons; on a phone a chapter is a row."""

    beats = ("contents",)

    def contents(self) -> None:
        film = getattr(self.settings.lecture.title, self.language)
        parts = chapters(self.settings, self.language)
        self.emblems = [FramedEmblem(part.folder, self.example) for part in parts]
        self.names = [TextLine(part.name, 1.2 * BODY, bold=True) for part in parts]
        lists = [listing(part.titles) for part in parts]
        blocks = [self._block(k, parts[k], lists[k]) for k in range(len(parts))]
        self.stage.along(*blocks, gap=(0.3, 0.6), level="top", edge="left")
        self.add(self.title("parameters", text=film), *self.emblems, *self.names)
        self.play(*shining(self.emblems, 0.2, 0.4), run_time=2.6)
        self.add(*self.emblems)
        self.enter(*(line for each in lists for line in each.lines()), lag=0.2, seconds=1.8, shift=(0.2, 0))

    def _block(self, k: int, part: ListedChapter, titles: Arrangement) -> Arrangement:
        """A chapter; one that is alone has its lessons beside its emblem."""
        text = column(self.names[k], titles, gap=(0.1, 0.2), edge="left")
        return (along if len(self.emblems) == 1 else across)(self.emblems[k], text, gap=(0.2, 0.5))
