"""Roles as words and as a choice."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from discreet.office.roles import ROLES
from discreet.ui.frame.words import say


def in_words(roles: Collection[str]) -> str:
    """Write roles."""
    return ", ".join(say(ROLES[role]) for role in sorted(roles))


def ask_roles(key: str, now: list[str]) -> frozenset[str]:
    """Ask for any of the roles."""
    roles = st.pills(
        say("Roles"),
        list(ROLES),
        selection_mode="multi",
        default=now,
        key=key,
        format_func=lambda role: say(ROLES[role]),
        help=say("Analysts ask, officers register data and decide, administrators invite people."),
    )
    return frozenset(roles)
