"""Sketches: what is sent without a look is what Plotly's own figures would send."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import plotly.graph_objects as go  # type: ignore[import-untyped]
import pytest
from playwright.sync_api import Browser

from discreet.budget import Total
from discreet.report.html import FIGURES, Axis, rows
from discreet.ui.figures import answers, curves, theme
from discreet.ui.figures.theme import Sketch


def _draw(fig: Any) -> None:
    """Draw what the figures of this house draw."""
    fig.update_layout(margin={"l": 8}, showlegend=False, xaxis={"title": {"text": "x"}}, yaxis={"fixedrange": True})
    fig.update_layout(xaxis_type="log", yaxis_range=[0, 1], yaxis={"domain": [0, 0.4]}, title={"text": "t"})
    fig.update_xaxes(tickvals=[1, 2], ticktext=["a", "b"])
    fig.update_yaxes(tickformat=".0%")
    fig.add_scatter(x=[1, 2], y=[3, 4], mode="lines", fill=None, line={"color": "#123456", "width": 3})
    fig.add_bar(x=["a"], y=[1], marker={"color": "#123456", "line": {"width": 0}}, texttemplate=None)
    fig.add_box(x=[1, 2, 3], name="n", boxpoints=False, orientation="h")
    fig.add_annotation(x=0, xref="paper", y=1, text="here", showarrow=False, font={"color": "#123456"})
    fig.add_shape(type="line", x0=0, x1=1, y0=2, y1=2, xref="paper", yref="y2", line={"dash": "dot"})


def test_a_sketch_says_what_a_figure_of_plotly_says() -> None:
    """The same calls, the same figure, but for the part of the theme that nothing here uses."""
    mine, theirs = Sketch(), go.Figure()
    for fig in (mine, theirs):
        _draw(fig)
        fig.add_vline(x=1.5, line={"color": "#123456"})
        fig.add_hline(y=0.5, line={"color": "#654321"})
    theirs.add_vrect(x0=1, x1=2, fillcolor="#123456", opacity=0.26, line_width=0)
    mine.add_band(1, 2, "#123456")
    drawn = [go.Figure(**mine.to_dict()).to_dict(), theirs.to_dict()]
    for fig in drawn:
        fig["layout"].pop("template")  # Streamlit's for every kind of chart, against what two kinds need
    assert drawn[0] == drawn[1]


def test_one_figure_is_no_part_of_the_next() -> None:
    """What is said of a figure stays with it: they share no axis, no mark and no template."""
    theme.level(theme.figure("x", "y", xaxis_type="log"), 1.0, "here", "#123456")
    fresh = theme.figure("x", "y").to_dict()["layout"]
    assert "type" not in fresh["xaxis"] and not fresh["shapes"] and not fresh["annotations"]
    assert fresh["template"]["layout"] == {}


def test_a_wrong_word_in_a_figure_is_caught_by_the_tests() -> None:
    """Every figure that a page draws in these tests is looked at by Plotly (`conftest.py`)."""
    wrong = theme.figure("x", "y")
    wrong.add_bar(x=[1], y=[2], markers={"colour": "#123456"})
    with pytest.raises(ValueError, match="markers"):
        wrong.to_dict()


def test_places_of_a_logarithmic_axis_have_room_for_their_names() -> None:
    """Few decades name 1, 2 and 5 of each, more only the first, many every other; nothing that is no number counts."""
    assert theme.span([0.2, 20.0, float("nan"), -1.0]) == pytest.approx(2) and theme.span([]) == 0
    assert [theme.steps("y", wide) for wide in (2, 6, 31)] == ["D2", 1, 3]
    fig = theme.figure("x", "y", xaxis_type="log", yaxis={"type": "log", "range": [0, 5]})
    fig.add_scatter(x=[100, 10_000], y=[1, 2])
    theme.name_decade(fig)
    assert [fig.axis(letter)["dtick"] for letter in "xy"] == [1, 1]
    plain = theme.figure("x", "y", xaxis_type="log", xaxis_tickvals=[1, 10])
    theme.name_decade(plain)
    short = theme.figure("x", "y", yaxis_type="log")
    short.add_scatter(x=[1], y=[0.21, 0.49])
    theme.name_decade(short)
    assert "dtick" not in short.axis("y")
    beside = theme.figure("x", "y", yaxis_type="log", yaxis2={"overlaying": "y"})
    beside.add_scatter(x=[1], y=[1, 8])
    beside.add_scatter(x=[1], y=[1e-9, 1], yaxis="y2")
    theme.name_decade(beside)
    assert beside.axis("y")["dtick"] == "D2"
    assert "dtick" not in plain.axis("x") and "dtick" not in plain.axis("y")


def test_labels_of_lines_that_stand_close_do_not_cover_each_other() -> None:
    """Each line above the figure has a row of its own, and the figure room for all; one beside its line needs none."""
    fig = theme.figure("x", "y")
    theme.mark(fig, 1.0, "beside", "#123456", side=1)
    for place in (1.0, 1.001):
        theme.mark(fig, place, "truth", "#123456")
    rows = [words.get("yshift") for words in fig.annotations]
    assert rows == [None, 0, theme.ROW] and fig.to_dict()["layout"]["margin"]["t"] == theme.TOP + theme.ROW


def test_names_of_many_lines_stand_below_each_other_and_are_seen_whole() -> None:
    """The margin has a line for each line of a name; the legend is lower than where it would begin to scroll."""
    names = ["a", "b<br>c", "d"]
    fig = theme.figure("x", "y")
    for name in names:
        fig.add_scatter(x=[1], y=[1], name=name)
    below = curves._list_names(fig)
    layout = fig.to_dict()["layout"]
    assert below == 4 * curves.LINE and layout["margin"]["b"] == below + curves.AXIS and layout["showlegend"]
    assert layout["legend"]["maxheight"] * (340 + 30 * curves.LINE) > 30 * curves.LINE
    alone = theme.figure("x", "y")
    alone.add_scatter(x=[1], y=[1])
    assert curves._list_names(alone) == 0 and not alone.to_dict()["layout"]["showlegend"]


def test_a_total_is_written_as_beside_it_and_has_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """The longest bar leaves room for its number."""
    drawn = list[theme.Sketch]()
    monkeypatch.setattr(theme, "show", lambda fig, *_, **__: drawn.append(fig))
    curves.views([Total("Basic", 0.567_811, 1e-5, True, "")], ["0.5679"])
    (bar,) = drawn[0].to_dict()["data"]
    assert bar["text"] == ["0.5679"] and drawn[0].axis("x")["range"][1] > 1.4 * 0.567_811


def test_the_last_place_of_an_axis_is_where_its_label_is(chromium: Browser) -> None:
    """On a phone a long label is not pulled inwards, where the dot of a smaller number would stand above it."""
    scale = Axis(0.0, 40_000.0, 20_000.0)
    figure = rows([(("people",), (), "7,575")], scale, "{:,.0f}".format, "Count")
    page = chromium.new_page(viewport={"width": 360, "height": 300})
    page.set_content(f"<style>{FIGURES}</style><div class=fig>{figure}</div>")
    ticks, last = (page.locator(each).bounding_box() for each in (".ticks", ".last"))
    page.close()
    assert ticks is not None and last is not None
    assert abs(last["x"] + last["width"] / 2 - ticks["x"] - ticks["width"]) < 1


def test_boxes_of_errors_end_inside_their_axis(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of results that are exact, or at the bounds; an axis of six decades has three labels or more."""
    drawn: list[Sketch] = []
    monkeypatch.setattr(theme, "show", lambda fig, *_rest, **_more: drawn.append(fig))
    held: list[Any] = [np.full(9, 60.0), np.geomspace(2e-4, 0.02, 9), np.zeros(9)]
    each: list[Any] = [SimpleNamespace(title=f"M{at}", slug="") for at in range(3)]
    results: list[Any] = [SimpleNamespace(errors=one, summary=lambda one=one: {"q95": one.max()}) for one in held]
    answers.errors(each, results, "errors")
    low, high = drawn[0].axis("x")["range"]
    ends = [math.log10(place) for trace in drawn[0].to_dict()["data"] for place in trace["x"]]
    assert low - 1e-9 <= min(ends) and max(ends) < high and min(end for end in ends if end > low + 1e-9) > low + 0.1
    assert theme.steps("x", 5.8) == 1 and theme.steps("x", 7) == 2
