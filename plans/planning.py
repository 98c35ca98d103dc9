"""Planning: a method and a share of the budget for every row, with the errors to expect."""

from __future__ import annotations

import math
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate
from threading import BoundedSemaphore
from typing import Any, Protocol, TypeVar

from scipy import optimize

from discreet.budget import Charge, Cost
from discreet.budget.composition import ALL, BY_HAND, Proven, View
from discreet.budget.cost import EPSILON_UNITS, HIGHEST_EPSILON, LOWEST_EPSILON
from discreet.budget.errors import ParameterError, Phrase, commas
from discreet.curator.checks import in_some_group
from discreet.curator.plan import FixedPlan, shared_by, total_of
from discreet.curator.request import Request, draws
from discreet.mechanisms import Mechanism, former, registry
from discreet.mechanisms.base.counts import COUNTS
from discreet.mechanisms.base.vocabulary import CLIPPED_AT, GAUSSIAN, LAPLACE, Noise
from discreet.mechanisms.gaussian import gaussian_delta
from discreet.mechanisms.laws.law import is_vague
from discreet.mechanisms.quantiles_counted import MOST_TICKS
from discreet.plans.methods import GUESSED, SHAPE, SKEWED, USELESS, Subject, attempt, statistic_of, tries
from discreet.plans.plan import Plan, Sizes, Wanted
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.sum import Sum
from discreet.queries.variance import StandardDeviation, Variance
from discreet.rows.columns.bands import Bands
from discreet.rows.columns.grouping import Grouping, plain_groups
from discreet.rows.filters import comparisons
from discreet.rows.schema import Schema

# --- Tradeoff: the error of a row of a plan for every share of the budget, with the best method for each ---

SMALLEST = float(LOWEST_EPSILON)
LARGEST = float(HIGHEST_EPSILON)
POINTS = 10  # shares evaluated, each half of the previous one; budgets of different powers of two share most
TIE = 1.005
Offers = dict[str, tuple[Mechanism, float]]  # by slug: tuned methods, each with its error
SLACK = 1e-9  # a flat stretch gets this much slope, so that its cheap end is preferred


@lru_cache(maxsize=4096)
def gaussian_epsilon(sigma: float, delta: float) -> float:
    """Return the epsilon at which noise of this standard deviation, at sensitivity 1, has this delta."""
    if gaussian_delta(sigma, 1e-6) <= delta:
        return 1e-6

    def excess(epsilon: float) -> float:
        return math.log(max(gaussian_delta(sigma, epsilon), 1e-300) / delta)

    return float(optimize.brentq(excess, 1e-6, 50.0)) if excess(50.0) < 0 else 50.0


def cost_of(slug: str, share: float, delta: float) -> Cost | None:
    """Return the cost of a method that loses a share: epsilon, or a normal law of standard deviation 1 / share.

    Both count the same rho, so among many rows they cost about the same. None if the method needs a delta and there is
    none, or if no cost is as small or as large as the share.
    """
    kind = registry[slug]
    if not SMALLEST <= share <= LARGEST:
        return None
    if kind.noise is GAUSSIAN:
        return Cost.of(gaussian_epsilon(1 / share, delta), delta) if delta else None
    if "delta" not in kind.parameters():
        return Cost.of(share)
    return Cost.of(share, delta / 1000) if delta >= 1e-12 else None


def offer(subject: Subject, slug: str, share: float, delta: float) -> tuple[Mechanism, float] | None:
    """Return a mechanism that loses a share, tuned, and its error; None if it cannot answer."""
    cost = cost_of(slug, share / subject.times(slug), delta)
    return None if cost is None else attempt(subject, slug, cost)


@dataclass(frozen=True)
class Tradeoff:
    """Logarithms of errors at those of shares, largest share first; in between the error follows a power law."""

    shares: tuple[float, ...]
    errors: tuple[float, ...]
    slugs: tuple[str, ...]
    rows: int = 1  # of a draw, whose share is that of all of them

    def shared(self, rows: int) -> Tradeoff:
        """Return the tradeoff by the share of one row, of a draw that has as much for each of its rows."""
        return replace(self, shares=tuple(share - math.log(rows) for share in self.shares), rows=rows)

    @property
    def best(self) -> float:
        """The smallest error that any share reaches; a larger share would be wasted on it."""
        return math.exp(self.errors[0] + SLACK * len(self.errors)) if self.errors[1:] else 0.0

    def error(self, share: float) -> float:
        """Return the error at a share, interpolated between the points."""
        return math.exp(_between(-math.log(share), tuple(-at for at in self.shares), self.errors, 1.0))

    def share(self, error: float) -> float:
        """Return the smallest share that reaches an error."""
        return math.exp(_between(math.log(error), self.errors, self.shares, -1.0))

    def slug(self, share: float) -> str:
        """Return the method that was best at the nearest point."""
        return min(zip(self.shares, self.slugs, strict=True), key=lambda point: abs(point[0] - math.log(share)))[1]


def _between(x: float, xs: tuple[float, ...], ys: tuple[float, ...], slope: float) -> float:
    """Interpolate between ascending points; extrapolate with a slope."""
    at = bisect_right(xs, x)
    if at == 0:
        return ys[0] + slope * (x - xs[0])
    if at == len(xs):
        return ys[-1] + slope * (x - xs[-1])
    part = (x - xs[at - 1]) / (xs[at] - xs[at - 1])
    return ys[at - 1] + part * (ys[at] - ys[at - 1])


def curve(
    subject: Subject, top: float, delta: float, normal: bool, method: str | None, sure: bool = False
) -> Tradeoff | None:
    """Return the tradeoff of a subject up to a share; `normal` states whether normal noise is allowed.

    None if no method can answer it. If `sure`, methods of unknown error are not tried where others can answer.
    """
    whole = min(LARGEST, 2.0 ** math.ceil(math.log2(top)))  # plans with similar budgets share their curves
    return _error_curve(subject, whole, delta, normal, method, sure)


@lru_cache(maxsize=1024)
def _error_curve(
    subject: Subject, top: float, delta: float, normal: bool, method: str | None, sure: bool
) -> Tradeoff | None:
    shares = [top / 2**point for point in range(POINTS)]
    slugs = (method,) if method else _entering(subject, top, delta, normal, sure)
    tried = [(share, _best(subject, slugs, share, delta)) for share in shares]
    points = [(share, *best) for share, best in tried if best is not None]
    if not points:
        return None
    errors = accumulate((math.log(error) for _, _, error in points), max)
    rising = tuple(error + SLACK * at for at, error in enumerate(errors))
    return Tradeoff(tuple(math.log(share) for share, _, _ in points), rising, tuple(slug for _, slug, _ in points))


def methods(subject: Subject, delta: float) -> tuple[str, ...]:
    """Return the methods that can answer this subject, at any cost."""
    return tuple(
        slug for slug in registry if tries(slug, False, bool(delta), subject.interval) and serves(subject, slug, delta)
    )


def serves(subject: Subject, method: str, delta: float) -> bool:
    """Return whether a method can answer this subject, at any cost."""
    cost = cost_of(method, 1.0, delta)
    return cost is not None and subject.untuned(method, cost) is not None


def answerable(subject: Subject) -> bool:
    """Return whether some method can answer this subject, at any cost."""
    return any(_asks(subject, slug) for slug in registry)


def misfit(item: Wanted, plan: Terms, schema: Schema) -> ParameterError | None:
    """Return why a row cannot be asked under a schema; None if it can."""
    try:
        subject = item.subject(schema, plan.people, plan.shape, plan.sizes)
        method = item.method
        if method is not None and method in former:
            return ParameterError("{why}", why=former[method].instead)
        fit = (slug for slug in registry if method in (None, slug) and _asks(subject, slug))
        slug = next(fit, None)
        built = None if slug is None else subject.untuned(slug, cost_of(slug, 1.0, ANY_DELTA) or Cost.of(1))
        if built is None:
            return no_mechanism(item)
        Request(built, item.columns, item.where, item.outer).check(schema)
    except ParameterError as wrong:
        return wrong
    return None


class Terms(Protocol):
    """The public guesses that the rows of a plan share."""

    @property
    def people(self) -> int:
        """The number of people."""

    @property
    def shape(self) -> str:
        """The assumed distribution."""

    @property
    def sizes(self) -> tuple[Sizes, ...]:
        """The sizes of groups."""


ANY_DELTA = 1e-6


def _asks(subject: Subject, slug: str) -> bool:
    return tries(slug, False, True, subject.interval) and serves(subject, slug, ANY_DELTA)


def no_mechanism(item: Wanted) -> ParameterError:
    """Return the error for a row that nothing can answer."""
    return ParameterError(
        "No mechanism can release {statistic} of {column} here. Choose another statistic or mechanism.",
        statistic=item.statistic,
        column=commas(item.columns),
    )


def _entering(subject: Subject, share: float, delta: float, normal: bool, only: bool) -> tuple[str, ...]:
    """Return the methods that are tried: those with known error, or all if those are useless and not the only ones.

    One that finds its bound is tried with either, but its error follows from a guess, so it does not decide which.
    """
    able = [slug for slug, kind in registry.items() if subject.admits(slug) and kind.can_answer(subject.statistic)]
    sure = tuple(slug for slug in able if tries(slug, True, normal, subject.interval))
    best = None if subject.both else _best(subject, _decisive(sure), share, delta)
    if best is not None and (only or best[1] < USELESS * subject.range):
        return sure
    return tuple(slug for slug in able if tries(slug, False, normal, subject.interval))


def _decisive(slugs: Iterable[str]) -> list[str]:
    return [slug for slug in slugs if registry[slug].family is not CLIPPED_AT]


def _best(subject: Subject, slugs: Sequence[str], share: float, delta: float) -> tuple[str, float] | None:
    """Return the method with the smallest error at a share, given the lead it needs; of close ones the first."""
    tried = {slug: offer(subject, slug, share, delta) for slug in slugs}
    best = _smallest(subject, {slug: each for slug, each in tried.items() if each is not None}, len(slugs))
    return None if best is None else (best[0], best[2])


def _smallest(subject: Subject, tried: Offers, rivals: int) -> tuple[str, Mechanism, float] | None:
    """Return the offer with the smallest error, given the lead it needs.

    Of close ones none that another one beats: the first that releases an interval with the result, or else the first.
    """
    answers = [(slug, *each) for slug, each in tried.items() if math.isfinite(each[1])]
    errors = [
        (subject.judged(mechanism, error) * subject.lead(mechanism) if rivals > 1 else error, slug, mechanism, error)
        for slug, mechanism, error in answers
    ]
    least = min((judged for judged, *_ in errors), default=math.inf) * TIE
    near = [(slug, mechanism, error) for judged, slug, mechanism, error in errors if judged <= least]
    beaten = {mechanism.beats for _, mechanism, _ in near}
    close = [each for each in near if each[0] not in beaten]
    spanned = (each for each in close if each[1].spanned)
    return next(spanned, close[0]) if close else None


def summed(way: Planned, schema: Schema) -> list[tuple[tuple[int, ...], int]]:
    """Return places of counts that are sums of those of another row, and would be more precise as such, with its place.

    Both count rows with a value of the same column behind the same conditions. Without k margins the finest row has the
    shares of 1 + k, so a sum of up to (1 + k)^2 of its counts has no more noise than a margin with a share of its own.
    """
    counts = [
        (at, row.item, set(row.item.groups)) for at, row in enumerate(way.rows) if row.item.statistic == Count.name
    ]
    found = []
    for at, finest, groups in counts:
        cells = {
            place: schema.cells(groups - own)
            for place, item, own in counts
            if own < groups and (item.column, item.where) == (finest.column, finest.where)
        }
        cells = {
            place: many for place, many in cells.items() if not any({place, at} <= set(draw) for draw in way.draws)
        }
        fewest = sorted(cells, key=lambda place: cells[place])
        most = max(k for k in range(len(fewest) + 1) if all(cells[each] <= (1 + k) ** 2 for each in fewest[:k]))
        found += [(tuple(sorted(fewest[:most])), at)] if most else []
    return found


def everyone(schema: Schema, columns: Sequence[str], groups: tuple[Grouping, ...]) -> Wanted | None:
    """Return the row that counts everyone in these groups; None if no column can be counted so.

    A number column that every row has serves best. Without one, a single category is counted by itself, and for other
    groups the first chosen number column is counted: its title says that only rows with a value of it count.
    """
    if len(groups) == 1 and isinstance(groups[0], Bands):
        return Wanted(Count.name, groups[0].column, groups)  # every row that is in a band has a value of its column
    numbers = sorted(schema.numbers, key=lambda name: (not schema.columns[name].complete, name not in columns))
    fit = (name for name in numbers if _counts(schema, Count.name, name, groups))
    number = next(fit, None)
    whole = number is not None and schema.columns[number].complete
    alone = groups[0] if len(groups) == 1 and isinstance(groups[0], str) else None
    if not whole and alone and _counts(schema, COUNTS.name, alone, ()):
        return Wanted(COUNTS.name, alone)
    return None if number is None else Wanted(Count.name, number, groups or None)


def _counts(schema: Schema, statistic: str, column: str, by: tuple[Grouping, ...]) -> bool:
    return answerable(statistic_of(schema, statistic, column, by, None, GUESSED, SHAPE))


@dataclass(frozen=True)
class Choice:
    """The method for one query at one cost, among those that were compared, and all that can answer.

    Those that were compared come first, then the others, each by error.
    """

    best: str
    compared: int
    offers: Offers


def choice(subject: Subject, epsilon: float, delta: float) -> Choice | None:
    """Choose the method of a single query as a plan does, all at the same epsilon; None if none can answer."""
    slugs = [slug for slug in registry if tries(slug, False, bool(delta), subject.interval)]
    tried = {slug: paid(subject, slug, epsilon, delta) for slug in slugs}
    offers = {slug: each for slug, each in tried.items() if each is not None and math.isfinite(each[1])}
    sure = {slug: each for slug, each in offers.items() if tries(slug, True, bool(delta), subject.interval)}
    known = {slug: sure[slug] for slug in _decisive(sure)}
    best = _smallest(subject, known, len(known))
    compared = sure if best is not None and best[2] < USELESS * subject.range else offers
    best = _smallest(subject, compared, len(compared))
    ordered = dict(sorted(offers.items(), key=lambda pair: (pair[0] not in compared, pair[1][1])))
    if best is None or (subject.second is not None and subject.interval and is_vague(best[2], subject.range)):
        return None  # of two columns, an interval that says nothing is no reason to leave out blocks
    return Choice(best[0], len(compared), ordered)


def paid(subject: Subject, slug: str, epsilon: float, delta: float) -> tuple[Mechanism, float] | None:
    """Return a mechanism of which a person pays at most this epsilon in all their groups, tuned, and its error."""
    try:
        times = subject.times(slug)
        each = epsilon if times == 1 else math.floor(epsilon * EPSILON_UNITS / times) / EPSILON_UNITS
        return attempt(subject, slug, Cost.of(each, delta) if "delta" in registry[slug].parameters() else Cost.of(each))
    except ParameterError:  # a cost that is too small or too large
        return None


def epsilon_of(subject: Subject, slug: str, error: float, delta: float, most: float) -> float | None:
    """Return the smallest epsilon up to `most` at which a method has this error; None if there is none."""

    def enough(epsilon: float) -> bool:
        tried = paid(subject, slug, epsilon, delta)
        return tried is not None and tried[1] <= error * (1 + SLACK)

    if not enough(most):
        return None
    low, high = SMALLEST, most
    for _ in range(BISECTIONS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return min(most, float(f"{high * 1.0005:.4g}"))


# --- Effort: how long planning takes, from public information, so that no plan blocks a server ---

MOST_SECONDS = 120.0  # of processor time, by the numbers below, which `benchmarks plans` measures
LEVEL, OTHER_TICK = 0.022, 2.5e-7  # for each of several levels; for each of them and of the ticks that people have
COUNTED, OTHER_LEVEL = 6e-4, 50  # for each tick of a grid whose ticks are all counted; levels that double it
SURE, UNSURE, OTHER_PERSON = 0.15, 2.0, 5e-6  # a number by a method of known error; by tuned ones, and for each person
QUICK, LANES, PATIENCE = 3.0, 2, 60.0  # seconds that need no lane; long plans at a time; how long another one waits
_lanes = BoundedSemaphore(LANES)
Row = tuple[Subject, str | None]
T = TypeVar("T")


def seconds(subject: Subject) -> float:
    """Return the approximate seconds that the curve of a row takes."""
    ticks = min(subject.people, subject.bounds.top + 1) if subject.bounds else 0
    if isinstance(subject.level, tuple):
        levels = len(subject.level)
        counted = subject.bounds.top + 1 if subject.bounds and subject.bounds.top < MOST_TICKS else 0
        return levels * (LEVEL + OTHER_TICK * ticks) + COUNTED * counted * (1 + levels / OTHER_LEVEL)
    if subject.second is not None:
        return SURE if subject.interval else UNSURE
    sure = any(kind.family.sure and kind.compared and kind.can_answer(subject.statistic) for kind in registry.values())
    quick = sure and not subject.estimated and (subject.bounds is None or not subject.interval)
    return SURE if quick else UNSURE + OTHER_PERSON * subject.people


def too_long() -> ParameterError:
    """Return the error for a plan that takes too long."""
    return ParameterError(
        "Planning these queries would take longer than {most:.0f} seconds. Use fewer different "
        "queries, or fewer levels.",
        most=MOST_SECONDS,
    )


@contextmanager
def lane(rows: Iterable[Row]) -> Iterator[None]:
    """Raise ParameterError for a plan that would take too long, before any work; equal rows count once.

    A few long plans are planned at a time, and others wait: together they would use all processor time.
    """
    effort = sum(seconds(subject) for subject, _ in set(rows))
    if effort > MOST_SECONDS:
        raise too_long()
    if effort <= QUICK:
        yield
        return
    if not _lanes.acquire(timeout=PATIENCE):
        raise ParameterError("The server is planning other long plans. Try again in a minute.")
    try:
        yield
    finally:
        _lanes.release()


def in_time(rows: Iterable[T]) -> Iterator[T]:
    """Yield rows as long as there is processor time left: the estimate may have been too small."""
    start = time.thread_time()
    for row in rows:
        if time.thread_time() - start > MOST_SECONDS:
            raise too_long()
        yield row


# --- Planned: a plan with a method and a share for every row, a forecast, and the total cost ---

ROUNDS, MOST_ROUNDS, NEARLY = 6, 20, 0.998  # how often the split is corrected, and what is close enough
MOST_LOST = 1.5  # by what factor the error of a row may grow where a draw makes those of other rows smaller
DIGITS = 4
LEAST = 3
BISECTIONS, WIDEST = 24, 20.0  # logarithms of the ratio that is searched for
LEFT_NOTHING = Phrase("The queries with a fixed ε use up the whole budget. Lower a fixed ε, or raise the total.")


@dataclass(frozen=True)
class PlannedRow:
    """One row: its method, its share of the budget, its forecast error, and its own cost.

    `usual` is the slug of the method that it would have at an equal share, without its wish. A row that shares its draw
    has a sentence on those `beside` it, and the share and the cost of the draw.
    """

    item: Wanted
    subject: Subject
    share: float
    error: float
    mechanism: Mechanism
    usual: str = ""
    beside: Phrase | None = None

    @property
    def charge(self) -> Charge:
        """The charge of the row, or of its draw: as often as one person is in one of its groups."""
        request = self.request
        return Charge(request.cost(), request.account())

    @property
    def request(self) -> Request:
        """The query before its method is tuned."""
        return Request(self.mechanism, self.item.columns, self.item.where, self.item.outer)

    @property
    def reason(self) -> Phrase:
        """The reason for this method."""
        if self.item.method:
            return Phrase("you chose it")
        if self.beside:
            return self.beside
        if self.swayed:
            usual = Phrase(registry[self.usual].title)
            return Phrase("smallest margin of error at this target; without it: {usual}", usual=usual)
        kind = type(self.mechanism)
        return kind.why or kind.family.why or Phrase("no other mechanism can release this")

    @property
    def swayed(self) -> bool:
        """Whether its wish changes its method."""
        return self.item.wish is not None and self.usual not in ("", self.mechanism.slug)

    @property
    def ratio(self) -> float | None:
        """The error as a fraction of the wish; None without a wish."""
        return None if self.item.wish is None else self.error / self.item.wish

    @property
    def vague(self) -> bool:
        """Whether the answer would carry almost no information."""
        return is_vague(self.error, self.subject.range)

    @cached_property
    def span(self) -> tuple[float, float] | None:
        """The errors in the largest and in the smallest group; None where no sizes were given, or none matters."""
        groups = self.subject.groups
        if not groups or not self.subject.sized:
            return None
        return self.error_of(max(groups)), self.error_of(min(groups))

    def error_of(self, people: int) -> float:
        """Return the error in a group of so many people, with the settings of the row."""
        return replace(self.subject, people=people).error(self.tuned().mechanism)

    @property
    def assumed(self) -> bool:
        """Whether the error rests on a part that passes the filter which was not given."""
        return self.subject.sized and bool(self.item.where) and self.item.passing is None

    def tuned(self) -> Request:
        """Return the query with the settings that are best on the stand-in data."""
        best = attempt(self.subject, self.mechanism.slug, self.mechanism.cost())
        return self.request if best is None else replace(self.request, mechanism=best[0])


@dataclass(frozen=True)
class Planned:
    """A whole plan, ready to be run: rows, their total, and its proof."""

    plan: Plan
    rows: tuple[PlannedRow, ...]
    total: Proven

    @cached_property
    def fixed(self) -> FixedPlan:
        """The queries as they are asked: together, once."""
        return FixedPlan(tuple(row.tuned() for row in self.rows), self.plan.limit.delta)

    @property
    def draws(self) -> tuple[tuple[int, ...], ...]:
        """The places of the rows, those together that share a draw."""
        return draws([row.request for row in self.rows])

    @property
    def gained(self) -> float:
        """The fraction of the plain sum of all rows that is not charged."""
        return 1 - self.total.cost.epsilon / self.total.plain.epsilon

    @property
    def badness(self) -> float:
        """The mean logarithm of the errors: a factor in one row counts as much as in another."""
        return math.fsum(math.log(row.error) for row in self.rows) / len(self.rows)


def planned(
    plan: Plan, schema: Schema, sure: bool = False, ready: Callable[[int, float], None] | None = None
) -> Planned:
    """Choose methods and shares such that the largest ratio of an error to its wish is as small as possible.

    This is computed once without normal noise and once with it, by fast accountings; the one with smaller errors is
    then accounted for as sharply as possible. A plan that would take too long raises ParameterError. If `sure`, only
    methods of known error are tried, which is fast. `ready` takes the place of each row, as soon as its error at an
    equal share is known, and that error.
    """
    used = {by for item in plan.items for by in (*item.groups, *(each.column for each in comparisons(item.where)))}
    for sizes in plan.sizes:
        if sizes.by in used:
            sizes.check(schema)
    pairs = [(item, item.subject(schema, plan.people, plan.shape, plan.sizes)) for item in plan.items]
    subjects = [subject for _, subject in pairs]
    ways = (False, True) if plan.limit.delta else (False,)
    well = {place for places in _alike(plan) for place in _drawn_well(plan, subjects, places)}
    quick = [sure or place in well for place in range(len(pairs))]
    rows = list(zip(pairs, quick, strict=True))
    with lane((_quickly(subject) if fast else subject, item.method) for (item, subject), fast in rows):
        curves: list[list[Tradeoff]] = [[] for _ in ways]
        equal = max(SMALLEST, _equal(plan.items, plan.limit.epsilon))
        for place, (pair, fast) in enumerate(in_time(rows)):
            for normal, each in zip(ways, curves, strict=True):
                each.append(_curve(plan, *pair, normal, fast))
            if ready is not None:
                ready(place, min(each[place].error(equal) for each in curves))
        joined = [_joined(plan, subjects, each, normal) for each, normal in zip(curves, ways, strict=True)]
        for normal, (tradeoffs, draws) in zip(ways, joined, strict=True):
            for place in well.difference(*draws) if not sure else ():  # it is better off without the draw after all
                tradeoffs[place] = _curve(plan, *pairs[place], normal, False)
        splits = [_Split(plan, subjects, *each) for each in joined]
        splits += [
            table for split, normal in zip(splits, ways, strict=True) for table in _tables(split, schema, normal)
        ]
        rough = [(split, *found) for split in splits if (found := split.within(plan.limit.epsilon, BY_HAND))]
        if not rough:
            raise ParameterError(LEFT_NOTHING)
        split, goal, way = min(rough, key=lambda each: each[2].badness)
        return (split.within(goal, ALL) or (goal, way))[1]


@dataclass(frozen=True)
class _Split:
    """The rows of a plan with their tradeoffs, and the search for shares that cost the limit together."""

    plan: Plan
    subjects: Sequence[Subject]
    curves: Sequence[Tradeoff]
    draws: Sequence[tuple[int, ...]]

    def within(self, goal: float, views: Sequence[View]) -> tuple[float, Planned] | None:
        """Correct the sum of all shares until the proven total is the limit, nearly; None if no total fits in it.

        The proven total follows a power law in that sum; its exponent is estimated from the last two tries.
        """
        limit = self.plan.limit
        best = None
        power = 1.0
        tried: tuple[float, float] | None = None
        for at in range(MOST_ROUNDS):
            way = self._way(goal, views)
            epsilon = max(way.total.cost.epsilon, 1 / EPSILON_UNITS)  # shares may be too small to cost anything
            if way.total.cost.fits_in(limit) and (best is None or goal > best[0]):
                best = goal, way
            if best is not None and (at >= ROUNDS or best[1].total.cost.epsilon >= NEARLY * limit.epsilon):
                return best
            if tried is not None and tried[0] != goal and tried[1] != epsilon:
                power = min(3.0, max(0.3, math.log(epsilon / tried[1]) / math.log(goal / tried[0])))
            tried = goal, epsilon
            goal *= (limit.epsilon / epsilon * (1 - (1 - NEARLY) / 2)) ** (1 / power)
        return None

    def _way(self, goal: float, views: Sequence[View]) -> Planned:
        items = self.plan.items
        shares = _shares(items, self.curves, self.draws, goal)
        each = zip(items, self.subjects, self.curves, shares, strict=True)
        equal = _equal(items, goal)
        rows = tuple(_row(*parts, self.plan.limit.delta, equal) for parts in each)
        requests = [row.request for row in rows]
        for places in draws(requests):
            if len(places) > 1:
                beside = shared_by([requests[place] for place in places])
                rows = tuple(replace(row, beside=beside) if at in places else row for at, row in enumerate(rows))
        return Planned(self.plan, rows, total_of(requests, self.plan.limit.delta, views))


def _quickly(subject: Subject) -> Subject:
    """Return a subject that takes as long as this one by methods of known error: of two columns an interval is one."""
    return replace(subject, interval=subject.interval and subject.second is not None)


def _curve(plan: Plan, item: Wanted, subject: Subject, normal: bool, sure: bool) -> Tradeoff:
    if item.method and item.method in former:
        raise ParameterError("{why}", why=former[item.method].instead)
    answers = item.method is None or item.method in registry
    errors = curve(subject, plan.limit.epsilon, plan.limit.delta, normal, item.method, sure) if answers else None
    if errors is None:
        raise no_mechanism(item)
    return errors


def _joined(
    plan: Plan, subjects: Sequence[Subject], curves: Sequence[Tradeoff], normal: bool
) -> tuple[list[Tradeoff], list[tuple[int, ...]]]:
    """Return the tradeoffs of all rows, and the places of those that share a draw.

    The tradeoff of a row in a draw is by the share of one row; the draw has that of all its rows.
    """
    each = list(curves)
    draws = []
    equal = _equal(plan.items, plan.limit.epsilon)
    for places in _alike(plan):
        joint = _together(plan, subjects, curves, places, equal, normal)
        draws += [tuple(joint)] if joint else []
        for place, tradeoff in joint.items():
            each[place] = tradeoff
    return each, draws


def _alike(plan: Plan) -> list[list[int]]:
    """Return the places of the rows that may share a draw.

    They ask statistics of the same rows, and no method or epsilon was chosen for them.
    """
    alike: dict[object, list[int]] = {}
    for place, item in enumerate(plan.items):
        if item.method is None and item.held is None and item.bins is None:
            alike.setdefault((item.columns, item.groups, item.where), []).append(place)
    return list(alike.values()) if _equal(plan.items, plan.limit.epsilon) > SMALLEST else []


def _drawn_well(plan: Plan, subjects: Sequence[Subject], places: Sequence[int]) -> list[int]:
    """Return the places of those of these rows that a shared draw answers usefully: its errors are known."""
    places = [place for place in places if _joint(plan.items[place].statistic, LAPLACE)]
    if len(_statistics(plan.items, places)) < 2:
        return []
    slug = max((_joint(plan.items[place].statistic, LAPLACE) for place in places), key=_breadth)
    limit, equal = plan.limit, _equal(plan.items, plan.limit.epsilon)
    found = {place: curve(subjects[place], limit.epsilon, limit.delta, False, slug) for place in places}
    return [
        place
        for place, each in found.items()
        if each is not None and each.shared(len(places)).error(equal) < USELESS * subjects[place].range
    ]


def _together(
    plan: Plan, subjects: Sequence[Subject], alone: Sequence[Tradeoff], places: list[int], equal: float, normal: bool
) -> dict[int, Tradeoff]:
    """Return the tradeoffs of those of these rows that share a draw; none if no two statistics are better off so.

    Of a draw with Laplace noise and one with normal noise, where that is allowed, it is the one that gains more.
    """

    def gain(found: dict[int, Tradeoff]) -> float:
        return math.fsum(math.log(alone[place].error(equal) / each.error(equal)) for place, each in found.items())

    ways = [_draw(plan, subjects, alone, places, equal, noise) for noise in (LAPLACE, *((GAUSSIAN,) * normal))]
    return max(ways, key=gain)


def _draw(
    plan: Plan, subjects: Sequence[Subject], alone: Sequence[Tradeoff], places: list[int], equal: float, noise: Noise
) -> dict[int, Tradeoff]:
    """Return the tradeoffs of those of these rows that share a draw with this noise.

    A row joins if its error is no larger with the shares of all that join than alone with its own. The row that would
    lose most leaves, until none would lose.
    """
    while len(_statistics(plan.items, places)) > 1:
        kinds = [_joint(plan.items[place].statistic, noise) for place in places]
        places = [place for place, kind in zip(places, kinds, strict=True) if kind]
        slug = max((kind for kind in kinds if kind), key=_breadth, default="")
        if len(_statistics(plan.items, places)) < 2:
            break
        limit = plan.limit
        tried = {place: curve(subjects[place], limit.epsilon, limit.delta, True, slug) for place in places}
        found = {place: each.shared(len(places)) for place, each in tried.items() if each is not None}
        lost = {place: each.error(equal) / alone[place].error(equal) for place, each in found.items()}
        worst = max(places, key=lambda place: lost.get(place, math.inf))
        if lost.get(worst, math.inf) <= 1 + SLACK * POINTS:
            return found
        places = [place for place in places if place != worst]
    return {}


def _tables(split: _Split, schema: Schema, normal: bool) -> Iterator[_Split]:
    """Yield the split in which counts share the draw of a finer table, if any are better off so by the mean logarithm.

    The draw of the finest row gets the shares of all that join. Of the others, those with the fewest cells in each sum
    join, as many as make the errors smallest, and none whose own error would grow much.
    """
    subjects, curves, draws = list(split.subjects), list(split.curves), list(split.draws)
    taken = {place for places in draws for place in places}
    counts: dict[object, list[int]] = {}
    for place in (place for places in _alike(split.plan) for place in places if place not in taken):
        item = split.plan.items[place]
        if item.statistic == Count.name:
            counts.setdefault((item.column, item.where), []).append(place)
    for rows in counts.values():
        while len(rows) > 1:
            finest = max(rows, key=lambda place: len(split.plan.items[place].groups))
            rows.remove(finest)
            table = _table(split, schema, finest, rows, normal)
            for place, (subject, tradeoff) in table.items():
                subjects[place], curves[place] = subject, tradeoff
            draws += [tuple(table)] if table else []
            rows[:] = [place for place in rows if place not in table]
    if len(draws) > len(split.draws):
        yield replace(split, subjects=subjects, curves=curves, draws=draws)


def _table(
    split: _Split, schema: Schema, finest: int, rows: Sequence[int], normal: bool
) -> dict[int, tuple[Subject, Tradeoff]]:
    """Return the subjects and tradeoffs of a row and of sums of its cells; none if they are better alone."""
    items, limit = split.plan.items, split.plan.limit
    equal = _equal(items, limit.epsilon)
    sums = {finest: split.subjects[finest]}
    for place in rows:
        own, column = items[place].groups, items[place].columns
        over = tuple(by for by in items[finest].groups if by not in own)
        if set(own) <= set(items[finest].groups) and all(in_some_group(by, column, schema) for by in over):
            cells = schema.cells(over)
            sums[place] = replace(split.subjects[place], over=over, cells=cells)
    ascending = sorted(sums, key=lambda place: sums[place].cells)
    best, found = SLACK, dict[int, tuple[Subject, Tradeoff]]()
    for slug in (
        slug for slug, kind in registry.items() if kind.over is not None and (normal or kind.noise is LAPLACE)
    ):
        tried = {place: curve(sums[place], limit.epsilon, limit.delta, normal, slug) for place in ascending}
        table = {place: each for place, each in tried.items() if each is not None}
        for most in range(2, len(table) + 1):
            joint = {place: each.shared(most) for place, each in list(table.items())[:most]}
            gains = [math.log(split.curves[place].error(equal) / each.error(equal)) for place, each in joint.items()]
            if finest in joint and min(gains) >= -math.log(MOST_LOST) and math.fsum(gains) > best:
                best, found = math.fsum(gains), {place: (sums[place], each) for place, each in joint.items()}
    return found


def _joint(statistic: str, noise: Noise) -> str:
    """Return the mechanism of fewest statistics that can share a draw for this one; empty if there is none."""
    joint = (slug for slug, kind in registry.items() if kind.joint and kind.over is None and kind.noise is noise)
    return min((slug for slug in joint if registry[slug].can_answer(statistic)), key=_breadth, default="")


def _breadth(slug: str) -> int:
    return len(registry[slug].topics())


def _statistics(items: Sequence[Wanted], places: Sequence[int]) -> tuple[object, ...]:
    """Return the different statistics of some rows, in order: predictions at different values are different ones."""
    return tuple(dict.fromkeys((items[place].statistic, items[place].level) for place in places))


def _shares(
    items: Sequence[Wanted], curves: Sequence[Tradeoff], draws: Sequence[tuple[int, ...]], goal: float
) -> list[float]:
    """Return shares that add up to a goal and make every error the same fraction of its wish.

    All rows of a draw have the share that is largest among them.

    A row without a wish gets as its wish the error at an equal share, divided by its weight, and keeps at least a third
    of that share: where a forecast shows no error, the guess may have hidden it.
    """
    equal = _equal(items, goal)
    if equal <= SMALLEST and any(item.held is None for item in items):
        raise ParameterError(LEFT_NOTHING)
    pairs = list(zip(items, curves, strict=True))
    wishes = [item.wish or errors.error(equal) / item.weight if item.held is None else 1.0 for item, errors in pairs]
    least = [SMALLEST if item.wish else max(SMALLEST, equal / LEAST * min(1.0, item.weight)) for item in items]

    best = [errors.best for errors in curves]

    def needed(ratio: float) -> list[float]:
        each = zip(items, curves, wishes, least, best, strict=True)
        own = [item.held or max(low, errors.share(max(ratio * wish, end))) for item, errors, wish, low, end in each]
        for places in draws:
            most = max(own[place] for place in places)
            for place in places:
                own[place] = most
        return own

    low = -WIDEST
    high = WIDEST
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if math.fsum(needed(math.exp(middle))) <= goal else (middle, high)
    return needed(math.exp(high))


def _equal(items: Sequence[Wanted], goal: float) -> float:
    """Return the share of each row without a fixed one, if all are equal."""
    number = sum(item.held is None for item in items)
    return (goal - math.fsum(item.held or 0.0 for item in items)) / max(number, 1)


def _row(item: Wanted, subject: Subject, errors: Tradeoff, share: float, delta: float, equal: float) -> PlannedRow:
    """Return a row at some share, with the error of its tradeoff there."""
    slug = errors.slug(share)
    share = share * errors.rows
    share = share if item.held else _rounded(share)
    cost = cost_of(slug, share / subject.times(slug), delta)
    mechanism = None if cost is None else subject.untuned(slug, cost)
    if mechanism is None:
        raise ParameterError(
            "The share of {statistic} is too small or too large for its mechanism.", statistic=item.statistic
        )
    usual = errors.slug(equal) if equal > SMALLEST else ""
    return PlannedRow(item, subject, share, errors.error(share / errors.rows), mechanism, usual)


def _rounded(share: float) -> float:
    """Return a share of few digits, rounded down, for people to read."""
    unit = 10.0 ** (math.floor(math.log10(share)) - DIGITS + 1)
    return min(LARGEST, max(SMALLEST, round(math.floor(share / unit + 1e-9) * unit, 12)))


# --- Guesses: what forecasts assume, in words ---

NONE, MANY, HALF, ALL_OF = 1e-6, 0.4, (0.45, 0.55), 0.95  # parts with words of their own; tenths are named above MANY
PASSING = Phrase("What part of all people passes the filter, from public knowledge. Empty: all values equally often.")
EQUAL = Phrase("Groups are assumed equal: the smallest one has at least this margin of error.")
QUARTER = Phrase("Weights are assumed to be a quarter of the largest on average.")
FOLLOWING = (Mean.name, Sum.name, Variance.name, StandardDeviation.name)
LOOSE = Phrase("If nearly all values are far below the upper one, declare a smaller one first.")
TENTH = Phrase("A mean of a tenth of the people has about ten times the margin of error.")


def about(part: float) -> Phrase:
    """Return a part of all people in words."""
    if HALF[0] <= part <= HALF[1]:
        return Phrase("about half")
    if part < NONE or part > ALL_OF:
        return Phrase("almost none") if part < NONE else Phrase("almost all")
    if part >= MANY:
        return Phrase("about {number} in 10", number=round(10 * part))
    return Phrase("about 1 in {number:,}", number=round(1 / part))


def loose(way: Planned, numbers: Sequence[int]) -> Phrase | None:
    """Return which rows would be much better served by a smaller bound, if values guessed skewed are far below.

    Nothing but the guess is known: their noise follows the declared bounds.
    """
    if way.plan.shape != SKEWED:
        return None
    wide = [
        str(number)
        for number, row in zip(numbers, way.rows, strict=True)
        if row.item.statistic in FOLLOWING and row.mechanism.family is not CLIPPED_AT and row.subject.bounds is not None
    ]
    if not wide:
        return None
    return Phrase("No. {rows}: the noise follows the declared bounds. {advice}", rows=commas(wide), advice=LOOSE)


def guesses(way: Planned, numbers: Sequence[int]) -> list[Phrase]:
    """Return what the forecasts of a plan assume that was not given; `numbers` are those of its rows, as shown."""
    alike: dict[str, tuple[Phrase, list[str]]] = {}
    for number, row in zip(numbers, way.rows, strict=True):
        if row.assumed:
            part = about(row.subject.part)
            alike.setdefault(str(part), (part, []))[1].append(str(number))
    notes = [
        Phrase("No. {rows}: assumes that {part} pass the filter.", rows=commas(rows), part=part)
        for part, rows in alike.values()
    ]
    known = {sizes.by for sizes in way.plan.sizes}
    if any(row.subject.sized and set(row.item.groups) - known for row in way.rows):
        notes.append(EQUAL)
    if any(row.subject.sized and row.subject.weighs for row in way.rows):
        notes.append(QUARTER)
    wide = loose(way, numbers)
    return ([*notes, TENTH] if notes else []) + ([wide] if wide else [])


# --- Plan record: the errors and the cost of a plan, as plain JSON, before anything is asked ---


def plan_record(way: Planned) -> dict[str, Any]:
    """Return the rows of a plan with their methods and errors, and their total cost."""
    drawn = {place: number for number, places in enumerate(way.draws, 1) for place in places}
    record = {"rows": [_row_record(row) | {"draw": drawn[at]} for at, row in enumerate(way.rows)], **total_record(way)}
    return record | {"people": way.plan.people, "shape": way.plan.shape}


def total_record(way: Planned) -> dict[str, Any]:
    """Return the total cost of a plan, and its proof."""
    cost = way.total.cost
    plain = way.total.plain
    return {"total": cost.numbers, "proof": str(way.total.proof), "plain_sum": plain.numbers}


def _row_record(row: PlannedRow) -> dict[str, Any]:
    item = row.item
    own = row.request.cost()
    return {
        "statistic": item.statistic,
        "column": item.column,
        **({} if item.second is None else {"second": item.second}),
        "by": plain_groups(item.by),
        "method": row.mechanism.slug,
        "interval": item.interval,
        "passing": row.subject.part if item.where else None,
        "assumed": row.assumed,
        "reason": str(row.reason),
        "epsilon": own.epsilon,
        "delta": own.delta,
        "error": row.error,
        "of_wish": row.ratio,
        "vague": row.vague,
        "groups": _group_records(row),
    }


MOST_SIZES = 50  # of groups, each with a forecast of its own


def _group_records(row: PlannedRow) -> list[dict[str, Any]] | None:
    """Return the guessed size and the error of each group, in their order; None without sizes, or of too many."""
    sizes = row.subject.groups
    if not sizes or len(set(sizes)) > MOST_SIZES:
        return None
    errors = {people: row.error_of(people) if row.subject.sized else row.error for people in set(sizes)}
    return [{"people": people, "error": errors[people]} for people in sizes]
