"""Letters of lesson 1: identifiers, groups and unique people."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.letters import Letter

LETTERS = {
    "join": {
        "Q": Letter(Phrase("Q: the columns on which the tables are joined"), (), ("columns",)),
        "R": Letter(Phrase("R: the public register"), (Phrase("People in the register who match a patient"),)),
        "p": Letter(Phrase("p: a patient of the hospital"), (Phrase("Patients"),), ("row",)),
        "r": Letter(
            Phrase("r: a person in the register"),
            (Phrase("People in the register who match a patient"), Phrase("Row {row} is")),
        ),
    },
    "groups": {
        "k": Letter(Phrase("k: the size of the smallest group"), (Phrase("People in a group"),)),
        "Q": Letter(Phrase("Q: the columns that are known"), (Phrase("People"),), ("columns",)),
        "x": Letter(Phrase("x: a person of the table"), (Phrase("People"), Phrase("People alone in their group"))),
        "q": Letter(Phrase("q: one combination of known values"), (Phrase("People in a group"),), ("columns",)),
    },
    "generalise": {
        "w": Letter(
            Phrase("w: the number of years in one age group"),
            (Phrase("k = {k}"), Phrase("Years per age group")),
            ("width",),
        ),
        "a": Letter(Phrase("a: an age, published as the first age of its group"), (Phrase("information loss"),)),
    },
    "outlier": {
        "k": Letter(Phrase("k: the size of the smallest group"), (Phrase("with her"), Phrase("k (logarithmic)"))),
        "T": Letter(Phrase("T: the table before she joins"), (Phrase("without her"), Phrase("with and without her"))),
        "x": Letter(Phrase("x: Mia's mother, who joins"), (Phrase("with her"),), ("age",)),
        "Q": Letter(Phrase("Q: the published columns, age group and sex"), (), ("width",)),
        "t": Letter(Phrase("t: a person of the table"), (Phrase("without her"), Phrase("k without her"))),
    },
}
