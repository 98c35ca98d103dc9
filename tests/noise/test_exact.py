"""Exact samplers: the result is the double nearest to the ideal real number."""

from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Decimal, getcontext, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.noise import exact, samplers
from discreet.noise.samplers import whole_root

DIGITS = 120
PLACES = 1000  # bits of a number that a test chooses


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
    return nearest_core_tail(bits(1), Fraction(bits(1000), 2**1000), centre, scale, m)


def nearest_core_tail(up: int, u: Fraction, centre: float, scale: float, m: int) -> float:
    """Return the double nearest to the noise whose chance to be farther out is a number, on one side."""
    sign = 1 if up else -1
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
    bound = samplers.decay(rate, distance, 192)
    assert bound <= true < bound + 2


def steered(first: int, number: Fraction | int = 0, length: int = 0) -> Callable[[int], int]:
    """Return a source that begins with some bits and goes on with those of a number from 0 to 1, then with zeros."""
    left, held = (1 << length) | first, number * 2**PLACES // 1 if number else 0
    text = f"{left:b}"[1:] + f"{held:0{PLACES}b}"
    at = 0

    def bits(n: int) -> int:
        nonlocal at
        at += n
        return int(text[at - n : at].ljust(n, "0") or "0", 2)

    return bits


def power(rate: float, distance: int) -> Fraction:
    """Return exp(-rate distance) to as many digits as a number has that a test chooses."""
    with localcontext() as context:
        context.prec, context.Emin = PLACES // 3, -(10**6)
        return Fraction((Decimal(-rate) * distance).exp())


FAR = st.tuples(st.floats(0.01, 12), st.integers(1, 40))
SIDES = st.sampled_from([Fraction(-1, 2**120), Fraction(-1, 100), Fraction(1, 2**120), Fraction(1, 100)])


@given(FAR, SIDES)
def test_a_chance_is_exact_however_small_it_is(far: tuple[float, int], beside: Fraction) -> None:
    """Bits that are a number just below exp(-x) are a yes, just above it a no: whatever x is, nothing is cut off."""
    chance = power(*far)
    number = min(chance * (1 + beside), Fraction(1) - Fraction(1, 2**PLACES))
    assert exact.bernoulli_exp(steered(0, number), *far) == (number < chance)
    # of two candidates the worse one is looked at first where the first bit says so
    assert exact.permute_and_flip(steered(1, number, 1), [far[1], 0], far[0]) == int(number < chance)


@given(st.floats(0.01, 12), st.lists(st.tuples(st.integers(0, 40), st.integers(1, 99)), min_size=2, max_size=5), SIDES)
def test_a_choice_goes_over_from_one_to_the_next_where_it_should(
    rate: float, each: list[tuple[int, int]], beside: Fraction
) -> None:
    """Bits that are a number just beside each sum of chances choose what lies on its side, however unlikely it is."""
    distances, widths = zip(*each, strict=True)
    weights = [width * power(rate, distance) for distance, width in each]
    ends = [sum(weights[:at]) / sum(weights) for at in range(1, len(weights))]
    for end in ends:
        for number in (end + beside * min(weights) / sum(weights), end * (1 + beside), 1 - (1 - end) * (1 + beside)):
            if 0 < number < 1:
                drawn = exact.exponential(steered(0, number), distances, widths, rate)
                assert drawn == sum(number >= each for each in ends)


@pytest.mark.parametrize("m", [1, 3, 64])
def test_noise_far_out_is_as_far_as_its_bits_say(m: int) -> None:
    """Down to chances of 2^-300, where a tail that ends early or is another one would be seen."""
    for place in (*range(1, 40), 60, 100, 200, 300):
        for sign in (0, 1):
            number, seed = Fraction(4, 3) / 2**place, steered(sign, Fraction(4, 3) / 2**place, 1)
            assert exact.core_tail(seed, 0.5, 2.0, m) == nearest_core_tail(sign, number, 0.5, 2.0, m), place


@given(st.integers(1, 10**9), st.integers(0, 2**40))
def test_whole_numbers_below_a_limit_stay_below_it(high: int, seed: int) -> None:
    """Rejection keeps every draw in range."""
    assert 0 <= samplers.below(stream(seed), high) < high


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
