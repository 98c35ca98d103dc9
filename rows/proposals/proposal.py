"""Proposal: what a column may be, and on what public thing that stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from discreet.budget.phrase import Phrase
from discreet.rows.columns import Kind, Number
from discreet.rows.proposals.catalogue import well_known


@dataclass(frozen=True)
class Proposal:
    """A declaration that nobody has made yet, and why it may be the right one."""

    column: Kind
    why: Phrase

    def declared(self, origin: str) -> Kind:
        """Return it as somebody's declaration, with where its bounds come from."""
        return replace(self.column, origin=origin) if isinstance(self.column, Number) else self.column


def proposed(names: Iterable[str]) -> dict[str, Proposal]:
    """Return what the columns of these names may be; no row is looked at."""
    entries = ((name, well_known(name)) for name in names)
    return {name: Proposal(entry.column, entry.why) for name, entry in entries if entry is not None}
