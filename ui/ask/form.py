"""Form: from a page's families of mechanisms to a query, with one widget for every public choice."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.curator import Request
from discreet.lab.contest import MOST_PEOPLE, SHAPES, Ground, Scenario, dealt, error
from discreet.mechanisms import Mechanism, Parameter, Public, registry
from discreet.mechanisms.base.vocabulary import Family, Topic
from discreet.mechanisms.block_count import BlockCount, propose_k
from discreet.mechanisms.sample_aggregate import BlocksMean, BlocksMedian, SampleAggregate
from discreet.mechanisms.selection import MOST_COMMON, ExponentialMechanism
from discreet.mechanisms.several_laplace import SEVERAL
from discreet.mechanisms.several_quantiles import QUANTILES, QUARTILES
from discreet.plans.methods import BINNED, PREDICTION, equal_bins
from discreet.plans.plan import MOST_BINS
from discreet.queries import Bounds, Column, Query, Relation
from discreet.queries import registry as statistics
from discreet.queries.estimators import registry as estimators
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.quantile import LowerMedian
from discreet.queries.variance import Variance
from discreet.report.words import size_label
from discreet.rows import Number, Schema
from discreet.rows.columns import Quantity
from discreet.ui import kinds
from discreet.ui.ask.price import priced
from discreet.ui.data import filters
from discreet.ui.frame.words import beside, number, say
from discreet.ui.session.workspace import Opened

# Topics: what can be asked, found from the registries, and which columns each topic needs.


def of_families(families: Sequence[Family]) -> list[type[Mechanism]]:
    """Return the mechanisms of a page, in the order of its families."""
    kinds = [kind for kind in registry.values() if not kind.open_only and not kind.joint]
    return [kind for family in families for kind in kinds if kind.family == family]


def topics(families: Sequence[Family], schema: Schema) -> list[Topic]:
    """Return what a page can ask of a dataset with this schema."""
    offered: dict[str, Topic] = {}
    for kind in of_families(families):
        for topic in kind.topics():
            offered.setdefault(topic.name, topic)
    return [t for t in offered.values() if can_fit(schema, t)]


LISTED = {LowerMedian.name: Phrase("Lower median (lower of the two middle values)")}


def listed(topic: Topic) -> str:
    """Name a question in a list that also has one with a similar name."""
    return say(LISTED.get(topic.name, topic.label))


def methods(families: Sequence[Family], name: str) -> list[type[Mechanism]]:
    """Return the mechanisms for a topic: those without delta first, then those made for it."""
    kinds = [kind for kind in of_families(families) if kind.can_answer(name)]
    return sorted(kinds, key=lambda kind: ("delta" in kind.parameters(), len(kind.topics())))


def fitting(schema: Schema, asked: Topic) -> list[str]:
    """Return the columns that a topic can be asked of, categories first if they fit."""
    if topic_answers(asked.name):
        return schema.answers
    numbers = [name for name, declared in schema.numbers.items() if declared.zero or asked.zeroless]
    return numbers if asked.numbers_only else [*schema.categories, *numbers]


WEIGHTS = re.compile(r"weight|gewicht|poids|peso|权重|(^|[_\W])(w|wt|wgt|wts)(?![a-z])", re.IGNORECASE)


def topic_answers(name: str) -> bool:
    """Whether the first column of a question is one of yes and no."""
    return name in estimators and estimators[name].answers


def seconds(schema: Schema, statistic: str, column: str = "") -> list[str]:
    """Return the columns that can be the second one of a statistic of two.

    Weights have values above 0; those that are named like weights come first.
    """
    others = {name: each for name, each in schema.numbers.items() if name != column and each.zero}
    if not estimators[statistic].weighs:
        return list(others)
    above = (name for name, each in others.items() if float(each.bounds.upper) > 0)
    return sorted(above, key=lambda name: WEIGHTS.search(name) is None)


def can_fit(schema: Schema, asked: Topic) -> bool:
    """Whether there are columns for a topic."""
    fit = fitting(schema, asked)
    return bool(fit) and (asked.columns == 1 or any(seconds(schema, asked.name, name) for name in fit))


# Options: the options of a statistic: a level, a rank, a cut, bins, a list of statistics.

LEVELS = (0.01, 0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 0.99)
PRESET = (Mean.name, Median.name, Variance.name)


def options_of(topic: Topic, kind: type[Mechanism], schema: Schema, column: str, key: str) -> dict[str, Any]:
    """Ask for the options of a statistic, by the names of its fields."""
    options: dict[str, Any] = {}
    takes = {field.name for field in fields(statistics[topic.name])} if topic.name in statistics else set()
    if "q" in takes:
        options["q"] = st.slider(say("Quantile"), 0.01, 0.99, 0.9, 0.01, key=f"{key}:q")
    if "j" in takes:
        options["j"] = st.number_input(say("Rank, counted from the end"), 1, 1000, 10, key=f"{key}:j")
    if "cut" in takes:
        options["cut"] = st.slider(say("Share trimmed on each side"), 0.01, 0.45, 0.1, 0.01, key=f"{key}:cut")
        if not issubclass(kind, SampleAggregate):
            options["resize"] = _resize(key)
    if column in schema.numbers and (topic.name in BINNED or not topic.numbers_only):
        options["bins"] = equal_bins(schema, column, bins_field(schema.bounds(column), key))
    if topic.name == PREDICTION:
        options["at"] = value_field(schema, column, key)
    if topic == QUANTILES:
        options["levels"] = _levels(key)
    if topic == SEVERAL:
        options["several"] = _several(key)
    return options


def _resize(key: str) -> int:
    return st.number_input(
        say("Public number of rows"),
        2,
        10**9,
        1000,
        key=f"{key}:resize",
        help=say(
            "If there are more rows, some are dropped at random. If there are fewer, rows with the middle of "
            "the bounds are added."
        ),
    )


def bins_field(bounds: Bounds, key: str) -> int:
    """Ask for the number of bins of equal width."""
    return st.slider(say("Bins"), 2, min(MOST_BINS, bounds.top + 1), 10, key=f"{key}:bins")


def value_field(schema: Schema, column: str, key: str) -> float:
    """Ask for the value of a column at which another one is predicted."""
    bounds = schema.bounds(column)
    low, high = float(bounds.value(0)), float(bounds.value(bounds.top))
    label = say("Predict at {column} =", column=column)
    start = middle(schema, column)
    return float(st.number_input(label, low, high, start, format="%g", key=f"{key}:at", persist_state="session"))


def middle(schema: Schema, column: str) -> float:
    """Return the middle value of a column's bounds."""
    bounds = schema.bounds(column)
    return float(bounds.value(bounds.top // 2))


def _levels(key: str) -> tuple[float, ...]:
    levels = st.multiselect(
        say("Quantiles"),
        LEVELS,
        QUARTILES,
        key=f"{key}:levels",
        max_selections=len(LEVELS),
        select_all=False,
        placeholder=say("Choose"),
    )
    return tuple(sorted(levels))


def _several(key: str) -> list[str]:
    names = st.multiselect(
        say("Statistics"),
        list(statistics),
        PRESET,
        key=f"{key}:several",
        format_func=lambda name: say(statistics[name].label),
        max_selections=8,
        select_all=False,
        placeholder=say("Choose"),
    )
    return names or list(PRESET[:1])


# Fields: widgets for a mechanism's public parameters, drawn from their declarations.

ELSEWHERE = {"epsilon", "delta", "q", "lower", "upper", "k"}  # these have their own places in the form


def settings(kind: type[Mechanism], now: Mechanism, key: str) -> dict[str, Any]:
    """Draw a widget for every parameter except those asked elsewhere, starting from `now`."""
    return {
        name: widget(parameter, now.values()[name], f"{key}:{name}") for name, parameter in settings_of(kind).items()
    }


def widget(parameter: Parameter, value: Any, key: str) -> Any:
    """Draw one parameter: a choice, a whole number or a number."""
    label = say(parameter.label)
    help_ = say(parameter.help)
    if parameter.choices:
        at = parameter.choices.index(value) if value in parameter.choices else 0
        return st.selectbox(label, parameter.choices, at, key=key, help=help_, format_func=_choice)
    if isinstance(value, int) and not isinstance(value, bool):
        low = math.ceil(parameter.low)
        high = math.floor(min(parameter.high, 10**12))
        return st.number_input(label, low, high, value, key=key, help=help_)
    return st.number_input(
        label,
        parameter.low if math.isfinite(parameter.low) else None,
        parameter.high if math.isfinite(parameter.high) else None,
        float(value or 0.0),
        step=_step(value),
        format="%g",
        key=key,
        help=help_,
    )


def _choice(value: Any) -> str:
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    return say(str(value))


def _step(value: Any) -> float:
    size = abs(float(value or 1.0))
    return float(f"1e{math.floor(math.log10(size)) - 1}")


def settings_of(kind: type[Mechanism]) -> dict[str, Parameter]:
    """Return the parameters that are not asked elsewhere."""
    return {name: parameter for name, parameter in kind.parameters().items() if name not in ELSEWHERE}


def ask_size(rows: int, key: str) -> int:
    """Ask for the public number of rows (not of people, who may have several rows each)."""
    words = (
        say("Count one row for each person who has a value and passes the filters.")
        if rows == 1
        else say(
            "Count rows, not people. If every person has {rows} or more rows, enter {rows} times the number "
            "of people. Otherwise the number is not public, and this option must stay off.",
            rows=rows,
        )
    )
    asked = say("Number of rows in the query")
    return int(st.number_input(asked, 1, 10**9, 1000, key=key, help=words))


# Assumptions: the neighbour relation, and a public guess of the data.

GUESS = 1000  # people, before the person enters a number


def assumed(schema: Schema, column: str, own: Opened, key: str, place: str) -> tuple[Relation, Ground | None]:
    """Ask for the neighbour relation and, for protected data, for a public guess of the data.

    The number of people is asked once for all columns (`key`), the shape of the values per column (`place`).
    """
    relation = _relation(schema, key)
    if column not in schema.numbers:
        return relation, None
    ground = own.ground(column)
    if ground is not None:
        st.caption(say("This dataset is public, so forecasts use the data itself."))
        return relation, ground
    return relation, _guessed(schema, column, relation, key, place, _people(own))


def _relation(schema: Schema, key: str) -> Relation:
    public_size = st.toggle(
        say("The number of rows in this query is public"),
        key=f"{key}:sized",
        persist_state="session",
        help=say(
            "On: neighbouring datasets differ in one person's values (change-one, bounded DP). Off: one "
            "person is added or removed (add/remove, unbounded DP)."
        ),
    )
    size = ask_size(schema.rows_per_person, f"{key}:size") if public_size else None
    return Relation(size, schema.rows_per_person)


def _people(own: Opened) -> int:
    """Return the number of people that is public, or the default guess."""
    return own.public_size or GUESS


def _guessed(schema: Schema, column: str, relation: Relation, key: str, place: str, people: int) -> Ground:
    """Ask for a public guess of the number of people and of the shape of their values."""
    st.caption(say("Use public knowledge, never the file. A wrong guess reduces accuracy, not privacy."))
    label = say(size_label(schema))
    mark = f"{key}:guess"
    guess = relation.size or st.number_input(label, 1, MOST_PEOPLE, people, key=mark, persist_state="session")
    shape = st.selectbox(
        say("Assumed distribution"), list(SHAPES), key=f"{place}:shape", format_func=say, persist_state="session"
    )
    return Ground.of(Scenario(schema.bounds(column), min(int(guess), MOST_PEOPLE), shape))


# Blocks: their number, the expected error, and the range of an estimate.

MUCH = 2  # another method is recommended if its error is smaller by this factor
PLAIN = Number(0, 1)  # the unit of estimates that are not values of their column


def numbers(mechanism: SampleAggregate, ground: Ground | None, column: Quantity | None, key: str) -> Mechanism:
    """Ask for the number of blocks and the public range of an estimate."""
    looked = ground is not None and mechanism.view.columns == 1
    best = dealt(mechanism, ground.column) if looked and ground is not None else None
    people = max(ground.column.n, 1) if ground is not None else GUESS
    proposal = propose_k(mechanism.epsilon, people)
    preset = proposal.k if best is None else best.k
    k = st.number_input(
        say("Blocks"),
        1,
        1_000_000,
        preset,
        key=f"{key}:k:{mechanism.epsilon}:{people}:{preset}",
        help=say("Each person is assigned to one block at random."),
    )
    lower, upper = _range(mechanism, column, key)
    if best is None or ground is None:
        _rule(mechanism, proposal)
    else:
        _error(best, ground.column)
    return replace(mechanism, k=int(k), lower=lower, upper=upper, default=None)


def _rule(mechanism: SampleAggregate, proposal: BlockCount) -> None:
    """Say why this number of blocks is proposed, or that there are too few people for this method."""
    if not (isinstance(mechanism, BlocksMedian) and proposal.slug != BlocksMedian.slug):
        st.caption(say(proposal.reason))
        return
    st.warning(
        say(
            "{reason} Choose {other}, or increase the number of people under Assumptions.",
            reason=say(proposal.reason),
            other=say(BlocksMean.title),
        )
    )


def _error(best: SampleAggregate, people: Column) -> None:
    """Show the error at the proposed number on public data, or recommend a method that does much better there."""
    mine = error(best, people)
    st.caption(
        say(
            "In a trial without protected data, {k} blocks gave the smallest error: {error}.",
            k=best.k,
            error=number(mine),
        )
    )
    for kind in (BlocksMean, BlocksMedian):
        other = error(dealt(aggregated(kind, best), people), people)
        if other * MUCH < mine:
            st.warning(
                say("In the same trial, {other} had an error of {error}.", other=say(kind.title), error=number(other))
            )


def aggregated(kind: type[SampleAggregate], mechanism: SampleAggregate) -> SampleAggregate:
    """Return another aggregator of the same estimates."""
    return kind(**{field.name: vars(mechanism)[field.name] for field in fields(SampleAggregate)})


def _range(mechanism: SampleAggregate, column: Quantity | None, key: str) -> tuple[float, float]:
    """Ask for the public range of an estimate, in the unit of its column if the estimate is one of its values."""
    name = mechanism.estimator
    labels = (say("Lowest estimate"), say("Highest estimate"))
    keys = (f"{key}:low:{name}", f"{key}:high:{name}")
    declared = column if column is not None and mechanism.view.place else PLAIN
    return kinds.of(declared).between(declared, labels, (mechanism.lower, mechanism.upper), keys)


# Tuned: the other settings, chosen on public ground or by hand.


def tuned(
    kind: type[Any], mechanism: Any, column: Quantity | None, ground: Ground | None, own: Opened, key: str
) -> Mechanism:
    """Choose the other settings on public ground, or let the person choose them."""
    if isinstance(mechanism, SampleAggregate):
        return numbers(mechanism, ground, column, key)
    plain: Mechanism = mechanism
    parameters = settings_of(kind)
    if not parameters:
        return plain
    best = own.tuned(plain, ground) if ground is not None else plain
    with st.expander(say("Settings"), icon=":material/tune:"):
        if not st.toggle(say("Choose settings automatically"), True, key=f"{key}:auto:{kind.slug}"):
            by_hand: Mechanism = replace(mechanism, **settings(kind, best, f"{key}:{kind.slug}"))
            return by_hand
        for name, parameter in parameters.items():
            st.text(f"{say(parameter.label)}: {number(best.values()[name])}")
    return best


def proposed(mechanism: Mechanism) -> dict[str, str]:
    """Return the chosen settings that a result names, by their labels: they are in sight above its price."""
    named = {name: said for name, said in settings_of(type(mechanism)).items() if said.shown}
    return {say(said.label): number(mechanism.values()[name]) for name, said in named.items()}


# Building: from the choices to a mechanism, before its cost is set.


def built(
    kind: type[Any], topic: Topic, options: dict[str, Any], relation: Relation, schema: Schema, column: str
) -> Mechanism:
    """Return a mechanism with its statistic and options, at its preset cost."""
    names = {field.name for field in fields(kind)}
    given: dict[str, Any] = {}
    if "query" in names:
        given["query"] = _query(topic.name, options, relation)
    elif "queries" in names:
        given["queries"] = tuple(statistics[name](relation=relation) for name in options["several"])
    else:
        given["relation"] = relation
    if "q" in names:
        given["q"] = options.get("q", 0.5)
    if "levels" in names:
        given["levels"] = options["levels"]
    if "bins" in options and "bins" in names:
        given["bins"] = options["bins"]
    if "estimator" in names:
        estimated = _estimated(topic.name, options, schema, column)
        given |= {name: value for name, value in estimated.items() if name in names}
    mechanism: Mechanism = kind(**given)
    return mechanism


def serves(kind: type[Mechanism], topic: Topic, schema: Schema, column: str) -> bool:
    """Whether a mechanism can answer the query of a column, given the column's grid."""
    if topic.name not in statistics or column not in schema.numbers:
        return True
    try:
        built(kind, topic, {}, Relation(), schema, column).check(Public(schema.bounds(column)))
    except ParameterError:
        return False
    return True


def _query(name: str, options: dict[str, Any], relation: Relation) -> Query:
    names = {field.name for field in fields(statistics[name])}
    given = {key: value for key, value in options.items() if key in names}
    if relation.size is not None:
        given.pop("resize", None)
    return statistics[name](relation=relation, **given)


def _estimated(name: str, options: dict[str, Any], schema: Schema, column: str) -> dict[str, Any]:
    """Return the preset range of an estimate: the column's for values of the column, else a usual one."""
    bounds = schema.number(column).bounds
    lowest = float(bounds.lower)
    highest = float(bounds.upper)
    lower, upper = estimators[name].usual(lowest, highest)
    level = options.get("q", options.get("cut", options.get("at")))
    return {"estimator": name if level is None else f"{name}:{level}", "lower": lower, "upper": upper}


FIRST = (Mean.name, MOST_COMMON.name)  # the topics that a page proposes first, if it has them
MANY = "occupation"  # the column of the samples that a page proposes first: a choice among many
TAUGHT = (ExponentialMechanism.slug,)  # the mechanisms that a page proposes first: it is named after them


@dataclass(frozen=True)
class Question:
    """A query as set in the form, and the public ground on which its settings were chosen."""

    request: Request
    topic: Topic
    ground: Ground | None
    public: Public


def question(families: Sequence[Family], schema: Schema, own: Opened, key: str) -> Question | None:
    """Draw the form; None if nothing can be asked of the declared columns here.

    `own` is the dataset in use, with its public ground (public data themselves) and what was tuned on it.
    """
    offered = topics(families, schema)
    if not offered:
        return None
    topic = _topic(offered, key)
    above = st.container()
    columns = _columns(schema, topic, key)
    place = ":".join((key, topic.name, *columns))  # settings of one column are never kept for another
    with above:
        kind = _method(families, topic, schema, columns[0], key)
    options = options_of(topic, kind, schema, columns[0], place)
    with st.expander(say("Filter and group"), icon=":material/filter_alt:"):
        rows = filters.where(schema, key)
        groups = filters.by(schema, key) if kind().view.groups else None
    with st.expander(say("Assumptions"), icon=":material/public:"):
        relation, ground = assumed(schema, columns[0], own, key, place)
    preset = built(kind, topic, options, relation, schema, columns[0])
    public = Request(preset, columns).public(schema, None if ground is None else ground.column.n)
    price = priced(kind, preset, public, own.unit, key, place)
    mechanism = tuned(kind, price, schema.numbers.get(columns[0]), ground, own, place)
    return Question(Request(mechanism, columns, rows, groups), topic, ground, public)


def _topic(offered: list[Topic], key: str) -> Topic:
    first = next((topic for topic in offered if topic.name in FIRST), offered[0])
    return st.selectbox(
        say("Statistic"), offered, offered.index(first), format_func=listed, key=f"{key}:topic", persist_state="session"
    )


def _columns(schema: Schema, topic: Topic, key: str) -> tuple[str, ...]:
    fit = fitting(schema, topic)
    labels = [say("Column")] if topic.columns == 1 else [say("First column"), say("Second column")]
    if topic.columns == 2 and estimators[topic.name].weighs:
        labels = [say("Column"), say("Weight")]
    columns: list[str] = []
    for at, label in enumerate(labels):
        left = fit if not at else seconds(schema, topic.name, columns[0])
        mark = f"{key}:column:{topic.columns}:{topic.numbers_only}:{topic.zeroless}:{at}"
        first = left.index(MANY) if MANY in left else 0
        columns.append(st.selectbox(label, left, first, key=mark, persist_state="session"))
    return tuple(columns)


def _method(families: Sequence[Family], topic: Topic, schema: Schema, column: str, key: str) -> type[Mechanism]:
    """Ask for the mechanism; those that can serve the column as it is read come first."""
    kinds = sorted(
        methods(families, topic.name),
        key=lambda kind: (not serves(kind, topic, schema, column), kind.slug not in TAUGHT),
    )
    return st.selectbox(
        say("Mechanism"),
        kinds,
        format_func=lambda kind: beside(say(kind.title), say(topic.label), say(kind.family.name)),
        key=f"{key}:method:{topic.name}",
        persist_state="session",
    )
