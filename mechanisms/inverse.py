"""Set the error, get the epsilon: wherever the forecast depends on public inputs alone."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeVar

from discreet.budget.errors import ParameterError
from discreet.mechanisms.accuracy import Public
from discreet.mechanisms.mechanism import Mechanism

M = TypeVar("M", bound=Mechanism)
BISECTIONS = 60


def epsilon_for(mechanism: M, public: Public, half_width: float, confidence: float = 0.95) -> float:
    """Return the smallest epsilon whose forecast half width is at most the wanted one."""
    if not (math.isfinite(half_width) and half_width > 0):
        raise ParameterError("The error must be a number above 0. Got {half_width}.", half_width=half_width)
    range_ = type(mechanism).parameters().get("epsilon")
    if range_ is None or _width(mechanism, public, confidence) is None:
        raise ParameterError("The error of this mechanism depends on the data: choose an epsilon.")

    def enough(epsilon: float) -> bool:
        width = _width(mechanism, public, confidence, epsilon)
        return width is not None and width <= half_width

    low, high = range_.low, range_.high
    if not enough(high):
        raise ParameterError("Even epsilon {high:g} does not reach this error. Allow more error.", high=high)
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
