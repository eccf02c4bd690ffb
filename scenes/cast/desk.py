"""Lessons that play at night, and what their cast does again and again at the desk."""

from collections.abc import Sequence
from typing import Any

from manim import DOWN, Animation, FadeIn, LaggedStart, Mobject, VGroup, VMobject

from scenes.cast.cards import Bubble, Cards, Ear, Leaf
from scenes.cast.figure import Figure
from scenes.cast.pose import Hold
from scenes.cast.room import Room, night
from scenes.kit.lesson import Lesson
from scenes.kit.motion import Pulse
from scenes.kit.text import BODY
from scenes.kit.theme import DARK, use_theme


class NightLesson(Lesson):
    """A lesson that plays at night on any page: its title follows the page's theme, all else is drawn in the dark."""

    def title(self, *args: Any, **options: Any) -> VGroup:
        with use_theme(self.settings.render.theme):
            return super().title(*args, **options)

    def _run(self, beat: str) -> None:
        with night():
            super()._run(beat)


class DeskLesson(NightLesson):
    """A lesson in the room: one detective works at the desk for the word in focus, the sentence stands there on cards.

    `detective`, `others` and `captain` are who is there; `leaf` is the sheet of paper, once it is shown.
    """

    room: Room
    cards: Cards
    leaf: Leaf
    detective: Figure
    captain: Figure
    others: Sequence[Figure]
    ears: Sequence[Ear]

    def furnish(self, head: int) -> None:
        """The room before the lamp is switched on, with everybody in it; the detective of `head` is at the desk."""
        self.room, self.written = Room(), list[Mobject]()
        self.cards = Cards(self.example.words, self.room.table, self.example.focus, self.room.at_desk[0])
        self.detective = self.room.worker(head, left="holds", holds_left=Hold("magnifier", 0.12, 1.25))
        self.detective.be(look=self.cards.card(0))
        heads = [other for other in range(min(self.example.n_heads, 4)) if other != head]
        *self.others, self.captain = self.room.onlookers([*heads, None])
        people = *self.others, self.captain, self.detective
        self.add(self.room.back, *people, self.room.front, self.cards, self.room.dark)

    def look_on(self, **changes: Any) -> list[Animation]:
        """What the captain does, as long as there is room for him to look on."""
        return [self.captain.acts(**changes)] if self.captain in self.mobjects else []

    def says(self, key: str, who: Figure) -> Bubble:
        """A label as what somebody says, not yet shown."""
        detective = who is self.detective
        text = self.label(key, BODY, DARK.ink, bold=True)
        self.room.bubble.place(text, align=("left" if detective else "right", "top"))
        return Bubble(text, who.mouth if detective else who.top, DARK.query if detective else DARK.paper)

    def write(self, *things: Mobject, moves: Sequence[Animation] = (), lag: float = 0.0) -> None:
        """Things appear on the sheet of paper, from which leaves what was there; meanwhile, `moves`."""
        if self.written:
            self.leave(*self.written, seconds=0.4)
        seconds = 0.8 + 0.5 * lag * len(things)
        self.play(LaggedStart(*map(FadeIn, things), lag_ratio=lag), *moves, run_time=seconds)
        self.written = list(things)

    def hang(self, ears: Sequence[Ear], *moves: Animation, seconds: float = 1.4) -> None:
        """Tags or slips appear behind the cards, in the place of those that were there."""
        if getattr(self, "ears", None):
            self.leave(*self.ears, seconds=0.3)
        self.ears = ears
        hung = (FadeIn(ear, shift=0.1 * DOWN) for ear in ears)
        self.play(LaggedStart(*hung, lag_ratio=0.15), *moves, run_time=seconds)

    def run_along(self, lines: Sequence[VMobject], color: str, *, back: bool = False, seconds: float = 2.0) -> None:
        """Light runs along lines, a little wider than they are; with `back`, from their ends to their starts."""
        runs = [Pulse(line, color, width=line.get_stroke_width() + 3, back=back) for line in lines]
        self.play(LaggedStart(*runs, lag_ratio=0.1), run_time=seconds)
