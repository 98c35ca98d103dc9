"""Propose-test-release over a public grid of bounds, so that none has to be guessed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np

from discreet.budget import Cost
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.distance_test import distance
from discreet.mechanisms.base.mechanism import ROUND_UP, OneStatistic
from discreet.mechanisms.base.vocabulary import (
    CLIPPED,
    LAPLACE,
    PTR,
    Family,
    Forecast,
    Noise,
    Public,
    delta_parameter,
    epsilon_parameter,
    parameter,
    statistic,
)
from discreet.mechanisms.laws.anatomy import Anatomy, anatomy
from discreet.mechanisms.laws.law import REFUSED, Answer, Laplace, Law, Noisy, around
from discreet.mechanisms.laws.selecting import log_below, rule
from discreet.mechanisms.ptr import check_test, share_parameter
from discreet.noise.protocol import NoiseSource
from discreet.queries import Column, Query
from discreet.queries.bounds import FloatArray
from discreet.queries.mean import Mean

FAR = 60.0


def tail(t: float, epsilon: float) -> float:
    """Return P(nu - rho >= t) for nu ~ Laplace(4/epsilon), rho ~ Laplace(2/epsilon), t >= 0."""
    a = 4 / epsilon
    c = 2 / epsilon
    return (a * a * math.exp(-t / a) - c * c * math.exp(-t / c)) / (2 * (a * a - c * c))


@lru_cache(maxsize=256)
def grid_threshold(epsilon: float, delta: float, size: int) -> float:
    """Return the smallest T, rounded up, with size * tail(T) <= delta."""
    low = 0.0
    high = 1e4 / epsilon
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if size * tail(middle, epsilon) <= delta else (middle, high)
    return high * ROUND_UP


@dataclass(frozen=True, eq=False)
class Staircase(Law):
    """The first bound of a grid whose noisy distance reaches a noisy threshold, then its noise."""

    distances: tuple[int, ...] = field(repr=False)
    laws: tuple[Noisy, ...] = field(repr=False)
    threshold: float
    epsilon: float

    @cached_property
    def chances(self) -> FloatArray:
        """The exact probability of stopping at each bound; the rest is the refusal."""
        first = 2 / self.epsilon * ROUND_UP
        second = 4 / self.epsilon * ROUND_UP
        gaps = (np.array(self.distances) - self.threshold) / first
        u, weights = rule(np.append(gaps, 0.0), -FAR, FAR, 1.0)
        weights = weights * np.exp(-np.abs(u)) / 2
        left = np.ones(u.size)
        chances = []
        for d in self.distances:
            fails = np.exp(log_below((self.threshold + u * first - d) / second))
            chances.append(float(weights @ (left * (1 - fails))))
            left = left * fails
        return np.array(chances)

    @property
    def draws(self) -> int:
        """One uniform for the bound, one for the noise."""
        return 2

    @property
    def refusal(self) -> float:
        """The probability that no bound passes."""
        return max(0.0, 1.0 - float(self.chances.sum()))

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answered and answer <= y)."""
        parts = [p * law.cdf(y) for p, law in zip(self.chances, self.laws, strict=True)]
        return np.asarray(np.sum(parts, axis=0))

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile of the answers that are given, by bisection."""
        p = np.asarray(p, dtype=np.float64)
        ends = np.stack([law.quantile(p) for law in self.laws])
        low = ends.min(axis=0)
        high = ends.max(axis=0)
        given = self.chances.sum()
        for _ in range(80):
            middle = (low + high) / 2
            enough = self.cdf(middle) >= p * given
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        return np.asarray(high)

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return answers, NaN where refused."""
        stop = np.searchsorted(np.cumsum(self.chances), uniforms[0], side="right")
        answers = np.full(uniforms.shape[1], np.nan)
        for j, law in enumerate(self.laws):
            here = stop == j
            answers[here] = law.quantile(uniforms[1][here])
        return answers

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw one threshold, fresh noise for every distance, and one answer if any passes."""
        (bar,) = noise.laplaces([self.threshold], 2 / self.epsilon * ROUND_UP)
        noisy = noise.laplaces(self.distances, 4 / self.epsilon * ROUND_UP)
        for reached, law in zip(noisy, self.laws, strict=True):
            if reached >= bar:
                return law.draw(noise)
        return REFUSED


@anatomy.register
def staircase(law: Staircase) -> Anatomy:
    """Decompose a mixture: the kinks of all parts, the sum of their densities."""
    parts = [anatomy(inner) for inner in law.laws]
    chances = law.chances

    def log_density(y: Any) -> FloatArray:
        logs = [part.log_density(y) for part in parts]
        with np.errstate(divide="ignore"):
            weighted = np.stack(logs) + np.log(chances)[:, None]
        return np.asarray(np.logaddexp.reduce(weighted, axis=0))

    def mass(low: FloatArray, high: FloatArray) -> FloatArray:
        return np.asarray(sum(p * part.mass(low, high) for p, part in zip(chances, parts, strict=True)))

    masses = np.sum([p * part.masses for p, part in zip(chances, parts, strict=True)], axis=0)
    edges = np.unique(np.concatenate([part.edges for part in parts]))
    return Anatomy(law.refusal, parts[0].points, masses, edges, log_density, mass)


@dataclass(frozen=True)
class ProposeGrid(OneStatistic):
    """Try bounds from small to large until one passes; release with the noise of that one.

    AboveThreshold on the distances D(b_1) <= D(b_2) <= ...: threshold noise Laplace(2/e1), fresh
    Laplace(4/e1) for every distance, then f(x) + Laplace(b/e2). The grid is public: it falls from
    the global sensitivity by a constant factor.
    Guarantee: (epsilon, delta)-DP: T makes the sum over the grid of the chances that a distance of
    0 passes at most delta (a union bound). A refusal costs everything.
    Proof: every distance moves by at most 1, so where the search stops is e1-DP. Where D(b) is at
    least 1 on one side, |f(x) - f(x')| <= b and the answer is e2-DP. All other stops have D(b) = 0
    on both sides, and happen with a chance of at most delta together.
    Reference: Dwork and Lei 2009; Dwork and Roth 2014, section 3.6, for AboveThreshold.
    Complexity: about 20 rungs a bound.
    Corner cases: the last bound is below the global sensitivity, so a refusal is possible; ties
    and empty data have distance 0 and are tested like any other.
    """

    slug: ClassVar[str] = "propose-grid"
    title: ClassVar[str] = "Propose-test-release over a grid of bounds"
    family: ClassVar[Family] = PTR
    noise: ClassVar[Noise] = LAPLACE
    after: ClassVar[Phrase] = CLIPPED

    query: Query = statistic(Mean)
    epsilon: float = epsilon_parameter()
    delta: float = delta_parameter()
    share: float = share_parameter()
    size: int = parameter("Bounds", 1, 100, default=20, help="This many bounds are tried.")
    factor: float = parameter(
        "Factor", 1.01, 100, default=2.0, help="This is the ratio between one bound and the next."
    )

    def __post_init__(self) -> None:
        """Raise ParameterError for a number of bounds that is not an integer, or a test too weak to compute."""
        super().__post_init__()
        if not isinstance(self.size, int):
            raise ParameterError(
                "The number of bounds must be a whole number from 1 to 100. Got {size}.", size=self.size
            )
        check_test(self.epsilon_test)

    @property
    def epsilon_test(self) -> float:
        """The part of epsilon that finds the bound."""
        return self.epsilon * self.share

    @property
    def epsilon_answer(self) -> float:
        """The part of epsilon that the answer spends."""
        return self.epsilon - self.epsilon_test

    def cost(self) -> Cost:
        """Return (epsilon, delta)."""
        return Cost.of(self.epsilon, self.delta)

    def refused(self) -> Phrase:
        """Return the meaning of a refusal."""
        return Phrase("The test failed: the dataset may be too close to a jump.")

    def law(self, data: Column) -> Law:
        """Return the law of the first bound that passes, and its answer."""
        top = self.query.global_sensitivity(data.bounds)
        bounds = [top / self.factor**j for j in range(self.size, 0, -1)]
        threshold = grid_threshold(self.epsilon_test, self.delta, self.size)
        cap = math.ceil(threshold + 400 / self.epsilon_test)
        distances = tuple(distance(self.query, data, b, cap) for b in bounds)
        inner = around(self.query, data, 1.0, Laplace())
        laws = tuple(replace(inner, scale=b / self.epsilon_answer * ROUND_UP) for b in bounds)
        return Staircase(distances, laws, threshold, self.epsilon_test)

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width: which bound passes stays private."""
        return Forecast(None, "Which bound passes depends on the data and stays private.")
