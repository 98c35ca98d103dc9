"""Tuning: the settings of a mechanism that do best on public stand-in data. It costs nothing."""

from __future__ import annotations

import math
from typing import TypeVar, cast

from discreet.mechanisms.laws import Law
from discreet.mechanisms.mechanism import Mechanism
from discreet.queries import Column

M = TypeVar("M", bound=Mechanism)
MOST_REFUSALS = 0.06


def half_width(law: Law, confidence: float = 0.95) -> float:
    """Return half the width of the middle of a law: what its noise does; the widest of several numbers."""
    ends = law.quantile([(1 - confidence) / 2, (1 + confidence) / 2])
    return float((ends[..., 1] - ends[..., 0]).max()) / 2


def expected_width(mechanism: Mechanism, stand_in: Column) -> float:
    """Return the half width on the stand-in, of the interval where one is drawn; infinite where it mostly refuses."""
    drawn = mechanism.usual_width(stand_in)
    if drawn is not None:
        return drawn
    law = mechanism.law(stand_in)
    return half_width(law) if law.refusal <= MOST_REFUSALS else math.inf


def tuned(mechanism: M, stand_in: Column) -> M:
    """Return the variant with the smallest width on public stand-in data.

    Only public inputs decide, so this spends nothing; a stand-in unlike the data costs accuracy,
    never privacy.
    """
    variants = mechanism.variants(stand_in)
    if len(variants) <= 1:
        return mechanism
    return cast(M, min(variants, key=lambda variant: expected_width(variant, stand_in)))
