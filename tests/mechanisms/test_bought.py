"""An interval that is paid for: exact for every dataset, from a scale that stays secret."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy import integrate
from support.evidence.cases import Cliff

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Request
from discreet.curator.records import release_of, text_of
from discreet.evidence.audit import divergence
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public, registry
from discreet.mechanisms.base.scale_interval import SHARES, Bought, bought, spread_of, times
from discreet.mechanisms.base.tuning import expected_width, tuned
from discreet.mechanisms.laws.law import CoreTail, Laplace, Noisy, Shape, Student
from discreet.queries import Bounds, Column
from discreet.queries.column import Blocks
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.report.export import release_record
from discreet.rows import Dataset, LocalSource, Number, Schema

HUNDRED = Bounds(0, 100, integer=True)
SELLERS = ("smooth-core-tail-interval", "smooth-student-interval", "smooth-laplace-interval")
SHAPES: tuple[Shape, ...] = (CoreTail(3), CoreTail(64), Student(3), Laplace())
SPREADS = (0.01, 0.3, 1.0, 3.0)


def missed(shape: Shape, c: float, spread: float) -> float:
    """Return P(|W| > c exp(spread L)) by adaptive quadrature, cut where the noise has its kink."""

    def beyond(x: float) -> float:
        return float(shape.cdf(-c * math.exp(spread * x))) * math.exp(-abs(x))

    ends = [-60.0, -10.0, -3.0, -1.0, 0.0, 1.0, 3.0, 10.0, 60.0]
    return sum(integrate.quad(beyond, a, b, limit=200)[0] for a, b in zip(ends, ends[1:], strict=False))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("confidence", [0.95, 0.999, 1 - 1e-7])
def test_the_factor_is_the_quantile_of_the_error_in_noisy_scales(
    shape: Shape, spread: float, confidence: float
) -> None:
    """Never below it; above it by a fiftieth of the chance to miss at most."""
    chance = missed(shape, times(shape, spread, confidence), spread)
    assert chance <= (1 - confidence) * (1 + 1e-9)
    assert chance >= (1 - confidence) * 0.98


@pytest.mark.parametrize("spread", SPREADS)
def test_the_factor_is_smaller_than_that_of_a_bound_for_each(spread: float) -> None:
    """Adding up the chances that the scale and the answer are off is valid too, and wider for every split."""
    for part in (0.005, 0.01, 0.02, 0.03, 0.04):
        apart = math.exp(spread * math.log(1 / (2 * part))) * float(Student(3).quantile(1 - (0.05 - part) / 2))
        assert times(Student(3), spread, 0.95) < apart


def test_a_noisy_scale_that_is_taken_for_the_scale_covers_less() -> None:
    """A broken twin: the quantile of the noise alone, times the noisy scale."""
    assert missed(CoreTail(3), float(CoreTail(3).quantile(0.975)), 1.0) > 0.1


@pytest.mark.parametrize("beta", [1e-6, 0.01, 0.5])
@pytest.mark.parametrize("epsilon", [1e-4, 0.2, 3.0])
def test_the_noise_on_the_logarithm_is_rounded_up(beta: float, epsilon: float) -> None:
    """By less than a fiftieth of a per cent, where rounding of the logarithm is no part of beta."""
    assert beta + 4e-9 <= spread_of(beta, epsilon) * epsilon <= (beta + 4e-9) * (1 + 2e-4)


@pytest.mark.parametrize("slug", SELLERS)
def test_the_joint_law_loses_epsilon_and_a_thinner_logarithm_is_caught(slug: str) -> None:
    """On rows whose smooth bound moves by all of beta; a twin draws the logarithm from half of its noise."""
    kind: Any = registry[slug]
    mechanism = kind(query=Mean(), epsilon=1.0, share=0.4)
    steep = replace(mechanism, query=Cliff(rate=float(mechanism.beta)))
    first, second = (steep.law(Column.from_ticks(HUNDRED, np.zeros(n, np.int64))) for n in (6, 7))
    delta = mechanism.cost().delta
    assert divergence(first.everything, second.everything, 1.0) <= delta + 2e-11
    thin = [
        replace(law, logarithm=replace(law.logarithm, scale=law.logarithm.scale / 2)).everything
        for law in (first, second)
    ]
    assert max(divergence(*thin, 1.0), divergence(*reversed(thin), 1.0)) > 100 * (delta + 1e-11)


def test_what_is_drawn_lies_in_its_interval_and_that_in_the_range() -> None:
    """Whatever the logarithm comes to: below all floats, or above."""
    law = bought(Noisy(30.0, 2.0, Laplace(), 0.0, 100.0), 0.05, 0.2)
    for logarithm in (-1e4, -700.0, 0.0, 3.0, 700.0, 1e9):
        for y in (0.0, 30.0, 99.5, 100.0):
            low, high = law.measured(y, logarithm).interval
            assert 0.0 <= low <= y <= high <= 100.0
    assert law.measured(50.0, 1e9).interval == (0.0, 100.0)


@pytest.mark.parametrize("slug", [*SELLERS, "blocks-smooth-interval"])
def test_an_interval_at_another_confidence_is_the_one_that_would_have_been_drawn(slug: str) -> None:
    """The same draws at another confidence from the start; where both ends were cut, at least as much is left."""
    kind: Any = registry[slug]
    noise, cut = SimulationNoise(4), set[tuple[bool, bool]]()
    blocks = slug not in SELLERS
    for confidence in (0.5, 0.9, 0.99, 0.9975):
        for epsilon, place in product((0.2, 1.0, 5.0), (0, 3, 50, 100)):
            mechanism = kind(
                epsilon=epsilon, **({"k": 40, "lower": 0.0, "upper": 100.0} if blocks else {"query": Mean()})
            )
            rows = np.full(40, place)
            law = mechanism.law(Blocks(0.0, 100.0, rows * 1.0) if blocks else Column.from_ticks(HUNDRED, rows))
            spread = law.logarithm.scale
            again = replace(law, times=times(law.answer.shape, spread, confidence))
            for _ in range(20):
                y, logarithm = law.answer.draw(noise), law.logarithm.draw(noise)
                low, high = law.measured(y, logarithm).interval
                cut.add((low <= law.answer.low, high >= law.answer.high))
                told = mechanism.interval(law.measured(y, logarithm), Public(HUNDRED), confidence)
                hoped = again.measured(y, logarithm).interval
                if low <= law.answer.low and high >= law.answer.high:
                    assert told[0] <= hoped[0] and hoped[1] <= told[1]
                else:
                    assert told == pytest.approx(hoped, rel=1e-7, abs=1e-7), (y, low, high)
    assert len(cut) == 4


@pytest.mark.parametrize("slug", SELLERS)
@pytest.mark.parametrize("query", [Mean(), Median()], ids=["mean", "median"])
def test_the_settings_make_the_interval_narrow_and_cost_the_same(slug: str, query: Any) -> None:
    """Of all variants the one with the narrowest interval: a share of its own, the same epsilon."""
    kind: Any = registry[slug]
    stand_in = Column.from_ticks(HUNDRED, (np.arange(900) * 37) % 101)
    start = kind(query=query, epsilon=0.7)
    best = tuned(start, stand_in)
    assert expected_width(best, stand_in) <= min(expected_width(v, stand_in) for v in start.variants(stand_in))
    assert expected_width(best, stand_in) < expected_width(start, stand_in)
    assert best.share in SHARES and best.cost() == start.cost() and best.query == query


def test_an_interval_is_released_and_kept_with_its_answer() -> None:
    """Through the road with the release source: a plain number, an interval around it, both read back."""
    kind: Any = registry["smooth-core-tail-interval"]
    table = pa.table({"x": pa.array([str(20 + i % 40) for i in range(2000)])})
    curator = Curator(
        Dataset(LocalSource(table), Schema({"x": Number(0, 100, integer=True)})), SessionLedger(Cost.of(1)), tick=0
    )
    released = curator.ask(Request(kind(epsilon=0.5), ("x",)))
    low, high = released.interval
    assert type(released.answer) is float and low < released.answer < high
    assert high - low < 10 and released.size is None
    again = release_of(text_of(released))
    assert (again.answer, again.interval) == (released.answer, released.interval)


def test_the_law_of_the_answer_is_that_of_its_noise() -> None:
    """Figures and contests see the same answer as without an interval, at the part of epsilon that it has."""
    kind: Any = registry["smooth-core-tail-interval"]
    plain: Any = registry["smooth-core-tail"]
    column = Column.from_ticks(HUNDRED, (np.arange(900) * 37) % 101)
    law = kind(epsilon=1.0, share=0.2, m=16).law(column)
    assert isinstance(law, Bought) and law.answer == plain(epsilon=0.8, m=16).law(column)
    assert law.usual_width == law.times * law.answer.scale


@pytest.mark.parametrize("slug", ["blocks-mean", "blocks-smooth-interval"])
def test_an_interval_of_blocks_covers_what_it_says_and_says_what_it_covers(slug: str) -> None:
    """The middle of the estimates, within the declared range, and a sentence that it is no more than that."""
    kind: Any = registry[slug]
    mechanism = kind(estimator="mean", k=40, lower=0.0, upper=100.0, epsilon=0.5)
    estimates = np.where(np.arange(40) % 3, 20.0, 90.0)
    law, noise = mechanism.law(Blocks(0.0, 100.0, estimates)), SimulationNoise(5)
    truth = float(np.mean(estimates) if slug == "blocks-mean" else np.median(estimates))
    ends = [mechanism.interval(law.draw(noise), Public()) for _ in range(600)]
    inside = sum(low <= truth <= high for low, high in ends)
    assert inside >= 0.95 * 600 - 30 and all(0 <= low <= high <= 100 for low, high in ends)
    table = pa.table({"x": pa.array(["1", "2"])})
    schema = Schema({"x": Number(0, 100, integer=True)})
    released = Curator(Dataset(LocalSource(table), schema), SessionLedger(Cost.of(1)), tick=0).ask(
        Request(mechanism, ("x",))
    )
    assert released.interval is not None
    assert "of the block estimates, not for the estimate from all rows" in "; ".join(
        release_record(released, schema)["as_read"]
    )
