"""Databases for all tests: a SQLite file, and one real PostgreSQL server of the tests' own for each process."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # most tests want no database, and none waits for what belongs to one
    from discreet.budget.durable import Store
    from support.bases import Base
    from support.postgres import Postgres

DATABASES = ("sqlite", "postgresql")  # the kinds on which a house can lie


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """Start a PostgreSQL server for the tests of this process."""
    from support.postgres import Postgres

    _types_once()
    server = Postgres(tmp_path_factory.mktemp("postgres"))
    yield server
    server.stop()


def _types_once() -> None:
    """The driver that copies rows out looks for all types of a database before each copy: once for each is enough."""
    import adbc_driver_manager as manager
    import adbc_driver_postgresql as driver

    class Lasting(manager.AdbcDatabase):  # no connection of its own stays open
        def close(self) -> None:
            """Stay for the next copy."""

    @cache
    def database(uri: str) -> Lasting:
        return Lasting(driver=driver._driver_path(), uri=uri)

    driver.connect = lambda uri, db_kwargs=None: database(uri)


@pytest.fixture(params=DATABASES)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a database of each kind in which nothing was made yet."""
    return _lite(tmp_path) if request.param == "sqlite" else str(request.getfixturevalue("postgres").database())


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of a database of each kind with its tables, and nothing in them."""
    return _lite(tmp_path) if request.param == "sqlite" else str(request.getfixturevalue("postgres").prepared())


def _lite(folder: Path) -> str:
    return f"sqlite:///{folder / 'vault' / 'ledger.db'}"  # whoever opens it makes file and tables


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Return an open store with nothing in it."""
    from discreet.budget.durable import Store

    opened = Store(url).prepare()
    yield opened
    opened.close()


@pytest.fixture(params=DATABASES)
def base(request: pytest.FixtureRequest, tmp_path: Path) -> Base:
    """Return a database of each kind, with nothing in it but a table that must not change."""
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
