"""Ground: where a contest runs, on open data or on a labelled scenario."""

from __future__ import annotations

import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.lab.contest import Ground
from discreet.lab.experiment import NoRows
from discreet.lab.scenario import SHAPES, Scenario
from discreet.queries import Bounds
from discreet.rows import Number
from discreet.ui import kinds
from discreet.ui.frame.words import quoted, say
from discreet.ui.opened import Opened
from discreet.ui.state import workspace

WAYS = {"open": Phrase("these open data"), "scenario": Phrase("a scenario")}


def ground() -> Ground:
    """Ask where the contest runs: on open data, or on a labelled scenario."""
    here = workspace().here
    names = list(here.dataset.schema.numbers)
    ways = ["scenario"] if here.dataset.protected or not names else ["open", "scenario"]
    way = st.segmented_control(
        say("Run on"),
        ways,
        default=ways[0],
        required=True,
        key=f"compare:way:{len(ways)}",
        format_func=lambda w: say(WAYS[w]),
    )
    if here.dataset.protected:
        st.caption(say(UNSEEN))
    return _open(here, names) if way == "open" else _scenario(names)


UNSEEN = Phrase("Your data are protected, so this runs on people who do not exist.")


def _open(here: Opened, names: list[str]) -> Ground:
    first = names.index("age") if "age" in names else 0
    open_ground = here.ground(st.selectbox(say("Column"), names, first, key="compare:column"))
    if open_ground is None:
        raise NoRows
    return open_ground


def _scenario(names: list[str]) -> Ground:
    """Ask what people who do not exist are like, beginning with the first declared number."""
    schema = workspace().dataset.schema
    declared = schema.number(names[0]) if names else Number(0, 100, integer=True)
    preset, labels = declared.bounds, (say("Lower"), say("Upper"))
    try:
        ends = float(preset.lower), float(preset.upper)
        lower, upper = kinds.of(declared).between(declared, labels, ends, ("compare:low", "compare:up"))
    except ParameterError as wrong:
        st.error(quoted(say(wrong)))
        lower, upper = ends
    whole = st.checkbox(say("Whole numbers"), preset.integer, key="compare:whole", disabled=not declared.zero)
    people = st.number_input(say("People"), 10, 1_000_000, 1000, key="compare:people")
    shape = st.selectbox(say("Shape"), list(SHAPES), key="compare:shape", format_func=say)
    low, high = (int(lower), int(upper)) if whole else (lower, upper)
    return Ground.of(Scenario(Bounds(low, high, integer=whole), int(people), shape))
