"""Withdrawals: a registration of which nothing was ever asked is taken back, and its rows can be registered anew.

No answer depends on it, so no budget comes back. What was said of it is kept beside the datasets, in a table that
only grows, and on the trail; its name and the fingerprints of its rows are free again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from discreet.budget import ParameterError, Phrase
from discreet.budget.durable import tables as durable
from discreet.office import charges, duties, registry, replay
from discreet.office.house import House, writable
from discreet.office.relations import datasets, declarations, errata, proposals, requests, versions, withdrawn
from discreet.office.roles import Member, present, require
from discreet.office.upkeep import DELETION
from discreet.office.versions import contents

ACT, PROPOSED = "registration withdrawn", "withdrawal proposed"  # on the trail
WANTED = "withdrawal"  # as a deletion that waits for a second officer says it
FEWEST, LONGEST = 10, 500
ASKED = Phrase(
    "Something was asked of these data, so their registration stays: a request counts also where it was denied, taken "
    "back or still waits. Close the data instead."
)


def untouched(house: House, dataset: str) -> bool:
    """Say whether nothing was ever asked of a dataset."""
    with house.store.reading() as connection:
        return _untouched(connection, dataset)


def withdraw(house: House, who: Member, dataset: str, why: str) -> bool:
    """Take a registration back of which nothing was ever asked; its rows are deleted.

    Return False where it waits for a second officer, as the policy wants for a deletion.
    """
    require(who, "officer")
    with house.writing(dataset) as connection:
        present(connection, who, "officer")
        stead = charges.on_trail(charges.check_keeper(house, connection, who, dataset))
        row, words = registry.row_in(connection, dataset), _words(why)
        _check_untouched(connection, dataset)
        consent = duties.agreed_act(house, connection, who, dataset, DELETION, WANTED)
        if consent is None:
            wish = DELETION, dataset, WANTED
            duties.propose(house, connection, who, wish, (PROPOSED, str(row["name"])), why=words)
            return False
        _take_back(house, connection, who, row, words, stead | consent)
    delete_rows(house, row)
    return True


def in_place_of(house: House, connection: Connection, who: Member, dataset: str, name: str) -> Mapping[str, Any]:
    """Take a registration back in the transaction of the one that replaces it; return it as it was."""
    row: Mapping[str, Any] = registry.row_in(connection, dataset)
    stead = charges.on_trail(charges.check_keeper(house, connection, who, dataset))
    _check_untouched(connection, dataset)
    if DELETION in charges.policy_of(connection, dataset).both:
        raise ParameterError(
            "The policy of {name} lets two officers delete its rows. Withdraw it on its own page first, and let "
            "another officer confirm it.",
            name=row["name"],
        )
    _take_back(house, connection, who, row, f"replaced by the registration of {name}", stead)
    return row


def _take_back(
    house: House, connection: Connection, who: Member, row: Mapping[str, Any], why: str, more: Mapping[str, Any]
) -> None:
    """Write it down and let the dataset go, with all that follows it."""
    for place in replay.checked_places(connection, house.seal, row) if row["state"] != "deleted" else ():
        house.vault.check_key(place)
    kept = {name: row[name] for name in ("id", "name", "body", "policy", "fingerprint")}
    kept |= {"places": json.dumps(contents(row)), "why": why, "by": who.id}
    kept |= {"at": house.now.isoformat(timespec="seconds")}
    connection.execute(insert(withdrawn).values(**kept))
    for table in (declarations, versions, errata):
        connection.execute(delete(table).filter_by(dataset=row["id"]))
    connection.execute(delete(datasets).filter_by(id=row["id"]))
    connection.execute(delete(proposals).filter_by(about=row["id"]))
    gone = {"of": "dataset", "now": {replay.GONE: digest(kept)}}
    house.act(connection, who.id, ACT, str(row["name"]), None, why=why, **gone, **more)


def delete_rows(house: House, row: Mapping[str, Any]) -> None:
    """Delete the rows of what was withdrawn, once that is written down."""
    for place in contents(row):
        house.vault.delete(place)
    house.forget(str(row["id"]))


def left_behind(house: House, connection: Connection) -> list[str]:
    """Return where rows lay of what was withdrawn, as the trail says too: a crash may have left them there."""
    said = {act["now"][replay.GONE] for act in replay.sealed(connection, house.seal, ACT)}
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
    return [Phrase("The withdrawal of {name} is not what the trail says.", name=name) for name in odd]


def _check_untouched(connection: Connection, dataset: str) -> None:
    """Refuse what is no mistake any more: something was asked."""
    if not _untouched(connection, dataset):
        raise ParameterError(ASKED)


def _untouched(connection: Connection, dataset: str) -> bool:
    """Say whether no request, and no line of its ledger, is of a dataset."""
    asked = select(requests.c.id).filter_by(dataset=dataset).limit(1)
    charged = select(durable.lines.c.seq).filter_by(budget=dataset).limit(1)
    return connection.execute(asked).first() is None and connection.execute(charged).first() is None


def _words(why: str) -> str:
    words = " ".join(writable(why).split())
    if not FEWEST <= len(words) <= LONGEST:
        raise ParameterError("Say why in {fewest} to {most} characters.", fewest=FEWEST, most=LONGEST)
    return words
