"""Digits, as they are set in lines of text and in formulas, read from pixels."""

from dataclasses import replace
from itertools import product

from scenes.formats import UNIT_PX
from scenes.kit.marks import DigitsMark, FormulaDigitsMark
from scenes.kit.text import Box
from scripts.studio.reading.frames import Picture
from scripts.studio.reading.glyphs import Reading, Setting, read
from scripts.studio.reading.readers import reads_digits

# What is fainter is not read.
_FAINTEST = 0.15
# A digit of formulas is so many times as high as an em is, by the font's own measure, whether it hangs over or not.
_MATH_HEIGHTS = (0.5, 0.516)
# Lines of text are laid out in steps of this part of an em; the ink of digits is so much
# narrower, at most, than their advance.
_STEP, _AIR = 1 / 96, 0.12


@reads_digits(DigitsMark)
def digits(mark: DigitsMark, box: Box, picture: Picture) -> Reading:
    """Digits of a line of text."""
    if mark.opacity < _FAINTEST:
        return Reading("", 0.0, "too faint")
    (x0, y1), (x1, y0) = picture.at(box[0], box[1]), picture.at(box[2], box[3])
    em = mark.size * picture.unit / UNIT_PX
    font = "bold" if mark.bold else "regular"
    setting = Setting(x0, y0, x1, y1, em, picture.at(0, mark.baseline)[1], font)
    exact = read(picture.luma, setting)
    if exact.doubt != "unsure":
        return exact
    # Where two scripts meet in a line, the baseline is set to whole units of its own.
    shifts = (replace(setting, baseline=setting.baseline + step * _STEP * em) for step in (-1, 1))
    best = max((exact, *(read(picture.luma, shifted) for shifted in shifts)), key=lambda reading: reading.score)
    if best.doubt != "unsure":
        return best
    # Other digits than those of the ledger may begin and end a little elsewhere.
    freer = (replace(setting, left=x0 + step * _AIR * em, slack=_AIR) for step in (-1, -0.5, 0, 0.5, 1))
    others = [reading for reading in (read(picture.luma, other) for other in freer) if not reading.doubt]
    return max(others, key=lambda reading: reading.score, default=best)


@reads_digits(FormulaDigitsMark)
def formula_digits(mark: FormulaDigitsMark, box: Box, picture: Picture) -> Reading:
    """Digits of a formula, on its line or raised."""
    if mark.opacity < _FAINTEST:
        return Reading("", 0.0, "too faint")
    (x0, y1), (x1, y0) = picture.at(box[0], box[1]), picture.at(box[2], box[3])
    readings = []
    for font, height, hang in product(("math", "script"), _MATH_HEIGHTS, (0.0, 0.008)):
        em = (y1 - y0) / height
        readings.append(read(picture.luma, Setting(x0, y0, x1, y1, em, y1 - hang * em, font)))
    return max(readings, key=lambda reading: reading.score)
