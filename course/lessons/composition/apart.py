"""Apart: the distance between two distributions of results, by three measures."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Mark, Series
from discreet.course.lesson import numbers
from discreet.course.lessons.composition.answers import ANSWERS
from discreet.course.lessons.composition.book import PAGES
from discreet.course.lessons.composition.dials import NOISES
from discreet.course.lessons.composition.guesses import GUESSES
from discreet.course.lessons.composition.letters import LETTERS
from discreet.course.lessons.composition.numbers import PEOPLE
from discreet.course.lessons.laplace import numbers as laplace
from discreet.course.steps import Step
from discreet.ui.frame.words import number, say

ROUNDING = 1e-12  # floating-point results below this count as 0
AROUND = np.linspace(PEOPLE - 10.5, PEOPLE + 9.5, 241)
PICTURES = {"densities": Phrase("Two densities"), "loss": Phrase("Privacy loss")}


def divergences_controls(by: Controls) -> tuple[str, str, float, float]:
    """Choose the picture, the noise, its scale, and the claimed epsilon."""
    shown = by.choose("show", say("Show"), PICTURES)
    noise = by.choose("noise", say("Noise"), NOISES)
    left, right = st.columns(2)
    with left:
        scale = by.pick("scale", say("Scale b or σ"), (0.5, 1.0, 2.0, 3.0, 5.0), 2.0)
    with right:
        epsilon = by.pick("epsilon", say("Claimed ε"), (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0), 0.3)
    return shown, noise, scale, epsilon


def divergences(settings: tuple[str, str, float, float], key: str) -> None:
    """Draw two output distributions, or the privacy loss of every result, with three divergences."""
    shown, noise, scale, epsilon = settings
    pair = laplace.pair(noise, scale)
    exact = pair.delta(epsilon)
    delta = number(exact, 3) if exact > ROUNDING else "0"
    kl = number(pair.kl, 3)
    most = number(pair.most, 3) if math.isfinite(pair.most) else "∞"
    numbers({say("KL divergence"): kl, say("Max divergence"): most, say("δ at claimed ε"): delta})
    if shown == "loss":
        words = say("The privacy loss of every result: on average {kl}, at most {most}.", kl=kl, most=most)
        losses(pair, words, key)
        return
    words = say("Two densities. The part of the first above e^ε times the second has the area {delta}.", delta=delta)
    densities(pair, epsilon, words, key)


def densities(pair: laplace.NoisyPair, epsilon: float, words: str, key: str) -> None:
    """Draw both densities, and the area by which one exceeds the other."""
    p, q = (laplace.density(law, AROUND).tolist() for law in (pair.with_, pair.without))
    figures.lines(
        AROUND.tolist(),
        [
            Series(say("P, with Mia"), p, "with", at=-1),
            Series(say("Q, without Mia"), q, "without", at=-1),
            Series(say("P above e^ε Q: area δ"), pair.excess(AROUND, epsilon).tolist(), "reserved", at=-1, fill=True),
        ],
        (say("Noisy count"), say("Density")),
        words,
        key,
        yaxis_rangemode="tozero",
        xaxis_tickformat=",",
        showlegend=True,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},  # on a phone three lines, which hide no title here
    )


def losses(pair: laplace.NoisyPair, words: str, key: str) -> None:
    """Draw the privacy loss of every result, its average and its largest value."""
    loss = pair.losses(AROUND)
    top = 1.25 * float(loss.max())
    marks = [Mark(pair.kl, say("average: KL"), "blocks", level=True)]
    if math.isfinite(pair.most):
        marks.append(Mark(pair.most, say("largest: max divergence"), "quiet", level=True))
    figures.lines(
        AROUND.tolist(),
        [Series(say("loss"), loss.tolist(), "global", at=-1)],
        (say("Noisy count"), say("Privacy loss of this result")),
        words,
        key,
        marks,
        yaxis_range=[-top, top],
        xaxis_tickformat=",",
    )


APART = Step(
    "divergences",
    Phrase("Two distributions"),
    Phrase(
        "P and Q are the probabilities of a result with and without Mia. The **privacy loss** is ln(P/Q): at "
        "most the max divergence, on average KL. By **(ε, δ)**, P exceeds e^ε Q by an area δ at most."
    ),
    Phrase("Switch to Gaussian: does its loss have a limit?"),
    divergences_controls,
    divergences,
    GUESSES["divergences"],
    PAGES["divergences"],
    letters=LETTERS["divergences"],
    mathematical=True,
    answer=ANSWERS["divergences"],
)
