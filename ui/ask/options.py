"""Options: what belongs to a statistic: a level, a rank, a cut, bins, a list of statistics."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import streamlit as st

from discreet.mechanisms import Mechanism
from discreet.mechanisms.sample_aggregate import SampleAggregate
from discreet.mechanisms.several_laplace import SEVERAL
from discreet.mechanisms.several_quantiles import QUANTILES, QUARTILES
from discreet.mechanisms.topic import Topic
from discreet.queries import Bounds
from discreet.queries import registry as statistics
from discreet.queries.mean import Mean
from discreet.queries.median import Median
from discreet.queries.scores import Bins
from discreet.queries.variance import Variance
from discreet.rows import Schema
from discreet.ui.frame.words import say

LEVELS = (0.01, 0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 0.99)
PRESET = (Mean.name, Median.name, Variance.name)


def options_of(topic: Topic, kind: type[Mechanism], schema: Schema, column: str, key: str) -> dict[str, Any]:
    """Ask for the options of a statistic, by the names of its fields."""
    options: dict[str, Any] = {}
    takes = {field.name for field in fields(statistics[topic.name])} if topic.name in statistics else set()
    if "q" in takes:
        options["q"] = st.slider(say("Quantile"), 0.01, 0.99, 0.9, 0.01, key=f"{key}:q")
    if "j" in takes:
        options["j"] = st.number_input(say("Rank from the end"), 1, 1000, 10, key=f"{key}:j")
    if "cut" in takes:
        options["cut"] = st.slider(say("Cut on either side"), 0.01, 0.45, 0.1, 0.01, key=f"{key}:cut")
        if not issubclass(kind, SampleAggregate):
            options["resize"] = _resize(key)
    if not topic.numbers_only and column in schema.numbers:
        options["bins"] = _bins(schema.bounds(column), key, not schema.number(column).zero)
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
        help=say("The rows are filled up or cut to this number, by secret chance."),
    )


def _bins(bounds: Bounds, key: str, whole: bool) -> Bins:
    """Ask for the number of bins, all equally wide, or as equally as whole units allow."""
    bins = st.slider(say("Bins"), 2, min(60, bounds.top + 1), 10, key=f"{key}:bins")
    edges = np.linspace(bounds.lower, bounds.upper, bins + 1)
    return Bins(tuple(map(float, np.unique(np.round(edges)) if whole else edges)))


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
