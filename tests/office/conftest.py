"""Houses on SQLite and on a real PostgreSQL server: empty ones, and ones with people and rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from support.databases import DATABASES
from support.offices import CHEAP, Clock, Office, copied, opened, staffed
from support.postgres import Postgres

from discreet.curator.release import Curator
from discreet.office import House
from discreet.office.datasets import registry
from discreet.office.people import accounts

Deed = Callable[[Office], object]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords cheaply, and answer without the public tick: the same code, sooner."""
    monkeypatch.setattr(accounts, "HASHER", CHEAP)
    monkeypatch.setattr(registry, "Curator", partial(Curator, tick=0.0))


@pytest.fixture(params=DATABASES)
def server(request: pytest.FixtureRequest) -> Postgres | None:
    """Return where databases are made: the PostgreSQL server, or none for SQLite."""
    return None if request.param == "sqlite" else request.getfixturevalue("postgres")


@pytest.fixture(scope="session")
def models() -> dict[tuple[bool, Deed | None], Office]:
    """Keep the houses that others are copies of, by whether they are on SQLite and by what was done in them."""
    return {}


@pytest.fixture
def empty(server: Postgres | None, tmp_path: Path) -> Iterator[House]:
    """Return a house that nobody has set up."""
    home = tmp_path / "home"
    url = f"sqlite:///{home / 'ledger.db'}" if server is None else server.prepared()
    house = House(home, url, Clock())
    yield house
    house.store.close()


@pytest.fixture
def another(
    server: Postgres | None,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    models: dict[tuple[bool, Deed | None], Office],
) -> Iterator[Callable[..., Office]]:
    """Return a maker of staffed houses, each its own: copies of one, in which something may have been done once."""
    lite, offices = server is None, []

    def model(deed: Deed | None) -> Office:
        if (lite, deed) not in models:
            home = tmp_path_factory.mktemp("model") / "home"
            if deed is None:
                address = f"sqlite:///{home / 'ledger.db'}" if server is None else server.prepared()
                staffed(home, address)
                before = opened(home, address)
            else:
                before = opened(home, copied(model(None).url, model(None).home, home, server))
                deed(before)
            before.house.store.close()
            models[lite, deed] = before
        return models[lite, deed]

    def make(deed: Deed | None = None) -> Office:
        goal, like = tmp_path / f"house{len(offices)}", model(deed)
        address = copied(like.url, like.home, goal, server)
        offices.append(opened(goal, address, like))
        return offices[-1]

    yield make
    for house in (house for office in offices for house in (office.house, *office.others)):
        house.store.close()


@pytest.fixture
def office(another: Callable[[], Office]) -> Office:
    """Return a staffed house."""
    return another()
