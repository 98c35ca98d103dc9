"""Proposal: what a column may be, and on what public thing that stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from discreet.budget.phrase import Phrase
from discreet.rows.columns import Date, Kind, YesNo
from discreet.rows.proposals.catalogue import CALENDAR, LONG_AGO, TRUTHS, well_known
from discreet.rows.proposals.labels import labelled

LABELS = Phrase("the labels in the file")
Types = Mapping[str, pa.DataType]  # of columns, as a typed format declares them; none where all cells are texts


@dataclass(frozen=True)
class Proposal:
    """A declaration that nobody has made yet, and why it may be the right one."""

    column: Kind
    why: Phrase

    def declared(self, origin: str) -> Kind:
        """Return it as somebody's declaration, with where its bounds come from."""
        return self.column.from_source(origin)


Proposals = dict[str, Proposal]  # by the name of the column


def proposed(names: Sequence[str], types: Types | None = None, notes: Mapping[str, Any] | None = None) -> Proposals:
    """Return what columns may be: by the labels and types that a file declares, and by their names.

    No row is looked at.
    """
    columns = labelled(notes or {})
    return dict(_proposed(names, types or {}, columns))


def _proposed(names: Sequence[str], types: Types, labels: Mapping[str, Kind]) -> Iterator[tuple[str, Proposal]]:
    for name in names:
        entry, form = well_known(name), types.get(name)
        if name in labels:
            yield name, Proposal(labels[name], LABELS)
        elif form is not None and pa.types.is_temporal(form):
            yield name, Proposal(Date(*LONG_AGO), CALENDAR)
        elif form is not None and pa.types.is_boolean(form):
            yield name, Proposal(YesNo(), TRUTHS)
        elif entry is not None and not (_is_number(form) and entry.named):
            yield name, Proposal(entry.column, entry.why)


def _is_number(form: pa.DataType | None) -> bool:
    """Say whether cells are numbers by their format, which no level that is a word stands for."""
    return form is not None and (pa.types.is_integer(form) or pa.types.is_floating(form) or pa.types.is_decimal(form))
