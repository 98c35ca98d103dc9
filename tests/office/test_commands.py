"""A house is kept by command: copies that lose nothing in silence."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from support.offices import APART, copied
from support.postgres import Postgres

import discreet.budget.durable.backup as backups
import discreet.budget.durable.store as files
from discreet.budget import BudgetExceeded, Cost, ParameterError
from discreet.budget.durable import Store
from discreet.budget.durable.__main__ import main as durable_main
from discreet.curator import Request
from discreet.curator.plan import FixedPlan
from discreet.curator.release import Question
from discreet.mechanisms import registry as mechanisms
from discreet.office import House, Policy, Registration
from discreet.office.__main__ import GONE, main
from discreet.office.datasets import registering, registry
from discreet.office.decisions import decisions
from discreet.office.decisions.checklist import POINTS
from discreet.office.desk import asking
from discreet.office.house.failures import FULL
from discreet.office.house.house import open_house
from discreet.office.house.roles import Member
from discreet.office.house.tables import metadata
from discreet.office.people import accounts, joining, links
from discreet.office.requests.request import Inquiry, find, listed
from discreet.office.rules.visit import select_requests
from discreet.office.running import housekeeping
from discreet.queries.mean import Mean
from discreet.report.export import release_record
from discreet.rows import Category, Number, Schema

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
CONTENT = ("age,town\n" + "\n".join(f"{i % 90},{'ab'[i % 2]}" for i in range(300))).encode()
NUMBERS = {"age": Number(0, 120, integer=True, origin="life span"), "town": Category(("a", "b"))}
SAID = Registration("town survey", Schema(NUMBERS), Cost.of("2"), "survey", "consent", apart=APART, alone=True)
LOOKED = dict.fromkeys(POINTS, "no: looked at and understood")
PURPOSE, REASON = "to know how old people are", "the purpose is not clear enough"
COMMANDS = (
    "setup",
    "people",
    "verify",
    "trail",
    "health",
    "migrate",
    "key",
    "backup",
    "restore",
    "retention",
    "erase",
    "export",
    "bundle",
)
STATES = ["answered", "refused", "answered", "denied", "changes", "withdrawn", "waiting"]
Told = tuple[int, str]


class Place:
    """A house and where it is, worked on from here and by command."""

    def __init__(self, home: Path, url: str) -> None:
        """Say where; nothing is opened yet."""
        self.home, self.url = home, url
        self._house: House | None = None

    def open(self) -> House:
        """Open it, once."""
        self._house = self._house or House(self.home, self.url)
        return self._house

    def rows(self, *names: str) -> dict[str, list[Any]]:
        """Return the rows of tables."""
        with self.open().store.engine.connect() as connection:
            return {name: connection.execute(sa.text(f"SELECT * FROM {name} ORDER BY 1, 2")).all() for name in names}

    def everything(self) -> dict[str, list[Any]]:
        """Return the rows of all tables that a backup holds, or must not hold."""
        return self.rows("budgets", "lines", "answers", "seals", *metadata.tables)

    def vault(self) -> set[str]:
        """Return the names of the files in the vault, without the key."""
        return {path.name for path in (self.home / "vault").iterdir()} - {"key"}


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[..., Told]:
    """Return how to give a command without a process of its own: the same code, sooner."""

    def give(place: Place, *words: str) -> Told:
        capsys.readouterr()
        try:
            code: Any = main(["--home", str(place.home), "--database", place.url, *words])
        except SystemExit as ended:
            code = ended.code
        said = capsys.readouterr()
        text = said.out + said.err + (code if isinstance(code, str) else "")
        return (1 if isinstance(code, str) else code), text

    return give


@pytest.fixture
def place(url: str, tmp_path: Path) -> Place:
    """Return a place for a house on each kind of database."""
    return Place(tmp_path / "house", url)


@pytest.fixture
def lite(tmp_path: Path) -> Place:
    """Return a place for a house on SQLite."""
    return Place(tmp_path / "house", f"sqlite:///{tmp_path / 'house' / 'ledger.db'}")


@pytest.fixture
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Place], Place]:
    """Return a maker of empty places on the same kind of database."""
    empties: list[Place] = []

    def make(like: Place) -> Place:
        home, address = tmp_path / f"empty{len(empties)}", ""
        if not like.url.startswith("sqlite"):
            server: Postgres = request.getfixturevalue("postgres")
            address = server.database()
        empties.append(Place(home, address or f"sqlite:///{home / 'ledger.db'}"))
        return empties[-1]

    return make


def question(epsilon: float) -> Request:
    """Return a question; another epsilon makes another one."""
    kind: Any = mechanisms["laplace"]
    return Request(kind(query=Mean(), epsilon=epsilon), ("age",))


def settled(house: House, said: Registration = SAID, content: bytes = CONTENT) -> str:
    """Give a house two people and a dataset; return it."""
    link = joining.setup_link(house)
    if link is not None:
        ann = joining.set_up(house, link, "ann", "Ann", "a long password")
        invitation = joining.invite(house, ann, "bob", "Bob", frozenset({"analyst"}))
        joining.choose_password(house, invitation, "a long password")
    return registering.register(house, who(house, "ann"), content, said, Policy(free=0.2, most=5)).id


def plain(folder: Path) -> bool:
    """Say whether registered rows can be read in a folder."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return any(CONTENT in path.read_bytes() or OTHER in path.read_bytes() for path in files)


def who(house: House, login: str) -> Member:
    """Return one of the people."""
    return next(p["person"] for p in accounts.everybody(house) if p["person"].login == login)


def plan(epsilon: float) -> FixedPlan:
    """Return a plan of two rows that costs as much."""
    return FixedPlan((question(epsilon * 0.7), question(epsilon * 0.3)))


def ask(house: House, epsilon: float, asks: Callable[[float], Question] = question) -> Inquiry:
    """Ask of the only dataset; above 0.2 it waits."""
    dataset = registry.everything(house)[0].id
    return asking.submit(house, who(house, "bob"), dataset, asks(epsilon), PURPOSE)


def lived_in(place: Place) -> House:
    """Open a house in which requests have ended in every way but one."""
    house = place.open()
    settled(house)
    ann, bob = who(house, "ann"), who(house, "bob")
    ask(house, 0.1)
    with pytest.raises(BudgetExceeded):
        ask(house, 4)
    decisions.decide(house, ann, ask(house, 0.3, plan).id, "approved", "", LOOKED)
    decisions.decide(house, ann, ask(house, 0.31).id, "denied", REASON)
    decisions.decide(house, ann, ask(house, 0.32).id, "changes", REASON)
    decisions.withdraw(house, bob, ask(house, 0.33).id)
    ask(house, 0.34)
    assert [inquiry.status for inquiry in listed(house, select_requests())] == STATES
    return house


@pytest.fixture(scope="session")
def originals() -> dict[bool, Place]:
    """Keep the houses that others are copies of, by whether they are on SQLite."""
    return {}


@pytest.fixture
def lived(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, originals: dict[bool, Place]
) -> Callable[[Place], House]:
    """Return who brings a copy of a house that was lived in to a place, and opens it."""

    def bring(place: Place) -> House:
        lite = place.url.startswith("sqlite")
        server: Postgres | None = None if lite else request.getfixturevalue("postgres")
        if lite not in originals:
            home = tmp_path_factory.mktemp("lived") / "house"
            address = f"sqlite:///{home / 'ledger.db'}" if server is None else server.database()
            originals[lite] = Place(home, address)
            lived_in(originals[lite]).store.close()
        place.url = copied(originals[lite].url, originals[lite].home, place.home, server)
        return place.open()

    return bring


def words_of(text: str) -> list[str]:
    """Return what a backup or a verification printed to be kept apart."""
    lines = [line for line in text.splitlines() if "=" in line or line.startswith("--")]
    return [word for line in lines for word in shlex.split(line)]


def heads_of(text: str) -> list[str]:
    """Return the heads of datasets alone."""
    return [word for word in words_of(text) if "=" in word]


def test_accounts_by_command(lite: Place, tell: Any) -> None:
    """The first link, new links, roles and ends."""
    reply = tell(lite, "setup")
    assert reply[0] == 0 and reply[1].startswith("/sign-in?link=")
    house, first = lite.open(), reply[1].strip().partition("=")[2]
    joining.set_up(house, first, "ann", "Ann", "a long password")
    code, why = tell(lite, "setup")
    assert code != 0 and "already" in why
    joining.invite(house, who(house, "ann"), "bob", "Bob B.", frozenset({"analyst"}))
    assert tell(lite, "people", "roles", "bob", "analyst,officer")[0] == 0
    assert tell(lite, "people") == (0, "ann  Ann  administrator  officer\nbob  Bob B.  analyst  officer  no password\n")
    newer = tell(lite, "people", "renew", "BOB")[1].strip().partition("=")[2]
    assert links.pending(house, newer) == "password"
    assert joining.choose_password(house, newer, "another password").login == "bob"
    assert tell(lite, "people", "roles", "bob", "analyst")[0] == tell(lite, "people", "signout", "bob")[0] == 0
    assert who(house, "bob").roles == {"analyst"}
    assert tell(lite, "people", "close", "bob")[0] == 0 and not accounts.everybody(house)[1]["active"]
    assert tell(lite, "people", "roles", "bob", "officer")[0] == 0
    assert not accounts.everybody(house)[1]["active"]  # other roles do not open it again
    assert tell(lite, "people", "close", "ann") == (1, "At least one active administrator must remain.")
    code, trail = tell(lite, "trail", "2")
    assert code == 0 and len(trail.splitlines()) == 2 and "terminal  changed the roles" in trail


def test_data_by_command(lite: Place, tell: Any, tmp_path: Path, lived: Callable[[Place], House]) -> None:
    """Ends of rows, proofs, and an export."""
    house = lived(lite)
    dataset = registry.everything(house)[0].id
    code, text = tell(lite, "verify", "town survey")
    assert code == 0 and heads_of(text)[0].startswith("town survey=") and "All is well." in text
    assert tell(lite, "migrate")[1] == "The database is up to date, at revision 0020.\n"
    file = tmp_path / "survey.json"
    assert tell(lite, "export", "town survey", str(file)) == (0, "Results written: 2.\n")
    export, ledger = json.loads(file.read_text()), registry.ledger(house, dataset)
    answers = [inquiry.release for inquiry in listed(house, select_requests()) if inquiry.release]
    schema = registry.find(house, dataset).registration.schema
    lone, rows = (
        json.loads(json.dumps([release_record(row, schema) for row in answer.releases])) for answer in answers
    )
    assert export["releases"][0] == lone[0] and export["releases"][1]["rows"] == rows and len(rows) == 2
    assert export["releases"][1]["cost"] == {"epsilon": 0.3, "delta": 0.0}
    assert export["lines"] == list(ledger.lines) and file.stat().st_mode & 0o777 == 0o600
    code, text = tell(lite, "erase", "town survey")
    assert code == 1 and "cannot be undone" in text and len(lite.vault()) == 1
    code, text = tell(lite, "erase", "town survey", "--yes")
    assert code == 0 and "in all backups" in text and not lite.vault()
    assert registry.find(house, dataset).state == "deleted"
    late = Registration("late", SAID.schema, SAID.limit, "s", "b", keep_until="2020-01-01", apart=APART, alone=True)
    settled(house, late, CONTENT + b"\n3,a\n")
    assert tell(lite, "retention")[1].startswith("The rows of late are deleted.") and not lite.vault()
    assert tell(lite, "retention") == (0, "")
    trail = tell(lite, "trail", "99")[1]
    assert trail.count("terminal  deleted the rows of") == 2


def test_a_backup_comes_back_whole(
    place: Place, empty: Callable[[Place], Place], tell: Any, tmp_path: Path, lived: Callable[[Place], House]
) -> None:
    """The same lines, answers, people, datasets, requests and acts; no links and no sessions."""
    house, folder = lived(place), tmp_path / "backup"
    before = place.everything()
    assert tell(place, "verify")[0] == 0
    code, text = tell(place, "backup", str(folder))
    assert code == 0 and folder.stat().st_mode & 0o777 == 0o700
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) == 4 and {path.stat().st_mode & 0o777 for path in files} == {0o600}
    there = empty(place)
    code, report = tell(there, "restore", str(folder), *words_of(text))
    assert code == 0 and report.startswith("Restored.")
    after = there.everything()
    for table in ("budgets", "lines", "answers", "people", "datasets", "requests"):
        assert after[table] == before[table] and before[table], table
    more = [act.what for act in after["acts"][len(before["acts"]) :]]
    assert after["acts"][: len(before["acts"])] == before["acts"]
    assert more == ["audited", "backup", "set up"] and before["links"]
    assert not after["links"] and not after["sessions"] and not after["attempts"]
    assert there.vault() == place.vault() and tell(there, "verify")[0] == 0
    check_that_it_goes_on(house, there.open())


def check_that_it_goes_on(house: House, again: House) -> None:
    """Fail if a restored house gives other answers, forgets a request, or takes rows twice."""
    for old, new in zip(listed(house, select_requests()), listed(again, select_requests()), strict=True):
        assert old == new and find(again, old.id) == old
    waiting = listed(again, select_requests())[-1]
    spent = registry.ledger(again, waiting.dataset).spent
    done = decisions.decide(again, who(again, "ann"), waiting.id, "approved", "", LOOKED)
    assert done.release is not None and ask(again, 0.15).release is not None
    assert ask(again, 0.1).release == listed(house, select_requests())[0].release
    assert registry.ledger(again, waiting.dataset).spent == spent + Cost.of("0.15")
    with pytest.raises(ParameterError, match="These rows are already registered"):
        settled(again, Registration("anew", SAID.schema, SAID.limit, "s", "b", apart=APART, alone=True))


def check_that_heads_are_heeded(
    old: Path, heads: list[str], goal: Place, tell: Any, lost: str = "later spending"
) -> None:
    """Fail if a backup comes back that lacks a line which is known: that would return budget."""
    code, text = tell(goal, "restore", str(old), *heads)
    assert code == 1 and f", so {lost} would be lost" in text
    assert not any(goal.everything().values()) and not goal.vault()


def test_an_old_backup_returns_no_budget_in_silence(
    place: Place,
    empty: Callable[[Place], Place],
    tell: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    lived: Callable[[Place], House],
) -> None:
    """A newer head, a newer act or a newer dataset refuses it; "unknown" is said on purpose."""
    house, old, there = lived(place), tmp_path / "old", empty(place)
    words = words_of(tell(place, "backup", str(old))[1])
    ask(house, 0.11)
    newer = heads_of(tell(place, "verify")[1])
    check_that_heads_are_heeded(old, newer, there, tell)
    assert "The backup of town survey has no entry" in tell(there, "restore", str(old), *newer)[1]
    check_that_heads_are_heeded(old, [words[0], newer[0]], there, tell)
    act = words_of(tell(place, "verify")[1])[-2:]
    check_that_heads_are_heeded(old, [words[0], *act], there, tell)
    check_that_heads_are_heeded(old, [words[0], "later=0:abc"], there, tell, "all its recorded spending")
    assert "Give the latest known hash of each budget," in tell(there, "restore", str(old))[1]
    twin = empty(place)
    with monkeypatch.context() as broken:
        broken.setattr(backups, "check", lambda *_: None)
        with pytest.raises(AssertionError):
            check_that_heads_are_heeded(old, newer, twin, tell)
    code, text = tell(there, "restore", str(old), "town survey=unknown")
    assert code == 0 and "after these hashes are not recorded here" in text
    assert "town survey=unknown" in tell(there, "trail", "1")[1]
    assert "not empty" in tell(there, "restore", str(old), *words)[1]
    (there.home / "vault").rename(there.home / "kept")
    assert "not empty" in tell(there, "restore", str(old), *words)[1]


def altered(old: Path, table: str, name: str, change: Callable[[Any], Any]) -> None:
    """Change the last row of a table in a backup that has something to change."""
    rows = [json.loads(line) for line in (old / "ledger.jsonl").read_text().splitlines()]
    for row in rows[::-1]:
        if row["table"] == table and change(row[name]) != row[name]:
            row[name] = change(row[name])
            break
    else:
        raise AssertionError("nothing was changed")
    (old / "ledger.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def swap(old: str, new: str) -> Callable[[Any], Any]:
    """Return what replaces one text by another."""
    return lambda cell: new if cell == old else cell


TAMPERED: dict[str, Callable[[Path], None]] = {
    "an answer": lambda old: altered(old, "answers", "body", lambda t: t.replace("1", "2")),
    "a line": lambda old: altered(old, "lines", "cost_epsilon", lambda t: t // 2),
    "a limit": lambda old: altered(old, "budgets", "limit_epsilon", lambda t: t * 2),
    "an act": lambda old: altered(old, "acts", "about", swap("town survey", "other survey")),
    "a decision": lambda old: altered(old, "requests", "state", swap("denied", "waiting")),
    "an end": lambda old: altered(old, "requests", "state", swap("waiting", "withdrawn")),
    "a question": lambda old: altered(old, "requests", "question", lambda t: t.replace("0.3", "0.2")),
    "a cost": lambda old: altered(old, "requests", "cost_epsilon", lambda t: t // 2),
    "an analyst": lambda old: altered(old, "requests", "round", lambda t: t + 1),
    "a way out": lambda old: altered(old, "datasets", "content", lambda t: "../ledger.jsonl"),
    "an erasure": lambda old: altered(old, "datasets", "state", lambda t: "gone"),
    "no text": lambda old: (old / "ledger.jsonl").write_bytes(b"{}\n"),
    "no key": lambda old: (old / "vault" / "key").unlink(),
    "another key": lambda old: (old / "vault" / "key").write_bytes(b"1" * 64),
}


def rows_of(old: Path) -> Path:
    """Return the file of rows in a backup."""
    return next(path for path in (old / "vault").iterdir() if path.name != "key")


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, Path]:
    """Keep one house and its backup for tests that change neither."""
    home = tmp_path_factory.mktemp("model")
    place = Place(home, f"sqlite:///{home / 'ledger.db'}")
    lived_in(place)
    assert main(["--home", str(home), "--database", place.url, "backup", str(home / "old")]) == 0
    return place, home / "old"


@pytest.fixture
def old(model: tuple[Place, Path], tmp_path: Path) -> Path:
    """Return a backup of one's own."""
    for path in (model[1], model[1] / "vault"):
        goal = tmp_path / "old" / path.relative_to(model[1])
        goal.mkdir()
        for file in path.iterdir():
            if file.is_file():
                (goal / file.name).write_bytes(file.read_bytes())
    return tmp_path / "old"


@pytest.mark.parametrize("what", TAMPERED)
def test_a_tampered_backup_is_refused(
    what: str, old: Path, model: tuple[Place, Path], tell: Any, empty: Callable[[Place], Place]
) -> None:
    """Whatever is changed in a ledger, an answer, a request, an act or a file: nothing comes."""
    there = empty(model[0])
    TAMPERED[what](old)
    code, _ = tell(there, "restore", str(old), "town survey=unknown")
    assert code == 1 and not any(there.everything().values()) and not there.vault()


def test_a_seal_finds_what_no_chain_holds(
    old: Path, model: tuple[Place, Path], tell: Any, empty: Callable[[Place], Place]
) -> None:
    """The trail knows other roles; who has the backup has its key, too, but not the word."""
    seal = tell(model[0], "backup", str(old.parent / "new"))[1].splitlines()[-2].split()
    assert seal[0] == "--seal"
    altered(old.parent / "new", "people", "roles", swap("analyst", "officer"))
    command = ("restore", str(old.parent / "new"), "town survey=unknown")
    code, text = tell(empty(model[0]), *command, *seal)
    assert code == 1 and "was changed" in text
    code, text = tell(empty(model[0]), *command)
    assert code == 1 and "The account bob: “roles” does not match the audit log" in text
    there = empty(model[0])
    assert "bob: “roles”" in tell(there, *command, "--yes")[1]
    assert who(there.open(), "bob").login == "bob"


OTHER = CONTENT + b"\n44,a\n"


def two(house: House) -> House:
    """Give a house a second dataset, of other rows."""
    registering.register(house, who(house, "ann"), OTHER, replace(SAID, name="other"), Policy())
    return house


@pytest.mark.parametrize("harm", ["changed", "gone"])
def test_a_backup_names_the_data_whose_rows_are_damaged(
    place: Place, empty: Callable[[Place], Place], tell: Any, tmp_path: Path, harm: str, lived: Callable[[Place], House]
) -> None:
    """Verification and backup fail by name; a restore leaves these rows out, and nothing else."""
    house, folder = two(lived(place)), tmp_path / "backup"
    broken = next(p for p in (place.home / "vault").iterdir() if p.read_bytes() == OTHER)
    broken.write_bytes(OTHER + b"x") if harm == "changed" else broken.unlink()
    code, text = tell(place, "verify")
    assert code == 1 and "other: The " in text and "town survey:" not in text
    code, text = tell(place, "backup", str(folder))
    assert code == 1 and "other: The " in text and "Keep an older backup without errors" in text
    there, before = empty(place), place.everything()
    code, text = tell(there, "restore", str(folder), *words_of(text))
    assert code == 1 and "The rows of other are not restored; its budget and results are." in text
    assert there.vault() == place.vault() - {broken.name} and len(there.vault()) == 1
    for table in ("budgets", "lines", "answers", "people", "datasets", "requests", "seals"):
        restored = there.everything()[table]
        assert [row for row in before[table] if row in restored] == before[table], table
    with pytest.raises(ParameterError, match="These rows are already registered as other"):
        settled(there.open(), replace(SAID, name="anew"), OTHER)
    again, dataset = there.open(), registry.everything(house)[1].id
    asked = asking.submit(again, who(again, "bob"), dataset, question(0.13), PURPOSE)
    assert asked.release is not None


def test_a_drill_with_a_copy_of_the_keys_opens_rows_and_harms_none(
    lite: Place, empty: Callable[[Place], Place], tell: Any, tmp_path: Path
) -> None:
    """Without the keys rows are left out, by name; with a copy they are asked; deleted, they go."""
    keys, copy, folder = tmp_path / "keys", tmp_path / "copy", tmp_path / "backup"
    lite._house = House(lite.home, lite.url, keys=keys)
    house = two(lived_in(lite))
    held = {path.name: path.read_bytes() for path in keys.iterdir()}
    code, text = tell(lite, "backup", str(folder), "--keys", str(keys))
    words = words_of(text)
    assert code == 0 and len(held) == 2 and not plain(folder)
    shutil.copytree(keys, copy)
    broken = next(path for path in (folder / "vault").iterdir() if path.name != "key")
    whole = broken.read_bytes()

    code, text = tell(empty(lite), "restore", str(folder), *words)
    assert code == 1 and text.count("The key of these rows is missing.") == 2

    broken.write_bytes(whole[:-1])  # one backup is damaged, others may not be
    drill = empty(lite)
    code, text = tell(drill, "restore", str(folder), *words, "--keys", str(copy))
    assert code == 1 and text.count("are not restored") == 1 and len(drill.vault()) == 1
    housekeeping.tidy(House(drill.home, drill.url, keys=copy))
    assert {path.name: path.read_bytes() for path in copy.iterdir()} == held

    broken.write_bytes(whole)
    drill = empty(lite)
    assert tell(drill, "restore", str(folder), *words, "--keys", str(copy))[0] == 0
    assert tell(drill, "verify", "--keys", str(copy))[0] == 0
    drill._house = House(drill.home, drill.url, keys=copy)
    there, dataset = drill.open(), registry.everything(house)[1].id
    assert asking.submit(there, who(there, "bob"), dataset, question(0.14), PURPOSE).release

    code, text = tell(lite, "erase", "town survey", "--yes", "--keys", str(keys))
    assert code == 0 and "The key of the rows is deleted, too." in text and "Delete" not in text
    gone = set(held) - {path.name for path in keys.iterdir()}
    assert len(gone) == 1 and registry.find(house, dataset).state == "deleted"
    late = empty(lite)  # the old backup is all there, and of no use any more
    assert tell(late, "restore", str(folder), *words, "--keys", str(keys))[0] == 1
    assert late.vault() == set(held) - gone


def test_a_forged_row_does_not_hold_a_restore_up_for_ever(
    place: Place, empty: Callable[[Place], Place], tell: Any, tmp_path: Path, lived: Callable[[Place], House]
) -> None:
    """It is named and refused; with --yes it comes back as it is, and is named again."""
    lived(place).store.engine.dispose()
    with place.open().store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE people SET roles = 'officer' WHERE login = 'bob'")
    code, text = tell(place, "backup", str(tmp_path / "b"))
    assert code == 1 and "The account bob: “roles” does not match the audit log" in text
    words, there = words_of(text), empty(place)
    code, text = tell(there, "restore", str(tmp_path / "b"), *words)
    assert code == 1 and "account bob: “roles”" in text and "--yes" in text and not there.vault()
    code, text = tell(there, "restore", str(tmp_path / "b"), *words, "--yes")
    assert code == 1 and "account bob: “roles”" in text and there.vault()
    assert "account bob: “roles”" in tell(there, "verify")[1]
    with there.open().store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE people SET roles = 'analyst' WHERE login = 'bob'")
    assert tell(there, "verify")[0] == 0


def test_a_restore_heeds_the_heads_that_lie_there(
    place: Place, empty: Callable[[Place], Place], tell: Any, tmp_path: Path, lived: Callable[[Place], House]
) -> None:
    """Heads outside of the database know more than an old backup, whatever words are said."""
    house = lived(place)
    old = words_of(tell(place, "backup", str(tmp_path / "old"))[1])
    ask(house, 0.11)
    there = empty(place)
    there.home.mkdir()
    (there.home / "heads.txt").write_bytes((place.home / "heads.txt").read_bytes())
    code, text = tell(there, "restore", str(tmp_path / "old"), *old)
    assert code == 1 and "was cut, restored to an earlier state or rebuilt" in text
    assert not any(there.everything().values()) and not there.vault()
    assert not (there.home / "seal.key").exists()
    code, text = tell(there, "restore", str(tmp_path / "old"), "town survey=unknown")
    assert code == 1 and "town survey was cut, restored to an earlier state or rebuilt" in text
    assert registry.everything(there.open())


def test_the_key_of_the_seals_comes_back_and_displaces_no_other(
    lite: Place, empty: Callable[[Place], Place], tell: Any, tmp_path: Path, lived: Callable[[Place], House]
) -> None:
    """A restored house seals on with it; where another key lies, nothing is restored."""
    lived(lite)
    words = words_of(tell(lite, "backup", str(tmp_path / "b"))[1])
    there, other = empty(lite), empty(lite)
    assert tell(there, "restore", str(tmp_path / "b"), *words)[0] == 0
    assert (there.home / "seal.key").read_bytes() == (lite.home / "seal.key").read_bytes()
    assert (there.home / "seal.key").stat().st_mode & 0o777 == 0o600
    assert tell(there, "verify")[0] == 0
    other.home.mkdir()
    (other.home / "seal.key").write_bytes(b"2" * 64)
    code, text = tell(other, "restore", str(tmp_path / "b"), *words)
    assert code == 1 and "The seal key here differs from the one in" in text
    assert (other.home / "seal.key").read_bytes() == b"2" * 64
    (lite.home / "seal.key").unlink()
    assert "The seal key is missing" in tell(lite, "people")[1]


def test_key_and_heads_lie_where_the_settings_say(
    lite: Place, tell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outside of the folder; another house by --home has its own."""
    named = {
        "DISCREET_HOME": str(lite.home),
        "DISCREET_DATABASE": lite.url,
        "DISCREET_SEAL": str(tmp_path / "keys" / "seal"),
        "DISCREET_HEADS": str(tmp_path / "far"),
    }
    house = open_house(named)
    link = joining.setup_link(house)
    assert link is not None
    joining.set_up(house, link, "ann", "Ann", "a long password")
    assert (tmp_path / "keys" / "seal").is_file() and (tmp_path / "far").is_file()
    assert not (lite.home / "seal.key").exists() and not (lite.home / "heads.txt").exists()
    assert house.seal.exported().places["trail"]
    for name, value in named.items():
        monkeypatch.setenv(name, value)
    far = (tmp_path / "far").read_bytes()
    drill = Place(tmp_path / "drill", f"sqlite:///{tmp_path / 'drill' / 'ledger.db'}")
    assert tell(drill, "people") == (0, "") and tell(drill, "verify")[0] == 0
    assert (drill.home / "seal.key").is_file() and (drill.home / "heads.txt").is_file()
    assert (tmp_path / "far").read_bytes() == far


def test_nightly_verifications_do_not_flood_the_trail(lite: Place, tell: Any, lived: Callable[[Place], House]) -> None:
    """One act for all data together, with what was found."""
    two(lived(lite))
    before = len(lite.rows("acts")["acts"])
    assert tell(lite, "verify")[0] == tell(lite, "verify")[0] == 0
    assert len(lite.rows("acts")["acts"]) == before + 2
    text = tell(lite, "trail", "1")[1]
    assert "verified all ledgers, the audit log and the vault" in text and '"holds": true' in text


def test_what_was_erased_stays_erased(
    place: Place, empty: Callable[[Place], Place], tell: Any, tmp_path: Path, lived: Callable[[Place], House]
) -> None:
    """Rows that are erased are in no later backup; from an older one they come, and go again."""
    house = lived(place)
    before, later = tmp_path / "before", tmp_path / "later"
    old = words_of(tell(place, "backup", str(before))[1])
    file = tell(place, "erase", "town survey", "--yes")[1].split("vault/")[1].split()[0]
    new = words_of(tell(place, "backup", str(later))[1])
    assert rows_of(before).name == file and not (later / "vault" / file).exists()
    there = empty(place)
    assert tell(there, "restore", str(later), *new)[0] == 0 and not there.vault()
    with pytest.raises(ParameterError, match="These rows are already registered"):
        settled(there.open(), Registration("anew", SAID.schema, SAID.limit, "s", "b", apart=APART, alone=True))
    again = empty(place)
    assert "later spending would be lost" in tell(again, "restore", str(before), old[0], *new[1:3])[1]
    assert tell(again, "restore", str(before), *old)[0] == 0 and again.vault() == {file}
    assert tell(again, "erase", "town survey", "--yes")[0] == 0 and not again.vault()
    rows_of(before).unlink()  # as erase has said
    last = empty(place)
    code, text = tell(last, "restore", str(before), *old)
    assert code == 1 and "The rows of town survey are not restored" in text and not last.vault()
    assert len(listed(last.open(), select_requests())) == len(listed(house, select_requests()))


def test_a_restore_erases_what_is_past_its_day(
    place: Place, empty: Callable[[Place], Place], tell: Any, tmp_path: Path
) -> None:
    """Rows do not come back after their day, not even from a backup."""
    house, there = place.open(), empty(place)
    settled(
        house, Registration("late", SAID.schema, SAID.limit, "s", "b", keep_until="2020-01-01", apart=APART, alone=True)
    )
    words = words_of(tell(place, "backup", str(tmp_path / "b"))[1])
    assert words[0] == "late=unknown"  # nothing was spent: there is no line to keep
    code, text = tell(there, "restore", str(tmp_path / "b"), *words)
    assert code == 0 and "The rows of late are deleted" in text and not there.vault()


def test_verification_finds_what_was_changed(place: Place, tell: Any, lived: Callable[[Place], House]) -> None:
    """A ledger, a request or a trail that was changed behind the guards, or cut; exit code 1."""
    house = lived(place)
    code, text = tell(place, "verify")
    head, trail = heads_of(text)[0].partition("=")[2], words_of(text)[-1]
    assert tell(place, "verify", "town survey", "--head", head, "--trail", trail)[0] == 0
    assert tell(place, "verify", "town survey", "--head", head, "--head", "99:abc")[0] == 1
    assert "anchor" in tell(place, "verify", "town survey", "--head", f"0:{trail[-64:]}")[1]
    assert "cut or rebuilt" in tell(place, "verify", "--trail", "0:abc")[1]
    without_guards(house.store)
    for change, finding in (
        ("UPDATE requests SET state = 'withdrawn' WHERE number = 7", "#7 of town survey does not match the ledger"),
        ("UPDATE acts SET who = 'bob' WHERE seq = 1", "Entry 1 does not fit"),
        ("UPDATE lines SET cost_epsilon = 1 WHERE seq = 0", "town survey, entry 0: An entry was"),
        ("DELETE FROM requests WHERE number = 2", "is only in the ledger of town survey"),
    ):
        assert finding not in tell(place, "verify")[1]
        with house.store.engine.begin() as connection:
            connection.exec_driver_sql(change)
        code, text = tell(place, "verify")
        assert code == 1 and finding in text


def without_guards(store: Store) -> None:
    """Take the triggers away, as whoever owns the database can."""
    with store.engine.begin() as connection:
        if store.lite:
            triggers = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type='trigger'")
            for name in triggers.scalars().all():
                connection.exec_driver_sql(f"DROP TRIGGER {name}")
            return
        for table in ("requests", "acts", "lines"):
            connection.exec_driver_sql(f"ALTER TABLE {table} DISABLE TRIGGER USER")


MISTAKES = {
    "people renew nobody": "No account has this login",
    "people close nobody": "No account has this login",
    "people factor nobody": "No account has this login",
    "people roles nobody analyst": "No account has this login",
    "people roles bob king": "at least one role",
    "people roles bob": "required: ROLES",
    "erase nothing --yes": "No dataset has this name",
    "export nothing out.json": "No dataset has this name",
    "export 'town survey' .": "File exists: .",
    "verify nothing": "No dataset has this name",
    "verify --head 0:abc": "Enter the NAME of the dataset",
    "verify 'town survey' --head -1:abc": "expected one argument",
    "verify 'town survey' --head=-1:abc": "LINE:HASH",
    "verify 'town survey' --head x": "LINE:HASH",
    "trail many": "must be a whole number",
    "backup .": "File exists: .",
    "restore nowhere": "No such file",
    "restore budget": "No such file",
    "erase": "required: NAME",
    "people bob": "invalid choice",
    "people --yes": "unrecognized arguments",
    "verify --as bob": "unrecognized arguments",
    "": "required: COMMAND",
    "repair": "invalid choice",
    "--database nonsense people": "DISCREET_DATABASE is not a supported address",
    "--database sqlite:////dev/null/x people": "/dev/null",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_a_mistake_is_told_and_changes_nothing(
    words: str, model: tuple[Place, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every mistake ends with a sentence and an exit code that is not 0."""
    monkeypatch.setenv("DISCREET_HOME", str(model[0].home))
    monkeypatch.setenv("DISCREET_DATABASE", model[0].url)
    before = model[0].everything()
    with pytest.raises(SystemExit) as ended:
        main(shlex.split(words))
    said = f"{ended.value.code} {capsys.readouterr().err}"
    assert ended.value.code not in (0, None) and MISTAKES[words] in said
    assert model[0].everything() == before


def test_a_failed_backup_leaves_nothing(
    place: Place, tell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lived: Callable[[Place], House]
) -> None:
    """A disk that is full does not leave rows behind that nobody knows of."""
    lived(place)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device", "rows")

    monkeypatch.setattr(files.shutil, "copyfileobj", full)
    assert tell(place, "backup", str(tmp_path / "b")) == (1, f"{FULL}: rows")
    assert not (tmp_path / "b").exists()


def test_the_help_tells_every_command(lite: Place, tell: Any) -> None:
    """Without opening a house."""
    code, text = tell(lite, "--help")
    assert code == 0 and not lite.home.exists()
    for name in COMMANDS:
        assert f"\n    {name} " in text
        code, own = tell(lite, name, "--help")
        assert code == 0 and own.startswith(f"usage: discreet office {name} ") and not lite.home.exists()


def test_what_is_done_elsewhere_now_says_where(lite: Place, tell: Any) -> None:
    """With all words that it had, as JSON too; no house is opened for it."""
    for name, where in GONE.items():
        said = f"The command {name} was removed. {where}"
        assert tell(lite, name, "7", "approve", "--as", "olga", "--seen", "x") == (1, said)
        code, text = tell(lite, "--json", name)
        assert code == 1 and json.loads(text) == {"ok": False, "error": said, "lines": []}
    assert not lite.home.exists() and not set(GONE) & set(COMMANDS)


def test_every_command_is_told_as_json(lite: Place, tell: Any, tmp_path: Path, lived: Callable[[Place], House]) -> None:
    """One object, whether the words that all take stand before the command or behind it."""
    lived(lite)
    for words in (("people",), ("trail", "3"), ("health",), ("verify",), ("migrate",), ("key",)):
        for given in (("--json", *words), (*words, "--json")):
            code, text = tell(lite, *given)
            said = json.loads(text)
            assert code == 0 and said["ok"] and said["lines"], words
    assert [line["login"] for line in json.loads(tell(lite, "people", "--json")[1])["lines"]] == ["ann", "bob"]
    code, text = tell(lite, "bundle", "town survey", str(tmp_path / "b.zip"), "2030-01-01", "2030-01-31", "--json")
    assert code == 0 and "discreet verify" in json.loads(text)["lines"][0]
    refused = json.loads(tell(lite, "people", "close", "nobody", "--json")[1])
    assert refused["error"] == "No account has this login."


def test_only_the_office_restores_an_office(
    model: tuple[Place, Path], old: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The ledger's own restore refuses a backup of which it would bring back a part."""
    there = f"sqlite:///{tmp_path / 'ledger.db'}"
    dataset = registry.everything(model[0].open())[0].id
    file = str(old / "ledger.jsonl")
    assert durable_main(["restore", there, file, f"{dataset}=unknown"]) == 1
    assert "more than budgets" in capsys.readouterr().out
    with Store(there).reading() as connection:
        assert not connection.exec_driver_sql("SELECT * FROM budgets").all()
