"""Smooth sensitivity: noise scaled to a smooth upper bound of the local sensitivity."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from discreet.budget import Account, Cost, Pure
from discreet.budget.errors import Phrase
from discreet.mechanisms.base.mechanism import ROUND_UP, Mechanism, OneStatistic
from discreet.mechanisms.base.vocabulary import (
    CLIPPED,
    CORE_TAIL,
    SMOOTH,
    Family,
    Forecast,
    Noise,
    Public,
    epsilon_parameter,
    parameter,
    statistic,
)
from discreet.mechanisms.laws.law import CoreTail, Law, around
from discreet.queries import Column, Query
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.mean import Mean

FLOOR = 2.0**-40  # of the global sensitivity: below any use, above any underflow
M_CHOICES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
MOST_RUNGS = 2**18
PARTS = 8  # of a block of rungs that may contain a higher one


def window(beta: float) -> int:
    """Return the public number of rungs K: beyond it exp(-beta k) GS is below the floor.

    A tiny beta would need an enormous number of rungs; from 2^18 on the rest is bounded instead.
    """
    return min(math.ceil(-math.log(FLOOR) / beta), MOST_RUNGS)


def rungs(query: Query, column: Column, k: IntArray) -> FloatArray:
    """Return A(k); each rung of a column is computed once."""
    ladder = column.ladders.of(query)
    if ladder.rungs.size <= k.max():
        ladder.rungs = np.append(ladder.rungs, np.full(1 + k.max() - ladder.rungs.size, np.nan))
    heights = ladder.rungs  # another thread may put a longer array there
    further = k[np.isnan(heights[k])]
    if further.size:
        heights[further] = query.ladder(column, further)
    return heights[k]


def smooth_bound(query: Query, column: Column, beta: float) -> float:
    """Return S: the largest of the floor, exp(-beta k) A(k) for k <= K, exp(-beta (K+1)) GS.

    K depends on public values only. A never exceeds the global sensitivity, so the last term
    bounds all rungs beyond K; a maximum of beta-smooth functions and constants is beta-smooth.
    """
    bounds = column.ladders.of(query).bounds
    bound = bounds.get(beta)
    if bound is None:
        count = window(beta) + 1
        rest = max(FLOOR, math.exp(-beta * count) * (count > MOST_RUNGS)) * query.global_sensitivity(column.bounds)
        bound = bounds[beta] = max(_heaviest(query, column, beta, count), rest) * ROUND_UP
    return bound


def _heaviest(query: Query, column: Column, beta: float, count: int) -> float:
    """Return the largest exp(-beta k) A(k) for k < count, without computing every rung.

    The property that makes S smooth implies that a ladder does not decrease over two rungs: A_x(k) <= A_y(k+1) <=
    A_x(k+2) for any neighbour y of x. So no rung of a block is higher than the higher of its last two, and if that one
    at the weight of the first is no more than the largest so far, the block is skipped.
    """
    most = 0.0
    first = np.append(0, 2 ** np.arange((count - 1).bit_length()))
    last = np.append(first[1:], count) - 1
    while first.size:
        ends = np.stack([np.maximum(first, last - 1), last])
        highs = rungs(query, column, ends.ravel()).reshape(ends.shape)
        most = max(most, float((np.exp(-beta * ends) * highs).max()))
        hidden = (last - first > 1) & (np.exp(-beta * first) * highs.max(axis=0) * ROUND_UP > most)
        first, last = _parted(first[hidden], last[hidden] - 2)
    return most


def _parted(first: IntArray, last: IntArray) -> tuple[IntArray, IntArray]:
    """Return blocks of rungs, each split into at most PARTS."""
    wide = -(-(last - first + 1) // PARTS)
    starts = (first[:, None] + wide[:, None] * np.arange(PARTS)).ravel()
    ends = np.minimum(starts + np.repeat(wide, PARTS) - 1, np.repeat(last, PARTS))
    return starts[starts <= ends], ends[starts <= ends]


@dataclass(frozen=True)
class SmoothCoreTail(OneStatistic):
    """f(x) + (S/epsilon) W with core-tail noise W and S the beta-smooth sensitivity.

    Guarantee: epsilon-DP for every dataset, no delta, with beta = epsilon / m.
    Proof: join the two laws of a neighbour pair by centre t tau and scale rho^tau; the derivative
    of the log-density is bounded by |g'| + beta |1 - z g'|, which core-tail noise makes equal to
    epsilon everywhere (docs/guarantees.md).
    Reference: Nissim, Raskhodnikova and Smith 2007 for smooth sensitivity; the noise: see docs.
    Complexity: O(K) rungs, K = 27.7 / beta, on sorted ticks.
    Corner cases: no rows, one row and ties are ordinary datasets; S never falls below 2^-40 of the
    global sensitivity, so the scale is never 0; m = 1 has no mean error.
    """

    slug: ClassVar[str] = "smooth-core-tail"
    title: ClassVar[str] = "Smooth sensitivity, core-tail noise"
    family: ClassVar[Family] = SMOOTH
    noise: ClassVar[Noise] = CORE_TAIL
    after: ClassVar[Phrase] = CLIPPED

    query: Query = statistic(Mean)
    epsilon: float = epsilon_parameter()
    m: int = parameter("Tail", choices=M_CHOICES, default=3, help="β = ε / tail. A tail of 3 suits medians.")

    def variants(self, stand_in: Column) -> Sequence[Mechanism]:
        """Return all tails with a finite mean error."""
        return [replace(self, m=m) for m in reversed(M_CHOICES) if m > 1]

    @property
    def beta(self) -> float:
        """The public smoothing parameter."""
        return self.epsilon / self.m

    @property
    def kappa(self) -> float:
        """The public ratio of the noise scale to S."""
        return 1 / self.epsilon

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    def law(self, data: Column) -> Law:
        """Return the law around f(x)."""
        scale = smooth_bound(self.query, data, self.beta) / self.epsilon
        return around(self.query, data, scale * ROUND_UP, CoreTail(self.m))

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width: S is private, and worst cases are not informative."""
        times = float(CoreTail(self.m).quantile((1 + confidence) / 2)) / self.epsilon
        return secret_width(times)


def secret_width(times: float) -> Forecast:
    """Return a forecast without a width: it depends on a sensitivity that would reveal information about the data."""
    return Forecast(
        None,
        Phrase("The half-width is {times:.3g} times a sensitivity of the dataset, which stays private.", times=times),
    )


def mean_error(m: int) -> float:
    """Return E|W| of core-tail noise with r = 1/m."""
    if m == 1:
        return math.inf
    r = 1 / m
    kink, c, q = CoreTail(m).constants
    core = 1 - c + c * (1 - (1 - r) ** (m + 1)) / (r * (m + 1))
    return core + q * (1 + r) / (r * (m - 1))


def best_tail(epsilon: float, size_guess: int) -> int:
    """Return the m with the smallest expected error of a mean, for a public guess of n.

    The worst case over data of n rows is S = max over k <= n-2 of exp(-beta k) R/(n - k), and R/2 beyond. A wrong guess
    costs accuracy, never privacy.
    """
    n = max(2, size_guess)

    def error(m: int) -> float:
        beta = epsilon / m
        inner = [math.exp(-beta * k) / (n - k) for k in (0, max(0, n - 2))]
        return mean_error(m) * max(*inner, math.exp(-beta * (n - 1)) / 2)

    return min(M_CHOICES, key=error)
