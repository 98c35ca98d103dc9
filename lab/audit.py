"""Audit: the worst pair of a mechanism, exactly, and claims refuted from samples alone.

`divergence` and `loss` compare two laws without sampling; `worst` looks for the pair of private
views that a mechanism's own cost covers least; `black_box` judges independent answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from discreet.lab.black_box import Event, Finding, black_box
from discreet.mechanisms import Mechanism
from discreet.mechanisms.anatomy import anatomy
from discreet.mechanisms.divergence import difference, divergence, divergences, loss
from discreet.mechanisms.laws import Law

__all__ = ["Event", "Finding", "Worst", "black_box", "divergence", "divergences", "loss", "worst"]


ROUNDING = 2e-11  # a cdf is exact to 1e-15, times exp(8) and the pieces of a law
NEAR = 8  # laws that are remembered taken apart: pairs stand in the order of their first views


@dataclass(frozen=True, eq=False)
class Worst:
    """The worst pair found: how far it is from the claim."""

    delta: float
    claimed: float
    pair: Any = field(repr=False)

    @property
    def holds(self) -> bool:
        """Whether the claim holds on every pair, up to what floating point can tell."""
        return self.delta <= self.claimed * (1 + 1e-6) + ROUNDING


def worst(mechanism: Mechanism, pairs: Iterable[tuple[Any, Any]]) -> Worst:
    """Return the pair of private views that the mechanism's own cost covers least, both ways."""
    cost, taken = mechanism.cost(), lru_cache(maxsize=NEAR)(anatomy)
    largest, laws, seen = Worst(0.0, cost.delta, None), dict[int, Law](), set[object]()
    for pair in tuple(pairs):
        p, q = (_law(mechanism, view, laws) for view in pair)
        apart = difference(p, q)
        if apart in seen:
            continue
        seen |= {apart, difference(q, p)}
        delta = max(divergences(p, q, cost.epsilon, taken))
        if delta > largest.delta:
            largest = Worst(delta, cost.delta, pair)
    return largest


def _law(mechanism: Mechanism, view: Any, laws: dict[int, Law]) -> Law:
    if id(view) not in laws:
        laws[id(view)] = mechanism.law(view).everything
    return laws[id(view)]
