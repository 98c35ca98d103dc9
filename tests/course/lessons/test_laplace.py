"""The numbers of lesson 3 against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.course.lessons.laplace import numbers
from discreet.lab.samples import census_table


def test_the_density_and_its_widths_are_those_of_laplace() -> None:
    "1/(2b) exp(-|x|/b); half within b ln 2, Margin of error (95%) b ln 20."
    law = numbers.noise(3.0, 0.5)
    assert law.scale == 6.0
    x = np.array([-7.0, 0.0, 2.5])
    assert numbers.density(law, x) == pytest.approx(np.exp(-np.abs(x) / 6) / 12)
    assert numbers.half_width(law, 0.5) == pytest.approx(6 * math.log(2))
    assert numbers.half_width(law) == pytest.approx(6 * math.log(20))


def test_counts_are_those_of_the_open_census() -> None:
    """Against the table itself."""
    ages = np.array(census_table()["age"])
    for least in (17, 40, 90):
        assert numbers.aged(least) == int((ages >= least).sum())


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 3.0])
def test_two_neighbours_differ_by_exactly_epsilon(epsilon: float) -> None:
    """Every ratio is within e^±eps, both are reached, and delta vanishes at eps and not below."""
    neighbours = numbers.neighbours(1000, epsilon, epsilon)
    assert neighbours.loss == pytest.approx(epsilon, rel=1e-6) and neighbours.delta < 1e-9
    assert np.nanmax(neighbours.ratio) == pytest.approx(math.exp(epsilon), rel=1e-6)
    assert np.nanmin(neighbours.ratio) == pytest.approx(math.exp(-epsilon), rel=1e-6)
    assert numbers.neighbours(1000, epsilon, 0.9 * epsilon).delta > 1e-3


def test_a_thousand_answers_spread_as_the_law_says() -> None:
    "Margin of error (95%) the exact width; the same draw number draws the same."
    answers = numbers.answers(500, 0.1, 20_000, 3)
    assert np.mean(np.abs(answers - 500) <= 30) == pytest.approx(0.95, abs=0.01)
    assert (answers == numbers.answers(500, 0.1, 20_000, 3)).all()


def test_every_deployment_says_its_year_unit_and_source() -> None:
    """A guess is worth what its epsilon says; what counts for a day adds up over a year."""
    for each in numbers.DEPLOYMENTS:
        assert each.epsilon > 0 and 2015 < each.year < 2030 and each.unit and each.source
    emojis, audience, births = (
        next(each for each in numbers.DEPLOYMENTS if each.epsilon == epsilon) for epsilon in (4.0, 34.9, 9.98)
    )
    yearly = [numbers.yearly(each) for each in (emojis, audience, births)]
    assert yearly == pytest.approx([1460, 418.8, 9.98])
    assert numbers.right(0) == 0.5 and numbers.right(math.log(3)) == pytest.approx(0.75)
