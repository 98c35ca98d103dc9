"""Curves: errors against a setting, the inside of mechanisms, and totals under several accountings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import numpy as np
import streamlit as st

from discreet.budget import Total
from discreet.lab import explain
from discreet.lab.explain import Clipping, Proposed, Smoothed, Split
from discreet.lab.sweeps import Sweep
from discreet.queries.bounds import FloatArray, IntArray
from discreet.queries.column import Scores
from discreet.rows.columns import Quantity
from discreet.ui.figures import theme
from discreet.ui.figures.theme import Sketch
from discreet.ui.frame.formulas import raised
from discreet.ui.frame.words import drawn, number, say

# Tradeoffs: error against one setting.

FOLDED, WIDE = 40, 20  # characters of a name in a line of the legend, so that it fits on a phone
LINE, AXIS = 19, 62  # pixels: a line of the legend, and the axis title above it
BELOW = {"x": 0, "y": 0, "yref": "container", "yanchor": "bottom", "maxheight": 0.8}


def error_curve(epsilons: Sequence[float], widths: Sequence[float], now: float, on: str | None, key: str) -> None:
    """Draw the half-width against epsilon; `on` names the ground if the error is not guaranteed."""
    fig = theme.figure(say("ε"), say("Margin of error (95%)"))
    colour = theme.colour("result")
    fig.update_layout(yaxis_type="log", xaxis_type="log")
    fig.add_scatter(
        x=list(epsilons),
        y=list(widths),
        mode="lines",
        line={"color": colour, "width": 3},
        hovertemplate="ε %{x:.3g}<br>± %{y:.4g}<extra></extra>",
    )
    here = widths[list(epsilons).index(now)]
    _point(fig, now, float(here), colour)
    fig.update_xaxes(tickvals=[0.05, 0.1, 0.2, 0.5, 1, 2, 3], range=[-1.4, 0.6])
    words = say("Margin of error by ε. At ε = {now:g} it is {here}.", now=now, here=number(here))
    if on:
        fig.update_layout(title={"text": drawn(say("Based on {on}", on=on)), "font": {"size": 13}})
    theme.show(fig, words, {"epsilon": epsilons, "error": widths}, key)


def _point(fig: Sketch, x: float, y: float, colour: str) -> None:
    """Mark the current setting of the form."""
    fig.add_scatter(
        x=[x],
        y=[y],
        mode="markers+text",
        text=[f"± {number(y)}"],
        textposition="top right",
        marker={"size": 12, "color": colour},
        hoverinfo="skip",
    )


def clipping(curve: Clipping, key: str) -> None:
    """Draw the bias, the noise and their total against the upper bound."""
    fig = theme.figure(say("Upper bound"), say("Error of the sum"))
    fig.update_layout(xaxis_type="log", yaxis_type="log")
    both = curve.bias + curve.noise
    for values, text, colour, dash in (
        (curve.bias, say("lost by clipping"), theme.quiet(), "dot"),
        (curve.noise, say("noise"), theme.colour("result"), "dash"),
        (both, say("both"), theme.truth_colour(), "solid"),
    ):
        line = {"color": colour, "dash": dash, "width": 3}
        fig.add_scatter(x=curve.bounds, y=np.where(values > 0, values, np.nan), mode="lines", line=line, name=text)
    _list_names(fig)
    low = max(float(curve.noise.min()) / 3, 1e-9)
    fig.update_yaxes(range=[np.log10(low), np.log10(float(both.max()) * 2)])
    best = float(curve.bounds[int(np.argmin(both))])
    theme.mark(fig, best, say("best {u}", u=number(best)), theme.quiet(), "dot")
    words = say("A low bound clips more values, and a high bound adds more noise. {u} is best here.", u=number(best))
    table = {"upper": curve.bounds.tolist(), "bias": curve.bias.tolist(), "noise": curve.noise.tolist()}
    theme.show(fig, words, table, key)


REFUSALS = theme.SHARES | {"tickmode": "auto"}  # round shares instead of the ticks of the other axis


def sweep(curve: Sweep, here: float | None, key: str, log: bool = True) -> None:
    """Draw error against one setting, a labelled line for every mechanism."""
    fig = theme.figure(say(curve.setting), say("Margin of error (95%)"))
    fig.update_layout(yaxis_type="log", xaxis_type="log" if log else "linear")
    names = [slug for slug in curve.errors if slug != "refusals"]
    for slug in names:
        _contender(fig, curve, slug)
    if here is not None:
        theme.mark(fig, here, say("now"), theme.quiet(), "dot")
    if "refusals" in curve.errors:
        _refusals(fig, curve)
    below = _list_names(fig)
    words = say("Errors of {n} mechanisms by {x}.", n=len(names), x=say(curve.setting))
    table = {curve.setting: list(curve.points), **{s: list(map(float, v)) for s, v in curve.errors.items()}}
    theme.show(fig, words, table, key, height=340 + below)


def _list_names(fig: Sketch) -> int:
    """List the names of several lines below the figure; return the height of the list."""
    names = [str(trace.get("name", "")) for trace in fig.to_dict()["data"]]
    if len(names) < 2:
        return 0
    below = LINE * sum(1 + name.count("<br>") for name in names)
    fig.update_layout(showlegend=True, legend=BELOW, margin={"b": AXIS + below})
    return below


def _contender(fig: Sketch, curve: Sweep, slug: str) -> None:
    style = theme.style(slug)
    values = np.asarray(curve.errors[slug])
    title = theme.title(slug)
    fig.add_scatter(
        x=list(curve.points),
        y=np.where(values > 0, values, np.nan),
        name="<br>".join(wrap(title, FOLDED if title.isascii() else WIDE)),
        mode="lines+markers",
        line={"color": style["color"], "dash": style["dash"], "width": 2},
        marker={"symbol": style["symbol"], "size": 7},
        hovertemplate=title + ": %{y:.4g} at %{x:g}<extra></extra>",
    )


def _refusals(fig: Sketch, curve: Sweep) -> None:
    """Draw the share of refusals on its own axis."""
    fig.add_scatter(
        x=list(curve.points),
        y=curve.errors["refusals"],
        yaxis="y2",
        mode="lines",
        line={"color": theme.colour("refused"), "dash": "dot"},
        name=say("no result"),
    )
    fig.update_layout(yaxis2=REFUSALS | {"title": {"text": say("No result")}})


# Mechanisms: local sensitivities by distance, distances, smooth bounds, blocks.

BARS = 40
BEHIND, LEAST = 2, 12  # A(k) is drawn up to twice the distance of S, and to as many people more
HEADROOM = 1.2
WEIGHTS = theme.SHARES | {"tickvals": [0, 0.25, 0.5, 0.75, 1], "automargin": True}  # they start at 100%


def ladder(proposed: Proposed, b: float, key: str) -> None:
    """Draw A(k), the proposed bound, and the distance at which A(k) reaches it."""
    fig = theme.figure(say("Distance k in people"), say("Local sensitivity A(k)"))
    colour = theme.truth_colour()
    fig.add_scatter(
        x=proposed.ladder.k,
        y=proposed.ladder.rungs,
        mode="lines",
        line={"color": colour, "width": 3},
        hovertemplate="k = %{x}: %{y:.4g}<extra></extra>",
    )
    fig.update_layout(yaxis_type="log")
    theme.level(fig, b, say("proposed b = {b}", b=number(b)), theme.quiet())
    theme.mark(fig, proposed.distance, say("distance D = {d}", d=proposed.distance), theme.truth_colour())
    words = say("A(k) rises with k and crosses the bound {b} at distance {d}.", b=number(b), d=proposed.distance)
    table = {"k": proposed.ladder.k.tolist(), "A(k)": proposed.ladder.rungs.tolist()}
    theme.show(fig, words, table, key)


def passing(proposed: Proposed, key: str) -> None:
    """Draw the probability to pass against the distance, and the distance of the data."""
    fig = theme.figure(say("Distance of the dataset"), say("Probability of a result"))
    colour = theme.colour("result")
    fig.add_scatter(
        x=proposed.distances,
        y=proposed.chances,
        mode="lines",
        line={"color": colour, "width": 3},
        hovertemplate="D = %{x}: %{y:.3%}<extra></extra>",
    )
    fig.update_yaxes(tickformat=".0%", range=[-0.02, 1.08])
    theme.mark(fig, proposed.threshold, say("threshold {t:.0f}", t=proposed.threshold), theme.quiet(), "dash")
    if proposed.distance <= proposed.distances[-1]:
        theme.mark(fig, proposed.distance, say("D"), theme.truth_colour())
    words = say(
        "Probability of a result by distance. At distance {d} it is {p}.",
        d=proposed.distance,
        p=f"{proposed.chance:.2%}",
    )
    table = {"distance": proposed.distances.tolist(), "chance": proposed.chances.tolist()}
    theme.show(fig, words, table, key)


def smooth(smoothed: Smoothed, key: str, stop: int | None = None) -> None:
    """Draw the weights and A(k), their product, and the maximum S; `stop` is the largest distance searched.

    With `stop` all distances are drawn, otherwise those around S, so that A(k) stays in sight.
    """
    seen = smoothed.k <= (smoothed.k[-1] if stop is not None else BEHIND * smoothed.peak + LEAST)
    highest = max(float((smoothed.rungs if stop is None else smoothed.weighted)[seen].max()), smoothed.bound)
    fig = tent(smoothed, HEADROOM * highest)
    fig.update_xaxes(range=[0, int(smoothed.k[seen][-1])])
    product(fig, smoothed)
    bound = number(smoothed.bound)
    peak = smoothed.peak
    theme.mark(fig, peak, say("S = {s}", s=bound), theme.truth_colour())
    if stop is not None:
        theme.mark(fig, stop, say("k = {k}", k=stop), theme.quiet(), "dash")
    theme.show(fig, reached(smoothed), columns(smoothed), key)


def tent(smoothed: Smoothed, top: float) -> Sketch:
    """Draw A(k) and, on their own axis, the weights by distance (the tent)."""
    legend = {"orientation": "h", "y": 0, "yanchor": "bottom", "yref": "container"}  # below the axis title
    fig = theme.figure(say("Distance k in people"), say("Sensitivity"), showlegend=True, legend=legend)
    _line(fig, smoothed.k, smoothed.tent, raised(say("Weight e^(−βk)")), "dash", theme.quiet(), yaxis="y2")
    _line(fig, smoothed.k, smoothed.rungs, "A(k)", "dot", _colour(), shape="hv")  # it is one number up to the next k
    fig.update_yaxes(range=[0, top], exponentformat="power")
    fig.update_layout(yaxis2=WEIGHTS)
    return fig


def product(fig: Sketch, smoothed: Smoothed) -> None:
    """Draw the product of the weights and A(k)."""
    _line(fig, smoothed.k, smoothed.weighted, raised("e^(−βk) A(k)"), "solid", _colour())


def reached(smoothed: Smoothed) -> str:
    """State the value of S, and at which distance it is reached."""
    return say("The smooth bound S is {s}, at distance {k}.", s=number(smoothed.bound), k=smoothed.peak)


def columns(smoothed: Smoothed) -> dict[str, list[float]]:
    """Return the data of the figure."""
    lines = {"k": smoothed.k, "A(k)": smoothed.rungs, "weight": smoothed.tent, "smoothed": smoothed.weighted}
    return {name: line.tolist() for name, line in lines.items()}


def _colour() -> str:
    return theme.truth_colour()


def _line(
    fig: Sketch,
    k: IntArray,
    values: FloatArray,
    name: str,
    dash: str,
    colour: str,
    yaxis: str | None = None,
    shape: str = "linear",
) -> None:
    """Draw a line over the distance in persons, on the axis of sensitivities or on the given one."""
    fig.add_scatter(
        x=k.tolist(),
        y=values.tolist(),
        name=name,
        mode="lines",
        line={"color": colour, "width": 3, "dash": dash, "shape": shape},
        yaxis=yaxis,
        hovertemplate=name + " at %{x}: %{y:.4~g}<extra></extra>",
    )


def blocks(split: Split, key: str) -> None:
    """Draw the estimates of the blocks, the true value, and the middle of the result."""
    counts, edges = np.histogram(split.estimates, bins=BARS)
    middles = (edges[:-1] + edges[1:]) / 2
    fig = theme.figure(say("Estimate of a block"), say("Blocks"), bargap=0.02)
    fig.add_bar(x=middles, y=counts, marker=theme.hollow(), hovertemplate="%{x:.4g}: %{y} blocks<extra></extra>")
    theme.truth(fig, split.truth, say("exact value {x}", x=number(split.truth)))
    fig.add_band(split.centre - split.noise, split.centre + split.noise, theme.colour("result"))
    words = say("Block estimates around the exact value {t}. The band covers 95% of results.", t=number(split.truth))
    theme.show(fig, words, {"estimate": middles.tolist(), "blocks": counts.tolist()}, key)


# Composition: one history under several accountings.


def views(accountings: Sequence[Total], totals: Sequence[str]) -> None:
    """Draw the total cost of the history under each accounting, with the totals as they are written beside it."""
    pairs = list(zip(accountings, totals, strict=True))[::-1]
    pairs = [(view, total) for view, total in pairs if math.isfinite(view.epsilon)]
    shown = [view for view, _ in pairs]
    fig = theme.figure(say("Total ε"), "")
    fig.add_bar(
        x=[view.epsilon for view in shown],
        y=[say(view.name) for view in shown],
        orientation="h",
        text=[total for _, total in pairs],
        textposition="outside",
        cliponaxis=False,
        marker={"color": theme.colour("result")},
    )
    longest = max((view.epsilon for view in shown), default=0.0) or 1.0
    fig.update_xaxes(range=[0, longest * 1.45])  # leaves room for the number after the bar
    words = say("Total ε of the same history under {n} accounting methods.", n=len(shown))
    table: dict[str, list[Any]] = {
        "accounting": [say(v.name) for v in accountings],
        "epsilon": [v.epsilon for v in accountings],
    }
    theme.show(fig, words, table, "composition", height=260)


# Public data: how often each value occurs.


def distribution(scores: Scores, name: str, numbers: Quantity | None) -> None:
    """Draw the counts of one column of public data, of its numbers or of its allowed values."""
    labels = [drawn(label) for label in scores.labels]
    x = list[Any]()
    if numbers is not None:
        ends = [[float(end) for end in label.split(" to ")] for label in scores.labels]
        x = [low if numbers.zero else numbers.shown(low) for low, _ in ends]
        labels = labels if numbers.zero else [f"{numbers.shown(low)} to {numbers.shown(high)}" for low, high in ends]
    fig = theme.figure(drawn(name), say("Rows"), bargap=0.25 if numbers is None else 0.05)
    if numbers is not None and not numbers.zero:
        fig.update_xaxes(**theme.AS_DATES)
    fig.add_bar(
        x=x or labels,
        y=scores.counts.tolist(),
        marker=theme.hollow(),
        customdata=labels,
        hovertemplate="%{customdata}: %{y:,}<extra></extra>",
    )
    words = say("Number of rows with each value of {name} in this public dataset.", name=name)
    table = {name: labels, say("rows"): scores.counts.tolist()}
    theme.show(fig, words, table, "distribution-figure", height=330)


# Simulated values: what declared bounds do, without any row.


def simulated(number: Quantity, name: str, unit: str, key: str) -> None:
    """Draw simulated values between the bounds of a number; those outside count as the nearest bound."""
    counts, middles = explain.simulated(number)
    fig = theme.figure(f"{drawn(name)} {drawn(unit)}".strip(), "", bargap=0.05)
    fig.add_bar(x=middles, y=counts, marker=theme.hollow(), hoverinfo="skip")
    fig.update_yaxes(showticklabels=False)
    st.caption(say("Simulated, not your data. Values outside the bounds count as the nearest bound."))
    words = say("Simulated values between the declared bounds of {name}; no row was read.", name=name)
    theme.show(fig, words, {}, key, height=180)
