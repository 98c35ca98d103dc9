"""Work: what people leave behind who have no house: a project, what uploads spent, a command's ledger, and addresses.

Only what makes an archive uses it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

from old.house import questions
from old.tables import Table, german, semicolons
from streamlit.testing.v1 import AppTest

from discreet.budget import BASIC, Cost
from discreet.budget.durable.spent import Spent
from discreet.command import main
from discreet.curator.request import plain
from discreet.lab.samples import SAMPLES
from discreet.plans import Plan, Wanted, plan_text, planned
from discreet.rows import Dataset, LocalSource
from discreet.rows.files import suggest
from discreet.ui.session.project_file import ProjectFile
from discreet.ui.session.server import Server, server
from discreet.ui.session.workspace import Workspace

BROWSER, OTHER, LIMIT, REPLACED = "a browser", "another browser", Cost.of("40", "1e-5"), Cost.of("11", "1e-5")
UPLOAD = "uploaded.csv"
ADDRESSES = {  # a page, and what is chosen on it
    "smooth_sensitivity": {"smooth-view": "how"},
    "compare": {"compare-view": "intervals"},
    "lesson_3_laplace": {"lesson3-step": "count", "lesson3-count-epsilon": 0.5, "lesson3-count-show": "falling"},
}


def keep(folder: Path) -> dict[str, Any]:
    """Keep work in a project file; return what has to be found in it again."""
    here, tables = Server(), _tables()
    space = here.workspace(BROWSER)
    space.open(next(iter(SAMPLES)), SAMPLES[next(iter(SAMPLES))]())
    for name, table in tables.items():
        _bring(space, name, table)
    here.keep(ProjectFile(folder / "project.sqlite"), BROWSER)
    space.current = UPLOAD
    height = next(iter(tables[UPLOAD].columns))
    space.sheet.add([Wanted("mean", height, wish=2.0), Wanted("median", height, held=0.1)])
    space.sheet.change(total=Cost.of("2", "1e-6"), people=300)
    assert space.sheet.plan is not None
    way = planned(space.sheet.plan, space.dataset.schema)
    space.sheet.take(space.curator.run(way.fixed, space.nonce(way.fixed)))
    assert here.project is not None
    here.project.save(space)
    notes = {"browser": BROWSER, "tables": {name: _kept(space, name, folder, tables[name]) for name in tables}}
    notes |= {"plan": plan_text(space.sheet.plan), "plan_answers": [row.answer for row in space.sheet.answers.releases]}
    here.project.file.close()
    return notes


def _tables() -> dict[str, Table]:
    """Return three files: one below lines that are no part of its table, and one that is read as its heading says."""
    above = german(240, "a survey of 2029\nof those who answered\nGröße;Stadt")
    return {UPLOAD: german(270), "corrected.csv": above, "proposed.csv": replace(semicolons(255), layout=None)}


def _bring(space: Workspace, name: str, table: Table) -> None:
    """Open a file as the screen does, which declares how it is read, and ask of it."""
    source = LocalSource(table.content, table.layout or suggest(table.content))
    space.open(name, Dataset(source, replace(table.schema, layout=source.layout)), len(table.content), source=source)
    space.replace_budget(LIMIT, space.curator.ledger.rule)
    for each in table.asked:
        space.curator.ask(each.request, space.nonce(each.request))


def _kept(space: Workspace, name: str, folder: Path, table: Table) -> dict[str, Any]:
    """Note what a table was asked, and keep its file beside the project."""
    (folder / name).write_bytes(table.content)
    opened = space.opened[name]
    layout = opened.dataset.schema.layout
    spent = opened.curator.ledger.spent
    return {
        "answers": [release.answer for release, _ in opened.answered],
        "spent": _units(spent),
        "declaration": opened.dataset.schema.digest,
        "declared_layout": layout and layout.plain,
        "asked": questions(table.asked),
    }


def upload(folder: Path, beside: Path) -> dict[str, Any]:
    """Ask of an upload on a server that keeps no work, which still writes down what is spent; begin anew once."""
    here, table = Server(), german(285)
    here.roads.spent = Spent(folder)
    space = here.workspace(OTHER)
    _bring(space, UPLOAD, table)
    space.replace_budget(REPLACED, BASIC)
    first, *_ = table.asked
    space.prepare(first.request)
    space.curator.ask(first.request, space.nonce(first.request))
    (beside / "spent.csv").write_bytes(table.content)
    ledger = space.curator.ledger
    return {
        "file": "spent.csv",
        "declaration": space.dataset.schema.to_json(),
        "before": [_units(each) for each in space.before],
        "spent": _units(ledger.spent),
        "limit": _units(ledger.limit),
        "asked": questions(table.asked),
    }


def _units(cost: Cost) -> list[int]:
    return [cost.nano_epsilon, cost.delta_units]


def command(folder: Path) -> dict[str, Any]:
    """Ask one question and one plan of a file by the command; return what it printed."""
    table = semicolons(300)
    declared = replace(table.schema, layout=table.layout)
    plan = Plan((Wanted("mean", "age"), Wanted("counts", "ward")), Cost.of("1", "1e-6"), people=300)
    files = {"people.csv": table.content.decode(), "columns.json": declared.to_json()}
    files |= {"question.json": json.dumps(plain(table.asked[1].request)), "plan.json": plan_text(plan)}
    with chdir(folder):
        for name, text in files.items():
            Path(name).write_text(text, encoding="utf-8")
        paid = ("people.csv", "--declaration", "columns.json", "--ledger", "budget.db", "--limit", "20,1e-5")
        answer, answers = (_printed(verb, *paid) for verb in (("ask", "question.json"), ("run-plan", "plan.json")))
        Path("answer.json").write_text(json.dumps(answer), encoding="utf-8")
    return {"answer": answer, "answers": answers, "declaration": declared.digest}


def _printed(verb: tuple[str, str], *words: str) -> Any:
    said = StringIO()
    with redirect_stdout(said):
        assert main([*verb, *words, "--json"]) == 0
    return json.loads(said.getvalue())


def addresses() -> Iterator[dict[str, Any]]:
    """Choose something on pages; yield the query that stands in the address then."""
    for page, chosen in ADDRESSES.items():
        server().clear()
        app = AppTest.from_file(str(Path.cwd() / "ui" / "shell.py"), default_timeout=60)
        app.query_params["guess"] = "no"
        app.run().switch_page(f"../pages/{page}.py").run()
        for key, value in chosen.items():
            _widget(app, key).set_value(value).run()
        assert not app.exception
        bound = {key: str(value) for key, value in chosen.items()}  # a browser writes these, and no server
        query = bound | {key: app.query_params[key] for key in app.query_params}
        yield {"page": page, "query": query, "shows": {key: app.session_state[key] for key in chosen}}


def _widget(app: AppTest, key: str) -> Any:
    kinds = ("slider", "select_slider", "number_input", "toggle", "button_group", "selectbox")
    return next(widget for kind in kinds for widget in getattr(app, kind) if widget.key == key)
