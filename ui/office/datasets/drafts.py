"""Drafts: a registration that was begun comes back with its fields."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import Any

import pandas as pd
import streamlit as st
from sqlalchemy.exc import SQLAlchemyError

from discreet.budget import RULES, ParameterError, Phrase
from discreet.office import House, Member
from discreet.office.datasets import registry
from discreet.office.datasets.letterhead import LISTS
from discreet.office.datasets.likeness import Alike, Resembling
from discreet.office.datasets.registering import Known
from discreet.office.notices import drafts
from discreet.office.rules.registration import FAMILIES, OF_A_WAVE, PAIRED, UNITS
from discreet.ui.data.layout import resolved, taken
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.datasets import terms
from discreet.ui.office.datasets.terms import DELTAS, SPANS
from discreet.ui.office.forms import DATASET, VIEW, do, turn, turned
from discreet.ui.session import door
from discreet.ui.session.state import choose, chosen, typed, workspace
from discreet.ui.session.workspace import Draft

# Drafted: the draft that an officer is about to register, as it stands at the moment of the press, and its end.


def standing(number: int) -> tuple[House, Member, Draft] | None:
    """Return the house, who is signed in and the draft of this number; say so where one of them is gone."""
    house = door.house()
    who = door.who()
    space = workspace()
    draft = space.registration
    if house is None or who is None or draft is None or draft.number != number:
        space.notice = say("Nothing was registered: sign in, and begin anew.")
        return None
    return house, who, draft


def refused(draft: Draft, why: ParameterError) -> None:
    """Say why nothing was registered; what the core took for the same data is asked about from now on."""
    workspace().notice = why
    if isinstance(why, Resembling):
        draft.resembling = why.others
    house = door.house()
    if isinstance(why, Known) and house is not None:
        draft.resembling = (Alike(registry.find(house, why.dataset), (Phrase("its rows are the same"),)),)


def arrive(draft: Draft, dataset: str, words: str) -> None:
    """Leave the draft for the dataset that it became, and say so in sight: the page may stand far below."""
    workspace().drop(draft)
    choose(VIEW, "kept")
    choose(DATASET, dataset)
    st.toast(words, icon=":material/check:")


# Resuming: a form is filled with what was typed into it before, here or in another browser, and says that it is.

# what a list offers today: another program may have kept something else
OFFERED: dict[str, Collection[str]] = {
    "several": terms.ANSWERS,
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
    now = form.values | (more or {})
    last = chosen(form.key)
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
    house = door.house()
    who = door.who()
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


# Begun: a registration that was begun: its fields and declared columns come back when its file is here again.

REGISTER = "register"
LINES = "lines"


def form_of(draft: Draft, fields: str) -> Form:
    """Return the form of a draft: the same columns at the same place are the same registration."""
    names = [] if draft.source is None else list(draft.source.names)
    place = "" if draft.address is None else draft.address.digest
    mark = sha256(json.dumps([names, place]).encode()).hexdigest()[:32]
    return Form(f"{REGISTER}:{mark}", draft.name, (fields,))


def bring_back(house: House, who: Member, draft: Draft, mark: str) -> None:
    """Fill the fields of a registration that was begun before, and its table of columns."""
    if draft.source is None:
        return
    lines = resume(house, who, form_of(draft, mark)).get(LINES)
    back = _lines(str(lines), draft.lines) if lines else None
    if back is not None:
        draft.take(taken(draft, back), draft.complete)


def put_away(house: House, who: Member, draft: Draft, mark: str) -> None:
    """Write down what was typed into a registration."""
    hold(house, who, form_of(draft, mark), {LINES: written(resolved(draft))})


def waiting(house: House, who: Member) -> None:
    """Tell which registrations were begun, and how each goes on."""
    begun = [draft for draft in drafts.own_drafts(house, who) if draft.form.startswith(f"{REGISTER}:")]
    for draft in begun:
        words, way = st.columns([4, 1], vertical_alignment="center")
        when = f"{draft.time:%Y-%m-%d %H:%M} UTC"
        words.info(
            say(
                "You began to register {name}, {time}. Bring the same rows again: what you typed is kept.",
                name=quoted(draft.title),
                time=when,
            )
        )
        if way.button(say("Discard this draft"), key=f"discard:{draft.form}", width="stretch"):
            do(partial(drafts.discard_draft, house, who, draft.form))


def written(lines: pd.DataFrame) -> str:
    """Write the table of columns as text."""
    return str(lines.to_json(orient="split", index=False))


def _lines(text: str, like: pd.DataFrame) -> pd.DataFrame | None:
    """Read the table of columns; none where this program has other ones."""
    parts = json.loads(text)
    back = pd.DataFrame(parts["data"], columns=parts["columns"], dtype=object)
    if list(back.columns) != list(like.columns) or list(back["column"]) != list(like["column"]):
        return None
    return pd.DataFrame(back.astype(like.dtypes.to_dict()))
