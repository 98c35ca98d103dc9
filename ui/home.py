"""Home: the sentence and the picture that say what this is for, three ways to begin, and recent work."""

from __future__ import annotations

import streamlit as st

from discreet.budget import Cost
from discreet.curator import Release
from discreet.lab.samples import SAMPLES
from discreet.plans import Plan, Wanted
from discreet.report.html import number as printed
from discreet.report.numbers import data
from discreet.rows import Schema
from discreet.rows.filters import Filter
from discreet.ui.figures.push import push
from discreet.ui.frame.links import link, offered, primary, to_managers
from discreet.ui.frame.words import in_words, named, quoted, say
from discreet.ui.session.budgets import PROJECT
from discreet.ui.session.state import workspace
from discreet.ui.session.workspace import Workspace

# Sample: a finished plan of six numbers about the first sample.

SAMPLE = next(iter(SAMPLES))
SIX = (
    Wanted("count", "age", interval=True),
    Wanted("count", "age", where=(Filter("income", "=", "over 50K"),), interval=True),
    Wanted("mean", "age", interval=True),
    Wanted("mean", "education_years", interval=True),
    Wanted("mean", "hours", interval=True),
    Wanted("median", "hours", interval=True),
)
TOTAL = Cost.of("0.6")
LAST = 3
LESSON = "lesson_1_deidentification"


def try_sample() -> None:
    """Work on the sample, with the finished plan on its Plan page; what was planned there can be brought back."""
    space = workspace()
    space.current = SAMPLE
    sheet = space.sheet
    sheet.open(Plan(SIX, TOTAL, sheet.common.people))


# Page: sentence, picture, three cards, and what one was doing.


def show() -> None:
    """Draw the page."""
    st.title(say("Publish numbers about people without giving any person away."), anchor=False)
    st.markdown(say("For anyone who publishes statistics. ε limits what results reveal about anyone."))
    picture, ways = st.columns([6, 5], gap="medium")
    with picture, st.container(border=True, key="push"):
        st.markdown(f"**{say('Drag Mia, then change the noise.')}**")
        push("home:push")
    with ways:
        _cards()
        _recent(workspace())


def _cards() -> None:
    with st.container(border=True):
        if primary(say("Try it on a sample"), icon=":material/play_arrow:", width="stretch", key="home:sample"):
            try_sample()
            st.switch_page("../pages/plan.py")
        st.markdown(say("Six numbers, simulated people."))
    with st.container(border=True):
        if st.button(say("Use my table"), icon=":material/upload:", width="stretch", key="home:table"):
            st.switch_page("../pages/dataset.py")
        st.markdown(say("Rows stay hidden by default."))
        to_managers()
    if offered(LESSON):
        with st.container(border=True):
            if st.button(say("Guess first"), icon=":material/person_search:", width="stretch", key="home:guess"):
                st.switch_page(f"../pages/{LESSON}.py")
            st.markdown(say("Lesson 1: found without a name"))
            link("lessons", say("Local sensitivity in ten minutes"), "school", {"path": "start"})


def _recent(space: Workspace) -> None:
    """Show the dataset in use and its latest results, with the way back to them; nothing if nothing was begun."""
    page = _left_off(space)
    if not page:
        return
    with st.container(border=True, key="recent"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            name = named(space.here.name) if space.draft is None else space.draft.name
            st.markdown(f"**{quoted(name)}**", width="content")
            if space.browser == PROJECT:
                st.badge(say("saved"), icon=":material/save:", color="gray")
            with st.container(width="content"):
                link(page, say("Continue"))
        lines = [f"{quoted(words)} **{quoted(value)}**" for words, value in _latest(space)]
        if lines:
            st.markdown("  \n".join(lines))


def _latest(space: Workspace) -> list[tuple[str, str]]:
    """Return the latest results of the dataset in use, newest first: what was asked, and the result in short."""
    newest = space.here.answered[: -LAST - 1 : -1]
    return [(in_words(release.request, schema), _short(release, schema)) for release, schema in newest]


def _short(release: Release, schema: Schema) -> str:
    """Return a result as its card prints it, with its interval, or how many values it has."""
    if release.refused:
        return say("no result")
    every = data(release, schema)
    if len(every) != 1:
        return say("{number} values", number=len(every))
    value = printed(every[0], say)
    if every[0].vague or not every[0].ends:
        return value
    low, high = every[0].ends
    return say("{value} (95% interval: {low} – {high})", value=value, low=low, high=high)


def _left_off(space: Workspace) -> str:
    """Return the page where work goes on: a draft, else results, a plan or a first query; empty if there is no work."""
    if space.draft is not None:
        return "dataset"
    if not (space.worked or space.registered or space.browser == PROJECT or space.sheets):
        return ""
    if space.here.answered:
        return "results"
    planned = any(sheet.items for (dataset, _), sheet in space.sheets.items() if dataset == space.current)
    return "plan" if planned else "query" if space.worked or space.registered else ""
