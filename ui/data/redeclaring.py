"""Anew: data in use are declared otherwise, and what is known of how they should be is filled in."""

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
    """Open the declaration of the data in use, to be changed; what is said of one column may be changed already."""
    space = workspace()
    here = space.here
    if here.source is None:
        return
    space.uploads += 1
    names = list(here.source.names)
    lines = table.lines_of(here.dataset.schema, names)
    draft = Draft(here.name, b"", None, here.source, None, 1, number=space.uploads, complete=True, earlier=here)
    draft.lines = layout.taken(draft, lines)
    for name, value in layout.typed(draft, column, ends or {}).items():
        draft.lines.loc[lines["column"] == column, name] = value
    draft.hint = hint
    space.keep(draft)


def perhaps(lines: Sequence[Reading], key: str) -> None:
    """Say how numbers are perhaps written that are not read as they are meant, with a button that declares it so."""
    source = workspace().here.source
    likely = [line for line in lines if line.perhaps]
    for example in dict.fromkeys(line.perhaps for line in likely):
        columns = [line.column for line in likely if line.perhaps == example]
        names = ", ".join(map(quoted, columns))
        st.markdown(
            say("{columns}: perhaps numbers are written like {example}.", columns=names, example=quoted(example))
        )
        if source is not None:
            st.button(
                say("Declare numbers like {example}", example=example),
                key=f"{key}:{example}",
                on_click=_otherwise,
                args=(tuple(columns), example),
            )


def _otherwise(columns: tuple[str, ...], example: str) -> None:
    """Open the declaration with other numbers in some columns."""
    words = Phrase("Numbers are declared like {example} now. Check the bounds, then use these data.", example=example)
    declare_anew(hint=words)
    draft = workspace().draft
    if draft is not None:
        layout.otherwise(draft, columns, example)
