"""Proposing: the table of declarations as the names of the columns suggest it, and what that stands on."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from discreet.rows import Schema
from discreet.rows.columns import Kind
from discreet.rows.proposals import Proposals
from discreet.ui.data import declare
from discreet.ui.frame.words import quoted, say

MOST_NAMED = 8


def lines(names: Sequence[str], proposals: Proposals) -> pd.DataFrame:
    """Return the table of declarations, filled where names, types or labels say what a column is."""
    columns: dict[str, Kind] = {name: part.declared(say(part.why)) for name, part in proposals.items()}
    return declare.lines_of(Schema(columns), list(names))


def note(columns: Sequence[str], lines: pd.DataFrame, labels: bool) -> None:
    """Say which columns are proposed, and that nobody has looked into the file for it; labels may be made of it."""
    first, more = columns[:MOST_NAMED], len(columns) - MOST_NAMED
    listed = ", ".join(quoted(name) for name in first)
    st.info(
        say(
            "Proposed by names, types and labels, without a look at any row: {columns}{more}.",
            columns=listed,
            more=_more(more),
        )
        + " "
        + say("Correct what is meant otherwise: an analyst who trusts a wrong bound gets a wrong answer.")
        + _spelled([name for name in columns if name in set(lines.loc[lines["levels"] != "", "column"])]),
        icon=":material/lightbulb:",
    )
    if labels:
        st.warning(
            say("Some programs make labels out of the rows. Strike out every level that not everybody knows anyway.")
        )


def _spelled(columns: Sequence[str]) -> str:
    """Say that levels are read to the letter, of the columns for which some are proposed."""
    if not columns:
        return ""
    listed = ", ".join(quoted(name) for name in columns[:MOST_NAMED]) + _more(len(columns) - MOST_NAMED)
    return " " + say(
        "Levels count as they are spelled, small and capital letters too: look at {columns}.", columns=listed
    )


def _more(many: int) -> str:
    return say(" and {many} more", many=many) if many > 0 else ""
