"""Fingerprint: a hash of the text that was on the screen when a person acted; an act on another text is refused."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from discreet.budget import Phrase
from discreet.curator.release import Question
from discreet.curator.request import plain
from discreet.office.datasets.registry import Registered
from discreet.rows.schema import Schema

OTHER = Phrase("This page was out of date, so nothing was done. Check the new version, then try again.")


def of(*parts: Any) -> str:
    """Return the hash of a text in parts."""
    return sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def of_question(data: Registered, request: Question, round: int) -> str:
    """Return the hash of a question, its price, its data, and how the policy treats it."""
    cost = request.cost()
    waits = data.policy.waits(request)
    how = None if waits is None else [waits.template, waits.values]
    return of(of_data(data), plain(request), cost.nano_epsilon, cost.delta_units, how, round)


def of_extension(data: Registered, schema: Schema) -> str:
    """Return the hash of a declaration that is to hold, and of the data with the one that holds now."""
    return of(of_data(data), schema.to_json())


def of_data(data: Registered) -> tuple[str, str, str, bool, int]:
    """Return what a dataset is, as far as a page shows it."""
    return data.id, data.registration.to_json(), data.state, data.published, len(data.versions)
