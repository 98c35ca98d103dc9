"""Book of lesson 2: differencing, the count of one person, and averages."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.steps import DWORK_2006, DWORK_ROTH, GHOSH, BookPage

PAGES = {
    "two": BookPage(
        (r"q(D) - q(D \setminus \{x\}) = q(\{x\})",),
        Phrase(
            "A differencing attack asks two harmless questions. To forbid small counts does not help: both are large."
        ),
        """
from discreet.course.lessons.deidentification.numbers import town

people = town()
person = people.names[6]
everybody = int(people.smokes.sum())
others = everybody - people.has(person)
print("smokes" if everybody > others else "nothing")
""",
        Phrase(
            "A book hides both answers with noise of −1, 0 or 1. That fails: a difference of 3 is possible only if "
            "the person smokes, one of −2 only if not. Noise that ends somewhere gives somebody away."
        ),
        (DWORK_2006,),
    ),
    "named": BookPage(
        (r"\Pr[\hat b = b] \le \frac{e^\varepsilon}{1 + e^\varepsilon}",),
        Phrase(
            "With even odds before, nobody who sees an ε-differentially private answer guesses right more often. At "
            "ε = ln 3 that is three times in four."
        ),
        """
from discreet.mechanisms import registry
from discreet.queries import Bounds, Column
from discreet.queries.count import Count

mechanism = registry["geometric"](query=Count(), epsilon=0.5)
yes_no = Bounds(0, 1, integer=True)
without, within = (mechanism.law(Column.from_counts(yes_no, [0, n])) for n in (0, 1))
distance = without.cdf(0) - within.cdf(0)
print(100 * (1 + distance) / 2)
""",
        Phrase(
            "Notes ask three times whether Karrie earns more than 50,000, at ε = 0.1: the answers do not say. Nothing "
            "is refused, and three answers cost 3 ε. Books add Laplace noise to counts; here counts get whole noise, "
            "geometric."
        ),
        (DWORK_ROTH, GHOSH),
    ),
    "twenty": BookPage(
        (r"\mathrm{E}(R) \le 20 \cdot \frac{e^\varepsilon}{1 + e^\varepsilon}",),
        Phrase(
            "Each guess is a game of its own, won with a chance of e^ε / (1 + e^ε) at most. Luck may win more in one "
            "round, as a coin may fall heads fifteen times."
        ),
        """
from discreet.course.lessons.differencing.numbers import luck, twenty

game = twenty(epsilon=0.5, seed=1)
right = game.right(game.rest(""))
chance_of_as_many = luck(right, game.allowed)
print(20 * game.allowed)
""",
        Phrase(
            "A book says that noise makes an attacker uncertain. How uncertain is a number: this bound holds for every "
            "attacker, and guessing by whether the count is 1 or more reaches it."
        ),
        (DWORK_ROTH, GHOSH),
    ),
    "again": BookPage(
        (r"\operatorname{sd}\Big(\tfrac1m \sum_{i=1}^m a_i\Big) = \frac{\sigma}{\sqrt m}, \qquad m\,\varepsilon",),
        Phrase("The error falls with the root of the answers, the cost grows with their number. A ledger adds it up."),
        """
from discreet.lab.simulation import SimulationNoise
from discreet.mechanisms import registry
from discreet.queries import Bounds, Column
from discreet.queries.count import Count

smokers = Column.from_counts(Bounds(0, 1, integer=True), [0, 900])
law = registry["geometric"](query=Count(), epsilon=0.1).law(smokers)
answers = law.simulate(SimulationNoise(1).uniforms(law.draws, 1_000_000))
print(1.96 * answers.std() / 1000**0.5)
""",
        sources=(DWORK_ROTH,),
    ),
}
