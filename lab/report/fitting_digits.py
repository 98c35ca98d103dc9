"""Fitting digits: a number is printed with as many digits as its error allows, and its interval never narrower."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext

DIGITS = 2  # of the error, of which the last one is the last one of the number
UNSURE = 4  # digits of a number of which nobody says how far it is off
FINEST = 15  # digits of a number at most: those of a double
LARGE = 1e15  # from here on powers of ten are written


def last_place(value: float, error: float) -> int:
    """Return the power of ten of the last digit that a number with such an error is printed with."""
    return max(_power(error) - DIGITS + 1, _power(value) - FINEST + 1)


def _place(value: float, error: float, *ends: float) -> int:
    """Return the same, and no zeros after the point where all that is printed is whole: years, rows, ages."""
    place = last_place(value, error)
    return max(place, 0) if all(end == round(end) for end in ends if math.isfinite(end)) else place


def fitted(value: float, error: float) -> str:
    """Print a number whose interval reaches as far as the error; one without error with all of its digits."""
    return (
        _printed(value, _place(value, error, value, 2 * error), ROUND_HALF_EVEN)
        if error > 0
        else f"{value:,.{FINEST}g}"
    )


def outward(low: float, high: float) -> tuple[str, str]:
    """Print the ends of an interval; rounding moves them outwards, so that it holds as often as before."""
    if low == high:
        return fitted(low, 0), fitted(high, 0)
    place = _place(max(abs(low), abs(high)), (high - low) / 2, low, high)
    return _printed(low, place, ROUND_FLOOR), _printed(high, place, ROUND_CEILING)


def unsure(value: float) -> str:
    """Print a number without an interval: whole with all of its digits, else with four digits or no decimals."""
    whole = abs(value) < LARGE and value == round(value)
    return _printed(value, 0 if whole else min(_power(value) - UNSURE + 1, 0), ROUND_HALF_EVEN)


def in_steps(value: float, step: float) -> str:
    """Print a place of an axis with the digits of its steps."""
    return _printed(value, min(_power(step), 0), ROUND_HALF_EVEN)


def _power(value: float) -> int:
    """Return the power of ten of the first digit."""
    return math.floor(math.log10(abs(value))) if value and math.isfinite(value) else 0


def _printed(value: float, place: int, rounding: str) -> str:
    if not math.isfinite(value):
        return str(value)
    with localcontext(prec=400):
        digits = Decimal(value).quantize(Decimal(1).scaleb(place), rounding) + 0  # no minus before a zero
        return f"{digits:E}" if place < -FINEST or abs(value) >= LARGE else f"{digits:,f}"
