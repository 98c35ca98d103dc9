"""Proposal: what a column may be, and on what public thing that stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from discreet.budget.errors import ParameterError, Phrase
from discreet.rows.columns import Category, Date, Kind, YesNo
from discreet.rows.proposals.catalogue import CALENDAR, LONG_AGO, TRUTHS, well_known

# Labels: what a file says beside its columns, as a declaration that it proposes.

FEWEST, MOST = 2, 500  # labelled codes that make a category: one alone is most often a reason why a number is missing


def labelled(notes: Mapping[str, Any]) -> dict[str, Kind]:
    """Return the categories that labels of codes make, by column; labels are written with the file, not with its rows.

    A level is a code, called by its label. Labels that are empty or double leave the codes as they are.
    """
    columns = {name: labels.get("values", {}) for name, labels in notes.get("labels", {}).items()}
    categories = {name: _category(codes) for name, codes in columns.items() if FEWEST <= len(codes) <= MOST}
    return {name: declared for name, declared in categories.items() if declared is not None}


def _category(codes: Mapping[str, str]) -> Category | None:
    names = tuple(" ".join(label.split()) for label in codes.values())
    for called in (names, ()):
        try:
            return Category(tuple(code.strip() for code in codes), names=called)
        except ParameterError:
            continue
    return None


def meanings(notes: Mapping[str, Any]) -> dict[str, str]:
    """Return what columns mean, by their labels."""
    labels = notes.get("labels", {})
    return {name: labelled["label"] for name, labelled in labels.items() if labelled.get("label")}


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
        entry = well_known(name)
        form = types.get(name)
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
