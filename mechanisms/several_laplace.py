"""Several statistics of one column in one release: the common base, and Laplace noise, which is no longer offered."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from discreet.budget import Cost
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import CONFIDENCE, ROUND_UP, Mechanism, checked_sensitivity
from discreet.mechanisms.base.view import OneColumn
from discreet.mechanisms.base.vocabulary import (
    CLIPPED,
    GLOBAL,
    LAPLACE,
    Family,
    Forecast,
    Noise,
    Public,
    Topic,
    epsilon_parameter,
    setting,
)
from discreet.mechanisms.laws.law import Laplace, Law, Noisy, Product, around
from discreet.noise.protocol import GRID
from discreet.queries import Bounds, Column, Query, Relation
from discreet.queries.mean import Mean
from discreet.queries.median import Median

MOST_STATISTICS = 100
SEVERAL = Topic("several", Phrase("Several statistics together"))


@dataclass(frozen=True)
class SeveralLaplace(Mechanism):
    """Several statistics of one column together, each with Laplace noise of its own sensitivity.

    Divided by their global sensitivities the d statistics move by at most d in L1, so each gets Laplace(d GS_i /
    epsilon).

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
    instead: ClassVar[Phrase | None] = Phrase(
        "Several statistics with Laplace noise are no longer offered. Use Gaussian noise, or "
        "query each statistic separately with Laplace noise and a share of ε."
    )

    queries: tuple[Query, ...] = setting(Phrase("Statistics"), (Mean(), Median()))
    epsilon: float = epsilon_parameter()

    def __post_init__(self) -> None:
        """Raise ParameterError for a list that is empty, too long or mixes neighbour relations."""
        super().__post_init__()
        if not 1 <= len(self.queries) <= MOST_STATISTICS:
            raise ParameterError(
                "The number of statistics must be between 1 and {most_statistics}. Got {number}.",
                most_statistics=MOST_STATISTICS,
                number=len(self.queries),
            )
        if len({query.relation for query in self.queries}) > 1:
            raise ParameterError("All statistics must declare the same neighbour relation.")
        if len({query.size for query in self.queries}) > 1:
            raise ParameterError(
                "All statistics must use the same public number of rows, or none. Query a trimmed mean separately."
            )

    @property
    def neighbours(self) -> Relation:
        """The relation of all statistics."""
        return self.queries[0].relation

    @property
    def public_rows(self) -> int | None:
        """The public number of rows that all statistics require."""
        return self.queries[0].size

    @property
    def additive(self) -> bool:
        """Whether all statistics are additive."""
        return all(query.additive for query in self.queries)

    def parts(self, declared: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the statistics."""
        return tuple(Phrase(query.label) for query in self.queries)

    def no_interval(self) -> Phrase:
        """Return why an answer has no interval."""
        return Phrase("each of its values has separate noise of a public size.")

    def check(self, public: Public) -> None:
        """Raise ParameterError for statistics without a useful global sensitivity."""
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

    def widths(self, bounds: Bounds, confidence: float = 0.95) -> list[float]:
        """Return the exact half width of every statistic."""
        return [scale * math.log(1 / (1 - confidence)) for scale in self.scales(bounds)]

    def interval(self, answer: Any, public: Public, confidence: float = CONFIDENCE) -> Any:
        """Return one interval for every statistic, each within its range."""
        if public.bounds is None or not isinstance(answer, tuple):
            return None
        parts = zip(self.queries, answer, self.widths(public.bounds, confidence), strict=True)
        return tuple(OneColumn(query).within(public.bounds, value, width) for query, value, width in parts)

    def law(self, data: Column) -> Law:
        """Return independent laws, one per statistic."""
        scales = zip(self.queries, self.scales(data.bounds), strict=True)
        return Product(tuple(self._noisy(query, scale, data) for query, scale in scales))

    def _noisy(self, query: Query, scale: float, data: Column) -> Noisy:
        return around(query, data, scale, Laplace())

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no single width: every statistic has its own."""
        return Forecast(None, "Each statistic has a separate margin of error.")
