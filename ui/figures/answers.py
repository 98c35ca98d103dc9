"""Figures of answers: where they fall, and the exact counts of open data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from discreet.mechanisms.laws import Law
from discreet.mechanisms.picks import Picked
from discreet.queries.bounds import FloatArray
from discreet.ui.figures import look
from discreet.ui.figures.sketch import Sketch
from discreet.ui.frame.words import drawn, number, say

BARS = 61
Shown = Callable[[float], str] | None


def law(law: Law, truth: float | None, slug: str, key: str, released: float | None, shown: Shown = None) -> None:
    """Draw the exact law of an answer on open data, with the truth and the last answer.

    `shown` says what a place among the values is called, where that is no number.
    """
    if isinstance(law, Picked) and not isinstance(law.candidates[0], float):
        chances(law.candidates, law.probabilities.tolist(), slug, key)
        return
    low, high = _ends(law)
    ends = [number(end) if shown is None else shown(end) for end in (low, high)]
    true = number(truth, 5) if shown is None or truth is None else shown(truth)
    edges = np.linspace(low, high, BARS + 1)
    middles, masses = (edges[:-1] + edges[1:]) / 2, np.diff(law.cdf(edges))
    fig = _histogram(middles, masses, look.style(slug)["color"])
    if shown is not None:
        look.name_places(fig, low, high, shown)
    if truth is not None:
        look.mark(fig, truth, say("truth {x}", x=true), look.truth_colour())
    if released is not None:
        look.mark(fig, released, say("answer"), look.quiet(), "dot")
    look.show(fig, _words(ends[0], ends[1], true), {"answer": middles.tolist(), "chance": masses.tolist()}, key)


def _words(low: str, high: str, truth: str) -> str:
    return say(
        "Distribution of the answer: 99 of 100 lie between {low} and {high}. Truth {truth}.",
        low=low,
        high=high,
        truth=truth,
    )


def _ends(law: Law) -> tuple[float, float]:
    """Return between which ends nearly all answers lie, and some room where all are equal."""
    low, high = (float(law.quantile(p)) for p in (0.004, 0.996))
    return (low, high) if high > low else (low - 1.0, high + 1.0)


def _histogram(middles: FloatArray, masses: FloatArray, colour: str) -> Sketch:
    """Return bars without gaps, each as high as the chance of its answers."""
    fig = look.figure(say("Answer"), say("Chance"), bargap=0)
    fig.add_bar(
        x=middles,
        y=masses,
        marker={"color": colour, "line": {"width": 0}},
        hovertemplate="%{x:.5g}: %{y:.2%}<extra></extra>",
    )
    fig.update_yaxes(tickformat=".0%", rangemode="tozero")
    return fig


def chances(labels: Sequence[Any], masses: Sequence[float], slug: str, key: str) -> None:
    """Draw the exact chance of every candidate, the likeliest on top."""
    order = np.argsort(masses, kind="stable")[-20:]
    names = [drawn(labels[at]) for at in order]
    values = [float(masses[at]) for at in order]
    fig = look.figure(say("Chance of being chosen"), "")
    fig.add_bar(
        x=values,
        y=names,
        orientation="h",
        marker={"color": look.style(slug)["color"]},
        text=[f"{value:.1%}" for value in values],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{y}: %{x:.3%}<extra></extra>",
    )
    fig.update_xaxes(range=[0, max(values) * 1.2], tickformat=".0%")
    fig.update_yaxes(type="category")
    words = say("Chances of the candidates; {best} is likeliest.", best=names[-1])
    table: dict[str, list[Any]] = {"candidate": [str(labels[at]) for at in order], "chance": values}
    look.show(fig, words, table, key, height=max(240, 26 * len(names) + 80))


def counts(labels: Sequence[str], truths: Sequence[int], width: float | None, slug: str, key: str) -> None:
    """Draw the exact counts of open data with the reach of the noise."""
    fig = look.figure(say("Rows"), "")
    names = [drawn(label) for label in labels][::-1]
    bars: dict[str, Any] = {} if width is None else {"error_x": {"type": "constant", "value": width}}
    fig.add_bar(x=list(truths)[::-1], y=names, orientation="h", marker={"color": look.style(slug)["color"]}, **bars)
    fig.update_yaxes(type="category")
    words = say("Exact counts of open data; the whiskers hold 19 of 20 noisy counts each.")
    height = max(240, 22 * len(names) + 80)
    look.show(fig, words, {"label": list(labels), "rows": list(truths)}, key, height=height)
