"""Figures of released answers: bars and dots with their intervals, strips of quantiles, two crossed groups as a map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discreet.lab.report.datum import Datum
from discreet.lab.report.html_tables import by_two
from discreet.lab.report.publication import Chapter
from discreet.lab.report.svg_figures import lines_of, name_of, number
from discreet.ui.figures import look
from discreet.ui.figures.sketch import Sketch
from discreet.ui.frame.theme import dark
from discreet.ui.frame.words import drawn, say

PALE = (("#f3f7f7", "#7fb8b2"), ("#12201f", "#1f655e"))  # ends of a map: both bear the text of their theme


def comparable(chapter: Chapter) -> bool:
    """Say whether there are two numbers to look at."""
    return sum(datum.place is not None for datum in chapter.data) > 1


def show(chapter: Chapter, key: str) -> None:
    """Draw the numbers of a question, with their words and their data."""
    crossed = by_two(chapter)
    fig = _plain(chapter) if crossed is None else _map(crossed)
    words = say("{what}: {number} numbers with their intervals.", what=say(chapter.statistic), number=len(chapter.data))
    lines = 1 + len(crossed or lines_of(chapter))
    look.show(fig, words, _table(chapter), key, height=max(240, 34 * lines + 90))


def _table(chapter: Chapter) -> dict[str, Sequence[Any]]:
    """Return what the figure shows, as it was released."""
    data = chapter.data
    ends = [datum.interval or (None, None) for datum in data]
    return {
        "name": [name_of((datum,), say) for datum in data],
        "answer": [datum.place for datum in data],
        "low": [low for low, _ in ends],
        "high": [high for _, high in ends],
    }


def _plain(chapter: Chapter) -> Sketch:
    """Return one line for each number, or for the quantiles of a group."""
    fig, lines = look.figure(say(chapter.unit), ""), lines_of(chapter)[::-1]
    colour = look.style(type(chapter.release.request.mechanism).slug)["color"]
    for at, line in enumerate(lines):
        every = [datum for datum in line if datum.place is not None]
        trace = {"x": [datum.place for datum in every], "y": [at] * len(every), "error_x": reach(every, colour)}
        trace["hovertemplate"] = "%{x:.6g}<extra></extra>"
        if chapter.counts:
            fig.add_bar(orientation="h", marker={"color": colour, "opacity": 0.6}, **trace)
        else:
            line_, marker = {"color": colour, "width": 3}, {"color": colour, "size": 10}
            fig.add_scatter(mode="lines+markers" if len(every) > 1 else "markers", line=line_, marker=marker, **trace)
    names = [drawn(f"{name_of(line, say)}  {_said(line)}") for line in lines]
    fig.update_yaxes(tickvals=list(range(len(lines))), ticktext=names, range=[-0.6, len(lines) - 0.4])
    return fig


def _said(line: tuple[Datum, ...]) -> str:
    return number(line[0], say) if len(line) == 1 else ""


def reach(every: Sequence[Datum], colour: str) -> dict[str, Any] | None:
    """Return from where to where intervals reach; nothing where there is none."""
    if not any(datum.interval for datum in every):
        return None
    spans = [(datum.interval or (datum.place, datum.place), datum.place or 0.0) for datum in every]
    above, below = ([abs((span[end] or 0.0) - place) for span, place in spans] for end in (1, 0))
    return {"type": "data", "symmetric": False, "array": above, "arrayminus": below, "color": colour}


def _map(crossed: dict[str, list[Datum]]) -> Sketch:
    """Return two crossed groups, the number and its interval in each cell."""
    fig, rows = look.figure("", "", xaxis={"side": "top"}), list(crossed.items())
    low, high = PALE[dark()]
    fig.add_heatmap(
        z=[[datum.place for datum in line] for _, line in rows],
        x=[drawn(datum.levels[1]) for datum in rows[0][1]],
        y=[drawn(name) for name, _ in rows],
        text=[[_in_cell(datum) for datum in line] for _, line in rows],
        texttemplate="%{text}",
        textfont={"color": look.truth_colour()},
        hovertemplate="%{y}, %{x}: %{text}<extra></extra>",
        colorscale=[[0, low], [1, high]],
        showscale=False,
        xgap=2,
        ygap=2,
    )
    fig.update_yaxes(autorange="reversed", type="category")
    fig.update_xaxes(type="category")
    return fig


def _in_cell(datum: Datum) -> str:
    span = f"<br>{' – '.join(datum.ends)}" if datum.ends and not datum.vague else ""
    return f"{drawn(number(datum, say))}{span}"
