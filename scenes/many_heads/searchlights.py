"""Searchlights: the team of one word shines on the sentence, a lamp a head; one flashlight for all would blur it."""

from collections.abc import Mapping
from operator import index

from mathcore.comparisons import BottleneckTrace
from mathcore.named import NamedArray
from scenes.cast.figure import Figure
from scenes.cast.yard import LampLight, WallCards, Yard, legible, night
from scenes.kit.layout import Panel, column
from scenes.kit.lesson import Lesson
from scenes.kit.lines import SlotValue
from scenes.kit.text import BODY, SMALL, Number, fitted


class Searchlights(Lesson):
    """Light one word's attention with a lamp a head, then with a single flashlight: the average of all."""

    beats = ("dark", "lamps", "flashlight", "answers")

    def slots(self) -> Mapping[str, SlotValue]:
        seen = self.seen
        best = max(range(self.example.n_heads), key=lambda i: seen.favourite_weights.values[i])
        return {
            "word": self.token(self.example.focus),
            "heads": self.example.sizes.heads,
            "favourite": self.token(index(seen.favourites[best])),
            "peak": seen.favourite_weights[best],
            "washed": seen.averaged_weights[best],
        }

    @property
    def seen(self) -> BottleneckTrace:
        """What the asking word sees with each head, and what is left of it in the average."""
        return self.example.bottleneck

    def dark(self) -> None:
        heads, example = range(self.example.n_heads), self.example
        yard = Yard()
        with night():
            self.wall = WallCards(example.words, example.focus, yard.wall.width)
            self.team, self.captain = (
                [Figure(i, light=yard.light(), stands=True, least=0.3, most=0.9) for i in heads],
                Figure(light=yard.light(), stands=True),
            )
            self.plates = [self._plate(i) for i in heads]
            self.glow = self.theme.glow
        yard.wall.place(self.wall)
        yard.ground.row(
            *(column(*pair, gap=0.06) for pair in zip(self.team, self.plates, strict=True)),
            gap=(0.2, 1.5), level="bottom", align=("middle", "bottom"),
        )  # fmt: skip
        self.captain.stand(yard.ground.centre[0], float(self.team[0].feet[1]), self.team[0].unit)
        self.lights = [self._light(self.team[i], self.seen.rows.row(i), i) for i in heads]
        self.average = self._light(self.captain, self.seen.average, None)
        for light in (*self.lights, self.average):
            self.veil(light.beams, light.lit)
        lit = [light.lit for light in (*self.lights, self.average)]
        beams = [light.beams for light in (*self.lights, self.average)]
        self.add(self.title("parameters"), yard.back, *beams, self.wall.cards, *lit, self.wall.words)
        self.enter(self.wall.frame, seconds=0.6)
        self.enter(*self.team, *self.plates, lag=0.15, seconds=1.8)

    def lamps(self) -> None:
        for i, light in enumerate(self.lights):
            with self.together(seconds=1.2):
                self._switch(light)
                self.unveil(self.plates[i], *self.plates[i].things[1:3], shift=(0, 0))
                self.perform(self.team[i].acts(mood="found"))

    def flashlight(self) -> None:
        with self.together(seconds=0.8):
            self._switch(*self.lights, on=False)
            self.leave(*self.team)
        self.enter(self.captain)
        with self.together(seconds=1.2):
            self._switch(self.average)
            self.perform(self.captain.acts(mood="worried"))
        for plate in self.plates:
            self.unveil(plate, plate.things[3], seconds=0.5, shift=(0, 0))

    def answers(self) -> None:
        with self.together(seconds=0.8):
            self._switch(self.average, on=False)
            self.leave(self.captain)
        self.enter(*self.team, seconds=0.6)
        with self.together(seconds=1.4):
            self._switch(*self.lights)
            self.perform(*(figure.acts(mood="glad") for figure in self.team))

    # Parts

    def _plate(self, i: int) -> Panel:
        """Head i's name, the word that it sees best with the weight, and what the average has left of that weight."""
        seen, color = self.seen, self.theme.head_word(i)
        key = self.example.head_names[i] or "head"
        name = self.label(key, SMALL, color, number=self.example.sizes.head_numbers[i], bold=True)
        word = fitted(self.token(index(seen.favourites[i])), self.stage.width / self.example.n_heads - 0.7, BODY)
        found = Number(seen.favourite_weights[i], BODY, bold=True)
        blurred = self.label("blurred", SMALL, self.theme.muted, weight=seen.averaged_weights[i])
        plate = Panel(name, word, found, blurred, gap=0.03, cover="card", color=self.theme.head(i))
        self.veil(word, found, blurred)
        return plate

    def _light(self, figure: Figure, weights: NamedArray, head: int | None) -> LampLight:
        """The light of the lamp in a figure's hand, which points at the word with the largest weight."""
        best = max(weights.entries(), key=lambda entry: entry.value)
        lens = figure.aim("lamp", self.wall.cards[best.index[-1]].get_bottom())
        return LampLight(lens, self.wall, weights, self.glow if head is None else self.theme.head(head))

    def _switch(self, *lights: LampLight, on: bool = True) -> None:
        """Lamps are switched on, or off; the words on the cards stay legible."""
        for light in lights:
            for part in (light.beams, light.lit):
                if on:
                    self.unveil(part, seconds=1.0, shift=(0, 0))
                else:
                    self.conceal(part)
        self.perform(legible(self.wall, *self.lights, self.average))
