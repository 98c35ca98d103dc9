"""Counts of bands that are wider where there are few rows: a noisy number of rows chooses how wide."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from discreet.budget import Account, Cost, Pure
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import CONFIDENCE, ROUND_UP, Mechanism
from discreet.mechanisms.base.steps import Steps, steps_of
from discreet.mechanisms.base.view import BinCounts
from discreet.mechanisms.base.vocabulary import (
    GLOBAL,
    LAPLACE,
    Family,
    Forecast,
    Noise,
    Public,
    Topic,
    declared_bins,
    epsilon_parameter,
    own_relation,
)
from discreet.mechanisms.laws.branches import Branches, Within
from discreet.mechanisms.laws.law import Answer, Laplace, Law, Noisy, Product
from discreet.mechanisms.laws.moments import equal_tail, equal_width
from discreet.noise.protocol import NoiseSource
from discreet.queries import Column, Relation
from discreet.queries.bounds import FloatArray
from discreet.queries.column import Bins

DETAIL = Topic("detail", Phrase("Counts of bands, wider where there are few rows"), zeroless=True)
SHARE = 0.15  # of epsilon, for the number of rows that chooses
MOST_BANDS = 64
HALVINGS = 60

# --- Detail: the law of an answer ---


@dataclass(frozen=True)
class Noises:
    """The public scales of the noise of the number of rows, and of each count."""

    rows: float
    count: float

    @property
    def half(self) -> float:
        """The half width of a count."""
        return self.width(1, 1 - CONFIDENCE)

    def width(self, many: int, miss: float) -> float:
        """Return the half width of a sum of counts."""
        return self.count * (equal_width(many, miss) * ROUND_UP)


@dataclass(frozen=True)
class Detail(Law):
    """A noisy number of rows, which is not shown, chooses a step; each of its bands gets a noisy count.

    A band that is wider is the sum of those in it; a narrower one has no number.
    """

    counts: tuple[int, ...] = field(repr=False)
    noises: Noises

    @property
    def steps(self) -> Steps:
        """The public steps."""
        return steps_of(len(self.counts))

    @property
    def rows(self) -> Noisy:
        """The law of the number of rows."""
        return Noisy(sum(self.counts), self.noises.rows, Laplace())

    def exact(self, step: int) -> tuple[int, ...]:
        """Return the exact count of each band of a step."""
        return tuple(sum(self.counts[low:high]) for low, high in self.steps.each[step])

    @property
    def everything(self) -> Branches:
        """The joint law of the number of rows, the step that it chooses, and the counts of this step."""
        ends = (math.inf, *self.steps.thresholds(self.noises.half))
        each = [Within(self.rows, low, high) for high, low in pairwise(ends)]
        counts = (self.exact(step) for step in range(len(each)))
        laws = (
            Product((rows, *(Noisy(count, self.noises.count, Laplace()) for count in exact)))
            for rows, exact in zip(each, counts, strict=True)
        )
        return Branches(tuple(rows.chance for rows in each), tuple(laws))

    @property
    def draws(self) -> int:
        """One uniform for the number of rows, and one for each band."""
        return 1 + len(self.counts)

    def shown(self, step: int, noisy: Any) -> Any:
        """Return all numbers of an answer, one line each, from the noisy counts of a step; NaN for a narrower band."""
        of_step = self.steps.each[step]
        sums = []
        for (low, high), many in zip(self.steps.spans, self.steps.sizes[step], strict=True):
            inside = [noisy[at] for at, (first, last) in enumerate(of_step) if low <= first and last <= high]
            sums.append(np.maximum(np.sum(inside, axis=0), 0.0) if many else np.full(np.shape(noisy[0]), np.nan))
        return np.array(sums)

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return one line for each number of an answer; NaN where there is none."""
        step = self.steps.chosen(self.rows.quantile(uniforms[0]), self.noises.half)
        answers = np.full((len(self.steps.spans), step.size), np.nan)
        noises = self.noises.count * Laplace().quantile(uniforms[1:])
        for at in np.unique(step):
            here = step == at
            exact = np.array(self.exact(int(at)), dtype=np.float64)
            answers[:, here] = self.shown(int(at), exact[:, None] + noises[: exact.size, here])
        return answers

    def cdf(self, y: Any) -> FloatArray:
        """Return each number's P(it is shown and <= y), one line each."""
        places = np.broadcast_to(
            np.asarray(y, dtype=np.float64), (len(self.steps.spans), *np.shape(np.atleast_2d(y))[1:])
        )
        total = np.zeros(places.shape)
        for chance, sizes in zip(self.everything.weights, self.steps.sizes, strict=True):
            for at, ((low, high), many) in enumerate(zip(self.steps.spans, sizes, strict=True)):
                if many:
                    off = (places[at] - sum(self.counts[low:high])) / self.noises.count
                    total[at] += chance * np.where(places[at] < 0, 0.0, 1 - equal_tail(many, off))
        return total

    def quantile(self, p: Any) -> FloatArray:
        """Return each number's p-quantile where it is shown, one line each."""
        shares = np.atleast_1d(np.asarray(p, dtype=np.float64))
        everywhere = self.cdf(np.full((1, 1), np.inf))
        most = max(self.counts, default=0) * len(self.counts) + 45 * len(self.counts) * self.noises.count
        low = np.zeros((len(self.steps.spans), shares.size))
        high = np.full(low.shape, most)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            enough = self.cdf(middle) >= shares * everywhere
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        return high

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw the number of rows, and the counts of the step that it chooses."""
        rows: Any = self.rows.draw(noise)
        step = int(self.steps.chosen(np.array(rows), self.noises.half))
        counts = np.array(noise.laplaces(self.exact(step), self.noises.count), dtype=np.float64)
        return tuple(None if math.isnan(each) else float(each) for each in self.shown(step, counts))


@dataclass(frozen=True)
class AdaptiveDetail(Mechanism):
    """Count the rows of bands that are as narrow as the number of rows allows.

    The bands, then neighbours joined two by two, four by four, and so on, are public steps. The number of rows with
    noise of 15% of epsilon chooses the finest step of which each band is expected to have five half widths. Each
    band of this step is counted with noise of the rest; wider bands are sums of these. The number that chose is not
    shown.
    Guarantee: epsilon-DP, no delta; with probability at least 95% on every dataset, whatever was chosen, the interval
    of a number contains the count of its band.
    Proof: let e1 + e2 = epsilon. Given the noisy number of rows x, the step is public, and m rows of a person move the
    number of rows by m and the counts of any one step by m in L1 (2 m each where a row may be replaced). So the joint
    density of x and the counts changes by at most a factor exp(e1) exp(e2). The noise of the counts is drawn
    independently of x, so the interval of each count, or sum of counts, holds given the choice, and so altogether.
    Reference: the two stages of the 2020 census's detailed tables (arXiv 2505.01472); sums of Laplace noise in Kotz,
    Kozubowski and Podgorski 2001.
    Complexity: O(rows) once, then O(bands).
    Corner cases: no rows choose the widest band most likely; values outside of all bands count in the nearest; sums
    below 0 become 0, so numbers may not add up.
    """

    slug: ClassVar[str] = "adaptive-detail"
    title: ClassVar[str] = "Counts of bands, wider where there are few rows"
    family: ClassVar[Family] = GLOBAL
    noise: ClassVar[Noise] = LAPLACE
    answers: ClassVar[tuple[Topic, ...]] = (DETAIL,)
    single: ClassVar[bool] = False
    after: ClassVar[Phrase] = Phrase("Wide bands are sums of the bands inside them. Counts below 0 become 0.")
    why: ClassVar[Phrase | None] = Phrase("each group has bands that are wide enough for its number of rows")

    bins: Bins | None = declared_bins()
    epsilon: float = epsilon_parameter()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    @property
    def view(self) -> BinCounts:
        """The column, of which bands are counted."""
        return BinCounts(bins=self.bins)

    def parts(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the bands of all steps, from the widest."""
        return self.view.labels(declared)

    def check(self, public: Public) -> None:
        """Raise ParameterError for too few or too many bands."""
        if self.bins is not None and not 2 <= len(self.bins.labels) <= MOST_BANDS:
            raise ParameterError("Give 2 to {most} bands, by their edges.", most=MOST_BANDS)
        if public.bounds is not None:
            self.view.bands(public.bounds)  # raises for bounds between which there are no equal bands

    @property
    def noises(self) -> Noises:
        """The public scales."""
        moved = self.relation.rows * (2 if self.relation.change_one else 1)
        each = (moved / (share * self.epsilon) * ROUND_UP for share in (SHARE, 1 - SHARE))
        return Noises(*each)

    @property
    def additive(self) -> bool:
        """True: each row moves the number of rows, and one count, by 1."""
        return True

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    def law(self, data: Column) -> Law:
        """Return the joint law of all numbers."""
        return Detail(tuple(self.view.bands(data.bounds).scores(data).counts.tolist()), self.noises)

    def interval(self, answer: Any, public: Public, confidence: float = CONFIDENCE) -> Any:
        """Return an interval for each number that is shown: its width depends on of how many counts it is the sum."""
        steps = Steps(self._bands_in(answer))
        shown = [value is not None for value in answer]
        sizes = next(each for each in steps.sizes if [many > 0 for many in each] == shown)
        halves = [self.noises.width(many, 1 - confidence) if many else None for many in sizes]
        return tuple(
            None if half is None else self.view.within(public.bounds, value, half)
            for value, half in zip(answer, halves, strict=True)
        )

    def _bands_in(self, answer: Any) -> int:
        return next(bands for bands in range(1, MOST_BANDS + 1) if len(steps_of(bands).spans) == len(answer))

    def usual_width(self, data: Column) -> float:
        """Return the half width of a count of one band of the step that is chosen."""
        return self.noises.half

    def forecast(self, public: Public, confidence: float = CONFIDENCE) -> Forecast:
        """Return the half width of a count of one band of the step that is chosen."""
        return Forecast(
            self.noises.width(1, 1 - confidence),
            Phrase("The noise scale is public. A wide band that is the sum of several counts has more noise."),
        )
