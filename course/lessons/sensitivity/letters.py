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
        "d": Letter(Phrase("d: the number of rows added and removed"), (Phrase("Rows"),), ("removed", "added")),
    },
    "statistics": {
        "u": Letter(Phrase("u: the upper bound"), (Phrase("u = {u}"), Phrase("Upper bound u")), ("upper",)),
        "l": Letter(Phrase("l: the lower bound"), (), ("lower",)),
        "f": Letter(Phrase("f: the statistic"), (Phrase("add or remove one"), Phrase("change one")), ("statistic",)),
        "GS": Letter(
            Phrase("GS: the global sensitivity; ± if a person is added or removed, = if one is changed"),
            (Phrase("Change by one person"), Phrase("Add or remove one"), Phrase("Change one of {n}")),
        ),
        "d": Letter(Phrase("d: the number of rows added and removed"), (Phrase("add or remove one"),)),
        "x": Letter(Phrase("x: any dataset; x′ is a neighbouring one"), (Phrase("Change by one person"),)),
    },
    "functions": {
        "f": Letter(Phrase("f: the function"), ("f", Phrase("f(x)")), ("f",)),
        "x": Letter(Phrase("x: the number that changes by 1"), (Phrase("x"), Phrase("x, which changes by 1")), ("x",)),
        "n": Letter(Phrase("n: a public factor"), (), ("n",)),
    },
    "mean": {
        "x": Letter(Phrase("x: the age of a person"), (Phrase("mean age"),)),
        "u": Letter(Phrase("u: the upper bound of ages, here 100"), (Phrase("ε of the sum"),)),
        "n": Letter(Phrase("n: the number of people"), (), ("people",)),
        "ε": Letter(
            Phrase("ε: the cost; with an index, that of the sum or of the count"),
            (Phrase("ε of the sum"), Phrase("ε of the count"), Phrase("ε of the mean")),
            ("epsilon", "share"),
        ),
        "Lap": Letter(SYMBOLS["Lap"], (Phrase("mean age"),)),
    },
    "clipping": {
        "u": Letter(
            Phrase("u: the upper bound"),
            (Phrase("u = {u}"), Phrase("lost by clipping"), Phrase("Upper bound u (logarithmic)")),
            ("upper",),
        ),
        "x": Letter(Phrase("x: the value of a person"), (), ("column",)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("noise"),), ("epsilon",)),
        "Lap": Letter(SYMBOLS["Lap"], (Phrase("noise"),)),
    },
    "bounds": {
        "u": Letter(Phrase("u: the chosen bound"), (Phrase("Chosen upper bound"),), ("way",)),
        "x": Letter(Phrase("x: the income of a person"), (Phrase("with Mia"),), ("top",)),
        "Z": Letter(Phrase("Z: noise"), (), ("epsilon",)),
        "T": Letter(
            Phrase("T: the number of values that may be above the bound"), (Phrase("Incomes above the bound"),)
        ),
    },
}
