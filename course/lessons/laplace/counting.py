"""Counting: large counts are hardly affected by noise that hides one person."""

from __future__ import annotations

import numpy as np
import streamlit as st

from discreet.budget import Phrase
from discreet.course import figures, own_file
from discreet.course.controls import Controls
from discreet.course.figures import Mark, Series, percent
from discreet.course.lesson import numbers
from discreet.course.lessons.differencing import numbers as differencing
from discreet.course.lessons.laplace import numbers as laplace
from discreet.course.lessons.laplace.answers import ANSWERS
from discreet.course.lessons.laplace.book import PAGES
from discreet.course.lessons.laplace.guesses import GUESSES
from discreet.course.lessons.laplace.letters import LETTERS
from discreet.course.lessons.laplace.scaling import EPSILONS
from discreet.course.steps import Step
from discreet.queries.bounds import FloatArray
from discreet.ui.figures.drag import Handle
from discreet.ui.figures.falling import falling
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.session.own_table import OwnTable

DRAWS = 1000
BARS = 41

WAYS = {"all": Phrase("A thousand"), "falling": Phrase("One by one")}


Asked = tuple[int, float, int, str]  # the exact count, epsilon, the draw and the picture


def count_controls(by: Controls) -> Asked:
    """Choose the query, epsilon, a draw, and whether the results are animated."""
    table = own_file.own(by)
    left, right = st.columns(2)
    with left:
        truth = _of_own(table, by) if table else laplace.aged(_least(by))
    with right:
        epsilon = by.pick("epsilon", say("ε"), EPSILONS, 0.1)
    return truth, epsilon, by.draw(2), by.choose("show", say("Results"), WAYS)


def _least(by: Controls) -> int:
    return by.whole("age", say("Minimum age"), 17, 90, 40)


def _of_own(table: OwnTable, by: Controls) -> int:
    """Count the rows of the own table above a chosen value of a numeric column."""
    name = list(table.whole)[by.among("column", say("Column"), list(table.whole))]
    values = table.whole[name]
    low = int(values.min())
    high = max(int(values.max()), int(values.min()) + 1)
    label = say("{column} is at least", column=quoted(name))
    return int((values >= by.whole(f"least-{low}-{high}", label, low, high, (low + high) // 2)).sum())


def count(settings: Asked, key: str) -> None:
    """Draw a thousand noisy results of one count, and the first of them."""
    truth, epsilon, seed, shown = settings
    answers = laplace.answers(truth, epsilon, DRAWS, seed)
    width = float(differencing.law(0, epsilon).quantile(0.975))
    numbers(
        {
            say("Exact count"): number(truth),
            say("Noisy result"): number(int(answers[0])),
            say("Its error"): percent(abs(answers[0] - truth) / max(truth, 1), 2),
            say("Margin of error (95%)"): f"± {number(width)}",
        }
    )
    if shown == "falling":
        reach = truth - 3 * width - 0.5, truth + 3 * width + 0.5
        falling(answers, reach, truth, say("Noisy result"), say("Noisy results around the exact count."), key)
    else:
        _figure(answers, truth, width, key, _grip(truth, epsilon, width, key))


def _grip(truth: int, epsilon: float, width: float, key: str) -> Handle:
    """Return the handle at the 95% margin of error: dragging it chooses epsilon."""
    ends = {each: float(differencing.law(0, each).quantile(0.975)) for each in EPSILONS}
    seen = {each: truth + end for each, end in ends.items() if end <= 3 * width}
    texts = [say("ε = {epsilon}", epsilon=number(each)) for each in seen]
    return Handle(f"{key}-epsilon", say("95% limit of the noise"), list(seen), list(seen.values()), epsilon, texts)


def _figure(answers: FloatArray, truth: int, width: float, key: str, grip: Handle) -> None:
    """Draw the distribution of the results around the exact count."""
    edges = np.linspace(-3 * width - 0.5, 3 * width + 0.5, BARS + 1)
    times, _ = np.histogram(answers - truth, edges)
    figures.bars(
        (truth + (edges[:-1] + edges[1:]) / 2).tolist(),
        [Series(say("answers"), times.tolist(), "result")],
        (say("Noisy result"), say("Results out of 1,000")),
        say(
            "A thousand noisy results around the exact count {truth}. 95% of them are within {width}.",
            truth=truth,
            width=number(width),
        ),
        key,
        [Mark(truth, say("exact value {x}", x=number(truth)), "truth"), Mark(float(answers[0]), "", "result", "solid")],
        grips=[grip],
        bargap=0.05,
        xaxis_tickformat=",",
    )


COUNTING = Step(
    "count",
    Phrase("Counting people"),
    Phrase(
        "How many people in the census of lesson 1 are 40 or older? One person changes a count by "
        "1, so the noise is the same for a count of 10 and of 10,000. Large counts are hardly "
        "affected."
    ),
    Phrase("Query the people of 85 and older at ε = 0.05. When is a result worth its budget?"),
    count_controls,
    count,
    GUESSES["count"],
    PAGES["count"],
    letters=LETTERS["count"],
    answer=ANSWERS["count"],
)
