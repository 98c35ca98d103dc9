"""The median or any quantile by the exponential mechanism, on the grid of ticks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from discreet.budget import Account, BoundedRange, Cost
from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.mechanisms.accuracy import Forecast, Public
from discreet.mechanisms.families import SELECTION, Family
from discreet.mechanisms.laws import Law
from discreet.mechanisms.mechanism import ROUND_UP, Mechanism
from discreet.mechanisms.noises import AS_DRAWN, EXPONENTIAL, Noise
from discreet.mechanisms.one_column import OneColumn
from discreet.mechanisms.one_statistic import of_statistics
from discreet.mechanisms.parameters import epsilon_parameter, own_relation, parameter
from discreet.mechanisms.runs import Runs
from discreet.mechanisms.topic import Topic
from discreet.mechanisms.view import View
from discreet.queries import Column, Relation
from discreet.queries.bounds import IntArray
from discreet.queries.median import Median
from discreet.queries.quantile import Quantile

NEGLIGIBLE = 1e-18
FINEST = 10**6  # the largest denominator: ranks times it stay in 64 bits


def distances(below: IntArray, upto: IntArray, n: int, q: Fraction, public: bool) -> IntArray:
    """Return how far ticks are from being a q-quantile, from the rows below and up to each.

    With q = a/b a tick is a quantile if L <= q n <= L + E (L rows below it, E on it). Private n:
    max(0, b L - a n, a n - b (L + E)), exact in units of 1/b rows. Public n: in whole rows,
    max(0, L - floor(q n), ceil(q n) - (L + E)).
    """
    if public:
        low, high = q.numerator * n // q.denominator, -(-q.numerator * n // q.denominator)
        far = np.maximum(below - low, high - upto)
    else:
        target = q.numerator * n
        far = np.maximum(q.denominator * below - target, target - q.denominator * upto)
    return np.maximum(far, 0)


def sensitivity(q: Fraction, public: bool) -> int:
    """Return the largest change of the distance by one row, in its own units.

    Private n: a row more below t changes b L - a n by b - a and a n - b (L + E) by a - b; one on t
    changes them by -a and a - b; one above by -a and a. So max(a, b - a), as a maximum of functions
    changes by no more than they do. Public n: L and L + E change by one row at most, so 1.
    """
    return 1 if public else max(q.numerator, q.denominator - q.numerator)


def spread(q: Fraction, public: bool) -> int:
    """Return how far one row moves two ticks apart: twice the sensitivity, once for extremes.

    The loss at a tick is the change of its distance less that of the normalisation, which lies
    between the smallest and the largest change of all ticks; so this range is all that counts, and
    the ranges of several rows add up. For q = 0 or 1 the distance is the number of rows below (or
    above) a tick, which one row, new or changed, moves by 0 or 1 in one direction.
    """
    return sensitivity(q, public) * (1 if q in (0, 1) else 2)


def trailing(q: Fraction, rate: float, public: bool, ticks: int, alpha: float) -> float:
    """Return how many rows the answer is from the quantile at most, but for a chance of alpha."""
    return math.log(ticks / alpha) / rate / (1 if public else q.denominator)


def quantile_runs(column: Column, q: Fraction, rate: float, public: bool) -> Runs:
    """Return the law with weights exp(-rate min(distance, cap)) over all ticks.

    The cap is public: beyond it all ticks together weigh less than 1e-18 of the one that is a
    quantile, and a capped distance changes by no more than the distance. So two runs hold all that
    is far, and only the levels between them are looked at.
    """
    bounds, ends = column.bounds, column.ends
    cap = math.ceil(math.log((bounds.top + 1) / NEGLIGIBLE) / rate)
    reach = Fraction(cap, 1 if public else q.denominator)
    target = q * column.n
    first = int(np.searchsorted(ends, math.floor(target - reach)))
    last = int(np.searchsorted(ends, math.ceil(target + reach), side="right")) + 1
    levels, upto = column.levels[first:last], ends[first:last]
    start = int(ends[first - 1]) if first else 0
    below = np.concatenate(([start], upto))
    starts, widths = _cells(levels, bounds.top)
    rows_below = np.repeat(below, 2)[: starts.size]
    rows_upto = np.repeat(below, 2)[1 : starts.size + 1] if levels.size else below
    far = np.minimum(distances(rows_below, rows_upto, column.n, q, public), cap)
    real = widths > 0
    unit, offset = float(bounds.resolution), float(bounds.value(0))
    return Runs(starts[real], widths[real], far[real], rate, unit, offset)


def _cells(levels: IntArray, top: int) -> tuple[IntArray, IntArray]:
    """Return first tick and width of: the gap before a level, the level, ..., the last gap."""
    edges = np.concatenate(([0], np.repeat(levels, 2), [top + 1]))
    edges[2:-1:2] += 1
    return edges[:-1], np.diff(edges)


@dataclass(frozen=True)
class QuantileExponential(Mechanism):
    """Pick a tick with probability proportional to exp(-epsilon distance / (2 sensitivity)).

    For the extremes q = 0 and 1 the 2 goes, as a row moves all distances one way.

    The distance of a tick says how many rows it is from being a q-quantile, exactly and with ties:
    it is 0 for every tick that is one. For the median with private n it is max(0, |L - R| - E).
    Guarantee: epsilon-DP, no delta; bounded range.
    Proof: one person moves the log-weights of any two ticks apart by at most epsilon, because a row
    does so by at most `spread` times the rate and the rows of a person add up. The log of the
    normaliser moves by something between the smallest and the largest of these moves, so all losses
    lie in one interval of length epsilon that contains 0.
    Reference: McSherry and Talwar 2007; Smith 2011, "Privacy-preserving statistical estimation
    with optimal convergence rates". Ties and exact integer distances on a grid are derived here.
    Complexity: O(log) look-ups and O(window), whose size in rows is public: (2/epsilon) ln(ticks
    10^18) to each side.
    Corner cases: with no rows every tick is a quantile, so the answer is uniform; equal rows are
    one tick of distance 0; near q = 0 or 1 it needs epsilon n (1 - q) / 2 above ln(ticks).
    """

    slug: ClassVar[str] = "quantile-exponential"
    title: ClassVar[str] = "Median or quantile by exponential mechanism"
    family: ClassVar[Family] = SELECTION
    answers: ClassVar[tuple[Topic, ...]] = of_statistics(Median.name, Quantile.name)
    noise: ClassVar[Noise] = EXPONENTIAL
    after: ClassVar[Phrase] = AS_DRAWN

    q: float = parameter("Quantile", 0, 1, default=0.5, help="0.5 is the median.")
    epsilon: float = epsilon_parameter()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    def __post_init__(self) -> None:
        """Check the parameters, and that ranks stay exact integers."""
        super().__post_init__()
        if self.share.denominator > FINEST:
            raise ParameterError("Quantile must be between 0 and 1 with at most 6 decimals. Got {q}.", q=self.q)

    @property
    def share(self) -> Fraction:
        """The quantile as an exact fraction, read from its decimal text."""
        return Fraction(str(self.q))

    @property
    def view(self) -> View:
        """The column of the quantile."""
        return OneColumn(Quantile(self.relation, self.q), self.public_rows)

    @property
    def rate(self) -> float:
        """The exponent that one unit of distance is worth, rounded towards more noise."""
        apart = self.relation.rows * spread(self.share, self.relation.change_one)
        return self.epsilon / apart / ROUND_UP

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return bounded range."""
        return BoundedRange(self.epsilon)

    def law(self, data: Column) -> Law:
        """Return the law over all ticks, in the column's own unit."""
        return quantile_runs(data, self.share, self.rate, self.relation.change_one)

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width, but how many rows the answer may be off, whatever the data."""
        if public.bounds is None:
            return Forecast(None, "The bounds of the column decide how many rows it may be off.")
        ticks = public.bounds.top + 1
        rows = trailing(self.share, self.rate, self.relation.change_one, ticks, 1 - confidence)
        note = Phrase(
            "With {sure:.4g} % confidence it is within {rows:.3g} rows of the quantile.",
            sure=100 * confidence,
            rows=rows,
        )
        size = self.relation.size or public.size_guess
        if size is not None and rows > size * min(self.q, 1 - self.q):
            note = Phrase(
                "{note} Of {size} rows that may be all on one side: it may lie anywhere.", note=note, size=size
            )
        return Forecast(None, note)
