"""Methods: the public information on a row of a plan, which mechanisms can answer it, and how accurately."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np

from discreet.budget import Cost
from discreet.budget.errors import ParameterError, Phrase
from discreet.lab.contest import (
    MOST_PEOPLE,
    Estimated,
    Ground,
    Scenario,
    all_beside,
    dealt_pairs,
    enters,
    entrant,
    pair_error,
    width95,
)
from discreet.lab.experiment import ranks_off, simulate
from discreet.lab.simulation import SimulationNoise
from discreet.lab.sweeps import published_width
from discreet.mechanisms import Mechanism, Public, registry
from discreet.mechanisms.base.counts import COUNTS
from discreet.mechanisms.base.tuning import half_width
from discreet.mechanisms.base.view import EQUAL, Weighted
from discreet.mechanisms.base.vocabulary import BLOCKS, CLIPPED_AT, CORE_TAIL, GAUSSIAN, SMOOTH, Topic
from discreet.mechanisms.counts_detail import DETAIL
from discreet.mechanisms.laws.law import Law
from discreet.mechanisms.quantile_exponential import QuantileFlipped
from discreet.mechanisms.quantiles_counted import QuantilesCounted
from discreet.mechanisms.sample_aggregate import SampleAggregate
from discreet.mechanisms.selection import MOST_COMMON, Selection
from discreet.mechanisms.several_quantiles import QUANTILES, check_levels
from discreet.mechanisms.soft_pairs import Pairing, SoftPairs
from discreet.mechanisms.soft_weights import Weighing
from discreet.queries import ADD_REMOVE, Bounds, Query, Relation
from discreet.queries import registry as statistics
from discreet.queries.column import Bins, HowRead
from discreet.queries.count import Count
from discreet.queries.estimators import registry as estimators
from discreet.queries.interquartile import InterquartileRange
from discreet.queries.quantile import Quantile
from discreet.queries.query import exact_share
from discreet.queries.sum import Sum
from discreet.rows.columns.bands import Bands, Cycle
from discreet.rows.columns.grouping import Grouping
from discreet.rows.schema import Schema

Level = float | tuple[float, ...] | None
HOW_READ = Topic("how-read", Phrase("Missing values"), numbers_only=False, zeroless=True)
BINNED = (COUNTS.name, DETAIL.name)  # what is asked of a number by bins
PREDICTION = "prediction"  # its level is a value of the first column
PUBLIC_ERROR = (Count.name, Sum.name, DETAIL.name, "weighted-count", "weighted-sum")
USELESS = 1 / 3  # of the range: an error this large carries almost no information
GUESSED, SHAPE = 1000, "bell"  # placeholders, where nothing is forecast yet
DRAWS = 4000  # simulated, where an error is more than the width of a law: accurate to 3 %
SKEWED = "skewed"
INSURED = 2.3  # of a forecast: that of a mean in the middle of its bounds, which is 1.25 times the one of skewed values
AHEAD = 3.0  # by what factor a smooth range must be better on guessed rows
SPANNED = 1.3  # how many more ranks several levels may be off where each has an interval
RANKED = 1000  # answers from which errors in ranks are computed: accurate to 2 %
FLOOR = 0.01  # of a step: no error counts as smaller


@cache
def by_blocks(statistic: str) -> bool:
    """Return whether only blocks answer: the other methods cannot, or not without a public number of rows."""
    found, query = estimators.get(statistic), statistics.get(statistic)
    sized = query is not None and any(field.name == "resize" for field in fields(query))
    return found is not None and found.columns == 1 and (query is None or sized)


@dataclass(frozen=True)
class Subject:
    """A statistic on simulated people: as many as a group is guessed to have, in an assumed shape."""

    statistic: str
    bounds: Bounds | None
    labels: int | None
    people: int
    shape: str
    relation: Relation
    level: Level = None
    grouped: bool = False
    interval: bool = False
    coarse: bool = True  # errors far below a step count as equal
    bins: Bins | HowRead | None = None
    second: Bounds | None = None  # of the second of two columns
    over: tuple[Grouping, ...] = ()  # groups of a finer table, of which the numbers are added up
    cells: int = 1  # that are added up
    part: float = field(default=1.0, compare=False)  # of all people that are guessed to pass the filter
    groups: tuple[int, ...] = field(default=(), compare=False)  # the people of each, where sizes were given

    @property
    def public(self) -> Public:
        """The public values that forecasts may use."""
        return Public(self.bounds, self.people, self.labels, self.second)

    @cached_property
    def ground(self) -> Ground:
        """The public stand-in data on which methods are compared; any grid works where rows are counted."""
        return Ground.of(self._scenario)

    @property
    def wanted(self) -> Query | Estimated:
        """The statistic itself, or the name of what is asked of categories."""
        if self.statistic not in statistics or self.estimated:
            return Estimated(self.statistic, self.relation, self.level)
        settings: dict[str, Any] = {} if self.level is None else {"q": self.level}
        return statistics[self.statistic](relation=self.relation, **settings)

    @property
    def estimated(self) -> bool:
        """Whether only blocks can answer."""
        return by_blocks(self.statistic)

    def admits(self, slug: str) -> bool:
        """Whether a method may compete: blocks have no interval, and only for two columns have they a rival."""
        if registry[slug].family is not BLOCKS:
            return not self.estimated
        of_two = self.second is not None and SoftPairs.can_answer(self.statistic)
        return not self.interval and (self.estimated or of_two)

    @property
    def range(self) -> float:
        """The largest possible error of an answer."""
        if self.bounds is not None and self.estimated:
            low, high = estimators[self.statistic].usual(float(self.bounds.value(0)), float(self.bounds.upper))
            return high - low
        wanted = self.wanted
        if self.bounds is not None and self.second is not None:  # of a slope from one diagonal to the other
            if self.weighs:
                low, high = Weighted(self.statistic).range(self.bounds)
                return high - low
            x, y = self.bounds.width, self.second.width
            return {"slope": 2 * y / x, PREDICTION: y, "covariance": x * y / 2}.get(self.statistic, 2.0)
        if self.bounds is not None and self.statistic == QUANTILES.name:
            return self.bounds.width
        if self.bounds is None or not isinstance(wanted, Query):
            return math.inf
        return float(wanted.high(self.bounds) - wanted.low(self.bounds))

    @property
    def weighs(self) -> bool:
        """Whether the second column is the weight of each row."""
        return self.second is not None and estimators[self.statistic].weighs

    @property
    def smallest(self) -> float:
        """The smallest error that is distinguished from none."""
        if not self.coarse:
            return 0.0
        return FLOOR * (1.0 if self.bounds is None else float(self.bounds.value(1) - self.bounds.value(0)))

    @property
    def sized(self) -> bool:
        """Whether the error depends on how many people there are."""
        return self.bounds is not None and self.statistic not in PUBLIC_ERROR

    def times(self, slug: str) -> int:
        """Return how often a person pays a method: in each of their groups, or once if their rows add up."""
        if not self.grouped or self.relation.rows == 1:
            return 1
        built = self.untuned(slug, Cost.of(1, 1e-6))
        return 1 if built is None or built.additive else self.relation.rows

    def untuned(self, slug: str, cost: Cost) -> Mechanism | None:
        """Return a mechanism for this subject at a cost; None if it cannot answer."""
        try:
            if not self.admits(slug):
                return None
            built = entrant(registry[slug], self.wanted, cost, self.ground)
            if isinstance(built, SampleAggregate) and self.second is not None:
                built = self._ranged(built, self.second)
            if built is None or (self.grouped and not built.view.groups):
                return None
            if self.over:
                built = replace(built, over=self.over, cells=self.cells)  # type: ignore[call-arg]
            if built.view.category != (self.bounds is None):
                return None
            built.check(self.public)
            if self.bounds is None and built.forecast(self.public).half_width is None and not self._trails(built):
                return None  # neither a number with an error, nor a choice that is near the best
            return built if self.bins is None else self._binned(built)
        except ParameterError:
            return None

    def _ranged(self, blocks: SampleAggregate, second: Bounds) -> SampleAggregate:
        """Return blocks with the range of an estimate in the units of both columns."""
        if self.statistic not in (PREDICTION, "covariance"):
            return blocks
        ends = -self.range / 2, self.range / 2
        low, high = ends if self.statistic != PREDICTION else (float(second.lower), float(second.upper))
        return replace(blocks, lower=low, upper=high, default=None)

    def tuned(self, mechanism: Mechanism) -> Mechanism:
        """Return the settings that are best on the stand-in data."""
        if self.bounds is None:
            return mechanism
        if self.second is None:
            return self.ground.tuned(mechanism)
        if not isinstance(mechanism, SampleAggregate):
            return mechanism
        return dealt_pairs(mechanism, self._scenario, self.second)

    @property
    def _scenario(self) -> Scenario:
        return Scenario(self.bounds or Bounds(0, 1, integer=True), self.people, self.shape)

    def _of_two(self, mechanism: Mechanism, second: Bounds) -> float:
        """Return the error of a mechanism of two columns."""
        if not self.interval:
            error = pair_error(mechanism, self._scenario, second, self.weighs)
            return error if math.isfinite(error) else self.range  # the stand-in rows have one value
        if not isinstance(mechanism, Pairing | Weighing):
            return math.inf
        return mechanism.usual_width(all_beside(self._scenario, second, self.weighs))

    def _trails(self, mechanism: Mechanism) -> bool:
        """Whether an answer is the choice of one level, whose error is by how many rows it trails the best."""
        return self.statistic == MOST_COMMON.name and isinstance(mechanism, Selection) and not self.interval

    def _binned(self, mechanism: Any) -> Mechanism | None:
        """Return a mechanism for the bins of a number column, or for how cells are read; None if it takes none."""
        takes = any(field.name == "bins" for field in fields(mechanism))
        return replace(mechanism, bins=self.bins) if takes else None

    @property
    def both(self) -> bool:
        """Whether smooth sensitivity is compared with what is drawn on the grid: neither error is known beforehand."""
        return self.statistic == InterquartileRange.name

    def lead(self, mechanism: Mechanism) -> float:
        """Return by what factor it must be better than methods with known error to be chosen.

        Values that are guessed to be skewed may as well lie far below their bound. What finds a bound then is chosen
        unless it costs much: at worst its error is half as large again, at best a hundredth. The noise of a smooth
        range follows the gaps between rows, which a guess makes too even. Levels that are read from one count of all
        values have an interval each.
        """
        own = mechanism.lead(self.public)
        if self.both and mechanism.family is SMOOTH:
            return AHEAD
        if mechanism.slug == QuantilesCounted.slug:
            return 1 / SPANNED
        insured = self.shape == SKEWED and mechanism.family is CLIPPED_AT and math.isfinite(own)
        return 1 / INSURED if insured else own

    def judged(self, mechanism: Mechanism, error: float) -> float:
        """Return what is compared, without the lead: the error; of several levels by how many ranks they are off.

        That is their mean on the stand-in data, of which less than one counts as one. The error itself is that of the
        widest level in whole steps of the grid, in which different methods come out alike.
        """
        if not isinstance(self.level, tuple) or self.interval:
            return error
        return max(1.0, _ranks_off(self, mechanism))

    def error(self, mechanism: Mechanism) -> float:
        """Return the 95 % error on the stand-in data, or the half width of an interval."""
        if self.second is not None:
            return self._of_two(mechanism, self.second)
        if isinstance(mechanism, Selection):
            return self._bounded(mechanism.gap(self.labels or 1, 0.05))
        if self.estimated:
            error = width95(mechanism, self.wanted, self.ground)
            return self._bounded(error) if math.isfinite(error) else self.range  # the stand-in rows have one value
        width = mechanism.forecast(self.public).half_width
        if self.interval:  # no narrower than it is where the values are unlike the stand-in
            return self._bounded(max(published_width(mechanism, self.ground, self.public), width or 0.0))
        if width is None:
            law = mechanism.law(mechanism.view.stand_in(self.ground.column, None))  # type: ignore[arg-type]
            misled = mechanism.lead(self.public) > 1.0  # the error of what it leaves out is not noise
            width = self._off(law) if misled else half_width(law) if law.refusal <= 0.05 else math.inf
        return self._bounded(float(width))

    def _off(self, law: Law) -> float:
        """Return the 95 % error of simulated answers, measured from the true value."""
        answers = simulate(law, DRAWS, SimulationNoise(0))
        return float(np.quantile(np.abs(answers - self.wanted.value(self.ground.column)), 0.95))

    def _bounded(self, error: float) -> float:
        return error if math.isinf(error) and self.interval else max(self.smallest, min(error, self.range))


def statistic_of(
    schema: Schema,
    statistic: str,
    column: str,
    by: Sequence[Grouping],
    level: Level,
    people: int,
    shape: str,
    interval: bool = False,
    bins: int | None = None,
    second: str | None = None,
) -> Subject:
    """Return the subject of a row under a declaration; raise ParameterError if there is none."""
    if column not in schema.columns:
        raise ParameterError("Column {name!r} is not declared. Declare it first.", name=column)
    if statistic != HOW_READ.name and not any(kind.can_answer(statistic) for kind in registry.values()):
        raise ParameterError(
            "The statistic {name!r} does not exist. Choose one of {choices}.",
            name=statistic,
            choices=", ".join((*plannable(), HOW_READ.name)),
        )
    statistic = _several(statistic, level)
    inner = tuple(by)
    by = outer(column, by) if statistic == DETAIL.name else by
    groups = schema.cells(by)
    number = column in schema.numbers
    labels = len(schema.categories[column].labels) if column in schema.categories else None
    size = max(1, min(MOST_PEOPLE, people // groups))
    relation = Relation(rows=schema.rows_per_person)
    if statistic == HOW_READ.name:
        how = HowRead()
        return Subject(COUNTS.name, None, len(how.labels), size, shape, relation, level, bool(by), interval, bins=how)
    if number and statistic == COUNTS.name:
        if bins is None:
            raise ParameterError("A histogram of {name!r} needs a number of bins.", name=column)
        cut = equal_bins(schema, column, bins)
        labels = len(cut.labels)
        return Subject(statistic, None, labels, size, shape, relation, level, bool(by), interval, bins=cut)
    answers = statistic in estimators and estimators[statistic].answers and column in schema.answers
    bounds = schema.grid(column) if number or answers else None
    if number and statistic == DETAIL.name:
        cut = own_bins(schema, column, bins, inner)
        return Subject(statistic, bounds, None, size, shape, relation, level, bool(by), interval, bins=cut)
    other = _second(schema, statistic, column, second)
    if statistic == PREDICTION and bounds is not None and not bounds.lower <= float(level or 0) <= bounds.upper:  # type: ignore[arg-type]
        raise ParameterError(
            "A prediction is made at a value between {low:.15g} and {high:.15g}. Got {given:.15g}.",
            low=float(bounds.lower),
            high=float(bounds.upper),
            given=level,
        )
    labels = None if answers else labels
    return Subject(statistic, bounds, labels, size, shape, relation, level, bool(by), interval, second=other)


def _second(schema: Schema, statistic: str, column: str, second: str | None) -> Bounds | None:
    """Return the bounds of the second column of a statistic of two; raise ParameterError if it has one too few."""
    wanted = 2 if statistic in estimators and estimators[statistic].columns == 2 else 1
    if wanted != (1 if second is None else 2):
        raise ParameterError(
            "This query needs {wanted} column(s). Got {number}.", wanted=wanted, number=1 if second is None else 2
        )
    if second is None:
        return None
    if second not in schema.columns:
        raise ParameterError("Column {name!r} is not declared. Declare it first.", name=second)
    if second == column:
        raise ParameterError("This query needs two different columns. Choose another one.")
    answers = estimators[statistic].answers
    for name, fit in ((column, schema.answers if answers else schema.numbers), (second, schema.numbers)):
        if name not in fit:
            wish = Phrase("yes or no") if fit is schema.answers else Phrase("a number")
            raise ParameterError("Column {name!r} must be declared as {wish} for this query.", name=name, wish=wish)
    return schema.bounds(second)


def tries(slug: str, sure: bool, normal: bool, interval: bool) -> bool:
    """Return whether a method is tried: among those with known error, or among all.

    Of smooth sensitivity core-tail noise alone: at every beta it is narrower than Student's and Laplace noise.
    """
    kind = registry[slug]
    if not enters(kind, interval) or (kind.noise is GAUSSIAN and not normal):
        return False
    if kind is QuantileFlipped and normal:
        return False  # among many rows with a delta the exponential mechanism loses a quarter of what this loses
    smooth = kind.family is SMOOTH and kind.noise is CORE_TAIL
    known = kind.family.sure or kind.family is CLIPPED_AT
    return known or kind.family is BLOCKS or (smooth and not sure)


@cache
def plannable() -> dict[str, Topic]:
    """Return the topics that a plan can ask: those of which a mechanism forecasts an error."""
    topics = {topic.name: topic for kind in registry.values() for topic in kind.topics()}
    asked = (topic for topic in topics.values() if topic.name != QUANTILES.name)
    return {topic.name: topic for topic in asked if any(map(_answered, _examples(topic)))}


def _examples(topic: Topic) -> tuple[Subject, ...]:
    """Return a statistic of a number and of a category, or of two numbers."""
    level = 0.5 if topic.name in (Quantile.name, PREDICTION) else None
    if topic.columns == 2:
        second = Bounds(0, 1)
        return (Subject(topic.name, second, None, GUESSED, SHAPE, ADD_REMOVE, level, second=second),)
    ends = ((Bounds(0, 1), None), (None, 2))
    return tuple(Subject(topic.name, bounds, labels, GUESSED, SHAPE, ADD_REMOVE, level) for bounds, labels in ends)


def _answered(subject: Subject) -> bool:
    cost = Cost.of(1, 1e-6)
    return any(tries(slug, False, True, False) and subject.untuned(slug, cost) is not None for slug in registry)


def equal_bins(schema: Schema, column: str, bins: int) -> Bins:
    """Return bins of equal width of a number column, whole where its values are."""
    bounds = schema.bounds(column)
    return Bins.equal(bounds, bins, bounds.integer or not schema.number(column).zero)


def outer(column: str, by: Sequence[Grouping]) -> tuple[Grouping, ...]:
    """Return groups without bands of the column itself."""
    return tuple(each for each in by if not (isinstance(each, Bands) and each.column == column))


def own_bins(schema: Schema, column: str, bins: int | None, by: Sequence[Grouping]) -> Bins:
    """Return the bands of a column by which a table is grouped as bins; equal ones if it is not grouped by them."""
    own = [each for each in by if isinstance(each, Bands) and each.column == column]
    if not own:
        return equal_bins(schema, column, EQUAL if bins is None else bins)
    cuts = schema.numbers[column].cuts(own[0].edges, own[0].every)
    if isinstance(cuts, Cycle):
        raise ParameterError("Parts of the calendar that come again have no order. Use years, quarters or months.")
    bounds = schema.bounds(column)
    return Bins(tuple(map(float, (bounds.lower, *map(bounds.value, cuts.starts), bounds.upper))))


def _several(statistic: str, level: Level) -> str:
    """Return the name of the statistic: quantiles, if a quantile has several levels."""
    name = statistic
    if level is not None and statistic in statistics and statistic != Quantile.name:
        raise ParameterError("Only quantiles have a level. Remove it from the other queries.")
    if statistic == PREDICTION and not isinstance(level, (int, float)):
        raise ParameterError("A prediction needs a value of its first column.")
    if isinstance(level, (int, float)) and statistic != PREDICTION:
        exact_share(level, "Quantile")
    if isinstance(level, tuple):
        check_levels(level)
        name = QUANTILES.name if statistic == Quantile.name else statistic
    if isinstance(level, tuple) != (name == QUANTILES.name):
        raise ParameterError(
            "A quantile may have a list of levels, and several quantiles need one. No other statistic can have one."
        )
    return name


@lru_cache(maxsize=16_384)
def _ranks_off(subject: Subject, mechanism: Any) -> float:
    column = subject.ground.column
    return ranks_off(column, mechanism.levels, simulate(mechanism.law(column), RANKED, SimulationNoise(0)))


@lru_cache(maxsize=16_384)
def attempt(subject: Subject, slug: str, cost: Cost) -> tuple[Mechanism, float] | None:
    """Return one mechanism, tuned on the stand-in data, and its error; None if it cannot answer at this cost."""
    built = subject.untuned(slug, cost)
    if built is None:
        return None
    mechanism = subject.tuned(built)
    return mechanism, subject.error(mechanism)
