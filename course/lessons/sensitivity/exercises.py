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
        Phrase("The mean of 10 people, 10 being public, ages 0 to 100; one of them changes. How far can it move?"),
        Typed(),
        lambda: numbers.moved(Mean.name, Bounds(0, 100, integer=True), 10),
        Phrase("(u − l) / n."),
    ),
    Prediction(
        Phrase("A sum of values from −50 to 20; one person comes or goes. How far can it move?"),
        Typed(),
        lambda: numbers.moved(Sum.name, Bounds(-50, 20, integer=True)),
        Phrase("The larger of |l| and |u|."),
    ),
    Prediction(
        Phrase("The same sum, and one person changes."),
        Typed(),
        lambda: numbers.moved(Sum.name, Bounds(-50, 20, integer=True), 10),
        Phrase("From one end to the other: u − l."),
    ),
    Prediction(
        Phrase("At which distance are the datasets 1, 2, 3 and 2, 3, 4, 5?"),
        Typed(),
        lambda: len({1, 2, 3} ^ {2, 3, 4, 5}),
        Phrase("1 goes, 4 and 5 come."),
    ),
    Prediction(
        Phrase(
            "Four counts: of everybody; of those with more than 10 years of schooling; of those with 10 or fewer; of "
            "those with one certain name. A person has one row. Which of them can one person who comes move furthest?"
        ),
        OneOf(
            {
                "all": Phrase("The first: it is the largest"),
                "name": Phrase("The last: it is the smallest"),
                "same": Phrase("None: each of them by 1"),
            }
        ),
        lambda: "same",
        Phrase("A row is counted or it is not, whatever the condition is and however many there are."),
    ),
    Prediction(
        Phrase(
            "The sum of the ages, 17 to 90, of those with more than 10 years of schooling. How far can one person who "
            "comes move it?"
        ),
        Typed(),
        lambda: numbers.moved(Sum.name, Bounds(17, 90, integer=True)),
        Phrase(
            "By 90: the condition decides who counts, the bounds decide how much. Those who do not count move it by 0."
        ),
    ),
    Prediction(
        Phrase("A person has at most 4 rows. How far can one person move a count of rows?"),
        Typed(),
        lambda: Count(Relation(rows=4)).global_sensitivity(Bounds(0, 1, integer=True)),
        Phrase("All four rows come or go."),
    ),
    Prediction(
        Phrase("How far can one person who comes move the maximum of ages from 0 to 100?"),
        Typed(),
        lambda: 100,
        Phrase("From 0, if everybody is 0, to 100. Local sensitivity is often small there, global never."),
    ),
    Prediction(
        Phrase("f(x) = 3x, and x moves by 1 at most. What is the sensitivity of f?"),
        Typed(),
        lambda: 3.0,
        Phrase("The same for every x: n x has the sensitivity n."),
    ),
    Prediction(
        Phrase("f(x) = x² with x in whole steps from 0 to 100. How far can one step move f?"),
        Typed(),
        lambda: float(100**2 - 99**2),
        Phrase("2x + 1 is largest at the end. Without a bound there is no largest, and no noise is enough."),
    ),
    Prediction(
        Phrase("Write a program: which share of the census has a capital gain above 10,000, in percent?"),
        Typed(),
        lambda: 100 * float((census_ground("capital_gain").column.values() > 10_000).mean()),
        Phrase("So few people are clipped at 10,000, and the noise is a tenth of that for 100,000."),
        """
from discreet.lab.samples import census_table

gains = census_table()["capital_gain"].to_numpy()
print(100 * (gains > 10_000).mean())
""",
    ),
    Prediction(
        Phrase(
            "Prove: a sum of values from l to u has sensitivity max(|l|, |u|) if a person comes or goes. "
            "One line is wrong."
        ),
        InOrder(
            {
                "A": Phrase("So the two sums differ by |v|."),
                "B": Phrase("x' has one value v more than x, or one less."),
                "C": Phrase("Both sums lie between l and u, so they differ by u − l at most."),
                "D": Phrase("A person with the bound that is further from 0 reaches it: no smaller number is enough."),
                "E": Phrase("l ≤ v ≤ u, so |v| is at most max(|l|, |u|)."),
            }
        ),
        lambda: "BAED",
        Phrase("C is wrong twice: it is the values that lie between l and u, and u − l is for a changed row."),
    ),
)
