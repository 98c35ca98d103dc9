"""Former: the name and mail address of a closed account, which can be erased; what stays, and why, is said before."""

from __future__ import annotations

import streamlit as st

from discreet.office import House, Member, memberships
from discreet.ui.frame.words import say
from discreet.ui.office.steps import do


def show(house: House, who: Member, person: Member) -> None:
    """Offer to erase them, after a word of confirmation."""
    st.caption(
        say(
            "Name and mail address of a closed account can be erased: its login then stands wherever the name "
            "stood. The trail keeps the name with which the account began, since every line is sealed with those "
            "before it: no page shows it, but the terminal, bundles for auditors and backups may. Texts that people "
            "wrote stay as they are."
        )
    )
    sure = st.checkbox(say("I know that an erased name cannot be brought back"), key=f"erase:{person.id}")
    if st.button(say("Erase name and mail address"), disabled=not sure, width="stretch", key="erase-name"):
        do(lambda: memberships.erase_name(house, who, person.login), say("Name and mail address are erased."))
