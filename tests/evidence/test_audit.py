"""Audit: the exact comparison of laws agrees with closed forms, the black box with the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from discreet.evidence.audit import black_box, divergence, divergences, loss, worst
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms.laws.law import (
    CoreTail,
    Gated,
    Gaussian,
    Laplace,
    Law,
    Noisy,
    Picked,
    Product,
    Runs,
    Student,
    Whole,
)
from discreet.mechanisms.smooth import SmoothCoreTail
from discreet.queries import Bounds, Column

FALSE_ALARM = 1e-3  # of one black-box audit, by construction
TRIES = 200


class Fixed:
    """A test with a fixed chance."""

    def __init__(self, chance: float) -> None:
        """Fix it."""
        self.chance = chance

    def draw(self, noise: object) -> bool:
        """Never drawn here."""
        raise NotImplementedError


def lap(centre: float, scale: float = 1.0) -> Noisy:
    """Return Laplace noise around a centre."""
    return Noisy(centre, scale, Laplace())


def normal(centre: float, scale: float = 1.0) -> Noisy:
    """Return Gaussian noise around a centre."""
    return Noisy(centre, scale, Gaussian())


@pytest.mark.parametrize("shift", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 0.9])
def test_laplace_noise_has_its_known_divergence(shift: float, epsilon: float) -> None:
    """1 - exp((epsilon - shift)/2) where the shift is worth more than epsilon."""
    exact = max(0.0, 1 - math.exp((epsilon - shift) / 2))
    assert divergence(lap(shift), lap(0.0), epsilon) == pytest.approx(exact, abs=1e-14)


def test_the_analytic_gaussian_spends_exactly_its_delta() -> None:
    """Sigma 3.7306316348 is the one for epsilon 1 and delta 1e-5."""
    sigma = 3.7306316348
    assert divergence(normal(1, sigma), normal(0, sigma), 1.0) == pytest.approx(1e-5, rel=1e-8)


def test_a_dilated_laplace_pair_has_its_closed_form() -> None:
    """The worst pair of smooth sensitivity: 1.1e-4 and 4.1e-9, and what half the scale costs."""
    closed_forms = {1e-2: (1.10969e-4, 1.73519e-2), 1e-6: (4.06365e-9, 6.33865e-3)}
    for delta, (right, broken) in closed_forms.items():
        rho = math.exp(-1 / (2 * math.log(2 / delta)))
        assert divergence(lap(0, 2), lap(rho, 2 * rho), 1.0) == pytest.approx(right, rel=1e-5)
        assert divergence(lap(0, 1), lap(rho, rho), 1.0) == pytest.approx(broken, rel=1e-5)


@pytest.mark.parametrize("shape", [Laplace(), Gaussian(), CoreTail(2), CoreTail(3), Student(3)])
def test_the_divergence_agrees_with_integration_of_the_densities(shape: object) -> None:
    """An independent sum of (p - exp(epsilon) q)+ over a fine grid, for a shift and a dilation."""
    p, q = Noisy(0.4, 1.0, shape), Noisy(0.0, 0.8, shape)  # type: ignore[arg-type]
    y = np.linspace(-400, 400, 2_000_001)
    densities = [np.exp(law.shape.log_density((y - law.centre) / law.scale)) / law.scale for law in (p, q)]
    for epsilon in (0.0, 0.2):
        grid = np.maximum(densities[0] - math.exp(epsilon) * densities[1], 0).sum() * (y[1] - y[0])
        assert divergence(p, q, epsilon) == pytest.approx(grid, rel=1e-3, abs=1e-6)


def test_core_tail_noise_loses_exactly_epsilon_at_its_worst() -> None:
    """Shift and dilation together reach 1 and never exceed it."""
    for m in (1, 2, 3):
        beta = 1 / m
        losses = [
            loss(Noisy(0.0, 1.0, CoreTail(m)), Noisy(t * min(1, rho), rho, CoreTail(m)))
            for rho in np.exp(np.linspace(-beta, beta, 9))
            for t in (0.0, 0.5, 1.0)
        ]
        assert max(losses) == pytest.approx(1.0, abs=1e-6) and max(losses) <= 1 + 1e-12


def test_whole_numbers_lose_a_step_over_the_scale() -> None:
    """Geometric noise: nothing beyond epsilon, and a closed form below it."""
    p, q = Whole(1, 2.0), Whole(0, 2.0)
    assert loss(p, q) == pytest.approx(0.5)
    assert divergence(p, q, 0.5) <= 1e-15
    a = math.exp(-0.5)
    assert divergence(p, q, 0.0) == pytest.approx((1 - a) / (1 + a))


def test_clipping_is_post_processing_and_never_raises_the_divergence() -> None:
    """The clipped pair has atoms on the bounds and at most the divergence of the plain pair."""
    for low, high in ((-1.0, 2.0), (0.3, 0.6), (5.0, 6.0)):
        clipped = divergence(Noisy(1.0, 1.0, Laplace(), low, high), Noisy(0.0, 1.0, Laplace(), low, high), 0.3)
        assert 0 < clipped <= divergence(lap(1.0), lap(0.0), 0.3) + 1e-15


def test_a_refusal_counts_as_an_answer() -> None:
    """Equal answers behind different chances differ by the chances alone."""
    p, q = Gated(Fixed(0.9), lap(0)), Gated(Fixed(0.5), lap(0))
    assert divergence(p, q, 0.0) == pytest.approx(0.4)
    assert divergence(q, p, 0.0) == pytest.approx(0.4)
    assert divergence(q, p, 1.0) == pytest.approx(0.5 - math.e * 0.1)


def test_finite_choices_compare_atom_by_atom() -> None:
    """Choices and runs agree with the sum over points."""
    chances, beside = np.array([0.2, 0.5, 0.3]), np.array([0.4, 0.4, 0.2])
    p, q = (Picked("abc", np.arange(3.0), lambda w=w: w, lambda noise: 0) for w in (chances, beside))
    assert divergence(p, q, 0.1) == pytest.approx(np.maximum(chances - math.exp(0.1) * beside, 0).sum())
    starts, widths = np.array([0, 1, 4]), np.array([1, 3, 6])
    first = Runs(starts, widths, np.array([2, 0, 1]), 0.7, 0.5, 10.0)
    second = Runs(np.array([0, 2, 4]), np.array([2, 2, 6]), np.array([1, 0, 2]), 0.7, 0.5, 10.0)
    each = [np.repeat(r.probabilities / r.widths, r.widths) for r in (first, second)]
    exact = np.maximum(each[0] - math.exp(0.2) * each[1], 0).sum()
    assert divergence(first, second, 0.2) == pytest.approx(exact)
    assert loss(first, second) == pytest.approx(np.log(each[0] / each[1]).max())


def test_components_add_their_losses_and_gaussian_ones_their_squares() -> None:
    """A product is never above the sum of its losses, and Gaussian components turn into one."""
    p, q = Product((lap(0.3), lap(0.7))), Product((lap(0), lap(0)))
    assert loss(p, q) == pytest.approx(1.0)
    assert divergence(p, q, 1.0) == 0.0
    assert divergence(p, q, 0.5) < divergence(lap(1), lap(0), 0.5)
    p, q = (Product((normal(0.6), normal(0.8), normal(5))), Product((normal(0), normal(0), normal(5))))
    assert divergence(p, q, 0.5) == pytest.approx(divergence(normal(1), normal(0), 0.5))


def test_fine_events_of_two_components_come_close_to_a_double_integral() -> None:
    """Two Laplace components against an independent sum over a grid of the plane."""
    p, q = Product((lap(0.5), lap(0.5))), Product((lap(0), lap(0)))
    y = np.linspace(-14, 14, 1401)
    shifted, zero = (stats.laplace.pdf(y, c) for c in (0.5, 0.0))
    plane = np.outer(shifted, shifted) - math.exp(0.5) * np.outer(zero, zero)
    integral = np.maximum(plane, 0).sum() * (y[1] - y[0]) ** 2
    assert divergence(p, q, 0.5) == pytest.approx(integral, rel=2e-3)


def test_both_directions_come_of_the_same_events() -> None:
    """What is compared at once is what is compared one way and then the other, where the two differ much."""
    pairs: list[tuple[Law, Law]] = [
        (lap(0, 2), lap(0.3, 1)),
        (Noisy(0.2, 1.0, Laplace(), 0.0, 3.0), Noisy(0.9, 1.5, Laplace(), 0.0, 3.0)),
        (Gated(Fixed(0.9), lap(0)), Gated(Fixed(0.5), lap(1))),
        (Whole(3, 1.0), Whole(5, 2.0)),
        (Product((lap(0, 2), lap(1))), Product((lap(0), lap(1)))),
        (Product((lap(0, 2), lap(1))), Product((lap(0), lap(1.2)))),
    ]
    for p, q in pairs:
        there, back = divergences(p, q, 0.4)
        assert there == pytest.approx(divergence(p, q, 0.4), rel=1e-6) and there > 1e-3
        assert back == pytest.approx(divergence(q, p, 0.4), rel=1e-6) and abs(there - back) > 1e-3


def test_equal_laws_have_nothing_to_tell() -> None:
    """Divergence 0 for every kind of law with itself."""
    same: list[Law] = [lap(1), Whole(3, 1.0), Gated(Fixed(0.3), lap(0)), Product((lap(1), lap(2)))]
    for law in same:
        assert divergence(law, law, 0.0) == 0.0 and loss(law, law) == 0.0


def test_the_worst_pair_of_a_mechanism_is_found_and_kept() -> None:
    """Among three pairs the one that moves most, in the direction that costs most."""
    bounds = Bounds(0, 10, integer=True)
    views = [Column.from_ticks(bounds, np.array(rows)) for rows in ([5], [5, 5], [5, 10], [0, 10])]
    verdict = worst(SmoothCoreTail(epsilon=1.0), [(views[0], view) for view in views[1:]])
    assert verdict.holds and verdict.delta <= 1e-12


def test_the_black_box_never_accuses_a_right_claim() -> None:
    """Laplace noise at its exact epsilon, two hundred times: no refutation."""
    noise, size = SimulationNoise(11), 2000
    refuted = 0
    for _ in range(TRIES):
        p, q = lap(1).simulate(noise.uniforms(1, size)), lap(0).simulate(noise.uniforms(1, size))
        refuted += black_box(p, q, 1.0).refuted
    assert refuted <= stats.binom.isf(1e-6, TRIES, FALSE_ALARM)


def test_the_black_box_refutes_half_the_noise_and_certifies_no_more_than_the_truth() -> None:
    """Half scale is really 2 epsilon: refuted every time, and never certified above 2."""
    noise, size = SimulationNoise(12), 4000
    for _ in range(20):
        p = lap(1, 0.5).simulate(noise.uniforms(1, size))
        q = lap(0, 0.5).simulate(noise.uniforms(1, size))
        finding = black_box(p, q, 1.0)
        assert finding.refuted and 1 < finding.epsilon <= 2 and finding.delta > 0 and str(finding.event)


def test_the_black_box_sees_refusals_and_single_values() -> None:
    """A refusal that gives the dataset away is named as the event; so is an atom."""
    noise = SimulationNoise(13)
    p, q = Gated(Fixed(0.99), lap(0)), Gated(Fixed(0.2), lap(0))
    samples = [law.simulate(noise.uniforms(2, 4000)) for law in (p, q)]
    assert "refused" in str(black_box(samples[1], samples[0], 1.0).event)
    rare = [np.where(noise.uniforms(1, 4000)[0] < share, 7.0, 1.0) for share in (0.3, 0.01)]
    assert str(black_box(rare[0], rare[1], 1.0).event) == "= 7"


def test_the_black_box_says_how_often_fresh_answers_were_in_its_event() -> None:
    """Of each sample in its own place, whichever of the two gives itself away."""
    seven, ones = np.full(4000, 7.0), np.full(4000, 1.0)
    mostly = np.where(np.arange(4000) % 4 < 2, 7.0, 1.0)  # half of each half
    for p, q, event, hits in (
        (mostly, ones, "= 7", (1000, 0)),
        (ones, mostly, "= 7", (0, 1000)),
        (seven, ones, "= 7", (2000, 0)),
    ):
        finding = black_box(p, q, 1.0)
        assert (str(finding.event), finding.hits) == (event, hits)


def test_the_delta_of_a_claim_is_spent_before_a_loss_is_certified() -> None:
    """What (epsilon, delta) allows is not held against it."""
    noise, size = SimulationNoise(14), 20_000
    p = normal(1, 3.7306316348).simulate(noise.uniforms(1, size))
    q = normal(0, 3.7306316348).simulate(noise.uniforms(1, size))
    assert not black_box(p, q, 1.0, 1e-5).refuted
    allowed = [np.where(noise.uniforms(1, size)[0] < share, 1.0, 0.0) for share in (0.05, 0.0)]
    assert black_box(allowed[0], allowed[1], 1.0, 0.0).refuted
    assert not black_box(allowed[0], allowed[1], 1.0, 0.06).refuted
