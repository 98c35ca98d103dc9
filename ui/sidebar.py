"""The sidebar: which dataset, open or protected, and what is left of its budget."""

import streamlit as st

from ui.state import workspace


def sidebar() -> None:
    """Show the dataset and its budget as they are after this run."""
    space = workspace()
    ledger = space.curator.ledger
    st.markdown("**Dataset**")
    st.text(space.name)
    if space.dataset.protected:
        st.badge("protected", icon=":material/lock:", color="orange")
    else:
        st.badge("open", icon=":material/lock_open:", color="green")
    st.markdown("**Budget**")
    spent, limit = ledger.spent, ledger.limit
    st.progress(min(1.0, spent.epsilon / limit.epsilon))
    st.text(f"spent  {spent}\nleft   {ledger.left}")
    st.caption("Valid until the server stops. A charge is never given back.")
