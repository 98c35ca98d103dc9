"""Samplers of exact integer noise of any size, from secret bits, and the rounding that they need."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import isqrt

from discreet.noise.protocol import Number

# --- Rounding: integer roots, and the double nearest to an exact number ---

HUGE = 1.7976931348623157e308  # the largest double


def whole_root(x: int, m: int) -> int:
    """Return the largest integer whose m-th power is at most x."""
    if m == 1 or x < 2:
        return x
    if m % 2 == 0:
        return whole_root(isqrt(x), m // 2)
    root = 1 << -(-x.bit_length() // m)
    while True:
        step = ((m - 1) * root + x // root ** (m - 1)) // m
        if step >= root:
            return root
        root = step


def multiple(number: Number, exponent: int) -> int:
    """Return the multiple of 2**exponent that is nearest to a number, as an integer."""
    numerator, denominator = number.as_integer_ratio()
    if exponent < 0:
        numerator <<= -exponent
    else:
        denominator <<= exponent
    return (2 * numerator + denominator) // (2 * denominator)


def nearest(numerator: int, denominator: int) -> float:
    """Return the double nearest to numerator / denominator; an overflow becomes the largest double."""
    try:
        return numerator / denominator
    except OverflowError:
        return HUGE if numerator > 0 else -HUGE


def rounded(multiples: Sequence[int], exponent: int) -> list[float]:
    """Return the doubles nearest to multiples of 2**exponent."""
    if exponent < 0:
        return [nearest(cells, 1 << -exponent) for cells in multiples]
    return [nearest(cells << exponent, 1) for cells in multiples]


# --- Brackets: integer bounds of real functions, as tight as the caller asks; samplers refine them ---


Ratio = tuple[int, int]  # numerator and denominator


def around(centre: Ratio, scale: Ratio, sign: int, w: int, precision: int) -> float:
    """Return the double nearest to centre + sign scale w / 2**precision."""
    (c, below), (s, parts) = centre, scale
    parts <<= precision
    return nearest(c * parts + sign * s * w * below, below * parts)


@lru_cache(maxsize=64)
def _core_tail_constants(m: int) -> tuple[Fraction, Fraction]:
    kink = Fraction(m - 1, m) ** (m - 1)
    c = 1 / (1 + 2 * kink / m)
    return c, c * kink * (1 + Fraction(1, m))


def core_tail_size(u: int, bits: int, m: int, precision: int, up: bool) -> int:
    """Return |W| with survival probability u / 2**bits, as a multiple of 2**-precision.

    Rounded down or up, so the two results are bounds of the real value. Survival q marks |W| = 1.
    """
    c, q = _core_tail_constants(m)
    whole = 1 << bits
    scaled = m * precision
    if u * q.denominator >= q.numerator * whole:
        least = c.numerator * whole  # 1 - (1 - share) / c is inner / least
        inner = least - (whole - u) * c.denominator
        root = whole_root((inner << scaled) // least, m) + (0 if up else 1)
        return max(0, m * ((1 << precision) - root))
    root = whole_root((q.numerator * whole << scaled) // (q.denominator * u), m) + (1 if up else 0)
    size = (m + 1) * root - (m << precision)
    return max(0, size)


def student_factor(w: int, size: int, nu: int, up: bool) -> int:
    """Return sqrt(nu (W^(-2/nu) - 1) / W) for W = w / 4**size, as a multiple of 2**-size.

    The factor decreases with W, so rounding it up and down bounds it.
    """
    guard = 2 * size
    square = w * w
    inverse = ((1 << (4 * size)) << (nu * guard)) // square
    power = whole_root(inverse, nu) + (1 if up else 0)
    inside = nu * (power - (1 << guard)) * (1 << (2 * size)) // w
    return isqrt(max(0, inside)) + (1 if up else 0)


def decay(rate: float | Fraction, distance: int, precision: int) -> int:
    """Return an integer bound with bound <= exp(-rate distance) 2**precision < bound + 2."""
    digits = precision // 3 + 20
    context = Context(prec=digits, rounding=ROUND_FLOOR, Emin=-(10**9), Emax=10**9)
    numerator, denominator = rate.as_integer_ratio()
    value = context.exp(context.divide(Decimal(-numerator * distance), Decimal(denominator)))
    units = context.multiply(value, Decimal(1 << precision))
    slack = context.scaleb(units, 5 - digits)  # more than the sum of all roundings above
    return max(0, int(context.subtract(units, slack).to_integral_value(ROUND_FLOOR, context)))


# --- Integer noise: exact samplers of integers of any size, from secret bits; nothing here is random ---


Bits = Callable[[int], int]  # returns that many independent random bits as an integer
Bounds = tuple[int, int]  # lower and upper bound of a number between 0 and 1, in multiples of 2**-precision

FIRST_BITS = 128
MORE_BITS = 64


def below(bits: Bits, high: int) -> int:
    """Draw an integer from 0 to high - 1, each equally likely."""
    size = (high - 1).bit_length()
    while True:
        drawn = bits(size) if size else 0
        if drawn < high:
            return drawn


def _accepts(bits: Bits, part: int, whole: int) -> bool:
    """Draw True with probability exactly exp(-part / whole), for part from 0 to whole.

    The number of successes before the first failure, where step k succeeds with probability part / (whole k), is even
    with exactly that probability (the alternating series of the exponential).
    """
    step = 1
    while below(bits, whole * step) < part:
        step += 1
    return step % 2 == 1


def decaying(bits: Bits, scale: float | Fraction) -> int:
    """Draw an integer k >= 0 of any size with probability proportional to exp(-k / scale).

    With scale = t/s, u + t v has probability proportional to exp(-x/t), and its s-th part rounded down has the
    distribution of k (Canonne, Kamath and Steinke 2020, algorithm 2).
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
    """Draw an integer z of any size with probability proportional to exp(-|z| / scale)."""
    while True:
        size = decaying(bits, scale)
        negative = bits(1)
        if size or not negative:
            return -size if negative else size


def less_noise(bits: Bits, noise: int, old: Fraction, new: Fraction) -> int:
    """Draw the smaller noise Z of scale `new` that is contained in geometric noise Z + W of scale `old`.

    With a = exp(-1/old), c = exp(-1/new) and b = c/a, geometric noise of ratio a is noise of ratio c plus an
    independent W, which is 0 with probability (1-a)^2 c / ((1-c)^2 a) and otherwise geometric of ratio a (the two
    characteristic functions differ by exactly that factor). Given Z + W = d >= 0, Z equals d with probability (1-a^2)
    b^(d+1) / (1-c^2), is below 0 with (1-b) a c, from 0 to d with (1-a c)(1-b^(d+1)), and beyond d with (1-b) a c b^d;
    in these parts probabilities decrease by the factors a c, b and a c from one integer to the next.
    """
    size = abs(noise)
    sign = -1 if noise < 0 else 1
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
    """Return the probabilities of the four parts as they are drawn, given noise of d."""
    sums, whole = _sums(d, 1 / old, 1 / new, precision)
    ends = [0, *(low for low, _ in sums), whole[0]]
    return tuple((b - a) / whole[0] for a, b in zip(ends, ends[1:], strict=False))


def _part(bits: Bits, d: int, old: Fraction, new: Fraction) -> int:
    """Draw which of the four parts contains the smaller noise, exactly: bits are added until it is decided."""
    size = FIRST_BITS
    u = bits(FIRST_BITS)
    while True:
        sums, whole = _sums(d, old, new, size + MORE_BITS)
        low = u * whole[0] >> size
        high = ((u + 1) * whole[1] >> size) + 1
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
    """Return bounds of the numbers that depend only on the scales, which are public: 1 - b, a c, 1 - a^2, 1 - c^2."""
    step = _falling(new - old, 1, precision)
    both = _falling(new + old, 1, precision)
    twice, whole = (_rest(_falling(rate, 2, precision), precision) for rate in (old, new))
    return _rest(step, precision), both, twice, whole


def _sums(d: int, old: Fraction, new: Fraction, precision: int) -> tuple[list[Bounds], Bounds]:
    """Return bounds of the probabilities of the first one, two and three parts, and of all, times 1 - c^2."""

    def times(first: Bounds, second: Bounds) -> Bounds:
        return max(0, first[0]) * max(0, second[0]) >> precision, (first[1] * second[1] >> precision) + 1

    step, both, twice, whole = _of_scales(old, new, precision)
    further = _falling(new - old, d + 1, precision)
    beyond = _rest(further, precision)
    apart = _rest(both, precision)
    parts = times(twice, further), times(step, both), times(apart, beyond)
    sums = []
    total = (0, 0)
    for part in parts:
        total = total[0] + part[0], total[1] + part[1]
        sums.append(total)
    return sums, whole
