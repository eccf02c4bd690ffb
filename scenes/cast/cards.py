"""The words of the case on standing cards, with a tag or a slip behind each; speech in a bubble; a sheet of paper."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import UP, Circle, Mobject, Polygon, RoundedRectangle, VGroup, VMobject

from mathcore.named import Entry, NamedArray
from scenes.formats import UNIT_PX, Slot
from scenes.kit.figures import Strand, Thread
from scenes.kit.layout.stage import Stage, is_upright
from scenes.kit.text import BODY, SMALLEST, Number, fitted
from scenes.kit.theme import DARK, mix, text_on
from scenes.kit.values import Value

_PAPER, _INK, _SHADE = "#F6EDD8", "#2A2335", "#150C14"
# Between cards, what stands out behind a card, a card's greatest size, and how much narrower it is at its top.
_GAP, _LARGEST, _SLANT = 0.16, (1.5, 0.8), 0.05
# Between two rows: so that threads pass between cards of the first to those of the second.
_PASSAGE = 0.3
# How far across a thread goes before it bends down, as a share of the whole way.
_LEAD = 0.8


def _ear() -> float:
    """How far what stands out behind a card reaches: a hole, and a number below it."""
    return 0.2 + 1.35 * SMALLEST / UNIT_PX


class Ear(VGroup):
    """What stands out behind a card: a "tag" with a hole, which says how a word is found, or a "slip", what it tells.

    With a `value`, its number is written on it.
    """

    def __init__(self, kind: str, width: float, height: float, value: Value | None = None) -> None:
        super().__init__()
        color = DARK.key if kind == "tag" else DARK.value
        x, slant = width / 2, min(0.14, width / 5)
        corners = [(-x, 0.0), (x, 0.0), (x, height - slant), (x - slant, height), (-x, height)]
        if kind == "tag":
            corners = [*corners[:4], (slant - x, height), (-x, height - slant)]
        self.paper = Polygon(*((a, b, 0.0) for a, b in corners), stroke_width=0).set_fill(color, 1)
        self.add(self.paper)
        if kind == "tag":
            self.add(Circle(radius=0.055, stroke_width=0).set_fill(_INK, 1).move_to((0, height - 0.09, 0)))
        else:
            fold = Polygon(
                (x, height - slant, 0), (x - slant, height, 0), (x - slant, height - slant, 0), stroke_width=0
            )
            self.add(fold.set_fill(mix(color, _INK, 0.4), 1))
        self.number: Number | None = None
        if value is not None:
            self.number = Number(value, SMALLEST, text_on(color), bold=True)
            self.add(self.number.move_to((0, 0.06 + 0.6 * SMALLEST / UNIT_PX, 0)))

    @property
    def hole(self) -> Any:
        """Where a thread is tied to it."""
        return self.paper.get_top() - UP * 0.09


class Cards(VGroup):
    """Words on cards that stand on a table within `slot`, in one row, or in two on a phone; the word in `focus` has a
    frame in the query's colour. The farther from the lamp, at `lit` (x), the less light a card has.

    `card(i)` is a word's card, `ear(kind, i)` what stands out behind it.
    """

    def __init__(self, words: Sequence[str], slot: Slot, focus: int, lit: float) -> None:
        super().__init__()
        count = len(words)
        rows = 2 if is_upright() and count > 3 else 1
        first = -(-count // rows)
        # The second row stands between the cards of the first.
        places = first + (0.5 if rows == 2 and count % 2 == 0 else 0.0)
        self.pitch = min(slot.width / places, _LARGEST[0] + _GAP)
        gap = _PASSAGE if rows == 2 else _GAP
        self.width_, self.height_ = self.pitch - gap, min(_LARGEST[1], slot.height / rows - _ear() - 0.06)
        middle = (slot.left + slot.right) / 2
        self.cards: list[VGroup] = []
        for i, word in enumerate(words):
            row, place = divmod(i, first)
            in_row = first if row == 0 else count - first
            x = middle + (place - (in_row - 1) / 2) * self.pitch
            if rows == 2 and count % 2 == 0:
                x += (0.25 if row else -0.25) * self.pitch
            y = slot.top - _ear() - self.height_ / 2 - row * (self.height_ + _ear() + 0.06)
            share = min(1.0, abs(x - lit) / slot.width * 1.25)
            self.cards.append(self._card(word, 1 - 0.34 * share, i == focus).shift((x, y, 0)))
        self.rows = rows
        # What stands in front is drawn later.
        self.add(*self.cards)
        self.first = first

    def _card(self, word: str, light: float, focused: bool) -> VGroup:
        width, height = self.width_, self.height_
        paper = mix(_SHADE, _PAPER, light)
        x, y = width / 2, height / 2
        corners = ((-x, -y), (x, -y), (x - _SLANT, y), (_SLANT - x, y))
        face = Polygon(*((a, b, 0.0) for a, b in corners), stroke_width=0).round_corners(0.05).set_fill(paper, 1)
        if focused:
            face.set_stroke(DARK.query, 6)
        back = face.copy().set_stroke(width=0).set_fill(mix(paper, _SHADE, 0.45), 1).shift((0.05, 0.035, 0))
        edge = Polygon(
            *((a * 0.88, y - b, 0.0) for a, b in ((-x, 0.1), (x, 0.1), (x, 0.06), (-x, 0.06))), stroke_width=0
        )
        text = fitted(word, width - 0.14, 1.1 * BODY, _INK, bold=focused).move_to(face)
        shadow = Polygon((-x, -y, 0), (x, -y, 0), (x + 0.28, -y + 0.3, 0), (-x + 0.3, -y + 0.3, 0), stroke_width=0)
        return VGroup(shadow.set_fill(_SHADE, 0.45), back, face, edge.set_fill(mix(paper, "#FFFFFF", 0.5), 1), text)

    def card(self, i: int) -> VGroup:
        """The card of word i."""
        return self.cards[i]

    def face(self, i: int) -> Mobject:
        """The paper of word i's card."""
        return self.cards[i][2]

    def ear(self, kind: str, i: int, entry: Entry | None = None, *, large: bool = False) -> Ear:
        """What stands out behind the card of word i."""
        width = min(0.86, self.width_ * 0.8) if entry is not None or large else min(0.5, self.width_ * 0.5)
        face = self.face(i)
        return Ear(kind, width, _ear(), entry).shift((face.get_x(), face.get_top()[1], 0))

    def ears(self, kind: str, named: NamedArray | None = None) -> list[Ear]:
        """What stands out behind all cards, with its entry of `named` on each, if that is given."""
        entries = [None] * len(self.cards) if named is None else list(named.entries())
        return [self.ear(kind, i, entry) for i, entry in enumerate(entries)]


def tied(hand: Any, ear: Ear, cards: Cards, entry: Entry, color: str) -> Thread:
    """A thread from a hand to a card's tag or slip, as wide as the entry's value; it comes down between other cards."""
    thread = Thread(hand, ear.hole, entry, color)
    thread.set_points(_hanging(hand, ear, cards))
    return thread


def slack(hand: Any, ear: Ear, cards: Cards, color: str) -> Strand:
    """The same thread before its weight is known."""
    strand = Strand(hand, ear.hole, color)
    strand.set_points(_hanging(hand, ear, cards))
    return strand


def _hanging(hand: Any, ear: Ear, cards: Cards) -> Any:
    start, end = np.array(hand, dtype=float), np.array(ear.hole, dtype=float)
    # Across above all cards, and then down: so threads are apart where they are near what they lead to.
    high = max(start[1], float(cards.face(0).get_top()[1]) + 0.1)
    bend = np.array([end[0], high, 0.0])
    return np.array([start, start + _LEAD * (bend - start), bend, end])


class Bubble(VGroup):
    """Speech, in the query's colour, with its tail towards whoever speaks; `says` are lines of text."""

    def __init__(self, says: VMobject, mouth: Any, color: str | None = None) -> None:
        super().__init__()
        color = color or DARK.query
        width, height = says.width + 0.56, says.height + 0.34
        body = RoundedRectangle(corner_radius=min(0.3, height * 0.42), width=width, height=height, stroke_width=0)
        body.set_fill(color, 1).move_to(says)
        mouth = np.array(mouth, dtype=float)
        way = mouth - body.get_center()
        # The tail leaves from where the body is nearest to the mouth.
        x = float(np.clip(way[0], -width / 2 + 0.35, width / 2 - 0.35))
        root = body.get_center() + np.array([x, 0, 0])
        across = np.array([0.16, 0.0, 0.0]) if abs(way[1]) > height / 2 else np.array([0.0, 0.13, 0.0])
        tail = Polygon(root - across, root + across, root + (mouth - root) * 0.82, stroke_width=0).set_fill(color, 1)
        self.add(tail, body, says)
        self.says = says


class Leaf(VGroup):
    """A sheet of paper within a slot, held in the lamp's light, with a coloured edge. What is on it is `daylight()`.

    `stage` is where to write.
    """

    def __init__(self, slot: Slot, color: str) -> None:
        super().__init__()
        centre = (slot.centre[0], slot.centre[1], 0)
        shadow = RoundedRectangle(corner_radius=0.08, width=slot.width, height=slot.height, stroke_width=0)
        shadow.set_fill("#0B0912", 0.5).move_to(centre).shift((0.09, -0.09, 0))
        cover = RoundedRectangle(corner_radius=0.1, width=slot.width, height=slot.height, stroke_width=0)
        cover.set_fill(color, 1).move_to(centre)
        paper = RoundedRectangle(corner_radius=0.05, width=slot.width - 0.14, height=slot.height - 0.14, stroke_width=0)
        self.paper = paper.set_fill(_PAPER, 1).move_to(centre)
        rings = VGroup()
        count = max(3, round(slot.width / 0.7))
        for k in range(count):
            ring = RoundedRectangle(corner_radius=0.04, width=0.09, height=0.26, stroke_width=0).set_fill("#8E8796", 1)
            rings.add(ring.move_to((slot.left + (k + 0.5) * slot.width / count, slot.top, 0)))
        self.add(shadow, cover, self.paper, rings)
        aside = 0.16 if is_upright() else 0.24
        self.stage = Stage(slot.left + aside, slot.bottom + 0.16, slot.right - aside, slot.top - 0.24)
