"""How a value becomes the digits on screen: the one rounding policy of the films."""

import math
from collections.abc import Sequence
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal, localcontext

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


def _quantize(value: Decimal, places: int, rounding: str = ROUND_HALF_UP) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-places), rounding=rounding)


def _check_places(places: int) -> None:
    if not 0 <= places <= _NOISE_PLACES:
        raise ValueError(f"places must be 0 to {_NOISE_PLACES}, got {places}")


def decimal_text(value: float, places: int, *, signed: bool = False, grouped: bool = False) -> str:
    """`value` with `places` decimals, halves away from zero; a true minus sign, and never "-0.00".

    `grouped` sets commas between thousands.

    Raises ValueError for a value that is not finite, or places outside 0..12 (beyond, digits are binary noise).
    """
    _check_places(places)
    with localcontext(_WIDE):
        rounded = _quantize(_exact(value), places)
        sign = MINUS if rounded < 0 else "+" if signed and rounded > 0 else ""
        return f"{sign}{abs(rounded):,f}" if grouped else f"{sign}{abs(rounded):f}"


def largest_remainder(row: Sequence[float], places: int) -> list[float]:
    """Round a row so that its rounded values still add up to its rounded sum.

    Every value is cut down to `places` decimals, then the units that are missing go to the values
    that lost most (Hamilton's method); ties go to the earlier value. Raises ValueError as `decimal_text` does.
    """
    _check_places(places)
    with localcontext(_WIDE):
        unit = Decimal(1).scaleb(-places)
        exact = [_exact(value) for value in row]
        cut = [_quantize(value, places, ROUND_FLOOR) for value in exact]
        missing = int((_quantize(sum(exact, Decimal(0)), places) - sum(cut, Decimal(0))) / unit)
        by_loss = sorted(range(len(cut)), key=lambda i: (cut[i] - exact[i], i))
        for i in by_loss[:missing]:
            cut[i] += unit
        return [float(value) for value in cut]
