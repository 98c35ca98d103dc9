"""Further: whether the declared bounds hold for new rows, or which of them go further, by public knowledge."""

from __future__ import annotations

import streamlit as st

from discreet.budget import ParameterError
from discreet.office.later_bounds import LONGEST, NONE, Later
from discreet.rows import Schema
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.entries import Entries

FIELD = "bounds"


def ask(entries: Entries, schema: Schema) -> None:
    """Ask it where there are bounds that can go further; and how far, and from where that is known."""
    if not schema.ends:
        return
    names = {True: say("Yes, all of them"), False: say("No, some go further")}
    st.radio(
        say("Do the declared bounds still hold?") + " *",
        list(names),
        index=None,
        horizontal=True,
        format_func=names.__getitem__,
        key=entries.key(FIELD),
        help=say("Answer from public knowledge, never by a look at the rows."),
    )
    st.caption(
        quoted(say("Declared up to: {ends}.", ends=", ".join(f"{name} {end}" for name, end in schema.ends.items())))
    )
    with st.container():  # it comes and goes: what is typed below is not lost
        if entries.value(FIELD) is False:
            _further(entries, schema)


def _further(entries: Entries, schema: Schema) -> None:
    """Ask for a later last day or a higher upper bound of each column."""
    for name, end in schema.ends.items():
        st.text_input(say("{name}, up to", name=quoted(name)), end, key=entries.key(f"end:{name}"))
    st.text_input(say("From what public source") + " *", key=entries.key("source"), max_chars=LONGEST)
    st.caption(
        say(
            "They hold from this version on, once another officer wants the same; earlier answers keep their bounds. "
            "Values beyond a bound count as that bound. Only a later last day or a higher upper bound can be said "
            "here: for anything else, register these rows as a dataset of their own."
        )
    )


def later(entries: Entries, schema: Schema) -> Later:
    """Return what is answered at this moment; refuse silence."""
    said = entries.value(FIELD) if schema.ends else True
    if said is None:
        raise ParameterError("Say whether the declared bounds still hold.")
    if said:
        return NONE
    typed = {name: entries.text(f"end:{name}") for name in schema.ends}
    ends = {name: end for name, end in typed.items() if end != schema.ends[name]}
    if not ends:
        raise ParameterError("Say which bound goes further, or that all of them hold.")
    return Later(ends, entries.text("source"))
