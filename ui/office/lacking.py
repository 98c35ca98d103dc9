"""Lacking: everything that is still wrong with a registration, at once and by the name of its field."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from discreet.budget import ParameterError, Phrase
from discreet.office.likeness import Alike, check
from discreet.rows import Schema
from discreet.ui.office import paces, policies, promises, whose
from discreet.ui.office.entries import Entries

REQUIRED = {"name": Phrase("Name"), "source": Phrase("Source"), "basis": Phrase("Collected on the basis of")}


def lacking(entries: Entries, schema: Schema | None, others: list[Alike]) -> list[Phrase]:
    """Return what has to be said or corrected before anything can be registered."""
    steps = (
        lambda: paces.period_of(entries),
        lambda: policies.policy_of(entries),
        lambda: check(others, entries.text("apart")),
    )
    return [
        *whose.lacking(entries, schema),
        *_columns(schema),
        *(Phrase("Fill in “{field}”.", field=label) for field, label in REQUIRED.items() if not entries.text(field)),
        *_oaths(entries),
        *_end(entries),
        *(wrong for step in steps for wrong in _wrong(step)),
    ]


def _columns(schema: Schema | None) -> Iterator[Phrase]:
    """Say which columns lack a source, or that none is declared."""
    if schema is None or not schema.askable:
        yield Phrase("Declare at least one number or category.")
        return
    for name in schema.unsourced:
        yield Phrase("Column {name!r}: say from what public source its bounds or levels are.", name=name)


def _oaths(entries: Entries) -> Iterator[Phrase]:
    """Say which question has no answer, and which yes has no words."""
    for field, label in promises.OATHS.items():
        sworn = promises.sworn(entries, field)
        if sworn is None:
            yield Phrase("Answer “{field}”: yes or no.", field=label)
        elif sworn and not entries.text(field):
            yield Phrase("Say more of “{field}”: you said yes.", field=label)


def _end(entries: Entries) -> Iterator[Phrase]:
    if entries.value("until") is None and not entries.text("forever"):
        yield Phrase("Say until when the rows are kept, or why there is no such day.")


def _wrong(step: Callable[[], object]) -> Iterator[Phrase]:
    try:
        step()
    except ParameterError as refused:
        yield refused.args[0]
