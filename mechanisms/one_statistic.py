"""OneStatistic: mechanisms that take any statistic of one column, and its neighbours from there."""

from __future__ import annotations

import math
from functools import cache

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.mechanisms.accuracy import Public
from discreet.mechanisms.mechanism import Mechanism
from discreet.mechanisms.one_column import OneColumn
from discreet.mechanisms.topic import Topic
from discreet.mechanisms.view import View
from discreet.queries import Bounds, Query, Relation
from discreet.queries import registry as statistics

LARGEST_TOTAL = 2**62  # a sum of ticks fits 64 bits


def checked_sensitivity(query: Query, bounds: Bounds) -> float:
    """Return the global sensitivity, or say why noise scaled to it makes no sense."""
    size = query.size or 0
    if size * bounds.top > LARGEST_TOTAL:
        raise ParameterError(
            "{size} rows on {ticks} ticks have sums that are too large. Use a larger step.",
            size=size,
            ticks=bounds.top + 1,
        )
    sensitivity = query.global_sensitivity(bounds)
    if not math.isfinite(sensitivity):
        raise ParameterError("{label} has no finite global sensitivity. Use another way.", label=Phrase(query.label))
    if sensitivity <= 0:
        raise ParameterError("{label} is public here: it needs no noise and no budget.", label=Phrase(query.label))
    return sensitivity


@cache
def of_statistics(*names: str) -> tuple[Topic, ...]:
    """Return statistics as what can be asked."""
    return tuple(Topic(name, statistics[name].label, zeroless=statistics[name].zeroless) for name in names)


class OneStatistic(Mechanism):
    """A mechanism that takes any statistic of one column, and its neighbours and rows from there.

    A subclass declares `query` with `statistic(...)` where it belongs among its fields.
    """

    query: Query

    @classmethod
    def topics(cls) -> tuple[Topic, ...]:
        """Return every statistic."""
        return of_statistics(*statistics)

    @property
    def neighbours(self) -> Relation:
        """The neighbour relation of the statistic."""
        return self.query.relation

    @property
    def public_rows(self) -> int | None:
        """The public number of rows that the statistic counts on."""
        return self.query.size

    @property
    def view(self) -> View:
        """The column of the statistic."""
        return OneColumn(self.query, self.public_rows)

    @property
    def subject(self) -> str:
        """The statistic."""
        return self.query.label

    def check(self, public: Public) -> None:
        """Refuse a statistic without a useful global sensitivity."""
        if public.bounds is not None:
            checked_sensitivity(self.query, public.bounds)
