"""Figures of results: their distribution, their intervals, and the exact counts of public data."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from discreet.lab.contest import Contender
from discreet.lab.experiment import Experiment
from discreet.mechanisms.laws.law import Law, Picked
from discreet.queries.bounds import FloatArray
from discreet.report.html import NO_MARKS, Marks, axis, figure, name_of, rows, tag
from discreet.report.numbers import Datum, in_steps
from discreet.report.publication import Chapter
from discreet.report.words import place_names
from discreet.ui.figures import theme
from discreet.ui.figures.theme import Sketch
from discreet.ui.frame.words import drawn, in_words, number, say

# Released results: the figures of a report, in the colours of the screen.


def drawable(chapter: Chapter) -> bool:
    """Whether a query has a number to draw."""
    return any(datum.place is not None for datum in chapter.data)


def show(chapter: Chapter, marks: Marks = NO_MARKS) -> bool:
    """Draw the numbers of a query in the form that fits them, and return whether it has one."""
    drawn = figure(chapter, say, marks)
    if drawn is not None:
        st.html(drawn)
    return drawn is not None


MOST_AWAITED = 12  # lines of a result that does not exist yet
SMALL_PART = 1 / 20  # of what is possible: a smaller margin is drawn around the result, wherever that will be
Ends = tuple[float, float]


def awaited(names: Sequence[str], span: Ends, width: float, unit: str, key: str) -> None:
    """Draw the interval that each number will have, dashed: in the middle of what is possible, or around the result."""
    low, high = span
    middle = (low + high) / 2
    ticks: dict[str, Any] = {"tickvals": [low, high]}
    if 0 < width < SMALL_PART * (high - low):
        low = -4 * width
        middle = 0.0
        high = 4 * width
        ticks = {"tickvals": [-width, width], "ticktext": [f"− {number(width, 3)}", f"+ {number(width, 3)}"]}
    ends = max(low, middle - width), min(high, middle + width)
    fig = theme.figure(say(unit), "")
    shown = [drawn(name) for name in names[:MOST_AWAITED]][::-1]
    dashed = {"color": theme.colour("result"), "width": 1.5, "dash": "dash"}
    for at in range(len(shown)):
        fig.add_shape(x0=low, x1=high, y0=at, y1=at, line={"color": theme.colour("line"), "width": 1}, layer="below")
        fig.add_shape(type="rect", x0=ends[0], x1=ends[1], y0=at - 0.25, y1=at + 0.25, line=dashed)
        theme.name(fig, "?", theme.quiet(), x=middle, y=at)
    margin = 0.04 * (high - low)
    fig.update_xaxes(range=[low - margin, high + margin], showgrid=False, zeroline=False, **ticks)
    fig.update_yaxes(
        tickvals=list(range(len(shown))), ticktext=shown, range=[-0.6, len(shown) - 0.4], showgrid=False, zeroline=False
    )
    words = say("Not released yet. Expected margin of error: ± {width}.", width=number(width))
    table: dict[str, Sequence[Any]] = {"name": list(names), "margin of error": [width] * len(names)}
    theme.show(fig, words, table, key, height=max(180, 34 * len(shown) + 90))


Shown = Callable[[float], str] | None


BARS = 61


def law(law: Law, truth: float | None, key: str, released: float | None, shown: Shown = None) -> None:
    """Draw the exact distribution of a result on public data, with the true value and the latest result.

    `shown` formats a value of the axis that is not a plain number.
    """
    if isinstance(law, Picked) and not isinstance(law.candidates[0], float):
        chances(law.candidates, law.probabilities.tolist(), key)
        return
    low, high = _ends(law)
    ends = [number(end) if shown is None else shown(end) for end in (low, high)]
    true = number(truth, 5) if shown is None or truth is None else shown(truth)
    edges = np.linspace(low, high, BARS + 1)
    middles = (edges[:-1] + edges[1:]) / 2
    masses = np.diff(law.cdf(edges))
    fig = _histogram(middles, masses, theme.colour("result"))
    if shown is not None:
        theme.name_places(fig, low, high, shown)
    if truth is not None:
        theme.truth(fig, truth, say("exact value {x}", x=true))
    if released is not None:
        theme.mark(fig, released, say("result"), theme.colour("result"))
    theme.show(fig, _words(ends[0], ends[1], true), {"answer": middles.tolist(), "chance": masses.tolist()}, key)


def _words(low: str, high: str, truth: str) -> str:
    return say(
        "Distribution of the result: 99% of results are between {low} and {high}. Exact value: {truth}.",
        low=low,
        high=high,
        truth=truth,
    )


def _ends(law: Law) -> tuple[float, float]:
    """Return the ends between which nearly all results lie, with a margin if all are equal."""
    low, high = (float(law.quantile(p)) for p in (0.004, 0.996))
    return (low, high) if high > low else (low - 1.0, high + 1.0)


def _histogram(middles: FloatArray, masses: FloatArray, colour: str) -> Sketch:
    """Return bars without gaps, whose heights are the probabilities of their values."""
    fig = theme.figure(say("Result"), say("Probability"), bargap=0)
    fig.add_bar(
        x=middles,
        y=masses,
        marker={"color": colour, "line": {"width": 0}},
        hovertemplate="%{x:.5g}: %{y:.2%}<extra></extra>",
    )
    fig.update_yaxes(tickformat=".0%", rangemode="tozero")
    return fig


def chances(labels: Sequence[Any], masses: Sequence[float], key: str) -> None:
    """Draw the exact probability of every candidate, the most probable on top."""
    order = np.argsort(masses, kind="stable")[-20:]
    names = [drawn(labels[at]) for at in order]
    values = [float(masses[at]) for at in order]
    fig = theme.figure(say("Probability of being chosen"), "")
    fig.add_bar(
        x=values,
        y=names,
        orientation="h",
        marker={"color": theme.colour("result")},
        text=[f"{value:.1%}" for value in values],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{y}: %{x:.3%}<extra></extra>",
    )
    fig.update_xaxes(range=[0, max(values) * 1.2], tickformat=".0%")
    fig.update_yaxes(type="category")
    words = say("Probabilities of the candidates. {best} is the most likely.", best=names[-1])
    table: dict[str, list[Any]] = {"candidate": [str(labels[at]) for at in order], "chance": values}
    theme.show(fig, words, table, key, height=max(240, 26 * len(names) + 80))


def counts(labels: Sequence[str], truths: Sequence[int], width: float | None, key: str) -> None:
    """Draw the exact counts of public data with the range of the noise."""
    fig = theme.figure(say("Rows"), "")
    names = [drawn(label) for label in labels][::-1]
    bars: dict[str, Any] = (
        {} if width is None else {"error_x": {"type": "constant", "value": width, "color": theme.colour("result")}}
    )
    fig.add_bar(x=list(truths)[::-1], y=names, orientation="h", marker=theme.hollow(), **bars)
    fig.update_yaxes(type="category")
    words = say("Exact counts of a public dataset. Each error bar covers 95% of the noisy counts.")
    height = max(240, 22 * len(names) + 80)
    theme.show(fig, words, {"label": list(labels), "rows": list(truths)}, key, height=height)


# Side by side: the numbers of several results in one figure per unit.

MOST_LINES = 40
Line = tuple[Chapter, Datum]


def compare(chosen: Sequence[Chapter], marks: Marks = NO_MARKS) -> None:
    """Draw the numbers of several results, those with the same unit in one figure."""
    units: dict[str, list[Line]] = {}
    for chapter in chosen:
        for datum in chapter.data:
            if datum.place is not None and place_names(chapter.release.request, chapter.schema) is None:
                units.setdefault(chapter.unit, []).append((chapter, datum))
    for unit, lines in units.items():
        if len({id(chapter) for chapter, _ in lines}) > 1:
            _draw(unit, lines[:MOST_LINES], marks)


def _draw(unit: str, lines: Sequence[Line], marks: Marks) -> None:
    reach = [end for _, datum in lines for end in (datum.place, *(datum.interval or ())) if end is not None]
    scale = axis(filter(math.isfinite, reach), zero=all(chapter.counts for chapter, _ in lines))
    assert scale is not None  # every line has a place
    told = [
        (name.splitlines(), (datum,), marks(datum, say)) for name, (_, datum) in zip(_names(lines), lines, strict=True)
    ]
    drawn = rows(told, scale, partial(in_steps, step=scale.step), say(unit))
    words = say("{number} values from several results, with their intervals.", number=len(lines))
    st.html(tag("figure", drawn, class_="fig", role="img", aria_label=words))


def _names(lines: Sequence[Line]) -> list[str]:
    """Name every number, with its mechanism where names would otherwise be equal."""
    names = [_name(*line) for line in lines]
    doubled = {name for name in names if names.count(name) > 1}
    return [
        f"{name}\n{say(chapter.release.request.mechanism.title)}" if name in doubled else name
        for name, (chapter, _) in zip(names, lines, strict=True)
    ]


def _name(chapter: Chapter, datum: Datum) -> str:
    """Name a number by its query, its group and part, and its cost."""
    group = name_of((datum,), say)
    question = f"{in_words(chapter.release.request, chapter.schema)}{', ' if group else ''}{group}"
    return f"{question}\n{chapter.cost}"


# Comparisons: errors of many mechanisms side by side.

BINS = 25
BELOW, ABOVE = 1e-3, 1.6  # the axis of errors, as parts of the smallest median and of the largest error


def errors(contenders: Sequence[Contender], results: Sequence[Experiment], key: str) -> None:
    """Draw the errors of every mechanism: the middle half, the central nine tenths, the median."""
    ranked = sorted(zip(contenders, results, strict=True), key=lambda pair: -_rank(pair[1]))
    fives = [
        (contender, np.quantile(result.errors, (0.05, 0.25, 0.5, 0.75, 0.95)))
        for contender, result in ranked
        if result.errors.size
    ]
    low, high = _reach([five for _, five in fives])
    fig = theme.figure(say("Error (logarithmic)"), "")
    fig.update_layout(xaxis_type="log", xaxis_range=[math.log10(low), math.log10(high)])
    for contender, five in fives:
        _line(fig, contender, np.maximum(five, low))
    fig.update_yaxes(type="category", showticklabels=False, showgrid=False)
    names = [say(contender.title) for contender, _ in fives]
    table: dict[str, Sequence[Any]] = {"mechanism": names, "median error": [float(five[2]) for _, five in fives]}
    best = names[-1] if names else ""
    words = say("Errors of {n} mechanisms. {best} has the smallest errors.", n=len(names), best=best)
    theme.show(fig, words, table, key, height=44 * max(len(names), 3) + 100)


def _reach(fives: Sequence[FloatArray]) -> tuple[float, float]:
    """Return the ends of an axis on which all errors above zero lie, with room at both ends."""
    real = [float(share) for five in fives for share in five if share > 0] or [1.0]
    least = BELOW * min((float(five[2]) for five in fives if five[2] > 0), default=0.0)
    return max(min(real), least) / ABOVE, max(real) * ABOVE


def _line(fig: Sketch, contender: Contender, five: FloatArray) -> None:
    name = say(contender.title)
    colour = theme.style(contender.slug)["color"]
    for low, high, width in ((0, 4, 3), (1, 3, 11)):
        ends = [five[low], five[high]]
        line = {"color": colour, "width": width}
        fig.add_scatter(x=ends, y=[name, name], mode="lines", hoverinfo="skip", line=line)
    fig.add_scatter(
        x=[five[2]],
        y=[name],
        mode="markers",
        marker={"color": theme.truth_colour(), "size": 9, "symbol": "line-ns-open", "line": {"width": 3}},
        hovertemplate=name + "<br>" + say("median error") + " %{x:.4g}<extra></extra>",
    )
    _above(fig, name, colour)


def _above(fig: Sketch, name: str, colour: str) -> None:
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
    """Draw how often results miss the true value by how many percent; the first mechanism is the baseline."""
    fig = theme.figure(say("Error in percent of the exact value"), say("Results out of {n}", n=runs[0][2].answers.size))
    edges = np.linspace(0, top, BINS + 1)
    table: dict[str, list[float]] = {"percent": edges[:-1].tolist()}
    for place, (name, slug, result) in enumerate(runs):
        times = np.histogram(np.minimum(percents(result), top), edges)[0].tolist()
        colour = theme.style(slug)["color"] if place else theme.quiet()
        fig.add_bar(
            x=((edges[:-1] + edges[1:]) / 2).tolist(), y=times, name=name, marker={"color": colour}, opacity=0.6
        )
        table[name] = times
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom"}
    fig.update_layout(barmode="overlay", bargap=0.04, showlegend=True, legend=legend, xaxis_range=[0, top])
    theme.show(fig, _medians(runs), table, key)


def percents(result: Experiment) -> FloatArray:
    """Return the errors of the released results, in percent of the true value."""
    return np.asarray(100 * result.errors / abs(result.truth))


def _medians(runs: Sequence[tuple[str, str, Experiment]]) -> str:
    given = [(name, percents(result)) for name, _, result in runs]
    lines = (f"{name} {number(float(np.median(each)), 3)}%" if each.size else name for name, each in given)
    return say("Median errors in percent: {listed}.", listed=", ".join(lines))
