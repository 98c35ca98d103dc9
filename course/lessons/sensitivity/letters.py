"""Letters of lesson 4: distance, bounds and sensitivity."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.letters import SYMBOLS, Letter

LETTERS = {
    "distance": {
        "x": Letter(
            Phrase("x: the first dataset; x′ is the second"),
            (Phrase("first dataset"), Phrase("second dataset")),
            ("age",),
        ),
        "d": Letter(Phrase("d: how many rows have to come and go"), (Phrase("Rows"),), ("removed", "added")),
    },
    "statistics": {
        "u": Letter(Phrase("u: the upper bound"), (Phrase("u = {u}"), Phrase("Upper bound u")), ("upper",)),
        "l": Letter(Phrase("l: the lower bound"), (), ("lower",)),
        "f": Letter(Phrase("f: the statistic"), (Phrase("add or remove one"), Phrase("change one")), ("statistic",)),
        "GS": Letter(
            Phrase("GS: the global sensitivity; ± if a person comes or goes, = if one changes"),
            (Phrase("One person can move it by"), Phrase("Add or remove one"), Phrase("Change one of {n}")),
        ),
        "d": Letter(Phrase("d: how many rows have to come and go"), (Phrase("add or remove one"),)),
        "x": Letter(Phrase("x: any data; x′ are those of a neighbour"), (Phrase("One person can move it by"),)),
    },
    "functions": {
        "f": Letter(Phrase("f: the function"), ("f", Phrase("f(x)")), ("f",)),
        "x": Letter(Phrase("x: the number that moves by 1"), (Phrase("x"), Phrase("x, which moves by 1")), ("x",)),
        "n": Letter(Phrase("n: a public factor"), (), ("n",)),
    },
    "clipping": {
        "u": Letter(
            Phrase("u: the upper bound"),
            (Phrase("u = {u}"), Phrase("clipped away"), Phrase("Upper bound u (logarithmic)")),
            ("upper",),
        ),
        "x": Letter(Phrase("x: the value of a person"), (), ("column",)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("noise"),), ("epsilon",)),
        "Lap": Letter(SYMBOLS["Lap"], (Phrase("noise"),)),
    },
    "bounds": {
        "u": Letter(Phrase("u: the bound that is chosen"), (Phrase("Upper bound that is chosen"),), ("way",)),
        "x": Letter(Phrase("x: the income of a person"), (Phrase("with the highest income"),), ("top",)),
        "Z": Letter(Phrase("Z: noise"), (), ("epsilon",)),
        "T": Letter(Phrase("T: how many may stay above the bound"), (Phrase("Incomes above"),)),
    },
}
