"""Figures of the lessons: lines, bars and cells, labelled where they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from discreet.ui.figures import look
from discreet.ui.figures.drag import Handle
from discreet.ui.figures.sketch import Sketch
from discreet.ui.frame.words import drawn


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
    x: Sequence[Any],
    series: Sequence[Series],
    axes: tuple[str, str],
    words: str,
    key: str,
    marks: Sequence[Mark] = (),
    grips: Sequence[Handle] = (),
    **layout: Any,
) -> None:
    """Draw lines over a common x, each named at one of its points."""
    fig = look.figure(*axes, **layout)
    for line in series:
        fig.add_scatter(
            x=list(x),
            y=list(line.y),
            name=drawn(line.name),
            mode="markers" if line.marks else "lines",
            line={"color": colour(line.hue), "width": 2.5, "dash": line.dash},
            marker={"color": colour(line.hue), "size": 6},
            fill="tozeroy" if line.fill else None,
            fillcolor=_faint(colour(line.hue)),
        )
        if line.at is None or line.at >= 0:
            _name(fig, line, x)
    _marks(fig, marks)
    table = {axes[0] or "x": list(x)} | {line.name: list(line.y) for line in series}
    look.show(fig, words, table, f"{key}:figure", height=None, grips=grips)


def bars(
    labels: Sequence[Any],
    series: Sequence[Series],
    axes: tuple[str, str],
    words: str,
    key: str,
    marks: Sequence[Mark] = (),
    text: str | None = None,
    grips: Sequence[Handle] = (),
    **layout: Any,
) -> None:
    """Draw bars side by side, with a legend if there are several; `text` formats the values."""
    fig = look.figure(*axes, barmode="group", **layout)
    names = [drawn(label) if isinstance(label, str) else label for label in labels]
    for group in series:
        fig.add_bar(
            x=names,
            y=list(group.y),
            name=drawn(group.name),
            marker={"color": colour(group.hue)},
            texttemplate=None if text is None else f"%{{y:{text}}}",
            textposition="outside",
            cliponaxis=False,
        )
    if len(series) > 1:
        fig.update_layout(showlegend=True, legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"})
    _marks(fig, marks)
    table = {axes[0] or "x": list(labels)} | {group.name: list(group.y) for group in series}
    look.show(fig, words, table, f"{key}:figure", height=None, grips=grips)


def dots(
    labels: Sequence[str],
    values: Sequence[float],
    hues: Sequence[str],
    axes: tuple[str, str],
    words: str,
    key: str,
    **layout: Any,
) -> None:
    """Draw one dot with its number for each label: on a logarithmic axis a bar has no length."""
    fig = look.figure(*axes, **layout)
    fig.add_scatter(
        x=[drawn(label) for label in labels],
        y=list(values),
        mode="markers+text",
        marker={"color": [colour(hue) for hue in hues], "size": 14},
        texttemplate="%{y:.3~g}",
        textposition="top center",
        cliponaxis=False,
    )
    look.show(fig, words, {"x": list(labels), axes[1]: list(values)}, f"{key}:figure", height=None)


def _name(fig: Sketch, line: Series, x: Sequence[float]) -> None:
    at = len(x) - 1 if line.at is None else line.at
    logs = fig.logarithmic("x"), fig.logarithmic("y")
    fig.add_annotation(
        x=look.at(float(x[at]), logs[0]),
        y=look.at(float(line.y[at]), logs[1]),
        text=drawn(line.name),
        showarrow=False,
        font={"color": colour(line.hue), "size": 12},
        xanchor="right" if at > 0.8 * len(x) else "left" if at < 0.2 * len(x) else "center",
        yanchor="bottom",
    )


def _marks(fig: Sketch, marks: Sequence[Mark]) -> None:
    for mark in marks:
        draw = look.level if mark.level else look.mark
        draw(fig, mark.at, drawn(mark.text), colour(mark.hue), mark.dash)


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.18)"
