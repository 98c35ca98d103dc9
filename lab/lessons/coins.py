"""Coins: two coins as two laws, and how differently far apart they are from either side."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Coins:
    """The chance of heads of two coins P and Q, neither of them 0 or 1."""

    p: float
    q: float

    def _pairs(self) -> tuple[tuple[float, float], tuple[float, float]]:
        return (self.p, self.q), (1 - self.p, 1 - self.q)

    @property
    def there(self) -> float:
        """KL(P‖Q): the average loss of what P says."""
        return sum(p * math.log(p / q) for p, q in self._pairs())

    @property
    def back(self) -> float:
        """KL(Q‖P): the average loss of what Q says."""
        return Coins(self.q, self.p).there

    @property
    def most(self) -> float:
        """The largest loss of both ways: the ε of a mechanism whose answers are these two laws."""
        return max(abs(math.log(p / q)) for p, q in self._pairs())
