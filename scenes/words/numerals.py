"""Numbers as people say them, for spoken lines such as `{ratio:fraction} as fast`: "a tenth", "十分之一".

Long digits belong to the picture. In a line, the form after a slot's colon says how the slot's value is spoken; the
captions show the same words. Every form is computed from the value, by the films' rounding.
"""

from mathcore.rounding import decimal_text
from scenes.words.cardinals import chinese_cardinal, english_cardinal

FORMS = ("about", "count", "fraction")
# Counts up to this one are words, larger ones digits.
_LAST_WORD = 12
_ENGLISH_PARTS = {2: "half", 3: "a third", 4: "a quarter", 10: "a tenth", 100: "a hundredth", 1000: "a thousandth"}
_CHINESE_PARTS = {100: "百", 1000: "千", 10_000: "万"}
# The unit of large numbers, and the smallest number that is given in it.
_LARGE = {"en": (1_000_000, " million", 1_000_000), "zh": (10_000, " 万", 100_000)}


def numeral(value: float, form: str, language: str) -> str:
    """`value` in one of FORMS, in "en" or "zh".

    - count: a whole number of things, in words up to twelve: "eight", "八"; two is 两, as before a measure word.
    - about: whole, with one decimal below ten, and of at most three digits: "about 57", "约 105 万"; without the word
      when nothing was rounded away.
    - fraction: one part of so many, "a tenth", "十分之一"; rounded "about 1/22", "约二十二分之一".

    Raises ValueError for another form, a count that is not a natural number, or a fraction of less than two parts.
    """
    if form == "count":
        return _count(value, language)
    if form == "about":
        return _about(value, language)
    if form == "fraction":
        return _fraction(value, language)
    raise ValueError(f"{form} is not one of the forms {', '.join(FORMS)}")


def _count(value: float, language: str) -> str:
    if value < 0 or value != round(value):
        raise ValueError(f"{value} is not a count")
    number = round(value)
    if number > _LAST_WORD:
        return decimal_text(number, 0, grouped=language == "en")
    if language == "en":
        return english_cardinal(str(number))
    return "两" if number == 2 else chinese_cardinal(str(number))


def _about(value: float, language: str) -> str:
    unit, name, least = _LARGE[language]
    size, name = (value / unit, name) if abs(value) >= least else (value, "")
    digits = len(decimal_text(abs(size), 0))
    places = max(0, 3 - digits) if name else int(abs(size) < 10)
    step = 10.0 ** max(0, digits - 3)
    rounded = step * float(decimal_text(abs(size) / step, places))
    text = decimal_text(-rounded if size < 0 else rounded, places, grouped=language == "en")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    exact = abs(rounded - abs(size)) < 1e-9 * max(1.0, rounded)
    return f"{'' if exact else {'en': 'about ', 'zh': '约 '}[language]}{text}{name}"


def _fraction(value: float, language: str) -> str:
    parts = int(decimal_text(value, 0).replace("\N{MINUS SIGN}", "-"))
    if parts < 2:
        raise ValueError(f"{value} is not a number of parts")
    exact = abs(parts - value) < 1e-9 * parts
    if language == "en":
        return ("" if exact else "about ") + _ENGLISH_PARTS.get(parts, f"1/{parts}")
    if parts not in _CHINESE_PARTS and parts > 99:
        return ("" if exact else "约 ") + f"1/{parts}"
    return ("" if exact else "约") + f"{_CHINESE_PARTS.get(parts) or chinese_cardinal(str(parts))}分之一"
