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

smokes = town().smokes
person = 6
first = sum(smokes)
second = sum(smokes[:person]) + sum(smokes[person + 1 :])
print("smokes" if first - second == 1 else "nothing")
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
import math

epsilon = 0.5
a = math.exp(-epsilon)


def chance(result, count):
    return (1 - a) / (1 + a) * a ** abs(result - count)


right = 0.0
for result in range(-80, 81):
    right += max(chance(result, 0), chance(result, 1)) / 2  # guess what makes the result more likely
print(100 * right)
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
import random

epsilon, games = 0.5, 200_000
random.seed(1)


def wait():
    return int(random.expovariate(epsilon))


right = 0
for _ in range(games):
    smokes = random.random() < 0.5
    result = smokes + wait() - wait()
    right += (result >= 1) == smokes
print(20 * right / games)
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
import random
from statistics import pstdev

epsilon, results = 0.1, 1000
random.seed(1)


def answer():
    return 900 + int(random.expovariate(epsilon)) - int(random.expovariate(epsilon))


spread = pstdev(answer() for _ in range(400_000))
print(1.96 * spread / results**0.5)
""",
        sources=(DWORK_ROTH,),
    ),
}
