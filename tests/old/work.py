"""Work: what a person leaves behind who keeps their own files: a project, a command's ledger, and addresses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from old.house import noted
from old.tables import Table, german, people
from streamlit.testing.v1 import AppTest

from discreet.budget import Cost
from discreet.command import main
from discreet.curator.request import plain
from discreet.lab.plans import Plan, Wanted, plan_text, planned
from discreet.lab.samples import SAMPLES
from discreet.rows import Dataset, LocalSource
from discreet.rows.files import Layout, suggest
from discreet.ui.project.project_file import ProjectFile
from discreet.ui.workspace import Workspace
from discreet.ui.workspaces import Server, server

BROWSER, LIMIT = "a browser", Cost.of("40", "1e-5")
CORRECTED = Layout("text", "latin-1", ";", skip=2)
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
    for name, (table, layout) in tables.items():
        _bring(space, name, table, layout)
    here.keep(ProjectFile(folder / "project.sqlite"), BROWSER)
    space.current = "uploaded.csv"
    height = next(iter(tables["uploaded.csv"][0].columns))
    space.sheet.add([Wanted("mean", height, wish=2.0), Wanted("median", height, held=0.1)])
    space.sheet.change(total=Cost.of("2", "1e-6"), people=300)
    assert space.sheet.plan is not None
    way = planned(space.sheet.plan, space.dataset.schema)
    space.sheet.take(space.curator.run(way.fixed, space.nonce(way.fixed)))
    assert here.project is not None
    here.project.save(space)
    notes = {"browser": BROWSER, "tables": {name: _kept(space, name, folder, tables[name][0]) for name in tables}}
    notes |= {"plan": plan_text(space.sheet.plan), "plan_answers": [row.answer for row in space.sheet.answers.releases]}
    here.project.file.close()
    return notes


def _tables() -> dict[str, tuple[Table, Layout | None]]:
    """Return two files: one that was read as its bytes suggest, and one of which somebody said how."""
    above = german(240, "a survey of 2029\nof those who answered\nGröße;Stadt")
    return {"uploaded.csv": (german(270), None), "corrected.csv": (above, CORRECTED)}


def _bring(space: Workspace, name: str, table: Table, layout: Layout | None) -> None:
    """Open a file as the screen does, and ask of it."""
    source = LocalSource(table.content, layout or suggest(table.content))
    space.open(name, Dataset(source, table.schema), len(table.content), source=source)
    space.here.layout = layout
    space.replace_budget(LIMIT, space.curator.ledger.rule)
    for each in table.asked:
        space.curator.ask(each.request, space.nonce(each.request))


def _kept(space: Workspace, name: str, folder: Path, table: Table) -> dict[str, Any]:
    """Note what a table was asked, and keep its file beside the project."""
    (folder / name).write_bytes(table.content)
    opened = space.opened[name]
    spent = opened.curator.ledger.spent
    return {
        "answers": [release.answer for release, _ in opened.answered],
        "spent": [spent.nano_epsilon, spent.delta_units],
        "declaration": opened.dataset.schema.digest,
        "asked": noted(table.asked),
    }


def command(folder: Path) -> dict[str, Any]:
    """Ask one question and one plan of a file by the command; return what it printed."""
    lines = "".join(f"{20 + at % 60},{'north' if at % 3 else 'south'}\n" for at in range(300))
    table = people(f"age,ward\n{lines}".encode(), 300)
    plan = Plan((Wanted("mean", "age"), Wanted("counts", "ward")), Cost.of("1", "1e-6"), people=300)
    files = {"people.csv": table.content.decode(), "columns.json": table.schema.to_json()}
    files |= {"question.json": json.dumps(plain(table.asked[1].request)), "plan.json": plan_text(plan)}
    with chdir(folder):
        for name, text in files.items():
            Path(name).write_text(text, encoding="utf-8")
        paid = ("people.csv", "--declaration", "columns.json", "--ledger", "budget.db", "--limit", "20,1e-5")
        answer, answers = (_printed(verb, *paid) for verb in (("ask", "question.json"), ("run-plan", "plan.json")))
        Path("answer.json").write_text(json.dumps(answer), encoding="utf-8")
    return {"answer": answer, "answers": answers, "declaration": table.schema.digest}


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
