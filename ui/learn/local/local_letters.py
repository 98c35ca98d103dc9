"""Letters of lesson 6: what one person moves here, and what that tells."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.ui.learn.letters import SYMBOLS, Letter

LETTERS = {
    "local": {
        "A": Letter(Phrase("A: the ladder; A(0) is the local sensitivity"), (Phrase("on these data"),), ("width",)),
        "x": Letter(Phrase("x: these data"), (Phrase("on these data"),), ("people", "width")),
        "y": Letter(Phrase("y: any data within k persons"), (Phrase("on the worst data"),)),
        "f": Letter(Phrase("f: the statistic"), (Phrase("Mean"), Phrase("Median"))),
    },
    "leak": {
        "n": Letter(
            Phrase("n: how many people there are"),
            (Phrase("true n = {n}"), Phrase("guess of n"), Phrase("Guess of n")),
            ("people",),
        ),
        "ε": Letter(SYMBOLS["ε"], (), ("epsilon",)),
        "F": Letter(SYMBOLS["F"], (Phrase("Answers seen (logarithmic)"),), ("draw",)),
    },
    "jump": {
        "x": Letter(
            Phrase("x: these data; x′ have one person more"),
            (Phrase("these data"), Phrase("one more around 40")),
            ("young", "old"),
        ),
        "F": Letter(SYMBOLS["F"], (Phrase("Answer"),)),
        "ε": Letter(SYMBOLS["ε"], (), ("epsilon",)),
    },
    "ways": {
        "D": Letter(Phrase("D: how many persons away the ladder exceeds b"), (Phrase("Test"),)),
        "S": Letter(Phrase("S: the smooth bound"), (Phrase("Smooth"),)),
        "β": Letter(SYMBOLS["β"], (Phrase("Smooth"),)),
        "a": Letter(Phrase("a: the answer of one block, clipped"), (Phrase("Blocks"),)),
        "ε": Letter(SYMBOLS["ε"], (), ("epsilon",)),
        "f": Letter(Phrase("f: the statistic"), (), ("statistic",)),
    },
}
