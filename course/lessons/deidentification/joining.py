"""Joining: two tables are linked by columns that are harmless one by one."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.controls import Controls
from discreet.course.figures import percent
from discreet.course.lesson import numbers
from discreet.course.lessons.deidentification import numbers as tables
from discreet.course.lessons.deidentification.answers import ANSWERS
from discreet.course.lessons.deidentification.book import PAGES
from discreet.course.lessons.deidentification.guesses import GUESSES
from discreet.course.lessons.deidentification.letters import LETTERS
from discreet.course.lessons.deidentification.sizes import Who, classes
from discreet.course.steps import Step
from discreet.ui.frame.words import say

COLUMNS = {
    "sex": Phrase("Sex"),
    "age": Phrase("Age in years"),
    "postcode": Phrase("Postcode (five digits)"),
    "birthday": Phrase("Day and month of birth"),
}
ILLNESSES = (
    Phrase("heart disease"),
    Phrase("broken bone"),
    Phrase("asthma"),
    Phrase("diabetes"),
    Phrase("depression"),
    Phrase("cancer"),
)


def join_controls(by: Controls) -> tuple[list[str], int]:
    """Choose the columns that both tables have, and a patient."""
    columns = by.several("columns", say("Join on"), COLUMNS, ("sex", "age", "postcode"))
    return columns, by.whole("row", say("Row of the hospital's table"), 1, 40, tables.HER_ROW + 1)


def join(settings: tuple[list[str], int], key: str) -> None:
    """Draw how many people of the register match a patient."""
    columns, row = settings
    attack = tables.attack(columns)
    shown = _of_row(attack, row)
    numbers(shown)
    found = say(
        "{found} of {all} patients match exactly one person in the register: they are identified.",
        found=f"{attack.recognised.size:,}",
        all=f"{tables.PATIENTS:,}",
    )
    classes(
        tables.by_size(attack.there).tolist(),
        (say("People in the register who match a patient"), say("Patients")),
        f"{found} {say('Row {row} is {who}.', row=row, who=list(shown.values())[1])}",
        key,
        who=Who(tables.name_of(int(attack.partner[row - 1])), int(attack.there[row - 1])),
    )


def _of_row(attack: tables.Joined, row: int) -> dict[str, str]:
    """Return how many patients are identified, and what is revealed about the chosen one."""
    fitting = int(attack.there[row - 1])
    name = tables.name_of(int(attack.partner[row - 1]))
    return {
        say("Patients identified"): percent(attack.recognised.size / tables.PATIENTS, 1),
        say("Row {row} is", row=row): name if fitting == 1 else say("one of {n}", n=f"{fitting:,}"),
        say("Illness in row {row}", row=row): say(ILLNESSES[tables.hospital().illness[row - 1]]),
    }


JOINING = Step(
    "join",
    Phrase("Joining two tables"),
    Phrase(
        "In the town of Kelumi a hospital publishes 1,000 patients without names. A public register lists all "
        "2,000 people of the town by name. Join the two on harmless columns."
    ),
    Phrase("Remove one column and add another: which column identifies most people?"),
    join_controls,
    join,
    GUESSES["join"],
    PAGES["join"],
    letters=LETTERS["join"],
    answer=ANSWERS["join"],
)
