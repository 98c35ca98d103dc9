"""Trail: the acts, newest first, and whether their chain holds."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from curator.office import acts, people
from ui.office import door
from ui.words import say

NEWEST = 500


def show() -> None:
    """Show who did what, and verify that nothing was changed."""
    st.title(say("Trail"), anchor=False)
    house, who = door.house(), door.who()
    if house is None or who is None or not who.roles & {"officer", "administrator"}:
        return
    wrong = acts.wrong_at(house.store)
    if wrong is None:
        st.success(say("The chain of acts holds: nothing was changed, moved or left out."))
        st.caption(
            say("Whether the newest were cut off only an older head tells, kept elsewhere. Now:")
        )
        st.code(acts.head(house.store), language=None, wrap_lines=True)
    else:
        st.error(say("Act {number} does not fit the chain: somebody changed the trail.",
                     number=wrong))  # fmt: skip
    names = {told["person"].id: told["person"].name for told in people.everybody(house)}
    st.dataframe(
        pd.DataFrame(
            [
                {say("When"): f"{act.time:%Y-%m-%d %H:%M:%S}",
                 say("Who"): names.get(act.who, act.who), say("What"): say(act.words),
                 say("About"): act.about,
                 say("More"): ", ".join(f"{k}: {v}" for k, v in act.told.items() if v)}
                for act in acts.trail(house.store, NEWEST)
            ]
        ), hide_index=True, width="stretch",
    )  # fmt: skip
    st.caption(say("The newest {most} acts. The command line shows all of them.", most=NEWEST))
