"""Row by row: what a plan asks, by which method and how exactly, and what came out, one line for each."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from discreet.curator.request import Request
from discreet.office.asked import Inquiry
from discreet.rows import Schema
from discreet.rows.work import groups
from discreet.ui.frame.results import answer_lines
from discreet.ui.frame.wording import in_words
from discreet.ui.frame.words import number, say
from discreet.ui.office.details import Section

ROW, MOST_LINES = 35, 12  # how high a line is, in pixels, and how many are seen at once


def table(asked: Inquiry, rows: Sequence[Section], schema: Schema) -> None:
    """Show every row of a plan, and its numbers where it is answered."""
    _lines([_line(at, *row, schema) for at, row in enumerate(zip(asked.request.rows, rows, strict=True), 1)])
    if asked.release is not None:
        st.markdown(f"**{say('Answers')}**")
        places = enumerate(asked.answers, 1)
        _lines([{say("Row"): str(at)} | line for at, release in places for line in answer_lines(release, schema)])


def choose(asked: Inquiry) -> int:
    """Ask which row the rest of the card is about; return its place."""
    titles = [f"{at}. {in_words(row)}" for at, row in enumerate(asked.request.rows, 1)]
    label = say("Look at row")
    return int(st.selectbox(label, range(len(titles)), key=f"card:{asked.id}:row", format_func=titles.__getitem__))


def _line(at: int, request: Request, row: Section, schema: Schema) -> dict[str, str]:
    """Return what is asked in a row: by which method, of how many groups, how exactly, and what it alone would lose."""
    width, vague = row["accuracy"]["half_width"], row["accuracy"]["warning"]
    return {
        say("Row"): str(at),
        say("What"): in_words(request),
        say("Error, 19 in 20"): ("–" if width is None else f"± {number(width, 3)}") + " ⚠" * (vague is not None),
        say("ε by itself"): number(row["guarantee"]["epsilon"]),
        say("Groups"): str(groups(request, schema)) if request.groups else "–",
        say("Method"): say(row["mechanism"]["name"]),
    }


def _lines(lines: Sequence[dict[str, str]]) -> None:
    height, help = ROW * (min(len(lines), MOST_LINES) + 1) + 3, say("⚠ The answer would say next to nothing.")
    text = st.column_config.TextColumn
    looks = {say("What"): text(width="medium"), say("Error, 19 in 20"): text(help=help)}
    st.dataframe(pd.DataFrame(lines), hide_index=True, width="stretch", height=height, column_config=looks)
