"""Accounting: by which rule a new budget is to add up, asked wherever one is opened."""

from __future__ import annotations

import streamlit as st

from discreet.budget import BASIC, RULES
from discreet.ui.frame.words import say


def choice(key: str | None = None) -> str:
    """Ask for a rule; costs that simply add up are proposed."""
    names = list(RULES)
    suits = " ".join(say(rule.suits) for rule in RULES.values() if rule.suits)
    return st.selectbox(say("Rule"), names, names.index(BASIC.name), say, key=key, help=suits)
