"""Clipping: what a low bound takes away, and what a high one adds in noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from discreet.budget import Phrase
from discreet.lab.explain import Clipping
from discreet.lab.lessons import sensitivity
from discreet.ui.figures import learn
from discreet.ui.figures.drag import Handle
from discreet.ui.figures.learn import Distance, Mark, Series
from discreet.ui.frame.words import number, say
from discreet.ui.learn.controls import Controls
from discreet.ui.learn.guess_point import GuessPoint
from discreet.ui.learn.lesson import numbers
from discreet.ui.learn.sensitivity.bound_book import PAGES
from discreet.ui.learn.sensitivity.bound_choices import LIMITS, PEOPLE
from discreet.ui.learn.sensitivity.bound_guesses import GUESSES
from discreet.ui.learn.sensitivity.bound_letters import LETTERS
from discreet.ui.learn.sensitivity.choosing import EPSILONS
from discreet.ui.learn.sensitivity.influence import INSIDE
from discreet.ui.learn.step import Step

SHARES: dict[str, Any] = {
    "xaxis_type": "log",
    "yaxis_range": [0, 1.5],
    "yaxis_tickformat": ".0%",
    "xaxis_dtick": 1,
    "xaxis_tickformat": ",",
}
BOUNDS: dict[str, Any] = {"xaxis_range": [2, 5]}
COLUMNS = {"capital_gain": Phrase("Capital gain"), "wealth": Phrase("Wealth"), "age": Phrase("Age")}
USUAL = {"capital_gain": 50_000, "wealth": 1_000_000, "age": 60}


def clipping_controls(by: Controls) -> tuple[str, float, int]:
    """Choose the column, its upper bound and epsilon."""
    column = by.choose("column", say("Column of the census"), COLUMNS)
    upper = int(
        by.pick(f"upper-{column}", say("Upper bound u"), LIMITS[column], USUAL[column])
    )  # a scale for each column, so that each keeps its own place
    return column, by.pick("epsilon", say("ε"), EPSILONS, 0.1), upper


def clipping(settings: tuple[str, float, int], key: str) -> None:
    """Draw what clipping takes and what noise adds, against the bound."""
    column, epsilon, upper = settings
    curve = sensitivity.clipping(column, PEOPLE, epsilon)
    here = sensitivity.clipped(column, PEOPLE, epsilon, upper)
    best = number(float(curve.bounds[int(np.argmin(curve.bias + curve.noise))]), 3)
    numbers(
        {
            say("Clipped away"): f"{here.bias:.1%}",
            say("Noise, 19 in 20"): f"± {here.noise:.1%}",
            say("Together"): f"{here.bias + here.noise:.1%}",
            say("Best of {n} bounds", n=curve.bounds.size): best,
        }
    )
    words = say(
        "With the bound {u} clipping takes {bias} of the sum and noise moves it by {noise}; {best} is best.",
        u=number(upper),
        bias=f"{here.bias:.1%}",
        noise=f"{here.noise:.1%}",
        best=best,
    )
    _figure(curve, column, upper, POINT.marks(key, settings), words, key)


def _frame(key: str, grip: Handle) -> None:
    """Draw the bounds there are, before it is seen what each takes and adds."""
    axes = (say("Upper bound u (logarithmic)"), say("Share of the exact sum"))
    learn.lines([], [], axes, say("All bounds from 100 to 100,000, still empty."), key, [], [grip], **BOUNDS, **SHARES)


POINT = GuessPoint(GUESSES["clipping"], _frame, lambda settings: settings[:2] == ("capital_gain", 0.1))


def _figure(curve: Clipping, column: str, upper: int, marks: Sequence[Mark | Distance], words: str, key: str) -> None:
    """Draw bias, noise and both as shares of the exact sum."""
    learn.lines(
        curve.bounds.tolist(),
        [
            Series(say("clipped away"), curve.bias.tolist(), "exhibit", "dot", at=-1),
            Series(say("noise"), curve.noise.tolist(), "global", "dash", at=-1),
            Series(say("both"), (curve.bias + curve.noise).tolist(), "truth", at=-1),
        ],
        (say("Upper bound u (logarithmic)"), say("Share of the exact sum")),
        words,
        key,
        [Mark(upper, say("u = {u}", u=number(upper))), *marks],
        [Handle(f"{key}-upper-{column}", say("Upper bound u"), LIMITS[column], LIMITS[column], upper)],
        **SHARES,
        **INSIDE,
    )


CLIPPING = Step(
    "clipping",
    Phrase("Clipping"),
    Phrase(
        "The sum of 3,000 people; values above u count as u. A low bound takes from the "
        "sum, always the same way: **bias**. A high bound needs more **noise**."
    ),
    Phrase("Raise ε: does the best bound rise or fall? Why are age and wealth so different?"),
    clipping_controls,
    clipping,
    GUESSES["clipping"],
    PAGES["clipping"],
    POINT,
    letters=LETTERS["clipping"],
)
