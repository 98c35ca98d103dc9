"""Global sensitivity: scales, laws, forecasts, and the sentences for what makes no sense."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.budget import Cost
from discreet.budget.errors import ParameterError
from discreet.lab.experiment import simulate
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import Mechanism, Public
from discreet.mechanisms.base.tuning import epsilon_for
from discreet.mechanisms.counts_gaussian import CountsGaussian
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.gaussian import AnalyticGaussian, gaussian_delta, gaussian_sigma
from discreet.mechanisms.global_mean import GlobalMean, SumOverCount, TextbookMean, TwoCounts
from discreet.mechanisms.laplace import Geometric, GlobalLaplace
from discreet.mechanisms.normal_counts import TwoNormalCounts
from discreet.mechanisms.several_gaussian import SeveralGaussian
from discreet.mechanisms.several_laplace import SeveralLaplace
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries import Bounds, Column, Relation
from discreet.queries.column import Bins, Scores
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.sum import Sum

AGES = Bounds(0, 100, integer=True)
DRAWS = 20_000
MARGIN = 6 / np.sqrt(DRAWS)  # six standard errors of a share: false alarm below 1e-8


def ages(n: int = 2000) -> Column:
    """Return a column of generated ages."""
    return Column.from_values(AGES, 20 + 40 * SimulationNoise(1).uniforms(1, n)[0])


@pytest.mark.parametrize(
    ("epsilon", "delta", "sigma"),
    [
        (0.1, 1e-5, 30.74956613197847),
        (0.1, 1e-9, 50.2098182630665),
        (0.5, 1e-5, 7.031826675589514),
        (0.5, 1e-9, 10.673896815090695),
        (1, 1e-5, 3.7306316348159503),
        (1, 1e-9, 5.4952661572437655),
        (2, 1e-5, 1.993812445643539),
        (2, 1e-9, 2.844547073498588),
        (8, 1e-5, 0.6002290721989517),
        (8, 1e-9, 0.7922370498048859),
        (10, 1e-5, 0.49988861970900866),
        (10, 1e-9, 0.6502469189593074),
    ],
)
def test_sigma_is_the_smallest_that_keeps_to_delta(epsilon: float, delta: float, sigma: float) -> None:
    """Known values, rounded up by a billionth, and exactly on delta."""
    scale = gaussian_sigma(epsilon, delta)
    assert sigma <= scale <= sigma * (1 + 3e-9)
    assert gaussian_delta(scale, epsilon) <= delta < gaussian_delta(scale * 0.999, epsilon)


CASES: list[Mechanism] = [
    GlobalLaplace(Mean(), 0.5),
    GlobalLaplace(Median(Relation(size=2001)), 2.0),
    GlobalLaplace(Sum(Relation(rows=3)), 1.0),
    Geometric(Count(), 0.7),
    Geometric(Sum(), 1.0),
    AnalyticGaussian(Sum(), 1.0, 1e-6),
]


@pytest.mark.parametrize("mechanism", CASES, ids=lambda m: f"{m.slug} {m.query.name}")
@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_a_forecast_that_calls_itself_exact_covers_as_often_as_it_says(mechanism: Mechanism, confidence: float) -> None:
    """Simulated errors stay within the half width at least as often as promised."""
    column = ages()
    forecast = mechanism.forecast(Public(AGES), confidence)
    answers = simulate(mechanism.law(column), DRAWS, SimulationNoise(2))
    inside = np.mean(np.abs(answers - mechanism.query.value(column)) <= forecast.half_width)
    assert forecast.exact and inside >= confidence - MARGIN


@pytest.mark.parametrize("kind", [TwoCounts, SumOverCount, TextbookMean, TwoNormalCounts])
@pytest.mark.parametrize("n", [0, 1, 7, 2000])
@pytest.mark.parametrize("bounds", [Bounds(-3, 17, step=0.5), Bounds(1900, 2000, integer=True)])
def test_the_law_of_a_ratio_agrees_with_its_simulation(kind: type[GlobalMean], n: int, bounds: Bounds) -> None:
    """The closed form of the cdf matches simulated answers, its slope the density."""
    values = bounds.lower + 8 * SimulationNoise(3).uniforms(1, max(n, 1))[0][:n]
    law = kind(epsilon=1.0).law(Column.from_values(bounds, values))
    answers = simulate(law, DRAWS, SimulationNoise(4))
    probes = law.low + law.width * np.linspace(0, 1, 21)
    shares = np.array([np.mean(answers <= probe) for probe in probes])
    assert np.abs(shares - law.cdf(probes)).max() < MARGIN
    inner = law.low + law.width * (np.linspace(0.03, 0.97, 9) + 0.003)
    step = 1e-5 * law.width
    slopes = (law.cdf(inner + step) - law.cdf(inner - step)) / (2 * step)
    assert np.allclose(slopes, np.exp(law.log_density(inner)), rtol=2e-4, atol=1e-10)
    p = np.array([0.1, 0.5, 0.9])
    assert np.all(law.cdf(law.quantile(p)) >= p - 1e-9)


def test_two_soft_counts_beat_the_textbooks_mean() -> None:
    """At the same epsilon the errors are several times smaller."""
    column = ages(5000)
    truth = Mean().value(column)

    def median_error(kind: type[GlobalMean]) -> float:
        answers = simulate(kind(epsilon=1.0).law(column), DRAWS, SimulationNoise(5))
        return float(np.median(np.abs(answers - truth)))

    assert 2 * median_error(TwoCounts) < median_error(TextbookMean)


def test_counts_of_all_categories_cost_one_epsilon_and_are_never_negative() -> None:
    """Every declared level is counted, and empty ones too."""
    mechanism = CountsGeometric(epsilon=1.0)
    law = mechanism.law(Scores(("a", "b", "c"), np.array([0, 5, 900])))
    answers = simulate(law, DRAWS, SimulationNoise(6))
    assert answers.shape == (3, DRAWS) and answers.min() == 0
    assert np.median(answers, axis=1).tolist() == [0, 5, 900]
    assert mechanism.cost() == Cost.of(1)
    moved = CountsGeometric(epsilon=1.0, relation=Relation(size=10, rows=2))
    assert moved.scale == pytest.approx(4 * mechanism.scale)
    ratio = CountsGaussian(relation=Relation(size=9)).scale / CountsGaussian().scale
    assert ratio == pytest.approx(2**0.5)


def test_bins_put_every_row_into_exactly_one() -> None:
    """Values on an edge go up, values outside to the nearest bin."""
    column = Column.from_values(AGES, np.array([0, 9, 10, 55, 100]))
    assert Bins((10, 20, 60)).scores(column).counts.tolist() == [3, 2]


@pytest.mark.parametrize(("kind", "factor"), [(SeveralLaplace, 2.0), (SeveralGaussian, 2**0.5)])
def test_several_statistics_share_their_noise_by_sensitivity(kind: type[SeveralLaplace], factor: float) -> None:
    """Two statistics take twice the scale in L1 and the square root of two in L2."""
    single, two = kind(queries=(Mean(),)), kind(queries=(Mean(), Sum()))
    assert two.scales(AGES)[0] == pytest.approx(factor * single.scales(AGES)[0])
    assert two.scales(AGES)[1] == pytest.approx(2 * two.scales(AGES)[0])  # 100 against 50
    assert simulate(two.law(ages()), 10, SimulationNoise(0)).shape == (2, 10)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: GlobalLaplace(epsilon=-1), "ε must be between 1e-06 and 50. Got -1"),
        (lambda: GlobalLaplace(epsilon=float("nan")), "ε must be between 1e-06 and 50"),
        (lambda: GlobalLaplace(epsilon=1e-7), "ε must be between 1e-06 and 50"),
        (lambda: AnalyticGaussian(delta=0), "δ must be between"),
        (lambda: AnalyticGaussian(delta=0.5), "δ must be between"),
        (lambda: Geometric(Mean()), "Geometric noise needs a whole-number"),
        (lambda: Geometric(Sum()).check(Public(Bounds(0, 1))), "Geometric noise needs a whole-number"),
        (lambda: GlobalLaplace(Count(Relation(size=5))).check(Public(AGES)), "is public here"),
        (lambda: TwoCounts(relation=Relation(size=5)), "private number of rows"),
        (lambda: SeveralLaplace(queries=()), "between 1 and 100"),
        (lambda: SeveralLaplace(queries=(Mean(), Mean(Relation(rows=2)))), "same neighbour"),
    ],
)
def test_what_makes_no_sense_gets_a_sentence(make: object, says: str) -> None:
    """The range or the reason is named, before anything can be charged."""
    with pytest.raises(ParameterError, match=says):
        make()  # type: ignore[operator]


def test_the_wanted_error_gives_the_smallest_epsilon() -> None:
    """Forecast and inverse agree, and data-dependent mechanisms say why they cannot."""
    public = Public(AGES, size_guess=2000)
    for mechanism in (GlobalLaplace(Sum()), AnalyticGaussian(Sum()), TwoCounts()):
        wanted = mechanism.forecast(public).half_width
        assert wanted is not None
        assert epsilon_for(mechanism, public, wanted) == pytest.approx(1.0, rel=1e-6)
    with pytest.raises(ParameterError, match="depends on the data"):
        epsilon_for(SmoothCoreTail(), public, 1.0)
    with pytest.raises(ParameterError, match="reaches this margin of error"):
        epsilon_for(GlobalLaplace(Sum()), public, 1e-12)
