"""Resuming: a form is filled with what was typed into it before, here or in another browser, and says that it is."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import streamlit as st
from sqlalchemy.exc import SQLAlchemyError

from discreet.budget import RULES, ParameterError
from discreet.office import House, Member, drafts
from discreet.office.letterhead import LISTS
from discreet.office.registration import FAMILIES, OF_A_WAVE, PAIRED, UNITS
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import door, whose
from discreet.ui.office.entries import turn, turned
from discreet.ui.office.paces import SPANS
from discreet.ui.office.policies import DELTAS
from discreet.ui.state import choose, chosen, typed

# what a list offers today: another program may have kept something else
OFFERED: dict[str, Collection[str]] = {
    "several": whose.ANSWERS,
    "beside": ("apart", "replaces"),
    "unit": set(UNITS) - {OF_A_WAVE},
    "rule": RULES,
    "delta": DELTAS,
    "delta-most": DELTAS,
    "span": SPANS,
    "span-delta": DELTAS,
    "families": FAMILIES,
    "both": PAIRED,
    **{name: ("", *texts) for name, texts in LISTS.items()},
}
BUTTONS = ("go",)


@dataclass(frozen=True)
class Form:
    """A form that keeps a draft: its name, what it is about, and the marks with which its fields begin."""

    name: str
    title: str
    marks: tuple[str, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """The marks under which its fields stand now."""
        return tuple(map(turned, self.marks))

    @property
    def values(self) -> dict[str, Any]:
        """What stands in the fields now, by the place of their mark and their own name."""
        return {name: value for name, value in typed(self.fields).items() if name.partition(":")[2] not in BUTTONS}

    @property
    def key(self) -> str:
        """Where the session keeps what was written down last."""
        return f"draft-of:{self.name}"


@dataclass(frozen=True)
class Written:
    """What was in the fields when they were last looked at, and when it was written down, if it was."""

    values: dict[str, Any]
    time: datetime | None


def resume(house: House, who: Member, form: Form) -> dict[str, Any]:
    """Fill fields that stand anew with what was typed before; return all of it where it was fetched now."""
    if form.values:
        return {}
    try:
        draft = drafts.draft_of(house, who, form.name)
    except (ParameterError, SQLAlchemyError):
        draft = None
    if draft is None:
        return {}
    for name, value in draft.values.items():
        at, _, field = name.partition(":")
        if at.isdecimal() and _fits(field, value):
            choose(f"{form.fields[int(at)]}{name[len(at) :]}", value)
    choose(form.key, Written(draft.values, draft.time))
    return draft.values


def hold(house: House, who: Member, form: Form, more: dict[str, Any] | None = None) -> None:
    """Write down what was typed since the last run, and say when that was; nothing typed is no draft."""
    now, last = form.values | (more or {}), chosen(form.key)
    if not isinstance(last, Written):
        last = Written(now, None)
    time = last.time
    if now != last.values:
        try:
            time = drafts.save_draft(house, who, form.name, form.title, now)
        except (ParameterError, SQLAlchemyError) as refused:
            why = say(refused) if isinstance(refused, ParameterError) else say("The database cannot be reached.")
            st.caption(f"{say('What you typed last is not kept on the server.')} {quoted(why)}")
            return
    choose(form.key, Written(now, time))
    if time is not None:
        _said(form, time)


def sent(form: Form) -> None:
    """Forget the draft of a form that was sent, inside a callback or before the page is drawn anew."""
    house, who = door.house(), door.who()
    if house is None or who is None:
        return
    try:
        drafts.discard_draft(house, who, form.name)
    except (ParameterError, SQLAlchemyError):
        return  # it goes by itself after thirty days
    choose(form.key, None)


def _said(form: Form, time: datetime) -> None:
    """Say when the draft was written down, and offer to forget it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            say("Draft kept, {time} UTC. Only you see it, in any browser.", time=f"{time:%H:%M}"), width="content"
        )
        st.button(
            say("Discard this draft"), key=f"discard:{form.name}", type="tertiary", on_click=_discard, args=(form,)
        )


def _discard(form: Form) -> None:
    sent(form)
    for mark in form.marks:
        turn(mark)


def _fits(field: str, value: Any) -> bool:
    """Say whether a value can stand in a field today."""
    if field in BUTTONS:
        return False
    offered = OFFERED.get(field)
    return offered is None or all(each in offered for each in (value if isinstance(value, list) else [value]))
