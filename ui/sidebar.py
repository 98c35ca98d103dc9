"""The sidebar: which dataset, open or protected, what is left, what is next, what came last."""

import streamlit as st

from discreet.office import Account
from discreet.office.roles import ROLES
from discreet.ui.answers import asked
from discreet.ui.language import switch
from discreet.ui.office.door import must_sign_in, sign_out
from discreet.ui.state import Workspace, leave, workspace
from discreet.ui.words import named, number, quoted, say

LAST = 3


def sidebar(person: Account | None, office: bool = False) -> None:
    """Show who looks, and the dataset and its budget as they are after this run."""
    space = workspace()
    switch()
    if person is not None:
        _person(person)
    elif must_sign_in():
        return
    if office:
        return
    st.markdown(f"**{say('Dataset')}**")
    st.text(named(space.here.name))
    if space.dataset.protected:
        st.badge(say("protected"), icon=":material/lock:", color="orange")
    else:
        st.badge(say("open"), icon=":material/lock_open:", color="green")
    _budget(space)
    _last(space)


def _person(person: Account) -> None:
    roles = " · ".join(say(ROLES[role]) for role in sorted(person.roles))
    name, out = st.columns([3, 2], vertical_alignment="center")
    name.markdown(f"**{quoted(person.name)}**  \n:small[{roles}]")
    out.button(say("Sign out"), key="sign-out", type="tertiary", on_click=_leave)


def _leave() -> None:
    """End the session, and forget what was worked on in it."""
    sign_out()
    leave()


def _budget(space: Workspace) -> None:
    ledger = space.curator.ledger
    spent, limit = ledger.spent, ledger.limit
    st.markdown(f"**{say('Budget')}**")
    st.progress(min(1.0, spent.epsilon / limit.epsilon))
    st.text(say("spent  {spent}\nleft   {left}", spent=spent, left=ledger.left))
    if space.next_cost is not None:
        st.text(say("next   {cost}", cost=space.next_cost))
    share = space.curator.share
    if share is not None:
        st.text(say("your share  ε = {most:g}, spent {spent}", most=share[0], spent=share[1]))
    if not ledger.lasting:
        st.caption(say("Valid until the server stops."))


def _last(space: Workspace) -> None:
    releases = space.curator.releases[-LAST:]
    if not releases:
        return
    st.markdown(f"**{say('Last answers')}**")
    for release in reversed(releases):
        value = release.answer
        short = (
            say("refused")
            if release.refused
            else say("several numbers")
            if isinstance(value, tuple)
            else number(value, 5)
        )
        st.text(f"{asked(release.request)}\n{short}")
