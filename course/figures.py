"""Figures of the lessons: lines, bars and cells with direct labels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discreet.ui.figures import people, theme
from discreet.ui.figures.drag import Handle
from discreet.ui.figures.theme import Sketch
from discreet.ui.frame.families import TOKENS
from discreet.ui.frame.formulas import raised
from discreet.ui.frame.words import drawn

WHOLE = ","  # the format of whole numbers, some of which may be negative
SHARES = {".0%": 0, ".1%": 1}  # the formats of shares, by their decimal places
LIFT = 5  # pixels from a line to its name
CLOSER = 2  # further decimal places that a share near 0 or 1 may take
BESIDE = 16  # pixels from the middle of a person to their name
UNDER = {
    "orientation": "h",
    "y": 0,
    "yanchor": "bottom",
    "yref": "container",
}  # the axis title: there it lies on nothing
LISTED: dict[str, Any] = {"showlegend": True, "legend": UNDER}
SPAN_AT = 0.6  # of the figure, the position of the bar of a distance


@dataclass(frozen=True)
class Series:
    """A named line or set of bars in its own colour.

    The colour is that of a meaning, or of a family of mechanisms. `at` is the index of the point with the
    name (the last one by default, none if negative), which is above the point, or with a side (-1 or 1) beside it.
    """

    name: str
    y: Sequence[float]
    hue: str = "result"
    dash: str = "solid"
    at: int | None = None
    fill: bool = False
    marks: bool = False
    side: int = 0


@dataclass(frozen=True)
class Mark:
    """A labelled line across the figure, at an x or y position.

    With a side (-1 or 1) its label is inside the figure, before or after the line. An upright label stands along the
    line: many lines may be named side by side.
    """

    at: float
    text: str
    hue: str = "quiet"
    dash: str = "dot"
    level: bool = False
    side: int = 0
    upright: bool = False

    def draw(self, fig: Sketch) -> None:
        """Draw the line."""
        if self.upright:
            theme.upright(fig, self.at, named(self.text), colour(self.hue), self.dash)
            return
        draw = theme.level if self.level else theme.mark
        draw(fig, self.at, named(self.text), colour(self.hue), self.dash, self.side)


@dataclass(frozen=True)
class Distance:
    """The distance between two positions of an axis."""

    ends: tuple[float, float]
    text: str
    hue: str
    level: bool = False

    def draw(self, fig: Sketch) -> None:
        """Draw a bar from one position to the other, with the distance on it."""
        along, across = ("y", "x") if self.level else ("x", "y")
        ends = {f"{along}{end}": place for end, place in enumerate(self.ends)}
        lies: dict[str, Any] = {f"{across}{end}": SPAN_AT for end in (0, 1)}
        references = {f"{along}ref": along, f"{across}ref": f"{across} domain"}
        fig.add_shape(line={"color": colour(self.hue), "width": 6}, **ends, **lies, **references)
        middle = sum(theme.at(place, fig.logarithmic(along)) for place in self.ends) / 2
        anchor = {"xanchor": "right", "xshift": -8} if self.level else {"yanchor": "bottom", "yshift": 4}
        place = {along: middle, across: SPAN_AT, f"{across}ref": "paper"}
        theme.name(fig, named(self.text), colour(self.hue), **place, **anchor)


@dataclass(frozen=True)
class Shade:
    """A shaded range of the x axis; a level one, of the y axis."""

    low: float
    high: float
    hue: str = "quiet"
    level: bool = False

    def draw(self, fig: Sketch) -> None:
        """Shade it."""
        fig.add_band(self.low, self.high, colour(self.hue), self.level)


@dataclass(frozen=True)
class Face:
    """A person of the town who stands at a position; `gone` leaves an empty outline.

    `shift` to the right and `lift` are in pixels.
    """

    name: str
    at: float
    height: float
    hue: str
    gone: bool = False
    shift: float = 0.0
    text: str = ""
    lift: float = 0.0

    def draw(self, fig: Sketch) -> None:
        """Draw the person, with a text beside."""
        for shape in people.shapes(
            self.name.split(" ")[0],
            self.at,
            self.height,
            colour(self.hue),
            theme.colour("ground"),
            self.gone,
            self.shift,
            self.lift,
        ):
            fig.add_shape(**shape)
        if self.text:
            place = {"x": self.at, "y": self.height, "xanchor": "left", "yanchor": "bottom"}
            theme.name(fig, self.text, colour(self.hue), **place, xshift=self.shift + BESIDE, yshift=LIFT + self.lift)


def percent(share: float, places: int = 0) -> str:
    """Format a share: only 0 and 1 themselves read 0% and 100%, others take as many decimal places as they need."""
    if share <= 0 or share >= 1:
        return f"{share:.{0 if share in (0, 1) else places}%}"
    for further in range(CLOSER + 1):
        text = f"{share:.{places + further}%}"
        if float(text[:-1]) not in (0.0, 100.0):
            return text
    least = 10.0 ** -(places + CLOSER + 2)
    return f"< {least:.{places + CLOSER}%}" if share < 0.5 else f"> {1 - least:.{places + CLOSER}%}"


def named(text: str) -> str:
    """Return the name of a part of a figure as its letters."""
    return raised(drawn(text))


def colour(name: str) -> str:
    """Return the colour of a meaning, or of a family of mechanisms."""
    return theme.colour(name) if name in TOKENS else theme.hue(name)


def lines(
    x: Sequence[Any],
    series: Sequence[Series],
    axes: tuple[str, str],
    words: str,
    key: str,
    marks: Sequence[Mark | Distance | Shade] = (),
    grips: Sequence[Handle] = (),
    **layout: Any,
) -> None:
    """Draw lines over a common x, each labelled at one of its points."""
    fig = theme.figure(*axes, **layout)
    for line in series:
        fig.add_scatter(
            x=list(x),
            y=list(line.y),
            name=named(line.name),
            mode="markers" if line.marks else "lines",
            line={"color": colour(line.hue), "width": 2.5, "dash": line.dash},
            marker={"color": colour(line.hue), "size": 6},
            fill="tozeroy" if line.fill else None,
            fillcolor=theme.faint(colour(line.hue), 0.18),
        )
        if line.at is None or line.at >= 0:
            _name(fig, line, x)
    for mark in marks:
        mark.draw(fig)
    table = {axes[0] or "x": list(x)} | {line.name: list(line.y) for line in series}
    theme.show(fig, words, table, f"{key}:figure", height=None, grips=grips)


def bars(
    labels: Sequence[Any],
    series: Sequence[Series],
    axes: tuple[str, str],
    words: str,
    key: str,
    marks: Sequence[Mark | Distance | Shade | Face] = (),
    text: str | None = None,
    grips: Sequence[Handle] = (),
    **layout: Any,
) -> None:
    """Draw bars side by side, with a legend if there are several; `text` formats the values."""
    fig = theme.figure(*axes, barmode="group", **layout)
    names = [named(label) if isinstance(label, str) else label for label in labels]
    for group in series:
        fig.add_bar(
            x=names,
            y=list(group.y),
            name=named(group.name),
            marker={"color": colour(group.hue)},
            texttemplate=None if text in (None, WHOLE, *SHARES) else f"%{{y:{text}}}",
            text=_written(group.y, text),
            textposition="outside",
            cliponaxis=False,
        )
    if len(series) > 1:
        fig.update_layout(showlegend=True, legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"})
    for mark in marks:
        mark.draw(fig)
    table = {axes[0] or "x": list(labels)} | {group.name: list(group.y) for group in series}
    theme.show(fig, words, table, f"{key}:figure", height=None, grips=grips)


def crowd(
    faces: Sequence[Face],
    marks: Sequence[Mark],
    axis: str,
    words: str,
    table: Mapping[str, Sequence[Any]],
    key: str,
    **layout: Any,
) -> None:
    """Draw people at their positions, with lines across them."""
    fig = theme.figure(axis, "", **layout)
    for mark in marks:
        mark.draw(fig)
    for face in faces:
        face.draw(fig)
    theme.show(fig, words, dict(table), f"{key}:figure", height=None)


def _written(values: Sequence[float], form: str | None) -> list[str] | None:
    """Write the values of bars where Plotly's own format would not do."""
    if form in SHARES:
        return [percent(value, SHARES[form]) for value in values]
    return [_whole(value) for value in values] if form == WHOLE else None


def _whole(value: float) -> str:
    """Format the value of a bar, with a minus sign where Plotly writes a hyphen."""
    return f"{value:,}".replace("-", "−")


def dots(
    labels: Sequence[str],
    values: Sequence[float],
    hues: Sequence[str],
    axes: tuple[str, str],
    words: str,
    key: str,
    texts: Sequence[str] = (),
    start: float = 1.0,
    **layout: Any,
) -> None:
    """Draw one dot with its number in the row of each label: on a logarithmic axis a bar has no length.

    `texts` name the dots where one stands at the end of the axis for a number beyond it; there is no dot for a value
    that is none, whose text stands at `start`.
    """
    fig = theme.figure(axes[0].replace(" (", " <br>("), axes[1], **layout)  # names of rows leave it little width
    fig.update_layout(yaxis={"autorange": "reversed"})
    places = [start if math.isnan(value) else value for value in values]
    middle = sum(fig.axis("x")["range"]) / 2
    fig.add_scatter(
        x=places,
        y=[named(label) for label in labels],
        mode="markers+text",
        marker={"color": [colour(hue) for hue in hues], "size": [0 if math.isnan(value) else 14 for value in values]},
        text=list(texts) or None,
        texttemplate="%{text}" if texts else "%{x:.3~g}",
        textposition=[f"top {'left' if theme.at(place, True) > middle else 'right'}" for place in places],
        cliponaxis=False,
    )
    theme.show(fig, words, {"x": list(labels), axes[0]: list(texts) or list(values)}, f"{key}:figure", height=None)


def _name(fig: Sketch, line: Series, x: Sequence[float]) -> None:
    at = len(x) - 1 if line.at is None else line.at
    logs = fig.logarithmic("x"), fig.logarithmic("y")
    anchor = "right" if at > 0.8 * len(x) else "left" if at < 0.2 * len(x) else "center"
    theme.name(
        fig,
        named(line.name),
        colour(line.hue),
        x=theme.at(float(x[at]), logs[0]),
        y=theme.at(float(line.y[at]), logs[1]),
        **(_aside(line.side) if line.side else {"xanchor": anchor, "yanchor": "bottom", "yshift": LIFT}),
    )


def _aside(side: int) -> dict[str, Any]:
    return {"xanchor": "left" if side > 0 else "right", "yanchor": "middle", "xshift": 2 * LIFT * side}


# Figures of two panels over one axis: a line above bars, or bars above bars.

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
    fig = theme.figure(axes[0], axes[2], **layout)
    fig.update_layout(yaxis=LOWER, yaxis2=UPPER | {"title": {"text": axes[1]}})
    fig.add_scatter(
        x=list(x),
        y=list(upper.y),
        yaxis="y2",
        mode="lines",
        name=named(upper.name),
        line={"color": colour(upper.hue), "width": 2.5, "dash": upper.dash},
    )
    fig.add_bar(x=list(x), y=list(lower.y), name=named(lower.name), marker={"color": colour(lower.hue)})
    for mark in marks:
        _across(fig, mark)
    table = {axes[0] or "x": list(x), upper.name: list(upper.y), lower.name: list(lower.y)}
    theme.show(fig, words, table, f"{key}:figure", height=None)


def _across(fig: Sketch, mark: Mark) -> None:
    """Draw a mark across two panels: at a height of the upper one, or at a position in both."""
    line = {"color": colour(mark.hue), "width": 1.5, "dash": mark.dash}
    label = {
        "text": named(mark.text),
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
    """Draw bars above other bars with a different unit; marks and handles belong to the upper ones."""
    fig = theme.figure(axes[0], axes[1], barmode="group", **layout)
    fig.update_layout(yaxis={"domain": UPPER["domain"]}, xaxis={"anchor": "y2"})
    fig.update_layout(yaxis2=BELOW | {"title": {"text": axes[2]}}, showlegend=True)
    fig.update_layout(legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"})
    names = [named(label) for label in labels]
    for series, axis in ((upper, "y"), *((each, "y2") for each in lower)):
        style = {"marker": {"color": colour(series.hue)}, "showlegend": axis == "y2"}  # the upper bars need no legend
        fig.add_bar(x=names, y=list(series.y), yaxis=axis, name=named(series.name), **style)
    for mark in marks:
        mark.draw(fig)
    table = {axes[0] or "x": list(labels)} | {series.name: list(series.y) for series in (upper, *lower)}
    theme.show(fig, words, table, f"{key}:figure", height=None, grips=grips)
