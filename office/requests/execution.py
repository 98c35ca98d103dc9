"""Execution: what was allowed or approved runs once, as it was frozen and as the trail knows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from discreet.budget import ParameterError, Phrase
from discreet.curator.plan import FixedPlan
from discreet.curator.records import Shown
from discreet.curator.release import Curator, name_of
from discreet.office.datasets import registry
from discreet.office.house import acts, replay
from discreet.office.house.house import House
from discreet.office.house.replay import Trail
from discreet.office.requests.request import Inquiry, asked_of, line_of, row_alone
from discreet.office.requests.states import RUNNABLE
from discreet.office.rules.visit import Visit, looking

UNSOUND = Phrase(
    "The ledger of this dataset failed verification, so nothing was released. Contact the server administrator."
)
UNKNOWN = Phrase("The audit log has no such decision, so nothing was released. Contact the server administrator.")


def finish(house: House, request: str) -> Inquiry:
    """Answer what is allowed or approved; after a crash as well, and never twice."""
    with looking(house) as visit:
        row = line_of(visit.connection, request)
        asked = asked_of(row)
        if asked.state not in RUNNABLE:
            return asked
        data = visit.to(asked.dataset)
        if asked.release is None:
            _check_runs(data, asked, row_alone(row))
    if asked.release is None:
        asked = replace(asked, release=_run(registry.answerer(house, data.row, asked.number), asked))
    about = f"#{asked.number}"
    with house.writing() as connection:
        trail = Trail(connection, house.seal)
        if all(line["what"] != acts.ANSWERED.name for line in trail.about(about)):
            house.act(connection, "", acts.ANSWERED, about, trail=trail)
    return asked


def _check_runs(visit: Visit, asked: Inquiry, row: Mapping[str, Any]) -> None:
    """Refuse what is not as it was frozen and as the trail knows it, and what is of closed data."""
    unchanged(asked)
    registry.of(visit).check_open()
    visit.trail.read(visit.row["name"], f"#{asked.number}")
    if not replay.stands(visit.trail, row, visit.row):
        raise ParameterError(UNKNOWN)


def _run(curator: Curator, asked: Inquiry) -> Shown:
    """Ask one question, or all rows of a plan."""
    question = asked.request
    if isinstance(question, FixedPlan):
        answers: Shown = curator.run(question, asked.nonce)
        return answers
    return curator.ask(question, asked.nonce)


def unchanged(asked: Inquiry) -> None:
    """Refuse what is not the question that was asked, under its hash, what costs otherwise or is asked no more."""
    if name_of(asked.request, asked.nonce) != asked.id:
        raise ParameterError(UNSOUND)
    for row in asked.request.rows:
        if row.mechanism.instead is not None:
            raise ParameterError("{why} Request changes.", why=row.mechanism.instead)
    if asked.request.cost() != asked.cost:  # approved, it could not be charged, and would stay reserved for good
        raise ParameterError(
            "The cost of this plan, as proven now, differs from the reserved cost. Request changes; a "
            "new request is charged the cost proven now."
        )
