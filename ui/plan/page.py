"""Plan page: a plan is written, saved as a file, and changed row by row."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from discreet.budget import ParameterError
from discreet.mechanisms import registry
from discreet.plans import Plan, Planned, Wanted, plan_text, planned
from discreet.plans.planning import methods
from discreet.plans.request_list import LARGEST, brought_plan
from discreet.queries.count import Count
from discreet.rows import Schema
from discreet.rows.capacity import MIB
from discreet.rows.intake.parser import brought_by
from discreet.ui.frame import words
from discreet.ui.frame.links import link
from discreet.ui.frame.words import quoted, say
from discreet.ui.plan import rows as listing
from discreet.ui.plan import totals
from discreet.ui.plan.rows import whole_title
from discreet.ui.session.state import brought, fresh, workspace
from discreet.ui.session.workspace import Sheet

# Files: a plan as a file, to save, to share and to open again.


def carry(sheet: Sheet, schema: Schema, key: str) -> None:
    """Offer the plan as a file, and replace it by an uploaded one."""
    with st.expander(say("Save or open a plan"), icon=":material/folder_open:"):
        if sheet.plan is not None:
            _save(plan_text(sheet.plan), f"{key}:save")
        file = st.file_uploader(
            say("Open a plan or a list of queries"),
            key=fresh(f"{key}:open"),
            max_upload_size=LARGEST // MIB,
            help=say("Opening a plan replaces this one. You can undo this."),
        )
        if file is not None:
            _open(sheet, schema, brought(f"{key}:open", file))
            st.rerun()


def _save(text: str, key: str) -> None:
    label = say("Save plan")
    icon = ":material/download:"
    st.download_button(label, text, "plan.json", "application/json", on_click="ignore", icon=icon, key=key)


def _open(sheet: Sheet, schema: Schema, data: bytes) -> None:
    """Open a plan that can be asked of this dataset, or leave a notice why it cannot."""
    space = workspace()
    try:
        with st.spinner(say("Reading the file")), brought_by(space.browser):
            plan = brought_plan(data, schema, sheet.common.total)
            way = planned(plan, schema)
            way.fixed.check(schema)
        sheet.open(plan)
        sheet.forecast((plan, schema.digest), lambda: way)
    except ParameterError as wrong:
        space.notice = wrong


# Changes: a copy of a row for another column, group, mechanism or weight; and undo.

WEIGHTS = (0.25, 0.5, 1.0, 2.0, 4.0)


def alter(sheet: Sheet, schema: Schema, key: str) -> None:
    """Offer the changes for which a cell of the table has no room."""
    with st.container(horizontal=True):
        st.button(
            say("Undo"), icon=":material/undo:", key=f"{key}:undo", disabled=not sheet.can_undo, on_click=sheet.undo
        )
        st.button(
            say("Remove all queries"),
            icon=":material/delete:",
            key=f"{key}:clear",
            disabled=not sheet.items,
            on_click=sheet.change,
            args=((),),
        )
        if sheet.items:
            with st.popover(say("Edit a query"), icon=":material/edit:"):
                _one(sheet, schema, f"{key}:{sheet.version}")


def _one(sheet: Sheet, schema: Schema, key: str) -> None:
    at = st.selectbox(
        say("Query"),
        range(len(sheet.items)),
        format_func=lambda place: f"{place + 1}. {whole_title(sheet.items[place])}",
        key=f"{key}:row",
    )
    mark = f"{key}:{at}"
    changed = _changes(sheet, sheet.items[at], schema, mark)
    st.button(say("Apply changes"), key=f"{mark}:change", on_click=_try, args=(sheet.edit, at, changed))
    st.button(
        say("Duplicate with these changes"), key=f"{mark}:double", on_click=_try, args=(sheet.double, at, changed)
    )
    st.button(say("Remove query"), key=f"{mark}:out", on_click=sheet.remove, args=((at,),))


def _changes(sheet: Sheet, item: Wanted, schema: Schema, mark: str) -> dict[str, object]:
    """Ask what to change in a copy of a row."""
    fit = methods(item.subject(schema, sheet.common.people, sheet.common.shape), sheet.common.total.delta)
    method = st.selectbox(
        say("Mechanism"),
        [None, *fit],
        [None, *fit].index(item.method) if item.method in fit else 0,
        format_func=lambda slug: say(registry[slug].title) if slug else say("Automatic"),
        key=f"{mark}:method",
    )
    weights = sorted({*WEIGHTS, item.weight})
    words = say("Relative weight")
    weight = st.select_slider(words, weights, item.weight, key=f"{mark}:weight")
    columns = [name for name in schema.askable if (name in schema.numbers) == (item.column in schema.numbers)]
    column = st.selectbox(say("Column"), columns, columns.index(item.column), key=f"{mark}:column")
    names = list(schema.categories)
    words = say("Choose")
    by = st.multiselect(say("Group by"), names, item.groups, key=f"{mark}:by", select_all=False, placeholder=words)
    return {"method": method, "weight": weight, "column": column, "by": tuple(by) or None}


def _try(act: Callable[..., None], at: int, changes: dict[str, object]) -> None:
    try:
        act(at, **changes)
    except ParameterError as refused:
        workspace().notice = refused


# Page: from the first row to the results.


def write() -> None:
    """Draw the page of the plan."""
    space = workspace()
    schema = space.dataset.schema
    key = f"plan:{space.dataset.schema.digest[:8]}"
    st.markdown(
        say(
            "Choose the statistics to release. One total budget covers them all and is divided to meet your "
            "target margins of error."
        )
    )
    if not schema.askable:
        st.info(say("No declared column can be queried here."))
        link("dataset", say("Declare a column on the Dataset page"))
        return
    sheet = space.sheet
    with st.container(border=True):
        listing.form(sheet, schema, f"{key}:new")
    words.show_notice()
    if sheet.plan is None:
        st.info(say("No queries yet. Add one above, or open a saved plan."))
    else:
        _rows(sheet, sheet.plan, schema, key)
    carry(sheet, schema, key)


def _rows(sheet: Sheet, plan: Plan, schema: Schema, key: str) -> None:
    """Show the rows, the total, the button and the results, once there are some."""
    with st.container(border=True):
        totals.terms(sheet, f"{key}:terms")
        way = _planned(sheet, plan, schema)
        if way is not None:
            totals.spend(sheet, way, key)
    if way is not None:
        _warn(way, schema)
        listing.table(sheet, way, key)
    alter(sheet, schema, f"{key}:alter")
    if sheet.answers is not None:
        st.header(say("Results"), anchor=False)
        totals.answers(sheet.answers, sheet.asked, schema)


def _planned(sheet: Sheet, plan: Plan, schema: Schema) -> Planned | None:
    """Return the plan with mechanisms and shares, or say why that is impossible."""

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
    """Warn about rows that would waste budget, and about rows that count the same groups again."""
    vague = [str(at) for at, row in enumerate(way.rows, 1) if row.vague]
    if vague:
        st.warning(_vague(vague) + _limit(schema), icon=":material/warning:")
    for rows in _counted_again(way):
        st.info(
            say(
                "Queries {rows} count the same rows of the dataset. Each counts those with a value in its own "
                "column. One of these queries is enough.",
                rows=rows,
            ),
            icon=":material/lightbulb:",
        )


def _vague(rows: list[str]) -> str:
    if len(rows) == 1:
        return say(
            "Query {row} is too noisy to be useful: its margin of error is at least a quarter of the possible "
            "range. Use fewer groups or queries, or a larger ε.",
            row=rows[0],
        )
    return say(
        "Queries {rows} are too noisy to be useful: their margins of error are at least a quarter of the "
        "possible range. Use fewer groups or queries, or a larger ε.",
        rows=", ".join(rows),
    )


def _limit(schema: Schema) -> str:
    """Describe the cost of a high limit of rows per person, if the viewer has set it."""
    if schema.rows_per_person == 1 or workspace().here.desk is not None:
        return ""
    return " " + say(
        "Up to {most} rows per person are counted, and the noise must cover all of them. For less "
        "noise, lower this limit on the Dataset page (Change schema).",
        most=schema.rows_per_person,
    )


def _counted_again(way: Planned) -> list[str]:
    """Return the numbers of the rows that count the same groups by several columns."""
    alike: dict[object, list[str]] = {}
    for at, row in enumerate(way.rows, 1):
        if row.item.statistic == Count.name:
            alike.setdefault((row.item.by, row.item.where), []).append(str(at))
    return [", ".join(rows) for rows in alike.values() if len(rows) > 1]
