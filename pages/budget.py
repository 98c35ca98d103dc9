"""Budget: every charge, what it amounts to under other accountings, and a new budget on purpose."""

import pandas as pd
import streamlit as st

from discreet.budget import BASIC, ZCDP, Cost, ParameterError, all_views, charges
from discreet.curator.export import ledger_csv, releases_csv, releases_json
from discreet.ui.figures import composition
from discreet.ui.frame.buttons import primary
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.state import LIMIT, workspace

RULES = {"Basic": BASIC, "zCDP": ZCDP}


def totals() -> None:
    """Show what is spent and left."""
    ledger = workspace().curator.ledger
    told = {say("Spent"): ledger.spent, say("Left"): ledger.left, say("Limit"): ledger.limit}
    for place, (label, cost) in zip(st.columns(3), told.items(), strict=True):
        delta = say("δ {delta}", delta=number(cost.delta)) if cost.delta_units else say("no δ")
        place.metric(label, f"ε {cost.epsilon:g}", delta, delta_color="off", delta_arrow="off", border=True)
    st.caption(
        say("Rule: {rule}. Kept for good; a charge is never given back.", rule=ledger.rule.name)
        if ledger.lasting
        else say("Rule: {rule}. Valid until the server stops; a charge is never given back.", rule=ledger.rule.name)
    )


def lines() -> None:
    """Show the ledger, oldest first."""
    space = workspace()
    ledger, answers = space.curator.ledger, space.curator.releases
    entries = ledger.entries
    st.subheader(say("Ledger"), anchor=False)
    if not entries:
        st.info(say("Nothing is spent yet. Every question is charged before a row is read."))
        return
    told = [
        {
            say("Entry"): e.seq + 1,
            say("What"): say(e.kind),
            say("ε"): e.cost.epsilon,
            say("δ"): number(e.cost.delta),
            say("Held"): str(e.held) if e.held.nano_epsilon else "",
            say("Settled"): "" if e.taken is None else say("taken") if e.taken else say("free again"),
            say("Question"): e.request_id[:8],
        }
        for e in entries
    ]
    st.dataframe(pd.DataFrame(told), hide_index=True, width="stretch")
    st.caption(say("Held: kept back until a test said whether there is an answer."))
    if ledger.lasting:
        return
    left, middle, right = st.columns(3)
    schema = space.dataset.schema
    for place, label, data, name, mime in (
        (left, say("Ledger (CSV)"), ledger_csv(entries), "ledger.csv", "text/csv"),
        (middle, say("Answers (CSV)"), releases_csv(answers, schema), "answers.csv", "text/csv"),
        (right, say("Answers (JSON)"), releases_json(answers, schema), "answers.json", "application/json"),
    ):
        place.download_button(label, data, name, mime, on_click="ignore", width="stretch", icon=":material/download:")


def views() -> None:
    """Show the same history under other accountings."""
    entries = workspace().curator.ledger.entries
    if not entries:
        return
    st.subheader(say("The same history under other accountings"), anchor=False)
    delta = st.select_slider(say("At delta"), ("1e-9", "1e-8", "1e-7", "1e-6", "1e-5"), "1e-5")
    told = all_views(charges(entries), delta)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        composition.views(told)
    with right:
        for view in told:
            st.markdown(f"**{say(view.name)}** ε {number(view.epsilon)}")
            st.caption(quoted(say(view.note)))
        st.caption(say("The rule of the ledger decides; the others are shown for comparison."))


def replace() -> None:
    """Replace the budget by an act that says what it means."""
    st.markdown(
        say(
            "**The old answers stay in the world.** What they told about the people in these data "
            "adds to whatever a new budget tells: the true total is the sum of both. "
            "This cannot be undone, and the old ledger closes."
        )
    )
    epsilon = st.number_input(say("Epsilon"), 0.1, 50.0, LIMIT.epsilon, 0.5)
    delta = st.selectbox(say("Delta"), ["1e-5", "1e-6", "1e-7", "1e-8", "0"])
    rule = st.selectbox(say("Rule"), list(RULES), help=say("zCDP suits many Gaussian releases."))
    known = st.checkbox(say("I know that the privacy loss of both budgets adds up"))
    if primary(say("Open a new budget"), disabled=not known):
        try:
            workspace().replace_budget(Cost.of(str(epsilon), delta), RULES[rule])
        except ParameterError as wrong:
            st.error(quoted(say(wrong)))
            return
        st.rerun()


st.title(say("Budget"), anchor=False)
totals()
lines()
views()
lasting = workspace().curator.ledger.lasting
if not lasting:
    st.divider()
if not lasting and st.button(say("Replace this budget"), icon=":material/restart_alt:"):
    st.dialog(say("A new budget"))(replace)()
