"""Global sensitivity with staircase noise, no longer offered: reading and checking its earlier answers."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from discreet.budget import Account, ParameterError, Pure
from discreet.budget.errors import Phrase
from discreet.mechanisms.base.mechanism import ROUND_UP, checked_sensitivity
from discreet.mechanisms.base.vocabulary import STEPPED, Forecast, Noise, Public
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.laws.anatomy import Anatomy, anatomy, noisy
from discreet.mechanisms.laws.law import Law, Noisy, around
from discreet.noise.protocol import NoiseSource, Number
from discreet.queries import Bounds, Column
from discreet.queries.bounds import FloatArray

INSTEAD = Phrase("Staircase noise is no longer offered. Use Laplace noise.")
FARTHEST = 40.0  # exp(-40) of a law is beyond its last kink
RIGHT = 1e-12  # a density is evaluated to the right of its kinks, however they are rounded


@dataclass(frozen=True)
class Steps:
    """Density a/2 exp(-epsilon level): level 0 up to gamma, one more from there on at each further integer."""

    epsilon: float

    @property
    def gamma(self) -> float:
        """The end of the first step, chosen for the least mean error."""
        return 1 / (1 + math.exp(self.epsilon / 2))

    @property
    def constants(self) -> tuple[float, float]:
        """The weight of a level relative to the previous one, and twice the density of level 0."""
        falls = math.exp(-self.epsilon)
        return falls, (1 - falls) / (self.gamma + falls * (1 - self.gamma))

    @property
    def kinks(self) -> FloatArray:
        """All points where the density decreases, on both sides, and 0."""
        ends = self.gamma + np.arange(math.ceil(FARTHEST / self.epsilon) + 2)
        return np.concatenate((-ends[::-1], [0.0], ends))

    def _tail(self, w: FloatArray) -> FloatArray:
        falls, high = self.constants
        whole = np.floor(w)
        part = w - whole
        gamma = self.gamma
        first = high * (gamma - part + falls * (1 - gamma))
        inside = np.where(part < gamma, first, high * falls * (1 - part)) + falls
        return np.asarray(np.exp(-self.epsilon * whole) * inside)

    def cdf(self, z: Any) -> FloatArray:
        """Return P(Z <= z)."""
        z = np.asarray(z, dtype=np.float64)
        far = np.minimum(np.abs(z), 1e9 / self.epsilon)
        half = self._tail(far) / 2
        return np.asarray(np.where(z < 0, half, 1 - half))

    def quantile(self, p: Any) -> FloatArray:
        """Return the z with P(Z <= z) = p."""
        p = np.asarray(p, dtype=np.float64)
        falls, high = self.constants
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = -np.log(2 * np.minimum(p, 1 - p)) / self.epsilon
            whole = np.floor(logs)
            rest = np.exp(-self.epsilon * (logs - whole)) - falls
            low = self.gamma + falls * (1 - self.gamma) - rest / high
            w = whole + np.where(low < self.gamma, np.maximum(low, 0.0), 1 - rest / (high * falls))
        return np.asarray(np.sign(p - 0.5) * np.where(np.isinf(logs), np.inf, w))

    def log_density(self, z: Any) -> FloatArray:
        """Return the logarithm of the density at z."""
        w = np.abs(np.asarray(z, dtype=np.float64))
        level = np.floor(w) + (w - np.floor(w) >= self.gamma)
        return np.asarray(math.log(self.constants[1] / 2) - self.epsilon * level)

    def draw(self, noise: NoiseSource, centre: Number, scale: float) -> float:
        """Raise ParameterError: this noise is used in no new release."""
        raise ParameterError(INSTEAD)


@dataclass(frozen=True)
class Stepped(Noisy):
    """Staircase noise around a centre."""


@anatomy.register
def stepped(law: Stepped) -> Anatomy:
    """Decompose the law, cut at every step: between them the density is constant."""
    steps: Any = law.shape
    plain = noisy(law)

    def log_density(y: Any) -> FloatArray:
        z = law.standard(np.asarray(y, dtype=np.float64))
        inside = (y >= law.low) & (y <= law.high)
        level = steps.log_density(z + RIGHT * np.maximum(1.0, np.abs(z))) - math.log(law.scale)
        return np.asarray(np.where(inside, level, -np.inf))

    return replace(plain, edges=np.unique(law.at(steps.kinks)), log_density=log_density)


@dataclass(frozen=True)
class GlobalStaircase(GlobalLaplace):
    """f(x) + GS Z with staircase noise Z, clipped into the public range of f.

    The density of |Z| is level up to gamma = 1/(1 + exp(epsilon/2)) and falls by exp(epsilon) there and at every
    whole number further: of all noise for epsilon it has the least mean error, GS exp(epsilon/2) / (exp(epsilon) -
    1), which is below that of Laplace noise by 4% at epsilon 1 and by 30% at epsilon 3.

    Guarantee: epsilon-DP, no delta.
    Proof: f moves by at most GS, so |Z| by at most 1 and its level by at most 1: no density changes
    by more than exp(epsilon). The draw does the same in whole numbers of a grid, D of them for GS and
    for the rounding of the centre: a move by D or less changes the level of a whole number by at
    most 1. Rounding the sum and clipping are post-processing.
    Reference: Geng and Viswanath 2014, "The optimal mechanism in differential privacy".
    Complexity: one value of the statistic.
    Corner cases: as for Laplace noise; a move by less than GS may lose all of epsilon, so many queries of a plan, and
    groups of persons with several rows, lose more than with Laplace noise.
    """

    slug: ClassVar[str] = "staircase"
    title: ClassVar[str] = "Global sensitivity, staircase noise"
    noise: ClassVar[Noise] = STEPPED
    refines: ClassVar[bool] = False  # one staircase is not contained in another
    instead: ClassVar[Phrase | None] = INSTEAD

    @property
    def additive(self) -> bool:
        """False: half of the sensitivity may lose all of epsilon."""
        return False

    @property
    def shape(self) -> Steps:
        """The public shape of the noise, rounded towards more of it."""
        return Steps(self.epsilon / ROUND_UP)

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    def scale(self, bounds: Bounds) -> float:
        """Return the sensitivity, rounded up by more than the grid of the noise."""
        return checked_sensitivity(self.query, bounds) * ROUND_UP

    def law(self, data: Column) -> Law:
        """Return the law around f(x)."""
        plain = around(self.query, data, self.scale(data.bounds), self.shape)
        return Stepped(plain.centre, plain.scale, plain.shape, plain.low, plain.high)

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the exact half width: the scale is public."""
        if public.bounds is None:
            return Forecast(None, "The bounds are not declared yet.")
        width = self.scale(public.bounds) * float(self.shape.quantile((1 + confidence) / 2))
        return Forecast(width * ROUND_UP, "The noise scale is public.", exact=True)
