"""Randomized response: every report by itself, and the exact law of the estimate."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from discreet.budget.errors import ParameterError
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Public
from discreet.mechanisms.laws.law import Picked
from discreet.mechanisms.randomized_response import CHUNK, MOST_PEOPLE, WORD, RandomizedResponse
from discreet.queries import Relation
from discreet.queries.column import Scores

ROUNDING = 1 + 1e-9
DRAWS = 20_000
FALSE_ALARM = 1e-9  # chance that right frequencies fail one chi-square test


def law(mechanism: RandomizedResponse, yes: int, no: int = 0) -> Picked:
    """Return the law for so many true answers."""
    distribution = mechanism.law(Scores(("yes", "no"), np.array([yes, no])))
    assert isinstance(distribution, Picked)
    return distribution


@pytest.mark.parametrize("epsilon", [1e-6, 0.01, 1.0, 5.0, 20.0])
@pytest.mark.parametrize("rows", [1, 3, 1000])
def test_a_report_says_no_more_than_epsilon_and_hardly_less(epsilon: float, rows: int) -> None:
    """The odds of truth to lie, from whole numbers of words, are exp(epsilon / m) at most."""
    flips = RandomizedResponse(epsilon=epsilon, relation=Relation(rows=rows)).flip_words
    loss = math.log1p((WORD - 2 * flips) / flips)
    assert loss * rows <= epsilon
    assert loss * rows == pytest.approx(epsilon, rel=1e-6)


@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_the_law_is_that_of_independent_reports(epsilon: float) -> None:
    """Adding up one report after the other gives the same chances, to 1e-12."""
    mechanism = RandomizedResponse(epsilon=epsilon, people=9)
    f = mechanism.flip
    for yes in range(10):
        each = np.ones(1)
        for person in range(9):
            p = 1 - f if person < yes else f
            each = np.convolve(each, [1 - p, p])
        assert law(mechanism, yes, 9 - yes).probabilities == pytest.approx(each, rel=1e-12)


@pytest.mark.parametrize("relation", [Relation(), Relation(rows=2), Relation(size=8)], ids=str)
def test_no_pair_of_neighbours_loses_more_than_epsilon(relation: Relation) -> None:
    """One person more or changed, any number of rows, more or fewer than were asked."""
    for epsilon in (0.5, 3.0):
        mechanism = RandomizedResponse(epsilon=epsilon, people=8, relation=relation)
        losses = [
            np.abs(np.log(law(mechanism, yes).probabilities / law(mechanism, more).probabilities))
            for yes in range(11)
            for more in range(yes, yes + relation.rows + 1)
        ]
        assert np.max(losses) <= epsilon * ROUNDING
        assert np.max(losses) > 0.99 * epsilon


def test_epsilon_for_each_of_two_rows_is_caught() -> None:
    """A person with two rows is not protected by the noise for one."""
    mechanism = RandomizedResponse(epsilon=1.0, people=8)
    ratio = law(mechanism, 3).probabilities / law(mechanism, 5).probabilities
    assert np.abs(np.log(ratio)).max() > 1.9


@pytest.mark.parametrize(("yes", "people"), [(0, 10), (3, 10), (10, 10), (700, 2000)])
def test_the_estimate_is_unbiased(yes: int, people: int) -> None:
    """The exact mean of the law is the true share, and its variance f (1 - f) / N / (1 - 2f)^2."""
    mechanism = RandomizedResponse(epsilon=1.0, people=people)
    distribution = law(mechanism, yes, people - yes)
    mean = distribution.points @ distribution.probabilities
    variance = distribution.points**2 @ distribution.probabilities - mean**2
    f = mechanism.flip
    assert mean == pytest.approx(yes / people, abs=1e-9)
    assert variance == pytest.approx(f * (1 - f) / people / (1 - 2 * f) ** 2, rel=1e-6)


def test_draws_have_the_exact_chances() -> None:
    """Drawn and simulated estimates have the right frequencies (chi-square)."""
    distribution, noise = law(RandomizedResponse(epsilon=1.0, people=6), 2, 4), SimulationNoise(9)
    drawn = np.array([distribution.draw(noise) for _ in range(DRAWS)])
    for answers in (drawn, distribution.simulate(noise.uniforms(distribution.draws, DRAWS))):
        seen = np.bincount(np.searchsorted(distribution.points, answers - 1e-9), minlength=7)
        assert stats.chisquare(seen, distribution.probabilities * DRAWS).pvalue > FALSE_ALARM


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_the_half_width_holds_for_every_dataset(confidence: float) -> None:
    """For each number of true answers the interval covers the share with the stated chance."""
    mechanism = RandomizedResponse(epsilon=1.0, people=50)
    forecast = mechanism.forecast(Public(), confidence)
    assert forecast.exact and forecast.half_width is not None
    for yes in range(51):
        distribution = law(mechanism, yes, 50 - yes)
        inside = np.abs(distribution.points - yes / 50) <= forecast.half_width
        assert distribution.probabilities[inside].sum() >= confidence


def test_rows_that_do_not_fit_the_public_number_are_ordinary() -> None:
    """None, fewer and more rows than were asked, an unknown label, and a single person."""
    mechanism = RandomizedResponse(epsilon=20.0, people=4)
    noise = SimulationNoise(0)
    assert law(mechanism, 0).draw(noise) == pytest.approx(0, abs=1e-6)
    assert law(mechanism, 2).draw(noise) == pytest.approx(0.5, abs=1e-6)
    assert law(mechanism, 10**9, 5).draw(noise) == pytest.approx(1, abs=1e-6)
    named = RandomizedResponse(epsilon=20.0, people=4, yes="no")
    assert law(named, 1, 3).draw(noise) == pytest.approx(0.75, abs=1e-6)
    unknown = RandomizedResponse(epsilon=20.0, people=4, yes="maybe")
    assert law(unknown, 1, 3).draw(noise) == pytest.approx(0, abs=1e-6)
    assert law(RandomizedResponse(epsilon=1.0, people=1), 1).probabilities.sum() == pytest.approx(1)


@pytest.mark.parametrize("people", [CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 3, MOST_PEOPLE])
def test_reports_that_are_drawn_in_parts_are_those_of_the_law(people: int) -> None:
    """Estimates of as many people as there can be, none or some or all of whom say yes, lie where the law has them."""
    noise = SimulationNoise(4)
    for yes in (0, 1, people // 6, people // 2, people - 1, people):
        distribution = law(RandomizedResponse(epsilon=2.0, people=people), yes, people - yes)
        low, high = distribution.quantile(np.array([FALSE_ALARM, 1 - FALSE_ALARM]))
        assert low <= distribution.draw(noise) <= high, yes


def test_a_large_survey_has_a_finite_law() -> None:
    """A hundred thousand people: the middle of the law is the truth, nothing is lost."""
    distribution = law(RandomizedResponse(epsilon=1.0, people=100_000), 30_000, 70_000)
    assert distribution.probabilities.sum() == pytest.approx(1, abs=1e-12)
    assert float(distribution.quantile(0.5)) == pytest.approx(0.3, abs=1e-4)
    assert distribution.draw(SimulationNoise(1)) == pytest.approx(0.3, abs=0.03)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"people": 0}, "People asked must be between 1 and 1000000"),
        ({"people": 2.5}, "People asked must be a whole number"),
        ({"epsilon": 1e-7}, "ε must be between 1e-06 and 50"),
    ],
)
def test_wrong_parameters_are_refused_with_their_range(wrong: dict[str, Any], says: str) -> None:
    """The sentence names the range, before anything is charged."""
    with pytest.raises(ParameterError, match=says):
        RandomizedResponse(**wrong)
