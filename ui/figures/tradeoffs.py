"""Figures of tradeoffs: error as one setting moves."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

import numpy as np

from discreet.lab.explain import Clipping
from discreet.lab.sweeps import Sweep
from discreet.ui.figures import look
from discreet.ui.figures.sketch import Sketch
from discreet.ui.frame.words import drawn, number, say

FOLDED, WIDE = 40, 20  # letters of a name in a line of the legend, so that it fits a telephone
LINE, AXIS = 19, 62  # pixels: a line of the legend, and the names of the axis above it
BELOW = {"x": 0, "y": 0, "yref": "container", "yanchor": "bottom", "maxheight": 0.8}


def error_curve(
    epsilons: Sequence[float], widths: Sequence[float], now: float, slug: str, on: str | None, key: str
) -> None:
    """Draw the half width against epsilon; `on` names the ground where nothing is promised."""
    fig, colour = look.figure(say("Epsilon"), say("Error, 19 times in 20")), look.style(slug)["color"]
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
    words = say("Error against epsilon; at epsilon {now:g} it is {here}.", now=now, here=number(here))
    if on:
        fig.update_layout(title={"text": drawn(say("On {on}", on=on)), "font": {"size": 13}})
    look.show(fig, words, {"epsilon": epsilons, "error": widths}, key)


def _point(fig: Sketch, x: float, y: float, colour: str) -> None:
    """Mark where the form stands."""
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
    """Draw bias, noise and both together as the upper bound moves."""
    fig = look.figure(say("Upper bound"), say("Error of the sum"))
    fig.update_layout(xaxis_type="log", yaxis_type="log")
    both = curve.bias + curve.noise
    for values, text, colour, dash in (
        (curve.bias, say("lost by clipping"), look.hue("exhibit"), "dot"),
        (curve.noise, say("noise"), look.hue("global"), "dash"),
        (both, say("both"), look.truth_colour(), "solid"),
    ):
        line = {"color": colour, "dash": dash, "width": 3}
        fig.add_scatter(x=curve.bounds, y=np.where(values > 0, values, np.nan), mode="lines", line=line, name=text)
    _list_names(fig)
    low = max(float(curve.noise.min()) / 3, 1e-9)
    fig.update_yaxes(range=[np.log10(low), np.log10(float(both.max()) * 2)])
    best = float(curve.bounds[int(np.argmin(both))])
    look.mark(fig, best, say("best {u}", u=number(best)), look.quiet(), "dot")
    words = say("A low bound loses rows, a high bound adds noise; {u} is best here.", u=number(best))
    table = {"upper": curve.bounds.tolist(), "bias": curve.bias.tolist(), "noise": curve.noise.tolist()}
    look.show(fig, words, table, key)


REFUSALS = look.SHARES | {"tickmode": "auto"}  # round shares, not those that lie where the other axis is named


def sweep(curve: Sweep, here: float | None, key: str, log: bool = True) -> None:
    """Draw error against one setting, a labelled line for every contender."""
    fig = look.figure(say(curve.setting), say("Error, 19 times in 20"))
    fig.update_layout(yaxis_type="log", xaxis_type="log" if log else "linear")
    names = [slug for slug in curve.errors if slug != "refusals"]
    for slug in names:
        _contender(fig, curve, slug)
    if here is not None:
        look.mark(fig, here, say("now"), look.quiet(), "dot")
    if "refusals" in curve.errors:
        _refusals(fig, curve)
    below = _list_names(fig)
    words = say("Error of {n} mechanisms against {x}.", n=len(names), x=say(curve.setting))
    table = {curve.setting: list(curve.points), **{s: list(map(float, v)) for s, v in curve.errors.items()}}
    look.show(fig, words, table, key, height=340 + below)


def _list_names(fig: Sketch) -> int:
    """List the names of several lines below the figure, one under the other; return how tall that is."""
    names = [str(trace.get("name", "")) for trace in fig.to_dict()["data"]]
    if len(names) < 2:
        return 0
    below = LINE * sum(1 + name.count("<br>") for name in names)
    fig.update_layout(showlegend=True, legend=BELOW, margin={"b": AXIS + below})
    return below


def _contender(fig: Sketch, curve: Sweep, slug: str) -> None:
    """Draw the line of one mechanism."""
    style, values, title = look.style(slug), np.asarray(curve.errors[slug]), look.title(slug)
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
    """Draw the share of refusals on an axis of its own."""
    fig.add_scatter(
        x=list(curve.points),
        y=curve.errors["refusals"],
        yaxis="y2",
        mode="lines",
        line={"color": look.hue("exhibit"), "dash": "dot"},
        name=say("refused"),
    )
    fig.update_layout(yaxis2=REFUSALS | {"title": {"text": say("Refused")}})
