"""Reconnecting: a new password or user for the same table of a database."""

from __future__ import annotations

import streamlit as st

from discreet.office import House, Member, connections, registry, upkeep
from discreet.office.registry import Registered
from discreet.rows.elsewhere import table_at
from discreet.ui.frame.words import quoted, say
from discreet.ui.office import connecting
from discreet.ui.office.steps import do


def show(house: House, who: Member, data: Registered) -> None:
    """Take another address of the table that the rows are in."""
    st.header(say("Connection"), anchor=False)
    through = connections.name_through(house, registry.row_of(house, data.id)["layout"])
    if through:
        st.caption(
            say(
                "The rows are reached through the connection {name}. An administrator says its new password once, on "
                "the page Settings.",
                name=quoted(through),
            )
        )
        return
    st.caption(
        say(
            "The rows are in a table elsewhere. When its password or token changes, say the whole "
            "address again here. It must lead to the same table; budget and policy stay."
        )
    )
    address = connecting.address(f"reach:{data.id}", say("Change the connection"))
    if address is not None:
        do(lambda: upkeep.reconnect(house, who, data.id, table_at(*address)))
