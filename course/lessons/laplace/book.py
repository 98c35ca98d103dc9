"""Book of lesson 3: the Laplace density, counts, and the definition."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.steps import DWORK_2006, DWORK_KOHLI, DWORK_ROTH, GHOSH, BookPage

PAGES = {
    "scales": BookPage(
        (r"f(x \mid \mu, b) = \frac{1}{2b}\, e^{-|x-\mu|/b}", r"F(x) = f(x) + \mathrm{Lap}(s/\varepsilon)"),
        Phrase(
            "The Laplace mechanism adds noise of scale b = s/ε, where s is what one person can move. NumPy draws it "
            "with `numpy.random.laplace`; a release here draws exactly, on a grid, with secret bits."
        ),
        """
from discreet.mechanisms.laws.law import Noisy
from discreet.mechanisms.laws.law import Laplace

sensitivity, epsilon = 1, 0.5
noise = Noisy(0.0, sensitivity / epsilon, Laplace())
print(noise.quantile(0.975))
""",
        Phrase(
            "Noise in floating point leaves holes in which values cannot lie, and holes tell. So nothing is "
            "released from it here."
        ),
        (DWORK_2006,),
    ),
    "count": BookPage(
        (r"\Pr[Z = z] = \frac{1-a}{1+a}\, a^{|z|}, \quad a = e^{-\varepsilon}",),
        Phrase("A count has sensitivity 1. Geometric noise is the Laplace law on the whole numbers."),
        """
from discreet.lab.explain import census_ground
from discreet.mechanisms import registry
from discreet.queries import Bounds, Column
from discreet.queries.count import Count

older = int((census_ground("age").column.values() >= 40).sum())
rows = Column.from_counts(Bounds(0, 1, integer=True), [0, older])
law = registry["geometric"](query=Count(), epsilon=0.1).law(rows)
print(law.quantile(0.975) - older)
""",
        Phrase(
            "Notes count 14,235 such people: their census is of real people. This one has as many, 32,561, and they "
            "are generated. The noise is the same for both."
        ),
        (GHOSH,),
    ),
    "ratio": BookPage(
        (r"\frac{\Pr[F(x) \in S]}{\Pr[F(x') \in S]} \le e^{\varepsilon}",),
        Phrase(
            "For all neighbours x and x', and all sets S of answers. It is the algorithm F that has this property, "
            "not an answer and not the data."
        ),
        """
import numpy as np
from discreet.mechanisms import registry
from discreet.queries import Bounds, Column
from discreet.queries.count import Count

mechanism = registry["geometric"](query=Count(), epsilon=0.5)
yes_no, answers = Bounds(0, 1, integer=True), np.arange(20, 61)
with_, without = (mechanism.law(Column.from_counts(yes_no, [0, n])) for n in (41, 40))
p, q = (law.cdf(answers) - law.cdf(answers - 1) for law in (with_, without))
print(max(p / q))
""",
        Phrase(
            "Some books print Pr[F(x) = S] with one answer S. That is enough where answers are countable, and says "
            "nothing where every single answer has chance 0."
        ),
        (DWORK_2006, DWORK_ROTH),
    ),
    "choosing": BookPage(
        (r"\Pr[\hat b = b] \le \frac{1}{1 + e^{-\varepsilon}}",),
        Phrase(
            "What ε promises of one answer, or of all answers about one unit. An ε says little without its unit, "
            "its δ, and what is charged to it: a day, a person, a table, a year of tables."
        ),
        """
import math

epsilon = 4
print(100 / (1 + math.exp(-epsilon)))
""",
        Phrase(
            "Notes say: about 1 or less, and above 10 little protection; a book calls 0.01 or 0.1 usual. Of the "
            "deployments that are listed here none has so little, two have more than 10, and those of a day add up "
            "day by day."
        ),
        (DWORK_KOHLI, DWORK_ROTH),
    ),
}
