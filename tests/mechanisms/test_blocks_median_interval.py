"""The median of blocks with an interval: three draws that cost what is charged, and cover the median of the blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy import stats

from discreet.budget import Cost
from discreet.evidence.certificate import certificate
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public
from discreet.mechanisms.blocks_median_interval import BlocksMedianInterval
from discreet.mechanisms.laws.law import Measured
from discreet.mechanisms.quantile_interval import QuantileInterval
from discreet.queries.column import Blocks

DRAWS, FALSE_ALARM = 200, 1e-9


@dataclass(frozen=True)
class Thrice(BlocksMedianInterval):
    """A broken twin: each of the three draws spends all of epsilon."""

    @property
    def inner(self) -> QuantileInterval:
        """Ask with three times as much."""
        return QuantileInterval(epsilon=3 * self.epsilon, relation=self.changed)

    def cost(self) -> Cost:
        """Charge one of them."""
        return Cost.of(self.epsilon)


@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_three_draws_lose_no_more_than_is_charged(epsilon: float) -> None:
    """All worlds of three blocks, exactly; three draws at the price of one are caught."""
    settings: dict[str, Any] = {"k": 3, "upper": 3.0, "epsilon": epsilon}
    right, wrong = certificate(BlocksMedianInterval(**settings)), certificate(Thrice(**settings))
    assert right.worst.holds and right.pairs > 50
    assert not wrong.worst.holds


@pytest.mark.parametrize("k", [1, 40, 400])
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_the_interval_holds_the_median_of_the_blocks(k: int, epsilon: float) -> None:
    """Equal estimates, two points, spread ones, all at an end: 19 times in 20, a false alarm once in 10^9 a case."""
    mechanism, noise = BlocksMedianInterval(k=k, upper=100.0, epsilon=epsilon), SimulationNoise(5)
    rng = np.random.default_rng(k)
    for estimates in (np.full(k, 50.0), np.zeros(k), 100.0 * (np.arange(k) % 2), 100 * rng.random(k)):
        law, middle = mechanism.law(Blocks(0.0, 100.0, estimates)), float(np.median(estimates))
        inside = 0
        for _ in range(DRAWS):
            answer = law.draw(noise)
            assert isinstance(answer, Measured) and answer.interval is not None
            low, high = answer.interval
            assert low <= float(answer) <= high
            inside += low - 1e-6 <= middle <= high + 1e-6  # estimates lie on a grid
        assert inside >= stats.binom.ppf(FALSE_ALARM, DRAWS, 0.95)


def test_it_says_how_many_blocks_it_reaches_and_needs_some() -> None:
    """A third of epsilon for the answer; many blocks make it narrow, few leave the whole range."""
    mechanism = BlocksMedianInterval(k=400, upper=100.0, epsilon=3.0)
    assert "An interval is released with it. Blocks on each side (approximate): " in str(
        mechanism.forecast(Public(None)).note
    )
    assert mechanism.rate == mechanism.inner.rate and mechanism.cost() == Cost.of(3.0)
    account = mechanism.account()
    assert account is not None and sum(part.size for part in account.parts) == pytest.approx(3.0)  # type: ignore[attr-defined]
    spread = Blocks(0.0, 100.0, np.linspace(0, 100, 400))
    assert (mechanism.usual_width(spread) or 0) < 30
    few = BlocksMedianInterval(k=4, upper=100.0, epsilon=0.1)
    assert few.usual_width(Blocks(0.0, 100.0, np.full(4, 50.0))) == pytest.approx(50.0, abs=1e-6)
