"""Spoiling: one unusual person reduces k for the whole table."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Mark, Series
from discreet.course.lesson import numbers
from discreet.course.lessons.deidentification import numbers as tables
from discreet.course.lessons.deidentification.answers import ANSWERS
from discreet.course.lessons.deidentification.book import PAGES
from discreet.course.lessons.deidentification.guesses import GUESSES
from discreet.course.lessons.deidentification.letters import LETTERS
from discreet.course.lessons.deidentification.sizes import WIDTHS
from discreet.course.steps import Step
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say


def outlier_controls(by: Controls) -> tuple[int, int, bool]:
    """Choose the person who joins, the width of the groups, and whether the oldest form one group."""
    age = by.whole("age", say("Age of Mia's mother"), 60, 99, 97)
    width = int(
        by.pick("width", say("Years per age group"), tables.WIDTHS, 40, help=say("100 years: no age is published."))
    )
    return age, width, by.toggle("open", say("One group for 60 and over"))


def outlier(settings: tuple[int, int, bool], key: str) -> None:
    """Draw k with and without one more woman."""
    age, width, open_end = settings
    woman = tables.outlier(age, open_end)
    place = tables.WIDTHS.index(width)
    within = woman.within[place]
    without = woman.without[place]
    needed = woman.needed(woman.within), woman.needed(woman.without)
    numbers(
        {
            say("k with her"): f"{within:,}",
            say("k without her"): f"{without:,}",
            say("Years for k ≥ 5"): number(needed[0]),
            say("Years without her"): number(needed[1]),
        }
    )
    words = say(
        "With groups of {width} years, k is {within} with Mia's mother of {age}, and {without} without her.",
        width=width,
        within=within,
        age=age,
        without=without,
    )
    _figure(woman, width, needed[0] != needed[1], words, key)


def _figure(woman: tables.Crowd, width: int, spoilt: bool, words: str, key: str) -> None:
    """Draw both lines; the label of the woman's line is beside the chosen width."""
    place = 4 if tables.WIDTHS.index(width) == 2 else 2
    figures.lines(
        tables.WIDTHS,
        [
            Series(say("without her") if spoilt else say("with and without her"), woman.without, "without", "dash"),
            Series(say("with her"), woman.within, "with", at=place if spoilt else -1),
        ],
        (say("Years per age group"), say("k (logarithmic)")),
        words,
        key,
        [Mark(tables.SAFE, say("k = {k}", k=tables.SAFE), level=True), Mark(width, say("chosen"))],
        yaxis_type="log",
        yaxis_range=[-0.15, 3.2],
        yaxis_tickvals=[1, 10, 100, 1000],
        grips=[Handle(f"{key}-width", say("Years per age group"), tables.WIDTHS, tables.WIDTHS, width)],
        **WIDTHS,
    )


SPOILING = Step(
    "outlier",
    Phrase("One person destroys k-anonymity"),
    Phrase(
        "The table now publishes age group and sex, and no one is over 79. Mia's mother, 97, "
        "joins. With age groups of 10, 20 or 40 years k drops to 1, unless age is removed or "
        "she is left out."
    ),
    Phrase("From which age on is she alone in her group? Who pays for one group of 60 and over?"),
    outlier_controls,
    outlier,
    GUESSES["outlier"],
    PAGES["outlier"],
    letters=LETTERS["outlier"],
    answer=ANSWERS["outlier"],
)
