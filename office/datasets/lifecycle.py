"""Lifecycle of a registered dataset: connect, publish, close, erase, verify, and take back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from discreet.budget import ParameterError, Phrase
from discreet.budget.durable import Verdict, verify
from discreet.budget.durable import store as durable
from discreet.office.datasets import likeness, places
from discreet.office.datasets.registry import dataset_of, is_table, row_of, schema_of
from discreet.office.house import acts, replay, versions
from discreet.office.house.house import House, writable
from discreet.office.house.roles import DECIDERS, OFFICER, Member, present, require
from discreet.office.house.tables import datasets, declarations, errata, motions, requests, withdrawn
from discreet.office.house.tables import versions as versions_table
from discreet.office.house.versions import contents
from discreet.office.rules import rights
from discreet.office.rules.two_persons import Wish, on_trail
from discreet.office.rules.visit import Visit, acting
from discreet.rows.engines.registry import Tabled

# Upkeep: what officers do with a registered dataset: reach it anew, publish, close, erase, verify.

PUBLICATION, DELETION = "publication", "deletion"  # what a policy calls them


def reconnect(house: House, who: Member, dataset: str, connection: Tabled) -> None:
    """Reach the same table with another password, user or spelling of its address."""
    require(who, OFFICER)
    with house.store.reading() as reading:
        present(reading, who, OFFICER)
    address = _same_table(house, dataset, connection)
    with house.vault.keeping(address) as place, acting(house, who, OFFICER, dataset=dataset) as visit:
        stead = on_trail(rights.check_keeper(visit))
        before = visit.row["content"]
        likeness.move(house, before, place)
        visit.connection.execute(update(datasets).filter_by(id=dataset).values(content=place))
        visit.act(acts.RECONNECTED, visit.row["name"], {"content": place}, **stead)
    house.vault.delete(before)


def _same_table(house: House, dataset: str, connection: Tabled) -> bytes:
    """Return a connection as the vault keeps it; it must lead to the table that was registered."""
    row = row_of(house, dataset)
    if not is_table(row) or row["state"] == "deleted":
        raise ParameterError("These rows are stored on this server, so they have no connection to change.")
    if name := places.name_through(house, row["layout"]):
        raise ParameterError(
            "These rows are reached through the connection {name}. An administrator enters its new "
            "password once, for all datasets that use it.",
            name=name,
        )
    source = places.settled(connection)
    if house.vault.fingerprint(source.digest) != row["fingerprint"]:
        raise ParameterError(
            "This is a different table. Enter the database and table names as registered, or register "
            "it as a separate dataset."
        )
    dataset_of(source, schema_of(row))
    return source.where.to_json().encode()


def publish(house: House, who: Member, dataset: str, published: bool) -> bool:
    """Show the list of releases to the public, or stop showing it: that takes one officer.

    Return False where it waits for a second one, as the policy wants.
    """
    with acting(house, who, OFFICER, dataset=dataset) as visit:
        stead = on_trail(rights.check_keeper(visit))
        name = visit.row["name"]
        consent = rights.agreed_act(visit, PUBLICATION, True) if published else {}
        if consent is None:
            rights.propose(visit, Wish(PUBLICATION, dataset, True), (acts.PUBLICATION_PROPOSED, name))
            return False
        visit.connection.execute(update(datasets).filter_by(id=dataset).values(published=published))
        act = acts.PUBLISHED if published else acts.UNPUBLISHED
        visit.act(act, name, {"published": published}, **(stead | consent))
    return True


def close(house: House, who: Member, dataset: str) -> None:
    """Let nothing more be asked."""
    with acting(house, who, OFFICER, dataset=dataset) as visit:
        stead = on_trail(rights.check_keeper(visit))
        if visit.row["state"] == "deleted":
            raise ParameterError("The rows of this dataset are deleted. It accepts no more requests.")
        visit.connection.execute(update(datasets).filter_by(id=dataset).values(state="closed"))
        visit.act(acts.CLOSED, visit.row["name"], {"state": "closed"}, **stead)


def erase(house: House, who: Member, dataset: str) -> bool:
    """Delete the rows for good; ledger, requests, answers and cards stay.

    Return False where it waits for a second officer, as the policy wants.
    """
    with acting(house, who, OFFICER, dataset=dataset) as visit:
        stead = on_trail(rights.check_keeper(visit))
        row = visit.row
        consent = rights.agreed_act(visit, DELETION, True)
        if consent is None:
            rights.propose(visit, Wish(DELETION, dataset, True), (acts.DELETION_PROPOSED, row["name"]))
            return False
        for content in replay.checked_places(visit.trail, row):
            house.vault.check_key(content)
        visit.connection.execute(update(datasets).filter_by(id=dataset).values(state="deleted"))
        visit.act(acts.DELETED, row["name"], {"state": "deleted"}, **(stead | consent))
    for content in versions.contents(row):
        house.vault.delete(content)
    house.forget(dataset)
    return True


def check_ledger(house: House, who: Member, dataset: str) -> Verdict:
    """Verify the chain of a dataset, and note that it was done."""
    rights.check_reader(house, require(who, *DECIDERS), dataset)
    verdict = verify(house.store, dataset)
    with acting(house, who, *DECIDERS) as visit:
        visit.act(acts.VERIFIED, visit.to(dataset).row["name"], holds=verdict.holds, head=verdict.head)
    return verdict


# Withdrawals: a registration without any request is deleted, and its rows can be registered again.

WANTED = "withdrawal"  # as a deletion that waits for a second officer says it
FEWEST = 10
LONGEST = 500
ASKED = Phrase(
    "This dataset already has requests, so its registration cannot be withdrawn. Denied, "
    "withdrawn and waiting requests count, too. Close the dataset instead."
)


def untouched(house: House, dataset: str) -> bool:
    """Return whether nothing was ever asked of a dataset."""
    with house.store.reading() as connection:
        return _untouched(connection, dataset)


def withdraw(house: House, who: Member, dataset: str, why: str) -> bool:
    """Delete a registration without any request, with its rows.

    Return False where it waits for a second officer, as the policy wants for a deletion.
    """
    with acting(house, who, OFFICER, dataset=dataset) as visit:
        stead = on_trail(rights.check_keeper(visit))
        row = visit.row
        words = _words(why)
        _check_untouched(visit.connection, dataset)
        consent = rights.agreed_act(visit, DELETION, WANTED)
        if consent is None:
            rights.propose(
                visit, Wish(DELETION, dataset, WANTED), (acts.WITHDRAWAL_PROPOSED, str(row["name"])), why=words
            )
            return False
        _take_back(visit, words, stead | consent)
    delete_rows(house, row)
    return True


def in_place_of(visit: Visit, name: str) -> Mapping[str, Any]:
    """Take a registration back in the transaction of the one that replaces it; return it as it was."""
    row = visit.row
    stead = on_trail(rights.check_keeper(visit))
    _check_untouched(visit.connection, visit.dataset)
    if DELETION in visit.policy.both:
        raise ParameterError(
            "The policy of {name} requires two officers to delete its rows. Withdraw the registration "
            "on the dataset's page first, and let another officer confirm it.",
            name=row["name"],
        )
    _take_back(visit, f"replaced by the registration of {name}", stead)
    return row


def _take_back(visit: Visit, why: str, more: Mapping[str, Any]) -> None:
    """Write it down and let the dataset go, with all that follows it."""
    connection = visit.connection
    row = visit.row
    for place in replay.checked_places(visit.trail, row) if row["state"] != "deleted" else ():
        visit.house.vault.check_key(place)
    kept = {name: row[name] for name in ("id", "name", "body", "policy", "fingerprint")}
    kept |= {"places": json.dumps(contents(row)), "why": why, "by": visit.who.id}
    kept |= {"at": visit.house.now.isoformat(timespec="seconds")}
    connection.execute(insert(withdrawn).values(**kept))
    for table in (declarations, versions_table, errata):
        connection.execute(delete(table).filter_by(dataset=row["id"]))
    connection.execute(delete(datasets).filter_by(id=row["id"]))
    connection.execute(delete(motions).filter_by(about=row["id"]))
    gone = {"of": "dataset", "now": {replay.GONE: digest(kept)}}
    visit.act(acts.REGISTRATION_WITHDRAWN, str(row["name"]), None, why=why, **gone, **more)


def delete_rows(house: House, row: Mapping[str, Any]) -> None:
    """Delete the rows of what was withdrawn, once that is written down."""
    for place in contents(row):
        house.vault.delete(place)
    house.forget(str(row["id"]))


def left_behind(house: House, connection: Connection) -> list[str]:
    """Return where rows lay of what was withdrawn, as the trail says too: a crash may have left them there."""
    said = {act["now"][replay.GONE] for act in replay.sealed(connection, house.seal, acts.REGISTRATION_WITHDRAWN)}
    rows = connection.execute(select(withdrawn)).mappings().all()
    return [place for row in rows if digest(dict(row)) in said for place in json.loads(row["places"])]


def digest(row: Mapping[str, Any]) -> str:
    """Return the hash of a line of the table."""
    return sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()


def strange(connection: Connection, sealed: Iterable[Mapping[str, Any]]) -> list[Phrase]:
    """Return which withdrawals are in the table, or on the trail, only."""
    said = {act["now"][replay.GONE]: act["about"] for act in sealed if replay.GONE in act.get("now", {})}
    written = {digest(dict(row)): row["name"] for row in connection.execute(select(withdrawn)).mappings()}
    odd = sorted(str(name) for mark, name in (said | written).items() if (mark in said) != (mark in written))
    return [Phrase("The withdrawal of {name} does not match the audit log.", name=name) for name in odd]


def _check_untouched(connection: Connection, dataset: str) -> None:
    """Refuse to withdraw a registration that has requests."""
    if not _untouched(connection, dataset):
        raise ParameterError(ASKED)


def _untouched(connection: Connection, dataset: str) -> bool:
    """Return whether no request, and no line of its ledger, is of a dataset."""
    asked = select(requests.c.id).filter_by(dataset=dataset).limit(1)
    charged = select(durable.lines.c.seq).filter_by(budget=dataset).limit(1)
    return connection.execute(asked).first() is None and connection.execute(charged).first() is None


def _words(why: str) -> str:
    words = " ".join(writable(why).split())
    if not FEWEST <= len(words) <= LONGEST:
        raise ParameterError("Give the reason in {fewest} to {most} characters.", fewest=FEWEST, most=LONGEST)
    return words
