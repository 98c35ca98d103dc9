"""Grouping: people who agree in all known attributes form a group."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course import own_file
from discreet.course.controls import Controls
from discreet.course.lesson import numbers
from discreet.course.lessons.deidentification import numbers as tables
from discreet.course.lessons.deidentification.answers import ANSWERS
from discreet.course.lessons.deidentification.book import PAGES
from discreet.course.lessons.deidentification.guesses import GUESSES
from discreet.course.lessons.deidentification.letters import LETTERS
from discreet.course.lessons.deidentification.sizes import classes
from discreet.course.steps import Step
from discreet.queries.bounds import IntArray
from discreet.ui.frame.words import quoted, say
from discreet.ui.session.own_table import OwnTable

CENSUS = {
    "age": Phrase("Age in years"),
    "sex": Phrase("Sex"),
    "occupation": Phrase("Occupation"),
    "education_years": Phrase("Years of education"),
    "marital_status": Phrase("Marital status"),
    "hours": Phrase("Hours of work per week"),
}


def groups_controls(by: Controls) -> IntArray:
    """Choose what an attacker may know of a person; return the size of each person's group."""
    table = own_file.own(by)
    if table is not None:
        return _of_own(table, by)
    return tables.census_sizes(by.several("columns", say("Known"), CENSUS, ("age", "sex", "occupation")))


def _of_own(table: OwnTable, by: Controls) -> IntArray:
    """Choose among the columns of the own table."""
    names = {f"own{place}": name for place, name in enumerate(table.groups)}
    ticked = by.several("columns", say("Known"), {key: quoted(name) for key, name in names.items()}, ("own0", "own1"))
    return tables.own_sizes(table, [names[key] for key in ticked])


def groups(sizes: IntArray, key: str) -> None:
    """Draw the sizes of the groups."""
    smallest = f"{sizes.min():,}"
    alone = f"{int((sizes == 1).sum()):,}"
    numbers(
        {
            say("k, size of the smallest group"): smallest,
            say("People alone in their group"): alone,
            say("In groups below 5"): f"{int((sizes < tables.SAFE).sum()):,}",
        }
    )
    axes = say("People in a group"), say("People")
    words = say(
        "The smallest of all groups has {k} people. {alone} of {all} people are alone in their group.",
        k=smallest,
        alone=alone,
        all=f"{sizes.size:,}",
    )
    classes(tables.by_size(sizes).tolist(), axes, words, key, "global")


GROUPING = Step(
    "groups",
    Phrase("How many look like you?"),
    Phrase(
        "People with the same values in all known columns form one group. **k** is the size of "
        "the smallest group. In a census like the textbook's, of 32,561 people, k quickly falls "
        "to 1."
    ),
    Phrase("How many columns can you select while k is at least 5?"),
    groups_controls,
    groups,
    GUESSES["groups"],
    PAGES["groups"],
    letters=LETTERS["groups"],
    answer=ANSWERS["groups"],
)
