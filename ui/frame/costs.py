"""Costs: amounts of epsilon and delta side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from discreet.budget import Cost
from discreet.budget.cost import EPSILON_UNITS
from discreet.budget.plans import Proven
from discreet.ui.frame.words import number, say

THOUSANDTH = EPSILON_UNITS // 1000  # of epsilon: finer, no price is compared


def side_by_side(costs: Mapping[str, Cost]) -> None:
    """Show three costs, each under its label."""
    for place, (label, cost) in zip(st.columns(3), costs.items(), strict=True):
        delta = say("δ {delta}", delta=number(cost.delta)) if cost.delta_units else say("no δ")
        place.metric(label, f"ε {cost.epsilon:g}", delta, delta_color="off", delta_arrow="off", border=True)


def proof_of(total: Proven) -> str:
    """Say by which proof the rows of a plan cost so much together, and what they would cost one by one."""
    if total.cost == total.plain:
        return say("Proven by: {proof}.", proof=say(total.proof))
    plain = replace(total.plain, nano_epsilon=-(-total.plain.nano_epsilon // THOUSANDTH) * THOUSANDTH)
    return say("Proven by: {proof}. One by one these rows would cost {plain}.", proof=say(total.proof), plain=plain)
