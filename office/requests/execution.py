"""Execution: what was allowed or approved runs once, as it was frozen and as the trail knows it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, select

from discreet.budget import ParameterError, Phrase
from discreet.curator.plan import FixedPlan
from discreet.curator.release import name_of
from discreet.office.datasets import registry
from discreet.office.house import acts, audit_log, replay
from discreet.office.house.house import House
from discreet.office.house.tables import requests
from discreet.office.requests.request import Inquiry, find
from discreet.office.requests.states import RUNNABLE

UNSOUND = Phrase("The ledger of these data does not verify. Nothing is released.")
UNKNOWN = Phrase("The trail does not know this decision. Nothing is released: tell whoever keeps the server.")


def finish(house: House, asked: Inquiry) -> Inquiry:
    """Answer what is allowed or approved; after a crash as well, and never twice."""
    if asked.state in RUNNABLE:
        if asked.release is None:
            unchanged(asked)
            registry.find(house, asked.dataset).check_open()
            if not replay.stands(house.store, asked.id):
                raise ParameterError(UNKNOWN)
            _run(house, asked)
        with house.writing() as connection:
            if not audit_log.recorded(connection, acts.ANSWERED, f"#{asked.number}"):
                house.act(connection, "", acts.ANSWERED, f"#{asked.number}")
    return find(house, asked.id)


def _run(house: House, asked: Inquiry) -> None:
    """Ask one question, or all rows of a plan."""
    curator = registry.curator(house, asked.dataset, asked.number)
    question = asked.request
    if isinstance(question, FixedPlan):
        curator.run(question, asked.nonce)
    else:
        curator.ask(question, asked.nonce)


def unchanged(asked: Inquiry) -> None:
    """Refuse what is not the question that was asked, under its hash, what costs otherwise or is asked no more."""
    if name_of(asked.request, asked.nonce) != asked.id:
        raise ParameterError(UNSOUND)
    for row in asked.request.rows:
        if row.mechanism.instead is not None:
            raise ParameterError("{why} Ask for changes.", why=row.mechanism.instead)
    if asked.request.cost() != asked.cost:  # approved, it could not be charged, and would stay reserved for good
        raise ParameterError(
            "This program proves another cost of this plan than the one that is reserved. Ask for changes: sent anew, "
            "it costs what is proven now."
        )


def row_of(connection: Connection, request: str) -> Any:
    """Return the row of a request, None where there is none."""
    return connection.execute(select(requests).filter_by(id=request)).mappings().first()
