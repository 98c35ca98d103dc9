"""Book of lesson 8: the sparse vector technique and the local model."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.steps import CHAUDHURI, DWORK_ROTH, LYU, WARNER, BookPage

PAGES = {
    "stream": BookPage(
        (r"\tau = \min\{i : q_i(x) + Z_i \ge T + Z\}",),
        Phrase(
            "In the sparse vector technique the threshold gets noise once and each query gets its own "
            "noise. Only the stop is published."
        ),
        """
import random

epsilon, threshold, spent = 0.2, 100, 0.0
random.seed(1)

def laplace(scale):
    return random.expovariate(1 / scale) - random.expovariate(1 / scale)

ill = [12, 14, 11, 15, 18, 24, 35, 60, 110, 160, 210, 240]
bar = threshold + laplace(2 / epsilon)
spent += epsilon / 2
for day, count in enumerate(ill):
    if count + laplace(2 / epsilon) >= bar:
        break
spent += epsilon / 2  # once, for all days together
print(spent)
""",
        Phrase(
            "Several published forms of it are not private. They release the noisy count at the stop, "
            "or leave out the noise of the threshold."
        ),
        (LYU,),
    ),
    "patience": BookPage(
        (
            r"\frac{n}{\varepsilon} \ln\frac{n}{\beta}, \qquad "
            r"\frac{2}{\varepsilon} \ln\frac{2}{\beta} + \frac{2}{\varepsilon} \ln\frac{2n}{\beta}",
        ),
        Phrase(
            "Bounds of the error of all counts together, which Laplace noise exceeds with probability β = "
            "0.05 at most. Releasing n counts of the same people divides ε by n. For watching, n is in a "
            "logarithm only."
        ),
        """
import math

length, epsilon, miss = 100, 1.0, 0.05
a = math.exp(-epsilon / length)  # all released: a hundredth of epsilon for each count
released = 0
while 2 * a ** (released + 1) / (1 + a) > miss / length:
    released += 1
watched = 2 / epsilon * math.log(2 / miss) + 2 / epsilon * math.log(2 * length / miss)
print(released / watched)
""",
        sources=(LYU, DWORK_ROTH),
    ),
    "local": BookPage(
        (r"\Pr[r = t] = \frac{e^\varepsilon}{1 + e^\varepsilon}",),
        Phrase(
            "In randomized response, each person flips a separate coin. Let a report be true with "
            "probability p, and let a share t have the true answer yes. A share q = p t + (1 − p)(1 − "
            "t) of the reports is yes, and this is solved for t. If n people are selected at random, "
            "the standard error of the estimate is √(q (1 − q) / n) / (2p − 1)."
        ),
        """
import numpy as np

people, yes, epsilon, surveys = 1000, 300, 1.0, 400_000
draw = np.random.default_rng(1)
p, odds = 1 / (1 + np.exp(-epsilon)), 1 - np.exp(-epsilon)
reports = draw.binomial(yes, p, surveys) + draw.binomial(people - yes, 1 - p, surveys)
local = abs((reports / people - (1 - p)) / (2 * p - 1) - yes / people)
central = abs(draw.geometric(odds, surveys) - draw.geometric(odds, surveys)) / people
print(np.quantile(local, 0.95) / np.quantile(central, 0.95))
""",
        Phrase("Books often toss two fair coins. The report is true three times in four, and ε is ln 3."),
        (WARNER,),
    ),
    "people": BookPage(
        (
            r"\sigma_1 = \frac{\sqrt 2}{n}\,\frac{e^{\varepsilon/2}}{e^\varepsilon - 1}, \qquad "
            r"\sigma_0 = \frac{1}{\sqrt n}\,\frac{e^{\varepsilon/2}}{e^\varepsilon - 1}",
        ),
        Phrase(
            "Standard errors of the share, with trust (1) and without (0). Without trust, each of n "
            "people adds a separate variance."
        ),
        """
import math

epsilon, trusted = 1.0, 100
a, p = math.exp(-epsilon), 1 / (1 + math.exp(-epsilon))
width, within = 0, (1 - a) / (1 + a)
while within < 0.95:
    width += 1
    within += 2 * (1 - a) / (1 + a) * a**width

n = trusted
while 1.96 * math.sqrt(p * (1 - p) / n) / (2 * p - 1) > width / trusted:
    n += 1
print(n)
""",
        sources=(WARNER, DWORK_ROTH),
    ),
    "places": BookPage(
        (
            r"\hat\theta = \tfrac1n \sum_i (x_i + Z_i), \quad \hat\theta = \tfrac1n \sum_i x_i + Z",
            r"\hat\theta = \arg\min_\theta \sum_i (\theta - x_i)^2 / 2 + b\,\theta",
            r"\theta_{t+1} = \theta_t - \eta\,(\nabla(\theta_t) + Z_t)",
        ),
        Phrase(
            "Input, output, objective and optimiser. The scale is 1/ε for each Zᵢ and b, 1/(nε) for Z, and "
            "T/(nε) for each of T steps. For a mean, the tilted sum of squares has its minimum at the mean, "
            "shifted by b/n: the same distribution as noise on the output. For other objectives the four "
            "differ."
        ),
        """
import numpy as np

people, epsilon, surveys = 1000, 1.0, 400_000
draw = np.random.default_rng(1)
# a Laplace draw is the difference of two waiting times, and so is a sum of them
ours, theirs = (draw.gamma(people, 1 / epsilon, surveys) for _ in "12")
everyone = (ours - theirs) / people
once = draw.laplace(0.0, 1 / (people * epsilon), surveys)
print(np.quantile(abs(everyone), 0.95) / np.quantile(abs(once), 0.95))
""",
        Phrase("A book lists the four places but shows only the output."),
        (CHAUDHURI, WARNER),
    ),
}
