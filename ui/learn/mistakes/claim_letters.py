"""Letters of lesson 9: what the printed claims speak of."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.ui.learn.letters import SYMBOLS, Letter

OF_GLOBAL = {
    "u": Letter(Phrase("u: the highest value"), (), ("upper",)),
    "ε": Letter(SYMBOLS["ε"], (Phrase("with the person"), Phrase("without the person")), ("epsilon",)),
    "x": Letter(Phrase("x: the value of a person"), (Phrase("with the person"),)),
}
OF_LOCAL = {
    "n": Letter(Phrase("n: how many people there are"), (), ("people",)),
    "l": Letter(Phrase("l: the lowest value"), (), ("lower",)),
    "ε": Letter(SYMBOLS["ε"], (Phrase("with the person"), Phrase("without the person")), ("epsilon",)),
}
OF_TEST = {
    "⊥": Letter(SYMBOLS["⊥"]),
    "D": Letter(Phrase("D: how many persons away the jump is"), (), ("ones",)),
    "δ": Letter(SYMBOLS["δ"], (), ("delta",)),
    "ε": Letter(SYMBOLS["ε"], (Phrase("with the person"), Phrase("without the person")), ("epsilon",)),
}
OF_SMOOTH = {
    "β": Letter(SYMBOLS["β"]),
    "S": Letter(
        Phrase("S: the smooth bound; the noise is as wide"), (Phrase("with the person"), Phrase("without the person"))
    ),
    "ε": Letter(SYMBOLS["ε"], (), ("epsilon",)),
    "δ": Letter(SYMBOLS["δ"], (), ("delta",)),
}
OF_CHUNKS = {
    "k": Letter(Phrase("k: how many chunks the file has"), (), ("k",)),
    "c": Letter(Phrase("c: a chunk of the file"), (Phrase("with the person"), Phrase("without the person"))),
}
OF_CATASTROPHE = {
    "⊥": Letter(SYMBOLS["⊥"]),
    "δ": Letter(SYMBOLS["δ"], (Phrase("everything is public"),), ("delta",)),
    "F": Letter(SYMBOLS["F"], (Phrase("Days (logarithmic)"),), ("days",)),
    "x": Letter(Phrase("x: all rows"), (Phrase("everything is public"),)),
}
