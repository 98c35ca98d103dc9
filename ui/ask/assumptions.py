"""Assumptions: who is a neighbour, and a public guess of what the data are like."""

from __future__ import annotations

import streamlit as st

from discreet.lab.contest import Ground
from discreet.lab.scenario import MOST_PEOPLE, SHAPES, Scenario
from discreet.queries import Bounds, Relation
from discreet.rows import Schema
from discreet.ui.ask import fields as ask_for
from discreet.ui.frame.words import say
from discreet.ui.opened import Opened

GUESS = 1000  # people, before anybody says how many


def assumed(schema: Schema, column: str, own: Opened, key: str, place: str) -> tuple[Relation, Ground | None]:
    """Ask for the neighbour relation and, on protected data, for a public guess of the data.

    How many people there are is the same for every column (`key`), the shape of their values is not (`place`).
    """
    relation = _relation(schema, key)
    if column not in schema.numbers:
        return relation, None
    ground = own.ground(column)
    if ground is not None:
        st.caption(say("These data are open: forecasts stand on the data themselves."))
        return relation, ground
    return relation, _guessed(schema.bounds(column), relation, key, place, _people(own))


def _relation(schema: Schema, key: str) -> Relation:
    public_size = st.toggle(
        say("The number of rows that count is public"),
        key=f"{key}:sized",
        persist_state="session",
        help=say("Then neighbours differ in one person's values: change-one. Else add/remove."),
    )
    size = ask_for.size(schema.rows_per_person, f"{key}:size") if public_size else None
    return Relation(size, schema.rows_per_person)


def _people(own: Opened) -> int:
    """Return how many people there are as an officer said at registration, or where a guess begins."""
    people = None if own.desk is None else own.desk.registered.registration.people
    return GUESS if people is None else min(people, MOST_PEOPLE)


def _guessed(bounds: Bounds, relation: Relation, key: str, place: str, people: int) -> Ground:
    """Ask for a public guess of how many people there are, and of the shape of their values."""
    st.caption(say("From public knowledge, never from the file. A wrong guess costs accuracy."))
    label = say("About how many people") if relation.rows == 1 else say("About how many rows count")
    mark = f"{key}:guess"
    guess = relation.size or st.number_input(label, 1, MOST_PEOPLE, people, key=mark, persist_state="session")
    shape = st.selectbox(
        say("About which shape"), list(SHAPES), key=f"{place}:shape", format_func=say, persist_state="session"
    )
    return Ground.of(Scenario(bounds, min(int(guess), MOST_PEOPLE), shape))
