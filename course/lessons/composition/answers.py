"""Answers of lesson 5: what one sees on trying, with numbers of the accounts and laws that release."""

from __future__ import annotations

import numpy as np

from discreet.budget import Phrase
from discreet.course.lessons.composition import numbers
from discreet.course.lessons.laplace import numbers as laplace
from discreet.course.steps import Answer
from discreet.ui.frame.words import number

EPSILON, DELTA = 0.1, 1e-6
RESULTS = 100
SPENT = 3.0
UNIT = 10
SIGMA = 2.0
MIRRORED = numbers.Coins(0.3, 0.7)
FURTHEST = numbers.Coins(0.01, 0.99)


def _sequential() -> dict[str, str]:
    after = numbers.afterwards(EPSILON, UNIT)
    return {
        "k": str(round(SPENT / EPSILON)),
        "before": number(after.delta_before, 3),
        "after": number(after.delta_after, 3),
    }


def _accounts() -> dict[str, str]:
    """Return from how many results on two methods are below the sum, and the smallest totals of 100 results."""
    smaller = (k for k in range(1, numbers.MOST) if numbers.advanced(k, EPSILON, DELTA) < k * EPSILON)
    laplace, gaussian = (
        numbers.totals(noise, EPSILON, DELTA, RESULTS) for noise in (numbers.LAPLACE, numbers.GAUSSIAN)
    )
    return {
        "zcdp": str(numbers.pays_from(numbers.LAPLACE, EPSILON, DELTA)),
        "advanced": str(next(smaller)),
        "laplace": number(laplace["Optimal"], 3),
        "gaussian": number(gaussian["zCDP"], 3),
    }


def _noise() -> dict[str, str]:
    errors = numbers.at_once(30, False, 1.0, DELTA)
    return {"laplace": number(errors.laplace, 3), "gaussian": number(errors.gaussian, 3)}


def _divergences() -> dict[str, str]:
    """Return how much the loss grows from one result to the next."""
    first, second = laplace.pair(numbers.GAUSSIAN, SIGMA).losses(np.array([900.0, 901.0]))
    return {"slope": number(float(second - first), 3)}


def _coins() -> dict[str, str]:
    return {"alike": number(MIRRORED.there, 3), "largest": number(FURTHEST.there, 3)}


def _curves() -> dict[str, str]:
    orders = {}
    for results in (50, 20):
        curve, _ = numbers.alike(0.2, results)
        orders[results] = float(numbers.ORDERS[int(np.argmin(curve.proved(DELTA)))])
    return {"many": number(orders[50], 3), "few": number(orders[20], 3)}


ANSWERS = {
    "sequential": Answer(
        Phrase(
            "k = {k} at ε = 0.1. For the counts in the figure, rounding to multiples of 10 "
            "lowers δ at ε/2 from {before} to {after}. The loss never grows: rounding uses "
            "nothing but the result."
        ),
        _sequential,
    ),
    "accounts": Answer(
        Phrase(
            "At ε = 0.1, zCDP, converted as in the ledger, is below the sum from {zcdp} results "
            "on, the advanced formula from {advanced}. For 100 results, *optimal* is smallest "
            "with Laplace noise, {laplace}. With Gaussian noise, which is wider, Rényi and zCDP "
            "are, {gaussian}."
        ),
        _accounts,
    ),
    "noise": Answer(
        Phrase("Laplace noise: ± {laplace} for any k, and ± {gaussian} for Gaussian noise. L1 and L2 are equal then."),
        _noise,
    ),
    "divergences": Answer(
        Phrase("No: it is a line of slope 1/σ², {slope} at σ = 2. So Gaussian noise satisfies no ε with δ = 0."),
        _divergences,
    ),
    "coins": Answer(
        Phrase(
            "For example 0.3 and 0.7: both values are {alike}, because the coins are mirror images. The "
            "largest value here is {largest}, for 0.01 and 0.99."
        ),
        _coins,
    ),
    "curves": Answer(
        Phrase(
            "It rises, from {many} for 50 results to {few} for 20: the divergence is smaller, so ln(1/δ)/(α − 1) "
            "matters more."
        ),
        _curves,
    ),
}
