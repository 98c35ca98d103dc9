"""Simultaneous intervals: all hold at once, made of nothing but what was released."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Release, Request
from discreet.curator.plan import FixedPlan
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public, registry
from discreet.mechanisms.base.scale_interval import Bought
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.laws.law import Measured, Noisy
from discreet.mechanisms.laws.ratio import SoftCounts, shares
from discreet.mechanisms.quantile_exponential import QuantileExponential
from discreet.mechanisms.smooth_interval import CoreTailInterval
from discreet.queries import Bounds, Column
from discreet.queries.sum import Sum
from discreet.report.intervals import shares_of_chance, simultaneous
from discreet.rows import Category, Dataset, LocalSource, Number, OpenData, Schema

SCHEMA = Schema({"age": Number(0, 100, integer=True), "town": Category(("a", "b"))})
ROWS = "age,town\n" + "".join(f"{(i * 37) % 90},{'ab'[i % 3 == 0]}\n" for i in range(600))
PUBLIC = Public(SCHEMA.bounds("age"))
PLAN = FixedPlan(
    (
        Request(TwoCounts(epsilon=0.5), ("age",), by="town"),
        Request(CoreTailInterval(epsilon=0.5), ("age",)),
        Request(GlobalLaplace(Sum(), 0.5), ("age",)),
        Request(CountsGeometric(epsilon=0.5), ("town",)),
        Request(QuantileExponential(epsilon=0.5), ("age",)),
    )
)


def released() -> tuple[Release, ...]:
    """Return the answers of the plan."""
    dataset = Dataset(LocalSource(ROWS.encode()), SCHEMA)
    return Curator(dataset, SessionLedger(Cost.of(5)), tick=0).run(PLAN).releases


def spans(interval: Any) -> list[tuple[float, float]]:
    """Return the intervals of a release in a list."""
    if interval is None:
        return []
    if isinstance(interval[0], (int, float)):
        return [interval]
    if isinstance(interval[0][0], str):
        return [span for _, each in interval for span in spans(each)]
    return [span for each in interval for span in spans(each)]


def test_every_number_counts_and_every_interval_is_wider() -> None:
    """Two groups, one mean, one sum, two counts, one choice: seven; no answer and no charge changes."""
    before = released()
    assert shares_of_chance(before) == 7
    after = simultaneous(before, SCHEMA)
    assert [r.answer for r in after] == [r.answer for r in before]
    assert [len(spans(r.interval)) for r in after] == [len(spans(r.interval)) for r in before] == [2, 1, 1, 2, 0]
    for old, new in zip(before, after, strict=True):
        for (low, high), (lower, upper) in zip(spans(old.interval), spans(new.interval), strict=True):
            assert lower <= low <= high <= upper and upper - lower > high - low


def test_what_is_released_gives_the_counts_back() -> None:
    """The same interval as from both noisy counts, where the mean is inside; a wider one at an end."""
    mechanism = TwoCounts(epsilon=1.0)
    law = mechanism.law(Column.from_ticks(Bounds(0, 100, integer=True), np.array([10, 50, 70])))
    assert isinstance(law, SoftCounts)
    scale = law.first.scale
    for a, b in ((4.0, 6.0), (400.0, 3.0), (-0.5, 6.0), (7.0, -2.0), (-3.0, 1.0)):
        drawn = law.measured(a, b)
        exact = [100 * end for end in shares(a, b, scale, 0.99)]
        low, high = mechanism.widened(drawn, PUBLIC, 0.99)  # type: ignore[misc]
        if min(a, b) > 0:
            assert (low, high) == pytest.approx(exact, abs=1e-9)
        assert low <= max(exact[0], 0) + 1e-9 and high >= min(exact[1], 100) - 1e-9


@pytest.mark.parametrize("confidence", [0.99, 0.9999])
def test_a_bought_interval_is_the_one_that_would_have_been_drawn(confidence: float) -> None:
    """From one end that was not cut; all that can be where both were."""
    mechanism: Any = CoreTailInterval(epsilon=1.0)
    law = mechanism.law(Column.from_ticks(Bounds(0, 100, integer=True), (np.arange(900) * 37) % 101))
    assert isinstance(law, Bought)
    for y, logarithm in ((40.0, 0.5), (2.0, 1.5), (99.0, 1.5)):
        wide = mechanism.widened(law.measured(y, logarithm), PUBLIC, confidence)
        half = mechanism._times(confidence) * math.exp(logarithm)
        assert wide == pytest.approx((max(0.0, y - half), min(100.0, y + half)), rel=1e-6)
    assert mechanism.widened(Measured(50.0, (0.0, 100.0)), PUBLIC, confidence) == (0.0, 100.0)


MISSES, TIMES, FALSE_ALARM = 0.05, 400, 1e-9


def _line(share: float) -> float:
    return TIMES * share + math.sqrt(TIMES * share * (1 - share) * 2 * math.log(1 / FALSE_ALARM))


def test_all_hold_at_once() -> None:
    """Of 400 plans of twenty rows few miss any row; without widening far more than 5 % do."""
    column = Column.from_ticks(Bounds(0, 100, integer=True), (np.arange(300) * 37) % 101)
    mechanism: Any = GlobalLaplace(Sum(), 0.5)
    law, noise, truth = mechanism.law(column), SimulationNoise(3), float(Sum().value(column))
    assert isinstance(law, Noisy)
    alone = together = 0
    for _ in range(TIMES):
        answers = [law.draw(noise) for _ in range(20)]
        missed = {
            confidence: any(
                not low <= truth <= high for low, high in (mechanism.interval(y, PUBLIC, confidence) for y in answers)
            )
            for confidence in (0.95, 1 - 0.05 / 20)
        }
        alone, together = alone + missed[0.95], together + missed[1 - 0.05 / 20]
    assert together <= _line(MISSES) < alone


def test_every_mechanism_that_tells_an_interval_can_widen_it_or_drops_it() -> None:
    """Never an interval of less confidence under the label of more: found by registration."""
    table = OpenData(LocalSource(ROWS.encode()), SCHEMA)
    for kind in registry.values():
        if kind.open_only:
            continue
        mechanism: Any = kind()
        request = Request(mechanism, ("town" if mechanism.view.category else "age",) * mechanism.view.columns)
        answer = Curator(table, SessionLedger(Cost.of(10, "1e-2")), SimulationNoise(1), tick=0).ask(request)
        (wide,) = simultaneous((answer, answer), SCHEMA)[:1]
        for (low, high), (lower, upper) in zip(spans(answer.interval), spans(wide.interval), strict=False):
            assert lower <= low and high <= upper
            assert upper - lower > high - low or (low, high) in ((0, 100), (0, 1))  # all that can be
