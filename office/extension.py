"""Extension: officers declare more of a registered dataset; what was declared stays, and so does its budget."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from discreet.budget import ParameterError
from discreet.office import declarations, duties, registry, seal
from discreet.office.house import House
from discreet.office.registration import Registration
from discreet.office.registry import Registered
from discreet.office.roles import Member, present, require
from discreet.rows.schema import Schema

KIND = "declaration"


def extend(house: House, who: Member, dataset: str, schema: Schema, seen: str | None = None) -> bool:
    """Declare more from the next request on; what was asked stays under what it was asked under.

    Return False where it waits for a second officer who wants the same, if there is one. `seen` is
    the `seal.of_extension` of the page on which it was wanted: another one is refused.
    """
    require(who, "officer")
    with house.store.reading() as reading:
        present(reading, who, "officer")
    extended(registry.find(house, dataset), schema)
    row = registry.row_of(house, dataset)
    if registry.is_remote(row):
        registry.open_rows(house, row, schema)  # before anything is locked: what is declared must be readable now
    with house.writing(dataset) as connection:
        present(connection, who, "officer")
        stead = duties.may_keep(house, connection, who, dataset)
        data = registry.find(house, dataset)
        if seen not in (None, seal.of_extension(data, schema)):
            raise ParameterError(seal.OTHER)
        return _wanted(house, connection, who, data, extended(data, schema), stead)


def _wanted(
    house: House, connection: Connection, who: Member, data: Registered, said: Registration, stead: dict[str, Any]
) -> bool:
    """Write down what two officers want, or that one does."""
    body, frozen = said.schema.to_json(), sha256(said.to_json().encode()).hexdigest()
    wish = KIND, data.id, json.loads(body)
    consent = duties.agreed(house, connection, who, "officer", wish)
    if consent is None:
        act = "extension proposed", data.name
        duties.propose(house, connection, who, wish, act, registration=frozen)
        return False
    before = registry.row_in(connection, data.id)["declarations"]
    values = {"body": body, "by": who.id, "at": house.now.isoformat(timespec="seconds")}
    lines = declarations.follow(connection, before, data.id, values)
    more = {"registration": frozen, "since": lines[-1]["since"]} | stead | consent
    house.act(connection, who.id, "extended", data.name, {"declarations": lines}, **more)
    return True


def extended(data: Registered, schema: Schema) -> Registration:
    """Return what is said of a dataset once more of it is declared, or say why that cannot be."""
    data.check_open()
    before = data.registration.schema
    if set(schema.columns) != set(before.columns):
        raise ParameterError("Only columns that were registered can be declared: name each of them, and no other.")
    _check_kept(before, schema, data.remote)
    if schema.columns == before.columns:
        raise ParameterError(
            "Nothing more is declared yet. Declare an ignored column, or add levels at the end of a list."
        )
    columns = {name: schema.columns[name] for name in before.columns}
    return replace(data.registration, schema=replace(before, columns=columns))


def _check_kept(before: Schema, after: Schema, remote: bool) -> None:
    """Refuse what says something else of a declared column, or of whose rows they are.

    Rows that stay where they are have no versions: their bounds go further here.
    """
    for name in before.used:
        column = after.columns[name]
        if not column.continues(before.columns[name]) and not (remote and column.outgrows(before.columns[name])):
            raise ParameterError(
                "Column {name!r} stays as it was declared. Levels can be added at the end of a list, nothing else.",
                name=name,
            )
    if after.person != before.person:
        raise ParameterError(
            "A column that names the person cannot be declared later: answers so far protect somebody else. "
            "If nothing was asked yet, withdraw this registration, and register the data anew."
        )
