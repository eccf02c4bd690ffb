"""Numbers as people say them, against what people say."""

import pytest

from scenes.words.numerals import numeral


@pytest.mark.parametrize(
    ("value", "english", "chinese"),
    [
        (0, "zero", "零"), (1, "one", "一"), (2, "two", "两"), (9, "nine", "九"), (10, "ten", "十"),
        (12, "twelve", "十二"), (13, "13", "13"), (1580, "1,580", "1580"),
    ],
)  # fmt: skip
def test_counts(value: float, english: str, chinese: str) -> None:
    assert numeral(value, "count", "en") == english
    assert numeral(value, "count", "zh") == chinese


@pytest.mark.parametrize(
    ("value", "english", "chinese"),
    [
        (57.29578, "about 57", "约 57"),
        (90.0, "90", "90"),
        (6.2831853, "about 6.3", "约 6.3"),
        (9.96, "about 10", "约 10"),
        (628.3185, "about 628", "约 628"),
        (6283.185, "about 6,280", "约 6280"),
        (999.6, "about 1,000", "约 1000"),
        (262_144, "about 262,000", "约 26.2 万"),
        (1_048_576, "about 1.05 million", "约 105 万"),
        (2_000_000, "2 million", "200 万"),
        (0.0, "0", "0"),
        (-57.29578, "about \N{MINUS SIGN}57", "约 \N{MINUS SIGN}57"),
    ],
)
def test_rounded_numbers_say_so(value: float, english: str, chinese: str) -> None:
    assert numeral(value, "about", "en") == english
    assert numeral(value, "about", "zh") == chinese


@pytest.mark.parametrize(
    ("value", "english", "chinese"),
    [
        (2, "half", "二分之一"),
        (10, "a tenth", "十分之一"),
        (10000.0 ** (2 / 8), "a tenth", "十分之一"),
        (10000.0 ** (2 / 6), "about 1/22", "约二十二分之一"),
        (100, "a hundredth", "百分之一"),
        (347, "1/347", "1/347"),
    ],
)
def test_fractions(value: float, english: str, chinese: str) -> None:
    assert numeral(value, "fraction", "en") == english
    assert numeral(value, "fraction", "zh") == chinese


@pytest.mark.parametrize(
    ("value", "form", "told"),
    [
        (2.5, "count", "2.5 is not a count"),
        (-1, "count", "-1 is not a count"),
        (1.2, "fraction", "1.2 is not a number of parts"),
        (1, "ordinal", "ordinal is not one of the forms about, count, fraction"),
    ],
)
def test_what_a_form_cannot_say_is_refused(value: float, form: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        numeral(value, form, "en")
