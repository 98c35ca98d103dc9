"""Book of lesson 2: differencing, the count of one person, and averages."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.steps import DWORK_2006, DWORK_ROTH, GHOSH, BookPage

PAGES = {
    "two": BookPage(
        (r"q(D) - q(D \setminus \{x\}) = q(\{x\})",),
        Phrase(
            "A differencing attack runs two harmless queries. Forbidding small counts does not help, "
            "because both counts are large."
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
            "A book hides both results with noise of −1, 0 or 1. This fails: a difference of 3 is "
            "possible only if the person smokes, one of −2 only if not. Noise with a limited range "
            "reveals someone."
        ),
        (DWORK_2006,),
    ),
    "named": BookPage(
        (r"\Pr[\hat b = b] \le \frac{e^\varepsilon}{1 + e^\varepsilon}",),
        Phrase(
            "If both possibilities are equally likely beforehand, no one who sees an ε-differentially "
            "private result guesses right more often than this formula states. At ε = ln 3 this is "
            "three times in four."
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
            "Lecture notes ask three times whether Karrie earns more than 50,000, at ε = 0.1. The "
            "results do not show it. No query is refused, and three results cost 3 ε. Books add "
            "Laplace noise to counts; here counts get geometric noise, in integers."
        ),
        (DWORK_ROTH, GHOSH),
    ),
    "twenty": BookPage(
        (r"\mathrm{E}(R) \le 20 \cdot \frac{e^\varepsilon}{1 + e^\varepsilon}",),
        Phrase(
            "Each guess is a separate game, won with a chance of at most e^ε / (1 + e^ε). With luck, "
            "one round may win more, just as a coin may give heads fifteen times."
        ),
        """
from discreet.course.lessons.differencing.numbers import luck, twenty

game = twenty(epsilon=0.5, seed=1)
right = game.right(game.rest(""))
chance_of_as_many = luck(right, game.allowed)
print(20 * game.allowed)
""",
        Phrase(
            "A book states that noise makes an attacker uncertain. This bound measures how uncertain, "
            "and it is valid for every attacker. Guessing by whether the count is 1 or more reaches "
            "it."
        ),
        (DWORK_ROTH, GHOSH),
    ),
    "again": BookPage(
        (r"\operatorname{sd}\Big(\tfrac1m \sum_{i=1}^m a_i\Big) = \frac{\sigma}{\sqrt m}, \qquad m\,\varepsilon",),
        Phrase(
            "The error falls with the root of the number of results, while the cost grows with their "
            "number. A ledger adds up the cost."
        ),
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
