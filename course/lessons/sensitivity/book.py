"""Book of lesson 4: distance, global sensitivity, clipping, bounds."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.steps import DWORK_2006, DWORK_ROTH, LYU, BookPage

PAGES = {
    "distance": BookPage(
        (r"d(x, x') = \left| (x \setminus x') \cup (x' \setminus x) \right|",),
        Phrase(
            "The distance is the symmetric difference. Unbounded differential privacy compares "
            "datasets at distance 1. Bounded differential privacy compares datasets with one changed "
            "row, at distance 2."
        ),
        """
from collections import Counter

first = Counter([25, 30, 30, 45, 50, 65])
second = Counter([25, 30, 30, 60, 50, 65])
print(((first - second) + (second - first)).total())
""",
        Phrase(
            "Lecture notes call datasets neighbours if one person's data differs, and count this as 1 "
            "or as 2. Every release card here states which neighbouring datasets it uses."
        ),
        (DWORK_ROTH,),
    ),
    "statistics": BookPage(
        (
            r"\mathrm{GS}(f) = \max_{d(x,x') \le 1} |f(x) - f(x')|",
            r"\mathrm{GS}_{\pm}(\textstyle\sum) = \max(|l|, |u|), \qquad \mathrm{GS}_{=}(\textstyle\sum) = u - l",
        ),
        Phrase(
            "The sensitivity is the most that one person can change f, over all datasets. If x changes by 1, "
            "it is 1 for f(x) = x and n for f(x) = n x. For f(x) = x² the change depends on x: without bounds "
            "it has no limit."
        ),
        """
from itertools import combinations_with_replacement

lower, upper, most = 20, 100, 0
for rows in combinations_with_replacement(range(lower, upper + 1, 20), 3):
    for newcomer in range(lower, upper + 1):
        most = max(most, abs(sum([*rows, newcomer]) - sum(rows)))
print(most)
""",
        Phrase(
            "Books print u − l for sums. This is right if a row is changed. If a row is added or "
            "removed, it is the larger of |l| and |u|. With l = 0 both agree. For a mean they print u − l, too: "
            "the one row of n = 1 is changed. If a row is added or removed, the worst case is that of 1 and 2 rows: "
            "(u − l)/2. A count of all people is public if one is changed; a count with a condition changes by 1."
        ),
        (DWORK_2006,),
    ),
    "functions": BookPage(
        (r"f(x) = x: \ 1, \qquad f(x) = n x: \ n, \qquad f(x) = x^2: \ \max_x\,(2x + 1)",),
        Phrase("Sensitivity is how much the result changes if the input changes by at most 1, in the worst case."),
        """
def f(x):
    return x**2


print(abs(f(51) - f(50)))
""",
        Phrase(
            "Lecture notes call the sensitivity of x² unknown. With a bound on x it is known: 2u − 1 for x from 0 to u."
        ),
        (DWORK_2006,),
    ),
    "mean": BookPage(
        (
            r"\frac{\sum_i x_i + \mathrm{Lap}(u/\varepsilon_1)}{n + \mathrm{Lap}(1/\varepsilon_2)}",
            r"\varepsilon = \varepsilon_1 + \varepsilon_2",
        ),
        Phrase(
            "n is private here, so a noisy count replaces it. The error of the mean is about the noise of the "
            "sum, minus the mean times the noise of the count, divided by n."
        ),
        """
import random

spent = 0.0


def release(value, sensitivity, epsilon):
    global spent
    spent += epsilon
    waits = [random.expovariate(epsilon / sensitivity) for _ in "12"]
    return value + waits[0] - waits[1]


ages = [23, 31, 38, 45, 52, 67] * 50
mean = release(sum(ages), 100, 0.5) / release(len(ages), 1, 0.5)
print(spent)
""",
        Phrase(
            "Lecture notes add the cost of the sum and of the count, as here. If n is public, a mean has the "
            "sensitivity (u − l)/n, and needs no count."
        ),
        (DWORK_2006, DWORK_ROTH),
    ),
    "clipping": BookPage(
        (r"\sum_i \min(x_i, u) + \mathrm{Lap}(u/\varepsilon)",),
        Phrase(
            "Clipping makes an unbounded sensitivity bounded. It replaces noise by bias. Noise "
            "shrinks as ε grows, bias does not."
        ),
        """
import numpy as np
from discreet.lab.explain import census_ground

gains = census_ground("capital_gain").resized(3000).column.values()
epsilon = 0.1
bounds = np.geomspace(100, 100_000, 24)
lost = np.array([np.maximum(gains - bound, 0).sum() for bound in bounds])
noise = bounds / epsilon * np.log(20)
print(bounds[(lost + noise).argmin()])
""",
        Phrase(
            "Lecture notes take bounds from a histogram of the data, and state that this is not "
            "private. The next step has private ways."
        ),
        (DWORK_ROTH,),
    ),
    "bounds": BookPage(
        (r"\hat u = \min\{u : \#\{x_i > u\} + Z \le T\}",),
        Phrase(
            "Part of the budget can be used to find a bound: by the sparse vector technique, which "
            "pays once, or by a histogram."
        ),
        """
import math

epsilon = 0.5
looks = 7  # at 10,000, and at each double of it up to 640,000
losses = {"look": math.inf, "widen": looks * epsilon, "sparse": epsilon, "bins": epsilon}
right = {way: 1 / (1 + math.exp(-loss)) for way, loss in losses.items()}
print(max(right, key=right.get))
""",
        Phrase(
            "Lecture notes widen bounds until the result stops changing. Every look is a result, and costs ε each time."
        ),
        (LYU,),
    ),
}
