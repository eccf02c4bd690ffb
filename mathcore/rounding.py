"""How a value becomes the digits on screen: always the nearest rounding of that value alone.

No digit is moved so that a row adds up. Where the rounded digits of a row, a sum or a product stand together, the
picture says "≈" or "rounded" instead.
"""

import math
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext

MINUS = "\N{MINUS SIGN}"

# Sums of one-decimal products carry binary noise around 1e-16; below this many places a digit is noise.
_NOISE_PLACES = 12
# Wide enough for every digit of every float64, whatever context the caller has set.
_WIDE = Context(prec=400)


def _exact(value: float) -> Decimal:
    """The decimal that paper arithmetic would give: `value` without its binary noise."""
    if not math.isfinite(value):
        raise ValueError(f"{value} has no digits to show")
    return _quantize(Decimal(repr(float(value))), _NOISE_PLACES)


def _quantize(value: Decimal, places: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


def decimal_text(value: float, places: int, *, signed: bool = False, grouped: bool = False) -> str:
    """`value` with `places` decimals, halves away from zero; a true minus sign, and never "-0.00".

    `grouped` sets commas between thousands.

    Raises ValueError for a value that is not finite, or places outside 0..12 (beyond, digits are binary noise).
    """
    if not 0 <= places <= _NOISE_PLACES:
        raise ValueError(f"places must be 0 to {_NOISE_PLACES}, got {places}")
    with localcontext(_WIDE):
        rounded = _quantize(_exact(value), places)
        sign = MINUS if rounded < 0 else "+" if signed and rounded > 0 else ""
        return f"{sign}{abs(rounded):,f}" if grouped else f"{sign}{abs(rounded):f}"


def significant(value: float, digits: int) -> float:
    """`value` rounded to so many significant digits, halves to even. Raises ValueError for fewer than one."""
    if digits < 1:
        raise ValueError(f"digits must be at least 1, got {digits}")
    return float(f"{value:.{digits - 1}e}")
