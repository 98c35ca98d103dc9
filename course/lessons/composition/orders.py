"""Orders: the Rényi divergence at each order, and the epsilon that it proves."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.budget import Phrase
from discreet.course import figures
from discreet.course.controls import Controls
from discreet.course.figures import Distance, Mark, Series
from discreet.course.guessing import GuessPoint
from discreet.course.lesson import numbers
from discreet.course.lessons.composition import numbers as composition
from discreet.course.lessons.composition.answers import ANSWERS
from discreet.course.lessons.composition.book import PAGES
from discreet.course.lessons.composition.dials import DELTAS, EPSILONS, LEGEND, NOISES
from discreet.course.lessons.composition.guesses import GUESSES
from discreet.course.lessons.composition.letters import LETTERS
from discreet.course.lessons.composition.numbers import GAUSSIAN, LAPLACE
from discreet.course.steps import Step
from discreet.queries.bounds import FloatArray
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say

TICKS = [2, 5, 10, 20, 50, 100, 200, 500]
CURVES = {"proved": Phrase("Proven ε"), "curve": Phrase("Rényi curve")}


def curves_controls(by: Controls) -> tuple[str, float, int, float]:
    """Choose the picture, epsilon, the number of results, and delta."""
    shown = by.choose("show", say("Show"), CURVES)
    left, right = st.columns(2)
    with left:
        epsilon = by.pick("epsilon", say("ε per Laplace result"), EPSILONS, 0.2)
    with right:
        answers = int(by.pick("answers", say("Results k"), (1, 2, 5, 10, 20, 50, 100), 50))
    return shown, epsilon, answers, by.pick("delta", say("Total δ"), DELTAS, 1e-6)


def curves(settings: tuple[str, float, int, float], key: str) -> None:
    """Draw two Rényi curves, or the epsilon that every order proves at delta."""
    shown, epsilon, answers, delta = settings
    laplace, gaussian = composition.alike(epsilon, answers)
    proved = laplace.epsilon(delta), gaussian.epsilon(delta)
    numbers(
        {
            say("Laplace: ρ"): number(laplace.rho, 3),
            say("Laplace: ε at δ"): number(proved[0], 3),
            say("Gaussian: ρ"): number(gaussian.rho, 3),
            say("Gaussian: ε at δ"): number(proved[1], 3),
        }
    )
    most = epsilon * answers
    words = _words(most, *proved)
    if shown == "curve":
        _rdp(laplace, gaussian, most, POINT.marks(key, settings), words, key)
    else:
        lines = _both(laplace.proved(delta), gaussian.proved(delta))
        lines.append(
            Series(say("Laplace, textbook's conversion"), laplace.printed(delta).tolist(), "quiet", "dash", -1)
        )
        by_line = laplace.by_line(delta)
        line = Mark(by_line, f"zCDP: {number(by_line, 3)}", "quiet", level=True)
        _figure(lines, say("Proven ε"), 3 * max(proved), [line, *POINT.marks(key, settings)], words, key)


def _frame(key: str, grip: Handle) -> None:
    """Draw the range of orders, without what each of them proves."""
    _figure([], say("Proven ε"), 20, [], say("All orders from 1 to 500. No curves are shown yet."), key, grip)


POINT = GuessPoint(GUESSES["curves"], _frame, lambda settings: settings[1:] == (0.2, 50, 1e-6))


def _words(most: float, laplace: float, gaussian: float) -> str:
    return say(
        "The Laplace curve approaches {most}, the Gaussian curve grows without limit. At this δ "
        "they prove an ε of {laplace} and {gaussian}.",
        most=number(most),
        laplace=number(laplace, 3),
        gaussian=number(gaussian, 3),
    )


def _rdp(
    laplace: composition.Curve,
    gaussian: composition.Curve,
    most: float,
    marks: Sequence[Mark | Distance],
    words: str,
    key: str,
) -> None:
    """Draw the curves themselves, the line that bounds them under zCDP, and the sum that bounds Laplace."""
    above = laplace.rho * composition.ORDERS
    line = Series(say("zCDP line ρα for Laplace"), above.tolist(), "quiet", "dash", at=-1)
    mark = Mark(most, say("kε = {x}", x=number(most)), "quiet", level=True)
    _figure(
        [*_both(laplace.rdp(), gaussian.rdp()), line], say("Rényi divergence"), 1.3 * most, [mark, *marks], words, key
    )


def _both(laplace: FloatArray, gaussian: FloatArray) -> list[Series]:
    return [
        Series(say(NOISES[name]), curve.tolist(), hue, at=-1)
        for curve, name, hue in ((laplace, LAPLACE, "global"), (gaussian, GAUSSIAN, "blocks"))
    ]


def _figure(
    lines: list[Series], axis: str, top: float, marks: Sequence[Mark | Distance], words: str, key: str, *grips: Handle
) -> None:
    """Draw curves over the orders."""
    figures.lines(
        composition.ORDERS.tolist(),
        lines,
        (say("Order α (logarithmic)"), axis),
        words,
        key,
        marks,
        grips,
        xaxis_type="log",
        xaxis_range=[0, 2.75],
        xaxis_tickvals=TICKS,
        yaxis_range=[0, top],
        showlegend=True,
        legend=LEGEND,
    )


ORDERS = Step(
    "curves",
    Phrase("Rényi curves"),
    Phrase(
        "The larger the order α of a Rényi divergence, the more weight it gives to large losses. "
        "Each order proves an ε. zCDP keeps a line ρα above the curve."
    ),
    Phrase("Take 20 results instead of 50: does the best order rise or fall?"),
    curves_controls,
    curves,
    GUESSES["curves"],
    PAGES["curves"],
    POINT,
    letters=LETTERS["curves"],
    mathematical=True,
    answer=ANSWERS["curves"],
)
