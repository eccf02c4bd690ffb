"""A yard at night: words on a wall, and the light of lamps, as bright as weights, that is thrown on them.

It is night on any page: what stands in the yard is drawn within `night()`.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from manim import Animation, RoundedRectangle, UpdateFromAlphaFunc, VGroup

from mathcore.named import Entry, NamedArray
from scenes.cast.room import night
from scenes.cast.scenery import COLD, houses, moon, stars
from scenes.formats import SAFE, UNIT_PX, Slot, current_format
from scenes.kit.layout.arrangements import Reach, between
from scenes.kit.layout.blocks import lay_box
from scenes.kit.layout.stage import Stage, is_upright
from scenes.kit.marks import LitCardMark
from scenes.kit.picture import Picture, full_width
from scenes.kit.sheet import Light, Point, Sheet, box
from scenes.kit.text import BODY, SMALLEST, Box, Provenance, TextLine, box_around, fitted, hexadecimal
from scenes.kit.theme import current_theme, mix, rgb, text_on

# How much of a weight the light on a card shows, so that the word on it can be read whatever lamps shine.
CARD_LIGHT = 0.65
# How much of a weight a beam in the air shows at its lamp and at the wall: others must be seen behind it.
_NEAR, _AFAR = 0.95, 0.6
# A lamp's mouth, in units, and the weight below which no beam is seen.
_MOUTH, _LEAST = 0.09, 0.02
# How far the light on a card is seen around it, in units.
_HALO = 1.1
_SKY, _HAZE, _BRICK, _JOINT, _FLOOR = "#0C1430", "#22356A", "#171C38", "#10142A", "#0B0F1E"
# Rows of cards, at most, and the greatest number of cards in one; a card's height in the size of its word, the air
# beside a word and between cards, in units.
_ROWS, _MOST, _HIGH, _AIR, _APART = 3, (8, 5), (1.5, 2.2), 0.2, 0.14
# How much larger than text its words may be, where there is room.
_LARGER = 1.25


class Yard:
    """A yard from edge to edge of the frame: `back` is its picture, with sky, wall and ground.

    `wall` is where words hang, `ground` where the team stands, `air` is between them.
    """

    def __init__(self, wall: float = 0.27, air: float = 0.08) -> None:
        stage = current_format().stage
        self.slot = full_width(stage.bottom - 0.08, stage.top + 0.08)
        height = stage.height
        left, right = self.slot.left + SAFE, self.slot.right - SAFE
        self.wall = Stage(left, stage.top - wall * height, right, stage.top - 0.05)
        self.ground = Stage(left, stage.bottom, right, stage.top - (wall + air) * height)
        self._floor = stage.bottom + 0.34 * height
        self.back = Picture(self.slot, ("yard", self.slot, self._floor), self._paint, solid=True)

    def light(self, side: float = 1.0) -> Light:
        """The light on somebody whose lamp is at that side (-1 or 1), with the moon behind."""
        return Light((side, 0.9), 0.74, 0.06, 0.85, "#10142C", COLD)

    def _paint(self, sheet: Sheet) -> None:
        slot, floor = self.slot, self._floor
        top = floor + 0.3 * (self.wall.bottom - floor)
        whole = box(slot.left, slot.bottom, slot.right, slot.top)
        sheet.graded(whole, (0, _SKY, 1), (1, _HAZE, 1), start=(0, slot.top), stop=(0, floor))
        # None of them beside words.
        stars(sheet, slot.left, top + 0.8, slot.right, self.wall.bottom - 0.05, 36, 5)
        moon(sheet, slot.right - 0.6, self.wall.bottom - 0.4, 0.2, mix(_SKY, _HAZE, 0.6))
        houses(sheet, slot.left, slot.right, floor, 0.5 * (top - floor) + 0.5, top - floor + 0.7, 11)
        self._bricks(sheet, floor, top)
        sheet.graded(
            box(slot.left, slot.bottom, slot.right, floor), (0, mix(_FLOOR, _HAZE, 0.4), 1), (1, _FLOOR, 1),
            start=(0, floor), stop=(0, slot.bottom),
        )  # fmt: skip

    def _bricks(self, sheet: Sheet, floor: float, top: float) -> None:
        """A low wall, no two bricks quite alike."""
        random, high, wide, slot = Random(3), 0.17, 0.44, self.slot
        sheet.fill(box(slot.left, floor, slot.right, top), _JOINT)
        for row in range(int((top - floor) / high) + 1):
            y, x = floor + row * high, slot.left - (0.5 * wide if row % 2 else 0.0)
            while x < slot.right and y < top:
                shade = mix(_BRICK, _HAZE, random.uniform(0.0, 0.5))
                sheet.fill(box(x + 0.012, y + 0.012, x + wide - 0.012, min(y + high - 0.012, top)), shade)
                x += wide
        sheet.fill(box(slot.left, top - 0.02, slot.right, top + 0.07), _JOINT)


class WallCards(VGroup):
    """The words of a sentence on cards, in as few rows as hold them; card `asker` has a frame.

    `cards[j]` is word j's card, `words` their words, `frame` is around the asking one.
    """

    def __init__(self, words: Sequence[str], asker: int, width: float) -> None:
        super().__init__()
        theme = current_theme()
        self._texts, self.asker, self.breadth = tuple(words), asker, 0.0
        self._widest = max(TextLine(word, SMALLEST).width for word in words) / float(SMALLEST)
        most = max(1, min(_MOST[is_upright()], int(width / (self._widest * float(SMALLEST) + _AIR + _APART))))
        rows = min(-(-len(words) // most), _ROWS)
        self._columns, self._width = -(-len(words) // rows), width
        card = RoundedRectangle(corner_radius=0.08, width=1, height=1, stroke_width=2, fill_opacity=1)
        card.set_fill(mix(theme.panel, theme.background, 0.2)).set_stroke(theme.line)
        self.each_card = [card.copy() for _ in words]
        self.each_word = [TextLine(word, SMALLEST, theme.text) for word in words]
        self.cards, self.words = VGroup(*self.each_card), VGroup(*self.each_word)
        self.frame = RoundedRectangle(corner_radius=0.1, width=1, height=1, stroke_width=5, stroke_color=theme.query)
        self.add(self.cards, self.words, self.frame)
        self.settle(1.0)

    @property
    def anchor(self) -> Any:
        return self.cards.get_center()

    def _size(self, ease: float) -> float:
        return between((float(SMALLEST), float(BODY)), ease) * between((1.0, _LARGER), self.breadth)

    def _card(self, ease: float) -> tuple[float, float]:
        size = self._size(ease)
        widest = self._width / self._columns - _APART
        return min(self._widest * size + between((_AIR, 0.6), self.breadth), widest), between(
            _HIGH, self.breadth
        ) * size / UNIT_PX

    def reach(self, ease: float) -> Reach:
        (wide, high), rows = self._card(ease), -(-len(self._texts) // self._columns)
        half, up = (self._columns * (wide + _APART) - _APART) / 2, (rows * (high + _APART) - _APART) / 2
        return Reach(half, half, up, up)

    def settle(self, ease: float) -> "WallCards":
        (x, y, _), own, (wide, high) = self.anchor.copy(), self.reach(ease), self._card(ease)
        for j, text in enumerate(self._texts):
            row, column = divmod(j, self._columns)
            in_row = min(self._columns, len(self._texts) - row * self._columns)
            at = (x + (column - (in_row - 1) / 2) * (wide + _APART), y + own.up - high / 2 - row * (high + _APART))
            lay_box(self.each_card[j], wide, high, at)
            line = fitted(text, wide - _AIR / 2, self._size(ease)).move_to((*at, 0))
            word = self.each_word[j]
            word.set_points(line.points)
            word.text, word.whole = line.text, text
        card = self.cards[self.asker]
        lay_box(self.frame, wide + 0.06, high + 0.06, card.get_center())
        return self


class CardLight(RoundedRectangle):
    """Light on a card, as bright as a weight: `CARD_LIGHT` of it."""

    def __init__(self, card: RoundedRectangle, weight: Entry, hue: str) -> None:
        super().__init__(corner_radius=0.08, width=1, height=1, stroke_width=0)
        lay_box(self, card.width, card.height, card.get_center())
        self.set_fill(hue, opacity=LitCardMark.light(weight.value, CARD_LIGHT))
        self.entry, self._over = weight, card.get_fill_color().to_hex()
        self.provenance = (Provenance("picture", weight),)

    def box_of(self, n: int) -> Box:
        return box_around(self)

    def mark_of(self, n: int) -> LitCardMark:
        left, bottom, right, top = self.box_of(n)
        whole = LitCardMark.light(self.entry.value, CARD_LIGHT)
        return LitCardMark(
            polygon=((left, bottom), (right, bottom), (right, top), (left, top)), full=CARD_LIGHT, over=self._over,
            color=hexadecimal(self.get_fill_color()),
            opacity=float(self.get_fill_opacity()) / whole if whole else 1.0,
        )  # fmt: skip


class LampLight:
    """The light of one lamp at `source` on the cards of a wall: `beams` in the air, and `lit` on the cards.

    Each beam, and the light on its card, is as bright as the card's weight. `weights` (word,) add up to 1.
    """

    def __init__(self, source: Any, wall: WallCards, weights: NamedArray, hue: str) -> None:
        entries = list(weights.entries())
        self.lit = VGroup(*(CardLight(card, entry, hue) for card, entry in zip(wall.each_card, entries, strict=True)))
        x, y = float(source[0]), float(source[1])
        self._ends = [
            ((float(card.get_left()[0]), float(card.get_bottom()[1])), (float(card.get_right()[0]),
             float(card.get_bottom()[1])), entry.value)
            for card, entry in zip(wall.cards, entries, strict=True)
        ]  # fmt: skip
        self._source, self._hue = (x, y), hue
        room = Slot(
            min(x, wall.get_left()[0]) - _HALO, min(y, wall.get_bottom()[1]) - _HALO,
            max(x, wall.get_right()[0]) + _HALO, max(y, wall.get_top()[1]) + _HALO,
        )  # fmt: skip
        key = ("lamp light", hue, self._source, tuple(self._ends))
        self.beams = Picture(room, key, self._paint)

    def _paint(self, sheet: Sheet) -> None:
        source = np.array(self._source)
        for left, right, weight in self._ends:
            if weight < _LEAST:
                continue
            middle = (np.array(left) + np.array(right)) / 2
            way = (middle - source) / np.linalg.norm(middle - source)
            across = np.array([-way[1], way[0]])
            if across[0] < 0:
                across = -across
            near = [_point(source + share * _MOUTH * across) for share in (-1, 0, 1)]
            far = [left, _point(middle), right]
            shares = ((0.25, 0.0), (_NEAR, _AFAR), (0.25, 0.0))
            strips = [
                [(near[a], shares[a][0] * weight), (near[b], shares[b][0] * weight), (far[b], shares[b][1] * weight),
                 (far[a], shares[a][1] * weight)]
                for a, b in ((0, 1), (1, 2))
            ]  # fmt: skip
            sheet.mesh(self._hue, *strips, adds=True)
            sheet.glow(*_point(middle), _HALO, 0.7, self._hue, 0.45 * weight, 1.6)
        x, y = self._source
        sheet.glow(x, y, 0.5, 0.5, mix(self._hue, "#FFFFFF", 0.6), 0.9)


def _point(place: Any) -> Point:
    return float(place[0]), float(place[1])


def legible(wall: WallCards, *lights: LampLight) -> Animation:
    """At every moment the words on the cards are light or dark, whichever reads better on what shines there then.

    To be played together with whatever changes the lights, and after it.
    """

    def turn(_: object, share: float) -> None:
        for j, (word, card) in enumerate(zip(wall.words, wall.cards, strict=True)):
            fill = card.get_fill_color().to_hex()
            for light in lights:
                patch = light.lit[j]
                fill = _over(fill, patch.get_fill_color().to_hex(), float(patch.get_fill_opacity()))
            word.set_color(text_on(fill))

    return UpdateFromAlphaFunc(wall.words, turn)


def _over(fill: str, light: str, opacity: float) -> str:
    """The colour of `light` painted over `fill`."""
    mixed = rgb(fill) * (1 - opacity) + rgb(light) * opacity
    return "#" + "".join(f"{round(float(c) * 255):02X}" for c in mixed)


__all__ = ["CardLight", "LampLight", "WallCards", "Yard", "legible", "night"]
