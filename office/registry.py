"""Registry: the datasets that officers have registered, their budgets, policies and ends."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection as Writing
from sqlalchemy import select

from discreet.budget import ParameterError
from discreet.budget.durable import DurableLedger
from discreet.curator.release import Curator
from discreet.office import places
from discreet.office.house import House
from discreet.office.registration import Policy, Registration
from discreet.office.relations import datasets
from discreet.rows.connection import Connection, Live
from discreet.rows.dataset import Dataset
from discreet.rows.elsewhere import ADDRESSES, is_live
from discreet.rows.schema import Schema
from discreet.rows.source import Source


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
    remote: bool  # the rows stay where they are, and may change
    table: bool  # they are in a table of a database

    @property
    def name(self) -> str:
        """What it is called."""
        return self.registration.name


def everything(house: House) -> list[Registered]:
    """Return all registered datasets by name."""
    with house.store.reading() as connection:
        rows = connection.execute(select(datasets).order_by(datasets.c.name)).mappings()
        return [_registered(row) for row in rows]


def find(house: House, dataset: str) -> Registered:
    """Return one registered dataset."""
    with house.store.reading() as connection:
        return read(connection, dataset)


def read(connection: Writing, dataset: str) -> Registered:
    """Return one registered dataset, in a transaction that is under way."""
    return _registered(row_in(connection, dataset))


def ledger(house: House, dataset: str) -> DurableLedger:
    """Return the ledger of a dataset."""
    return DurableLedger(house.store, dataset)


def curator(house: House, dataset: str) -> Curator:
    """Return who answers for a dataset; only the office itself calls this.

    What stays where it is is looked for every time: if it cannot be read, nothing is charged.
    """
    row = row_of(house, dataset)
    if row["state"] == "deleted":
        house.forget(dataset)  # another process deleted them; no copy in memory outlives that
        raise ParameterError("The rows of these data are deleted. Nothing can be asked.")
    there = _rows(house, row) if is_remote(row) else None
    return house.curator(
        dataset,
        row["content"],
        lambda: Curator(there or _rows(house, row), ledger(house, dataset)),
        ahead=house.ahead and there is None,
    )


def _rows(house: House, row: Any) -> Dataset:
    """Open the rows of a dataset, where they lie or by the address that lies there."""
    schema = Registration.from_json(row["body"]).schema
    source = house.vault.open(row["content"], row["layout"], row["fingerprint"], schema.used)
    if is_live(source):
        places.permit(source.where)
    return dataset_of(source, schema)


def dataset_of(source: Source, schema: Schema) -> Dataset:
    """Return rows as they are declared: a file, or what is read anew each time."""
    return Live(source, schema) if is_live(source) else Dataset(source, schema)


def is_remote(row: Any) -> bool:
    """Say whether the rows of a dataset stay where they are, outside of the vault."""
    return json.loads(row["layout"])["format"] in ADDRESSES


def is_table(row: Any) -> bool:
    """Say whether the rows of a dataset are in a database."""
    return bool(json.loads(row["layout"])["format"] == Connection.format)


def row_of(house: House, dataset: str) -> Any:
    """Return the row of a dataset."""
    with house.store.reading() as connection:
        return row_in(connection, dataset)


def row_in(connection: Writing, dataset: str) -> Any:
    """Return the row of a dataset, in a transaction that is under way."""
    row = connection.execute(select(datasets).filter_by(id=dataset)).mappings().first()
    if row is None:
        raise ParameterError("There is no such dataset.")
    return row


def _registered(row: Any) -> Registered:
    return Registered(
        row["id"],
        Registration.from_json(row["body"]),
        Policy.from_json(row["policy"]),
        row["fingerprint"],
        row["state"],
        row["published"],
        row["by"],
        row["at"],
        is_remote(row),
        is_table(row),
    )
