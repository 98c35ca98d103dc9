"""Letters of lesson 6: local sensitivity, and what it reveals."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.letters import SYMBOLS, Letter

LETTERS = {
    "local": {
        "A": Letter(Phrase("A: the ladder; A(0) is the local sensitivity"), (Phrase("on these data"),), ("width",)),
        "x": Letter(Phrase("x: these data"), (Phrase("on these data"),), ("people", "width")),
        "y": Letter(Phrase("y: any data within k persons"), (Phrase("on the worst data"),)),
        "f": Letter(Phrase("f: the statistic"), (Phrase("Mean"), Phrase("Median"))),
        "LS": Letter(Phrase("LS: the local sensitivity"), (Phrase("on these data"), Phrase("{name}, these data"))),
        "d": Letter(Phrase("d: how many persons have to come and go")),
        "k": Letter(Phrase("k: how many persons away one looks"), (Phrase("on the worst data"),)),
    },
    "leak": {
        "n": Letter(
            Phrase("n: how many people there are"),
            (Phrase("true n = {n}"), Phrase("guess of n"), Phrase("Guess of n")),
            ("people",),
        ),
        "ε": Letter(SYMBOLS["ε"], (), ("epsilon",)),
        "F": Letter(SYMBOLS["F"], (Phrase("Answers seen (logarithmic)"),), ("draw",)),
        "LS": Letter(Phrase("LS: the local sensitivity, here u / (n + 1)"), (Phrase("guess of n"),)),
        "f": Letter(Phrase("f: the statistic, here a mean"), (Phrase("Answers seen (logarithmic)"),)),
        "u": Letter(Phrase("u: the highest value, which is public")),
        "x": Letter(Phrase("x: these data"), (Phrase("true n = {n}"), Phrase("True n")), ("people",)),
    },
    "jump": {
        "x": Letter(
            Phrase("x: these data; x′ have one person more"),
            (Phrase("these data"), Phrase("one more around 40")),
            ("young", "old"),
        ),
        "F": Letter(SYMBOLS["F"], (Phrase("Answer"),)),
        "ε": Letter(SYMBOLS["ε"], (), ("epsilon",)),
        "δ": Letter(SYMBOLS["δ"], (Phrase("δ at this ε"),)),
        "S": Letter(SYMBOLS["S"], (Phrase("Answer"),)),
    },
    "test": {
        "D": Letter(
            Phrase("D: how many persons away the ladder exceeds b"), (Phrase("distance D = {d}"), Phrase("Distance D"))
        ),
        "k": Letter(Phrase("k: how many persons away one looks"), (Phrase("Persons k away from the data"),)),
        "A": Letter(
            Phrase("A: the ladder, how far one person moves f on data within k persons"), (Phrase("A(k)"),), ("people",)
        ),
        "f": Letter(Phrase("f: the statistic, here a median"), (Phrase("Years one person can move it"),)),
        "x": Letter(Phrase("x: these data"), (), ("people",)),
        "b": Letter(
            Phrase("b: the sensitivity that is proposed"), (Phrase("proposed b = {b}"), Phrase("Bound b")), ("b",)
        ),
        "Z": Letter(Phrase("Z: whole noise of the test"), (Phrase("noisy distance {d}"),), ("draw",)),
        "T": Letter(
            Phrase("T: what the noisy distance has to reach"), (Phrase("threshold T = {t}"), Phrase("Threshold T"))
        ),
        "F": Letter(SYMBOLS["F"], (Phrase("Answer"),), ("stage",)),
    },
    "tent": {
        "S": Letter(Phrase("S: the smooth bound"), (Phrase("S = {s}"), Phrase("Smooth bound S"))),
        "k": Letter(Phrase("k: how many persons away one looks"), (Phrase("Persons k away from the data"),), ("k",)),
        "β": Letter(SYMBOLS["β"], (Phrase("Weight e^(−βk)"),), ("m",)),
        "e": Letter(Phrase("e^(−βk): how much a rung weighs that is k persons away"), (Phrase("Weight e^(−βk)"),)),
        "A": Letter(
            Phrase("A: the ladder, how far one person moves f on data within k persons"),
            (Phrase("A(k)"),),
            ("young", "old"),
        ),
        "f": Letter(Phrase("f: the statistic, here a median"), (Phrase("Sensitivity"),)),
        "x": Letter(Phrase("x: these data; x′ have one person more or less"), (), ("young", "old")),
    },
    "ways": {
        "D": Letter(Phrase("D: how many persons away the ladder exceeds b"), (Phrase("Test"),)),
        "S": Letter(Phrase("S: the smooth bound"), (Phrase("Smooth"),)),
        "β": Letter(SYMBOLS["β"], (Phrase("Smooth"),)),
        "a": Letter(Phrase("a: the answer of one block, clipped"), (Phrase("Blocks"),)),
        "ε": Letter(SYMBOLS["ε"], (), ("epsilon",)),
        "f": Letter(Phrase("f: the statistic"), (), ("statistic",)),
        "A": Letter(
            Phrase("A: the ladder, how far one person moves f on data within k persons"),
            (Phrase("Test"), Phrase("Smooth")),
        ),
        "b": Letter(Phrase("b: the sensitivity that is proposed"), (Phrase("Test"),)),
        "k": Letter(
            Phrase("k: persons away; in the last line the number of blocks"), (Phrase("Smooth"), Phrase("Blocks"))
        ),
        "l": Letter(Phrase("l: the lowest value"), (Phrase("Blocks"),)),
        "u": Letter(Phrase("u: the highest value"), (Phrase("Blocks"),)),
        "x": Letter(Phrase("x: these data; with an index, those of one block"), (), ("people", "statistic")),
    },
}
