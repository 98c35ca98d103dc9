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


def percent(names: Sequence[str], slugs: Sequence[str], results: Sequence[Experiment], key: str) -> None:
    """Draw the percent errors of every answer of a few mechanisms, as a textbook does."""
    fig = look.figure(say("Error in percent of the truth (logarithmic)"), "")
    fig.update_layout(xaxis_type="log")
    table: dict[str, list[float]] = {}
    for name, slug, result in zip(names, slugs, results, strict=True):
        shares = np.maximum(100 * result.errors / abs(result.truth), 1e-9)
        fig.add_box(x=shares, name=name, marker={"color": look.style(slug)["color"]}, boxpoints=False, orientation="h")
        table[name] = [float(v) for v in np.quantile(shares, (0.05, 0.25, 0.5, 0.75, 0.95))]
    medians = ", ".join(f"{name} {number(values[2])} %" for name, values in table.items())
    words = say("Median percent errors: {told}.", told=medians)
    shown = {"share": [0.05, 0.25, 0.5, 0.75, 0.95], **table}
    look.show(fig, words, shown, key, height=60 * len(names) + 110)
