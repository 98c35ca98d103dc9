"""Promises: what an officer says of data when they are registered, field by field."""

from __future__ import annotations

import streamlit as st

from discreet.budget import Cost, ParameterError, Phrase
from discreet.lab.report.risk import risk
from discreet.office import Registration, tries
from discreet.office.registration import OF_A_WAVE, ROW, UNITS
from discreet.rows import Schema
from discreet.ui.frame import accounting
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import paces, whose
from discreet.ui.office.entries import Entries
from discreet.ui.office.policies import DELTAS
from discreet.ui.office.responsible import HERE
from discreet.ui.opened import Draft

# as they are typed
WRITTEN = ("source", "basis", "apart", *HERE)
OATHS = {
    "looked": Phrase("Bounds chosen by looking at the data?"),
    "others": Phrase("Are there other releases of the same data?"),
}


def registration_of(entries: Entries, schema: Schema) -> Registration:
    """Return what the fields say at this moment."""
    until = entries.value("until")
    if until is None and not entries.text("forever"):
        raise ParameterError("Say until when the rows are kept, or why there is no such day.")
    return Registration(
        schema=schema,
        name=" ".join(entries.text("name").split()),
        unit=whose.unit_of(entries),
        **{field: entries.text(field) for field in WRITTEN},
        **{field: entries.text(field) if sworn(entries, field) else "" for field in OATHS},
        alone=schema.person is None and whose.alone(entries),
        limit=Cost.of(str(entries.value("epsilon")), entries.value("delta")),
        rule=entries.value("rule"),
        people=entries.value("people"),
        keep_until="" if until is None else until.isoformat(),
        forever=entries.text("forever") if until is None else "",
        period=paces.period_of(entries),
        compared=bool(entries.value("compared")),
    )


def sworn(entries: Entries, field: str) -> bool | None:
    """Return yes or no as it was said; silence is neither."""
    said: bool | None = entries.value(f"{field}-said")
    return said


def ask_about(draft: Draft, entries: Entries, basis: str) -> None:
    """Ask what the data are, and what only whoever registers can say."""
    name = draft.name.rpartition(".")[0] or draft.name
    st.caption(say("Fields with * have to be filled in."))
    st.text_input(say("Name") + " *", name, key=entries.key("name"), max_chars=80)
    _text(entries, "source", say("Source") + " *", say("Who collected these data, and when."))
    _text(entries, "basis", say("Collected on the basis of") + " *", say("Consent, a law, a contract."), basis)
    _protected(entries)
    _history(entries)
    _comparing(entries)


def _protected(entries: Entries) -> None:
    """Ask who is protected, and what belongs to that; a row where it is not known whose rows these are."""
    if whose.unit_of(entries) == ROW:
        st.text_input(say("Who is protected"), say(UNITS[ROW]), disabled=True, key=entries.key("unit-row"))
        return
    st.selectbox(
        say("Who is protected"),
        [unit for unit in UNITS if unit not in (ROW, OF_A_WAVE)],
        key=entries.key("unit"),
        format_func=lambda unit: say(UNITS[unit]),
        help=say("One row, or what the person column names."),
    )


def _comparing(entries: Entries) -> None:
    """Ask whether the rows may be compared with those that are registered later."""
    st.checkbox(
        say("Keep marks of the rows, to notice the same people"),
        key=entries.key("compared"),
        help=say(
            "Keyed numbers, made of some rows and identifiers, lie sealed beside the rows and are deleted with them. "
            "Files that are registered later are compared with them, {most} of each officer in a day, and officers "
            "hear in tenths how much is the same. Whoever has the key of this house could test with them whether a row "
            "that they know is here: leave it out where that is too much.",
            most=tries.MOST_COMPARED,
        ),
    )


def _text(entries: Entries, field: str, label: str, help: str, text: str = "") -> None:
    st.text_input(label, text, key=entries.key(field), help=help)


def _history(entries: Entries) -> None:
    """Ask what has happened to the data: both questions want a word, and a yes wants more of them."""
    _oath(
        entries,
        "looked",
        say("Which, and why?"),
        say("Bounds that are taken from the rows give away their smallest and largest values."),
    )
    _oath(entries, "others", say("Which releases?"), say("Private or not: tables, reports, earlier budgets."))


def _oath(entries: Entries, field: str, which: str, help: str) -> None:
    with st.container():  # what a yes wants comes and goes
        st.radio(
            say(OATHS[field]) + " *",
            [False, True],
            index=None,
            horizontal=True,
            format_func=lambda yes: say("Yes") if yes else say("No"),
            key=entries.key(f"{field}-said"),
            help=help,
        )
        if sworn(entries, field):
            st.text_input(which + " *", key=entries.key(field))


def _meaning(entries: Entries) -> None:
    """Say what the budget that is typed means for one person, and whether its delta is large for so many."""
    cost, people = Cost.of(str(entries.value("epsilon")), entries.value("delta")), entries.value("people")
    unit = UNITS[whose.unit_of(entries)]
    what = Phrase("all answers that the whole budget allows")
    st.caption(quoted(say(risk(cost, unit, what)["in_words"][0])))
    if people and cost.delta * people**2 > 1:
        st.warning(
            say(
                "Delta is large for {people} people: it should stay below {most}, one over the square of their number.",
                people=f"{people:,}",
                most=f"{1 / people**2:.1g}",
            )
        )


def ask_budget(entries: Entries) -> None:
    """Ask for the budget, and for the end of the rows."""
    st.number_input(say("Total epsilon"), 0.1, 50.0, 3.0, 0.5, key=entries.key("epsilon"))
    st.selectbox(say("Total delta"), DELTAS, 4, key=entries.key("delta"))
    accounting.choice(entries.key("rule"))
    st.number_input(
        say("Public number of people"),
        1,
        None,
        None,
        key=entries.key("people"),
        help=say("From outside the data; delta should stay below one over its square."),
    )
    with st.container():  # one line or two: what is typed below is not lost
        _meaning(entries)
    with st.container():
        paces.ask(entries)
    until = st.date_input(say("Rows are kept until"), None, key=entries.key("until"))
    if until is None:
        st.text_input(say("Or why there is no such day"), key=entries.key("forever"), max_chars=500)
