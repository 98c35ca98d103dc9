"""Answering: the points of a checklist that an officer answers, yes or no with a reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import streamlit as st

from discreet.office.asked import Inquiry
from discreet.office.checklist import Item
from discreet.office.decisions import FEWEST
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.entries import Entries, turned

# points that speak of the data, not of one question
OF_DATA = ("unit", "others", "trust", "readable", "deletion")


def _entries(request: str) -> Entries:
    """Return the fields of the points of one request: each has a word, and a reason beside it."""
    return Entries(turned(f"item:{request}"))


def _why(point: str) -> str:
    return f"{point}:why"


def ask(items: Iterable[Item], asked: Inquiry, before: Mapping[str, str]) -> None:
    """Ask the points that are left; nothing is filled in, what was answered before is only told."""
    st.caption(
        say(
            "Yours to answer: yes, or no with a reason. You can approve with a no all the same; "
            "your reason then stands on the card."
        )
    )
    for item in items:
        _point(item, asked, before.get(item.name, "") if item.name in OF_DATA else "")


def _point(item: Item, asked: Inquiry, before: str) -> None:
    """Ask one point: a word, and where it is no, a reason."""
    mark = ":material/error: " if item.verified is False else ""
    st.markdown(f"{mark}**{item.number}** · {quoted(say(item.question))}")
    st.caption(quoted(say(item.note)))
    entries = _entries(asked.id)
    if before:
        _earlier(before)
    if item.verified is not False and _word(item, entries) != "no":
        return
    st.text_area(
        say("Your reason for approving although the answer is no"),
        key=entries.key(_why(item.name)),
        max_chars=500,
        height=80,
        persist_state="session",
        help=say("In at least {fewest} characters.", fewest=FEWEST),
    )


def _earlier(before: str) -> None:
    """Tell what this officer last said of the same data."""
    word, _, why = before.partition(":")
    text = say("Yes") if word == "yes" else f"{say('No')}: {why.strip()}"
    st.caption(say("For these data you last answered: {answer}", answer=quoted(text)))


def _word(item: Item, entries: Entries) -> str | None:
    return st.segmented_control(
        say("Answer to {number}", number=item.number),
        ["yes", "no"],
        key=entries.key(item.name),
        persist_state="session",
        format_func=lambda word: say("Yes") if word == "yes" else say("No"),
        label_visibility="collapsed",
    )


def answers(request: str, points: Iterable[str]) -> dict[str, str]:
    """Return what is said in the fields of the points, as they are at this moment."""
    entries, said = _entries(request), {}
    for point in points:
        word, why = entries.value(point, "no"), entries.text(_why(point))
        if word == "yes":
            said[point] = "yes"
        elif word == "no" and why:  # what the system found false offers no yes
            said[point] = f"no: {why}"
    return said
