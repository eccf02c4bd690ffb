"""Which reader measures which mark. A reader is registered where it is defined, for the mark that it reads.

It gets the mark (what its picture is to be read by) and never the value, and answers with the value that the pixels
show, and how exact that is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from scenes.kit.marks import DrawnMark, Mark
from scenes.kit.text import Box
from scripts.studio.reading.frames import Picture
from scripts.studio.reading.glyphs import Reading
from scripts.studio.reading.limits import Measure

M = TypeVar("M", bound=DrawnMark)
# Below this opacity, what lies behind shows through; threads, and what a hand has swept, are a wash of their colour.
SOLID, SHADE = 0.97, 0.4


@dataclass(frozen=True)
class Others:
    """The other marks of its kind in the frame with their values, from back to front: those below one, those above."""

    below: Sequence[tuple[Mark, float]] = ()
    above: Sequence[tuple[Mark, float]] = ()

    @property
    def all(self) -> Sequence[tuple[Mark, float]]:
        return [*self.below, *self.above]


ALONE = Others()


@dataclass(frozen=True)
class Reader:
    """What measures a kind of mark.

    What can be noticed only from a difference of `coarsest` (of a whole scale, or degrees) on has not been read: it is
    too small. What is fainter than `faintest` is not read. Marks that are read `among` others need all of their kind.
    """

    measure: Callable[[Any, Box, Picture, Others], Measure]
    coarsest: float
    faintest: float
    among: bool


READERS: dict[type[Mark], Reader] = {}
"""Of marks that are pictures of numbers."""
DIGIT_READERS: dict[type[Mark], Callable[[Any, Box, Picture], Reading]] = {}
"""Of marks that are digits."""


def reads(
    mark: type[M], *, coarsest: float, faintest: float = SOLID, among: bool = False
) -> Callable[[Callable[[M, Box, Picture, Others], Measure]], Callable[[M, Box, Picture, Others], Measure]]:
    """Register a function as the reader of a mark; see `Reader`."""

    def register(
        measure: Callable[[M, Box, Picture, Others], Measure],
    ) -> Callable[[M, Box, Picture, Others], Measure]:
        READERS[mark] = Reader(measure, coarsest, faintest, among)
        return measure

    return register


def reads_digits(
    mark: type[M],
) -> Callable[[Callable[[M, Box, Picture], Reading]], Callable[[M, Box, Picture], Reading]]:
    """Register a function as the reader of digits that are drawn as a mark."""

    def register(read: Callable[[M, Box, Picture], Reading]) -> Callable[[M, Box, Picture], Reading]:
        DIGIT_READERS[mark] = read
        return read

    return register


def crosses(kind: str) -> bool:
    """Whether marks of a kind are read with regard to all others of it."""
    return any(mark.kind == kind and reader.among for mark, reader in READERS.items())
