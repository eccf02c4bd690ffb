"""A theatre: a dark stage with curtains and a lighting truss, and the light that falls on its cards.

A theatre is dark on any page: draw what stands in it within `night()`.
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from itertools import pairwise
from typing import Any

import numpy as np
from manim import (
    DOWN,
    UP,
    Animation,
    Circle,
    Ellipse,
    Line,
    Mobject,
    Polygon,
    Rectangle,
    RoundedRectangle,
    UpdateFromAlphaFunc,
    VGroup,
    VMobject,
)
from manim.typing import Vector3D

from mathcore.named import Entry, NamedArray
from scenes.kit.figures import Lamp
from scenes.kit.grid import Grid
from scenes.kit.layout import Slot
from scenes.kit.text import Box, Provenance, TextLine, box_around, hexadecimal
from scenes.kit.theme import DARK, contrast, current_theme, mix, rgb, text_on, use_theme

TRUSS_DEPTH = 0.4
# How much of a weight the light on a card shows, so that the word on it can be read whatever lamps shine.
CARD_LIGHT = 0.65
# The contrast that small text needs, with a little to spare.
READABLE = 4.6
# How far the boards reach in front of the cards' feet, and behind them.
_LIP, _BACK = 0.14, 0.5


def night() -> AbstractContextManager[object]:
    """Draw in the dark theme within the block, whatever the page's theme is."""
    return use_theme(DARK.name)


class Theatre(VGroup):
    """The dark house of a slot: back wall, boards whose cards stand at height `floor`, and a truss at the top.

    `day`, not among its parts, is the light in the house before the play.

    Theatres of different `floor` have the same parts, so that one can be transformed into the other.
    """

    def __init__(self, slot: Slot, floor: float) -> None:
        super().__init__()
        theme = DARK
        shade = mix(theme.background, "#000000", 0.4)
        left, right, low = slot.left, slot.right, floor - _LIP
        self.truss_y = slot.top - TRUSS_DEPTH
        wall = RoundedRectangle(
            corner_radius=0.12, width=slot.width, height=slot.top - low, fill_color=shade, fill_opacity=1,
            stroke_color=theme.line, stroke_width=2,
        ).move_to((slot.centre[0], (slot.top + low) / 2, 0))  # fmt: skip
        wall.set_sheen(0.045, DOWN)
        boards = Polygon(
            (left + 0.06, low + 0.05, 0), (right - 0.06, low + 0.05, 0), (right - 0.9, low + _BACK, 0),
            (left + 0.9, low + _BACK, 0), fill_color=mix(shade, theme.wood, 0.8), fill_opacity=1, stroke_width=0,
        )  # fmt: skip
        truss = VGroup()
        top, bottom = slot.top - 0.06, self.truss_y
        steps = 36
        xs = [left + 0.1 + (slot.width - 0.2) * k / steps for k in range(steps + 1)]
        for k, (x, following) in enumerate(pairwise(xs)):
            ends = (bottom, top) if k % 2 else (top, bottom)
            truss.add(Line((x, ends[0], 0), (following, ends[1], 0), stroke_color=theme.panel, stroke_width=3))
        for y in (top, bottom):
            truss.add(Line((xs[0], y, 0), (xs[-1], y, 0), stroke_color=theme.line, stroke_width=5))
        self.day = wall.copy().set_sheen(0).set_fill(theme.glow, opacity=0.1).set_stroke(width=0)
        self.add(wall, boards, truss)


class Pit:
    """The place below the boards for rows of weights, each weight under the card that it lights.

    Of several rows the last one stands a little apart.
    """

    # From the cards' feet to the first row, before the last row, and below it for the second line of its name.
    ABOVE, APART, BELOW = 0.24, 0.1, 0.05

    def __init__(self, slot: Slot, gap: float) -> None:
        self.slot, self.gap = slot, gap

    def _height(self, rows: int) -> float:
        return min(0.44, 1.85 / rows)

    def _apart(self, rows: int) -> float:
        return self.APART if rows > 1 else 0.0

    def floor(self, rows: int) -> float:
        """The height of the cards' feet when there are `rows` rows."""
        return self.slot.bottom + self.BELOW + rows * self._height(rows) + self._apart(rows) + self.ABOVE

    def row(self, weights: NamedArray, cards: VGroup, hue: str, place: int, rows: int) -> Grid:
        """Row number `place` of `rows`, below cards that are `gap` apart."""
        height = self._height(rows)
        cell = (cards[0].width + self.gap, height)
        grid = Grid(weights, 2, cell=cell, fill="weight", hue=hue, gap=self.gap)
        low = self.ABOVE + (self._apart(rows) if place == rows - 1 else 0.0)
        return grid.move_to((cards.get_x(), self.floor(rows) - low - (place + 0.5) * height, 0))


class Curtains(VGroup):
    """The curtains of a theatre, `opening` from 0 (drawn) to 1 (open, with `rest` units left at each side)."""

    FOLDS = 5
    # From the valley of a fold over its ridge, as a share of the way from shadow to light.
    _SHADES = (0.0, 0.45, 0.9, 1.0, 0.7, 0.25)

    def __init__(self, slot: Slot, floor: float, opening: float = 1.0, rest: float = 0.8) -> None:
        super().__init__()
        cloth = mix(DARK.background, DARK.wood, 0.9)
        shadow, light = mix(cloth, "#000000", 0.45), mix(cloth, DARK.text, 0.12)
        shades = [mix(shadow, light, share) for share in self._SHADES] * self.FOLDS
        low = floor - _LIP + 0.04
        strip_width = (slot.width / 2 + (rest - slot.width / 2) * opening) / len(shades)
        for side, start in ((1, slot.left + 0.03), (-1, slot.right - 0.03)):
            for k, shade in enumerate(shades):
                # A little wider than its place, so that no dark seam shows between strips.
                strip = Rectangle(width=strip_width * 1.2, height=slot.top - low - 0.04, stroke_width=0)
                strip.set_fill(shade, opacity=1)
                self.add(strip.move_to((start + side * (k + 0.6) * strip_width, (slot.top + low) / 2, 0)))


class Spotlight(VGroup):
    """A lamp on the truss, hanging at (x, `HANGS`) and pointed at `target`, with its `name` on a plate above it.

    Its light leaves at `source`; `halo` says that it is on, and is no weight. One that is not `lit` is a dim outline
    without a name. Spotlights of one name have the same parts, so that one can be transformed into the other.
    """

    HANGS = 1.95

    def __init__(
        self, theatre: Theatre, x: float, target: Any, color: str, name: TextLine, *, lit: bool = True
    ) -> None:
        super().__init__()
        theme = current_theme()
        color = color if lit else mix(theme.line, color, 0.25)
        place = np.array([x, self.HANGS, 0.0])
        lamp = Lamp(place, target, color, scale=0.8)
        self.source = (lamp.mouth[0] + lamp.mouth[1]) / 2
        yoke = Line((x, theatre.truss_y, 0), place, stroke_color=theme.line, stroke_width=7)
        self.halo = VGroup(
            *(Circle(radius=0.07 * k, fill_color=color, fill_opacity=0.07, stroke_width=0) for k in range(1, 8))
        ).move_to(self.source)
        plate = RoundedRectangle(
            corner_radius=0.06, width=name.width + 0.3, height=TRUSS_DEPTH - 0.04, stroke_width=2, stroke_color=color,
            fill_color=theme.background, fill_opacity=1,
        ).move_to((x, theatre.truss_y + TRUSS_DEPTH / 2, 0))  # fmt: skip
        self.add(self.halo, yoke, lamp, plate, name.move_to(plate))
        if not lit:
            VGroup(self.halo, plate, name).set_opacity(0)


def _soft(start: tuple[Any, Any], end: tuple[Any, Any], color: str, opacity: float) -> VGroup:
    """Light from one edge to another, in strips side by side: `opacity` in the middle, less towards the sides."""
    # Strips do not overlap: many faint layers on top of each other would be rounded to other hues.
    sides = (0.0, 0.07, 0.14, 0.21, 0.79, 0.86, 0.93, 1.0)
    shares = (0.3, 0.55, 0.8, 1.0, 0.8, 0.55, 0.3)
    strips = VGroup()
    for (near, far), share in zip(pairwise(sides), shares, strict=True):
        corners = [
            edge[0] + (edge[1] - edge[0]) * at for edge, at in ((start, near), (start, far), (end, far), (end, near))
        ]
        strips.add(Polygon(*corners, fill_color=color, fill_opacity=opacity * share, stroke_width=0))
    return strips


class SoftBeam(VGroup):
    """Light from `source` on a word's card: a beam with soft sides, the lit card, and a pool on the boards.

    The opacity of the beam's core and of the pool is the entry's value, that of the card's light `CARD_LIGHT` of it.
    """

    _MOUTH = 0.13

    def __init__(self, source: Any, card: VMobject, entry: Entry, color: str) -> None:
        super().__init__()
        weight = min(max(entry.value, 0.0), 1.0)
        source, end = np.array(source, dtype=float), card.get_top()
        way = (end - source) / max(float(np.linalg.norm(end - source)), 1e-9)
        across = np.array([-way[1], way[0], 0.0]) * self._MOUTH
        half = np.array([card.width / 2, 0.0, 0.0])
        self.lit = card.copy().set_stroke(width=0).set_fill(color, opacity=CARD_LIGHT * weight)
        pool = Ellipse(width=card.width * 1.05, height=0.13, fill_color=color, fill_opacity=weight, stroke_width=0)
        pool.move_to(card.get_bottom()).shift(DOWN * 0.07)
        # A weak beam among strong ones can be followed along its middle.
        core = Line(source, end, stroke_color=color, stroke_width=2, stroke_opacity=weight**0.5)
        beam = _soft((source - across, source + across), (end - half, end + half), color, weight)
        self.add(beam, core, pool, self.lit)
        self.entry, self._over = entry, card.get_fill_color().to_hex()
        self.provenance = (Provenance("beam", entry),)

    def box_of(self, n: int) -> Box:
        return box_around(self.lit)

    def told(self, n: int) -> dict[str, Any]:
        left, bottom, right, top = self.box_of(n)
        whole = CARD_LIGHT * min(max(self.entry.value, 0.0), 1.0)
        return {
            "card": True,
            "polygon": [[left, bottom], [right, bottom], [right, top], [left, top]],
            "full": CARD_LIGHT,
            "over": self._over,
            "color": hexadecimal(self.lit.get_fill_color()),
            "opacity": float(self.lit.get_fill_opacity()) / whole if whole else 1.0,
        }


class Shine(VGroup):
    """All the light of one lamp: a beam for each card, by the entries of one row of weights."""

    def __init__(self, source: Any, cards: Iterable[VMobject], weights: NamedArray, color: str) -> None:
        super().__init__()
        self.beams = [SoftBeam(source, *pair, color) for pair in zip(cards, weights.entries(), strict=True)]
        self.color_of_light = color
        self.add(*self.beams)


def legible(words: VGroup, cards: VGroup, *lights: Shine, first: int | None = None) -> Animation:
    """At every moment the words on the cards are light or dark, whichever reads better on what shines there then.

    To be played together with, and after, whatever changes cards and lights; of these only the `first` beams count,
    or all of them.
    """
    lit = [[light.beams[j].lit for light in lights] if first is None or j < first else [] for j in range(len(words))]

    def turn(_: object, share: float) -> None:
        for word, card, patches in zip(words, cards, lit, strict=True):
            fill = card.get_fill_color().to_hex()
            for patch in patches:
                fill = _over(fill, patch.get_fill_color().to_hex(), float(patch.get_fill_opacity()))
            word.set_color(text_on(fill))

    return UpdateFromAlphaFunc(words, turn)


def legible_cells(grid: Grid, page: str) -> Animation:
    """The same for the numbers of a grid whose cells turn pale, or full again, on a page of this colour."""
    cells = [pair for row in zip(grid.boxes, grid.numbers, strict=True) for pair in zip(*row, strict=True)]

    def turn(_: object, share: float) -> None:
        for box, number in cells:
            number.set_fill(text_on(_over(page, box.get_fill_color().to_hex(), float(box.get_fill_opacity()))))

    return UpdateFromAlphaFunc(grid, turn)


def _over(fill: str, light: str, opacity: float) -> str:
    """The colour of `light` painted over `fill`."""
    mixed = rgb(fill) * (1 - opacity) + rgb(light) * opacity
    return "#" + "".join(f"{round(float(c) * 255):02X}" for c in mixed)


def subdued(fill: str) -> str:
    """The faintest colour between `fill` and its text that still reads well on it."""
    text = text_on(fill)
    shares = (share / 20 for share in range(10, -1, -1))
    return next((c for c in (mix(text, fill, share) for share in shares) if contrast(c, fill) >= READABLE), text)


class Rays(VGroup):
    """Light between two level edges, each (left, right, height). It says what goes where, and not how much."""

    LAYERS = 20

    def __init__(
        self, top: tuple[float, float, float], bottom: tuple[float, float, float], color: str, opacity: float
    ) -> None:
        super().__init__()
        # One layer within the other, with no seams; together they are as opaque in the middle as is asked for.
        share = 1 - (1 - opacity) ** (1 / self.LAYERS)
        for k in range(self.LAYERS):
            inset = 0.32 * k / self.LAYERS
            corners = []
            for left, right, y in (top, bottom):
                width = right - left
                corners.append([(left + inset * width, y, 0.0), (right - inset * width, y, 0.0)])
            (a, b), (d, c) = corners
            self.add(Polygon(a, b, c, d, fill_color=color, fill_opacity=share, stroke_width=0))

    @classmethod
    def between(cls, upper: Mobject, lower: Mobject, color: str, opacity: float) -> "Rays":
        """Light from the lower edge of one part to the upper edge of another."""
        return cls(edge(upper, DOWN), edge(lower, UP), color, opacity)


class Prism(VGroup):
    """A glass prism with its base at the right: what meets at `entry`, on the upper face, leaves at `exit` as one."""

    def __init__(self, size: float = 1.3) -> None:
        super().__init__()
        theme = current_theme()
        glass = Polygon(
            (-0.55 * size, 0, 0), (0.35 * size, 0.5 * size, 0), (0.35 * size, -0.5 * size, 0),
            fill_color=mix(theme.panel, theme.text, 0.2), fill_opacity=0.9, stroke_color=theme.text, stroke_width=4,
        )  # fmt: skip
        self.glass = glass.round_corners(0.06)
        self.size = size
        self.add(self.glass)

    @property
    def entry(self) -> Any:
        return self.glass.get_right() + np.array([-0.45 * self.size, 0.25 * self.size, 0.0])

    @property
    def exit(self) -> Any:
        return self.glass.get_right() + np.array([-0.45 * self.size, -0.25 * self.size, 0.0])

    def gather(self, blocks: Iterable[Grid], below: Mobject) -> tuple[VGroup, VGroup]:
        """Coloured light from each block to `entry`, and white light through the glass and down to `below`."""
        half, white = 0.08, current_theme().text
        (x, high, _), (_, low, _) = self.entry, self.exit
        start, end, foot = (x - half, x + half, high), (x - half, x + half, low), below.get_top()[1]
        coloured = VGroup(*(Rays(edge(block, DOWN), start, str(block.hue), 0.7) for block in blocks))
        # Leaving, light turns towards the base.
        turned = (x + 0.25 - half, x + 0.25 + half, foot)
        return coloured, VGroup(Rays(start, end, white, 0.55), Rays(end, turned, white, 0.95))


def edge(part: Mobject, side: Vector3D) -> tuple[float, float, float]:
    """The upper or lower edge of a part, for rays: left, right, height."""
    return float(part.get_left()[0]), float(part.get_right()[0]), float(part.get_edge_center(side)[1])


class SpeechBubble(VGroup):
    """`words` in a bubble above `speaker`, kept within `slot`; `shrunk(mark)` is the sign that may remain of it."""

    def __init__(self, words: TextLine, speaker: VMobject, slot: Slot, color: str) -> None:
        super().__init__()
        theme = current_theme()
        self.speaker, self.color_of_sign = speaker, color
        top = speaker.get_top()
        bubble = RoundedRectangle(
            corner_radius=0.2, width=words.width + 0.6, height=0.8, stroke_color=color, stroke_width=3,
            fill_color=theme.panel, fill_opacity=1,
        )  # fmt: skip
        room = slot.width / 2 - bubble.width / 2
        bubble.move_to((slot.centre[0] + min(max(top[0] - slot.centre[0], -room), room), top[1] + 0.95, 0))
        low = bubble.get_bottom()[1] + 0.03
        foot = Polygon((top[0] - 0.16, low, 0), (top[0] + 0.16, low, 0), (top[0], top[1] + 0.14, 0), stroke_width=0,
                       fill_color=color, fill_opacity=1)  # fmt: skip
        self.add(foot, bubble, words.move_to(bubble))

    def shrunk(self, mark: TextLine) -> VGroup:
        """The same parts as a small disc with `mark` on the speaker's upper edge."""
        disc = Circle(radius=0.18, stroke_width=0, fill_color=self.color_of_sign, fill_opacity=1)
        disc.move_to(self.speaker.get_top()).shift((0, 0.1, 0))
        return VGroup(disc.copy().scale(0.5), disc, mark.move_to(disc))
