"""Policies: the policy of a dataset as widgets, read from what they are set to at this moment."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.mechanisms import known_families
from discreet.office import Policy, memberships
from discreet.office.registration import FAMILIES, PAIRED
from discreet.ui.frame.words import number, quoted, say
from discreet.ui.office import door
from discreet.ui.office.entries import Entries

SHARE = Phrase("Empty: as much as is left. A share of epsilon holds the same part of delta.")
DELTAS = ("0", "1e-9", "1e-8", "1e-7", "1e-6", "1e-5")


def ask(now: Policy, entries: Entries) -> None:
    """Show a policy as widgets; `policy_of` reads them."""
    st.pills(
        say("Mechanisms"),
        list(FAMILIES),
        selection_mode="multi",
        default=list(now.families),
        key=entries.key("families"),
        format_func=_name,
    )
    left, right = st.columns(2)
    with left:
        _amounts(now, entries)
    with right:
        _limits(now, entries)
    _people(now, entries)
    _strangers(entries)


def policy_of(entries: Entries) -> Policy:
    """Return the policy that the widgets say at this moment, in a callback as well."""
    until = entries.value("last")
    return Policy(
        families=tuple(entries.value("families") or ()),
        free=entries.value("free"),
        most=entries.value("most"),
        most_delta=float(entries.value("delta-most")),
        share=entries.value("share"),
        shares=_shares(entries.text("shares")),
        days=int(entries.value("days")),
        until="" if until is None else until.isoformat(),
        pair=entries.value("pair"),
        both=tuple(entries.value("both") or ()),
        officers=logins(entries.text("officers")),
        analysts=logins(entries.text("analysts")),
    )


def in_words(policy: Policy) -> dict[str, Any]:
    """Return a policy in words, for reading before it holds."""
    free, share = policy.free, policy.share
    shares = ", ".join(f"{who}={most:g}" for who, most in policy.shares.items())
    return {
        say("Runs at once up to epsilon"): f"{free:g}" if free else say("nothing"),
        say("Two officers approve above epsilon"): "" if policy.pair is None else f"{policy.pair:g}",
        say("These take two officers, too"): ", ".join(say(PAIRED[act]) for act in policy.both),
        say("Officers of these data"): ", ".join(policy.officers),
        say("Analysts of these data"): ", ".join(policy.analysts),
        say("Largest release"): f"ε {number(policy.most)}, δ {number(policy.most_delta)}",
        say("Share of each analyst (epsilon)"): "" if share is None else f"{share:g}",
        say("Other shares"): shares,
        say("A request waits at most (days)"): str(policy.days),
        say("Nothing is asked after"): policy.until,
        say("Mechanisms"): ", ".join(map(_name, policy.families)),
    }


def second_officer(alone: bool) -> None:
    """Say who must confirm what runs at once; loudly where nobody can."""
    if alone:
        st.warning(
            say(
                "You are the only officer. What runs at once holds on your word alone, and the "
                "trail says so. Invite a second officer."
            )
        )
    else:
        st.caption(
            say(
                "What runs at once above 0, and a policy that names fewer than two officers, holds when another "
                "officer has confirmed it."
            )
        )


def _amounts(now: Policy, entries: Entries) -> None:
    """Ask what runs at once, and what may be asked at all."""
    st.number_input(
        say("Runs at once up to epsilon"),
        0.0,
        50.0,
        now.free,
        0.1,
        key=entries.key("free"),
        help=say("0: every release waits for an officer. Above 0 a second officer must confirm it, if there is one."),
    )
    _pair(now, entries)
    st.number_input(say("Largest epsilon of a release"), 0.01, 50.0, now.most, 0.1, key=entries.key("most"))
    st.selectbox(
        say("Largest delta of a release"), DELTAS, DELTAS.index(_delta(now.most_delta)), key=entries.key("delta-most")
    )


def _pair(now: Policy, entries: Entries) -> None:
    """Ask above which epsilon one officer is not enough."""
    st.number_input(
        say("Two officers approve above epsilon"),
        0.0,
        50.0,
        now.pair,
        0.1,
        key=entries.key("pair"),
        help=say(
            "Empty: one officer is enough. Each has a checklist of their own; fewer such requests need both, too."
        ),
    )


def _people(now: Policy, entries: Entries) -> None:
    """Ask what else takes two officers, and who keeps these data and asks of them."""
    st.pills(
        say("These take two officers, too"),
        list(PAIRED),
        selection_mode="multi",
        default=list(now.both),
        key=entries.key("both"),
        format_func=lambda act: say(PAIRED[act]),
    )
    for name, label, whose in (
        ("officers", say("Officers of these data"), now.officers),
        ("analysts", say("Analysts of these data"), now.analysts),
    ):
        advice = say("By login, with commas. Empty: all of them. A change takes two officers.")
        st.text_input(label, ", ".join(whose), key=entries.key(name), help=advice)


def _strangers(entries: Entries) -> None:
    """Say which of the logins that were typed nobody here has."""
    house = door.house()
    if house is None:
        return
    here = {account["person"].login for account in memberships.everybody(house)}
    typed = {login for text in ("officers", "analysts") for login in logins(entries.text(text))}
    unknown = sorted(typed.union(login for login, _ in _parts(entries.text("shares"))) - here)
    if unknown:
        names = quoted(", ".join(unknown))
        st.warning(
            say("Nobody here has the login {logins}. Correct it, or invite them on the page People.", logins=names)
        )


def _limits(now: Policy, entries: Entries) -> None:
    """Ask for the shares of analysts, and for the ends of requests and of asking."""
    st.number_input(
        say("Share of each analyst (epsilon)"), 0.0, 50.0, now.share, 0.5, key=entries.key("share"), help=say(SHARE)
    )
    st.text_input(
        say("Other shares"),
        ", ".join(f"{who}={most:g}" for who, most in now.shares.items()),
        key=entries.key("shares"),
        help=say("For single analysts by login: ann=1.5, bob=0.5"),
    )
    st.number_input(say("A request waits at most (days)"), 1, 365, now.days, key=entries.key("days"))
    st.date_input(
        say("Nothing is asked after"), date.fromisoformat(now.until) if now.until else None, key=entries.key("last")
    )


def _name(key: str) -> str:
    return say(known_families()[key].name)


def _delta(most: float) -> str:
    return next((text for text in DELTAS if float(text) >= most), DELTAS[-1])


def logins(text: str) -> tuple[str, ...]:
    """Read logins."""
    return tuple(filter(None, (part.strip().lower() for part in text.split(","))))


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Read whose shares are named, and what is said of each."""
    for part in filter(None, map(str.strip, text.split(","))):
        login, _, share = part.partition("=")
        yield login.strip().lower(), share


def _shares(text: str) -> dict[str, float]:
    """Read shares of single analysts."""
    shares: dict[str, float] = {}
    for login, share in _parts(text):
        try:
            shares[login] = float(share)
        except ValueError:
            raise ParameterError("Write shares as ann=1.5, bob=0.5") from None
    return shares
