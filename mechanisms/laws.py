"""Laws: the probability distribution of an answer, given the data. Private until one draw."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from budget.errors import ParameterError
from mechanisms.shapes import Shape
from mechanisms.source import NoiseSource
from queries.bounds import FloatArray, IntArray

Answer = float | int | str | tuple[Any, ...] | None
REFUSED: Answer = None


class Law(ABC):
    """The distribution of one answer.

    `simulate` maps independent uniforms (one row per `draws`) to answers, so that ten thousand
    answers are one array operation; `draw` asks a noise source for exactly one.
    """

    @property
    def draws(self) -> int:
        """How many uniforms one simulated answer takes."""
        return 1

    @property
    def refusal(self) -> float:
        """The probability that there is no answer."""
        return 0.0

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
    """centre + scale Z, clipped into [low, high] afterwards (post-processing)."""

    centre: float
    scale: float
    shape: Shape
    low: float = -np.inf
    high: float = np.inf

    def __post_init__(self) -> None:
        """Refuse a scale that would release the exact answer."""
        if not (np.isfinite(self.scale) and self.scale > 0 and np.isfinite(self.centre)):
            raise ParameterError("The noise scale must be a finite number above 0.")

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y)."""
        y = np.asarray(y, dtype=np.float64)
        inner = self.shape.cdf((y - self.centre) / self.scale)
        return np.asarray(np.where(y < self.low, 0.0, np.where(y >= self.high, 1.0, inner)))

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile."""
        y = self.centre + self.scale * self.shape.quantile(p)
        return np.asarray(np.clip(y, self.low, self.high))

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw one answer."""
        y = self.shape.draw(noise, float(self.centre), float(self.scale))
        return float(min(max(y, self.low), self.high))


@dataclass(frozen=True)
class Whole(Law):
    """centre + Z in whole numbers, P(Z = z) proportional to exp(-|z| / scale), times a unit."""

    centre: int
    scale: float
    unit: float = 1.0
    offset: float = 0.0

    @property
    def ratio(self) -> float:
        """The probability of z + 1 over that of z, for z >= 0."""
        return float(np.exp(-1 / self.scale))

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y)."""
        z = np.floor((np.asarray(y, dtype=np.float64) - self.offset) / self.unit + 1e-9)
        z = z - self.centre
        a = self.ratio
        return np.asarray(
            np.where(z < 0, a ** np.abs(z) / (1 + a), 1 - a ** (np.abs(z) + 1) / (1 + a))
        )

    def quantile(self, p: Any) -> FloatArray:
        """Return the smallest answer with at least p of the probability at or below it."""
        p = np.asarray(p, dtype=np.float64)
        a = self.ratio
        low = np.floor(-np.log(np.minimum(p * (1 + a), 1.0)) * self.scale + 1e-12)
        high = np.ceil(-np.log(np.minimum((1 - p) * (1 + a), a)) * self.scale - 1 - 1e-12)
        z = np.where(p * (1 + a) <= a, -low, np.maximum(high, 0))
        return np.asarray(self.offset + self.unit * (self.centre + z))

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw one answer."""
        drawn = noise.geometric(self.centre, self.scale)
        if self.unit == 1 and self.offset == 0:
            return drawn
        return float(self.offset + self.unit * drawn)


class Hurdle(Protocol):
    """A private yes or no: its chance of yes, and one draw."""

    @property
    def chance(self) -> float:
        """The probability of yes."""

    def draw(self, noise: NoiseSource) -> bool:
        """Draw once."""


@dataclass(frozen=True)
class Gate(Law):
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
    """Several independent laws at once: a vector answer. cdf and quantile are per component."""

    parts: tuple[Law, ...] = field(repr=False)

    @property
    def draws(self) -> int:
        """The uniforms of all parts."""
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


def runs_of(log_weights: FloatArray) -> FloatArray:
    """Turn log-weights into probabilities without overflow."""
    weights = np.exp(log_weights - log_weights.max())
    return np.asarray(weights / weights.sum())


@dataclass(frozen=True, eq=False)
class Runs(Law):
    """A choice among grid points in runs: uniform inside a run, weight widths exp(-rate distance).

    `starts` are the first points, `widths` how many points follow; point t is offset + unit t.
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

    def quantile(self, p: Any) -> FloatArray:
        """Return the smallest point with at least p of the probability at or below it."""
        weights = self.probabilities
        ends = np.cumsum(weights)
        p = np.asarray(p, dtype=np.float64) * ends[-1]
        run = np.minimum(np.searchsorted(ends, p), ends.size - 1)
        share = (p - (ends[run] - weights[run])) / np.maximum(weights[run], 1e-300)
        step = np.clip(np.ceil(share * self.widths[run]) - 1, 0, self.widths[run] - 1)
        return np.asarray(self.offset + self.unit * (self.starts[run] + step))

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw a run exactly, then a point in it."""
        run = noise.exponential(self.distances.tolist(), self.widths.tolist(), self.rate)
        point = int(self.starts[run]) + noise.below(int(self.widths[run]))
        return float(self.offset + self.unit * point)


class Selector(Protocol):
    """How a selection draws an index from its scores."""

    def __call__(self, noise: NoiseSource) -> int:
        """Draw an index."""


@dataclass(frozen=True, eq=False)
class Choice(Law):
    """One of a public list of candidates, with the exact probability of each.

    As a number the answer is the candidate's position in the list.
    """

    candidates: Sequence[Any]
    probabilities: FloatArray = field(repr=False)
    select: Selector = field(repr=False)

    def cdf(self, y: Any) -> FloatArray:
        """Return P(position <= y)."""
        ends = np.concatenate(([0.0], np.cumsum(self.probabilities)))
        position = np.clip(np.floor(np.asarray(y)).astype(int) + 1, 0, ends.size - 1)
        return np.asarray(ends[position])

    def quantile(self, p: Any) -> FloatArray:
        """Return the smallest position with at least p of the probability."""
        ends = np.cumsum(self.probabilities)
        found = np.searchsorted(ends, np.asarray(p) * ends[-1])
        return np.asarray(np.minimum(found, ends.size - 1), dtype=np.float64)

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw a candidate."""
        answer: Answer = self.candidates[self.select(noise)]
        return answer
