"""Brackets: whole-number bounds of real functions, as close as anybody asks; samplers refine them."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import isqrt

from discreet.mechanisms.nearest import nearest, whole_root

Ratio = tuple[int, int]  # numerator and denominator


def around(centre: Ratio, scale: Ratio, sign: int, w: int, precision: int) -> float:
    """Return the double nearest to centre + sign scale w / 2**precision."""
    (c, below), (s, parts) = centre, scale
    parts <<= precision
    return nearest(c * parts + sign * s * w * below, below * parts)


@lru_cache(maxsize=64)
def _core_tail_constants(m: int) -> tuple[Fraction, Fraction]:
    kink = Fraction(m - 1, m) ** (m - 1)
    c = 1 / (1 + 2 * kink / m)
    return c, c * kink * (1 + Fraction(1, m))


def core_tail_size(u: int, bits: int, m: int, precision: int, up: bool) -> int:
    """Return |W| with survival probability u / 2**bits, as a multiple of 2**-precision.

    Rounded down, or up: one of two bounds of the real value. Survival q marks |W| = 1.
    """
    c, q = _core_tail_constants(m)
    whole, scaled = 1 << bits, m * precision
    if u * q.denominator >= q.numerator * whole:
        least = c.numerator * whole  # 1 - (1 - share) / c is inner / least
        inner = least - (whole - u) * c.denominator
        root = whole_root((inner << scaled) // least, m) + (0 if up else 1)
        return max(0, m * ((1 << precision) - root))
    root = whole_root((q.numerator * whole << scaled) // (q.denominator * u), m) + (1 if up else 0)
    size = (m + 1) * root - (m << precision)
    return max(0, size)


def student_factor(w: int, size: int, nu: int, up: bool) -> int:
    """Return sqrt(nu (W^(-2/nu) - 1) / W) for W = w / 4**size, as a multiple of 2**-size.

    The factor falls with W, so rounding it up and down bounds it.
    """
    guard = 2 * size
    square = w * w
    inverse = ((1 << (4 * size)) << (nu * guard)) // square
    power = whole_root(inverse, nu) + (1 if up else 0)
    inside = nu * (power - (1 << guard)) * (1 << (2 * size)) // w
    return isqrt(max(0, inside)) + (1 if up else 0)


def decay(rate: float | Fraction, distance: int, precision: int) -> int:
    """Return a whole bound with bound <= exp(-rate distance) 2**precision < bound + 2."""
    digits = precision // 3 + 20
    context = Context(prec=digits, rounding=ROUND_FLOOR, Emin=-(10**9), Emax=10**9)
    numerator, denominator = rate.as_integer_ratio()
    value = context.exp(context.divide(Decimal(-numerator * distance), Decimal(denominator)))
    units = context.multiply(value, Decimal(1 << precision))
    slack = context.scaleb(units, 5 - digits)  # more than every rounding above
    return max(0, int(context.subtract(units, slack).to_integral_value(ROUND_FLOOR, context)))
