"""Figures of what is inside: ladders, distances, smooth bounds, blocks."""

from __future__ import annotations

import numpy as np

from discreet.lab.explain import Proposed, Smoothed, Split
from discreet.queries.bounds import FloatArray, IntArray
from discreet.ui.figures import look
from discreet.ui.figures.sketch import Sketch
from discreet.ui.frame.words import number, say

BARS = 40
WEIGHTS = look.SHARES | {"tickvals": [0, 0.25, 0.5, 0.75, 1], "automargin": True}  # they begin at 100 %


def ladder(proposed: Proposed, b: float, key: str) -> None:
    """Draw A(k), the proposed bound, and the distance at which it is cut."""
    fig = look.figure(say("Persons k away from the data"), say("A(k), largest local sensitivity"))
    colour = look.style("propose-test-release")["color"]
    fig.add_scatter(
        x=proposed.ladder.k,
        y=proposed.ladder.rungs,
        mode="lines",
        line={"color": colour, "width": 3},
        hovertemplate="k = %{x}: %{y:.4g}<extra></extra>",
    )
    fig.update_layout(yaxis_type="log")
    look.level(fig, b, say("proposed b = {b}", b=number(b)), look.quiet())
    look.mark(fig, proposed.distance, say("distance D = {d}", d=proposed.distance), look.truth_colour())
    words = say("The ladder rises with k and passes the bound {b} at distance {d}.", b=number(b), d=proposed.distance)
    table = {"k": proposed.ladder.k.tolist(), "A(k)": proposed.ladder.rungs.tolist()}
    look.show(fig, words, table, key)


def passing(proposed: Proposed, key: str) -> None:
    """Draw the chance to pass against the distance, and where the data stand."""
    fig = look.figure(say("Distance of the data"), say("Chance of an answer"))
    colour = look.style("propose-test-release")["color"]
    fig.add_scatter(
        x=proposed.distances,
        y=proposed.chances,
        mode="lines",
        line={"color": colour, "width": 3},
        hovertemplate="D = %{x}: %{y:.3%}<extra></extra>",
    )
    fig.update_yaxes(tickformat=".0%", range=[-0.02, 1.08])
    look.mark(fig, proposed.threshold, say("threshold {t:.0f}", t=proposed.threshold), look.quiet(), "dash")
    if proposed.distance <= proposed.distances[-1]:
        look.mark(fig, proposed.distance, say("D"), look.truth_colour())
    words = say(
        "Chance of an answer against distance; at distance {d} it is {p}.",
        d=proposed.distance,
        p=f"{proposed.chance:.2%}",
    )
    table = {"distance": proposed.distances.tolist(), "chance": proposed.chances.tolist()}
    look.show(fig, words, table, key)


def smooth(smoothed: Smoothed, key: str, stop: int | None = None) -> None:
    """Draw the tent over A(k), what both make, and the maximum S; `stop` is where somebody stops looking."""
    fig = tent(smoothed, 1.2 * max(float(smoothed.weighted.max()), smoothed.bound))
    product(fig, smoothed)
    bound, peak = number(smoothed.bound), smoothed.peak
    look.mark(fig, peak, say("S = {s}", s=bound), look.truth_colour())
    if stop is not None:
        look.mark(fig, stop, say("k = {k}", k=stop), look.quiet(), "dash")
    look.show(fig, reached(smoothed), columns(smoothed), key)


def tent(smoothed: Smoothed, top: float) -> Sketch:
    """Draw the ladder, and the weights that stand over it as a tent, on a scale of their own."""
    legend = {"orientation": "h", "y": 0, "yanchor": "bottom", "yref": "container"}  # below the name of the axis
    fig = look.figure(say("Persons k away from the data"), say("Sensitivity"), showlegend=True, legend=legend)
    _line(fig, smoothed.k, smoothed.tent, say("Weight e^(−βk)"), "dash", look.quiet(), yaxis="y2")
    _line(fig, smoothed.k, smoothed.rungs, "A(k)", "dot", _colour())
    fig.update_yaxes(range=[0, top], exponentformat="power")
    fig.update_layout(yaxis2=WEIGHTS)
    return fig


def product(fig: Sketch, smoothed: Smoothed) -> None:
    """Draw what tent and ladder make."""
    _line(fig, smoothed.k, smoothed.weighted, "e^(−βk) A(k)", "solid", _colour())


def reached(smoothed: Smoothed) -> str:
    """Say how large S is, and where."""
    return say("The smooth bound S is {s}, reached {k} persons away.", s=number(smoothed.bound), k=smoothed.peak)


def columns(smoothed: Smoothed) -> dict[str, list[float]]:
    """Return the numbers of the figure."""
    lines = {"k": smoothed.k, "A(k)": smoothed.rungs, "weight": smoothed.tent, "smoothed": smoothed.weighted}
    return {name: line.tolist() for name, line in lines.items()}


def _colour() -> str:
    return look.style("smooth-core-tail")["color"]


def _line(
    fig: Sketch, k: IntArray, values: FloatArray, name: str, dash: str, colour: str, yaxis: str | None = None
) -> None:
    """Draw a line over the persons away, on the axis of sensitivities or on the one that is named."""
    fig.add_scatter(
        x=k.tolist(),
        y=values.tolist(),
        name=name,
        mode="lines",
        line={"color": colour, "width": 3, "dash": dash},
        yaxis=yaxis,
        hovertemplate=name + " at %{x}: %{y:.4~g}<extra></extra>",
    )


def blocks(split: Split, slug: str, key: str) -> None:
    """Draw the estimates of the blocks, the truth, and the middle of the answer."""
    counts, edges = np.histogram(split.estimates, bins=BARS)
    middles = (edges[:-1] + edges[1:]) / 2
    fig = look.figure(say("Estimate of a block"), say("Blocks"), bargap=0.02)
    fig.add_bar(
        x=middles,
        y=counts,
        marker={"color": look.style(slug)["color"]},
        hovertemplate="%{x:.4g}: %{y} blocks<extra></extra>",
    )
    look.mark(fig, split.truth, say("truth {x}", x=number(split.truth)), look.truth_colour())
    fig.add_band(split.centre - split.noise, split.centre + split.noise, look.quiet())
    words = say("Estimates of the blocks around the truth {t}; the band holds 19 of 20 answers.", t=number(split.truth))
    look.show(fig, words, {"estimate": middles.tolist(), "blocks": counts.tolist()}, key)
