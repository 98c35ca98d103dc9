"""Shares between 0 and 1 as exact fractions, so that ranks are whole numbers."""

from __future__ import annotations

from fractions import Fraction

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase

FINEST = 10**9  # the largest denominator: positions stay exact in 64 bits


def exact_share(given: Fraction | str | float, label: str, most: Fraction = Fraction(1)) -> Fraction:
    """Read a share from its decimal text ("0.9", "9/10") and refuse one outside 0 to `most`."""
    try:
        share = Fraction(str(given))
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share <= most or share.denominator > FINEST:
        raise ParameterError(
            "{label} must be between 0 and {most:g} with at most 9 decimals. Got {given!r}.",
            label=Phrase(label),
            most=float(most),
            given=given,
        )
    return share
