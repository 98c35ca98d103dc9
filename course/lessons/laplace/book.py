"""Book of lesson 3: the Laplace density, counts, and the definition."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.steps import DWORK_2006, DWORK_KOHLI, DWORK_ROTH, GHOSH, BookPage

PAGES = {
    "drops": BookPage(
        (r"F(x) = f(x) + Z", r"\Pr[Z = 0] = \frac{1 - e^{-\varepsilon}}{1 + e^{-\varepsilon}}"),
        Phrase(
            "The difference of two waiting times has a peak at 0 and falls by the same factor with every step "
            "away from it. A coin with the chance e^(−ε) decides how long one waits."
        ),
        """
import random

epsilon, draws = 0.5, 200_000
random.seed(1)


def wait():
    steps = 0
    while random.random() > 1 - 2.718281828 ** -epsilon:
        steps += 1
    return steps


results = [40 + wait() - wait() for _ in range(draws)]
print(100 * results.count(40) / draws)
""",
        sources=(GHOSH,),
    ),
    "scales": BookPage(
        (r"f(x \mid \mu, b) = \frac{1}{2b}\, e^{-|x-\mu|/b}", r"F(x) = f(x) + \mathrm{Lap}(s/\varepsilon)"),
        Phrase(
            "The Laplace mechanism adds noise of scale b = s/ε, where s is how much one person can "
            "change the result. NumPy draws it with `numpy.random.laplace`. A release here draws it "
            "exactly, on a grid, with secret bits."
        ),
        """
import math
import random

epsilon, sensitivity, draws = 0.5, 1, 400_000
scale = sensitivity / epsilon
random.seed(1)


def laplace():
    share = random.random() - 0.5
    return -scale * math.copysign(math.log(1 - 2 * abs(share)), share)


sizes = sorted(abs(laplace()) for _ in range(draws))
print(sizes[int(0.95 * draws)])
""",
        Phrase(
            "Noise in floating point leaves gaps between possible values, and gaps reveal data. For "
            "this reason it is not used here to release anything."
        ),
        (DWORK_2006,),
    ),
    "count": BookPage(
        (r"\Pr[Z = z] = \frac{1-a}{1+a}\, a^{|z|}, \quad a = e^{-\varepsilon}",),
        Phrase("A count has sensitivity 1. Geometric noise is the Laplace distribution on the integers."),
        """
import math

a = math.exp(-0.1)  # every step away from 0 is less likely by this factor
width, within = 0, (1 - a) / (1 + a)
while within < 0.95:
    width += 1
    within += 2 * (1 - a) / (1 + a) * a**width
print(width)
""",
        Phrase(
            "Lecture notes count 14,235 such people in a census of real people. The census here has "
            "as many rows, 32,561, but its people are simulated. The noise is the same for both."
        ),
        (GHOSH,),
    ),
    "ratio": BookPage(
        (r"\frac{\Pr[F(x) \in S]}{\Pr[F(x') \in S]} \le e^{\varepsilon}",),
        Phrase(
            "The inequality must be true for all neighbouring datasets x and x', and all sets S of "
            "results. The algorithm F has this property, not a result and not the data."
        ),
        """
import math

epsilon = 0.5
a = math.exp(-epsilon)


def chance(result, count):
    return (1 - a) / (1 + a) * a ** abs(result - count)


print(max(chance(result, 41) / chance(result, 40) for result in range(20, 61)))
""",
        Phrase(
            "Some books print Pr[F(x) = S] with one result S. This is enough where results are "
            "countable. It states nothing where every single result has probability 0."
        ),
        (DWORK_2006, DWORK_ROTH),
    ),
    "choosing": BookPage(
        (r"\Pr[\hat b = b] \le \frac{1}{1 + e^{-\varepsilon}}",),
        Phrase(
            "ε is a guarantee for one result, or for all results about one unit of privacy. An ε "
            "means little without its unit, its δ, and what is charged to it: a day, a person, a "
            "table, a year of tables."
        ),
        """
import math

epsilon = 4
print(100 / (1 + math.exp(-epsilon)))
""",
        Phrase(
            "Lecture notes advise about 1 or less, with little protection above 10. A book calls 0.01 "
            "or 0.1 usual. None of the deployments listed here is that small, two are above 10, and "
            "daily ones add up day by day."
        ),
        (DWORK_KOHLI, DWORK_ROTH),
    ),
}
