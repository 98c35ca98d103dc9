"""Letters of lesson 5: sums, losses, accountings and orders."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.letters import SYMBOLS, Letter

LETTERS = {
    "sequential": {
        "k": Letter(Phrase("k: the number of results"), (), ("answers",)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("charged"), Phrase("exact loss")), ("epsilon",)),
        "F": Letter(SYMBOLS["F"], (Phrase("Same people"), Phrase("Separate groups"))),
        "x": Letter(
            Phrase("x: the data; with an index, the data of one group"),
            (Phrase("Same people"), Phrase("Separate groups")),
        ),
    },
    "divergences": {
        "P": Letter(Phrase("P: the distribution of the results with Mia"), (Phrase("P, with Mia"),)),
        "Q": Letter(Phrase("Q: the distribution without Mia"), (Phrase("Q, without Mia"),)),
        "ε": Letter(SYMBOLS["ε"], (), ("epsilon",)),
        "δ": Letter(SYMBOLS["δ"], (Phrase("P above e^ε Q: area δ"),)),
        "D": Letter(
            Phrase("D: a divergence"), (Phrase("largest: max divergence"), Phrase("average: KL")), ("noise", "scale")
        ),
        "KL": Letter(
            Phrase("KL: the average loss, over results of P"), (Phrase("KL divergence"), Phrase("average: KL"))
        ),
        "E": Letter(Phrase("𝔼: the average, over results of P"), (Phrase("average: KL"), Phrase("P, with Mia"))),
        "S": Letter(SYMBOLS["S"], (Phrase("Noisy count"),)),
        "F": Letter(SYMBOLS["F"], (Phrase("Noisy count"),), ("noise",)),
        "x": Letter(
            Phrase("x: the data with Mia; x′ is the data without her"),
            (Phrase("P, with Mia"), Phrase("Q, without Mia")),
        ),
    },
    "coins": {
        "P": Letter(Phrase("P: the distribution of the first coin"), ("P",), ("p",)),
        "Q": Letter(Phrase("Q: the distribution of the second coin"), ("Q",), ("q",)),
        "a": Letter(Phrase("a: what a coin shows"), (Phrase("heads"), Phrase("tails"))),
        "KL": Letter(
            Phrase("KL: the average loss, over tosses of the coin that is named first"), ("KL(P‖Q)", "KL(Q‖P)")
        ),
    },
    "accounts": {
        "k": Letter(Phrase("k: the number of results"), (Phrase("Results k"),), ("answers",)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("Advanced"), Phrase("Total ε at this δ")), ("epsilon",)),
        "δ": Letter(SYMBOLS["δ"], (), ("delta",)),
    },
    "curves": {
        "α": Letter(SYMBOLS["α"], (Phrase("Order α (logarithmic)"),)),
        "ρ": Letter(SYMBOLS["ρ"], (Phrase("zCDP line ρα for Laplace"),)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("Proven ε"), Phrase("kε = {x}")), ("epsilon",)),
        "δ": Letter(SYMBOLS["δ"], (), ("delta",)),
        "D": Letter(Phrase("D: the divergence of an order"), (Phrase("Laplace"), Phrase("Gaussian")), ("show",)),
        "P": Letter(Phrase("P: the distribution of the results with Mia"), (Phrase("Laplace"), Phrase("Gaussian"))),
        "Q": Letter(Phrase("Q: the distribution without Mia"), (Phrase("Laplace"), Phrase("Gaussian"))),
        "E": Letter(Phrase("𝔼: the average, over results of Q"), (Phrase("Order α (logarithmic)"),)),
    },
    "noise": {
        "a": Letter(Phrase("a: how much one person changes each count"), (Phrase("Counts k"),), ("person", "counts")),
        "σ": Letter(SYMBOLS["σ"], (Phrase("Gaussian"),)),
        "s": Letter(Phrase("s: the L2 sensitivity"), (Phrase("Gaussian"),), ("person",)),
        "ε": Letter(SYMBOLS["ε"], (Phrase("Margin of error (95%)"),), ("epsilon",)),
        "δ": Letter(SYMBOLS["δ"], (Phrase("Gaussian"),), ("delta",)),
    },
}
