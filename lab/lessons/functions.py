"""Functions: how far x, n x and x² move when x moves by 1."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from discreet.queries.bounds import FloatArray

TOP = 100  # the declared bound of x
FUNCTIONS: dict[str, Callable[[FloatArray, int], FloatArray]] = {
    "x": lambda x, n: x,
    "nx": lambda x, n: n * x,
    "square": lambda x, n: x**2,
}


def value(name: str, x: float, n: int) -> float:
    """Return f(x)."""
    return float(FUNCTIONS[name](np.asarray(x, dtype=np.float64), n))


def moved(name: str, x: float, n: int) -> float:
    """Return how far f moves from x to x + 1."""
    return value(name, x + 1, n) - value(name, x, n)


def most(name: str, n: int, top: int = TOP) -> float:
    """Return the sensitivity: the furthest move of all between 0 and the bound."""
    return max(moved(name, x, n) for x in range(top))


def unbounded(name: str, n: int) -> bool:
    """Say whether a wider bound gives a larger sensitivity: then there is none without a bound."""
    return most(name, n, 2 * TOP) > most(name, n)
