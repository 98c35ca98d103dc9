"""Project: work that is kept outlives the server, its budget too, and nobody else sees it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from support.browsers import empty_page
from support.kept_work import DATA, MEAN, ROUGH, SCHEMA, saving_server, started, stopped, worked
from support.pages import press, shown
from support.visitor import Server as Machine
from support.visitor import Visitor, free_port, serve
from threats import screens

from discreet.budget import RULES, BudgetExceeded, Cost, ParameterError, SessionLedger
from discreet.budget.durable import Store
from discreet.curator import Request
from discreet.lab.samples import SAMPLES
from discreet.mechanisms.smooth_laplace import SmoothLaplace
from discreet.plans import Wanted, planned
from discreet.queries.median import Median
from discreet.rows import Dataset, LocalSource, Number, OpenData, Schema
from discreet.ui.data import upload
from discreet.ui.project import place
from discreet.ui.session.budgets import PROJECT
from discreet.ui.session.project import content
from discreet.ui.session.project_file import Generations, ProjectFile
from discreet.ui.session.server import Server


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where work is kept."""
    return tmp_path / "home" / "project.sqlite"


def test_after_a_restart_everything_is_there_but_the_rows(path: Path) -> None:
    """Declaration, answers, what was spent; the same question is the same answer, for nothing."""
    server = saving_server(path)
    space = server.workspace("ann")
    assert space.browser == PROJECT and space.curator.ledger.lasting
    given, spent = space.curator.releases, space.curator.ledger.spent
    assert len(given) == 1 and spent == MEAN.cost()
    stopped(server)
    back = started(path).workspace("ann")
    assert back is not space and back.current == "people.csv" and back.here.shelved
    assert back.dataset == space.dataset and back.here.answered == [(given[0], SCHEMA)]
    assert back.curator.ledger.spent == spent and back.stored(MEAN) == given[0]
    with pytest.raises(ParameterError, match="data file is not loaded"):
        back.curator.ask(ROUGH, back.nonce(ROUGH))
    assert back.curator.ledger.spent == spent


def test_the_same_file_brings_the_rows_back_and_no_new_budget(path: Path) -> None:
    """Answers stay stored, and what is asked from now on adds to what was spent."""
    stopped(saving_server(path))
    server = started(path)
    space = server.workspace("ann")
    before = space.here.answered
    space.bring(space.here, DATA, server.room(PROJECT))
    assert not space.here.shelved and space.here.answered == before
    assert space.curator.ask(MEAN, space.nonce(MEAN)) == before[0][0]
    space.curator.ask(ROUGH, space.nonce(ROUGH))
    assert space.curator.ledger.spent == MEAN.cost() + ROUGH.cost()
    limit = space.curator.ledger.limit
    with pytest.raises(BudgetExceeded):
        space.curator.ask(replace(MEAN, mechanism=replace(MEAN.mechanism, epsilon=limit.epsilon)), "all of it")
    stopped(server)
    assert len(started(path).workspace("ann").here.answered) == 2


def test_a_kill_right_after_an_answer_loses_nothing(path: Path) -> None:
    """What is asked is listed before it is answered, and an answer is written with its charge."""
    server = saving_server(path)
    space = server.workspace("ann")
    space.curator.ask(ROUGH, space.nonce(ROUGH))  # nothing is saved after it
    stopped(server)
    assert [release.request for release, _ in started(path).workspace("ann").here.answered] == [MEAN, ROUGH]


def test_other_browsers_see_nothing_and_share_the_budget_of_protected_people(path: Path) -> None:
    """The budget belongs to the content, whoever asks; answers are the project's own."""
    server = Server()
    other = worked(server, "bob")
    saving_server(path, server)
    assert other.browser == "bob" and len(other.curator.releases) == 1
    assert other.curator.ledger is server.workspace("ann").curator.ledger
    assert other.curator.ledger.spent == MEAN.cost() + MEAN.cost()  # one draw each
    stopped(server)
    server = started(path)
    stranger = server.workspace("eve")
    assert stranger.browser == "eve" and not stranger.opened
    stranger.open("mine.csv", Dataset(LocalSource(DATA), SCHEMA))
    assert stranger.curator.releases == () and stranger.curator.ledger.spent == MEAN.cost() + MEAN.cost()
    assert "people.csv" in server.workspace("ann").opened


def test_what_a_browser_spent_that_is_gone_counts_in_the_file_too(path: Path) -> None:
    """A budget in memory that nobody looks at any more is the budget of its content all the same."""
    server = Server()
    worked(server, "bob")
    server.cut("bob")
    server.keep(ProjectFile(path), "ann")
    space = server.workspace("ann")
    space.open("again.csv", Dataset(LocalSource(DATA), SCHEMA))
    assert space.curator.ledger.spent == MEAN.cost()


def test_another_browser_gets_in_by_the_word_of_this_start_alone(path: Path) -> None:
    """A wrong word, an empty one, or that of the start before is none."""
    server = saving_server(path)
    old = server.project.word if server.project else ""
    stopped(server)
    server = started(path)
    project = server.project
    assert project is not None and old != project.word
    for word in ("", old, project.word[:-1], project.word.upper() + "é"):
        assert not project.admit("phone", word) and server.workspace("phone").browser == "phone"
    assert project.admit("phone", project.word)
    assert server.workspace("phone") is server.workspace("ann")
    stopped(server)
    assert started(path).workspace("phone").browser == PROJECT


def test_whoever_signs_in_works_beside_the_project(path: Path) -> None:
    """An account has a workspace of its own, in whichever browser."""
    server = saving_server(path)
    assert server.workspace("ann", "a stay").browser == "ann"
    server.cut("ann")
    assert server.workspace("ann").browser == PROJECT and server.workspace("ann").opened


def test_a_plan_and_its_answers_come_back(path: Path) -> None:
    """Rows as they were written, what is said of all of them, and the last run."""
    server = saving_server(path)
    space = server.workspace("ann")
    space.sheet.add([Wanted("mean", "age", wish=2.0), Wanted("median", "age", held=0.1)])
    space.sheet.change(total=Cost.of("0.75", "1e-6"), people=400, reserve=0.25)
    assert space.sheet.plan is not None
    way = planned(space.sheet.plan, SCHEMA)
    space.sheet.take(space.curator.run(way.fixed, space.nonce(way.fixed)))
    assert server.project is not None
    server.project.save(space)
    stopped(server)
    back = started(path).workspace("ann").sheet
    assert (back.items, back.common) == (space.sheet.items, space.sheet.common)
    assert back.answers == space.sheet.answers and back.asked == space.sheet.asked


def test_declarations_of_before_keep_their_answers(path: Path) -> None:
    """A table that was declared anew comes back with both, and so do samples."""
    server = saving_server(path)
    space = server.workspace("ann")
    wider = Schema({"age": Number(0, 120, integer=True)})
    space.open("people.csv", Dataset(LocalSource(DATA), wider), source=LocalSource(DATA))
    space.curator.ask(MEAN, space.nonce(MEAN))
    sample = next(iter(SAMPLES))
    space.current = sample
    space.curator.ask(MEAN, space.nonce(MEAN))
    before = [*space.opened["people.csv"].answered], [*space.here.answered]
    assert server.project is not None
    server.project.save(space)
    stopped(server)
    back = started(path).workspace("ann")
    assert back.current == sample and back.here.answered == before[1] and not back.here.shelved
    assert back.opened["people.csv"].answered == before[0]
    assert [schema for _, schema in before[0]] == [SCHEMA, wider]


def test_a_replaced_budget_is_never_forgotten(path: Path) -> None:
    """Its answers stay, it takes no charge, and what it spent is told for good."""
    server = saving_server(path)
    space = server.workspace("ann")
    former = space.curator.ledger
    space.replace_budget(Cost.of("2.0", "1e-6"), RULES["zCDP"])
    assert space.before == (MEAN.cost(),) and len(space.curator.releases) == 1
    assert space.curator.ledger.spent == Cost.zero() and space.curator.ledger.rule.name == RULES["zCDP"].name
    with pytest.raises(BudgetExceeded):
        former.charge("late", Cost.of("0.1"))
    space.curator.ask(ROUGH, space.nonce(ROUGH))
    stopped(server)
    back = started(path).workspace("ann")
    assert back.before == (MEAN.cost(),) and len(back.here.answered) == 2
    assert back.curator.ledger.limit == Cost.of("2.0", "1e-6")


@pytest.mark.parametrize("rule", sorted(RULES))
def test_a_ledger_in_memory_is_taken_over_to_the_last_unit(tmp_path: Path, rule: str) -> None:
    """Under every rule: lines, totals, what still fits, the budgets before it, what a test gave back."""
    memory = SessionLedger(Cost.of("3", "1e-5"), RULES[rule])
    memory.charge("plain", Cost.of("0.5"), account=MEAN.account())
    memory.settle("plain", True)
    memory.charge("tested", Cost.of("0.1"), Cost.of("0.2", "1e-6"))
    memory.settle("tested", False)
    memory.charge("open", Cost.of("0.05"), Cost.of("0.05"))
    later = SessionLedger(Cost.of("2", "1e-6"), RULES[rule], former=memory)
    later.charge("again", Cost.of("0.3"))
    ledgers = Generations(Store(f"sqlite:///{tmp_path / 'file.sqlite'}").prepare())
    taken = ledgers.take("who", later)
    for mine, theirs in zip(taken.lineage, later.lineage, strict=True):
        assert (mine.spent, mine.left, mine.limit) == (theirs.spent, theirs.left, theirs.limit)
        assert [(e.request_id, e.kind, e.cost, e.held, e.taken, e.total) for e in mine.entries] == [
            (e.request_id, e.kind, e.cost, e.held, e.taken, e.total) for e in theirs.entries
        ]
        charged = [(e.amount, e.account) for e in mine.entries if e.kind == "charge"]
        assert charged == [(e.amount, e.account) for e in theirs.entries if e.kind == "charge"]
    again = Generations(Store(f"sqlite:///{tmp_path / 'file.sqlite'}").prepare()).open("who", Cost.of("9"))
    assert (again.spent, again.limit, len(again.lineage)) == (later.spent, later.limit, 2)


def test_answers_that_are_taken_over_name_their_charge_in_the_file(path: Path) -> None:
    """A file has one more line for each answer than memory: a card names the entry that paid, of a plan too."""
    server = Server()
    space = worked(server)
    space.curator.ask(ROUGH, space.nonce(ROUGH))
    space.sheet.add([Wanted("mean", "age"), Wanted("median", "age")])
    assert space.sheet.plan is not None
    way = planned(space.sheet.plan, SCHEMA)
    space.curator.run(way.fixed, space.nonce(way.fixed))
    before = {release.id: release.entry for release, _ in space.here.answered}
    server.keep(ProjectFile(path), "ann")
    space = server.workspace("ann")
    after = {release.id: release.entry for release, _ in space.here.answered}
    charged = {entry.request_id: entry.seq for entry in space.curator.ledger.entries if entry.kind == "charge"}
    assert len(after) == 4 and after.keys() == before.keys() and after != before
    assert after == {name: charged[name.partition(":")[0]] for name in after}


def test_what_cannot_be_written_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full in the middle: the budget in memory goes on, and no half of it is in a file."""
    server = Server()
    space = worked(server)
    file = ProjectFile(path)

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("discreet.ui.session.project_file.Generation._copy", full)
        with pytest.raises(OSError):
            server.keep(file, "ann")
    file.discard()
    assert not path.exists() and server.project is None and server.workspace("ann") is space
    space.curator.ask(ROUGH, space.nonce(ROUGH))
    assert space.curator.ledger.spent == MEAN.cost() + ROUGH.cost() and not space.curator.ledger.lasting
    server.keep(ProjectFile(path), "ann")
    assert server.workspace("ann").curator.ledger.spent == MEAN.cost() + ROUGH.cost()


def test_no_row_and_no_name_of_a_browser_is_in_the_file(path: Path) -> None:
    """A value that stands in the rows alone is nowhere in it."""
    secret = b"name,age\n" + b"".join(b"Zq%07dxv,%d\n" % (n, 20 + n % 50) for n in range(200))
    server = saving_server(path)
    space = server.workspace("ann")
    space.open("named.csv", Dataset(LocalSource(secret), SCHEMA), len(secret), source=LocalSource(secret))
    space.curator.ask(MEAN, space.nonce(MEAN))
    assert server.project is not None
    server.project.save(space)
    stopped(server)
    written = b"".join(each.read_bytes() for each in path.parent.iterdir())
    assert b"named.csv" in written and b"Zq" not in written and b'"ann"' not in written


@pytest.mark.parametrize("harm", ["cut", "line", "version", "other"])
def test_a_damaged_file_is_refused_and_left_alone(path: Path, harm: str) -> None:
    """No server begins a new budget beside it."""
    stopped(saving_server(path))
    if harm == "cut":
        path.write_bytes(path.read_bytes()[:5000])
        Path(f"{path}-wal").unlink(missing_ok=True)
    elif harm == "other":
        path.write_bytes(b"a letter")
        Path(f"{path}-wal").unlink(missing_ok=True)
    else:
        with sqlite3.connect(path) as connection:
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                connection.execute(f"DROP TRIGGER {name}")
            cheaper = "UPDATE lines SET cost_epsilon = cost_epsilon / 2"
            newer = """UPDATE work SET text = replace(text, '"version": 1', '"version": 9')"""
            connection.execute(cheaper if harm == "line" else newer)
    before = path.read_bytes()
    with pytest.raises(ParameterError, match="is damaged or not a project file"):
        ProjectFile(path)
    assert path.read_bytes() == before


def test_one_server_at_a_time_has_it_open(path: Path) -> None:
    """A second one says so, and begins nothing beside it."""
    server = saving_server(path)
    with pytest.raises(ParameterError, match="open in another server"):
        ProjectFile(path)
    stopped(server)
    started(path)


def test_a_path_is_taken_where_the_very_file_lies_and_tells_of_no_other(tmp_path: Path) -> None:
    """Another file, a folder, nothing, a relative name: the same sentence."""
    digest = LocalSource(DATA).digest
    (tmp_path / "mine.csv").write_bytes(DATA)
    (tmp_path / "other.csv").write_bytes(DATA + b"1\n")
    assert content(str(tmp_path / "mine.csv"), digest) == DATA
    said = set()
    for place_ in (tmp_path / "other.csv", tmp_path, tmp_path / "none.csv", Path("mine.csv"), Path("/dev/zero")):
        with pytest.raises(ParameterError) as refused:
            content(str(place_), digest)
        said.add(str(refused.value))
    with pytest.raises(ParameterError) as refused:
        content("a\0b", digest)
    assert {*said, str(refused.value)} == said and len(said) == 1


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """Return what the configuration says, to be changed."""
    values: dict[str, Any] = {"server.address": "127.0.0.1", "server.allowedHosts": [], "named": False}
    monkeypatch.setenv("DISCREET_HOME", str(tmp_path))
    monkeypatch.setattr("discreet.ui.gate.addresses._names", None)
    monkeypatch.setattr("discreet.ui.gate.addresses.get_option", lambda name: values.get(name, "clinic.example"))
    monkeypatch.setattr("discreet.ui.gate.addresses.is_manually_set", lambda name: values["named"])
    yield values


@pytest.mark.parametrize(
    "change", [{"server.address": "0.0.0.0"}, {"server.allowedHosts": ["clinic.example"]}, {"named": True}]
)
def test_work_is_kept_where_only_this_machine_reaches_the_server(
    settings: dict[str, Any], change: dict[str, Any]
) -> None:
    """Behind another name or on the network nothing is kept, and what is kept is not opened."""
    assert place.private()
    ProjectFile(place.path()).close()
    file = place.begun()
    assert file is not None
    file.close()
    settings.update(change)
    assert not place.private() and place.begun() is None


def test_where_everybody_signs_in_nothing_is_kept(settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """There the office keeps what is asked."""
    monkeypatch.setenv("DISCREET_SIGN_IN", "required")
    assert not place.private()


def test_open_people_and_smooth_answers_come_back_too(path: Path) -> None:
    """Open data have a budget for each browser; the project's goes into the file."""
    server = Server()
    space = server.workspace("ann")
    space.open("open.csv", OpenData(LocalSource(DATA), SCHEMA), source=LocalSource(DATA))
    smooth = Request(SmoothLaplace(query=Median(), epsilon=1.0, delta=1e-6), ("age",))
    space.curator.ask(smooth, space.nonce(smooth))
    server.keep(ProjectFile(path), "ann")
    stopped(server)
    server = started(path)
    back = server.workspace("ann")
    assert back.curator.ledger.spent == smooth.cost() and back.here.shelved and not back.dataset.protected
    back.bring(back.here, DATA, server.room(PROJECT))
    assert back.here.shown is not None and len(back.here.answered) == 1
    other = server.workspace("bob")
    other.open("open.csv", OpenData(LocalSource(DATA), SCHEMA))
    assert other.curator.ledger.spent == Cost.zero() and not other.curator.ledger.lasting


def test_a_screen_names_no_file_of_the_server(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work is saved on this computer; where exactly is for those who start the server."""
    monkeypatch.setattr(place, "private", lambda: True)
    monkeypatch.setattr(place, "path", lambda: path)
    app = screens.visit()
    screens.space(app).uploads = 1
    app.run()
    assert "Save this project?" in shown(app)
    assert "on the server's computer, for this browser" in shown(app) and path.name not in shown(app)
    press(app, "Save project")
    app.run()
    assert "The project is saved on the server's computer." in shown(app) and path.name not in shown(app)


@pytest.mark.soak_alone
def test_kept_work_is_there_after_the_server_was_killed(chromium: Browser, tmp_path: Path) -> None:
    """Upload, ask, keep, kill; then the same answer for nothing, rows from their path, a stranger sees nothing.

    In `make test` the tests above begin again in this process, and tests/budget/durable kills who writes.
    """
    port, table = free_port(), tmp_path / "people.csv"
    table.write_bytes(DATA)
    process = serve("app.py", tmp_path / "log.txt", port)
    person = Visitor(empty_page(chromium, url := f"http://127.0.0.1:{port}"), Machine(url, tmp_path / "log.txt"))
    try:
        page = person.open()
        expect(page.get_by_text("Save this project?")).to_have_count(0)  # there is nothing to keep
        person.upload("people.csv", DATA)
        person.declare(SCHEMA.to_json())
        person.go("dataset")
        page.get_by_role("button", name="Save project").click()
        person.settle()
        person.unfold("Data file location")
        path = page.get_by_label("File path")
        path.fill(str(tmp_path / "log.txt"))
        path.press("Enter")
        expect(page.get_by_text("No file was found at this path, or it differs")).to_be_visible()
        path.fill(str(table))
        path.press("Enter")
        expect(page.get_by_text("can be reloaded from there")).to_be_visible()
        person.go("global-sensitivity")
        person.spend()
        process.kill()
        process.wait()
        process = serve("app.py", tmp_path / "again.txt", port)
        page = person.open("global-sensitivity")
        expect(page.get_by_text(re.compile("^Done\\."))).to_be_visible()
        assert person.cards() == 1
        page.get_by_role("button", name="Run again with fresh noise").click()
        expect(page.get_by_text("The data file is not loaded.")).to_be_visible()
        expect(page.get_by_role("button", name=re.compile("^Release result "))).to_be_disabled()
        person.settle()
        person.open()
        page.get_by_role("button", name=re.compile("^Reload data from")).click()
        expect(page.get_by_text("The data file is not loaded.")).to_have_count(0)
        person.settle()
        person.go("global-sensitivity")
        person.spend()
        assert person.cards() == 2
        stranger = Visitor(chromium.new_context(base_url=url).new_page(), person.server)
        stranger.open("results")
        assert "people.csv" not in stranger.page.content() and stranger.cards() == 0
        word = re.search(r"\?project=\w+", (tmp_path / "again.txt").read_text())
        assert word is not None
        stranger.open(f"answers{word.group()}")
        expect(stranger.page.get_by_text("people.csv").first).to_be_visible()
        assert "project=" not in stranger.page.url
        stranger.page.context.close()
        person.leave()
    finally:
        process.kill()


def test_the_same_file_uploaded_again_needs_no_declaration(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read once, as that table; another file, and one that is to be registered, becomes a draft as ever."""
    stopped(saving_server(path))
    server = started(path)
    space = server.workspace("ann")
    monkeypatch.setattr(upload, "workspace", lambda: space)
    monkeypatch.setattr(upload, "server", lambda: server)
    monkeypatch.setattr(upload.st, "rerun", lambda: None)
    read: list[bytes] = []
    monkeypatch.setattr(upload, "_read", lambda draft: read.append(draft.data))
    assert upload._known(LocalSource(DATA + b"33\n")) == {"people.csv": SCHEMA}, "offered, though its rows are away"
    upload._begin("other.csv", DATA + b"33\n", registering=False)
    upload._begin("people.csv", DATA, registering=True)
    assert read == [DATA + b"33\n", DATA] and space.here.shelved
    upload._begin("renamed.csv", DATA, registering=False)
    assert len(read) == 2 and not space.here.shelved and not space.notice
    assert space.here.name == "people.csv" and space.dataset.schema == SCHEMA and len(space.here.answered) == 1
