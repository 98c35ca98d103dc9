"""Estimators for blocks: right on plain data, silent on hopeless data, extended by one function."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from discreet.budget.errors import ParameterError
from discreet.queries.estimators import estimator, registry

X = np.random.default_rng(1).gamma(3.0, 2.0, 500)
Y = 2 * X + np.random.default_rng(2).normal(size=500)
Z = X % 3  # weights
LINE = stats.linregress(X, Y)
EXPECTED = {
    "mean": np.mean(X),
    "median": np.median(X),
    "quantile": np.quantile(X, 0.5, method="inverted_cdf"),
    "quantile:0.9": np.quantile(X, 0.9, method="inverted_cdf"),
    "standard-deviation": np.std(X, ddof=1),
    "trimmed-mean": stats.trim_mean(X, 0.1),
    "trimmed-mean:0.25": stats.trim_mean(X, 0.25),
    "skewness": stats.skew(X),
    "gini": np.abs(X[:, None] - X).mean() / (2 * X.mean()),
    "correlation": np.corrcoef(X, Y)[0, 1],
    "covariance": np.cov(X, Y, bias=True)[0, 1],
    "slope": LINE.slope,
    "intercept": LINE.intercept,
    "prediction": LINE.intercept,
    "weighted-count": np.sum(Z),
    "weighted-sum": X @ Z,
    "weighted-mean": np.average(X, weights=Z),
    "weighted-share": np.average(X, weights=Z),
    "weighted-variance": np.cov(X, aweights=Z, bias=True),
    "weighted-standard-deviation": np.sqrt(np.cov(X, aweights=Z, bias=True)),
    "prediction:7.5": LINE.intercept + 7.5 * LINE.slope,
    "prediction:-20": LINE.intercept - 20 * LINE.slope,
}


@pytest.mark.parametrize("name", EXPECTED)
def test_estimate(name: str) -> None:
    """Each estimator agrees with SciPy or NumPy."""
    chosen = registry[name]
    assert chosen(*(X, Z if chosen.weighs else Y)[: chosen.columns]) == pytest.approx(EXPECTED[name], rel=1e-9)


def test_all_are_tested() -> None:
    """No estimator is left out above."""
    assert set(registry) <= set(EXPECTED)


@pytest.mark.parametrize("name", sorted(registry))
@pytest.mark.parametrize("rows", [[], [3.0], [0.0, 0.0, 0.0]])
def test_hopeless_blocks_give_a_number_or_none(name: str, rows: list[float]) -> None:
    """Empty, single and constant blocks give a float, perhaps NaN, and no warning."""
    chosen = registry[name]
    estimate = chosen(*[np.array(rows)] * chosen.columns)
    assert isinstance(estimate, float)
    assert not math.isinf(estimate)


def test_one_decorated_function_is_enough() -> None:
    """A user's function is found by its name at once."""

    @estimator("spread-of-two", "Distance of two columns", columns=2)
    def distance(x: np.ndarray, y: np.ndarray) -> float:
        return float(np.abs(x - y).max())

    try:
        assert registry["spread-of-two"](X, X + 1) == pytest.approx(1)
    finally:
        del registry["spread-of-two"]


@pytest.mark.parametrize(
    "name", ["", "nothing", "mean:0.5", "quantile:", "quantile:2", "gini:a", "prediction:a", "prediction:inf"]
)
def test_unknown_names_are_refused(name: str) -> None:
    """A name that is no estimator, or a level that is no share, is refused with a sentence."""
    with pytest.raises(ParameterError, match=r"\.$"):
        registry[name]
