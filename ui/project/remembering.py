"""Remembering: what is worked on, as text and back. Rows are no part of it."""

from __future__ import annotations

from functools import partial
from typing import Any

from discreet.curator.fixed import Answers
from discreet.curator.records import recall
from discreet.lab.plans import Plan, plan_from, plan_text
from discreet.lab.samples import SAMPLES
from discreet.rows import Schema
from discreet.rows.declared import Declared
from discreet.rows.files import Layout
from discreet.ui.opened import Opened
from discreet.ui.project.shelved import Shelved
from discreet.ui.roads import PROJECT, Roads
from discreet.ui.sheet import Common, Sheet
from discreet.ui.workspace import REGISTERED, Workspace

State = dict[str, Any]


def state_of(space: Workspace) -> State:
    """Return what is worked on, as plain values."""
    sheets = [_sheet(*key, sheet) for key, sheet in list(space.sheets.items()) if sheet.items or sheet.answers]
    opened = dict(space.opened)  # another tab may open something meanwhile
    return {
        "mark": space.mark,
        "current": space.current,
        "rounds": dict(space.rounds),
        "samples": [name for name in opened if name in SAMPLES],
        "tables": [_table(table) for name, table in opened.items() if name not in SAMPLES],
        "sheets": [sheet for sheet in sheets if not sheet["of"].startswith(REGISTERED)],
    }


def _table(opened: Opened) -> State:
    said = [{"schema": each.dataset.schema.to_json(), "layout": _plain(each)} for each in (*opened.earlier, opened)]
    data = opened.dataset
    return {"name": opened.name, "digest": data.digest, "protected": data.protected, "path": opened.path, "said": said}


def _plain(opened: Opened) -> State | None:
    return None if opened.layout is None else vars(opened.layout)


def _sheet(name: str, declared: str, sheet: Sheet) -> State:
    last = None if sheet.answers is None else sheet.answers.id
    return {"of": name, "declared": declared, "plan": _plan(sheet.items, sheet.common), "last": last} | {
        "asked": _plan(sheet.asked, sheet.common)
    }


def _plan(items: tuple[Any, ...], common: Common) -> str:
    return plan_text(Plan(items, **vars(common))) if items else ""


def restored(state: State, roads: Roads) -> Workspace:
    """Return what was worked on; rows come when their file does."""
    space = Workspace(PROJECT, roads)
    space.mark = state.get("mark", space.mark)
    space.rounds.update(state.get("rounds", {}))
    for name in (name for name in state.get("samples", ()) if name in SAMPLES):
        space.open(name, SAMPLES[name]())
    for table in state.get("tables", ()):
        space.opened[table["name"]] = _opened(table, roads)
    for sheet in state.get("sheets", ()):
        if sheet["of"] in space.opened:
            space.sheets[sheet["of"], sheet["declared"]] = _written(sheet, space.opened[sheet["of"]])
    current = state.get("current", "")
    space.current = current if current in space.opened else space.current
    return space


def _opened(table: State, roads: Roads) -> Opened:
    """Return a table without its rows, as it is declared now, with how it was declared before."""
    earlier: tuple[Opened, ...] = ()
    for said in table["said"]:
        declared = Declared(Schema.from_json(said["schema"]), table["digest"], table["protected"])
        layout = None if said["layout"] is None else Layout(**said["layout"])
        road = _road(declared, roads)
        shelf = {"layout": layout, "path": table["path"], "shelved": True}
        earlier = (*earlier, Opened(table["name"], declared, road, earlier=earlier, **shelf))
    return earlier[-1]


def _road(data: Declared, roads: Roads) -> Shelved:
    latest = partial(roads.budget, data.digest, data.protected, PROJECT)
    latest()  # what cannot be opened ends the start
    return Shelved(latest, roads.asked(data.digest, data.schema.digest, data.protected))


def _written(sheet: State, opened: Opened) -> Sheet:
    """Return a plan as it was written, and the answers of its last run."""
    written = Sheet()
    if sheet["plan"]:
        plan = plan_from(sheet["plan"])
        written = Sheet(plan.items, Common(plan.total, plan.people, plan.shape, plan.reserve))
    last = recall(opened.curator.ledger, sheet["last"]) if sheet["last"] else None
    if isinstance(last, Answers) and sheet["asked"]:
        written.answers, written.asked = last, plan_from(sheet["asked"]).items
    return written
