"""Filters: which rows a query is about, and its groups; the choices come from the schema only."""

from __future__ import annotations

import streamlit as st

from discreet.budget.errors import ParameterError
from discreet.rows import Schema
from discreet.rows.filters import Condition, any_of
from discreet.ui import kinds
from discreet.ui.frame.words import say


def where(schema: Schema, key: str) -> tuple[Condition, ...]:
    """Ask which rows count; without a column all of them do, and a column of which nothing is chosen is refused."""
    names = st.multiselect(
        say("Filter by column"),
        schema.askable,
        key=f"{key}:where",
        persist_state="session",
        select_all=False,
        placeholder=say("All rows"),
        help=say("A filter chosen without seeing the data costs no budget."),
    )
    columns = [(name, schema.columns[name]) for name in names]
    ways = [kinds.of(column).conditions(name, column, key) for name, column in columns]
    enough = len(names) > 1 and _any(key)
    for name, way in zip(names, ways, strict=True):
        if way is None:
            raise ParameterError("Choose a value of {column}, or remove it from the filter.", column=name)
    chosen = [way for way in ways if way]
    return any_of(chosen) if enough else tuple(part for way in chosen for part in way)


def _any(key: str) -> bool:
    """Ask whether one of several conditions suffices."""
    return bool(
        st.segmented_control(
            say("Keep a row if"),
            (False, True),
            default=False,
            required=True,
            format_func=lambda enough: say("any condition is met") if enough else say("all conditions are met"),
            key=f"{key}:any",
            persist_state="session",
        )
    )


def by(schema: Schema, key: str) -> str | None:
    """Ask for groups; one epsilon pays for all of them if each person is in one group only."""
    if not schema.categories:
        return None
    return st.selectbox(
        say("Group by"),
        list(schema.categories),
        None,
        key=f"{key}:by",
        persist_state="session",
        placeholder=say("No groups"),
        help=say("The query gives one result for each allowed value of a category."),
    )
