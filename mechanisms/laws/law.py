"""Laws: the probability distribution of an answer, given the data: standard shapes, and composed laws."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from scipy import special

from discreet.budget.errors import ParameterError
from discreet.noise.protocol import NoiseSource, Number
from discreet.queries import Column, Query
from discreet.queries.bounds import FloatArray, IntArray

# --- Shapes: the standard noise distributions, symmetric around 0 with scale 1 ---


class Shape(Protocol):
    """A symmetric continuous distribution: cdf, quantile, log-density, and one exact draw."""

    def __hash__(self) -> int:
        """Return a hash, because results that depend on a shape are cached."""

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
        r = self.r
        m = self.m
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
        r = self.r
        m = self.m
        u = 2 * np.minimum(p, 1 - p)
        with np.errstate(divide="ignore"):
            core = m * -np.expm1(np.log1p(-np.minimum((1 - u) / c, 1.0)) / m)
            tail = m * ((1 + r) * (q / u) ** r - 1)
        return np.asarray(np.sign(p - 0.5) * np.where(u >= q, core, tail))

    def log_density(self, z: Any) -> FloatArray:
        """Return the logarithm of the density at z."""
        w = np.abs(np.asarray(z, dtype=np.float64))
        kink, c, _ = self.constants
        r = self.r
        m = self.m
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


# --- Laws: the probability distribution of an answer, given the data. Private until one draw. ---

Answer = float | int | str | tuple[Any, ...] | None
REFUSED: Answer = None


class Law(ABC):
    """The distribution of one answer.

    `simulate` maps independent uniforms (one row per `draws`) to answers, so that ten thousand
    answers are one array operation; `draw` asks a noise source for exactly one.
    """

    @property
    def draws(self) -> int:
        """The number of uniforms that one simulated answer needs."""
        return 1

    @property
    def refusal(self) -> float:
        """The probability that there is no answer."""
        return 0.0

    @property
    def everything(self) -> Law:
        """The law of all that is shown: this law, unless more than the answer is computed from a draw."""
        return self

    @abstractmethod
    def cdf(self, y: Any) -> FloatArray:
        """Return P(answered and answer <= y)."""

    @abstractmethod
    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile of the answers that are given."""

    @abstractmethod
    def draw(self, noise: NoiseSource) -> Answer:
        """Draw one answer; None is a refusal."""

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return one answer per column of uniforms; NaN is a refusal."""
        return self.quantile(uniforms[0])


@dataclass(frozen=True)
class Noisy(Law):
    """centre + scale Z, clipped into [low, high] afterwards (post-processing).

    The centre stays exact until the noise is added.
    """

    centre: Number
    scale: float
    shape: Shape
    low: float = -np.inf
    high: float = np.inf

    def __post_init__(self) -> None:
        """Raise ParameterError for a scale that would release the exact answer."""
        if not (np.isfinite(self.scale) and self.scale > 0 and math.isfinite(self.centre)):
            raise ParameterError("The noise scale must be a finite number above 0.")

    @cached_property
    def _centre(self) -> tuple[float, float]:
        """The nearest double to the centre, and the rest."""
        near = float(self.centre)
        return near, float(Fraction(self.centre) - Fraction(near))

    def standard(self, y: FloatArray) -> FloatArray:
        """Return z = (y - centre) / scale."""
        near, rest = self._centre
        return np.asarray(((y - near) - rest) / self.scale)

    def at(self, z: FloatArray) -> FloatArray:
        """Return centre + scale z, clipped."""
        near, rest = self._centre
        return np.clip(near + (rest + self.scale * z), self.low, self.high)

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y)."""
        y = np.asarray(y, dtype=np.float64)
        inner = self.shape.cdf(self.standard(y))
        return np.asarray(np.where(y < self.low, 0.0, np.where(y >= self.high, 1.0, inner)))

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile."""
        return self.at(self.shape.quantile(p))

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw one answer."""
        y = self.shape.draw(noise, self.centre, float(self.scale))
        return float(min(max(y, self.low), self.high))


def around(query: Query, column: Column, scale: float, shape: Shape) -> Noisy:
    """Return the law of a statistic of some rows with noise, clipped to the range of the statistic."""
    low = query.low(column.bounds)
    high = query.high(column.bounds)
    return Noisy(query.exact(column), scale, shape, low, high)


@dataclass(frozen=True)
class Whole(Law):
    """centre + Z in integers of any size, P(Z = z) proportional to exp(-|z| / scale)."""

    centre: int
    scale: float

    @cached_property
    def _centre(self) -> tuple[float, float]:
        """The nearest double to the centre, and the rest."""
        near = float(self.centre)
        return near, float(self.centre - int(near))

    def at(self, z: FloatArray) -> FloatArray:
        """Return centre + z."""
        near, rest = self._centre
        return np.asarray(near + (rest + z))

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y)."""
        near, rest = self._centre
        z = (np.floor(np.asarray(y, dtype=np.float64)) - near) - rest
        below = np.exp(-np.abs(np.where(z < 0, z, z + 1)) / self.scale) / (1 + self._ratio)
        return np.asarray(np.where(z < 0, below, 1 - below))

    @property
    def _ratio(self) -> float:
        """The probability of z + 1 over that of z, for z >= 0."""
        return math.exp(-1 / self.scale)

    def quantile(self, p: Any) -> FloatArray:
        """Return the smallest answer with at least p of the probability at or below it."""
        p = np.asarray(p, dtype=np.float64)
        a = self._ratio
        low = np.floor(-np.log(np.minimum(p * (1 + a), 1.0)) * self.scale + 1e-12)
        high = np.ceil(-np.log(np.minimum((1 - p) * (1 + a), a)) * self.scale - 1 - 1e-12)
        z = np.where(p * (1 + a) <= a, -low, np.maximum(high, 0))
        return self.at(z)

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw one answer."""
        return noise.geometric(self.centre, self.scale)


# --- Composed laws: an answer behind a test, and several independent answers ---


class Hurdle(Protocol):
    """A private yes or no: the probability of yes, and one draw."""

    @property
    def chance(self) -> float:
        """The probability of yes."""

    def draw(self, noise: NoiseSource) -> bool:
        """Draw once."""


@dataclass(frozen=True)
class Gated(Law):
    """An inner law behind a test: an answer if it passes, else a refusal."""

    test: Hurdle
    inner: Law

    @property
    def draws(self) -> int:
        """One more uniform than the inner law, for the test."""
        return 1 + self.inner.draws

    @property
    def refusal(self) -> float:
        """The probability that the test fails."""
        return 1.0 - self.test.chance

    def cdf(self, y: Any) -> FloatArray:
        """Return P(passed and answer <= y)."""
        return np.asarray(self.test.chance * self.inner.cdf(y))

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile of the answers that are given."""
        return self.inner.quantile(p)

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return answers, NaN where refused."""
        answers = np.array(self.inner.simulate(uniforms[1:]), dtype=np.float64)
        answers[uniforms[0] >= self.test.chance] = np.nan
        return answers

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw the test, and the answer only if it passes."""
        return self.inner.draw(noise) if self.test.draw(noise) else REFUSED


@dataclass(frozen=True)
class Product(Law):
    """Several independent laws: a vector answer. cdf and quantile are per component."""

    parts: tuple[Law, ...] = field(repr=False)

    @property
    def everything(self) -> Law:
        """Everything that is shown of all parts."""
        shown = tuple(part.everything for part in self.parts)
        return self if all(a is b for a, b in zip(shown, self.parts, strict=True)) else Product(shown)

    @property
    def draws(self) -> int:
        """The total uniforms of all parts."""
        return sum(part.draws for part in self.parts)

    def cdf(self, y: Any) -> FloatArray:
        """Return each component's P(answer <= y); y has one row per component."""
        return np.stack([part.cdf(v) for part, v in zip(self.parts, y, strict=True)])

    def quantile(self, p: Any) -> FloatArray:
        """Return each component's p-quantile, one row per component."""
        return np.stack([part.quantile(p) for part in self.parts])

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return one row of answers per component."""
        splits = np.cumsum([part.draws for part in self.parts])[:-1]
        pieces = np.split(uniforms, splits)
        return np.stack([p.simulate(u) for p, u in zip(self.parts, pieces, strict=True)])

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw every component."""
        return tuple(part.draw(noise) for part in self.parts)


# --- Runs: a law over the points of a grid, in runs of equal weight ---


def runs_of(log_weights: FloatArray) -> FloatArray:
    """Convert log-weights to probabilities without overflow."""
    weights = np.exp(log_weights - log_weights.max())
    return np.asarray(weights / weights.sum())


@dataclass(frozen=True, eq=False)
class Runs(Law):
    """A choice among grid points in runs: uniform inside a run, weight widths exp(-rate distance).

    `starts` are the first points, `widths` the numbers of points; point t is offset + unit t.
    """

    starts: IntArray = field(repr=False)
    widths: IntArray = field(repr=False)
    distances: IntArray = field(repr=False)
    rate: float
    unit: float = 1.0
    offset: float = 0.0

    @property
    def probabilities(self) -> FloatArray:
        """The exact probability of each run."""
        return runs_of(np.log(self.widths) - self.rate * self.distances)

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y)."""
        t = np.floor((np.asarray(y, dtype=np.float64) - self.offset) / self.unit + 1e-9)
        p = self.probabilities
        below = np.concatenate(([0.0], np.cumsum(p)))
        run = np.searchsorted(self.starts, t, side="right") - 1
        inside = np.clip((t - self.starts[run] + 1) / self.widths[run], 0, 1)
        return np.asarray(np.where(run < 0, 0.0, below[run] + p[run] * inside))

    def ticks(self, p: Any) -> IntArray:
        """Return the index of the smallest point with at least p of the probability at or below it."""
        weights = self.probabilities
        ends = np.cumsum(weights)
        p = np.asarray(p, dtype=np.float64) * ends[-1]
        run = np.minimum(np.searchsorted(ends, p), ends.size - 1)
        share = (p - (ends[run] - weights[run])) / np.maximum(weights[run], 1e-300)
        step = np.clip(np.ceil(share * self.widths[run]) - 1, 0, self.widths[run] - 1)
        return np.asarray(self.starts[run] + step, dtype=np.int64)

    def quantile(self, p: Any) -> FloatArray:
        """Return the smallest point with at least p of the probability at or below it."""
        return np.asarray(self.offset + self.unit * self.ticks(p))

    def pick(self, noise: NoiseSource) -> int:
        """Draw a run exactly, then the index of a point in it."""
        run = noise.exponential(self.distances.tolist(), self.widths.tolist(), self.rate)
        return int(self.starts[run]) + noise.below(int(self.widths[run]))

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw a point."""
        return float(self.offset + self.unit * self.pick(noise))


# --- Picked: a law over finitely many answers whose probabilities are computed only on demand ---


@dataclass(frozen=True, eq=False)
class Picked(Law):
    """One of a list of candidates, each with a number of an ascending list of points.

    A draw calls `pick` for an index and needs no probabilities; a figure or an audit gets them all from `chances`,
    computed once.
    """

    candidates: Sequence[Any]
    points: FloatArray = field(repr=False)
    chances: Callable[[], FloatArray] = field(repr=False)
    pick: Callable[[NoiseSource], int] = field(repr=False)

    @cached_property
    def probabilities(self) -> FloatArray:
        """The exact probability of each candidate."""
        return self.chances()

    @cached_property
    def ends(self) -> FloatArray:
        """The cumulative probabilities of the candidates."""
        return np.cumsum(self.probabilities)

    def cdf(self, y: Any) -> FloatArray:
        """Return P(number of the answer <= y)."""
        below = np.concatenate(([0.0], self.ends))
        return np.asarray(below[np.searchsorted(self.points, np.asarray(y), side="right")])

    def quantile(self, p: Any) -> FloatArray:
        """Return the smallest number with at least p of the probability at or below it."""
        place = np.searchsorted(self.ends, np.asarray(p) * self.ends[-1])
        return np.asarray(self.points[np.minimum(place, self.points.size - 1)], dtype=np.float64)

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw a candidate."""
        answer: Answer = self.candidates[self.pick(noise)]
        return answer


# --- Measured: a number that was drawn together with its interval ---

Interval = tuple[float, float]
VAGUE = 1 / 4  # of the range of an answer


def is_vague(margin: float, width: float) -> bool:
    """Return whether a margin of error carries almost no information on an answer whose range has this width."""
    return math.isfinite(width) and margin >= VAGUE * width


class Measured(float):
    """A number with its interval and, if it was drawn, its number of rows: all of it is released."""

    interval: Interval
    size: float | None

    def __new__(cls, value: float, interval: Interval, size: float | None = None) -> Measured:
        """Store both with the number."""
        measured = super().__new__(cls, value)
        measured.interval = interval
        measured.size = size
        return measured


def plainly(answer: Any) -> Any:
    """Return an answer as a plain number, or a tuple of them."""
    if isinstance(answer, tuple):
        return tuple(map(plainly, answer))
    return float(answer) if isinstance(answer, Measured) else answer
