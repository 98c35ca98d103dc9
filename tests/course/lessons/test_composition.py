"""The numbers of lesson 5: against closed forms, brute force and quadrature."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, special, stats

from discreet.course.lessons.composition import growth, numbers
from discreet.course.lessons.composition.letters import LETTERS
from discreet.course.lessons.composition.numbers import Coins
from discreet.course.lessons.laplace import numbers as two_laws
from discreet.mechanisms.laws.anatomy import anatomy
from discreet.mechanisms.laws.divergence import divergence
from discreet.mechanisms.laws.law import Noisy


@pytest.mark.parametrize(("answers", "epsilon"), [(1, 0.5), (7, 0.2), (50, 0.05), (50, 1.0)])
def test_answers_about_everybody_add_up_and_those_about_groups_do_not(answers: int, epsilon: float) -> None:
    """k epsilon against epsilon, charged and measured on the laws; never more than charged."""
    all_, groups = numbers.everybody(answers, epsilon), numbers.groups(answers, epsilon)
    assert all_.charged == pytest.approx(answers * epsilon, rel=1e-12)
    assert groups.charged == epsilon
    for price in (all_, groups):
        assert price.exact == pytest.approx(price.charged, rel=1e-6)
        assert price.exact <= price.charged


def _geometric(epsilon: float, centre: int, z: np.ndarray) -> np.ndarray:
    a = math.exp(-epsilon)
    return (1 - a) / (1 + a) * a ** np.abs(z - centre)


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("unit", [1, 5, 10, 20])
def test_rounding_tells_no_more_by_brute_force(epsilon: float, unit: int) -> None:
    """Chances of rounded answers are sums of single ones; loss and delta do not grow."""
    rounding = numbers.afterwards(epsilon, unit)
    z = np.arange(300, 1501)
    to = np.floor(z / unit + 0.5) * unit
    p, q = _geometric(epsilon, 900, z), _geometric(epsilon, 899, z)
    for answer, with_, without in zip(rounding.answers, rounding.with_, rounding.without, strict=True):
        assert with_ == pytest.approx(p[to == answer].sum(), rel=1e-6)
        assert without == pytest.approx(q[to == answer].sum(), rel=1e-6)
    sums = [(p[to == t].sum(), q[to == t].sum()) for t in np.unique(to)]
    factor = math.exp(epsilon / 2)
    after = max(sum(max(a - factor * b, 0) for a, b in sums), sum(max(b - factor * a, 0) for a, b in sums))
    assert rounding.delta_after == pytest.approx(after, rel=1e-6)
    assert rounding.loss_after <= rounding.loss_before + 1e-9 <= epsilon + 1e-9
    assert rounding.delta_after <= rounding.delta_before + 1e-15
    assert (rounding.delta_after < 0.95 * rounding.delta_before) == (unit > 1)


def test_the_law_of_a_rounded_count_agrees_with_its_parts() -> None:
    """Its cdf adds up the masses, its quantile turns it round, one draw is a multiple."""
    law = numbers.Rounded(numbers.counted(900, 0.3), 5)
    atoms = anatomy(law)
    assert atoms.masses.sum() == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(law.cdf(atoms.points), np.cumsum(atoms.masses), atol=1e-12)
    assert float(law.cdf(904.9)) == float(law.cdf(900))
    for p in (0.01, 0.4, 0.97):
        y = float(law.quantile(p))
        assert float(law.cdf(y - 1e-6)) < p <= float(law.cdf(y)) and y % 5 == 0


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0, 5.0])
def test_divergences_are_those_of_the_drawn_densities(noise: str, scale: float) -> None:
    """KL by its closed form and by quadrature of the drawn loss; delta by its closed form."""
    pair, s = two_laws.pair(noise, scale), 1 / scale
    closed = s + math.exp(-s) - 1 if noise == "laplace" else s * s / 2
    assert pair.kl == pytest.approx(closed, rel=1e-5)

    def mean(y: float) -> float:
        at = np.array([y])
        return float(two_laws.density(pair.with_, at)[0] * pair.losses(at)[0])

    width = 40 * scale
    drawn, _ = integrate.quad(mean, 900 - width, 900 + width, points=[899, 900], limit=200)
    assert pair.kl == pytest.approx(drawn, rel=1e-5)
    for epsilon in (0.1, 0.5, 1.0):
        if noise == "laplace":
            delta = max(0.0, 1 - math.exp((epsilon - s) / 2))
        else:
            delta = float(special.ndtr(s / 2 - epsilon / s)) - math.exp(epsilon) * float(
                special.ndtr(-s / 2 - epsilon / s)
            )
        assert pair.delta(epsilon) == pytest.approx(delta, rel=1e-5, abs=1e-12)
        x = np.linspace(899.5 - width, 899.5 + width, 80_001)
        area = integrate.trapezoid(pair.excess(x, epsilon), x)
        assert area == pytest.approx(delta, rel=1e-3, abs=1e-6)


def test_only_laplace_noise_has_a_largest_loss() -> None:
    """1/b for Laplace, reached by the drawn loss; for Gaussian the loss passes every limit."""
    laplace, gaussian = two_laws.pair("laplace", 2.0), two_laws.pair("gaussian", 2.0)
    far = np.array([1e3, 1e4, 1e5])
    assert laplace.most == pytest.approx(0.5)
    np.testing.assert_allclose(laplace.losses(far), 0.5)
    assert gaussian.most == math.inf and float(gaussian.losses(far)[-1]) > 1e4


def test_accounts_are_the_sum_and_what_the_papers_prove() -> None:
    """The plain sum exactly; advanced holds against the exact worst case; zCDP by its formula."""
    totals = numbers.totals("laplace", 0.1, 1e-6, 100)
    assert totals["Basic"] == pytest.approx(10)
    truths = np.arange(101)
    p = stats.binom.pmf(truths, 100, 1 / (1 + math.exp(-0.1)))
    worst = np.maximum(p - math.exp(totals["Optimal"]) * p[::-1], 0).sum()
    assert worst == pytest.approx(1e-6, rel=1e-3)
    rho = 100 * 0.1**2 / 2
    assert totals["zCDP"] <= rho + 2 * math.sqrt(rho * math.log(1e6))
    assert totals["Rényi"] < totals["zCDP"]


def test_the_formula_of_the_book_is_a_line_of_its_own() -> None:
    """It gives 5.756 for a hundred results of 0.1, and 4.77 is the optimum; pointing at its ε shows its own line."""
    totals = numbers.totals("laplace", 0.1, 1e-6, 100)
    loss = 0.1 * (math.exp(0.1) - 1) / (math.exp(0.1) + 1)
    assert totals["Advanced"] == pytest.approx(0.1 * math.sqrt(200 * math.log(1e6)) + 100 * loss)
    assert round(totals["Advanced"], 3) == 5.756 and round(totals["Optimal"], 2) == 4.77
    assert {str(name) for name, *_ in growth.ACCOUNTS.values()} >= {"Advanced", "Optimal"}
    assert growth.ACCOUNTS["Advanced"][0] in LETTERS["accounts"]["ε"].marks


def test_the_plain_sum_has_room_for_all_gaussian_answers_and_rho_is_far_smaller() -> None:
    """Every answer takes a thousandth of delta, so no account is infinite at 200 answers."""
    accounts = numbers.growth("gaussian", 0.1, 1e-6)
    assert all(math.isfinite(value) for line in accounts.values() for value in line)
    assert accounts["zCDP"][-1] < accounts["Advanced"][-1] / 3 < accounts["Basic"][-1] / 3
    assert len(numbers.COUNTS) * len(accounts) <= 300


@pytest.mark.parametrize(("epsilon", "delta"), [(0.05, 1e-9), (0.1, 1e-6), (0.5, 1e-5)])
def test_the_crossing_is_where_the_drawn_lines_cross(epsilon: float, delta: float) -> None:
    """One answer earlier the plain sum is no worse, from the crossing on zCDP is better."""
    start = numbers.pays_from("laplace", epsilon, delta)
    before = numbers.totals("laplace", epsilon, delta, start - 1)
    after = numbers.totals("laplace", epsilon, delta, start)
    assert before["Basic"] <= before["zCDP"] and after["zCDP"] < after["Basic"]


@pytest.mark.parametrize(("epsilon", "answers"), [(0.2, 50), (1.0, 1)])
def test_renyi_curves_are_the_divergences_of_the_laws(epsilon: float, answers: int) -> None:
    """By quadrature at some orders; below the zCDP line and k epsilon; of the same deviation."""
    laplace, gaussian = numbers.alike(epsilon, answers)
    for curve, noise in ((laplace, "laplace"), (gaussian, "gaussian")):
        scale = 1 / epsilon if noise == "laplace" else math.sqrt(2) / epsilon
        pair = two_laws.pair(noise, scale)
        p, q = anatomy(pair.with_), anatomy(pair.without)
        x = np.linspace(899.5 - 60 * scale, 899.5 + 60 * scale, 400_001)
        for alpha in (1.5, 2.0, 8.0):
            inside = np.exp(alpha * p.log_density(x) + (1 - alpha) * q.log_density(x))
            exact = answers * math.log(integrate.trapezoid(inside, x)) / (alpha - 1)
            assert float(curve.rdp(np.array([alpha]))[0]) == pytest.approx(exact, rel=1e-4)
        assert (curve.rdp() <= curve.rho * numbers.ORDERS * (1 + 1e-12)).all()
    assert laplace.rho == pytest.approx(answers * epsilon**2 / 2)
    assert gaussian.rho == pytest.approx(laplace.rho / 2)
    assert (laplace.rdp() <= answers * epsilon).all()
    with_ = two_laws.pair("laplace", 1.0).with_
    assert _deviation(with_) == pytest.approx(math.sqrt(2), rel=1e-3)


def _deviation(law: Noisy) -> float:
    u = (np.arange(200_000) + 0.5) / 200_000
    return float(np.std(law.quantile(u)))


def test_the_epsilon_at_delta_is_the_lowest_that_an_order_proves() -> None:
    """No order of the figure proves less; the Gaussian total really satisfies (epsilon, delta)."""
    laplace, gaussian = numbers.alike(0.2, 50)
    for curve in (laplace, gaussian):
        lowest = curve.proved(1e-6).min()
        assert curve.epsilon(1e-6) <= lowest * (1 + 1e-9)
        assert curve.epsilon(1e-6) == pytest.approx(lowest, rel=1e-2)
    total = two_laws.pair("gaussian", 1 / math.sqrt(2 * gaussian.rho))
    assert divergence(total.with_, total.without, gaussian.epsilon(1e-6)) <= 1e-6


def test_many_counts_need_noise_by_their_own_sensitivity() -> None:
    """k and root k if a person is everywhere, 1 and 1 if in one; errors by the closed forms."""
    all_, partition = (numbers.at_once(25, everywhere, 1.0, 1e-6) for everywhere in (True, False))
    assert (all_.l1, all_.l2, partition.l1, partition.l2) == (25, 5, 1, 1)
    assert all_.laplace == pytest.approx(25 * math.log(20), rel=1e-6)
    assert partition.laplace == pytest.approx(math.log(20), rel=1e-6)
    assert all_.gaussian == pytest.approx(5 * partition.gaussian, rel=1e-6)
    sigma = partition.gaussian / stats.norm.ppf(0.975)
    delta = two_laws.pair("gaussian", sigma).delta(1.0)
    assert delta == pytest.approx(1e-6, rel=1e-4)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-9), (1.0, 1e-6), (3.0, 1e-5)])
def test_gaussian_noise_wins_from_a_crossing_on_and_never_for_one_count(epsilon: float, delta: float) -> None:
    """The crossing is the square of the ratio of both errors for one count, rounded up."""
    widths = numbers.widths(True, epsilon, delta)
    start = numbers.narrower_from(widths)
    assert start == math.ceil((widths[0].gaussian / widths[0].laplace) ** 2)
    assert numbers.narrower_from(numbers.widths(False, epsilon, delta)) is None


def test_kullback_leibler_is_not_symmetric_and_below_the_largest_loss() -> None:
    """Both ways by a sum over heads and tails; mirrored coins agree; equal coins have no divergence."""
    coins = Coins(0.5, 0.99)
    assert coins.there == pytest.approx(0.5 * math.log(0.5 / 0.99) + 0.5 * math.log(0.5 / 0.01))
    assert coins.back < coins.there < coins.most == pytest.approx(math.log(50))
    assert Coins(0.2, 0.8).there == pytest.approx(Coins(0.2, 0.8).back)
    assert Coins(0.3, 0.3).there == Coins(0.3, 0.3).most == 0
