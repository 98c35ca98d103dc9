"""Look: colours, layout, and how a figure comes on the screen with its words and its data."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import streamlit as st

from discreet.lab.report.sheets import safe_csv
from discreet.mechanisms import former, registry
from discreet.ui.figures import decades
from discreet.ui.figures.drag import Handle, handles
from discreet.ui.figures.sketch import Sketch
from discreet.ui.frame.faces import HUES, QUIET
from discreet.ui.frame.theme import dark
from discreet.ui.frame.words import say

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MARKS = ("circle", "square", "diamond", "triangle-up", "x", "cross")
TRUTH = ("#31333f", "#fafafa")
GROUND = ("rgba(255,255,255,0.8)", "rgba(23,22,20,0.8)")  # behind names: a line through letters hides them
WRITTEN_OUT = ","  # 20,000 and not 20k
DAY = 86_400_000  # milliseconds
# where an axis holds days: written as they lie apart, in figures that read alike in both languages
AS_DATES: dict[str, Any] = {
    "tickformat": "",
    "tickformatstops": [
        {"dtickrange": [None, DAY - 1], "value": "%H:%M\n%Y-%m-%d"},
        {"dtickrange": [DAY, 27 * DAY], "value": "%Y-%m-%d"},
        {"dtickrange": ["M1", "M11"], "value": "%Y-%m"},
        {"dtickrange": ["M12", None], "value": "%Y"},
    ],
}
TOP, ROW = 28, 16  # pixels above a figure: for one row of labels, and for each further one
TICKS = 4  # named places of an axis, beside the first
SHARES: dict[str, Any] = {  # an axis of shares at the right of a figure, beside its own at the left
    "overlaying": "y",
    "side": "right",
    "range": [0, 1.05],
    "tickformat": ".0%",
    "showgrid": False,
    "fixedrange": True,
}
TALL = "tall"  # what is as tall as the screen has room for: ui/brand/page.css says how much
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
    """Return colour, dash and mark of a mechanism: the same in every figure."""
    family, place = _places().get(slug, ("", 0))
    return {"color": hue(family), "dash": DASHES[place % len(DASHES)], "symbol": MARKS[place % len(MARKS)]}


def truth_colour() -> str:
    """Return the colour of the truth."""
    return TRUTH[dark()]


def quiet() -> str:
    """Return the colour of what only helps to read."""
    return QUIET[dark()]


def figure(x: str, y: str, **layout: Any) -> Sketch:
    """Return an empty figure with titled axes and room for its labels only."""
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
    """Draw a labelled line at a place on the x axis; the label is above the figure, or on a side of the line."""
    fig.add_vline(x=x, line={"color": colour, "width": 2, "dash": dash}, name=text)
    if not text:  # and no row above the figure, which would be lower for it
        return
    beside: dict[str, Any] = {"y": 0.5, "xanchor": "left" if side > 0 else "right", "xshift": 4 * side}
    name(fig, text, colour, x=at(x, fig.logarithmic("x")), yref="paper", **(beside if side else _above(fig)))


def name(fig: Sketch, text: str, colour: str, **place: Any) -> None:
    """Write what something on a figure is called, in its colour, where it can be read over lines."""
    font = {"color": colour, "size": 12}
    fig.add_annotation(text=text, showarrow=False, font=font, bgcolor=GROUND[dark()], borderpad=0, **place)


def _above(fig: Sketch) -> dict[str, Any]:
    """Return the row above the figure that is still empty: labels of lines that stand close would cover each other."""
    row = sum(label.get("yref") == "paper" and label.get("yanchor") == "bottom" for label in fig.annotations)
    fig.update_layout(margin={"t": TOP + ROW * row})
    return {"y": 1, "yanchor": "bottom", "yshift": ROW * row}


def name_places(fig: Sketch, low: float, high: float, shown: Callable[[float], str]) -> None:
    """Write at places of the x axis what they are called, instead of numbers."""
    places = [low + (high - low) * step / TICKS for step in range(TICKS + 1)]
    fig.update_xaxes(tickvals=places, ticktext=[shown(place) for place in places])


def at(place: float, logarithmic: bool) -> float:
    """Return where an annotation belongs: on a logarithmic axis, at the logarithm."""
    return math.log10(place) if logarithmic else place


def level(fig: Sketch, y: float, text: str, colour: str, dash: str = "dash", side: int = 0) -> None:
    """Draw a labelled line at a height on the y axis; the label is on its left, or at its right below or above it."""
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
    """Put a figure on the screen with its words, its PNG (in its corner) and its data; without a height it grows."""
    decades.name(fig)
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


def _data(table: Mapping[str, Sequence[Any]], key: str) -> None:
    """Offer the numbers of a figure, if there are any yet."""
    if not any(table.values()):
        return

    def text() -> str:
        return safe_csv(list(table), zip(*table.values(), strict=True))

    st.download_button(
        say("Data of this figure"),
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
