"""Dossier: what the points of the checklist look at: a snapshot, both chains, and who decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discreet.budget.durable import Verdict
from discreet.budget.durable.verify import examine
from discreet.office import acts
from discreet.office.acts import Act
from discreet.office.asked import Inquiry
from discreet.office.house import House
from discreet.office.registration import Registration
from discreet.office.registry import Registered
from discreet.office.roles import Member
from discreet.office.snapshot import Snapshot, read


@dataclass(frozen=True)
class Dossier:
    """What the points look at: a request, who is about to decide, and both chains.

    The ledger is recomputed, the trail as far as this process has not verified it yet.
    """

    snapshot: Snapshot
    who: Member | None
    verdict: Verdict
    trail: tuple[Act, ...]  # about the request and its dataset, oldest first
    unfit: int | None  # the first act that does not fit

    @property
    def asked(self) -> Inquiry:
        """The request."""
        return self.snapshot.asked

    @property
    def data(self) -> Registered:
        """The dataset."""
        return self.snapshot.data

    @property
    def said(self) -> Registration:
        """What was registered."""
        return self.data.registration

    @property
    def today(self) -> str:
        """The day, as days are written."""
        return self.snapshot.now.date().isoformat()

    @property
    def registrar(self) -> str:
        """Who registered the dataset."""
        return self.snapshot.name(self.data.by)

    @property
    def declared_later(self) -> tuple[str, ...]:
        """Who declared more, or later bounds, before this was asked."""
        return tuple(self.snapshot.name(edition.by) for edition in self.data.later)

    @property
    def mechanisms(self) -> tuple[Any, ...]:
        """How it is asked, for each row of a plan."""
        return tuple(row.mechanism for row in self.asked.request.rows)


def dossier(house: House, asked: Inquiry, who: Member | None = None) -> Dossier:
    """Read all that the points look at, in one transaction; `who` is about to decide."""
    with house.store.reading() as connection:
        here, seal = read(connection, house, asked), house.store.seal
        lines = here.place.lines
        verdict = examine(connection, asked.dataset, seal=seal, read=lines)
        trail = acts.about(connection, here.data.name, f"#{asked.number}")
        return Dossier(here, who, verdict, trail, house.bookmark.wrong_at(connection, seal))
