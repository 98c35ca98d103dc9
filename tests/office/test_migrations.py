"""Migrations: what any landed version left is brought up to date, as a house and as a ledger alone.

Until revision 0019 the ledger's revisions and the office's were one history, in one table: every ledger had the tables
of an office. Now each history has a table of its own.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, event
from support import workers

from discreet.budget import Cost
from discreet.budget.durable import DurableLedger, Store, open_budget, verify
from discreet.budget.durable.store import LEDGER, OFFICE, SHARED, History
from discreet.office.house.tables import HISTORY

# what a SQLite file was made of at each landed revision, without white space and the tables of revisions
LANDED = {
    "0001": "5e75f677c5e1d85e",
    "0002": "a08ca6bce3e3b817",
    "0003": "48dd9c1388c1ab71",
    "0004": "84a1a731679f0074",
    "0005": "9f17bf4c71e64675",
    "0006": "f31dcf2845941aa4",
    "0007": "6787a3d3e1643667",
    "0009": "cf866cb9cc7f1d7d",
    "0010": "9dec921373a94fbb",
    "0011": "7254e8bfdc3191e3",
    "0013": "db11147afe92f6d9",
    "0014": "d00edfac9039e9a4",
    "0015": "5aa7ee70fb0f62f3",
    "0016": "67556d4ca55a58ed",
    "0017": "21095d30dfdccca8",
    "0018": "ce4260b363ab602d",
    "0019": "25969f717b896b5a",
    "0020": "9f832beaf0e5d447",
}
GUARDS = "SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal"
FUNCTIONS = """
    SELECT proname, prosrc, proconfig::text FROM pg_proc WHERE pronamespace = current_schema()::regnamespace"""
COLUMNS = """
    SELECT table_name, column_name, data_type, is_nullable, column_default
    FROM information_schema.columns WHERE table_schema = current_schema()"""


def built(engine: Engine) -> list[str]:
    """Return everything a database is made of: tables, columns, guards and what they say."""
    lite = engine.dialect.name == "sqlite"
    queries = ["SELECT type, name, tbl_name, sql FROM sqlite_master"] if lite else [GUARDS, FUNCTIONS, COLUMNS]
    with engine.connect() as connection:
        rows = [list(map(str, row)) for query in queries for row in connection.exec_driver_sql(query)]
    return sorted("|".join("".join(cell.split()) for cell in row) for row in rows if "_version" not in "".join(row[:3]))


def until(history: History, revision: str) -> str | None:
    """Return the newest revision of a history that is not newer than one of the shared history."""
    revisions = [each.revision for each in ScriptDirectory.from_config(history.config).walk_revisions()]
    return max((each for each in revisions if each <= revision), default=None)


def landed(url: str, revision: str) -> Store:
    """Return a database as a program of this revision left it."""
    store = Store(url, None, HISTORY)
    if store.lite:
        Path(str(store.engine.url.database)).parent.mkdir(exist_ok=True)
    with store.engine.begin() as connection:
        for history in store.histories:
            newest = until(history, revision)
            if newest is not None:
                history.upgrade(connection, newest)
        connection.exec_driver_sql(f"DROP TABLE {LEDGER.table}")
        if revision < OFFICE:
            connection.exec_driver_sql(f"CREATE TABLE {SHARED} (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
            connection.exec_driver_sql(f"INSERT INTO {SHARED} VALUES ('{revision}')")
    assert versions(store) == {SHARED: revision}
    return store


def versions(store: Store) -> dict[str, str]:
    """Return how far a database is, by table."""

    def told(connection: Connection, table: str) -> str | None:
        if not connection.dialect.has_table(connection, table):
            return None
        return connection.exec_driver_sql(f"SELECT version_num FROM {table}").scalar_one_or_none()

    with store.engine.connect() as connection:
        found = {table: told(connection, table) for table in (LEDGER.table, SHARED)}
    return {table: revision for table, revision in found.items() if revision is not None}


@pytest.fixture(scope="module")
def today(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return what a house is made of that begins today, on SQLite."""
    return built(Store(f"sqlite:///{tmp_path_factory.mktemp('today') / 'new.db'}", None, HISTORY).prepare().engine)


@pytest.mark.parametrize(("revision", "digest"), LANDED.items())
def test_every_landed_file_opens_as_a_house(revision: str, digest: str, today: list[str], tmp_path: Path) -> None:
    """It is what the landed version made, and becomes what begins today."""
    store = landed(f"sqlite:///{tmp_path / 'old.db'}", revision)
    assert sha256("\n".join(built(store.engine)).encode()).hexdigest()[:16] == digest
    store.prepare()
    assert built(store.engine) == today
    assert versions(store) == {LEDGER.table: "0015", SHARED: "0020"}
    store.close()


@pytest.mark.parametrize("revision", ["0001", "0002", "0004", "0011", "0019", "0020"])
def test_every_landed_database_opens_as_a_ledger_alone_and_then_as_a_house(revision: str, empty_url: str) -> None:
    """A ledger leaves the tables of the office as they are, at whichever revision; what is written to it stays."""
    landed(empty_url, revision).close()
    open_budget(Store(empty_url).prepare(), "b", Cost.of(1)).charge("one", Cost.of("0.5"))
    alone = Store(empty_url).prepare()
    office = {} if revision < OFFICE else {SHARED: revision}
    assert versions(alone) == {LEDGER.table: "0015", **office}
    house = Store(empty_url, None, HISTORY).prepare()
    assert versions(house) == {LEDGER.table: "0015", SHARED: "0020"}
    assert DurableLedger(house, "b").spent == Cost.of("0.5") and verify(house, "b").holds
    alone.close()
    house.close()


@pytest.mark.parametrize("revision", ["0001", "0004", "0014"])
def test_a_server_ends_where_a_new_one_begins(revision: str, request: pytest.FixtureRequest) -> None:
    """On PostgreSQL, with the text of every guard and where it looks."""
    server = request.getfixturevalue("postgres")
    old = landed(server.database(), revision).prepare()
    new = Store(server.database(), None, HISTORY).prepare()
    assert built(old.engine) == built(new.engine)
    old.close()
    new.close()


def test_a_ledger_becomes_a_house(empty_url: str, today: list[str]) -> None:
    """What begins as a ledger alone has no table of an office until a house opens it."""
    ledger = Store(empty_url).prepare()
    assert versions(ledger) == {LEDGER.table: "0015"} and not any("withdrawn" in line for line in built(ledger.engine))
    house = Store(empty_url, None, HISTORY).prepare()
    assert not house.lite or built(house.engine) == today
    ledger.close()
    house.close()


def test_servers_and_ledgers_that_open_a_landed_database_at_once_wait_for_each_other(empty_url: str) -> None:
    """Eight processes, by turns a ledger alone and a house."""
    landed(empty_url, "0011").close()
    assert workers.together(workers.prepared_by_turns, empty_url, 1) == [""] * workers.PROCESSES
    assert versions(Store(empty_url)) == {LEDGER.table: "0015", SHARED: "0020"}


def test_what_fails_half_way_changes_nothing(empty_url: str) -> None:
    """Neither history moves when the other one cannot: the next start finds what was there before."""
    store = landed(empty_url, "0004")
    before = built(store.engine)

    def full(connection: object, cursor: object, statement: str, *_: object) -> None:
        if "CREATE TABLE substitutes" in statement:
            raise OSError(28, "No space left on device")

    event.listen(store.engine, "before_cursor_execute", full)
    with pytest.raises(OSError, match="No space"):
        store.prepare()
    assert built(store.engine) == before and versions(store) == {SHARED: "0004"}
    event.remove(store.engine, "before_cursor_execute", full)
    store.prepare()
    assert versions(store) == {LEDGER.table: "0015", SHARED: "0020"}
    store.close()


def test_a_house_of_a_later_program_is_refused_and_stays(empty_url: str) -> None:
    """Nobody guesses what a later revision has changed; its ledger opens."""
    store = Store(empty_url, None, HISTORY).prepare()
    with store.engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE {SHARED} SET version_num = '9999'")
    with pytest.raises(CommandError, match="9999"):
        Store(empty_url, None, HISTORY).prepare()
    assert versions(Store(empty_url).prepare()) == {LEDGER.table: "0015", SHARED: "9999"}
    store.close()
