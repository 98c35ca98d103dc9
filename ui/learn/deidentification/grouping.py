"""Grouping: people who agree in all that is known of them stand in one group."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.lab.lessons import deidentification as tables
from discreet.ui.frame.words import say
from discreet.ui.learn.controls import Controls
from discreet.ui.learn.deidentification.people_book import PAGES
from discreet.ui.learn.deidentification.people_guesses import GUESSES
from discreet.ui.learn.deidentification.people_letters import LETTERS
from discreet.ui.learn.deidentification.sizes import classes
from discreet.ui.learn.lesson import numbers
from discreet.ui.learn.step import Step

CENSUS = {
    "age": Phrase("Age in years"),
    "sex": Phrase("Sex"),
    "occupation": Phrase("Occupation"),
    "education_years": Phrase("Years of education"),
    "marital_status": Phrase("Marital status"),
    "hours": Phrase("Hours of work a week"),
}


def groups_controls(by: Controls) -> list[str]:
    """Choose what somebody may know of a person."""
    return by.several("columns", say("Known"), CENSUS, ("age", "sex", "occupation"))


def groups(columns: list[str], key: str) -> None:
    """Draw in which groups the people of the census stand."""
    sizes = tables.census_sizes(columns)
    smallest, alone = f"{sizes.min():,}", f"{int((sizes == 1).sum()):,}"
    numbers(
        {
            say("k, smallest group"): smallest,
            say("People alone"): alone,
            say("In groups below 5"): f"{int((sizes < tables.SAFE).sum()):,}",
        }
    )
    axes = say("People in a group"), say("People")
    words = say(
        "The smallest of all groups has {k} people; {alone} of {all} people are alone.",
        k=smallest,
        alone=alone,
        all=f"{sizes.size:,}",
    )
    classes(tables.by_size(sizes).tolist(), axes, words, key, "global")


GROUPING = Step(
    "groups",
    Phrase("How many look like you?"),
    Phrase(
        "People who agree in all that is known stand in one group. **k** is the size of the "
        "smallest group. The census has 32,561 people, and k falls to 1 fast."
    ),
    Phrase("What is the most you can tick while k stays at least 5?"),
    groups_controls,
    groups,
    GUESSES["groups"],
    PAGES["groups"],
    letters=LETTERS["groups"],
)
