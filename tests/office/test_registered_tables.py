"""Tables of other databases, registered: one budget each, an address nobody sees, and refusals without a charge."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from support.bases import PASSWORD, Base
from support.offices import APART, POLICY, PURPOSE, REGISTRATION, SCHEMA, Office, everything_in, question, ruled

from discreet.budget import Cost, ParameterError
from discreet.curator.records import text_of
from discreet.lab.simulation import SimulationNoise
from discreet.office import House
from discreet.office.datasets import lifecycle, registering, registry
from discreet.office.desk import asking
from discreet.office.house import audit_log
from discreet.office.house.roles import Denied
from discreet.office.house.tables import datasets
from discreet.office.house.vault import KEY
from discreet.office.requests.request import Inquiry
from discreet.rows import Category, Dataset, Ignored, Number, Schema
from discreet.rows.engines import database
from discreet.rows.engines.connection import DatabaseSource, TableSource
from discreet.rows.persons import DrawnLots


@pytest.fixture
def server() -> None:
    """Let the houses of these tests be on SQLite: tables lie on both."""


def registered(office: Office, where: DatabaseSource, **change: Any) -> registry.Registered:
    """Register a table."""
    said = replace(REGISTRATION, **{"name": "linked", "apart": APART, **change})
    dataset = registering.register(office.house, office.who["olga"], where, said, POLICY)
    ruled(office.house, dataset.id, POLICY)
    return registry.find(office.house, dataset.id)


def town(base: Base, rows: int = 300) -> DatabaseSource:
    """Make the table that offices declare."""
    records = [{"age": at % 90, "town": ("north", "south")[at % 2]} for at in range(rows)]
    return base.table(records, {"age": sa.Integer, "town": sa.Text})


def vault_files(office: Office) -> dict[str, Path]:
    """Return what lies in the vault."""
    return {path.name: path for path in (office.home / "vault").iterdir() if path.name != KEY}


def asked(office: Office, dataset: str, epsilon: float, house: House | None = None) -> Inquiry:
    """Ask one question."""
    home = house or office.house
    return asking.submit(home, office.who["bob"], dataset, question(epsilon), PURPOSE)


def test_a_table_is_registered_and_asked(office: Office, base: Base) -> None:
    """Its address lies in a private file of the vault, in full; answers are charged as usual."""
    before = set(vault_files(office))
    dataset = registered(office, town(base))
    (name,) = set(vault_files(office)) - before
    path = vault_files(office)[name]
    assert path.stat().st_mode & 0o777 == 0o600
    said = json.loads(path.read_text("utf-8"))
    assert said == {"url": base.url, "table": ("main" if base.lite else "public") + ".people"}
    with office.store.reading() as db:
        row = db.execute(sa.select(datasets).filter_by(id=dataset.id)).mappings().one()
    assert json.loads(row["layout"]) == {"format": "connection"} and row["content"] == name
    inquiry = asked(office, dataset.id, 0.1)
    assert inquiry.release is not None and inquiry.release.answer is not None
    assert registry.ledger(office.house, dataset.id).spent == Cost.of("0.1")
    again = office.again()
    assert asked(office, dataset.id, 0.2, again).release.answer is not None
    lifecycle.erase(office.house, office.who["olga"], dataset.id)
    assert set(vault_files(office)) == before


def check_that_a_table_has_one_budget(office: Office, base: Base) -> None:
    """Fail if a table gets a second budget, however it is spelled, whoever asks."""
    where = town(base)
    dataset = registered(office, where)
    others = [where, DatabaseSource(base.url, ("main" if base.lite else "public") + ".people")]
    if not base.lite:
        others += [
            DatabaseSource(base.url.replace(PASSWORD, "other"), "people"),
            DatabaseSource(base.url + "&sslmode=prefer", "public.people"),
        ]
    base.run("INSERT INTO people VALUES (1, 'north')")
    files = set(vault_files(office))
    for _ in range(2):
        for other in others:
            with pytest.raises(ParameterError, match="already registered as linked"):
                registered(office, other, name="another")
            with pytest.raises(ParameterError, match="already registered as linked"):
                schema = Schema({"town": Category(("north",))})
                registered(office, other, name="another", schema=schema)
        lifecycle.erase(office.house, office.who["olga"], dataset.id)
        files &= set(vault_files(office))
        assert set(vault_files(office)) == files
    base.run("CREATE TABLE two (age INTEGER, town TEXT)")
    assert registered(office, DatabaseSource(base.url, "two"), name="another").name == "another"


def test_a_table_has_one_budget(office: Office, base: Base) -> None:
    """Whatever happens to its rows; after it was erased as well."""
    check_that_a_table_has_one_budget(office, base)


def test_a_second_budget_of_a_table_is_noticed(office: Office, base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where tables are known as they are spelled."""
    monkeypatch.setattr(TableSource, "settled", lambda source: source)
    with pytest.raises(pytest.fail.Exception):
        check_that_a_table_has_one_budget(office, base)


def check_that_new_rows_are_seen(office: Office, base: Base) -> None:
    """Fail if an answer is of rows that were there once, or new rows bring a new budget."""
    dataset = registered(office, town(base))
    rows = lambda: registry.curator(office.house, dataset.id)._dataset  # noqa: E731
    asked(office, dataset.id, 0.1)
    first, digest = rows().column("age", (), DrawnLots(SimulationNoise(0))).n, rows().digest
    base.run("INSERT INTO people SELECT age, town FROM people")
    asked(office, dataset.id, 0.15)
    assert rows().column("age", (), DrawnLots(SimulationNoise(0))).n == 2 * first == 600
    assert rows().digest == digest
    assert registry.find(office.house, dataset.id) == dataset
    assert registry.ledger(office.house, dataset.id).spent == Cost.of("0.25")


def test_new_rows_are_seen_and_the_budget_stays(office: Office, base: Base) -> None:
    """What was spent is spent."""
    check_that_new_rows_are_seen(office, base)


def test_rows_of_yesterday_are_noticed(office: Office, base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where a table is kept in memory as a file is."""
    monkeypatch.setattr(registry, "Live", Dataset)
    with pytest.raises(AssertionError):
        check_that_new_rows_are_seen(office, base)


def test_a_declaration_must_fit_the_table(office: Office, base: Base) -> None:
    """Nothing is left behind; ignored columns need not be readable."""
    before, files = everything_in(office.store), set(vault_files(office))
    where = town(base)
    with pytest.raises(ParameterError, match="no column 'wage'"):
        registered(office, where, schema=Schema({"wage": Number(0, 1, origin="law")}))
    with pytest.raises(ParameterError, match="No table or view has this name, or several"):
        registered(office, DatabaseSource(base.url, "nobody"))
    assert (everything_in(office.store), set(vault_files(office))) == (before, files)


def test_rights_are_checked_before_a_budget_is_opened(office: Office, server_base: Base) -> None:
    """A user who may read one column can register that column, and no other."""
    town(server_base)
    server_base.run("DROP ROLE IF EXISTS reader", "CREATE ROLE reader LOGIN", "GRANT SELECT (age) ON people TO reader")
    where = DatabaseSource(server_base.url.replace("postgres:", "reader:"), "people")
    with pytest.raises(ParameterError, match="The table cannot be read"):
        registered(office, where)
    few = Schema({"age": SCHEMA.columns["age"], "town": Ignored()})
    dataset = registered(office, where, schema=few)
    assert asked(office, dataset.id, 0.1).release.answer is not None
    server_base.run("DROP OWNED BY reader", "DROP ROLE reader")


def test_the_house_is_no_dataset(office: Office) -> None:
    """Its own database holds accounts and ledgers."""
    with pytest.raises(ParameterError, match="This is Discreet's own database"):
        registered(office, DatabaseSource(office.url, "people"))


def test_only_an_officer_registers_a_table(office: Office, base: Base) -> None:
    """Nobody else makes the server open an address."""
    for login in ("bob", "adam"):
        with pytest.raises(Denied):
            registering.register(office.house, office.who[login], DatabaseSource(base.url, "t"), REGISTRATION, POLICY)


# what goes wrong


def lost(base: Base) -> None:
    """Let the table be gone."""
    base.run("DROP TABLE people")


def closed(base: Base) -> None:
    """Let the database be gone."""
    if base.lite:
        Path(str(base.engine.url.database)).unlink()
        return
    name = base.engine.url.database
    with sa.create_engine(base.engine.url.set(database="postgres"), isolation_level="AUTOCOMMIT").connect() as db:
        db.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")


def renamed(base: Base) -> None:
    """Let a declared column be gone."""
    base.run("ALTER TABLE people RENAME COLUMN age TO years")


@pytest.mark.parametrize("harm", [lost, closed, renamed])
def test_a_table_that_is_lost_is_refused_without_a_charge(
    office: Office, base: Base, harm: Callable[[Base], None]
) -> None:
    """In one sentence, whether this process has answered before or not."""
    dataset = registered(office, town(base))
    asked(office, dataset.id, 0.1)
    ledger = registry.ledger(office.house, dataset.id)
    before, lines = ledger.spent, len(ledger.lines)
    harm(base)
    for house in (office.house, office.again()):
        with pytest.raises(ParameterError) as refused:
            asked(office, dataset.id, 0.15, house)
        shown = str(refused.value)
        assert not any(word in shown for word in (PASSWORD, "people", base.url, "sqlite", "psycopg"))
        assert registry.ledger(house, dataset.id).spent == before
    assert len(registry.ledger(office.house, dataset.id).lines) == lines


@pytest.mark.parametrize("harm", [lost, closed, renamed])
def test_a_table_that_is_lost_after_a_charge_is_a_refusal(
    office: Office, base: Base, harm: Callable[[Base], None]
) -> None:
    """As every other refusal: charged, stored, and without a word."""
    dataset = registered(office, town(base))
    road = registry.curator(office.house, dataset.id)
    harm(base)
    release = road.ask(question(0.1), "n")
    assert release.answer is None and release.cost == Cost.of("0.1")
    assert registry.ledger(office.house, dataset.id).spent == Cost.of("0.1")
    assert "people" not in text_of(release)


def test_an_address_that_was_changed_in_the_vault_opens_nothing(
    office: Office, base: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is compared before anything is opened; a new password of the same table is none."""
    dataset = registered(office, town(base))
    base.run("CREATE TABLE two (age INTEGER, town TEXT)")
    with office.store.reading() as db:
        row = db.execute(sa.select(datasets).filter_by(id=dataset.id)).mappings().one()
    path = vault_files(office)[row["content"]]
    said = json.loads(path.read_text("utf-8"))
    opened: list[Any] = []
    whole = database.moment
    monkeypatch.setattr(database, "moment", lambda *a: (opened.append(a), whole(*a))[1])
    for change in (
        {"table": "two"},
        {"url": "postgresql+psycopg://u:p@elsewhere/d"},
        {"url": "http://elsewhere"},
        {"table": "people"},
        {"more": 1},
    ):
        path.write_text(json.dumps(said | change), "utf-8")
        with pytest.raises(ParameterError):
            asked(office, dataset.id, 0.1)
    for content in (b"\xff\xfe", b"", b"[]", b'{"url": 5, "table": "t"}'):
        path.write_bytes(content)
        with pytest.raises(ParameterError):
            asked(office, dataset.id, 0.1)
    assert not opened
    path.write_text(json.dumps(said | {"url": said["url"].replace(PASSWORD, "new")}), "utf-8")
    assert asked(office, dataset.id, 0.1).release.answer is not None and opened


def test_a_table_is_reached_as_another_user(office: Office, server_base: Base) -> None:
    """Its rights may move to another user; servers that know the old one answer at once."""
    base, roles = server_base, ("first", "second")
    town(base)
    for role in roles:
        base.run(f"DROP ROLE IF EXISTS {role}", f"CREATE ROLE {role} LOGIN", f"GRANT SELECT ON people TO {role}")
    first, second = (DatabaseSource(base.url.replace("postgres:", f"{r}:"), "people") for r in roles)
    dataset = registered(office, first)
    houses = (office.house, office.again())
    for at, house in enumerate(houses):
        assert asked(office, dataset.id, 0.1 + at / 100, house).release is not None
    base.run("DROP OWNED BY first", "DROP ROLE first")
    spent, files = registry.ledger(office.house, dataset.id).spent, set(vault_files(office))
    for house in houses:
        with pytest.raises(ParameterError, match="The table cannot be read"):
            asked(office, dataset.id, 0.15, house)
    lifecycle.reconnect(office.house, office.who["olga"], dataset.id, second)
    assert len(set(vault_files(office)) ^ files) == 2 and len(vault_files(office)) == len(files)
    assert registry.ledger(office.house, dataset.id).spent == spent
    for at, house in enumerate(houses):
        assert asked(office, dataset.id, 0.15 + at / 100, house).release is not None
    assert "reconnected" in [act.what for act in audit_log.trail(office.store)]
    base.run("DROP OWNED BY second", "DROP ROLE second")


def test_a_connection_leads_to_its_own_table_only(office: Office, base: Base) -> None:
    """Neither to another table, nor away from a file, nor for anybody but an officer."""
    where = town(base)
    dataset = registered(office, where)
    base.run("CREATE TABLE two (age INTEGER, town TEXT)")
    before, files = everything_in(office.store), set(vault_files(office))
    olga = office.who["olga"]
    for other in (DatabaseSource(base.url, "two"), DatabaseSource(base.url, "nobody")):
        with pytest.raises(ParameterError):
            lifecycle.reconnect(office.house, olga, dataset.id, other)
    with pytest.raises(ParameterError, match="These rows are stored on this server, so"):
        lifecycle.reconnect(office.house, olga, office.dataset, where)
    for login in ("bob", "adam"):
        with pytest.raises(Denied):
            lifecycle.reconnect(office.house, office.who[login], dataset.id, where)
    assert (everything_in(office.store), set(vault_files(office))) == (before, files)
    lifecycle.erase(office.house, olga, dataset.id)
    with pytest.raises(ParameterError, match="These rows are stored on this server, so"):
        lifecycle.reconnect(office.house, olga, dataset.id, where)


def test_a_vault_is_checked_without_its_databases(office: Office, base: Base) -> None:
    """A restored house must not need them."""
    dataset = registered(office, town(base))
    closed(base)
    with office.store.reading() as db:
        row = db.execute(sa.select(datasets).filter_by(id=dataset.id)).mappings().one()
    source = office.house.vault.open(row["content"], row["layout"], row["fingerprint"])
    assert isinstance(source, TableSource) and len(source.digest) == 64


def check_that_a_password_is_nowhere(office: Office, base: Base) -> None:
    """Fail if a password is in a text, an error, the database, the trail or another file."""
    where = town(base)
    dataset = registered(office, where)
    asked(office, dataset.id, 0.1)
    source = TableSource(where)
    shown = [repr(where), str(where), repr(source), f"{[source]}", repr(registry.find(office.house, dataset.id))]
    shown += [repr(audit_log.trail(office.store)), repr(everything_in(office.store))]
    wrong = [
        lambda: DatabaseSource(base.url, ""),
        lambda: DatabaseSource(base.url + "&service=x", "people"),
        lambda: DatabaseSource(base.url.replace("psycopg", "nothing"), "people"),
        lambda: TableSource(DatabaseSource(base.url, "nobody")).names,
        lambda: DatabaseSource.from_json(where.to_json()[1:]),
        lambda: registered(office, where),
        lambda: source.head(["nothing"], 1),
        lambda: TableSource(DatabaseSource(base.url.replace("postgres:", "nobody:"), "people")).names,
        lambda: TableSource(DatabaseSource(base.url.replace("host=", "host=/nowhere"), "people")).names,
        lambda: (closed(base), source.head(["age"], 1)),
    ]
    for work in wrong:
        with pytest.raises(ParameterError) as refused:
            work()
        shown += ["".join(traceback.format_exception(refused.value)), repr(refused.value)]
    assert not [text for text in shown if PASSWORD in text]
    files = [path for path in office.home.rglob("*") if path.is_file()]
    holding = [path for path in files if PASSWORD.encode() in path.read_bytes()]
    assert len(holding) == 1 and holding[0].parent.name == "vault"


def test_a_password_is_nowhere_but_in_the_vault(office: Office, server_base: Base) -> None:
    """Not where things are shown, not where they fail."""
    check_that_a_password_is_nowhere(office, server_base)


def test_a_password_that_is_shown_is_noticed(
    office: Office, server_base: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check fails where a connection is shown as dataclasses are."""
    monkeypatch.setattr(DatabaseSource, "__repr__", lambda connection: f"Connection(url={connection.url!r})")
    with pytest.raises(AssertionError):
        check_that_a_password_is_nowhere(office, server_base)
