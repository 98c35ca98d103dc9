"""Estimate: an estimator on one block, of which nothing is known but that it may go wrong."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from discreet.queries.bounds import FloatArray


def estimate_of(estimator: Callable[..., Any], default: float) -> Callable[..., float]:
    """Return what estimates from a block; where that gives no number it is the public default."""

    def estimate(*values: FloatArray) -> float:
        number = _tried(estimator, values)
        return default if number is None else number

    return estimate


def _tried(estimator: Callable[..., Any], values: Sequence[FloatArray]) -> float | None:
    """Run an estimator on its own block; whatever goes wrong is no estimate."""
    if not values or not values[0].size:
        return None
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = float(estimator(*values))
    except Exception:
        return None
    return value if np.isfinite(value) else None
