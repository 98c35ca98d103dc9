"""What was read: of open data each column's cells, how many are read, and the first that are not."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from discreet.lab.reading_report import Reported, report
from discreet.rows import OpenData
from discreet.ui.data.anew import perhaps
from discreet.ui.frame.words import number, quoted, say


def show(dataset: OpenData) -> None:
    """Show it, in words where something is not read as it may be meant."""
    lines = report(dataset)
    st.header(say("What was read"), anchor=False)
    doubtful = [line for line in lines if not line.reading.good]
    if doubtful:
        st.warning("\n".join(["", *map(_words, doubtful)]))
        perhaps([line.reading for line in doubtful], "read")
    st.dataframe(_table(lines), hide_index=True, width="stretch")


def _words(line: Reported) -> str:
    """Say how a column is read, and name the first cells that are not."""
    of = line.reading
    read = say("{read} of {all} cells are read.", read=number(of.rows), all=number(line.cells))
    cells = say("Not read: {cells}.", cells=quoted(", ".join(line.unread))) if line.unread else ""
    return f"- {quoted(of.column)}: {read} {cells} {quoted(say(of.verdict))}"


def _table(lines: Sequence[Reported]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                say("Column"): line.reading.column,
                say("Read"): line.reading.rows,
                say("Not read"): 0 if line.reading.unread is None else line.reading.unread.rows,
                say("Missing"): 0 if line.reading.missing is None else line.reading.missing.rows,
                say("First cells that are not read"): " | ".join(line.unread),
                say("What it means"): say(line.reading.verdict),
            }
            for line in lines
        ]
    )
