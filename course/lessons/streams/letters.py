"""Letters of lesson 8: streams, and noise in the local model."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.letters import SYMBOLS, Letter

LETTERS = {
    "stream": {
        "τ": Letter(
            Phrase("τ: the first day that is published"),
            (Phrase("chance of stopping here"), Phrase("Chance of stopping")),
        ),
        "T": Letter(Phrase("T: the threshold"), (Phrase("threshold"),), ("threshold",)),
        "q": Letter(Phrase("q: the count of a day"), (Phrase("people with a fever"),), ("days",)),
        "Z": Letter(Phrase("Z: noise"), (Phrase("chance of stopping here"),), ("epsilon",)),
        "i": Letter(Phrase("i: a day"), (Phrase("Day"),), ("days",)),
        "x": Letter(Phrase("x: the data: people with a fever on each day"), (Phrase("people with a fever"),)),
    },
    "patience": {
        "n": Letter(
            Phrase("n: the number of counts in the stream"),
            (Phrase("{length} counts"), Phrase("Length of the stream (logarithmic)")),
            ("length",),
        ),
        "ε": Letter(SYMBOLS["ε"], (), ("epsilon",)),
        "β": Letter(
            Phrase("β: the probability, 0.05, of an error beyond the bound of all counts released, or of watching"),
            (Phrase("all counts released"), Phrase("watching")),
        ),
    },
    "local": {
        "r": Letter(Phrase("r: what a person reports"), (Phrase("no one trusted"),)),
        "t": Letter(Phrase("t: the true answer"), (Phrase("True answer yes, in percent"),), ("yes",)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("no one trusted"), Phrase("curator trusted")), ("epsilon",)),
        "e": Letter(SYMBOLS["e"], (Phrase("A report is true"),)),
    },
    "people": {
        "n": Letter(
            Phrase("n: the number of people asked"),
            (Phrase("{people} people"), Phrase("People asked (logarithmic)")),
            ("people",),
        ),
        "σ": Letter(
            Phrase("σ: the error, σ₁ with a curator and σ₀ without"),
            (Phrase("curator trusted"), Phrase("no one trusted")),
        ),
        "ε": Letter(SYMBOLS["ε"], (), ("epsilon",)),
    },
    "places": {
        "n": Letter(Phrase("n: the number of people"), (), ("people",)),
        "Z": Letter(Phrase("Z: noise"), (Phrase("Input"), Phrase("Output")), ("epsilon",)),
        "b": Letter(Phrase("b: noise that tilts the objective"), (Phrase("Objective"),)),
        "t": Letter(Phrase("t: a step of the optimiser"), (Phrase("Optimiser"),), ("steps",)),
        "θ": Letter(
            Phrase("θ: the mean that is estimated; with a hat, the released mean"),
            (Phrase("Margin of error (95%, logarithmic)"),),
        ),
        "η": Letter(Phrase("η: the length of one step"), (Phrase("Optimiser"),)),
        "x": Letter(Phrase("x: the value of a person"), (Phrase("Input"),)),
        "i": Letter(Phrase("i: a person"), (), ("people",)),
    },
}
