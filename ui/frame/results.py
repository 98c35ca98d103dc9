"""Results: how an answer, a part of it and its interval are written, on screens and on cards."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import streamlit as st

from discreet.curator import Release, Request
from discreet.lab.report import meaning
from discreet.lab.report.datum import data
from discreet.lab.report.population import ASSUMED
from discreet.lab.report.publication import Chapter
from discreet.lab.report.svg_figures import name_of
from discreet.lab.report.svg_figures import number as printed
from discreet.rows import Schema
from discreet.ui.frame.units import unit_of
from discreet.ui.frame.words import number, quoted, say


def as_read(request: Request, schema: Schema) -> None:
    """Say in one line of which rows an answer is, and as what they count."""
    reading = "; ".join(say(part) for part in meaning.as_read(request, schema))
    st.caption(quoted(say("As read: {how}.", how=reading)))


def off_by(request: Request, schema: Schema) -> None:
    """Say how far an answer is from its true rank at most, where it has one."""
    rows = meaning.off_by(request, schema)
    if rows is not None:
        st.caption(say(rows))


def sampled(interval: tuple[float | str, float | str] | None) -> None:
    """Say where the mean of the population lies, and what that takes for granted, where it is known."""
    if interval is None:
        return
    low, high = (number(end, 5) for end in interval)
    text = say(
        "Of the population, {assumed}, it lies between {low} and {high}.", assumed=say(ASSUMED), low=low, high=high
    )
    st.caption(text)


def answer(release: Release, schema: Schema) -> None:
    """Show what was released: one number with its interval, or all of several in a table."""
    if release.request.groups or isinstance(release.answer, tuple):
        lines = pd.DataFrame(list(answer_lines(release, schema)))
        st.dataframe(lines.loc[:, (lines != "").any()], hide_index=True, width="stretch")
        return
    (drawn,) = data(release, schema)
    unit = unit_of(release.request, schema) if drawn.place is not None else ""
    st.header(quoted(printed(drawn, say) + unit), anchor=False)
    if drawn.ends:
        low, high = drawn.ends
        st.caption(
            say("19 times in 20 the value of the rows as read lies between {low} and {high}.", low=low, high=high)
        )


def answer_lines(release: Release, schema: Schema) -> Iterator[dict[str, str]]:
    """Yield one line for each number of an answer: of a group, of a level, or the only one."""
    for datum in data(release, schema):
        yield {
            say("Group or part"): name_of((datum,), say),
            say("Answer"): printed(datum, say),
            say("19 in 20"): " – ".join(datum.ends) if datum.ends else "–",
            say("Rows, about"): "" if datum.size is None else number(datum.rows, 3),
        }


def chapter_lines(chapter: Chapter) -> Iterator[dict[str, str]]:
    """Yield the same of an answer in a report, where counts of several questions add up."""
    wholes = chapter.sums or [None] * len(chapter.data)
    for line, whole in zip(answer_lines(chapter.release, chapter.schema), wholes, strict=True):
        yield line | {say("Whole, adding up"): "" if whole is None else f"{whole:,}"}
