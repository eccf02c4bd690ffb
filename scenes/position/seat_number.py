"""Seat numbers: an encoding of its seat is added to each word, and what that costs the word."""

from collections.abc import Mapping
from operator import index

from manim import RIGHT

from mathcore.named import Entry, NamedArray
from scenes.cast.seats import SeatedWords
from scenes.kit.encoding import Bar
from scenes.kit.formula import formula
from scenes.kit.layout import equation, sign, table
from scenes.kit.lesson import Lesson
from scenes.kit.lines import SlotValue
from scenes.kit.matrix import Matrix, alike
from scenes.kit.text import BODY, TITLE, Number, TextLine


class SeatNumber(Lesson):
    """Why a seat number is added to each word, and how much of the word is left."""

    beats = ("twins", "tickets", "sums", "remains", "apart")

    def slots(self) -> Mapping[str, SlotValue]:
        seats = self.example.seats
        first, second = seats.seats.entries()
        return {
            "word": self.token(seats.word),
            "first": first,
            "second": second,
            "distance": seats.distance,
            "plain": seats.cosines[1],
            "scaled": seats.scaled_cosines[1],
            "factor": seats.factor,
        }

    def twins(self) -> None:
        seats = self.example.seats
        ringed = list(map(index, seats.seats.entries()))
        self.hall = SeatedWords(self.example.words, self.example.sizes.word_places, self.stage.width, ringed)
        self.words_at = self._both(seats.seat_words, "embedding", 1)
        self.seats_at, self.sums_at = self._both(seats.seat_encodings, "ticket"), self._both(seats.seat_sums, "seated")
        alike(self.words_at, self.seats_at, self.sums_at)
        self.stage.column(self.hall, self.words_at, gap=(0.4, 0.9))
        self.veil(*self.hall.tickets, self.hall.rings, self.words_at.inside)
        self.heading = self.title("parameters")
        self.add(self.heading, self.hall)
        self.unveil(self.hall, *self.hall.rings, lag=0.5, shift=(0, 0))
        self.enter(self.words_at)
        self.unveil(self.words_at, *self.words_at.each_row(), lag=0.8)

    def tickets(self) -> None:
        self.unveil(self.hall, *self.hall.tickets, lag=0.3, seconds=2.0, shift=(0, 0.2))
        self.plus = sign("+")
        self._seat(self.words_at, self.plus, self.seats_at)

    def sums(self) -> None:
        self._seat(self.words_at, self.plus, self.seats_at, sign("="), self.sums_at)
        self.enter(self.sums_at.ring(self.sums_at.column(self._telling), self.theme.query))

    def remains(self) -> None:
        seats = self.example.seats
        rows = [
            self._share(key, entry)
            for key, entry in (("as_is", seats.cosines.entry(1)), ("louder", seats.scaled_cosines.entry(1)))
        ]
        self.leave_all(self.heading, self.sums_at)
        with self.gliding():
            self.stage.column(self.sums_at, table(*rows, edge="left", apart=(0.2, 0.5)), gap=(0.5, 1.2))
        for row in rows:
            self.enter(*row, lag=0.4, seconds=1.2)

    def apart(self) -> None:
        seats = self.example.seats
        parts = [
            self._projected(named, symbol)
            for named, symbol in (
                (seats.projected.row(1), "(x + p) W_Q"), (seats.word_part, "x W_Q"), (seats.seat_parts.row(1), "p W_Q"),
            )
        ]  # fmt: skip
        about, plus = sign("≈"), sign("+")
        self.leave_all(self.heading)
        self.stage.equation(parts[0], about, parts[1], plus, parts[2])
        self.enter(parts[0])
        self.enter(about, parts[1], plus, parts[2], lag=0.6, seconds=2.4)

    # Parts

    @property
    def _telling(self) -> int:
        """The cell in which the two seats differ most."""
        return max(self.example.seats.difference.entries(), key=lambda entry: abs(entry.value)).index[-1]

    def _both(self, named: NamedArray, key: str, places: int | None = None) -> Matrix:
        """Two rows, one for each of the two seats; the cell that tells them apart shows its digits."""
        seats, words = self.example.seats, self.example.words
        twice = seats.repeated.entry().value == 1
        at = [index(entry if twice else seats.word) for entry in seats.seats.entries()]
        names = [words[place] for place in at] if key == "embedding" else ()
        return Matrix(named, digit_columns=(self._telling,), places=places, rows=names, above=self.label(key))

    def _seat(self, *things: Matrix | TextLine) -> None:
        """The equation so far; what is new in it appears, its rows one after the other."""
        new = [thing for thing in things if thing not in self.mobjects]
        self.veil(*(thing.inside for thing in new if isinstance(thing, Matrix)))
        with self.gliding():
            self.stage.column(self.hall, equation(*things), gap=(0.3, 0.8))
        self.enter(*new)
        for thing in new:
            if isinstance(thing, Matrix):
                self.unveil(thing, *thing.each_row(), lag=0.8)

    def _share(self, key: str, entry: Entry) -> tuple[TextLine, Bar, Number]:
        bar = Bar(self.stage.centre, RIGHT * self.stage.width / 3, entry, self.theme.value, width=24)
        return self.label(key), bar, Number(entry, BODY, bold=True)

    def _projected(self, named: NamedArray, symbol: str) -> Matrix:
        color = self.theme.query
        return Matrix(named, digits=0, fill=color, above=formula(symbol, TITLE, color), cover="page", color=color)
