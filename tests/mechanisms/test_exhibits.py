"""Exhibits: the textbook's constructions are as printed, and say truly what they are worth."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.budget.errors import ParameterError
from discreet.mechanisms import Public, registry
from discreet.mechanisms.exhibits.chunks import TextbookChunks, chunks
from discreet.mechanisms.exhibits.exhibit import Exhibit
from discreet.mechanisms.exhibits.global_mean import TextbookLocalMean
from discreet.mechanisms.exhibits.ptr import TextbookPTR, distance
from discreet.mechanisms.exhibits.smooth import TextbookSmooth
from discreet.mechanisms.laws.divergence import divergence, loss
from discreet.mechanisms.laws.law import Gated, Laplace, Noisy
from discreet.queries import Bounds, Column
from discreet.queries.mean import Mean
from discreet.queries.median import Median

AGES = Bounds(0, 100, integer=True)
ADULT = 32_561
EXHIBITS = sorted(slug for slug, kind in registry.items() if issubclass(kind, Exhibit))


def column(*rows: int, bounds: Bounds = AGES) -> Column:
    """Return a small column."""
    return Column.from_ticks(bounds, np.array(rows, np.int64))


@pytest.mark.parametrize("slug", EXHIBITS)
def test_an_exhibit_is_open_only_and_states_claim_and_truth(slug: str) -> None:
    """Every exhibit has both statements, in numbers and words, and a docstring with both."""
    kind = registry[slug]
    exhibit = kind()
    assert isinstance(exhibit, Exhibit) and exhibit.open_only
    public = Public(AGES, 1000)
    for guarantee in (exhibit.claim, exhibit.true_guarantee(public)):
        assert guarantee.epsilon > 0 and 0 <= guarantee.delta <= 1 and guarantee.text
    for heading in ("Guarantee:", "Claim:", "Reference:", "Corner cases:"):
        assert heading in (kind.__doc__ or ""), heading
    assert exhibit.cost().epsilon == pytest.approx(exhibit.claim.epsilon)


@pytest.mark.parametrize("slug", EXHIBITS)
@pytest.mark.parametrize("rows", [(), (7,), (0, 0, 0), (100,) * 5, (3, 1, 4, 1, 5)])
def test_no_corner_crashes_an_exhibit(slug: str, rows: tuple[int, ...]) -> None:
    """No rows, one row and ties give a whole law, where the printed code divides by 0."""
    law = registry[slug]().law(column(*rows))
    assert float(law.cdf(1e12)) + law.refusal == pytest.approx(1.0)
    assert np.isfinite(law.quantile(np.array([1e-6, 0.5, 0.9999]))).all()


def test_the_textbook_ptr_spends_twice_epsilon_and_its_delta_is_far_from_the_claim() -> None:
    """At epsilon 1 and delta 1/n^2 it is (2, 1.09e-5): 11,512 times the claimed delta."""
    delta = 1 / ADULT**2
    guarantee = TextbookPTR(delta=delta).true_guarantee(Public())
    assert guarantee.epsilon == 2 and guarantee.delta == pytest.approx(1.08582e-5, rel=1e-5)
    assert guarantee.delta / delta == pytest.approx(11_512, rel=1e-3)
    for delta, times in ((1e-2, 3.5), (1e-4, 35), (1e-6, 354), (1e-9, 11_180)):
        guarantee = TextbookPTR(delta=delta).true_guarantee(Public())
        assert guarantee.delta / delta == pytest.approx(times, rel=0.02)


def test_the_true_guarantee_of_the_textbook_ptr_is_reached_and_not_exceeded() -> None:
    """Jumps at distance 0 have exactly its delta at 2 epsilon; the claim is broken."""
    exhibit = TextbookPTR(epsilon=1.0, delta=1e-2, b=1.0)
    guarantee = exhibit.true_guarantee(Public())

    def law(far: int, centre: float) -> Gated:
        chance = Laplace().cdf((far - exhibit.threshold) * exhibit.epsilon)
        return Gated(Fixed(float(chance)), Noisy(centre, 1.0, Laplace()))

    assert divergence(law(0, 0.0), law(0, 1e6), 2.0) == pytest.approx(guarantee.delta, rel=1e-9)
    walk = [(law(k, 0.0), law(k + 1, 1.0)) for k in range(40)]
    both = walk + [(q, p) for p, q in walk]
    assert max(divergence(p, q, 2.0) for p, q in both) <= 1e-15
    assert divergence(law(2, 1.0), law(1, 0.0), 1.0) == pytest.approx(0.10279, rel=1e-4)


class Fixed:
    """A test with a fixed chance."""

    def __init__(self, chance: float) -> None:
        """Fix it."""
        self.chance = chance

    def draw(self, noise: object) -> bool:
        """Never drawn here."""
        raise NotImplementedError


def test_the_distance_is_the_first_rung_above_the_proposal() -> None:
    """Bisection on the ladder agrees with walking, and is infinite only beyond the global one."""
    data = column(10, 20, 20, 50)
    for query in (Mean(), Median()):
        rungs = query.ladder(data, np.arange(12))
        for b in (1.0, 5.0, 13.0, 30.0, 49.9):
            assert distance(query, data, b) == np.argmax(rungs > b)
        assert distance(query, data, 50.0) == math.inf
    law = TextbookPTR(query=Mean(), b=60.0).law(data)
    assert law.refusal == 0.0


def test_the_textbook_smooth_sensitivity_is_loose_at_usual_and_false_at_large_parameters() -> None:
    """The exact delta of the worst pair: far below it at epsilon 1, above it at 8."""
    usual = TextbookSmooth(epsilon=1.0, delta=1e-6).true_guarantee(Public())
    assert usual.delta < 1e-7
    assert TextbookSmooth(epsilon=8.0, delta=1e-2).true_guarantee(Public()).delta > 1e-2


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-2), (1.0, 1e-6), (8.0, 1e-2)])
def test_no_pair_that_the_textbook_bound_allows_exceeds_the_true_guarantee(epsilon: float, delta: float) -> None:
    """A grid of all shifts and dilations: the corner named in the docstring is the worst."""
    exhibit = TextbookSmooth(epsilon=epsilon, delta=delta)
    guarantee, beta = exhibit.true_guarantee(Public()), exhibit.beta
    for rho in np.exp(np.linspace(-beta, beta, 17)):
        for shift in np.linspace(0, math.exp(beta) * min(1, rho), 17):
            p = Noisy(0.0, 2 / epsilon, Laplace())
            q = Noisy(shift, 2 / epsilon * rho, Laplace())
            assert max(divergence(p, q, epsilon), divergence(q, p, epsilon)) <= (guarantee.delta * (1 + 1e-9))


def test_leaving_out_the_first_rung_makes_the_bound_smaller_than_the_local_sensitivity() -> None:
    """The printed maximum over k from 1 on: S below A(0) when the ladder is flat."""
    data = column(*[50] * 60)
    exhibit = TextbookSmooth(epsilon=8.0, delta=1e-2)
    assert exhibit.bound(data) < float(Mean().ladder(data, np.array([0]))[0])


def test_the_printed_sensitivity_of_the_mean_forgets_the_lower_bound() -> None:
    """-100 to 100: twice too small; -1000 to 1: a thousand times; upper bound 0: refused."""
    wide, tiny = Bounds(-100, 100, integer=True), Bounds(-1000, 1, integer=True)
    for bounds, times in ((wide, 2.0), (tiny, 1001.0)):
        printed = TextbookLocalMean().printed(bounds, 999)
        assert bounds.width / 999 / printed == pytest.approx(times, rel=2e-3)
        guarantee = TextbookLocalMean().true_guarantee(Public(bounds, 999))
        assert guarantee.delta > 0.2
    none = Bounds(-10, 0, integer=True)
    with pytest.raises(ParameterError, match="upper bound above 0"):
        TextbookLocalMean().check(Public(none))


def test_the_true_delta_of_the_printed_mean_is_reached_by_a_dataset() -> None:
    """All rows at the lower bound but one: removing that one gives exactly the stated delta."""
    n, exhibit = 40, TextbookLocalMean()
    rows = [0] * (n - 1) + [100]
    p, q = exhibit.law(column(*rows)), exhibit.law(column(*rows[:-1]))
    guarantee = exhibit.true_guarantee(Public(AGES, n))
    assert max(divergence(p, q, 1.0), divergence(q, p, 1.0)) == pytest.approx(guarantee.delta)


def test_consecutive_chunks_lose_six_hundred_epsilon_when_the_first_row_goes() -> None:
    """Standard deviation of 0, 0, 100, 100, ...: from 0 to 50 in every chunk."""
    exhibit = TextbookChunks(estimator="standard-deviation", k=600, upper=50.0, epsilon=0.01)
    rows = np.tile([0.0, 0.0, 100.0, 100.0], 300)
    assert exhibit.centre(rows) == 0.0
    assert exhibit.loss(rows) == pytest.approx(599.5)
    assert exhibit.loss(rows) <= exhibit.k
    guarantee = exhibit.true_guarantee(Public(None, ADULT))
    assert guarantee.epsilon == pytest.approx(600 * 0.01)
    pair = exhibit.law(rows), exhibit.law(np.delete(rows, 0))
    assert loss(*pair) == pytest.approx(599.5 * 0.01)


def test_consecutive_chunks_are_fewer_than_said() -> None:
    """32,561 rows in 600 chunks of 55 are 593 chunks, the last of a single row."""
    blocks = chunks(np.zeros(ADULT), 600)
    assert len(blocks) == 593 and blocks[-1].size == 1
    assert "1.012 times" in TextbookChunks().true_guarantee(Public(None, ADULT)).text
