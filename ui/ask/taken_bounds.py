"""Taken bounds: bounds that were released become those of their column, in a declaration that is still to be used."""

from __future__ import annotations

import streamlit as st

from discreet.budget import Phrase
from discreet.curator import Release
from discreet.ui.data.anew import declare_anew
from discreet.ui.frame.words import quoted, say
from discreet.ui.kinds import Line
from discreet.ui.state import workspace


def take_bounds(release: Release) -> None:
    """Offer to declare the column with the bounds of an answer about all of its rows."""
    ends = bounds_of(release)
    (column, *_), here = release.request.columns, workspace().here
    if not ends or here.source is None or column not in here.dataset.schema.numbers:
        return
    label = say("Use as bounds of {column}", column=quoted(column))
    if st.button(label, icon=":material/straighten:", type="tertiary", key=f"bounds:{release.id}"):
        origin = say("released, entry {entry} of the ledger", entry=release.entry + 1)
        declare_anew(column, ends | {"origin": origin}, _hint(column))
        st.switch_page("../pages/data.py")


def _hint(column: str) -> Phrase:
    return Phrase(
        "The bounds of {column} are those that were released. Values outside are moved to the nearest one. "
        "Look at all columns, then press “Use these data”: answers and what was spent stay.",
        column=column,
    )


def bounds_of(release: Release) -> Line:
    """Return which ends an answer proposes; none where it is about some rows, about a choice, or refused."""
    request = release.request
    names = next((topic.bounds for topic in type(request.mechanism).topics() if topic.bounds), ())
    if release.refused or request.where or request.groups or not names:
        return {}
    values = release.answer if isinstance(release.answer, tuple) else (release.answer,)
    return dict(zip(names, values, strict=True))
