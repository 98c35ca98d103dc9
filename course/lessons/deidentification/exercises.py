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
        Phrase("2,000 people are split evenly into groups. How many groups may there be for k = 5?"),
        Typed(),
        lambda: 2000 / 5,
        Phrase("With one more group, a group would have fewer than 5 people."),
    ),
    Prediction(
        Phrase(
            "Ages 0 to 99 are published in groups of 20, such as 20 to 39. Which share of the 99 ages that a person "
            "does not have is in the same group as theirs, in percent?"
        ),
        Typed(),
        lambda: 100 * tables.ages_lost(np.arange(100), 20),
        Phrase("19 of 99: this is the information loss of lesson 1."),
    ),
    Prediction(
        Phrase("Names are replaced by hashes of names. Can anyone still be identified?"),
        OneOf({"yes": Phrase("No: a hash cannot be reversed"), "no": Phrase("Yes, everyone: all names can be tried")}),
        lambda: "no",
        Phrase("The same name always has the same hash. An attacker with a list of names computes the hash of each."),
    ),
    Prediction(
        Phrase("A table is 5-anonymous, and all five people of a group have one illness. What is revealed about them?"),
        OneOf({"nothing": Phrase("Nothing"), "illness": Phrase("Their illness")}),
        lambda: "illness",
        Phrase("k-anonymity hides which row belongs to which person. It does not hide what the rows have in common."),
    ),
    Prediction(
        Phrase("k is found by comparing each pair of 32,561 rows. How many comparisons are needed, in millions?"),
        Typed(),
        lambda: 32_561 * 32_560 / 2 / 1e6,
        Phrase("n (n − 1) / 2. A million rows would need 500 billion. Sorting them first is far cheaper."),
    ),
    Prediction(
        Phrase("Each of five columns can be published at four levels of detail. How many tables are there to try?"),
        Typed(),
        lambda: 4**5,
        Phrase(
            "4⁵. Each further column multiplies by four: finding the table that loses the least information is NP-hard."
        ),
    ),
    Prediction(
        Phrase(
            "Write a program: how many of the 32,561 simulated people of the census sample are "
            "unique in age, sex and marital status?"
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
        Phrase(
            "Prove: publishing one more column never makes k larger. Put the lines in order. One line does not belong."
        ),
        InOrder(
            {
                "A": Phrase("So every new group is inside one old group."),
                "B": Phrase("Take two rows that agree in all columns, including the new one."),
                "C": Phrase("So every old group is inside one new group."),
                "D": Phrase("A smallest old group contains a new group, which is not larger: k does not grow."),
                "E": Phrase("They agree in the old columns, so they were in one group before."),
            }
        ),
        lambda: "BEAD",
        Phrase("Groups are only split. C has the direction reversed."),
    ),
)
