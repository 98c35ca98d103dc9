"""Private lower and upper bounds from a noisy histogram of powers of two."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from discreet.budget import Account, Cost, Pure
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import ROUND_UP, Mechanism
from discreet.mechanisms.base.vocabulary import (
    GEOMETRIC,
    SPARSE,
    Family,
    Forecast,
    Noise,
    Public,
    Topic,
    epsilon_parameter,
    own_relation,
)
from discreet.mechanisms.laws.anatomy import Anatomy, anatomy
from discreet.mechanisms.laws.law import Answer, Law
from discreet.noise.protocol import NoiseSource
from discreet.queries import Bounds, Column, Relation
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.column import Bins

ENDLESS = 2**62


@dataclass(frozen=True, eq=False)
class Span(Law):
    """From the first to the last bin whose noisy count reaches a threshold.

    The thresholds are tried from the largest down until one is reached; if none is, the answer is the whole range. Two
    components: the lower edge of the first bin, the upper edge of the last.
    """

    edges: FloatArray = field(repr=False)
    counts: IntArray = field(repr=False)
    scale: float
    thresholds: tuple[int, ...]

    def _log_below(self, high: Any) -> FloatArray:
        """ln P(noisy count < high) for every bin, with integer noise."""
        z = np.asarray(high - self.counts - 1, dtype=np.float64)
        a = math.exp(-1 / self.scale)
        right = np.log1p(-np.exp(-(np.maximum(z, 0) + 1) / self.scale) / (1 + a))
        return np.asarray(np.where(z < 0, z / self.scale - math.log1p(a), right))

    def _log_between(self, low: int, high: int) -> FloatArray:
        """ln P(low <= noisy count < high), computed on the side without cancellation."""
        mirrored = low > self.counts
        far = self._log_below(np.where(mirrored, 2 * self.counts - low + 1, high))
        near = self._log_below(np.where(mirrored, 2 * self.counts - high + 1, low))
        return np.asarray(far + np.log1p(-np.exp(near - far)))

    @cached_property
    def table(self) -> FloatArray:
        """The exact probability of every pair of a first and a last bin."""
        size = self.counts.size
        table = np.zeros((size, size))
        previous = ENDLESS
        for threshold in self.thresholds:
            inside = np.concatenate(([0.0], np.cumsum(self._log_below(previous))))
            below = self._log_below(threshold)
            before = np.concatenate(([0.0], np.cumsum(below)[:-1]))
            after = np.concatenate((np.cumsum(below[::-1])[::-1][1:], [0.0]))
            ends = self._log_between(threshold, previous)
            logs = (before + ends - inside[1:])[:, None] + (after + ends + inside[:-1])[None, :]
            table += np.triu(np.exp(np.minimum(np.triu(logs, 1), 0.0)), 1)
            table += np.diag(np.exp(before + ends + after))
            previous = threshold
        table[0, -1] += math.exp(float(self._log_below(previous).sum()))
        return table

    def cdf(self, y: Any) -> FloatArray:
        """Return each component's P(answer <= y); y has one row per component."""
        lower, upper = y
        first = np.concatenate(([0.0], np.cumsum(self.table.sum(axis=1))))
        last = np.concatenate(([0.0], np.cumsum(self.table.sum(axis=0))))
        return np.stack(
            (
                first[np.searchsorted(self.edges[:-1], np.asarray(lower), side="right")],
                last[np.searchsorted(self.edges[1:], np.asarray(upper), side="right")],
            )
        )

    def quantile(self, p: Any) -> FloatArray:
        """Return each component's p-quantile, one row per component."""
        most = self.counts.size - 1
        first, last = (np.cumsum(self.table.sum(axis=axis)) for axis in (1, 0))
        at = [np.minimum(np.searchsorted(e, np.asarray(p) * e[-1]), most) for e in (first, last)]
        return np.stack((self.edges[at[0]], self.edges[at[1] + 1]))

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return one row of answers per component, drawn jointly."""
        ends = np.cumsum(self.table)
        cell = np.minimum(np.searchsorted(ends, uniforms[0] * ends[-1]), ends.size - 1)
        first, last = np.divmod(cell, self.counts.size)
        return np.stack((self.edges[first], self.edges[last + 1]))

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw all noisy counts, and return only the edges of the first and last bin that stand out."""
        noisy = np.array(noise.geometrics(self.counts.tolist(), self.scale))
        for threshold in self.thresholds:
            full = np.flatnonzero(noisy >= threshold)
            if full.size:
                return float(self.edges[full[0]]), float(self.edges[full[-1] + 1])
        return float(self.edges[0]), float(self.edges[-1])


@anatomy.register
def span(law: Span) -> Anatomy:
    """Decompose a pair of bounds: each pair is one atom."""
    masses = law.table[np.triu_indices(law.counts.size)]
    return Anatomy(points=np.arange(masses.size, dtype=np.float64), masses=masses)


@dataclass(frozen=True)
class HistogramBounds(Mechanism):
    """Lower and upper bounds: the outermost bins, cut at powers of two, that hold many rows.

    Counts get whole-number noise of scale m / epsilon (2 m / epsilon under change-one, where a row
    leaves one bin for another). A bin stands out above -ln(2 - 2 p^(1/(B-1))) / epsilon, which
    B - 1 empty bins all miss with probability p = 1 - 10^-9; if no bin does, p is lowered.
    Guarantee: epsilon-DP, no delta, for both bounds together.
    Proof: every row is in one bin, so the m rows of a person move the counts by m in L1, or 2 m
    under change-one; geometric noise of that over epsilon on every count makes all counts
    epsilon-DP together. Edges and thresholds are public, so the two bounds are post-processing.
    Reference: Wilson and others 2020, "Differentially private SQL with bounded user contribution".
    Complexity: O(bins); probabilities O(bins^2).
    Corner cases: with no rows, most likely the whole range or one arbitrary bin; a bin needs about
    25 / epsilon rows to stand out.
    """

    slug: ClassVar[str] = "histogram-bounds"
    title: ClassVar[str] = "Bounds by noisy histogram"
    family: ClassVar[Family] = SPARSE
    answers: ClassVar[tuple[Topic, ...]] = (
        Topic("both-bounds", Phrase("Lower and upper bound"), bounds=("lower", "upper")),
    )
    single: ClassVar[bool] = False
    noise: ClassVar[Noise] = GEOMETRIC
    after: ClassVar[Phrase] = Phrase("The two bounds are derived from the noisy counts, which are not shown.")

    epsilon: float = epsilon_parameter()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    def parts(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the two bounds."""
        return Phrase("lower"), Phrase("upper")

    @property
    def scale(self) -> float:
        """The public noise scale."""
        moved = self.relation.rows * (2 if self.relation.change_one else 1)
        return moved / self.epsilon * ROUND_UP

    def edges(self, bounds: Bounds) -> tuple[float, ...]:
        """Return the public edges of the bins: 0 and powers of two, in steps, inside the bounds."""
        low = float(bounds.value(0))
        high = float(bounds.value(bounds.top))
        step = bounds.resolution
        powers = [step * 2.0**j for j in range(math.ceil(math.log2(bounds.width / step)) + 64)]
        inner = {0.0, *powers, *(-power for power in powers)}
        return tuple(sorted({low, high} | {edge for edge in inner if low < edge < high}))

    def check(self, public: Public) -> None:
        """Raise ParameterError for bounds between which there is no edge."""
        if public.bounds is not None and len(self.edges(public.bounds)) < 2:
            raise ParameterError("Lower and upper are too close for numbers of this size. Subtract lower from both.")

    def thresholds(self, bins: int) -> tuple[int, ...]:
        """Return the public thresholds, from the largest down."""
        missed = [10.0**-j for j in range(9, 0, -1)]
        shares = [-math.expm1(math.log1p(-p) / max(bins - 1, 1)) for p in missed]
        thresholds = {math.ceil(-math.log(2 * share) * self.scale) for share in shares}
        return tuple(sorted(thresholds, reverse=True))

    @property
    def additive(self) -> bool:
        """True: each row moves one count by 1."""
        return True

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    def law(self, data: Column) -> Law:
        """Return the law of the pair of bounds."""
        edges = self.edges(data.bounds)
        counts = Bins(edges).scores(data).counts
        return Span(np.array(edges), counts, self.scale, self.thresholds(counts.size))

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width, but how many rows a bin needs to be seen."""
        bins = 64 if public.bounds is None else len(self.edges(public.bounds)) - 1
        rows = self.thresholds(bins)[0] + self.scale * math.log(1 / (1 - confidence))
        return Forecast(
            None,
            Phrase("A bin with {rows:.3g} or more rows is detected. A bin with only a few rows is not.", rows=rows),
        )
