"""Filters and groups: which rows a question is about. Choices from what was declared only."""

from __future__ import annotations

import streamlit as st

from discreet.rows import Filter, Schema
from discreet.ui import kinds
from discreet.ui.frame.words import say


def where(schema: Schema, key: str) -> tuple[Filter, ...]:
    """Ask which rows count; no choice keeps all of them."""
    names = st.multiselect(
        say("Only rows where"),
        schema.askable,
        key=f"{key}:where",
        persist_state="session",
        placeholder=say("All rows"),
        help=say("Choosing on data you have not seen costs nothing."),
    )
    columns = [(name, schema.columns[name]) for name in names]
    return tuple(part for name, column in columns for part in kinds.of(column).conditions(name, column, key))


def by(schema: Schema, key: str) -> str | None:
    """Ask for groups; one epsilon pays for all of them where a person is in one group only."""
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
