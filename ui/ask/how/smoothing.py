"""Smoothing: the ladder, weighted down the further it is away, and its maximum."""

from __future__ import annotations

import numpy as np
import streamlit as st

from discreet.lab import explain
from discreet.mechanisms.smooth import M_CHOICES, SmoothCoreTail
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.variance import StandardDeviation, Variance
from discreet.ui.ask.how.knobs import numbers, query_of, story
from discreet.ui.ask.how.stand import ground_of
from discreet.ui.figures import inside
from discreet.ui.frame.words import number, say

SMOOTH = (Median, Mean, Variance, StandardDeviation)


def smooth_sensitivity(key: str) -> None:
    """The ladder, weighted down the further it is away, and its maximum."""
    left, right = st.columns([1, 2], gap="medium")
    with left, st.container(border=True):
        ground = ground_of(key)
        mechanism = _mechanism(key)
    query = mechanism.query
    smoothed = explain.smoothed(query, ground.column, mechanism.beta, explain.smooth_window(mechanism))
    with right, st.container(border=True):
        ends = mechanism.law(ground.column).quantile(np.array([0.025, 0.975]))
        numbers(
            {
                say("Local sensitivity A(0)"): number(float(smoothed.rungs[0])),
                say("Smooth bound S"): number(smoothed.bound),
                say("Global sensitivity"): number(query.global_sensitivity(ground.bounds)),
                say("Error, 19 in 20"): number(float(np.diff(ends)[0]) / 2),
            }
        )
        inside.smooth(smoothed, f"{key}:smooth")
        _story(smoothed, mechanism)


def _story(smoothed: explain.Smoothed, mechanism: SmoothCoreTail) -> None:
    """Climb, weigh, take the largest: where the noise gets its size."""
    story(
        say(
            "Climb: A(k) is the most that one person can move the answer on data that differ from these by at most k "
            "people. Here it begins at {first}.",
            first=number(float(smoothed.rungs[0])),
        ),
        say(
            "Weigh: what is k people away counts e^(−βk) of itself, with β = ε / m = {beta}.",
            beta=number(mechanism.beta),
        ),
        say(
            "Take the largest: S = {bound}, reached {peak} people away. One person changes S by a factor of e^β at "
            "most, so noise of the size S / ε hides everybody, and does not give them away by its size.",
            bound=number(smoothed.bound),
            peak=smoothed.peak,
        ),
    )


def _mechanism(key: str) -> SmoothCoreTail:
    """Ask for the statistic, epsilon, and how far away the bound looks."""
    query = query_of(SMOOTH, key)
    epsilon = st.slider(say("Epsilon"), 0.1, 3.0, 1.0, 0.05, key=f"{key}:how:epsilon")
    m = st.select_slider(
        say("Tail m"), M_CHOICES, 12, key=f"{key}:how:m", help=say("beta = epsilon / m: a large m looks further away.")
    )
    return SmoothCoreTail(query=query, epsilon=epsilon, m=m)
