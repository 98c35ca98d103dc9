"""Writing: the page of a plan, from the first row to the answers."""

from __future__ import annotations

import streamlit as st

from discreet.budget import ParameterError
from discreet.lab.plans import Plan, Planned, planned
from discreet.queries.count import Count
from discreet.rows import Schema
from discreet.ui import notices
from discreet.ui.frame.links import link
from discreet.ui.frame.words import quoted, say
from discreet.ui.plan import altering, carrying, listing, outcome, totals, wanting
from discreet.ui.sheet import Sheet
from discreet.ui.state import workspace


def write() -> None:
    """Show the whole of it."""
    space = workspace()
    schema, key = space.dataset.schema, f"plan:{space.dataset.schema.digest[:8]}"
    st.markdown(say("Say what you want to publish. One budget pays for all rows, split by the errors you wish for."))
    if not schema.askable:
        st.info(say("Nothing that is declared can be asked here."))
        link("data", say("Declare a column on the page Data"))
        return
    sheet = space.sheet
    with st.container(border=True):
        wanting.form(sheet, schema, f"{key}:new")
    notices.show()
    if sheet.plan is None:
        st.info(say("No row yet. Choose what you want to know above, or open a plan that you saved."))
    else:
        _rows(sheet, sheet.plan, schema, key)
    carrying.carry(sheet, schema, key)


def _rows(sheet: Sheet, plan: Plan, schema: Schema, key: str) -> None:
    """Show rows, total and button, and the answers once there are some."""
    with st.container(border=True):
        totals.terms(sheet, f"{key}:terms")
        way = _planned(sheet, plan, schema)
        if way is not None:
            totals.spend(sheet, way, key)
    if way is not None:
        _warn(way, schema)
        listing.table(sheet, way, key)
    altering.alter(sheet, schema, f"{key}:alter")
    if sheet.answers is not None:
        st.header(say("Answers"), anchor=False)
        outcome.answers(sheet.answers, sheet.asked, schema)


def _planned(sheet: Sheet, plan: Plan, schema: Schema) -> Planned | None:
    """Return the plan with methods and shares, or say why it has none."""

    def plan_it() -> Planned:
        way = planned(plan, schema)
        way.fixed.check(schema)
        return way

    try:
        return sheet.forecast((plan, schema.digest), plan_it)
    except ParameterError as wrong:
        st.error(quoted(say(wrong)))
        return None


def _warn(way: Planned, schema: Schema) -> None:
    """Say before the money is spent which rows would be spent in vain, and which count the same again."""
    vague = [str(at) for at, row in enumerate(way.rows, 1) if row.vague]
    if vague:
        st.warning(_vague(vague) + _limit(schema), icon=":material/warning:")
    for rows in _counted_again(way):
        st.info(
            say(
                "Rows {rows} count the same rows, each those that have a value in its own column. "
                "One of them is enough to say how many there are.",
                rows=rows,
            ),
            icon=":material/lightbulb:",
        )


def _vague(rows: list[str]) -> str:
    if len(rows) == 1:
        return say(
            "Row {row} would say next to nothing: its error is a quarter of all there can be, or more. "
            "Ask for fewer groups or rows, or raise ε.",
            row=rows[0],
        )
    return say(
        "Rows {rows} would say next to nothing: their error is a quarter of all there can be, or more. "
        "Ask for fewer groups or rows, or raise ε.",
        rows=", ".join(rows),
    )


def _limit(schema: Schema) -> str:
    """Say what a high limit of rows a person costs, where whoever looks has set it."""
    if schema.rows_per_person == 1 or workspace().here.desk is not None:
        return ""
    return " " + say(
        "Up to {most} rows of one person count, and the noise has to hide them all: a lower limit means less noise "
        "(page Data, Change the declaration).",
        most=schema.rows_per_person,
    )


def _counted_again(way: Planned) -> list[str]:
    """Return the numbers of rows that count the same groups by several columns."""
    alike: dict[object, list[str]] = {}
    for at, row in enumerate(way.rows, 1):
        if row.item.statistic == Count.name:
            alike.setdefault((row.item.by, row.item.where), []).append(str(at))
    return [", ".join(rows) for rows in alike.values() if len(rows) > 1]
