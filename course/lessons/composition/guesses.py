"""Guesses of lesson 5: groups, losses, accountings, orders, and many counts together."""

from __future__ import annotations

import math

import numpy as np

from discreet.budget import Phrase
from discreet.course.lessons.composition import numbers
from discreet.course.lessons.composition.numbers import LAPLACE, Coins
from discreet.course.lessons.laplace import numbers as laplace
from discreet.ui.session.guesses import OnFactors, OnScale, Prediction

DELTA = 1e-6

GUESSES = {
    "sequential": Prediction(
        Phrase("Ten results of ε = 0.1, one for each of ten separate groups of people. What do they cost together?"),
        OnScale(0.0, 1.0, 0.1),
        lambda: numbers.groups(10, 0.1).charged,
        Phrase("Each person is in one group only, so each person's loss is that of one result."),
    ),
    "divergences": Prediction(
        Phrase(
            "The privacy loss of a result is the logarithm of how many times more likely it is with "
            "Mia than without. A count gets Laplace noise of scale 2. How large can the loss be?"
        ),
        OnScale(0.0, 2.0, 0.1),
        lambda: laplace.pair(LAPLACE, 2.0).most,
        Phrase("One person changes the count by 1, so ln(P/Q) is at most 1/b. That is the ε of the mechanism."),
    ),
    "coins": Prediction(
        Phrase("P gives heads half of the time, Q 99 times in 100. How many times KL(Q‖P) is KL(P‖Q)?"),
        OnScale(1.0, 6.0, 0.5),
        lambda: Coins(0.5, 0.99).there / Coins(0.5, 0.99).back,
        Phrase("P often gives tails, Q almost never. Averaged over Q, tails are rare, so they have little weight."),
    ),
    "accounts": Prediction(
        Phrase(
            "A hundred results of ε = 0.1 sum up to 10. What does the best accounting method prove, with a δ of 10⁻⁶?"
        ),
        OnScale(0.0, 12.0, 0.5),
        lambda: min(numbers.totals(LAPLACE, 0.1, DELTA, 100).values()),
        Phrase("Losses of both signs mostly cancel: the total grows about like the root of the number of results."),
    ),
    "curves": Prediction(
        Phrase("Take fifty Laplace results of ε = 0.2. Which order α proves the smallest ε, at δ = 10⁻⁶?"),
        OnFactors(1.1, 500),
        lambda: _order(),
        Phrase("A small order has a small divergence but a large term ln(1/δ)/(α−1). A large order has the reverse."),
    ),
    "noise": Prediction(
        Phrase(
            "Thirty counts of all people are released at ε = 1. How many times wider is Laplace noise than "
            "Gaussian, with δ = 10⁻⁶?"
        ),
        OnScale(0.0, 6.0, 0.5),
        lambda: _wider(),
        Phrase(
            "One person changes the list by 30 in L1 and by √30 = 5.5 in L2, a factor of 5.5. Gaussian noise "
            "loses a part of it: for δ = 10⁻⁶ it is wider at equal sensitivity."
        ),
    ),
}


def _order() -> float:
    laplace, _ = numbers.alike(0.2, 50)
    return float(numbers.ORDERS[int(np.argmin(laplace.proved(DELTA)))])


def _wider() -> float:
    errors = numbers.at_once(30, True, 1.0, DELTA)
    return errors.laplace / errors.gaussian if errors.gaussian else math.inf
