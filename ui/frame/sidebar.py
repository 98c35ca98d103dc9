"""Sidebar: the dataset and whether it is protected, the budget left, the next step, and the latest results."""

from __future__ import annotations

import streamlit as st

from discreet.budget.durable.spent import LastingLedger
from discreet.office import Member
from discreet.office.house.roles import ROLES
from discreet.report.words import written
from discreet.ui.frame.links import link
from discreet.ui.frame.tour import way_back
from discreet.ui.frame.words import in_words, named, number, quoted, say
from discreet.ui.session.state import LANGUAGES, Workspace, choose, chosen, language, leave, speak, workspace

# Language: the switch, the link that sets it, and the language attribute of the page.

KEY = "language"
TELL = "export default ({ data }) => { document.documentElement.lang = data.language; };"


def follow_link() -> None:
    """Use the language that the address asks for: a teacher's link sets it."""
    wish = st.query_params.pop("lang", None)
    if wish is not None:
        speak(str(wish))
    choose(KEY, language(), again=True)  # browsers recreate the widget on every page


def switch() -> None:
    """Offer the languages, each by its own name."""
    st.segmented_control(
        say("Language"),
        list(LANGUAGES),
        format_func=LANGUAGES.__getitem__,
        key=KEY,
        required=True,
        on_change=_switched,
        label_visibility="collapsed",
    )


def _switched() -> None:
    speak(chosen(KEY))


def tell_browser() -> None:
    """Set the language of the page for the browser and for screen readers."""
    teller = st.components.v2.component("discreet_language", js=TELL)
    teller(key="discreet-language", data={"language": language()})


LAST = 3


def sidebar(person: Member | None, budget: bool) -> None:
    """Show the signed-in person and, where it matters, the dataset and its budget as they are after this run."""
    space = workspace()
    switch()
    if person is None:
        link("sign_in", say("Sign in"), "login")
    else:
        link("account", say("Account"), "key")
    if budget:
        way_back()
    if person is not None:
        _person(person)
    if not budget:
        return
    st.markdown(f"**{say('Dataset')}**")
    st.text(named(space.here.name))
    if space.dataset.protected:
        st.badge(say("protected"), icon=":material/lock:", color="orange")
    else:
        st.badge(say("public"), icon=":material/lock_open:", color="green")
    _budget(space)
    _last(space)


def _person(person: Member) -> None:
    roles = " · ".join(say(ROLES[role]) for role in sorted(person.roles))
    name, out = st.columns([3, 2], vertical_alignment="center")
    name.markdown(f"**{quoted(person.name)}**  \n:small[{roles}]")
    out.button(say("Sign out"), key="sign-out", type="tertiary", on_click=leave)


def _budget(space: Workspace) -> None:
    ledger = space.curator.ledger
    spent = ledger.spent
    limit = ledger.limit
    st.markdown(f"**{say('Budget')}**")
    st.progress(min(1.0, spent.epsilon / limit.epsilon))
    st.text(say("spent  {spent}\nleft   {left}", spent=spent, left=ledger.left))
    if space.next_cost is not None:
        st.text(say("next   {cost}", cost=space.next_cost))
    desk = space.here.desk
    share = space.curator.share
    if share is not None:
        st.text(say("your limit  ε = {most:g}, spent {spent}", most=share[0], spent=share[1]))
    if space.dataset.protected and desk is None and spent.epsilon and not space.here.answered:
        st.caption(say("Already spent: everyone who uploads this dataset to this server shares one budget."))
    if not ledger.lasting and not isinstance(ledger, LastingLedger):
        st.caption(say("Not saved: this budget ends when the server stops."))


def _last(space: Workspace) -> None:
    releases = [release for release, _ in space.here.answered[-LAST:]]
    if not releases:
        return
    st.markdown(f"**{say('Latest results')}**")
    for release in reversed(releases):
        value = written(release.request, space.dataset.schema, release.answer)
        short = (
            say("no result")
            if release.refused
            else say("several values")
            if isinstance(value, tuple)
            else number(value, 5)
        )
        st.text(f"{in_words(release.request)}\n{short}")
