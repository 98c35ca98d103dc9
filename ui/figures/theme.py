"""Theme: colours and layout of figures, and how a figure is shown with its description and data."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import streamlit as st
from plotly.basedatatypes import BaseFigure  # type: ignore[import-untyped]

from discreet.mechanisms import former, registry
from discreet.report.tables import safe_csv
from discreet.ui.figures.drag import Handle, handles
from discreet.ui.frame.families import HUES, INTERVAL, QUIET, TOKENS
from discreet.ui.frame.links import dark
from discreet.ui.frame.words import say

# Sketch: a figure as plain values, named as in Plotly's own figures.

# Defaults of Streamlit's theme for Plotly that these figures do not set themselves. The browser fills in the rest, and
# needs the object in which to do so.
TEMPLATE: dict[str, Any] = {"data": {"scatter": [{"marker": {"line": {"width": 0}}}]}, "layout": {}}


class Sketch(BaseFigure):  # type: ignore[misc]
    """A figure that Streamlit sends unchanged, because its class is a figure class."""

    def __init__(self, **layout: Any) -> None:
        """Start with a layout and no traces."""
        self._traces: list[dict[str, Any]] = []
        self._page: dict[str, Any] = {"template": TEMPLATE, "shapes": [], "annotations": []}
        self.update_layout(**layout)

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as it is sent."""
        return {"data": self._traces, "layout": self._page}

    def axis(self, letter: str) -> dict[str, Any]:
        """Return the current properties of an axis."""
        said: dict[str, Any] = self._page.get(f"{letter}axis", {})
        return said

    def places(self, letter: str) -> list[float]:
        """Return the numbers drawn along an axis, without those of other axes with the same letter."""
        drawn = (trace.get(letter) for trace in self._traces if trace.get(f"{letter}axis", letter) == letter)
        return [float(place) for places in drawn if places is not None for place in places]

    def logarithmic(self, axis: str) -> bool:
        """Whether positions on an axis are logarithms."""
        return bool(self.axis(axis).get("type") == "log")

    @property
    def annotations(self) -> list[dict[str, Any]]:
        """Return the current annotations."""
        written: list[dict[str, Any]] = self._page["annotations"]
        return written

    def update_layout(self, **layout: Any) -> None:
        """Update the layout; other properties are kept.

        A property of an axis may be named in one word: `xaxis_type`.
        """
        for name, value in layout.items():
            part, _, inner = name.partition("_")
            _merge(self._page, {part: {inner: value}} if inner else {part: value})

    def update_xaxes(self, **axis: Any) -> None:
        """Update the x axis."""
        self.update_layout(xaxis=axis)

    def update_yaxes(self, **axis: Any) -> None:
        """Update the y axis."""
        self.update_layout(yaxis=axis)

    def add_scatter(self, **trace: Any) -> None:
        """Add points, or a line through them."""
        self._trace("scatter", trace)

    def add_bar(self, **trace: Any) -> None:
        """Add bars."""
        self._trace("bar", trace)

    def add_vline(self, x: float, line: dict[str, Any], name: str = "") -> None:
        """Add a vertical line at an x position."""
        self.add_shape(x0=x, x1=x, y0=0, y1=1, xref="x", yref="y domain", line=line, **_called(name))

    def add_hline(self, y: float, line: dict[str, Any], name: str = "") -> None:
        """Add a horizontal line at a y position."""
        self.add_shape(x0=0, x1=1, y0=y, y1=y, xref="x domain", yref="y", line=line, **_called(name))

    def add_band(self, low: float, high: float, colour: str, level: bool = False) -> None:
        """Shade a range of the x axis; a level one, of the y axis."""
        along, across = ("y", "x") if level else ("x", "y")
        ends: dict[str, Any] = {f"{along}0": low, f"{along}1": high, f"{across}0": 0, f"{across}1": 1}
        ends |= {f"{along}ref": along, f"{across}ref": f"{across} domain"}
        self.add_shape(type="rect", fillcolor=colour, opacity=INTERVAL[dark()], line={"width": 0}, **ends)

    def add_box(self, **trace: Any) -> None:
        """Add a box with the quartiles of many values."""
        self._trace("box", trace)

    def add_shape(self, **shape: Any) -> None:
        """Add a line or another shape, drawn below the traces."""
        self._page["shapes"].append({"type": "line"} | shape)

    def add_annotation(self, **words: Any) -> None:
        """Add a text at a position."""
        self._page["annotations"].append(words)

    def _trace(self, kind: str, trace: dict[str, Any]) -> None:
        self._traces.append({"type": kind} | {name: value for name, value in trace.items() if value is not None})


def _merge(old: dict[str, Any], new: dict[str, Any]) -> None:
    for name, value in new.items():
        if isinstance(value, dict):
            _merge(old.setdefault(name, {}), value)
        else:
            old[name] = value


def _called(name: str) -> dict[str, str]:
    """Return the name of a shape, if it has one."""
    return {"name": name} if name else {}


# Decades: which ticks of a logarithmic axis are labelled, so that the labels have room.


# up to this number of decades, 1, 2 and 5 of each are labelled: labels are side by side on one axis and stacked on the
# other; a phone has room for six and fifteen
FEW = {"x": 1.5, "y": 4.0}
LEAST = math.log10(5)  # on a shorter axis, 1, 2 and 5 may label one tick or none: Plotly chooses
MOST = {"x": 6, "y": 15}  # labelled decades


def name_decade(fig: Sketch) -> None:
    """Choose the labels of logarithmic axes that have no explicit ticks."""
    for letter in ("x", "y"):
        axis = fig.axis(letter)
        if axis.get("type") == "log" and not axis.keys() & {"dtick", "tickvals"}:
            width = axis["range"][1] - axis["range"][0] if "range" in axis else span(fig.places(letter))
            if width >= LEAST:
                fig.update_layout(**{f"{letter}axis_dtick": steps(letter, width)})


def span(places: Iterable[float]) -> float:
    """Return how many decades the numbers cover; non-positive numbers are left out."""
    real = [place for place in places if math.isfinite(place) and place > 0]
    return math.log10(max(real) / min(real)) if real else 0.0


def steps(letter: str, decades: float) -> str | int:
    """Return the tick step: 1, 2 and 5 of each decade, each decade, or every n-th."""
    return "D2" if decades <= FEW[letter] else max(1, math.ceil(decades / MOST[letter]))


DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MARKS = ("circle", "square", "diamond", "triangle-up", "x", "cross")
GROUND = 0.8  # how much of the ground is behind names: a line through letters would hide them
WRITTEN_OUT = ","  # 20,000 instead of 20k
DAY = 86_400_000  # milliseconds
# for an axis of days: more detail for shorter ranges, in a format readable in both languages
AS_DATES: dict[str, Any] = {
    "tickformat": "",
    "tickformatstops": [
        {"dtickrange": [None, DAY - 1], "value": "%H:%M\n%Y-%m-%d"},
        {"dtickrange": [DAY, 27 * DAY], "value": "%Y-%m-%d"},
        {"dtickrange": ["M1", "M11"], "value": "%Y-%m"},
        {"dtickrange": ["M12", None], "value": "%Y"},
    ],
}
HEIGHTS = 0.04, 0.5  # of a figure, where labels along lines begin
TOP, ROW = 28, 16  # pixels above a figure: for one row of labels, and for each further one
TICKS = 4  # labelled ticks of an axis, besides the first
SHARES: dict[str, Any] = {  # an axis of shares at the right of a figure with its own axis at the left
    "overlaying": "y",
    "side": "right",
    "range": [0, 1.05],
    "tickformat": ".0%",
    "showgrid": False,
    "fixedrange": True,
}
TALL = "tall"  # as tall as the screen allows, see ui/brand/page.css
CONFIG = {"displaylogo": False, "modeBarButtons": [["toImage"]], "displayModeBar": "hover"}


@lru_cache(maxsize=1)
def _places() -> dict[str, tuple[str, int]]:
    seen: dict[str, int] = {}
    places = {}
    for slug, kind in (*sorted(registry.items()), *sorted(former.items())):
        name = "exhibit" if kind.open_only else kind.family.key
        places[slug] = (name, seen.get(name, 0))
        seen[name] = seen.get(name, 0) + 1
    return places


def hue(family: str) -> str:
    """Return the colour of a family by its key."""
    return HUES.get(family, QUIET)[dark()]


def style(slug: str) -> dict[str, str]:
    """Return colour, dash and marker of a mechanism, equal in every figure."""
    family, place = _places().get(slug, ("", 0))
    return {"color": hue(family), "dash": DASHES[place % len(DASHES)], "symbol": MARKS[place % len(MARKS)]}


def truth_colour() -> str:
    """Return the colour of the true value, which is an outline or a dotted line and never filled."""
    return colour("truth")


def quiet() -> str:
    """Return the colour of auxiliary elements."""
    return colour("quiet")


def colour(meaning: str) -> str:
    """Return the colour of a meaning."""
    return TOKENS[meaning][dark()]


def faint(colour: str, share: float) -> str:
    """Return a colour with so much of it that what is below remains visible."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share:g})"


def hollow() -> dict[str, Any]:
    """Return bars of exact numbers: outlines in ink."""
    return {"color": faint(truth_colour(), 0), "line": {"color": truth_colour(), "width": 1.5}}


def truth(fig: Sketch, x: float, text: str) -> None:
    """Mark the true value of public data: a dotted line with its name."""
    mark(fig, x, text, truth_colour(), "dot")


def figure(x: str, y: str, **layout: Any) -> Sketch:
    """Return an empty figure with axis titles and margins for its labels only."""
    fig = Sketch(
        margin={"l": 8, "r": 8, "t": TOP, "b": 8},
        showlegend=False,
        xaxis={"title": {"text": x}, "tickformat": WRITTEN_OUT, "automargin": True, "fixedrange": True},
        yaxis={"title": {"text": y}, "tickformat": WRITTEN_OUT, "automargin": True, "fixedrange": True},
        hoverlabel={"namelength": -1},
    )
    fig.update_layout(**layout)
    return fig


def mark(fig: Sketch, x: float, text: str, colour: str, dash: str = "solid", side: int = 0) -> None:
    """Draw a labelled line at an x position; the label is above the figure, or on a side of the line."""
    fig.add_vline(x=x, line={"color": colour, "width": 2, "dash": dash}, name=text)
    if not text:  # without a label, no row is reserved above the figure
        return
    beside: dict[str, Any] = {"y": 0.5, "xanchor": "left" if side > 0 else "right", "xshift": 4 * side}
    name(fig, text, colour, x=at(x, fig.logarithmic("x")), yref="paper", **(beside if side else _above(fig)))


def upright(fig: Sketch, x: float, text: str, colour: str, dash: str) -> None:
    """Draw a line at an x position with its label along it; labels of lines side by side are at two heights."""
    fig.add_vline(x=x, line={"color": colour, "width": 1.5, "dash": dash}, name=text)
    lower = sum("textangle" in label for label in fig.annotations) % len(HEIGHTS)
    height = {"y": HEIGHTS[lower], "yref": "paper", "yanchor": "bottom"}
    place = {"x": at(x, fig.logarithmic("x")), "xanchor": "right"} | height
    name(fig, text, colour, textangle=-90, **place)


def name(fig: Sketch, text: str, colour: str, **place: Any) -> None:
    """Write the name of an element of a figure in its colour, with a background, so that lines do not hide it."""
    font = {"color": colour, "size": 12}
    ground = faint(TOKENS["ground"][dark()], GROUND)
    fig.add_annotation(text=text, showarrow=False, font=font, bgcolor=ground, borderpad=0, **place)


def _above(fig: Sketch) -> dict[str, Any]:
    """Return the next empty row above the figure: labels of nearby lines would overlap in one row."""
    row = sum(label.get("yref") == "paper" and label.get("yanchor") == "bottom" for label in fig.annotations)
    fig.update_layout(margin={"t": TOP + ROW * row})
    return {"y": 1, "yanchor": "bottom", "yshift": ROW * row}


def name_places(fig: Sketch, low: float, high: float, shown: Callable[[float], str]) -> None:
    """Label positions of the x axis by names instead of numbers."""
    places = [low + (high - low) * step / TICKS for step in range(TICKS + 1)]
    fig.update_xaxes(tickvals=places, ticktext=[shown(place) for place in places])


def at(place: float, logarithmic: bool) -> float:
    """Return the coordinate of an annotation: on a logarithmic axis, the logarithm."""
    return math.log10(place) if logarithmic else place


def level(fig: Sketch, y: float, text: str, colour: str, dash: str = "dash", side: int = 0) -> None:
    """Draw a labelled line at a y position; the label is on its left, or at its right below or above it."""
    fig.add_hline(y=y, line={"color": colour, "width": 1.5, "dash": dash}, name=text)
    if not text:
        return
    end = {"x": 1, "xanchor": "right"} if side else {"x": 0, "xanchor": "left"}
    place = {"y": at(y, fig.logarithmic("y")), "yanchor": "top" if side < 0 else "bottom"}
    name(fig, text, colour, xref="paper", **end, **place)


def show(
    fig: Sketch,
    alt: str,
    table: Mapping[str, Sequence[Any]],
    key: str,
    height: int | None = 320,
    grips: Sequence[Handle] = (),
) -> None:
    """Show a figure with its description, its PNG (in its corner) and its data; without a height it grows."""
    name_decade(fig)
    darken_axes(fig)
    if height is None:
        with st.container(key=f"{TALL}-{key}"):
            st.plotly_chart(fig, height="stretch", config=CONFIG, key=key, alt=alt)
    else:
        st.plotly_chart(fig, height=height, config=CONFIG, key=key, alt=alt)

    if grips:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            _data(table, key)
            handles(f"{TALL}-{key}", grips)
    else:
        _data(table, key)


def darken_axes(fig: Sketch) -> None:
    """Write names and places of all axes in the quiet colour of the page: the theme's own grey is too pale."""
    for name in [part for part in fig.to_dict()["layout"] if re.fullmatch(r"[xy]axis\d*", part)]:
        fig.update_layout(**{name: {"tickfont": {"color": quiet()}, "title": {"font": {"color": quiet()}}}})


def _data(table: Mapping[str, Sequence[Any]], key: str) -> None:
    """Offer the data of a figure, if there are any yet."""
    if not any(table.values()):
        return

    def text() -> str:
        return safe_csv(list(table), zip(*table.values(), strict=True))

    st.download_button(
        say("Data in this figure"),
        text,
        file_name=f"{key.split(':')[-1]}.csv",
        mime="text/csv",
        key=f"{key}:data",
        type="tertiary",
        icon=":material/table:",
        on_click="ignore",
    )


def title(slug: str) -> str:
    """Return the short name of a mechanism."""
    kinds = registry | former
    return say(kinds[slug].title) if slug in kinds else slug
