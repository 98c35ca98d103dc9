"""Exercises of lesson 1: groups, combinations, and what k does not hide."""

from __future__ import annotations

import numpy as np

from discreet.budget import Phrase
from discreet.course.lessons.deidentification import numbers as tables
from discreet.ui.session.guesses import InOrder, OneOf, Prediction, Typed

EXERCISES = (
    Prediction(
        Phrase("A table has groups of 7, 12 and 3 people. What is k?"),
        Typed(),
        lambda: min(7, 12, 3),
        Phrase("The size of the smallest group."),
    ),
    Prediction(
        Phrase("365 days of birth, 2 sexes, 80 ages: how many combinations are there?"),
        Typed(),
        lambda: 365 * 2 * 80,
        Phrase("29 for each of 2,000 people, so most people are alone."),
    ),
    Prediction(
        Phrase("2,000 people fall evenly into groups. How many groups may there be for k = 5?"),
        Typed(),
        lambda: 2000 / 5,
        Phrase("Not one more: then somebody stands in a group of fewer than 5."),
    ),
    Prediction(
        Phrase(
            "Ages 0 to 99 are told in groups of 20. Which share of the 99 other ages may a told age be, in percent?"
        ),
        Typed(),
        lambda: 100 * tables.ages_lost(np.arange(100), 20),
        Phrase("19 of 99: that is what lesson 1 calls information lost."),
    ),
    Prediction(
        Phrase("Names are replaced by hashes of names. Is nobody named any more?"),
        OneOf({"yes": Phrase("Nobody: a hash cannot be undone"), "no": Phrase("Everybody: all names can be tried")}),
        lambda: "no",
        Phrase("A hash is the same for the same name. Whoever has a list of names hashes the list."),
    ),
    Prediction(
        Phrase("A table is 5-anonymous, and all five of a group have one illness. What is told of them?"),
        OneOf({"nothing": Phrase("Nothing"), "illness": Phrase("Their illness")}),
        lambda: "illness",
        Phrase("k-anonymity hides which row is whose, not what the rows have in common."),
    ),
    Prediction(
        Phrase("k is found by comparing every two of 32,561 rows. How many comparisons is that, in millions?"),
        Typed(),
        lambda: 32_561 * 32_560 / 2 / 1e6,
        Phrase("n (n − 1) / 2. A million rows would need 500 billion; sorting them first is far cheaper."),
    ),
    Prediction(
        Phrase("Each of five columns can be told at four grades of coarseness. How many tables are there to try?"),
        Typed(),
        lambda: 4**5,
        Phrase("4⁵. Each column more multiplies by four: to find the table that loses least is NP-hard."),
    ),
    Prediction(
        Phrase(
            "Write a program: how many of the 32,561 people of the census are alone in age, sex and marital status?"
        ),
        Typed(),
        lambda: float((tables.census_sizes(("age", "sex", "marital_status")) == 1).sum()),
        Phrase("Group the rows by the three columns, and count the groups of one."),
        """
from discreet.lab.samples import census_table

groups = census_table().group_by(["age", "sex", "marital_status"]).aggregate([([], "count_all")])
print(sum(size == 1 for size in groups["count_all"].to_pylist()))
""",
    ),
    Prediction(
        Phrase("Prove: one more published column never makes k larger. Put the lines in order; one does not belong."),
        InOrder(
            {
                "A": Phrase("So every new group lies inside one old group."),
                "B": Phrase("Take two rows that agree in all columns, the new one too."),
                "C": Phrase("So every old group lies inside one new group."),
                "D": Phrase("A smallest old group holds a new group, and that is not larger: k does not grow."),
                "E": Phrase("They agree in the old columns, so they were in one group before."),
            }
        ),
        lambda: "BEAD",
        Phrase("Groups are only split. C has it the wrong way round."),
    ),
)
