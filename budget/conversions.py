"""Conversions between accountings and (epsilon, delta). Every one errs towards more epsilon."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from discreet.budget.account import Floats

ROUND_UP = 1 + 1e-9  # outweighs the rounding of every formula here whose terms do not cancel
ROUNDING = 1e-15  # of each term, where they do
ORDERS = 1 + np.geomspace(1e-2, 1e8, 61)  # coarse grid of α; any α is valid, none need be best
DIPS, ZOOMS = 3, 5  # how many places are looked at closer, how often
STEPS = np.linspace(0, 1, 24)[:, np.newaxis]


def rdp_to_epsilon(rdp: ArrayLike, alpha: ArrayLike, delta: float) -> Floats:
    """Return the epsilon that each (α, rdp(α)) proves at this delta.

    Canonne, Kamath and Steinke 2020, "The discrete Gaussian for differential privacy", prop. 12:
    ε = rdp(α) + ln(1 - 1/α) - ln(αδ)/(α - 1). Below 0 it means 0.
    """
    order, divergence = np.asarray(alpha, dtype=np.float64), np.asarray(rdp)
    slack = _slack(order, delta)
    # no less than all three terms, for -ln(1 - 1/α) is at most 1/(α - 1)
    terms = divergence + np.abs(slack) + 2 / (order - 1)
    result: Floats = np.maximum(0.0, divergence + slack + ROUNDING * terms) * ROUND_UP
    return result


def zcdp_to_epsilon(rho: float, delta: float) -> float:
    """Return the epsilon that rho-zCDP proves at this delta, the best over α."""
    if rho == 0:
        return 0.0
    return least(lambda order: rdp_to_epsilon(rho * order, order, delta))


def epsilon_to_zcdp(epsilon: float, delta: float) -> float:
    """Return the largest rho whose conversion stays within (epsilon, delta).

    For each α the conversion is linear in rho, so it is inverted exactly; any α is valid.
    """
    return max(0.0, -least(lambda order: -_rho_at(order, epsilon, delta))) / ROUND_UP


def _rho_at(order: Floats, epsilon: float, delta: float) -> Floats:
    result: Floats = (epsilon / ROUND_UP - _slack(order, delta)) / order
    return result


def _slack(order: Floats, delta: float) -> Floats:
    result: Floats = np.log1p(-1 / order) - np.log(order * delta) / (order - 1)
    return result


def least(value: Callable[[Floats], Floats]) -> float:
    """Return the smallest value over the orders α, as far as grids that grow finer find it."""
    order = ORDERS
    for _ in range(ZOOMS):
        order = _zoomed(order, value(order))
    return float(value(order).min())


def _zoomed(order: Floats, value: Floats) -> Floats:
    """Return finer grids of α around the deepest dips: the less of two bounds may have more than one."""
    falls = value[1:] <= value[:-1]
    dips = np.flatnonzero(np.append(True, falls) & ~np.append(falls, False))
    deepest = np.sort(dips[np.argsort(value[dips], kind="stable")[:DIPS]])
    low, high = order[np.maximum(deepest - 1, 0)] - 1, order[np.minimum(deepest + 1, order.size - 1)] - 1
    return (1 + low * (high / low) ** STEPS).ravel(order="F")


def advanced_epsilon(epsilons: Floats, delta: float) -> float:
    """Return the advanced composition bound for releases of different epsilon.

    Kairouz, Oh and Viswanath 2015, theorem 3.5: the smallest of the plain sum and
    Σ ε·tanh(ε/2) + √(2 Σε² · L), with L = ln(1/δ) or ln(e + √(Σε²)/δ).
    """
    squares = float(np.sum(epsilons**2))
    linear = float(np.sum(epsilons * np.tanh(epsilons / 2)))
    logarithm = min(np.log(1 / delta), np.log(np.e + np.sqrt(squares) / delta))
    bound = linear + np.sqrt(2 * squares * logarithm)
    return float(min(np.sum(epsilons), bound)) * ROUND_UP


def equal_epsilon(epsilon: float, count: int, delta: float) -> float:
    """Return the smallest epsilon that holds for `count` releases of one epsilon: the optimum.

    Kairouz, Oh and Viswanath 2015, theorem 3.3: the worst case is randomized response each time,
    whose number of lies is binomial. delta(e) = max over i of (A_i - exp(e)·B_i), where A_i and B_i
    are the probabilities of fewer than i lies under the two neighbours; here solved for e.
    """
    from scipy.special import gammaln  # here, so that whoever only reads rows does without SciPy

    lies = np.arange(count + 1)
    ways = gammaln(count + 1) - gammaln(lies + 1) - gammaln(count - lies + 1)
    log_truth, log_lie = -np.log1p(np.exp(-epsilon)), -np.log1p(np.exp(epsilon))
    truth = np.logaddexp.accumulate(ways + (count - lies) * log_truth + lies * log_lie)
    other = np.logaddexp.accumulate(ways + lies * log_truth + (count - lies) * log_lie)
    above = truth > np.log(delta)
    level = truth[above] + np.log1p(-np.exp(np.log(delta) - truth[above])) - other[above]
    return max(0.0, float(level.max(initial=0.0))) * ROUND_UP
