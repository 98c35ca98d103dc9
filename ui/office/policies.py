"""Rules: the policy of a dataset as widgets, read from what they are set to at this moment."""

from __future__ import annotations

from datetime import date
from typing import Any

import streamlit as st

from discreet.budget import ParameterError
from discreet.mechanisms import known_families
from discreet.office import Policy
from discreet.office.registration import FAMILIES
from discreet.ui.frame.words import say
from discreet.ui.state import chosen

DELTAS = ("0", "1e-9", "1e-8", "1e-7", "1e-6", "1e-5")


def ask_policy(now: Policy, mark: str) -> None:
    """Show a policy as widgets; `policy_of` reads them."""
    st.pills(
        say("Mechanisms"),
        list(FAMILIES),
        selection_mode="multi",
        default=list(now.families),
        key=f"{mark}:families",
        format_func=_name,
    )
    left, right = st.columns(2)
    with left:
        _amounts(now, mark)
    with right:
        _limits(now, mark)


def policy_of(mark: str) -> Policy:
    """Return the policy that the widgets say at this moment, in a callback as well."""
    until = chosen(f"{mark}:last")
    return Policy(
        families=tuple(chosen(f"{mark}:families") or ()),
        free=chosen(f"{mark}:free"),
        most=chosen(f"{mark}:most"),
        most_delta=float(chosen(f"{mark}:delta-most")),
        share=chosen(f"{mark}:share"),
        shares=_shares(str(chosen(f"{mark}:shares") or "")),
        days=int(chosen(f"{mark}:days")),
        until="" if until is None else until.isoformat(),
    )


def told(policy: Policy) -> dict[str, Any]:
    """Return a policy in words, for reading before it holds."""
    free, share = policy.free, policy.share
    shares = ", ".join(f"{who}={most:g}" for who, most in policy.shares.items())
    return {
        say("Runs at once up to epsilon"): f"{free:g}" if free else say("nothing"),
        say("Largest release"): f"ε {policy.most:g}, δ {policy.most_delta:g}",
        say("Share of each analyst (epsilon)"): "" if share is None else f"{share:g}",
        say("Other shares"): shares,
        say("A request waits at most (days)"): str(policy.days),
        say("Nothing is asked after"): policy.until,
        say("Mechanisms"): ", ".join(map(_name, policy.families)),
    }


def _amounts(now: Policy, mark: str) -> None:
    """Ask what runs at once, and what may be asked at all."""
    st.number_input(
        say("Runs at once up to epsilon"),
        0.0,
        50.0,
        now.free,
        0.1,
        key=f"{mark}:free",
        help=say("0: every release waits for an officer. Above 0 a second officer must confirm it, if there is one."),
    )
    st.number_input(say("Largest epsilon of a release"), 0.01, 50.0, now.most, 0.1, key=f"{mark}:most")
    st.selectbox(
        say("Largest delta of a release"), DELTAS, DELTAS.index(_delta(now.most_delta)), key=f"{mark}:delta-most"
    )


def _limits(now: Policy, mark: str) -> None:
    """Ask for the shares of analysts, and for the ends of requests and of asking."""
    st.number_input(
        say("Share of each analyst (epsilon)"),
        0.0,
        50.0,
        now.share,
        0.5,
        key=f"{mark}:share",
        help=say("Empty: as much as is left. A share is the same part of delta."),
    )
    st.text_input(
        say("Other shares"),
        ", ".join(f"{who}={most:g}" for who, most in now.shares.items()),
        key=f"{mark}:shares",
        help=say("For single analysts by login: ann=1.5, bob=0.5"),
    )
    st.number_input(say("A request waits at most (days)"), 1, 365, now.days, key=f"{mark}:days")
    st.date_input(
        say("Nothing is asked after"), date.fromisoformat(now.until) if now.until else None, key=f"{mark}:last"
    )


def _name(key: str) -> str:
    return say(known_families()[key].name)


def _delta(most: float) -> str:
    return next((text for text in DELTAS if float(text) >= most), DELTAS[-1])


def _shares(text: str) -> dict[str, float]:
    """Read shares of single analysts."""
    told: dict[str, float] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        login, _, share = part.partition("=")
        try:
            told[login.strip().lower()] = float(share)
        except ValueError:
            raise ParameterError("Write shares as ann=1.5, bob=0.5") from None
    return told
