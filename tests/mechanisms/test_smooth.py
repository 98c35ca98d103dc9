"""Smooth sensitivity: the bound, three noises, their constants and their refusals."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy import integrate

from discreet.budget.errors import ParameterError
from discreet.lab.experiment import simulate
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.base.mechanism import ROUND_UP
from discreet.mechanisms.laws.law import CoreTail, Noisy
from discreet.mechanisms.smooth import (
    FLOOR,
    M_CHOICES,
    SmoothCoreTail,
    best_tail,
    mean_error,
    rungs,
    smooth_bound,
    window,
)
from discreet.mechanisms.smooth_laplace import SmoothLaplace, laplace_delta, laplace_kappa
from discreet.mechanisms.smooth_student import SmoothStudent, student_kappa
from discreet.queries import ADD_REMOVE, Bounds, Column, Query, Relation
from discreet.queries import registry as statistics
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.quantile import LowerMedian, Quantile

NINE = Bounds(0, 9, integer=True)
SMOOTH = {  # rows, statistic: S at beta .1, .5, 2
    ((1, 2, 2, 5), Mean()): (3.016440207160377, 1.3, 1.3),
    ((0, 0, 0, 9), Mean()): (3.684288388850918, 2.25, 2.25),
    ((5,), Mean()): (4.071768381161818, 2.7293879687068503, 2.5),
    ((), Mean()): (4.5, 4.5, 4.5),
    ((2, 2, 2, 2, 2), Mean()): (2.7293879687068503, 1.1666666666666665, 1.1666666666666665),
    ((1, 2, 2, 5), Median()): (3.016440207160377, 0.9097959895689501, 0.20300292485491905),
    ((2, 2, 2, 2, 2), Median()): (2.7293879687068503, 0.47367349132814446, 0.0011741191976587914),
    ((1, 2, 2, 5), LowerMedian()): (6.032880414320754, 1.4715177646857693, 0.1353352832366127),
    ((1, 2, 2, 5), Quantile(q="0.25")): (6.032880414320754, 1.4715177646857693, 1.0),
    ((1, 2, 2, 5), Quantile(q="0.9")): (6.333861926251717, 4.245714617988434, 4.0),
}


@pytest.mark.parametrize("rows", SMOOTH, ids=lambda case: f"{case[1].name} {case[0]}")
def test_the_smooth_bound_has_the_known_values(rows: tuple[tuple[int, ...], object]) -> None:
    """k = 0 is in the maximum, and the maximum is rounded up by a billionth only."""
    column = Column.from_values(NINE, np.array(rows[0], dtype=int))
    for beta, expected in zip((0.1, 0.5, 2.0), SMOOTH[rows], strict=True):
        bound = smooth_bound(rows[1], column, beta)  # type: ignore[arg-type]
        assert expected <= bound * (1 + 1e-12) and bound == pytest.approx(expected, rel=3e-9)


def test_a_tiny_beta_ends_and_is_still_smooth() -> None:
    """A window without end is cut at a public size, and what lies beyond is bounded by the GS."""
    smaller = Column.from_counts(NINE, np.array([0, 0, 10**6] + [0] * 7))
    larger = Column.from_counts(NINE, np.array([0, 0, 10**6] + [0] * 6 + [1]))
    for beta in (1e-8, 2e-6):
        bound, other = (smooth_bound(Mean(), column, beta) for column in (smaller, larger))
        assert abs(math.log(bound / other)) <= beta + 1e-12
        assert bound >= math.exp(-beta * 2**18) * 4.5 * (1 - 1e-3)


def test_leaving_out_k_zero_would_be_caught() -> None:
    """With beta = 2 the first rung is the maximum: without it S is below the local sensitivity."""
    column = Column.from_values(NINE, np.array([1, 2, 2, 5]))
    k = np.arange(1, 30)
    without = float((np.exp(-2.0 * k) * Mean().ladder(column, k)).max())
    assert without < 0.5 * smooth_bound(Mean(), column, 2.0)


def test_ties_never_give_a_scale_of_zero() -> None:
    """A million equal rows have a local sensitivity of 0 and still a scale above 0 (N8, S=0)."""
    column = Column.from_counts(NINE, np.array([0, 0, 10**6] + [0] * 7))
    law = SmoothCoreTail(Median(), 1.0).law(column)
    assert isinstance(law, Noisy) and law.scale >= FLOOR * 4.5
    assert window(1 / 3) == 84


def test_integer_bounds_do_not_truncate_the_bound() -> None:
    """Whole and real bounds give the same S, above the local sensitivity."""
    rows = np.array([1, 2, 2, 5])
    whole = smooth_bound(Mean(), Column.from_values(NINE, rows), 0.5)
    real = Column.from_values(Bounds(-0.5, 9.5, step=1.0), rows)
    assert whole == smooth_bound(Mean(), real, 0.5) > 1.3


@pytest.mark.parametrize(
    ("kappa", "beta", "epsilon", "delta"),
    [
        (2, 0.05, 1, 5.349637456860188e-07),
        (2, 0.03446218175457895, 1, 4.063654944222836e-09),
        (1.2, 0.02, 1, 9.608335687925575e-07),
    ],
)
def test_the_delta_of_laplace_noise_is_the_closed_form(kappa: float, beta: float, epsilon: float, delta: float) -> None:
    """Known values; the inverse returns the kappa, rounded up."""
    assert laplace_delta(kappa, beta, epsilon) == pytest.approx(delta, rel=1e-9)
    assert kappa <= laplace_kappa(beta, epsilon, delta) <= kappa * (1 + 1e-8)


def test_the_closed_form_is_the_largest_over_a_grid_of_pairs() -> None:
    """No shift up to min(1, rho) and dilation rho of a beta-smooth S loses more."""
    kappa, beta, epsilon = 1.5, 0.1, 1.0
    claimed = laplace_delta(kappa, beta, epsilon)
    y = np.linspace(-60, 60, 600_001)
    first = np.exp(-np.abs(y) / kappa) / (2 * kappa)
    largest = 0.0
    for log_ratio in np.linspace(-beta, beta, 9):
        ratio = math.exp(log_ratio)
        for shift in np.linspace(0, min(1, ratio), 5):
            second = np.exp(-np.abs(y - shift) / (kappa * ratio)) / (2 * kappa * ratio)
            for p, q in ((first, second), (second, first)):
                area = np.maximum(p - math.exp(epsilon) * q, 0).sum() * (y[1] - y[0])
                largest = max(largest, float(area))
    assert largest <= claimed * (1 + 1e-4) and largest > 0.999 * claimed


@pytest.mark.parametrize(
    ("epsilon", "beta", "nu", "kappa"),
    [
        (1, 1 / 6, 1, 0.959517375667947),
        (1, 0.1, 3, 1.2407147966871725),
        (0.5, 0.05, 2, 2.196086658962232),
        (2, 0.3, 1, 0.42545906411964446),
    ],
)
def test_the_scale_of_student_noise_is_the_closed_form(epsilon: float, beta: float, nu: int, kappa: float) -> None:
    """Known values, rounded up."""
    assert kappa <= student_kappa(epsilon, beta, nu) * (1 + 1e-12) <= kappa * (1 + 3e-9)


def decimal_student_loss(kappa: float, beta: float, nu: int) -> Decimal:
    """Return the loss of Student noise by the same quadratic, with 60 digits."""
    with localcontext() as context:
        context.prec = 60
        worst = Decimal(0)
        for log_ratio in (Decimal(-beta), Decimal(0), Decimal(beta)):
            ratio = log_ratio.exp()
            shift, s2 = min(Decimal(1), ratio) / Decimal(kappa), 1 / ratio**2
            middle = nu + s2 * shift**2 + nu * s2
            root = (middle + (middle**2 - 4 * nu**2 * s2).sqrt()) / (2 * nu)
            worst = max(worst, log_ratio + Decimal(nu + 1) / 2 * root.ln())
        return worst


@pytest.mark.parametrize("epsilon", [1e-6, 1e-5, 1e-3, 0.1, 8.0, 50.0])
@pytest.mark.parametrize("nu", [1, 2, 3, 8])
def test_student_noise_keeps_to_epsilon_at_the_ends_of_its_parameters(epsilon: float, nu: int) -> None:
    """A tiny epsilon is a tiny difference from 1: it is neither lost in rounding nor an error."""
    for ratio in (0.001, 0.1 / nu, 0.5 / nu, 0.9 / nu):
        kappa = student_kappa(epsilon, epsilon * ratio, nu)
        loss = decimal_student_loss(kappa, epsilon * ratio, nu)
        assert loss <= Decimal(epsilon)
        assert loss > Decimal(epsilon * (1 - 1e-8)) or epsilon == 50


@pytest.mark.parametrize("m", [2, 3, 10, 64])
def test_the_mean_error_of_core_tail_is_the_integral(m: int) -> None:
    """E|W| in closed form equals the integral of the survival function."""
    shape = CoreTail(m)
    area = integrate.quad(lambda w: 2 * float(shape.cdf(-w)), 0, 1)[0]
    area += integrate.quad(lambda w: 2 * float(shape.cdf(-w)), 1, np.inf)[0]
    assert mean_error(m) == pytest.approx(area, rel=1e-6)


def test_the_tail_for_a_mean_follows_a_public_guess_of_n() -> None:
    """Few rows want a heavy tail, many a light one; a small epsilon a heavier one."""

    def brute_force(epsilon: float, n: int) -> int:
        def error(m: int) -> float:
            inner = [math.exp(-epsilon / m * k) / (n - k) for k in range(n - 1)]
            return mean_error(m) * max(*inner, math.exp(-epsilon / m * (n - 1)) / 2)

        return min(M_CHOICES, key=error)

    for epsilon in (0.1, 1.0):
        for n in (20, 50, 1000, 30_000):
            assert best_tail(epsilon, n) == brute_force(epsilon, n)
    assert best_tail(1.0, 30_000) == 64 and best_tail(1.0, 20) < 16


@pytest.mark.parametrize("make", [SmoothCoreTail, SmoothLaplace, SmoothStudent])
@pytest.mark.parametrize("rows", [[], [5], [2] * 6, [0, 9, 9, 3, 4]])
def test_simulated_answers_are_finite_and_within_the_range(make: type, rows: list[int]) -> None:
    """No data break a law: nothing, one row, ties, extremes (N8)."""
    column = Column.from_values(NINE, np.array(rows, dtype=int))
    for query in (Mean(), Median(), Quantile(q="0.9")):
        answers = simulate(make(query=query).law(column), 500, SimulationNoise(1))
        assert np.all((answers >= 0) & (answers <= 9))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: SmoothCoreTail(m=5), "Tail must be one of 1, 2, 3"),
        (lambda: SmoothLaplace(ratio=0.3, delta=1e-9), "β / ε must be smaller for δ ="),
        (lambda: SmoothStudent(ratio=0.5, nu=3), "below 1 / degrees"),
        (lambda: SmoothStudent(nu=5), "Degrees of freedom must be one of"),
    ],
)
def test_a_beta_without_a_scale_is_refused_with_the_reason(make: object, says: str) -> None:
    """The sentence names the parameter and the way out."""
    with pytest.raises(ParameterError, match=says):
        make()  # type: ignore[operator]


LONG = Column.from_ticks(Bounds(0, 1, step=0.01), np.sort(np.random.default_rng(3).integers(0, 101, 60)))
HEAVY = Column.from_ticks(
    Bounds(0, 1, step=0.01), np.array([*[0] * 40, 1, 1, 2, 2, 3, 5, 8, 13, *[20] * 9, 90, 99, 100])
)


RELATIONS = [ADD_REMOVE, Relation(size=60), Relation(rows=3)]
LADDERS = [
    (name, relation) for name in sorted(statistics) for relation in RELATIONS if name != "trimmed-mean" or relation.size
]


def weighed(query: Query, column: Column, beta: float) -> float:
    """Return the smooth bound by looking at every rung of the window."""
    k = np.arange(window(beta) + 1)
    most = float((np.exp(-beta * k) * query.ladder(column, k)).max())
    return max(most, FLOOR * query.global_sensitivity(column.bounds)) * ROUND_UP


@pytest.mark.parametrize(("name", "relation"), LADDERS, ids=str)
def test_each_rung_stands_for_itself(name: str, relation: Relation) -> None:
    """A column notes those that were asked for, in whatever order, and computes the further ones only."""
    column = replace(LONG)  # nobody has asked it yet
    query = statistics[name](relation)
    whole = query.ladder(column, np.arange(200))
    for few in (np.array([0, 3, 50]), np.arange(7), np.array([199]), np.arange(0, 200, 9), np.arange(200)):
        assert np.array_equal(rungs(query, column, few), whole[few])
    assert not np.isnan(column.ladders.of(query).rungs).any() and column.ladders.of(query).rungs.size == 200


@pytest.mark.parametrize(("name", "relation"), LADDERS, ids=str)
def test_no_ladder_falls_over_two_rungs(name: str, relation: Relation) -> None:
    """A_x(k) <= A_y(k+1) <= A_x(k+2): what lets the bound leave out whole blocks of rungs."""
    query = statistics[name](relation)
    for column in (LONG, HEAVY):
        ladder = query.ladder(column, np.arange(150))
        assert (ladder[2:] >= ladder[:-2] * (1 - 1e-12)).all()


@pytest.mark.parametrize(("name", "relation"), LADDERS, ids=str)
def test_the_smooth_bound_is_the_largest_of_all_weighed_rungs(name: str, relation: Relation) -> None:
    """To the last bit, although few of them are looked at and each bound is noted."""
    query = statistics[name](relation)
    for column in (LONG, HEAVY):
        fresh = replace(column)
        for beta in (0.02, 0.001, 0.3, 1.5, 40.0, 0.001, 0.3):
            assert smooth_bound(query, fresh, beta) == weighed(query, column, beta), beta


class Saw(Mean):
    """A ladder that falls by every second rung, as what makes it smooth allows."""

    def ladder(self, column: Column, k: IntArray) -> FloatArray:
        """Rise at the even rungs, and at them alone."""
        return np.where(k % 2, 0.001, np.minimum(0.001 * k + 0.002, 0.4))


def test_a_rung_between_two_lower_ones_is_not_overlooked() -> None:
    """Of a block both of its last two rungs are looked at: one alone may be low."""
    for beta in (0.004, 0.011, 0.05):
        assert smooth_bound(Saw(), replace(LONG), beta) == weighed(Saw(), LONG, beta)


def test_few_rungs_are_looked_at() -> None:
    """Of thirty thousand rungs the variance of a skewed column needs a few hundred."""
    ticks = np.minimum(10_000, np.random.default_rng(5).exponential(400, 20_000)).astype(np.int64)
    column = Column.from_ticks(Bounds(0, 10_000, integer=True), np.sort(ticks))
    query = statistics["variance"]()
    smooth_bound(query, column, 0.001)
    assert window(0.001) > 20_000 and (~np.isnan(column.ladders.of(query).rungs)).sum() < 500
