"""Written numbers as words, in English and in Chinese. Every digit is said: 1.00 is one point zero zero."""

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SCALES = (
    " thousand million billion trillion quadrillion quintillion sextillion septillion octillion nonillion decillion"
)
ONES, TENS, SCALES = tuple(_ONES.split(" ")), ("", "", *_TENS.split(" ")), tuple(_SCALES.split(" "))
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
             "twelve": "twelfth"}  # fmt: skip
_MONTHS = "January February March April May June July August September October November December"
MONTHS = tuple(_MONTHS.split(" "))
_HAN = "零一二三四五六七八九"
# Longer numbers are said digit by digit.
_ENGLISH_DIGITS, _CHINESE_DIGITS = 36, 16


def english_cardinal(digits: str) -> str:
    """A whole number in words; one that starts with zeros, or is too long for words, digit by digit."""
    if len(digits) > _ENGLISH_DIGITS or (digits.startswith("0") and len(digits) > 1):
        return english_digits(digits)
    value, groups = int(digits), []
    if value == 0:
        return ONES[0]
    scale = 0
    while value:
        value, group = divmod(value, 1000)
        if group:
            groups.append(f"{_below_1000(group)} {SCALES[scale]}".strip())
        scale += 1
    return " ".join(reversed(groups))


def _below_1000(value: int) -> str:
    words = [ONES[value // 100], "hundred"] if value >= 100 else []
    value %= 100
    if value >= 20:
        words.append(TENS[value // 10] + (f"-{ONES[value % 10]}" if value % 10 else ""))
    elif value:
        words.append(ONES[value])
    return " ".join(words)


def english_digits(digits: str) -> str:
    return " ".join(ONES[int(digit)] for digit in digits)


def english_ordinal(digits: str) -> str:
    """first, twenty-second, one hundredth."""
    head, hyphen, last = english_cardinal(digits).rpartition("-")
    if not hyphen:
        head, hyphen, last = last.rpartition(" ")
    if last in _ORDINALS:
        return head + hyphen + _ORDINALS[last]
    return head + hyphen + (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")


def english_year(digits: str) -> str:
    """A year of four digits: twenty seventeen, nineteen oh five, two thousand and five, nineteen hundred."""
    high, low = int(digits[:2]), int(digits[2:])
    if high % 10 == 0 and low < 10:
        return english_cardinal(digits)
    if low == 0:
        return f"{english_cardinal(str(high))} hundred"
    return f"{english_cardinal(str(high))} {'oh ' if low < 10 else ''}{english_cardinal(str(low))}"


def english_number(written: str) -> str:
    """A number as it is written, without a sign: 1,048,576 or 0.30 or .5."""
    whole, point, rest = written.replace(",", "").partition(".")
    said = english_cardinal(whole) if whole else ""
    return f"{said} point {english_digits(rest)}".strip() if point else said


def chinese_cardinal(digits: str) -> str:
    """A whole number in Chinese; one that starts with zeros, or is too long for 亿, digit by digit."""
    if len(digits) > _CHINESE_DIGITS or (digits.startswith("0") and len(digits) > 1):
        return chinese_digits(digits)
    value = int(digits)
    if value == 0:
        return _HAN[0]
    said = _chinese(value)
    return said.removeprefix("一") if said.startswith("一十") else said


def _chinese(value: int) -> str:
    for unit, name in ((10**8, "亿"), (10**4, "万")):
        if value >= unit:
            high, low = divmod(value, unit)
            said = "两" if high == 2 else _chinese(high)
            gap = "零" if 0 < low < unit // 10 else ""
            return f"{said}{name}{gap}{_chinese(low) if low else ''}"
    said, zero = "", False
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, value = divmod(value, unit)
        if digit:
            said += "零" * (zero and bool(said)) + ("两" if digit == 2 and unit == 1000 else _HAN[digit]) + name
        zero = not digit
    return said


def chinese_digits(digits: str) -> str:
    return "".join(_HAN[int(digit)] for digit in digits)


def chinese_number(written: str) -> str:
    """A number as it is written, without a sign."""
    whole, point, rest = written.replace(",", "").partition(".")
    said = chinese_cardinal(whole or "0")
    return f"{said}点{chinese_digits(rest)}" if point else said
