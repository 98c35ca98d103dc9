"""Rows: the form that adds rows to a plan, and the table of rows with forecasts."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget import ParameterError
from discreet.mechanisms import registry
from discreet.mechanisms.base.vocabulary import Topic
from discreet.mechanisms.several_quantiles import QUANTILES
from discreet.plans import Planned, PlannedRow, Wanted
from discreet.plans.methods import Level, statistic_of
from discreet.plans.planning import answerable
from discreet.queries.median import Median
from discreet.queries.quantile import Quantile
from discreet.report.words import condition_words
from discreet.rows import Schema
from discreet.ui.ask.form import fitting, topics
from discreet.ui.data import filters
from discreet.ui.frame.families import FACES
from discreet.ui.frame.keystrokes import keep_keystrokes
from discreet.ui.frame.words import number, say
from discreet.ui.session.state import chosen, edited, editor, workspace
from discreet.ui.session.workspace import Sheet

# Table: the rows with their forecasts; wishes and fixed epsilons are edited in place.

ROW, MOST_LINES = 35, 12  # height of a line in pixels, and how many lines are visible at once
EDITED = ("wish", "held")  # the cells of a row that can be edited
BIN = "bin"
MIDDLE = 0.5  # the quantile that is always called the median


def title(item: Wanted) -> str:
    """Describe the query of a row, without its groups and conditions."""
    middle = item.statistic == Quantile.name and item.level == MIDDLE
    statistic = Median.name if middle else item.statistic
    levels = item.level if isinstance(item.level, tuple) else () if item.level is None or middle else (item.level,)
    label = say(_labels().get(statistic, statistic))
    return f"{label}{' ' * bool(levels)}{', '.join(f'{level:g}' for level in levels)}: {item.column}"


def whole_title(item: Wanted) -> str:
    """Describe the query of a row, with its groups and conditions."""
    groups = say(" for each {by}", by=", ".join(item.groups)) if item.groups else ""
    return f"{title(item)}{say(' where ') + _where(item) if item.where else ''}{groups}"


def _labels() -> dict[str, str]:
    return {topic.name: topic.label for kind in registry.values() for topic in kind.topics()}


def _where(item: Wanted) -> str:
    return say(" and ").join(say(condition_words(condition)) for condition in item.where)


def table(sheet: Sheet, way: Planned, key: str) -> None:
    """Show every row with its mechanism, error and share; rows can be removed.

    During typing, the forecast changes and the table stays: an open cell keeps its text.
    """
    lines = pd.DataFrame([_line(row) for row in way.rows]).astype(dict.fromkeys(EDITED, float))
    name = f"{key}:rows"
    mark = editor(name, sheet.version)
    keep_keystrokes(name)
    st.data_editor(
        lines,
        key=mark,
        hide_index=True,
        placeholder="",
        height=ROW * (min(len(lines), MOST_LINES) + 1) + 3,
        disabled=[cell for cell in lines.columns if cell not in EDITED],
        column_config=_looks() | {BIN: _bin(sheet, f"{mark}:{BIN}")},
        on_change=_edit,
        args=(sheet, name, mark),
        alt=say("Queries of the plan, with their forecasts"),
    )


def _line(row: PlannedRow) -> dict[str, Any]:
    item = row.item
    return {
        BIN: ":material/delete:",
        "what": title(item),
        "by": ", ".join(item.groups),
        "where": _where(item),
        "error": f"± {number(row.error, 3)}" + (" ⚠" if row.vague else ""),
        "wish": item.wish,
        "share": row.request.cost().epsilon,
        "held": item.held,
        "method": say(type(row.mechanism).title),
        "why": say(row.reason),
    }


def _looks() -> dict[str, Any]:
    text = st.column_config.TextColumn
    figure = st.column_config.NumberColumn
    return {
        "what": text(say("Query"), pinned=True),
        "by": text(say("Group by")),
        "where": text(say("Filter")),
        "error": text(say("Margin of error (95%)"), help=say("⚠ The result would be too noisy to be useful.")),
        "wish": figure(
            say("Target ±"), min_value=0.0, format="%g", help=say("Enter the margin of error you want (95%).")
        ),
        "share": figure("ε", format="%.4g", help=say("This query alone would cost this ε.")),
        "held": figure(
            say("Fixed ε"),
            min_value=0.0,
            format="%g",
            help=say("This ε stays fixed when the rest of the budget is divided."),
        ),
        "method": text(say("Mechanism")),
        "why": text(say("Why"), width="large"),
    }


def _bin(sheet: Sheet, key: str) -> Any:
    """Return the configuration of the column whose cells remove their row."""
    words = say("Remove this query. You can undo this.")
    return st.column_config.ButtonColumn(
        "", width=44, pinned=True, help=words, type="tertiary", key=key, on_click=_take_out, args=(sheet, key)
    )


def _take_out(sheet: Sheet, key: str) -> None:
    click = chosen(key)
    if click:
        sheet.remove([int(click["row"])])


def _edit(sheet: Sheet, name: str, mark: str) -> None:
    """Apply an edit: an emptied cell removes the value, a refused value restores the previous one."""
    state = chosen(mark) or {}
    items = list(sheet.items)
    try:
        for at, cells in state.get("edited_rows", {}).items():
            changes: dict[str, Any] = {cell: value or None for cell, value in cells.items() if cell in EDITED}
            items[int(at)] = replace(items[int(at)], **changes)
        sheet.change(tuple(items))
    except ParameterError as refused:
        workspace().notice = refused
        edited(name, None)
    else:
        edited(name, sheet.version)


# Form: statistics are combined with every chosen column and group.

GUESSED, SHAPE = 1000, "bell"  # placeholders, because nothing is forecast yet
QUARTILES = (0.25, 0.5, 0.75)
LEVELS = tuple(round(at / 100, 2) for at in (1, 5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 95, 99))


def offered(schema: Schema) -> dict[str, Topic]:
    """Return the topics that a plan can ask of these columns, by name; first those answered well on any data."""
    asked = [topic for topic in topics(list(FACES), schema) if topic.columns == 1 and topic.name != QUANTILES.name]
    asked.sort(
        key=lambda topic: not any(kind.family.sure and kind.can_answer(topic.name) for kind in registry.values())
    )
    return {topic.name: topic for topic in asked if any(can(schema, topic, name) for name in fitting(schema, topic))}


def can(schema: Schema, topic: Topic, column: str) -> bool:
    """Whether a plan can ask this topic of a column."""
    if column not in fitting(schema, topic):
        return False
    return answerable(statistic_of(schema, topic.name, column, (), None, GUESSED, SHAPE))


def form(sheet: Sheet, schema: Schema, key: str) -> None:
    """Ask for rows, and add them to the plan."""
    wanted = _wanted(schema, key)
    labels = {0: say("Add to plan"), 1: say("Add 1 query")}
    st.button(
        labels.get(len(wanted)) or say("Add {number} queries", number=len(wanted)),
        icon=":material/add:",
        disabled=not wanted,
        key=f"{key}:add",
        on_click=_add,
        args=(sheet, wanted),
    )


def _wanted(schema: Schema, key: str) -> tuple[Wanted, ...]:
    """Return a row for each chosen topic with each column that it fits."""
    asked = workspace().here.remember(("offered", schema.digest), lambda: offered(schema))
    what, which, each = st.columns(3)
    with what:
        statistics = _several(say("Statistics"), list(asked), f"{key}:what", asked)
        levels = _levels(key) if Quantile.name in statistics else ()
    with which:
        fit = _columns(schema, [asked[name] for name in statistics])
        columns = _several(say("Columns"), fit, f"{key}:of")
    with each:
        groups = _several(say("Group by (several columns are cross-tabulated)"), list(schema.categories), f"{key}:by")
        words = say(
            "If on, only mechanisms that report a 95% interval are used. If off, some results may be more precise."
        )
        interval = st.checkbox(
            say("Require 95% intervals"), True, key=f"{key}:interval", persist_state="session", help=words
        )
    with st.expander(say("Filter"), icon=":material/filter_alt:"):
        where = filters.where(schema, key)
    return tuple(
        Wanted(name, column, tuple(groups) or None, where, level, interval=interval)
        for name, column in product(statistics, columns)
        if can(schema, asked[name], column)
        for level in (_together(levels, interval) if name == Quantile.name else (None,))
    )


def _several(label: str, options: list[str], key: str, asked: dict[str, Topic] | None = None) -> list[str]:
    return st.multiselect(
        label,
        options,
        key=key,
        persist_state="session",
        select_all=False,
        placeholder=say("Choose"),
        format_func=(lambda name: say(asked[name].label)) if asked else str,
    )


def _levels(key: str) -> tuple[float, ...]:
    """Ask for the levels of quantiles."""
    chosen = st.multiselect(
        say("Quantiles"),
        LEVELS,
        QUARTILES,
        key=f"{key}:levels",
        persist_state="session",
        format_func=str,
        select_all=False,
        placeholder=say("Choose"),
    )
    return tuple(chosen)


def _together(levels: tuple[float, ...], interval: bool) -> tuple[Level, ...]:
    """Group the levels into rows: one row for all is more precise, one row each gives each an interval."""
    return (tuple(sorted(levels)),) if len(levels) > 1 and not interval else levels


def _columns(schema: Schema, asked: list[Topic]) -> list[str]:
    """Return the columns that one of the topics can be asked of; all columns while no topic is chosen."""
    fit = {name for topic in asked for name in schema.askable if can(schema, topic, name)}
    return [name for name in schema.askable if name in fit or not asked]


def _add(sheet: Sheet, wanted: tuple[Wanted, ...]) -> None:
    try:
        sheet.add(wanted)
    except ParameterError as refused:
        workspace().notice = refused
