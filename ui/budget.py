"""Budget: the page with what is spent and left, the totals under other accountings, and the replacement of a budget."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import pandas as pd
import streamlit as st

from discreet.budget import RULES, Cost, Entry, ParameterError, all_views, charges
from discreet.budget.cost import EPSILON_UNITS
from discreet.budget.durable.spent import LastingLedger
from discreet.budget.ledger import NOTHING
from discreet.lab.samples import SAMPLES
from discreet.office import Member
from discreet.office.house.roles import OFFICER
from discreet.report.export import file_name
from discreet.report.tables import ledger_csv
from discreet.ui.downloads import stem
from discreet.ui.figures import curves
from discreet.ui.frame import results
from discreet.ui.frame.links import link, primary
from discreet.ui.frame.strip import EARLIER, OWN, SHARED, UNKNOWN, asked_for, digits
from discreet.ui.frame.words import named, number, quoted, say
from discreet.ui.office.datasets import page
from discreet.ui.office.forms import fold
from discreet.ui.session import door
from discreet.ui.session.state import LIMIT, workspace

# Charges: what is spent and left, and every entry of the ledger.


def totals() -> None:
    """Show the name of the dataset, what is spent and what is left."""
    st.header(say("Dataset: {name}", name=quoted(named(workspace().here.name))), anchor=False)
    _totals()


def _totals() -> None:
    ledger = workspace().curator.ledger
    stands = ledger.standing
    waits = {say("Reserved"): stands.reserved} if stands.reserved != NOTHING else {}
    results.side_by_side({say("Spent"): stands.spent, **waits, say("Left"): stands.left, say("Total"): stands.limit})
    rule = say(ledger.rule.name)
    if ledger.lasting:
        st.caption(say("Accounting: {rule}. This budget is permanent. Spent budget is not refunded.", rule=rule))
    elif isinstance(ledger, LastingLedger):
        st.caption(
            say(
                "Accounting: {rule}. When the server stops, spending is kept but results are lost. Spent budget "
                "is not refunded.",
                rule=rule,
            )
        )
    else:
        st.caption(
            say(
                "Accounting: {rule}. {note} Spent budget is not refunded.",
                rule=rule,
                note=say(SHARED if workspace().here.dataset.protected else OWN),
            )
        )
    before = sum(workspace().before, NOTHING)
    if before != NOTHING:
        st.warning(say(EARLIER, before=before))


def lines() -> None:
    """Show the entries of the ledger, oldest first."""
    ledger = workspace().curator.ledger
    entries = ledger.entries
    st.header(say("Ledger"), anchor=False)
    if not entries:
        st.info(say("Nothing is spent yet. Every query is charged before any row is read."))
        return
    asked = asked_for(workspace().here, entries)
    ends = {entry.request_id: entry.taken for entry in entries if entry.kind == "settle"}
    charged = [_line(entry, ends, asked) for entry in entries if entry.kind == "charge"]
    table = pd.DataFrame(charged)
    to_the_right = st.column_config.Column(alignment="right")
    settings = {say("ε"): to_the_right, say("δ"): to_the_right}
    kept = table.loc[:, (table != "").any()]
    st.dataframe(kept, hide_index=True, width="stretch", column_config=settings)
    if say("Reserved") in kept:
        st.caption(say("Reserved: kept back until the test shows whether there is a result."))
    if len(charged) < len(entries):
        st.caption(say("Other entries record that a query was completed; they cost nothing."))
    if workspace().here.desk is None:
        _take_along(entries)


def _line(entry: Entry, ends: Mapping[str, bool | None], asked: Mapping[str, str]) -> dict[str, object]:
    """Return a charge as one line with its outcome, which the ledger keeps as a separate entry."""
    held = "" if not entry.held.nano_epsilon else say("taken") if ends.get(entry.request_id) else say("returned")
    return {
        say("Entry"): entry.seq + 1,
        say("Query"): asked.get(entry.request_id, say(UNKNOWN)),
        say("ε"): entry.cost.epsilon,
        say("δ"): number(entry.cost.delta),
        say("Completed"): say("yes") if entry.request_id in ends else say("not yet"),
        say("Reserved"): str(entry.held) if entry.held.nano_epsilon else "",
        say("Reserved part"): held if entry.request_id in ends else "",
    }


def _take_along(entries: Sequence[Entry]) -> None:
    """Offer the ledger as a file; the results are offered on their own page."""
    name = file_name(stem(), say("ledger"), f"{datetime.now(UTC):%Y-%m-%d}", ending="csv")
    icon = ":material/download:"
    st.download_button(say("Ledger (CSV)"), ledger_csv(entries), name, "text/csv", on_click="ignore", icon=icon)


# Accountings: the total of the same charges under other accounting rules.


def show_accountings() -> None:
    """Offer the total of the same charges under other accountings."""
    if workspace().curator.ledger.entries:
        fold("accountings", say("Choose an accounting method for a later budget"), _accountings)


def _accountings() -> None:
    entries = workspace().curator.ledger.entries
    delta = st.select_slider(say("At δ"), ("1e-9", "1e-8", "1e-7", "1e-6", "1e-5"), "1e-5")
    views = all_views(charges(entries), delta)
    left, right = st.columns([3, 2], gap="medium")
    totals = [digits(round(view.epsilon * EPSILON_UNITS)) if math.isfinite(view.epsilon) else "∞" for view in views]
    with left:
        curves.views(views, totals)
    with right:
        for view, total in zip(views, totals, strict=True):
            st.markdown(f"**{say(view.name)}** ε {total}")
            st.caption(quoted(say(view.note)))
        st.caption(
            say(
                "This budget counts by {rule}. The others are what the same results would have cost.",
                rule=say(workspace().curator.ledger.rule.name),
            )
        )


# Registered budgets: an officer without a dataset of their own sees these instead of the dataset in use.


def in_place_of_sample(person: Member | None) -> bool:
    """Whether the viewer is an officer who asked nothing of the sample and uses no dataset of their own."""
    if person is None or OFFICER not in person.roles:
        return False
    space = workspace()
    return space.current in SAMPLES and not space.curator.ledger.entries


def show_registered(person: Member | None) -> None:
    """Show an officer the budgets of all datasets they are responsible for; show nothing to others."""
    house = door.house()
    if house is None or person is None or OFFICER not in person.roles:
        return
    st.header(say("Registered datasets"), anchor=False)
    if page.table(house, person):
        link(
            "datasets",
            say("View spending over time and by analyst, and end dates"),
            "inventory_2",
            {"registered-view": "all"},
        )
    else:
        st.info(say("No dataset is registered yet."))


# Replacement: a new budget, after a confirmation that says what it means.


def offer() -> None:
    """Offer a new budget for an uploaded dataset; the budget of a registered dataset cannot be replaced."""
    space = workspace()
    if space.here.desk is not None or space.here.shelved or not space.may_begin_anew:
        return
    st.divider()
    if st.button(say("Replace this budget"), icon=":material/restart_alt:"):
        st.dialog(say("New budget"))(replace)()


def replace() -> None:
    """Replace the budget after the person has confirmed what it means."""
    st.markdown(
        say(
            "**Released results cannot be recalled.** What they reveal about the people in this dataset adds "
            "to what a new budget reveals. The true total is the sum of both. The old ledger is closed. This "
            "cannot be undone."
        )
    )
    epsilon = st.number_input(say("ε"), 0.1, 50.0, LIMIT.epsilon, 0.5)
    delta = st.selectbox(say("δ"), ["1e-5", "1e-6", "1e-7", "1e-8", "0"])
    rule = results.choice()
    sure = st.checkbox(say("I understand that the privacy losses of both budgets add up"))
    if primary(say("Open new budget"), disabled=not sure):
        try:
            workspace().replace_budget(Cost.of(str(epsilon), delta), RULES[rule])
        except ParameterError as wrong:
            st.error(quoted(say(wrong)))
            return
        st.rerun()
