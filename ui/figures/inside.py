"""Figures of what is inside: ladders, distances, smooth bounds, blocks, clipping."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go  # type: ignore[import-untyped]

from discreet.lab.explain import Clipping, Proposed, Smoothed, Split
from discreet.lab.sweeps import Sweep
from discreet.ui.figures import look
from discreet.ui.frame.words import number, say

BARS = 40


def ladder(told: Proposed, b: float, key: str) -> None:
    """Draw A(k), the proposed bound, and the distance at which it is cut."""
    fig = look.figure(say("Persons k away from the data"), say("A(k), largest local sensitivity"))
    colour = look.style("propose-test-release")["color"]
    fig.add_scatter(
        x=told.ladder.k,
        y=told.ladder.rungs,
        mode="lines",
        line={"color": colour, "width": 3},
        hovertemplate="k = %{x}: %{y:.4g}<extra></extra>",
    )
    fig.update_layout(yaxis_type="log")
    look.level(fig, b, say("proposed b = {b}", b=number(b)), look.quiet())
    look.mark(fig, told.distance, say("distance D = {d}", d=told.distance), look.truth_colour())
    words = say("The ladder rises with k and passes the bound {b} at distance {d}.", b=number(b), d=told.distance)
    table = {"k": told.ladder.k.tolist(), "A(k)": told.ladder.rungs.tolist()}
    look.show(fig, words, table, key)


def passing(told: Proposed, key: str) -> None:
    """Draw the chance to pass against the distance, and where the data stand."""
    fig = look.figure(say("Distance of the data"), say("Chance of an answer"))
    colour = look.style("propose-test-release")["color"]
    fig.add_scatter(
        x=told.distances,
        y=told.chances,
        mode="lines",
        line={"color": colour, "width": 3},
        hovertemplate="D = %{x}: %{y:.3%}<extra></extra>",
    )
    fig.update_yaxes(tickformat=".0%", range=[-0.02, 1.08])
    look.mark(fig, told.threshold, say("threshold {t:.0f}", t=told.threshold), look.quiet(), "dash")
    if told.distance <= told.distances[-1]:
        look.mark(fig, told.distance, say("D"), look.truth_colour())
    words = say(
        "Chance of an answer against distance; at distance {d} it is {p}.", d=told.distance, p=f"{told.chance:.2%}"
    )
    table = {"distance": told.distances.tolist(), "chance": told.chances.tolist()}
    look.show(fig, words, table, key)


def smooth(told: Smoothed, key: str) -> None:
    """Draw A(k), its smoothed form, and the maximum S."""
    fig = look.figure(say("Persons k away from the data"), say("Sensitivity"))
    fig.update_layout(yaxis_type="log")
    colour = look.style("smooth-core-tail")["color"]
    for values, text, dash in ((told.rungs, "A(k)", "dot"), (told.weighted, "e^(−βk) A(k)", "solid")):
        shown = np.where(values > 0, values, np.nan)
        fig.add_scatter(
            x=told.k,
            y=shown,
            mode="lines",
            line={"color": colour, "width": 3, "dash": dash},
            hovertemplate=text + " at %{x}: %{y:.4g}<extra></extra>",
        )
        last = int(np.max(np.flatnonzero(values > 0), initial=0))
        fig.add_annotation(
            x=told.k[last],
            y=float(np.log10(max(values[last], 1e-300))),
            text=text,
            showarrow=False,
            xanchor="right",
            yanchor="bottom",
            font={"color": colour},
        )
    positive = told.weighted[told.weighted > 0]
    floor = max(float(positive.min(initial=told.bound)), told.bound * 1e-4)
    top = max(float(told.rungs.max()), told.bound)
    fig.update_yaxes(range=[float(np.log10(floor)) - 0.1, float(np.log10(top)) + 0.25])
    look.mark(fig, told.peak, say("S = {s}", s=number(told.bound)), look.truth_colour())
    words = say("The smooth bound S is {s}, reached {k} persons away.", s=number(told.bound), k=told.peak)
    table = {"k": told.k.tolist(), "A(k)": told.rungs.tolist(), "smoothed": told.weighted.tolist()}
    look.show(fig, words, table, key)


def blocks(told: Split, slug: str, key: str) -> None:
    """Draw the estimates of the blocks, the truth, and the middle of the answer."""
    counts, edges = np.histogram(told.estimates, bins=BARS)
    middles = (edges[:-1] + edges[1:]) / 2
    fig = look.figure(say("Estimate of a block"), say("Blocks"), bargap=0.02)
    fig.add_bar(
        x=middles,
        y=counts,
        marker={"color": look.style(slug)["color"]},
        hovertemplate="%{x:.4g}: %{y} blocks<extra></extra>",
    )
    look.mark(fig, told.truth, say("truth {x}", x=number(told.truth)), look.truth_colour())
    fig.add_vrect(
        x0=told.centre - told.noise, x1=told.centre + told.noise, fillcolor=look.quiet(), opacity=0.25, line_width=0
    )
    words = say("Estimates of the blocks around the truth {t}; the band holds 19 of 20 answers.", t=number(told.truth))
    look.show(fig, words, {"estimate": middles.tolist(), "blocks": counts.tolist()}, key)


def clipping(told: Clipping, key: str) -> None:
    """Draw bias, noise and both together as the upper bound moves."""
    fig = look.figure(say("Upper bound"), say("Error of the sum"))
    fig.update_layout(xaxis_type="log", yaxis_type="log")
    both = told.bias + told.noise
    lines = (
        (told.bias, say("lost by clipping"), look.hue("exhibit"), "dot"),
        (told.noise, say("noise"), look.hue("global"), "dash"),
        (both, say("both"), look.truth_colour(), "solid"),
    )
    for values, text, colour, dash in lines:
        shown = np.where(values > 0, values, np.nan)
        fig.add_scatter(
            x=told.bounds, y=shown, mode="lines", line={"color": colour, "dash": dash, "width": 3}, name=text
        )
    fig.update_layout(showlegend=True, legend={"orientation": "h", "y": 1.12})
    low = max(float(told.noise.min()) / 3, 1e-9)
    fig.update_yaxes(range=[np.log10(low), np.log10(float(both.max()) * 2)])
    best = float(told.bounds[int(np.argmin(both))])
    look.mark(fig, best, say("best {u}", u=number(best)), look.quiet(), "dot")
    words = say("A low bound loses rows, a high bound adds noise; {u} is best here.", u=number(best))
    table = {"upper": told.bounds.tolist(), "bias": told.bias.tolist(), "noise": told.noise.tolist()}
    look.show(fig, words, table, key)


def sweep(told: Sweep, here: float | None, key: str, log: bool = True) -> None:
    """Draw error against one setting, a labelled line for every contender."""
    fig = look.figure(say(told.setting), say("Error, 19 times in 20"))
    fig.update_layout(yaxis_type="log", xaxis_type="log" if log else "linear")
    names = [slug for slug in told.errors if slug != "refusals"]
    for slug in names:
        style, values = look.style(slug), np.asarray(told.errors[slug])
        fig.add_scatter(
            x=list(told.points),
            y=np.where(values > 0, values, np.nan),
            name=look.title(slug),
            mode="lines+markers",
            line={"color": style["color"], "dash": style["dash"], "width": 2},
            marker={"symbol": style["symbol"], "size": 7},
            hovertemplate=look.title(slug) + ": %{y:.4g} at %{x:g}<extra></extra>",
        )
    if len(names) > 1:
        legend = {"orientation": "h", "y": -0.22, "entrywidth": 0.45, "entrywidthmode": "fraction"}
        fig.update_layout(showlegend=True, legend=legend)
    if here is not None:
        look.mark(fig, here, say("now"), look.quiet(), "dot")
    if "refusals" in told.errors:
        _refusals(fig, told)
    words = say("Error of {n} mechanisms against {x}.", n=len(names), x=say(told.setting))
    table = {told.setting: list(told.points), **{s: list(map(float, v)) for s, v in told.errors.items()}}
    look.show(fig, words, table, key, height=340 if len(names) == 1 else 520)


def _refusals(fig: go.Figure, told: Sweep) -> None:
    """Draw the share of refusals on an axis of its own."""
    fig.add_scatter(
        x=list(told.points),
        y=told.errors["refusals"],
        yaxis="y2",
        mode="lines",
        line={"color": look.hue("exhibit"), "dash": "dot"},
        name=say("refused"),
    )
    fig.update_layout(
        yaxis2={
            "overlaying": "y",
            "side": "right",
            "tickformat": ".0%",
            "range": [0, 1.05],
            "title": {"text": say("Refused")},
            "showgrid": False,
            "fixedrange": True,
        },
        showlegend=True,
        legend={"orientation": "h", "y": 1.15},
    )
