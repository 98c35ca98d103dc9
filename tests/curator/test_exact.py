"""Exact samplers: the result is the double nearest to the ideal real number."""

from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Decimal, getcontext, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.curator import exact
from discreet.mechanisms import brackets, whole_noise
from discreet.mechanisms.nearest import whole_root

DIGITS = 120


def stream(seed: int) -> Callable[[int], int]:
    """Return a source of bits that repeats: the first n bits do not depend on how they are cut."""
    rng, taken = random.Random(seed), []

    def bits(n: int) -> int:
        while len(taken) < n:
            taken.append(rng.getrandbits(1))
        drawn = taken[:n]
        del taken[:n]
        return int("".join(map(str, drawn)) or "0", 2)

    return bits


def ideal_core_tail(seed: int, centre: float, scale: float, m: int) -> float:
    """Compute the answer of the first 1,000 bits with 120 digits, then round once."""
    bits = stream(seed)
    sign = 1 if bits(1) else -1
    u = Fraction(bits(1000), 2**1000)
    with localcontext() as context:
        context.prec = DIGITS
        unit, r = Decimal(1), Decimal(1) / m
        kink = (unit - r) ** (m - 1) if m > 1 else unit
        c = unit / (1 + 2 * r * kink)
        q = c * kink * (1 + r)
        share = Decimal(u.numerator) / Decimal(u.denominator)
        w = m * (1 - (1 - (1 - share) / c) ** r) if share >= q else m * ((1 + r) * (q / share) ** r - 1)
        return float(Decimal(centre) + sign * Decimal(scale) * w)


@pytest.mark.parametrize("m", [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64])
def test_a_core_tail_draw_is_the_double_nearest_to_the_ideal_answer(m: int) -> None:
    """Hundreds of fixed bit streams give exactly the number that high precision gives."""
    for seed in range(60):
        centre, scale = (seed - 30) / 7.0, 10.0 ** ((seed % 13) - 6)
        drawn = exact.core_tail(stream(seed), centre, scale, m)
        assert drawn == ideal_core_tail(seed, centre, scale, m), (seed, centre, scale)


def test_a_naive_core_tail_is_not_the_nearest_double() -> None:
    """Adding floats misses the nearest double often: the test above can fail."""
    missed = 0
    for seed in range(60):
        noise = ideal_core_tail(seed, 0.0, 1.0, 3)
        missed += 1 / 3.0 + 0.1 * noise != ideal_core_tail(seed, 1 / 3.0, 0.1, 3)
    assert missed > 5


@given(st.integers(0, 10**60), st.integers(1, 70))
def test_whole_roots_are_exact(x: int, m: int) -> None:
    """The root is the largest integer whose power does not exceed the number."""
    root = whole_root(x, m)
    assert root**m <= x < (root + 1) ** m


@given(st.floats(1e-3, 50), st.integers(0, 200))
def test_decay_is_a_lower_bound_less_than_two_units_off(rate: float, distance: int) -> None:
    """exp(-rate distance) lies in [bound, bound + 2) units."""
    with localcontext() as context:
        context.prec = DIGITS
        true = (Decimal(-rate) * distance).exp() * 2**192
    bound = brackets.decay(rate, distance, 192)
    assert bound <= true < bound + 2


@given(st.integers(1, 10**9), st.integers(0, 2**40))
def test_whole_numbers_below_a_limit_stay_below_it(high: int, seed: int) -> None:
    """Rejection keeps every draw in range."""
    assert 0 <= whole_noise.below(stream(seed), high) < high


def test_the_refinement_asks_for_more_bits_when_the_first_are_not_enough() -> None:
    """All-zero bits are a survival of almost zero: the interval is refined, never divided by."""
    asked: list[int] = []

    def bits(n: int) -> int:
        asked.append(n)
        return 0 if len(asked) < 5 else (1 << n) - 1

    assert exact.core_tail(bits, 0.0, 1.0, 3) < -1e20
    assert asked[:2] == [1, 128] and set(asked[2:]) == {64}


def test_no_precision_of_the_thread_is_touched() -> None:
    """The samplers use their own decimal contexts."""
    before = getcontext().prec
    exact.exponential(stream(1), [0, 1, 2], [1, 1, 1], 0.3)
    assert getcontext().prec == before
