"""Lineage: of which tables a view is made, and which tables a database offers, by names alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from databases import DATABASES

from discreet.budget import ParameterError
from discreet.rows import database
from discreet.rows.connection import Connection
from discreet.rows.lineage import beneath, offered

PLAIN = (
    "CREATE TABLE people (age int, town text)",
    "INSERT INTO people VALUES (71624533, 'north')",
    "CREATE TABLE others (people int)",
    'CREATE TABLE "odd ""name" (age int)',
    "CREATE VIEW grown AS SELECT age FROM people WHERE age > 17",
    "CREATE VIEW older AS SELECT * FROM grown",
    "CREATE VIEW counted AS SELECT count(*) AS n FROM people",
    "CREATE VIEW apart AS SELECT people FROM others",
    'CREATE VIEW odd AS SELECT * FROM "odd ""name"',
)
DIVIDED = (
    "CREATE TABLE years (year int) PARTITION BY RANGE (year)",
    "CREATE TABLE early PARTITION OF years FOR VALUES FROM (0) TO (2000)",
    "CREATE MATERIALIZED VIEW kept AS SELECT * FROM older",
    "CREATE SCHEMA hidden CREATE TABLE people (age int)",
    "CREATE ROLE looker LOGIN",
    "GRANT SELECT ON grown, people TO looker",
)


@dataclass
class Base:
    """A database with tables and views."""

    url: str
    schema: str

    def below(self, table: str) -> set[str]:
        """Return of what a table or view is made, without the schema that is usual."""
        names = beneath(Connection(self.url, table), [table])[table]
        return {name.removeprefix(f"{self.schema}.") for name in names}


@pytest.fixture(params=DATABASES)
def base(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Base]:
    """Return the same tables and views on both databases."""
    if request.param == "sqlite":
        file = tmp_path / "data.db"
        with sqlite3.connect(file) as lite:
            for line in PLAIN:
                lite.execute(line)
        yield Base(f"sqlite:///{file}", "main")
        return
    url = request.getfixturevalue("postgres").database()
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as server:
        for line in (*PLAIN, *DIVIDED):
            server.execute(line.encode())
        yield Base(url, "public")
        server.execute("DROP OWNED BY looker")
        server.execute("DROP ROLE looker")


def test_a_view_is_made_of_its_tables_however_deep(base: Base) -> None:
    """A view of a view, one that counts only, odd names; a column that is called like a table is none."""
    assert base.below("people") == {"people"}
    assert base.below("grown") == {"grown", "people"}
    assert base.below("older") == {"older", "grown", "people"} or base.below("older") == {"older", "people"}
    assert base.below("counted") == {"counted", "people"}
    assert base.below("apart") == {"apart", "others"}
    assert base.below("odd") == {"odd", 'odd "name'}
    assert beneath(Connection(base.url, "people"), ["people", "nothing"]).keys() == {"people"}


def test_a_database_offers_the_names_of_its_tables_and_no_row(base: Base) -> None:
    """As whoever reads them calls them."""
    names = offered(Connection(base.url, "any"))
    assert {f"{base.schema}.people", f"{base.schema}.grown", f'{base.schema}.odd "name'} <= set(names)
    assert names == sorted(names) and "71624533" not in str(names)
    assert not [name for name in names if "pg_" in name or "sqlite_" in name or "information_schema" in name]


def test_nothing_of_a_view_is_run(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where running it would fail on a row."""
    asked = []
    find = database.find
    monkeypatch.setattr(database, "find", lambda db, table: asked.append(table) or find(db, table))
    if base.schema == "main":
        with sqlite3.connect(base.url.removeprefix("sqlite:///")) as lite:
            lite.execute("CREATE VIEW bad AS SELECT abs(-9223372036854775807 - 1) AS x FROM people")
    else:
        with psycopg.connect(base.url.replace("+psycopg", ""), autocommit=True) as server:
            server.execute("CREATE VIEW bad AS SELECT 1 / (age - age) AS x FROM people")
    assert base.below("bad") == {"bad", "people"} and asked == ["bad"]


def test_parts_and_copies_belong_together_on_postgresql(base: Base) -> None:
    """A divided table has the rows of its parts; a materialized view those of its tables."""
    if base.schema == "main":
        assert "main.kept" not in offered(Connection(base.url, "any"))
        return
    assert base.below("years") == {"years", "early"} and base.below("early") == {"early"}
    assert base.below("kept") == {"kept", "older", "grown", "people"}
    assert base.below("hidden.people") == {"hidden.people"}


def test_only_what_may_be_read_is_offered_on_postgresql(base: Base) -> None:
    """By the rights of the account that the connection has."""
    if base.schema == "main":
        return
    looker = base.url.replace("postgres:@", "looker:@")
    assert looker != base.url and offered(Connection(looker, "any")) == ["public.grown", "public.people"]
    assert Connection(looker, "grown").url == looker
    below = beneath(Connection(looker, "grown"), ["grown", "apart"])
    assert below["grown"] == {"public.grown", "public.people"}  # what it is made of everybody may know


def test_the_database_of_an_office_offers_nothing(tmp_path: Path) -> None:
    """Its tables are no data."""
    file = tmp_path / "ledger.db"
    with sqlite3.connect(file) as lite:
        for name in database.OFFICE:
            lite.execute(f"CREATE TABLE {name} (x int)")
    with pytest.raises(ParameterError, match="the database of an office itself"):
        offered(Connection(f"sqlite:///{file}", "any"))
