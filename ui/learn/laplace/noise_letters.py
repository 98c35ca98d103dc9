"""Letters of lesson 3: noise, counts, neighbours and chosen ε."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.ui.learn.letters import SYMBOLS, Letter

LETTERS = {
    "scales": {
        "b": Letter(Phrase("b: the scale of the noise"), (Phrase("b = {b}"),)),
        "s": Letter(Phrase("s: how far one person can move the answer"), (Phrase("End of the noise"),), ("moved",)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("End of the noise"),), ("epsilon",)),
    },
    "count": {
        "a": Letter(Phrase("a: the factor by which the chance falls with each step away"), (Phrase("answers"),)),
        "z": Letter(Phrase("z: how far the answer is off"), (Phrase("Noisy answer"),), ("draw",)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("End of the noise"),), ("epsilon",)),
    },
    "ratio": {
        "F": Letter(SYMBOLS["F"], (Phrase("Noisy answer"),)),
        "x": Letter(
            Phrase("x: the data; x′ are those of a neighbour"),
            (Phrase("with the person"), Phrase("without"), Phrase("with / without")),
        ),
        "ε": Letter(SYMBOLS["ε"], (Phrase("e^ε = {x}"), Phrase("e^−ε = {x}")), ("epsilon",)),
    },
    "choosing": {
        "b": Letter(Phrase("b: the secret at which one guesses"), (Phrase("best guess"),)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("your ε"),), ("epsilon",)),
    },
}
