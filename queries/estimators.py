"""Estimators for blocks: functions of one or two arrays of numbers, registered by name.

An estimator needs no sensitivity and no proof: a block's estimate is clipped into a public range, and an error or a NaN
becomes a public default. A new estimator is one decorated function:

    @estimator("midrange", "Middle of the range")
    def midrange(x):
        return (x.min() + x.max()) / 2
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from discreet.budget.errors import ParameterError, Phrase
from discreet.queries.bounds import FloatArray
from discreet.queries.query import at_level

Usual = Callable[[float, float], tuple[float, float]]


def whole(low: float, high: float) -> tuple[float, float]:
    """Return the range of the values themselves."""
    return low, high


def always(low: float, high: float) -> Usual:
    """Return a range that does not depend on the values."""
    return lambda *_: (low, high)


def nothing_known(low: float, high: float) -> tuple[float, float]:
    """Return all numbers."""
    return -math.inf, math.inf


def squared(low: float, high: float) -> tuple[float, float]:
    """Return the range of a variance."""
    return 0.0, (high - low) ** 2 / 4


@dataclass(frozen=True)
class Estimator:
    """A named function of `columns` equally long arrays; `level` is its one parameter, if any.

    `usual` suggests a public range for estimates of values between two bounds. An estimate is `in_units` if it has the
    unit of its column.
    """

    name: str
    label: str
    columns: int
    function: Callable[..., float]
    level: float | None = None
    usual: Usual = whole
    in_units: bool = True
    on: bool = False  # whether it is of the second column on the first
    free: bool = False  # whether its level is a value of the first column, and no share
    weighs: bool = False  # whether the second column is the weight of each row
    answers: bool = False  # whether the first column is one of yes and no: 1 and 0

    @property
    def words(self) -> Phrase:
        """The name of what is estimated, with its level."""
        if not self.free or self.level is None:
            return at_level(self.label, self.level)
        return Phrase("{label} at {level}", label=Phrase(self.label), level=f"{self.level:.15g}")

    @property
    def place(self) -> bool:
        """Whether an estimate is in the range of the values."""
        return self.in_units and self.usual is whole

    @property
    def zeroless(self) -> bool:
        """Whether it is meaningful for values whose 0 does not mean "none", such as dates: a location or a distance."""
        return self.in_units and self.columns == 1

    def unit(self, column: str) -> str:
        """Return the unit of an estimate, given that of its column."""
        return column if self.in_units else ""

    def __call__(self, *arrays: FloatArray) -> float:
        """Estimate from the rows of one block."""
        level = () if self.level is None else (self.level,)
        return float(self.function(*arrays, *level))


class Estimators(dict[str, Estimator]):
    """Estimators by name; "quantile:0.9" is the quantile at level 0.9."""

    def __missing__(self, name: str) -> Estimator:
        """Parse a level from the name; raise ParameterError with the known names for an unknown one."""
        base, _, text = str(name).partition(":")
        estimator = self.get(base)
        if estimator is None or estimator.level is None or not text:
            names = ", ".join(self)
            raise ParameterError("The estimator must be one of {names}. Got {name!r}.", names=names, name=name)
        try:
            level = float(text)
        except ValueError:
            level = math.nan
        if estimator.free and not math.isfinite(level):
            raise ParameterError("The value of {base} must be a finite number. Got {text!r}.", base=base, text=text)
        if not estimator.free and not 0 <= level <= 1:
            raise ParameterError("The level of {base} must be between 0 and 1. Got {text!r}.", base=base, text=text)
        return replace(estimator, name=name, level=level)


registry = Estimators()


def estimator(
    name: str,
    label: str,
    columns: int = 1,
    level: float | None = None,
    usual: Usual = whole,
    in_units: bool = True,
    on: bool = False,
    free: bool = False,
    weighs: bool = False,
    answers: bool = False,
) -> Callable[[Callable[..., float]], Callable[..., float]]:
    """Register a function of `columns` arrays, and of a level if a default level is given."""

    def register(function: Callable[..., float]) -> Callable[..., float]:
        registry[name] = Estimator(name, label, columns, function, level, usual, in_units, on, free, weighs, answers)
        return function

    return register


@estimator("mean", "Mean")
def mean(x: FloatArray) -> float:
    """Return the mean."""
    return float(x.mean()) if x.size else np.nan


@estimator("median", "Median")
def median(x: FloatArray) -> float:
    """Return the middle of the two middle rows."""
    return float(np.median(x)) if x.size else np.nan


@estimator("quantile", "Quantile", level=0.5)
def quantile(x: FloatArray, level: float) -> float:
    """Return the row at the given level."""
    return float(np.quantile(x, level, method="inverted_cdf")) if x.size else np.nan


@estimator("standard-deviation", "Standard deviation", usual=lambda low, high: (0.0, (high - low) / 2))
def standard_deviation(x: FloatArray) -> float:
    """Return the root of the variance with divisor n - 1."""
    return float(x.std(ddof=1)) if x.size > 1 else np.nan


@estimator("trimmed-mean", "Trimmed mean", level=0.1)
def trimmed_mean(x: FloatArray, level: float) -> float:
    """Return the mean without the given share of rows on either side."""
    cut = int(level * x.size)
    return mean(np.sort(x)[cut : x.size - cut])


@estimator("skewness", "Skewness", usual=always(-5.0, 5.0), in_units=False)
def skewness(x: FloatArray) -> float:
    """Return the third central moment over the cubed standard deviation."""
    spread = x.std() if x.size else 0.0
    return float(np.mean(((x - x.mean()) / spread) ** 3)) if spread > 0 else np.nan


@estimator("gini", "Gini coefficient", usual=always(0.0, 1.0), in_units=False)
def gini(x: FloatArray) -> float:
    """Return the Gini coefficient of non-negative values."""
    if not x.size or x.min() < 0 or x.sum() <= 0:
        return np.nan
    ranks = 2 * np.arange(1, x.size + 1) - x.size - 1
    return float(ranks @ np.sort(x) / (x.size * x.sum()))


@estimator("correlation", "Correlation", columns=2, usual=always(-1.0, 1.0), in_units=False)
def correlation(x: FloatArray, y: FloatArray) -> float:
    """Return Pearson's correlation of two columns."""
    spread = np.sqrt(_moment(x, x) * _moment(y, y))
    return _moment(x, y) / spread if spread > 0 else np.nan


@estimator(
    "covariance",
    "Covariance",
    columns=2,
    usual=lambda low, high: (-((high - low) ** 2) / 4, (high - low) ** 2 / 4),
    in_units=False,
)
def covariance(x: FloatArray, y: FloatArray) -> float:
    """Return the covariance of two columns, with divisor n."""
    return _moment(x, y) if x.size else np.nan


@estimator("slope", "Regression slope", columns=2, usual=always(-10.0, 10.0), in_units=False, on=True)
def slope(x: FloatArray, y: FloatArray) -> float:
    """Return the slope of the second column on the first, by least squares."""
    spread = _moment(x, x)
    return _moment(x, y) / spread if spread > 0 else np.nan


@estimator("intercept", "Regression intercept", columns=2, in_units=False, on=True)
def intercept(x: FloatArray, y: FloatArray) -> float:
    """Return the value of the regression of the second column on the first at zero."""
    return mean(y) - slope(x, y) * mean(x)


@estimator("prediction", "Prediction", columns=2, level=0.0, in_units=False, on=True, free=True)
def prediction(x: FloatArray, y: FloatArray, level: float) -> float:
    """Return the value of the regression of the second column on the first at a value of the first."""
    return mean(y) + slope(x, y) * (level - mean(x))


def _moment(x: FloatArray, y: FloatArray) -> float:
    return float(np.mean((x - x.mean()) * (y - y.mean()))) if x.size else 0.0


# --- Weighted: each row counts with its weight, the second column ---

USUAL_WEIGHT = 0.25  # of the cap: the average weight that a forecast assumes


@estimator("weighted-count", "Weighted count", columns=2, usual=nothing_known, in_units=False, weighs=True)
def weighted_count(x: FloatArray, weight: FloatArray) -> float:
    """Return the sum of the weights."""
    return float(weight.sum())


@estimator("weighted-sum", "Weighted sum", columns=2, usual=nothing_known, weighs=True)
def weighted_sum(x: FloatArray, weight: FloatArray) -> float:
    """Return the sum of the values times their weights."""
    return float((weight * x).sum())


@estimator("weighted-mean", "Weighted mean", columns=2, weighs=True)
def weighted_mean(x: FloatArray, weight: FloatArray) -> float:
    """Return the mean, in which each row counts with its weight."""
    total = float(weight.sum())
    return weighted_sum(x, weight) / total if total > 0 else np.nan


@estimator(
    "weighted-share", "Weighted share", columns=2, usual=always(0.0, 1.0), in_units=False, weighs=True, answers=True
)
def weighted_share(x: FloatArray, weight: FloatArray) -> float:
    """Return the share of yes, in which each row counts with its weight."""
    return weighted_mean(x, weight)


@estimator("weighted-variance", "Weighted variance", columns=2, usual=squared, in_units=False, weighs=True)
def weighted_variance(x: FloatArray, weight: FloatArray) -> float:
    """Return the mean squared distance from the mean, in which each row counts with its weight."""
    return weighted_mean((x - weighted_mean(x, weight)) ** 2, weight)


@estimator(
    "weighted-standard-deviation",
    "Weighted standard deviation",
    columns=2,
    usual=lambda low, high: (0.0, (high - low) / 2),
    weighs=True,
)
def weighted_standard_deviation(x: FloatArray, weight: FloatArray) -> float:
    """Return the root of the weighted variance."""
    return float(np.sqrt(weighted_variance(x, weight)))
