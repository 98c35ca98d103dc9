"""Testing: the ladder, the bound that cuts it, and the chance to pass."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import streamlit as st

from discreet.budget import Phrase
from discreet.lab import explain
from discreet.lab.contest import Contender, Ground
from discreet.lab.sweeps import against_bound
from discreet.mechanisms.ptr import ProposeTestRelease, propose_mean
from discreet.queries import Query
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.ui.ask.how.knobs import numbers, query_of, story
from discreet.ui.ask.how.stand import ground_of
from discreet.ui.figures import inside, tradeoffs
from discreet.ui.frame.words import number, say
from discreet.ui.state import workspace

TESTS = Phrase("Pure: a refusal costs the test alone. Best: likelier to pass, and a refusal costs everything.")


def propose_test_release(key: str) -> None:
    """The ladder, the bound that cuts it, and the chance to pass."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        ground = ground_of(key)
        query = query_of((Mean, Median), key)
        mechanism = _mechanism(query, ground, key)
    proposed = explain.proposed(mechanism, ground.column)
    with right, st.container(border=True):
        numbers(
            {
                say("Bound b"): number(mechanism.b),
                say("Distance D"): number(proposed.distance),
                say("Chance of an answer"): f"{proposed.chance:.1%}",
            }
        )
        _figures(proposed, mechanism.b, key)
        _story(proposed, mechanism)
        with st.expander(say("Error and refusals against b"), icon=":material/show_chart:"):
            sweep = against_bound(Contender(mechanism.slug, mechanism), query, ground)
            tradeoffs.sweep(sweep, mechanism.b, f"{key}:bounds")


def _story(proposed: explain.Proposed, mechanism: ProposeTestRelease) -> None:
    """Propose, test, release: what each of the three looks at."""
    test = say("Test: {distance} people would have to change before that is wrong.", distance=proposed.distance)
    chance, threshold = f"{proposed.chance:.1%}", f"{proposed.threshold:.0f}"
    passing = {
        "pure": say(
            "This distance gets noise, and must reach {threshold}: the chance is {chance}.",
            threshold=threshold,
            chance=chance,
        ),
        "best": say("The further, the likelier it passes: the chance is {chance}.", chance=chance),
    }
    story(
        say("Propose: one person moves the answer by at most b = {b}, on data like these.", b=number(mechanism.b)),
        f"{test} {passing[mechanism.test]}",
        say("Release: what passes gets noise for b, not for the worst of all data; what does not is not answered."),
    )


def _mechanism(query: Query, ground: Ground, key: str) -> ProposeTestRelease:
    """Ask for epsilon, for the bound and for the test."""
    epsilon = st.slider(say("Epsilon"), 0.1, 3.0, 1.0, 0.05, key=f"{key}:how:epsilon")
    proposal = _proposal(query, epsilon, ground)
    power = st.slider(say("Bound b, times the preset"), 0.1, 10.0, 1.0, 0.1, key=f"{key}:how:b")
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
    """Return the preset: proposed for a mean, tuned on the ground for all else."""
    preset = ProposeTestRelease(query=query, epsilon=epsilon)
    if isinstance(query, Mean):
        settings = propose_mean(ground.bounds, epsilon, preset.delta, max(ground.column.n, 2))
        return replace(preset, b=float(f"{settings['b']:.3g}"), share=settings["share"])
    return cast(ProposeTestRelease, workspace().here.tuned(preset, ground))


def _figures(proposed: explain.Proposed, b: float, key: str) -> None:
    left, right = st.columns(2)
    with left:
        inside.ladder(proposed, b, f"{key}:ladder")
    with right:
        inside.passing(proposed, f"{key}:passing")
