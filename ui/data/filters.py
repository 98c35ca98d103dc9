"""Filters: which rows a query is about, and its groups; the choices come from the schema only."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from discreet.budget.errors import ParameterError
from discreet.plans import Sizes
from discreet.plans.plan import written as sizes_written
from discreet.report.html import label_name
from discreet.rows import Schema
from discreet.rows.columns.bands import Bands, bands_of, typed
from discreet.rows.columns.grouping import Grouping, source_of
from discreet.rows.columns.recode import Recode, recode_of, written
from discreet.rows.filters import Condition, any_of
from discreet.ui import kinds
from discreet.ui.frame.words import groups_in_words, quoted, say
from discreet.ui.session.state import absent, choose, chosen

SHOWN = 12  # groups that are named below their field
FEWEST = 3  # values of a category of which some can be merged
LISTED = 60  # values that stand ready to be merged


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
    """Ask for the bands of a number or date, and whether values of a category are merged: as before, or as usual."""
    own = next((by for by in before if source_of(by) == name), None)
    asked = _merged(schema, name, key, own) if name in schema.categories else _banded(schema, name, key, own)
    if not isinstance(asked, str):
        names = [label_name(label, say) for label in schema.category(asked).labels]
        st.caption(quoted(", ".join(names if len(names) <= SHOWN else (*names[: SHOWN - 2], "…", names[-1]))))
    return asked


def _banded(schema: Schema, name: str, key: str, before: Grouping | None) -> Bands:
    """Ask for the bands of a number or date."""
    declared = schema.number(name)
    first = typed(before if isinstance(before, Bands) else Bands(name, every=declared.usual))
    return bands_of(name, kinds.of(declared).bands(name, declared, first, bands_key(name, key)) or first)


def _merged(schema: Schema, name: str, key: str, before: Grouping | None) -> Grouping:
    """Ask whether and how values are merged; a list that leaves each as it is merges none."""
    labels = schema.category(name).labels
    own = before if isinstance(before, Recode) else None
    if len(labels) < FEWEST and own is None:
        return name
    label = say("Merge values of {column}", column=quoted(name))
    if not st.toggle(label, own is not None, key=merging_key(name, key), persist_state="session"):
        return name
    same = [(each, each) for each in labels]
    lines = Recode(name, tuple(same)) if len(labels) <= LISTED else None
    first = own or lines
    text = st.text_area(
        say("New values of {column}", column=quoted(name)),
        "" if first is None else written(first),
        key=merged_key(name, key),
        persist_state="session",
        placeholder=say("value = new value"),
        help=say("Enter one value and its new value per line. Values without a line become other."),
    )
    asked = recode_of(name, text)
    return name if list(asked.into) == same else asked


def sizes(schema: Schema, by: Grouping, given: Sizes | None, key: str, **change: Any) -> str:
    """Ask for the sizes of some groups, one a line; return what is typed."""
    labels = schema.category(by).labels
    mark = sizes_key(by, key)
    now = "" if given is None and len(labels) > LISTED else sizes_written(given, labels)
    if absent([mark]) or chosen(f"{mark}:given") != now:  # what was typed stays, also what does not fit
        choose(mark, now)
        choose(f"{mark}:given", now)
    text: str = st.text_area(
        say("Sizes of groups: {by}", by=groups_in_words([by])),
        key=mark,
        persist_state="session",
        placeholder=say("value = number"),
        help=say(
            "From public knowledge: one value and its number per line, relative to each other. Paste a table or CSV."
        ),
        **change,
    )
    return text


def sizes_key(by: Grouping, key: str) -> str:
    """Return the key of the field for the sizes of some groups."""
    return f"{key}:sizes:{by}"


def usual(schema: Schema, name: str) -> Grouping:
    """Return a category as it is, and the usual bands of another column."""
    return name if name in schema.categories else Bands(name, every=schema.number(name).usual)


def merging_key(name: str, key: str) -> str:
    """Return the key of the switch for merging the values of a category."""
    return f"{key}:merging:{name}"


def merged_key(name: str, key: str) -> str:
    """Return the key of the field for the new values of a category."""
    return f"{key}:merged:{name}"


def bands_key(name: str, key: str) -> str:
    """Return the key of the field for the bands of a column."""
    return f"{key}:bands:{name}"
