"""Ending: what of a dataset becomes public, when nothing more is asked, and when its rows go."""

from __future__ import annotations

import streamlit as st

from discreet.budget import Phrase
from discreet.office import House, Member, duties, upkeep, withdrawals
from discreet.office.memberships import name_of
from discreet.office.registry import Registered
from discreet.ui.frame.links import files
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.steps import do


def publication(house: House, who: Member, data: Registered) -> None:
    """Publish the list of releases, or stop to."""
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
    if _waiting(house, who, data, upkeep.PUBLICATION, Phrase("{name} proposes to publish the list."), True):
        do(lambda: upkeep.publish(house, who, data.id, True))
    if st.button(label, width="stretch", icon=":material/public:"):
        do(lambda: upkeep.publish(house, who, data.id, not data.published))
    files(say("All releases as a file"), f"/releases/{data.id}")


def end(house: House, who: Member, data: Registered) -> None:
    """Close the dataset, or delete its rows, each after a word of confirmation."""
    st.header(say("End"), anchor=False)
    if withdrawals.untouched(house, data.id):
        _withdrawal(house, who, data)
    if data.state == "deleted":
        st.caption(say("The rows are deleted. Ledger, requests and releases stay."))
        return
    if data.state == "open":
        sure = st.checkbox(say("I know that closed data cannot be opened again"), key=f"close:{data.id}")
        if st.button(say("Close: nothing more is asked"), disabled=not sure, width="stretch"):
            do(lambda: upkeep.close(house, who, data.id))
    deletion = Phrase("{name} proposes to delete the rows for good.")
    if _waiting(house, who, data, upkeep.DELETION, deletion, True):
        do(lambda: upkeep.erase(house, who, data.id))
    st.caption(
        say(
            "Backups hold these rows, too, and the button does not reach them. Whoever keeps the server can "
            "delete them with the office's command {command} instead, which says what to do about the backups.",
            command="**erase**",
        )
    )
    sure = st.checkbox(say("I know that deleted rows cannot be brought back"), key=f"end:{data.id}")
    if st.button(say("Delete the rows"), disabled=not sure, width="stretch"):
        do(lambda: upkeep.erase(house, who, data.id))


def _withdrawal(house: House, who: Member, data: Registered) -> None:
    """Take a registration back of which nothing was ever asked."""
    st.caption(
        say(
            "Nothing was ever asked of these data. If they were registered by mistake, withdraw the registration: the "
            "same rows can then be registered anew. It and its rows are gone from here for good; the trail keeps that "
            "it was registered, by whom, and your reason. Backups hold its rows still."
        )
    )
    proposal = Phrase("{name} proposes to withdraw the registration.")
    why = st.text_input(say("Why it is withdrawn"), key=f"withdraw-why:{data.id}", max_chars=withdrawals.LONGEST)
    if _waiting(house, who, data, upkeep.DELETION, proposal, withdrawals.WANTED):
        do(lambda: withdrawals.withdraw(house, who, data.id, why))
    sure = st.checkbox(say("I know that a withdrawn registration cannot be brought back"), key=f"withdraw:{data.id}")
    if st.button(say("Withdraw the registration"), disabled=not sure, width="stretch"):
        do(lambda: withdrawals.withdraw(house, who, data.id, why))


def _waiting(house: House, who: Member, data: Registered, act: str, words: Phrase, wanted: object) -> bool:
    """Show what waits for a second officer, who can drop it; return whether one has just confirmed it."""
    waits = duties.pending(house, act, data.id)
    if waits is None or waits.wanted != wanted:
        return False
    st.warning(quoted(say(Phrase(words, name=name_of(house, waits.by)))))
    st.caption(say("It is done when another officer confirms it."))
    if st.button(say("Drop this proposal"), width="stretch", key=f"no:{waits.id}"):
        do(lambda: duties.drop(house, who, "officer", waits, data.name))
    return waits.by != who.id and st.button(say("Confirm"), width="stretch", key=f"yes:{waits.id}")
