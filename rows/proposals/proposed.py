"""Proposal: what a column may be declared as, and the public information behind that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from discreet.budget.errors import ParameterError, Phrase
from discreet.rows.columns import Category, Date, Kind, YesNo
from discreet.rows.proposals.catalogue import CALENDAR, LONG_AGO, TRUTHS, well_known

# --- Labels: what a file states beside its columns, as a suggested declaration ---

FEWEST, MOST = 2, 500  # labelled codes that make a category: a single one is most often the code of a missing number


def labelled(notes: Mapping[str, Any]) -> dict[str, Kind]:
    """Return the categories given by labelled codes, by column; labels belong to the file, not to its rows.

    A level is a code, displayed by its label. If labels are empty or not distinct, the codes have no names.
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
    """Return the labels of columns."""
    labels = notes.get("labels", {})
    return {name: labelled["label"] for name, labelled in labels.items() if labelled.get("label")}


LABELS = Phrase("labels in the file")
Types = Mapping[str, pa.DataType]  # of columns, as a typed format declares them; empty where all cells are texts


@dataclass(frozen=True)
class Proposal:
    """A suggested declaration, and the reason for it."""

    column: Kind
    why: Phrase

    def declared(self, origin: str) -> Kind:
        """Return the declaration with the source of its bounds, as given by the person who adopts it."""
        return self.column.from_source(origin)


Proposals = dict[str, Proposal]  # by column name


def proposed(names: Sequence[str], types: Types | None = None, notes: Mapping[str, Any] | None = None) -> Proposals:
    """Return suggestions for columns: by the labels and types that a file declares, and by their names.

    No row is read.
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
    """Return whether cells have a numeric type, which no textual level can match."""
    return form is not None and (pa.types.is_integer(form) or pa.types.is_floating(form) or pa.types.is_decimal(form))
