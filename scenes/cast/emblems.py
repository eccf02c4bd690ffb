"""An emblem for each chapter, small and of real numbers: threads, beams or hands over the cards of the sentence."""

from collections.abc import Callable, Sequence

from manim import (
    LEFT,
    RIGHT,
    UP,
    Animation,
    FadeIn,
    Line,
    RoundedRectangle,
    UpdateFromAlphaFunc,
    VGroup,
    smooth,
    squish_rate_func,
)

from mathcore.example import WorkedExample
from scenes.kit.encoding import moment, row_at
from scenes.kit.figures import Beam, Detective, Dial, Lamp, Notebook, Thread, stand
from scenes.kit.layout.blocks import Measured
from scenes.kit.motion import Draw
from scenes.kit.theme import current_theme, mix, use_theme

# An emblem's plate, in units; a larger one is drawn larger, so that its lines keep their proportion.
WIDTH, HEIGHT = 3.6, 2.4
_MARGIN = 0.3
# The least and the greatest size of an emblem on a card.
_LEAST, _MOST = 0.62, 1.75


class Emblem(VGroup):
    """A plate with figures and a row of blank cards, one a word; `lights` holds what its numbers draw."""

    def __init__(self, example: WorkedExample, size: float, *, dark: bool = False) -> None:
        super().__init__()
        with use_theme("dark" if dark else current_theme().name):
            theme = current_theme()
            self.size, self.width_, self.height_ = size, WIDTH * size, HEIGHT * size
            self.plate = mix(theme.background, theme.panel, 0.7)
            plate = RoundedRectangle(
                corner_radius=0.14 * size, width=self.width_, height=self.height_, fill_opacity=1, stroke_width=2,
                fill_color=self.plate, stroke_color=theme.line,
            )  # fmt: skip
            step = (self.width_ - 2 * _MARGIN * size) / len(example.words)
            self.cards = [
                RoundedRectangle(
                    corner_radius=0.03 * size, width=step * 0.84, height=0.24 * size, fill_color=theme.paper,
                    fill_opacity=1, stroke_width=1.5, stroke_color=theme.line,
                ).move_to(((j - (len(example.words) - 1) / 2) * step, (0.3 * size - self.height_ / 2), 0))
                for j in range(len(example.words))
            ]  # fmt: skip
        self.lights = VGroup()
        self.add(plate, self.lights, *self.cards)

    @property
    def floor(self) -> float:
        """The upper edge of the cards, in the emblem's own place at the origin."""
        return float(self.cards[0].get_top()[1])

    def shine(self, start: float = 0.0, stop: float = 1.0) -> list[Animation]:
        """How the numbers appear, between two shares of the time."""
        return [FadeIn(light, rate_func=squish_rate_func(smooth, start, stop)) for light in self.lights]

    def settle(self) -> "Emblem":
        """Put everything where `shine` ends."""
        return self


class TeamEmblem(Emblem):
    """One head: a detective whose threads are the weights of the focus word."""

    def __init__(self, example: WorkedExample, size: float) -> None:
        super().__init__(example, size)
        color, feet = current_theme().head(0), self.floor + 0.62 * size
        weights = example.report.weights
        for j, card in enumerate(self.cards):
            start = (0.3 * size * (j + 0.5 - len(self.cards) / 2) / len(self.cards), feet, 0)
            self.lights.add(Thread(start, card.get_top(), weights.entry(j), color, full=16 * size))
        detective = stand(Detective(color, magnifier=True), 0, feet - 0.02, self.height_ / 2 - 0.12 * size - feet)
        self.add(detective)

    def shine(self, start: float = 0.0, stop: float = 1.0) -> list[Animation]:
        return [Draw(light, rate_func=squish_rate_func(smooth, start, stop)) for light in self.lights]


class LampsEmblem(Emblem):
    """Many heads: a lamp for each, whose beams are its weights of the focus word."""

    def __init__(self, example: WorkedExample, size: float) -> None:
        super().__init__(example, size, dark=True)
        heads, top = example.heads, self.height_ / 2 - 0.5 * size
        with use_theme("dark"):
            theme = current_theme()
            bar = Line(LEFT, RIGHT, stroke_color=theme.line, stroke_width=6 * size)
            bar.scale_to_fit_width(self.width_ - 2 * _MARGIN * size).move_to(UP * (top + 0.26 * size))
            lamps = VGroup(bar)
            for i, head in enumerate(heads):
                x = (i - (len(heads) - 1) / 2) * (self.width_ - 1.2 * size) / max(1, len(heads))
                lamp = Lamp((x, top, 0), (x / 2, self.floor, 0), theme.head(i), scale=0.62 * size)
                for j, card in enumerate(self.cards):
                    left, right = card.get_corner(UP + LEFT), card.get_corner(UP + RIGHT)
                    weight = head.weights.entry(example.focus, j)
                    self.lights.add(Beam(lamp.mouth, left, right, weight, theme.head(i), self.plate, full=0.8))
                yoke = Line((x, top, 0), (x, top + 0.26 * size, 0), stroke_color=theme.line, stroke_width=6 * size)
                lamps.add(yoke, lamp)
        self.add(lamps)


class DialsEmblem(Emblem):
    """Position: a dial for each sine/cosine pair, whose hands turn as a light walks along the cards."""

    def __init__(self, example: WorkedExample, size: float) -> None:
        super().__init__(example, size)
        theme, pairs = current_theme(), len(example.clock.degrees_per_token)
        self.example, self.last = example, len(self.cards) - 1
        room = (self.width_ - 0.3 * size) / pairs
        radius = min(0.44 * room, 0.3 * self.height_)
        middle = (self.floor + self.height_ / 2) / 2
        self.dials = [Dial(theme.pair(i), radius) for i in range(pairs)]
        for i, dial in enumerate(self.dials):
            dial.move_to(((i - (pairs - 1) / 2) * room, middle, 0))
        card, rim = self.cards[0], 0.1 * size
        self.here = RoundedRectangle(corner_radius=0.05 * size, width=card.width + rim, height=card.height + rim)
        self.here.set_stroke(theme.text, 4 * size).move_to(card)
        self.add(*self.dials, self.here)
        self._go(0.0)

    def shine(self, start: float = 0.0, stop: float = 1.0) -> list[Animation]:
        """From the first position to the last; the hands stand at every moment where that position puts them."""
        moving = UpdateFromAlphaFunc(VGroup(*self.dials, self.here), lambda _, alpha: self._go(alpha))
        moving.set_rate_func(squish_rate_func(smooth, start, stop))
        return [moving]

    def settle(self) -> Emblem:
        self._go(1.0)
        return self

    def _go(self, share: float) -> None:
        """To `share` of the way from the first position to the last."""
        clock = self.example.clock
        angles = row_at(moment(share * self.last), clock.angles, clock.between)
        for dial, angle in zip(self.dials, angles.entries(), strict=True):
            dial.turn_to(angle.value, angle)
        first, last = self.cards[0].get_center(), self.cards[-1].get_center()
        self.here.move_to(first + share * (last - first))


class PlainEmblem(Emblem):
    """A chapter without figures of its own: three notebooks."""

    def __init__(self, example: WorkedExample, size: float) -> None:
        super().__init__(example, size)
        theme = current_theme()
        books = VGroup(*(Notebook(c, 0.62 * size, 0.82 * size) for c in (theme.query, theme.key, theme.value)))
        self.add(books.arrange(RIGHT, buff=0.3 * size).move_to(UP * 0.2 * size))


_EMBLEMS: dict[str, Callable[[WorkedExample, float], Emblem]] = {
    "one_head": TeamEmblem,
    "many_heads": LampsEmblem,
    "position": DialsEmblem,
}


def emblem(chapter: str, example: WorkedExample, size: float = 1.0) -> Emblem:
    """The emblem of a chapter (a folder of scenes/), `size` times 3.6 x 2.4 units."""
    return _EMBLEMS.get(chapter, PlainEmblem)(example, size)


class FramedEmblem(Measured):
    """A chapter's emblem as large as there is room for; once it has shone, it is drawn as it is then."""

    def __init__(self, chapter: str, example: WorkedExample) -> None:
        self.shone = False
        super().__init__(lambda size: self._drawn(chapter, example, size), _LEAST, _MOST)

    def _drawn(self, chapter: str, example: WorkedExample, size: float) -> Emblem:
        drawn = emblem(chapter, example, size)
        return drawn.settle() if self.shone else drawn

    def shine(self, start: float = 0.0, stop: float = 1.0) -> list[Animation]:
        """How its numbers appear, between two shares of the time."""
        self.shone = True
        return self.thing.shine(start, stop) if isinstance(self.thing, Emblem) else []


def shining(emblems: Sequence[FramedEmblem], step: float = 0.0, length: float = 1.0) -> list[Animation]:
    """Emblems shine one after the other, each a `step` of the time after the one before, for a `length` of it."""
    return [move for k, each in enumerate(emblems) for move in each.shine(step * k, step * k + length)]
