"""Verification: the whole chain of a budget, recomputed line by line from the stored lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from discreet.budget.cost import Cost
from discreet.budget.durable import store as tables
from discreet.budget.durable.lines import (
    Line,
    Recount,
    account_of,
    amount_of,
    budget_hash,
    digest,
    freed,
    line_hash,
    lines_of,
    meter_of,
)
from discreet.budget.durable.store import OPENING, Seal, Store, seals_of, unsealed
from discreet.budget.errors import Phrase
from discreet.budget.rules import Amount, Rule, rule_of

ENDLESS = Amount(2**62, 2**62)


@dataclass(frozen=True)
class Verdict:
    """Whether a chain is valid; if not, the first invalid line, and why."""

    lines: int
    head: str
    wrong: Phrase | None = None
    at: int | None = None

    @property
    def holds(self) -> bool:
        """Whether no error was found."""
        return self.wrong is None


def verify(store: Store, budget: str, anchors: Mapping[int, str] | None = None) -> Verdict:
    """Recompute a chain: hashes, order, totals, amounts, limit; and compare it with anchors.

    An anchor is a line's number with its hash, kept outside (on a card, in an export). It detects a chain that was
    truncated, rolled back, or rebuilt as a whole, which no hash inside can detect.
    """
    with store.reading() as connection:
        return examine(connection, budget, anchors, store.seal)


def examine(
    connection: Connection,
    budget: str,
    anchors: Mapping[int, str] | None = None,
    seal: Seal | None = None,
    read: Sequence[Line] | None = None,
) -> Verdict:
    """Recompute a chain as one transaction sees it; `read` are its lines if the caller has read them."""
    lines = list(lines_of(connection, budget) if read is None else read)
    own = tables.answers.c
    query = select(tables.budgets, own.request, own.body).outerjoin(tables.answers).filter_by(id=budget)
    rows = [dict(row) for row in connection.execute(query).mappings()]  # the budget beside each of its answers
    if not rows:
        return Verdict(0, "", Phrase("This budget does not exist."))
    opened = rows[0]
    answers = {row["request"]: str(row["body"]) for row in rows if row["request"] is not None}
    if budget_hash(opened) != opened["hash"]:
        return Verdict(len(lines), "", Phrase("The record of the budget was changed."))
    odd = _changed(lines, answers)
    if odd is not None:
        return Verdict(len(lines), "", *odd)
    head = str(lines[-1]["hash"]) if lines else str(opened["hash"])
    places = {OPENING: str(opened["hash"])} | {int(line["seq"]): line["hash"] for line in lines}
    open_ = None
    if seal is not None:
        open_ = unsealed(seal, budget, places, seals_of(connection, budget))
    found_wrong = _wrong(opened, lines) or _cut(places, anchors or {})
    if found_wrong is None and open_ is not None:
        found_wrong = Phrase("An entry was written without the seal key."), open_
    return Verdict(len(lines), head, *(found_wrong or ()))


def recomputed(opened: Mapping[str, Any], lines: Sequence[Line]) -> tuple[Phrase, int] | None:
    """Return the first wrong line of a ledger and why, from the lines alone: no database, no key."""
    if budget_hash(opened) != opened["hash"]:
        return Phrase("The record of the budget was changed."), OPENING
    return _wrong(dict(opened), list(lines))


def _changed(lines: list[dict[str, Any]], answers: dict[str, str]) -> tuple[Phrase, int | None] | None:
    """Return the first release whose stored answer is not the one released, or an answer without a release."""
    released = {line["request"]: line for line in lines if line["kind"] == "release"}
    for request, line in released.items():
        if digest(answers.get(request, "")) != line["note"]:
            return Phrase("A result was changed or is missing."), int(line["seq"])
    if set(answers) - set(released):
        return Phrase("The ledger has a result that was never released."), None
    return None


def _cut(places: Mapping[int, str], anchors: Mapping[int, str]) -> tuple[Phrase, int] | None:
    """Return the first anchor that is not on the chain."""
    for seq, head in anchors.items():
        if places.get(seq) != head:
            return Phrase("The hash chain was cut or rebuilt: an anchor is missing from it."), seq
    return None


def _wrong(budget: dict[str, Any], lines: list[dict[str, Any]]) -> tuple[Phrase, int] | None:
    """Return the first line that is wrong, or None."""
    previous = budget["hash"]
    total = Amount()
    capacity = Amount(budget["capacity_loss"], budget["capacity_delta"])
    rule = rule_of(budget["rule"])
    periods = Recount(meter_of(budget))
    reserved: dict[str, dict[str, Any]] = {}
    for at, line in enumerate(lines):
        amount = amount_of(line)
        total = total + amount
        for wrong, why in (
            (line["seq"] != at, Phrase("An entry is missing or out of order.")),
            (line["previous"] != previous, Phrase("An entry does not follow the previous one.")),
            (line_hash(line) != line["hash"], Phrase("An entry was changed.")),
            (total != Amount(line["total_loss"], line["total_delta"]), Phrase("A total is wrong.")),
            (not periods.apart and not total.fits_in(capacity), Phrase("The budget is overspent.")),
            (not _counted(rule, line, amount, reserved), Phrase("An entry counts less than its cost.")),
            (
                not periods.fits(line),
                Phrase("An entry is counted in another period, or exceeds the limit of its period."),
            ),
        ):
            if wrong:
                return why, at
        previous = line["hash"]
    return None


def _counted(rule: Rule, line: dict[str, Any], amount: Amount, reserved: dict[str, dict[str, Any]]) -> bool:
    """Return whether a line counts the amount that the rule gives for its cost, and refunds no more."""
    request = line["request"]
    kind = line["kind"]
    counted = reserved.get(request)  # the reservation, or the charge of a request that had none
    if kind == "reserve" or (kind == "charge" and counted is None):
        reserved[request] = line
        cost = Cost(line["cost_epsilon"] + line["held_epsilon"], line["cost_delta"] + line["held_delta"])
        account = account_of(line["account"])
        return amount in (rule.amount(cost, account, ENDLESS), rule.amount(cost, None, ENDLESS))
    if kind == "expire" and counted is not None:
        return amount == Amount() - amount_of(reserved.pop(request))
    if kind == "settle" and counted is not None and not line["taken"]:
        return amount == Amount() - freed(rule, counted, amount_of(counted))
    return amount == Amount()
