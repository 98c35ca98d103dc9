"""Answer cards: what was asked, what came out, how, what it cost, when; each to take along."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.curator import Release, Request, Schema
from discreet.curator.export import numbers, releases_csv, releases_json, script
from discreet.curator.meaning import as_read, no_answer, no_interval, parts
from discreet.ui.ask.units import unit_of
from discreet.ui.frame import links
from discreet.ui.frame.questions import in_words
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.state import workspace

SHOWN = 5


def show(release: Release, fresh: bool = False) -> None:
    """Show one release as a card."""
    with st.container(border=True):
        if fresh:
            st.badge(say("new"), icon=":material/check:", color="green")
        st.text(in_words(release.request))
        if release.request.by or isinstance(release.answer, tuple):
            _table(release)
        else:
            _single(release)
        read(release.request, workspace().dataset.schema)
        st.caption(
            say(
                "{how} · cost {cost} · {when} UTC · entry {entry} of the ledger",
                how=quoted(say(release.request.mechanism.title)),
                cost=release.cost,
                when=f"{release.at:%Y-%m-%d %H:%M}",
                entry=release.entry + 1,
            )
        )
        _take_along(release)


def read(request: Request, schema: Schema) -> None:
    """Say in one line of which rows an answer is, and as what they count."""
    told = "; ".join(say(part) for part in as_read(request, schema))
    st.caption(quoted(say("As read: {how}.", how=told)))


def _single(release: Release) -> None:
    if release.refused:
        st.subheader(say("refused"), anchor=False)
        st.caption(say(no_answer(release.request)))
        return
    unit = unit_of(release.request, workspace().dataset.schema)
    st.subheader(quoted(_sensible(release) + unit), anchor=False)
    if release.interval:
        low, high = release.interval
        st.caption(
            say(
                "19 times in 20 the value of the rows as read lies between {low} and {high}.",
                low=number(low, 5),
                high=number(high, 5),
            )
        )
    elif isinstance(release.answer, str):
        st.caption(say("A choice, not a number: the forecast says how far it may be from the best."))
    else:
        st.caption(quoted(say("No interval: {why}", why=say(no_interval(release.request)))))


def _sensible(release: Release) -> str:
    """Write an answer with the digits that its interval supports, all others cut."""
    answer = release.answer
    if not isinstance(answer, float):
        return number(answer)
    if release.interval:
        width = (release.interval[1] - release.interval[0]) / 2
        places = max(0, min(12, 2 - len(f"{width:.0f}") if width >= 1 else _places(width)))
        return f"{answer:,.{places}f}"
    return number(answer, 6)


def _places(width: float) -> int:
    return 1 - int(f"{width:e}".split("e")[1])


def _table(release: Release) -> None:
    """Show the answers of groups or of several counts in a table."""
    if release.request.by:
        lines = [
            {say("Group"): group, say("Answer"): cell(value), say("19 in 20"): span(interval)}
            for group, value, interval in numbers(release)
        ]
    else:
        lines = [
            {say("Part"): name, say("Answer"): cell(value)}
            for name, value in zip(_parts(release), release.answer, strict=False)  # type: ignore[arg-type]
        ]
    st.dataframe(pd.DataFrame(lines), hide_index=True, width="stretch")


def cell(value: Any) -> str:
    """Write one answer of several."""
    return say("refused") if value is None else number(value, 6)


def span(interval: Any) -> str:
    """Write an interval, if there is one."""
    return f"{number(interval[0], 5)} – {number(interval[1], 5)}" if interval else "–"


def _parts(release: Release) -> list[str]:
    """Name the numbers of an answer that has several, by their places where they have no names."""
    known = parts(release.request, workspace().dataset.schema)
    places = range(1, len(release.answer) + 1)  # type: ignore[arg-type]
    return [say(name) if isinstance(name, Phrase) else name for name in known or map(str, places)]


def _take_along(release: Release) -> None:
    """Offer the answer as JSON and CSV, and the question as a script; each made when asked for."""
    ledger = workspace().curator.ledger
    if ledger.lasting:  # its answers have cards
        files(release.id)
        return
    schema, limit = workspace().dataset.schema, ledger.limit
    with st.popover(say("Take along"), icon=":material/download:", type="tertiary"):
        for label, data, ending, mime in (
            ("JSON", lambda: releases_json([release], schema), "json", "application/json"),
            ("CSV", lambda: releases_csv([release], schema), "csv", "text/csv"),
            (
                say("Python script that asks the same"),
                lambda: script(release.request, schema, limit),
                "py",
                "text/x-python",
            ),
        ):
            st.download_button(
                label,
                data,
                f"release-{release.id[:8]}.{ending}",
                mime,
                on_click="ignore",
                key=f"take:{release.id}:{ending}",
                width="stretch",
            )


def files(request: str) -> None:
    """Offer the card of a registered request."""
    links.files(say("Card as a file"), f"/card/{request}")


def history(mechanisms: set[str], fresh: str | None = None) -> None:
    """Show this browser's answers of some mechanisms, newest first."""
    space = workspace()
    mine = [r for r in space.curator.releases if type(r.request.mechanism).slug in mechanisms]
    if not mine:
        st.info(say("No answer yet. An answer costs budget and stays here."))
        return
    pages = -(-len(mine) // SHOWN)
    at = st.pagination(pages, key=f"answers:{sorted(mechanisms)[0]}") if pages > 1 else 1
    for release in mine[::-1][(at - 1) * SHOWN : at * SHOWN]:
        show(release, release.id == fresh)
