"""Tuning: the settings of a mechanism that are best on public stand-in data. It costs nothing."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeVar, cast

from discreet.budget.errors import ParameterError
from discreet.mechanisms.base.mechanism import Mechanism
from discreet.mechanisms.base.vocabulary import Public
from discreet.mechanisms.laws.law import Law
from discreet.queries import Column

# --- Epsilon for a given error, where the forecast depends on public inputs alone ---

M = TypeVar("M", bound=Mechanism)
BISECTIONS = 60


def epsilon_for(mechanism: M, public: Public, half_width: float, confidence: float = 0.95) -> float:
    """Return the smallest epsilon whose forecast half width is at most the wanted one."""
    if not (math.isfinite(half_width) and half_width > 0):
        raise ParameterError("The margin of error must be a number above 0. Got {half_width}.", half_width=half_width)
    range_ = type(mechanism).parameters().get("epsilon")
    if range_ is None or _width(mechanism, public, confidence) is None:
        raise ParameterError("The margin of error of this mechanism depends on the data. Set ε instead.")

    def enough(epsilon: float) -> bool:
        width = _width(mechanism, public, confidence, epsilon)
        return width is not None and width <= half_width

    low = range_.low
    high = range_.high
    if not enough(high):
        raise ParameterError("No ε up to {high:g} reaches this margin of error. Allow a larger one.", high=high)
    for _ in range(BISECTIONS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _width(mechanism: Mechanism, public: Public, confidence: float, epsilon: float | None = None) -> float | None:
    try:
        asked = mechanism if epsilon is None else replace(mechanism, epsilon=epsilon)  # type: ignore[call-arg]
    except ParameterError:
        return None
    return asked.forecast(public, confidence).half_width


MOST_REFUSALS = 0.06


def half_width(law: Law, confidence: float = 0.95) -> float:
    """Return half the width of the central part of a law, the effect of its noise; the widest of several numbers."""
    ends = law.quantile([(1 - confidence) / 2, (1 + confidence) / 2])
    return float((ends[..., 1] - ends[..., 0]).max()) / 2


def expected_width(mechanism: Mechanism, stand_in: Column) -> float:
    """Return the half width on the stand-in, or of the drawn interval; infinite if the mechanism mostly refuses."""
    drawn = mechanism.usual_width(stand_in)
    if drawn is not None:
        return drawn
    law = mechanism.law(stand_in)
    return half_width(law) if law.refusal <= MOST_REFUSALS else math.inf


def tuned(mechanism: M, stand_in: Column) -> M:
    """Return the variant with the smallest width on public stand-in data.

    Only public inputs affect the choice, so this spends nothing; a stand-in unlike the data costs accuracy, never
    privacy.
    """
    variants = mechanism.variants(stand_in)
    if len(variants) <= 1:
        return mechanism
    return cast(M, min(variants, key=lambda variant: expected_width(variant, stand_in)))
