"""Whole noise: exact samplers of whole numbers, of any size, made of secret bits; nothing here is random."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from discreet.mechanisms.brackets import decay

Bits = Callable[[int], int]  # returns so many independent random bits as a whole number
Bounds = tuple[int, int]  # of a number between 0 and 1, in multiples of 2**-precision: not above, not below

FIRST_BITS = 128
MORE_BITS = 64


def below(bits: Bits, high: int) -> int:
    """Draw a whole number from 0 to high - 1, each equally likely."""
    size = (high - 1).bit_length()
    while True:
        drawn = bits(size) if size else 0
        if drawn < high:
            return drawn


def _accepts(bits: Bits, part: int, whole: int) -> bool:
    """Draw True with probability exactly exp(-part / whole), part from 0 to whole.

    The number of successes before a chance of part / (whole k) first fails at step k is even with
    just that probability (the alternating series of the exponential).
    """
    step = 1
    while below(bits, whole * step) < part:
        step += 1
    return step % 2 == 1


def decaying(bits: Bits, scale: float | Fraction) -> int:
    """Draw a whole number k from 0 up with probability proportional to exp(-k / scale), of any size.

    With scale = t/s, u + t v has chances in proportion to exp(-x/t), and its s-th part rounded
    down those of k (Canonne, Kamath and Steinke 2020, algorithm 2).
    """
    t, s = scale.as_integer_ratio()
    while True:
        u = below(bits, t)
        if not _accepts(bits, u, t):
            continue
        v = 0
        while _accepts(bits, 1, 1):
            v += 1
        return (u + t * v) // s


def geometric(bits: Bits, scale: float) -> int:
    """Draw a whole number z with probability proportional to exp(-|z| / scale), of any size."""
    while True:
        size, negative = decaying(bits, scale), bits(1)
        if size or not negative:
            return -size if negative else size


def less_noise(bits: Bits, noise: int, old: Fraction, new: Fraction) -> int:
    """Draw the smaller noise Z of scale `new` that lies inside geometric noise Z + W of scale `old`.

    With a = exp(-1/old), c = exp(-1/new) and b = c/a, geometric noise of ratio a is noise of ratio c
    plus an independent W, which is 0 with chance (1-a)^2 c / ((1-c)^2 a) and else geometric of ratio a
    (the two characteristic functions differ by just that factor). Given Z + W = d >= 0, Z is d with
    chance (1-a^2) b^(d+1) / (1-c^2), lies below 0 with (1-b) a c, from 0 to d with (1-a c)(1-b^(d+1)),
    beyond d with (1-b) a c b^d; in these parts chances fall by a c, b and a c from one number to the next.
    """
    size, sign = abs(noise), -1 if noise < 0 else 1
    outwards = 1 / (1 / old + 1 / new)
    part = _part(bits, size, 1 / old, 1 / new)
    if part == 0:
        return noise
    if part == 1:
        return -sign * (1 + decaying(bits, outwards))
    if part == 2:
        return sign * (decaying(bits, 1 / (1 / new - 1 / old)) % (size + 1))
    return sign * (size + 1 + decaying(bits, outwards))


def less_chances(d: int, old: Fraction, new: Fraction, precision: int = 400) -> tuple[float, ...]:
    """Return the chances of the four parts as they are drawn, given noise of d."""
    sums, whole = _sums(d, 1 / old, 1 / new, precision)
    ends = [0, *(low for low, _ in sums), whole[0]]
    return tuple((b - a) / whole[0] for a, b in zip(ends, ends[1:], strict=False))


def _part(bits: Bits, d: int, old: Fraction, new: Fraction) -> int:
    """Draw in which of the four parts the smaller noise lies, exactly: bits are added until it is decided."""
    size, u = FIRST_BITS, bits(FIRST_BITS)
    while True:
        sums, whole = _sums(d, old, new, size + MORE_BITS)
        low, high = u * whole[0] >> size, ((u + 1) * whole[1] >> size) + 1
        i = bisect_right([upper for _, upper in sums], low)
        if i == len(sums) or high <= sums[i][0]:
            return i
        u, size = (u << MORE_BITS) | bits(MORE_BITS), size + MORE_BITS


def _falling(rate: Fraction, steps: int, precision: int) -> Bounds:
    low = decay(rate, steps, precision)
    return low, low + 2


def _rest(of: Bounds, precision: int) -> Bounds:
    return (1 << precision) - of[1], (1 << precision) - of[0]


@lru_cache(maxsize=64)
def _of_scales(old: Fraction, new: Fraction, precision: int) -> tuple[Bounds, Bounds, Bounds, Bounds]:
    """Return bounds of what follows from the scales alone, which are public: 1 - b, a c, 1 - a^2 and 1 - c^2."""
    step, both = _falling(new - old, 1, precision), _falling(new + old, 1, precision)
    twice, whole = (_rest(_falling(rate, 2, precision), precision) for rate in (old, new))
    return _rest(step, precision), both, twice, whole


def _sums(d: int, old: Fraction, new: Fraction, precision: int) -> tuple[list[Bounds], Bounds]:
    """Return bounds of the chances of the first one, two and three parts, and of all, times 1 - c^2."""

    def times(first: Bounds, second: Bounds) -> Bounds:
        return max(0, first[0]) * max(0, second[0]) >> precision, (first[1] * second[1] >> precision) + 1

    step, both, twice, whole = _of_scales(old, new, precision)
    further = _falling(new - old, d + 1, precision)
    beyond, apart = _rest(further, precision), _rest(both, precision)
    parts = times(twice, further), times(step, both), times(apart, beyond)
    sums, total = [], (0, 0)
    for part in parts:
        total = total[0] + part[0], total[1] + part[1]
        sums.append(total)
    return sums, whole
