"""Guesses of lesson 1: names, unique people, coarse columns, and one woman of 97."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.lessons.deidentification import numbers as tables
from discreet.ui.session.guesses import OneOf, OnRungs, OnScale, Prediction

GUESSES = {
    "join": Prediction(
        Phrase("The two tables are joined on sex, age and postcode. How many of 100 patients are identified?"),
        OnScale(0.0, 100.0, 1.0),
        lambda: 100 * tables.attack(("sex", "age", "postcode")).recognised.size / tables.PATIENTS,
        Phrase("Each column fits many people. For most patients, all columns together fit only one person."),
    ),
    "groups": Prediction(
        Phrase("You know the age, sex and occupation of a person in the census. How many of 32,561 people are unique?"),
        OnRungs((0, 5, 20, 100, 200, 1000, 5000)),
        lambda: float((tables.census_sizes(("age", "sex", "occupation")) == 1).sum()),
        Phrase("They are few, but k is the size of the smallest group: it is 1."),
    ),
    "generalise": Prediction(
        Phrase("Postcode and sex stay exact. Which age groups make k at least 5?"),
        OneOf(
            {
                "ten": Phrase("Groups of 10 years"),
                "forty": Phrase("Groups of 40 years"),
                "hundred": Phrase("One group: no age is published"),
                "never": Phrase("None of these"),
            }
        ),
        lambda: _enough(),
        Phrase(
            "The full postcode and the sex alone make groups below 5. One digit must be removed from the "
            "postcode first."
        ),
    ),
    "outlier": Prediction(
        Phrase(
            "Ages are published in groups of 40 years, together with the sex: k is 238. Mia's mother, "
            "97, joins. What is k now?"
        ),
        OnRungs((1, 5, 20, 100, 200, 238)),
        lambda: float(tables.outlier(97, False).within[tables.WIDTHS.index(40)]),
        Phrase(
            "She is alone in her group, and k is the size of the smallest group. One person is enough "
            "to reduce k for all."
        ),
    ),
}


def _enough() -> str:
    """Return the narrowest of the offered age groups that makes k safe."""
    offered = {10: "ten", 40: "forty", 100: "hundred"}
    safe = (name for width, name in offered.items() if tables.generalised(width, tables.DIGITS, True).k >= tables.SAFE)
    return next(safe, "never")
