"""Grouping: people who agree in all that is known of them stand in one group."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.lab.lessons import deidentification as tables
from discreet.lab.lessons.own_table import OwnTable
from discreet.queries.bounds import IntArray
from discreet.ui.frame.words import quoted, say
from discreet.ui.learn import own_file
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


def groups_controls(by: Controls) -> IntArray:
    """Choose what somebody may know of a person; return the size of everybody's group."""
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
    """Draw in which groups people stand."""
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
