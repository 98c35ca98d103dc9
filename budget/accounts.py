"""Accounts: what a charge is under each accounting, and how an account of one is converted to another."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.budget.cost import Cost
from discreet.budget.errors import ParameterError

# --- Account: a charge under other accountings: its Rényi curve, its rho, its own delta ---

if TYPE_CHECKING:  # only code that composes imports the accounting library: it takes a second
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

Floats = NDArray[np.float64]


class Account(ABC):
    """A frozen statement about one charge that is valid in addition to its cost.

    With D_α the Rényi divergence of order α in nats (Mironov 2017, "Rényi differential privacy"): except on an event of
    probability `delta`, D_α ≤ rdp(α) for every α > 1 and every pair of neighbours, and rdp(α) ≤ rho·α (Bun and Steinke
    2016, "Concentrated differential privacy").
    """

    @property
    @abstractmethod
    def rho(self) -> float:
        """The rho of zero-concentrated differential privacy."""

    @property
    @abstractmethod
    def delta_units(self) -> int:
        """The part of delta that adds up separately, in whole units of 1e-15."""

    @property
    @abstractmethod
    def parts(self) -> tuple[Single, ...]:
        """The single accounts that this one is made of."""

    def rdp(self, alpha: ArrayLike) -> Floats:
        """Return the Rényi curve at one or many α > 1."""
        return total_rdp([self], alpha)


class Single(Account):
    """An account with one curve, given by one number, so that thousands of curves are computed in one array.

    `rounded` states that its few losses are rounded up to a grid; the losses of other kinds are discretised along it.
    """

    rounded: ClassVar[bool] = False

    @property
    @abstractmethod
    def size(self) -> float:
        """The number that determines the curve."""

    @staticmethod
    @abstractmethod
    def curve(size: Floats, alpha: Floats) -> Floats:
        """Return the Rényi curve for arrays of sizes and of α that broadcast together."""

    @property
    @abstractmethod
    def loss(self) -> float:
        """A number that increases with the privacy loss, from which the grid is chosen."""

    @classmethod
    def merged(cls, parts: Counter[Single]) -> Single | None:
        """Return one account that is equivalent to several of this kind, or None."""
        return None

    @classmethod
    def worst(cls, parts: Sequence[Single]) -> Single:
        """Return one account that covers each of several of this kind."""
        return max(parts, key=lambda part: part.loss)

    @abstractmethod
    def distribution(self, step: float) -> PrivacyLossDistribution:
        """Return the privacy loss distribution of a pair that covers all, on a grid, rounded up."""

    @property
    def delta_units(self) -> int:
        """Zero, unless a subclass overrides it."""
        return 0

    @property
    def parts(self) -> tuple[Single, ...]:
        """This account alone."""
        return (self,)

    def __post_init__(self) -> None:
        """Raise ParameterError for a size outside 0 to 1e6, before any curve is computed."""
        if not 0 <= self.size <= 1e6:
            raise ParameterError(
                "{kind} must be given a number from 0 to 1000000. Got {size}.", kind=type(self).__name__, size=self.size
            )


@dataclass(frozen=True)
class Together(Account):
    """Several accounts inside one release, each adaptive to the ones before: everything adds up."""

    members: tuple[Account, ...]

    @property
    def rho(self) -> float:
        """The sum over the members."""
        return math.fsum(member.rho for member in self.members)

    @property
    def delta_units(self) -> int:
        """The sum over the members."""
        return sum(member.delta_units for member in self.members)

    @property
    def parts(self) -> tuple[Single, ...]:
        """All parts of all members."""
        return tuple(part for member in self.members for part in member.parts)


def total_rdp(accounts: Iterable[Account], alpha: ArrayLike) -> Floats:
    """Return the sum of many Rényi curves: their composition (Mironov 2017, prop. 1)."""
    orders = np.asarray(alpha, dtype=np.float64)
    if not (np.isfinite(orders) & (orders > 1)).all():
        raise ParameterError("The order α must be a finite number above 1.")
    sizes: dict[type[Single], Counter[float]] = {}
    for account in accounts:
        for part in account.parts:
            sizes.setdefault(type(part), Counter())[part.size] += 1
    total = np.zeros_like(orders)
    for kind, counted in sizes.items():
        size = np.array(list(counted), dtype=np.float64).reshape(-1, *[1] * orders.ndim)
        times = np.array(list(counted.values()), dtype=np.float64)
        total += np.tensordot(times, kind.curve(size, orders), 1)
    return total


# --- Grids: privacy loss distributions in the accounting library's form, on a grid of losses ---


def ready() -> None:
    """Import the accounting library, which takes a second or more."""
    from dp_accounting.pld import privacy_loss_distribution  # noqa: F401


def through(step: float, last: int, deltas: Floats) -> PrivacyLossDistribution:
    """Return the distribution on a grid around 0 with these δ at its points, and no smaller δ between them."""
    from dp_accounting.pld import pld_pmf
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

    falling = np.minimum.accumulate(np.clip(deltas, 0.0, 1.0))
    return PrivacyLossDistribution(pld_pmf.create_pmf_pessimistic_connect_dots_fixed_gap(step, -last, last, falling))


def response(epsilon: float, delta: float, step: float) -> PrivacyLossDistribution:
    """Return the loss of everything that (ε, δ)-DP alone allows (Kairouz, Oh and Viswanath 2015)."""
    from dp_accounting.pld import privacy_loss_distribution as pld
    from dp_accounting.pld.common import DifferentialPrivacyParameters

    return pld.from_privacy_parameters(
        DifferentialPrivacyParameters(epsilon, delta), value_discretization_interval=step
    )


# --- The accounts that a mechanism may state: pure, approximate, Laplace, Gaussian, bounded range ---


FAR = 600.0  # beyond e^600 a sum of exponentials equals its largest term to the last bit
FARTHEST = 10.0  # deviations of a loss: what is beyond has a probability of 1e-23 and is counted as infinite


@dataclass(frozen=True)
class Pure(Single):
    """Pure ε-DP without further knowledge: ε²/2-zCDP (Bun and Steinke 2016, prop. 1.4).

    The curve ln(cosh((α - ½)ε) / cosh(ε/2)) / (α - 1) is that of randomized response, from which every ε-DP mechanism
    can be derived (Kairouz, Oh and Viswanath 2015), so it is tight.
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
        """Return the distribution of randomized response."""
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

    For another sensitivity, ε is sensitivity over scale. Because it is ε-DP, it is ε²/2-zCDP.
    """

    rounded: ClassVar[bool] = False

    def distribution(self, step: float) -> PrivacyLossDistribution:
        """Return the distribution of the noise."""
        from dp_accounting.pld import privacy_loss_distribution as pld

        return pld.from_laplace_mechanism(1 / self.epsilon, value_discretization_interval=step)

    @staticmethod
    def curve(size: Floats, alpha: Floats) -> Floats:
        """Return ln(α/(2α-1)·e^((α-1)ε) + (α-1)/(2α-1)·e^(-αε)) / (α-1)."""
        rise = (alpha - 1) * size
        weight = alpha / (2 * alpha - 1)
        near = weight * np.expm1(np.minimum(rise, FAR)) + (1 - weight) * np.expm1(-alpha * size)
        log = np.where(rise < FAR, np.log1p(np.maximum(near, 0)), rise + np.log(weight))
        result: Floats = log / (alpha - 1)
        return result


@dataclass(frozen=True)
class GaussianAccount(Single):
    """Gaussian noise of deviation σ on an answer of L2 sensitivity 1: rho = 1/(2σ²), exactly.

    For another sensitivity, σ is deviation over sensitivity (Bun and Steinke 2016, prop. 1.6). It has no delta of its
    own.
    """

    sigma: float

    def __post_init__(self) -> None:
        """Raise ParameterError for a deviation that gives no protection."""
        super().__post_init__()
        if self.sigma < 0.01:
            raise ParameterError("σ must be between 0.01 and 1000000. Got {sigma}.", sigma=self.sigma)

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
        """Return the distribution of the noise, from its δ at each point of the grid (Balle and Wang 2018, theorem 8).

        The library would be called for one point at a time.
        """
        from scipy import special  # imported here: code that only reads rows does not load SciPy

        mean = 1 / self.sigma
        last = math.ceil((mean**2 / 2 + FARTHEST * mean) / step)
        at = np.arange(-last, last + 1) * step
        near = mean / 2 - at / mean
        far = -mean / 2 - at / mean
        deltas = special.ndtr(near) - np.exp(at + special.log_ndtr(far))
        return through(step, last, deltas)

    @staticmethod
    def curve(size: Floats, alpha: Floats) -> Floats:
        """Return α/(2σ²)."""
        result: Floats = alpha * (0.5 / size**2)
        return result


@dataclass(frozen=True)
class BoundedRange(Pure):
    """The exponential mechanism: the losses of a pair are in an interval of length ε: ε²/8-zCDP.

    Dong, Durfee and Rogers 2020, "Optimal differential privacy composition for exponential mechanisms"; the constant is
    from Cesar and Rogers 2021, "Bounding, concentrating, and truncating". This is valid for the exponential mechanism,
    not for permute-and-flip.
    """

    rounded: ClassVar[bool] = False

    @property
    def rho(self) -> float:
        """ε²/8."""
        return self.epsilon**2 / 8

    def distribution(self, step: float) -> PrivacyLossDistribution:
        """Return the distribution of the hull of all pairs whose losses are in some interval of length ε around 0.

        If they are in t - ε to t, the worst pair has two outcomes (as `Pure`, with shifted ends), and it loses (1 -
        e^(t-ε)) (1 - e^(e-t)) / (1 - e^-ε) of δ at e. The maximum over t, at t = (e + ε)/2, is (1 - e^((e-ε)/2))² / (1
        - e^-ε). As a maximum of convex functions of e^e it is the loss of some pair, and that pair covers them all,
        alone and composed (Zhu, Dong and Wang 2022, "Optimal accounting of differential privacy via characteristic
        function").
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
    """(ε, δ)-DP without further knowledge: delta adds up separately, the rest is as for `Pure`.

    Every (ε, δ)-DP mechanism can be derived from one that reveals everything with probability δ and is randomized
    response otherwise (Kairouz, Oh and Viswanath 2015).
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
        """Return the distribution of randomized response that reveals everything with probability δ."""
        return response(self.cost.epsilon, self.cost.delta, step)

    @staticmethod
    def curve(size: Floats, alpha: Floats) -> Floats:
        """Return the curve of randomized response."""
        return Pure.curve(size, alpha)


def generic(cost: Cost) -> Account:
    """Return the account of a charge of which only the cost is known."""
    return Approximate(cost) if cost.delta_units else Pure(cost.epsilon)


# --- Refined: the account of a step that makes an earlier answer finer ---


@dataclass(frozen=True)
class Refined(Account):
    """The account of the step from an earlier answer (`of` is its request) to a finer one.

    If `instead`, this is the account of both answers together, which equals that of the finer one alone; for the step
    by itself it is an upper bound, in every plan that was fixed in advance. Otherwise fresh noise was added and
    averaged in, and this is the account of that noise.
    """

    of: str
    account: Account
    instead: bool

    @property
    def rho(self) -> float:
        """The rho of the wrapped account."""
        return self.account.rho

    @property
    def delta_units(self) -> int:
        """The delta of the wrapped account."""
        return self.account.delta_units

    @property
    def parts(self) -> tuple[Single, ...]:
        """The parts of the wrapped account."""
        return self.account.parts


# --- Conversions between accountings and (epsilon, delta); every one errs towards more epsilon ---


ROUND_UP = 1 + 1e-9  # outweighs the rounding of every formula here whose terms do not cancel
ROUNDING = 1e-15  # of each term, where terms cancel
ORDERS = 1 + np.geomspace(1e-2, 1e8, 61)  # coarse grid of α; any α is valid, none needs to be the best
DIPS, ZOOMS = 3, 5  # how many minima are refined, and how many times
STEPS = np.linspace(0, 1, 24)[:, np.newaxis]


def rdp_to_epsilon(rdp: ArrayLike, alpha: ArrayLike, delta: float) -> Floats:
    """Return the epsilon that each (α, rdp(α)) proves at this delta.

    Canonne, Kamath and Steinke 2020, "The discrete Gaussian for differential privacy", prop. 12:
    ε = rdp(α) + ln(1 - 1/α) - ln(αδ)/(α - 1). Below 0 it means 0.
    """
    order = np.asarray(alpha, dtype=np.float64)
    divergence = np.asarray(rdp)
    slack = _slack(order, delta)
    # at least all three terms, because -ln(1 - 1/α) is at most 1/(α - 1)
    terms = divergence + np.abs(slack) + 2 / (order - 1)
    result: Floats = np.maximum(0.0, divergence + slack + ROUNDING * terms) * ROUND_UP
    return result


def zcdp_to_epsilon(rho: float, delta: float) -> float:
    """Return the epsilon that rho-zCDP proves at this delta, minimised over α."""
    if rho == 0:
        return 0.0
    return least(lambda order: rdp_to_epsilon(rho * order, order, delta))


def epsilon_to_zcdp(epsilon: float, delta: float) -> float:
    """Return the largest rho whose conversion stays within (epsilon, delta).

    For each α the conversion is linear in rho, so it is inverted exactly; any α is valid.
    """
    return max(0.0, -least(lambda order: -_rho_at(order, epsilon, delta))) / ROUND_UP


def _rho_at(order: Floats, epsilon: float, delta: float) -> Floats:
    result: Floats = (epsilon / ROUND_UP - _slack(order, delta)) / order
    return result


def _slack(order: Floats, delta: float) -> Floats:
    result: Floats = np.log1p(-1 / order) - np.log(order * delta) / (order - 1)
    return result


def least(value: Callable[[Floats], Floats]) -> float:
    """Return the minimum over the orders α, as far as successively finer grids find it."""
    order = ORDERS
    for _ in range(ZOOMS):
        order = _zoomed(order, value(order))
    return float(value(order).min())


def _zoomed(order: Floats, value: Floats) -> Floats:
    """Return finer grids of α around the deepest minima: the smaller of two bounds may have several."""
    falls = value[1:] <= value[:-1]
    dips = np.flatnonzero(np.append(True, falls) & ~np.append(falls, False))
    deepest = np.sort(dips[np.argsort(value[dips], kind="stable")[:DIPS]])
    low = order[np.maximum(deepest - 1, 0)] - 1
    high = order[np.minimum(deepest + 1, order.size - 1)] - 1
    return (1 + low * (high / low) ** STEPS).ravel(order="F")


def advanced_epsilon(epsilons: Floats, delta: float) -> float:
    """Return the advanced composition bound for releases of different epsilon.

    Kairouz, Oh and Viswanath 2015, theorem 3.5: the smallest of the plain sum and
    Σ ε·tanh(ε/2) + √(2 Σε² · L), with L = ln(1/δ) or ln(e + √(Σε²)/δ).
    """
    squares = float(np.sum(epsilons**2))
    linear = float(np.sum(epsilons * np.tanh(epsilons / 2)))
    logarithm = min(np.log(1 / delta), np.log(np.e + np.sqrt(squares) / delta))
    bound = linear + np.sqrt(2 * squares * logarithm)
    return float(min(np.sum(epsilons), bound)) * ROUND_UP


def equal_epsilon(epsilon: float, count: int, delta: float) -> float:
    """Return the smallest epsilon that is valid for `count` releases of one epsilon: the optimum.

    Kairouz, Oh and Viswanath 2015, theorem 3.3: the worst case is randomized response each time,
    whose number of lies is binomial. delta(e) = max over i of (A_i - exp(e)·B_i), where A_i and B_i
    are the probabilities of fewer than i lies under the two neighbours; here solved for e.
    """
    from scipy.special import gammaln  # imported here: code that only reads rows does not load SciPy

    lies = np.arange(count + 1)
    ways = gammaln(count + 1) - gammaln(lies + 1) - gammaln(count - lies + 1)
    log_truth = -np.log1p(np.exp(-epsilon))
    log_lie = -np.log1p(np.exp(epsilon))
    truth = np.logaddexp.accumulate(ways + (count - lies) * log_truth + lies * log_lie)
    other = np.logaddexp.accumulate(ways + lies * log_truth + (count - lies) * log_lie)
    above = truth > np.log(delta)
    level = truth[above] + np.log1p(-np.exp(np.log(delta) - truth[above])) - other[above]
    return max(0.0, float(level.max(initial=0.0))) * ROUND_UP
