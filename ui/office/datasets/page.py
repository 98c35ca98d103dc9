"""Registered data page: budget, policy, versions, ledger and end of a dataset."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.budget.allowance import Metered
from discreet.office import House, Member, Policy
from discreet.office.datasets import changes, lifecycle, registry
from discreet.office.datasets.registry import Registered
from discreet.office.house.roles import OFFICER
from discreet.office.notices import deadlines, outlook
from discreet.office.notices.outlook import Outlook
from discreet.office.people.accounts import name_of
from discreet.office.rules import rights
from discreet.office.rules.two_persons import Motion
from discreet.office.running import housekeeping
from discreet.ui.figures import theme
from discreet.ui.frame import results
from discreet.ui.frame.links import link, pick, view
from discreet.ui.frame.words import period_named, quoted, say
from discreet.ui.office import first_steps, forms
from discreet.ui.office.datasets import connecting, registering, terms, versions
from discreet.ui.office.datasets.declaration import STATES, declared, said
from discreet.ui.office.datasets.drafts import Form, hold, resume, sent
from discreet.ui.office.forms import Entries, do, turned
from discreet.ui.session import door

# Policy: the policy of a dataset as a form, and a proposed policy that waits for a second officer.


def show_policy(house: House, who: Member, data: Registered) -> None:
    """Show the policy as a form; a change applies from then on."""
    mark = f"policy:{data.id}"
    entries = Entries(turned(mark))
    st.header(say("Policy"), anchor=False)
    form = Form(mark, data.name, (mark,))
    resume(house, who, form)
    terms.ask_policy(data.policy, entries)
    hold(house, who, form)
    saved = st.button(say("Change policy"), width="stretch", key=entries.key("go"))
    terms.second_officer(rights.alone(house, who, OFFICER, data.id))
    _waiting_policy(house, who, data)
    if saved:
        do(lambda: _amend(house, who, data, entries, form))


def _amend(house: House, who: Member, data: Registered, entries: Entries, form: Form) -> None:
    """Change the policy, or propose the change, and say which; drop the saved draft of the form."""
    holds = changes.amend(house, who, data.id, terms.policy_of(entries))
    sent(form)
    words = say("Policy saved. It applies from now on.") if holds else say("Proposed. Another officer must confirm it.")
    st.toast(words, icon=":material/check:")


def elsewhere(house: House, who: Member, datasets: Sequence[Registered]) -> None:
    """Show the proposed policies of datasets kept by others: any officer can be the second one."""
    for data in datasets if OFFICER in who.roles else ():
        waits = rights.pending(house, "policy", data.id)
        if waits is not None:
            with st.container(border=True):
                st.header(say("Policy of {name}", name=quoted(data.name)), anchor=False)
                _confirm(house, who, data, waits)


def _waiting_policy(house: House, who: Member, data: Registered) -> None:
    """Show a proposed policy that waits for a second officer, who can confirm or reject it."""
    waits = rights.pending(house, "policy", data.id)
    if waits is None:
        return
    _confirm(house, who, data, waits)
    if st.button(say("Withdraw proposal"), width="stretch", key=f"no:{waits.id}"):
        do(lambda: rights.drop(house, who, OFFICER, waits, data.name))


def _confirm(house: House, who: Member, data: Registered, waits: Motion) -> None:
    """Show the proposed policy, and let an officer other than its author confirm it."""
    wanted = Policy(**waits.wanted)
    st.warning(
        say(
            "{name} proposes another policy. It takes effect once another officer confirms it.",
            name=quoted(name_of(house, waits.by)),
        )
    )
    said(terms.policy_in_words(wanted))
    if waits.by != who.id and st.button(say("Confirm policy"), width="stretch", key=f"yes:{waits.id}"):
        do(lambda: changes.amend(house, who, data.id, wanted))


# End: the end of queries, and the deletion of the rows.


def end(house: House, who: Member, data: Registered) -> None:
    """Close the dataset, or delete its rows, each after a typed confirmation."""
    st.header(say("Close or delete"), anchor=False)
    if lifecycle.untouched(house, data.id):
        _withdrawal(house, who, data)
    if data.state == "deleted":
        st.caption(say("The rows are deleted. The ledger, requests and results are kept."))
        return
    if data.state == "open":
        sure = st.checkbox(say("I understand that a closed dataset cannot be reopened"), key=f"close:{data.id}")
        if st.button(say("Close dataset"), disabled=not sure, width="stretch"):
            do(lambda: lifecycle.close(house, who, data.id))
    deletion = Phrase("{name} proposes to delete the rows permanently.")
    if forms.waiting_end(house, who, data, lifecycle.DELETION, deletion, True):
        do(lambda: lifecycle.erase(house, who, data.id))
    st.caption(
        say(
            "Backups also contain these rows, and this button does not delete them there. The server "
            "administrator can use the command {command}, which explains how to handle backups.",
            command="**erase**",
        )
    )
    sure = st.checkbox(say("I understand that deleted rows cannot be restored"), key=f"end:{data.id}")
    if st.button(say("Delete rows"), disabled=not sure, width="stretch"):
        do(lambda: lifecycle.erase(house, who, data.id))


def _withdrawal(house: House, who: Member, data: Registered) -> None:
    """Withdraw a registration that was never queried."""
    st.caption(
        say(
            "This dataset has no requests. If it was registered by mistake, withdraw the "
            "registration; the same rows can then be registered again. The registration and its rows "
            "are permanently removed here. The audit log keeps the fact of the registration, its "
            "author and your reason. Backups still contain its rows."
        )
    )
    proposal = Phrase("{name} proposes to withdraw the registration.")
    why = st.text_input(say("Reason for withdrawal"), key=f"withdraw-why:{data.id}", max_chars=lifecycle.LONGEST)
    if forms.waiting_end(house, who, data, lifecycle.DELETION, proposal, lifecycle.WANTED):
        do(lambda: lifecycle.withdraw(house, who, data.id, why))
    sure = st.checkbox(say("I understand that a withdrawn registration cannot be restored"), key=f"withdraw:{data.id}")
    if st.button(say("Withdraw registration"), disabled=not sure, width="stretch"):
        do(lambda: lifecycle.withdraw(house, who, data.id, why))


# Verification: the entries of a dataset's ledger, and whether their hash chain is valid.


def show_ledger(house: House, who: Member, data: Registered) -> None:
    """Show the latest hash of the chain, verify the chain, and list its entries."""
    st.header(say("Ledger"), anchor=False)
    ledger = registry.ledger(house, data.id)
    lines = ledger.lines
    st.caption(say("{lines} ledger entries. Latest hash, as shown on every card:", lines=len(lines)))
    st.code(f"{len(lines) - 1}:{ledger.head}" if lines else ledger.head, language=None, wrap_lines=True)
    if st.button(say("Verify ledger"), icon=":material/verified:", width="stretch"):
        _verify(house, who, data)
    with st.expander(say("All entries")):
        table = [
            {
                say("Line"): line["seq"],
                say("Kind"): say(line["kind"]),
                say("ε"): line["cost_epsilon"] / 1e9,
                say("Query"): line["request"][:8],
                say("Hash"): line["hash"][:12],
            }
            for line in lines
        ]
        st.dataframe(pd.DataFrame(table), hide_index=True, width="stretch")


def _verify(house: House, who: Member, data: Registered) -> None:
    verdict = lifecycle.check_ledger(house, who, data.id)
    if verdict.holds:
        st.success(
            say("All {lines} entries are verified: order, hashes, totals, limit and results.", lines=verdict.lines)
        )
    else:
        st.error(say("Entry {at}: {why}", at=verdict.at, why=say(verdict.wrong or "")))


# Overview: all datasets in one table, and one of them over time and by analyst.


def show_overview(house: House, who: Member) -> None:
    """Show the state of every dataset, and the history of one."""
    every = table(house, who)
    dataset = pick(say("Dataset"), {each.data.id: each.data.name for each in every}, forms.DATASET)
    left, right = st.columns([3, 2], gap="medium")
    with left, st.container(border=True):
        _over_time(house, who, next(each for each in every if each.data.id == dataset))
    with right, st.container(border=True):
        _by_analyst(house, who, dataset)
    _ends(house, who)


def table(house: House, who: Member) -> list[Outlook]:
    """Show a line for each dataset of a person; return their states."""
    every = outlook.outlooks(house, who)
    if not every:
        return []
    st.caption(
        say(
            "Reserved budget is for requests that are waiting, or approved without a result yet. "
            "Spent budget is not refunded."
        )
    )
    st.dataframe(pd.DataFrame([_line(each) for each in every]), hide_index=True, width="stretch")
    return every


def _ends(house: House, who: Member) -> None:
    st.header(say("Upcoming deadlines"), anchor=False)
    ends = deadlines.deadlines(house, who)
    if not ends:
        st.caption(say("No requests are waiting, and no dataset has an end date."))
        return
    late = [each for each in ends if each.day < house.now.date()]
    if late:
        st.warning(say("Overdue: {names}.", names=quoted(", ".join(each.of for each in late))))
    lines = [
        {say("Date"): each.day.isoformat(), say("What"): say(each.what), say("Applies to"): each.of} for each in ends
    ]
    st.dataframe(pd.DataFrame(lines), hide_index=True, width="stretch")


def _line(each: Outlook) -> dict[str, object]:
    said = each.data.registration
    return {
        say("Dataset"): each.data.name,
        say("Unit of privacy"): say(said.protected),
        say("State"): say(STATES[each.data.state]),
        say("ε spent or reserved"): each.spent.epsilon,
        say("ε left"): each.left.epsilon,
        say("Total ε"): each.limit.epsilon,
        say("Waiting"): each.waiting,
        say("This period"): "–" if each.period is None else _left(each.period),
        say("Runs out on (current pace)"): each.ends or "–",
        say("Version"): len(each.data.versions),
        say("Latest result"): each.last or "–",
        say("Rows kept until"): said.keep_until or "–",
    }


def _left(period: Metered) -> str:
    """Describe a period and what is left of it."""
    return f"{period_named(period.label)}: ε {period.left.epsilon:g}"


def _over_time(house: House, who: Member, each: Outlook) -> None:
    """Draw what was spent or reserved over time, with the total budget as the upper limit."""
    st.header(say("Over time"), anchor=False)
    if each.data.registration.allowance is not None:
        st.caption(quoted(say(each.data.registration.allowance.words)))
    points = outlook.spent_over_time(house, who, each.data.id)
    days = [day.isoformat(timespec="seconds") for day, _ in points]
    spent = [epsilon for _, epsilon in points]
    fig = theme.figure(say("Date"), say("ε spent or reserved"))
    fig.update_xaxes(**theme.AS_DATES)
    colour = theme.colour("result")
    fig.add_scatter(x=days, y=spent, mode="lines+markers", line={"color": colour, "shape": "hv"})
    most = f"{each.limit.epsilon:g}"
    theme.level(fig, each.limit.epsilon, say("Total budget"), theme.quiet())
    words = say("The dashed line is the total budget, ε = {most}.", most=most)
    theme.show(fig, words, {"day": days, "epsilon": spent}, f"overview:{each.data.id}")


def _by_analyst(house: House, who: Member, dataset: str) -> None:
    """Show how much each analyst has spent and reserved."""
    st.header(say("By analyst"), anchor=False)
    parts = outlook.shares(house, who, dataset)
    if not parts:
        st.caption(say("No requests yet."))
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


# Page: the budget, policy, ledger and end of each dataset.

VIEWS = {"kept": Phrase("Registered"), "all": Phrase("Overview"), "new": Phrase("Register a dataset")}


def show() -> None:
    """Show the registered datasets, or register a new one."""
    st.title(say("Datasets"), anchor=False)
    house = door.house()
    who = door.who()
    if house is None or who is None:
        return
    mine = rights.of_officer(house, who)
    every = registry.everything(house)
    datasets = [data for data in every if data.id in mine]
    elsewhere(house, who, [data for data in every if data.id not in mine])
    part = view(say("View"), VIEWS, forms.VIEW, "kept" if datasets else "new")
    if part == "new":
        registering.show(house, who)
    elif not datasets:
        st.info(say("No dataset is registered yet."))
    elif part == "all":
        _overdue(house, datasets)
        show_overview(house, who)
    else:
        _overdue(house, datasets)
        first_steps.show(house, who)
        _dataset(house, who, _chosen(datasets))


def _overdue(house: House, datasets: Sequence[Registered]) -> None:
    late = housekeeping.overdue(house, datasets)
    if late:
        st.warning(say("Past the deletion date: {names}.", names=quoted(", ".join(data.name for data in late))))


def _chosen(datasets: Sequence[Registered]) -> Registered:
    by_id = {data.id: data for data in datasets}
    return by_id[pick(say("Dataset"), {id_: data.name for id_, data in by_id.items()}, forms.DATASET)]


def _dataset(house: House, who: Member, data: Registered) -> None:
    """Show one dataset: its details on the left, the possible actions on the right."""
    ledger = registry.ledger(house, data.id)
    results.side_by_side({say("Spent or reserved"): ledger.spent, say("Left"): ledger.left, say("Total"): ledger.limit})
    left, right = st.columns([3, 2], gap="medium")
    with left:
        with st.container(border=True):
            declared(house, data)
            registering.show_extension(house, who, data)
        with st.container(border=True):
            versions.show(house, who, data)
        with st.container(border=True):
            show_policy(house, who, data)
    with right:
        with st.container(border=True):
            show_ledger(house, who, data)
        if data.table and data.state != "deleted":
            with st.container(border=True):
                connecting.show_reconnect(house, who, data)
        with st.container(border=True):
            link("published_results", say("Publish results"), "public", {"of": data.id})
            link("audit_log", say("Create audit file"), "folder_zip", {"of": data.id})
        with st.container(border=True):
            end(house, who, data)
