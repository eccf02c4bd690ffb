"""The one rounding policy: every number is rounded alone, to the nearest, as on paper."""

import math
from decimal import ROUND_HALF_UP, Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathcore.attention import softmax
from mathcore.named import NamedArray
from mathcore.rounding import MINUS, decimal_text, significant

relaxed = settings(deadline=None, max_examples=200, derandomize=True)
places_shown = st.integers(1, 3)


def digits(value: float, places: int) -> Decimal:
    """What a viewer reads."""
    return Decimal(decimal_text(value, places).replace(MINUS, "-"))


# --- One value --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (0.125, 2, "0.13"),
        (-0.125, 2, "−0.13"),
        (0.5, 0, "1"),
        (1.5, 0, "2"),
        (2.5, 0, "3"),
        (-2.5, 0, "−3"),
        (0.05, 1, "0.1"),
        (-0.25, 1, "−0.3"),
        # In binary these lie a little below the half that is written.
        (0.615, 2, "0.62"),
        (1.005, 2, "1.01"),
        (2.675, 2, "2.68"),
        (-1.005, 2, "−1.01"),
        # Sums of one-decimal products, with their noise: paper says 0.45, 0.55 and 0.65.
        (0.1 * 0.3 + 0.6 * 0.7, 1, "0.5"),
        (0.1 * 0.6 + 0.7 * 0.7, 1, "0.6"),
        (-(0.1 * 0.9 + 0.7 * 0.8), 1, "−0.7"),
        # A true value just below a half stays below.
        (0.6149, 2, "0.61"),
        (0.614999999, 2, "0.61"),
        (1, 2, "1.00"),
        (3, 0, "3"),
        (1234.5, 1, "1234.5"),
        (1e17, 2, "100000000000000000.00"),
        (9.995, 2, "10.00"),
    ],
)
def test_halves_go_away_from_zero_as_on_paper(value: float, places: int, text: str) -> None:
    assert decimal_text(value, places) == text


def test_those_examples_do_carry_binary_noise() -> None:
    """Otherwise the test above would not need a policy: ordinary formatting goes wrong on them."""
    assert f"{0.615:.2f}" == "0.61" and f"{1.005:.2f}" == "1.00" and f"{0.125:.2f}" == "0.12"
    assert 0.1 * 0.3 + 0.6 * 0.7 < 0.45 and 0.1 * 0.6 + 0.7 * 0.7 < 0.55


@pytest.mark.parametrize("value", [-0.0, -0.001, -0.004999, -1e-17, -1e-300, 0.0, 1e-9])
@pytest.mark.parametrize("signed", [False, True])
def test_zero_has_no_sign(value: float, signed: bool) -> None:
    assert decimal_text(value, 2, signed=signed) == "0.00"
    assert decimal_text(value, 0, signed=signed) == "0"


def test_the_minus_sign_is_a_true_one() -> None:
    text = decimal_text(-1.5, 1)
    assert text == "\u22121.5" and "-" not in text
    assert MINUS == "\u2212"


def test_a_plus_sign_on_request() -> None:
    assert [decimal_text(v, 1, signed=True) for v in (1.5, -1.5, 0.0, 0.04)] == ["+1.5", "−1.5", "0.0", "0.0"]


def test_thousands_on_request() -> None:
    assert decimal_text(1_048_576, 0, grouped=True) == "1,048,576"
    assert decimal_text(-62_831.853, 2, grouped=True) == "−62,831.85"
    assert decimal_text(999.999, 1, grouped=True) == "1,000.0"
    assert decimal_text(1_048_576, 0) == "1048576"


def test_numpy_scalars_are_numbers_too() -> None:
    assert decimal_text(float(np.float64(0.615)), 2) == "0.62"
    assert decimal_text(np.float64(0.615), 2) == "0.62"
    assert decimal_text(np.int64(7), 1) == "7.0"  # type: ignore[arg-type]
    assert decimal_text(np.bool_(True), 0) == "1"  # type: ignore[arg-type]


@relaxed
@given(st.integers(-10_000, 10_000), st.integers(0, 3), st.integers(-8, 8))
def test_noise_never_changes_a_digit(thousandths: int, places: int, ulps: int) -> None:
    """The decimal k/1000, and the floats up to 8 steps beside it, show the same digits."""
    paper = Decimal(thousandths) / 1000
    value = float(paper)
    for _ in range(abs(ulps)):
        value = math.nextafter(value, math.copysign(math.inf, ulps))
    assert digits(value, places) == paper.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


@relaxed
@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 12))
def test_every_finite_float_has_digits(value: float, places: int) -> None:
    text = decimal_text(value, places)
    assert len(text.partition(".")[2]) == places
    # Half a unit, and half of the last digit that is not noise.
    most = Decimal("0.5").scaleb(-places) + Decimal("0.5e-12")
    assert abs(Decimal(text.replace(MINUS, "-")) - Decimal(repr(value))) <= most
    assert decimal_text(-value, places).strip(MINUS) == text.strip(MINUS)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_has_no_digits(value: float) -> None:
    with pytest.raises(ValueError, match="no digits to show"):
        decimal_text(value, 2)


@pytest.mark.parametrize("places", [-1, 13, 100])
def test_places_beyond_the_noise_are_refused(places: int) -> None:
    with pytest.raises(ValueError, match=f"places must be 0 to 12, got {places}"):
        decimal_text(0.5, places)


def test_the_caller_s_decimal_settings_do_not_matter() -> None:
    with localcontext() as context:
        context.prec, context.rounding = 3, "ROUND_FLOOR"
        assert decimal_text(12345.675, 2) == "12345.68"


# --- A row ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        # What adds up to 0.99, and to 1.01: no digit is moved.
        ([1 / 3, 1 / 3, 1 / 3], ["0.33", "0.33", "0.33"]),
        ([1 / 6] * 6, ["0.17"] * 6),
        ([0.125, 0.125, 0.75], ["0.13", "0.13", "0.75"]),
        ([0.1165, 0.6785, 0.205], ["0.12", "0.68", "0.21"]),
    ],
)
def test_fact_31_a_row_s_digits_are_rounded_one_by_one(row: list[float], shown: list[str]) -> None:
    weights = NamedArray(row, "weights", ("key",))
    assert [entry.text(2) for entry in weights.entries()] == shown
    assert sum(row) == pytest.approx(1)


def test_fact_26_rounding_one_by_one_often_fails_to_add_up() -> None:
    """Two decimals, six keys: 45 % of random softmax rows do not add to 1.00, so pictures say "≈" beside their sums."""
    rows = softmax(np.random.default_rng(2017).normal(size=(2000, 6))).tolist()
    wrong = [sum(digits(value, 2) for value in row) != 1 for row in rows]
    assert np.mean(wrong) == pytest.approx(0.45, abs=0.04)


@pytest.mark.parametrize(
    ("value", "digits", "rounded"), [(9283.2, 1, 9000), (430.9, 1, 400), (1856.6, 2, 1900), (20.0, 1, 20), (-0.0, 2, 0)]
)
def test_significant_digits_are_counted_from_the_first(value: float, digits: int, rounded: float) -> None:
    assert significant(value, digits) == rounded


def test_no_significant_digit_is_refused() -> None:
    with pytest.raises(ValueError, match="digits must be at least 1"):
        significant(3.0, 0)
