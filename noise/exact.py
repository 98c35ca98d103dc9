"""Exact samplers: secret bits in, the double nearest to the ideal real-valued result out.

Nothing here is random: every function takes `bits(n)`, which returns n independent random bits as an integer. A uniform
number is an interval of such bits; it is refined by 64 more bits until both of its ends lead to the same double (or to
the same side of a comparison). Floating point is therefore mere post-processing of the real-valued mechanism, and the
low bits of a result reveal nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from discreet.noise.protocol import Number
from discreet.noise.samplers import (
    FIRST_BITS,
    MORE_BITS,
    Bits,
    Ratio,
    around,
    below,
    core_tail_size,
    decay,
    student_factor,
)


def core_tail(bits: Bits, centre: Number, scale: float, m: int) -> float:
    """Draw the double nearest to centre + scale W, with W core-tail noise of r = 1/m."""
    c = centre.as_integer_ratio()
    s = scale.as_integer_ratio()
    sign = 1 if bits(1) else -1
    size = FIRST_BITS
    u = bits(FIRST_BITS)
    while True:
        if u > 0:
            low = core_tail_size(u + 1, size, m, size, up=False)
            high = core_tail_size(u, size, m, size, up=True)
            ends = [around(c, s, sign, w, size) for w in (low, high)]
            if ends[0] == ends[1]:
                return ends[0]
        u, size = (u << MORE_BITS) | bits(MORE_BITS), size + MORE_BITS


def student(bits: Bits, centre: Number, scale: float, nu: int) -> float:
    """Draw the double nearest to centre + scale T, T Student-t, by Bailey's polar method."""
    c = centre.as_integer_ratio()
    s = scale.as_integer_ratio()
    sign = 1 if bits(1) else -1
    while True:
        drawn = _student_try(bits, c, s, sign, nu)
        if drawn is not None:
            return drawn


def _student_try(bits: Bits, c: Ratio, s: Ratio, sign: int, nu: int) -> float | None:
    size = FIRST_BITS
    u = bits(size)
    v = bits(size)
    while True:
        low = u * u + v * v
        high = (u + 1) ** 2 + (v + 1) ** 2
        if low >= 1 << (2 * size):
            return None
        if low > 0 and high <= 1 << (2 * size):
            small = u * student_factor(high, size, nu, up=False) >> size
            large = ((u + 1) * student_factor(low, size, nu, up=True) >> size) + 1
            ends = [around(c, s, sign, w, size) for w in (small, large)]
            if ends[0] == ends[1]:
                return ends[0]
        u, v = (u << MORE_BITS) | bits(MORE_BITS), (v << MORE_BITS) | bits(MORE_BITS)
        size += MORE_BITS


def bernoulli(bits: Bits, probability: float) -> bool:
    """Draw True with exactly the probability that the float represents."""
    numerator, denominator = probability.as_integer_ratio()
    return below(bits, denominator) < numerator


def bernoulli_exp(bits: Bits, rate: float, distance: int) -> bool:
    """Draw True with probability exactly exp(-rate distance)."""
    if distance == 0:
        return True
    size = MORE_BITS
    u = bits(MORE_BITS)
    while True:
        bound = decay(rate, distance, size)
        if u + 1 <= bound:
            return True
        if u >= bound + 2:
            return False
        u, size = (u << MORE_BITS) | bits(MORE_BITS), size + MORE_BITS


def _cumulative(
    distances: Sequence[int], widths: Sequence[int], rate: float, precision: int
) -> tuple[list[int], list[int]]:
    """Return cumulative weights in multiples of 2**-precision, and how far each of them may be too low."""
    order = sorted(range(len(distances)), key=distances.__getitem__)
    factors: dict[int, int] = {}
    weight = 1 << precision
    error = 0
    last = distances[order[0]]
    exact: list[tuple[int, int]] = [(0, 0)] * len(distances)
    for i in order:
        gap = distances[i] - last
        if gap:
            if gap not in factors:
                factors[gap] = decay(rate, gap, precision)
            weight = weight * factors[gap] >> precision
            error, last = error + 3, distances[i]
        exact[i] = weight * widths[i], error * widths[i]
    sums = []
    errors = []
    total = 0
    slack = 0
    for amount, unsure in exact:
        total, slack = total + amount, slack + unsure
        sums.append(total)
        errors.append(slack)
    return sums, errors


def exponential(bits: Bits, distances: Sequence[int], widths: Sequence[int], rate: float) -> int:
    """Draw index i with probability exactly proportional to widths[i] exp(-rate distances[i])."""
    size = FIRST_BITS
    u = bits(FIRST_BITS)
    while True:
        precision = size + MORE_BITS
        sums, errors = _cumulative(distances, widths, rate, precision)
        low = u * sums[-1] >> size
        high = ((u + 1) * (sums[-1] + errors[-1]) >> size) + 1
        i = bisect_right(sums, low)
        clear_below = i == 0 or sums[i - 1] + errors[i - 1] <= low
        if i < len(sums) and clear_below and high <= sums[i]:
            return i
        u, size = (u << MORE_BITS) | bits(MORE_BITS), size + MORE_BITS


def permute_and_flip(bits: Bits, scores: Sequence[int], rate: float) -> int:
    """Draw an index: in random order, accept i with probability exp(rate (s_i - best))."""
    best = max(scores)
    order = list(range(len(scores)))
    for left in range(len(order), 0, -1):
        j = below(bits, left)
        candidate = order[j]
        order[j] = order[left - 1]
        if bernoulli_exp(bits, rate, best - scores[candidate]):
            return candidate
    raise AssertionError("the best candidate is always accepted")
