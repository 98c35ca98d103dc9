"""Written: the lines of a durable ledger as the database holds them, and what they amount to."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, select

from discreet.budget.cost import Cost
from discreet.budget.durable import tables
from discreet.budget.durable.accounts import account_of
from discreet.budget.entry import Entry
from discreet.budget.errors import ParameterError
from discreet.budget.ledger import NOTHING
from discreet.budget.rules import Amount, Rule

Told = dict[str, Any]


def lines_of(connection: Connection, budget: str) -> list[Told]:
    """Return all lines of a budget as they are written, oldest first."""
    query = select(tables.lines).filter_by(budget=budget).order_by(tables.lines.c.seq)
    return [dict(line) for line in connection.execute(query).mappings()]


def budget_of(connection: Connection, name: str) -> Told | None:
    """Return a budget as it was opened."""
    row = connection.execute(select(tables.budgets).filter_by(id=name)).mappings().first()
    return None if row is None else dict(row)


def last_of(connection: Connection, name: str) -> Told | None:
    """Return the newest line of a budget."""
    newest = select(tables.lines).filter_by(budget=name).order_by(tables.lines.c.seq.desc()).limit(1)
    line = connection.execute(newest).mappings().first()
    return None if line is None else dict(line)


def decided_of(connection: Connection, name: str, request_id: str) -> dict[str, Told]:
    """Return the lines of a request by their kind; refusals aside, there is one of each."""
    query = select(tables.lines).filter_by(budget=name, request=request_id)
    decided = query.where(tables.lines.c.kind != "refuse")
    return {line["kind"]: dict(line) for line in connection.execute(decided).mappings()}


def answer_of(connection: Connection, name: str, request_id: str) -> str | None:
    """Return what was released: an answer without its line, or another one, is none."""
    query = select(tables.answers.c.body).filter_by(budget=name, request=request_id)
    body = connection.execute(query).scalar_one_or_none()
    line = None if body is None else decided_of(connection, name, request_id).get("release")
    return None if line is None or digest(str(body)) != line["note"] else str(body)


def costs(cost: Cost, held: Cost) -> Told:
    """Return what a line says of costs."""
    return {
        "cost_epsilon": cost.nano_epsilon,
        "cost_delta": cost.delta_units,
        "held_epsilon": held.nano_epsilon,
        "held_delta": held.delta_units,
    }


def sums(amount: Amount, total: Amount) -> Told:
    """Return what a line says of amounts."""
    return {
        "loss": amount.loss,
        "loss_delta": amount.delta_units,
        "total_loss": total.loss,
        "total_delta": total.delta_units,
    }


def digest(body: str) -> str:
    """Return what the line of a release tells of its answer."""
    return sha256(body.encode()).hexdigest()


def freed(rule: Rule, line: Told, whole: Amount) -> Amount:
    """Return what the held part of a charge counted for: the whole less the cost alone."""
    if held_of(line) == NOTHING:
        return Amount()
    alone = rule.amount(cost_of(line), None, whole)
    return Amount() if alone is None else whole - alone


def given_back(rule: Rule, lines: dict[str, Told]) -> Amount:
    """Return what comes back where the held part of a request was not taken, from its lines."""
    reserved = "reserve" in lines and "expire" not in lines
    return freed(rule, lines["charge"], amount_of(lines["reserve" if reserved else "charge"]))


def charge_of(lines: dict[str, Told], request_id: str) -> Told:
    """Return the charge among the lines of a request."""
    if "charge" not in lines:
        raise ParameterError("Request {request_id} is not on the ledger. Charge it first.", request_id=request_id)
    return lines["charge"]


def total_of(last: Told | None) -> Amount:
    """Return what a budget counts after its last line; nothing where there is none."""
    return Amount() if last is None else Amount(last["total_loss"], last["total_delta"])


def amount_of(line: Told) -> Amount:
    """Return what a line counts for."""
    return Amount(line["loss"], line["loss_delta"])


def cost_of(line: Told) -> Cost:
    """Return what a line spends for good."""
    return Cost(line["cost_epsilon"], line["cost_delta"])


def held_of(line: Told) -> Cost:
    """Return what a line holds back."""
    return Cost(line["held_epsilon"], line["held_delta"])


def entry_of(line: Told) -> Entry:
    """Return a line as every ledger shows it."""
    return Entry(
        line["seq"],
        line["request"],
        line["kind"],
        cost_of(line),
        held_of(line),
        line["taken"],
        account_of(line["account"]),
        amount_of(line),
        total_of(line),
        datetime.fromisoformat(line["time"]),
    )
