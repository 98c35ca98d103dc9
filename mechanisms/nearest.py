"""Rounding: whole roots, and the double that is nearest to an exact number."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from discreet.mechanisms.noise_source import Number

HUGE = 1.7976931348623157e308  # the largest double


def whole_root(x: int, m: int) -> int:
    """Return the largest integer whose m-th power is at most x."""
    if m == 1 or x < 2:
        return x
    if m % 2 == 0:
        return whole_root(isqrt(x), m // 2)
    root = 1 << -(-x.bit_length() // m)
    while True:
        step = ((m - 1) * root + x // root ** (m - 1)) // m
        if step >= root:
            return root
        root = step


def multiple(number: Number, exponent: int) -> int:
    """Return the multiple of 2**exponent that is nearest to a number, as a whole number."""
    numerator, denominator = number.as_integer_ratio()
    if exponent < 0:
        numerator <<= -exponent
    else:
        denominator <<= exponent
    return (2 * numerator + denominator) // (2 * denominator)


def nearest(numerator: int, denominator: int) -> float:
    """Return the double nearest to numerator / denominator; overflow ends at the largest."""
    try:
        return numerator / denominator
    except OverflowError:
        return HUGE if numerator > 0 else -HUGE


def rounded(multiples: Sequence[int], exponent: int) -> list[float]:
    """Return the doubles nearest to multiples of 2**exponent."""
    if exponent < 0:
        return [nearest(cells, 1 << -exponent) for cells in multiples]
    return [nearest(cells << exponent, 1) for cells in multiples]
