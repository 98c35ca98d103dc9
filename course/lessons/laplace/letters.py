"""Letters of lesson 3: noise, counts, neighbours and the choice of ε."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.letters import SYMBOLS, Letter

LETTERS = {
    "scales": {
        "b": Letter(Phrase("b: the scale of the noise"), (Phrase("b = {b}"),)),
        "s": Letter(Phrase("s: how far one person can move the answer"), (Phrase("End of the noise"),), ("moved",)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("End of the noise"),), ("epsilon",)),
        "f": Letter(Phrase("f: in the first formula a density, in the second the exact answer"), (Phrase("Density"),)),
        "x": Letter(Phrase("x: a place on the axis; in F(x) the data"), (Phrase("Noise"),)),
        "μ": Letter(Phrase("μ: the centre of the noise, here 0"), (Phrase("Noise"),)),
        "F": Letter(SYMBOLS["F"], (Phrase("19 in 20 within"),)),
        "Lap": Letter(SYMBOLS["Lap"], (Phrase("b = {b}"),)),
    },
    "count": {
        "a": Letter(Phrase("a: the factor by which the chance falls with each step away"), (Phrase("answers"),)),
        "z": Letter(Phrase("z: how far the answer is off"), (Phrase("Noisy answer"),), ("draw",)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("End of the noise"),), ("epsilon",)),
        "Z": Letter(Phrase("Z: noise"), (Phrase("answers"), Phrase("Its error"))),
    },
    "ratio": {
        "F": Letter(SYMBOLS["F"], (Phrase("Noisy answer"),)),
        "x": Letter(
            Phrase("x: the data; x′ are those of a neighbour"),
            (Phrase("with the person"), Phrase("without"), Phrase("with / without")),
        ),
        "ε": Letter(SYMBOLS["ε"], (Phrase("e^ε = {x}"), Phrase("e^−ε = {x}")), ("epsilon",)),
        "S": Letter(SYMBOLS["S"], (Phrase("Noisy answer"),)),
        "e": Letter(SYMBOLS["e"], (Phrase("e to the ε"),)),
    },
    "choosing": {
        "b": Letter(Phrase("b: the secret at which one guesses"), (Phrase("best guess"),)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("your ε"),), ("epsilon",)),
        "e": Letter(SYMBOLS["e"], (Phrase("e to the ε"),)),
    },
}
