"""Overview: all datasets in one table, and one of them over time and by analyst."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from discreet.budget.allowance import Metered
from discreet.office import House, Member, deadlines, outlook
from discreet.office.memberships import name_of
from discreet.office.outlook import Outlook
from discreet.ui.figures import look
from discreet.ui.frame.links import pick
from discreet.ui.frame.wording import period_named
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import standpoint
from discreet.ui.office.declared import STATES


def show(house: House, who: Member) -> None:
    """Show where every dataset stands, and how one of them came there."""
    every = table(house, who)
    dataset = pick(say("Dataset"), {each.data.id: each.data.name for each in every}, standpoint.DATASET)
    left, right = st.columns([3, 2], gap="medium")
    with left, st.container(border=True):
        _over_time(house, who, next(each for each in every if each.data.id == dataset))
    with right, st.container(border=True):
        _by_analyst(house, who, dataset)
    _ends(house, who)


def table(house: House, who: Member) -> list[Outlook]:
    """Show a line for each dataset of somebody's; return where they stand."""
    every = outlook.outlooks(house, who)
    if not every:
        return []
    st.caption(say("What is spent stays spent. Reserved is what waits, or was approved and has no answer yet."))
    st.dataframe(pd.DataFrame([_line(each) for each in every]), hide_index=True, width="stretch")
    return every


def _ends(house: House, who: Member) -> None:
    """Show what ends when."""
    st.header(say("What ends when"), anchor=False)
    ends = deadlines.deadlines(house, who)
    if not ends:
        st.caption(say("No request waits, and no dataset has a day on which it ends."))
        return
    late = [each for each in ends if each.day < house.now.date()]
    if late:
        st.warning(say("Past their day: {names}.", names=quoted(", ".join(each.of for each in late))))
    lines = [{say("Day"): each.day.isoformat(), say("What"): say(each.what), say("Of"): each.of} for each in ends]
    st.dataframe(pd.DataFrame(lines), hide_index=True, width="stretch")


def _line(each: Outlook) -> dict[str, object]:
    """Return a dataset as one line."""
    said = each.data.registration
    return {
        say("Dataset"): each.data.name,
        say("Who is protected"): say(said.protected),
        say("State"): say(STATES[each.data.state]),
        say("ε spent or reserved"): each.spent.epsilon,
        say("ε left"): each.left.epsilon,
        say("ε in all"): each.limit.epsilon,
        say("Waiting"): each.waiting,
        say("This period"): "–" if each.period is None else _left(each.period),
        say("Spent, at this pace, on"): each.ends or "–",
        say("Version"): len(each.data.versions),
        say("Newest answer"): each.last or "–",
        say("Rows are kept until"): said.keep_until or "–",
    }


def _left(period: Metered) -> str:
    """Say which period it is, and what is left of it."""
    return f"{period_named(period.label)}: ε {period.left.epsilon:g}"


def _over_time(house: House, who: Member, each: Outlook) -> None:
    """Draw what was spent or reserved over time, below what there is in all."""
    st.header(say("Over time"), anchor=False)
    if each.data.registration.allowance is not None:
        st.caption(quoted(say(each.data.registration.allowance.words)))
    points = outlook.spent_over_time(house, who, each.data.id)
    days, spent = [day.isoformat(timespec="seconds") for day, _ in points], [epsilon for _, epsilon in points]
    fig = look.figure(say("Day"), say("ε spent or reserved"))
    fig.update_xaxes(**look.AS_DATES)
    colour = look.truth_colour()
    fig.add_scatter(x=days, y=spent, mode="lines+markers", line={"color": colour, "shape": "hv"})
    most = f"{each.limit.epsilon:g}"
    look.level(fig, each.limit.epsilon, say("Whole budget"), look.quiet())
    words = say("The dashed line is the whole budget, ε {most}.", most=most)
    look.show(fig, words, {"day": days, "epsilon": spent}, f"overview:{each.data.id}")


def _by_analyst(house: House, who: Member, dataset: str) -> None:
    """Show who has spent and reserved how much."""
    st.header(say("By analyst"), anchor=False)
    parts = outlook.shares(house, who, dataset)
    if not parts:
        st.caption(say("Nothing was asked yet."))
        return
    lines = [
        {
            say("Analyst"): name_of(house, part.analyst),
            say("ε spent"): part.spent.epsilon,
            say("ε reserved"): part.reserved.epsilon,
        }
        for part in parts
    ]
    st.dataframe(pd.DataFrame(lines), hide_index=True, width="stretch")
