"""Exercises of lesson 5: sums, groups, ρ, norms, and a divergence that is not symmetric."""

from __future__ import annotations

import math

import numpy as np

from discreet.budget import Cost, GaussianAccount, Phrase
from discreet.lab.lessons import composition
from discreet.lab.lessons.guesses import Prediction, Typed

EPSILONS = (0.3, 0.5, 1.2)

EXERCISES = (
    Prediction(
        Phrase("Answers of ε = 0.3, 0.5 and 1.2 about the same people. What do they cost?"),
        Typed(),
        lambda: sum((Cost.of(e) for e in EPSILONS), Cost.zero()).epsilon,
        Phrase("They add up."),
    ),
    Prediction(
        Phrase("The same answers about three separate groups."),
        Typed(),
        lambda: Cost.parallel([Cost.of(e) for e in EPSILONS]).epsilon,
        Phrase("The dearest one."),
    ),
    Prediction(
        Phrase("Gaussian noise of σ = 2 on a count. What is its ρ?"),
        Typed(),
        lambda: GaussianAccount(2.0).rho,
        Phrase("1 / (2 σ²)."),
    ),
    Prediction(
        Phrase("ρ = 0.5, δ = 1e-6. Which ε does the printed conversion ρ + 2 √(ρ ln(1/δ)) give?"),
        Typed(),
        lambda: 0.5 + 2 * math.sqrt(0.5 * math.log(1e6)),
        Phrase("It is right and loose: the conversion of lesson 5 gives less."),
    ),
    Prediction(
        Phrase("One person is in each of 16 counts. What is their L2 sensitivity?"),
        Typed(),
        lambda: float(np.linalg.norm(composition.moved(16, True))),
        Phrase("√16. In L1 it is 16."),
    ),
    Prediction(
        Phrase("P gives heads with chance 1/2, Q with 3/4. What is KL(P‖Q), in natural units?"),
        Typed(),
        lambda: 0.5 * math.log(0.5 / 0.75) + 0.5 * math.log(0.5 / 0.25),
        Phrase("The other way round it is 0.131: the divergence is not symmetric."),
    ),
)
