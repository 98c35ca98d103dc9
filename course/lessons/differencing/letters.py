"""Letters of lesson 2: two counts, one person and an average."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.letters import SYMBOLS, Letter

LETTERS = {
    "two": {
        "q": Letter(Phrase("q: the count that is asked"), (Phrase("First answer minus second"),), ("noise",)),
        "D": Letter(Phrase("D: the table of everybody"), (Phrase("Smokers among all"),)),
        "x": Letter(Phrase("x: the person who is left out"), (Phrase("smokes"), Phrase("does not smoke")), ("person",)),
    },
    "named": {
        "b": Letter(Phrase("b: what this person would answer"), (Phrase("smokes"), Phrase("does not smoke"))),
        "ε": Letter(SYMBOLS["ε"], (Phrase("Chance"),), ("epsilon",)),
    },
    "twenty": {
        "E": Letter(Phrase("E: what comes on average"), (Phrase("The best guesser, on average"),)),
        "R": Letter(Phrase("R: how many of twenty guesses are right"), (Phrase("You, so far"),), ("draw",)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("The best guesser"),), ("epsilon", "noise")),
    },
    "again": {
        "m": Letter(Phrase("m: how many answers are averaged"), (Phrase("Answers averaged (logarithmic)"),)),
        "a": Letter(Phrase("a: one noisy answer"), (Phrase("average so far"),), ("draw",)),
        "σ": Letter(SYMBOLS["σ"], (Phrase("19 in 20"),)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("the ledger stops here"),), ("epsilon", "budget")),
        "sd": Letter(Phrase("sd: the standard deviation"), (Phrase("Average is off by, 19 in 20"),)),
    },
}
