"""Seal: a hash of what somebody had before them when they acted; another text is not acted on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from discreet.budget import Phrase
from discreet.curator.release import Question
from discreet.curator.request import plain
from discreet.office.checklist import Item
from discreet.office.registry import Registered
from discreet.office.snapshot import Snapshot
from discreet.rows.schema import Schema

OTHER = Phrase("What you saw has changed since this page was drawn. Nothing was done. Read it again, and then decide.")
COUNTED = "chains"  # the point that counts the lines of the ledger: a line more changes no decision


def of(*parts: Any) -> str:
    """Return the hash of a text in parts."""
    return sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def of_question(data: Registered, request: Question, round: int) -> str:
    """Return the hash of a question, its price, its data, and how the policy treats it."""
    cost = request.cost()
    waits = data.policy.waits(request)
    how = None if waits is None else [waits.template, waits.values]
    return of(_data(data), plain(request), cost.nano_epsilon, cost.delta_units, how, round)


def of_extension(data: Registered, schema: Schema) -> str:
    """Return the hash of a declaration that is to hold, and of the data with the one that holds now."""
    return of(_data(data), schema.to_json())


def of_decision(snapshot: Snapshot, items: Sequence[Item]) -> str:
    """Return the hash of a request with its checklist, and of all that its card is made of."""
    asked, data = snapshot.asked, snapshot.data
    notes = [(item.name, item.verified, "" if item.name == COUNTED else str(item.note)) for item in items]
    frozen = (asked.id, asked.purpose, asked.analyst, asked.state, asked.until)
    return of(_data(data), plain(asked.request), frozen, data.policy.to_json(), notes)


def _data(data: Registered) -> tuple[str, str, str, bool, int]:
    return data.id, data.registration.to_json(), data.state, data.published, len(data.versions)
