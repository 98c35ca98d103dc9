"""Guesses of lesson 9: the true worth of five published guarantees."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.lessons.mistakes import numbers
from discreet.ui.session.guesses import OnRungs, OnScale, Prediction

PRINTED = "printed"

OF_GLOBAL = Prediction(
    Phrase("Values count from −100 to 20, and the noise is made for 20. ε = 1 is claimed. What is it in truth?"),
    OnScale(0.0, 6.0, 0.5),
    lambda: numbers.global_mean(1.0, 20).truth.epsilon,
    Phrase("A row moves the sum by 100, five times what the noise was made for, and the count by 1: (5 + 1)/2."),
)
OF_LOCAL = Prediction(
    Phrase("40 people, values from −100 to 100, ε = 1 with δ = 0 is claimed. Which δ does it need, 0 to 1?"),
    OnScale(0.0, 1.0, 0.05),
    lambda: numbers.local_mean(1.0, -100, 40).exact(PRINTED).delta,
    Phrase("The mean moves twice as far as the noise was made for, and the noise itself tells n."),
)
OF_TEST = Prediction(
    Phrase("δ = 0.001 is claimed. Two people before the jump, which δ does the printed test need?"),
    OnRungs((0.001, 0.003, 0.01, 0.03, 0.1, 0.3)),
    lambda: numbers.tested(1.0, 1e-3, 2).exact(PRINTED).delta,
    Phrase("The test and the answer each spend ε; together they tell more than ε and this δ allow."),
)
OF_SMOOTH = Prediction(
    Phrase("ε = 6 and δ = 0.1 are claimed, and k = 0 is left out of the maximum. Which δ does it need, 0 to 1?"),
    OnScale(0.0, 1.0, 0.05),
    lambda: numbers.smooth(6.0, 0.1).exact(PRINTED).delta,
    Phrase("S falls below the local sensitivity by e^β. At ε = 1 and δ = 1e-6 that is so little that the claim holds."),
)
OF_CHUNKS = Prediction(
    Phrase("A file is cut into 20 chunks in its order, ε = 0.1 is claimed. Which δ does it need, 0 to 1?"),
    OnScale(0.0, 1.0, 0.05),
    lambda: numbers.chunks(0.1, 20, 1).exact(PRINTED).delta,
    Phrase("Without the first row all rows move up, and all chunks change, not one."),
)
OF_CATASTROPHE = Prediction(
    Phrase("Every day all rows are published with chance δ = 0.001. How likely are they public after a year?"),
    OnScale(0.0, 100.0, 5.0, "%"),
    lambda: 100 * numbers.public_by(1e-3, numbers.YEAR),
    Phrase("1 − 0.999³⁶⁵. Each day keeps the definition, with ε = 0; δ must be so small that no day is likely."),
)
