"""Sparse vector: which of a stream of counts are the first above a threshold, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from discreet.budget import Account, Cost, Pure
from discreet.budget.errors import ParameterError, Phrase
from discreet.mechanisms.base.mechanism import Mechanism
from discreet.mechanisms.base.neighbours import form_parameter, monotone
from discreet.mechanisms.base.sparse_vector import Crossings, Scales
from discreet.mechanisms.base.view import Levels, View
from discreet.mechanisms.base.vocabulary import (
    AS_DRAWN,
    LAPLACE,
    SPARSE,
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
from discreet.mechanisms.laws.law import Law
from discreet.queries import Relation
from discreet.queries.column import Bins, Scores

MOST_QUERIES = 1000
ABOVE = Topic("first-above", Phrase("Categories above a threshold"), numbers_only=False, zeroless=True)


def threshold_parameter() -> Any:
    """Declare a threshold of counts."""
    shown = Phrase("the threshold, {value}")
    return parameter("Threshold", -1e12, 1e12, default=100.0, help="This is the threshold, in rows.", shown=shown)


def misjudged(rows: float, confidence: float) -> Forecast:
    """Return no width, but how far from the threshold a wrong answer may be, for any data."""
    note = Phrase(
        "With {sure:.4g}% confidence, every count more than {rows:.3g} rows from the threshold is judged correctly.",
        sure=100 * confidence,
        rows=rows,
    )
    return Forecast(None, note)


@dataclass(frozen=True)
class AboveThreshold(Mechanism):
    """Name the first c declared candidates, in order, whose count is above a threshold.

    Noise: Laplace(m / e1) on the threshold, once, and fresh Laplace(2 c m / e2) on every count,
    half of that where one person moves all counts the same way. The noisy counts stay unknown.
    Guarantee: epsilon-DP, no delta, however long the list is.
    Proof: raising the threshold's noise by m costs e1 and keeps every miss as likely, however many
    there are. Each of at most c hits is then short by 2 m at most and costs e2 / c. Where all
    counts move one way the threshold is raised only if they rise, so a hit is short by m at most.
    Reference: Dwork and Roth 2014, section 3.6; Lyu, Su and Li 2017, "Understanding the sparse
    vector technique", algorithm 7, which also names six published variants that are not private.
    Complexity: O(candidates); probabilities O(candidates^2).
    Corner cases: no rows are counts of 0; nothing above the threshold is an empty list, which
    costs the same; ties and equal counts stop at the first.
    """

    slug: ClassVar[str] = "above-threshold"
    title: ClassVar[str] = "First counts above a threshold"
    family: ClassVar[Family] = SPARSE
    answers: ClassVar[tuple[Topic, ...]] = (ABOVE,)
    single: ClassVar[bool] = False
    noise: ClassVar[Noise] = LAPLACE
    after: ClassVar[Phrase] = AS_DRAWN

    epsilon: float = epsilon_parameter()
    threshold: float = threshold_parameter()
    most: int = parameter("Number of results", 1, 100, default=1, help="The search stops after this many results.")
    form: str = form_parameter()
    bins: Bins | None = declared_bins()
    relation: Relation = own_relation()  # type: ignore[misc]  # there is no query to declare it

    def __post_init__(self) -> None:
        """Check the parameters, and that the form fits the neighbour relation."""
        super().__post_init__()
        if not isinstance(self.most, int):
            raise ParameterError(
                "The number of results must be a whole number between 1 and 100. Got {most}.", most=self.most
            )
        monotone(self.form, self.relation)

    @property
    def view(self) -> View:
        """The counts of the candidates."""
        return Levels(self.bins)

    @property
    def scales(self) -> Scales:
        """The two public noise scales."""
        return Scales.best(self.epsilon, self.form, self.relation, self.most)

    def check(self, public: Public) -> None:
        """Raise ParameterError for a stream that is empty or too long."""
        number = self.length(public)
        if not 1 <= number <= MOST_QUERIES:
            raise ParameterError(
                "The number of candidates must be between 1 and {most_queries}. Got {number}.",
                most_queries=MOST_QUERIES,
                number=number,
            )

    def length(self, public: Public) -> int:
        """Return the public length of the stream."""
        if self.bins is not None:
            return len(self.bins.edges) - 1
        return 1 if public.labels is None else public.labels

    def cost(self) -> Cost:
        """Return epsilon."""
        return Cost.of(self.epsilon)

    def account(self) -> Account | None:
        """Return pure epsilon."""
        return Pure(self.epsilon)

    def law(self, data: Scores) -> Law:
        """Return the law over stopping positions."""
        return Crossings(data.labels, data.counts, self.threshold, self.scales, self.most)

    def forecast(self, public: Public, confidence: float = 0.95) -> Forecast:
        """Return no width, but how far from the threshold a wrong answer may be, for any data."""
        return misjudged(self.scales.slack(self.length(public), 1 - confidence), confidence)
