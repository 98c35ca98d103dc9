"""How it works: the inside of each mechanism on open data, moving with its sliders."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
import streamlit as st

from discreet.curator import Category, Dataset, Number
from discreet.lab import explain, preview
from discreet.lab.contest import Contender, Ground
from discreet.lab.samples import census
from discreet.lab.sweeps import against_blocks, against_bound
from discreet.mechanisms import registry
from discreet.mechanisms.ptr import ProposeTestRelease, propose_mean
from discreet.mechanisms.sample_aggregate import SampleAggregate
from discreet.mechanisms.selection import Selection
from discreet.mechanisms.smooth import M_CHOICES, SmoothCoreTail
from discreet.queries import Query
from discreet.queries import registry as statistics
from discreet.queries.estimators import registry as estimators
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.variance import StandardDeviation, Variance
from discreet.ui.figures import answers, inside, look
from discreet.ui.frame.words import number, say
from discreet.ui.state import workspace

SIZES = (20, 50, 100, 300, 1000, 3000, 10_000)
SMOOTH = (Mean, Median, Variance, StandardDeviation)


def stand(key: str, wish: str, kind: type[Any] = Number) -> tuple[Dataset, str]:
    """Choose an open column: of the data in use, or of the census if they are protected."""
    shown = workspace().here.shown
    data = census() if shown is None else shown.dataset
    names = _columns(data, kind)
    if shown is None or not names:
        data, names = census(), _columns(census(), kind)
        st.caption(say("Shown on the census sample: your own data stay unseen."))
    first = names.index(wish) if wish in names else 0
    return data, st.selectbox(say("Column"), names, first, key=f"{key}:column")


def _columns(data: Dataset, kind: type[Any]) -> list[str]:
    return [name for name, told in data.schema.columns.items() if isinstance(told, kind)]


def _ground(key: str, wish: str = "age", people: int = 300) -> Ground:
    data, column = stand(key, wish)
    here = workspace().here
    mine = here.shown is not None and data is here.shown.dataset
    own = here.ground(column) if mine else None
    found = own or preview.census_ground(column)
    sizes = [size for size in SIZES if size < found.column.n] + [found.column.n]
    first = max(n for n in sizes if n <= max(people, sizes[0]))
    size = st.select_slider(
        say("People"),
        sizes,
        first,
        key=f"{key}:how:people",
        help=say("The same shape with fewer people: what local sensitivity lives on."),
    )
    return found if size == found.column.n else found.resized(size)


def _numbers(told: dict[str, str]) -> None:
    for place, (label, value) in zip(st.columns(len(told)), told.items(), strict=True):
        place.metric(label, value)


def global_sensitivity(key: str) -> None:
    """Bound against noise: what a person can move is what the noise must hide."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        ground = _ground(key, "capital_gain")
        epsilon = st.slider(say("Epsilon"), 0.01, 3.0, 0.5, 0.01, key=f"{key}:how:epsilon")
        st.markdown(
            say(
                "Noise follows the **largest change one person could make to any data**: "
                "the bounds alone decide. A wide bound is paid for by everybody, a tight "
                "one cuts off those beyond it."
            )
        )
    with right, st.container(border=True):
        inside.clipping(explain.clipping(ground.column, epsilon), f"{key}:clipping")


def propose_test_release(key: str) -> None:
    """The ladder, the bound that cuts it, and the chance to pass."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        ground = _ground(key)
        query = _query((Mean, Median), key)
        epsilon = st.slider(say("Epsilon"), 0.1, 3.0, 1.0, 0.05, key=f"{key}:how:epsilon")
        made = _proposal(query, epsilon, ground)
        power = st.slider(say("Bound b, times the preset"), 0.1, 10.0, 1.0, 0.1, key=f"{key}:how:b")
        made = replace(made, b=float(f"{made.b * power:.3g}"))
        test = st.segmented_control(
            say("Test"), ["pure", "best"], default="pure", required=True, key=f"{key}:how:test", format_func=say
        )
        made = replace(made, test=test)
    told = explain.proposed(made, ground.column)
    with right, st.container(border=True):
        _numbers(
            {
                say("Bound b"): number(made.b),
                say("Distance D"): number(told.distance),
                say("Chance of an answer"): f"{told.chance:.1%}",
            }
        )
        one, two = st.columns(2)
        with one:
            inside.ladder(told, made.b, f"{key}:ladder")
        with two:
            inside.passing(told, f"{key}:passing")
        with st.expander(say("Error and refusals against b"), icon=":material/show_chart:"):
            told_sweep = against_bound(Contender(made.slug, made), query, ground)
            inside.sweep(told_sweep, made.b, f"{key}:bounds")


def _proposal(query: Query, epsilon: float, ground: Ground) -> ProposeTestRelease:
    made = ProposeTestRelease(query=query, epsilon=epsilon)
    if isinstance(query, Mean):
        told = propose_mean(ground.bounds, epsilon, made.delta, max(ground.column.n, 2))
        return replace(made, b=float(f"{told['b']:.3g}"), share=told["share"])
    return cast(ProposeTestRelease, workspace().here.tuned(made, ground))


def _way(base: type[Any], key: str) -> type[Any]:
    """Ask for one of the mechanisms of a kind."""
    kinds = [kind for kind in registry.values() if issubclass(kind, base)]
    slug: str = st.selectbox(
        say("Method"), [kind.slug for kind in kinds], format_func=look.title, key=f"{key}:how:slug"
    )
    return registry[slug]


def _query(kinds: tuple[type[Query], ...], key: str) -> Query:
    names = [kind.name for kind in kinds]
    name = st.segmented_control(
        say("Statistic"),
        names,
        default=names[0],
        required=True,
        key=f"{key}:how:query",
        format_func=lambda n: say(statistics[n].label),
    )
    return statistics[name]()


def smooth_sensitivity(key: str) -> None:
    """The ladder, weighted down the further it is away, and its maximum."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        ground = _ground(key)
        query = _query(SMOOTH, key)
        epsilon = st.slider(say("Epsilon"), 0.1, 3.0, 1.0, 0.05, key=f"{key}:how:epsilon")
        m = st.select_slider(
            say("Tail m"),
            M_CHOICES,
            12,
            key=f"{key}:how:m",
            help=say("beta = epsilon / m: a large m looks further away."),
        )
    made = SmoothCoreTail(query=query, epsilon=epsilon, m=m)
    told = explain.smoothed(query, ground.column, made.beta, explain.smooth_window(made))
    with right, st.container(border=True):
        noise = float(np.diff(made.law(ground.column).quantile(np.array([0.025, 0.975])))[0]) / 2
        _numbers(
            {
                say("Local sensitivity A(0)"): number(float(told.rungs[0])),
                say("Smooth bound S"): number(told.bound),
                say("Global sensitivity"): number(query.global_sensitivity(ground.bounds)),
                say("Error, 19 in 20"): number(noise),
            }
        )
        inside.smooth(told, f"{key}:smooth")


def sample_and_aggregate(key: str) -> None:
    """Estimates of random blocks: their bias, their spread, and the noise that is left."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        ground = _ground(key, people=100_000)
        single = [name for name, told in estimators.items() if told.columns == 1]
        estimator = st.selectbox(
            say("Estimator"), single, key=f"{key}:how:estimator", format_func=lambda n: say(estimators[n].label)
        )
        kind = _way(SampleAggregate, key)
        epsilon = st.slider(say("Epsilon"), 0.1, 3.0, 1.0, 0.05, key=f"{key}:how:epsilon")
        k = st.select_slider(say("Blocks k"), (4, 10, 30, 100, 300, 600, 1000, 3000, 6000), 300, key=f"{key}:how:k")
        seed = st.number_input(
            say("Split number"), 1, 1000, 1, key=f"{key}:how:seed", help=say("Another number is another random split.")
        )
    low, high = estimators[estimator].usual(ground.bounds.lower, ground.bounds.upper)
    made: SampleAggregate = kind(estimator=estimator, k=k, lower=low, upper=high, epsilon=epsilon)
    truth = float(estimators[estimator](ground.column.values()))
    told = explain.split(made, truth, ground, seed)
    with right, st.container(border=True):
        _numbers(
            {
                say("Rows a block"): number(told.rows_per_block),
                say("Bias of a block"): number(told.bias),
                say("Noise, 19 in 20"): number(told.noise),
            }
        )
        inside.blocks(told, kind.slug, f"{key}:blocks")
        if estimator in (Mean.name, Median.name):
            with st.expander(say("Error against k"), icon=":material/show_chart:"):
                query = statistics[estimator]()
                told_sweep = against_blocks(Contender(kind.slug, made), query, ground)
                inside.sweep(told_sweep, k, f"{key}:ks")


def exponential_selection(key: str) -> None:
    """Exact chances of every candidate as epsilon moves, for three ways to choose."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        data, column = stand(key, "occupation", Category)
        epsilon = st.select_slider(
            say("Epsilon"), (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0), 0.01, key=f"{key}:how:epsilon"
        )
        kind = _way(Selection, key)
        st.markdown(say("Counts decide the chances; the counts themselves are never released."))
    made: Selection = kind(epsilon=epsilon)
    told = explain.chances(made, preview.counts(data, column))
    with right, st.container(border=True):
        best = int(np.argmax(told.counts))
        _numbers({say("Most common"): told.labels[best], say("Chosen rightly"): f"{told.probabilities[best]:.1%}"})
        answers.chances(told.labels, told.probabilities.tolist(), kind.slug, f"{key}:chances")
