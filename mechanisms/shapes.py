"""Shapes: the standard noise distributions, symmetric around 0 with scale 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import special

from discreet.mechanisms.noise_source import NoiseSource, Number
from discreet.queries.bounds import FloatArray


class Shape(Protocol):
    """A symmetric continuous distribution: cdf, quantile, log-density, and one exact draw."""

    def __hash__(self) -> int:
        """Return a hash: what follows from a shape is computed once."""

    def cdf(self, z: Any) -> FloatArray:
        """Return P(Z <= z)."""

    def quantile(self, p: Any) -> FloatArray:
        """Return the z with P(Z <= z) = p."""

    def log_density(self, z: Any) -> FloatArray:
        """Return the logarithm of the density at z."""

    def draw(self, noise: NoiseSource, centre: Number, scale: float) -> float:
        """Draw centre + scale Z from a noise source."""


@dataclass(frozen=True)
class Laplace:
    """Density exp(-|z|) / 2."""

    def cdf(self, z: Any) -> FloatArray:
        """Return P(Z <= z)."""
        z = np.asarray(z, dtype=np.float64)
        return np.asarray(np.where(z < 0, 0.5 * np.exp(-np.abs(z)), -np.expm1(-np.abs(z)) / 2 + 0.5))

    def quantile(self, p: Any) -> FloatArray:
        """Return the z with P(Z <= z) = p."""
        p = np.asarray(p, dtype=np.float64)
        return np.asarray(np.sign(p - 0.5) * -np.log(2 * np.minimum(p, 1 - p)))

    def log_density(self, z: Any) -> FloatArray:
        """Return the logarithm of the density at z."""
        return np.asarray(-np.abs(z) - np.log(2.0))

    def draw(self, noise: NoiseSource, centre: Number, scale: float) -> float:
        """Draw centre + scale Z."""
        return noise.laplace(centre, scale)


@dataclass(frozen=True)
class Gaussian:
    """The standard normal distribution."""

    def cdf(self, z: Any) -> FloatArray:
        """Return P(Z <= z)."""
        return np.asarray(special.ndtr(z))

    def quantile(self, p: Any) -> FloatArray:
        """Return the z with P(Z <= z) = p."""
        return np.asarray(special.ndtri(p))

    def log_density(self, z: Any) -> FloatArray:
        """Return the logarithm of the density at z."""
        return np.asarray(-np.square(z) / 2 - np.log(2 * np.pi) / 2)

    def draw(self, noise: NoiseSource, centre: Number, scale: float) -> float:
        """Draw centre + scale Z."""
        return noise.gaussian(centre, scale)


@dataclass(frozen=True)
class CoreTail:
    """Core-tail noise with r = 1/m: the narrowest with a constant loss under shift and dilation.

    |Z| has density c (1 - r w)^(1/r - 1) on [0, 1] and c K ((1 + r)/(1 + r w))^(1/r + 1) beyond,
    K = (1 - r)^(1/r - 1), c = 1/(1 + 2 r K). Scaled by S/epsilon it is epsilon-DP for every
    (r epsilon)-smooth S (proof in docs/guarantees.md); r to 0 is Laplace, r = 1 has a Cauchy tail.
    """

    m: int

    @property
    def r(self) -> float:
        """The ratio of beta to epsilon."""
        return 1.0 / self.m

    @property
    def constants(self) -> tuple[float, float, float]:
        """K, c and the survival probability of |Z| at 1."""
        r = self.r
        kink = (1 - r) ** (self.m - 1)
        c = 1 / (1 + 2 * r * kink)
        return kink, c, c * kink * (1 + r)

    def _survival(self, w: FloatArray) -> FloatArray:
        _, c, q = self.constants
        r, m = self.r, self.m
        core = 1 - c * (1 - np.maximum(1 - r * w, 0) ** m)
        tail = q * ((1 + r) / (1 + r * w)) ** m
        return np.asarray(np.where(w <= 1, core, tail))

    def cdf(self, z: Any) -> FloatArray:
        """Return P(Z <= z)."""
        z = np.asarray(z, dtype=np.float64)
        half = self._survival(np.abs(z)) / 2
        return np.asarray(np.where(z < 0, half, 1 - half))

    def quantile(self, p: Any) -> FloatArray:
        """Return the z with P(Z <= z) = p."""
        p = np.asarray(p, dtype=np.float64)
        _, c, q = self.constants
        r, m = self.r, self.m
        u = 2 * np.minimum(p, 1 - p)
        with np.errstate(divide="ignore"):
            core = m * -np.expm1(np.log1p(-np.minimum((1 - u) / c, 1.0)) / m)
            tail = m * ((1 + r) * (q / u) ** r - 1)
        return np.asarray(np.sign(p - 0.5) * np.where(u >= q, core, tail))

    def log_density(self, z: Any) -> FloatArray:
        """Return the logarithm of the density at z."""
        w = np.abs(np.asarray(z, dtype=np.float64))
        kink, c, _ = self.constants
        r, m = self.r, self.m
        with np.errstate(divide="ignore", invalid="ignore"):
            core = (m - 1) * np.log1p(-r * np.minimum(w, 1)) if m > 1 else np.zeros_like(w)
            tail = np.log(kink) + (m + 1) * (np.log1p(r) - np.log1p(r * w))
        return np.asarray(np.where(w <= 1, core, tail) + np.log(c / 2))

    def draw(self, noise: NoiseSource, centre: Number, scale: float) -> float:
        """Draw centre + scale Z."""
        return noise.core_tail(centre, scale, self.m)


@dataclass(frozen=True)
class Student:
    """Student's t with nu degrees of freedom."""

    nu: int

    def cdf(self, z: Any) -> FloatArray:
        """Return P(Z <= z)."""
        return np.asarray(special.stdtr(self.nu, z))

    def quantile(self, p: Any) -> FloatArray:
        """Return the z with P(Z <= z) = p."""
        return np.asarray(special.stdtrit(self.nu, p))

    def log_density(self, z: Any) -> FloatArray:
        """Return the logarithm of the density at z."""
        nu = self.nu
        front = special.gammaln((nu + 1) / 2) - special.gammaln(nu / 2) - np.log(nu * np.pi) / 2
        return np.asarray(front - (nu + 1) / 2 * np.log1p(np.square(z) / nu))

    def draw(self, noise: NoiseSource, centre: Number, scale: float) -> float:
        """Draw centre + scale Z."""
        return noise.student(centre, scale, self.nu)
