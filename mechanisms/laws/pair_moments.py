"""Pair moments: slope, prediction, covariance and correlation from soft counts of pairs, with exact intervals.

Two values t and s from 0 to 1 are split into the products of their pieces: ((1 - t)^2, 2t(1 - t), t^2) times
(1 - s, s), or times ((1 - s)^2, 2s(1 - s), s^2). Each split adds up to 1, and so do the products. Their sums over the
rows determine the number of rows, the sums of t, t^2, s and t s, and (of nine) that of s^2.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, ClassVar

import numpy as np

from discreet.mechanisms.laws.law import Interval
from discreet.mechanisms.laws.moments import Form, form_tail, means, nearest, outer_ends
from discreet.queries.bounds import FloatArray

FIRST, SQUARE = (0.0, 0.5, 1.0), (0.0, 0.0, 1.0)  # the value, and the square, of which each of three pieces is the sum
OF_MEANS = 0.05  # of the probability that an interval misses: for each of the two means in it
OF_RATIO = 0.1  # and for the ratio of the spreads in a correlation
OF_LINE = 0.05  # and for the slope in a prediction, and for the weight of the slope in it
Grid = list[list[Interval]]


@dataclass(frozen=True)
class PairScale:
    """The public values of a draw: the scale of the noise, the pieces of s, the ratio of the widths, the grid of x.

    No slope is steeper than from one bound of y to the other within one step of x: `steepest`. A prediction is at the t
    `at`, in the unit of y, whose bounds are from `low` on and have a `width`.
    """

    noise: float
    pieces: int
    ratio: float
    steepest: float
    at: float = 0.0
    low: float = 0.0
    width: float = 1.0

    @property
    def farthest(self) -> Interval:
        """The range of all predictions: within it lies a line through any rows, at any value within the bounds."""
        most = self.steepest / self.ratio * self.width
        return self.low - most, self.low + self.width + most

    @property
    def product(self) -> float:
        """The product of both widths, the unit of a covariance."""
        return self.width * (self.width / self.ratio)

    @property
    def places(self) -> tuple[Form, Form]:
        """The t, and the s, of which each piece is the sum."""
        second = FIRST if self.pieces == len(FIRST) else (0.0, 1.0)
        return tuple(at for at in FIRST for _ in second), second * len(FIRST)

    def sums(self, numbers: Any) -> PairSums:
        """Return the sums of noisy pieces."""
        t, s = self.places

        def weighted(weights: Any) -> Any:
            return sum(weight * number for weight, number in zip(weights, numbers, strict=True))

        square = SQUARE if self.pieces == len(SQUARE) else (0.0, 0.0)
        return PairSums(
            sum(numbers),
            weighted(t),
            weighted(s),
            weighted(at for at in SQUARE for _ in square),
            weighted(square * len(SQUARE)),
            weighted(one * two for one, two in zip(t, s, strict=True)),
        )


@dataclass(frozen=True)
class PairSums:
    """The noisy number of rows, sums of t and s, of their squares, and of t s, of one draw or of many.

    The sum of s^2 is 0 of six pieces.
    """

    size: Any
    first: Any
    second: Any
    squares: Any
    other_squares: Any
    products: Any

    @cached_property
    def known(self) -> Any:
        """Whether the noisy number of rows is above 0."""
        return np.asarray(self.size) > 0

    @cached_property
    def rows(self) -> Any:
        """The number of rows to divide by; 1 where it is not known."""
        return np.where(self.known, self.size, 1.0)

    @property
    def covariance(self) -> Any:
        """The noisy covariance of t and s."""
        return self.products / self.rows - self.first / self.rows * (self.second / self.rows)

    def spread(self, noise: float) -> Any:
        """Return the noisy variance of t; one within its noise counts as two scales of the noise."""
        return np.maximum(self.squares / self.rows - (self.first / self.rows) ** 2, 2 * noise / self.rows)

    def other_spread(self, noise: float) -> Any:
        """Return the noisy variance of s likewise."""
        return np.maximum(self.other_squares / self.rows - (self.second / self.rows) ** 2, 2 * noise / self.rows)


@dataclass(frozen=True)
class Around:
    """Everything about two means that both sets of values share: noisy moments around them, and weights of the noise.

    Ranges are over all likely means. With mu and c the true means, the sums of (t - mu)(s - c), (t - mu)^2 and
    (s - c)^2 are n times covariance and variances, and the noise in them has the weights (p - mu)(q - c),
    p' - 2 mu p + mu^2 and q' - 2 c q + c^2, with p, q the places of a piece and p', q' those of squares.
    """

    size: float
    first: float
    second: float
    covariance: Interval
    spread: Interval
    other: Interval
    crossed: Grid
    own: list[Interval]
    others: list[Interval]

    @classmethod
    def of(cls, sums: PairSums, scale: PairScale, miss: float) -> Around:
        """Return them for one draw with a number of rows above 0; each mean is missed with probability `miss`."""
        size = float(sums.size) / scale.noise
        at, to = float(sums.first / sums.size), float(sums.second / sums.size)
        t, s = scale.places
        mu = means(size, at * size, t, miss)
        c = means(size, to * size, s, miss)
        off, away = (at - mu[1], at - mu[0]), (to - c[1], to - c[0])
        crossed = [
            [_times((p - mu[1], p - mu[0]), (q - c[1], q - c[0])) for q in dict.fromkeys(s)] for p in dict.fromkeys(t)
        ]
        return cls(
            size,
            at,
            to,
            _plus(float(sums.products / sums.size) - at * to, _times(off, away)),
            _plus(float(sums.squares / sums.size) - at**2, _square(off)),
            _plus(float(sums.other_squares / sums.size) - to**2, _square(away)),
            crossed,
            [_about(p, square, mu) for p, square in zip(FIRST, SQUARE, strict=True)],
            [_about(q, square, c) for q, square in zip(FIRST, SQUARE, strict=True)],
        )

    def likely(self, weights: list[Interval], value: Interval, miss: float) -> bool:
        """Whether a sum that is 0 without noise may be this noise: its tail there is at least `miss`."""
        widest = [max(abs(low), abs(high)) for low, high in weights]
        return form_tail(widest, self.size * nearest(*value)) >= miss


def _plus(number: float, span: Interval) -> Interval:
    return number + span[0], number + span[1]


def _added(one: Interval, two: Interval) -> Interval:
    return one[0] + two[0], one[1] + two[1]


def _times(one: Interval, two: Interval) -> Interval:
    ends = [a * b for a, b in product(one, two)]
    return min(ends), max(ends)


def _less(one: Interval, two: Interval) -> Interval:
    return one[0] - two[1], one[1] - two[0]


def _square(span: Interval) -> Interval:
    return nearest(*span) ** 2, max(span[0] ** 2, span[1] ** 2)


def _about(place: float, square: float, middle: Interval) -> Interval:
    """Return the range of p' - 2 m p + m^2 = (m - p)^2 + p' - p^2."""
    return _plus(square - place**2, _square((middle[0] - place, middle[1] - place)))


# --- Measures ---


@dataclass(frozen=True)
class Slope:
    """The slope of y on x by least squares; 0 where the noisy number of rows is not above 0."""

    pieces: ClassVar[int] = 2

    def value(self, sums: PairSums, scale: PairScale) -> FloatArray:
        """Return the slope; a spread within its noise counts as two scales of the noise."""
        slope = np.where(sums.known, sums.covariance / sums.spread(scale.noise), 0.0)
        return np.asarray(np.clip(slope * scale.ratio, -scale.steepest, scale.steepest))

    def interval(self, sums: PairSums, scale: PairScale, miss: float) -> Interval:
        """Return the exact set of slopes.

        Whatever the rows are, n (covariance - slope variance) is noise alone at the true slope and means. As a slope
        tan a it is cos a covariance - sin a variance, which is also known for a vertical line: where that is likely,
        the slope is not bounded.
        """
        low, high = -scale.steepest, scale.steepest
        if not sums.size > 0:
            return low, high
        first, last = self.angles(Around.of(sums, scale, OF_MEANS * miss), (1 - 2 * OF_MEANS) * miss)
        if first > -math.pi / 2:
            low = max(low, math.tan(first) * scale.ratio)
        if last < math.pi / 2:
            high = min(high, math.tan(last) * scale.ratio)
        return low, high

    def angles(self, around: Around, miss: float) -> Interval:
        """Return the range of the angle whose tangent is the slope of s on t."""

        def likely(first: float, last: float) -> bool:
            across, along = _turned(first, last)
            weights = [
                _less(_times(across, crossed), _times(along, own))
                for row, own in zip(around.crossed, around.own, strict=True)
                for crossed in row
            ]
            value = _less(_times(across, around.covariance), _times(along, around.spread))
            return around.likely(weights, value, miss)

        return outer_ends(likely, math.pi / 2, -math.pi / 2)


def _turned(first: float, last: float) -> tuple[Interval, Interval]:
    """Return the ranges of cosine and sine between two angles from -pi/2 to pi/2."""
    ends = math.cos(first), math.cos(last)
    return (max(0.0, min(ends)), 1.0 if first <= 0 <= last else max(ends)), (math.sin(first), math.sin(last))


@dataclass(frozen=True)
class Prediction:
    """The line by least squares at a public t; the middle of y where the noisy number of rows is not above 0."""

    pieces: ClassVar[int] = 2

    def value(self, sums: PairSums, scale: PairScale) -> FloatArray:
        """Return the value of the line; a spread within its noise counts as two scales of the noise."""
        slope = Slope().value(sums, PairScale(scale.noise, scale.pieces, 1.0, np.inf))
        line = np.where(sums.known, sums.second / sums.rows + slope * (scale.at - sums.first / sums.rows), 0.5)
        return np.asarray(np.clip(scale.low + scale.width * line, *scale.farthest))

    def interval(self, sums: PairSums, scale: PairScale, miss: float) -> Interval:
        """Return the exact set of predictions.

        With the true slope b and g = (at - mu) / var t, the first normal equation plus g times the second one,
        sum of (s - y - b (t - at)) + g sum of (t - mu)(s - c - b (t - mu)), is noise alone at the true prediction y.
        This g takes b out of it, so an error of b or g changes it in second order only. Both are bounded first.
        """
        if not sums.size > 0:
            return scale.farthest
        around = Around.of(sums, scale, OF_MEANS * miss)
        angles = Slope().angles(around, OF_LINE * miss), self._angles(around, scale, OF_LINE * miss)
        if not all(-math.pi / 2 < first and last < math.pi / 2 for first, last in angles):
            return scale.farthest
        slopes, lifts = ((math.tan(first), math.tan(last)) for first, last in angles)
        off = around.first - scale.at
        lines = [
            around.second - b * off + g * (covariance - b * spread)
            for b, g, covariance, spread in product(slopes, lifts, around.covariance, around.spread)
        ]
        middle = (min(lines) + max(lines)) / 2
        value = min(lines) - middle, max(lines) - middle
        t, s = scale.places
        cells = zip(t, s, (each for row in around.crossed for each in row), strict=True)
        weights = [
            _spanned(
                q - middle - b * (p - scale.at) + g * (crossed - b * own)
                for b, g, crossed, own in product(slopes, lifts, both, around.own[FIRST.index(p)])
            )
            for p, q, both in cells
        ]

        def likely(first: float, last: float) -> bool:
            across, along = _turned(first, last)
            turned = [_less(_times(across, weight), along) for weight in weights]
            rest = (1 - 2 * OF_MEANS - 2 * OF_LINE) * miss
            return around.likely(turned, _less(_times(across, value), along), rest)

        first, last = outer_ends(likely, math.pi / 2, -math.pi / 2)
        low, high = scale.farthest
        if first > -math.pi / 2:
            low = max(low, scale.low + scale.width * (middle + math.tan(first)))
        if last < math.pi / 2:
            high = min(high, scale.low + scale.width * (middle + math.tan(last)))
        return low, high

    def _angles(self, around: Around, scale: PairScale, miss: float) -> Interval:
        """Return the range of the angle whose tangent is g: n (cos a (at - mu) - sin a var t) is noise alone there."""

        def likely(first: float, last: float) -> bool:
            across, along = _turned(first, last)
            weights = [
                _less(_times(across, (scale.at - p, scale.at - p)), _times(along, around.own[FIRST.index(p)]))
                for p in scale.places[0]
            ]
            off = scale.at - around.first
            value = _less(_times(across, (off, off)), _times(along, around.spread))
            return around.likely(weights, value, miss)

        return outer_ends(likely, math.pi / 2, -math.pi / 2)


def _spanned(values: Iterable[float]) -> Interval:
    every = list(values)
    return min(every), max(every)


@dataclass(frozen=True)
class Covariance:
    """The covariance, with divisor n; 0 where the noisy number of rows is not above 0."""

    pieces: ClassVar[int] = 2

    def value(self, sums: PairSums, scale: PairScale) -> FloatArray:
        """Return the covariance."""
        return np.asarray(scale.product * np.clip(np.where(sums.known, sums.covariance, 0.0), -0.25, 0.25))

    def interval(self, sums: PairSums, scale: PairScale, miss: float) -> Interval:
        """Return the exact set: n (covariance - v) is noise alone at the true v, which is at most 1/4 for any rows."""
        low, high = -0.25, 0.25
        if sums.size > 0:
            around = Around.of(sums, scale, OF_MEANS * miss)

            def likely(first: float, last: float) -> bool:
                weights = [_less(crossed, (first, last)) for row in around.crossed for crossed in row]
                value = _less(around.covariance, (first, last))
                return around.likely(weights, value, (1 - 2 * OF_MEANS) * miss)

            low, high = outer_ends(likely, high, low)
        return scale.product * low, scale.product * high


@dataclass(frozen=True)
class Correlation:
    """Pearson's correlation; 0 where the noisy number of rows is not above 0."""

    pieces: ClassVar[int] = 3

    def value(self, sums: PairSums, scale: PairScale) -> FloatArray:
        """Return the correlation; a spread within its noise counts as two scales of the noise."""
        both = np.sqrt(sums.spread(scale.noise) * sums.other_spread(scale.noise))
        return np.asarray(np.clip(np.where(sums.known, sums.covariance / both, 0.0), -1.0, 1.0))

    def interval(self, sums: PairSums, scale: PairScale, miss: float) -> Interval:
        """Return the exact set of correlations.

        With k = tan a the true ratio of the two standard deviations, n (cos^2 a var s - sin^2 a var t) is noise alone,
        which bounds k. Then n (covariance - r (k var t + var s / k) / 2) is noise alone at the true correlation r; an
        error of k changes it in second order only, because the true k makes k var t + var s / k smallest.
        """
        if not sums.size > 0:
            return -1.0, 1.0
        around = Around.of(sums, scale, OF_MEANS * miss)
        angles = self._angles(around, OF_RATIO * miss)
        if not SLIGHT < angles[0] <= angles[1] < math.pi / 2 - SLIGHT:
            return -1.0, 1.0
        ratios = math.tan(angles[0]), math.tan(angles[1])
        shares = 1 / ratios[1], 1 / ratios[0]
        both = (
            _geometric(around.spread[0], around.other[0], ratios)[0],
            _geometric(around.spread[1], around.other[1], ratios)[1],
        )
        halves = [[_added(_times(ratios, own), _times(shares, other)) for other in around.others] for own in around.own]

        def likely(first: float, last: float) -> bool:
            span = first / 2, last / 2
            weights = [
                _less(crossed, _times(span, half))
                for row, those in zip(around.crossed, halves, strict=True)
                for crossed, half in zip(row, those, strict=True)
            ]
            value = _less(around.covariance, _times(span, both))
            return around.likely(weights, value, (1 - 2 * OF_MEANS - OF_RATIO) * miss)

        return outer_ends(likely, 1.0, -1.0)

    def _angles(self, around: Around, miss: float) -> Interval:
        """Return the range of the angle whose tangent is the ratio of both standard deviations."""

        def likely(first: float, last: float) -> bool:
            along = math.sin(first) ** 2, math.sin(last) ** 2
            across = max(0.0, math.cos(last)) ** 2, math.cos(first) ** 2
            weights = [
                _less(_times(across, other), _times(along, own)) for own, other in product(around.own, around.others)
            ]
            value = _less(_times(across, around.other), _times(along, around.spread))
            return around.likely(weights, value, miss)

        return outer_ends(likely, math.pi / 2)


SLIGHT = 1e-6  # an angle at which one of the spreads may be 0


def _geometric(spread: float, other: float, ratios: Interval) -> Interval:
    """Return the range of k spread + other / k over a range of ratios k."""
    ends = [k * spread + other / k for k in ratios]
    if spread * other > 0 and ratios[0] ** 2 < other / spread < ratios[1] ** 2:
        ends.append(math.copysign(2 * math.sqrt(spread * other), spread))
    return min(ends), max(ends)


PairMeasure = Slope | Correlation | Prediction | Covariance
MEASURES: dict[str, PairMeasure] = {
    "slope": Slope(),
    "correlation": Correlation(),
    "prediction": Prediction(),
    "covariance": Covariance(),
}
