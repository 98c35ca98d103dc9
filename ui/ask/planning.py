"""Planning: a question as it stands becomes a row of the plan, by this method and with this epsilon held."""

from __future__ import annotations

import streamlit as st

from discreet.lab.plans import Wanted
from discreet.lab.plans.curve import serves
from discreet.mechanisms.several_quantiles import QUANTILES
from discreet.queries.quantile import Quantile
from discreet.ui.ask.form import Question
from discreet.ui.frame.words import say
from discreet.ui.state import workspace


def to_plan(asked: Question, key: str) -> None:
    """Offer it, where a plan can ask it."""
    space, item = workspace(), _row(asked)
    common = space.sheet.common
    if item is None or item.method is None:
        return
    if not serves(item.subject(space.dataset.schema, common.people, common.shape), item.method, common.total.delta):
        return
    there = item in space.sheet.items
    st.button(
        say("It is a row of the plan") if there else say("Add to the plan"),
        icon=":material/checklist:",
        disabled=there,
        key=f"{key}:to-plan",
        on_click=space.sheet.add,
        args=((item,),),
        width="stretch",
    )


def _row(asked: Question) -> Wanted | None:
    """Return a question as a row; None where a row cannot say all of it."""
    request, mechanism = asked.request, asked.request.mechanism
    if len(request.columns) > 1 or mechanism.neighbours.change_one:
        return None
    levelled = asked.topic.name in (Quantile.name, QUANTILES.name)
    level = mechanism.values().get("levels" if asked.topic == QUANTILES else "q") if levelled else None
    if levelled and level is None:
        return None
    return Wanted(
        asked.topic.name,
        request.columns[0],
        request.groups or None,
        request.where,
        level,
        held=request.cost().epsilon,
        method=type(mechanism).slug,
    )
