"""Noise: the only place where randomness enters a release."""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
import opendp.prelude as dp
from numpy.typing import NDArray

from discreet.budget.errors import ParameterError
from discreet.noise import exact, samplers
from discreet.noise.protocol import Number
from discreet.noise.samplers import multiple, rounded

WORD_BITS = 62
SMALLEST_SCALE = 2.0**-1000  # far above subnormal numbers, far below any use
CELL_BITS = 53
LIBRARY_SCALE = 2.0**CELL_BITS  # OpenDP's noise ends at 2^63: up to this scale that cuts off exp(-1024)

dp.enable_features("contrib")


def check_scale(scale: float) -> None:
    """Raise ParameterError for a scale that would release the exact answer; called before any bit is drawn."""
    if not (math.isfinite(scale) and scale >= SMALLEST_SCALE):
        raise ParameterError("The noise scale must be a finite number above 2^-1000.")


def check_centre(centre: Number) -> None:
    """Raise ParameterError for a centre that is not finite: a sampler would silently change it."""
    if not math.isfinite(centre):
        raise ParameterError("The exact result must be a finite number.")


@lru_cache(maxsize=256)
def _measurement(kind: str, scale: float) -> Callable[[list[int]], list[int]]:
    """Build an OpenDP measurement of integers, once per scale."""
    domain = dp.vector_domain(dp.atom_domain(T="i64"))
    if kind == "gaussian":
        built = dp.m.make_gaussian(domain, dp.l2_distance(T="f64"), scale)
    else:
        built = dp.m.make_laplace(domain, dp.l1_distance(T="i64"), scale)
    drawn: Callable[[list[int]], list[int]] = built
    return drawn


def _cells(kind: str, centres: Sequence[Number], scale: float) -> tuple[list[int], int]:
    """Draw centre + noise as integer multiples of a cell 2**exponent, which is 2^-53 to 2^-52 of the scale.

    Centres are exact, whatever their size; rounding one to the nearest multiple moves a privacy loss by 2^-52 at most.
    """
    check_scale(scale)
    for centre in centres:
        check_centre(centre)
    share, exponent = math.frexp(scale)
    drawn = _measurement(kind, math.ldexp(share, CELL_BITS))([0] * len(centres))
    exponent -= CELL_BITS
    around = [multiple(centre, exponent) for centre in centres]
    return [middle + z for middle, z in zip(around, drawn, strict=True)], exponent


class ReleaseNoise:
    """Exact samplers on the system's randomness. It cannot be seeded.

    Laplace, Gaussian and geometric noise are OpenDP's, in integers; the others refine intervals of secret bits
    (noise/exact.py). Centres may be fractions: they are never rounded to a double first. Every scale and centre is
    checked before a bit is drawn.
    """

    def laplace(self, centre: Number, scale: float) -> float:
        """Draw the double nearest to centre + Laplace(scale)."""
        return rounded(*_cells("laplace", [centre], scale))[0]

    def gaussian(self, centre: Number, scale: float) -> float:
        """Draw the double nearest to centre + Normal(0, scale)."""
        return rounded(*_cells("gaussian", [centre], scale))[0]

    def geometric(self, centre: int, scale: float) -> int:
        """Draw centre + Z with P(Z = z) proportional to exp(-|z| / scale)."""
        return self.geometrics([centre], scale)[0]

    def laplaces(self, centres: Sequence[Number], scale: float) -> list[Fraction]:
        """Draw every centre + independent Laplace(scale), unrounded, in one call of the library."""
        drawn, exponent = _cells("laplace", centres, scale)
        return [Fraction(cells) * Fraction(2) ** exponent for cells in drawn]

    def geometrics(self, centres: Sequence[int], scale: float) -> list[int]:
        """Draw every centre + independent geometric noise, in unbounded integers.

        The library's integers have 64 bits; for larger scales `samplers.geometric` draws instead.
        """
        check_scale(scale)
        if scale <= LIBRARY_SCALE:
            drawn = _measurement("laplace", float(scale))([0] * len(centres))
        else:
            drawn = [samplers.geometric(secrets.randbits, float(scale)) for _ in centres]
        return [int(centre) + z for centre, z in zip(centres, drawn, strict=True)]

    def core_tail(self, centre: Number, scale: float, m: int) -> float:
        """Draw the double nearest to centre + scale W, W core-tail noise with r = 1/m."""
        check_scale(scale)
        check_centre(centre)
        return exact.core_tail(secrets.randbits, centre, float(scale), int(m))

    def student(self, centre: Number, scale: float, nu: int) -> float:
        """Draw the double nearest to centre + scale T, T Student-t with nu degrees of freedom."""
        check_scale(scale)
        check_centre(centre)
        return exact.student(secrets.randbits, centre, float(scale), int(nu))

    def exponential(self, distances: Sequence[int], widths: Sequence[int], rate: float) -> int:
        """Draw index i with probability proportional to widths[i] exp(-rate distances[i])."""
        check_scale(rate)
        return exact.exponential(secrets.randbits, distances, widths, float(rate))

    def permute_and_flip(self, scores: Sequence[int], rate: float) -> int:
        """Draw an index by permute-and-flip."""
        check_scale(rate)
        return exact.permute_and_flip(secrets.randbits, scores, float(rate))

    def noisy_max(self, scores: Sequence[int], scale: float) -> int:
        """Draw the index of the largest score + Laplace(scale)."""
        noisy, _ = _cells("laplace", scores, scale)
        return max(range(len(noisy)), key=noisy.__getitem__)

    def bernoulli(self, probability: float) -> bool:
        """Draw True with exactly the probability that the float represents."""
        if not 0 <= probability <= 1:
            raise ParameterError("A probability must be between 0 and 1.")
        return exact.bernoulli(secrets.randbits, float(probability))

    def below(self, high: int) -> int:
        """Draw an integer from 0 to high - 1."""
        return samplers.below(secrets.randbits, int(high))

    def bits(self, size: int) -> int:
        """Draw independent bits, as one integer."""
        return secrets.randbits(size)

    def words(self, size: int) -> NDArray[np.uint64]:
        """Draw independent uniform words of 62 bits."""
        raw = np.frombuffer(secrets.token_bytes(8 * size), dtype=np.uint64)
        return raw >> np.uint64(64 - WORD_BITS)
