"""Book of lesson 1: identifiers, k-anonymity, generalisation."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.steps import SWEENEY, BookPage

PAGES = {
    "join": BookPage(
        (r"\left|\{r \in R : r_Q = p_Q\}\right| = 1",),
        Phrase(
            "Quasi-identifiers are columns that identify no one alone but can identify a person "
            "together. An attacker with a second table that has names needs no names in the first."
        ),
        """
from discreet.course.lessons.deidentification.numbers import PATIENTS, PEOPLE, hospital, join, register

columns = ("sex", "age", "postcode")
patients = register().columns(columns, hospital().persons)
townspeople = register().columns(columns)
joined = join(patients, townspeople, (PATIENTS, PEOPLE))
print(100 * joined.recognised.size / PATIENTS)
""",
        sources=(SWEENEY,),
    ),
    "groups": BookPage(
        (r"k = \min_{q} \left|\{x_i : x_i[Q] = q\}\right|",),
        Phrase(
            "A table is k-anonymous if each person in it has the same values as k − 1 others in all quasi-identifiers."
        ),
        """
from discreet.lab.samples import census_table

quasi_identifiers = ["age", "sex", "occupation"]
people = census_table().group_by(quasi_identifiers)
groups = people.aggregate([([], "count_all")])
sizes = groups["count_all"].to_pylist()
print(sum(size == 1 for size in sizes))
""",
        Phrase(
            "k-anonymity is a property of a table. Differential privacy is a property of an "
            "algorithm: it is valid for every table and whatever anyone knows."
        ),
        (SWEENEY,),
    ),
    "generalise": BookPage(
        (r"a \mapsto w \left\lfloor a/w \right\rfloor",),
        Phrase(
            "Generalisation replaces a value by a set that contains it. Finding the one that loses "
            "the least information is NP-hard in general. Here there are few enough to try all."
        ),
        """
from discreet.course.lessons.deidentification.numbers import generalised

offered = {10: "ten", 40: "forty", 100: "hundred"}
safe = (name for width, name in offered.items() if generalised(width, digits=5, with_sex=True).k >= 5)
print(next(safe, "never"))
""",
        Phrase("The cost of k is measured here as information loss, column by column. Books often leave it out."),
        (SWEENEY, "Meyerson and Williams 2004, “On the complexity of optimal k-anonymity”"),
    ),
    "outlier": BookPage(
        (r"x_Q \notin \{t_Q : t \in T\} \ \Rightarrow \ k(T \cup \{x\}) = 1",),
        Phrase("One row can reduce k from hundreds to 1, so k itself reveals who is in the table."),
        """
import numpy as np
from discreet.course.lessons.deidentification.numbers import hospital, register

age, sex = register().columns(("age", "sex"), hospital().persons)
age, sex = np.append(age, 97), np.append(sex, 1)
_, sizes = np.unique(np.stack([age // 40, sex]), axis=1, return_counts=True)
print(sizes.min())
""",
        sources=(SWEENEY,),
    ),
}
