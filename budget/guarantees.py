"""The accounts that a mechanism may state: pure, approximate, Laplace, Gaussian, bounded range."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.budget.account import Account, Floats, Single
from discreet.budget.cost import Cost
from discreet.budget.errors import ParameterError

FAR = 600.0  # beyond e^600 a sum of exponentials equals its largest term to the last bit


@dataclass(frozen=True)
class Pure(Single):
    """Pure ε-DP of which nothing else is known: ε²/2-zCDP (Bun and Steinke 2016, prop. 1.4).

    The curve ln(cosh((α - ½)ε) / cosh(ε/2)) / (α - 1) is that of randomized response, which every
    ε-DP mechanism can be derived from (Kairouz, Oh and Viswanath 2015), so it is tight.
    """

    epsilon: float

    @property
    def size(self) -> float:
        """Epsilon."""
        return self.epsilon

    @property
    def rho(self) -> float:
        """The bound ε²/2."""
        return self.epsilon**2 / 2

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

    @property
    def rho(self) -> float:
        """ε²/8."""
        return self.epsilon**2 / 8

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

    @staticmethod
    def curve(size: Floats, alpha: Floats) -> Floats:
        """Return the curve of randomized response."""
        return Pure.curve(size, alpha)


def generic(cost: Cost) -> Account:
    """Return the account of a charge of which only the cost is known."""
    return Approximate(cost) if cost.delta_units else Pure(cost.epsilon)
