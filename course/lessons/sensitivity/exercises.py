"""Exercises of lesson 4: the sensitivity of statistics."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.lessons.sensitivity import numbers
from discreet.lab.explain import census_ground
from discreet.queries import Bounds, Relation
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.sum import Sum
from discreet.ui.session.guesses import InOrder, OneOf, Prediction, Typed

EXERCISES = (
    Prediction(
        Phrase(
            "The mean of 10 people, where 10 is public, ages 0 to 100. One of them changes. How much "
            "can the mean change?"
        ),
        Typed(),
        lambda: numbers.moved(Mean.name, Bounds(0, 100, integer=True), 10),
        Phrase("(u − l) / n."),
    ),
    Prediction(
        Phrase("A sum of values from −50 to 20; one person is added or removed. How much can the sum change?"),
        Typed(),
        lambda: numbers.moved(Sum.name, Bounds(-50, 20, integer=True)),
        Phrase("The larger of |l| and |u|."),
    ),
    Prediction(
        Phrase("Take the same sum, and one person changes. How much can it change?"),
        Typed(),
        lambda: numbers.moved(Sum.name, Bounds(-50, 20, integer=True), 10),
        Phrase("The value changes from one end to the other: u − l."),
    ),
    Prediction(
        Phrase("What is the distance between the datasets 1, 2, 3 and 2, 3, 4, 5?"),
        Typed(),
        lambda: len({1, 2, 3} ^ {2, 3, 4, 5}),
        Phrase("1 is removed, 4 and 5 are added."),
    ),
    Prediction(
        Phrase(
            "There are four counts: all people, people with more than 10 years of schooling, people "
            "with 10 or fewer, people with one certain name. Each person has one row. Which count can "
            "one added person change most?"
        ),
        OneOf(
            {
                "all": Phrase("The first: it is the largest"),
                "name": Phrase("The last: it is the smallest"),
                "same": Phrase("None: each changes by 1"),
            }
        ),
        lambda: "same",
        Phrase("A row is counted or it is not, for any condition and any number of rows."),
    ),
    Prediction(
        Phrase(
            "The sum is over the ages, 17 to 90, of people with more than 10 years of schooling. How "
            "much can one added person change it?"
        ),
        Typed(),
        lambda: numbers.moved(Sum.name, Bounds(17, 90, integer=True)),
        Phrase(
            "By 90: the condition decides who is counted, the bounds decide how much. Anyone who is "
            "not counted changes it by 0."
        ),
    ),
    Prediction(
        Phrase("Each person has at most 4 rows. How much can one person change a count of rows?"),
        Typed(),
        lambda: Count(Relation(rows=4)).global_sensitivity(Bounds(0, 1, integer=True)),
        Phrase("All four rows are added or removed."),
    ),
    Prediction(
        Phrase("How much can one added person change the maximum of ages from 0 to 100?"),
        Typed(),
        lambda: 100,
        Phrase("From 0, if all ages are 0, to 100. Local sensitivity is often small there, global sensitivity never."),
    ),
    Prediction(
        Phrase("f(x) = 3x, and x changes by 1 at most. What is the sensitivity of f?"),
        Typed(),
        lambda: 3.0,
        Phrase("It is the same for every x: n x has the sensitivity n."),
    ),
    Prediction(
        Phrase("f(x) = x² with x in whole steps from 0 to 100. How much can one step change f?"),
        Typed(),
        lambda: float(100**2 - 99**2),
        Phrase("2x + 1 is largest at the end. Without a bound, it has no maximum, and no amount of noise is enough."),
    ),
    Prediction(
        Phrase(
            "Write a program: which share of the simulated people of the census sample has a "
            "capital gain above 10,000, in percent?"
        ),
        Typed(),
        lambda: 100 * float((census_ground("capital_gain").column.values() > 10_000).mean()),
        Phrase("Few people are clipped at 10,000, and the noise is a tenth of that for 100,000."),
        """
from discreet.lab.samples import census_table

gains = census_table()["capital_gain"].to_numpy()
print(100 * (gains > 10_000).mean())
""",
    ),
    Prediction(
        Phrase(
            "Prove: a sum of values from l to u has sensitivity max(|l|, |u|) if a person is added or "
            "removed. One line is wrong."
        ),
        InOrder(
            {
                "A": Phrase("So the two sums differ by |v|."),
                "B": Phrase("x' has one value v more than x, or one fewer."),
                "C": Phrase("Both sums are between l and u, so they differ by u − l at most."),
                "D": Phrase("A person with the bound further from 0 as value reaches it: no smaller number is enough."),
                "E": Phrase("l ≤ v ≤ u, so |v| is at most max(|l|, |u|)."),
            },
            also=("BEAD",),
        ),
        lambda: "BAED",
        Phrase("C is wrong twice: the values are between l and u, not the sums, and u − l is for a changed row."),
    ),
)
