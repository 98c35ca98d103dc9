"""Standing in: who decides in an officer's stead for some days, and for whom they do."""

from __future__ import annotations

import streamlit as st

from discreet.office import House, Member, substitutes
from discreet.office.substitutes import LONGEST, Substitution
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.steps import do


def show(house: House, who: Member) -> None:
    """Show who stands in for whom, and let an officer name a substitute."""
    st.header(say("Substitute"), anchor=False)
    st.caption(
        say(
            "While you are away another officer decides about the data whose policy names you, and the trail says for "
            "whom. Where two officers are needed, the two of you count as one. It ends by itself. Where a policy names "
            "nobody, every officer decides anyhow."
        )
    )
    mine = [each for each in substitutes.substitutions(house, who) if who.id in (each.officer.id, each.substitute.id)]
    for each in mine:
        line(house, who, each)
    others = substitutes.colleagues(house, who)
    if not others:
        st.info(say("There is no other officer here. An administrator invites one on the page People."))
        return
    _new(house, who, others)


def line(house: House, who: Member, each: Substitution) -> None:
    """Show one substitution, and let it be ended."""
    words, way = st.columns([4, 1], vertical_alignment="center")
    first, last = each.days
    words.markdown(
        say(
            "{substitute} stands in for {officer} from {first} to {last}.",
            substitute=quoted(each.substitute.name),
            officer=quoted(each.officer.name),
            first=first.isoformat(),
            last=last.isoformat(),
        )
    )
    if way.button(say("End it"), key=f"end-substitution:{each.id}", width="stretch"):
        do(lambda: substitutes.end_substitution(house, who, each.id), say("It has ended."))


def _new(house: House, who: Member, others: list[Member]) -> None:
    """Ask who, and from when to when."""
    today = house.now.date()
    with st.form("substitute", border=False):
        other = st.selectbox(say("Who stands in"), others, format_func=lambda each: f"{each.name} ({each.login})")
        left, right = st.columns(2)
        first = left.date_input(say("First day"), today, min_value=today, key="substitute:first")
        last = right.date_input(
            say("Last day"), today, min_value=today, key="substitute:last", help=say("Up to {days} days.", days=LONGEST)
        )
        sent = st.form_submit_button(say("Name a substitute"), width="stretch")
    if sent:
        do(lambda: substitutes.name_substitute(house, who, other.login, first, last), say("Saved."))
