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
from discreet.mechanisms.sparse import AboveThreshold

watch = AboveThreshold(epsilon=0.2, threshold=100)
print(watch.cost().epsilon)
""",
        Phrase(
            "Several published forms of it are not private. They release the noisy count at the stop, "
            "or leave out the noise of the threshold."
        ),
        (LYU,),
    ),
    "patience": BookPage(
        (r"O\left(\tfrac{n \ln n}{\varepsilon}\right), \qquad O\left(\tfrac{\ln n}{\varepsilon}\right)",),
        Phrase(
            "Releasing n counts of the same people divides ε by n. Watching for one of them costs only a logarithm."
        ),
        """
from discreet.mechanisms.laplace import whole_width
from discreet.mechanisms.sparse import AboveThreshold

length, epsilon = 100, 1.0
half_width = whole_width(length / epsilon, 1 - 0.05 / length)
watched = AboveThreshold(epsilon=epsilon, threshold=40).scales.slack(length, 0.05)
print(half_width / watched)
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
from discreet.mechanisms import registry
from discreet.mechanisms.base.tuning import half_width
from discreet.queries import Bounds, Column
from discreet.queries.count import Count
from discreet.queries.column import Scores

people, yes = 1000, 300
survey = registry["randomized-response"](epsilon=1.0, people=people)
local = half_width(survey.law(Scores(("yes", "no"), np.array([yes, people - yes]))))
counted = registry["geometric"](query=Count(), epsilon=1.0)
central = half_width(counted.law(Column.from_counts(Bounds(0, 1, integer=True), [0, yes]))) / people
print(local / central)
""",
        Phrase("Books often toss two fair coins. The report is true three times in four, and ε is ln 3."),
        (WARNER,),
    ),
    "people": BookPage(
        (
            r"\sigma_1 \sim \frac{1}{n\,\varepsilon}, \qquad \sigma_0 = \frac{1}{\sqrt n}\,"
            r"\frac{e^{\varepsilon/2}}{e^\varepsilon - 1}",
        ),
        Phrase(
            "Standard errors of the share, with trust (1) and without (0). Without trust, each of n "
            "people adds a separate variance."
        ),
        """
from discreet.mechanisms.base.tuning import half_width
from discreet.course.lessons.streams.numbers import PEOPLE, local, surveyed

wanted = surveyed(100, 30, 1.0).central
sizes = [n for n in PEOPLE if half_width(local(n, round(0.3 * n), 1.0)) > wanted]
n = sizes[-1]
error = half_width(local(n, round(0.3 * n), 1.0))
print(n * (error / wanted) ** 2)
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
            "Input, output, objective and optimiser. For a mean, the tilted sum of squares has its "
            "minimum at the mean, shifted by b/n: the same distribution as noise on the output. For "
            "other objectives the four differ."
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
