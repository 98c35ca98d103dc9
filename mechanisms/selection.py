"""Selection: which of a declared list is most (or least) common, and nothing else."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from discreet.budget import Account, BoundedRange, Cost, Pure
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import ROUND_UP, Mechanism
from discreet.mechanisms.base.neighbours import form_parameter, spread
from discreet.mechanisms.base.view import Levels, View
from discreet.mechanisms.base.vocabulary import (
    AS_DRAWN,
    EXPONENTIAL,
    LAPLACE,
    PERMUTED,
    SELECTION,
    Family,
    Forecast,
    Noise,
    Public,
    Topic,
    declared_bins,
    epsilon_parameter,
    own_relation,
    parameter,
)
from discreet.mechanisms.laws import selecting
from discreet.mechanisms.laws.law import Law, Picked
from discreet.noise.protocol import NoiseSource
from discreet.queries import Relation
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.column import MOST_CANDIDATES, Bins, Scores

MOST_COMMON = Topic("most-common", Phrase("Most (or least) common"), numbers_only=False, zeroless=True)


@dataclass(frozen=True)
class Selection(Mechanism):
    """What every selection declares: epsilon, the form, most or least, bins of a number column."""

    family: ClassVar[Family] = SELECTION
    answers: ClassVar[tuple[Topic, ...]] = (MOST_COMMON,)
    after: ClassVar[Phrase] = AS_DRAWN

    epsilon: float = epsilon_parameter()
    form: str = form_parameter()
    least: bool = parameter(
        "Least common",
        choices=(False, True),
        default=False,
        help="If on, the least common value is chosen instead of the most common one.",
    )
    bins: Bins | None = declared_bins()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    def __post_init__(self) -> None:
        """Check the parameters, and that the form fits the neighbour relation."""
        super().__post_init__()
        spread(self.form, self.relation)

    @property
    def view(self) -> View:
        """The counts of the candidates."""
        return Levels(self.bins)

    @property
    def rate(self) -> float:
        """The weight of one row in the exponent, rounded towards more noise."""
        return self.epsilon / spread(self.form, self.relation) / ROUND_UP

    def candidates(self, public: Public) -> int:
        """Return the public number of candidates."""
        if self.bins is not None:
            return len(self.bins.edges) - 1
        return 1 if public.labels is None else public.labels

    def check(self, public: Public) -> None:
        """Raise ParameterError for a list of candidates that is empty or too long."""
        number = self.candidates(public)
        if not 1 <= number <= MOST_CANDIDATES:
            raise ParameterError(
                "The number of candidates must be between 1 and {most_candidates}. Got {number}.",
                most_candidates=MOST_CANDIDATES,
                number=number,
            )

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    @abstractmethod
    def chances(self, scores: IntArray) -> FloatArray:
        """Return the exact probability of each candidate."""

    @abstractmethod
    def pick(self, scores: IntArray, noise: NoiseSource) -> int:
        """Draw the position of a candidate."""

    def law(self, data: Scores) -> Law:
        """Return the law over the declared labels; as a number, an answer is its position."""
        scores = -data.counts if self.least else data.counts
        positions = np.arange(len(data.labels), dtype=np.float64)
        return Picked(data.labels, positions, partial(self.chances, scores), partial(self.pick, scores))

    def gap(self, candidates: int, alpha: float) -> float:
        """Return by how many rows the choice trails the best, except with probability alpha."""
        return math.log(max(1.0, (candidates - 1) / alpha)) / self.rate

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width, but how far from the best the choice may be, whatever the data."""
        rows = self.gap(self.candidates(public), 1 - confidence)
        note = Phrase(
            "With {sure:.4g}% confidence, the chosen count is within {rows:.3g} rows of the {best}.",
            sure=100 * confidence,
            rows=rows,
            best=Phrase("smallest") if self.least else Phrase("largest"),
        )
        return Forecast(None, note)


@dataclass(frozen=True)
class PermuteAndFlip(Selection):
    """Visit the candidates in random order; accept one with probability exp(rate (score - best)).

    rate = epsilon / m where one person moves all counts the same way by at most m (add/remove),
    epsilon / (2 m) where not (change-one). Never less accurate than the exponential mechanism.
    Guarantee: epsilon-DP, no delta.
    Proof: its chances are those of the largest score plus exponential noise of mean 1/rate (put t =
    exp(-rate z) in the integral of mechanisms.chances). Given the noise of all others, a candidate
    wins if its own noise exceeds some a, a chance of exp(-rate max(a, 0)). One person moves a by at
    most epsilon / rate, because two scores move apart by no more, so this by exp(epsilon) at most.
    Reference: McKenna and Sheldon 2020, "Permute-and-Flip".
    Complexity: O(candidates) a draw; probabilities by at most 128 nodes of Gauss-Legendre.
    Corner cases: no rows and ties are equal scores, so equal chances; one candidate is certain.
    """

    slug: ClassVar[str] = "permute-and-flip"
    title: ClassVar[str] = "Most common by permute-and-flip"
    noise: ClassVar[Noise] = PERMUTED
    why: ClassVar[Phrase] = Phrase("it is never less accurate than the exponential mechanism at the same ε")

    def chances(self, scores: IntArray) -> FloatArray:
        """Return the exact probability of each candidate."""
        return selecting.permute_and_flip(scores, self.rate)

    def pick(self, scores: IntArray, noise: NoiseSource) -> int:
        """Draw by flips in random order."""
        return noise.permute_and_flip(scores.tolist(), self.rate)


@dataclass(frozen=True)
class ExponentialMechanism(Selection):
    """Pick a candidate with probability proportional to exp(rate score), rate as permute-and-flip.

    Guarantee: epsilon-DP, no delta; its losses on a pair lie in an interval of length epsilon
    (bounded range), which composes better under zCDP than permute-and-flip.
    Proof: one person moves two scores apart by at most epsilon / rate, so the log-weights of two
    candidates by at most epsilon. The log of the normaliser moves by something between the smallest
    and the largest of these moves, so all losses lie in one interval of length epsilon that
    contains 0.
    Reference: McSherry and Talwar 2007; Dong, Durfee and Rogers 2020 for bounded range.
    Complexity: O(candidates).
    Corner cases: no rows and ties are equal scores, so equal chances; one candidate is certain.
    """

    slug: ClassVar[str] = "exponential-mechanism"
    title: ClassVar[str] = "Most common by exponential mechanism"
    noise: ClassVar[Noise] = EXPONENTIAL
    why: ClassVar[Phrase] = Phrase("all three are equally good here, and it composes best with later releases")

    def account(self) -> Account | None:
        """Return bounded range."""
        return BoundedRange(self.epsilon)

    def chances(self, scores: IntArray) -> FloatArray:
        """Return the exact probability of each candidate."""
        return selecting.exponential(scores, self.rate)

    def pick(self, scores: IntArray, noise: NoiseSource) -> int:
        """Draw by weight."""
        return noise.exponential((scores.max() - scores).tolist(), [1] * scores.size, self.rate)


@dataclass(frozen=True)
class NoisyMax(Selection):
    """Report the candidate whose count plus Laplace(1 / rate) is largest, and never the count.

    Guarantee: epsilon-DP, no delta.
    Proof: given the noise of all others, a candidate wins if its own noise exceeds some a. One
    person moves a by at most epsilon / rate, because two scores move apart by no more. The log of
    P(Laplace(1 / rate) > a) falls by at most rate per unit of a, so the chance to win moves by a
    factor of at most exp(epsilon).
    Reference: Dwork and Roth 2014, section 3.3.
    Complexity: O(candidates) a draw; probabilities O(levels^2) by Gauss-Legendre between scores.
    Corner cases: no rows and ties are equal scores, so equal chances; one candidate is certain.
    """

    slug: ClassVar[str] = "noisy-max"
    title: ClassVar[str] = "Most common by noisy counts"
    noise: ClassVar[Noise] = LAPLACE
    why: ClassVar[Phrase] = Phrase("the candidates are few, and noise on their counts loses little")

    def chances(self, scores: IntArray) -> FloatArray:
        """Return the exact probability of each candidate."""
        return selecting.noisy_max(scores, 1 / self.rate)

    def pick(self, scores: IntArray, noise: NoiseSource) -> int:
        """Draw all noisy counts and keep the position of the largest."""
        return noise.noisy_max(scores.tolist(), 1 / self.rate)

    def gap(self, candidates: int, alpha: float) -> float:
        """Return the gap that two independent noises bridge with probability at most alpha."""
        gap = 1.0
        others = max(candidates - 1, 0)
        for _ in range(60):
            gap = math.log(max(1.0, others * (2 + gap) / (4 * alpha)))
        return gap / self.rate
