"""Coarsening: wider age groups and shorter postcodes protect people, at the cost of detail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Mark, Series, percent
from discreet.course.lesson import numbers
from discreet.course.lessons.deidentification import numbers as tables
from discreet.course.lessons.deidentification.answers import ANSWERS
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
        by.pick("width", say("Years per age group"), tables.WIDTHS, 100, help=say("100 years: no age is published."))
    )
    digits = by.whole(
        "digits", say("Digits of the postcode"), 2, 5, 5, help=say("All postcodes of the town begin with 62.")
    )
    return width, digits, by.toggle("sex", say("Publish sex"), True)


def generalise(settings: tuple[int, int, bool], key: str) -> None:
    """Draw how many people wider age groups protect, and how much detail they lose."""
    width, digits, sex = settings
    here = tables.generalised(width, digits, sex)
    numbers(
        {
            say("k, size of the smallest group"): f"{here.k:,}",
            say("In groups below 5"): f"{here.below:,}",
            say("Information loss"): percent(here.lost, 1),
        }
    )
    figures.lines(
        tables.WIDTHS,
        _series([tables.generalised(each, digits, sex) for each in tables.WIDTHS]),
        (say("Years per age group"), say("Share")),
        _words(width, here),
        key,
        [Mark(width, say("k = {k}", k=f"{here.k:,}"), "truth")],
        [Handle(f"{key}-width", say("Years per age group"), tables.WIDTHS, tables.WIDTHS, width)],
        **SHARES,
        **WIDTHS,
    )


def _series(tried: Sequence[tables.Published]) -> list[Series]:
    """Return the unsafe share and the loss of detail, each labelled where the other line is far."""
    below = [table.below / tables.PATIENTS for table in tried]
    lost = [table.lost for table in tried]
    apart = max(range(2, len(lost)), key=lambda i: abs(below[i] - lost[i]))
    return [
        Series(say("people in groups below 5"), below, "with", at=0),
        Series(say("information loss"), lost, "quiet", at=apart),
    ]


def _words(width: int, here: tables.Published) -> str:
    return say(
        "With groups of {width} years, k is {k}. {below} people are in groups below 5, and the "
        "information loss is {lost}.",
        width=width,
        k=here.k,
        below=here.below,
        lost=percent(here.lost, 1),
    )


COARSENING = Step(
    "generalise",
    Phrase("Coarser columns"),
    Phrase(
        "The hospital generalises its table until k is at least 5. **Information loss** is the "
        "average share of a column's other values that a published value could also be. 0% is "
        "exact, 100% means no information."
    ),
    Phrase("Find a k of at least 5 with the smallest information loss. Must the sex be removed?"),
    generalise_controls,
    generalise,
    GUESSES["generalise"],
    PAGES["generalise"],
    letters=LETTERS["generalise"],
    part_of="groups",
    answer=ANSWERS["generalise"],
)
