"""Begun: a registration that was begun: its fields and declared columns come back when its file is here again."""

from __future__ import annotations

import json
from functools import partial
from hashlib import sha256

import pandas as pd
import streamlit as st

from discreet.office import House, Member, drafts
from discreet.ui.data.written import resolved, taken
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.resuming import Form, hold, resume
from discreet.ui.office.steps import do
from discreet.ui.opened import Draft

REGISTER, LINES = "register", "lines"


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
