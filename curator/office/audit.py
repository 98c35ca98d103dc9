"""Audit: whether acts, requests and ledgers of a house tell the same story."""

from __future__ import annotations

from typing import Any

from budget.durable import backup as kept
from budget.durable.ledger import entry_of
from curator.office import acts
from curator.office.asked import Asked, listed, select_requests
from curator.office.house import House
from curator.release import name_of

RETURNED, GRANTED = ("denied", "changes", "withdrawn", "expired"), ("allowed", "approved")


def odd(house: House) -> list[str]:
    """Say what does not fit: acts off the chain, requests that the ledgers know otherwise."""
    at = acts.wrong_at(house.store)
    wrong = [] if at is None else [f"Act {at} does not fit into the trail."]
    try:
        with house.writing():  # nobody decides in between
            asked, known = listed(house, select_requests()), kept.fates(house.store)
    except (ValueError, KeyError, TypeError, AssertionError):
        return [*wrong, "A request or an answer cannot be read."]
    odd = [one for one in asked if not _agrees(one, known.pop((one.dataset, one.id), {}))]
    wrong += [f"Request #{one.number} is not what the ledger says." for one in odd]
    return wrong + [f"Request {request} is on a ledger only." for _, request in known]


def _agrees(one: Asked, lines: dict[str, Any]) -> bool:
    """Say whether a request is the one that its ledger knows, and ended as the ledger says."""
    begun = lines.get("refuse" if one.state == "refused" else "reserve")
    if begun is None or one.id != name_of(one.request, one.nonce):
        return False
    same = one.cost == entry_of(begun).cost + entry_of(begun).held
    returned = ("expire" in lines) == (one.state in RETURNED)
    return same and returned and ("charge" not in lines or one.state in GRANTED)
