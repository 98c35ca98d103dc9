"""How it works: the inner steps of each mechanism on public data, updated as its settings change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np
import streamlit as st

from discreet.budget import Phrase
from discreet.lab import explain
from discreet.lab.contest import Contender, Ground
from discreet.lab.experiment import NoRows
from discreet.lab.samples import census
from discreet.lab.sweeps import against_blocks, against_bound
from discreet.mechanisms import registry
from discreet.mechanisms.ptr import ProposeTestRelease, propose_mean
from discreet.mechanisms.sample_aggregate import BlocksMean, BlocksMedian, SampleAggregate
from discreet.mechanisms.selection import ExponentialMechanism, Selection
from discreet.mechanisms.smooth import M_CHOICES, SmoothCoreTail
from discreet.queries import Query
from discreet.queries import registry as statistics
from discreet.queries.estimators import registry as estimators
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.variance import StandardDeviation, Variance
from discreet.rows import OpenData
from discreet.ui.ask.form import aggregated
from discreet.ui.figures import answers, curves, theme
from discreet.ui.frame.formulas import typeset
from discreet.ui.frame.words import beside, number, say
from discreet.ui.session.state import workspace

# Choices and figures that several explanations have in common.


def way(base: type[Any], key: str, first: type[Any]) -> type[Any]:
    """Ask for one of the mechanisms of a kind."""
    kinds = [kind for kind in registry.values() if issubclass(kind, base)]
    kinds.sort(key=lambda kind: kind is not first)
    slug: str = st.selectbox(
        say("Mechanism"),
        [kind.slug for kind in kinds],
        format_func=lambda slug: beside(theme.title(slug), say(registry[slug].family.name)),
        key=f"{key}:how:slug",
    )
    return registry[slug]


def query_of(kinds: tuple[type[Query], ...], key: str) -> Query:
    """Ask for one of a few statistics."""
    names = [kind.name for kind in kinds]
    name = st.selectbox(say("Statistic"), names, key=f"{key}:how:query", format_func=lambda n: say(statistics[n].label))
    return statistics[name]()


def story(*steps: str) -> None:
    """Describe the figure beside in numbered sentences, with its numbers."""
    st.markdown("\n".join(f"{at}. {typeset(step)}" for at, step in enumerate(steps, 1)))


def numbers(figures: Mapping[str, str]) -> None:
    """Show a few numbers side by side."""
    for place, (label, value) in zip(st.columns(len(figures)), figures.items(), strict=True):
        place.metric(label, value)


# Column: the public column on which a mechanism is explained.

SIZES = (20, 50, 100, 300, 1000, 3000, 10_000)


def stand(key: str, wish: str, numbers: bool = True) -> tuple[OpenData, str]:
    """Choose a public column: of the dataset in use, or of the census if that is protected."""
    shown = workspace().here.shown
    data = census() if shown is None else shown.dataset
    names = _columns(data, numbers)
    if shown is None or not names:
        data = census()
        names = _columns(census(), numbers)
        st.caption(say("Shown on the census sample. Your own dataset is not used."))
    first = names.index(wish) if wish in names else 0
    return data, st.selectbox(say("Column"), names, first, key=f"{key}:column")


def _columns(data: OpenData, numbers: bool) -> list[str]:
    return list(data.schema.numbers if numbers else data.schema.categories)


def ground_of(key: str, wish: str = "age", people: int = 300) -> Ground:
    """Choose a numeric column, and the number of people drawn with its shape."""
    data, column = stand(key, wish)
    here = workspace().here
    mine = here.shown is not None and data is here.shown.dataset
    ground = here.ground(column) if mine else explain.census_ground(column)
    if ground is None:
        raise NoRows
    sizes = [size for size in SIZES if size < ground.column.n] + [ground.column.n]
    size = st.select_slider(
        say("People"),
        sizes,
        max(n for n in sizes if n <= max(people, sizes[0])),
        key=f"{key}:how:people",
        format_func=number,
        help=say("The distribution of values stays the same. Local sensitivity depends on the number of people."),
    )
    return ground if size == ground.column.n else ground.resized(size)


# Global sensitivity: the noise must hide what one person can change.


def global_sensitivity(key: str) -> None:
    """Bound and noise: the noise must hide what one person can change."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        ground = ground_of(key, "capital_gain")
        epsilon = st.slider(say("ε"), 0.01, 3.0, 0.5, 0.01, key=f"{key}:how:epsilon")
        st.markdown(
            say(
                "Noise follows the **largest change one person could cause in any dataset**. It depends only on "
                "the bounds. Wide bounds add noise to every result. Tight bounds clip the values beyond them."
            )
        )
    with right, st.container(border=True):
        curves.clipping(explain.clipping(ground.column, epsilon), f"{key}:clipping")


# Smooth sensitivity: local sensitivities at each distance, discounted by distance, and their maximum.

SMOOTH = (Median, Mean, Variance, StandardDeviation)


def smooth_sensitivity(key: str) -> None:
    """The local sensitivities by distance, discounted the further away they are, and their maximum."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        ground = ground_of(key)
        mechanism = _smoothing_mechanism(key)
    query = mechanism.query
    smoothed = explain.smoothed(query, ground.column, mechanism.beta, explain.smooth_window(mechanism))
    with right, st.container(border=True):
        ends = mechanism.law(ground.column).quantile(np.array([0.025, 0.975]))
        numbers(
            {
                say("Local sensitivity A(0)"): number(float(smoothed.rungs[0])),
                say("Smooth bound S"): number(smoothed.bound),
                say("Global sensitivity"): number(query.global_sensitivity(ground.bounds)),
                say("Margin of error (95%)"): number(float(np.diff(ends)[0]) / 2),
            }
        )
        curves.smooth(smoothed, f"{key}:smooth")
        _smoothing_story(smoothed, mechanism)


def _smoothing_story(smoothed: explain.Smoothed, mechanism: SmoothCoreTail) -> None:
    """Explain in three steps where the scale of the noise comes from."""
    story(
        say(
            "Local sensitivity at distance k, A(k): the most one person can change the result on any dataset "
            "within k people of this one. It starts at {first}.",
            first=number(float(smoothed.rungs[0])),
        ),
        say(
            "Weighting: the value at distance k is multiplied by e^(−βk), with β = ε / m = {beta}.",
            beta=number(mechanism.beta),
        ),
        say(
            "Smooth sensitivity: the largest product is S = {bound}, at distance {peak}. One person changes S "
            "by at most the factor e^β. Noise of size S / ε therefore protects everyone, and its size does "
            "not reveal anyone.",
            bound=number(smoothed.bound),
            peak=smoothed.peak,
        ),
    )


def _smoothing_mechanism(key: str) -> SmoothCoreTail:
    """Ask for the statistic, epsilon, and the largest distance that the bound covers."""
    query = query_of(SMOOTH, key)
    epsilon = st.slider(say("ε"), 0.1, 3.0, 1.0, 0.05, key=f"{key}:how:epsilon")
    m = st.select_slider(
        say("Tail m"),
        M_CHOICES,
        12,
        key=f"{key}:how:m",
        help=say("β = ε / m. A larger m takes more distant datasets into account."),
    )
    return SmoothCoreTail(query=query, epsilon=epsilon, m=m)


# Propose-test-release: local sensitivities by distance, the proposed bound, and the probability to pass.

TESTS = Phrase(
    "Pure: a failed test spends only the cost of the test. Best: the test passes more often, but a "
    "failed test spends the full cost."
)


def propose_test_release(key: str) -> None:
    """The local sensitivities by distance, the proposed bound, and the probability to pass the test."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        ground = ground_of(key)
        query = query_of((Mean, Median), key)
        mechanism = _testing_mechanism(query, ground, key)
    proposed = explain.proposed(mechanism, ground.column)
    with right, st.container(border=True):
        numbers(
            {
                say("Bound b"): number(mechanism.b),
                say("Distance D"): number(proposed.distance),
                say("Probability of a result"): f"{proposed.chance:.1%}",
            }
        )
        _figures(proposed, mechanism.b, key)
        _testing_story(proposed, mechanism)
        with st.expander(say("Error and failed tests by b"), icon=":material/show_chart:"):
            sweep = against_bound(Contender(mechanism.slug, mechanism), query, ground)
            curves.sweep(sweep, mechanism.b, f"{key}:bounds")


def _testing_story(proposed: explain.Proposed, mechanism: ProposeTestRelease) -> None:
    test = say("Test: {distance} people would have to change before this limit is wrong.", distance=proposed.distance)
    chance = f"{proposed.chance:.1%}"
    threshold = f"{proposed.threshold:.0f}"
    passing = {
        "pure": say(
            "Noise is added to this distance, and it must then reach {threshold}. The chance of passing is {chance}.",
            threshold=threshold,
            chance=chance,
        ),
        "best": say("A larger distance passes more often. The chance of passing is {chance}.", chance=chance),
    }
    story(
        say(
            "Propose: on datasets like this one, one person changes the result by at most b = {b}.",
            b=number(mechanism.b),
        ),
        f"{test} {passing[mechanism.test]}",
        say(
            "Release: if the test passes, the result gets noise for b instead of the worst case. Otherwise "
            "nothing is released."
        ),
    )


def _testing_mechanism(query: Query, ground: Ground, key: str) -> ProposeTestRelease:
    """Ask for epsilon, the bound and the test."""
    epsilon = st.slider(say("ε"), 0.1, 3.0, 1.0, 0.05, key=f"{key}:how:epsilon")
    proposal = _proposal(query, epsilon, ground)
    power = st.slider(say("Bound b, multiple of the preset"), 0.1, 10.0, 1.0, 0.1, key=f"{key}:how:b")
    test = st.segmented_control(
        say("Test"),
        ["pure", "best"],
        default="pure",
        required=True,
        key=f"{key}:how:test",
        format_func=say,
        help=say(TESTS),
    )
    return replace(proposal, b=float(f"{proposal.b * power:.3g}"), test=test)


def _proposal(query: Query, epsilon: float, ground: Ground) -> ProposeTestRelease:
    """Return the preset: proposed for a mean, tuned on the ground for all other statistics."""
    preset = ProposeTestRelease(query=query, epsilon=epsilon)
    if isinstance(query, Mean):
        settings = propose_mean(ground.bounds, epsilon, preset.delta, max(ground.column.n, 2))
        return replace(preset, b=float(f"{settings['b']:.3g}"), share=settings["share"])
    return cast(ProposeTestRelease, workspace().here.tuned(preset, ground))


def _figures(proposed: explain.Proposed, b: float, key: str) -> None:
    left, right = st.columns(2)
    with left:
        curves.ladder(proposed, b, f"{key}:ladder")
    with right:
        curves.passing(proposed, f"{key}:passing")


# Sample and aggregate: estimates of random blocks, their bias, their spread, and the remaining noise.

BLOCKS = (4, 10, 30, 100, 300, 600, 1000, 3000, 6000)


def sample_and_aggregate(key: str) -> None:
    """Estimates of random blocks: their bias, their spread, and the remaining noise."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        ground = ground_of(key, people=100_000)
        mechanism = _splitting_mechanism(ground, key)
        seed = st.number_input(
            say("Split number"),
            1,
            1000,
            1,
            key=f"{key}:how:seed",
            help=say("A different number gives a different random split."),
        )
    truth = float(estimators[mechanism.estimator](ground.column.values()))
    split = explain.split(mechanism, truth, ground, seed)
    with right, st.container(border=True):
        numbers(
            {
                say("Rows per block"): number(split.rows_per_block),
                say("Bias of a block"): number(split.bias),
                say("Noise (95%)"): number(split.noise),
            }
        )
        curves.blocks(split, f"{key}:blocks")
        _splitting_story(split, mechanism.k)
        _against_k(mechanism, ground, key)


def _splitting_story(split: explain.Split, k: int) -> None:
    """Explain why the middle of the blocks hardly moves."""
    story(
        say(
            "Sample: people are assigned at random to {k} blocks of about {rows} rows each.",
            k=k,
            rows=number(split.rows_per_block),
        ),
        say("Estimate: the statistic is computed on each block. Each bar counts blocks with similar estimates."),
        say(
            "Aggregate: each person is in one block, so the mean or median of the blocks hardly changes. The "
            "band covers 95% of results, ± {noise}.",
            noise=number(split.noise),
        ),
    )


def _splitting_mechanism(ground: Ground, key: str) -> SampleAggregate:
    """Ask for the estimator, the aggregation, epsilon and the number of blocks."""
    single = [name for name, estimator in estimators.items() if estimator.columns == 1]
    name = st.selectbox(
        say("Estimator"), single, key=f"{key}:how:estimator", format_func=lambda n: say(estimators[n].label)
    )
    kind = way(SampleAggregate, key, BlocksMean)
    epsilon = st.slider(say("ε"), 0.1, 3.0, 1.0, 0.05, key=f"{key}:how:epsilon")
    k = st.select_slider(say("Blocks k"), BLOCKS, 300, key=f"{key}:how:k", format_func=number)
    low, high = estimators[name].usual(ground.bounds.lower, ground.bounds.upper)
    mechanism: SampleAggregate = kind(estimator=name, k=k, lower=low, upper=high, epsilon=epsilon)
    return mechanism


def _against_k(mechanism: SampleAggregate, ground: Ground, key: str) -> None:
    """Show the error by number of blocks for mean and median, where the estimator is a statistic too."""
    if mechanism.estimator not in (Mean.name, Median.name):
        return
    with st.expander(say("Error by number of blocks k"), icon=":material/show_chart:"):
        query = statistics[mechanism.estimator]()
        kinds: list[type[SampleAggregate]] = list(dict.fromkeys((type(mechanism), BlocksMean, BlocksMedian)))
        sweeps = [against_blocks(Contender(kind.slug, aggregated(kind, mechanism)), query, ground) for kind in kinds]
        errors = {slug: line for each in sweeps for slug, line in each.errors.items()}
        curves.sweep(replace(sweeps[0], errors=errors), mechanism.k, f"{key}:ks")


# Exponential selection: the exact probability of every candidate as epsilon changes, for each way to choose.


def exponential_selection(key: str) -> None:
    """The exact probability of every candidate as epsilon changes, for three ways to choose."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        data, column = stand(key, "occupation", numbers=False)
        epsilon = st.select_slider(
            say("ε"), (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0), 0.01, key=f"{key}:how:epsilon"
        )
        mechanism: Selection = way(Selection, key, ExponentialMechanism)(epsilon=epsilon)
        st.markdown(say("The counts set the probabilities but are never released."))
    chances = explain.chances(mechanism, explain.counts(data, column))
    with right, st.container(border=True):
        best = int(np.argmax(chances.counts))
        rightly = f"{chances.probabilities[best]:.1%}"
        numbers({say("Most common"): chances.labels[best], say("Chance of the correct choice"): rightly})
        answers.chances(chances.labels, chances.probabilities.tolist(), f"{key}:chances")
