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
            "u scores every candidate r, and Δu is its sensitivity. The cost is ε for any number of "
            "candidates: even for all numbers between two bounds, if their weights have a finite "
            "integral. Every ε-differentially private mechanism can be written in this form."
        ),
        """
import numpy as np
from discreet.mechanisms.selection import ExponentialMechanism
from discreet.queries.column import Scores

votes = Scores(("Zoo", "Museum", "Lake", "Castle"), np.array([9, 7, 6, 3]))
law = ExponentialMechanism(epsilon=1.0).law(votes)
print(100 * law.probabilities[0])
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
from discreet.course.lessons.election import numbers as election

votes = tuple(election.votes().counts.tolist())
right = {way: election.right(votes, election.chances(way, votes, 0.5)) for way in election.WAYS}
print(max(right, key=right.get))
""",
        Phrase(
            "A book publishes noisy votes: with ε = 0.01, 0.1 and 1 the noise of a count has the "
            "scale 100, 10 and 1. With 100 the winner is a lottery. With 1 each count is published to "
            "within a vote or two."
        ),
        (MCKENNA_SHELDON,),
    ),
    "date": BookPage(
        (r"F(x) = d^*(x) + \mathrm{Lap}(13/\varepsilon)",),
        Phrase(
            "Output perturbation adds noise to the result. Noise can also be added to the input, to "
            "the objective that is optimised, or to the steps of the optimiser. Choosing by weight "
            "does none of these."
        ),
        """
import numpy as np
from discreet.course.lessons.election.numbers import DAYS, wishes
from discreet.mechanisms.laws.law import Noisy
from discreet.mechanisms.laws.law import Laplace

pupils = wishes(1)
best = float(1 + pupils.argmax())
law = Noisy(best, (DAYS - 1) / 1.0, Laplace(), 1.0, float(DAYS))
chances = np.diff(law.cdf(np.arange(DAYS) + 1.5), prepend=0.0)
print(chances @ pupils)
""",
        sources=(MCSHERRY_TALWAR,),
    ),
}
