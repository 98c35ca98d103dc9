"""Sample and aggregate: one of k numbers changes, and every aggregator hides it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from discreet.budget.errors import ParameterError
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public
from discreet.mechanisms.block_count import propose_k
from discreet.mechanisms.laws.law import Law, Noisy, Runs
from discreet.mechanisms.sample_aggregate import BlocksMean, BlocksMedian, BlocksSmoothMedian, SampleAggregate
from discreet.queries import Relation
from discreet.queries.column import Blocks

AGGREGATORS: list[type[SampleAggregate]] = [BlocksMedian, BlocksMean, BlocksSmoothMedian]
VALUES = (-2.0, -1.9, 0.0, 2.5, 3.0)
LOWER, UPPER = -2.0, 3.0
ROUNDING = 1 + 1e-9


def law(mechanism: SampleAggregate, estimates: Any) -> Law:
    """Return the law of k given estimates."""
    return mechanism.law(Blocks(LOWER, UPPER, np.array(estimates, dtype=np.float64)))


def worst_loss(mechanism: SampleAggregate, k: int, changed: int = 1) -> float:
    """Return the largest loss over all estimates and all changes of so many of them."""
    return max(losses(mechanism, k, changed))


def losses(mechanism: SampleAggregate, k: int, changed: int) -> Iterator[float]:
    """Yield the loss of each change of so many estimates, each law made once."""
    of = cache(partial(law, mechanism))
    return (loss(of(tuple(sorted(a))), of(tuple(sorted(b)))) for a, b in pairs(k, changed))


def pairs(k: int, changed: int = 1) -> list[tuple[Any, Any]]:
    """Return all k estimates from five values, and the same with some of them changed."""
    rest = list(combinations_with_replacement(VALUES, k - changed))
    new = list(combinations_with_replacement(VALUES, changed))
    return [(common + a, common + b) for common in rest for a in new for b in new if a < b]


def loss(first: Law, other: Law) -> float:
    """Return the largest log-ratio of two laws: exact for runs, on a fine grid for densities."""
    if isinstance(first, Noisy) and isinstance(other, Noisy):
        y = np.linspace(LOWER, UPPER, 1001)[1:-1]
        at = [(float(a.centre), a) for a in (first, other)]  # centres are fractions, with which arrays count slowly
        p, q = (a.shape.log_density((y - centre) / a.scale) - math.log(a.scale) for centre, a in at)
        ends = [a.shape.cdf(np.array([a.low - centre, centre - a.high]) / a.scale) for centre, a in at]
        return float(max(np.abs(p - q).max(), np.abs(np.log(ends[0] / ends[1])).max()))
    assert isinstance(first, Runs) and isinstance(other, Runs)
    ticks = np.union1d(first.starts, other.starts)
    return float(np.abs(heights_at(first, ticks) - heights_at(other, ticks)).max())


def heights_at(runs: Runs, ticks: Any) -> Any:
    """Return the log-chance of single ticks."""
    run = np.searchsorted(runs.starts, ticks, side="right") - 1
    return np.log(runs.probabilities[run]) - np.log(runs.widths[run])


@pytest.mark.parametrize("kind", AGGREGATORS)
@pytest.mark.parametrize(("k", "epsilon"), [(1, 1.0), (3, 0.5), (4, 2.0), (5, 8.0)])
def test_changing_one_block_loses_at_most_epsilon(kind: type[SampleAggregate], k: int, epsilon: float) -> None:
    """All sets of k estimates over five values, one of them changed in any way."""
    mechanism = kind(k=k, lower=LOWER, upper=UPPER, epsilon=epsilon)
    assert worst_loss(mechanism, k) <= epsilon * ROUNDING


@pytest.mark.parametrize("kind", AGGREGATORS)
def test_two_changed_blocks_are_caught(kind: type[SampleAggregate]) -> None:
    """A partition that moves a person between blocks would need twice the noise."""
    mechanism = kind(k=5, lower=LOWER, upper=UPPER, epsilon=2.0)
    assert any(loss > 2.2 for loss in losses(mechanism, 5, 2))


@dataclass(frozen=True)
class WithoutTheTwo(BlocksMedian):
    """A broken twin: the exponential mechanism without its factor of two."""

    @property
    def rate(self) -> float:
        """Return twice the right rate."""
        return 2 * super().rate


def test_a_lost_factor_of_two_is_caught() -> None:
    """Changing one block then loses more than epsilon."""
    mechanism = WithoutTheTwo(k=4, lower=LOWER, upper=UPPER, epsilon=2.0)
    assert worst_loss(mechanism, 4) > 2.5


@pytest.mark.parametrize("kind", AGGREGATORS)
def test_rows_per_person_change_nothing(kind: type[SampleAggregate]) -> None:
    """All rows of a person are in one block, so the law is the same for any cap."""
    mechanism = kind(k=3, lower=LOWER, upper=UPPER)
    many = kind(k=3, lower=LOWER, upper=UPPER, relation=Relation(rows=50))
    y = np.linspace(LOWER, UPPER, 50)
    assert np.array_equal(law(mechanism, VALUES[:3]).cdf(y), law(many, VALUES[:3]).cdf(y))


@pytest.mark.parametrize("kind", AGGREGATORS)
def test_answers_stay_in_the_declared_range_whatever_the_blocks_say(kind: type[SampleAggregate]) -> None:
    """NaN becomes the default, infinities are clipped, all blocks equal is an ordinary case."""
    mechanism, noise = kind(k=4, lower=LOWER, upper=UPPER, epsilon=3.0), SimulationNoise(1)
    strange = law(mechanism, [np.nan, np.inf, -np.inf, 1e300])
    plain = law(mechanism, [mechanism.default, UPPER, LOWER, UPPER])
    y = np.linspace(LOWER, UPPER, 200)
    assert np.array_equal(strange.cdf(y), plain.cdf(y))
    for estimates in ([np.nan] * 4, [1.0] * 4, [-1e9] * 4):
        aggregate = law(mechanism, estimates)
        answers = [aggregate.draw(noise) for _ in range(50)]
        assert all(isinstance(a, float) and LOWER <= a <= UPPER for a in answers)
        many = aggregate.simulate(noise.uniforms(aggregate.draws, 1000))
        assert np.isfinite(many).all() and many.min() >= LOWER and many.max() <= UPPER


def test_more_blocks_than_persons_answer_the_default() -> None:
    """Empty blocks are the default, so with many of them the answer is the default too."""
    mechanism = BlocksMedian(k=200, lower=0.0, upper=100.0, default=20.0, epsilon=2.0)
    blocks = Blocks(0.0, 100.0, np.array([70.0] * 5 + [20.0] * 195))
    answers = mechanism.law(blocks).simulate(SimulationNoise(0).uniforms(1, 1000))
    assert np.abs(answers - 20.0).max() < 1e-3


def test_the_default_is_public_and_inside_the_range() -> None:
    """It is the middle if none is declared, and refused outside."""
    assert BlocksMean(lower=10, upper=20).default == 15
    assert BlocksMean(lower=0, upper=20, default=0.0).default == 0
    with pytest.raises(ParameterError, match="Default must be between 10 and 20. Got 5"):
        BlocksMean(lower=10, upper=20, default=5.0)
    with pytest.raises(ParameterError, match="Default must be between"):
        BlocksMean(lower=10, upper=20, default=math.nan)


@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_the_noise_part_of_the_mean_is_forecast_exactly(confidence: float) -> None:
    """Around the mean of the blocks the half width holds with the stated chance."""
    mechanism = BlocksMean(k=1000, lower=LOWER, upper=UPPER, epsilon=1.0)
    forecast = mechanism.forecast(Public(), confidence)
    middle = law(mechanism, np.full(1000, 0.5))
    assert forecast.half_width is not None and not forecast.exact
    centre = float(middle.quantile(0.5))
    inside = middle.cdf(centre + forecast.half_width) - middle.cdf(centre - forecast.half_width)
    assert inside == pytest.approx(confidence, abs=1e-9)


def test_the_number_of_blocks_is_proposed_from_public_inputs() -> None:
    """About 100 / epsilon for a median, where that leaves 30 rows a block; else a noisy mean."""
    assert (propose_k(1.0, 32_561).slug, propose_k(1.0, 32_561).k) == ("blocks-median", 100)
    assert (propose_k(1.0, 3000).slug, propose_k(1.0, 2999).slug) == ("blocks-median", "blocks-mean")
    assert (propose_k(0.1, 3000).slug, propose_k(0.1, 3000).k) == ("blocks-mean", 100)
    assert propose_k(1e-6, 5).k == 1
    with pytest.raises(ParameterError, match="size guess must be between"):
        propose_k(1.0, 0)
    with pytest.raises(ParameterError, match="ε must be between 0.000001 and 50"):
        propose_k(0.0, 100)


def test_a_median_of_too_few_blocks_says_so() -> None:
    """The forecast tells when the promised ranks cover all blocks."""
    assert "anywhere" in BlocksMedian(k=20).forecast(Public()).note
    assert "anywhere" not in BlocksMedian(k=100).forecast(Public()).note


@pytest.mark.parametrize("kind", AGGREGATORS)
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"k": 0}, "Blocks must be between 1 and 1000000"),
        ({"estimator": "magic"}, "estimator must be one of mean"),
        ({"k": 2.5}, "Blocks must be a whole number"),
        ({"lower": 2.0, "upper": 1.0}, "Lower must be smaller than upper"),
        ({"lower": math.nan}, "Lowest estimate must be"),
        ({"upper": math.inf}, "Highest estimate must be"),
        ({"epsilon": 51}, "ε must be between 1e-06 and 50"),
    ],
)
def test_wrong_parameters_are_refused_with_their_range(
    kind: type[SampleAggregate], wrong: dict[str, Any], says: str
) -> None:
    """The sentence names the range, before anything is charged."""
    with pytest.raises(ParameterError, match=says):
        kind(**wrong)
