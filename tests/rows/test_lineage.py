"""Lineage: which tables and views a database offers, by names alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from support.databases import DATABASES

from discreet.budget import ParameterError
from discreet.rows.engines import database
from discreet.rows.engines.connection import DatabaseSource, offered

PLAIN = (
    "CREATE TABLE people (age int, town text)",
    "INSERT INTO people VALUES (71624533, 'north')",
    "CREATE TABLE others (people int)",
    'CREATE TABLE "odd ""name" (age int)',
    "CREATE VIEW grown AS SELECT age FROM people WHERE age > 17",
)
OF_A_SERVER = (
    "CREATE SCHEMA hidden CREATE TABLE people (age int)",
    "CREATE ROLE looker LOGIN",
    "GRANT SELECT ON grown, people TO looker",
)


@dataclass
class Base:
    """A database with tables and views."""

    url: str
    schema: str


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
        for line in (*PLAIN, *OF_A_SERVER):
            server.execute(line.encode())
        yield Base(url, "public")
        server.execute("DROP OWNED BY looker")
        server.execute("DROP ROLE looker")


def test_a_database_offers_the_names_of_its_tables_and_no_row(base: Base) -> None:
    """As whoever reads them calls them."""
    names = offered(DatabaseSource(base.url, "any"))
    assert {f"{base.schema}.people", f"{base.schema}.grown", f'{base.schema}.odd "name'} <= set(names)
    assert names == sorted(names) and "71624533" not in str(names)
    assert not [name for name in names if "pg_" in name or "sqlite_" in name or "information_schema" in name]


def test_only_what_may_be_read_is_offered_on_postgresql(base: Base) -> None:
    """By the rights of the account that the connection has."""
    if base.schema == "main":
        return
    looker = base.url.replace("postgres:@", "looker:@")
    assert looker != base.url and offered(DatabaseSource(looker, "any")) == ["public.grown", "public.people"]
    assert DatabaseSource(looker, "grown").url == looker


def test_the_database_of_an_office_offers_nothing(tmp_path: Path) -> None:
    """Its tables are no data."""
    file = tmp_path / "ledger.db"
    with sqlite3.connect(file) as lite:
        for name in database.OFFICE:
            lite.execute(f"CREATE TABLE {name} (x int)")
    with pytest.raises(ParameterError, match="This is Discreet's own database"):
        offered(DatabaseSource(f"sqlite:///{file}", "any"))
