"""Coarsening: wider age groups and shorter postcodes protect people, at the cost of detail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Mark, Series
from discreet.course.lesson import numbers
from discreet.course.lessons.deidentification import numbers as tables
from discreet.course.lessons.deidentification.book import PAGES
from discreet.course.lessons.deidentification.guesses import GUESSES
from discreet.course.lessons.deidentification.letters import LETTERS
from discreet.course.lessons.deidentification.sizes import WIDTHS
from discreet.course.steps import Step
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import say

SHARES: dict[str, Any] = {
    "yaxis_range": [-0.02, 1.14],
    "yaxis_tickvals": [0, 0.25, 0.5, 0.75, 1],
    "yaxis_tickformat": ".0%",
}


def generalise_controls(by: Controls) -> tuple[int, int, bool]:
    """Choose how coarsely the hospital publishes each column."""
    width = int(
        by.pick(
            "width", say("Years in a group of ages"), tables.WIDTHS, 1, help=say("100 years: no age is told at all.")
        )
    )
    digits = by.whole(
        "digits", say("Digits of the postcode"), 2, 5, 5, help=say("All postcodes of the town begin with 62.")
    )
    return width, digits, by.toggle("sex", say("Publish the sex"), True)


def generalise(settings: tuple[int, int, bool], key: str) -> None:
    """Draw how many people wider age groups protect, and how much detail they lose."""
    width, digits, sex = settings
    here = tables.generalised(width, digits, sex)
    numbers(
        {
            say("k, smallest group"): f"{here.k:,}",
            say("In groups below 5"): f"{here.below:,}",
            say("Information lost"): f"{here.lost:.1%}",
        }
    )
    figures.lines(
        tables.WIDTHS,
        _series([tables.generalised(each, digits, sex) for each in tables.WIDTHS]),
        (say("Years in a group of ages"), say("Share")),
        _words(width, here),
        key,
        [Mark(width, say("k = {k}", k=f"{here.k:,}"), "truth")],
        [Handle(f"{key}-width", say("Years in a group of ages"), tables.WIDTHS, tables.WIDTHS, width)],
        **SHARES,
        **WIDTHS,
    )


def _series(tried: Sequence[tables.Published]) -> list[Series]:
    """Return the unsafe share and the loss of detail, each labelled where the other line is far."""
    below = [table.below / tables.PATIENTS for table in tried]
    lost = [table.lost for table in tried]
    apart = max(range(2, len(lost)), key=lambda i: abs(below[i] - lost[i]))
    return [
        Series(say("people in groups below 5"), below, "ptr", at=0),
        Series(say("information lost"), lost, "smooth", at=apart),
    ]


def _words(width: int, here: tables.Published) -> str:
    return say(
        "With groups of {width} years k is {k}, {below} people are in groups below 5, and "
        "{lost} of the information is lost.",
        width=width,
        k=here.k,
        below=here.below,
        lost=f"{here.lost:.1%}",
    )


COARSENING = Step(
    "generalise",
    Phrase("Coarser columns"),
    Phrase(
        "The hospital blurs its table until k is at least 5. **Information lost**: the "
        "share of a column's other values that a published value may also be, on average. "
        "0% is exact, 100% says nothing."
    ),
    Phrase("Find k of at least 5 that loses least. Does the sex have to go?"),
    generalise_controls,
    generalise,
    GUESSES["generalise"],
    PAGES["generalise"],
    letters=LETTERS["generalise"],
)
