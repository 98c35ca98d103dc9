"""Letters of lesson 9: the letters in the published claims."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.letters import SYMBOLS, Letter

OF_GLOBAL = {
    "n": Letter(Phrase("n: the number of people")),
    "l": Letter(Phrase("l: the lowest value")),
    "u": Letter(Phrase("u: the highest value"), (), ("upper",)),
    "ε": Letter(SYMBOLS["ε"], (Phrase("with Mia"), Phrase("without Mia")), ("epsilon",)),
    "x": Letter(Phrase("x: the value of a person"), (Phrase("with Mia"),)),
}
OF_LOCAL = {
    "LS": Letter(Phrase("LS: the local sensitivity")),
    "u": Letter(Phrase("u: the highest value")),
    "n": Letter(Phrase("n: the number of people"), (), ("people",)),
    "l": Letter(Phrase("l: the lowest value"), (), ("lower",)),
    "ε": Letter(SYMBOLS["ε"], (Phrase("with Mia"), Phrase("without Mia")), ("epsilon",)),
}
OF_TEST = {
    "⊥": Letter(SYMBOLS["⊥"], (Phrase("no result"),)),
    "T": Letter(Phrase("T: the distance from which on there is a result, in the corrected version"), (), ("form",)),
    "D": Letter(Phrase("D: the distance to the jump, in people"), (), ("ones",)),
    "δ": Letter(SYMBOLS["δ"], (), ("delta",)),
    "ε": Letter(SYMBOLS["ε"], (Phrase("with Mia"), Phrase("without Mia")), ("epsilon",)),
}
OF_SMOOTH = {
    "β": Letter(SYMBOLS["β"], (), ("epsilon", "delta")),
    "k": Letter(
        Phrase("k: the number of people by which the datasets differ; corrected it begins at 0"), (), ("form",)
    ),
    "n": Letter(Phrase("n: the number of people")),
    "A": Letter(Phrase("A: the ladder A(k); A(0) is the local sensitivity")),
    "f": Letter(Phrase("f: the statistic")),
    "x": Letter(Phrase("x: this dataset"), (Phrase("with Mia"), Phrase("without Mia"))),
    "S": Letter(
        Phrase("S: the smooth bound, which is the scale of the noise"), (Phrase("with Mia"), Phrase("without Mia"))
    ),
    "ε": Letter(SYMBOLS["ε"], (), ("epsilon",)),
    "δ": Letter(SYMBOLS["δ"], (), ("delta",)),
}
OF_CHUNKS = {
    "m": Letter(Phrase("m: the number of rows in a chunk"), (), ("k",)),
    "n": Letter(Phrase("n: the number of people")),
    "x": Letter(Phrase("x: the rows, in the order of the file"), (Phrase("with Mia"),)),
    "k": Letter(Phrase("k: the number of chunks in the file"), (), ("k",)),
    "c": Letter(Phrase("c: a chunk of the file"), (Phrase("with Mia"), Phrase("without Mia"))),
}
OF_CATASTROPHE = {
    "⊥": Letter(SYMBOLS["⊥"], (Phrase("In this run, day"),), ("draw",)),
    "S": Letter(SYMBOLS["S"], (Phrase("Probability"),)),
    "δ": Letter(SYMBOLS["δ"], (Phrase("everything is public"),), ("delta",)),
    "F": Letter(SYMBOLS["F"], (Phrase("Days (logarithmic)"),), ("days",)),
    "x": Letter(Phrase("x: all rows"), (Phrase("everything is public"),)),
}
