"""The accounts that a mechanism may state: pure, approximate, Laplace, Gaussian, bounded range."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from discreet.budget.account import Account, Floats, Single
from discreet.budget.cost import Cost
from discreet.budget.errors import ParameterError
from discreet.budget.grids import response, through

if TYPE_CHECKING:
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

FAR = 600.0  # beyond e^600 a sum of exponentials equals its largest term to the last bit
FARTHEST = 10.0  # deviations of a loss: what lies beyond has a chance of 1e-23, and is counted as infinite


@dataclass(frozen=True)
class Pure(Single):
    """Pure ε-DP of which nothing else is known: ε²/2-zCDP (Bun and Steinke 2016, prop. 1.4).

    The curve ln(cosh((α - ½)ε) / cosh(ε/2)) / (α - 1) is that of randomized response, which every
    ε-DP mechanism can be derived from (Kairouz, Oh and Viswanath 2015), so it is tight.
    """

    rounded: ClassVar[bool] = True
    epsilon: float

    @property
    def size(self) -> float:
        """Epsilon."""
        return self.epsilon

    @property
    def rho(self) -> float:
        """The bound ε²/2."""
        return self.epsilon**2 / 2

    @property
    def loss(self) -> float:
        """Epsilon."""
        return self.epsilon

    def distribution(self, step: float) -> PrivacyLossDistribution:
        """Return that of randomized response."""
        return response(self.epsilon, 0.0, step)

    @staticmethod
    def curve(size: Floats, alpha: Floats) -> Floats:
        """Return the curve of randomized response, without cancellation for small epsilon."""
        inner = np.minimum(size / 2, FAR / 2)
        excess = 2 * np.sinh(np.minimum(alpha * size, FAR) / 2) / np.cosh(inner)
        excess *= np.sinh(np.minimum((alpha - 1) * size, FAR) / 2)
        far = (alpha - 1) * size - np.log1p(np.exp(-size))
        result: Floats = np.where(alpha * size < FAR / 2, np.log1p(excess), far) / (alpha - 1)
        return result


@dataclass(frozen=True)
class LaplaceAccount(Pure):
    """Laplace noise of scale 1/ε on an answer of sensitivity 1, exactly (Mironov 2017, prop. 6).

    For another sensitivity, ε is sensitivity over scale. Being ε-DP it is ε²/2-zCDP.
    """

    rounded: ClassVar[bool] = False

    def distribution(self, step: float) -> PrivacyLossDistribution:
        """Return that of the noise."""
        from dp_accounting.pld import privacy_loss_distribution as pld

        return pld.from_laplace_mechanism(1 / self.epsilon, value_discretization_interval=step)

    @staticmethod
    def curve(size: Floats, alpha: Floats) -> Floats:
        """Return ln(α/(2α-1)·e^((α-1)ε) + (α-1)/(2α-1)·e^(-αε)) / (α-1)."""
        rise, weight = (alpha - 1) * size, alpha / (2 * alpha - 1)
        near = weight * np.expm1(np.minimum(rise, FAR)) + (1 - weight) * np.expm1(-alpha * size)
        log = np.where(rise < FAR, np.log1p(np.maximum(near, 0)), rise + np.log(weight))
        result: Floats = log / (alpha - 1)
        return result


@dataclass(frozen=True)
class GaussianAccount(Single):
    """Gaussian noise of deviation σ on an answer of L2 sensitivity 1: rho = 1/(2σ²), exactly.

    For another sensitivity, σ is deviation over sensitivity (Bun and Steinke 2016, prop. 1.6).
    There is no delta of its own to add up.
    """

    sigma: float

    def __post_init__(self) -> None:
        """Refuse a deviation that gives no protection."""
        super().__post_init__()
        if self.sigma < 0.01:
            raise ParameterError("Sigma must be between 0.01 and 1000000. Got {sigma}.", sigma=self.sigma)

    @property
    def size(self) -> float:
        """Sigma."""
        return self.sigma

    @property
    def rho(self) -> float:
        """1/(2σ²)."""
        return 0.5 / self.sigma**2

    @property
    def loss(self) -> float:
        """The deviation of the loss."""
        return 1 / self.sigma

    @classmethod
    def merged(cls, parts: Counter[Single]) -> Single:
        """Return the one normal law to which several compose exactly (Dong, Roth and Su 2022)."""
        precision = math.fsum(times / part.size**2 for part, times in parts.items())
        return cls(1 / math.sqrt(precision) * (1 - 1e-12))

    def distribution(self, step: float) -> PrivacyLossDistribution:
        """Return that of the noise, from its δ at each point of the grid (Balle and Wang 2018, theorem 8).

        The library would ask for one point at a time.
        """
        from scipy import special  # here, so that whoever only reads rows does without SciPy

        mean = 1 / self.sigma
        last = math.ceil((mean**2 / 2 + FARTHEST * mean) / step)
        at = np.arange(-last, last + 1) * step
        near, far = mean / 2 - at / mean, -mean / 2 - at / mean
        deltas = special.ndtr(near) - np.exp(at + special.log_ndtr(far))
        return through(step, last, deltas)

    @staticmethod
    def curve(size: Floats, alpha: Floats) -> Floats:
        """Return α/(2σ²)."""
        result: Floats = alpha * (0.5 / size**2)
        return result


@dataclass(frozen=True)
class BoundedRange(Pure):
    """The exponential mechanism: the losses of a pair lie in an interval of length ε: ε²/8-zCDP.

    Dong, Durfee and Rogers 2020, "Optimal differential privacy composition for exponential
    mechanisms"; the constant is from Cesar and Rogers 2021, "Bounding, concentrating, and
    truncating". It holds for the exponential mechanism, not for permute-and-flip.
    """

    rounded: ClassVar[bool] = False

    @property
    def rho(self) -> float:
        """ε²/8."""
        return self.epsilon**2 / 8

    def distribution(self, step: float) -> PrivacyLossDistribution:
        """Return that of the hull of all pairs whose losses lie in some interval of length ε around 0.

        Where they lie from t - ε to t the worst pair has two outcomes (as `Pure`, with shifted ends), and
        loses (1 - e^(t-ε)) (1 - e^(e-t)) / (1 - e^-ε) of δ at e. The largest over t, at t = (e + ε)/2, is
        (1 - e^((e-ε)/2))² / (1 - e^-ε). As a largest of convex functions of e^e it is what some pair
        loses, and that pair covers them all, alone and composed (Zhu, Dong and Wang 2022, "Optimal
        accounting of differential privacy via characteristic function").
        """
        last = math.ceil(self.epsilon / step)
        at = np.arange(-last, last + 1) * step
        worst = np.expm1((np.minimum(at, self.epsilon) - self.epsilon) / 2) ** 2 / -np.expm1(-self.epsilon)
        return through(step, last, np.where(at <= -self.epsilon, -np.expm1(at), worst))

    @staticmethod
    def curve(size: Floats, alpha: Floats) -> Floats:
        """Return αε²/8, or the curve of pure ε-DP where that is smaller."""
        result: Floats = np.minimum(alpha * size**2 / 8, Pure.curve(size, alpha))
        return result


@dataclass(frozen=True)
class Approximate(Single):
    """(ε, δ)-DP of which nothing else is known: delta adds up separately, the rest is as `Pure`.

    Every (ε, δ)-DP mechanism can be derived from one that shows everything with probability δ and
    is randomized response otherwise (Kairouz, Oh and Viswanath 2015).
    """

    rounded: ClassVar[bool] = True
    cost: Cost

    @property
    def size(self) -> float:
        """Epsilon."""
        return self.cost.epsilon

    @property
    def rho(self) -> float:
        """The bound ε²/2."""
        return self.cost.epsilon**2 / 2

    @property
    def delta_units(self) -> int:
        """Its own delta, in whole units."""
        return self.cost.delta_units

    @property
    def loss(self) -> float:
        """Epsilon."""
        return self.cost.epsilon

    @classmethod
    def worst(cls, parts: Sequence[Single]) -> Single:
        """Return the largest epsilon with the largest delta: neither covers the other."""
        return cls(Cost.parallel(part.cost for part in parts if isinstance(part, Approximate)))

    def distribution(self, step: float) -> PrivacyLossDistribution:
        """Return that of randomized response, and of showing everything with probability δ."""
        return response(self.cost.epsilon, self.cost.delta, step)

    @staticmethod
    def curve(size: Floats, alpha: Floats) -> Floats:
        """Return the curve of randomized response."""
        return Pure.curve(size, alpha)


def generic(cost: Cost) -> Account:
    """Return the account of a charge of which only the cost is known."""
    return Approximate(cost) if cost.delta_units else Pure(cost.epsilon)
