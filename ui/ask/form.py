"""Form: from a page's families to a question, one widget for every public choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from discreet.curator import Request
from discreet.lab.contest import Ground
from discreet.mechanisms import Mechanism, Public
from discreet.mechanisms.families import Family
from discreet.mechanisms.selection import MOST_COMMON
from discreet.mechanisms.topic import Topic
from discreet.queries.mean import Mean
from discreet.rows import Schema
from discreet.ui.ask.assumptions import assumed
from discreet.ui.ask.building import built, serves
from discreet.ui.ask.options import options_of
from discreet.ui.ask.pricing import priced
from discreet.ui.ask.topics import fitting, methods, topics
from discreet.ui.ask.tuned import tuned
from discreet.ui.data import filters
from discreet.ui.frame.wording import beside
from discreet.ui.frame.words import say
from discreet.ui.opened import Opened

FIRST = (Mean.name, MOST_COMMON.name)  # what a page proposes to ask, where it can


@dataclass(frozen=True)
class Question:
    """A question as the form stands, and the public ground on which its settings were chosen."""

    request: Request
    topic: Topic
    ground: Ground | None
    public: Public


def question(families: Sequence[Family], schema: Schema, own: Opened, key: str) -> Question | None:
    """Draw the form; None where nothing that is declared can be asked here.

    `own` is the dataset in use: its public ground (open data themselves) and what was tuned on it.
    """
    offered = topics(families, schema)
    if not offered:
        return None
    topic = _topic(offered, key)
    above = st.container()
    columns = _columns(schema, topic, key)
    place = ":".join((key, topic.name, *columns))  # what is set for one column never stays for another
    with above:
        kind = _method(families, topic, schema, columns[0], key)
    options = options_of(topic, kind, schema, columns[0], place)
    with st.expander(say("Only some rows, or groups"), icon=":material/filter_alt:"):
        rows = filters.where(schema, key)
        groups = filters.by(schema, key) if kind().view.groups else None
    with st.expander(say("What may be assumed"), icon=":material/public:"):
        relation, ground = assumed(schema, columns[0], own, key, place)
    preset = built(kind, topic, options, relation, schema, columns[0])
    public = Request(preset, columns).public(schema, None if ground is None else ground.column.n)
    price = priced(kind, preset, public, key, place)
    mechanism = tuned(kind, price, schema.numbers.get(columns[0]), ground, own, place)
    return Question(Request(mechanism, columns, rows, groups), topic, ground, public)


def _topic(offered: list[Topic], key: str) -> Topic:
    first = next((topic for topic in offered if topic.name in FIRST), offered[0])
    return st.selectbox(
        say("Question"),
        offered,
        offered.index(first),
        format_func=lambda topic: say(topic.label),
        key=f"{key}:topic",
        persist_state="session",
    )


def _columns(schema: Schema, topic: Topic, key: str) -> tuple[str, ...]:
    fit = fitting(schema, topic)
    labels = [say("Column")] if topic.columns == 1 else [say("First column"), say("Second column")]
    columns: list[str] = []
    for at, label in enumerate(labels):
        left = [name for name in fit if name not in columns]
        mark = f"{key}:column:{topic.columns}:{topic.numbers_only}:{topic.zeroless}:{at}"
        columns.append(st.selectbox(label, left, key=mark, persist_state="session"))
    return tuple(columns)


def _method(families: Sequence[Family], topic: Topic, schema: Schema, column: str, key: str) -> type[Mechanism]:
    """Ask how; what serves the column as it is read stands first."""
    kinds = sorted(methods(families, topic.name), key=lambda kind: not serves(kind, topic, schema, column))
    return st.selectbox(
        say("Method"),
        kinds,
        format_func=lambda kind: beside(say(kind.title), say(topic.label), say(kind.family.name)),
        key=f"{key}:method:{topic.name}",
        persist_state="session",
    )
