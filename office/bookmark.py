"""Bookmark: up to which act this process has verified the trail, so that a page reads what is new.

It lies in memory and belongs to one open database. An act before it that is changed later is found
where the trail is read from its first act: by command, at a backup, at a start.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, select

from discreet.budget.durable.seals import Seal, seals_of
from discreet.office import acts
from discreet.office.relations import acts as trail


class Bookmark:
    """The newest act that was verified together with all before it."""

    def __init__(self) -> None:
        """Begin before the first act."""
        self._head: tuple[int, str] = 0, ""

    def wrong_at(self, connection: Connection, seal: Seal | None, whole: bool = False) -> int | None:
        """Return the first act that does not fit; None if all do, those before the bookmark as they once did.

        Where the act of the bookmark is another one now, the trail was set back or rebuilt, however
        well it fits.
        """
        seq, digest = head = self._head
        start = 0 if whole else seq
        lines = lines_from(connection, start)
        if start and [line["hash"] for line in lines[:1]] != [digest]:
            wrong = self._read(connection, seal, lines_from(connection, 0), 0)
            self._head = head
            return seq if wrong is None else wrong
        return self._read(connection, seal, lines, start)

    def _read(self, connection: Connection, seal: Seal | None, lines: list[dict[str, Any]], start: int) -> int | None:
        """Verify acts from one on, and move to the newest if all fit."""
        wrong = acts.first_wrong(lines, seals_of(connection, acts.CHAIN, start), seal, start)
        if wrong is None and lines:
            self._head = lines[-1]["seq"], lines[-1]["hash"]
        return wrong


def lines_from(connection: Connection, start: int) -> list[dict[str, Any]]:
    """Return the acts from one on, oldest first, as they are written."""
    newer = select(trail).where(trail.c.seq >= start).order_by(trail.c.seq)
    return [dict(line) for line in connection.execute(newer).mappings()]
