"""Form: from a page's families to a request, one widget for every public choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.curator import Number, Request, Schema
from discreet.lab.contest import Ground
from discreet.lab.scenario import MOST_PEOPLE, SHAPES, Scenario
from discreet.mechanisms import Mechanism, Public
from discreet.mechanisms.block_count import propose_k
from discreet.mechanisms.families import Family
from discreet.mechanisms.inverse import epsilon_for
from discreet.mechanisms.sample_aggregate import SampleAggregate
from discreet.mechanisms.selection import MOST_COMMON
from discreet.mechanisms.topic import Topic
from discreet.mechanisms.vector import SEVERAL
from discreet.queries import Bounds, Query, Relation
from discreet.queries import registry as statistics
from discreet.queries.estimators import registry as estimators
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.scores import Bins
from discreet.queries.variance import Variance
from discreet.ui import filters
from discreet.ui.ask import fields as ask_for
from discreet.ui.ask.topics import fitting, methods, topics
from discreet.ui.frame.words import number, say

WAYS = {"epsilon": Phrase("the budget"), "error": Phrase("the error")}
FIRST = (Mean.name, MOST_COMMON.name)  # what a page proposes to ask, where it can
PRESET = (Mean.name, Median.name, Variance.name)


@dataclass(frozen=True)
class Asked:
    """A question as the form stands, and the public ground on which its settings were chosen."""

    request: Request
    topic: Topic
    ground: Ground | None
    public: Public


def question(families: Sequence[Family], schema: Schema, own: Any, key: str) -> Asked | None:
    """Draw the form; None where nothing that is declared can be asked here.

    `own` is the dataset in use: its public ground (open data themselves) and what was tuned on it.
    """
    known = topics(families, schema)
    if not known:
        return None
    first = next((t for t in known if t.name in FIRST), known[0])
    asked = st.selectbox(
        say("Question"),
        known,
        known.index(first),
        format_func=lambda t: say(t.label),
        key=f"{key}:topic",
        persist_state="session",
    )
    above = st.container()
    columns = _columns(schema, asked, key)
    with above:
        kind = _method(families, asked, schema, columns[0], key)
    options = _options(asked, kind, schema, columns, key)
    with st.expander(say("Only some rows, or groups"), icon=":material/filter_alt:"):
        rows = filters.where(schema, key)
        groups = filters.by(schema, key) if kind().view.groups else None
    with st.expander(say("What may be assumed"), icon=":material/public:"):
        relation, ground = _assumed(schema, columns[0], own, key)
    made = _made(kind, asked, options, relation, schema, columns[0])
    guess = None if ground is None else ground.column.n
    public = Request(made, columns).public(schema, guess)
    made = _set(kind, _priced(kind, made, public, key), ground, own, key)
    return Asked(Request(made, columns, rows, groups), asked, ground, public)


def _method(families: Sequence[Family], asked: Topic, schema: Schema, column: str, key: str) -> type[Mechanism]:
    """Ask how; what serves the column as it is read stands first."""
    known = methods(families, asked.name)
    kinds = sorted(known, key=lambda kind: not serves(kind, asked, schema, column))
    return st.selectbox(
        say("Method"),
        kinds,
        format_func=lambda kind: say(kind.title),
        key=f"{key}:method:{asked.name}",
        persist_state="session",
        disabled=len(kinds) == 1,
    )


def serves(kind: type[Mechanism], asked: Topic, schema: Schema, column: str) -> bool:
    """Say whether a method can answer the question of a column, as far as its grid decides."""
    declared = schema.columns[column]
    if asked.name not in statistics or not isinstance(declared, Number):
        return True
    try:
        made = _made(kind, asked, {}, Relation(), schema, column)
        made.check(Public(schema.bounds(column)))
    except ParameterError:
        return False
    return True


def _columns(schema: Schema, asked: Topic, key: str) -> tuple[str, ...]:
    names = fitting(schema, asked)
    labels = [say("Column")] if asked.columns == 1 else [say("First column"), say("Second column")]
    found: list[str] = []
    for at, label in enumerate(labels):
        left = [name for name in names if name not in found]
        mark = f"{key}:column:{asked.columns}:{asked.numbers_only}:{at}"
        found.append(st.selectbox(label, left, key=mark, persist_state="session"))
    return tuple(found)


def _options(asked: Topic, kind: type[Mechanism], schema: Schema, columns: tuple[str, ...], key: str) -> dict[str, Any]:
    """Ask what belongs to the statistic: a level, a rank, a cut, bins, a list of statistics."""
    told: dict[str, Any] = {}
    takes = {f.name for f in fields(statistics[asked.name])} if asked.name in statistics else set()
    if "q" in takes:
        told["q"] = st.slider(say("Quantile"), 0.01, 0.99, 0.9, 0.01, key=f"{key}:q")
    if "j" in takes:
        told["j"] = st.number_input(say("Rank from the end"), 1, 1000, 10, key=f"{key}:j")
    if "cut" in takes:
        told["cut"] = st.slider(say("Cut on either side"), 0.01, 0.45, 0.1, 0.01, key=f"{key}:cut")
        if not issubclass(kind, SampleAggregate):
            told["resize"] = st.number_input(
                say("Public number of rows"),
                2,
                10**9,
                1000,
                key=f"{key}:resize",
                help=say("The rows are filled up or cut to this number, by secret chance."),
            )
    declared = schema.columns[columns[0]]
    if not asked.numbers_only and isinstance(declared, Number):
        bounds = schema.bounds(columns[0])
        bins = st.slider(say("Bins"), 2, min(60, bounds.top + 1), 10, key=f"{key}:bins")
        edges = np.linspace(bounds.lower, bounds.upper, bins + 1)
        told["bins"] = Bins(tuple(map(float, edges)))
    if asked == SEVERAL:
        names = st.multiselect(
            say("Statistics"),
            list(statistics),
            PRESET,
            key=f"{key}:several",
            format_func=lambda name: say(statistics[name].label),
            max_selections=8,
        )
        told["several"] = names or list(PRESET[:1])
    return told


def _assumed(schema: Schema, column: str, own: Any, key: str) -> tuple[Relation, Ground | None]:
    """Ask for the neighbour relation and, on protected data, for a public guess of the data."""
    public_size = st.toggle(
        say("The number of rows that count is public"),
        key=f"{key}:sized",
        persist_state="session",
        help=say("Then neighbours differ in one person's values: change-one. Else add/remove."),
    )
    size = None
    if public_size:
        size = ask_for.size(schema.rows_per_person, f"{key}:size")
    relation = Relation(size, schema.rows_per_person)
    declared = schema.columns[column]
    if not isinstance(declared, Number):
        return relation, None
    ground = own.ground(column)
    if ground is not None:
        st.caption(say("These data are open: forecasts stand on the data themselves."))
        return relation, ground
    return relation, _guessed(schema.bounds(column), relation, key)


def _guessed(bounds: Bounds, relation: Relation, key: str) -> Ground:
    """Ask for a public guess of how many people there are, and of the shape of their values."""
    st.caption(say("From public knowledge, never from the file. A wrong guess costs accuracy."))
    label = say("About how many people") if relation.rows == 1 else say("About how many rows count")
    guess = relation.size or st.number_input(label, 1, MOST_PEOPLE, 1000, key=f"{key}:guess", persist_state="session")
    shape = st.selectbox(
        say("About which shape"), list(SHAPES), key=f"{key}:shape", format_func=say, persist_state="session"
    )
    return Ground.of(Scenario(bounds, min(int(guess), MOST_PEOPLE), shape))


def _made(
    kind: type[Any], asked: Topic, told: dict[str, Any], relation: Relation, schema: Schema, column: str
) -> Mechanism:
    names = {f.name for f in fields(kind)}
    given: dict[str, Any] = {}
    if "query" in names:
        given["query"] = _query(asked.name, told, relation)
    elif "queries" in names:
        given["queries"] = tuple(statistics[name](relation=relation) for name in told["several"])
    else:
        given["relation"] = relation
    if "q" in names:
        given["q"] = told.get("q", 0.5)
    if "bins" in told and "bins" in names:
        given["bins"] = told["bins"]
    if "estimator" in names:
        given |= _estimated(asked.name, told, schema, column)
    made: Mechanism = kind(**given)
    return made


def _query(name: str, told: dict[str, Any], relation: Relation) -> Query:
    names = {f.name for f in fields(statistics[name])}
    given = {key: value for key, value in told.items() if key in names}
    if relation.size is not None:
        given.pop("resize", None)
    return statistics[name](relation=relation, **given)


def _estimated(name: str, told: dict[str, Any], schema: Schema, column: str) -> dict[str, Any]:
    """Preset the public range of an estimate: the column's for places, a usual one else."""
    declared = schema.columns[column]
    assert isinstance(declared, Number)
    lowest, highest = float(declared.bounds.lower), float(declared.bounds.upper)
    lower, upper = estimators[name].usual(lowest, highest)
    level = told.get("q", told.get("cut"))
    return {"estimator": name if level is None else f"{name}:{level}", "lower": lower, "upper": upper}


def _priced(kind: type[Any], made: Mechanism, public: Public, key: str) -> Mechanism:
    """Ask for epsilon, or for the error that one can live with; and for delta."""
    names = kind.parameters()
    asked: Any = made
    if "delta" in names:
        asked = replace(asked, delta=ask_for.delta(f"{key}:delta"))
    width = asked.forecast(public).half_width
    by_error = False
    if width is not None:
        by_error = (
            st.segmented_control(
                say("Set"),
                ["epsilon", "error"],
                default="epsilon",
                key=f"{key}:set",
                format_func=lambda w: say(WAYS[w]),
                required=True,
                persist_state="session",
            )
            == "error"
        )
    if not by_error:
        priced: Mechanism = replace(asked, epsilon=ask_for.epsilon(f"{key}:epsilon"))
        return priced
    wanted = _error(float(width or 1.0), f"{key}:error:{kind.slug}")
    found = float(f"{epsilon_for(asked, public, wanted) * 1.0005:.4g}")
    st.caption(say("This takes ε = {epsilon:g}.", epsilon=found))
    priced = replace(asked, epsilon=found)
    return priced


def _error(width: float, key: str) -> float:
    return st.number_input(
        say("Error you can live with, 19 times in 20"),
        min_value=1e-9,
        value=float(f"{max(width, 1e-9):.2g}"),
        format="%g",
        key=key,
        persist_state="session",
    )


def _set(kind: type[Any], made: Mechanism, ground: Ground | None, own: Any, key: str) -> Mechanism:
    """Choose the other settings on public ground, or let the person choose them."""
    if isinstance(made, SampleAggregate):
        return _blocks(made, ground, key)
    if not ask_for.settings_of(kind):
        return made
    best = own.tuned(made, ground) if ground is not None else made
    with st.expander(say("Settings"), icon=":material/tune:"):
        if st.toggle(say("Choose the settings for me"), True, key=f"{key}:auto:{kind.slug}"):
            told = ask_for.settings_of(kind)
            for name, parameter in told.items():
                st.text(f"{say(parameter.label)}: {number(best.values()[name])}")
            return best
        return replace(made, **ask_for.settings(kind, best, f"{key}:{kind.slug}"))


def _blocks(made: SampleAggregate, ground: Ground | None, key: str) -> Mechanism:
    """Ask for the number of blocks and the public range of an estimate."""
    people = max(ground.column.n, 1) if ground is not None else 1000
    proposal = propose_k(made.epsilon, people)
    k = st.number_input(
        say("Blocks"),
        1,
        1_000_000,
        proposal.k,
        key=f"{key}:k:{made.epsilon}:{people}",
        help=say("Every person is in one secret random block."),
    )
    left, right = st.columns(2)
    lower = left.number_input(say("Lowest estimate"), value=made.lower, format="%g", key=f"{key}:low:{made.estimator}")
    upper = right.number_input(
        say("Highest estimate"), value=made.upper, format="%g", key=f"{key}:high:{made.estimator}"
    )
    st.caption(say(proposal.reason))
    return replace(made, k=int(k), lower=lower, upper=upper, default=None)
