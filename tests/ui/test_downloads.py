"""Downloads: one place for every file; what is typed there is kept, and neither draws nor charges anything."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from support.kept_work import MEAN, saving_server, started, stopped

import discreet.ui.session.state
from discreet.curator.plan import FixedPlan
from discreet.lab.samples import census_schema, census_table
from discreet.mechanisms.laplace import Geometric
from discreet.queries.count import Count
from discreet.report.publication import Cover
from discreet.rows import Dataset, LocalSource
from discreet.ui import downloads

ROOT = Path(__file__).resolve().parents[2]
ODD = "Statistik <b>|=1+1| 2026"


@pytest.fixture
def app() -> AppTest:
    """Return the page of results with one released result, in a fresh server process's state."""
    discreet.ui.session.state.server().clear()
    opened = AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=60).run()
    here = space(opened)
    here.open("own people.csv", Dataset(LocalSource(census_table()), census_schema()))
    here.curator.ask(MEAN)
    return opened.switch_page("../pages/results.py").run()


def space(app: AppTest) -> discreet.ui.session.state.Workspace:
    """Return the workspace behind an app."""
    return discreet.ui.session.state.server().workspace(app.session_state["browser"])


def typed(app: AppTest, label: str, text: str) -> AppTest:
    """Type into the field with this label."""
    (field,) = [each for each in [*app.text_input, *app.text_area, *app.selectbox] if each.label == label]
    app = field.set_value(text).run()
    assert not app.exception
    return app


def offered(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return what is offered for download, by the name of its file, each made now."""
    given: dict[str, Any] = {}
    monkeypatch.setattr(
        downloads.st, "download_button", lambda label, make, name, *more, **words: given.__setitem__(name, make())
    )
    app.run()
    monkeypatch.undo()
    assert not app.exception
    return given


def test_every_file_is_offered_in_one_place_with_what_was_typed_and_nothing_is_charged(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Named by the data, the query and the day; the title, the office and the status are in each."""
    here = space(app)
    before = here.curator.ledger.entries, here.curator.releases
    plain = offered(app, monkeypatch)
    day = f"{here.curator.releases[0].at:%Y-%m-%d}"
    assert {name.removeprefix(f"own-people-Mean-age-{day}") for name in plain} == {
        ".html", ".xlsx", ".csv", ".json", ".zip", ".ipynb"
    }  # fmt: skip
    assert "Statistics on own people" in plain[f"own-people-Mean-age-{day}.html"]
    for label, text in {"Title": ODD, "Office": "City Statistics", "Note": "one\ntwo", "Numbers": "de"}.items():
        app = typed(app, label, text)
    app = typed(app, "Status", "withdrawn")
    given = offered(app, monkeypatch)
    page = given[f"own-people-Mean-age-{day}-withdrawn.html"]
    assert "City Statistics" in page and "&lt;b&gt;|=1+1|" in page and "Withdrawn." in page
    table, record = (given[f"own-people-Mean-age-{day}-withdrawn.{ending}"] for ending in ("csv", "json"))
    assert ",withdrawn" in table and json.loads(record)["releases"][0]["status"] == "withdrawn"
    assert (here.curator.ledger.entries, here.curator.releases) == before


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("Plan of own people", "Plan-of-own-people"),
        ("own people, wages", "own-people-wages"),
        ("Wages", "own-people-Wages"),
        ("own", "own-people-own"),
    ],
)
def test_a_file_is_named_by_its_dataset_once(monkeypatch: pytest.MonkeyPatch, what: str, name: str) -> None:
    """Also where the name of a plan has it already."""
    monkeypatch.setattr(downloads, "stem", lambda: "own people")
    released = SimpleNamespace(at=datetime(2026, 11, 27, tzinfo=UTC))
    named = downloads._name([(released, census_schema())], what, Cover())  # type: ignore[list-item]
    assert named("csv") == f"{name}-2026-11-27.csv"


def test_what_was_typed_belongs_to_its_dataset_and_the_next_one_begins_with_the_same_office(app: AppTest) -> None:
    """A title and a status do not."""
    for label, text in {"Title": ODD, "Office": "City Statistics", "Contact": "a@example.org"}.items():
        app = typed(app, label, text)
    app = typed(app, "Status", "corrected")
    here = space(app)
    assert here.covers == {"own people.csv": Cover(ODD, "City Statistics", "a@example.org", status="corrected")}
    here.open("other.csv", Dataset(LocalSource(census_table().slice(1)), census_schema()))
    here.curator.run(FixedPlan((MEAN, MEAN.__class__(Geometric(Count(), epsilon=0.1), ("age",)))))
    app.run()
    values = {each.label: each.value for each in [*app.text_input, *app.selectbox]}
    assert (values["Title"], values["Office"], values["Contact"], values["Status"]) == (
        "", "City Statistics", "a@example.org", ""
    )  # fmt: skip


def test_what_was_typed_is_kept_in_the_project_file(tmp_path: Path) -> None:
    """It is there after a power cut; a project that was saved before opens without it."""
    path = tmp_path / "project.sqlite"
    server = saving_server(path)
    work = server.workspace("ann")
    cover = Cover("Title", "Office", "contact", "one\ntwo", "fr", "corrected")
    work.covers["people.csv"] = cover
    assert server.project is not None
    server.project.save(work)
    stopped(server)
    again = started(path)
    assert again.project is not None and again.project.workspace(again.roads).covers == {"people.csv": cover}
    state = again.project.file.state
    del state["covers"]
    again.project.file.write(state)
    assert again.project.workspace(again.roads).covers == {}
    stopped(again)
