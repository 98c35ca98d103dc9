"""Altering: one row once more for another column or group, by another method, with more weight; and the way back."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from discreet.budget import ParameterError
from discreet.lab.plans import Wanted
from discreet.lab.plans.curve import methods
from discreet.mechanisms import registry
from discreet.rows import Schema
from discreet.ui.frame.words import say
from discreet.ui.plan.listing import whole_title
from discreet.ui.sheet import Sheet
from discreet.ui.state import workspace

WEIGHTS = (0.25, 0.5, 1.0, 2.0, 4.0)


def alter(sheet: Sheet, schema: Schema, key: str) -> None:
    """Offer what a cell of the table has no room for."""
    with st.container(horizontal=True):
        st.button(
            say("Undo"), icon=":material/undo:", key=f"{key}:undo", disabled=not sheet.can_undo, on_click=sheet.undo
        )
        st.button(
            say("Remove all rows"),
            icon=":material/delete:",
            key=f"{key}:clear",
            disabled=not sheet.items,
            on_click=sheet.change,
            args=((),),
        )
        if sheet.items:
            with st.popover(say("Change one row"), icon=":material/edit:"):
                _one(sheet, schema, f"{key}:{sheet.version}")


def _one(sheet: Sheet, schema: Schema, key: str) -> None:
    at = st.selectbox(
        say("Row"),
        range(len(sheet.items)),
        format_func=lambda place: f"{place + 1}. {whole_title(sheet.items[place])}",
        key=f"{key}:row",
    )
    mark = f"{key}:{at}"
    changed = _changes(sheet, sheet.items[at], schema, mark)
    st.button(say("Change this row"), key=f"{mark}:change", on_click=_try, args=(sheet.edit, at, changed))
    st.button(say("Add it as another row"), key=f"{mark}:double", on_click=_try, args=(sheet.double, at, changed))
    st.button(say("Take this row out"), key=f"{mark}:out", on_click=sheet.remove, args=((at,),))


def _changes(sheet: Sheet, item: Wanted, schema: Schema, mark: str) -> dict[str, object]:
    """Ask what else a row should be."""
    fit = methods(item.subject(schema, sheet.common.people, sheet.common.shape), sheet.common.total.delta)
    method = st.selectbox(
        say("Method"),
        [None, *fit],
        [None, *fit].index(item.method) if item.method in fit else 0,
        format_func=lambda slug: say(registry[slug].title) if slug else say("Chosen for me"),
        key=f"{mark}:method",
    )
    weights, words = sorted({*WEIGHTS, item.weight}), say("Weight beside the others")
    weight = st.select_slider(words, weights, item.weight, key=f"{mark}:weight")
    columns = [name for name in schema.askable if (name in schema.numbers) == (item.column in schema.numbers)]
    column = st.selectbox(say("Column"), columns, columns.index(item.column), key=f"{mark}:column")
    names, words = list(schema.categories), say("Choose")
    by = st.multiselect(say("For each of"), names, item.groups, key=f"{mark}:by", select_all=False, placeholder=words)
    return {"method": method, "weight": weight, "column": column, "by": tuple(by) or None}


def _try(act: Callable[..., None], at: int, changes: dict[str, object]) -> None:
    try:
        act(at, **changes)
    except ParameterError as refused:
        workspace().notice = refused
