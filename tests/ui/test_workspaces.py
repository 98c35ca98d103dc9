"""Workspaces: whose they are, when they end, and who makes room for whom."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from streamlit.testing.v1 import AppTest
from support.pages import on_dataset

import discreet.ui.session.state
from discreet.budget import ParameterError
from discreet.curator import Request
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.office.people import signing_in
from discreet.queries.mean import Mean
from discreet.rows import Dataset, LocalSource, Number, Schema
from discreet.rows.engines.connection import DatabaseSource, TableSource
from discreet.rows.files import every, suggest
from discreet.ui.data import upload
from discreet.ui.data.layout import PARTS
from discreet.ui.office.datasets import registering
from discreet.ui.session import server as workspaces
from discreet.ui.session.server import Server
from discreet.ui.session.state import choose
from discreet.ui.session.workspace import Draft

SHELL = Path(__file__).resolve().parents[2] / "ui" / "shell.py"
DATA = b"age\n1\n2\n"
SCHEMA = Schema({"age": Number(0, 100)})


@pytest.fixture
def server() -> Iterator[Server]:
    """Return what the process shares, empty before and after."""
    discreet.ui.session.state.server().clear()
    yield discreet.ui.session.state.server()
    discreet.ui.session.state.server().clear()


def people() -> Dataset:
    """Return protected people."""
    return Dataset(LocalSource(pa.table({"age": ["1", "2"]})), SCHEMA)


def draft(**flags: bool) -> Draft:
    """Return a file that is being declared."""
    return Draft("people.csv", DATA, None, LocalSource(DATA), **flags)


def test_a_flood_of_new_browsers_throws_nobody_out_who_has_work(server: Server) -> None:
    """Six hundred empty workspaces go one for another; drafts, uploads and answers stay."""
    busy = [server.workspace("drafting"), server.workspace("registering", "s"), server.workspace("working")]
    busy[0].keep(draft())
    busy[1].keep(draft(registering=True))
    busy[2].uploads = 1
    for number in range(600):
        server.workspace(f"stranger {number}")
    for space in busy:
        assert server.workspace(space.browser, space.session) is space
    assert len(server._workspaces) <= workspaces.MOST_EMPTY + len(busy)


def test_those_with_work_have_an_end_too_and_people_come_before_strangers(server: Server) -> None:
    """Strangers who pretend to work are forgotten before anybody who is signed in."""
    ann = server.workspace("ann", "s")
    ann.uploads = 1
    for number in range(workspaces.MOST_WORKED + 20):
        server.workspace(f"stranger {number}").uploads = 1
    assert server.workspace("ann", "s") is ann
    assert len(server._workspaces) <= workspaces.MOST_WORKED + 2


def test_a_stay_has_a_workspace_of_its_own_and_leaves_nothing(server: Server) -> None:
    """Another person, or the same one signed in anew, in the same browser: an empty workspace."""
    first = server.workspace("browser", "one")
    first.keep(draft())
    first.open("mine", people(), len(DATA))
    assert first.held == 2 * len(DATA) == server.held("browser") == server.held()
    for other in ("", "two"):
        space = server.workspace("browser", other)
        assert space.draft is None and not space.opened
        space.open("mine", people())
        assert space.curator is not first.curator  # answers are its own, the budget is one
        assert space.curator.ledger is first.curator.ledger
    server.cut("browser")
    assert server.workspace("browser", "one").draft is None and not server.held()
    assert not server.roads._curators


def test_answers_stay_with_the_workspace_and_the_declaration_that_asked(server: Server) -> None:
    """Whoever comes next in this browser, or declares otherwise, draws and pays anew."""
    mean = Request(GlobalLaplace(query=Mean(), epsilon=0.5), ("age",))
    first = server.workspace("browser")
    first.open("mine", people())
    release = first.curator.ask(mean, first.nonce(mean))
    assert first.stored(mean) == release and first.curator.releases == (release,)
    wider = Schema({"age": Number(0, 1000)})
    first.open("mine", Dataset(LocalSource(pa.table({"age": ["1", "2"]})), wider))
    assert first.stored(mean) is None and first.curator.releases == ()
    server.cut("browser")
    later = server.workspace("browser")
    later.open("mine", people())
    assert later.stored(mean) is None and later.curator.releases == ()
    later.curator.ask(mean, later.nonce(mean))
    assert later.curator.ledger.spent == release.cost + release.cost  # the budget is one


def repeated(rows: int) -> bytes:
    """Return a small file of many equal rows."""
    sink = io.BytesIO()
    pq.write_table(pa.table({"age": pa.array([7.0]).take(pa.array([0] * rows))}), sink)
    return sink.getvalue()


def test_a_small_file_counts_as_what_its_rows_take_in_memory(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """For one browser as much as the server holds of files, for all twice that; then no more."""
    monkeypatch.setenv("DISCREET_UPLOADS", "2")
    data = repeated(15_000)
    assert len(data) < 10_000
    outcomes = []
    for browser in ("ann", "ann", "bob", "bob", "cleo", "cleo", "dora"):
        space = server.workspace(browser)
        monkeypatch.setattr(upload, "workspace", lambda space=space: space)
        parquet = Draft("people.parquet", data, upload.suggest(data), None)
        space.keep(parquet)
        upload._read(parquet)
        outcomes.append(parquet.source is not None)
        if parquet.source is not None:
            assert parquet.weight == 64 * 15_000
            space.opened.clear()  # what was declared otherwise is still there, with its answers
            schema = Schema({"age": Number(0, 100 + len(outcomes))})
            space.open("mine", Dataset(parquet.source, schema), len(data), parquet.weight)  # type: ignore[arg-type]
            space.drop(parquet)
        else:
            assert str(parquet.wrong) == upload.FULL
    assert outcomes == [True] * 4 + [False] * 3
    server.cut("ann")
    assert server.takes("cleo", 64 * 15_000)


def test_a_session_that_ran_out_takes_its_workspace_along(server: Server) -> None:
    """Rows do not stay in memory for longer than a session without a move."""
    left = server.workspace("browser", "one")
    left.keep(draft())
    left.seen -= signing_in.IDLE + 1
    server._looked -= 2 * workspaces.LOOK_EVERY
    server.workspace("another")
    assert not server.held()


def test_at_the_door_nothing_is_kept(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is not signed in where that is required has no workspace in the server."""
    monkeypatch.setenv("DISCREET_SIGN_IN", "required")
    app = AppTest.from_file(str(SHELL), default_timeout=60).run()
    assert not app.exception and not server._workspaces
    monkeypatch.delenv("DISCREET_SIGN_IN")
    AppTest.from_file(str(SHELL), default_timeout=60).run()
    assert len(server._workspaces) == 1


def test_a_draft_that_is_to_be_registered_is_good_for_nothing_else(server: Server) -> None:
    """It lies beside the draft of page Data, cannot be used there, and a table never can."""
    space = server.workspace("browser", "olga")
    registration = draft(registering=True)
    space.keep(registration)
    assert space.registration is registration and space.draft is None
    for public in (True, False):
        with pytest.raises(ParameterError, match="it can only be registered"):
            upload._use(registration, registration.source, SCHEMA, public)  # type: ignore[arg-type]
    table = TableSource(DatabaseSource("sqlite:////tmp/rows.db", "people"))
    assert Draft("people", b"", None, table).registering
    own = draft()
    space.keep(own)
    assert space.draft is own and space.registration is registration
    space.drop(own)
    assert space.registration is registration


def test_page_data_does_not_show_a_draft_of_the_registering_screen(server: Server) -> None:
    """Whatever is being registered: page Data offers neither to declare nor to publish it."""
    app = on_dataset()
    server.workspace(app.session_state["browser"]).keep(draft(registering=True))
    app.run()
    assert not app.exception and "Declare the columns" not in [header.value for header in app.header]
    assert not [box for box in app.checkbox if "public" in box.label]


@pytest.mark.parametrize("name", PARTS)
def test_what_is_registered_carries_every_way_in_which_its_file_is_read(name: str) -> None:
    """Lines skipped after the page was drawn are not what was seen: each part of a layout is asked and sealed."""
    assert {part for form in every() for part in form.adjustable} == set(PARTS)
    draft = Draft("people.csv", DATA, None, LocalSource(DATA), number=71)
    seen = registering.columns_of(draft)
    choose(f"{name}:71", "moved")
    assert registering.columns_of(draft) != seen


def test_what_is_registered_carries_how_its_file_is_read_by_now() -> None:
    """Another tab may be reading the same file otherwise at this moment."""
    draft = Draft("people.csv", DATA, suggest(DATA), LocalSource(DATA), number=72)
    seen = registering.columns_of(draft)
    draft.layout = replace(suggest(DATA), skip=1)
    assert registering.columns_of(draft) != seen
