"""Several: whether one person can have several rows, which careless people forget to say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.rows import Person, Schema
from discreet.rows.proposals.catalogue import names_a_person
from discreet.ui.frame.words import quoted, say
from discreet.ui.opened import Draft
from discreet.ui.state import chosen

ANSWERS = {"no": Phrase("No, each row is another person"), "yes": Phrase("Yes")}
ROWS = 10  # of one person that count, before anybody says how many


def asked(draft: Draft, names: Sequence[str], schema: Schema) -> Schema | None:
    """Return the declaration with the column of persons, if there is one; None while nobody has answered."""
    if schema.person is not None:
        return schema
    answer = st.radio(
        say("Can one person have several rows?"),
        list(ANSWERS),
        0 if draft.complete else None,
        format_func=lambda name: say(ANSWERS[name]),
        key=f"several:{draft.number}:{draft.complete}",  # an import answers it
        horizontal=True,
        help=say("With several rows a person is protected only if it is known whose rows these are."),
    )
    if answer is None:
        st.caption(say("Answer this, and the data can be used."))
    if answer != "yes":
        return schema if answer == "no" else None
    return _with_person(draft, names, schema)


def _with_person(draft: Draft, names: Sequence[str], schema: Schema) -> Schema | None:
    """Ask whose rows these are, and how many of one person count."""
    fields = Whose(f"whose:{draft.number}", f"rows:{draft.number}")
    fields.ask([name for name in names if name not in schema.askable])
    try:
        return fields.applied(schema)
    except ParameterError as wrong:
        st.error(quoted(say(wrong)))
        return None


@dataclass(frozen=True)
class Whose:
    """The fields that say which column names the person, and how many rows of one person count, by their keys."""

    column: str
    rows: str

    def ask(self, free: Sequence[str]) -> None:
        """Ask both of the columns of which nothing else is declared, those first that are called like a person."""
        if not free:
            st.error(say("No column is left that could name the person. Set one to ignored, and choose it here."))
            return
        left, right = st.columns(2)
        likely = sorted(free, key=lambda name: not names_a_person(name))
        left.selectbox(say("The column that names the person"), likely, key=self.column)
        right.number_input(
            say("Rows of one person that count, at most"),
            1,
            10_000,
            ROWS,
            key=self.rows,
            help=say("More of a person are left out by secret chance. Each row more costs accuracy, not privacy."),
        )

    def applied(self, schema: Schema) -> Schema | None:
        """Return a declaration with that column; None where none is chosen."""
        column, rows = chosen(self.column), chosen(self.rows)
        if not column or not rows or column in schema.askable:
            return None
        return Schema({**schema.columns, str(column): Person(int(rows))})
