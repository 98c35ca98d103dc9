"""Intervals: for the population behind a sample, for differences, and for many numbers together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from discreet.budget.errors import ParameterError, Phrase
from discreet.curator.request import Request
from discreet.curator.result import Release
from discreet.mechanisms import Mechanism, Public
from discreet.mechanisms.base.mechanism import CONFIDENCE, ROUND_UP
from discreet.mechanisms.base.view import LevelCounts, OneColumn
from discreet.mechanisms.base.vocabulary import GAUSSIAN, GEOMETRIC, LAPLACE, STEPPED
from discreet.mechanisms.laws.law import Interval, Measured
from discreet.queries.bounds import FloatArray
from discreet.queries.mean import Mean
from discreet.report.numbers import Datum, data
from discreet.report.words import condition_words, parts, place_names, unit
from discreet.rows.filters import Condition, Filter
from discreet.rows.schema import Schema

# --- Population: intervals for means and shares of the population of which the rows are a sample ---
#
# An interval of an answer is about the rows as read. It is not valid for the population they come from: another
# sample would have had another mean. This is a second interval, with the assumptions it needs.

ASSUMED = Phrase("if the rows that were read are an independent sample of the population")
NOISE, ROWS, SAMPLE = 0.4, 0.1, 0.5  # of the probability of missing: noise, number of rows, sampling
HALVINGS = 60
OUTWARD = 1e-12


def population(release: Release, schema: Schema) -> Any:
    """Return a 95 % interval for the mean of the population, of each group separately, or None.

    For a list of counts it is the share of each. The mean of the rows, the number of rows and the sampling each get a
    part of the 5 %. The first two are valid for every dataset; the last one is Hoeffding's bound of 1963 by relative
    entropy, which is valid for every distribution between the declared bounds.
    """
    request = release.request
    if release.refused:
        return None
    if shared(request):
        return shares(release, schema, 1 - CONFIDENCE)
    view = request.mechanism.view
    if not isinstance(view, OneColumn) or not isinstance(view.query, Mean):
        return None
    public = request.public(schema)
    miss = 1 - CONFIDENCE
    spans = [(level, _mean(request.mechanism, public, miss, *each)) for level, *each in _drawn(release)]
    if all(span is None for _, span in spans):
        return None
    return tuple(spans) if request.groups else spans[0][1]


def shared(request: Request) -> bool:
    """Return whether the answer is a list of counts, whose shares the population has."""
    return isinstance(request.mechanism.view, LevelCounts)


def shares(release: Release, schema: Schema, miss: float) -> tuple[Interval, ...] | None:
    """Return an interval for the population's share of each declared level or bin, each missed with probability `miss`.

    All counts together get the parts of noise and rows: if all are within their intervals, a share of the rows is
    between its lower count among the upper ones of the others, and its upper count among the lower ones.
    """
    counts: Any = release.answer
    part = (NOISE + ROWS) * miss / len(counts)
    spans: Any = release.request.mechanism.interval(counts, release.request.public(schema), 1 - part)
    if spans is None:
        return None
    least = sum(low for low, _ in spans)
    most = sum(high for _, high in spans)
    ends = [(_part(low, most - high), _part(high, least - low)) for low, high in spans]
    return tuple(sampled(low, high, least, SAMPLE * miss) for low, high in ends)


def _part(count: float, others: float) -> float:
    return count / (count + others) if count + others > 0 else 0.5


def difference(release: Release, schema: Schema, group: str, other: str) -> Interval | None:
    """Return a 95 % interval for the population mean of one group minus that of another."""
    public = release.request.public(schema)
    mechanism = release.request.mechanism
    drawn = {level: each for level, *each in _drawn(release)}
    half = (1 - CONFIDENCE) / 2
    first, second = (_mean(mechanism, public, half, *drawn[level]) for level in (group, other))
    if first is None or second is None:
        return None
    return first[0] - second[1], first[1] - second[0]


def _drawn(release: Release) -> list[tuple[str, Any, Any, Any]]:
    """Return the answer of every group with its interval and its number of rows."""
    if not release.request.groups:
        return [("", release.answer, release.interval, release.size)]
    answers: Any = release.answer
    intervals = dict(release.interval or ())
    sizes = dict(release.size or ())
    return [(level, answer, intervals.get(level), sizes.get(level)) for level, answer in answers]


def _mean(
    mechanism: Mechanism, public: Public, miss: float, answer: Any, interval: Any, size: float | None
) -> Interval | None:
    """Return an interval for the population mean that is missed with probability `miss`."""
    rows = mechanism.rows_at_least(size, ROWS * miss)
    if answer is None or interval is None or rows is None or public.bounds is None:
        return None
    within = mechanism.interval(Measured(answer, interval, size), public, 1 - NOISE * miss)
    if within is None:
        return None
    least = float(public.bounds.value(0))
    width = float(public.bounds.width)
    first, last = ((end - least) / width for end in within)
    low, high = sampled(first, last, rows, SAMPLE * miss)
    return least + width * low, least + width * high


def sampled(low: float, high: float, rows: float, miss: float) -> Interval:
    """Return the population means between 0 and 1 that are compatible with a sample mean in [low, high], given `miss`.

    Of n independent numbers from 0 to 1 with mean p, the mean is as far away as q with probability at most exp(-n kl(q,
    p)) on either side, so all p with n kl <= ln(2 / miss) remain.
    """
    if rows <= 0:
        return 0.0, 1.0
    most = math.log(2 / miss) / rows
    return max(0.0, _end(low, 0.0, most) - OUTWARD), min(1.0, _end(high, 1.0, most) + OUTWARD)


def _end(inner: float, outer: float, most: float) -> float:
    """Return the mean beyond which a sample mean would be too unlikely."""
    share = inner = min(max(inner, 0.0), 1.0)
    for _ in range(HALVINGS):
        middle = (inner + outer) / 2
        inner, outer = (middle, outer) if entropy(share, middle) <= most else (inner, middle)
    return outer


def entropy(q: float, p: float) -> float:
    """Return the relative entropy of a coin of q to one of p; infinite if p cannot produce q."""
    total = 0.0
    for of_q, of_p in ((q, p), (1 - q, 1 - p)):
        if of_q > 0:
            total += of_q * math.log(of_q / of_p) if of_p > 0 else math.inf
    return total


# --- Share differences: how far apart population shares are in two groups, from released lists of counts ---


@dataclass(frozen=True)
class SharesApart:
    """Two groups, given by conditions, with an interval for the difference of each share."""

    group: Filter
    other: Filter
    names: tuple[str, ...]
    spans: tuple[Interval, ...]

    def record(self) -> dict[str, Any]:
        """Return the intervals as plain JSON, with the assumption."""
        spans = {name: list(span) for name, span in zip(self.names, self.spans, strict=True)}
        sides = {"group": self.group.plain(), "less": self.other.plain()}
        return sides | {"shares": spans, "population_if": str(ASSUMED)}

    def line(self) -> str:
        """Return the intervals as text."""
        pair = f"{condition_words(self.group)} minus {condition_words(self.other)}"
        each = (f"{name}: {low:.6g} to {high:.6g}" for name, (low, high) in zip(self.names, self.spans, strict=True))
        return f"Difference of population shares, {pair}, {ASSUMED}, 95% intervals: {'; '.join(each)}."


def difference_of_shares(first: Release, second: Release, schema: Schema) -> tuple[Interval, ...] | None:
    """Return 95 % intervals for the share of each level in one population minus that in another.

    Each list gets half of the 5 %, so both are valid, however the two samples and noises depend on each other.
    """
    half = (1 - CONFIDENCE) / 2
    own, others = (None if each.refused else shares(each, schema, half) for each in (first, second))
    if own is None or others is None or len(own) != len(others):
        return None
    return tuple((a[0] - b[1], a[1] - b[0]) for a, b in zip(own, others, strict=True))


def share_differences(releases: Sequence[Release], schema: Schema) -> Iterator[SharesApart]:
    """Yield the differences of all pairs of count lists whose rows differ by the level of one column alone."""
    lists = [release for release in releases if shared(release.request)]
    for first, second in combinations(lists, 2):
        levels = _levels(second, first, schema)
        spans = difference_of_shares(second, first, schema) if levels is not None else None
        if levels is not None and spans is not None:
            yield SharesApart(*levels, parts(second.request, schema), spans)


def _levels(release: Release, other: Release, schema: Schema) -> tuple[Filter, Filter] | None:
    """Return the levels in which two count lists differ; None if they differ in anything else."""
    asked = release.request
    beside = other.request
    if asked.columns != beside.columns or parts(asked, schema) != parts(beside, schema):
        return None
    own = _only(asked.where, beside.where)
    others = _only(beside.where, asked.where)
    alike = len(own) == len(others) == 1 and own[0].column == others[0].column
    return (own[0], others[0]) if alike and own[0].comparison == others[0].comparison == "=" else None


def _only(conditions: Sequence[Condition], others: Sequence[Condition]) -> list[Filter]:
    """Return the comparisons that only the first conditions contain."""
    return [each for condition in conditions if condition not in others for each in condition.filters]


# --- Simultaneous: intervals of several answers that are valid together, computed from what was released ---


def shares_of_chance(releases: Sequence[Release]) -> int:
    """Return how many numbers are released: each group and each count is one, and so is a refusal."""
    return sum(_numbers(answer) for release in releases for answer in _answers(release))


def simultaneous(releases: Sequence[Release], schema: Schema) -> tuple[Release, ...]:
    """Return the answers with wider intervals, which are all valid together with probability 95 %.

    Each of k intervals fails with probability at most 5 % / k, so some interval fails with probability at most 5 %,
    however they depend on each other (Bonferroni). No rows are read and nothing is spent. A number whose interval
    cannot be widened from what was released gets none.
    """
    confidence = 1 - (1 - CONFIDENCE) / max(shares_of_chance(releases), 1)
    return tuple(replace(release, interval=_widened(release, schema, confidence)) for release in releases)


def _widened(release: Release, schema: Schema, confidence: float) -> Any:
    mechanism = release.request.mechanism
    public = release.request.public(schema)

    def wider(answer: Any, interval: Any, size: Any) -> Any:
        if answer is None or interval is None:
            return None
        drawn = Measured(answer, interval, size) if isinstance(answer, float) else answer
        return mechanism.interval(drawn, public, confidence)

    if not _grouped(release):
        return wider(release.answer, release.interval, release.size)
    intervals = dict(release.interval or ())
    sizes = dict(release.size or ())
    levels: Any = release.answer
    return tuple((level, wider(answer, intervals.get(level), sizes.get(level))) for level, answer in levels)


def _grouped(release: Release) -> bool:
    return bool(release.request.groups) and isinstance(release.answer, tuple)


def _answers(release: Release) -> list[Any]:
    """Return the answer of every group, or of all rows."""
    answer: Any = release.answer
    return [each for _, each in answer] if _grouped(release) else [answer]


def _numbers(answer: Any) -> int:
    return len(answer) if isinstance(answer, tuple) else 1


# --- Comparison: whether one released number is above another, from nothing but what was released ---

SYMMETRIC = (LAPLACE, GEOMETRIC, GAUSSIAN, STEPPED)  # noises whose law is symmetric around 0
FINEST_TAIL = 1e-4  # of the noise of a number: what is rarer counts as a miss
STEPS = 40  # of a tail until it is e times rarer
Widths = Callable[[float], float]  # half the width of an interval, by its confidence


@dataclass(frozen=True)
class Value:
    """One released number with its own 95 % interval: its release, the declaration of that, and which number it is."""

    release: Release
    schema: Schema
    at: int
    datum: Datum

    @property
    def name(self) -> tuple[str, int]:
        """What it is found by."""
        return self.release.id, self.at

    @property
    def unit(self) -> str:
        """What it is counted in."""
        return unit(self.release.request, self.schema)

    @property
    def comparable(self) -> bool:
        """Whether it is a plain number that is shown, with an interval for the value of the rows as read."""
        request = self.release.request
        plain = place_names(request, self.schema) is None and request.mechanism.interval_of is None
        return plain and self.datum.place is not None and self.datum.interval is not None

    @property
    def drawn_at_once(self) -> str:
        """The name of the charge under which it was drawn: of one query, or of a whole plan."""
        return self.release.id.partition(":")[0]

    def interval(self, confidence: float) -> Interval | None:
        """Return the interval at another confidence, or None if that cannot be computed from what was released."""
        release = replace(self.release, interval=_widened(self.release, self.schema, confidence))
        return data(release, self.schema)[self.at].interval


def values(release: Release, schema: Schema) -> list[Value]:
    """Return the numbers of a release that can be compared."""
    every = [Value(release, schema, at, datum) for at, datum in enumerate(data(release, schema))]
    return [value for value in every if value.comparable]


def apart(first: Value, other: Value) -> Interval:
    """Return a 95 % interval for the first value minus the other, both of the rows as read; it spends nothing.

    Where both noises are independent with known symmetric laws, it is the released difference plus and minus `reach`.
    Otherwise each value has its interval at 97.5 %. Each is missed with probability at most 2.5 %, so both hold with
    probability at least 95 %, however the two noises depend on each other (union bound). If both hold, the difference
    is between the lowest minus the highest and the highest minus the lowest value. Two intervals at 95 % would not do:
    if one is missed only where the other is not, the difference is missed in up to 10 %. Ends are moved to what the
    declared ranges allow, which excludes no true difference.

    ParameterError states why there is no such interval.
    """
    if first.name == other.name:
        raise ParameterError("Choose two different values.")
    if first.unit != other.unit:
        raise ParameterError("Values in different units cannot be compared.")
    if not (first.comparable and other.comparable):
        raise ParameterError("Only numbers with an interval can be compared.")
    if independent(first, other):
        middle = float(first.datum.answer) - float(other.datum.answer)
        width = reach(_widths(first), _widths(other), (1 - CONFIDENCE) / 2)
        (low, high), (least, most) = _range(first), _range(other)
        return max(middle - width, low - most), min(middle + width, high - least)
    half = 1 - (1 - CONFIDENCE) / 2
    own = first.interval(half)
    others = other.interval(half)
    if own is None or others is None:
        raise ParameterError("One of these intervals is known at 95% only, so their difference has none.")
    return own[0] - others[1], own[1] - others[0]


def independent(first: Value, other: Value) -> bool:
    """Return whether two numbers have independent noise of symmetric laws that were fixed before either was drawn.

    They were drawn under one charge: a later query may have been chosen after the earlier result was seen, and so may
    the size of its noise. Numbers of a result whose precision was improved share noise.
    """
    return first.drawn_at_once == other.drawn_at_once and all(
        value.release.refines is None
        and value.release.request.mechanism.noise in SYMMETRIC
        and type(value.release.request.mechanism).interval is Mechanism.interval
        and _forecast(value, CONFIDENCE) is not None
        for value in (first, other)
    )


def reach(first: Widths, other: Widths, miss: float) -> float:
    """Return a w that the error of a difference exceeds with probability at most `miss`, on each side.

    `first` and `other` return for each confidence c an h that |Z| exceeds with probability at most 1 - c, where Z is
    the symmetric noise of a number, independent of the other one.

    Proof. A result is its true value plus Z, then moved to the nearest end of a range that holds the true value (or not
    moved at all). So its error is between 0 and Z, hence at most Z+ = max(Z, 0), and at least -Z-. The error of the
    difference A - B is therefore at most ZA+ + ZB-, and by symmetry ZB- has the law of ZB+; the other side is alike.
    With tails 1 = t0 > t1 > ... > tk, let X be 0 with probability 1/2, h(1 - t(i+1)) with probability (ti - t(i+1))
    / 2, and infinite with probability tk / 2. For y in [h(1 - ti), h(1 - t(i+1))), P(Z+ > y) = P(|Z| > y) / 2 <= ti
    / 2 = P(X > y), so X is stochastically at least Z+, and independent X and Y have a sum that is at least ZA+ +
    ZB+. The law of X + Y is finite and is convolved exactly; w is its (1 - miss)-quantile, raised by the rounding
    of doubles.
    """
    finite, masses = _sum(_tails(first), _tails(other))
    order = np.argsort(finite)
    below = np.cumsum(masses[order])  # the rest of the probability is beyond
    at = int(np.searchsorted(below, 1 - miss))
    return math.inf if at == len(order) else float(finite[order][at]) * ROUND_UP


def _tails(widths: Widths) -> tuple[FloatArray, FloatArray]:
    """Return the finite places of X and their probabilities."""
    steps = math.ceil(-STEPS * math.log(FINEST_TAIL))
    tails = np.exp(-np.arange(steps + 1) / STEPS)
    places = np.array([0.0, *(widths(1 - tail) for tail in tails[1:])])
    return places, np.concatenate([[0.5], -np.diff(tails) / 2])


def _sum(one: tuple[FloatArray, FloatArray], two: tuple[FloatArray, FloatArray]) -> tuple[FloatArray, FloatArray]:
    return np.add.outer(one[0], two[0]).ravel(), np.multiply.outer(one[1], two[1]).ravel()


def _widths(value: Value) -> Widths:
    """Return the half width of the interval of a number, before it is moved to a range, by its confidence."""

    def width(confidence: float) -> float:
        known = _forecast(value, confidence)
        assert known is not None  # `independent` has looked
        return known

    return width


def _forecast(value: Value, confidence: float) -> float | None:
    forecast = value.release.request.mechanism.forecast(value.release.request.public(value.schema), confidence)
    return forecast.half_width if forecast.exact else None


def _range(value: Value) -> Interval:
    request = value.release.request
    return request.mechanism.view.range(request.public(value.schema).bounds)
