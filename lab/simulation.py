"""Simulation: NumPy's noise with the protocol of a noise source, for open data only."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.noise import exact, samplers
from discreet.noise.protocol import Number
from discreet.noise.source import LIBRARY_SCALE, WORD_BITS
from discreet.queries.bounds import FloatArray


class SimulationNoise:
    """NumPy's generator, seeded: for figures, audits and comparisons on open data only."""

    def __init__(self, seed: int) -> None:
        """Start the generator."""
        self._rng = np.random.default_rng(seed)

    def uniforms(self, rows: int, size: int) -> FloatArray:
        """Draw rows x size uniforms strictly between 0 and 1, from which any law is simulated."""
        return np.asarray(self._rng.random((rows, size)) + 2.0**-54)

    def laplace(self, centre: Number, scale: float) -> float:
        """Draw centre + Laplace(scale), in floating point."""
        return float(centre + self._rng.laplace(scale=scale))

    def gaussian(self, centre: Number, scale: float) -> float:
        """Draw centre + Normal(0, scale), in floating point."""
        return float(centre + self._rng.normal(scale=scale))

    def geometric(self, centre: int, scale: float) -> int:
        """Draw centre + Z with P(Z = z) proportional to exp(-|z| / scale)."""
        if scale > LIBRARY_SCALE:
            return centre + samplers.geometric(self.bits, scale)
        p = -math.expm1(-1 / scale)
        return centre + int(self._rng.geometric(p)) - int(self._rng.geometric(p))

    def laplaces(self, centres: Sequence[Number], scale: float) -> list[float]:
        """Draw every centre + Laplace(scale), in floating point."""
        return [self.laplace(centre, scale) for centre in centres]

    def geometrics(self, centres: Sequence[int], scale: float) -> list[int]:
        """Draw every centre + geometric noise."""
        return [self.geometric(centre, scale) for centre in centres]

    def core_tail(self, centre: Number, scale: float, m: int) -> float:
        """Draw centre + scale W with simulated bits."""
        return exact.core_tail(self.bits, float(centre), scale, m)

    def student(self, centre: Number, scale: float, nu: int) -> float:
        """Draw centre + scale T, in floating point."""
        return float(centre + scale * self._rng.standard_t(nu))

    def exponential(self, distances: Sequence[int], widths: Sequence[int], rate: float) -> int:
        """Draw an index in floating point."""
        weights = np.log(np.asarray(widths, float)) - rate * np.asarray(distances, float)
        return int(np.argmax(weights + self._rng.gumbel(size=weights.size)))

    def permute_and_flip(self, scores: Sequence[int], rate: float) -> int:
        """Draw an index: permute-and-flip is the maximum of scores with exponential noise."""
        noisy = rate * np.asarray(scores, float) + self._rng.exponential(size=len(scores))
        return int(np.argmax(noisy))

    def noisy_max(self, scores: Sequence[int], scale: float) -> int:
        """Draw the index of the largest score + Laplace(scale)."""
        return int(np.argmax(np.asarray(scores) + self._rng.laplace(scale=scale, size=len(scores))))

    def bernoulli(self, probability: float) -> bool:
        """Draw True with the given probability."""
        return bool(self._rng.random() < probability)

    def below(self, high: int) -> int:
        """Draw an integer from 0 to high - 1."""
        return samplers.below(self.bits, high)

    def words(self, size: int) -> NDArray[np.uint64]:
        """Draw independent uniform words of 62 bits."""
        return self._rng.integers(0, 2**WORD_BITS, size, dtype=np.uint64)

    def bits(self, n: int) -> int:
        """Draw independent bits, as one integer."""
        whole = -(-n // 8)
        return int.from_bytes(self._rng.bytes(whole), "little") >> (8 * whole - n)
