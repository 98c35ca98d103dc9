"""Share differences: how far shares of the population are apart in two groups, from released lists of counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from discreet.curator.released import Release
from discreet.lab.report.meaning import condition_words, parts
from discreet.lab.report.population import ASSUMED, shared, shares
from discreet.mechanisms.measured import Interval
from discreet.mechanisms.mechanism import CONFIDENCE
from discreet.rows.filters import Condition, Filter
from discreet.rows.schema import Schema


@dataclass(frozen=True)
class SharesApart:
    """Two groups, by the conditions that choose them, and where each share of one less that of the other lies."""

    group: Filter
    other: Filter
    names: tuple[str, ...]
    spans: tuple[Interval, ...]

    def record(self) -> dict[str, Any]:
        """Return it as plain JSON, with what is assumed."""
        spans = {name: list(span) for name, span in zip(self.names, self.spans, strict=True)}
        sides = {"group": self.group.plain(), "less": self.other.plain()}
        return sides | {"shares": spans, "population_if": str(ASSUMED)}

    def line(self) -> str:
        """Return it as text."""
        pair = f"{condition_words(self.group)} less {condition_words(self.other)}"
        each = (f"{name}: {low:.6g} to {high:.6g}" for name, (low, high) in zip(self.names, self.spans, strict=True))
        return f"Shares of the population, {pair}, {ASSUMED}, each 19 times in 20: {'; '.join(each)}."


def difference_of_shares(first: Release, second: Release, schema: Schema) -> tuple[Interval, ...] | None:
    """Return where the share of each level in one population less that in another lies, each 19 times in 20.

    Each list is given half of the 5 %, so both hold, however the two samples and noises depend on each other.
    """
    half = (1 - CONFIDENCE) / 2
    own, others = (None if each.refused else shares(each, schema, half) for each in (first, second))
    if own is None or others is None or len(own) != len(others):
        return None
    return tuple((a[0] - b[1], a[1] - b[0]) for a, b in zip(own, others, strict=True))


def share_differences(releases: Sequence[Release], schema: Schema) -> Iterator[SharesApart]:
    """Yield the differences of all lists of the same counts whose rows differ by the level of one column alone."""
    lists = [release for release in releases if shared(release.request)]
    for first, second in combinations(lists, 2):
        levels = _levels(second, first, schema)
        spans = difference_of_shares(second, first, schema) if levels is not None else None
        if levels is not None and spans is not None:
            yield SharesApart(*levels, parts(second.request, schema), spans)


def _levels(release: Release, other: Release, schema: Schema) -> tuple[Filter, Filter] | None:
    """Return in which level two lists of the same counts differ; None where they do in anything else."""
    asked, beside = release.request, other.request
    if asked.columns != beside.columns or parts(asked, schema) != parts(beside, schema):
        return None
    own, others = _only(asked.where, beside.where), _only(beside.where, asked.where)
    alike = len(own) == len(others) == 1 and own[0].column == others[0].column
    return (own[0], others[0]) if alike and own[0].comparison == others[0].comparison == "=" else None


def _only(conditions: Sequence[Condition], others: Sequence[Condition]) -> list[Filter]:
    """Return the comparisons that only the first ones have."""
    return [each for condition in conditions if condition not in others for each in condition.filters]
