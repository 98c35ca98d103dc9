"""Lesson 1: who is found in a table without names, and what it costs to hide everybody."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.budget import Phrase
from discreet.lab.lessons import deidentification as tables
from discreet.ui.figures import learn
from discreet.ui.figures.learn import Mark, Series
from discreet.ui.frame.words import number, say
from discreet.ui.learn.controls import Controls
from discreet.ui.learn.lesson import Step, lesson, numbers

ROW = 12
CLASSES = ("1", "2–4", "5–9", "10–19", "20+")
COLUMNS = {
    "sex": Phrase("Sex"),
    "age": Phrase("Age in years"),
    "postcode": Phrase("Postcode, five digits"),
    "birthday": Phrase("Day and month of birth"),
}
CENSUS = {
    "age": Phrase("Age in years"),
    "sex": Phrase("Sex"),
    "occupation": Phrase("Occupation"),
    "education_years": Phrase("Years of education"),
    "marital_status": Phrase("Marital status"),
    "hours": Phrase("Hours of work a week"),
}
ILLNESSES = (
    Phrase("heart disease"),
    Phrase("broken bone"),
    Phrase("asthma"),
    Phrase("diabetes"),
    Phrase("depression"),
    Phrase("cancer"),
)
WIDTHS = {"xaxis_type": "log", "xaxis_range": [-0.04, 2.06], "xaxis_tickvals": tables.WIDTHS}


def classes(sizes: Sequence[int], axes: tuple[str, str], words: str, key: str, hue: str = "blocks") -> None:
    """Draw how many people stand in groups of which size."""
    learn.bars(
        CLASSES,
        [Series(axes[1], list(sizes), hue)],
        axes,
        words,
        key,
        text=",",
        xaxis_type="category",
        yaxis_range=[0, 1.12 * sum(sizes)],
        yaxis_tickformat=",",
    )


def join_controls(by: Controls) -> tuple[list[str], int]:
    """Choose the columns that both tables have, and a patient to look at."""
    columns = by.several("columns", say("Join on"), COLUMNS, ("sex", "age", "postcode"))
    return columns, by.whole("row", say("Row of the hospital's table"), 1, 40, ROW)


def join(settings: tuple[list[str], int], key: str) -> None:
    """Draw how many people of the register fit a patient."""
    columns, row = settings
    joined = tables.attack(columns)
    found, fitting = joined.recognised.size, int(joined.there[row - 1])
    who = tables.name_of(int(joined.partner[row - 1]))
    numbers(
        {
            say("Patients found"): f"{found / tables.PATIENTS:.1%}",
            say("Row {row} is", row=row): who if fitting == 1 else say("one of {n}", n=f"{fitting:,}"),
            say("Illness in row {row}", row=row): say(ILLNESSES[tables.hospital().illness[row - 1]]),
        }
    )
    classes(
        tables.by_size(joined.there).tolist(),
        (say("People in the register who fit a patient"), say("Patients")),
        say(
            "{found} of {all} patients fit exactly one person in the register: they have a name.",
            found=f"{found:,}",
            all=f"{tables.PATIENTS:,}",
        ),
        key,
    )


def groups_controls(by: Controls) -> list[str]:
    """Choose what somebody may know of a person."""
    return by.several("columns", say("Known"), CENSUS, ("age", "sex", "occupation"))


def groups(columns: list[str], key: str) -> None:
    """Draw in which groups the people of the census stand."""
    sizes = tables.census_sizes(columns)
    alone, below = int((sizes == 1).sum()), int((sizes < tables.SAFE).sum())
    numbers(
        {
            say("k, smallest group"): f"{sizes.min():,}",
            say("People alone"): f"{alone:,}",
            say("In groups below 5"): f"{below:,}",
        }
    )
    classes(
        tables.by_size(sizes).tolist(),
        (say("People in a group"), say("People")),
        say(
            "The smallest of all groups has {k} people; {alone} of {all} people are alone.",
            k=f"{sizes.min():,}",
            alone=f"{alone:,}",
            all=f"{sizes.size:,}",
        ),
        key,
        "global",
    )


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
    """Draw what wider ages protect and what they lose."""
    width, digits, sex = settings
    here = tables.generalised(width, digits, sex)
    told = [tables.generalised(each, digits, sex) for each in tables.WIDTHS]
    numbers(
        {
            say("k, smallest group"): f"{here.k:,}",
            say("In groups below 5"): f"{here.below:,}",
            say("Information lost"): f"{here.lost:.1%}",
        }
    )
    below, lost = [one.below / tables.PATIENTS for one in told], [one.lost for one in told]
    # the name stands where the other line is far
    apart = max(range(2, len(lost)), key=lambda i: abs(below[i] - lost[i]))
    learn.lines(
        tables.WIDTHS,
        [
            Series(say("people in groups below 5"), below, "ptr", at=0),
            Series(say("information lost"), lost, "smooth", at=apart),
        ],
        (say("Years in a group of ages"), say("Share")),
        say(
            "With groups of {width} years k is {k}, {below} people are in groups below 5, and "
            "{lost} of the information is lost.",
            width=width,
            k=here.k,
            below=here.below,
            lost=f"{here.lost:.1%}",
        ),
        key,
        [Mark(width, say("k = {k}", k=f"{here.k:,}"), "truth")],
        yaxis_range=[-0.02, 1.14],
        yaxis_tickvals=[0, 0.25, 0.5, 0.75, 1],
        yaxis_tickformat=".0%",
        **WIDTHS,
    )


def outlier_controls(by: Controls) -> tuple[int, int, bool]:
    """Choose who joins, the width of the groups, and whether the oldest are one group."""
    age = by.whole("age", say("Age of the woman who joins"), 60, 99, 97)
    width = int(
        by.pick(
            "width", say("Years in a group of ages"), tables.WIDTHS, 10, help=say("100 years: no age is told at all.")
        )
    )
    return age, width, by.toggle("open", say("One group for 60 and over"))


def outlier(settings: tuple[int, int, bool], key: str) -> None:
    """Draw k with and without one more woman."""
    age, width, open_end = settings
    told = tables.outlier(age, open_end)
    place = tables.WIDTHS.index(width)
    within, without = told.within[place], told.without[place]
    needed = told.needed(told.within), told.needed(told.without)
    spoilt, named = needed[0] != needed[1], 4 if place == 2 else 2
    numbers(
        {
            say("k with her"): f"{within:,}",
            say("k without her"): f"{without:,}",
            say("Years for k ≥ 5"): number(needed[0]),
            say("Years without her"): number(needed[1]),
        }
    )
    learn.lines(
        tables.WIDTHS,
        [
            Series(say("without her") if spoilt else say("with and without her"), told.without, "quiet", "dash"),
            Series(say("with her"), told.within, "ptr", at=named if spoilt else -1),
        ],
        (say("Years in a group of ages"), say("k (logarithmic)")),
        say(
            "With groups of {width} years k is {within} with the woman of {age} and {without} without her.",
            width=width,
            within=within,
            age=age,
            without=without,
        ),
        key,
        [Mark(tables.SAFE, say("k = {k}", k=tables.SAFE), level=True), Mark(width, say("chosen"))],
        yaxis_type="log",
        yaxis_range=[-0.15, 3.2],
        yaxis_tickvals=[1, 10, 100, 1000],
        **WIDTHS,
    )


lesson(
    "lesson_1_deidentification",
    {
        "join": Step(
            Phrase("Two tables meet"),
            Phrase(
                "A hospital publishes 1,000 patients without names. A public register has all 2,000 "
                "people of the town by name. Join the two on harmless columns."
            ),
            Phrase("Take one column away, add another: which one gives most people away?"),
            join_controls,
            join,
        ),
        "groups": Step(
            Phrase("How many look like you?"),
            Phrase(
                "People who agree in all that is known stand in one group. **k** is the size of the "
                "smallest group. The census has 32,561 people, and k falls to 1 fast."
            ),
            Phrase("What is the most you can tick while k stays at least 5?"),
            groups_controls,
            groups,
        ),
        "generalise": Step(
            Phrase("Coarser columns"),
            Phrase(
                "The hospital blurs its table until k is at least 5. **Information lost**: the "
                "share of a column's other values that a published value may also be, on average. "
                "0% is exact, 100% says nothing."
            ),
            Phrase("Find k of at least 5 that loses least. Does the sex have to go?"),
            generalise_controls,
            generalise,
        ),
        "outlier": Step(
            Phrase("One person spoils it"),
            Phrase(
                "The table now tells the group of ages and the sex; nobody is over 79. Then a "
                "woman of 97 comes: with equal groups k is 1 until no age is told at all, or until "
                "she is left out."
            ),
            Phrase("From which age on is she alone? Who pays for one group of 60 and over?"),
            outlier_controls,
            outlier,
        ),
    },
)
