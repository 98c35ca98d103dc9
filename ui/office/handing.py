"""Handing: the signed file of a dataset and period that an auditor takes home, and the key to check it with."""

from __future__ import annotations

import streamlit as st

from discreet.office import House, Member, signing
from discreet.office.registry import Registered
from discreet.ui.frame.words import say


def show(house: House, who: Member, data: Registered) -> None:
    """Ask for the days, and offer the file."""
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
