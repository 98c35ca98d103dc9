"""Letters of lesson 7: places, votes and days."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.letters import SYMBOLS, Letter

LETTERS = {
    "election": {
        "r": Letter(Phrase("r: a place that may win"), (Phrase("{place}: {count}"), Phrase("Place with its votes"))),
        "n": Letter(
            Phrase("n: the votes of a place"), (Phrase("Place with its votes"),), ("zoo", "museum", "lake", "castle")
        ),
        "u": Letter(Phrase("u: the score of a place, here its votes"), (), ("zoo", "museum", "lake", "castle")),
        "ε": Letter(SYMBOLS["ε"], (Phrase("ε = {epsilon}"),)),
        "Δ": Letter(
            Phrase("Δu: how much one person changes a score, here 1"), (Phrase("Probability of being chosen"),)
        ),
        "x": Letter(Phrase("x: all votes"), (Phrase("Place with its votes"),), ("zoo", "museum", "lake", "castle")),
    },
    "ways": {
        "r": Letter(Phrase("r: a place; r* is the chosen one"), (Phrase("Correct winner"),), ("more",)),
        "n": Letter(Phrase("n: the votes of a place"), (), ("several",)),
        "Z": Letter(Phrase("Z: noise on the votes of a place"), (Phrase("Noisy max"), Phrase("All noisy counts"))),
        "ε": Letter(SYMBOLS["ε"], (), ("epsilon",)),
        "Exp": Letter(Phrase("Exp: exponential noise, which is never below 0"), (Phrase("Noisy max"),)),
    },
    "date": {
        "d": Letter(Phrase("d: the day on which most can come"), (Phrase("can come"),), ("class",)),
        "F": Letter(SYMBOLS["F"], (Phrase("noise on the day"),)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("by weight"),), ("epsilon",)),
        "x": Letter(Phrase("x: the days on which each pupil can come"), (Phrase("can come"),), ("class",)),
        "Lap": Letter(SYMBOLS["Lap"], (Phrase("noise on the day"),)),
    },
}
