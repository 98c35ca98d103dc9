"""Exercises of lesson 9: what a claim is worth."""

from __future__ import annotations

import math

from discreet.budget import Phrase
from discreet.mechanisms import Public
from discreet.mechanisms.exhibits.global_mean import TextbookGlobalMean
from discreet.queries import Bounds
from discreet.ui.session.guesses import InOrder, OneOf, Prediction, Typed

EXERCISES = (
    Prediction(
        Phrase("The printed mean with l = −50 and u = 50 claims ε = 1. What is it?"),
        Typed(),
        lambda: TextbookGlobalMean(1.0).true_guarantee(Public(Bounds(-50, 50))).epsilon,
        Phrase("ε/2 (1 + max(|l|, |u|)/u): the claim holds as long as l ≥ −u."),
    ),
    Prediction(
        Phrase("The same with l = −300 and u = 100."),
        Typed(),
        lambda: TextbookGlobalMean(1.0).true_guarantee(Public(Bounds(-300, 100))).epsilon,
        Phrase("(1 + 3)/2."),
    ),
    Prediction(
        Phrase(
            "A mechanism publishes all rows with chance 0.001 each day. How likely has it done so in 1,000 "
            "days, in percent?"
        ),
        Typed(),
        lambda: 100 * (1 - 0.999**1000),
        Phrase("It is (0, 0.001)-differentially private each day. That is why δ must be far below 1/n."),
    ),
    Prediction(
        Phrase("ε = 1, δ = 1e-6. What is the printed threshold ln(2/δ)/(2ε)?"),
        Typed(),
        lambda: math.log(2e6) / 2,
        Phrase("The proven one is higher."),
    ),
    Prediction(
        Phrase("u = 100, n = 32,561. What is the printed final sensitivity 2u/(n+1)?"),
        Typed(),
        lambda: 200 / 32_562,
        Phrase("0.006142, as in the book."),
    ),
    Prediction(
        Phrase("100,000 answers find nothing against a claim. Is it proven?"),
        OneOf({"yes": Phrase("Yes"), "no": Phrase("No")}),
        lambda: "no",
        Phrase("Samples can refute, not prove: a δ of 1e-9 is never seen. So every law here is also compared exactly."),
    ),
    Prediction(
        Phrase(
            "Write a program: 1,000 people, and all rows are published with chance 1/1,000 each day. "
            "After how many days has it more likely happened than not?"
        ),
        Typed(),
        lambda: float(next(days for days in range(1, 2000) if 0.999**days < 0.5)),
        Phrase("1,000 ln 2, less than two years. So δ = 1/n is no promise to n people."),
        """
days, hidden = 0, 1.0
while hidden >= 0.5:
    days, hidden = days + 1, hidden * (1 - 1 / 1000)
print(days)
""",
    ),
    Prediction(
        Phrase(
            "Prove: publishing all rows with chance δ, and nothing else, is (0, δ)-differentially private. "
            "One line is wrong."
        ),
        InOrder(
            {
                "A": Phrase("With chance 1 − δ the guarantee holds, so it holds on average."),
                "B": Phrase("And Pr[F(x') ∈ S] ≥ (1 − δ) [empty ∈ S]: so Pr[F(x) ∈ S] ≤ Pr[F(x') ∈ S] + δ."),
                "C": Phrase("With chance 1 − δ the answer is empty, whatever the rows are."),
                "D": Phrase("So for a set S: Pr[F(x) ∈ S] ≤ (1 − δ) [empty ∈ S] + δ."),
            }
        ),
        lambda: "CDB",
        Phrase("A is how δ is often read. The definition is kept, and yet a day comes on which everything is told."),
    ),
)
