"""The ledger: a row for every number, and every picture of a number, that a film shows, and when it is seen."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from manim import Mobject

from scenes.kit.literals import Literals, literal_ties
from scenes.kit.text import Box, Drawn, Provenance, TextLine, box_around, provenance_of


@dataclass(frozen=True)
class Row:
    """One number, or one picture of a number, at one moment: a row of the ledger.

    `frame` counts from 0 at the lesson's start; `box` is left, bottom, right, top in frame units (8 high,
    origin in the middle), or None for digits that are spoken in a caption. `drawn` says how the value is drawn, for
    whoever reads it back from the picture. In the frames before `until` it is on screen, unless it is on its way to
    the place of the row that follows; 0 for captions.
    """

    lesson: str
    beat: str
    frame: int
    kind: str
    text: str
    path: str
    index: tuple[int, ...]
    value: float
    box: Box | None
    drawn: dict[str, Any] = field(default_factory=dict, compare=False)
    until: int = 0


class Ledger:
    """The rows of a lesson; `literals` are the texts that it may show as they are written."""

    def __init__(self, lesson: str, literals: Callable[[], Literals]) -> None:
        self.rows: list[Row] = []
        self._lesson, self._literals = lesson, literals
        # Of what is on screen, by shape and item of its provenance: what it showed last, and the row that says so.
        self._seen: dict[tuple[int, int], tuple[tuple[str, Box | None], int]] = {}

    def speak(self, beat: str, frame: int, provenance: Iterable[Provenance], language: str) -> None:
        """Note the numbers of a line that is spoken."""
        for origin in provenance:
            # How a number is spoken that is not said as its digits.
            told = {"form": origin.form, "language": language} if origin.form else {}
            self.rows.append(self._row(beat, "caption", origin, None, frame, told))

    def record(
        self, beat: str, frame: int, shapes: Iterable[Mobject], *, every: bool = False, unseen: Collection[int] = ()
    ) -> None:
        """Note what is on screen: all of it, or what is new or changed since last time.

        `unseen` are the ids of what an animation that starts now has yet to show.
        """
        present = set()
        for shape in shapes:
            if id(shape) in unseen:
                continue
            if isinstance(shape, TextLine):
                literal_ties(shape, self._literals)
            for n, origin in enumerate(provenance_of(shape)):
                box = shape.box_of(n) if isinstance(shape, Drawn) else box_around(shape)
                key, state = (id(shape), n), (origin.entry.address + origin.text, box)
                present.add(key)
                before = self._seen.get(key)
                if every or before is None or before[0] != state:
                    self._end(before, frame)
                    told = shape.told(n) if isinstance(shape, Drawn) else {}
                    self._seen[key] = state, len(self.rows)
                    self.rows.append(self._row(beat, origin.kind, origin, box, frame, told))
        for key in self._seen.keys() - present:
            self._end(self._seen.pop(key), frame)

    def close(self, frame: int) -> None:
        """Whatever is on screen is seen until the lesson's end."""
        for seen in self._seen.values():
            self._end(seen, frame)

    def _end(self, seen: tuple[object, int] | None, frame: int) -> None:
        """Note in the row of what was seen until when it was."""
        if seen is not None:
            self.rows[seen[1]] = replace(self.rows[seen[1]], until=frame)

    def _row(self, beat: str, kind: str, origin: Provenance, box: Box | None, frame: int, told: dict[str, Any]) -> Row:
        entry = origin.entry
        return Row(self._lesson, beat, frame, kind, origin.text, entry.path, entry.index, entry.value, box, told)


def visible(tops: Iterable[Mobject]) -> Iterator[Mobject]:
    """Every shape of these and below them that shows text or a number, and is not transparent."""
    for top in tops:
        for shape in top.get_family():
            if isinstance(shape, TextLine):
                if shape.get_fill_opacity() > 0 and len(shape.points):
                    yield shape
            elif provenance_of(shape):
                yield shape


def introduced(animations: Iterable[Any]) -> set[int]:
    """The ids of all parts that these animations bring in: in their first frame, nothing of them is seen."""
    found: set[int] = set()
    for animation in animations:
        found |= introduced(getattr(animation, "animations", ()))
        if getattr(animation, "introducer", False):
            found |= {id(part) for part in animation.mobject.get_family()}
    return found
