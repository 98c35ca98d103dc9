"""Plan page: a plan is written, saved as a file, and changed row by row."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from discreet.budget import Cost, ParameterError
from discreet.mechanisms import registry
from discreet.plans import Plan, Planned, Wanted, plan_text, planned
from discreet.plans.planning import guesses, methods, misfit, seconds, summed
from discreet.plans.profile import coarser, joined
from discreet.plans.request_list import LARGEST, brought_plan
from discreet.queries.count import Count
from discreet.report.export import file_name
from discreet.report.words import people_or_rows
from discreet.rows import Schema
from discreet.rows.capacity import MIB
from discreet.rows.columns.grouping import Grouping, source_of, sources
from discreet.rows.intake.parser import brought_by
from discreet.ui.ask.forecast import assumed
from discreet.ui.data import filters
from discreet.ui.frame import words
from discreet.ui.frame.links import to_dataset
from discreet.ui.frame.scrolling import bring
from discreet.ui.frame.words import named, number, quoted, say
from discreet.ui.plan import profile, results, totals
from discreet.ui.plan import rows as listing
from discreet.ui.plan.rows import whole_title
from discreet.ui.session.state import brought, chosen, fresh, workspace
from discreet.ui.session.streamlit_seams import DeltaGenerator
from discreet.ui.session.workspace import Sheet

# Files: a plan as a file, to save, to share and to open again.


def carry(sheet: Sheet, schema: Schema, key: str) -> None:
    """Offer the plan as a file, and replace it by an uploaded one."""
    with st.expander(say("Save or open a plan"), icon=":material/folder_open:"):
        if sheet.plan is not None:
            _save(sheet.plan, f"{key}:save")
            same_again(sheet, schema, key)
        file = st.file_uploader(
            say("Open a plan or a list of queries"),
            key=fresh(f"{key}:open"),
            max_upload_size=LARGEST // MIB,
            help=say("Opening a plan replaces this one. You can undo this."),
        )
        if file is not None:
            _open(sheet, schema, brought(f"{key}:open", file))
            st.rerun()


def _save(plan: Plan, key: str) -> None:
    label = say("Save plan")
    icon = ":material/download:"
    name = file_name(plan.name or "plan", ending="json")
    st.download_button(label, plan_text(plan), name, "application/json", on_click="ignore", icon=icon, key=key)


MOST_OFFERED = 3  # plans of other datasets


def same_again(sheet: Sheet, schema: Schema, key: str) -> None:
    """Offer the plans of other datasets, each with how much of it fits here and what it may cost."""
    space = workspace()
    others = [
        (name, each.plan)
        for (name, _), each in reversed(space.sheets.items())
        if each is not sheet and name in space.opened and name != space.current and each.plan is not None
    ]
    for name, plan in others[:MOST_OFFERED]:
        fit = len(plan.items) - len(_misfits(plan, schema))
        if not fit:
            continue
        called = plan.name or say("Plan of {dataset}", dataset=named(name))
        label = say("Use “{plan}” here (at most {cost})", plan=called, cost=plan.limit)
        st.button(label, icon=":material/replay:", key=f"{key}:again:{name}", on_click=sheet.open, args=(plan,))
        st.caption(
            say(
                "{fit} of {number} queries fit this dataset. Nothing is spent yet. Where the same people are in both "
                "datasets, what both spend adds up.",
                fit=fit,
                number=len(plan.items),
            )
        )


def _open(sheet: Sheet, schema: Schema, data: bytes) -> None:
    """Open a plan, or leave a notice why it is none; its rows that cannot be asked here are marked."""
    space = workspace()
    try:
        with st.spinner(say("Reading the file")), brought_by(space.browser):
            plan = brought_plan(data, schema, sheet.common.total)
        sheet.open(plan)
    except ParameterError as wrong:
        space.notice = wrong


# Changes: a copy of a row for another column, group or mechanism; and undo.


def alter(sheet: Sheet, schema: Schema, places: Sequence[int], key: str) -> None:
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
        if places:
            with st.popover(say("Edit a query"), icon=":material/edit:"):
                _one(sheet, schema, places, f"{key}:{sheet.version}")


def _one(sheet: Sheet, schema: Schema, places: Sequence[int], key: str) -> None:
    at = st.selectbox(
        say("Query"),
        places,
        format_func=lambda place: f"{place + 1}. {whole_title(sheet.items[place], schema)}",
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
    """Ask what to change in a copy of a row, also of one that does not fit the schema any more."""
    numbers = item.column in schema.numbers
    alike = [name for name in schema.askable if (name in schema.numbers) == numbers]
    columns = alike if item.column in alike else list(schema.askable)
    place = columns.index(item.column) if item.column in columns else 0
    column = st.selectbox(say("Column"), columns, place, key=f"{mark}:column")
    changes: dict[str, object] = {"column": column, "by": _by(item, schema, mark) or None}
    if item.where:
        reads = misfit(replace(item, column=column, by=None, method=None), sheet.common, schema) is None
        if not st.checkbox(say("Keep the filter"), reads, key=f"{mark}:where"):
            changes["where"] = ()
    own = tuple(by for by in item.groups if source_of(by) in schema.groupable)
    fit = _methods(replace(item, column=column, by=own or None), sheet, schema)
    method = st.selectbox(
        say("Mechanism"),
        [None, *fit],
        [None, *fit].index(item.method) if item.method in fit else 0,
        format_func=lambda slug: say(registry[slug].title) if slug else say("Automatic"),
        key=f"{mark}:method",
    )
    return changes | {"method": method}


def _by(item: Wanted, schema: Schema, mark: str) -> tuple[Grouping, ...]:
    """Ask by what to group; bands that do not fit are shown as refused, and those of the row stay."""
    names = schema.groupable
    own = [name for name in sources(item.groups) if name in names]
    chosen = st.multiselect(
        say("Group by"),
        names,
        own,
        format_func=partial(filters.group_label, schema),
        key=f"{mark}:by",
        select_all=False,
        placeholder=say("Choose"),
    )
    try:
        return tuple(filters.grouped(schema, name, mark, item.groups) for name in chosen)
    except ParameterError as wrong:
        st.error(quoted(say(wrong)))
        return item.groups


def _methods(item: Wanted, sheet: Sheet, schema: Schema) -> tuple[str, ...]:
    try:
        return methods(item.subject(schema, sheet.common.people, sheet.common.shape), sheet.common.total.delta)
    except ParameterError:
        return ()


def _try(act: Callable[..., None], at: int, changes: dict[str, object]) -> None:
    try:
        act(at, **changes)
    except ParameterError as refused:
        workspace().notice = refused


# Misfits: rows that cannot be asked of the dataset as it is declared now; they stay until they are changed or removed.


def _misfits(plan: Plan, schema: Schema) -> dict[int, ParameterError]:
    """Return the places of the rows that cannot be asked, each with the reason."""
    queries = tuple(replace(item, wish=None, weight=1.0, held=None, passing=None) for item in plan.items)
    key = "misfits", queries, plan.people, plan.shape, plan.sizes, schema.digest

    def found() -> dict[int, ParameterError]:
        reasons = ((at, misfit(item, plan, schema)) for at, item in enumerate(queries))
        return {at: reason for at, reason in reasons if reason is not None}

    return workspace().here.remember(key, found)


def _marked(sheet: Sheet, misfits: Mapping[int, ParameterError], schema: Schema, key: str) -> None:
    """Show each row that cannot be asked, why, and what can be done."""
    for at, reason in misfits.items():
        st.error(quoted(f"{at + 1}. {whole_title(sheet.items[at], schema)}: {say(reason)}"), icon=":material/block:")
        mark = f"{key}:{sheet.version}:{at}"
        with st.container(horizontal=True):
            with st.popover(say("Change query {row}", row=at + 1), icon=":material/edit:"):
                changed = _changes(sheet, sheet.items[at], schema, mark)
                st.button(say("Apply changes"), key=f"{mark}:change", on_click=_try, args=(sheet.edit, at, changed))
            label = say("Remove query {row}", row=at + 1)
            st.button(label, icon=":material/delete:", key=f"{mark}:out", on_click=sheet.remove, args=((at,),))


# Page: from the first row to the results.


def write() -> None:
    """Draw the page of the plan."""
    space = workspace()
    schema = space.dataset.schema
    key = f"plan:{space.dataset.schema.digest[:8]}"
    if not schema.askable:
        st.info(say("No declared column can be queried here."))
        to_dataset("plan")
        return
    sheet = space.sheet
    adding = listing.adding(sheet)
    if adding:
        st.markdown(
            say(
                "Choose the statistics to release. One total budget covers them all and is divided to meet your "
                "target margins of error."
            )
        )
    top = st.container(key="plan-results")
    with st.expander(say("Add queries"), adding, icon=":material/add:"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            profile.button(sheet, schema, f"{key}:new")
            head = st.container(width="content")
        listing.form(sheet, schema, f"{key}:new", head)
    words.show_notice()
    if sheet.plan is None:
        st.info(say("No queries yet. Add one above, or open a saved plan."))
        same_again(sheet, schema, key)
    else:
        _rows(sheet, sheet.plan, schema, key)
    if sheet.runs:
        _latest(sheet, top, key)
    carry(sheet, schema, key)


def _rows(sheet: Sheet, plan: Plan, schema: Schema, key: str) -> None:
    """Show the rows, then the total and the button; rows that cannot be asked take no part."""
    misfits = _misfits(plan, schema)
    places = [at for at in range(len(plan.items)) if at not in misfits]
    asked = replace(plan, items=tuple(plan.items[at] for at in places), name="") if places else None
    _marked(sheet, misfits, schema, f"{key}:misfit")
    growing = st.empty()
    rows = st.container()
    with st.container(key="plan-profile"):
        profile.notes(sheet, schema, f"{key}:profile")
    with st.container(border=True):
        totals.terms(sheet, f"{key}:terms")
        way = None if asked is None else _planned(sheet, asked, schema, growing)
        if way is not None:
            totals.spend(sheet, way, key)
    if way is not None:
        _warn(sheet, way, places, schema, key)
        tuning = listing.tuned(sheet) or bool(chosen(f"{key}:terms:{totals.SHARES}"))
        released = bool(sheet.runs) and results.stands(sheet, sheet.runs[-1])
        with rows, st.expander(say("Queries of the plan")) if released else st.container():
            listing.table(sheet, way, places, key, tuning)
            if any(row.subject.sized for row in way.rows):
                _assumed(sheet, schema, key)
    alter(sheet, schema, places, f"{key}:alter")


def _latest(sheet: Sheet, top: Any, key: str) -> None:
    """Show the results of the last run: in full at the top while they are those of the plan, else folded."""
    run = sheet.runs[-1]
    if not results.stands(sheet, run):
        results.fold(sheet, run, key)
        return
    with top:
        st.header(say("Results"), anchor=False)
        st.markdown(f"**{quoted(results.name_of(run))}**")
        results.whole(run)
        bring(run.answers.id, ".st-key-plan-results")


def _planned(sheet: Sheet, plan: Plan, schema: Schema, growing: DeltaGenerator) -> Planned | None:
    """Return the plan with mechanisms and shares, or say why that is impossible; rows appear as they are ready."""

    def made() -> Planned:
        way = planned(plan, schema, ready=_growing(growing, plan, schema))
        growing.empty()
        way.fixed.check(schema)
        return way

    try:
        return sheet.forecast((plan, schema.digest), made)
    except ParameterError as wrong:
        st.error(quoted(say(wrong)))
        return None


EACH = 0.4  # seconds from one view of a growing table to the next


def _growing(place: DeltaGenerator, plan: Plan, schema: Schema) -> Callable[[int, float], None]:
    """Return what shows the rows that are ready, while the others are not, if that takes long."""
    lines: list[dict[str, str]] = []
    last = time.monotonic()

    def ready(at: int, error: float) -> None:
        nonlocal last
        what = whole_title(plan.items[at], schema)
        lines.append({say("Query"): what, say("Margin of error (95%)"): f"± {number(error, 3)}"})
        if time.monotonic() - last > EACH:
            last = time.monotonic()
            place.dataframe(lines, hide_index=True)

    return ready


def _warn(sheet: Sheet, way: Planned, places: Sequence[int], schema: Schema, key: str) -> None:
    """Warn of rows that would waste budget, with ways out, and say what forecasts assume and what targets change."""
    vague = [at for at, row in enumerate(way.rows) if row.vague]
    if vague:
        text = _vague([str(places[at] + 1) for at in vague])
        st.warning(text + _limit(schema), icon=":material/warning:")
        _ways_out(sheet, way, places, vague, schema, key)
    _forecast_notes(way, places)
    _passing(sheet, way, places, key)
    for place, row in zip(places, way.rows, strict=True):
        other = joined(row, way.plan, schema)
        if other is not None:
            st.info(
                say(
                    "Query {row}: most counts are expected to be less than four margins of error. Neighbouring bands "
                    "can be joined in each group with few {unit}.",
                    row=place + 1,
                    unit=say(people_or_rows(schema)),
                ),
                icon=":material/lightbulb:",
            )
            label = say("Wider bands where there are few {unit}", unit=say(people_or_rows(schema)))
            items = tuple(other if at == place else item for at, item in enumerate(sheet.items))
            change: dict[str, Any] = {"on_click": _take, "args": (sheet, items, sheet.common.total)}
            st.button(label, key=f"{key}:joined:{place}", **change)
    for alike in _counted_again(way, places):
        st.info(
            say(
                "Queries {rows} count the same rows of the dataset. Each counts those with a value in its own "
                "column. One of these queries is enough.",
                rows=", ".join(str(place + 1) for place in alike),
            ),
            icon=":material/lightbulb:",
        )
        label = say("Keep only query {row}", row=alike[0] + 1)
        st.button(label, key=f"{key}:merge:{alike[0]}", on_click=sheet.remove, args=(alike[1:],))
    for margins, finest in summed(way, schema):
        st.info(
            say(
                "Queries {rows} are sums of the counts of query {finest}. Without them, query {finest} is more "
                "precise, and so are its sums.",
                rows=", ".join(str(places[at] + 1) for at in margins),
                finest=places[finest] + 1,
            ),
            icon=":material/lightbulb:",
        )
        label = say("Keep only query {row}", row=places[finest] + 1)
        gone = [places[at] for at in margins]
        st.button(label, key=f"{key}:sums:{places[finest]}", on_click=sheet.remove, args=(gone,))


def _assumed(sheet: Sheet, schema: Schema, key: str) -> None:
    """Say how many people the forecasts assume, with a field to change it."""
    people = f"{sheet.common.people:,}"
    one = people_or_rows(schema) == "people"
    words = (
        say("About {number} people assumed.", number=people)
        if one
        else say("About {number} rows assumed.", number=people)
    )
    assumed(words, sheet.common.people, key, lambda number: sheet.change(people=number))


def _forecast_notes(way: Planned, places: Sequence[int]) -> None:
    """Say which mechanisms targets change, and what forecasts assume."""
    swayed = [str(places[at] + 1) for at, row in enumerate(way.rows) if row.swayed]
    if swayed:
        st.caption(say("Targets change the mechanism of queries {rows}.", rows=", ".join(swayed)))
    assumed = guesses(way, [place + 1 for place in places])
    if assumed:
        st.caption(quoted(" ".join(map(say, assumed))))


PARTS = (0.9, 0.5, 0.25, 0.1, 0.01)  # of all people that pass a filter, to choose from


def _passing(sheet: Sheet, way: Planned, places: Sequence[int], key: str) -> None:
    """Offer to give the part that passes the filters of which it is assumed, for all of them alike."""
    open_ = [places[at] for at, row in enumerate(way.rows) if row.assumed]
    if not open_:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        words = say("Passes the filter (no. {rows}):", rows=", ".join(str(place + 1) for place in open_))
        st.caption(words, width="content")
        for part in PARTS:
            items = tuple(replace(each, passing=part) if at in open_ else each for at, each in enumerate(sheet.items))
            change: dict[str, Any] = {"on_click": _take, "args": (sheet, items, sheet.common.total)}
            st.button(f"{100 * part:g}%", type="tertiary", key=f"{key}:passes:{part}", **change)


# Ways out: changes of the plan that make its vague rows useful, each with the error that it leads to.

Change = Mapping[int, Mapping[str, object]]  # what to change in each row, by its place in the forecast
QUICK, KNOWN = 3.0, 0.1  # seconds of forecasting that a way out may take; the part that a row forecast before takes
BETTER = 0.9
MORE = 4  # times the weight


def _ways_out(
    sheet: Sheet, way: Planned, places: Sequence[int], vague: Sequence[int], schema: Schema, key: str
) -> None:
    """Offer wider bands, fewer groups, no intervals, a larger share, or more budget: one press each."""
    here = workspace().here
    rows = way.rows
    grouped = [at for at in vague if rows[at].item.groups]
    spanned = [at for at in vague if rows[at].item.interval]
    most = min(2 * way.plan.total.nano_epsilon, here.curator.ledger.left.nano_epsilon)
    most = _round_down(most) if most < 2 * way.plan.total.nano_epsilon else most
    larger = Cost(most, way.plan.total.delta_units)
    offers: list[tuple[str, Change, Cost]] = []
    wide = {at: {"by": each.by} for at in grouped if (each := coarser(rows[at].item, schema)) is not None}
    if wide:
        offers.append((say("Wider bands"), wide, larger))
    if grouped:
        offers.append((say("Fewer groups"), {at: {"by": _fewer(rows[at].item, schema)} for at in grouped}, larger))
    if spanned:
        offers.append((say("Without intervals"), {at: {"interval": False} for at in spanned}, larger))
    if len(vague) < len(rows):
        more = {at: {"weight": MORE * rows[at].item.weight, "held": None} for at in vague}
        offers.append((say("A larger share of ε"), more, larger))
    offers = [(words, change, way.plan.total) for words, change, _ in offers]
    if most > way.plan.total.nano_epsilon:
        offers.append((f"ε {larger.epsilon:g}", {}, larger))
    with st.container(horizontal=True):
        for words, change, total in offers:
            items = [replace(row.item, **change.get(at, {})) for at, row in enumerate(rows)]  # type: ignore[arg-type]
            plan = replace(way.plan, items=tuple(items), total=total)
            at = next(iter(change), vague[0])
            error = here.remember(("way out", plan, schema.digest, at), partial(_error, plan, at, schema, way))
            if error is None or error < BETTER * rows[at].error:
                label = words if error is None else say("{way}: ± {error}", way=words, error=number(error, 3))
                every = list(sheet.items)
                for place, item in zip(places, items, strict=True):
                    every[place] = item
                st.button(label, key=f"{key}:out:{words}", on_click=_take, args=(sheet, tuple(every), total))


def _round_down(nano_epsilon: int) -> int:
    """Return an epsilon of at most two digits, no larger than the given one, as a total that a person would choose."""
    unit: int = 10 ** max(0, len(str(nano_epsilon)) - 2)
    return nano_epsilon // unit * unit


def _take(sheet: Sheet, items: tuple[Wanted, ...], total: Cost) -> None:
    try:
        sheet.change(items, total=total)
    except ParameterError as refused:
        workspace().notice = refused


def _fewer(item: Wanted, schema: Schema) -> tuple[Grouping, ...] | None:
    """Return the groups of a row without those of the column with most levels."""
    most = max(item.groups, key=lambda name: len(schema.category(name).labels))
    return tuple(name for name in item.groups if name != most) or None


def _error(plan: Plan, at: int, schema: Schema, known: Planned) -> float | None:
    """Return the error of a row of another plan; None if that is not computed in a moment, infinity if not at all."""
    try:
        subjects = {item.subject(schema, plan.people, plan.shape, plan.sizes) for item in plan.items}
        before = {row.subject for row in known.rows}
        if sum(seconds(each) * (KNOWN if each in before else 1.0) for each in subjects) > QUICK:
            return None
        return planned(plan, schema).rows[at].error
    except ParameterError:
        return math.inf


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


def _counted_again(way: Planned, places: Sequence[int]) -> list[list[int]]:
    """Return the places of the rows that pay to count the same groups by several columns."""
    alike: dict[object, list[int]] = {}
    for at, row in zip(places, way.rows, strict=True):
        if row.item.statistic == Count.name and row.beside is None:
            alike.setdefault((row.item.by, row.item.where), []).append(at)
    return [rows for rows in alike.values() if len(rows) > 1]
