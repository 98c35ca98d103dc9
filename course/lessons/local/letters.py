"""Letters of lesson 6: local sensitivity, and what it reveals."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.letters import SYMBOLS, Letter
from discreet.mechanisms.base.vocabulary import BLOCKS, PTR, SMOOTH

LETTERS = {
    "local": {
        "A": Letter(
            Phrase("A: the ladder A(k); A(0) is the local sensitivity"), (Phrase("Local sensitivity"),), ("ages",)
        ),
        "x": Letter(Phrase("x: this dataset"), (Phrase("Local sensitivity"),), ("ages",)),
        "y": Letter(Phrase("y: any dataset within k people"), (Phrase("Global sensitivity"),)),
        "f": Letter(Phrase("f: the statistic, here a median"), (Phrase("Median"),)),
        "LS": Letter(Phrase("LS: the local sensitivity"), (Phrase("Local sensitivity"),)),
        "d": Letter(Phrase("d: the number of people added and removed")),
        "k": Letter(Phrase("k: the number of people by which the datasets differ"), (Phrase("Global sensitivity"),)),
    },
    "leak": {
        "n": Letter(
            Phrase("n: the number of people"),
            (Phrase("true n = {n}"), Phrase("guess of n"), Phrase("Guess of n")),
            ("people",),
        ),
        "ε": Letter(SYMBOLS["ε"], (), ("epsilon",)),
        "F": Letter(SYMBOLS["F"], (Phrase("Results seen (logarithmic)"),), ("draw",)),
        "LS": Letter(Phrase("LS: the local sensitivity, here u / (n + 1)"), (Phrase("guess of n"),)),
        "f": Letter(Phrase("f: the statistic, here a mean"), (Phrase("Results seen (logarithmic)"),)),
        "u": Letter(Phrase("u: the highest value, which is public")),
        "x": Letter(Phrase("x: this dataset"), (Phrase("true n = {n}"), Phrase("True n")), ("people",)),
    },
    "jump": {
        "x": Letter(
            Phrase("x: this dataset; x′ has one person more"),
            (Phrase("without Mia"), Phrase("with Mia")),
            ("young", "old"),
        ),
        "F": Letter(SYMBOLS["F"], (Phrase("Result"),)),
        "ε": Letter(SYMBOLS["ε"], (), ("epsilon",)),
        "δ": Letter(SYMBOLS["δ"], (Phrase("δ at this ε"),)),
        "S": Letter(SYMBOLS["S"], (Phrase("Result"),)),
    },
    "test": {
        "D": Letter(
            Phrase("D: the distance at which A(k) exceeds b"), (Phrase("distance D = {d}"), Phrase("Distance D"))
        ),
        "k": Letter(Phrase("k: the number of people by which the datasets differ"), (Phrase("Distance k in people"),)),
        "A": Letter(
            Phrase("A: the ladder A(k), how much one person can change f in any dataset within k people"),
            (Phrase("A(k)"),),
            ("people",),
        ),
        "f": Letter(Phrase("f: the statistic, here a median"), (Phrase("Change by one person, in years"),)),
        "x": Letter(Phrase("x: this dataset"), (), ("people",)),
        "b": Letter(Phrase("b: the proposed sensitivity"), (Phrase("proposed b = {b}"), Phrase("Bound b")), ("b",)),
        "Z": Letter(Phrase("Z: integer noise of the test"), (Phrase("noisy distance {d}"),), ("draw",)),
        "T": Letter(
            Phrase("T: the value that the noisy distance must reach"),
            (Phrase("threshold T = {t}"), Phrase("Threshold T")),
        ),
        "F": Letter(SYMBOLS["F"], (Phrase("Result"),), ("stage",)),
    },
    "tent": {
        "S": Letter(Phrase("S: the smooth bound"), (Phrase("S = {s}"), Phrase("Smooth bound S"))),
        "k": Letter(
            Phrase("k: the number of people by which the datasets differ"), (Phrase("Distance k in people"),), ("k",)
        ),
        "β": Letter(SYMBOLS["β"], (Phrase("Weight e^(−βk)"),), ("m",)),
        "e": Letter(Phrase("e^(−βk): the weight of A(k) at distance k"), (Phrase("Weight e^(−βk)"),)),
        "A": Letter(
            Phrase("A: the ladder A(k), how much one person can change f in any dataset within k people"),
            (Phrase("A(k)"),),
            ("young", "old"),
        ),
        "f": Letter(Phrase("f: the statistic, here a median"), (Phrase("Sensitivity"),)),
        "x": Letter(Phrase("x: this dataset; x′ has one person more or less"), (), ("young", "old")),
    },
    "blocks": {
        "a": Letter(Phrase("a: the result of one block, clipped"), (Phrase("median of a block"),)),
        "f": Letter(Phrase("f: the statistic, here a median"), (Phrase("median of a block"),)),
        "x": Letter(Phrase("x: this dataset; with an index, the data of one block"), (Phrase("person"),), ("draw",)),
        "F": Letter(SYMBOLS["F"], (Phrase("Result"), Phrase("result {x}"))),
        "k": Letter(Phrase("k: the number of blocks, which is public"), (Phrase("k = {k}"),), ("k",)),
        "l": Letter(Phrase("l: the lowest value"), (), ("low",)),
        "u": Letter(Phrase("u: the highest value"), (), ("high",)),
    },
    "ways": {
        "D": Letter(Phrase("D: the distance at which A(k) exceeds b"), (PTR.name,)),
        "S": Letter(Phrase("S: the smooth bound"), (SMOOTH.name,)),
        "β": Letter(SYMBOLS["β"], (SMOOTH.name,)),
        "a": Letter(Phrase("a: the result of one block, clipped"), (BLOCKS.name,)),
        "ε": Letter(SYMBOLS["ε"], (), ("epsilon",)),
        "f": Letter(Phrase("f: the statistic"), (), ("statistic",)),
        "A": Letter(
            Phrase("A: the ladder A(k), how much one person can change f in any dataset within k people"),
            (PTR.name, SMOOTH.name),
        ),
        "b": Letter(Phrase("b: the proposed sensitivity"), (PTR.name,)),
        "k": Letter(
            Phrase("k: the distance in people; in the last line the number of blocks"), (SMOOTH.name, BLOCKS.name)
        ),
        "l": Letter(Phrase("l: the lowest value"), (BLOCKS.name,)),
        "u": Letter(Phrase("u: the highest value"), (BLOCKS.name,)),
        "x": Letter(Phrase("x: this dataset; with an index, the data of one block"), (), ("people", "statistic")),
    },
}
