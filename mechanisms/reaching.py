"""Reaching: where a distribution function reaches a chance, looked for among many places at once."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from discreet.queries.bounds import FloatArray

BITS = 54  # of a share of the range: as many as a double has
CUTS, FEW = 64, 8  # parts that are looked at together where few chances are wanted


def reached(cdf: Callable[[Any], FloatArray], p: Any, start: float, width: float) -> FloatArray:
    """Return the p-quantile of answers between start and start + width."""
    p = np.asarray(p, dtype=np.float64)
    cuts = 2 if p.size > FEW else CUTS
    low, size = np.zeros(p.shape), 1.0
    for _ in range(math.ceil(BITS / math.log2(cuts))):
        size /= cuts
        places = low + size * np.arange(1, cuts).reshape(-1, *[1] * p.ndim)
        low = low + size * (cdf(start + width * places) < p).sum(axis=0)
    return np.asarray(start + width * (low + size))
