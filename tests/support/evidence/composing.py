"""Composing: the privacy loss of several releases, by convolution of exact losses, without any code of the product.

Every loss is rounded down to a grid, so the total is never above the truth; it is below it by less than a cell for each
release.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import ndtr

from discreet.budget import BoundedRange, GaussianAccount, LaplaceAccount, Pure
from discreet.budget.accounts import Approximate

CELLS = 300  # per release
FAR = 9.0  # standard deviations of a normal loss that are covered
Array = Any


def below_pure(loss: Array, epsilon: float) -> Array:
    """Return the distribution function of the loss of randomized response."""
    return np.where(loss <= -epsilon, 0.0, np.where(loss <= epsilon, 1 / (1 + math.exp(epsilon)), 1.0))


def below_laplace(loss: Array, epsilon: float) -> Array:
    """The distribution function for Laplace noise: half of all losses are epsilon, and some are below 0."""
    inside = 0.5 * np.exp((np.clip(loss, -epsilon, epsilon) - epsilon) / 2)
    return np.where(loss <= -epsilon, 0.0, np.where(loss <= epsilon, inside, 1.0))


def below_normal(loss: Array, sigma: float) -> Array:
    """The distribution function for normal noise: the loss is normal, with variance twice its mean."""
    return ndtr((loss - 0.5 / sigma**2) * sigma)


def below_range(loss: Array, epsilon: float) -> Array:
    """The distribution function for the hull of all pairs whose losses are in an interval of this length around 0."""
    return 1 - (1 - np.exp((np.clip(loss, -epsilon, epsilon) - epsilon) / 2)) / -math.expm1(-epsilon)


def part(account: Any) -> tuple[Callable[[Array, float], Array], float, float, float]:
    """Return the distribution of one release's loss: its function, its size, its largest loss, its infinite part."""
    if isinstance(account, Approximate):
        return below_pure, account.cost.epsilon, account.cost.epsilon, account.cost.delta
    if isinstance(account, GaussianAccount):
        sigma = account.sigma
        return below_normal, sigma, 0.5 / sigma**2 + FAR / sigma, 0.0
    laws: dict[type[Any], Any] = {Pure: below_pure, LaplaceAccount: below_laplace, BoundedRange: below_range}
    return laws[type(account)], account.epsilon, account.epsilon, 0.0


class Together:
    """The losses of several releases together, on a grid."""

    def __init__(self, accounts: Iterable[Any]) -> None:
        """Convolve."""
        counted = Counter(accounts)
        self.number = sum(counted.values())
        reach = sum(part(each)[2] * times for each, times in counted.items())
        self.step = reach / (self.number * CELLS)
        last = self.number * (CELLS + 2)
        size = 1 << (2 * last + 1).bit_length()
        joint, finite = np.ones(size // 2 + 1, complex), 1.0
        for each, times in counted.items():
            below, amount, most, infinite = part(each)
            top = math.ceil(most / self.step) + 1
            edges = np.arange(-top, top + 2) * self.step
            masses = np.diff(below(edges - 1e-9 * self.step, amount))
            row = np.zeros(size)
            row[np.arange(-top, top + 1) % size] = masses
            joint *= np.fft.rfft(row) ** times
            finite *= (1 - infinite) ** times
        self.masses = np.clip(np.roll(np.fft.irfft(joint, size), last)[: 2 * last + 1], 0, 1) * finite
        self.losses = np.arange(-last, last + 1) * self.step
        self.infinite = 1 - finite

    def delta(self, epsilon: float) -> float:
        """Return the delta at an epsilon, not above the truth except for the last digits of a transform."""
        over = self.losses > epsilon
        return self.infinite + float(-np.expm1(epsilon - self.losses[over]) @ self.masses[over])

    def epsilon(self, delta: float) -> float:
        """Return the epsilon at a delta; infinite if there is none."""
        if self.infinite > delta:
            return math.inf
        low, high = 0.0, float(self.losses[-1])
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self.delta(middle) > delta else (low, middle)
        return high


@lru_cache(maxsize=1024)
def divergence(account: Any, order: float) -> float:
    """Return the Rényi divergence of one release, by a sum over a fine grid; not above the truth."""
    if isinstance(account, GaussianAccount):
        return 0.5 * order / account.sigma**2
    below, amount, most, _ = part(account)
    edges = np.linspace(-most, most, 200_001)
    edges = np.append(edges, edges[-1] + edges[1] - edges[0])
    masses = np.diff(below(edges - 1e-9 * (edges[1] - edges[0]), amount))
    low = edges[:-1]
    top = (order - 1) * low.max()
    return float((top + math.log(np.exp((order - 1) * low - top) @ masses)) / (order - 1))


def delta_of_curve(divergence: Callable[[Array], Array], epsilon: float, orders: Array) -> float:
    """Return the delta that a Rényi curve proves at an epsilon, the best over some orders.

    Canonne, Kamath and Steinke 2020, prop. 12: exp((α-1)(D-ε)) / (α-1) (1-1/α)^α.
    """
    logs = (orders - 1) * (divergence(orders) - epsilon) - np.log(orders - 1) + orders * np.log1p(-1 / orders)
    return math.exp(logs.min())
