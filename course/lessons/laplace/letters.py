"""Letters of lesson 3: noise, counts, neighbours and the choice of ε."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.letters import SYMBOLS, Letter

LETTERS = {
    "drops": {
        "f": Letter(Phrase("f: the exact result"), (Phrase("Exact count"),)),
        "x": Letter(Phrase("x: the data"), (Phrase("Exact count"),)),
        "Z": Letter(Phrase("Z: noise"), (Phrase("Results that are exact"),), ("draw",)),
        "F": Letter(SYMBOLS["F"], (Phrase("At most 2 away"),)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("Results that are exact"),), ("epsilon",)),
        "e": Letter(SYMBOLS["e"], (Phrase("Results that are exact"),)),
    },
    "scales": {
        "b": Letter(Phrase("b: the scale of the noise"), (Phrase("b = {b}"),)),
        "s": Letter(
            Phrase("s: how much one person can change the result"), (Phrase("95% limit of the noise"),), ("moved",)
        ),
        "ε": Letter(SYMBOLS["ε"], (Phrase("95% limit of the noise"),), ("epsilon",)),
        "f": Letter(Phrase("f: in the first formula a density, in the second the exact result"), (Phrase("Density"),)),
        "x": Letter(Phrase("x: a place on the axis; in F(x) the data"), (Phrase("Noise"),)),
        "μ": Letter(Phrase("μ: the centre of the noise, here 0"), (Phrase("Noise"),)),
        "F": Letter(SYMBOLS["F"], (Phrase("Margin of error (95%)"),)),
        "Lap": Letter(SYMBOLS["Lap"], (Phrase("b = {b}"),)),
    },
    "count": {
        "a": Letter(Phrase("a: the factor by which the probability falls with each step away"), (Phrase("answers"),)),
        "z": Letter(Phrase("z: the error of the result"), (Phrase("Noisy result"),), ("draw",)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("95% limit of the noise"),), ("epsilon",)),
        "Z": Letter(Phrase("Z: noise"), (Phrase("answers"), Phrase("Its error"))),
    },
    "ratio": {
        "F": Letter(SYMBOLS["F"], (Phrase("Noisy result"),)),
        "x": Letter(
            Phrase("x: the data; x′ is a neighbouring dataset"),
            (Phrase("with Mia"), Phrase("without Mia"), Phrase("with Mia / without")),
        ),
        "ε": Letter(SYMBOLS["ε"], (Phrase("e^ε = {x}"), Phrase("e^−ε = {x}")), ("epsilon",)),
        "S": Letter(SYMBOLS["S"], (Phrase("Noisy result"),)),
        "e": Letter(SYMBOLS["e"], (Phrase("e to the power of ε"),)),
    },
    "choosing": {
        "b": Letter(Phrase("b: the secret to be guessed"), (Phrase("best guess"),)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("your ε"),), ("epsilon",)),
        "e": Letter(SYMBOLS["e"], (Phrase("e to the power of ε"),)),
    },
}
