"""Amending: the policy of a dataset as a form, and the one that waits for a second officer."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from discreet.office import House, Member, Policy, duties, rulings
from discreet.office.memberships import name_of
from discreet.office.registry import Registered
from discreet.office.voices import Motion
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import policies
from discreet.ui.office.declared import said
from discreet.ui.office.entries import Entries, turned
from discreet.ui.office.resuming import Form, hold, resume, sent
from discreet.ui.office.steps import do


def show(house: House, who: Member, data: Registered) -> None:
    """Show the policy as a form; it changes from now on."""
    mark = f"policy:{data.id}"
    entries = Entries(turned(mark))
    st.header(say("Policy"), anchor=False)
    form = Form(mark, data.name, (mark,))
    resume(house, who, form)
    policies.ask(data.policy, entries)
    hold(house, who, form)
    saved = st.button(say("Change the policy"), width="stretch", key=entries.key("go"))
    policies.second_officer(duties.alone(house, who, "officer", data.id))
    _waiting(house, who, data)
    if saved:
        do(lambda: _amend(house, who, data, entries, form))


def _amend(house: House, who: Member, data: Registered, entries: Entries, form: Form) -> None:
    """Change the policy, or propose it, and say which; what was typed is no draft any more."""
    holds = rulings.amend(house, who, data.id, policies.policy_of(entries))
    sent(form)
    words = say("The policy holds from now on.") if holds else say("It is proposed, and waits for another officer.")
    st.toast(words, icon=":material/check:")


def elsewhere(house: House, who: Member, datasets: Sequence[Registered]) -> None:
    """Show the policies that wait for a second officer of data that others keep: every officer can be that one."""
    for data in datasets if "officer" in who.roles else ():
        waits = duties.pending(house, "policy", data.id)
        if waits is not None:
            with st.container(border=True):
                st.header(say("Policy of {name}", name=quoted(data.name)), anchor=False)
                _confirm(house, who, data, waits)


def _waiting(house: House, who: Member, data: Registered) -> None:
    """Show the policy that waits for a second officer, and let one confirm or drop it."""
    waits = duties.pending(house, "policy", data.id)
    if waits is None:
        return
    _confirm(house, who, data, waits)
    if st.button(say("Drop this proposal"), width="stretch", key=f"no:{waits.id}"):
        do(lambda: duties.drop(house, who, "officer", waits, data.name))


def _confirm(house: House, who: Member, data: Registered, waits: Motion) -> None:
    """Show the policy that somebody proposes, and let somebody else confirm it."""
    wanted = Policy(**waits.wanted)
    st.warning(
        say(
            "{name} proposes another policy. It holds when another officer confirms it.",
            name=quoted(name_of(house, waits.by)),
        )
    )
    said(policies.in_words(wanted))
    if waits.by != who.id and st.button(say("Confirm this policy"), width="stretch", key=f"yes:{waits.id}"):
        do(lambda: rulings.amend(house, who, data.id, wanted))
