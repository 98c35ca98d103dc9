"""Upkeep: what officers do with a registered dataset: reach it anew, publish, close, erase, verify."""

from __future__ import annotations

from sqlalchemy import update

from discreet.budget import ParameterError
from discreet.budget.durable import Verdict, verify
from discreet.office import charges, connections, duties, imprinting, places, replay, versions
from discreet.office.house import House
from discreet.office.registry import dataset_of, find, is_table, row_of, schema_of
from discreet.office.relations import datasets
from discreet.office.roles import Member, present, require
from discreet.rows.elsewhere import Tabled

PUBLICATION, DELETION = "publication", "deletion"  # what a policy calls them


def reconnect(house: House, who: Member, dataset: str, connection: Tabled) -> None:
    """Reach the same table with another password, user or spelling of its address."""
    require(who, "officer")
    with house.store.reading() as reading:
        present(reading, who, "officer")
    address = _same_table(house, dataset, connection)
    with house.vault.keeping(address) as place, house.writing(dataset) as writing:
        present(writing, who, "officer")
        stead = charges.on_trail(charges.check_keeper(house, writing, who, dataset))
        before = row_of(house, dataset)["content"]
        imprinting.move(house, before, place)
        writing.execute(update(datasets).filter_by(id=dataset).values(content=place))
        name = find(house, dataset).name
        house.act(writing, who.id, "reconnected", name, {"content": place}, **stead)
    house.vault.delete(before)


def _same_table(house: House, dataset: str, connection: Tabled) -> bytes:
    """Return a connection as the vault keeps it; it must lead to the table that was registered."""
    row = row_of(house, dataset)
    if not is_table(row) or row["state"] == "deleted":
        raise ParameterError("These rows are in no table elsewhere. Nothing leads there.")
    if name := connections.name_through(house, row["layout"]):
        raise ParameterError(
            "These rows are reached through the connection {name}. An administrator says its new password, once for "
            "all data that are reached through it.",
            name=name,
        )
    source = places.settled(connection)
    if house.vault.fingerprint(source.digest) != row["fingerprint"]:
        raise ParameterError(
            "This is another table. Name the database and the table as they were registered, or "
            "register it as a dataset of its own."
        )
    dataset_of(source, schema_of(row))
    return source.where.to_json().encode()


def publish(house: House, who: Member, dataset: str, published: bool) -> bool:
    """Show the list of releases to everybody, or stop showing it: that takes one officer.

    Return False where it waits for a second one, as the policy wants.
    """
    require(who, "officer")
    with house.writing(dataset) as connection:
        present(connection, who, "officer")
        stead = charges.on_trail(charges.check_keeper(house, connection, who, dataset))
        name = find(house, dataset).name
        consent = duties.agreed_act(house, connection, who, dataset, PUBLICATION, True) if published else {}
        if consent is None:
            duties.propose(house, connection, who, (PUBLICATION, dataset, True), ("publication proposed", name))
            return False
        connection.execute(update(datasets).filter_by(id=dataset).values(published=published))
        word = "published" if published else "unpublished"
        house.act(connection, who.id, word, name, {"published": published}, **(stead | consent))
    return True


def close(house: House, who: Member, dataset: str) -> None:
    """Let nothing more be asked."""
    require(who, "officer")
    with house.writing(dataset) as connection:
        present(connection, who, "officer")
        stead = charges.on_trail(charges.check_keeper(house, connection, who, dataset))
        data = find(house, dataset)
        if data.state == "deleted":
            raise ParameterError("The rows of these data are deleted. Nothing can be asked.")
        connection.execute(update(datasets).filter_by(id=dataset).values(state="closed"))
        house.act(connection, who.id, "closed", data.name, {"state": "closed"}, **stead)


def erase(house: House, who: Member, dataset: str) -> bool:
    """Delete the rows for good; ledger, requests, answers and cards stay.

    Return False where it waits for a second officer, as the policy wants.
    """
    require(who, "officer")
    with house.writing(dataset) as connection:
        present(connection, who, "officer")
        stead = charges.on_trail(charges.check_keeper(house, connection, who, dataset))
        name, row = find(house, dataset).name, row_of(house, dataset)
        consent = duties.agreed_act(house, connection, who, dataset, DELETION, True)
        if consent is None:
            duties.propose(house, connection, who, (DELETION, dataset, True), ("deletion proposed", name))
            return False
        for content in replay.checked_places(connection, house.seal, row):
            house.vault.check_key(content)
        connection.execute(update(datasets).filter_by(id=dataset).values(state="deleted"))
        house.act(connection, who.id, "deleted", name, {"state": "deleted"}, **(stead | consent))
    for content in versions.contents(row):
        house.vault.delete(content)
    house.forget(dataset)
    return True


def check_ledger(house: House, who: Member, dataset: str) -> Verdict:
    """Verify the chain of a dataset, and note that it was done."""
    charges.check_reader(house, require(who, "officer", "administrator"), dataset)
    verdict = verify(house.store, dataset)
    with house.writing() as connection:
        present(connection, who, "officer", "administrator")
        name = find(house, dataset).name
        house.act(connection, who.id, "verified", name, holds=verdict.holds, head=verdict.head)
    return verdict
