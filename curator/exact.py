"""Exact samplers: secret bits in, the double nearest to the ideal real answer out.

Nothing here is random: every function takes `bits(n)`, which returns n independent random bits as
an integer. A uniform number is an interval of such bits; it is refined by 64 more until both of its
ends lead to the same double (or to the same side of a comparison), so floating point is mere
post-processing of the real-valued mechanism and its low bits tell nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import isqrt

from discreet.mechanisms.nearest import nearest, whole_root
from discreet.mechanisms.noise_source import Number

Bits = Callable[[int], int]
Ratio = tuple[int, int]  # numerator and denominator


FIRST_BITS = 128
MORE_BITS = 64


def _around(centre: Ratio, scale: Ratio, sign: int, w: int, precision: int) -> float:
    """Return the double nearest to centre + sign scale w / 2**precision."""
    (c, below), (s, parts) = centre, scale
    parts <<= precision
    return nearest(c * parts + sign * s * w * below, below * parts)


def _core_tail_constants(m: int) -> tuple[Fraction, Fraction]:
    kink = Fraction(m - 1, m) ** (m - 1)
    c = 1 / (1 + 2 * kink / m)
    return c, c * kink * (1 + Fraction(1, m))


def core_tail_size(u: int, bits: int, m: int, precision: int, up: bool) -> int:
    """Return |W| with survival probability u / 2**bits, as a multiple of 2**-precision.

    Rounded down, or up: one of two bounds of the real value. Survival q marks |W| = 1.
    """
    c, q = _core_tail_constants(m)
    share = Fraction(u, 1 << bits)
    scaled = m * precision
    if share >= q:
        inner = 1 - (1 - share) / c
        root = whole_root((inner.numerator << scaled) // inner.denominator, m) + (0 if up else 1)
        return max(0, m * ((1 << precision) - root))
    ratio = q / share
    root = whole_root((ratio.numerator << scaled) // ratio.denominator, m) + (1 if up else 0)
    size = (m + 1) * root - (m << precision)
    return max(0, size)


def core_tail(bits: Bits, centre: Number, scale: float, m: int) -> float:
    """Draw the double nearest to centre + scale W, with W core-tail noise of r = 1/m."""
    c, s = centre.as_integer_ratio(), scale.as_integer_ratio()
    sign = 1 if bits(1) else -1
    size, u = FIRST_BITS, bits(FIRST_BITS)
    while True:
        if u > 0:
            low = core_tail_size(u + 1, size, m, size, up=False)
            high = core_tail_size(u, size, m, size, up=True)
            ends = [_around(c, s, sign, w, size) for w in (low, high)]
            if ends[0] == ends[1]:
                return ends[0]
        u, size = (u << MORE_BITS) | bits(MORE_BITS), size + MORE_BITS


def _student_factor(w: int, size: int, nu: int, up: bool) -> int:
    """Return sqrt(nu (W^(-2/nu) - 1) / W) for W = w / 4**size, as a multiple of 2**-size.

    The factor falls with W, so rounding it up and down bounds it.
    """
    guard = 2 * size
    square = w * w
    inverse = ((1 << (4 * size)) << (nu * guard)) // square
    power = whole_root(inverse, nu) + (1 if up else 0)
    inside = nu * (power - (1 << guard)) * (1 << (2 * size)) // w
    return isqrt(max(0, inside)) + (1 if up else 0)


def student(bits: Bits, centre: Number, scale: float, nu: int) -> float:
    """Draw the double nearest to centre + scale T, T Student-t, by Bailey's polar method."""
    c, s = centre.as_integer_ratio(), scale.as_integer_ratio()
    sign = 1 if bits(1) else -1
    while True:
        drawn = _student_try(bits, c, s, sign, nu)
        if drawn is not None:
            return drawn


def _student_try(bits: Bits, c: Ratio, s: Ratio, sign: int, nu: int) -> float | None:
    size = FIRST_BITS
    u, v = bits(size), bits(size)
    while True:
        low, high = u * u + v * v, (u + 1) ** 2 + (v + 1) ** 2
        if low >= 1 << (2 * size):
            return None
        if low > 0 and high <= 1 << (2 * size):
            small = u * _student_factor(high, size, nu, up=False) >> size
            large = ((u + 1) * _student_factor(low, size, nu, up=True) >> size) + 1
            ends = [_around(c, s, sign, w, size) for w in (small, large)]
            if ends[0] == ends[1]:
                return ends[0]
        u, v = (u << MORE_BITS) | bits(MORE_BITS), (v << MORE_BITS) | bits(MORE_BITS)
        size += MORE_BITS


def bernoulli(bits: Bits, probability: float) -> bool:
    """Draw True with exactly the probability that the float stands for."""
    numerator, denominator = probability.as_integer_ratio()
    return below(bits, denominator) < numerator


def decay(rate: float, distance: int, precision: int) -> int:
    """Return a whole bound with bound <= exp(-rate distance) 2**precision < bound + 2."""
    digits = precision // 3 + 20
    context = Context(prec=digits, rounding=ROUND_FLOOR, Emin=-(10**9), Emax=10**9)
    value = context.exp(context.multiply(Decimal(-rate), Decimal(distance)))
    units = context.multiply(value, Decimal(1 << precision))
    slack = context.scaleb(units, 5 - digits)  # more than every rounding above
    return max(0, int(context.subtract(units, slack).to_integral_value(ROUND_FLOOR, context)))


def bernoulli_exp(bits: Bits, rate: float, distance: int) -> bool:
    """Draw True with probability exactly exp(-rate distance)."""
    if distance == 0:
        return True
    size, u = MORE_BITS, bits(MORE_BITS)
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
    """Return cumulative weights in multiples of 2**-precision, and how far each may be too low."""
    order = sorted(range(len(distances)), key=distances.__getitem__)
    factors: dict[int, int] = {}
    weight, error, last = 1 << precision, 0, distances[order[0]]
    exact: list[tuple[int, int]] = [(0, 0)] * len(distances)
    for i in order:
        gap = distances[i] - last
        if gap:
            if gap not in factors:
                factors[gap] = decay(rate, gap, precision)
            weight = weight * factors[gap] >> precision
            error, last = error + 3, distances[i]
        exact[i] = weight * widths[i], error * widths[i]
    sums, errors, total, slack = [], [], 0, 0
    for amount, unsure in exact:
        total, slack = total + amount, slack + unsure
        sums.append(total)
        errors.append(slack)
    return sums, errors


def exponential(bits: Bits, distances: Sequence[int], widths: Sequence[int], rate: float) -> int:
    """Draw index i with probability exactly proportional to widths[i] exp(-rate distances[i])."""
    size, u = FIRST_BITS, bits(FIRST_BITS)
    while True:
        precision = size + MORE_BITS
        sums, errors = _cumulative(distances, widths, rate, precision)
        low, high = u * sums[-1] >> size, ((u + 1) * (sums[-1] + errors[-1]) >> size) + 1
        i = bisect_right(sums, low)
        clear_below = i == 0 or sums[i - 1] + errors[i - 1] <= low
        if i < len(sums) and clear_below and high <= sums[i]:
            return i
        u, size = (u << MORE_BITS) | bits(MORE_BITS), size + MORE_BITS


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


def geometric(bits: Bits, scale: float) -> int:
    """Draw a whole number z with probability proportional to exp(-|z| / scale), of any size.

    With scale = t/s, u + t v has chances in proportion to exp(-x/t), and its s-th part rounded
    down those of |z| (Canonne, Kamath and Steinke 2020, algorithm 2).
    """
    t, s = scale.as_integer_ratio()
    while True:
        u = below(bits, t)
        if not _accepts(bits, u, t):
            continue
        v = 0
        while _accepts(bits, 1, 1):
            v += 1
        size, negative = (u + t * v) // s, bits(1)
        if size or not negative:
            return -size if negative else size


def permute_and_flip(bits: Bits, scores: Sequence[int], rate: float) -> int:
    """Draw an index: in random order, accept i with probability exp(rate (s_i - best))."""
    best, order = max(scores), list(range(len(scores)))
    for left in range(len(order), 0, -1):
        j = below(bits, left)
        candidate = order[j]
        order[j] = order[left - 1]
        if bernoulli_exp(bits, rate, best - scores[candidate]):
            return candidate
    raise AssertionError("the best candidate is always accepted")
