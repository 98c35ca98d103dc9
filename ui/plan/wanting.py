"""Wanting: what somebody wants to know, in the words of a table; every choice with every column and group."""

from __future__ import annotations

from itertools import product

import streamlit as st

from discreet.budget import ParameterError
from discreet.lab.plans import Wanted
from discreet.lab.plans.curve import answerable
from discreet.lab.plans.subject import Level, statistic_of
from discreet.mechanisms import registry
from discreet.mechanisms.several_quantiles import QUANTILES
from discreet.mechanisms.topic import Topic
from discreet.queries.quantile import Quantile
from discreet.rows import Schema
from discreet.ui.ask.topics import fitting, topics
from discreet.ui.data import filters
from discreet.ui.frame.faces import FACES
from discreet.ui.frame.words import say
from discreet.ui.sheet import Sheet
from discreet.ui.state import workspace

GUESSED, SHAPE = 1000, "bell"  # whatever they are: nothing is forecast yet
QUARTILES = (0.25, 0.5, 0.75)
LEVELS = tuple(round(at / 100, 2) for at in (1, 5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 95, 99))


def offered(schema: Schema) -> dict[str, Topic]:
    """Return what a plan can ask of these columns, by name; first what is answered well on any data."""
    asked = [topic for topic in topics(list(FACES), schema) if topic.columns == 1 and topic.name != QUANTILES.name]
    asked.sort(
        key=lambda topic: not any(kind.family.sure and kind.can_answer(topic.name) for kind in registry.values())
    )
    return {topic.name: topic for topic in asked if any(can(schema, topic, name) for name in fitting(schema, topic))}


def can(schema: Schema, topic: Topic, column: str) -> bool:
    """Say whether a plan can ask this of a column."""
    if column not in fitting(schema, topic):
        return False
    return answerable(statistic_of(schema, topic.name, column, (), None, GUESSED, SHAPE))


def form(sheet: Sheet, schema: Schema, key: str) -> None:
    """Ask for rows, and put them on the sheet."""
    wanted = _wanted(schema, key)
    labels = {0: say("Add to the plan"), 1: say("Add 1 row to the plan")}
    st.button(
        labels.get(len(wanted)) or say("Add {number} rows to the plan", number=len(wanted)),
        icon=":material/add:",
        disabled=not wanted,
        key=f"{key}:add",
        on_click=_add,
        args=(sheet, wanted),
    )


def _wanted(schema: Schema, key: str) -> tuple[Wanted, ...]:
    """Return a row for each of the choices with each column that it fits."""
    asked = workspace().here.remember(("offered", schema.digest), lambda: offered(schema))
    what, which, each = st.columns(3)
    with what:
        statistics = _several(say("What do you want to know?"), list(asked), f"{key}:what", asked)
        levels = _levels(key) if Quantile.name in statistics else ()
    with which:
        fit = _columns(schema, [asked[name] for name in statistics])
        columns = _several(say("Of which columns?"), fit, f"{key}:of")
    with each:
        groups = _several(say("For each of (several are crossed)"), list(schema.categories), f"{key}:by")
        words = say("By methods that tell how exact each answer is. Without them some answers are sharper.")
        interval = st.checkbox(say("With intervals"), True, key=f"{key}:interval", persist_state="session", help=words)
    with st.expander(say("Only some rows"), icon=":material/filter_alt:"):
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
    """Ask which quantiles."""
    chosen = st.multiselect(
        say("Which quantiles"),
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
    """Return the levels that are one row each: all at once are sharper, and by themselves each has an interval."""
    return (tuple(sorted(levels)),) if len(levels) > 1 and not interval else levels


def _columns(schema: Schema, asked: list[Topic]) -> list[str]:
    """Return the columns that one of the questions can be asked of; all before there is any."""
    fit = {name for topic in asked for name in schema.askable if can(schema, topic, name)}
    return [name for name in schema.askable if name in fit or not asked]


def _add(sheet: Sheet, wanted: tuple[Wanted, ...]) -> None:
    try:
        sheet.add(wanted)
    except ParameterError as refused:
        workspace().notice = refused
