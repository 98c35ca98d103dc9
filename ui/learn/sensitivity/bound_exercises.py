"""Exercises of lesson 4: who moves what how far."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.lab.lessons import sensitivity
from discreet.lab.lessons.guesses import Prediction, Typed
from discreet.queries import Bounds, Relation
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.queries.sum import Sum

EXERCISES = (
    Prediction(
        Phrase("The mean of 10 people, 10 being public, ages 0 to 100; one of them changes. How far can it move?"),
        Typed(),
        lambda: sensitivity.moved(Mean.name, Bounds(0, 100, integer=True), 10),
        Phrase("(u − l) / n."),
    ),
    Prediction(
        Phrase("A sum of values from −50 to 20; one person comes or goes. How far can it move?"),
        Typed(),
        lambda: sensitivity.moved(Sum.name, Bounds(-50, 20, integer=True)),
        Phrase("The larger of |l| and |u|."),
    ),
    Prediction(
        Phrase("The same sum, and one person changes."),
        Typed(),
        lambda: sensitivity.moved(Sum.name, Bounds(-50, 20, integer=True), 10),
        Phrase("From one end to the other: u − l."),
    ),
    Prediction(
        Phrase("At which distance are the datasets 1, 2, 3 and 2, 3, 4, 5?"),
        Typed(),
        lambda: len({1, 2, 3} ^ {2, 3, 4, 5}),
        Phrase("1 goes, 4 and 5 come."),
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
)
