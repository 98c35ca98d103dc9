"""Beside: what a backup of an office holds besides ledgers and answers."""

from __future__ import annotations

from budget.durable import backup as kept
from curator.office import audit, tables
from curator.office.house import House
from curator.office.vault import KEY

WAITING = {"state": "waiting", "decided_by": None, "decided": None, "reason": "", "checklist": "{}"}
KEPT = (tables.people, tables.datasets, tables.requests, tables.acts)


def beside(house: House) -> kept.Beside:
    """Return what is kept beside the ledgers: all but links, sessions and attempts."""

    def begun(table: str, row: kept.Row) -> kept.Row:  # a guard lets no request begin as decided
        decided = table == "requests" and row["state"] in (*audit.RETURNED, "approved")
        return row | WAITING if decided else row

    def named(rows: list[kept.Row]) -> list[str]:
        return [row["content"] for row in kept.of(rows, "datasets") if row["state"] != "deleted"]

    return kept.Beside(KEPT, begun, "datasets", "acts", house.vault.folder, named, KEY)
