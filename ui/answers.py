"""Answer cards: what was asked, what came out, what it cost."""

from __future__ import annotations

import streamlit as st

from curator import Release


def digits(value: object) -> str:
    """Write a number with sensible digits."""
    return f"{value:,.6g}" if isinstance(value, (int, float)) else str(value)


def show(release: Release) -> None:
    """Show one release as a card."""
    mechanism = release.request.mechanism
    query = getattr(mechanism, "query", None)
    with st.container(border=True):
        st.text(f"{query.label if query else mechanism.title} of {release.request.columns[0]}")
        st.markdown(f"### {'refused' if release.refused else digits(release.answer)}")
        if release.interval:
            low, high = release.interval
            st.caption(f"19 times in 20 the exact value lies in {digits(low)} to {digits(high)}.")
        else:
            st.caption("No interval: the size of the noise depends on the data and stays private.")
        st.caption(f"{mechanism.title} · cost {release.cost} · {release.at:%Y-%m-%d %H:%M} UTC")
