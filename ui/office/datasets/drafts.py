"""Drafts: the saved fields of a registration that was begun."""

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
from discreet.rows.columns import Kind
from discreet.rows.schema import declared_column
from discreet.ui.data.layout import resolved, taken
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.datasets import terms
from discreet.ui.office.datasets.terms import DELTAS, SPANS
from discreet.ui.office.forms import DATASET, VIEW, do, turn, turned
from discreet.ui.session import door
from discreet.ui.session.state import choose, chosen, typed, workspace
from discreet.ui.session.workspace import Draft

# Registration: the draft that is about to be registered, as it is at the moment of the press, and its end.


def standing(number: int) -> tuple[House, Member, Draft] | None:
    """Return the office, the signed-in person and the draft of this number; show a notice if one of them is missing."""
    house = door.house()
    who = door.who()
    space = workspace()
    draft = space.registration
    if house is None or who is None or draft is None or draft.number != number:
        space.notice = say("Nothing was registered. Sign in and start again.")
        return None
    return house, who, draft


def refused(draft: Draft, why: ParameterError) -> None:
    """Show why nothing was registered, and remember similar datasets, so that the form asks about them."""
    workspace().notice = why
    if isinstance(why, Resembling):
        draft.resembling = why.others
    house = door.house()
    if isinstance(why, Known) and house is not None:
        draft.resembling = (Alike(registry.find(house, why.dataset), (Phrase("it has the same rows"),)),)


def arrive(draft: Draft, dataset: str, words: str) -> None:
    """Show the registered dataset in place of the draft, with a toast, which is visible at any scroll position."""
    workspace().drop(draft)
    choose(VIEW, "kept")
    choose(DATASET, dataset)
    st.toast(words, icon=":material/check:")


# Resuming: a form is filled with what was typed into it before, here or in another browser, and says so.

# the current choices: another version of the program may have saved other values
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
    """A form with a saved draft: its name, its title, and the key prefixes of its fields."""

    name: str
    title: str
    marks: tuple[str, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """The current key prefixes of the fields."""
        return tuple(map(turned, self.marks))

    @property
    def values(self) -> dict[str, Any]:
        """The current values of the fields, by the index of their prefix and their own name."""
        return {name: value for name, value in typed(self.fields).items() if name.partition(":")[2] not in BUTTONS}

    @property
    def key(self) -> str:
        """The session's key for what was saved last."""
        return f"draft-of:{self.name}"


@dataclass(frozen=True)
class Written:
    """The values of the fields at the last look, and when they were saved, if they were."""

    values: dict[str, Any]
    time: datetime | None


def resume(house: House, who: Member, form: Form) -> dict[str, Any]:
    """Fill untouched fields with the saved draft; return its values if it was loaded in this run."""
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
    """Save what was typed since the last run, and show when; empty fields are not saved."""
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
            st.caption(f"{say('Your last entries are not saved on the server.')} {quoted(why)}")
            return
    choose(form.key, Written(now, time))
    if time is not None:
        _said(form, time)


def sent(form: Form) -> None:
    """Forget the draft of a sent form, inside a callback or before the page is drawn again."""
    house = door.house()
    who = door.who()
    if house is None or who is None:
        return
    try:
        drafts.discard_draft(house, who, form.name)
    except (ParameterError, SQLAlchemyError):
        return  # it expires after thirty days
    choose(form.key, None)


def _said(form: Form, time: datetime) -> None:
    """Show when the draft was saved, and offer to forget it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            say("Draft saved, {time} UTC. Only you can see it, in any browser.", time=f"{time:%H:%M}"), width="content"
        )
        st.button(say("Discard draft"), key=f"discard:{form.name}", type="tertiary", on_click=_discard, args=(form,))


def _discard(form: Form) -> None:
    sent(form)
    for mark in form.marks:
        turn(mark)


def _fits(field: str, value: Any) -> bool:
    """Whether a saved value is still valid for a field."""
    if field in BUTTONS:
        return False
    offered = OFFERED.get(field)
    return offered is None or all(each in offered for each in (value if isinstance(value, list) else [value]))


# Registrations: the fields and declared columns of a registration that was begun, restored with its file.

REGISTER = "register"
LINES = "lines"
DERIVED = "derived"


def form_of(draft: Draft, fields: str) -> Form:
    """Return the form of a draft: a file with equal columns from the same place continues the same registration."""
    names = [] if draft.source is None else list(draft.source.names)
    place = "" if draft.address is None else draft.address.digest
    mark = sha256(json.dumps([names, place]).encode()).hexdigest()[:32]
    return Form(f"{REGISTER}:{mark}", draft.name, (fields,))


def bring_back(house: House, who: Member, draft: Draft, mark: str) -> None:
    """Restore the fields and the table of columns of a registration that was begun."""
    if draft.source is None:
        return
    saved = resume(house, who, form_of(draft, mark))
    lines = saved.get(LINES)
    back = _lines(str(lines), draft.lines) if lines else None
    if back is not None:
        draft.take(taken(draft, back), draft.complete, _derived(str(saved.get(DERIVED) or "{}")))


def put_away(house: House, who: Member, draft: Draft, mark: str) -> None:
    """Save what was typed into a registration."""
    derived = {name: {"kind": column.name, **column.plain()} for name, column in draft.derived.items()}
    more = {DERIVED: json.dumps(derived)} if derived else {}
    hold(house, who, form_of(draft, mark), {LINES: written(resolved(draft))} | more)


def waiting(house: House, who: Member) -> None:
    """List the registrations that were begun, and how to continue each."""
    begun = [draft for draft in drafts.own_drafts(house, who) if draft.form.startswith(f"{REGISTER}:")]
    for draft in begun:
        words, way = st.columns([4, 1], vertical_alignment="center")
        when = f"{draft.time:%Y-%m-%d %H:%M} UTC"
        words.info(
            say(
                "You started registering {name} ({time}). Upload the same file again to continue; your "
                "entries are saved.",
                name=quoted(draft.title),
                time=when,
            )
        )
        if way.button(say("Discard draft"), key=f"discard:{draft.form}", width="stretch"):
            do(partial(drafts.discard_draft, house, who, draft.form))


def written(lines: pd.DataFrame) -> str:
    """Return the table of columns as text."""
    return str(lines.to_json(orient="split", index=False))


def _derived(text: str) -> dict[str, Kind]:
    """Parse the derived columns."""
    return {name: declared_column(name, values) for name, values in json.loads(text).items()}


def _lines(text: str, like: pd.DataFrame) -> pd.DataFrame | None:
    """Parse the table of columns; None if this version of the program has other columns."""
    parts = json.loads(text)
    back = pd.DataFrame(parts["data"], columns=parts["columns"], dtype=object)
    if list(back.columns) != list(like.columns) or list(back["column"]) != list(like["column"]):
        return None
    return pd.DataFrame(back.astype(like.dtypes.to_dict()))
