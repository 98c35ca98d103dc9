"""Answered: a card for each answer: what was asked, what came out, how, what it cost, when."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.curator import Release
from discreet.lab.report.meaning import no_answer, no_interval, parts
from discreet.lab.report.sheets import numbers
from discreet.rows import Schema
from discreet.ui.ask.digits import sensible
from discreet.ui.ask.keepsake import take_along
from discreet.ui.frame.results import as_read, group_line, part_line, within
from discreet.ui.frame.units import unit_of
from discreet.ui.frame.wording import in_words
from discreet.ui.frame.words import quoted, say
from discreet.ui.state import workspace

SHOWN = 5


def history(mechanisms: set[str], fresh: str | None = None) -> None:
    """Show this browser's answers of some mechanisms, newest first."""
    space = workspace()
    mine = [pair for pair in space.here.answered if type(pair[0].request.mechanism).slug in mechanisms]
    if not mine:
        st.info(say("No answer yet. An answer costs budget and stays here."))
        return
    pages = -(-len(mine) // SHOWN)
    at = st.pagination(pages, key=f"answers:{sorted(mechanisms)[0]}") if pages > 1 else 1
    for release, schema in mine[::-1][(at - 1) * SHOWN : at * SHOWN]:
        show(release, schema, release.id == fresh)


def show(release: Release, schema: Schema, fresh: bool = False) -> None:
    """Show one release as a card, by the declaration under which it was given."""
    with st.container(border=True):
        if fresh:
            st.badge(say("new"), icon=":material/check:", color="green")
        st.text(in_words(release.request))
        if release.request.by or isinstance(release.answer, tuple):
            _table(release, schema)
        else:
            _single(release, schema)
        as_read(release.request, schema)
        st.caption(
            say(
                "{how} · cost {cost} · {when} UTC · entry {entry} of the ledger",
                how=quoted(say(release.request.mechanism.title)),
                cost=release.cost,
                when=f"{release.at:%Y-%m-%d %H:%M}",
                entry=release.entry + 1,
            )
        )
        take_along(release, schema)


def _single(release: Release, schema: Schema) -> None:
    """Show the one number or choice of an answer, and how sure it is."""
    if release.refused:
        st.subheader(say("refused"), anchor=False)
        st.caption(say(no_answer(release.request)))
        return
    unit = unit_of(release.request, schema)
    st.subheader(quoted(sensible(release) + unit), anchor=False)
    if release.interval:
        within(release.interval)
    elif isinstance(release.answer, str):
        st.caption(say("A choice, not a number: the forecast says how far it may be from the best."))
    else:
        st.caption(quoted(say("No interval: {why}", why=say(no_interval(release.request)))))


def _table(release: Release, schema: Schema) -> None:
    """Show the answers of groups or of several counts in a table."""
    if release.request.by:
        lines = [group_line(group, value, interval) for group, value, interval in numbers(release)]
    else:
        lines = [part_line(name, value) for name, value in zip(_parts(release, schema), release.answer, strict=False)]  # type: ignore[arg-type]
    st.dataframe(pd.DataFrame(lines), hide_index=True, width="stretch")


def _parts(release: Release, schema: Schema) -> list[str]:
    """Name the numbers of an answer that has several, by their places where they have no names."""
    names = parts(release.request, schema)
    places = range(1, len(release.answer) + 1)  # type: ignore[arg-type]
    return [say(name) if isinstance(name, Phrase) else name for name in names or map(str, places)]
