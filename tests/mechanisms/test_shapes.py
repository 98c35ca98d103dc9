"""Shapes: cdf, quantile and density agree with each other and with published constants."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

from discreet.mechanisms.laws.law import CoreTail, Gaussian, Laplace, Shape, Student
from discreet.mechanisms.staircase import Steps

SHAPES: list[Shape] = [
    Laplace(),
    Gaussian(),
    *(CoreTail(m) for m in (1, 2, 3, 10, 64)),
    *(Student(nu) for nu in (1, 2, 3, 7)),
    *(Steps(epsilon) for epsilon in (0.3, 1.0, 3.0)),
]
CORE_TAIL = {  # m: c, K, then the quantiles of |W| at .1 .5 .9 .95 .99 .999
    100: (0.9926596859, 0.3697296376, 0.106126121, 0.698120983, 2.331993369, 3.043768671, 4.715611700, 7.154751635),
    20: (0.9636368175, 0.3773536025, 0.109262599, 0.718393201, 2.454937673, 3.246809340, 5.194854459, 8.269091656),
    10: (0.9280879431, 0.3874204890, 0.113359716, 0.744617183, 2.621446340, 3.527331246, 5.889459531, 10.003644383),
    2: (0.6666666667, 0.5, 0.156091109, 1.0, 4.708203932, 7.486832981, 19.213203436, 65.082039324),
    1: (0.3333333333, 1.0, 0.3, 1.666666667, 12.333333333, 25.666666667, 132.333333333, 1332.333333),
}


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_quantile_inverts_the_cdf(shape: Shape) -> None:
    """Both directions agree deep into both tails."""
    p = np.concatenate(([1e-9, 1e-6], np.linspace(0.001, 0.999, 999), [1 - 1e-6]))
    assert np.allclose(shape.cdf(shape.quantile(p)), p, rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("shape", SHAPES[:-3], ids=str)  # steps are looked at one by one in test_staircase
def test_the_density_is_the_slope_of_the_cdf_and_sums_to_one(shape: Shape) -> None:
    """The log-density integrates to the cdf, and to one over the whole line."""

    def density(z: float) -> float:
        return float(np.exp(shape.log_density(z)))

    for low, high in ((-3.0, -0.5), (0.25, 0.75), (0.9, 4.0)):
        area = integrate.quad(density, low, high, points=[1.0] if low < 1 < high else None)[0]
        assert area == pytest.approx(float(shape.cdf(high) - shape.cdf(low)), rel=1e-8)
    whole = integrate.quad(density, 0, 1)[0] + integrate.quad(density, 1, np.inf)[0]
    assert 2 * whole == pytest.approx(1.0, rel=1e-7)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_shapes_are_symmetric(shape: Shape) -> None:
    """Noise has no direction."""
    z = np.linspace(0, 50, 101)
    assert np.allclose(shape.cdf(-z), 1 - shape.cdf(z), atol=1e-15)
    assert np.array_equal(shape.log_density(-z), shape.log_density(z))


@pytest.mark.parametrize("m", CORE_TAIL)
def test_core_tail_constants_and_quantiles_are_the_derived_ones(m: int) -> None:
    """c, K and six quantiles of |W| agree with independently computed values."""
    c, kink, *quantiles = CORE_TAIL[m]
    shape = CoreTail(m)
    assert shape.constants[:2] == pytest.approx((kink, c), rel=1e-9)
    levels = np.array([0.1, 0.5, 0.9, 0.95, 0.99, 0.999])
    assert shape.quantile((1 + levels) / 2) == pytest.approx(quantiles, rel=1e-6)


def test_core_tail_tends_to_laplace() -> None:
    """A long tail parameter gives Laplace noise."""
    z = np.linspace(-8, 8, 33)
    assert np.allclose(CoreTail(100_000).cdf(z), Laplace().cdf(z), atol=2e-5)


def test_student_and_gaussian_are_the_known_distributions() -> None:
    """They agree with the reference implementation."""
    z = np.linspace(-9, 9, 37)
    assert np.allclose(Student(3).log_density(z), stats.t.logpdf(z, 3))
    assert np.allclose(Gaussian().log_density(z), stats.norm.logpdf(z))


def test_the_privacy_loss_of_core_tail_is_epsilon_everywhere_on_the_path() -> None:
    """|g'| + beta |1 - z g'| = epsilon for every z: the identity the proof rests on."""
    epsilon = 0.8
    for m in (1, 2, 3, 12, 64):
        beta, z = epsilon / m, np.concatenate((np.linspace(0.01, 0.99, 50), np.linspace(1.01, 40)))
        z = z / epsilon
        h = 1e-6
        up, down = (CoreTail(m).log_density((z + s) * epsilon) for s in (h, -h))
        slope = -(up - down) / (2 * h)
        assert np.allclose(np.abs(slope) + beta * np.abs(1 - z * slope), epsilon, rtol=1e-5)
