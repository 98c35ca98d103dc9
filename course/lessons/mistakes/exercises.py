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
        Phrase("The textbook's mean of the first step with l = −50 and u = 50 claims ε = 1. What is its true ε?"),
        Typed(),
        lambda: TextbookGlobalMean(1.0).true_guarantee(Public(Bounds(-50, 50))).epsilon,
        Phrase("ε/2 (1 + max(|l|, |u|)/u): the claim is true as long as l ≥ −u."),
    ),
    Prediction(
        Phrase("What is it with l = −300 and u = 100?"),
        Typed(),
        lambda: TextbookGlobalMean(1.0).true_guarantee(Public(Bounds(-300, 100))).epsilon,
        Phrase("(1 + 3)/2."),
    ),
    Prediction(
        Phrase(
            "A mechanism publishes all rows with probability 0.001 each day. How likely has it done "
            "so within 1,000 days, in percent?"
        ),
        Typed(),
        lambda: 100 * (1 - 0.999**1000),
        Phrase("It is (0, 0.001)-differentially private each day. That is why δ must be far below 1/n."),
    ),
    Prediction(
        Phrase("ε = 1, δ = 10⁻⁶. What is the textbook's threshold ln(2/δ)/(2ε)?"),
        Typed(),
        lambda: math.log(2e6) / 2,
        Phrase("The proven threshold is higher."),
    ),
    Prediction(
        Phrase("u = 100, n = 32,561. What is the textbook's final sensitivity 2u/(n+1)?"),
        Typed(),
        lambda: 200 / 32_562,
        Phrase("It is 0.006142, as in the book."),
    ),
    Prediction(
        Phrase("100,000 results show nothing against a claim. Is the claim proven?"),
        OneOf({"yes": Phrase("Yes"), "no": Phrase("No")}),
        lambda: "no",
        Phrase(
            "Samples can refute a claim, but not prove it: a δ of 10⁻⁹ is practically never seen. Every "
            "distribution here is therefore also compared exactly."
        ),
    ),
    Prediction(
        Phrase(
            "Calculate, or write a program: there are 1,000 people, and all rows are published with probability "
            "1/1,000 each day. After how many days is it more likely than not that this has happened?"
        ),
        Typed(),
        lambda: float(next(days for days in range(1, 2000) if 0.999**days < 0.5)),
        Phrase(
            "ln 0.5 / ln 0.999 = 692.8, less than two years. A δ of 1/1,000 each day gives 1,000 "
            "people no guarantee for long."
        ),
        """
days, hidden = 0, 1.0
while hidden >= 0.5:
    days, hidden = days + 1, hidden * (1 - 1 / 1000)
print(days)
""",
    ),
    Prediction(
        Phrase(
            "Prove: publishing all rows with probability δ, and otherwise nothing, is (0, "
            "δ)-differentially private. One line is wrong."
        ),
        InOrder(
            {
                "A": Phrase("With probability 1 − δ the guarantee is valid, so it is valid on average."),
                "B": Phrase("And Pr[F(x') ∈ S] ≥ (1 − δ) [empty ∈ S]: so Pr[F(x) ∈ S] ≤ Pr[F(x') ∈ S] + δ."),
                "C": Phrase("With probability 1 − δ the result is empty, for any rows."),
                "D": Phrase("So for a set S: Pr[F(x) ∈ S] ≤ (1 − δ) [empty ∈ S] + δ."),
            }
        ),
        lambda: "CDB",
        Phrase("A is a frequent way to read δ. The definition is satisfied, and yet one day everything is public."),
    ),
)
