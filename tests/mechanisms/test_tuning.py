"""Tuning: public stand-ins choose the settings, never worse than any other variant, for nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.for_each import for_each

from discreet.mechanisms import registry
from discreet.mechanisms.base.tuning import MOST_REFUSALS, expected_width, half_width, tuned
from discreet.queries import Bounds, Column
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.query import Query

BOUNDS = Bounds(0, 100, integer=True)
STAND_IN = Column.from_ticks(BOUNDS, (np.arange(900) * 37) % 101)
TUNABLE = ("smooth-core-tail", "smooth-laplace", "smooth-student", "propose-test-release")


@pytest.mark.parametrize("query", [Mean(), Median()], ids=["mean", "median"])
@pytest.mark.parametrize("slug", TUNABLE)
def test_the_choice_is_the_best_variant_and_costs_the_same(slug: str, query: Query) -> None:
    """Only settings change: epsilon, delta and the statistic stay."""
    kind: Any = registry[slug]
    start = kind(query=query, epsilon=0.7)
    best = tuned(start, STAND_IN)
    widths = [expected_width(variant, STAND_IN) for variant in start.variants(STAND_IN)]
    assert expected_width(best, STAND_IN) == min(widths) <= expected_width(start, STAND_IN)
    assert (best.cost(), best.query) == (start.cost(), query)
    assert best.law(STAND_IN).refusal <= MOST_REFUSALS


def test_a_mechanism_without_settings_is_its_own_choice() -> None:
    """Nothing to tune, nothing changed."""
    laplace: Any = registry["laplace"]
    start = laplace(query=Mean(), epsilon=1.0)
    assert tuned(start, STAND_IN) is start
    assert half_width(start.law(STAND_IN)) > 0


@for_each(registry)
def test_every_mechanism_says_what_it_answers(slug: str) -> None:
    """A page offers what a mechanism names; only exhibits may name nothing of their own."""
    assert registry[slug].topics() or registry[slug].open_only
