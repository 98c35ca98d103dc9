"""Publishable: who tells an interval, how wide it usually is, and who should be taken for it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.budget import Cost
from discreet.lab.contest import Ground, Scenario, contenders
from discreet.lab.simulation import SimulationNoise
from discreet.lab.sweeps import by_width, published_width
from discreet.mechanisms import Public, registry
from discreet.mechanisms.base.vocabulary import BLOCKS
from discreet.mechanisms.smooth_interval import CoreTailInterval
from discreet.queries import Bounds
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.query import Query

COST = Cost.of("0.5", "1e-6")
GROUND = Ground.of(Scenario(Bounds(0, 9000, step=10), 2000, "skewed"))
PUBLIC = Public(GROUND.bounds, GROUND.column.n)


@pytest.mark.parametrize("query", [Mean(), Median()], ids=["mean", "median"])
def test_the_width_is_that_of_intervals_as_they_are_told(query: Query) -> None:
    """Of each that is ranked: the middle of a hundred drawn ones, up to what a hundred can say."""
    ranked = by_width(contenders(query, COST, GROUND, intervals=True), GROUND)
    assert len(ranked) >= 5 and [each.width for each in ranked] == sorted(each.width for each in ranked)
    for each in ranked:
        mechanism, noise = each.contender.mechanism, SimulationNoise(1)
        law = GROUND.law(mechanism, noise)
        spans = [mechanism.interval(law.draw(noise), PUBLIC) for _ in range(100)]
        widths = [(span[1] - span[0]) / 2 for span in spans if span is not None]
        assert each.width == pytest.approx(float(np.median(widths)), rel=0.3)


def test_whoever_tells_none_or_one_of_something_else_is_not_ranked() -> None:
    """Smooth sensitivity without an interval, ratios, and everything in blocks."""
    slugs = {each.contender.slug for each in by_width(contenders(Mean(), COST, GROUND, intervals=True), GROUND)}
    assert {"two-counts", "laplace", "smooth-core-tail-interval", "smooth-laplace-interval"} <= slugs
    assert not slugs & {"smooth-core-tail", "sum-over-count", "textbook-mean"}
    assert not any(registry[slug].family is BLOCKS for slug in slugs)


def test_those_that_are_taken_for_their_interval_are_compared_by_it_alone() -> None:
    """By error they are the same as others, only worse."""
    plain = {each.slug for each in contenders(Median(), COST, GROUND)}
    assert plain and not any(registry[slug].spanned and not registry[slug].compared for slug in plain)
    assert "smooth-core-tail-interval" in {each.slug for each in contenders(Median(), COST, GROUND, intervals=True)}


def test_what_says_nothing_beforehand_is_asked_by_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """So whatever tells an interval takes part."""
    mechanism = CoreTailInterval(epsilon=0.5)
    spoken = published_width(mechanism, GROUND, PUBLIC)
    monkeypatch.setattr(CoreTailInterval, "usual_width", lambda self, data: None)
    assert published_width(mechanism, GROUND, PUBLIC) == pytest.approx(spoken, rel=0.3)


def test_nobody_publishes_more_than_all_that_can_be() -> None:
    """Noise that is wider than the bounds leaves an interval from end to end; none leaves nothing."""
    weak = CoreTailInterval(epsilon=1e-3)
    assert published_width(weak, GROUND, PUBLIC) == 4500
    assert math.isinf(published_width(registry["sum-over-count"](), GROUND, PUBLIC))
