"""Splitting: estimates of random blocks, their bias, their spread, and the noise that is left."""

from __future__ import annotations

import streamlit as st

from discreet.lab import explain
from discreet.lab.contest import Contender, Ground
from discreet.lab.sweeps import against_blocks
from discreet.mechanisms.sample_aggregate import SampleAggregate
from discreet.queries import registry as statistics
from discreet.queries.estimators import registry as estimators
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.ui.ask.how.knobs import numbers, story, way
from discreet.ui.ask.how.stand import ground_of
from discreet.ui.figures import inside, tradeoffs
from discreet.ui.frame.words import number, say

BLOCKS = (4, 10, 30, 100, 300, 600, 1000, 3000, 6000)


def sample_and_aggregate(key: str) -> None:
    """Estimates of random blocks: their bias, their spread, and the noise that is left."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        ground = ground_of(key, people=100_000)
        mechanism = _mechanism(ground, key)
        seed = st.number_input(
            say("Split number"), 1, 1000, 1, key=f"{key}:how:seed", help=say("Another number is another random split.")
        )
    truth = float(estimators[mechanism.estimator](ground.column.values()))
    split = explain.split(mechanism, truth, ground, seed)
    with right, st.container(border=True):
        numbers(
            {
                say("Rows a block"): number(split.rows_per_block),
                say("Bias of a block"): number(split.bias),
                say("Noise, 19 in 20"): number(split.noise),
            }
        )
        inside.blocks(split, mechanism.slug, f"{key}:blocks")
        _story(split, mechanism.k)
        _against_k(mechanism, ground, key)


def _story(split: explain.Split, k: int) -> None:
    """Sample, ask, aggregate: why the middle of the blocks hardly moves."""
    story(
        say(
            "Sample: the people are dealt into {k} secret blocks of about {rows} rows.",
            k=k,
            rows=number(split.rows_per_block),
        ),
        say("Ask each block by itself: a bar counts the blocks that say about the same."),
        say(
            "Aggregate: one person is in one block, so the middle of all blocks hardly moves. Of all answers 19 in "
            "20 lie within the band, ± {noise} wide.",
            noise=number(split.noise),
        ),
    )


def _mechanism(ground: Ground, key: str) -> SampleAggregate:
    """Ask for the estimator, the method, epsilon and the number of blocks."""
    single = [name for name, estimator in estimators.items() if estimator.columns == 1]
    name = st.selectbox(
        say("Estimator"), single, key=f"{key}:how:estimator", format_func=lambda n: say(estimators[n].label)
    )
    kind = way(SampleAggregate, key)
    epsilon = st.slider(say("Epsilon"), 0.1, 3.0, 1.0, 0.05, key=f"{key}:how:epsilon")
    k = st.select_slider(say("Blocks k"), BLOCKS, 300, key=f"{key}:how:k")
    low, high = estimators[name].usual(ground.bounds.lower, ground.bounds.upper)
    mechanism: SampleAggregate = kind(estimator=name, k=k, lower=low, upper=high, epsilon=epsilon)
    return mechanism


def _against_k(mechanism: SampleAggregate, ground: Ground, key: str) -> None:
    """Show what other numbers of blocks would do, for statistics that are estimators too."""
    if mechanism.estimator not in (Mean.name, Median.name):
        return
    with st.expander(say("Error against k"), icon=":material/show_chart:"):
        query = statistics[mechanism.estimator]()
        sweep = against_blocks(Contender(mechanism.slug, mechanism), query, ground)
        tradeoffs.sweep(sweep, mechanism.k, f"{key}:ks")
