"""Likeness in the core: whoever brings data like registered ones says what they are: a version, or other people."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.offices import APART, ON_SQLITE, REGISTRATION, Clock, Office, everything_in, together

from discreet.budget import Cost, ParameterError
from discreet.office import House, Policy, Registration
from discreet.office.api.operations import OPERATIONS
from discreet.office.auditing import inspection
from discreet.office.datasets import changes, lifecycle, likeness, registering, registry
from discreet.office.datasets.likeness import Resembling
from discreet.office.house import audit_log
from discreet.office.house.vault import IMPRINTS
from discreet.office.people import signing_in
from discreet.office.running import backup
from discreet.rows import Category, Number, Person, Schema
from discreet.rows.engines.connection import DatabaseSource
from discreet.rows.imprints import Imprints

COLUMNS = Schema(
    {"card": Person(), "age": Number(0, 120, integer=True, origin="law"), "town": Category(("north", "south"))}
)
SAID = Registration("cards", COLUMNS, Cost.of("3", "1e-5"), "the register of cards", "a law", compared=True)
OTHERWISE = Schema({"years": Number(0, 120, integer=True, origin="law"), "place": Category(("north", "south"))})
WHY = "the second wave of the same survey"


def rows(first: int = 0, size: int = 200, names: str = "card,age,town") -> bytes:
    """Return people with cards from a number on."""
    lines = (f"c{at:05d},{at * 7 % 90},{('north', 'south')[at % 2]}" for at in range(first, first + size))
    return "\n".join([names, *lines, ""]).encode()


def enrolled(office: Office, content: Any, said: Registration, house: House | None = None) -> registry.Registered:
    """Register as an officer."""
    return registering.register(house or office.house, office.who["olga"], content, said, Policy())


def renamed(**change: Any) -> Registration:
    """Return what is said of the same people in a file in which everything is called otherwise."""
    said = Registration("renamed", OTHERWISE, Cost.of("3"), "another one", "a law", alone=True)
    return replace(said, **change)


@pytest.fixture
def cards(office: Office) -> Office:
    """Register people whose imprints are kept."""
    office.dataset = enrolled(office, rows(), SAID).id
    return office


def imprints_in(folder: Path) -> list[str]:
    """Return the files of imprints in a folder."""
    return sorted(path.name for path in folder.iterdir() if path.suffix == IMPRINTS)


@ON_SQLITE
@pytest.mark.parametrize("word", ["columns", "source"])
def test_the_core_refuses_what_looks_like_registered_data(office: Office, word: str) -> None:
    """Whoever calls it: nothing is written, no file stays; with a reason it comes in, on the trail and on its cards."""
    said = replace(REGISTRATION, name="again", source="elsewhere" if word == "columns" else "SURVEY.")
    content = b"age,town\n1,north\n" if word == "columns" else b"age,town,a,b,c,d,e\n1,north,,,,,\n"
    before = everything_in(office.store), sorted(office.house.vault.folder.iterdir())
    for apart in ("", "  no      "):
        with pytest.raises(Resembling, match="This dataset looks like people. Add it as a new version, or explain"):
            enrolled(office, content, replace(said, apart=apart))
    assert before == (everything_in(office.store), sorted(office.house.vault.folder.iterdir()))
    data = enrolled(office, content, replace(said, apart=APART))
    assert data.registration.apart == APART
    entry = next(act for act in audit_log.trail(office.store) if act.what == "registered" and act.about == "again")
    assert entry.details["like"] == ["people"] and entry.details["apart"] == APART


def test_of_two_that_register_the_same_people_at_once_one_is_asked(office: Office) -> None:
    """The guard stands where it is written down, under the lock: a check before it would let both in."""
    houses = [(office.again(), renamed(name=f"twin {at}"), f"years,place\n{at},north\n".encode()) for at in range(4)]
    works: list[Callable[[], Any]] = [
        lambda house=house, said=said, content=content: enrolled(office, content, said, house)
        for house, said, content in houses
    ]
    ends = together(works)
    assert sum(isinstance(end, registry.Registered) for end in ends) == 1
    assert sum(isinstance(end, Resembling) for end in ends) == 3


def test_no_operation_of_the_interface_registers() -> None:
    """A program brings no data, so there is no third way in."""
    assert not [each for each in OPERATIONS if "regist" in each.name or "version" in each.name]


CHANGED: dict[str, tuple[bytes, str]] = {
    "renamed columns": (rows(names="number,years,place"), "about 10 in 10 rows"),
    "re-ordered and grown": (
        b"number,years,place\n" + b"\n".join(rows(size=300).splitlines()[:0:-1]) + b"\n",
        "about 10 in 10 identifiers",
    ),
    "half of it, with others": (rows(100, names="number,years,place"), "about 5 in 10 identifiers"),
    "without identifiers": (
        b"\n".join(line.split(b",", 1)[1] for line in rows(names="card,years,place").splitlines()),
        "",
    ),
}


@ON_SQLITE
@pytest.mark.parametrize("change", CHANGED)
def test_the_same_people_under_other_names_are_noticed_by_their_rows(cards: Office, change: str) -> None:
    """Where the officer let imprints be kept; ages and towns repeat, so that without cards nothing is said."""
    content, why = CHANGED[change]
    if not why:
        assert enrolled(cards, content, renamed()).name == "renamed"
        return
    with pytest.raises(Resembling) as refused:
        enrolled(cards, content, renamed())
    (other,) = refused.value.others
    assert other.data.name == "cards" and why in "; ".join(map(str, other.why))
    assert enrolled(cards, content, renamed(apart=APART)).registration.apart == APART


@ON_SQLITE
def test_other_people_under_the_same_names_are_no_others(cards: Office) -> None:
    """Rows alone say nothing about strangers; a newer version is compared as well as the first one."""
    content = rows(1000, names="number,years,place")
    assert enrolled(cards, content, renamed()).name == "renamed"
    changes.renew(cards.house, cards.who["olga"], cards.dataset, rows(5000), WHY)
    with pytest.raises(Resembling, match="looks like cards"):
        enrolled(cards, rows(5000, 201, "number,years,place"), renamed(name="late"))


@ON_SQLITE
def test_nothing_is_kept_or_read_unless_an_officer_said_so(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file beside the rows, and no look at the rows for it."""
    monkeypatch.setattr(likeness, "imprints_of", lambda *_: pytest.fail("read"))
    enrolled(office, rows(), replace(SAID, compared=False))
    changes.renew(office.house, office.who["olga"], office.dataset, b"age,town\n1,north\n", WHY)
    assert imprints_in(office.house.vault.folder) == []
    assert (
        "compared" not in registry.row_of(office.house, office.dataset)["body"]
    )  # older registrations keep their hash


@ON_SQLITE
@pytest.mark.parametrize("keyed", [False, True])
def test_imprints_lie_sealed_and_go_with_the_rows(another: Callable[[], Office], tmp_path: Path, keyed: bool) -> None:
    """Not in the database, not in the clear, of every version; no key of another house opens them; erased with all."""
    office = another()
    keys = tmp_path / "keys" if keyed else None
    house = House(office.home, office.url, Clock(), keys=keys)
    data = enrolled(office, rows(), SAID, house)
    changes.renew(house, office.who["olga"], data.id, rows(size=260), WHY)
    files = imprints_in(house.vault.folder)
    assert len(files) == 2 and inspection.look(house).all == []
    row = registry.row_of(house, data.id)
    imprints = next(likeness.stored(house, row))
    assert imprints.people is not None
    mark = imprints.people.marks[0].tobytes()
    assert all(mark not in path.read_bytes() for path in house.vault.folder.iterdir())
    assert str(imprints.people.marks[0]) not in repr(everything_in(house.store))
    if keys is not None:
        (keys / row["content"]).unlink()
        assert len(list(likeness.stored(house, row))) == 1  # the other version's key is there
        with pytest.raises(ParameterError):
            house.vault.imprints(row["content"])
    else:
        lifecycle.erase(house, office.who["olga"], data.id)
        assert imprints_in(house.vault.folder) == []
        assert enrolled(office, rows(size=250, names="a,years,place"), renamed(), house).name == "renamed"
    house.store.close()


@ON_SQLITE
def test_a_registration_that_fails_leaves_no_imprints(cards: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows and what they are compared by go together when the writing of it fails."""
    monkeypatch.setattr(registering, "_enrol", lambda *_: pytest.fail("no"))
    before = sorted(cards.house.vault.folder.iterdir())
    with pytest.raises(pytest.fail.Exception):
        enrolled(cards, rows(7000), replace(SAID, name="fails", apart=APART))
    assert sorted(cards.house.vault.folder.iterdir()) == before


@ON_SQLITE
@pytest.mark.parametrize("harm", ["gone", "changed", "of another file"])
def test_lost_or_changed_imprints_are_told(cards: Office, harm: str) -> None:
    """By the inspection, with the name of the data; registering goes on."""
    changes.renew(cards.house, cards.who["olga"], cards.dataset, rows(size=260), WHY)
    folder = cards.house.vault.folder
    path, other = (folder / name for name in imprints_in(folder))
    content = path.read_bytes()
    path.unlink()
    if harm != "gone":
        path.write_bytes(content[:-1] + b"x" if harm == "changed" else other.read_bytes())
    assert "cards: The data needed to compare the rows is lost" in str(
        [str(each) for each in inspection.look(cards.house).all]
    )
    assert enrolled(cards, rows(9000, names="a,years,place"), renamed()).name == "renamed"


@ON_SQLITE
def test_a_backup_brings_imprints_back(cards: Office, empty: House, tmp_path: Path) -> None:
    """They are with the rows, and the restored house notices the same people."""
    (tmp_path / "backup").mkdir()
    words, missing = backup.backup(cards.house, tmp_path / "backup")
    assert missing == [] and len(imprints_in(tmp_path / "backup" / "vault")) == 1
    with backup.restored(empty, tmp_path / "backup", [w for w in words if not w.startswith("--")], "", ""):
        empty.begin_seals()
        assert inspection.look(empty).all == []
    with pytest.raises(Resembling, match="looks like cards"):
        enrolled(cards, rows(size=250, names="a,years,place"), renamed(), empty)


@ON_SQLITE
def test_a_table_that_stays_where_it_is_is_compared_where_its_officer_said_so(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A view with other names is noticed by its rows; another way to it keeps what it is compared by."""
    monkeypatch.setenv("DISCREET_DATABASES", f"sqlite:{tmp_path}/*")
    with sqlite3.connect(tmp_path / "rows.db") as table:
        table.execute("CREATE TABLE folk (card TEXT, age INTEGER, town TEXT)")
        lines = [line.split(",") for line in rows().decode().splitlines()[1:]]
        table.executemany("INSERT INTO folk VALUES (?, ?, ?)", lines)
        table.execute("CREATE VIEW others AS SELECT town AS place, age AS years, card AS number FROM folk")
    where = DatabaseSource(f"sqlite:///{tmp_path / 'rows.db'}", "folk")
    data = enrolled(office, where, SAID)
    lifecycle.reconnect(office.house, office.who["olga"], data.id, where)
    assert len(imprints_in(office.house.vault.folder)) == 1 and inspection.look(office.house).all == []
    view = replace(where, table="others")
    with pytest.raises(Resembling, match="looks like cards"):
        enrolled(office, view, renamed(compared=True))
    with pytest.raises(Resembling, match="looks like cards"):
        enrolled(office, rows(size=210, names="a,years,place"), renamed())


@ON_SQLITE
def test_the_same_source_of_another_table_is_not_noticed_by_rows_that_nobody_reads(cards: Office) -> None:
    """Imprints of nothing compare with nothing; deleted data have none, and are noticed by their names only."""
    nothing = Imprints((), None)
    assert likeness.alike_by_rows(cards.house, nothing, "") == likeness.alike_by_rows(cards.house, None, "") == []
    lifecycle.erase(cards.house, cards.who["olga"], cards.dataset)
    with pytest.raises(Resembling, match="looks like cards"):
        enrolled(cards, rows(8000), replace(SAID, name="later"))


def related(file: Path, *lines: str) -> str:
    """Write a database; return its address."""
    with sqlite3.connect(file) as base:
        for line in lines:
            base.execute(line)
    return f"sqlite:///{file}"


TABLES = (
    "CREATE TABLE wards (age int, town text)",
    "CREATE VIEW seen AS SELECT age AS years, town AS place FROM wards",
    "CREATE VIEW again AS SELECT years AS y, place AS p FROM seen",
    "CREATE TABLE strangers (years int, place text)",
)
OF_VIEW = Registration("view", OTHERWISE, Cost.of("3"), "words of its own", "a law", alone=True)
OF_TABLE = replace(
    OF_VIEW,
    name="table",
    source="others",
    schema=Schema({"age": Number(0, 120, integer=True, origin="law"), "town": Category(("north", "south"))}),
    apart=APART,
)


@ON_SQLITE
@pytest.mark.parametrize("view_first", [True, False])
def test_a_view_and_its_table_are_asked_about(office: Office, tmp_path: Path, view_first: bool) -> None:
    """Either way round, though no column, source or table is called the same: they lie in one database."""
    url = related(tmp_path / "hospital.db", *TABLES)
    both = [(DatabaseSource(url, "seen"), OF_VIEW), (DatabaseSource(url, "wards"), OF_TABLE)]
    (first, said), (second, later) = both if view_first else both[::-1]
    enrolled(office, first, replace(said, apart=APART))
    with pytest.raises(Resembling) as refused:
        enrolled(office, second, replace(later, apart=""))
    reasons = [str(why) for other in refused.value.others for why in other.why if other.data.name == said.name]
    assert reasons == ["the database has the same name"]
    other = related(tmp_path / "elsewhere.db", *TABLES)
    assert likeness.alike(office.house, ("n", "m"), "a third one", DatabaseSource(other, "strangers")) == []
    assert enrolled(office, second, replace(later, apart=APART)).name == later.name


@ON_SQLITE
def test_another_path_to_the_same_file_hides_no_view(office: Office, tmp_path: Path) -> None:
    """A link in a folder, and a way around it; another spelling of a server."""
    url = related(tmp_path / "hospital.db", *TABLES)
    data = enrolled(office, DatabaseSource(url, "wards"), OF_TABLE)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "other.db").symlink_to(tmp_path / "hospital.db")
    for path in ("elsewhere/other.db", "elsewhere/../hospital.db"):
        (other,) = likeness.alike(office.house, ("n",), "", DatabaseSource(f"sqlite:///{tmp_path / path}", "again"))
        assert other.data.id == data.id
    here, there = (
        likeness._database(DatabaseSource(f"postgresql+psycopg://{host}/hospital", "wards"))
        for host in ("olga@DB.example:5432", "db.example.")
    )
    assert here == there != ()


def guessed(pay: int) -> bytes:
    """Return nineteen registered people, and one of whom all is known but one cell, which is tried out."""
    lines = rows(size=19, names="a,years,place").decode().splitlines()
    return "\n".join([*lines, f"c00100,{pay},north", ""]).encode()


@ON_SQLITE
def test_values_of_somebody_are_not_tried_out_one_by_one(cards: Office) -> None:
    """An officer of other data hears of so many files in a day, also from another server; the same one counts once."""
    clock = Clock()
    house = House(cards.home, cards.url, clock)
    heard = list[str]()
    for pay in (*range(signing_in.MOST_COMPARED), 0, 1):
        with pytest.raises(Resembling) as refused:
            enrolled(cards, guessed(pay), renamed(source="of others"), house)
        heard += [str(why) for other in refused.value.others for why in other.why]
    assert {why for why in heard if "identifiers" in why or "rows" in why} == {
        "about 10 in 10 identifiers of the smaller table are also in the other one",
        "about 10 in 10 rows of the smaller table are also in the other one",
    }
    for here in (house, House(cards.home, cards.url, clock)):
        with pytest.raises(ParameterError, match="daily limit of 20 file comparisons with registered rows"):
            enrolled(cards, guessed(90), renamed(source="of others"), here)
    clock.now += 24 * 3600
    with pytest.raises(Resembling):
        enrolled(cards, guessed(90), renamed(source="of others"), house)


@ON_SQLITE
def test_where_no_marks_are_kept_no_file_is_counted(office: Office) -> None:
    """Nothing answers there, so as many files come in as there are."""
    enrolled(office, rows(), replace(SAID, compared=False))
    for at in range(signing_in.MOST_COMPARED + 2):
        content = rows(1000 * (at + 1), names="a,years,place")
        enrolled(office, content, renamed(name=f"others {at}", source=f"source {at}", apart=WHY))
