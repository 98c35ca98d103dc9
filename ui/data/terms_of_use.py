"""Terms of use: what an officer said of registered data, and what may be asked of them, for whoever asks."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from discreet.office import Desk
from discreet.ui.frame.words import number, say


def show(desk: Desk | None) -> None:
    """Show where registered data come from and whom to ask, and what the policy allows; of other data nothing."""
    if desk is None:
        return
    st.header(say("What holds for these data"), anchor=False)
    lines = [{say("What"): what, say("Said"): words or "–"} for what, words in {**_said(desk), **_policy(desk)}.items()]
    st.dataframe(pd.DataFrame(lines), hide_index=True, width="stretch", height="content")


def _said(desk: Desk) -> dict[str, str]:
    """Return what was said at registration that whoever asks should know."""
    said = desk.registered.registration
    return {
        say("Source"): said.source,
        say("Collected on the basis of"): said.basis,
        say("Organisation"): said.organisation,
        say("Contact for people in the data"): said.contact,
        say("Who is protected"): say(said.protected),
        say("Public number of people"): "" if said.people is None else number(said.people),
    }


def _policy(desk: Desk) -> dict[str, str]:
    """Return what runs at once, what may be asked at all, and until when."""
    policy, share = desk.registered.policy, desk.share
    return {
        say("Runs at once up to epsilon"): f"{policy.free:g}" if policy.free else say("nothing"),
        say("Largest release"): f"ε {number(policy.most)}, δ {number(policy.most_delta)}",
        say("Your share (epsilon)"): ""
        if share is None
        else say("{most:g}, of which {spent:g} is spent", most=share[0], spent=share[1].epsilon),
        say("A request waits at most (days)"): str(policy.days),
        say("Nothing is asked after"): policy.until,
    }
