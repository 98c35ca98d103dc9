"""Planned: a plan with a method and a share for every row, a forecast, and what it costs together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from discreet.budget import Charge
from discreet.budget.cost import EPSILON_UNITS
from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.budget.plans import Proven, proven
from discreet.budget.views import ALL, BY_HAND, View
from discreet.curator.fixed import FixedPlan
from discreet.curator.request import Request
from discreet.lab.plans.curve import LARGEST, SMALLEST, Tradeoff, cost_of, curve
from discreet.lab.plans.effort import in_time, lane
from discreet.lab.plans.subject import Subject, attempt
from discreet.lab.plans.wanted import Plan, Wanted
from discreet.mechanisms import Mechanism, former, registry
from discreet.rows.schema import Schema

ROUNDS, MOST_ROUNDS, NEARLY = 6, 20, 0.998  # how often the split is corrected, and what is near enough
DIGITS = 4
LEAST = 3
BISECTIONS, WIDEST = 24, 20.0  # logarithms of the ratio that is looked for
VAGUE = 1 / 4  # of the range of a statistic: an error that large says next to nothing
LEFT_NOTHING = Phrase("The rows that hold their epsilon leave nothing for the others. Hold less, or raise the total.")


@dataclass(frozen=True)
class PlannedRow:
    """One row: its method, its share of the budget, its forecast error, and what it costs by itself."""

    item: Wanted
    subject: Subject
    share: float
    error: float
    mechanism: Mechanism

    @property
    def charge(self) -> Charge:
        """What it counts among the others: as often as one person is in a group of it."""
        request = self.request
        return Charge(request.cost(), request.account())

    @property
    def request(self) -> Request:
        """The question as it stands, before its method is tuned."""
        return Request(self.mechanism, (self.item.column,), self.item.where, self.item.by)

    @property
    def reason(self) -> Phrase:
        """Say why this method."""
        if self.item.method:
            return Phrase("you chose it")
        kind = type(self.mechanism)
        return kind.why or kind.family.why or Phrase("nothing else can answer this")

    @property
    def ratio(self) -> float | None:
        """The error as a part of the wish; None where nothing was wished."""
        return None if self.item.wish is None else self.error / self.item.wish

    @property
    def vague(self) -> bool:
        """Whether the answer would say next to nothing."""
        return self.error > self.subject.range * VAGUE

    def tuned(self) -> Request:
        """Return the question with the settings that do best on public ground."""
        best = attempt(self.subject, self.mechanism.slug, self.mechanism.cost())
        return self.request if best is None else replace(self.request, mechanism=best[0])


@dataclass(frozen=True)
class Planned:
    """A whole plan, ready to be run: rows, their total, and the proof of it."""

    plan: Plan
    rows: tuple[PlannedRow, ...]
    total: Proven

    @cached_property
    def fixed(self) -> FixedPlan:
        """The questions as they are asked: together, once."""
        return FixedPlan(tuple(row.tuned() for row in self.rows), self.plan.limit.delta)

    @property
    def gained(self) -> float:
        """How much of the plain sum of all rows is not charged."""
        return 1 - self.total.cost.epsilon / self.total.plain.epsilon

    @property
    def badness(self) -> float:
        """The mean logarithm of the errors: a factor in one row is a factor in another."""
        return math.fsum(math.log(row.error) for row in self.rows) / len(self.rows)


def planned(plan: Plan, schema: Schema) -> Planned:
    """Choose methods and shares: the largest ratio of an error to its wish as small as the total allows.

    Looked at once without normal noise and once with it, by accountings that take no time; what
    leaves the smaller errors is then accounted for as sharply as it can be. What would take too long is refused.
    """
    pairs = [(item, item.subject(schema, plan.people, plan.shape)) for item in plan.items]
    subjects = [subject for _, subject in pairs]
    ways = (False, True) if plan.limit.delta else (False,)
    with lane((subject, item.method) for item, subject in pairs):
        splits = [_Split(plan, subjects, [_curve(plan, *pair, normal) for pair in in_time(pairs)]) for normal in ways]
        rough = [(split, *split.within(plan.limit.epsilon, BY_HAND)) for split in splits]
        split, goal, _ = min(rough, key=lambda each: each[2].badness)
        return split.within(goal, ALL)[1]


@dataclass(frozen=True)
class _Split:
    """The rows of a plan with their curves, and the search for shares that cost the limit together."""

    plan: Plan
    subjects: Sequence[Subject]
    curves: Sequence[Tradeoff]

    def within(self, goal: float, views: Sequence[View]) -> tuple[float, Planned]:
        """Correct the sum of all shares until what is proven of it is the limit, nearly.

        The proven total goes like a power of that sum; which one, the last two tries tell.
        """
        limit, best, power = self.plan.limit, None, 1.0
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
        raise ParameterError(LEFT_NOTHING)

    def _way(self, goal: float, views: Sequence[View]) -> Planned:
        shares = _shares(self.plan.items, self.curves, goal)
        each = zip(self.plan.items, self.subjects, self.curves, shares, strict=True)
        rows = tuple(_row(*parts, self.plan.limit.delta) for parts in each)
        return Planned(self.plan, rows, proven([row.charge for row in rows], self.plan.limit.delta, views))


def _curve(plan: Plan, item: Wanted, subject: Subject, normal: bool) -> Tradeoff:
    if item.method and item.method in former:
        raise ParameterError("{why}", why=former[item.method].instead)
    answers = item.method is None or item.method in registry
    errors = curve(subject, plan.limit.epsilon, plan.limit.delta, normal, item.method) if answers else None
    if errors is None:
        raise ParameterError(
            "Nothing can answer {statistic} of {column} here. Choose another statistic or method.",
            statistic=item.statistic,
            column=item.column,
        )
    return errors


def _shares(items: Sequence[Wanted], curves: Sequence[Tradeoff], goal: float) -> list[float]:
    """Return shares that add up to a goal and leave every error the same part of its wish.

    A row without a wish wishes for what an equal share would give it, divided by its weight, and
    keeps a third of that share at least: where a forecast sees no error, a guess may have hidden it.
    """
    number = sum(item.held is None for item in items)
    equal = (goal - math.fsum(item.held or 0.0 for item in items)) / max(number, 1)
    if number and equal <= SMALLEST:
        raise ParameterError(LEFT_NOTHING)
    pairs = list(zip(items, curves, strict=True))
    wishes = [item.wish or errors.error(equal) / item.weight if item.held is None else 1.0 for item, errors in pairs]
    least = [SMALLEST if item.wish else max(SMALLEST, equal / LEAST * min(1.0, item.weight)) for item in items]

    best = [errors.best for errors in curves]

    def needed(ratio: float) -> list[float]:
        each = zip(items, curves, wishes, least, best, strict=True)
        return [item.held or max(low, errors.share(max(ratio * wish, end))) for item, errors, wish, low, end in each]

    low, high = -WIDEST, WIDEST
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if math.fsum(needed(math.exp(middle))) <= goal else (middle, high)
    return needed(math.exp(high))


def _row(item: Wanted, subject: Subject, errors: Tradeoff, share: float, delta: float) -> PlannedRow:
    """Return a row at some share, with the error of its curve there."""
    share = share if item.held else _rounded(share)
    slug = errors.slug(share)
    cost = cost_of(slug, share / subject.times(slug), delta)
    mechanism = None if cost is None else subject.untuned(slug, cost)
    if mechanism is None:
        raise ParameterError(
            "The share of {statistic} is too small or too large for its method.", statistic=item.statistic
        )
    return PlannedRow(item, subject, share, errors.error(share), mechanism)


def _rounded(share: float) -> float:
    """Return a share of few digits, rounded down: people read them."""
    unit = 10.0 ** (math.floor(math.log10(share)) - DIGITS + 1)
    return min(LARGEST, max(SMALLEST, round(math.floor(share / unit + 1e-9) * unit, 12)))
