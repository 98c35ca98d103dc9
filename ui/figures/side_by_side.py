"""Side by side: numbers of several answers in one figure, for each unit they are in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discreet.lab.report.datum import Datum
from discreet.lab.report.publication import Chapter
from discreet.lab.report.svg_figures import name_of, number
from discreet.ui.figures import look
from discreet.ui.figures.chapters import reach
from discreet.ui.figures.sketch import Sketch
from discreet.ui.frame.wording import in_words
from discreet.ui.frame.words import drawn, say

MOST_LINES, LINE = 40, 72  # and how high one is, in pixels
Line = tuple[Chapter, Datum]


def compare(chosen: Sequence[Chapter], key: str) -> None:
    """Draw the numbers of several answers, those in one unit beside each other."""
    units: dict[str, list[Line]] = {}
    for chapter in chosen:
        for datum in chapter.data:
            if datum.place is not None:
                units.setdefault(chapter.unit, []).append((chapter, datum))
    for at, (unit, lines) in enumerate(units.items()):
        if len({id(chapter) for chapter, _ in lines}) > 1:
            _draw(unit, lines[:MOST_LINES], f"{key}:{at}")


def _draw(unit: str, lines: Sequence[Line], key: str) -> None:
    names = _names(lines)
    words = say("{number} numbers of several answers with their intervals.", number=len(lines))
    table: dict[str, Sequence[Any]] = {
        "name": [", ".join(name.splitlines()) for name in names],
        "answer": [datum.place for _, datum in lines],
        "low": [(datum.interval or (None, None))[0] for _, datum in lines],
        "high": [(datum.interval or (None, None))[1] for _, datum in lines],
    }
    height = LINE * len(lines) + 90
    look.show(_figure(unit, lines[::-1], names[::-1]), words, table, key, height=max(240, height))


def _figure(unit: str, lines: Sequence[Line], names: Sequence[str]) -> Sketch:
    """Return one line for each number, in the colour of its mechanism."""
    fig = look.figure(say(unit), "")
    for at, (chapter, datum) in enumerate(lines):
        style = look.style(type(chapter.release.request.mechanism).slug)
        fig.add_scatter(
            x=[datum.place],
            y=[at],
            mode="markers",
            marker={"color": style["color"], "size": 10},
            error_x=reach([datum], style["color"]),
            hovertemplate="%{x:.6g}<extra></extra>",
        )
    said = [
        "<br>".join(map(drawn, (*name.splitlines(), number(datum, say))))
        for name, (_, datum) in zip(names, lines, strict=True)
    ]
    fig.update_yaxes(tickvals=list(range(len(lines))), ticktext=said, range=[-0.6, len(lines) - 0.4])
    return fig


def _names(lines: Sequence[Line]) -> list[str]:
    """Name every number, with its mechanism where it would not be told from another one."""
    names = [_name(*line) for line in lines]
    doubled = {name for name in names if names.count(name) > 1}
    return [
        f"{name}\n{say(chapter.release.request.mechanism.title)}" if name in doubled else name
        for name, (chapter, _) in zip(names, lines, strict=True)
    ]


def _name(chapter: Chapter, datum: Datum) -> str:
    """Name a number by its question, its group and its part, and by what it cost."""
    group = name_of((datum,), say)
    question = f"{in_words(chapter.release.request)}{', ' if group else ''}{group}"
    return f"{question}\nε = {chapter.cost.epsilon:g}"
