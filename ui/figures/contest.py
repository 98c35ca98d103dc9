"""Figures of contests: errors of many mechanisms side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from discreet.lab.contest import Contender
from discreet.lab.experiment import Experiment
from discreet.queries.bounds import FloatArray
from discreet.ui.figures import look
from discreet.ui.figures.sketch import Sketch
from discreet.ui.frame.words import number, say

BINS = 25
SMALLEST = 1e-3  # of a step: below, an answer is exact for every purpose


def errors(contenders: Sequence[Contender], results: Sequence[Experiment], step: float, key: str) -> None:
    """Draw the errors of every contender: the middle half, the outer nine tenths, the median."""
    ranked = sorted(zip(contenders, results, strict=True), key=lambda pair: -_rank(pair[1]))
    fig = look.figure(say("Error (logarithmic)"), "")
    fig.update_layout(xaxis_type="log")
    table: dict[str, list[Any]] = {"mechanism": [], "median error": []}
    for contender, result in ranked:
        if result.errors.size:
            shares = np.quantile(result.errors, (0.05, 0.25, 0.5, 0.75, 0.95))
            _line(fig, contender, np.maximum(shares, step * SMALLEST))
            table["mechanism"].append(say(contender.title))
            table["median error"].append(float(shares[2]))
    fig.update_yaxes(type="category", showticklabels=False, showgrid=False)
    names = table["mechanism"]
    best = names[-1] if names else ""
    words = say("Errors of {n} mechanisms; the smallest are of {best}.", n=len(names), best=best)
    look.show(fig, words, table, key, height=44 * max(len(names), 3) + 100)


def _line(fig: Sketch, contender: Contender, five: FloatArray) -> None:
    """Draw one contender with its name above."""
    name, colour = say(contender.title), look.style(contender.slug)["color"]
    for low, high, width in ((0, 4, 3), (1, 3, 11)):
        ends, line = [five[low], five[high]], {"color": colour, "width": width}
        fig.add_scatter(x=ends, y=[name, name], mode="lines", hoverinfo="skip", line=line)
    fig.add_scatter(
        x=[five[2]],
        y=[name],
        mode="markers",
        marker={"color": look.truth_colour(), "size": 9, "symbol": "line-ns-open", "line": {"width": 3}},
        hovertemplate=name + "<br>" + say("median error") + " %{x:.4g}<extra></extra>",
    )
    _above(fig, name, colour)


def _above(fig: Sketch, name: str, colour: str) -> None:
    """Write a name above its line."""
    fig.add_annotation(
        x=0,
        xref="paper",
        xanchor="left",
        y=name,
        yshift=15,
        text=name,
        showarrow=False,
        font={"color": colour, "size": 12},
    )


def _rank(result: Experiment) -> float:
    return float(result.summary()["q95"]) if result.errors.size else float("inf")


def percent(runs: Sequence[tuple[str, str, Experiment]], top: float, key: str) -> None:
    """Draw how often answers miss the truth by how many percent; the first way is what others are held against."""
    fig = look.figure(say("Error in percent of the truth"), say("Answers of {n}", n=runs[0][2].answers.size))
    edges = np.linspace(0, top, BINS + 1)
    table: dict[str, list[float]] = {"percent": edges[:-1].tolist()}
    for place, (name, slug, result) in enumerate(runs):
        times = np.histogram(np.minimum(percents(result), top), edges)[0].tolist()
        colour = look.style(slug)["color"] if place else look.quiet()
        fig.add_bar(
            x=((edges[:-1] + edges[1:]) / 2).tolist(), y=times, name=name, marker={"color": colour}, opacity=0.6
        )
        table[name] = times
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom"}
    fig.update_layout(barmode="overlay", bargap=0.04, showlegend=True, legend=legend, xaxis_range=[0, top])
    look.show(fig, _medians(runs), table, key)


def percents(result: Experiment) -> FloatArray:
    """Return the errors of the answers that were given, in percent of the truth."""
    return np.asarray(100 * result.errors / abs(result.truth))


def _medians(runs: Sequence[tuple[str, str, Experiment]]) -> str:
    given = [(name, percents(result)) for name, _, result in runs]
    lines = (f"{name} {number(float(np.median(each)), 3)} %" if each.size else name for name, each in given)
    return say("Median percent errors: {told}.", told=", ".join(lines))
