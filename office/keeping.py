"""Keeping: what a server does with registered rows and decided requests by itself."""

from __future__ import annotations

from contextlib import suppress
from time import sleep

from sqlalchemy import select

from discreet.budget import ParameterError
from discreet.curator.release import Curator
from discreet.curator.request import Request
from discreet.office import registry
from discreet.office.asked import Asked, find, listed, select_requests
from discreet.office.house import House
from discreet.office.preparing import trying
from discreet.office.requests import finish, unchanged
from discreet.office.tables import datasets, requests
from discreet.rows.dataset import without_rows

DAY = 24 * 3600.0


def prepare(house: House) -> None:
    """Open the rows of all open datasets, one after the other, before anybody asks."""
    files = [one.id for one in registry.everything(house) if one.state == "open" and not one.remote]
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


def drop_deleted(house: House) -> None:
    """Let go of rows that another process has deleted."""
    for dataset in house.opened():
        if registry.find(house, dataset).state == "deleted":
            house.forget(dataset)


def tidy(house: House) -> None:
    """Delete files whose rows are deleted, and those that no dataset has known for a day."""
    with house.store.reading() as connection:
        rows = connection.execute(select(datasets.c.content, datasets.c.state)).all()
    for name in (content for content, state in rows if state == "deleted"):
        house.vault.delete(name)
    for name in house.vault.older_than(DAY, house.clock()) - {content for content, _ in rows}:
        house.vault.delete(name)


def past_retention(house: House) -> list[registry.Registered]:
    """Return the datasets whose rows should be gone by now."""
    today = house.now.date().isoformat()
    return [
        one
        for one in registry.everything(house)
        if one.state != "deleted" and one.registration.keep_until
        and one.registration.keep_until < today
    ]  # fmt: skip


def resume(house: House) -> None:
    """Answer what was allowed or approved before a crash; what cannot be answered now waits."""
    decided = select_requests().where(requests.c.state.in_(("allowed", "approved")))
    for asked in listed(house, decided):
        if asked.release is None:
            with suppress(ParameterError):
                _again(house, asked)


def _again(house: House, asked: Asked) -> None:
    """Try once more; what ended the process that tried is charged, and refused for good."""
    unchanged(asked)
    registry.curator(house, asked.dataset)  # rows that cannot be read now are no try
    with trying(house.tried, asked.id) as died:
        if died is None:
            return  # another process is at it
        if died:
            _refuse(house, asked.dataset, asked.request, asked.nonce)
        finish(house, find(house, asked.id))


def _refuse(house: House, dataset: str, request: Request, nonce: str) -> None:
    """Charge a question that ended the process which computed it, and answer nothing."""
    one = registry.find(house, dataset)
    nobody = without_rows(one.registration.schema)
    Curator(nobody, registry.ledger(house, dataset)).refuse(request, nonce)
