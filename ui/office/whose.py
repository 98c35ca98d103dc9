"""Whose: whether one person can have several rows, asked before anything else; it decides who is protected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import streamlit as st

from discreet.budget import Phrase
from discreet.office.registration import ROW
from discreet.rows import Schema
from discreet.rows.proposals.catalogue import names_a_person
from discreet.ui.data.several import Whose
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.entries import Entries

FIELD = "several"
QUESTION = Phrase("Can one person have several rows?")
ANSWERS = {
    "no": Phrase("No: every row is a different person"),
    "yes": Phrase("Yes: a column names the person"),
    "unknown": Phrase("I do not know"),
}


def ask(entries: Entries, names: Sequence[str], schema: Schema | None) -> Schema | None:
    """Ask it, and which column names the person; return the declaration with that column."""
    declared = schema is not None and schema.person is not None
    st.radio(
        say(QUESTION) + " *",
        list(ANSWERS),
        index=None,
        horizontal=True,
        format_func=lambda name: say(ANSWERS[name]),
        key=entries.key(FIELD),
        help=say("With several rows a person is protected only if it is known whose rows these are."),
    )
    with st.container():  # it comes and goes: what is typed below is not lost
        _follows(entries, names, schema, declared)
    return schema if schema is None or declared or answer(entries) != "yes" else _fields(entries).applied(schema)


def _follows(entries: Entries, names: Sequence[str], schema: Schema | None, declared: bool) -> None:
    """Ask for the column, or say what an answer means."""
    said = answer(entries)
    if said == "yes" and declared and schema is not None and schema.person is not None:
        st.caption(say("Column {name} names the person, as it is declared below.", name=quoted(schema.person[0])))
    elif said == "yes":
        _fields(entries).ask([name for name in names if schema is None or name not in schema.askable])
    elif said == "unknown":
        st.warning(
            say(
                "One row is then protected, not one person, and every card says so: somebody with several rows is "
                "protected less."
            )
        )
    likely = [name for name in names if names_a_person(name)]
    if likely and said != "yes":
        st.caption(
            say("By their names these columns may name the person: {columns}.", columns=quoted(", ".join(likely)))
        )


def answer(entries: Entries) -> str | None:
    """Return what is answered at this moment."""
    said = entries.value(FIELD)
    return said if said in ANSWERS else None


def unit_of(entries: Entries) -> str:
    """Return who is protected: a row where it is not known whose rows these are, else who was chosen."""
    return ROW if answer(entries) == "unknown" else str(entries.value("unit"))


def alone(entries: Entries) -> bool:
    """Say whether every row is a different person."""
    return answer(entries) == "no"


def lacking(entries: Entries, schema: Schema | None) -> Iterator[Phrase]:
    """Say what of it is missing, or contradicts the columns."""
    said = answer(entries)
    if said is None:
        yield Phrase("Answer “{field}”", field=QUESTION)
    elif said == "yes" and (schema is None or schema.person is None):
        yield Phrase("Choose the column that names the person.")
    elif said != "yes" and schema is not None and schema.person is not None:
        yield Phrase("Column {name!r} is declared as the person: answer that a column names it.", name=schema.person[0])


def fields(entries: Entries) -> tuple[object, ...]:
    """Return what the fields say at this moment."""
    return entries.value(FIELD), entries.value("whose"), entries.value("rows")


def _fields(entries: Entries) -> Whose:
    return Whose(entries.key("whose"), entries.key("rows"))
