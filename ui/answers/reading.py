"""Reading: the page of all answers: a table to search, cards of what is chosen, and files to take along."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from discreet.lab.report.publication import chapter, publication
from discreet.ui import notices
from discreet.ui.answers.finding import Answered, FoundLine, amount, lines, sought
from discreet.ui.answers.giving import offer, publications, tables
from discreet.ui.ask import answered as card
from discreet.ui.figures import chapters, side_by_side
from discreet.ui.frame.links import link
from discreet.ui.frame.words import say
from discreet.ui.state import workspace

ROW, MOST_LINES = 35, 14  # how high a line is, in pixels, and how many are seen at once
MOST_CARDS = 20


def read() -> None:
    """Show everything that was released about the data in use, by whatever method."""
    notices.show()
    answered = workspace().here.answered
    if not answered:
        _nothing()
        return
    text = st.text_input(
        say("Search"), key="answers:search", placeholder=say("A statistic, a column, a group"), icon=":material/search:"
    )
    seen = sought(lines(answered), text)
    shown = sorted({line.of for line in seen})
    st.caption(amount(len(seen), len(shown)))
    if not seen:
        st.info(say("No answer holds all of these words."))
        return
    chosen = _table(seen)
    mine = [answered[at] for at in chosen or shown]
    offer([*publications(lambda: publication(mine)), *tables(mine)], "answers", "answers:take")
    _cards(answered, chosen)


def _nothing() -> None:
    """Say where answers come from."""
    st.info(say("Nothing was released about these data yet. What you ask, on whatever page, is kept here."))
    with st.container(horizontal=True):
        link("plan", say("Plan a publication"), "checklist")
        link("smooth_sensitivity", say("Ask a question"))


def _table(seen: Sequence[FoundLine]) -> list[int]:
    """Show the lines; return the answers of those that are chosen, as they stand in the table."""
    cells = pd.DataFrame([line.cells for line in seen])
    picked = st.dataframe(
        cells.loc[:, (cells != "").any()],
        hide_index=True,
        width="stretch",
        height=ROW * (min(len(seen), MOST_LINES) + 1) + 3,
        on_select="rerun",
        selection_mode="multi-row",
        key="answers:table",
    )
    rows = [at for at in picked.selection.rows if at < len(seen)]  # of a longer table that was searched since
    return list(dict.fromkeys(seen[at].of for at in rows))


def _cards(answered: Sequence[Answered], chosen: Sequence[int]) -> None:
    """Show the chosen answers, each with a figure where it has several numbers."""
    if not chosen:
        st.caption(say("Choose lines of the table to see how each answer was given, and to take it along."))
        return
    side_by_side.compare([chapter(*answered[at]) for at in chosen[:MOST_CARDS]], "answers:compare")
    for at in chosen[:MOST_CARDS]:
        drawn = chapter(*answered[at])
        if chapters.comparable(drawn):
            chapters.show(drawn, f"answers:figure:{answered[at][0].id}")
        card.show(*answered[at])
    if len(chosen) > MOST_CARDS:
        st.caption(say("Only the first {most} are shown.", most=MOST_CARDS))
