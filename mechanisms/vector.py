"""Several numbers at once: counts of all categories or bins, several statistics of one column."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from scipy import special

from discreet.budget import Account, Cost, Pure
from discreet.budget import Gaussian as GaussianAccount
from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.mechanisms.composed import Product
from discreet.mechanisms.families import GLOBAL, Family
from discreet.mechanisms.gaussian import gaussian_sigma
from discreet.mechanisms.laplace import whole_width
from discreet.mechanisms.laws import Law, Noisy, around
from discreet.mechanisms.mechanism import ROUND_UP, Forecast, Mechanism, Public, checked_sensitivity
from discreet.mechanisms.noises import CLIPPED, GAUSSIAN, GEOMETRIC, LAPLACE, Noise
from discreet.mechanisms.not_negative import NoisyCounts
from discreet.mechanisms.parameters import declared_bins, delta_parameter, epsilon_parameter, own_relation, setting
from discreet.mechanisms.shapes import Gaussian, Laplace
from discreet.mechanisms.source import GRID
from discreet.mechanisms.topic import Topic
from discreet.mechanisms.view import Counts, View
from discreet.queries import Bounds, Column, Query, Relation
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.scores import Bins, Scores

MOST_STATISTICS = 100
COUNTS = Topic("counts", Phrase("Counts of all categories or bins"), numbers_only=False)
SEVERAL = Topic("several", Phrase("Several statistics at once"))


class AllCounts(Mechanism):
    """What both ways to count have in common: the counts that they take, and what they answer."""

    family: ClassVar[Family] = GLOBAL
    answers: ClassVar[tuple[Topic, ...]] = (COUNTS,)
    single: ClassVar[bool] = False
    after: ClassVar[Phrase] = Phrase("Counts below 0 become 0. Small groups are not hidden: their noise hides them.")

    bins: Bins | None

    @property
    def view(self) -> View:
        """The counts themselves."""
        return Counts(self.bins)

    def parts(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the candidates."""
        return self.view.labels(declared)


@dataclass(frozen=True)
class CountsGeometric(AllCounts):
    """The count of every declared category or bin, each with geometric noise; never below 0.

    One person's m rows move the counts by m in all (L1), or by 2 m where a row may move from one
    count to another, so one epsilon pays for all counts.
    Guarantee: epsilon-DP, no delta.
    Proof: the chances of a list of answers multiply, so those of two neighbours differ by a factor
    of at most exp(L1 distance of the counts / scale). The scale is the largest such distance, m or
    2 m, over epsilon; clipping at 0 is post-processing.
    Reference: Dwork and Roth 2014, example 3.2; geometric noise as for one count.
    Complexity: O(rows) once, then O(candidates).
    Corner cases: levels nobody names are counted like any other; rows outside all bins count in
    the nearest; clipping at 0 makes small counts too large on average.
    """

    slug: ClassVar[str] = "counts-geometric"
    title: ClassVar[str] = "Counts of all categories, geometric noise"
    noise: ClassVar[Noise] = GEOMETRIC

    epsilon: float = epsilon_parameter()
    bins: Bins | None = declared_bins()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    def cost(self) -> Cost:
        """Return epsilon: the counts compose in parallel."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    @property
    def scale(self) -> float:
        """The public noise scale of every count."""
        moved = self.relation.rows * (2 if self.relation.change_one else 1)
        return moved / self.epsilon * ROUND_UP

    def law(self, data: Scores) -> Law:
        """Return independent laws, one per candidate."""
        return NoisyCounts.around(data.counts, self.scale)

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the exact half width of each count."""
        width = whole_width(self.scale, confidence)
        return Forecast(width, "For each count by itself.", exact=True)


@dataclass(frozen=True)
class CountsGaussian(AllCounts):
    """The count of every declared category or bin, each with Gaussian noise.

    One person's m rows move the counts by at most m in L2, or by sqrt(2) m where rows may move.
    Guarantee: (epsilon, delta)-DP.
    Proof: independent normal noise of one sigma is the same in all directions, so a shift of the
    counts by d in L2 loses what one number shifted by d loses. Sigma is the exact one for the
    largest d (see gaussian); clipping at 0 is post-processing.
    Reference: Balle and Wang 2018 for sigma at an L2 sensitivity.
    Complexity: O(rows) once, then O(candidates).
    Corner cases: as for geometric noise; useful only when many releases are composed.
    """

    slug: ClassVar[str] = "counts-gaussian"
    title: ClassVar[str] = "Counts of all categories, Gaussian noise"
    noise: ClassVar[Noise] = GAUSSIAN

    epsilon: float = epsilon_parameter()
    delta: float = delta_parameter()
    bins: Bins | None = declared_bins()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    def cost(self) -> Cost:
        """Return (epsilon, delta)."""
        return Cost.of(self.epsilon, self.delta)

    def account(self) -> Account | None:
        """Return the Gaussian curve."""
        return GaussianAccount(gaussian_sigma(self.epsilon, self.delta))

    @property
    def scale(self) -> float:
        """The public sigma of every count."""
        moved = self.relation.rows * (math.sqrt(2) if self.relation.change_one else 1.0)
        return moved * gaussian_sigma(self.epsilon, self.delta) * ROUND_UP

    def law(self, data: Scores) -> Law:
        """Return independent laws, one per candidate."""
        low, shape = 0.0, Gaussian()
        return Product(tuple(Noisy(float(c), self.scale, shape, low) for c in data.counts))

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return the exact half width of each count."""
        width = self.scale * float(special.ndtri((1 + confidence) / 2))
        return Forecast(width, "For each count by itself.", exact=True)


@dataclass(frozen=True)
class SeveralLaplace(Mechanism):
    """Several statistics of one column at once, each with Laplace noise of its own sensitivity.

    Divided by their global sensitivities the d statistics move by at most d in L1, so each gets
    Laplace(d GS_i / epsilon).
    Guarantee: epsilon-DP, no delta.
    Proof: statistic i moves by at most GS_i, so its own Laplace noise costs at most epsilon / d,
    and the d costs add up to epsilon. Clipping is post-processing.
    Reference: Dwork, McSherry, Nissim and Smith 2006 for L1 sensitivity.
    Complexity: one value per statistic.
    Corner cases: all statistics declare the same neighbour relation, else it is refused.
    """

    slug: ClassVar[str] = "several-laplace"
    title: ClassVar[str] = "Several statistics, Laplace noise"
    family: ClassVar[Family] = GLOBAL
    answers: ClassVar[tuple[Topic, ...]] = (SEVERAL,)
    single: ClassVar[bool] = False
    noise: ClassVar[Noise] = LAPLACE
    after: ClassVar[Phrase] = CLIPPED

    queries: tuple[Query, ...] = setting(Phrase("Statistics"), (Mean(), Median()))
    epsilon: float = epsilon_parameter()

    def __post_init__(self) -> None:
        """Refuse lists that are empty, endless or mixed."""
        super().__post_init__()
        if not 1 <= len(self.queries) <= MOST_STATISTICS:
            raise ParameterError(
                "Statistics must be between 1 and {most_statistics} in number. Got {number}.",
                most_statistics=MOST_STATISTICS,
                number=len(self.queries),
            )
        if len({query.relation for query in self.queries}) > 1:
            raise ParameterError("All statistics must declare the same neighbour relation.")
        if len({query.size for query in self.queries}) > 1:
            raise ParameterError(
                "All statistics must count on the same public number of rows, or all on none. Ask "
                "for a trimmed mean by itself."
            )

    @property
    def neighbours(self) -> Relation:
        """The relation of all statistics."""
        return self.queries[0].relation

    @property
    def public_rows(self) -> int | None:
        """The public number of rows that all statistics count on."""
        return self.queries[0].size

    def parts(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the statistics."""
        return tuple(Phrase(query.label) for query in self.queries)

    def no_interval(self) -> Phrase:
        """Say why an answer stands without an interval."""
        return Phrase("every number of it has noise of its own, of a public size.")

    def check(self, public: Public) -> None:
        """Refuse statistics without a useful global sensitivity."""
        if public.bounds is not None:
            self.scales(public.bounds)

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def scales(self, bounds: Bounds) -> list[float]:
        """Return the public noise scale of every statistic."""
        number = len(self.queries)
        times = number / self.epsilon * ROUND_UP * (1 + number * GRID / self.epsilon)
        return [checked_sensitivity(query, bounds) * times for query in self.queries]

    def law(self, data: Column) -> Law:
        """Return independent laws, one per statistic."""
        scales = zip(self.queries, self.scales(data.bounds), strict=True)
        return Product(tuple(self._noisy(query, scale, data) for query, scale in scales))

    def _noisy(self, query: Query, scale: float, data: Column) -> Noisy:
        return around(query, data, scale, Laplace())

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no single width: every statistic has its own."""
        return Forecast(None, "Every statistic has its own width.")


@dataclass(frozen=True)
class SeveralGaussian(SeveralLaplace):
    """Several statistics of one column at once, each with Gaussian noise of its own sensitivity.

    Divided by their global sensitivities the d statistics move by at most sqrt(d) in L2.
    Guarantee: (epsilon, delta)-DP.
    Proof: divided by GS_i, every statistic has normal noise of the same sigma, which is the same in
    all directions, and all of them shift by at most sqrt(d) in L2. Sigma is the exact one for that
    shift (see gaussian); clipping is post-processing.
    Reference: Balle and Wang 2018 for sigma at an L2 sensitivity.
    Complexity: one value per statistic.
    Corner cases: all statistics declare the same neighbour relation, else it is refused.
    """

    slug: ClassVar[str] = "several-gaussian"
    title: ClassVar[str] = "Several statistics, Gaussian noise"
    noise: ClassVar[Noise] = GAUSSIAN

    delta: float = delta_parameter()

    def cost(self) -> Cost:
        """Return (epsilon, delta)."""
        return Cost.of(self.epsilon, self.delta)

    def account(self) -> Account | None:
        """Return the Gaussian curve."""
        return GaussianAccount(gaussian_sigma(self.epsilon, self.delta))

    def scales(self, bounds: Bounds) -> list[float]:
        """Return the public sigma of every statistic."""
        sigma = gaussian_sigma(self.epsilon, self.delta)
        times = math.sqrt(len(self.queries)) * sigma * ROUND_UP
        return [checked_sensitivity(query, bounds) * times for query in self.queries]

    def _noisy(self, query: Query, scale: float, data: Column) -> Noisy:
        return around(query, data, scale, Gaussian())
