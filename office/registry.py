"""Registry: the datasets that officers have registered, their budgets, policies and ends."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection as Writing
from sqlalchemy import insert, select, update

from discreet.budget import RULES, ParameterError
from discreet.budget.durable import DurableLedger, Verdict, open_budget, verify
from discreet.curator.release import Curator
from discreet.office import duties, places, trail
from discreet.office.house import House
from discreet.office.people import Person, present, require
from discreet.office.registration import Policy, Registration
from discreet.office.tables import datasets
from discreet.rows.connection import FORMAT, Connection, Live, TableSource
from discreet.rows.dataset import Dataset
from discreet.rows.files import Layout, suggest
from discreet.rows.schema import Schema
from discreet.rows.source import LocalSource, Source


@dataclass(frozen=True)
class Registered:
    """A registered dataset as everybody may know it: what was said about it, never its rows."""

    id: str
    registration: Registration
    policy: Policy
    fingerprint: str
    state: str
    published: bool
    by: str
    at: str
    remote: bool  # the rows are in a table of a database

    @property
    def name(self) -> str:
        """What it is called."""
        return self.registration.name


def register(
    house: House,
    who: Person,
    content: bytes | Connection,
    registration: Registration,
    policy: Policy,
    layout: Layout | None = None,
) -> Registered:
    """Take rows into the vault and open their budget; the same rows are registered once only.

    Of a table of a database only its address is taken; the same table is registered once only.
    Where another officer is there, nothing runs at once until that one confirms the policy.
    """
    require(who, "officer")
    with house.store.reading() as reading:
        present(reading, who, "officer")  # nobody else lets the server read a file or an address
    source, known, content = _taken(house, content, layout)
    _dataset(source, registration.schema)  # refuses a declaration that the data do not have
    mark, name = house.vault.fingerprint(source.digest), uuid4().hex
    with house.vault.keeping(content) as kept, house.writing() as connection:
        present(connection, who, "officer")
        _new(house, mark, registration.name)
        told = _agreed(house, connection, who, name, policy)
        holds = policy if told is not None else replace(policy, free=0.0)
        open_budget(house.store, name, registration.limit, RULES[registration.rule])
        row = {
            "id": name,
            "name": registration.name,
            "body": registration.to_json(),
            "fingerprint": mark,
            "content": kept,
            "layout": known,
            "policy": holds.to_json(),
            "state": "open",
            "published": False,
            "by": who.id,
            "at": house.now.isoformat(timespec="seconds"),
        }
        connection.execute(insert(datasets).values(**row))
        frozen = sha256(registration.to_json().encode()).hexdigest()
        policies = {"registration": frozen, "policy": json.loads(holds.to_json())}
        more = policies | (told or {})
        house.act(connection, who.id, "registered", registration.name, row, **more)
        if told is None:
            wanted = {"policy": json.loads(policy.to_json())}
            house.act(connection, who.id, "policy proposed", registration.name, **wanted)
    if house.ahead:
        with suppress(ParameterError):
            curator(house, name)  # begins to open them
    return find(house, name)


def everything(house: House) -> list[Registered]:
    """Return all registered datasets by name."""
    with house.store.reading() as connection:
        found = connection.execute(select(datasets).order_by(datasets.c.name)).mappings()
        return [_registered(line) for line in found]


def find(house: House, dataset: str) -> Registered:
    """Return one registered dataset."""
    with house.store.reading() as connection:
        return read(connection, dataset)


def read(connection: Writing, dataset: str) -> Registered:
    """Return one registered dataset, in a transaction that is under way."""
    return _registered(_known(connection, dataset))


def ledger(house: House, dataset: str) -> DurableLedger:
    """Return the ledger of a dataset."""
    return DurableLedger(house.store, dataset)


def curator(house: House, dataset: str) -> Curator:
    """Return who answers for a dataset; only the office itself calls this.

    A table is looked for every time: if it cannot be read, nothing is charged.
    """
    row = _row(house, dataset)
    if row["state"] == "deleted":
        house.forget(dataset)  # another process deleted them; no copy in memory outlives that
        raise ParameterError("The rows of these data are deleted. Nothing can be asked.")

    def rows() -> Dataset:
        schema = Registration.from_json(row["body"]).schema
        kept = (row["content"], row["layout"], row["fingerprint"])
        source = house.vault.open(*kept, schema.used)
        if isinstance(source, TableSource):
            places.permit(source.connection)
        return _dataset(source, schema)

    there = rows() if _is_table(row) else None
    return house.curator(
        dataset,
        row["content"],
        lambda: Curator(there or rows(), ledger(house, dataset)),
        ahead=house.ahead and there is None,
    )


def amend(house: House, who: Person, dataset: str, policy: Policy) -> bool:
    """Change the policy from now on; what was decided stays decided.

    Return False where it waits: what lets questions run at once needs a second officer who says
    the same, if there is one.
    """
    require(who, "officer")
    with house.writing(dataset) as connection:
        present(connection, who, "officer")
        duties.may_keep(connection, who, dataset)
        one = find(house, dataset)
        if policy == one.policy:
            return True  # it holds already, and nobody has to want it twice
        told = _agreed(house, connection, who, dataset, policy)
        if told is None:
            wanted = {"policy": json.loads(policy.to_json())}
            house.act(connection, who.id, "policy proposed", one.name, **wanted)
            return False
        meant = {"policy": policy.to_json()}
        connection.execute(update(datasets).filter_by(id=dataset).values(**meant))
        both = {"policy": policy, "before": one.policy}
        parts = {word: json.loads(said.to_json()) for word, said in both.items()}
        house.act(connection, who.id, "policy", one.name, meant, **parts, **told)
    return True


def _agreed(house: House, connection: Writing, who: Person, dataset: str, policy: Policy) -> dict[str, Any] | None:
    """Return what the trail says of a policy that holds now; None where it waits for a second."""
    if not policy.free:
        duties.forget(connection, "policy", dataset)
        return {}
    wanted = json.loads(policy.to_json())
    return duties.agreed(house, connection, who, "officer", ("policy", dataset, wanted))


def reconnect(house: House, who: Person, dataset: str, connection: Connection) -> None:
    """Reach the same table with another password, user or spelling of its address."""
    require(who, "officer")
    with house.store.reading() as reading:
        present(reading, who, "officer")
    row = _row(house, dataset)
    if not _is_table(row) or row["state"] == "deleted":
        raise ParameterError("These rows are not in a database. Nothing leads there.")
    source = places.settled(connection)
    if house.vault.fingerprint(source.digest) != row["fingerprint"]:
        raise ParameterError(
            "This is another table. Name the database and the table as they were registered, or "
            "register it as a dataset of its own."
        )
    _dataset(source, Registration.from_json(row["body"]).schema)
    address = source.connection.to_json().encode()
    with house.vault.keeping(address) as kept, house.writing(dataset) as writing:
        present(writing, who, "officer")
        before = _row(house, dataset)["content"]
        writing.execute(update(datasets).filter_by(id=dataset).values(content=kept))
        name = find(house, dataset).name
        house.act(writing, who.id, "reconnected", name, {"content": kept})
    house.vault.delete(before)


def publish(house: House, who: Person, dataset: str, published: bool) -> None:
    """Show the list of releases to everybody, or stop showing it."""
    require(who, "officer")
    with house.writing(dataset) as connection:
        present(connection, who, "officer")
        connection.execute(update(datasets).filter_by(id=dataset).values(published=published))
        word = "published" if published else "unpublished"
        name = find(house, dataset).name
        house.act(connection, who.id, word, name, {"published": published})


def close(house: House, who: Person, dataset: str) -> None:
    """Let nothing more be asked."""
    require(who, "officer")
    with house.writing(dataset) as connection:
        present(connection, who, "officer")
        one = find(house, dataset)
        if one.state == "deleted":
            raise ParameterError("The rows of these data are deleted. Nothing can be asked.")
        connection.execute(update(datasets).filter_by(id=dataset).values(state="closed"))
        house.act(connection, who.id, "closed", one.name, {"state": "closed"})


def erase(house: House, who: Person, dataset: str) -> None:
    """Delete the rows for good; ledger, requests, answers and cards stay."""
    require(who, "officer")
    with house.writing(dataset) as connection:
        present(connection, who, "officer")
        name, content = find(house, dataset).name, _row(house, dataset)["content"]
        house.vault.check_key(trail.checked_place(connection, house.seal, name, content))
        connection.execute(update(datasets).filter_by(id=dataset).values(state="deleted"))
        house.act(connection, who.id, "deleted", name, {"state": "deleted"})
    house.vault.delete(content)
    house.forget(dataset)


def check_ledger(house: House, who: Person, dataset: str) -> Verdict:
    """Verify the chain of a dataset, and note that it was done."""
    require(who, "officer", "administrator")
    found = verify(house.store, dataset)
    with house.writing() as connection:
        present(connection, who, "officer", "administrator")
        name = find(house, dataset).name
        house.act(connection, who.id, "verified", name, holds=found.holds, head=found.head)
    return found


def _taken(house: House, content: bytes | Connection, layout: Layout | None) -> tuple[Source, str, bytes]:
    """Return rows to register, how they are read, and what the vault keeps."""
    if not isinstance(content, Connection):
        known = layout or suggest(content)
        return LocalSource(content, known), json.dumps(asdict(known)), content
    source = places.settled(content)
    return source, json.dumps({"format": FORMAT}), source.connection.to_json().encode()


def _dataset(source: Source, schema: Schema) -> Dataset:
    if isinstance(source, TableSource):
        return Live(source, schema)
    return Dataset(source, schema)


def _is_table(row: Any) -> bool:
    return bool(json.loads(row["layout"])["format"] == FORMAT)


def _new(house: House, mark: str, name: str) -> None:
    with house.store.reading() as connection:
        found = connection.execute(select(datasets.c.name).filter_by(fingerprint=mark)).scalar()
        if found is not None:
            raise ParameterError(
                "These rows are registered already, as {name}. One dataset has one budget.", name=found
            )
        if connection.execute(select(datasets.c.id).filter_by(name=name)).first():
            raise ParameterError("There is a dataset of this name. Choose another one.")


def _row(house: House, dataset: str) -> Any:
    with house.store.reading() as connection:
        return _known(connection, dataset)


def _known(connection: Writing, dataset: str) -> Any:
    row = connection.execute(select(datasets).filter_by(id=dataset)).mappings().first()
    if row is None:
        raise ParameterError("There is no such dataset.")
    return row


def _registered(line: Any) -> Registered:
    return Registered(
        line["id"],
        Registration.from_json(line["body"]),
        Policy.from_json(line["policy"]),
        line["fingerprint"],
        line["state"],
        line["published"],
        line["by"],
        line["at"],
        _is_table(line),
    )
