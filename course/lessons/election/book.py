"""Book of lesson 7: the exponential mechanism and its rivals."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.steps import MCKENNA_SHELDON, MCSHERRY_TALWAR, BookPage

PAGES = {
    "election": BookPage(
        (
            r"\Pr[r] \propto \exp\left(\frac{\varepsilon\, u(x, r)}{2 \Delta u}\right)",
            r"\Pr[r] \propto e^{\varepsilon\, n_r}",
        ),
        Phrase(
            "u scores every candidate r, and Δu is its sensitivity. Adding or removing a voter "
            "costs ε for any number of candidates: even for all numbers between two bounds, if "
            "their weights have a finite integral. A changed vote costs 2ε at most. Every "
            "ε-differentially private mechanism has such weights, its own probabilities, at a "
            "cost of 2ε at most."
        ),
        """
import math
import random

votes, epsilon = {"Zoo": 9, "Museum": 7, "Lake": 6, "Castle": 3}, 1.0
weights = [math.exp(epsilon * count) for count in votes.values()]
random.seed(1)
winners = random.choices(list(votes), weights, k=200_000)
print(100 * winners.count("Zoo") / len(winners))
""",
        Phrase(
            "Books use the factor 2 in general. Votes only increase when a person is added: all "
            "scores change in one direction, and the factor is not needed. With it the winner has "
            "60.9%, without it 84.2%, at the same ε."
        ),
        (MCSHERRY_TALWAR,),
    ),
    "ways": BookPage(
        (r"r^* = \arg\max_r \left(n_r + Z_r\right), \quad Z_r \sim \mathrm{Exp}(\varepsilon)",),
        Phrase(
            "Permute-and-flip picks the largest of the counts with exponential noise. The exponential "
            "mechanism picks the largest with Gumbel noise."
        ),
        """
import numpy as np

votes, epsilon, shape = np.array([9, 7, 6, 3]), 0.5, (200_000, 4)
draw, odds = np.random.default_rng(1), 1 - np.exp(-0.5)
noisy = {
    "exponential-mechanism": votes + draw.gumbel(0, 1 / epsilon, shape),
    "permute-and-flip": votes + draw.exponential(1 / epsilon, shape),
    "noisy-max": votes + draw.laplace(0, 1 / epsilon, shape),
    "counts-geometric": votes + draw.geometric(odds, shape) - draw.geometric(odds, shape),
}
right = {way: (scores.argmax(axis=1) == 0).mean() for way, scores in noisy.items()}
print(max(right, key=right.get))
""",
        Phrase(
            "A book publishes noisy votes: with ε = 0.01, 0.1 and 1 the noise of a count has the scale 100, 10 "
            "and 1. With 100 the winner is a lottery. With 1 most counts are off by two votes at most."
        ),
        (MCKENNA_SHELDON,),
    ),
    "date": BookPage(
        (r"F(x) = d^*(x) + \mathrm{Lap}(13/\varepsilon)",),
        Phrase(
            "Output perturbation adds noise to the result. Noise can also be added to the input, "
            "to the objective that is optimised, or to the steps of the optimiser. Choosing by "
            "weight adds nothing to the result: it draws one."
        ),
        """
import numpy as np

pupils = np.array([14, 0, 6, 17, 18, 0, 4, 10, 1, 5, 12, 21, 0, 5])  # who can come on each day
epsilon = 1.0
draw = np.random.default_rng(1)
best = 1 + pupils.argmax()
days = np.round(best + draw.laplace(0, 13 / epsilon, 1_000_000))
days = np.clip(days, 1, 14).astype(int)
print(pupils[days - 1].mean())
""",
        sources=(MCSHERRY_TALWAR,),
    ),
}
