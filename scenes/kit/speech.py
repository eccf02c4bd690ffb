"""Times of the words of a spoken line. A lesson uses these times only, never the sound."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Word:
    """Characters `start` to `stop` (not included) of a line, spoken from second `begin` to second `end` of it."""

    start: int
    stop: int
    begin: float
    end: float


@dataclass(frozen=True)
class LineTimes:
    """A line as it is spoken: its text, how many seconds it takes, and its words in their order."""

    text: str
    seconds: float
    words: tuple[Word, ...]

    def at(self, place: int) -> float:
        """The second at which the character number `place` is spoken, or the next one that is."""
        for word in self.words:
            if place < word.stop:
                inside = max(0, place - word.start) / (word.stop - word.start)
                return word.begin + inside * (word.end - word.begin)
        return self.seconds
