"""Growth: epsilon of many results under four accountings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Mark, Series
from discreet.course.guessing import GuessPoint
from discreet.course.lesson import numbers
from discreet.course.lessons.composition import numbers as composition
from discreet.course.lessons.composition.answers import ANSWERS
from discreet.course.lessons.composition.book import PAGES
from discreet.course.lessons.composition.dials import DELTAS, EPSILONS, LEGEND, NOISES
from discreet.course.lessons.composition.guesses import GUESSES
from discreet.course.lessons.composition.letters import LETTERS
from discreet.course.lessons.composition.numbers import COUNTS, MOST
from discreet.course.steps import Step
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say

ACCOUNTS = {
    "Basic": (Phrase("Plain sum"), "quiet", "solid"),
    "Advanced": (Phrase("Advanced"), "blocks", "dash"),
    "Optimal": (Phrase("Optimal"), "selection", "longdash"),
    "Rényi": (Phrase("Rényi"), "global", "solid"),
    "zCDP": (Phrase("zCDP"), "local", "dot"),
}
REACH: dict[str, Any] = {"xaxis_range": [0, MOST], "showlegend": True, "legend": LEGEND}
ROOM = {"all": Phrase("Include the plain sum"), "better": Phrase("Better accounting only")}


def accounts_controls(by: Controls) -> tuple[str, float, float, int, str]:
    """Choose the noise, epsilon, delta, the number of results, and the range of the figure."""
    own = say("A Gaussian result has its own δ: a thousandth of the total δ.")
    plan = say("Better accounting is valid for a plan that is fixed in advance.")
    noise = by.choose("noise", say("Noise"), NOISES)
    left, right = st.columns(2)
    with left:
        epsilon = by.pick("epsilon", say("ε per result"), EPSILONS, 0.1, own)
    with right:
        delta = by.pick("delta", say("Total δ"), DELTAS, 1e-6)
    answers = by.whole("answers", say("Results k"), 1, MOST, 100, help=plan)
    return noise, epsilon, delta, answers, by.choose("room", say("Range shown"), ROOM)


def accounts(settings: tuple[str, float, float, int, str], key: str) -> None:
    """Draw the total epsilon against the number of results, under four accountings."""
    noise, epsilon, delta, answers, room = settings
    totals = composition.totals(noise, epsilon, delta, answers)
    growth = composition.growth(noise, epsilon, delta)
    numbers({say(name): number(totals[account], 3) for account, (name, *_) in ACCOUNTS.items()})
    figures.lines(
        COUNTS,
        _series(growth),
        (say("Results k"), say("Total ε at this δ")),
        say(
            "{k} results of {epsilon:g} cost {sum} by the plain sum and {best} under the best accounting method.",
            k=answers,
            epsilon=epsilon,
            sum=number(totals["Basic"]),
            best=number(min(totals.values()), 3),
        ),
        key,
        [Mark(answers, "", "truth"), *_start(noise, epsilon, delta), *POINT.marks(key, settings)],
        [Handle(f"{key}-answers", say("Results k"), range(1, MOST + 1), range(1, MOST + 1), answers)],
        yaxis_range=[0, 1.08 * max(growth[each][-1] for each in ACCOUNTS if room == "all" or each != "Basic")],
        **REACH,
    )


def _frame(key: str, grip: Handle) -> None:
    """Draw the plain sum alone, with the hundred results of the question."""
    plain = [Series(say("Plain sum"), [0.1 * answers for answers in COUNTS], "quiet", at=-1)]
    words = say(
        "The plain sum of {k} results is {sum}. The better accounting methods are not shown yet.", k=100, sum=10
    )
    axes = (say("Results k"), say("Total ε at this δ"))
    figures.lines(COUNTS, plain, axes, words, key, [Mark(100, "", "truth")], [grip], yaxis_range=[0, 21.6], **REACH)


POINT = GuessPoint(
    GUESSES["accounts"], _frame, lambda settings: settings[:3] == (composition.LAPLACE, 0.1, 1e-6), "y", 100
)


def _series(growth: Mapping[str, Sequence[float]]) -> list[Series]:
    return [Series(say(name), growth[account], hue, dash, at=-1) for account, (name, hue, dash) in ACCOUNTS.items()]


def _start(noise: str, epsilon: float, delta: float) -> list[Mark]:
    """Mark where zCDP becomes cheaper, if the figure includes it."""
    answers = composition.pays_from(noise, epsilon, delta)
    return [Mark(answers, say("zCDP is better from {k}", k=answers), "local")] if 1 < answers <= MOST else []


ACCOUNTING = Step(
    "accounts",
    Phrase("Better accounting"),
    Phrase(
        "With some δ, costs grow about like √k while k ε² is small. **Advanced** is the books' formula, "
        "**optimal** the least that follows from ε alone. Rényi and zCDP use the type of noise."
    ),
    Phrase("When do better methods beat the sum? Which is smallest?"),
    accounts_controls,
    accounts,
    GUESSES["accounts"],
    PAGES["accounts"],
    POINT,
    letters=LETTERS["accounts"],
    answer=ANSWERS["accounts"],
)
