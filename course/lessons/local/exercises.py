"""Exercises of lesson 6: local sensitivity at a distance, distances, scales."""

from __future__ import annotations

import numpy as np

from discreet.budget import Phrase
from discreet.course.lessons.local import numbers
from discreet.lab.textbook import printed_beta
from discreet.mechanisms.base.distance_test import PureTest, Threshold
from discreet.queries import Column
from discreet.queries.median import Median
from discreet.ui.session.guesses import InOrder, Prediction, Typed

TEST = Threshold(0.5, 1e-6)
RUNGS = (1, 1, 9, 9)

EXERCISES = (
    Prediction(
        Phrase("Ages are 20, 30, 40, 50, 60. One person is added or removed. How much can the median change?"),
        Typed(),
        lambda: numbers.local(Median(), Column.from_values(numbers.AGES, [20, 30, 40, 50, 60])),
        Phrase("It changes by half the gap to the next age: from 40 to 35 or 45."),
    ),
    Prediction(
        Phrase("u = 100. For which n is u/(n+1) equal to b = 0.005?"),
        Typed(),
        lambda: 100 / 0.005 - 1,
        Phrase("u/b − 1."),
    ),
    Prediction(
        Phrase("u = 100, n = 32,561. How many people must be removed until u/(n+1) reaches b = 0.005?"),
        Typed(),
        lambda: 32_561 - (100 / 0.005 - 1),
        Phrase("The book's test adds noise to this distance. A test for u/(n+1) above b needs one person more."),
    ),
    Prediction(
        Phrase("u = 100, ε = 1, and the noise has the scale 0.5. How many people are there?"),
        Typed(),
        lambda: 100 / 0.5 - 1,
        Phrase("n = u / LS − 1: the noise has revealed it."),
    ),
    Prediction(
        Phrase(
            "Propose-test-release adds integer noise to the distance: ε₁ = 0.5 and δ = 10⁻⁶. Which threshold T "
            "must the noisy distance reach?"
        ),
        Typed(),
        lambda: TEST.least,
        Phrase("ln(1/(δ (1 + e^(−0.5)))) / 0.5 is 26.7, and T is the next whole number."),
    ),
    Prediction(
        Phrase(
            "The distance D of the dataset is exactly this T, and the noise of the test is an "
            "integer: k has a probability in proportion to e^(−0.5 |k|). How often does the test "
            "pass, in percent?"
        ),
        Typed(),
        lambda: 100 * PureTest(TEST.least, TEST).chance,
        Phrase(
            "The test passes when integer noise is not below 0: 1 / (1 + e^(−0.5)). This is more than "
            "half, because integer noise is often 0."
        ),
    ),
    Prediction(
        Phrase(
            "In a tent, A(0) = 1, A(1) = 1, and A(k) = 9 from k = 2 on. Each person further away "
            "halves the weight, e^(−β) = 1/2. What is S?"
        ),
        Typed(),
        lambda: max(rung * 0.5**k for k, rung in enumerate(RUNGS)),
        Phrase("1, 1/2, 9/4, 9/8, …: from k = 3 on A(k) does not grow, and the weights fall."),
    ),
    Prediction(
        Phrase(
            "Nine people are around 40, four around 80, β = 1/3, as in the tent. The oldest of the nine "
            "is removed. By which factor does S grow?"
        ),
        Typed(),
        lambda: numbers.tent(8, 4, 3).bound / numbers.tent(9, 4, 3).bound,
        Phrase("e^(1/3): the highest product is now one place nearer. It is never more than e^β, for any dataset."),
    ),
    Prediction(
        Phrase(
            "There are 600 blocks of people. The mean of each is clipped to 20 to 80, and one person "
            "is in one block. What is the scale of the noise on the average of the blocks, at ε = 1?"
        ),
        Typed(),
        lambda: (80 - 20) / 600,
        Phrase("(u − l) / (k ε)."),
    ),
    Prediction(
        Phrase("ε = 1, δ = 10⁻⁶. What is the textbook's β = ε / (2 ln(2/δ))?"),
        Typed(),
        lambda: printed_beta(1, 1e-6),
        Phrase("So e^(−βk) halves every 20 people."),
    ),
    Prediction(
        Phrase(
            "The mean mark of all people named Mia is released: u = 100, ε = 1. The noise follows u/(n+1), and "
            "has the scale 50. How many people are named Mia?"
        ),
        Typed(),
        lambda: 100 / 50 - 1,
        Phrase("One. Results of such noise reveal that the mean is one person's mark: Mia's."),
    ),
    Prediction(
        Phrase(
            "Write a program: 51 people are aged 20, 21, …, 70, bounds 0 to 100. What is A(3) of the "
            "median? It is the most that one person can change the median after three others were "
            "added or removed."
        ),
        Typed(),
        lambda: float(Median().ladder(Column.from_values(numbers.AGES, np.arange(20.0, 71.0)), np.arange(4))[3]),
        Phrase(
            "Without 44, 45 and 46 the median is 45, halfway between 43 and 47. One person more "
            "moves it by 2. The gap grows slowly."
        ),
        """
from statistics import median

def neighbours(ages):  # one person is added at a bound, or removed
    return [tuple(sorted((*ages, age))) for age in (0, 100)] + [ages[:i] + ages[i + 1 :] for i in range(len(ages))]

near = {tuple(range(20, 71))}
for _ in range(3):
    near = {other for ages in near for other in neighbours(ages)}
print(max(abs(median(ages) - median(other)) for ages in near for other in neighbours(ages)))
""",
    ),
    Prediction(
        Phrase(
            "Derive u/(n+1): n people have values from 0 to u and the mean m, and one with the value "
            "u is added. One line is wrong."
        ),
        InOrder(
            {
                "A": Phrase("So the mean changes by (n m + u)/(n + 1) − m = (u − m)/(n + 1)."),
                "B": Phrase("The added u is shared by the n people, so the mean changes by u/n."),
                "C": Phrase("m is not below 0, so this is u/(n + 1) at most."),
                "D": Phrase("The sum was n m, and becomes n m + u."),
            }
        ),
        lambda: "DAC",
        Phrase(
            "B is what a removed person can change: with one value u and all others 0, the mean falls from u/n to 0."
        ),
    ),
    Prediction(
        Phrase(
            "D(x) is the smallest number of steps to a dataset with local sensitivity above b. Prove: "
            "one person changes D(x) by at most 1. One line is wrong."
        ),
        InOrder(
            {
                "A": Phrase(
                    "From a neighbouring dataset x' there is one more step at most: first to x, then the same path."
                ),
                "B": Phrase("x and x' have the same local sensitivity, because they are neighbouring datasets."),
                "C": Phrase("The same is true with x and x' exchanged: so |D(x) − D(x')| ≤ 1."),
                "D": Phrase("Let D(x) = k: some y at k steps from x has a local sensitivity above b."),
                "E": Phrase("So D(x') ≤ k + 1."),
            }
        ),
        lambda: "DAEC",
        Phrase("B is the mistake of the whole chapter: the local sensitivity can jump between neighbouring datasets."),
    ),
)
