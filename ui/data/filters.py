"""Filters: which rows a query is about, and its groups; the choices come from the schema only."""

from __future__ import annotations

import streamlit as st

from discreet.rows import Schema
from discreet.rows.filters import Condition, any_of
from discreet.ui import kinds
from discreet.ui.frame.words import say


def where(schema: Schema, key: str) -> tuple[Condition, ...]:
    """Ask which rows count; an empty filter keeps all of them."""
    names = st.multiselect(
        say("Only rows where"),
        schema.askable,
        key=f"{key}:where",
        persist_state="session",
        select_all=False,
        placeholder=say("All rows"),
        help=say("Choosing on data you have not seen costs nothing."),
    )
    columns = [(name, schema.columns[name]) for name in names]
    ways = [kinds.of(column).conditions(name, column, key) for name, column in columns]
    if len(names) > 1 and _any(key):
        return any_of(way for way in ways if way)
    return tuple(part for way in ways for part in way)


def _any(key: str) -> bool:
    """Ask whether one of several conditions suffices."""
    return bool(
        st.segmented_control(
            say("A row counts where"),
            (False, True),
            default=False,
            required=True,
            format_func=lambda enough: say("one of these holds") if enough else say("all of these hold"),
            key=f"{key}:any",
            persist_state="session",
        )
    )


def by(schema: Schema, key: str) -> str | None:
    """Ask for groups; one epsilon pays for all of them if each person is in one group only."""
    if not schema.categories:
        return None
    return st.selectbox(
        say("One answer for each"),
        list(schema.categories),
        None,
        key=f"{key}:by",
        persist_state="session",
        placeholder=say("No groups"),
        help=say("Groups by a declared category."),
    )
