"""Filters and groups: which rows a question is about. Choices from what was declared only."""

from __future__ import annotations

import streamlit as st

from discreet.curator import Category, Filter, Number, Schema
from discreet.ui.frame.words import quoted, say


def where(schema: Schema, key: str) -> tuple[Filter, ...]:
    """Ask which rows count; no choice keeps all of them."""
    names = [n for n, told in schema.columns.items() if isinstance(told, (Number, Category))]
    chosen = st.multiselect(
        say("Only rows where"),
        names,
        key=f"{key}:where",
        persist_state="session",
        placeholder=say("All rows"),
        help=say("Choosing on data you have not seen costs nothing."),
    )
    found: list[Filter] = []
    for name in chosen:
        declared = schema.columns[name]
        if isinstance(declared, Category):
            found += _levels(name, declared, key)
        elif isinstance(declared, Number):
            found += _range(name, declared, key)
    return tuple(found)


def _levels(name: str, declared: Category, key: str) -> list[Filter]:
    levels = st.multiselect(
        say("{column} is", column=quoted(name)),
        declared.labels,
        key=f"{key}:in:{name}",
        persist_state="session",
        placeholder=say("Choose levels"),
    )
    return [Filter(name, "in", tuple(levels))] if levels else []


def _range(name: str, declared: Number, key: str) -> list[Filter]:
    low, high = st.columns(2)
    kind = int if declared.integer else float
    ends = kind(declared.lower), kind(declared.upper)
    least = low.number_input(
        say("{column} from", column=quoted(name)), *ends, ends[0], key=f"{key}:from:{name}", persist_state="session"
    )
    most = high.number_input(
        say("{column} to", column=quoted(name)), *ends, ends[1], key=f"{key}:to:{name}", persist_state="session"
    )
    found = []
    if least > ends[0]:
        found.append(Filter(name, ">=", least))
    if most < ends[1]:
        found.append(Filter(name, "<=", most))
    return found


def by(schema: Schema, key: str) -> str | None:
    """Ask for groups; one epsilon pays for all of them where a person is in one group only."""
    names = [n for n, told in schema.columns.items() if isinstance(told, Category)]
    if not names:
        return None
    return st.selectbox(
        say("One answer for each"),
        names,
        None,
        key=f"{key}:by",
        persist_state="session",
        placeholder=say("No groups"),
        help=say("Groups by a declared category."),
    )
