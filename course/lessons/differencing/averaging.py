"""Averaging: one query asked too often, and the ledger that refuses it."""

from __future__ import annotations

import numpy as np

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Mark, Series
from discreet.course.lesson import numbers
from discreet.course.lessons.deidentification.numbers import town
from discreet.course.lessons.differencing import numbers as differencing
from discreet.course.lessons.differencing.answers import ANSWERS
from discreet.course.lessons.differencing.book import PAGES
from discreet.course.lessons.differencing.guesses import GUESSES
from discreet.course.lessons.differencing.guessing import EPSILONS
from discreet.course.lessons.differencing.letters import LETTERS
from discreet.course.steps import Step
from discreet.queries.bounds import FloatArray
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say
from discreet.ui.session.state import workspace

ASKED = 1000
BUDGETS = (0.5, 1.0, 2.0, 3.0)
TIMES = np.arange(1, ASKED + 1)


def again_controls(by: Controls) -> tuple[float, float, int]:
    """Choose the cost of a result, the budget, and a draw."""
    epsilon = by.pick("epsilon", say("ε per result"), EPSILONS, 0.1)
    limit = by.pick("budget", say("Budget ε"), BUDGETS, 1.0)
    return epsilon, max(limit, epsilon), by.draw()


def again(settings: tuple[float, float, int], key: str) -> None:
    """Draw the average of repeated results, and where a real ledger stops it."""
    epsilon, limit, seed = settings
    here = workspace().here
    paid = here.remember(("lesson", epsilon, limit), lambda: differencing.until_refused(epsilon, limit)).answers
    average = differencing.averages(epsilon, ASKED, seed)
    band = _band(epsilon)
    numbers(
        {
            say("Results within budget"): str(len(paid)),
            say("Their average"): number(float(average[len(paid) - 1]), 5),
            say("Its margin of error (95%)"): f"± {number(float(band[len(paid) - 1]), 3)}",
            say("For {n} results", n=number(ASKED)): f"± {number(float(band[-1]), 3)}",
        }
    )
    truth = differencing.exact(town().names[0])[0]
    words = say(
        "The average of repeated results approaches the exact value {truth}. A budget of "
        "{limit:g} stops after {allowed}.",
        truth=truth,
        limit=limit,
        allowed=len(paid),
    )
    _figure((average, band), truth, len(paid), words, key, _grip(epsilon, limit, key))


def _band(epsilon: float) -> FloatArray:
    """Return the 95% margin of error of an average."""
    return 1.96 * differencing.spread(epsilon) / np.sqrt(TIMES)


def _grip(epsilon: float, limit: float, key: str) -> Handle:
    """Return the handle where the ledger stops: dragging it chooses the budget."""
    places = [max(1, round(budget / epsilon)) for budget in BUDGETS]
    value = min(BUDGETS, key=lambda budget: abs(budget - limit))
    return Handle(f"{key}-budget", say("Budget ε"), BUDGETS, places, value)


def _figure(
    curves: tuple[FloatArray, FloatArray], truth: int, allowed: int, words: str, key: str, grip: Handle
) -> None:
    """Draw the average, and the band around the true value in which it stays."""
    average, band = curves
    figures.lines(
        TIMES.tolist(),
        [
            Series(say("average so far"), average.tolist(), "result", at=300),
            Series(say("95% interval"), (truth + band).tolist(), "quiet", "dot", at=8),
            Series(say("95% interval"), (truth - band).tolist(), "quiet", "dot", at=-1),
        ],
        (say("Results averaged (logarithmic)"), say("Average")),
        words,
        key,
        [
            Mark(truth, say("exact value {x}", x=truth), "truth", level=True),
            Mark(allowed, say("the ledger stops here"), "refused"),
        ],
        grips=[grip],
        xaxis_type="log",
    )


AVERAGING = Step(
    "again",
    Phrase("Repeated queries"),
    Phrase(
        "Noise averages out: a thousand results are almost exact. Every result is therefore "
        "charged to a ledger, which refuses once the budget is spent."
    ),
    Phrase("Halve the ε per result: twice as many results fit. Is their average better?"),
    again_controls,
    again,
    GUESSES["again"],
    PAGES["again"],
    letters=LETTERS["again"],
    answer=ANSWERS["again"],
)
