"""Letters of lesson 1: identifiers, groups and unique people."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.letters import Letter

LETTERS = {
    "join": {
        "Q": Letter(Phrase("Q: the columns on which the tables are joined"), (), ("columns",)),
        "R": Letter(Phrase("R: the public register"), (Phrase("People in the register who fit a patient"),)),
        "p": Letter(Phrase("p: a patient of the hospital"), (Phrase("Patients"),), ("row",)),
        "r": Letter(
            Phrase("r: a person in the register"),
            (Phrase("People in the register who fit a patient"), Phrase("Row {row} is")),
        ),
    },
    "groups": {
        "k": Letter(Phrase("k: the size of the smallest group"), (Phrase("People in a group"),)),
        "Q": Letter(Phrase("Q: the columns that are known"), (Phrase("People"),), ("columns",)),
        "x": Letter(Phrase("x: a person of the table"), (Phrase("People"), Phrase("People alone"))),
        "q": Letter(Phrase("q: one combination of what is known"), (Phrase("People in a group"),), ("columns",)),
    },
    "generalise": {
        "w": Letter(
            Phrase("w: how many years stand in one group of ages"),
            (Phrase("k = {k}"), Phrase("Years in a group of ages")),
            ("width",),
        ),
        "a": Letter(Phrase("a: an age, told as the first age of its group"), (Phrase("information lost"),)),
    },
    "outlier": {
        "k": Letter(Phrase("k: the size of the smallest group"), (Phrase("with her"), Phrase("k (logarithmic)"))),
        "T": Letter(Phrase("T: the table before she joins"), (Phrase("without her"), Phrase("with and without her"))),
        "x": Letter(Phrase("x: the woman who joins"), (Phrase("with her"),), ("age",)),
        "Q": Letter(Phrase("Q: the columns that are told, the group of ages and the sex"), (), ("width",)),
        "t": Letter(Phrase("t: a person of the table"), (Phrase("without her"), Phrase("k without her"))),
    },
}
