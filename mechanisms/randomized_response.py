"""Randomized response: the local model, in which no one needs to be trusted with a true answer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from discreet.budget import Account, Cost, Pure
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import ROUND_UP, Mechanism
from discreet.mechanisms.base.view import Reports, View
from discreet.mechanisms.base.vocabulary import (
    FLIPPED,
    LOCAL,
    Family,
    Forecast,
    Noise,
    Public,
    Topic,
    epsilon_parameter,
    own_relation,
    parameter,
    setting,
)
from discreet.mechanisms.laws.law import Law, Picked, runs_of
from discreet.noise.protocol import NoiseSource
from discreet.queries import Relation
from discreet.queries.bounds import FloatArray
from discreet.queries.column import Scores

WORD = 2**62
MOST_PEOPLE = 1_000_000
CHUNK = 2**18
DEVIATIONS = 12  # beyond it a binomial has a probability below 1e-31


def binomial(size: int, p: float, q: float) -> tuple[int, FloatArray]:
    """Return the first number and the probabilities of a binomial (q = 1 - p) where they are not negligible."""
    reach = math.ceil(DEVIATIONS * math.sqrt(size * p * q) + DEVIATIONS**2)
    low = max(0, math.floor(size * p) - reach)
    high = min(size, math.ceil(size * p) + reach)
    k = np.arange(low + 1, high + 1, dtype=np.float64)
    steps = np.log((size + 1 - k) / k) + math.log(p / q)
    return low, runs_of(np.concatenate(([0.0], np.cumsum(steps))))


@dataclass(frozen=True)
class RandomizedResponse(Mechanism):
    """Every person answers truthfully with odds of exp(epsilon) to 1; the share of "yes" is corrected.

    A report is flipped with probability f = 1/(1 + exp(epsilon)); of N reports S say yes, and (S/N - f)/(1 - 2f) is
    an unbiased estimate of the share, which may lie outside 0 to 1. N, the number of people asked, is public: a
    missing person counts as "no", and extra people are left out.

    Guarantee: epsilon-DP for every single report, before anyone sees it, and so for the estimate; with m rows a
    person each report spends epsilon / m.
    Proof: given the truth, a report has chances f and 1 - f, whose ratio is at most exp(epsilon /
    m). One row changes at most one of the N true answers, so the m rows of a person change m
    reports and cost epsilon together. The estimate is post-processing of the reports.
    Reference: Warner 1965, "Randomized response".
    Complexity: O(N) a draw, 62 secret bits a person; the law is the convolution of two binomials.
    Corner cases: no rows estimate a share of 0 with the same noise; one person is one coin.
    """

    slug: ClassVar[str] = "randomized-response"
    title: ClassVar[str] = "Randomized response"
    family: ClassVar[Family] = LOCAL
    answers: ClassVar[tuple[Topic, ...]] = (Topic("share-of-yes", Phrase("Share of one answer")),)
    noise: ClassVar[Noise] = FLIPPED
    after: ClassVar[Phrase] = Phrase("The share is corrected for the flips, so it may be below 0 or above 1.")

    epsilon: float = epsilon_parameter()
    people: int = parameter(
        "People asked",
        1,
        MOST_PEOPLE,
        default=1000,
        help="The number of people asked is public.",
        shown=Phrase("how many people were asked, {value}"),
    )
    yes: str | None = setting(Phrase("Counted as yes"), None)
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    def __post_init__(self) -> None:
        """Check the parameters."""
        super().__post_init__()
        if not isinstance(self.people, int):
            raise ParameterError(
                "People asked must be a whole number between 1 and {most_people}. Got {people}.",
                most_people=MOST_PEOPLE,
                people=self.people,
            )

    @property
    def view(self) -> View:
        """The counts of the answers, of a fixed number of people."""
        return Reports(people=self.people)

    @property
    def flip_words(self) -> int:
        """How many of 2^62 words flip a report: rounded up, so that no report reveals too much."""
        epsilon = self.epsilon / self.relation.rows
        large = math.ceil(WORD / (1 + math.exp(epsilon)) * ROUND_UP)
        small = WORD // 2 - math.floor(WORD // 2 * (math.tanh(epsilon / 2) / ROUND_UP))
        return min(large, small)

    @property
    def flip(self) -> float:
        """The probability that a report is flipped."""
        return self.flip_words / WORD

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    def law(self, data: Scores) -> Law:
        """Return the law of the estimated share of "yes" (the first label, if none is named)."""
        labels = data.labels
        named = labels[0] if self.yes is None else self.yes
        yes = int(data.counts[labels.index(named)]) if named in labels else 0
        true = min(yes, self.people)
        reports = np.arange(self.people + 1) / self.people
        points = (reports - self.flip) / (1 - 2 * self.flip)
        return Picked(points.tolist(), points, partial(self.chances, true), partial(self.pick, true))

    def chances(self, true: int) -> FloatArray:
        """Return the probability of each number of reports that say yes."""
        first, truthful = binomial(true, 1 - self.flip, self.flip)
        second, flipped = binomial(self.people - true, self.flip, 1 - self.flip)
        chances = np.zeros(self.people + 1)
        both = np.convolve(truthful, flipped)
        chances[first + second : first + second + both.size] = np.maximum(both, 0)
        return chances

    def pick(self, true: int, noise: NoiseSource) -> int:
        """Flip every report independently, and count."""
        reports = 0
        for start in range(0, self.people, CHUNK):
            truths = np.arange(start, min(start + CHUNK, self.people)) < true
            flips = noise.words(truths.size) < np.uint64(self.flip_words)
            reports += int(np.count_nonzero(truths ^ flips))
        return reports

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the half width that Hoeffding's inequality gives for every dataset."""
        spread = math.sqrt(math.log(2 / (1 - confidence)) / (2 * self.people))
        return Forecast(spread / (1 - 2 * self.flip), "This is for the share among the people asked.", exact=True)
