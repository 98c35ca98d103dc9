"""Inspection: whether acts, tables, ledgers, exported heads and the vault agree.

The trail is what counts: it is read once, from its first act, and says what everything should be.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from discreet.budget import ParameterError, Phrase
from discreet.budget.durable import Verdict
from discreet.budget.durable import backup as ledger_backup
from discreet.budget.durable import store as durable
from discreet.budget.durable.lines import entry_of, lines_of, strays
from discreet.budget.durable.store import OPENING, Seal
from discreet.budget.durable.verify import examine
from discreet.curator.release import name_of
from discreet.office.datasets import lifecycle, likeness, registry
from discreet.office.desk import asking
from discreet.office.house import audit_log, replay
from discreet.office.house.audit_log import FIELDS
from discreet.office.house.house import House
from discreet.office.house.tables import requests
from discreet.office.requests import remarks
from discreet.office.requests.request import Inquiry, listed
from discreet.office.requests.states import REFUSED, RETURNED, RUNNABLE
from discreet.office.rules import two_persons
from discreet.office.rules.registration import OF_A_WAVE
from discreet.office.rules.visit import select_requests

CALLED = {
    "account": Phrase("The account {name}"),
    "dataset": Phrase("The dataset {name}"),
    "request": Phrase("Request {name} of {dataset}"),
    "connection": Phrase("The connection {name}"),
    "letterhead": Phrase("Default registration details"),
}
BEGINNING = Phrase("the original registration")


@dataclass(frozen=True)
class Found:
    """What does not fit, a verdict on each ledger, the datasets with unsound rows, what is cut."""

    wrong: list[Phrase]
    verdicts: Mapping[str, Verdict]
    rows: Mapping[str, Phrase]
    cut: list[Phrase]

    @property
    def all(self) -> list[Phrase]:
        """Everything that is wrong, the rows included, each with the name of its dataset."""
        return (
            self.wrong
            + self.cut
            + [Phrase("{name}: {wrong}", name=name, wrong=wrong) for name, wrong in self.rows.items()]
        )


def look(house: House, heads: Mapping[str, Mapping[int, str]] | None = None) -> Found:
    """Verify everything, from the first act; `heads` are those of ledgers that are kept elsewhere.

    Decisions wait while the database is read; rows are read after that.
    """
    with house.writing() as connection:
        rows = list(replay.rows(connection, "dataset"))
        names = {str(row["id"]): str(row["name"]) for row in rows}
        lines, seals = audit_log.chain(connection)
        at = audit_log.first_wrong(lines, seals, house.seal)
        wrong = [] if at is None else [Phrase("Entry {number} does not fit into the audit log.", number=at)]
        sealed = list(_sealed(house.seal, lines, seals))
        wrong += [*_replayed(house, connection, sealed, names), *remarks.strange(house, connection, sealed)]
        wrong += [*asking.strange(connection, sealed), *two_persons.strange(connection, lines)]
        wrong += lifecycle.strange(connection, sealed)
        verdicts = _verdicts(house, connection, heads or {})
        wrong += _ledgers(names, verdicts)
        wrong += _asked(house, names)
        wrong += _strays(house, connection, rows)
        cut = list(_exported(house, connection, names, lines))
    return Found(wrong, verdicts, dict(_rows(house, rows)), cut)


def _sealed(seal: Seal, lines: list[dict[str, Any]], seals: Mapping[int, str]) -> Iterator[dict[str, Any]]:
    """Yield the details of acts; acts about a state count only with a valid seal."""
    for line in lines:
        if '"of": ' not in line["told"] or audit_log.sound(line | {"seal": seals.get(line["seq"], "")}, seal):
            yield json.loads(line["told"]) | {"about": line["about"]}


def _verdicts(house: House, connection: Connection, heads: Mapping[str, Mapping[int, str]]) -> dict[str, Verdict]:
    """Verify every ledger."""
    budgets = connection.execute(select(durable.budgets.c.id)).scalars().all()
    return {budget: examine(connection, budget, heads.get(budget), house.seal) for budget in budgets}


def _replayed(
    house: House, connection: Connection, sealed: list[dict[str, Any]], names: Mapping[str, str]
) -> list[Phrase]:
    """Compare what acts say with the tables."""
    states = replay.replayed(sealed)
    wrong = list[Phrase]()
    for kind in replay.KINDS:
        for row in replay.rows(connection, kind):
            name = replay.called(kind, row)
            state = replay.state_of(kind, row)
            what = _called(kind, name, state, names)
            wrong += _differs(what, states.pop((kind, name), None), state)
    for (kind, name), state in states.items():
        what = _called(kind, name, state, names)
        wrong.append(Phrase("{what} is in the audit log, but nowhere else.", what=what))
    marks = {act["vault"] for act in sealed if "vault" in act}
    if marks - {house.vault.fingerprint("")}:
        wrong.append(Phrase("The vault key is not the key that was used to register the datasets."))
    return wrong


def _differs(what: Phrase, said: replay.State | None, state: replay.State) -> Iterator[Phrase]:
    if said is None:
        yield Phrase("{what} is not in the audit log: it was written by hand.", what=what)
        return
    for part, value in state.items():
        if said.get(part) != value:
            word = FIELDS.get(part, BEGINNING)
            yield Phrase("{what}: “{part}” does not match the audit log.", what=what, part=word)


def _called(kind: str, name: str, state: replay.State, names: Mapping[str, str]) -> Phrase:
    if kind == "request":
        dataset = names.get(state.get("dataset", ""), "")
        return Phrase(CALLED[kind], name=name, dataset=dataset)
    return Phrase(CALLED[kind], name=name)


def _ledgers(names: Mapping[str, str], verdicts: Mapping[str, Verdict]) -> Iterator[Phrase]:
    for budget, verdict in verdicts.items():
        name = names.get(budget, budget)
        why = verdict.wrong
        if why is not None and verdict.at is None:
            yield Phrase("{name}: {wrong}", name=name, wrong=why)
        elif why is not None:
            yield Phrase("{name}, entry {at}: {wrong}", name=name, at=verdict.at, wrong=why)


def _asked(house: House, names: Mapping[str, str]) -> list[Phrase]:
    """Compare requests with what the ledgers know of them."""
    try:
        asked = listed(house, select_requests())
        fates = ledger_backup.fates(house.store)
        odd = [request for request in asked if not _agrees(request, fates.pop((request.dataset, request.id), {}))]
    except (ValueError, KeyError, TypeError, AssertionError):
        return [Phrase("A request or a result cannot be read.")]
    return [
        Phrase(
            "Request #{number} of {name} does not match the ledger.",
            number=request.number,
            name=names.get(request.dataset, request.dataset),
        )
        for request in odd
    ] + [
        Phrase("Request {request} is only in the ledger of {name}.", request=request, name=names.get(budget, budget))
        for budget, request in fates
    ]


def _agrees(asked: Inquiry, lines: dict[str, Any]) -> bool:
    """Return whether a request is the one that its ledger knows, and ended as the ledger says."""
    begun = lines.get("refuse" if asked.state == REFUSED.name else "reserve")
    if begun is None or asked.id != name_of(asked.request, asked.nonce):
        return False
    # what was proven then may be more than what this program proves, and never less
    same = asked.cost == entry_of(begun).cost + entry_of(begun).held and asked.request.cost().fits_in(asked.cost)
    returned = ("expire" in lines) == (asked.state in RETURNED)
    return same and returned and ("charge" not in lines or asked.state in RUNNABLE)


def _strays(house: House, connection: Connection, rows: list[dict[str, Any]]) -> Iterator[Phrase]:
    """Compare the wave in which each request counts with that of its rows, where each had a budget of its own."""
    for data in _legible(rows):
        if data.registration.unit == OF_A_WAVE:
            asked = connection.execute(select(requests.c.id, requests.c.number).filter_by(dataset=data.id))
            waves = [(version.since, version.wave) for version in data.versions]
            numbers = {row.id: row.number for row in asked}
            for number in sorted(set(strays(waves, numbers, lines_of(connection, data.id)))):
                yield Phrase(
                    "Request #{number} of {name} is counted in a different wave from its rows.",
                    number=number,
                    name=data.name,
                )


def _legible(rows: list[dict[str, Any]]) -> Iterator[registry.Registered]:
    """Yield the datasets that can be read; changes by hand in the others are reported by the replay."""
    for row in rows:
        with suppress(ParameterError, ValueError, TypeError, KeyError):
            yield registry.registered(row)


def _exported(
    house: House, connection: Connection, names: Mapping[str, str], trail_lines: list[dict[str, Any]]
) -> Iterator[Phrase]:
    """Compare with the heads outside: what was exported must be there still."""
    heads = house.seal.exported()
    for number in heads.unsound:
        yield Phrase(
            "Line {number} of {file} is not a hash sealed by this server.", number=number, file=house.seal.heads.name
        )
    here = _chains(connection) | {audit_log.CHAIN: {line["seq"]: line["hash"] for line in trail_lines}}
    for chain, places in heads.places.items():
        lost = min((seq for seq, place in places.items() if here.get(chain, {}).get(seq) != place), default=None)
        if lost is not None and chain == audit_log.CHAIN:
            yield Phrase(
                "The audit log was cut, restored to an earlier state or rebuilt: entry {number} was different.",
                number=lost,
            )
        elif lost is not None:
            yield Phrase(
                "{name} was cut, restored to an earlier state or rebuilt: entry {line} was different.",
                name=names.get(chain, chain),
                line=lost,
            )


def _chains(connection: Connection) -> dict[str, dict[int, str]]:
    """Return the hash at each place of every ledger."""
    budgets = durable.budgets.c
    lines = durable.lines.c
    chains = {budget: {OPENING: digest} for budget, digest in connection.execute(select(budgets.id, budgets.hash))}
    for budget, seq, digest in connection.execute(select(lines.budget, lines.seq, lines.hash)):
        chains[budget][seq] = digest
    return chains


def damaged(house: House, connection: Connection) -> list[str]:
    """Return the places in the vault with rows that differ from those registered, of all versions."""
    every = [place for row in replay.rows(connection, "dataset") for place in _places(row)]
    return [
        str(place["content"])
        for place in every
        if house.vault.damage(place["content"], place["layout"], place["fingerprint"]) is not None
    ]


def _places(row: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the versions of a dataset that should have rows in the vault."""
    return [row, *row["versions"]] if row["state"] != "deleted" else []


def _rows(house: House, rows: list[dict[str, Any]]) -> Iterator[tuple[str, Phrase]]:
    """Open every file of rows that should be there, of all versions."""
    for row in rows:
        for place in _places(row):
            damage = house.vault.damage(place["content"], place["layout"], place["fingerprint"])
            damage = damage or likeness.damage(house, row, place["content"])
            if damage is not None:
                yield str(row["name"]), damage
