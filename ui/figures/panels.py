"""Figures of two panels over one axis: a line above bars, or bars above bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discreet.ui.figures import look
from discreet.ui.figures.drag import Handle
from discreet.ui.figures.learn import Distance, Mark, Series, colour
from discreet.ui.figures.sketch import Sketch
from discreet.ui.frame.words import drawn

LOWER: dict[str, Any] = {"domain": [0, 0.4], "nticks": 3}
UPPER: dict[str, Any] = {
    "domain": [0.52, 1],
    "automargin": True,
    "fixedrange": True,
    "anchor": "x",
    "rangemode": "tozero",
    "nticks": 4,
}
BELOW: dict[str, Any] = {"domain": [0, 0.38], "automargin": True, "fixedrange": True, "anchor": "x", "nticks": 4}


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
    fig.update_layout(yaxis=LOWER, yaxis2=UPPER | {"title": {"text": axes[1]}})
    fig.add_scatter(
        x=list(x),
        y=list(upper.y),
        yaxis="y2",
        mode="lines",
        name=drawn(upper.name),
        line={"color": colour(upper.hue), "width": 2.5, "dash": upper.dash},
    )
    fig.add_bar(x=list(x), y=list(lower.y), name=drawn(lower.name), marker={"color": colour(lower.hue)})
    for mark in marks:
        _across(fig, mark)
    table = {axes[0] or "x": list(x), upper.name: list(upper.y), lower.name: list(lower.y)}
    look.show(fig, words, table, f"{key}:figure", height=None)


def _across(fig: Sketch, mark: Mark) -> None:
    """Draw a mark across two panels: at a height of the upper one, or at a place in both."""
    line = {"color": colour(mark.hue), "width": 1.5, "dash": mark.dash}
    label = {
        "text": drawn(mark.text),
        "showarrow": False,
        "yanchor": "bottom",
        "font": {"color": colour(mark.hue), "size": 12},
    }
    if mark.level:
        fig.add_shape(x0=0, x1=1, y0=mark.at, y1=mark.at, xref="paper", yref="y2", line=line, name=label["text"])
        fig.add_annotation(x=0, xref="paper", xanchor="left", y=mark.at, yref="y2", **label)
    else:
        fig.add_shape(x0=mark.at, x1=mark.at, y0=0, y1=1, yref="paper", line=line, name=label["text"])
        fig.add_annotation(x=mark.at, y=1, yref="paper", **label)


def bar_panels(
    labels: Sequence[str],
    upper: Series,
    lower: Sequence[Series],
    axes: tuple[str, str, str],
    words: str,
    key: str,
    marks: Sequence[Mark | Distance] = (),
    grips: Sequence[Handle] = (),
    **layout: Any,
) -> None:
    """Draw bars above other bars that are measured in something else; marks and handles belong to the upper ones."""
    fig = look.figure(axes[0], axes[1], barmode="group", **layout)
    fig.update_layout(yaxis={"domain": UPPER["domain"]}, xaxis={"anchor": "y2"})
    fig.update_layout(yaxis2=BELOW | {"title": {"text": axes[2]}}, showlegend=True)
    fig.update_layout(legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"})
    names = [drawn(label) for label in labels]
    for series, axis in ((upper, "y"), *((each, "y2") for each in lower)):
        style = {
            "marker": {"color": colour(series.hue)},
            "showlegend": axis == "y2",
        }  # the upper ones are by themselves
        fig.add_bar(x=names, y=list(series.y), yaxis=axis, name=drawn(series.name), **style)
    for mark in marks:
        mark.draw(fig)
    table = {axes[0] or "x": list(labels)} | {series.name: list(series.y) for series in (upper, *lower)}
    look.show(fig, words, table, f"{key}:figure", height=None, grips=grips)
