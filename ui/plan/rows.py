"""Rows: the form that adds rows to a plan, and the table of rows with forecasts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import combinations, product
from typing import Any

import pandas as pd
import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.mechanisms import registry
from discreet.mechanisms.base.counts import COUNTS
from discreet.mechanisms.base.vocabulary import Topic
from discreet.mechanisms.selection import MOST_COMMON
from discreet.mechanisms.several_quantiles import QUANTILES
from discreet.plans import Planned, PlannedRow, Wanted
from discreet.plans.methods import GUESSED, HOW_READ, PREDICTION, SHAPE, Level, statistic_of
from discreet.plans.plan import MIDDLE, MOST_BINS
from discreet.plans.planning import PASSING, answerable, everyone
from discreet.plans.profile import SUMMARY as PARTS
from discreet.queries.count import Count
from discreet.queries.estimators import registry as estimators
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.quantile import Quantile
from discreet.queries.sum import Sum
from discreet.queries.variance import StandardDeviation
from discreet.report.words import condition_words, number_of, people_or_rows
from discreet.rows import Schema
from discreet.rows.columns.grouping import Grouping
from discreet.ui.ask.form import fitting, listed, seconds, topics
from discreet.ui.data import filters
from discreet.ui.frame.families import FACES
from discreet.ui.frame.keystrokes import keep_keystrokes
from discreet.ui.frame.links import handheld
from discreet.ui.frame.results import wide_as
from discreet.ui.frame.words import columns_named, doubted, groups_in_words, number, quoted, say
from discreet.ui.session.state import choose, chosen, edited, editor, workspace
from discreet.ui.session.streamlit_seams import DeltaGenerator
from discreet.ui.session.workspace import Sheet

# Table: the rows with their forecasts; wishes and fixed epsilons are edited in place.

ROW, MOST_LINES = 35, 12  # height of a line in pixels, and how many lines are visible at once
EDITED = ("wish", "held", "weight", "passing")  # the cells of a row that can be edited
TUNED = ("held", "weight")  # those that are shown when they are asked for
BIN = "bin"


def title(item: Wanted, schema: Schema) -> str:
    """Describe the query of a row, without its groups and conditions."""
    if item.statistic == Count.name and item.column in schema.numbers:
        return say(number_of(schema, item.column))
    if item.statistic == HOW_READ.name:
        return f"{say(HOW_READ.label)}: {item.column}"
    if item.statistic == COUNTS.name and item.bins is None:
        return say("Number of {unit} by {column}", unit=say(people_or_rows(schema)), column=item.column)
    middle = item.statistic == Quantile.name and item.level == MIDDLE
    statistic = Median.name if middle else item.statistic
    levels = item.level if isinstance(item.level, tuple) else () if item.level is None or middle else (item.level,)
    label = say(_labels().get(statistic, statistic))
    if statistic == PREDICTION and isinstance(item.level, (int, float)):
        label, levels = say(estimators[f"{statistic}:{item.level}"].words), ()
    if item.bins is not None and item.statistic == COUNTS.name:
        label = say("Histogram, {number} bins", number=item.bins)
    of = item.column if item.second is None else columns_named(estimators[item.statistic], item.columns)
    return f"{label}{' ' * bool(levels)}{', '.join(f'{level:g}' for level in levels)}: {of}"


def filtered_title(item: Wanted, schema: Schema) -> str:
    """Describe the query of a row, with its conditions: two queries of one list are never called the same."""
    return f"{title(item, schema)}{say(' where ') + _where(item) if item.where else ''}"


def whole_title(item: Wanted, schema: Schema) -> str:
    """Describe the query of a row, with its groups and conditions."""
    groups = say(" for each {by}", by=groups_in_words(item.groups)) if item.groups else ""
    return filtered_title(item, schema) + groups


@cache
def _labels() -> dict[str, str]:
    return {topic.name: topic.label for kind in registry.values() for topic in kind.topics()}


def _where(item: Wanted) -> str:
    return say(" and ").join(say(condition_words(condition)) for condition in item.where)


def tuned(sheet: Sheet) -> bool:
    """Whether a row has an epsilon or a weight of its own."""
    return any(item.held is not None or item.weight != 1 for item in sheet.items)


def table(sheet: Sheet, way: Planned, places: Sequence[int], key: str, tuning: bool) -> None:
    """Show every row with its number, mechanism, error and share; rows can be removed.

    During typing, the forecast changes and the table stays: an open cell keeps its text. `places` are those of the
    rows in the plan.
    """
    numbered = zip(places, way.rows, strict=True)
    schema = workspace().here.dataset.schema
    later = {place for draw in way.draws for place in draw[1:]}
    pairs = enumerate(numbered)
    each = [_line(at, row, schema) | ({"share": None} if place in later else {}) for place, (at, row) in pairs]
    lines = pd.DataFrame(each).astype(dict.fromkeys((*EDITED, "share"), float))
    empty = [] if any(row.item.where for row in way.rows) else ["passing"]
    lines = lines.drop(columns=empty if tuning else [*empty, *TUNED])
    if handheld():  # its width ends with the query
        lines.insert(list(lines.columns).index("what"), "error", lines.pop("error"))
    name = f"{key}:rows:{','.join(lines.columns)}"
    mark = editor(name, sheet.version)
    keep_keystrokes(name)
    st.data_editor(
        lines,
        key=mark,
        hide_index=True,
        placeholder="",
        height=ROW * (min(len(lines), MOST_LINES) + 1) + 3,
        disabled=[cell for cell in lines.columns if cell not in EDITED],
        column_config=_looks(lines) | {BIN: _bin(sheet, places, f"{mark}:{BIN}")},
        on_change=_edit,
        args=(sheet, places, name, mark),
        alt=say("Queries of the plan, with their forecasts"),
    )


def _line(at: int, row: PlannedRow, schema: Schema) -> dict[str, Any]:
    item = row.item
    return {
        BIN: ":material/delete:",
        "number": at + 1,
        "what": whole_title(item, schema),
        "error": doubted(error(row), row.vague),
        "wish": item.wish,
        "share": row.request.cost().epsilon,
        "passing": None if item.passing is None else 100 * item.passing,
        "held": item.held,
        "weight": item.weight,
        "method": say(type(row.mechanism).title),
        "why": say(row.reason),
    }


def error(row: PlannedRow) -> str:
    """Describe the margin of error of a row; that of a choice is by how many rows it may trail the best."""
    if row.span is not None:
        least, most = (number(each, 3) for each in row.span)
        return f"± {least}" if least == most else say("± {least} to {most}", least=least, most=most)
    value = number(row.error, 3)
    chosen = row.item.statistic == MOST_COMMON.name
    return say("within {rows} rows of the largest", rows=value) if chosen else f"± {value}"


def _looks(lines: pd.DataFrame) -> dict[str, Any]:
    text = st.column_config.TextColumn
    figure = st.column_config.NumberColumn
    return {
        "number": figure(say("No."), pinned=True, width=44),
        "what": text(say("Query"), pinned=not handheld(), width=wide_as(lines["what"])),
        "weight": figure(say("Weight"), min_value=0.0, format="%g", help=say("2: half the margin of error.")),
        "passing": figure(say("Passes (%)"), min_value=0.0, max_value=100.0, format="%g", help=say(PASSING)),
        "error": text(
            "± (95%)" if handheld() else say("Margin of error (95%)"),
            width=96 if handheld() else None,
            help=say("⚠ The result would be too noisy to be useful."),
        ),
        "wish": figure(
            say("Target: at most ±"),
            min_value=0.0,
            format="%g",
            help=say("Enter the largest margin of error you accept (95%)."),
        ),
        "share": figure(
            "ε", format="%.4g", help=say("This query alone would cost this ε. A shared draw is shown once.")
        ),
        "held": figure(
            say("Fixed ε"),
            min_value=0.0,
            format="%g",
            help=say("This ε stays fixed when the rest of the budget is divided."),
        ),
        "method": text(say("Mechanism"), width=wide_as(lines["method"])),
        "why": text(say("Why"), width="large"),
    }


def _bin(sheet: Sheet, places: Sequence[int], key: str) -> Any:
    """Return the configuration of the column whose cells remove their row."""
    words = say("Remove this query. You can undo this.")
    return st.column_config.ButtonColumn(
        "", width=44, pinned=True, help=words, type="tertiary", key=key, on_click=_take_out, args=(sheet, places, key)
    )


def _take_out(sheet: Sheet, places: Sequence[int], key: str) -> None:
    click = chosen(key)
    if click:
        sheet.remove([places[int(click["row"])]])


def _edit(sheet: Sheet, places: Sequence[int], name: str, mark: str) -> None:
    """Apply an edit: an emptied cell removes the value, a refused value restores the previous one."""
    state = chosen(mark) or {}
    items = list(sheet.items)
    try:
        for at, cells in state.get("edited_rows", {}).items():
            changes: dict[str, Any] = {cell: value or None for cell, value in cells.items() if cell in EDITED}
            if "weight" in changes:
                changes["weight"] = changes["weight"] or 1.0
            if changes.get("passing"):
                changes["passing"] /= 100
            place = places[int(at)]
            items[place] = replace(items[place], **changes)
        sheet.change(tuple(items))
    except ParameterError as refused:
        workspace().notice = refused
        edited(name, None)
    else:
        edited(name, sheet.version)


# Form: statistics are combined with every chosen column and group.

QUARTILES = (0.25, 0.5, 0.75)
LEVELS = tuple(round(at / 100, 2) for at in (1, 5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 95, 99))
BINS = 10
PEOPLE = "people"  # counting everyone, which takes no column
SUMMARY = "summary"  # the statistics that one draw answers
MOST_PILLS = 16  # more choices are a list that can be searched
MORE = "more"
FIRST = (Mean.name, Median.name, Count.name, COUNTS.name, Sum.name, Quantile.name)
GROUPED = Phrase("{query} (counts take no groups: choose “{people}”)")
NUMBER_NEEDED = Phrase("{query} (needs one group, or a column of numbers)")
NUMBERS = Phrase("{query} (needs a number)")
ALONE = Phrase("{query} (takes no groups)")
USUAL = (PEOPLE, SUMMARY, *FIRST, StandardDeviation.name, MOST_COMMON.name, HOW_READ.name)  # the others need a press
TWO_NEEDED = Phrase("{query} (needs two columns of numbers)")
LABELS = {COUNTS.name: Phrase("Histogram or counts"), Count.name: Phrase("Count ({unit} with a value)")}
LEVELLED = Phrase("{query} (needs a category)")


def offered(schema: Schema) -> dict[str, Topic]:
    """Return the topics that a plan can ask of these columns, by name; the usual ones first."""
    asked = [topic for topic in topics(list(FACES), schema) if topic.name not in (QUANTILES.name, PREDICTION)]
    asked.sort(key=lambda topic: FIRST.index(topic.name) if topic.name in FIRST else len(FIRST))
    asked.append(HOW_READ)
    return {topic.name: topic for topic in asked if any(can(schema, topic, name) for name in fitting(schema, topic))}


def can(schema: Schema, topic: Topic, column: str, by: tuple[Grouping, ...] = ()) -> bool:
    """Whether a plan can ask this topic of a column, with another one if it takes two."""
    fit = fitting(schema, topic)
    if column not in fit:
        return False
    bins = BINS if topic.name == COUNTS.name else None
    second = next(iter(seconds(schema, topic.name, column)), None) if topic.columns == 2 else None
    if topic.columns == 2 and second is None:
        return False
    return answerable(statistic_of(schema, topic.name, column, by, None, GUESSED, SHAPE, bins=bins, second=second))


def form(sheet: Sheet, schema: Schema, key: str, head: DeltaGenerator) -> None:
    """Ask for rows, and add them to the plan. The button stays where it is, above all fields."""
    with head, st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="right"):
        hint = st.container(width="content")
        place = st.container(width=230)
    wanted, missed, lacking = _wanted(schema, key)
    labels = {0: say("Add to plan"), 1: say("Add 1 query")}
    place.button(
        labels.get(len(wanted)) or say("Add {number} queries", number=len(wanted)),
        icon=":material/add:",
        disabled=not wanted,
        key=f"{key}:add",
        on_click=_add,
        args=(sheet, wanted),
        width="stretch",
    )
    if lacking:
        hint.caption(lacking)
    if missed:
        st.caption(quoted(say("Not possible, so not added: {queries}.", queries="; ".join(missed))))
    if sheet.merged:
        names = "; ".join(dict.fromkeys(whole_title(item, schema) for item in sheet.merged))
        st.info(quoted(say("Already in the plan, so not added again: {queries}.", queries=names)))
        sheet.merged = ()


def _wanted(schema: Schema, key: str) -> tuple[tuple[Wanted, ...], list[str], str]:
    """Return a row for each chosen topic with each column that it fits; what cannot be asked; and what is missing."""
    asked = workspace().here.remember(("offered", schema.digest), lambda: offered(schema))
    unit = say(people_or_rows(schema))
    people = say("Number of {unit}", unit=unit)
    summary = {SUMMARY: say("Count, mean and SD")} if set(PARTS) <= set(asked) else {}
    names = {PEOPLE: people} | summary | {name: _label(topic, unit) for name, topic in asked.items()}
    chosen = _chosen(names, key)
    columns = several(say("Columns"), list(schema.askable), f"{key}:of")
    label = say("Group by (several columns are cross-tabulated)")
    grouped = several(label, schema.groupable, f"{key}:by", partial(filters.group_label, schema))
    try:
        groups = tuple(filters.grouped(schema, name, key) for name in grouped)
    except ParameterError as wrong:
        return (), [], say(wrong)
    tables = _tables(groups, key)
    whole = [part for name in chosen for part in (PARTS if name == SUMMARY else (name,))]
    statistics = [name for name in dict.fromkeys(whole) if name != PEOPLE]
    levels, bins = _details(statistics, schema.numbers, columns, key)
    weight = _weight(statistics, asked, schema, key)
    with st.expander(say("Filter and options"), icon=":material/filter_alt:"):
        interval = _interval(key)
        try:
            where = filters.where(schema, key)
        except ParameterError as missing:
            return (), [], say(missing)
    wanted: list[Wanted] = []
    missed: list[str] = []
    for by in tables:
        if PEOPLE in chosen:
            counted = everyone(schema, columns, by)
            wanted += [] if counted is None else [replace(counted, where=where, interval=interval)]
            missed += [say(NUMBER_NEEDED, query=people)] if counted is None else []
        alone = [name for name in statistics if asked[name].columns == 1]
        for name in (name for name in statistics if name not in alone):
            fit = [column for column in columns if can(schema, asked[name], column, by)]
            weighted = [(x, weight) for x in fit if x != weight]
            paired = weighted if estimators[name].weighs else combinations(fit, 2)
            both = [Wanted(name, x, by or None, where, interval=interval, second=y) for x, y in paired]
            wanted += both
            missed += [] if both else [say(TWO_NEEDED, query=say(asked[name].label))]
        for name, column in product(alone, columns):
            rows = [
                _spanned(Wanted(name, column, by or None, where, level, interval=interval, bins=cut), schema)
                for level in (_together(levels, interval) if name == Quantile.name else (None,))
                for cut in (bins if name == COUNTS.name and column in schema.numbers else None,)
            ]
            if can(schema, asked[name], column, by):
                wanted += rows
            else:
                reason = GROUPED if name == COUNTS.name else ALONE
                why = reason if can(schema, asked[name], column) else LEVELLED if column in schema.numbers else NUMBERS
                missed += [say(why, query=title(row, schema), people=people) for row in rows[:1]]
    return tuple(wanted), list(dict.fromkeys(missed)), _lacking(chosen, statistics, columns, levels, wanted)


def _chosen(names: dict[str, str], key: str) -> list[str]:
    """Ask for the statistics: the usual ones are in sight, the others after one more press."""
    usual = [name for name in USUAL if name in names]
    rest = [name for name in names if name not in usual]
    options = names | {MORE: say("More")}
    chosen = several(say("Statistics"), [*usual, *([MORE] if rest else [])], f"{key}:what", options.__getitem__)
    more = several(say("More statistics"), rest, f"{key}:rest", names.__getitem__) if MORE in chosen else []
    return [name for name in (*chosen, *more) if name != MORE]


def _spanned(item: Wanted, schema: Schema) -> Wanted:
    """Return a row without the wish for an interval, if no mechanism has one for it."""
    subject = item.subject(schema, GUESSED, SHAPE)
    return item if not item.interval or answerable(subject) else replace(item, interval=False)


def _tables(groups: tuple[Grouping, ...], key: str) -> list[tuple[Grouping, ...]]:
    """Return the groups of each table: all of them crossed, or each column by itself, as is asked for several."""
    if len(groups) > 1 and st.toggle(say("One table for each column"), key=f"{key}:alone", persist_state="session"):
        return [(group,) for group in groups]
    return [groups]


def _lacking(
    chosen: Sequence[str],
    statistics: Sequence[str],
    columns: Sequence[str],
    levels: Sequence[float],
    wanted: Sequence[Wanted],
) -> str:
    """Return what has to be chosen before a query can be added; empty if one can, or if none is possible."""
    if wanted:
        return ""
    if not chosen:
        return say("Choose a statistic.")
    if statistics and not columns:
        return say("Choose a column.")
    return say("Choose a quantile.") if Quantile.name in statistics and not levels else say("Choose another column.")


def _label(topic: Topic, unit: str) -> str:
    label = LABELS.get(topic.name)
    return listed(topic) if label is None else say(label, unit=unit)


def several(label: str, options: list[str], key: str, words: Callable[[str], str] = str) -> list[str]:
    """Ask for several of some options: one press each, while they are few."""
    if len(options) <= MOST_PILLS:
        return st.pills(
            label, options, selection_mode="multi", key=key, persist_state="session", format_func=words, wrap=True
        )
    return st.multiselect(
        label,
        options,
        key=f"{key}:many",
        persist_state="session",
        select_all=False,
        placeholder=say("Choose"),
        format_func=words,
    )


def _details(
    statistics: list[str], numbers: Collection[str], columns: list[str], key: str
) -> tuple[tuple[float, ...], int]:
    """Ask for the levels of quantiles and the bins of a histogram, where they are wanted."""
    levels: tuple[float, ...] = ()
    bins = BINS
    if Quantile.name in statistics:
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
        levels = tuple(chosen)
    if COUNTS.name in statistics and any(name in numbers for name in columns):
        bins = st.number_input(
            say("Bins of equal width"), 2, MOST_BINS, BINS, key=f"{key}:bins", persist_state="session", width=200
        )
    return levels, int(bins)


def _weight(statistics: list[str], asked: dict[str, Topic], schema: Schema, key: str) -> str:
    """Ask for the column of weights, where one is wanted."""
    weighted = [asked[name] for name in statistics if name in estimators and estimators[name].weighs]
    if not weighted:
        return ""
    fit = seconds(schema, weighted[0].name)
    return st.selectbox(say("Weight"), fit, key=f"{key}:weight", persist_state="session", width=200) or ""


def _interval(key: str) -> bool:
    words = say("If on, only mechanisms that report a 95% interval are used. If off, some results may be more precise.")
    label = say("Require 95% intervals")
    return st.checkbox(label, True, key=f"{key}:interval", persist_state="session", help=words)


def _together(levels: tuple[float, ...], interval: bool) -> tuple[Level, ...]:
    """Group the levels into rows: one row for all is more precise, one row each gives each an interval."""
    return (tuple(sorted(levels)),) if len(levels) > 1 and not interval else levels


ADDING = "plan:adding"  # whether a query was added here, so that more may follow


def adding(sheet: Sheet) -> bool:
    """Whether the form is open at first: while the plan is empty, and while queries are added one after the other."""
    return not sheet.items or bool(chosen(ADDING))


def _add(sheet: Sheet, wanted: tuple[Wanted, ...]) -> None:
    choose(ADDING, True)
    try:
        sheet.add(wanted)
    except ParameterError as refused:
        workspace().notice = refused
