"""Text and numbers as single shapes on a common baseline.

Every line is ONE shape, so that grids of numbers are cheap to draw and move. Its bounding box is the
line box (from below the descenders to above the capitals), whatever letters it holds, so that
`move_to` and `next_to` put words of a row on one baseline.
"""

import unicodedata
from dataclasses import dataclass, replace
from functools import cache
from tempfile import TemporaryDirectory
from typing import Protocol, TypeVar, runtime_checkable

import cairo
import manimpango
import numpy as np
from manim import BOLD, NORMAL, ManimColor, Mobject, Text, VMobject, tempconfig
from numpy.typing import NDArray

from mathcore.named import Entry
from scenes.font_file import FONTS
from scenes.formats import UNIT_PX, TypeSize
from scenes.kit import marks
from scenes.kit.marks import DigitsMark, DrawnMark
from scenes.kit.outline_cache import Outlines, cached
from scenes.kit.theme import current_theme
from scenes.kit.values import FormattedValue, Value, as_formatted

# Pixels of a frame with UNIT_PX pixels a unit, in the format in force.
TITLE, BODY, SMALL, SMALLEST, CAPTION = (TypeSize(role) for role in ("title", "body", "small", "smallest", "caption"))
_DRAWN_AT = 96
_NEVER_BROKEN = 100_000
_BELOW, _ABOVE = 0.22, 0.94
Shape = TypeVar("Shape", bound=Mobject)
_DIGITS = "0123456789+\N{MINUS SIGN}.,"


class FontError(ValueError):
    """The film's font, or a character of it, is missing."""


@dataclass(frozen=True)
class Provenance:
    """What a shape owes to the numbers: an entry, the digits shown, and how it is shown.

    `kind` is "number", "label" (digits within a line of text), "text" (digits that are written in words, not
    computed), "constant" (digits of a formula), or "picture", of the kind that its mark is. Pictures show no digits, so
    their `text` is empty. `span` are the characters of a line that are the digits; in a spoken line they may be words,
    in a `form` of `scenes.words.numerals`.
    """

    kind: str
    entry: Entry
    text: str = ""
    span: tuple[int, int] | None = None
    form: str = ""

    def __deepcopy__(self, memo: dict[int, object]) -> "Provenance":
        # It never changes, and shapes are copied all the time.
        return self


Box = marks.Box
"""Left, bottom, right, top, in frame units."""


@runtime_checkable
class Drawn(Protocol):
    """A shape that can say where tie number n of it is drawn, and as which mark."""

    def box_of(self, n: int) -> Box: ...

    def mark_of(self, n: int) -> DrawnMark: ...


def hexadecimal(color: ManimColor | None) -> str:
    """A colour as `#RRGGBB`, for marks."""
    return color.to_hex() if color is not None else ""


def box_around(mobject: Mobject) -> Box:
    """The box of a whole shape."""
    if len(mobject.points) and not mobject.submobjects:
        return _extent(mobject.points)
    low, high = mobject.get_corner((-1, -1, 0)), mobject.get_corner((1, 1, 0))
    return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def tie(mobject: Shape, *provenance: Provenance) -> Shape:
    """Note what a shape owes to the numbers, for the ledger."""
    vars(mobject)["provenance"] = provenance
    return mobject


def provenance_of(mobject: Mobject) -> tuple[Provenance, ...]:
    """What a shape owes to the numbers; nothing for most shapes."""
    found: tuple[Provenance, ...] = vars(mobject).get("provenance", ())
    return found


def all_provenance_of(mobject: Mobject) -> tuple[Provenance, ...]:
    """What a shape owes to the numbers, also while it is not to be seen; see `set_shade`."""
    laid_aside: tuple[Provenance, ...] = vars(mobject).get("unshaded_provenance", ())
    return provenance_of(mobject) or laid_aside


@cache
def film_font() -> str:
    """The family that the films are set in. Raises FontError when it is not installed."""
    installed = manimpango.list_fonts()
    for family in FONTS:
        if family in installed:
            return family
    raise FontError(
        f'font "{FONTS[0]}" is not installed; Debian: apt-get install fonts-noto-cjk, '
        "macOS: brew install --cask font-noto-sans-sc"
    )


@cache
def _has_glyph(character: str) -> bool:
    # Marks would be drawn beside their letters, and signs for programs not at all.
    if unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf"):
        return False
    surface = cairo.ImageSurface(cairo.FORMAT_A8, 1, 1)
    context = cairo.Context(surface)
    context.select_font_face(film_font())
    glyphs = context.get_scaled_font().text_to_glyphs(0, 0, character, False)
    return len(glyphs) == 1 and glyphs[0].index != 0


def missing_glyphs(text: str) -> str:
    """The characters of `text` that cannot be drawn in the film's font, each once, in order."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(dict.fromkeys(c for c in composed if not c.isspace() and not _has_glyph(c)))


@cache
def _outline(text: str, bold: bool) -> tuple[NDArray[np.float64], float]:
    """Points of `text`, baseline at y = 0, in em, and its em in drawn units; a leading H is drawn and dropped."""
    text = unicodedata.normalize("NFC", text)
    header, (points,) = cached(["text", text, bold], lambda: _parse(text, bold))
    return points, float(header["em"])


def _parse(text: str, bold: bool) -> Outlines:
    weight = BOLD if bold else NORMAL
    em = _advance_of_em(weight)
    # Manim breaks lines at the film's width in pixels; a line of ours never breaks, whatever the film's size. Its files
    # go to a folder of their own, as other processes may parse the same text.
    try:
        with TemporaryDirectory() as scratch, tempconfig({"pixel_width": _NEVER_BROKEN, "media_dir": scratch}):
            drawn = Text("H" + text, font=film_font(), font_size=_DRAWN_AT, weight=weight, disable_ligatures=True)
    except ValueError:
        # Letters that the font joins into one.
        raise FontError(
            f'"{text}" has letters that the font joins, so that none can be placed alone; use others'
        ) from None
    head, *glyphs = drawn.submobjects
    origin = np.array([head.get_right()[0], head.get_bottom()[1], 0.0])
    parts = [glyph.points - origin for glyph in glyphs if glyph.width > 0 and glyph.height > 0]
    points = np.concatenate(parts) / em if parts else np.zeros((0, 3))
    return {"em": em}, [points]


@cache
def _advance_of_em(weight: str) -> float:
    # An ideograph is one em wide by definition.
    with TemporaryDirectory() as scratch, tempconfig({"media_dir": scratch}):
        pair = Text("国国", font=film_font(), font_size=_DRAWN_AT, weight=weight)
    return float(pair[1].get_center()[0] - pair[0].get_center()[0])


@cache
def _digit_advances(bold: bool) -> dict[str, float]:
    """How far each digit moves the pen, in em."""

    def right_edge(text: str) -> float:
        return float(_outline(text, bold)[0][:, 0].max())

    plain = right_edge("HH") - right_edge("H")
    return {c: right_edge(f"H{c}H") - right_edge("H") - plain for c in _DIGITS}


def digit_glyphs(bold: bool) -> dict[str, tuple[NDArray[np.float64], float]]:
    """Outline, with its pen at the origin, and advance of every digit and sign of numbers, in em."""
    advances = _digit_advances(bold)
    # An outline begins where the ink of an H before it ends, and an H has as much room at its left as at its right.
    pen = np.array([float(_outline("H", bold)[0][:, 0].min()) / 2, 0.0, 0.0])
    return {c: (_outline(c, bold)[0] - pen, advances[c]) for c in _DIGITS}


def _digits_outline(text: str, bold: bool) -> NDArray[np.float64]:
    advances, pen, parts = _digit_advances(bold), 0.0, []
    for c in text:
        parts.append(_outline(c, bold)[0] + np.array([pen, 0.0, 0.0]))
        pen += advances[c]
    return np.concatenate(parts)


@cache
def _advance(text: str, bold: bool) -> float:
    """How far a text moves the pen, in em."""
    with_h, h = (_outline(piece, bold)[0][:, 0].max() for piece in (text + "H", "H"))
    return float(with_h - h)


class TextLine(VMobject):
    """One line of text of `size` pixels (of a 1080-line frame), baselines alike for equal sizes.

    `provenance` name the entries whose digits stand within the line.
    """

    rows = 1
    """How many rows its text is set in; see `in_two_rows`."""

    def __init__(
        self,
        text: str,
        size: float = BODY,
        color: str | None = None,
        *,
        bold: bool = False,
        provenance: tuple[Provenance, ...] = (),
    ) -> None:
        super().__init__(stroke_width=0, fill_opacity=1, color=color or current_theme().text)
        self.text, self.size, self.bold, self.provenance = text, float(size), bold, provenance
        # What it would say in full; `fitted` may cut it.
        self.whole = text
        self._set_outline(_outline(text, bold)[0])

    def _set_outline(self, outline: NDArray[np.float64]) -> None:
        em = self.size / UNIT_PX
        ink = outline * em
        left, right = (ink[:, 0].min(), ink[:, 0].max()) if len(ink) else (0.0, 0.0)
        # Two empty curves span the line box; they have no area, so nothing is drawn for them.
        low = np.tile([left, -_BELOW * em, 0.0], (4, 1))
        high = np.tile([right, _ABOVE * em, 0.0], (4, 1))
        self.set_points(np.concatenate([low, high, ink]))

    def outline(self) -> NDArray[np.float64]:
        """The outline of its text, in em."""
        return _outline(self.text, self.bold)[0]

    @property
    def ink_box(self) -> Box:
        """Left, bottom, right, top of what is really drawn, in frame units."""
        curves, drawn = self._curves
        return _extent(curves[drawn].reshape(-1, 3) if drawn.any() else self.points)

    @property
    def _line_box(self) -> Box:
        curves, drawn = self._curves
        first = curves[: max(1, int(drawn.argmax()))] if drawn.any() else curves
        low, high = _extent(first.reshape(-1, 3))[1::2]
        # An animation may have put the corners apart.
        return _extent((first if high > low else curves[~drawn]).reshape(-1, 3))

    @property
    def _curves(self) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """All curves, and which of them draw something: the line box's are empty."""
        curves = self.points[: len(self.points) // 4 * 4].reshape(-1, 4, 3)
        return curves, (np.ptp(curves, axis=1) > 0).any(axis=1)

    def box_of(self, n: int) -> Box:
        """Where the digits of tie number n are drawn."""
        span, whole = self.provenance[n].span, self.ink_box
        if span is None:
            return whole
        # A line that was moved or scaled keeps its proportions.
        points, (first, last) = self.outline(), self._points_of(span)
        line, part = _extent(points), _extent(points[first:last])
        scale = (whole[2] - whole[0]) / (line[2] - line[0])
        if abs((whole[3] - whole[1]) / (line[3] - line[1]) / scale - 1) > 0.02:
            # A word in two rows.
            return whole
        corners = (whole[k % 2] + (part[k] - line[k % 2]) * scale for k in range(4))
        return (next(corners), next(corners), next(corners), next(corners))

    def _points_of(self, span: tuple[int, int]) -> tuple[int, int]:
        """Which points of the outline are those of some characters; glyphs are in order."""
        first, last = (len(_outline(self.text[:end], self.bold)[0]) if end else 0 for end in span)
        return first, last

    def mark_of(self, n: int) -> DigitsMark:
        """What the digits are set in."""
        line = self._line_box
        size = _size_of(line)
        return DigitsMark(
            size=size, baseline=line[1] + _BELOW * size / UNIT_PX, bold=self.bold,
            color=hexadecimal(self.get_fill_color()), opacity=float(self.get_fill_opacity()),
        )  # fmt: skip

    @property
    def drawn_size(self) -> float:
        """The size in pixels after any scaling."""
        return _size_of(self._line_box)


def _size_of(line: Box) -> float:
    """The size in pixels of a text with this line box."""
    return (line[3] - line[1]) * UNIT_PX / (_BELOW + _ABOVE)


def _extent(points: NDArray[np.float64]) -> Box:
    (left, bottom), (right, top) = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    return (float(left), float(bottom), float(right), float(top))


class Number(TextLine):
    """A value of the worked example as digits; the only way to draw a number."""

    def __init__(self, value: Value, size: float = SMALL, color: str | None = None, *, bold: bool = False) -> None:
        VMobject.__init__(self, stroke_width=0, fill_opacity=1, color=color or current_theme().text)
        self.size, self.bold, self._shown = float(size), bold, as_formatted(value)
        self._show(self._shown)
        self.whole = self.text

    def _show(self, shown: FormattedValue) -> None:
        self.text = shown.text
        self.provenance = (Provenance("number", shown.entry, self.text),)
        self._set_outline(self.outline())

    def outline(self) -> NDArray[np.float64]:
        return _digits_outline(self.text, self.bold)

    def change_to(self, entry: Entry) -> "Number":
        """Change to another entry, in place; it is written as the first one."""
        centre, size = self.get_center(), self.drawn_size
        self._show(replace(self._shown, entry=entry))
        return self.scale(size / self.size).move_to(centre)


class Rolling(TextLine):
    """A line of text around one number that changes; what stands `before` and `after` it stays.

    A new number costs no new typesetting, so that it may change in every frame.
    """

    def __init__(
        self, before: str, value: Value, after: str, size: float = BODY, color: str | None = None, *, bold: bool = False
    ) -> None:
        VMobject.__init__(self, stroke_width=0, fill_opacity=1, color=color or current_theme().text)
        self.size, self.bold, self._before, self._after = size, bold, before, after
        self._set(as_formatted(value))
        self.whole = self.text

    def _set(self, shown: FormattedValue) -> None:
        self._digits = shown.text
        start = len(self._before)
        self.text = self._before + self._digits + self._after
        self.provenance = (Provenance("label", shown.entry, self._digits, (start, start + len(self._digits))),)
        self._set_outline(self.outline())

    def change_to(self, value: Value) -> "Rolling":
        """Change to another number, in place."""
        centre, size = self.get_center(), self.drawn_size
        self._set(as_formatted(value))
        return self.scale(size / self.size).move_to(centre)

    def outline(self) -> NDArray[np.float64]:
        bold, pen, parts = self.bold, 0.0, []
        if self._before:
            parts.append(_outline(self._before, bold)[0])
            pen = _advance(self._before, bold)
        parts.append(_digits_outline(self._digits, bold) + np.array([pen, 0.0, 0.0]))
        if self._after:
            pen += sum(_digit_advances(bold)[c] for c in self._digits)
            parts.append(_outline(self._after, bold)[0] + np.array([pen, 0.0, 0.0]))
        return np.concatenate(parts)

    def _points_of(self, span: tuple[int, int]) -> tuple[int, int]:
        first = len(_outline(self._before, self.bold)[0]) if self._before else 0
        return first, first + len(_digits_outline(self._digits, self.bold))


# Two rows of one card stand so far apart, in em.
_ROW_PITCH = 1.0


def in_two_rows(word: str, width: float, size: float = SMALLEST, color: str | None = None) -> TextLine:
    """A word that is too wide for `width` in two rows, as even as can be, the second cut with an ellipsis if it must.

    It is one shape, and its text is the whole word; an ideograph needs no hyphen.
    """

    def rows_at(i: int) -> tuple[TextLine, ...]:
        hyphen = "" if word[i - 1 : i + 1].isalpha() and not word[i - 1 : i + 1].isascii() else "-"
        return TextLine(word[:i] + hyphen, size, color), fitted(word[i:], width, size, color)

    # The first row may be no wider than there is room; what is left should be about as wide as the first.
    splits = [rows_at(i) for i in range(2, len(word) - 1)]
    possible = [rows for rows in splits if rows[0].width <= width] or [(fitted(word, width, size, color),)]

    def worth(rows: tuple[TextLine, ...]) -> tuple[bool, int, float]:
        cut = rows[-1].text.endswith("…")
        return cut, -sum(len(row.text) for row in rows) if cut else 0, max(row.width for row in rows)

    best = min(possible, key=worth)
    line = TextLine(word, size, color)
    if len(best) == 1:
        return best[0]
    em = size / UNIT_PX
    parts = []
    for row, up in zip(best, (_ROW_PITCH / 2, -_ROW_PITCH / 2), strict=True):
        middle = (row.points[8:, 0].min() + row.points[8:, 0].max()) / 2
        parts.append((row.points[8:] - np.array([middle, row.points[0, 1] + _BELOW * em - up * em, 0.0])) / em)
    line._set_outline(np.concatenate(parts))
    line.rows = 2
    if best[1].text.endswith("…"):
        line.text = word[: -len(best[1].whole)] + best[1].text
    return line


def fitted(text: str, width: float, size: float = BODY, color: str | None = None, *, bold: bool = False) -> TextLine:
    """`text` made to fit `width`: smaller down to the smallest legible size, then cut with an ellipsis."""
    line = TextLine(text, size, color, bold=bold)
    if line.width <= width:
        return line
    smaller = max(SMALLEST, size * width / line.width)
    line = TextLine(text, smaller, color, bold=bold)
    kept = text
    # A line made to measure may miss it by the noise of its last digits.
    while line.width > width * (1 + 1e-9) and len(kept) > 1:
        kept = kept[:-1]
        line = TextLine(kept.rstrip() + "…", smaller, color, bold=bold)
    line.whole = text
    return line
