"""Figures of the lessons: lines, bars and cells, labelled where they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go  # type: ignore[import-untyped]

from discreet.ui.figures import look
from discreet.ui.frame.words import drawn

HEIGHT = 300


@dataclass(frozen=True)
class Series:
    """A named line or set of bars in a colour of its own.

    The colour is that of a family of mechanisms, of the truth, or quiet. `at` is the point that
    carries the name (by its place; the last one if nothing is said, none if negative).
    """

    name: str
    y: Sequence[float]
    hue: str = "global"
    dash: str = "solid"
    at: int | None = None
    fill: bool = False
    marks: bool = False


@dataclass(frozen=True)
class Mark:
    """A labelled line across the figure, at a place on the x axis or at a height."""

    at: float
    text: str
    hue: str = "quiet"
    dash: str = "dot"
    level: bool = False


def colour(name: str) -> str:
    """Return a colour by the name of a family, "truth" or "quiet"."""
    return look.truth_colour() if name == "truth" else look.hue(name)


def lines(
    x: Sequence[float],
    told: Sequence[Series],
    axes: tuple[str, str],
    words: str,
    key: str,
    marks: Sequence[Mark] = (),
    **layout: Any,
) -> None:
    """Draw lines over a common x, each named at one of its points."""
    fig = look.figure(*axes, **layout)
    for one in told:
        fig.add_scatter(
            x=list(x),
            y=list(one.y),
            name=drawn(one.name),
            mode="markers" if one.marks else "lines",
            line={"color": colour(one.hue), "width": 2.5, "dash": one.dash},
            marker={"color": colour(one.hue), "size": 6},
            fill="tozeroy" if one.fill else None,
            fillcolor=_faint(colour(one.hue)),
        )
        if one.at is None or one.at >= 0:
            _name(fig, one, x)
    _marks(fig, marks)
    table = {axes[0] or "x": list(x)} | {one.name: list(one.y) for one in told}
    look.show(fig, words, table, f"{key}:figure", height=HEIGHT)


def bars(
    labels: Sequence[Any],
    told: Sequence[Series],
    axes: tuple[str, str],
    words: str,
    key: str,
    marks: Sequence[Mark] = (),
    text: str | None = None,
    **layout: Any,
) -> None:
    """Draw bars side by side, with a legend if there are several; `text` formats the values."""
    fig = look.figure(*axes, barmode="group", **layout)
    names = [drawn(label) if isinstance(label, str) else label for label in labels]
    for one in told:
        fig.add_bar(
            x=names,
            y=list(one.y),
            name=drawn(one.name),
            marker={"color": colour(one.hue)},
            texttemplate=None if text is None else f"%{{y:{text}}}",
            textposition="outside",
            cliponaxis=False,
        )
    if len(told) > 1:
        fig.update_layout(showlegend=True, legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"})
    _marks(fig, marks)
    table = {axes[0] or "x": list(labels)} | {one.name: list(one.y) for one in told}
    look.show(fig, words, table, f"{key}:figure", height=HEIGHT)


def cells(
    labels: Sequence[str],
    values: Sequence[float],
    hues: Sequence[str],
    axes: tuple[str, str],
    words: str,
    key: str,
    marks: Sequence[Mark] = (),
    **layout: Any,
) -> None:
    """Draw one bar for each label, each in a colour of its own."""
    fig = look.figure(*axes, bargap=0.35, **layout)
    fig.add_bar(x=[drawn(label) for label in labels], y=list(values), marker={"color": [colour(hue) for hue in hues]})
    _marks(fig, marks)
    look.show(fig, words, {"x": list(labels), axes[1]: list(values)}, f"{key}:figure", height=HEIGHT)


def _name(fig: go.Figure, one: Series, x: Sequence[float]) -> None:
    at = len(x) - 1 if one.at is None else one.at
    logs = fig.layout.xaxis.type == "log", fig.layout.yaxis.type == "log"
    fig.add_annotation(
        x=look.at(float(x[at]), logs[0]),
        y=look.at(float(one.y[at]), logs[1]),
        text=drawn(one.name),
        showarrow=False,
        font={"color": colour(one.hue), "size": 12},
        xanchor="right" if at > 0.8 * len(x) else "left" if at < 0.2 * len(x) else "center",
        yanchor="bottom",
    )


def _marks(fig: go.Figure, marks: Sequence[Mark]) -> None:
    for one in marks:
        draw = look.level if one.level else look.mark
        draw(fig, one.at, drawn(one.text), colour(one.hue), one.dash)


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.18)"


def panels(
    x: Sequence[float],
    upper: Series,
    lower: Series,
    axes: tuple[str, str, str],
    words: str,
    key: str,
    marks: Sequence[Mark] = (),
    **layout: Any,
) -> None:
    """Draw a line above bars over a common x; level marks belong to the line, others to both."""
    fig = look.figure(axes[0], axes[2], **layout)
    fig.update_layout(
        yaxis={"domain": [0, 0.4], "nticks": 3},
        yaxis2={
            "domain": [0.52, 1],
            "title": {"text": axes[1]},
            "automargin": True,
            "fixedrange": True,
            "anchor": "x",
            "rangemode": "tozero",
            "nticks": 4,
        },
    )
    fig.add_scatter(
        x=list(x),
        y=list(upper.y),
        yaxis="y2",
        mode="lines",
        name=drawn(upper.name),
        line={"color": colour(upper.hue), "width": 2.5, "dash": upper.dash},
    )
    fig.add_bar(x=list(x), y=list(lower.y), name=drawn(lower.name), marker={"color": colour(lower.hue)})
    for one in marks:
        _across(fig, one)
    table = {axes[0] or "x": list(x), upper.name: list(upper.y), lower.name: list(lower.y)}
    look.show(fig, words, table, f"{key}:figure", height=HEIGHT)


def _across(fig: go.Figure, one: Mark) -> None:
    """Draw a mark across two panels: at a height of the upper one, or at a place in both."""
    line = {"color": colour(one.hue), "width": 1.5, "dash": one.dash}
    told = {
        "text": drawn(one.text),
        "showarrow": False,
        "yanchor": "bottom",
        "font": {"color": colour(one.hue), "size": 12},
    }
    if one.level:
        fig.add_shape(x0=0, x1=1, y0=one.at, y1=one.at, xref="paper", yref="y2", line=line)
        fig.add_annotation(x=0, xref="paper", xanchor="left", y=one.at, yref="y2", **told)
    else:
        fig.add_shape(x0=one.at, x1=one.at, y0=0, y1=1, yref="paper", line=line)
        fig.add_annotation(x=one.at, y=1, yref="paper", **told)
