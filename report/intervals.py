"""Intervals: for the population behind a sample, for differences of shares, and for many numbers together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from discreet.budget.errors import Phrase
from discreet.curator.request import Request
from discreet.curator.result import Release
from discreet.mechanisms import Mechanism, Public
from discreet.mechanisms.base.mechanism import CONFIDENCE
from discreet.mechanisms.base.view import LevelCounts, OneColumn
from discreet.mechanisms.laws.law import Interval, Measured
from discreet.queries.mean import Mean
from discreet.report.words import condition_words, parts
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
