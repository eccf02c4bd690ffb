"""Digits read from pixels, by comparison with the glyphs of the film's own fonts at their exact size and place.

The reader is told where digits stand and what they are set in, never which digits they are.
"""

from dataclasses import dataclass
from functools import cache

import cairo
import numpy as np
from numpy.typing import NDArray

from scenes.formats import UNIT_PX
from scenes.kit.formula import formula
from scenes.kit.text import digit_glyphs

Floats = NDArray[np.float64]
# Glyphs are drawn once, this many pixels an em, and averaged over the film's pixels from there.
_FINE = 192
_LEFT, _RIGHT, _BELOW, _ABOVE = 0.2, 1.0, 0.3, 1.0
# Hypotheses that are followed at a time, and complete ones that are compared pixel by pixel.
_BEAM, _LIKELY = 8, 12
# How far the end of a line may lie from the end of its box, in pixels.
_END = 0.75
# A reading is sure above this correlation, and when the next best leaves so many times as much unexplained.
SURE, APART = 0.9, 1.7
# Fewer pixels an em, or fewer levels of luma between ink and page, cannot be read.
SMALLEST_EM, FAINTEST = 8.0, 10.0


@dataclass(frozen=True)
class Glyph:
    """One glyph: how far it moves the pen, its ink's edges from the pen, and its ink, summed up from a corner."""

    advance: float
    left: float
    right: float
    sums: Floats

    def strips(self, rows: Floats) -> Floats:
        """(h, width + 1): its ink in rows of pixels, summed up from the left; edges in em from the baseline (up)."""
        y = np.clip((_ABOVE - rows) * _FINE, 0, self.sums.shape[0] - 1.001)
        i, v = y.astype(int), (y - np.floor(y))[:, None]
        found: Floats = np.diff(self.sums[i] * (1 - v) + self.sums[i + 1] * v, axis=0)
        return found


@dataclass(frozen=True)
class Setting:
    """Where digits stand in a frame, in pixels from its upper left corner, and what they are set in.

    They may end `slack` em before or after the right side.
    """

    left: float
    top: float
    right: float
    bottom: float
    em: float
    baseline: float
    font: str
    slack: float = 0.0


@dataclass(frozen=True)
class Reading:
    """What was read, how well it explains the pixels (1 is wholly), and why it is not sure, if it is not."""

    text: str
    score: float
    doubt: str = ""


def glyph_of(points: Floats, advance: float) -> Glyph:
    """A glyph by its outline in em (curves of 4 points), pen at the origin."""
    size = (round((_LEFT + _RIGHT) * _FINE), round((_BELOW + _ABOVE) * _FINE))
    surface = cairo.ImageSurface(cairo.FORMAT_A8, *size)
    context = cairo.Context(surface)
    last = None
    for a, b, c, d in points[:, :2].reshape(-1, 4, 2):
        if last is None or np.abs(a - last).max() > 1e-6:
            context.move_to(*_fine(a))
        context.curve_to(*_fine(b), *_fine(c), *_fine(d))
        last = d
    context.fill()
    surface.flush()
    pixels = np.frombuffer(surface.get_data(), np.uint8).reshape(size[1], surface.get_stride())[:, : size[0]]
    sums = np.zeros((size[1] + 1, size[0] + 1))
    sums[1:, 1:] = pixels.cumsum(axis=0, dtype=np.float64).cumsum(axis=1) / 255
    return Glyph(advance, float(points[:, 0].min()), float(points[:, 0].max()), sums)


def _fine(point: Floats) -> tuple[float, float]:
    return (float(point[0]) + _LEFT) * _FINE, (_ABOVE - float(point[1])) * _FINE


@cache
def glyphs(font: str) -> dict[str, Glyph]:
    """The digits and signs of a font: "regular" and "bold" are the film's, "math" and "script" those of formulas."""
    if font in ("regular", "bold"):
        return {c: glyph_of(points, advance) for c, (points, advance) in digit_glyphs(font == "bold").items()}
    # Exponents have shapes of their own.
    form, first = ("0^({})", 1) if font == "script" else ("{}", 0)
    height = float(formula("1", UNIT_PX)[0].height)
    pair, one = formula(form.format("00"), UNIT_PX), formula(form.format("1"), UNIT_PX)[first]
    scale = height / float(one.height)
    advance = float(pair[first + 1].get_left()[0] - pair[first].get_left()[0])
    found = {}
    for digit in "0123456789":
        zero, glyph = formula(form.format(f"0{digit}"), UNIT_PX)[first:]
        # A zero hangs below the baseline as far as it stands above the height of a one.
        low = float(zero.get_bottom()[1]) + float(zero.height - one.height) / 2
        pen = [float(zero.get_left()[0]) + advance, low, 0.0]
        found[digit] = glyph_of((glyph.points - pen) * scale, advance * scale)
    return found


def read(luma: Floats, setting: Setting) -> Reading:
    """The digits of a line in a frame's `luma` (height, width)."""
    if setting.em < SMALLEST_EM:
        return Reading("", 0.0, "too small")
    height, width = luma.shape
    # What stands beside the digits may be near.
    beyond = setting.slack * setting.em
    x0, x1 = int(np.floor(setting.left - beyond - 0.5)), int(np.ceil(setting.right + beyond + 0.5))
    y0, y1 = int(np.floor(setting.top - 1.5)), int(np.ceil(setting.bottom + 1.5))
    if x0 < 0 or y0 < 0 or x1 > width or y1 > height:
        return Reading("", 0.0, "off the frame")
    seen = luma[y0:y1, x0:x1]
    page = float(np.median(np.concatenate([seen[0], seen[-1], seen[1], seen[-2]])))
    apart = seen - page
    ink = float(np.percentile(apart, 98)), float(np.percentile(apart, 2))
    strength = ink[0] if ink[0] >= -ink[1] else ink[1]
    if abs(strength) < FAINTEST:
        return Reading("", 0.0, "no ink")
    line = _Line(apart / strength, x0, y0, setting)
    best: list[tuple[float, str]] = []
    for _ in range(2):
        best = line.best()
        if not best:
            return Reading("", 0.0, "unsure")
        # The ink's strength is known better once something is read; strokes may be thinner than a pixel.
        if line.refine(best[0][1]) < 0.02:
            break
    (score, text), *others = best
    if score < SURE:
        return Reading(text, score, "unsure")
    if others and 1 - others[0][0] < APART * (1 - score):
        return Reading(text, score, "unsure")
    return Reading(text, score)


@dataclass(frozen=True)
class _Drawn:
    """Glyphs at a place: their ink (glyph, h, columns), each one's own columns of it, and where in a line it starts."""

    ink: Floats
    firsts: NDArray[np.int_]
    lasts: NDArray[np.int_]
    start: int


class _Line:
    """The pixels of a line, 0 for the page and 1 for ink, and the hypotheses about what stands there."""

    def __init__(self, ink: Floats, x0: int, y0: int, setting: Setting) -> None:
        self.ink, self.x0, self.setting = ink, x0, setting
        self.alphabet = glyphs(setting.font)
        self._number = {character: n for n, character in enumerate(self.alphabet)}
        self._lefts = np.array([min(0.0, glyph.left) for glyph in self.alphabet.values()]) * setting.em
        self._rights = np.array([max(g.advance, g.right) for g in self.alphabet.values()]) * setting.em
        rows = (setting.baseline - (y0 + np.arange(ink.shape[0] + 1))) / setting.em
        self._strips = np.stack([glyph.strips(rows) for glyph in self.alphabet.values()])
        self._drawn: dict[tuple[float, int | None], _Drawn] = {}

    def drawn(self, pen: float, only: int | None = None) -> "_Drawn":
        """Every glyph, or the one with number `only`, with its pen at a place."""
        pen = round(pen * 32) / 32
        if (pen, only) not in self._drawn:
            which = slice(None) if only is None else slice(only, only + 1)
            edges = np.stack([np.floor(pen + self._lefts[which]), np.ceil(pen + self._rights[which])])
            # Off the line's pixels, nothing is left of a glyph.
            firsts, lasts = np.clip(edges.astype(int) - self.x0, 0, self.ink.shape[1])
            columns = (self.x0 + np.arange(firsts.min(), lasts.max() + 1) - pen) / self.setting.em
            x = np.clip((columns + _LEFT) * _FINE, 0, self._strips.shape[2] - 1.001)
            j, u = x.astype(int), x - np.floor(x)
            strips = self._strips[which]
            ink = np.diff(strips[..., j] * (1 - u) + strips[..., j + 1] * u, axis=-1) * (self.setting.em / _FINE) ** 2
            self._drawn[pen, only] = _Drawn(ink, firsts - int(firsts.min()), lasts - int(firsts.min()), firsts.min())
        return self._drawn[pen, only]

    def _misfits(self, pen: float, only: int | None = None) -> Floats:
        """(glyph,): how much of the pixels below each glyph it does not explain."""
        glyph = self.drawn(pen, only)
        columns = ((self.ink[:, glyph.start : glyph.start + glyph.ink.shape[2]] - glyph.ink) ** 2).sum(axis=1)
        # Shared columns between two glyphs are empty in both.
        sums = np.concatenate([np.zeros((len(columns), 1)), columns.cumsum(axis=1)], axis=1)
        which = np.arange(len(columns))
        found: Floats = sums[which, glyph.lasts] - sums[which, glyph.firsts]
        return found

    def best(self) -> list[tuple[float, str]]:
        """Complete hypotheses with their correlations, the best one first."""
        em, left, right = self.setting.em, self.setting.left, self.setting.right
        slack = _END + self.setting.slack * em
        waiting = [(0.0, "", 0.0)]
        done: dict[str, float] = {}
        misfits: dict[float, Floats] = {}
        while waiting:
            longer = []
            for cost, text, pen in waiting:
                if text and pen not in misfits:
                    misfits[pen] = self._misfits(pen)
                for n, (character, glyph) in enumerate(self.alphabet.items()):
                    here = pen if text else left - glyph.left * em
                    end = here + glyph.right * em
                    if end > right + slack:
                        continue
                    misfit = cost + float(misfits[pen][n] if text else self._misfits(here, n)[0])
                    if end >= right - slack:
                        done[text + character] = misfit
                    else:
                        longer.append((misfit, text + character, here + glyph.advance * em))
            # Those with fewer columns behind them have fewer misfits: compare among equals in length.
            waiting = sorted(longer)[:_BEAM]
        likely = sorted(done, key=done.__getitem__)[:_LIKELY]
        return sorted(((self.correlation(text), text) for text in likely), reverse=True)[:3]

    def model(self, text: str) -> Floats:
        """The ink that `text` would have."""
        whole, em = np.zeros_like(self.ink), self.setting.em
        glyphs = [self.alphabet[character] for character in text]
        start = self.setting.left - glyphs[0].left * em
        end = start + (sum(glyph.advance for glyph in glyphs[:-1]) + glyphs[-1].right) * em
        # Text is set to whole units of its own: the rest is spread over the line.
        spread = 0.0 if self.setting.slack else (self.setting.right - end) / max(1, len(text) - 1)
        for number, (character, glyph) in enumerate(zip(text, glyphs, strict=True)):
            drawn = self.drawn(start + spread * number, self._number[character])
            whole[:, drawn.start : drawn.start + drawn.ink.shape[2]] += drawn.ink[0]
            start += glyph.advance * em
        return whole

    def correlation(self, text: str) -> float:
        """How well `text` explains the pixels, whatever the colours."""
        model = self.model(text)
        model, seen = model - model.mean(), self.ink - self.ink.mean()
        return float((model * seen).sum() / max(1e-9, np.sqrt((model**2).sum() * (seen**2).sum())))

    def refine(self, text: str) -> float:
        """Scale the ink so that `text` fits best; returns the change."""
        model = self.model(text)
        scale = float((model * self.ink).sum() / max(1e-9, (model**2).sum()))
        self.ink = self.ink / max(scale, 0.2)
        return abs(scale - 1)
