"""First steps: what an office still needs before its first publication, each step with its screen."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from discreet.budget import Phrase
from discreet.office import House, Member
from discreet.office.datasets import registry
from discreet.office.house.roles import ANALYST, OFFICER
from discreet.office.people import accounts
from discreet.office.requests import request
from discreet.ui.frame.links import link, offered
from discreet.ui.frame.words import say
from discreet.ui.office.datasets.terms import of_house


@dataclass(frozen=True)
class FirstStep:
    """One step: its description, its screen, and whether it is done."""

    words: Phrase
    page: str
    done: bool


def show(house: House, who: Member) -> None:
    """List the steps, with those done ticked and a link to the next one; nothing once all are done."""
    steps = _steps(house, who)
    if all(step.done for step in steps):
        return
    following = next(step for step in steps if not step.done)
    with st.container(border=True):
        st.markdown(f"**{say('First steps')}**")
        for step in steps:
            icon = "check_circle" if step.done else "radio_button_unchecked"
            st.markdown(f":material/{icon}: {say(step.words)}")
        if offered(following.page):
            link(following.page, say("Next: {step}", step=say(following.words)))


def on_the_way(house: House, who: Member) -> None:
    """Show them on an administrator's screen, to officers only, who continue from there."""
    if OFFICER in who.roles:
        show(house, who)


def _steps(house: House, who: Member) -> list[FirstStep]:
    datasets = registry.everything(house)
    analysts = any(account["active"] and ANALYST in account["person"].roles for account in accounts.everybody(house))
    answered = request.anything_released(house)
    waits = answered or request.anything(house, who)
    return [
        FirstStep(Phrase("Enter the organisation's details"), "settings", bool(datasets or of_house(house).said)),
        FirstStep(Phrase("Register a dataset"), "datasets", bool(datasets)),
        FirstStep(Phrase("Invite an analyst"), "people", analysts),
        FirstStep(Phrase("The analyst signs in and sends a request"), "review", waits),
        FirstStep(Phrase("Approve a request"), "review", answered),
        FirstStep(Phrase("Publish released results"), "published_results", any(data.published for data in datasets)),
    ]
