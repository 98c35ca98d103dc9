"""Moments: the law of what is computed from soft counts of one draw, and the exact intervals that they give.

A value t from 0 to 1 is split into pieces that are at least 0 and add up to 1: (1 - t, t), or
((1 - t)^2, 2t(1 - t), t^2). Their sums over the rows determine the number of rows, the sum and (of three) the sum of
squares.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Protocol

import numpy as np
from scipy import special

from discreet.mechanisms.laws.law import Answer, Interval, Law, Measured, Noisy, Product
from discreet.noise.protocol import NoiseSource, Number
from discreet.queries.bounds import FloatArray

# --- Forms: a weighted sum of independent Laplace noises of scale 1, and the set of values that it allows ---

APART = 4e-3  # weights that are closer are moved apart, upwards
LEAST = 1e-6  # of the largest weight: smaller ones count as this
HALVINGS = 44
SMALLEST = 1e-9  # of the range: the cells by which an end is found
OUTWARD = 1e-12  # of the range: more than all rounding of an end
Form = tuple[float, ...]


def form_tail(weights: Sequence[float], t: float) -> float:
    """Return P(|sum of w_i X_i| > t) for Laplace noises X_i of scale 1, or slightly more.

    For different weights it is sum of a_i e^(-t / w_i), a_i = product over j of w_i^2 / (w_i^2 - w_j^2), by partial
    fractions of the characteristic function. Weights that are nearly equal are increased: a sum of independent
    symmetric unimodal variables only spreads if one of them does (Birnbaum 1948), so its tail only grows. With more
    than a few weights, fractions would cancel: see `_periodic_tail`.
    """
    most = max(map(abs, weights))
    if most == 0:
        return 0.0 if t > 0 else 1.0
    t = t / most
    if len(weights) > FEW:
        return 1.0 if t == 0 else _periodic_tail([max(abs(each) / most, FAINT) for each in weights], t)
    squares: list[float] = []
    for weight in sorted(max(abs(each) / most, LEAST) for each in weights):
        floor = math.sqrt(squares[-1]) * (1 + APART) if squares else 0.0
        squares.append(max(weight, floor) ** 2)
    total = 0.0
    for square in squares:
        part = math.exp(-t / math.sqrt(square))
        for other in squares:
            part *= square / (square - other) if other != square else 1.0
        total += part
    return min(1.0, max(0.0, total))


FEW = 3  # weights of which fractions are summed
NEAR, FAR = 20.0, 50.0  # the largest t that is looked up on the smaller circle, and at all
CIRCLES = {NEAR: 60.0, FAR: 120.0}
FAINT = 0.05  # of the largest weight: smaller ones count as this, so that the series ends
HIGHEST = 60.0  # frequency
CUT_OFF = 1e-9  # more than what is wrapped, and than all terms that are left out


@lru_cache(maxsize=2)
def _frequencies(circle: float) -> tuple[FloatArray, FloatArray]:
    step = 2 * math.pi / circle
    frequencies = np.asarray(np.arange(1, math.ceil(HIGHEST / step) + 1) * step, dtype=np.float64)
    return frequencies, frequencies**2


def _periodic_tail(weights: Sequence[float], t: float) -> float:
    """Return P(|sum of w_i X_i| > t), or at most twice CUT_OFF more, for six to nine weights from FAINT to 1.

    The Fourier series with the characteristic function, the product of 1 / (1 + w^2 u^2), is that of the distribution
    wrapped around a circle, exactly (Poisson): values count as inside if they are so after wrapping, and those that
    were not before lie at least 40 from 0. By Chernoff's bound at 0.8 that has a probability of at most
    2 (1 / 0.36)^9 e^(-32) < 3e-10. The terms left out have u > 60 and, of six weights, add up to less than 2e-10.
    """
    t = min(t, FAR)
    circle = CIRCLES[NEAR if t <= NEAR else FAR]
    frequencies, squared = _frequencies(circle)
    spectrum = np.ones_like(squared)
    for weight in weights:
        spectrum *= 1 + weight**2 * squared
    inside = 2 / circle * (t + 2 * float(np.sum(np.sin(t * frequencies) / (frequencies * spectrum))))
    return min(1.0, max(0.0, 1 - inside) + CUT_OFF)


@lru_cache(maxsize=4096)
def form_width(weights: Form, miss: float) -> float:
    """Return a t with P(|sum of w_i X_i| > t) <= miss, at most a few thousandths too large."""
    low = 0.0
    high = math.fsum(map(abs, weights)) * math.log(len(weights) / miss)  # no noise is beyond its part of it
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if form_tail(weights, middle) > miss else (low, middle)
    return high


def normal_tail(weights: Sequence[float], t: float) -> float:
    """Return P(|sum of w_i X_i| > t) for normal noises X_i of deviation 1: it grows with each weight."""
    spread = math.hypot(*weights)
    return math.erfc(t / (spread * math.sqrt(2))) if spread else float(t <= 0)


def normal_width(weights: Form, miss: float) -> float:
    """Return a t with P(|sum of w_i X_i| > t) <= miss."""
    return math.hypot(*weights) * -float(special.ndtri(miss / 2))


@dataclass(frozen=True)
class Forms:
    """The tail of a weighted sum of noises of scale 1, and where it is small. It grows with each weight."""

    tail: Callable[[Sequence[float], float], float]
    width: Callable[[Form, float], float]


LAPLACES, NORMALS = Forms(form_tail, form_width), Forms(normal_tail, normal_width)

EXACT = 60  # halvings, after which a double has no more digits


@lru_cache(maxsize=256)
def _gamma_parts(many: int) -> FloatArray:
    """Return the weights of gamma tails of which the tail of equal noises consists: all are positive, 1/2 together.

    The density of the sum of j Laplace noises of scale 1 is e^-|t| times the sum over k < j of a_k |t|^k with
    a_k = (2j - 2 - k)! 2^k / (k! (j - 1 - k)! (j - 1)! 2^(2j - 1)); the weights are a_k k!.
    """
    k = np.arange(many)
    logs = (
        special.gammaln(2 * many - 1 - k)
        + k * math.log(2)
        - special.gammaln(many - k)
        - math.lgamma(many)
        - (2 * many - 1) * math.log(2)
    )
    return np.asarray(np.exp(logs))


def equal_tail(many: int, t: Any) -> FloatArray:
    """Return P(X_1 + ... + X_j > t) for Laplace noises of scale 1: of equal noises it has an exact form."""
    places = np.asarray(t, dtype=np.float64)
    k = np.arange(1, many + 1)
    above = (special.gammaincc(k, np.abs(places)[..., None]) * _gamma_parts(many)).sum(axis=-1)
    return np.asarray(np.where(places < 0, 1 - above, above))


@dataclass(frozen=True)
class Laplaces:
    """The sum of several independent Laplace noises of scale 1, as one shape."""

    many: int

    def cdf(self, z: Any) -> FloatArray:
        """Return P(Z <= z)."""
        return 1 - equal_tail(self.many, z)

    def quantile(self, p: Any) -> FloatArray:
        """Return the z with P(Z <= z) = p."""
        p = np.asarray(p, dtype=np.float64)
        high = np.asarray(self.many * np.log(self.many / np.minimum(2 * p, 2 - 2 * p)))  # as in `equal_width`
        low = np.zeros(high.shape)
        for _ in range(EXACT):
            middle = (low + high) / 2
            above = equal_tail(self.many, middle) > np.minimum(p, 1 - p)
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        return np.asarray(np.where(p < 0.5, -high, high))

    def log_density(self, z: Any) -> FloatArray:
        """Return the logarithm of the density at z."""
        z = np.abs(np.asarray(z, dtype=np.float64))[..., None]
        k = np.arange(self.many)
        terms = special.xlogy(k, z) - special.gammaln(k + 1) + np.log(_gamma_parts(self.many))
        return np.asarray(special.logsumexp(terms, axis=-1) - z[..., 0])

    def draw(self, noise: NoiseSource, centre: Number, scale: float) -> float:
        """Draw centre + scale Z: each of the noises by itself."""
        return math.fsum(noise.laplaces([centre, *[0] * (self.many - 1)], scale))


@lru_cache(maxsize=4096)
def equal_width(many: int, miss: float) -> float:
    """Return a t with P(|X_1 + ... + X_j| > t) <= miss, for Laplace noises of scale 1."""
    low, high = 0.0, many * math.log(many / miss)  # no noise is beyond its part of it
    for _ in range(EXACT):
        middle = (low + high) / 2
        low, high = (middle, high) if 2 * float(equal_tail(many, middle)) > miss else (low, middle)
    return high


NODES = 48  # of the sum that inverts a characteristic function
REACH = 9.0  # standard deviations, and as many largest weights twice: where it repeats
Weights = Sequence[tuple[Any, Any]]


def sums_tail(weights: Weights, x: FloatArray) -> FloatArray:
    """Return P(sum of w_i X_i >= x) for many independent Laplace noises X_i of scale 1, or slightly more.

    `weights` are pairs: a weight, and how many noises have it; both may be arrays as long as x. The characteristic
    function f(u) = product of (1 + w^2 u^2)^-k is even, so with a step h the sum of sin((j + 1/2) h x) f((j + 1/2) h)
    / (pi (j + 1/2)) over all j >= 0 is E g(x - W) for the square wave g of period 4 pi / h that is 1/2 just above 0
    (Davies 1973). It is 1/2 - P(W >= x) but for the chance that |W| > 2 pi / h - |x|, which Chernoff's bound limits.
    What the terms that are left out amount to is limited by the power with which f falls, which only grows. Both limits
    are added; far out, where they are large, Chernoff's bound of the tail itself is taken.
    """
    pairs, variance, most = _taken(weights, np.shape(x))
    spread = np.sqrt(variance)
    reach = REACH * (spread + 2 * most)
    step = 2 * np.pi / (np.abs(x) + reach)

    def logs(u: FloatArray) -> FloatArray:
        return np.asarray(-sum(many * np.log1p((w * u) ** 2) for w, many in pairs))

    inner = np.zeros(x.shape)
    for node in range(NODES):
        u = (node + 0.5) * step
        inner = inner + np.sin(u * x) * np.exp(logs(u)) / (np.pi * (node + 0.5))
    u = (NODES - 0.5) * step
    power = sum(2 * many * (w * u) ** 2 / (1 + (w * u) ** 2) for w, many in pairs)
    rest = np.exp(logs(u)) / (np.pi * power)
    inverted = np.clip(0.5 - inner + rest + 2 * chernoff(pairs, reach), 0.0, 1.0)
    return np.asarray(np.minimum(inverted, chernoff(pairs, x)))


def chernoff(weights: Weights, x: FloatArray) -> FloatArray:
    """Return a bound of P(sum of w_i X_i >= x): the least E exp(s (W - x)) of some s."""
    pairs, variance, most = _taken(weights, np.shape(x))
    bounds = np.zeros(x.shape)
    for part in (0.5, 0.7, 0.85, 1.0):
        for limit in (0.5, 0.8, 0.95):
            s = np.minimum(part * np.maximum(x, 0.0) / variance, limit / most)
            bounds = np.minimum(bounds, -s * x - sum(many * np.log1p(-((w * s) ** 2)) for w, many in pairs))
    return np.asarray(np.exp(bounds))


def chernoff_width(weights: Weights, miss: float, shape: tuple[int, ...]) -> FloatArray:
    """Return x with P(sum of w_i X_i >= x) <= miss, by the same bound."""
    pairs, variance, most = _taken(weights, shape)
    best = np.full(shape, np.inf)
    for part in (0.6, 0.7, 0.8, 0.9, 1.0):
        for limit in (0.6, 0.8, 0.95):
            s = np.minimum(part * np.sqrt(2 * math.log(1 / miss) / variance), limit / most)
            best = np.minimum(best, (-sum(many * np.log1p(-((w * s) ** 2)) for w, many in pairs) - math.log(miss)) / s)
    return best


def _taken(
    weights: Weights, shape: tuple[int, ...]
) -> tuple[list[tuple[FloatArray, FloatArray]], FloatArray, FloatArray]:
    """Return weights and numbers of noises as arrays, the variance of the sum, and its largest weight."""
    every = [(np.abs(np.broadcast_to(w, shape)), np.broadcast_to(many, shape)) for w, many in weights]
    pairs = [(np.where(many > 0, np.maximum(w, LEAST), 0.0), many) for w, many in every]
    variance = np.sum([2 * many * w**2 for w, many in pairs], axis=0)
    return pairs, variance, np.max([w for w, _ in pairs], axis=0)


def outer_ends(likely: Callable[[float, float], bool], most: float, least: float = 0.0) -> Interval:
    """Return the ends of all cells of [least, most] that may contain a likely value; [least, most] if there is none.

    `likely` is True for every cell with a likely value in it, so none is outside of the ends.
    """
    low = _first(likely, least, most)
    high = _first(lambda first, last: likely(-last, -first), -most, -least)
    if low is None or high is None:
        return least, most
    return max(least, low - OUTWARD), min(most, OUTWARD - high)


def _first(likely: Callable[[float, float], bool], low: float, high: float) -> float | None:
    """Return the lower end of the first of the smallest cells that is likely; None if there is none."""
    smallest = (high - low) * SMALLEST
    cells = [(low, high)]
    while cells:
        low, high = cells.pop()
        if likely(low, high):
            if high - low <= smallest:
                return low
            middle = (low + high) / 2
            cells += [(middle, high), (low, middle)]
    return None


def nearest(first: float, last: float) -> float:
    """Return how near to 0 a number between these two may be."""
    return max(0.0, min(first, last), -max(first, last))


def means(size: float, first: float, places: Form, miss: float, forms: Forms = LAPLACES) -> Interval:
    """Return the range of means mu of t, given the noisy number of rows and sum of t in units of the noise.

    `places` are the t of which each piece is the sum. Whatever the rows are, S - mu n is the noise of the pieces
    weighted by place - mu, so all mu whose tail there is at least `miss` contain the true one, exactly. Without rows
    nothing is excluded.
    """
    if size <= 0:
        return 0.0, 1.0

    def likely(low: float, high: float) -> bool:
        weights = [max(abs(place - low), abs(place - high)) for place in places]
        return forms.tail(weights, nearest(first - low * size, first - high * size)) >= miss

    return outer_ends(likely, 1.0)


def variances(
    size: float, power: float, about: Interval, off: Interval, miss: float, forms: Forms = LAPLACES
) -> Interval:
    """Return the range of variances v of t, given its noisy value and a range of means.

    With mu the mean, Q - 2 mu S + (mu^2 - v) n = n (Q/n - (S/n)^2 - v + (mu - S/n)^2) is the noise of the pieces
    weighted by mu^2 - v, mu^2 - mu - v and (1 - mu)^2 - v, whatever the rows are. `about` contains mu, `off` the last
    square. Each weight is bounded over all means and variances of a cell, so no likely variance is left out; one above
    mu (1 - mu) is impossible.
    """
    if size <= 0:
        return 0.0, 0.25
    start, stop = about
    middle = min(max(0.5, start), stop)
    squares = (
        (start**2, stop**2),
        (middle**2 - middle, max(start**2 - start, stop**2 - stop)),
        ((1 - stop) ** 2, (1 - start) ** 2),
    )

    def likely(low: float, high: float) -> bool:
        weights = [max(last - low, high - first) for first, last in squares]
        return forms.tail(weights, size * nearest(power - high + off[0], power - low + off[1])) >= miss

    return outer_ends(likely, middle * (1 - middle))


# --- Measures: what is computed from the noisy pieces: a value, its interval, and wider ones from what was released ---

OF_MEAN = 0.1  # of the probability that an interval for a spread misses: for the mean in it


@dataclass(frozen=True)
class Scale:
    """The public values of a draw: the scale of the noise, the number of pieces, the lower bound and the width.

    `each` is what a row adds to a count at most: 1, or the cap of the weights.
    """

    noise: float
    pieces: int
    low: float
    width: float
    each: float = 1.0
    forms: Forms = LAPLACES

    @property
    def places(self) -> Form:
        """The t of which each piece is the sum."""
        return tuple(at / (self.pieces - 1) for at in range(self.pieces))

    def sums(self, numbers: Any) -> Sums:
        """Return the sums of noisy pieces."""
        return Sums.of(numbers, self)


@dataclass(frozen=True)
class Sums:
    """The noisy number of rows, sum of t, and sum of its squares (0 of two pieces), of one draw or of many."""

    size: Any
    first: Any
    second: Any

    @classmethod
    def of(cls, numbers: Any, scale: Scale) -> Sums:
        """Return the sums of noisy pieces."""
        first = sum(place * number for place, number in zip(scale.places, numbers, strict=True))
        return cls(sum(numbers), first, numbers[-1] if scale.pieces > 2 else 0 * numbers[0])


class Measure(Protocol):
    """What is computed from the pieces of a draw."""

    @property
    def pieces(self) -> int:
        """How many pieces it needs."""

    @property
    def sure(self) -> bool:
        """Whether its half width is public, whatever the rows are."""

    def half(self, scale: Scale, rows: float | None, miss: float) -> float | None:
        """Return its half width for a guess of the number of rows; None if that is not enough."""

    def value(self, sums: Sums, scale: Scale) -> FloatArray:
        """Return the value, of many draws."""

    def interval(self, sums: Sums, scale: Scale, miss: float) -> Interval:
        """Return an interval that misses the true value with probability `miss` at most, on any rows."""

    def wider(self, value: float, size: float, scale: Scale, miss: float) -> Interval:
        """Return such an interval from the released value and number of rows alone."""


@dataclass(frozen=True)
class Linear:
    """The number of rows, or the sum of their values: a public weight for each piece."""

    total: bool
    pieces: int = 2
    sure: ClassVar[bool] = True

    def weights(self, scale: Scale) -> Form:
        """Return the weight of each piece."""
        return tuple(scale.each * (scale.low + scale.width * place if self.total else 1.0) for place in scale.places)

    def half(self, scale: Scale, rows: float | None, miss: float) -> float:
        """Return the half width, which is public."""
        return scale.noise * scale.forms.width(self.weights(scale), miss)

    def value(self, sums: Sums, scale: Scale) -> FloatArray:
        """Return the weighted sum, within its range."""
        value = scale.each * (scale.low * sums.size + scale.width * sums.first if self.total else sums.size)
        least = 0.0 if scale.low >= 0 or not self.total else -np.inf
        most = 0.0 if scale.low + scale.width <= 0 and self.total else np.inf
        return np.asarray(np.clip(value, least, most))

    def interval(self, sums: Sums, scale: Scale, miss: float) -> Interval:
        """Return the value and its half width."""
        return self.wider(float(self.value(sums, scale)), 0.0, scale, miss)

    def wider(self, value: float, size: float, scale: Scale, miss: float) -> Interval:
        """Return the value and its half width: one that was moved into its range excludes less."""
        half = self.half(scale, None, miss)
        return value - half, value + half


@dataclass(frozen=True)
class Middle:
    """The mean; the middle of the bounds where the noisy number of rows is not above 0."""

    pieces: int = 2
    sure: ClassVar[bool] = False

    def half(self, scale: Scale, rows: float | None, miss: float) -> float | None:
        """Return the half width of a mean next to a bound: it is nowhere wider."""
        if not rows:
            return None
        widest = scale.forms.width(scale.places, miss)
        return min(scale.width / 2, scale.width * scale.noise * widest / rows)

    def value(self, sums: Sums, scale: Scale) -> FloatArray:
        """Return the mean."""
        safe = np.where(np.asarray(sums.size) > 0, sums.size, 1.0)
        share = np.where(np.asarray(sums.size) > 0, np.clip(sums.first / safe, 0.0, 1.0), 0.5)
        return np.asarray(scale.low + scale.width * share)

    def interval(self, sums: Sums, scale: Scale, miss: float) -> Interval:
        """Return the exact set of means."""
        ends = means(sums.size / scale.noise, sums.first / scale.noise, scale.places, miss, scale.forms)
        return scale.low + scale.width * ends[0], scale.low + scale.width * ends[1]

    def wider(self, value: float, size: float, scale: Scale, miss: float) -> Interval:
        """Return the set for the released mean: one that was moved to a bound excludes less there."""
        share = (value - scale.low) / scale.width
        return self.interval(Sums(size, share * size, 0.0), scale, miss)


@dataclass(frozen=True)
class Spread:
    """The variance or its root; 0 where the noisy number of rows is not above 0."""

    root: bool
    pieces: int = 3
    sure: ClassVar[bool] = False

    def half(self, scale: Scale, rows: float | None, miss: float) -> None:
        """Return None: it depends on the values."""

    def value(self, sums: Sums, scale: Scale) -> FloatArray:
        """Return the variance or its root."""
        safe = np.where(np.asarray(sums.size) > 0, sums.size, 1.0)
        power = np.clip(sums.second / safe - (sums.first / safe) ** 2, 0.0, 0.25)
        return self._written(np.where(np.asarray(sums.size) > 0, power, 0.0), scale)

    def _written(self, power: Any, scale: Scale) -> FloatArray:
        power = np.asarray(power)
        return np.asarray(scale.width * np.sqrt(power) if self.root else scale.width**2 * power)

    def interval(self, sums: Sums, scale: Scale, miss: float) -> Interval:
        """Return the set of variances over all likely means: both forms are missed with probability `miss` at most."""
        size = sums.size / scale.noise
        middle = sums.first / sums.size if sums.size > 0 else 0.5
        about = means(size, middle * size, scale.places, OF_MEAN * miss, scale.forms)
        squares = [(end - middle) ** 2 for end in about]
        off = 0.0 if about[0] <= middle <= about[1] else min(squares), max(squares)
        power = sums.second / sums.size - middle**2 if sums.size > 0 else 0.0
        return self._ends(size, power, about, off, scale, miss)

    def wider(self, value: float, size: float, scale: Scale, miss: float) -> Interval:
        """Return the set for the released value, over all means: they were not released with it.

        Whatever the mean is, its distance from the noisy one is at most that of the widest form.
        """
        power = (value / scale.width) ** 2 if self.root else value / scale.width**2
        size = size / scale.noise
        far = scale.forms.width((1.0, 0.5, 1.0), OF_MEAN * miss) / size if size > 0 else 1.0
        return self._ends(size, power, (0.0, 1.0), (0.0, far**2), scale, miss)

    def _ends(self, size: float, power: float, about: Interval, off: Interval, scale: Scale, miss: float) -> Interval:
        low, high = variances(size, power, about, off, (1 - OF_MEAN) * miss, scale.forms)
        return float(self._written(low, scale)), float(self._written(high, scale))


# --- Moments: the law of one measure of a draw ---

POINTS = 8192  # of a lattice on which the law of a measure is evaluated: chances are accurate to about 0.001


@lru_cache(maxsize=4)
def _lattice(pieces: int) -> FloatArray:
    """Return evenly spread points of the unit cube: multiples of the powers of a number near the golden ratio."""
    ratio = 2.0
    for _ in range(64):
        ratio = (1 + ratio) ** (1 / (pieces + 1))
    steps = ratio ** -np.arange(1.0, pieces + 1)
    return np.asarray((0.5 + np.outer(steps, np.arange(1, POINTS + 1))) % 1.0)


class Scaled(Protocol):
    """The public values of a draw."""

    def sums(self, numbers: Any) -> Any:
        """Return what measures take, of noisy pieces."""


class Computed(Protocol):
    """What is computed from the sums of a draw."""

    def value(self, sums: Any, scale: Any) -> FloatArray:
        """Return the value, of many draws."""

    def interval(self, sums: Any, scale: Any, miss: float) -> Interval:
        """Return an interval that misses the true value with probability `miss` at most, on any rows."""


@dataclass(frozen=True)
class Moments(Law):
    """What a measure computes from noisy pieces. All that is shown is computed from them."""

    parts: tuple[Noisy, ...] = field(repr=False)
    measure: Computed
    scale: Scaled
    confidence: float = 0.95

    @property
    def everything(self) -> Law:
        """The noisy pieces."""
        return Product(self.parts)

    @property
    def draws(self) -> int:
        """One uniform for each piece."""
        return len(self.parts)

    def simulate(self, uniforms: FloatArray) -> FloatArray:
        """Return one value for each column of uniforms."""
        numbers = [part.quantile(row) for part, row in zip(self.parts, uniforms, strict=True)]
        return self.measure.value(self.scale.sums(numbers), self.scale)

    @cached_property
    def _ordered(self) -> FloatArray:
        return np.sort(self.simulate(_lattice(len(self.parts))))

    def cdf(self, y: Any) -> FloatArray:
        """Return P(answer <= y), on a lattice of noises."""
        return np.asarray(np.searchsorted(self._ordered, np.asarray(y, dtype=np.float64), side="right") / POINTS)

    def quantile(self, p: Any) -> FloatArray:
        """Return the p-quantile, on a lattice of noises."""
        return np.asarray(np.quantile(self._ordered, np.asarray(p, dtype=np.float64)))

    def draw(self, noise: NoiseSource) -> Answer:
        """Draw every piece; the rest is post-processing."""
        return measured(self.everything.draw(noise), self.measure, self.scale, self.confidence)


def measured(numbers: Any, measure: Computed, scale: Scaled, confidence: float = 0.95) -> Measured:
    """Return what drawn pieces give: the value, its interval, and the number of rows."""
    sums = scale.sums(numbers)
    value = float(measure.value(sums, scale))
    low, high = measure.interval(sums, scale, 1 - confidence)
    return Measured(value, (min(low, value), max(high, value)), float(sums.size))
