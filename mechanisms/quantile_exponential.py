"""The median or any quantile by the exponential mechanism or by permute-and-flip, on the grid of ticks."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import ClassVar

import numpy as np

from discreet.budget import Account, BoundedRange, Cost, Pure
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import ROUND_UP, Mechanism, of_statistics
from discreet.mechanisms.base.view import OneColumn, View
from discreet.mechanisms.base.vocabulary import (
    AS_DRAWN,
    EXPONENTIAL,
    PERMUTED,
    SELECTION,
    Family,
    Forecast,
    Noise,
    Public,
    Topic,
    epsilon_parameter,
    own_relation,
    parameter,
)
from discreet.mechanisms.laws import selecting
from discreet.mechanisms.laws.law import Law, Picked
from discreet.mechanisms.laws.ranks import Aim, furthest, runs_near
from discreet.queries import Column, Relation
from discreet.queries.median import Median
from discreet.queries.quantile import Quantile

FINEST = 10**6  # the largest denominator: ranks times it fit 64 bits


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

    q: float = parameter("Quantile", 0, 1, default=0.5, help="A level of 0.5 is the lower median.")
    epsilon: float = epsilon_parameter()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    def __post_init__(self) -> None:
        """Check the parameters, and that ranks stay exact integers."""
        super().__post_init__()
        if self.share.denominator > FINEST:
            raise ParameterError("Quantile must be between 0 and 1 with at most 6 decimals. Got {q}.", q=self.q)

    @property
    def share(self) -> Fraction:
        """The quantile as an exact fraction, parsed from its decimal text."""
        return Fraction(str(self.q))

    @property
    def view(self) -> View:
        """The column of the quantile."""
        return OneColumn(Quantile(self.relation, self.q), self.public_rows)

    @property
    def aim(self) -> Aim:
        """The rank that is aimed at."""
        return Aim(self.share, self.relation.change_one)

    @property
    def rate(self) -> float:
        """The weight of one unit of distance in the exponent, rounded towards more noise."""
        return self.rate_of(self.aim)

    @property
    def own(self) -> float:
        """The epsilon of one draw."""
        return self.epsilon

    def rate_of(self, aim: Aim) -> float:
        """Return the weight of one unit of distance from a rank."""
        return self.own / (self.relation.rows * aim.spread) / ROUND_UP

    @property
    def additive(self) -> bool:
        """True: each row moves the distances, and the ranges of losses add up over rows and groups."""
        return True

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return bounded range."""
        return BoundedRange(self.epsilon)

    def law(self, data: Column) -> Law:
        """Return the law over all ticks, in the column's own unit."""
        return runs_near(data, self.aim, self.rate)

    def rank_error(self, public: Public, confidence: float = 0.95) -> int | None:
        """Return by how many rows the answer may be off, whatever the data."""
        if public.bounds is None:
            return None
        return self.aim.rows(furthest(public.bounds.top + 1, self.rate, 1 - confidence))

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width, but by how many rows the answer may be off, whatever the data."""
        rows = self.rank_error(public, confidence)
        if rows is None:
            return Forecast(None, "The bounds of the column determine how many rows the result may be off.")
        note = Phrase(
            "With {sure:.4g}% confidence, the result is at most this many rows from the quantile: {rows}.",
            sure=100 * confidence,
            rows=rows,
        )
        size = self.relation.size or public.size_guess
        if size is not None and rows > size * min(self.q, 1 - self.q):
            note = Phrase(
                "{note} If the number of rows is {size}, all of them may be on one side, and the result "
                "may be anywhere.",
                note=note,
                size=size,
            )
        return Forecast(None, note)


MOST_FLIPPED = 4096


@dataclass(frozen=True)
class QuantileFlipped(QuantileExponential):
    """Visit the ticks in random order; accept one with probability exp(-rate distance), rate as quantile-exponential.

    Guarantee: epsilon-DP, no delta.
    Proof: it is permute-and-flip with minus the distances as scores. One person moves the distances of two
    ticks apart by at most epsilon / rate, which is all that the proof of permute-and-flip needs.
    Reference: McKenna and Sheldon 2020, "Permute-and-Flip"; quantile-exponential for the distances.
    Complexity: O(ticks) a draw; probabilities by at most 128 nodes of Gauss-Legendre.
    Corner cases: a grid of more than 4,096 ticks is refused, because it gains nothing there; otherwise those of
    quantile-exponential. Under zCDP it costs what any epsilon costs, and the exponential mechanism less.
    """

    slug: ClassVar[str] = "quantile-permute-and-flip"
    title: ClassVar[str] = "Median or quantile by permute-and-flip"
    noise: ClassVar[Noise] = PERMUTED
    beats: ClassVar[str] = QuantileExponential.slug
    why: ClassVar[Phrase | None] = Phrase("it is never less accurate than the exponential mechanism at the same ε")

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    def check(self, public: Public) -> None:
        """Raise ParameterError for a grid with too many ticks."""
        if public.bounds is not None and public.bounds.top >= MOST_FLIPPED:
            raise ParameterError(
                "Permute-and-flip takes at most {most:,} values. Got {ticks:,}. Use the exponential mechanism.",
                most=MOST_FLIPPED,
                ticks=public.bounds.top + 1,
            )

    def law(self, data: Column) -> Law:
        """Return the law over all ticks."""
        runs = runs_near(data, self.aim, self.rate)
        scores = -np.repeat(runs.distances, runs.widths)
        values = np.asarray(data.bounds.value(np.arange(scores.size)), dtype=np.float64)
        chances = partial(selecting.permute_and_flip, scores, self.rate)
        return Picked(
            values.tolist(), values, chances, lambda noise: noise.permute_and_flip(scores.tolist(), self.rate)
        )
