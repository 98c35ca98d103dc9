"""Housekeeping: what a server does with registered rows and decided requests by itself."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from logging import getLogger
from time import sleep

from discreet.budget import ParameterError
from discreet.curator.release import Curator
from discreet.office.datasets import lifecycle, places, registry
from discreet.office.house import audit_log, replay
from discreet.office.house.failures import DAY
from discreet.office.house.house import DATABASE, House, trying
from discreet.office.house.tables import requests
from discreet.office.house.versions import contents
from discreet.office.requests.execution import finish, unchanged
from discreet.office.requests.request import Inquiry, listed
from discreet.office.requests.states import RUNNABLE
from discreet.office.rules.visit import looking, select_requests
from discreet.rows.dataset import without_rows

GONE = ("content", "versions", "state")  # what the trail must say too before rows are deleted


def begin(house: House) -> None:
    """Do what a server does once, after its start."""
    verify_trail(house)
    tidy(house)
    prepare(house)
    resume(house)


def prepare(house: House) -> None:
    """Open the rows of all open datasets, one after the other, before anybody asks."""
    files = [data.id for data in registry.everything(house) if data.state == "open" and not data.remote]
    for name in files:
        with suppress(ParameterError):
            registry.curator(house, name)
        for opening in house.preparing():
            opening.thread.join()
    while not all(opening.over for opening in house.preparing()):
        sleep(0.1)
    for name in files:
        with suppress(ParameterError):
            registry.curator(house, name)


def check_memory(house: House) -> None:
    """Refuse a database that has forgotten what was written outside of it: it is another one."""
    if audit_log.head(house.store).startswith("-1:") and house.seal.exported().places:
        raise ParameterError(
            "The database is empty, but {file} contains records of this server. Either {name} points "
            "to a different database, or this one was lost. Correct the address, or restore a backup. "
            "To start a new server, move the file away.",
            file=house.seal.heads,
            name=DATABASE,
        )


def verify_trail(house: House) -> None:
    """Read the trail from its first act, and log where it does not verify."""
    wrong = house.wrong_act(whole=True)
    if wrong is not None:
        getLogger("discreet").error("act %s does not fit into the trail", wrong)


def drop_deleted(house: House) -> None:
    """Let go of rows that another process has deleted."""
    for dataset in house.opened():
        if not any(data.id == dataset and data.state != "deleted" for data in registry.everything(house)):
            house.forget(dataset)


def tidy(house: House) -> None:
    """Delete rows that are deleted, as the trail says too, and what a crash left of a beginning.

    Whatever else lies in the vault stays: a database that does not know it may be the wrong one.
    """
    with looking(house) as visit:
        rows = list(replay.rows(visit.connection, "dataset"))
        ways = places.contents(visit.connection)
        deleted = [row for row in rows if row["state"] == "deleted" and replay.same(visit.trail, row, *GONE)]
        gone = lifecycle.left_behind(house, visit.connection)
    for content in (*gone, *(content for row in deleted for content in contents(row))):
        house.vault.delete(content)
    named = {*ways, *(content for row in rows for content in contents(row))}
    for name in house.vault.left_over(DAY, house.clock()):
        if name not in named:
            house.vault.delete(name)
        house.vault.settle(name)


def past_retention(house: House) -> list[registry.Registered]:
    """Return the datasets with rows past their deletion date."""
    return overdue(house, registry.everything(house))


def overdue(house: House, datasets: Iterable[registry.Registered]) -> list[registry.Registered]:
    """Return those of some datasets."""
    today = house.now.date().isoformat()
    return [
        data
        for data in datasets
        if data.state != "deleted" and data.registration.keep_until and data.registration.keep_until < today
    ]


def resume(house: House) -> None:
    """Answer what was allowed or approved before a crash; what cannot be answered now waits."""
    decided = select_requests().where(requests.c.state.in_(RUNNABLE))
    for asked in listed(house, decided):
        if asked.release is None:
            with suppress(ParameterError):
                _again(house, asked)


def _again(house: House, asked: Inquiry) -> None:
    """Try once more; what ended the process that tried is charged, and refused for good."""
    unchanged(asked)
    registry.curator(house, asked.dataset, asked.number)  # rows that cannot be read now are no try
    with trying(house.tried, asked.id) as died:
        if died is None:
            return  # another process is at it
        if died:
            _refuse(house, asked)
        finish(house, asked.id)


def _refuse(house: House, asked: Inquiry) -> None:
    """Charge a question that ended the process which computed it, and answer nothing."""
    data = registry.find(house, asked.dataset, asked.number)
    nobody = without_rows(data.registration.schema)
    Curator(nobody, registry.ledger(house, asked.dataset)).refuse(asked.request, asked.nonce)
