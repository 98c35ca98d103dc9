"""Verifying: the lines of a dataset's ledger, and whether their chain holds."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from discreet.office import House, Member, registry, upkeep
from discreet.office.registry import Registered
from discreet.ui.frame.words import say


def show(house: House, who: Member, data: Registered) -> None:
    """Show the head of the chain, verify it here and now, and list its lines."""
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
    verdict = upkeep.check_ledger(house, who, data.id)
    if verdict.holds:
        st.success(say("All {lines} lines hold: order, hashes, totals, limit and answers.", lines=verdict.lines))
    else:
        st.error(say("Line {at}: {why}", at=verdict.at, why=say(verdict.wrong or "")))
