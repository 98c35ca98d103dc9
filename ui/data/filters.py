"""Filters: which rows a query is about, and its groups; the choices come from the schema only."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from discreet.budget.errors import ParameterError
from discreet.rows import Schema
from discreet.rows.columns.bands import Bands, Grouping, bands_of, typed
from discreet.rows.filters import Condition, any_of
from discreet.ui import kinds
from discreet.ui.frame.words import quoted, say

SHOWN = 12  # bands that are named below their field


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


def by(schema: Schema, key: str) -> Grouping | None:
    """Ask for groups; one epsilon pays for all of them if each person is in one group only."""
    return grouping(schema, schema.groupable, key)


def grouping(schema: Schema, options: Sequence[str], key: str) -> Grouping | None:
    """Ask for groups by one of some columns; refuse bands that do not fit their column."""
    if not options:
        return None
    name = st.selectbox(
        say("Group by"),
        options,
        None,
        format_func=partial(group_label, schema),
        key=f"{key}:by",
        persist_state="session",
        placeholder=say("No groups"),
        help=say("The query gives one result for each value or band."),
    )
    return None if name is None else grouped(schema, name, key)


def group_label(schema: Schema, name: str) -> str:
    """Return the name of a column to group by, and that it is grouped in bands."""
    return name if name in schema.categories else say("{column} (bands)", column=name)


def grouped(schema: Schema, name: str, key: str, before: Sequence[Grouping] = ()) -> Grouping:
    """Return a category as it is; of another column ask for its bands: those before, or the usual ones."""
    if name in schema.categories:
        return name
    declared = schema.number(name)
    own = Bands(name, every=declared.usual)
    first = typed(next((by for by in before if isinstance(by, Bands) and by.column == name), own))
    asked = bands_of(name, kinds.of(declared).bands(name, first, bands_key(name, key)) or first)
    names = schema.category(asked).labels
    st.caption(quoted(", ".join(names if len(names) <= SHOWN else (*names[: SHOWN - 2], "…", names[-1]))))
    return asked


def usual(schema: Schema, name: str) -> Grouping:
    """Return a category as it is, and the usual bands of another column."""
    return name if name in schema.categories else Bands(name, every=schema.number(name).usual)


def bands_key(name: str, key: str) -> str:
    """Return the key of the field for the bands of a column."""
    return f"{key}:bands:{name}"
