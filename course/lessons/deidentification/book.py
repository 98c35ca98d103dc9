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
from collections import Counter
from discreet.course.lessons.deidentification.numbers import hospital, register

townspeople = list(zip(*register().columns(("sex", "age", "postcode"))))
patients = [townspeople[row] for row in hospital().persons]  # the hospital left out the names only
people_like = Counter(townspeople)
alone = sum(people_like[patient] == 1 for patient in patients)
print(100 * alone / len(patients))
""",
        sources=(SWEENEY,),
    ),
    "groups": BookPage(
        (r"k = \min_{q} \left|\{x_i : x_i[Q] = q\}\right|",),
        Phrase(
            "A table is k-anonymous if each person in it has the same values as at least k − 1 "
            "others in all quasi-identifiers."
        ),
        """
from collections import Counter
from discreet.lab.samples import census_table

quasi_identifiers = ["age", "sex", "occupation"]
rows = census_table().select(quasi_identifiers).to_pylist()
sizes = Counter(tuple(row.values()) for row in rows)
print(sum(size == 1 for size in sizes.values()))
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
from collections import Counter
from discreet.course.lessons.deidentification.numbers import hospital, register

ages, sexes, postcodes = register().columns(("age", "sex", "postcode"), hospital().persons)
enough = "never"
for width, name in {100: "hundred", 40: "forty", 10: "ten"}.items():
    sizes = Counter(zip(ages // width, sexes, postcodes))
    if min(sizes.values()) >= 5:
        enough = name
print(enough)
""",
        Phrase("The cost of k is measured here as information loss, column by column. Books often leave it out."),
        (SWEENEY, "Meyerson and Williams 2004, “On the complexity of optimal k-anonymity”"),
    ),
    "outlier": BookPage(
        (r"x_Q \notin \{t_Q : t \in T\} \ \Rightarrow \ k(T \cup \{x\}) = 1",),
        Phrase("One row can reduce k from hundreds to 1, so k itself can reveal whether a person is in the table."),
        """
from collections import Counter
from discreet.course.lessons.deidentification.numbers import hospital, register

patients = list(zip(*register().columns(("age", "sex"), hospital().persons)))
patients.append((97, 1))  # she comes to the hospital
sizes = Counter((age // 40, sex) for age, sex in patients)
print(min(sizes.values()))
""",
        sources=(SWEENEY,),
    ),
}
