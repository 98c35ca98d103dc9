"""Registered data page: budget, policy, versions, ledger, end, and the auditor's file of a dataset."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from discreet.budget import Phrase
from discreet.budget.allowance import Metered
from discreet.office import House, Member, Policy
from discreet.office.auditing import signing
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
from discreet.ui.frame.links import files, pick, view
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
    saved = st.button(say("Change the policy"), width="stretch", key=entries.key("go"))
    terms.second_officer(rights.alone(house, who, OFFICER, data.id))
    _waiting_policy(house, who, data)
    if saved:
        do(lambda: _amend(house, who, data, entries, form))


def _amend(house: House, who: Member, data: Registered, entries: Entries, form: Form) -> None:
    """Change the policy, or propose the change, and say which; drop the saved draft of the form."""
    holds = changes.amend(house, who, data.id, terms.policy_of(entries))
    sent(form)
    words = say("The policy holds from now on.") if holds else say("It is proposed, and waits for another officer.")
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
    if st.button(say("Drop this proposal"), width="stretch", key=f"no:{waits.id}"):
        do(lambda: rights.drop(house, who, OFFICER, waits, data.name))


def _confirm(house: House, who: Member, data: Registered, waits: Motion) -> None:
    """Show the proposed policy, and let an officer other than its author confirm it."""
    wanted = Policy(**waits.wanted)
    st.warning(
        say(
            "{name} proposes another policy. It holds when another officer confirms it.",
            name=quoted(name_of(house, waits.by)),
        )
    )
    said(terms.policy_in_words(wanted))
    if waits.by != who.id and st.button(say("Confirm this policy"), width="stretch", key=f"yes:{waits.id}"):
        do(lambda: changes.amend(house, who, data.id, wanted))


# End: the publication of a dataset's results, the end of queries, and the deletion of its rows.


def publication(house: House, who: Member, data: Registered) -> None:
    """Publish the list of releases, or withdraw it."""
    st.header(say("Publication"), anchor=False)
    st.caption(
        say("Everybody can read the list of releases.")
        if data.published
        else say(
            "Published, every answer of these data becomes readable without signing in, with "
            "its question, purpose and cost; names are not shown. What was copied meanwhile "
            "cannot be called back."
        )
    )
    label = say("Stop publishing") if data.published else say("Publish the list of releases")
    if _waiting_end(house, who, data, lifecycle.PUBLICATION, Phrase("{name} proposes to publish the list."), True):
        do(lambda: lifecycle.publish(house, who, data.id, True))
    if st.button(label, width="stretch", icon=":material/public:"):
        do(lambda: lifecycle.publish(house, who, data.id, not data.published))
    files(say("All releases as a file"), f"/releases/{data.id}")


def end(house: House, who: Member, data: Registered) -> None:
    """Close the dataset, or delete its rows, each after a typed confirmation."""
    st.header(say("End"), anchor=False)
    if lifecycle.untouched(house, data.id):
        _withdrawal(house, who, data)
    if data.state == "deleted":
        st.caption(say("The rows are deleted. Ledger, requests and releases stay."))
        return
    if data.state == "open":
        sure = st.checkbox(say("I know that closed data cannot be opened again"), key=f"close:{data.id}")
        if st.button(say("Close: nothing more is asked"), disabled=not sure, width="stretch"):
            do(lambda: lifecycle.close(house, who, data.id))
    deletion = Phrase("{name} proposes to delete the rows for good.")
    if _waiting_end(house, who, data, lifecycle.DELETION, deletion, True):
        do(lambda: lifecycle.erase(house, who, data.id))
    st.caption(
        say(
            "Backups hold these rows, too, and the button does not reach them. Whoever keeps the server can "
            "delete them with the office's command {command} instead, which says what to do about the backups.",
            command="**erase**",
        )
    )
    sure = st.checkbox(say("I know that deleted rows cannot be brought back"), key=f"end:{data.id}")
    if st.button(say("Delete the rows"), disabled=not sure, width="stretch"):
        do(lambda: lifecycle.erase(house, who, data.id))


def _withdrawal(house: House, who: Member, data: Registered) -> None:
    """Withdraw a registration that was never queried."""
    st.caption(
        say(
            "Nothing was ever asked of these data. If they were registered by mistake, withdraw the registration: the "
            "same rows can then be registered anew. It and its rows are gone from here for good; the trail keeps that "
            "it was registered, by whom, and your reason. Backups hold its rows still."
        )
    )
    proposal = Phrase("{name} proposes to withdraw the registration.")
    why = st.text_input(say("Why it is withdrawn"), key=f"withdraw-why:{data.id}", max_chars=lifecycle.LONGEST)
    if _waiting_end(house, who, data, lifecycle.DELETION, proposal, lifecycle.WANTED):
        do(lambda: lifecycle.withdraw(house, who, data.id, why))
    sure = st.checkbox(say("I know that a withdrawn registration cannot be brought back"), key=f"withdraw:{data.id}")
    if st.button(say("Withdraw the registration"), disabled=not sure, width="stretch"):
        do(lambda: lifecycle.withdraw(house, who, data.id, why))


def _waiting_end(house: House, who: Member, data: Registered, act: str, words: Phrase, wanted: object) -> bool:
    """Show an action that waits for a second officer, with a way to reject it; return whether one just confirmed it."""
    waits = rights.pending(house, act, data.id)
    if waits is None or waits.wanted != wanted:
        return False
    st.warning(quoted(say(Phrase(words, name=name_of(house, waits.by)))))
    st.caption(say("It is done when another officer confirms it."))
    if st.button(say("Drop this proposal"), width="stretch", key=f"no:{waits.id}"):
        do(lambda: rights.drop(house, who, OFFICER, waits, data.name))
    return waits.by != who.id and st.button(say("Confirm"), width="stretch", key=f"yes:{waits.id}")


# Verification: the entries of a dataset's ledger, and whether their hash chain is valid.


def show_ledger(house: House, who: Member, data: Registered) -> None:
    """Show the latest hash of the chain, verify the chain, and list its entries."""
    st.header(say("Ledger"), anchor=False)
    ledger = registry.ledger(house, data.id)
    lines = ledger.lines
    st.caption(say("{lines} lines. Head of the chain, as every card shows it:", lines=len(lines)))
    st.code(f"{len(lines) - 1}:{ledger.head}" if lines else ledger.head, language=None, wrap_lines=True)
    if st.button(say("Verify the whole chain"), icon=":material/verified:", width="stretch"):
        _verify(house, who, data)
    with st.expander(say("All lines")):
        table = [
            {
                say("Line"): line["seq"],
                say("Kind"): say(line["kind"]),
                say("ε"): line["cost_epsilon"] / 1e9,
                say("Question"): line["request"][:8],
                say("Hash"): line["hash"][:12],
            }
            for line in lines
        ]
        st.dataframe(pd.DataFrame(table), hide_index=True, width="stretch")


def _verify(house: House, who: Member, data: Registered) -> None:
    verdict = lifecycle.check_ledger(house, who, data.id)
    if verdict.holds:
        st.success(say("All {lines} lines hold: order, hashes, totals, limit and answers.", lines=verdict.lines))
    else:
        st.error(say("Line {at}: {why}", at=verdict.at, why=say(verdict.wrong or "")))


# Audit: the signed file of a dataset and period for an auditor, and the key to verify it.


def show_auditor_file(house: House, who: Member, data: Registered) -> None:
    """Ask for the period, and offer the file."""
    st.header(say("For auditors"), anchor=False)
    st.caption(
        say(
            "One signed file: the declaration, every request with its decision and card, comments, the ledger and the "
            "acts about these data. It holds names of people, and no row. That it was made stands on the trail."
        )
    )
    left, right = st.columns(2)
    first = left.date_input(say("First day"), None, key=f"first:{data.id}")
    last = right.date_input(say("Last day"), None, key=f"last:{data.id}")
    given = (("first", first), ("last", last))
    days = "&".join(f"{name}={day.isoformat()}" for name, day in given if day is not None)
    address = f"/bundle/{data.id}" + (f"?{days}" if days else "")
    st.link_button(say("Make the file"), address, icon=":material/folder_zip:", width="stretch")
    st.caption(say("Whoever has it checks it with the command below. Tell them this key by another way:"))
    st.code(f"discreet verify bundle.zip --key {signing.public_key(house)}", language=None, wrap_lines=True)


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
    st.caption(say("What is spent stays spent. Reserved is what waits, or was approved and has no answer yet."))
    st.dataframe(pd.DataFrame([_line(each) for each in every]), hide_index=True, width="stretch")
    return every


def _ends(house: House, who: Member) -> None:
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
    said = each.data.registration
    return {
        say("Dataset"): each.data.name,
        say("Unit of privacy"): say(said.protected),
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
    fig = theme.figure(say("Day"), say("ε spent or reserved"))
    fig.update_xaxes(**theme.AS_DATES)
    colour = theme.truth_colour()
    fig.add_scatter(x=days, y=spent, mode="lines+markers", line={"color": colour, "shape": "hv"})
    most = f"{each.limit.epsilon:g}"
    theme.level(fig, each.limit.epsilon, say("Whole budget"), theme.quiet())
    words = say("The dashed line is the whole budget, ε {most}.", most=most)
    theme.show(fig, words, {"day": days, "epsilon": spent}, f"overview:{each.data.id}")


def _by_analyst(house: House, who: Member, dataset: str) -> None:
    """Show how much each analyst has spent and reserved."""
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


# Page: the budget, policy, ledger, publication and end of each dataset.

VIEWS = {"kept": Phrase("Registered"), "all": Phrase("Overview"), "new": Phrase("Register a dataset")}


def show() -> None:
    """Show the registered datasets, or register a new one."""
    st.title(say("Registered data"), anchor=False)
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
        st.warning(say("Past their day of deletion: {names}.", names=quoted(", ".join(data.name for data in late))))


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
        for ending_part in (publication, show_auditor_file, end):
            with st.container(border=True):
                ending_part(house, who, data)
