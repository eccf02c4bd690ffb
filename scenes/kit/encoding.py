"""What the lessons on positions share: the definition, a feature's colour, a vector in pairs, words, bars, lines."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import DOWN, LEFT, ORIGIN, RIGHT, UP, Circle, Line, RoundedRectangle, VGroup, VMobject
from manim.constants import CapStyleType, LineJointType
from numpy.typing import NDArray

from mathcore.example.position import MOMENTS_PER_POSITION, Constants
from mathcore.named import Entry, NamedArray
from scenes.formats import UNIT_PX
from scenes.kit.formula import formula
from scenes.kit.layout import is_upright
from scenes.kit.marks import BarMark, WaveDotMark, WaveMark
from scenes.kit.text import BODY, SMALL, SMALLEST, Box, Number, Provenance, TextLine, box_around, fitted, hexadecimal
from scenes.kit.theme import current_theme, mix, text_on
from scenes.kit.tokens import TokenRow
from scenes.kit.values import whole_or_two

_DASH, _GAP = 0.11, 0.09
# The height of a hung card in its text's size; cards of seats this wide stand well apart, others this far.
_CARD, _WIDE, _AIR = 1.63, 1.2, 0.12


def is_cosine(feature: int) -> bool:
    """Whether a feature of the encoding is the second of its pair."""
    return feature % 2 == 1


def feature_colour(feature: int) -> str:
    """The colour of a feature of the encoding: its pair's, paler for the cosine."""
    theme = current_theme()
    colour = theme.pair(feature // 2)
    return mix(colour, theme.text, 0.4) if is_cosine(feature) else colour


def path(*corners: Any, color: str | None = None, width: float = 3, dashed: bool = False) -> VMobject:
    """A line through `corners`, as one shape."""
    line = VMobject(stroke_color=color or current_theme().muted, stroke_width=width)
    points = np.array(corners, dtype=float)
    if dashed:
        _add_dashes(line, points)
    else:
        line.set_points_as_corners(points)
    line.joint_type = LineJointType.ROUND
    line.set_cap_style(CapStyleType.ROUND)
    return line


def _add_dashes(line: VMobject, points: NDArray[np.float64]) -> None:
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    whole = float(length[-1])
    # The line begins and ends with a whole dash, so that it reaches what it leads to.
    dash, gap = WaveMark.DASH, WaveMark.GAP
    count = max(1, round((whole + gap) / (dash + gap)))
    scale = whole / (count * dash + (count - 1) * gap)
    for k in range(count):
        start = k * (dash + gap) * scale
        stop = min(start + dash * scale, whole)
        inner = points[(length > start) & (length < stop)]
        first, last = (
            np.array([np.interp(end, length, points[:, axis]) for axis in range(3)]) for end in (start, stop)
        )
        line.start_new_path(first)
        line.add_points_as_corners([*inner, last])


def moment(position: float) -> float:
    """The position nearest to one that is between two words, of those at which the worked example has values."""
    return round(position * MOMENTS_PER_POSITION) / MOMENTS_PER_POSITION


def row_at(position: float, whole: NamedArray, between: NamedArray) -> NamedArray:
    """The values at a `moment`: a row of `whole` (position, ...) at a word's position, else of `between` (moment, ...).

    Both are given, so that the provenance of what stands at a word is the table of words.
    """
    if position == round(position):
        return whole.row(round(position))
    return between.row(round(position * MOMENTS_PER_POSITION))


def place_at(position: float, positions: NamedArray, moments: NamedArray) -> Entry:
    """The value of a `moment`: an integer at a word's position, else a position whose two decimals are exact."""
    if position == round(position):
        return positions.entry(round(position))
    return moments.entry(round(position * MOMENTS_PER_POSITION))


def elbow(
    start: Any, end: Any, level: float, color: str | None = None, width: float = 3, *, dashed: bool = False
) -> VMobject:
    """A line from `start` straight to the height `level`, along it, and straight to `end`."""
    corners = start, (start[0], level, 0), (end[0], level, 0), end
    return path(*corners, color=color, width=width, dashed=dashed)


class Crossing(Circle):
    """Where a feature's value is read: a filled dot for a sine, a ring for a cosine."""

    # From its middle to its outer edge, and to where its fill ends.
    REACH, INNER = 0.105, 0.065

    def __init__(self, feature: int) -> None:
        theme = current_theme()
        colour = theme.pair(feature // 2)
        super().__init__(radius=0.085, stroke_color=colour, stroke_width=4, fill_opacity=1)
        self.set_fill(theme.background if is_cosine(feature) else colour)
        self.provenance: tuple[Provenance, ...] = ()
        self._zero, self._unit = 0.0, 1.0

    def stands_for(self, entry: Entry, zero: float, unit: float) -> None:
        """Its height is an entry's value: 0 at the height `zero`, 1 `unit` above it."""
        self.provenance, self._zero, self._unit = (Provenance("picture", entry),), zero, unit

    def drawn_at(self) -> float:
        """The value at whose height it is drawn."""
        return (float(self.get_y()) - self._zero) / self._unit

    def box_of(self, n: int) -> Box:
        return box_around(self)

    def mark_of(self, n: int) -> WaveDotMark:
        width = float(self.get_stroke_width())
        return WaveDotMark(
            x=float(self.get_x()), zero=self._zero, unit=self._unit, reach=float(self.width + width / 100) / 2,
            width=width, fill=hexadecimal(self.get_fill_color()), color=hexadecimal(self.get_stroke_color()),
            opacity=float(self.get_stroke_opacity()),
        )  # fmt: skip


class Bar(Line):
    """A thick line from `start` whose length is an entry's value; the value 1 is the vector `unit`.

    However small the value, it is `least` long. `beyond` is how far what stands at its end, whose edge has the colour
    `tip`, lets it seem longer, or, below zero, hides of it.
    """

    def __init__(
        self, start: Any, unit: Any, entry: Entry, color: str, *, width: float = 8, least: float = 0.0,
        beyond: float = 0.0, tip: str = "",
    ) -> None:  # fmt: skip
        start, unit = np.array(start, dtype=float), np.array(unit, dtype=float)
        whole = float(np.linalg.norm(unit))
        end = start + unit / whole * BarMark.length(entry.value, whole, least)
        super().__init__(start, end, stroke_color=color, stroke_width=width)
        self.set_cap_style(CapStyleType.BUTT)
        self.provenance = (Provenance("picture", entry),)
        self._unit, self._least, self._beyond, self._tip = unit, least, beyond, tip

    def box_of(self, n: int) -> Box:
        return box_around(self)

    def mark_of(self, n: int) -> BarMark:
        (x, y), (across, up) = self.get_start()[:2], self._unit[:2]
        return BarMark(
            start=(float(x), float(y)), unit=(float(across), float(up)), width=float(self.get_stroke_width()),
            least=self._least, beyond=self._beyond, tip=self._tip, color=hexadecimal(self.get_stroke_color()),
            opacity=float(self.get_stroke_opacity()),
        )  # fmt: skip


class PairCells(VGroup):
    """One position's vector (d_model,) in cells of the pairs' colours: a row, or a column with `upright`.

    Cells are `height` high and `width` wide, or as they need to be. `pitches` are the distances between the cells'
    centres within a pair and between pairs.
    """

    def __init__(
        self, row: NamedArray, width: float | None = None, height: float | None = None, *,
        pitches: tuple[float, float] = (1.0, 1.0), upright: bool = False, size: float = SMALL,
    ) -> None:  # fmt: skip
        super().__init__()
        theme = current_theme()
        width = width or TextLine("\N{MINUS SIGN}0.00", size).width + 0.22
        height = height or 1.5 * size / UNIT_PX
        self.boxes: list[RoundedRectangle] = []
        self.numbers: list[Number] = []
        for entry in row.entries():
            feature = entry.index[-1]
            colour = theme.pair(feature // 2)
            fill = mix(theme.panel, colour, 0.22)
            box = RoundedRectangle(
                corner_radius=0.06, width=width, height=height, stroke_color=colour, stroke_width=2.5, fill_opacity=1
            ).set_fill(fill)
            way = pitches[0] * (feature % 2) + (pitches[0] + pitches[1]) * (feature // 2)
            box.move_to((0, -way, 0) if upright else (way, 0, 0))
            self.boxes.append(box)
            self.numbers.append(Number(entry, size, text_on(fill)).move_to(box))
        self.add(VGroup(*self.boxes), VGroup(*self.numbers))
        self.move_to(ORIGIN)

    def read(self, row: NamedArray) -> "PairCells":
        """Change to another position, in place."""
        for number, entry in zip(self.numbers, row.entries(), strict=True):
            number.change_to(entry)
        return self


class Definition(VGroup):
    """The definition of the encoding in two lines, pos below pos and = below =, each pos on a word card's paper.

    `chips` are the papers, line by line; `parts` finds pos ("posA", "posB") and i ("iA", "iB") in both lines.
    """

    def __init__(self, constants: Constants) -> None:
        super().__init__()
        self.size = size = 64
        theme, pair, base = current_theme(), constants.pair_size.entry(), constants.base.entry()
        digits = {"pairA": pair, "base": base, "pairB": pair}
        self.rules = VGroup(
            formula(_rule("", "sin"), size).account(**digits),
            formula(_rule("+ {{ 1 : second }}", "cos"), size).account(**digits, second=constants.second.entry()),
        )
        self.rules.arrange(DOWN, buff=0.18, aligned_edge=LEFT)
        signs = [float(rule.select("eq").get_x()) for rule in self.rules]
        for glyph in self.rules[0].submobjects:
            if glyph.get_x() >= signs[0]:
                glyph.shift(RIGHT * (signs[1] - signs[0]))
        self.chips = VGroup()
        for part in self.parts("posA", "posB"):
            part.set_color(theme.ink)
            chip = RoundedRectangle(corner_radius=0.06, width=part.width + 0.12, height=size / 178, stroke_width=2)
            self.chips.add(chip.set_stroke(theme.line).set_fill(theme.paper, 1).move_to(part).shift(UP * 0.01))
        self.add(self.chips, self.rules)

    def parts(self, *keys: str) -> list[VGroup]:
        """The parts called `keys` of the first line, then those of the second."""
        return [rule.select(key) for rule in self.rules for key in keys]

    def legend(self, d_model: Entry) -> list[tuple[VGroup, str]]:
        """Signs in it that need a word, the width as what it is in this example, each with a key for that word."""
        size = 0.75 * self.size
        letters, number = formula('d_"model" =', size), Number(d_model, 0.75 * size)
        number.next_to(letters, RIGHT, buff=0.14).shift(UP * (letters[0].get_bottom()[1] - number.ink_box[1]))
        return [(formula('"PE"', size), "pe_is"), (VGroup(letters, number), "width_is")]


def power(constants: Constants, d_model: NamedArray, ratio: NamedArray, size: float = 56) -> VGroup:
    """By how much more a pair divides than the one before it, written out for a width: 10000^(2 / d_model)."""
    width, shown = d_model.entry(), whole_or_two(ratio)
    sign = "approx" if shown.places else "="
    written = formula(
        f"{{{{ 10000 : base }}}}^({{{{ 2 : pair }}}} \\/ {{{{ {width.text()} : width }}}}) {{{{ {sign} : sign }}}}",
        size,
    ).account(base=constants.base.entry(), pair=constants.pair_size.entry(), width=width)
    number = Number(shown, 0.75 * size, bold=True).next_to(written, RIGHT, buff=0.14)
    return VGroup(written, number.shift(UP * (written.select("base").get_bottom()[1] - number.ink_box[1])))


def _rule(plus: str, function: str) -> str:
    place = f'"PE"(thin {{{{ "pos" : posA }}}} thin, {{{{ 2 : pairA }}}} {{{{ i : iA }}}} {plus}) {{{{ = : eq }}}}'
    power = '{{ 10000 : base }}^({{ 2 : pairB }} {{ i : iB }} \\/ d_"model")'
    return place + f' {function}(frac({{{{ "pos" : posB }}}}, {power}))'


class Seats(VGroup):
    """The sentence as cards over `width`, each with the number of its seat, and a ring that can go along the seats.

    `places` (token,) are the seats' numbers. The cards stand in one row, below their numbers; in an upright format in
    as few rows as keep words whole, with the numbers on them. The ring lies behind the cards, so that it runs across
    no word.
    """

    def __init__(self, words: Sequence[str], places: NamedArray, width: float) -> None:
        super().__init__()
        self.cards: list[RoundedRectangle] = []
        self.numbers = [Number(entry, SMALLEST) for entry in places.entries()]
        widest = max(TextLine(word, SMALLEST).width for word in words) + self.numbers[-1].width + 3 * _AIR
        rows = next((n for n in (1, 2, 3) if width / -(-len(words) // n) - _AIR > widest), 3) if is_upright() else 1
        self.ring = RoundedRectangle(corner_radius=0.12)
        self.add(self.ring.set_stroke(current_theme().text, 5))
        # The ring reaches beyond the cards.
        if rows == 1:
            self._row(words, width - 0.2)
        else:
            self._rows(words, width - 0.2, -(-len(words) // rows))
        card = self.cards[0]
        self.ring.become(RoundedRectangle(corner_radius=0.12, width=card.width + 0.14, height=card.height + 0.14))
        self.ring.set_stroke(current_theme().text, 5).move_to(card)
        self.add(*self.numbers)

    def _row(self, words: Sequence[str], width: float) -> None:
        row = TokenRow(words, width, height=2.6 * SMALLEST / UNIT_PX, gap=0.2 if width > _WIDE * len(words) else _AIR)
        self.cards = row.cards
        for number, card in zip(self.numbers, self.cards, strict=True):
            number.next_to(card, UP, buff=_AIR)
        self.add(row)

    def _rows(self, words: Sequence[str], width: float, in_a_row: int) -> None:
        theme, wide, high = current_theme(), width / in_a_row, 2.0 * SMALLEST / UNIT_PX
        for k, (word, number) in enumerate(zip(words, self.numbers, strict=True)):
            row, column = divmod(k, in_a_row)
            card = RoundedRectangle(corner_radius=0.08, width=wide - _AIR, height=high, stroke_width=2, fill_opacity=1)
            card.move_to(((column + 0.5) * wide - width / 2, -row * (high + _AIR), 0))
            text = fitted(word, card.width - number.width - 3 * _AIR, BODY, theme.ink)
            number.set_color(theme.ink).move_to(card.get_left() + RIGHT * _AIR, LEFT)
            room = (float(number.get_right()[0]) + float(card.get_right()[0])) / 2
            self.cards.append(card.set_fill(theme.paper).set_stroke(theme.line))
            self.add(VGroup(card, text.move_to((room, card.get_y(), 0))))

    def ride(self, seat: float) -> None:
        """Put the ring on a seat, or between two."""
        first = min(int(seat), len(self.cards) - 1)
        here, there = (self.cards[k].get_center() for k in (first, min(first + 1, len(self.cards) - 1)))
        self.ring.move_to(here + (there - here) * (seat - first))

    def ridden(self) -> float:
        """The seat on which the ring is drawn; between two seats, the part of the way."""
        centres, at = np.array([card.get_center() for card in self.cards]), self.ring.get_center()
        if len(centres) == 1:
            return 0.0
        ways = np.diff(centres, axis=0)
        shares = np.clip(((at - centres[:-1]) * ways).sum(axis=1) / (ways**2).sum(axis=1), 0, 1)
        off = np.linalg.norm(centres[:-1] + shares[:, None] * ways - at, axis=1)
        nearest = int(off.argmin())
        return nearest + float(shares[nearest])


def hung_pitch() -> float:
    """From one row of hung cards to the next."""
    return _CARD * SMALLEST / UNIT_PX + 0.05


def hung_rows(words: Sequence[str], spacing: float, size: float = SMALLEST) -> int:
    """In how many rows (at most four) word cards can hang on marks `spacing` apart without touching."""
    widest = max(TextLine(word, size).width for word in words) + 0.14
    return next((rows for rows in (1, 2, 3) if widest <= rows * spacing - 0.06), 4 if is_upright() else 3)


class HungCards(VGroup):
    """Word cards hung on marks of an axis, each below its own mark, in so many `rows` (see `hung_rows`).

    `marks` are the points that they hang on, equally spaced; words that have no room even so end in an ellipsis.
    """

    def __init__(self, words: Sequence[str], marks: Sequence[Any], *, rows: int, size: float = SMALLEST) -> None:
        super().__init__()
        theme, height = current_theme(), hung_pitch() - 0.05
        points = [np.array(mark, dtype=float) for mark in marks]
        spacing = float(points[1][0] - points[0][0])
        self.cards: list[VGroup] = []
        self.stems = VGroup()
        for i, (word, point) in enumerate(zip(words, points, strict=True)):
            text = fitted(word, rows * spacing - 0.2, size, theme.ink)
            card = RoundedRectangle(corner_radius=0.06, width=text.width + 0.14, height=height, stroke_width=2)
            card.set_stroke(theme.line).set_fill(theme.paper, 1)
            card.move_to(point).shift(DOWN * (0.1 + height / 2 + (i % rows) * hung_pitch()))
            self.stems.add(Line(point, card.get_top(), stroke_color=theme.muted, stroke_width=2.5))
            self.cards.append(VGroup(card, text.move_to(card)))
        self.add(self.stems, *self.cards)
