"""Answered: a card for each answer: what was asked, what came out, how, what it cost, when."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.curator import Release
from discreet.lab.report.dated import written
from discreet.lab.report.meaning import no_answer, no_interval
from discreet.lab.report.population import population
from discreet.mechanisms.families import Family
from discreet.rows import Schema
from discreet.ui import notices
from discreet.ui.ask.keepsake import take_along
from discreet.ui.ask.refining import more_exactly
from discreet.ui.ask.taken_bounds import take_bounds
from discreet.ui.frame.results import answer, as_read, off_by, sampled
from discreet.ui.frame.wording import in_words
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.state import workspace

SHOWN = 5


def history(families: Sequence[Family], fresh: str | None = None) -> None:
    """Show this browser's answers of the mechanisms of a page, newest first."""
    notices.show()
    space = workspace()
    mine = [pair for pair in space.here.answered if pair[0].request.mechanism.family in families]
    if not mine:
        st.info(say("No answer yet. An answer costs budget and stays here."))
        return
    pages = -(-len(mine) // SHOWN)
    at = st.pagination(pages, key=f"answers:{families[0].key}") if pages > 1 else 1
    for release, schema in mine[::-1][(at - 1) * SHOWN : at * SHOWN]:
        show(release, schema, release.id == fresh)


def show(release: Release, schema: Schema, fresh: bool = False) -> None:
    """Show one release as a card, by the declaration under which it was given."""
    with st.container(border=True):
        if fresh:
            st.badge(say("new"), icon=":material/check:", color="green")
        st.text(in_words(release.request))
        answer(release, schema)
        if not release.request.groups and not isinstance(release.answer, tuple):
            _worth(release, schema)
        off_by(release.request, schema)
        as_read(release.request, schema)
        st.caption(_terms(release))
        with st.container(horizontal=True):
            take_along(release, schema)
            more_exactly(release, schema)
            take_bounds(release)


def _terms(release: Release) -> str:
    """Say how an answer was given, what it cost and when."""
    return say(
        "{how} · cost {cost} · {when} UTC · entry {entry} of the ledger{finer}",
        how=quoted(say(release.request.mechanism.title)),
        cost=release.cost,
        when=f"{release.at:%Y-%m-%d %H:%M}",
        entry=release.entry + 1,
        finer="" if release.refines is None else say(" · a finer answer, for the difference"),
    )


def _worth(release: Release, schema: Schema) -> None:
    """Say how sure the one number or choice of an answer is."""
    if release.refused:
        st.caption(say(no_answer(release.request)))
    elif release.interval:
        sampled(written(release.request, schema, population(release, schema)))
        if release.size is not None:
            st.caption(say("Of about {rows} rows: that number is noisy, too.", rows=number(max(release.size, 0.0), 3)))
    elif isinstance(release.answer, str):
        st.caption(say("A choice, not a number: the forecast says how far it may be from the best."))
    else:
        st.caption(quoted(say("No interval: {why}", why=say(no_interval(release.request)))))
