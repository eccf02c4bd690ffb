"""The sentence as a row of word cards."""

from collections.abc import Sequence

from manim import RIGHT, RoundedRectangle, VGroup

from scenes.formats import UNIT_PX
from scenes.kit.text import BODY, SMALLEST, TextLine, fitted, in_two_rows
from scenes.kit.theme import current_theme


class TokenRow(VGroup):
    """Word cards side by side over `width`; long words get more room, then a second row; what is left is cut.

    With `equal`, all cards have one width, as columns over which grids and figures stand.
    """

    def __init__(
        self,
        words: Sequence[str],
        width: float,
        *,
        height: float = 0.62,
        size: float = BODY,
        gap: float = 0.1,
        equal: bool = True,
        fill: str | None = None,
        color: str | None = None,
    ) -> None:
        super().__init__()
        theme = current_theme()
        room = width - gap * (len(words) - 1)
        widths = [min(room / len(words), 2.2)] * len(words) if equal else _shares(words, size, room)
        self.cards: list[RoundedRectangle] = []
        self.labels: list[TextLine] = []
        # One size for all: a row of words in many sizes looks like a mistake.
        natural = [TextLine(word, size).width for word in words]
        scale = min([1.0, *((w - 0.16) / n for w, n in zip(widths, natural, strict=True))])
        common = max(SMALLEST, size * scale)
        for word, card_width in zip(words, widths, strict=True):
            card = RoundedRectangle(
                corner_radius=0.08,
                width=card_width,
                height=height,
                stroke_width=2,
                stroke_color=theme.line,
                fill_color=fill or theme.paper,
                fill_opacity=1,
            )
            self.cards.append(card)
            # Centred before the cards are arranged: a word wider than its card must not widen its place.
            self.labels.append(_label(word, card_width - 0.12, height, common, color or theme.ink).move_to(card))
            self.add(VGroup(card, self.labels[-1]))
        self.arrange(RIGHT, buff=gap)

    def card(self, i: int) -> VGroup:
        """Card and word number i."""
        return VGroup(self.cards[i], self.labels[i])


def _label(word: str, width: float, height: float, size: float, color: str) -> TextLine:
    """A word in one row, or in two where the card is high enough and the word would be cut."""
    label = fitted(word, width, size, color)
    if label.text != word and height * UNIT_PX >= 3 * SMALLEST:
        return in_two_rows(word, width, color=color)
    return label


def _shares(words: Sequence[str], size: float, room: float) -> list[float]:
    natural = [TextLine(word, size).width + 0.4 for word in words]
    total = sum(natural)
    return [n * min(1.0, room / total) for n in natural]
