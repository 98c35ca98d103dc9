"""Clipping: the bias of a low bound, and the noise of a high one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from discreet.budget import Phrase
from discreet.course import figures, own_file
from discreet.course.controls import Controls
from discreet.course.figures import Distance, Mark, Series, percent
from discreet.course.guessing import GuessPoint
from discreet.course.lesson import numbers
from discreet.course.lessons.sensitivity import numbers as sensitivity
from discreet.course.lessons.sensitivity.answers import ANSWERS
from discreet.course.lessons.sensitivity.book import PAGES
from discreet.course.lessons.sensitivity.bounds import LIMITS, PEOPLE
from discreet.course.lessons.sensitivity.choosing import EPSILONS
from discreet.course.lessons.sensitivity.guesses import GUESSES
from discreet.course.lessons.sensitivity.letters import LETTERS
from discreet.course.steps import Step
from discreet.lab.explain import Clipping
from discreet.queries import Column
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say
from discreet.ui.session.own_table import OwnTable

SHARES: dict[str, Any] = {
    "xaxis_type": "log",
    "yaxis_range": [0, 1.5],
    "yaxis_tickformat": ".0%",
    "xaxis_dtick": 1,
    "xaxis_tickformat": ",",
}
BOUNDS: dict[str, Any] = {"xaxis_range": [2, 5]}
COLUMNS = {"capital_gain": Phrase("Capital gain"), "wealth": Phrase("Wealth"), "age": Phrase("Age")}
USUAL = {"capital_gain": 10_000, "wealth": 1_000_000, "age": 60}


@dataclass(frozen=True)
class Summed:
    """A column to sum: its name, its rows, the possible bounds, and the default bound."""

    name: str
    rows: Column
    limits: Sequence[int]
    usual: int


def clipping_controls(by: Controls) -> tuple[Summed, float, int]:
    """Choose the column, its upper bound and epsilon."""
    table = own_file.own(by)
    of = _of_own(table, by) if table else _of_census(by)
    upper = int(
        by.pick(f"upper-{of.name}", say("Upper bound u"), of.limits, of.usual)
    )  # a scale for each column, so that each keeps its value
    return of, by.pick("epsilon", say("ε"), EPSILONS, 0.1), upper


def _of_census(by: Controls) -> Summed:
    column = by.choose("column", say("Column of the census"), COLUMNS)
    return Summed(column, sensitivity.people(column, PEOPLE), LIMITS[column], USUAL[column])


def _of_own(table: OwnTable, by: Controls) -> Summed:
    """Choose a column of the own table; its bounds are round numbers up to its largest."""
    names = list(table.amounts)
    rows = table.amounts[names[by.among("own", say("Column"), names)]]
    limits = bounds_up_to(int(rows.bounds.upper))
    return Summed(f"own-{limits[-1]}", rows, limits, limits[len(limits) // 2])


def bounds_up_to(top: int) -> tuple[int, ...]:
    """Return 1, 2 and 5 times powers of ten from a thousandth of a number to it, and the number itself."""
    powers = (10**power for power in range(len(str(top))))
    return (*(times * power for power in powers for times in (1, 2, 5) if top / 1000 <= times * power < top), top)


def clipping(settings: tuple[Summed, float, int], key: str) -> None:
    """Draw the bias of clipping and the noise, against the bound."""
    of, epsilon, upper = settings
    curve = sensitivity.clipping(of.rows, epsilon)
    here = sensitivity.clipped(of.rows, epsilon, upper)
    best = number(float(curve.bounds[int(np.argmin(curve.bias + curve.noise))]), 3)
    numbers(
        {
            say("Lost by clipping"): percent(here.bias, 1),
            say("Noise (95%)"): f"± {percent(here.noise, 1)}",
            say("Together"): percent(here.bias + here.noise, 1),
            say("Best of {n} bounds", n=curve.bounds.size): best,
        }
    )
    words = say(
        "With the bound {u}, clipping removes {bias} of the sum and noise changes it by {noise}. "
        "The best bound is {best}.",
        u=number(upper),
        bias=percent(here.bias, 1),
        noise=percent(here.noise, 1),
        best=best,
    )
    _figure(curve, of, upper, POINT.marks(key, settings), words, key)


def _frame(key: str, grip: Handle) -> None:
    """Draw the range of bounds, without bias and noise."""
    axes = (say("Upper bound u (logarithmic)"), say("Share of the exact sum"))
    figures.lines(
        [],
        [],
        axes,
        say("All bounds from 100 to 100,000. No curves are shown yet."),
        key,
        [],
        [grip],
        **BOUNDS,
        **SHARES,
    )


POINT = GuessPoint(
    GUESSES["clipping"], _frame, lambda settings: (settings[0].name, settings[1]) == ("capital_gain", 0.1)
)


def _figure(curve: Clipping, of: Summed, upper: int, marks: Sequence[Mark | Distance], words: str, key: str) -> None:
    """Draw bias, noise and their total as shares of the exact sum."""
    figures.lines(
        curve.bounds.tolist(),
        [
            Series(say("lost by clipping"), curve.bias.tolist(), "quiet", "dot", at=-1),
            Series(say("noise"), curve.noise.tolist(), "result", "dash", at=-1),
            Series(say("both"), (curve.bias + curve.noise).tolist(), "truth", at=-1),
        ],
        (say("Upper bound u (logarithmic)"), say("Share of the exact sum")),
        words,
        key,
        [Mark(upper, say("u = {u}", u=number(upper))), *marks],
        [Handle(f"{key}-upper-{of.name}", say("Upper bound u"), of.limits, of.limits, upper)],
        **SHARES,
        **figures.LISTED,
    )


CLIPPING = Step(
    "clipping",
    Phrase("Clipping"),
    Phrase(
        "The sum over 3,000 people of the census, with values above u clipped to u. A low bound "
        "removes part of the sum, always in the same direction: **bias**. A high bound needs more "
        "**noise**."
    ),
    Phrase("Raise ε: does the best bound rise or fall? Why do age and wealth differ so much?"),
    clipping_controls,
    clipping,
    GUESSES["clipping"],
    PAGES["clipping"],
    POINT,
    letters=LETTERS["clipping"],
    answer=ANSWERS["clipping"],
)
