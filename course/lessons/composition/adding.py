"""Adding: what k results cost together, and that rounding them is free."""

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
from discreet.course.lessons.composition.dials import DELTAS, EPSILONS
from discreet.course.lessons.composition.guesses import GUESSES
from discreet.course.lessons.composition.letters import LETTERS
from discreet.course.lessons.composition.rounding import rounded
from discreet.course.steps import Step
from discreet.ui.figures.drag import Handle
from discreet.ui.frame.words import number, say

WAYS = {"sum": Phrase("Many queries"), "after": Phrase("Rounded afterwards")}


def sequential_controls(by: Controls) -> tuple[str, float, int, float]:
    """Choose many results or one that is rounded, epsilon, how many or how coarsely, and delta."""
    way = by.choose("show", say("Show"), WAYS)
    left, right = st.columns(2)
    with left:
        epsilon = by.pick("epsilon", say("ε per result"), EPSILONS, 0.1)
    if way != "sum":
        return way, epsilon, int(by.pick("unit", say("Round to multiples of"), (1, 2, 5, 10, 20), 10)), 0.0
    with right:
        delta = by.pick("delta", say("δ per result"), (0.0, *DELTAS), 0.0)
    return way, epsilon, by.whole("answers", say("Results k"), 1, 50, 10), delta


def sequential(settings: tuple[str, float, int, float], key: str) -> None:
    """Draw the charged cost beside the exact loss, or the rounded results of two neighbours."""
    way, epsilon, size, delta = settings
    if way == "sum":
        added(epsilon, delta, size, POINT.marks(key, settings), key)
    else:
        rounded(epsilon, size, key)


def _frame(key: str, grip: Handle) -> None:
    """Draw the cost of ten results about the same people, with room for separate groups."""
    labels = [say("same people"), say("separate groups")]
    words = say("Ten results about the same people cost 1. The cost for separate groups is not shown yet.")
    series = [Series(say("charged"), [1.0, 0.0], "quiet")]
    figures.bars(labels, series, ("", say("Total ε")), words, key, [], None, [grip], yaxis_range=[0, 1.15])


POINT = GuessPoint(GUESSES["sequential"], _frame, lambda settings: settings[:3] == ("sum", 0.1, 10), "y", 1)


def added(epsilon: float, delta: float, answers: int, marks: Sequence[Mark | Distance], key: str) -> None:
    """Draw the cost of k results if everyone is in all of them, or in one only."""
    same = composition.everybody(answers, epsilon)
    separate = composition.groups(answers, epsilon)
    charged = [same.charged, separate.charged]
    exact = [same.exact, separate.exact]
    costs = number(same.charged), number(separate.charged)
    numbers({say("Same people"): _cost(costs[0], answers * delta), say("Separate groups"): _cost(costs[1], delta)})
    figures.bars(
        [say("same people"), say("separate groups")],
        [Series(say("charged"), charged, "quiet"), Series(say("exact loss"), exact, "global")],
        ("", say("Total ε")),
        _words(answers, *costs),
        key,
        marks,
        text=".3~g",
        yaxis_rangemode="tozero",
    )


def _cost(epsilon: str, delta: float) -> str:
    return f"ε = {epsilon}, δ = {number(delta)}" if delta else f"ε = {epsilon}"


def _words(answers: int, same: str, separate: str) -> str:
    return say(
        "{k} results about the same people cost {all_}, one for each of {k} separate groups "
        "{one}. The exact losses are the same.",
        k=answers,
        all_=same,
        one=separate,
    )


ADDING = Step(
    "sequential",
    Phrase("Adding up"),
    Phrase(
        "Costs of queries about the same people add up. Queries on k separate groups cost only as "
        "much as the most expensive one, because each person is in one group. Post-processing a "
        "result costs nothing."
    ),
    Phrase("Which k uses up ε = 3? Next, round the results: which δ falls, and does the loss ever grow?"),
    sequential_controls,
    sequential,
    GUESSES["sequential"],
    PAGES["sequential"],
    POINT,
    letters=LETTERS["sequential"],
    answer=ANSWERS["sequential"],
)
