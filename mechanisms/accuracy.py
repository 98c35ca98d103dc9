"""Accuracy: what may be known before anything is spent, and what it predicts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from discreet.budget.errors import ParameterError
from discreet.queries import Bounds


@dataclass(frozen=True)
class Public:
    """What may be known before anything is spent: bounds, a public guess of n, a list of labels."""

    bounds: Bounds | None = None
    size_guess: int | None = None
    labels: int | None = None


@dataclass(frozen=True)
class Forecast:
    """Accuracy predicted from public inputs: a half width, or the reason why there is none.

    `exact` says that the width holds for every dataset, so that the released answer plus and minus
    the half width is a valid interval.
    """

    half_width: float | None
    note: str
    exact: bool = False


def sure(forecast: Callable[..., Forecast]) -> Callable[..., Forecast]:
    """Return a forecast that refuses to be always right, or never."""

    @wraps(forecast)
    def asked(mechanism: Any, public: Public, confidence: float = 0.95) -> Forecast:
        if not 0 < confidence < 1:
            raise ParameterError("A confidence lies between 0 and 1, and is neither.")
        return forecast(mechanism, public, confidence)

    return asked
