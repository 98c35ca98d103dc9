"""Subject: what a contest is about: a statistic, or the choice of the most common level."""

from __future__ import annotations

from typing import Any

import streamlit as st

from discreet.budget import Cost
from discreet.lab import preview
from discreet.lab.contest import Estimated, Ground
from discreet.lab.scenario import imagined_counts
from discreet.mechanisms.selection import MOST_COMMON
from discreet.queries import registry as statistics
from discreet.queries.estimators import registry as estimators
from discreet.queries.scores import Scores
from discreet.ui.ask import price_fields
from discreet.ui.compare.ground import UNSEEN
from discreet.ui.frame.odds import odds
from discreet.ui.frame.words import say
from discreet.ui.state import workspace

CHOICE = MOST_COMMON.name


def statistic() -> str:
    """Ask which statistic the contest is about, by name."""
    single = [name for name, estimator in estimators.items() if estimator.columns == 1]
    names = [*dict.fromkeys([*statistics, *single]), CHOICE]
    subjects: dict[str, Any] = {**estimators, **statistics, CHOICE: MOST_COMMON}
    chosen: str = st.selectbox(
        say("Statistic"),
        names,
        names.index("mean"),
        key="compare:statistic",
        format_func=lambda name: say(subjects[name].label),
    )
    return chosen


def query(name: str, stand: Ground) -> Any:
    """Return the statistic, with its level asked where it has one."""
    if name not in statistics:
        return Estimated(name)
    options: dict[str, Any] = {}
    if name == "quantile":
        options["q"] = str(st.slider(say("Quantile"), 0.01, 0.99, 0.9, 0.01, key="compare:q"))
    if name == "trimmed-mean":
        options["cut"] = str(st.slider(say("Cut"), 0.01, 0.45, 0.1, 0.01, key="compare:cut"))
        options["resize"] = stand.column.n
    return statistics[name](**options)


def counts() -> tuple[str, Scores] | None:
    """Ask for a category: its counts on open data, imagined ones where data are protected."""
    here = workspace().here
    categories = here.dataset.schema.categories
    if not categories:
        st.info(say("No category is declared here."))
        return None
    name = st.selectbox(say("Column"), list(categories), key="compare:category")
    if here.shown is not None:
        return name, preview.counts(here.shown.dataset, name)
    people = st.number_input(say("About how many people"), 10, 1_000_000, 1000, key="compare:n")
    st.caption(say(UNSEEN))
    return name, imagined_counts(categories[name].labels, int(people))


def cost() -> Cost:
    """Ask for the epsilon and delta that every contender may spend."""
    epsilon = price_fields.epsilon("compare:epsilon")
    price = Cost.of(epsilon, str(price_fields.delta("compare:delta")))
    st.caption(odds(price))
    return price
