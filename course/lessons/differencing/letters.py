"""Letters of lesson 2: two counts, one person and an average."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.letters import SYMBOLS, Letter

LETTERS = {
    "two": {
        "q": Letter(Phrase("q: the query, a count"), (Phrase("First result minus second"),), ("noise",)),
        "D": Letter(Phrase("D: the dataset of all people"), (Phrase("Smokers among all"),)),
        "x": Letter(Phrase("x: the person who is left out"), (Phrase("smokes"), Phrase("does not smoke")), ("person",)),
    },
    "named": {
        "b": Letter(Phrase("b: whether this person smokes"), (Phrase("smokes"), Phrase("does not smoke"))),
        "ε": Letter(SYMBOLS["ε"], (Phrase("Probability"),), ("epsilon",)),
    },
    "twenty": {
        "E": Letter(Phrase("E: the value on average"), (Phrase("The best guesser, on average"),)),
        "R": Letter(Phrase("R: the number of right guesses in twenty"), (Phrase("Right"),), ("draw",)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("The best guesser"),), ("epsilon", "noise")),
    },
    "again": {
        "m": Letter(Phrase("m: the number of results that are averaged"), (Phrase("Results averaged (logarithmic)"),)),
        "a": Letter(Phrase("a: one noisy result"), (Phrase("average so far"),), ("draw",)),
        "σ": Letter(SYMBOLS["σ"], (Phrase("95% interval"),)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("the ledger stops here"),), ("epsilon", "budget")),
        "sd": Letter(Phrase("sd: the standard deviation"), (Phrase("Its margin of error (95%)"),)),
    },
}
