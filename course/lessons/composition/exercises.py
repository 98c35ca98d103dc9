"""Exercises of lesson 5: sums, groups, ρ, norms, and a divergence that is not symmetric."""

from __future__ import annotations

import math

import numpy as np

from discreet.budget import Cost, GaussianAccount, Phrase
from discreet.course.lessons.composition import numbers
from discreet.ui.session.guesses import InOrder, Prediction, Typed

EPSILONS = (0.3, 0.5, 1.2)


EXERCISES = (
    Prediction(
        Phrase("There are results of ε = 0.3, 0.5 and 1.2 about the same people. What do they cost together?"),
        Typed(),
        lambda: sum((Cost.of(e) for e in EPSILONS), Cost.zero()).epsilon,
        Phrase("The costs add up."),
    ),
    Prediction(
        Phrase("The same results are about three separate groups. What do they cost together?"),
        Typed(),
        lambda: Cost.parallel([Cost.of(e) for e in EPSILONS]).epsilon,
        Phrase("Only the most expensive one counts."),
    ),
    Prediction(
        Phrase("Gaussian noise of σ on a count costs ρ = 1 / (2 σ²). What is ρ for σ = 2?"),
        Typed(),
        lambda: GaussianAccount(2.0).rho,
        Phrase("1/8."),
    ),
    Prediction(
        Phrase("ρ = 0.5, δ = 10⁻⁶. Which ε does the textbook's conversion ρ + 2 √(ρ ln(1/δ)) give?"),
        Typed(),
        lambda: 0.5 + 2 * math.sqrt(0.5 * math.log(1e6)),
        Phrase("It is right but loose: the conversion of lesson 5 gives less."),
    ),
    Prediction(
        Phrase("One person is counted in each of 16 counts. What is their L2 sensitivity?"),
        Typed(),
        lambda: float(np.linalg.norm(numbers.moved(16, True))),
        Phrase("√16. In L1 it is 16."),
    ),
    Prediction(
        Phrase(
            "P gives heads with probability 1/2, Q with 3/4. KL(P‖Q) is the sum of p ln(p/q) over both sides of the "
            "coin. What is it?"
        ),
        Typed(),
        lambda: 0.5 * math.log(0.5 / 0.75) + 0.5 * math.log(0.5 / 0.25),
        Phrase("In the other direction it is 0.131: the divergence is not symmetric."),
    ),
    Prediction(
        Phrase(
            "Compare ε √(2k ln(1/δ)) + k ε (e^ε − 1)/(e^ε + 1) with the plain sum, for ε = 0.05 and δ = 10⁻⁶. "
            "Calculate, or write a program: from how many results k on is it smaller?"
        ),
        Typed(),
        lambda: float(next(k for k in range(1, 1000) if numbers.advanced(k, 0.05, 1e-6) < 0.05 * k)),
        Phrase("The root grows more slowly than the sum, but it starts higher."),
        """
import math

epsilon, delta, k = 0.05, 1e-6, 1
loss = epsilon * (math.exp(epsilon) - 1) / (math.exp(epsilon) + 1)
while epsilon * math.sqrt(2 * k * math.log(1 / delta)) + k * loss >= k * epsilon:
    k += 1
print(k)
""",
    ),
    Prediction(
        Phrase(
            "Prove: two results of ε₁ and ε₂ together are (ε₁ + ε₂)-differentially private. One line does not belong."
        ),
        InOrder(
            {
                "A": Phrase("Each factor is at most e^ε₁ or e^ε₂ times its value on the neighbouring dataset."),
                "B": Phrase("Summed over a set of pairs, the bound is valid for the set."),
                "C": Phrase(
                    "The two noises are drawn independently, so a pair of results (a, b) has the probability p(a) q(b)."
                ),
                "D": Phrase("The losses of both results have opposite signs, so they cancel."),
                "E": Phrase("So the product is at most e^(ε₁ + ε₂) times the product on the neighbouring dataset."),
            }
        ),
        lambda: "CAEB",
        Phrase("D may happen, and better accounting methods use it. A proof for all results cannot rely on it."),
    ),
)
