"""Words on cards with their seats' tickets below them, in as many rows as there is room for."""

from collections.abc import Sequence

from manim import DOWN, Circle, RoundedRectangle, VGroup

from mathcore.named import NamedArray
from scenes.kit.text import BODY, SMALLEST, Number, TextLine, fitted
from scenes.kit.theme import current_theme

# A card's height and least width, a ticket's size, and the room between cards, in units; and all of them in many rows.
_HIGH, _NARROW, _TICKET, _APART, _DENSE = 0.62, 0.8, (0.72, 0.4), 0.16, 0.8
# More rows than these are dense.
_FEW = 2
# The air at both sides of a word.
_AIR = 0.24


class Ticket(VGroup):
    """A ticket with the number of a seat, notched at both ends."""

    def __init__(self, named: NamedArray, seat: int) -> None:
        super().__init__()
        theme, (width, height) = current_theme(), _TICKET
        paper = RoundedRectangle(corner_radius=0.06, width=width, height=height, stroke_width=2, fill_opacity=1)
        self.paper = paper.set_fill(theme.paper).set_stroke(theme.line)
        notches = VGroup(*(Circle(radius=0.05, stroke_width=0, fill_opacity=1).move_to((x, 0, 0))
                           for x in (-width / 2, width / 2)))  # fmt: skip
        self.number = Number(named.entry(seat), SMALLEST, theme.ink, bold=True).move_to(paper)
        self.add(self.paper, notches.set_fill(theme.background), self.number)


class SeatedWords(VGroup):
    """Words on cards over `width`, in as few rows as keep them whole; below each card hangs the ticket of its seat.

    `places` (token,) are the seats' numbers. `cards[i]` and `tickets[i]` are those of word i; `rings` are frames around
    the cards of some seats.
    """

    def __init__(self, words: Sequence[str], places: NamedArray, width: float, ringed: Sequence[int] = ()) -> None:
        super().__init__()
        longest = max(TextLine(word, SMALLEST).width for word in words) + _AIR
        rows = next((n for n in (1, 2, 3) if width / -(-len(words) // n) - _APART >= longest), 4)
        in_a_row = -(-len(words) // rows)
        wide = min(max(longest * 1.5, _NARROW), width / in_a_row - _APART)
        self.cards, self.tickets = [], []
        lines = VGroup()
        for start in range(0, len(words), in_a_row):
            line = VGroup()
            for seat in range(start, min(start + in_a_row, len(words))):
                card, ticket = self._card(words[seat], wide, rows > _FEW), Ticket(places, seat)
                ticket.next_to(card, DOWN, buff=0.02 if rows > _FEW else 0.08)
                self.cards.append(card)
                self.tickets.append(ticket)
                line.add(VGroup(card, ticket))
            lines.add(line.arrange(buff=_APART))
        dense = _DENSE if rows > _FEW else 1.0
        lines.arrange(DOWN, buff=_APART * dense)
        self.rings = VGroup(*(self._ring(seat) for seat in ringed if seat < len(words)))
        self.add(lines, self.rings)

    @staticmethod
    def _card(word: str, width: float, dense: bool) -> VGroup:
        theme, height = current_theme(), _HIGH * (_DENSE if dense else 1)
        paper = RoundedRectangle(corner_radius=0.08, width=width, height=height, stroke_width=2, fill_opacity=1)
        text = fitted(word, width - 0.5 * _AIR, BODY, theme.ink)
        return VGroup(paper.set_fill(theme.paper).set_stroke(theme.line), text.move_to(paper))

    def _ring(self, seat: int) -> RoundedRectangle:
        card = self.cards[seat][0]
        frame = RoundedRectangle(corner_radius=0.1, width=card.width + 0.1, height=card.height + 0.1, stroke_width=5)
        return frame.set_stroke(current_theme().query).move_to(card)
