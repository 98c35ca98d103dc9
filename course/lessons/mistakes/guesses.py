"""Guesses of lesson 9: the true worth of five published guarantees."""

from __future__ import annotations

from discreet.budget import Phrase
from discreet.course.lessons.mistakes import numbers
from discreet.ui.session.guesses import OnRungs, OnScale, Prediction

PRINTED = "printed"

OF_GLOBAL = Prediction(
    Phrase("Values are from −100 to 20, and the noise is made for 20. The claim is ε = 1. What is the true ε?"),
    OnScale(0.0, 6.0, 0.5),
    lambda: numbers.global_mean(1.0, 20).truth.epsilon,
    Phrase("A row changes the sum by 100, five times what the noise was made for, and the count by 1: (5 + 1)/2."),
)
OF_LOCAL = Prediction(
    Phrase("40 people have values from −100 to 100. The claim is ε = 1 with δ = 0. Which δ does it need, 0 to 1?"),
    OnScale(0.0, 1.0, 0.05),
    lambda: numbers.local_mean(1.0, -100, 40).exact(PRINTED).delta,
    Phrase("The mean changes about twice as much as the noise was made for, and the noise itself reveals n."),
)
OF_TEST = Prediction(
    Phrase("The claim is δ = 0.001. Two people before the jump, which δ does the textbook's test need?"),
    OnRungs((0.001, 0.003, 0.01, 0.03, 0.1, 0.3)),
    lambda: numbers.tested(1.0, 1e-3, 2).exact(PRINTED).delta,
    Phrase("The test and the result each spend ε. Together they reveal more than ε and this δ allow."),
)
OF_SMOOTH = Prediction(
    Phrase("The claim is ε = 6 and δ = 0.1, and k = 0 is left out of the maximum. Which δ does it need, 0 to 1?"),
    OnScale(0.0, 1.0, 0.05),
    lambda: numbers.smooth(6.0, 0.1).exact(PRINTED).delta,
    Phrase(
        "S can be smaller than the local sensitivity, by a factor of up to e^β. At ε = 1 and δ = 10⁻⁶ this is "
        "so little that the claim is true."
    ),
)
OF_CHUNKS = Prediction(
    Phrase("A file is cut into 20 chunks in its order. The claim is ε = 0.1. Which δ does it need, 0 to 1?"),
    OnScale(0.0, 1.0, 0.05),
    lambda: numbers.chunks(0.1, 20, 1).exact(PRINTED).delta,
    Phrase("Without the first row all rows move up, and all chunks change instead of one."),
)
OF_CATASTROPHE = Prediction(
    Phrase("Every day all rows are published with probability δ = 0.001. How likely are they public after a year?"),
    OnScale(0.0, 100.0, 5.0, "%"),
    lambda: 100 * numbers.public_by(1e-3, numbers.YEAR),
    Phrase(
        "1 − 0.999³⁶⁵. Each day satisfies the definition, with ε = 0. δ must be so small that it is unlikely "
        "on all days together."
    ),
)
