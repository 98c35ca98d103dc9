"""Redeclaring: a new schema for the dataset in use, prefilled with what is known."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.budget import Phrase
from discreet.lab.reading_check import Reading
from discreet.ui.data import layout, table
from discreet.ui.frame.words import quoted, say
from discreet.ui.kinds import Line
from discreet.ui.session.state import workspace
from discreet.ui.session.workspace import Draft


def declare_anew(column: str = "", ends: Line | None = None, hint: str = "") -> None:
    """Open the schema of the dataset in use for editing, with a proposed change to one column."""
    space = workspace()
    here = space.here
    if here.source is None:
        return
    space.uploads += 1
    names = list(here.source.names)
    lines = table.lines_of(here.dataset.schema, names)
    draft = Draft(here.name, b"", None, here.source, None, 1, number=space.uploads, complete=True, earlier=here)
    draft.lines = layout.taken(draft, lines)
    draft.derived = table.derived_of(here.dataset.schema)
    for name, value in layout.typed(draft, column, ends or {}).items():
        draft.lines.loc[lines["column"] == column, name] = value
    draft.hint = hint
    space.keep(draft)


def perhaps(lines: Sequence[Reading], key: str) -> None:
    """Show how numbers that cannot be read may be written, with a button that declares it."""
    source = workspace().here.source
    likely = [line for line in lines if line.perhaps]
    for example in dict.fromkeys(line.perhaps for line in likely):
        columns = [line.column for line in likely if line.perhaps == example]
        names = ", ".join(map(quoted, columns))
        st.markdown(
            say("{columns}: the numbers may be written like {example}.", columns=names, example=quoted(example))
        )
        if source is not None:
            st.button(
                say("Declare numbers like {example}", example=example),
                key=f"{key}:{example}",
                on_click=_otherwise,
                args=(tuple(columns), example),
            )


def _otherwise(columns: tuple[str, ...], example: str) -> None:
    """Open the schema for editing, with another number format in some columns."""
    words = Phrase(
        "Numbers are now declared like {example}. Check the bounds, then select “Use this dataset”.", example=example
    )
    declare_anew(hint=words)
    draft = workspace().draft
    if draft is not None:
        layout.otherwise(draft, columns, example)
