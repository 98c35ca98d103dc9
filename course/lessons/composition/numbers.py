"""Numbers of lesson 5: two coins, the cost of many results, and the effect of rounding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import special

from discreet.budget import Account, Charge, Cost, GaussianAccount, LaplaceAccount, all_views, basic_lasts
from discreet.budget.accounts import rdp_to_epsilon, total_rdp
from discreet.budget.composition import BY_HAND, renyi
from discreet.course.lessons.differencing.numbers import ONE, counting, law
from discreet.mechanisms import Public, registry
from discreet.mechanisms.exhibits.exhibit import largest
from discreet.mechanisms.gaussian import AnalyticGaussian
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.laws.anatomy import Anatomy, anatomy
from discreet.mechanisms.laws.divergence import loss
from discreet.mechanisms.laws.law import Answer, Law, Product, Whole
from discreet.mechanisms.several_gaussian import SeveralGaussian
from discreet.noise.protocol import NoiseSource
from discreet.queries.bounds import FloatArray
from discreet.queries.count import Count

# Coins: two coins as two distributions, and the divergence between them in both directions.


@dataclass(frozen=True)
class Coins:
    """The probability of heads of two coins P and Q, neither of them 0 or 1."""

    p: float
    q: float

    def _pairs(self) -> tuple[tuple[float, float], tuple[float, float]]:
        return (self.p, self.q), (1 - self.p, 1 - self.q)

    @property
    def there(self) -> float:
        """KL(P‖Q): the average privacy loss under P."""
        return sum(p * math.log(p / q) for p, q in self._pairs())

    @property
    def back(self) -> float:
        """KL(Q‖P): the average privacy loss under Q."""
        return Coins(self.q, self.p).there

    @property
    def most(self) -> float:
        """The largest loss in both directions: the ε of a mechanism with these two output distributions."""
        return max(abs(math.log(p / q)) for p, q in self._pairs())


# Composition: the cost of many results, by composition theorems and by the exact distributions.

LAPLACE = GlobalLaplace.slug
GAUSSIAN = AnalyticGaussian.slug
PEOPLE = 900
MOST = 200  # results, the end of the figures
COUNTS = (*range(1, 20), *range(20, MOST + 1, 5))
SHARE = 1000  # one Gaussian result takes this fraction of delta, so that the plain sum has room for all
MANY = 100
ORDERS: FloatArray = 1 + np.geomspace(0.05, 500, 161)


@dataclass(frozen=True)
class Price:
    """The charged cost of results, and the exact loss of the worst pair of neighbours."""

    charged: float
    exact: float


def everybody(answers: int, epsilon: float) -> Price:
    """Return the cost of several counts of the same people: one person changes all of them."""
    charged = sum([counting(epsilon).cost()] * answers, Cost.zero())
    with_ = law(PEOPLE, epsilon)
    without = law(PEOPLE - 1, epsilon)
    return Price(charged.epsilon, loss(Product((with_,) * answers), Product((without,) * answers)))


def groups(answers: int, epsilon: float) -> Price:
    """Return the cost of one count for each of several groups: one person changes one of them."""
    charged = Cost.parallel([counting(epsilon).cost()] * answers)
    others = (law(PEOPLE, epsilon),) * (answers - 1)
    with_ = law(PEOPLE, epsilon)
    without = law(PEOPLE - 1, epsilon)
    return Price(charged.epsilon, loss(Product((with_, *others)), Product((without, *others))))


def charge(noise: str, epsilon: float, delta: float) -> Charge:
    """Return the charge of one noisy count; a Gaussian one takes a small part of delta."""
    extra = {"delta": delta / SHARE} if noise == GAUSSIAN else {}
    kind: Any = registry[noise]
    mechanism = kind(query=Count(), epsilon=epsilon, **extra)
    return Charge(mechanism.cost(), mechanism.account())


def totals(noise: str, epsilon: float, delta: float, answers: int) -> dict[str, float]:
    """Return the total epsilon of several results at delta, by the names of the accountings.

    *Advanced* is the formula of the books; the account of that name in a ledger is the optimum for equal epsilons.
    """
    charges = [charge(noise, epsilon, delta)] * answers
    left = delta - answers * charges[0].cost.delta
    by_name = {view.name: view.epsilon for view in all_views(charges, delta, BY_HAND)}
    return by_name | {"Optimal": by_name["Advanced"], "Advanced": advanced(answers, epsilon, left)}


def advanced(answers: int, epsilon: float, delta: float) -> float:
    """Return what the books' formula of advanced composition proves: ε √(2k ln(1/δ)) + kε (e^ε − 1)/(e^ε + 1)."""
    usual = epsilon * (math.exp(epsilon) - 1) / (math.exp(epsilon) + 1)
    return epsilon * math.sqrt(2 * answers * math.log(1 / delta)) + answers * usual


@lru_cache(maxsize=64)
def growth(noise: str, epsilon: float, delta: float) -> dict[str, tuple[float, ...]]:
    """Return the totals of 1, 2, ... results for every accounting."""
    by_answers = [totals(noise, epsilon, delta, answers) for answers in COUNTS]
    return {name: tuple(total[name] for total in by_answers) for name in by_answers[0]}


@lru_cache(maxsize=64)
def pays_from(noise: str, epsilon: float, delta: float) -> int:
    """Return the number of results from which zCDP proves less than the plain sum."""
    return basic_lasts(charge(noise, epsilon, delta), delta) + 1


@dataclass(frozen=True)
class Curve:
    """Several results in one accounting: their Rényi curve, and what it proves at delta."""

    account: Account
    answers: int

    @property
    def rho(self) -> float:
        """The rho of all results: the slope of a line above the curve."""
        return self.account.rho * self.answers

    def rdp(self, alpha: FloatArray = ORDERS) -> FloatArray:
        """Return the Rényi divergence of all results together."""
        return total_rdp([self.account] * self.answers, alpha)

    def proved(self, delta: float) -> FloatArray:
        """Return the epsilon that every order proves at delta."""
        return rdp_to_epsilon(self.rdp(), ORDERS, delta)

    def printed(self, delta: float) -> FloatArray:
        """Return the epsilon that every order proves by the textbook's conversion."""
        return self.rdp() + math.log(1 / delta) / (ORDERS - 1)

    def by_line(self, delta: float) -> float:
        """Return the epsilon that the line of zCDP proves by the textbook's conversion."""
        return self.rho + 2 * math.sqrt(self.rho * math.log(1 / delta))

    def epsilon(self, delta: float) -> float:
        """Return the epsilon of the best order, including orders between the points of the figure."""
        return renyi([Charge(Cost.zero(), self.account)] * self.answers, delta).epsilon


def alike(epsilon: float, answers: int) -> tuple[Curve, Curve]:
    """Return Laplace noise of scale 1/epsilon and Gaussian noise with the same standard deviation."""
    deviation = math.sqrt(2) / epsilon  # a Laplace distribution of scale b has standard deviation b times root 2
    return Curve(LaplaceAccount(epsilon), answers), Curve(GaussianAccount(deviation), answers)


@dataclass(frozen=True)
class Errors:
    """The sensitivity of many counts at one total cost, and the error of each."""

    l1: float
    l2: float
    laplace: float
    gaussian: float
    printed: float  # Gaussian noise with the textbook's standard deviation, which is proven for epsilon < 1


def moved(counts: int, everywhere: bool) -> FloatArray:
    """Return how far one person moves each count: a person is in all of them, or in one."""
    step = Count().global_sensitivity(ONE)
    return np.full(counts, step) if everywhere else np.append(step, np.zeros(counts - 1))


def at_once(counts: int, everywhere: bool, epsilon: float, delta: float) -> Errors:
    """Return the 95% margins of error under both kinds of noise.

    If a person is in one count only, the sensitivity of the list is that of a single count.
    """
    list_ = moved(counts, everywhere)
    queries = (Count(),) * (counts if everywhere else 1)
    each = GlobalLaplace(query=Count(), epsilon=epsilon / len(queries))
    together = SeveralGaussian(queries=queries, epsilon=epsilon, delta=delta)
    l1, l2 = (float(np.linalg.norm(list_, order)) for order in (1, 2))
    printed = -float(special.ndtri(0.025)) * printed_sigma(l2, epsilon, delta)
    return Errors(l1, l2, each.forecast(Public(ONE)).half_width or math.inf, together.widths(ONE)[0], printed)


def printed_sigma(l2: float, epsilon: float, delta: float) -> float:
    """Return the textbook's standard deviation of Gaussian noise."""
    return l2 * math.sqrt(2 * math.log(1.25 / delta)) / epsilon


@lru_cache(maxsize=64)
def widths(everywhere: bool, epsilon: float, delta: float) -> tuple[Errors, ...]:
    """Return the errors of 1, 2, ... counts."""
    return tuple(at_once(n, everywhere, epsilon, delta) for n in range(1, MANY + 1))


def narrower_from(errors: Sequence[Errors]) -> int | None:
    """Return the number of counts from which Gaussian noise is narrower; None if it never is."""
    narrower = (n for n, noise in enumerate(errors, 1) if noise.gaussian < noise.laplace)
    return next(narrower, None)


# Postprocessing: what rounding does to the results of two neighbours.


@dataclass(frozen=True)
class Rounded(Law):
    """The distribution of a whole number rounded to the nearest multiple of a unit, halves upwards."""

    inner: Whole
    unit: int

    def to(self, y: Any) -> FloatArray:
        """Return numbers rounded in this way."""
        return np.floor(np.asarray(y, dtype=np.float64) / self.unit + 0.5) * self.unit

    def cdf(self, y: Any) -> FloatArray:
        """Return P(result <= y): all whole numbers below the next half."""
        last = np.floor(np.asarray(y, dtype=np.float64) / self.unit) * self.unit
        return self.inner.cdf(np.ceil(last + self.unit / 2) - 1)

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile."""
        return self.to(self.inner.quantile(p))

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw one result."""
        return int(self.to(self.inner.draw(noise)))


@anatomy.register
def rounded(law: Rounded) -> Anatomy:
    """Describe the distribution, where whole numbers that round to one multiple are merged."""
    whole = anatomy(law.inner)
    points, where = np.unique(law.to(whole.points), return_inverse=True)
    return Anatomy(points=points, masses=np.bincount(where, whole.masses).astype(float))


@dataclass(frozen=True)
class Afterwards:
    """Rounded results of two neighbours: probabilities, and the divergence before and after rounding."""

    answers: FloatArray
    with_: FloatArray
    without: FloatArray
    loss_before: float
    loss_after: float
    delta_before: float
    delta_after: float


def afterwards(epsilon: float, unit: int, reach: int = 40) -> Afterwards:
    """Return the effect of rounding on one count of two neighbours; delta is at half of epsilon."""
    this = counted(PEOPLE, epsilon)
    other = counted(PEOPLE - 1, epsilon)
    p = Rounded(this, unit)
    q = Rounded(other, unit)
    around = p.to(np.arange(PEOPLE - reach, PEOPLE + reach + 1))
    answers = np.unique(around[np.abs(around - PEOPLE) <= reach])
    return Afterwards(
        answers,
        _chances(p, answers),
        _chances(q, answers),
        max(loss(this, other), loss(other, this)),
        max(loss(p, q), loss(q, p)),
        largest([(this, other)], epsilon / 2),
        largest([(p, q)], epsilon / 2),
    )


def counted(count: int, epsilon: float) -> Whole:
    """Return the distribution of one noisy count, in whole numbers."""
    count_law = law(count, epsilon)
    assert isinstance(count_law, Whole)
    return count_law


def _chances(law: Rounded, answers: FloatArray) -> FloatArray:
    parts = anatomy(law)
    places = np.searchsorted(parts.points, answers)
    places = np.minimum(places, parts.points.size - 1)
    return np.where(parts.points[places] == answers, parts.masses[places], 0.0)
