"""Letters of lesson 8: streams, and noise in the local model."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.letters import SYMBOLS, Letter

LETTERS = {
    "stream": {
        "τ": Letter(Phrase("τ: the first day that is told"), (Phrase("chance to stop here"), Phrase("Chance to stop"))),
        "T": Letter(Phrase("T: the threshold"), (Phrase("threshold"),), ("threshold",)),
        "q": Letter(Phrase("q: the count of a day"), (Phrase("people with a fever"),), ("days",)),
        "Z": Letter(Phrase("Z: noise"), (Phrase("chance to stop here"),), ("epsilon",)),
        "i": Letter(Phrase("i: a day"), (Phrase("Day"),), ("days",)),
        "x": Letter(Phrase("x: the data, who has a fever on which day"), (Phrase("people with a fever"),)),
    },
    "patience": {
        "n": Letter(
            Phrase("n: how many counts the stream has"),
            (Phrase("{length} counts"), Phrase("Length of the stream (logarithmic)")),
            ("length",),
        ),
        "ε": Letter(SYMBOLS["ε"], (), ("epsilon",)),
        "O": Letter(
            Phrase("O: how the error grows: all counts told, and watching"),
            (Phrase("all counts told"), Phrase("watching")),
        ),
    },
    "local": {
        "r": Letter(Phrase("r: what a person reports"), (Phrase("nobody trusted"),)),
        "t": Letter(Phrase("t: the truth"), (Phrase("Truly yes, in percent"),), ("yes",)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("nobody trusted"), Phrase("curator trusted")), ("epsilon",)),
        "e": Letter(SYMBOLS["e"], (Phrase("A report is true"),)),
    },
    "people": {
        "n": Letter(
            Phrase("n: how many people are asked"),
            (Phrase("{people} people"), Phrase("People asked (logarithmic)")),
            ("people",),
        ),
        "σ": Letter(
            Phrase("σ: the error, σ₁ with a curator and σ₀ without"),
            (Phrase("curator trusted"), Phrase("nobody trusted")),
        ),
        "ε": Letter(SYMBOLS["ε"], (), ("epsilon",)),
    },
    "places": {
        "n": Letter(Phrase("n: how many people there are"), (), ("people",)),
        "Z": Letter(Phrase("Z: noise"), (Phrase("Input"), Phrase("Output")), ("epsilon",)),
        "b": Letter(Phrase("b: noise that tilts the objective"), (Phrase("Objective"),)),
        "t": Letter(Phrase("t: a step of the optimiser"), (Phrase("Optimiser"),), ("steps",)),
        "θ": Letter(
            Phrase("θ: the mean that is looked for; with a hat, the one that is told"),
            (Phrase("Error, 19 in 20 (logarithmic)"),),
        ),
        "η": Letter(Phrase("η: how far one step goes"), (Phrase("Optimiser"),)),
        "x": Letter(Phrase("x: the value of a person"), (Phrase("Input"),)),
        "i": Letter(Phrase("i: a person"), (), ("people",)),
    },
}
