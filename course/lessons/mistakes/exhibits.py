"""Exhibits: five published guarantees, each with its controls."""

from __future__ import annotations

import streamlit as st

from discreet.budget import Phrase
from discreet.course.controls import Controls
from discreet.course.lessons.mistakes import book, guesses, letters, numbers
from discreet.course.lessons.mistakes.answers import ANSWERS
from discreet.course.lessons.mistakes.refuting import Chosen, exhibit
from discreet.course.steps import Step
from discreet.ui.frame.words import say

EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0)
FORMS = {"printed": Phrase("Textbook"), "corrected": Phrase("Corrected")}


def _form(by: Controls) -> str:
    return by.choose("form", say("Version"), FORMS)


def global_controls(by: Controls) -> Chosen:
    """Choose the version, epsilon, the highest value, and a draw of the attack."""
    form = _form(by)
    left, right = st.columns(2)
    with left:
        epsilon = by.pick("epsilon", say("ε"), EPSILONS, 1.0)
    with right:
        upper = by.pick("upper", say("Highest value u"), (5, 10, 20, 50, 75, 100), 20)
    return numbers.global_mean(epsilon, int(upper)), form, by.draw()


def local_controls(by: Controls) -> Chosen:
    """Choose the version, epsilon, the lowest value, the people, and a draw of the attack."""
    form = _form(by)
    left, right = st.columns(2)
    with left:
        epsilon = by.pick("epsilon", say("ε"), EPSILONS, 1.0)
        people = by.pick("people", say("People n"), (3, 10, 40, 200, 1000), 40)
    with right:
        lower = by.pick("lower", say("Lowest value l"), (-1000, -100, -50, 0), -100)
        draw = by.draw()
    return numbers.local_mean(epsilon, int(lower), int(people)), form, draw


def tested_controls(by: Controls) -> Chosen:
    """Choose the version, epsilon, delta, the people before the jump, and a draw of the attack."""
    form = _form(by)
    left, right = st.columns(2)
    with left:
        epsilon = by.pick("epsilon", say("ε"), (0.5, 1.0, 2.0, 3.0), 1.0)
        ones = by.whole("ones", say("People t at 1"), 0, 12, 2)
    with right:
        delta = by.pick("delta", say("δ"), (1e-6, 1e-4, 1e-3, 1e-2), 1e-3)
        draw = by.draw()
    return numbers.tested(epsilon, delta, ones), form, draw


def smooth_controls(by: Controls) -> Chosen:
    """Choose the version, epsilon, delta, and a draw of the attack."""
    form = _form(by)
    left, right = st.columns(2)
    with left:
        epsilon = by.pick("epsilon", say("ε"), (0.5, 1.0, 2.0, 4.0, 6.0, 8.0), 6.0)
    with right:
        delta = by.pick("delta", say("δ"), (1e-6, 1e-3, 1e-2, 0.1), 0.1)
    return numbers.smooth(epsilon, delta), form, by.draw()


def chunks_controls(by: Controls) -> Chosen:
    """Choose the version, epsilon, the chunks, and a draw of the blocks and the attack."""
    form = _form(by)
    left, right = st.columns(2)
    with left:
        epsilon = by.pick("epsilon", say("ε"), (0.01, 0.05, 0.1, 0.5, 1.0), 0.1)
    with right:
        k = by.pick("k", say("Chunks k"), (2, 6, 20, 60, 200, 600), 20)
    draw = by.draw()
    return numbers.chunks(epsilon, int(k), draw), form, draw


GLOBAL = Step(
    "global",
    Phrase("Noise for u"),
    Phrase(
        "This is a noisy sum over a noisy count, as if one row changed the sum by at most u. A "
        "row at −100 changes it by 100. The pair: 1,000 people at 0.8 u, and Mia at −100."
    ),
    Phrase("From which u on is the claim true, and why there?"),
    global_controls,
    exhibit,
    guesses.OF_GLOBAL,
    book.OF_GLOBAL,
    letters=letters.OF_GLOBAL,
    answer=ANSWERS["global"],
)
LOCAL = Step(
    "local",
    Phrase("Local noise"),
    Phrase(
        "Noise is scaled to u/(n+1), with u = 100. But the mean changes by up to (u−l)/n, and the scale "
        "reveals n. The pair: n−1 people at l, and Mia at u."
    ),
    Phrase("Set l to 0: is the claim true now? Is it true with more people?"),
    local_controls,
    exhibit,
    guesses.OF_LOCAL,
    book.OF_LOCAL,
    letters=letters.OF_LOCAL,
    answer=ANSWERS["local"],
)
TEST = Step(
    "test",
    Phrase("The test"),
    Phrase(
        "Test and result spend ε each, and the threshold is too low. The pair: t+1 people at 0, t "
        "at 1, one at 1,000, and Mia at 1,000. The statistic is the median, b = 0.5."
    ),
    Phrase("Set t to 0: the median jumps. How often is this revealed?"),
    tested_controls,
    exhibit,
    guesses.OF_TEST,
    book.OF_TEST,
    letters=letters.OF_TEST,
    answer=ANSWERS["test"],
)
SMOOTH = Step(
    "smooth",
    Phrase("Smooth"),
    Phrase(
        "The textbook's maximum leaves out k = 0, so S may be too small. A hard pair for a "
        "median: 20 people at 0, one further up, 21 at 100, and Mia at 100."
    ),
    Phrase("Choose ε = 1 and δ = 10⁻⁶. Is the textbook's version wrong there, or only careless?"),
    smooth_controls,
    exhibit,
    guesses.OF_SMOOTH,
    book.OF_SMOOTH,
    letters=letters.OF_SMOOTH,
    mathematical=True,
    answer=ANSWERS["smooth"],
)
CHUNKS = Step(
    "chunks",
    Phrase("Chunks"),
    Phrase(
        "A file is cut into k chunks in its order. Without its first row, Mia's, every chunk "
        "shifts. The pair: 0, 0, 100, 100, … with and without it. The statistic is the standard "
        "deviation."
    ),
    Phrase("Choose 600 chunks at ε = 0.01. How strict is that?"),
    chunks_controls,
    exhibit,
    guesses.OF_CHUNKS,
    book.OF_CHUNKS,
    letters=letters.OF_CHUNKS,
    answer=ANSWERS["chunks"],
)
