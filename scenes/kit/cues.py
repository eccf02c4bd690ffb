"""A lesson's captions: the cues of the beat that is running, and those of the beats before."""

from scenes.kit.captions import Cue, cues_of, spoken_cues
from scenes.kit.speech import LineTimes


class Cues:
    """`shown` are the cues of finished beats; `pending` are those of the beat that is running."""

    def __init__(self) -> None:
        self.shown: list[Cue] = []
        self.pending: list[Cue] = []

    def begin(self, text: str, start: int, fps: int, speed: float, times: LineTimes | None) -> list[Cue]:
        """The cues of a line from frame `start` on: as it is heard, or in a silent film as fast as it is read."""
        self.pending = cues_of(text, speed, start, fps) if times is None else spoken_cues(times, start, fps)
        return self.pending

    @property
    def stop(self) -> int:
        """The frame at which the line has been said; 0 if nothing is."""
        return self.pending[-1].stop if self.pending else 0

    def end(self, frame: int) -> None:
        """The beat ends at a frame. Its last caption stays until then, so that a slow reader is not left without."""
        if self.pending:
            last = self.pending[-1]
            self.shown += [*self.pending[:-1], Cue(last.rows, last.start, frame)]
