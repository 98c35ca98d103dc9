"""The numbers of lesson 8: against an independent integral, closed forms and the guarantee."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from discreet.course.lessons.streams import numbers
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.base.vocabulary import Public
from discreet.queries.column import Scores


def test_the_stream_is_usual_days_and_a_wave_at_the_end() -> None:
    """Usual days stay far below 100, the last days are far above, and a length changes neither."""
    for days in (30, 60, 90, 120):
        counts = numbers.fever(days)
        assert counts.size == days and counts[: days - 25].max(initial=0) < 60
        assert counts[-3:].min() > 180


def brute(counts: np.ndarray, epsilon: float, threshold: float) -> list[float]:
    """Return where a stream stops: a plain sum over 40,001 values of the threshold's noise."""
    first = epsilon / 2  # monotone, one answer: half for the threshold, half for the counts
    rho = np.linspace(-40 / first, 40 / first, 40_001)
    weights = np.exp(-np.abs(rho) * first)
    passing, stops = weights / weights.sum(), []
    for count in counts:
        below = stats.laplace.cdf(threshold + rho - count, scale=1 / first)
        stops.append(float((passing * (1 - below)).sum()))
        passing = passing * below
    return [*stops, float(passing.sum())]


@pytest.mark.parametrize(("days", "epsilon", "threshold"), [(30, 0.2, 100.0), (60, 1.0, 70.0)])
def test_the_chance_to_stop_on_each_day(days: int, epsilon: float, threshold: float) -> None:
    """The exact law agrees with a plain sum, and early, near and late are parts of it."""
    watch = numbers.watched(days, epsilon, threshold)
    expected = brute(watch.counts, epsilon, threshold)
    assert watch.chances == pytest.approx(expected, abs=1e-5)
    due = next(day for day, count in enumerate(watch.counts) if count >= threshold)
    assert watch.due == due
    assert watch.early(3) == pytest.approx(sum(expected[: due - 3]), abs=1e-4)
    assert watch.near(3) == pytest.approx(sum(expected[due - 3 : due + 4]), abs=1e-4)


def test_a_threshold_that_is_never_reached_is_right_to_be_never_named() -> None:
    """Nothing is due: near is the chance of never, early everything else but the last days."""
    watch = numbers.watched(30, 1.0, 1000.0)
    assert watch.due == 30
    assert watch.near(3) == pytest.approx(1.0)


@pytest.mark.parametrize("epsilon", [0.2, 1.0])
def test_a_person_with_a_fever_on_many_days_costs_epsilon_once(epsilon: float) -> None:
    """Leave somebody out of any days at all: no stop changes its chance by more than epsilon."""
    counts = numbers.fever(60)
    mechanism = numbers.watch(epsilon, 100)
    assert mechanism.cost().epsilon == epsilon
    for days in (30, 1000):
        mechanism.check(Public(labels=days))
    with_ = numbers.watched(60, epsilon, 100).chances
    ill = SimulationNoise(1).uniforms(6, 60) < np.array([[0.02, 0.1, 0.3, 0.6, 0.9, 1.1]]).T
    for days_ill in ill:
        data = Scores(tuple(map(str, range(60))), counts - days_ill)
        without = mechanism.law(data).probabilities  # type: ignore[attr-defined]
        assert np.abs(np.log(with_ / without)).max() <= epsilon * (1 + 1e-6)


def test_the_errors_of_three_ways_to_follow_a_stream() -> None:
    """Watching grows with a logarithm, telling with the length; each bound holds 19 times in 20."""
    slack = numbers.slack(1.0)
    for place, n in enumerate(numbers.LENGTHS):
        watching = 2 * math.log(2 / 0.05) + 2 * math.log(2 * n / 0.05)
        assert slack.watched[place] == pytest.approx(watching, rel=1e-6)
        a, width = math.exp(-1 / n), slack.counted[place]
        beyond = [2 * a ** (h + 1) / (1 + a) for h in (width, width - 1)]
        assert beyond[0] <= 0.05 / n * (1 + 1e-9) < beyond[1]
        sigma = slack.gaussian[place] / stats.norm.isf(0.025 / n)
        shift = math.sqrt(n)
        delta = stats.norm.cdf(shift / 2 / sigma - sigma / shift) - math.e * stats.norm.cdf(
            -shift / 2 / sigma - sigma / shift
        )
        assert delta == pytest.approx(numbers.DELTA, rel=1e-4)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_randomized_response_and_the_curator_by_hand(epsilon: float) -> None:
    """Two binomials and one geometric law; a report is true with odds of e^epsilon."""
    people, yes = 200, 60
    assert numbers.truthful(epsilon) == pytest.approx(1 / (1 + math.exp(-epsilon)), abs=1e-8)
    f = 1 / (1 + math.exp(epsilon))
    reports = np.convolve(
        stats.binom.pmf(np.arange(yes + 1), yes, 1 - f), stats.binom.pmf(np.arange(people - yes + 1), people - yes, f)
    )
    low, high = np.searchsorted(np.cumsum(reports), [0.025, 0.975])
    survey = numbers.surveyed(people, yes, epsilon)
    assert survey.local == pytest.approx((high - low) / 2 / people / (1 - 2 * f), rel=1e-6)
    a, width = math.exp(-epsilon), survey.central * people
    assert 2 * a ** (width + 1) / (1 + a) <= 0.05 < 2 * a**width / (1 + a)
    assert survey.ratio == survey.local / survey.central


def test_the_ratio_grows_like_the_root_of_the_people() -> None:
    """A hundred times the people, ten times the ratio."""
    ratios = [numbers.surveyed(n, 3 * n // 10, 1.0).ratio for n in (3_000, 300_000)]
    assert ratios[1] / ratios[0] == pytest.approx(10, rel=0.01)


def test_cells_of_the_estimates_add_up_and_stand_around_the_truth() -> None:
    """Both laws are centred on the share; spreading a step keeps the chances."""
    untrusted, trusted = numbers.estimates(1000, 300, 1.0)
    for chances in (untrusted, trusted):
        assert chances.sum() == pytest.approx(1, abs=1e-6)
        assert chances @ numbers.SHARES == pytest.approx(0.3, abs=1e-3)
        assert numbers.SHARES[chances.argmax()] == pytest.approx(0.3)
    f = 1 / (1 + math.e)
    spread = math.sqrt(f * (1 - f) / 1000) / (1 - 2 * f)
    near = stats.norm.cdf(0.0125 / spread) - stats.norm.cdf(-0.0125 / spread)
    assert untrusted.max() == pytest.approx(near, abs=0.003)
    assert trusted.max() > 0.999


def test_noise_in_four_places_of_one_mean() -> None:
    """Output: ln 20 / (n ε). Input: like the root of n. Objective: the same law as output. One step is biased."""
    output = numbers.error("output", 300, 1.0)
    assert output == pytest.approx(math.log(20) / 300, rel=1e-12)
    assert numbers.error("objective", 300, 1.0) == output
    assert numbers.error("input", 300, 1.0) == pytest.approx(1.96 * math.sqrt(2 / 300), rel=0.01)
    assert numbers.error("input", 1, 1.0) == pytest.approx(math.log(20), rel=1e-9)
    one_step, many = numbers.error("optimiser", 300, 1.0, 1), numbers.error("optimiser", 300, 1.0, 10)
    assert one_step > numbers.PACE * abs(numbers.START - numbers.MEAN) > many > output


@pytest.mark.parametrize("steps", [1, 2, 10])
def test_errors_are_those_of_many_simulated_surveys(steps: int) -> None:
    """400,000 surveys with another generator agree within 1%: an error is a quantile of an exact law."""
    draw = np.random.default_rng(7)
    here = np.full(400_000, numbers.START)
    for _ in range(steps):
        here = here - numbers.PACE * (here - numbers.MEAN + draw.laplace(0, steps / 300, here.size))
    simulated = np.quantile(abs(here - numbers.MEAN), 0.95)
    assert numbers.error("optimiser", 300, 1.0, steps) == pytest.approx(simulated, rel=0.01)
    sums = (draw.gamma(1000, 1.0, 400_000) - draw.gamma(1000, 1.0, 400_000)) / 1000
    assert numbers.error("input", 1000, 1.0) == pytest.approx(np.quantile(abs(sums), 0.95), rel=0.01)
    assert round(numbers.error("input", 1000, 1.0) / numbers.error("output", 1000, 1.0), 2) == 29.26
