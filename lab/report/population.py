"""Population: where means and shares lie of those of whom the rows are a sample, from what was released alone.

An interval of an answer is of the rows as read. Of the population they come from it says nothing:
another sample would have had another mean. This is a second interval, with what has to be assumed.
"""

from __future__ import annotations

import math
from typing import Any

from discreet.budget.phrase import Phrase
from discreet.curator.released import Release
from discreet.curator.request import Request
from discreet.mechanisms import Mechanism, Public
from discreet.mechanisms.levels import LevelCounts
from discreet.mechanisms.measured import Interval, Measured
from discreet.mechanisms.mechanism import CONFIDENCE
from discreet.mechanisms.one_column import OneColumn
from discreet.queries.mean import Mean
from discreet.rows.schema import Schema

ASSUMED = Phrase("if the rows as read are an independent sample of the population")
NOISE, ROWS, SAMPLE = 0.4, 0.1, 0.5  # of the chance to miss: the noise, how many rows there are, which they are
HALVINGS = 60
OUTWARD = 1e-12


def population(release: Release, schema: Schema) -> Any:
    """Return where the mean of the population lies 19 times in 20, of each group by itself; else None.

    Of a list of counts it is the share of each. The mean of the rows, the number of rows and the sample
    itself are each given a part of the 5 %.
    Given the rows the first two hold as they do for every dataset; the last one is Hoeffding's bound
    of 1963 by relative entropy, which holds for every distribution between the declared bounds.
    """
    request = release.request
    if release.refused:
        return None
    if shared(request):
        return shares(release, schema, 1 - CONFIDENCE)
    view = request.mechanism.view
    if not isinstance(view, OneColumn) or not isinstance(view.query, Mean):
        return None
    public, miss = request.public(schema), 1 - CONFIDENCE
    spans = [(level, _mean(request.mechanism, public, miss, *each)) for level, *each in _drawn(release)]
    if all(span is None for _, span in spans):
        return None
    return tuple(spans) if request.groups else spans[0][1]


def shared(request: Request) -> bool:
    """Say whether the answer is a list of counts, of which the population has shares."""
    return isinstance(request.mechanism.view, LevelCounts)


def shares(release: Release, schema: Schema, miss: float) -> tuple[Interval, ...] | None:
    """Return where the share of each declared level or bin lies in the population, each but for a chance to miss.

    All counts together are given the parts of noise and rows: where all are within their intervals, a share
    of the rows lies between its least count among the most others, and its most among the least.
    """
    counts: Any = release.answer
    part = (NOISE + ROWS) * miss / len(counts)
    spans: Any = release.request.mechanism.interval(counts, release.request.public(schema), 1 - part)
    if spans is None:
        return None
    least, most = sum(low for low, _ in spans), sum(high for _, high in spans)
    ends = [(_part(low, most - high), _part(high, least - low)) for low, high in spans]
    return tuple(sampled(low, high, least, SAMPLE * miss) for low, high in ends)


def _part(count: float, others: float) -> float:
    return count / (count + others) if count + others > 0 else 0.5


def difference(release: Release, schema: Schema, group: str, other: str) -> Interval | None:
    """Return where the mean of one group of the population less that of another lies, 19 times in 20."""
    public, mechanism = release.request.public(schema), release.request.mechanism
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
    intervals, sizes = dict(release.interval or ()), dict(release.size or ())
    return [(level, answer, intervals.get(level), sizes.get(level)) for level, answer in answers]


def _mean(
    mechanism: Mechanism, public: Public, miss: float, answer: Any, interval: Any, size: float | None
) -> Interval | None:
    """Return where the mean of the population lies but for a chance to miss."""
    rows = mechanism.rows_at_least(size, ROWS * miss)
    if answer is None or interval is None or rows is None or public.bounds is None:
        return None
    within = mechanism.interval(Measured(answer, interval, size), public, 1 - NOISE * miss)
    if within is None:
        return None
    least, width = float(public.bounds.value(0)), float(public.bounds.width)
    first, last = ((end - least) / width for end in within)
    low, high = sampled(first, last, rows, SAMPLE * miss)
    return least + width * low, least + width * high


def sampled(low: float, high: float, rows: float, miss: float) -> Interval:
    """Return which means of a population between 0 and 1 a sample mean between two ends leaves, but for a miss.

    Of n independent numbers from 0 to 1 with mean p the mean is as far as q with a chance of at most
    exp(-n kl(q, p)) on either side, so all p with n kl <= ln(2 / miss) are left.
    """
    if rows <= 0:
        return 0.0, 1.0
    most = math.log(2 / miss) / rows
    return max(0.0, _end(low, 0.0, most) - OUTWARD), min(1.0, _end(high, 1.0, most) + OUTWARD)


def _end(inner: float, outer: float, most: float) -> float:
    """Return the mean from which on outwards a sample mean would be too unlikely."""
    share = inner = min(max(inner, 0.0), 1.0)
    for _ in range(HALVINGS):
        middle = (inner + outer) / 2
        inner, outer = (middle, outer) if entropy(share, middle) <= most else (inner, middle)
    return outer


def entropy(q: float, p: float) -> float:
    """Return the relative entropy of a coin of q to one of p; endless where p cannot give q."""
    total = 0.0
    for of_q, of_p in ((q, p), (1 - q, 1 - p)):
        if of_q > 0:
            total += of_q * math.log(of_q / of_p) if of_p > 0 else math.inf
    return total
