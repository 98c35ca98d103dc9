"""Databases: fixtures for a SQLite file and for a real PostgreSQL server, one per test process."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # most tests use no database, and should not wait for its imports
    from discreet.budget.durable import Store
    from support.bases import Base
    from support.postgres import Postgres

DATABASES = ("sqlite", "postgresql")  # the kinds of database that an office can use


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Start a PostgreSQL server for the tests of this process.

    It runs as a user of its own, and a second run of pytest would close the folder of the first to every other user.
    """
    from support.postgres import Postgres

    _types_once()
    with TemporaryDirectory(prefix="postgres") as folder:
        server = Postgres(Path(folder))
        yield server
        server.stop()


def _types_once() -> None:
    """Cache database types: the driver that copies rows out queries all types before each copy."""
    import adbc_driver_manager as manager
    import adbc_driver_postgresql as driver

    class Lasting(manager.AdbcDatabase):  # without a connection of its own that stays open
        def close(self) -> None:
            """Stay open for the next copy."""

    @cache
    def database(uri: str) -> Lasting:
        return Lasting(driver=driver._driver_path(), uri=uri)

    driver.connect = lambda uri, db_kwargs=None: database(uri)


@pytest.fixture(params=DATABASES)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of an empty database of each kind."""
    return _lite(tmp_path) if request.param == "sqlite" else str(request.getfixturevalue("postgres").database())


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a database of each kind with its tables, all empty."""
    return _lite(tmp_path) if request.param == "sqlite" else str(request.getfixturevalue("postgres").prepared())


def _lite(folder: Path) -> str:
    return f"sqlite:///{folder / 'vault' / 'ledger.db'}"  # the first connection creates file and tables


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Return an open, empty store."""
    from discreet.budget.durable import Store

    opened = Store(url).prepare()
    yield opened
    opened.close()


@pytest.fixture(params=DATABASES)
def base(request: pytest.FixtureRequest, tmp_path: Path) -> Base:
    """Return a database of each kind, empty except for a table that must not change."""
    from support.bases import Base

    lite = request.param == "sqlite"
    opened = Base(f"sqlite:///{tmp_path / 'rows.db'}" if lite else request.getfixturevalue("postgres").database())
    opened.run("CREATE TABLE victims (a INTEGER)", "INSERT INTO victims VALUES (7)")
    return opened


@pytest.fixture
def server_base(postgres: Postgres) -> Base:
    """Return an empty database on PostgreSQL."""
    from support.bases import Base

    return Base(postgres.database())
