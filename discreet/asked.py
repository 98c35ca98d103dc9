"""Asked: one method for each statistic that a plan can ask.

Made by `python -m docs.make_reference` from the statistics and mechanisms that are registered: change these, or that
script. What a package brings has no method; it is asked by its name, with `ask`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from discreet.rows.columns.grouping import Grouping
from discreet.rows.filters import Where

By = Grouping | Sequence[Grouping] | None
T_co = TypeVar("T_co", covariant=True)


class Asked(ABC, Generic[T_co]):
    """What can be asked of a dataset: each statistic by its name.

    `by` is a category or bands to group by, or several of them. `where` keeps the rows that meet a condition, such as
    ("age", ">=", 18) or {"sex": "F"}, or all of several. `epsilon` is the cost. A `level` is that of a quantile, 0.9 or
    several of them, or the value of `column` at which `second` is predicted; `bins` are those of a histogram. `second`
    is the other one of two columns: a slope is that of `second` on `column`. `weight` is a number column, and the upper
    bound of it is the largest weight: a larger one counts as that, and a row without a weight above 0 is left out.
    """

    @abstractmethod
    def ask(
        self,
        statistic: str,
        column: str | None = None,
        by: By = None,
        where: Where = None,
        epsilon: float | None = None,
        level: float | Sequence[float] | None = None,
        bins: int | None = None,
        *,
        second: str | None = None,
    ) -> T_co:
        """Ask a statistic by its name, such as "mean"."""

    def count(
        self, column: str | None = None, by: By = None, where: Where = None, epsilon: float | None = None
    ) -> T_co:
        """How many rows there are; 0 where there are none."""
        return self.ask("count", column, by, where, epsilon)

    def largest(self, column: str, by: By = None, where: Where = None, epsilon: float | None = None) -> T_co:
        """The j-th largest row (1: the maximum), the lower bound where there are fewer than j rows."""
        return self.ask("largest", column, by, where, epsilon)

    def smallest(self, column: str, by: By = None, where: Where = None, epsilon: float | None = None) -> T_co:
        """The j-th smallest row (1: the minimum), the upper bound where there are fewer than j rows."""
        return self.ask("smallest", column, by, where, epsilon)

    def quantile(
        self,
        column: str,
        level: float | Sequence[float],
        by: By = None,
        where: Where = None,
        epsilon: float | None = None,
    ) -> T_co:
        """The row at rank j(n) = ceil(q n), at least 1 (the inverse of the empirical distribution)."""
        return self.ask("quantile", column, by, where, epsilon, level=level)

    def lower_median(self, column: str, by: By = None, where: Where = None, epsilon: float | None = None) -> T_co:
        """The row at rank ceil(n/2), the lower bound where there are no rows."""
        return self.ask("lower-median", column, by, where, epsilon)

    def interquartile_range(
        self, column: str, by: By = None, where: Where = None, epsilon: float | None = None
    ) -> T_co:
        """Upper quartile minus lower quartile (rows at rank ceil(3n/4) and ceil(n/4)), 0 on no rows."""
        return self.ask("interquartile-range", column, by, where, epsilon)

    def mean(self, column: str, by: By = None, where: Where = None, epsilon: float | None = None) -> T_co:
        """The mean, and the middle of the bounds where there are no rows."""
        return self.ask("mean", column, by, where, epsilon)

    def median(self, column: str, by: By = None, where: Where = None, epsilon: float | None = None) -> T_co:
        """The median (mean of the two middle rows of an even number), the middle of the bounds if none."""
        return self.ask("median", column, by, where, epsilon)

    def sum(self, column: str, by: By = None, where: Where = None, epsilon: float | None = None) -> T_co:
        """The sum of the values; 0 where there are no rows."""
        return self.ask("sum", column, by, where, epsilon)

    def trimmed_mean(self, column: str, by: By = None, where: Where = None, epsilon: float | None = None) -> T_co:
        """Trimmed mean, estimated from random blocks of rows; it takes no groups."""
        return self.ask("trimmed-mean", column, by, where, epsilon)

    def variance(self, column: str, by: By = None, where: Where = None, epsilon: float | None = None) -> T_co:
        """The variance with divisor n; see `Spread` for its ladder."""
        return self.ask("variance", column, by, where, epsilon)

    def standard_deviation(self, column: str, by: By = None, where: Where = None, epsilon: float | None = None) -> T_co:
        """The root of the variance with divisor n; see `Spread` for its ladder."""
        return self.ask("standard-deviation", column, by, where, epsilon)

    sd = standard_deviation

    std = standard_deviation

    def skewness(self, column: str, by: By = None, where: Where = None, epsilon: float | None = None) -> T_co:
        """Skewness, estimated from random blocks of rows; it takes no groups."""
        return self.ask("skewness", column, by, where, epsilon)

    def gini(self, column: str, by: By = None, where: Where = None, epsilon: float | None = None) -> T_co:
        """Gini coefficient, estimated from random blocks of rows; it takes no groups."""
        return self.ask("gini", column, by, where, epsilon)

    def correlation(
        self, column: str, second: str, by: By = None, where: Where = None, epsilon: float | None = None
    ) -> T_co:
        """Correlation of two columns."""
        return self.ask("correlation", column, by, where, epsilon, second=second)

    def covariance(
        self, column: str, second: str, by: By = None, where: Where = None, epsilon: float | None = None
    ) -> T_co:
        """Covariance of two columns."""
        return self.ask("covariance", column, by, where, epsilon, second=second)

    def slope(self, column: str, second: str, by: By = None, where: Where = None, epsilon: float | None = None) -> T_co:
        """Regression slope of two columns."""
        return self.ask("slope", column, by, where, epsilon, second=second)

    def prediction(
        self, column: str, second: str, at: float, by: By = None, where: Where = None, epsilon: float | None = None
    ) -> T_co:
        """Prediction of two columns."""
        return self.ask("prediction", column, by, where, epsilon, level=at, second=second)

    def detail(
        self, column: str, bins: int | None = None, by: By = None, where: Where = None, epsilon: float | None = None
    ) -> T_co:
        """Counts of bands, wider where there are few rows."""
        return self.ask("detail", column, by, where, epsilon, bins=bins)

    def counts(
        self, column: str, bins: int | None = None, by: By = None, where: Where = None, epsilon: float | None = None
    ) -> T_co:
        """Counts of all categories or bins."""
        return self.ask("counts", column, by, where, epsilon, bins=bins)

    histogram = counts

    def most_common(self, column: str, by: By = None, where: Where = None, epsilon: float | None = None) -> T_co:
        """Most (or least) common."""
        return self.ask("most-common", column, by, where, epsilon)

    def weighted_count(
        self, column: str, weight: str, by: By = None, where: Where = None, epsilon: float | None = None
    ) -> T_co:
        """Weighted count, with the weight of each row in another column."""
        return self.ask("weighted-count", column, by, where, epsilon, second=weight)

    def weighted_sum(
        self, column: str, weight: str, by: By = None, where: Where = None, epsilon: float | None = None
    ) -> T_co:
        """Weighted sum, with the weight of each row in another column."""
        return self.ask("weighted-sum", column, by, where, epsilon, second=weight)

    def weighted_mean(
        self, column: str, weight: str, by: By = None, where: Where = None, epsilon: float | None = None
    ) -> T_co:
        """Weighted mean, with the weight of each row in another column."""
        return self.ask("weighted-mean", column, by, where, epsilon, second=weight)

    def weighted_share(
        self, column: str, weight: str, by: By = None, where: Where = None, epsilon: float | None = None
    ) -> T_co:
        """Weighted share, with the weight of each row in another column."""
        return self.ask("weighted-share", column, by, where, epsilon, second=weight)

    def weighted_variance(
        self, column: str, weight: str, by: By = None, where: Where = None, epsilon: float | None = None
    ) -> T_co:
        """Weighted variance, with the weight of each row in another column."""
        return self.ask("weighted-variance", column, by, where, epsilon, second=weight)

    def weighted_standard_deviation(
        self, column: str, weight: str, by: By = None, where: Where = None, epsilon: float | None = None
    ) -> T_co:
        """Weighted standard deviation, with the weight of each row in another column."""
        return self.ask("weighted-standard-deviation", column, by, where, epsilon, second=weight)
