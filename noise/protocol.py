"""NoiseSource: the protocol by which a law draws one answer. Nothing here is random."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Number = float | Fraction
GRID = 2.0**-52  # a source may move a centre by at most this many scales


class NoiseSource(Protocol):
    """Primitives of randomness: noise/source.py implements them for releases, lab/simulation.py for figures."""

    def laplace(self, centre: Number, scale: float) -> float:
        """Draw centre + Laplace(scale)."""

    def geometric(self, centre: int, scale: float) -> int:
        """Draw centre + Z with P(Z = z) proportional to exp(-|z| / scale)."""

    def laplaces(self, centres: Sequence[Number], scale: float) -> Sequence[Number]:
        """Draw every centre + independent Laplace(scale) in one call, unrounded, for comparisons."""

    def geometrics(self, centres: Sequence[int], scale: float) -> list[int]:
        """Draw every centre + independent geometric noise in one call."""

    def gaussian(self, centre: Number, scale: float) -> float:
        """Draw centre + Normal(0, scale)."""

    def core_tail(self, centre: Number, scale: float, m: int) -> float:
        """Draw centre + scale W, where W is core-tail noise with r = 1/m."""

    def student(self, centre: Number, scale: float, nu: int) -> float:
        """Draw centre + scale T, where T is Student-t with nu degrees of freedom."""

    def exponential(self, distances: Sequence[int], widths: Sequence[int], rate: float) -> int:
        """Draw index i with probability proportional to widths[i] exp(-rate distances[i])."""

    def permute_and_flip(self, scores: Sequence[int], rate: float) -> int:
        """Draw an index by permute-and-flip: accept with exp(rate (score - best))."""

    def noisy_max(self, scores: Sequence[int], scale: float) -> int:
        """Draw the index of the largest score + Laplace(scale)."""

    def bernoulli(self, probability: float) -> bool:
        """Draw True with the given probability."""

    def below(self, high: int) -> int:
        """Draw an integer from 0 to high - 1."""

    def bits(self, size: int) -> int:
        """Draw independent bits, as one integer."""

    def words(self, size: int) -> NDArray[np.uint64]:
        """Draw independent uniform words of 62 bits."""
