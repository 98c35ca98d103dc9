"""Sign-in: by password with its second step, or by a provider."""

from __future__ import annotations

import time
from collections.abc import Callable

import streamlit as st

from discreet.budget import ParameterError
from discreet.office import House, Member
from discreet.office.house.failures import UNREACHABLE
from discreet.office.people import accounts, joining, links, second_factor_setup, signing_in
from discreet.office.people.signing_in import CODE, Halfway
from discreet.ui.frame.links import link
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.people import factor
from discreet.ui.office.people.account import in_words
from discreet.ui.session import door
from discreet.ui.session.state import choose, chosen, language

# Provider: a person who was just signed in by a provider arrives here.

FRESH = 300.0  # seconds for which a provider's sign-in is accepted


def arrive() -> bool:
    """Let in a person whom a provider has just signed in; return whether the provider gives them no role."""
    claims = door.claims()
    house = door.house()
    if not claims or house is None or time.time() - float(claims.get("iat") or 0) > FRESH:
        return False
    subject = f"{claims.get('iss')}|{claims.get('sub')}"
    if joining.left_after(house, subject, float(claims["iat"])):
        return False  # signed out here since: another tab must not sign them in again
    login = str(claims.get("email") or claims.get("preferred_username") or claims.get("sub"))
    name = str(claims.get("name") or login)
    person = joining.from_provider(house, subject, login, name, door.roles_of(claims))
    if person is None or not person.roles:
        return True
    door.let_in(person, language())
    return False


# Second step: what is asked after a correct password, before the person is signed in.

HALF = "halfway"
ARRIVED = "arrived"


def halfway() -> Halfway | None:
    """Return the pending sign-in of this connection."""
    half: Halfway | None = chosen(HALF)
    return half


def begin(half: Halfway) -> None:
    """Start the second step; a used link is cleared."""
    choose(HALF, half)
    st.query_params.pop("link", None)
    st.rerun()


def show_second_step(house: House, half: Halfway) -> None:
    """Ask for a code, or set up a second factor if it is required, with a way to cancel."""
    if chosen(ARRIVED):
        _recoveries(house, half)
        return
    if half.missing == CODE:
        _code(house, half)
    else:
        _required(house, half)
    st.button(say("Cancel"), on_click=_leave, type="tertiary", key="leave-halfway")


def _leave() -> None:
    """Forget the pending sign-in, and the secret being set up."""
    choose(HALF, None)
    factor.forget()


def _code(house: House, half: Halfway) -> None:
    st.markdown(say("Enter the code from your authenticator app, or a recovery code."))
    with st.form("second-step", border=False):
        code = st.text_input(say("Code"), autocomplete="one-time-code", max_chars=40)
        sent = st.form_submit_button(say("Sign in"), width="stretch")
    if not sent:
        return
    try:
        person = signing_in.give_code(house, half, code, *door.whence())
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    with st.spinner(say("Signing in")):
        door.let_in(person, language())


def _required(house: House, half: Halfway) -> None:
    """Require a person without a second factor to set one up; no other screen is available to them."""
    st.info(say("Officers and administrators must use two-factor authentication. Set it up to continue."))
    sent = factor.pair(half.login)
    if sent is None:
        return
    try:
        choose(ARRIVED, second_factor_setup.finish_setup(house, half, *sent))
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    factor.forget()
    st.rerun()


def _recoveries(house: House, half: Halfway) -> None:
    """Show the recovery codes before continuing, which is possible as long as the password is valid."""
    factor.show_recoveries(chosen(ARRIVED))
    if not st.button(say("I have saved the codes"), type="primary", width="stretch"):
        return
    try:
        person = second_factor_setup.come_in(house, half)
    except ParameterError as refused:
        _start_anew(refused)
        return
    with st.spinner(say("Signing in")):
        door.let_in(person, language())


def _start_anew(why: ParameterError) -> None:
    """Show why the sign-in cannot continue; the recovery codes are not shown again."""
    choose(ARRIVED, None)
    choose(HALF, None)
    st.error(quoted(say(why)))


# Page: sign-in by password or provider, the first account of an office, and a new password by a link.


def show() -> None:
    """Show the form for this visitor."""
    house = door.house()
    half = halfway()
    link = st.query_params.get("link") if half is None else None
    st.title(say("Sign in") if link is None else say("Welcome"), anchor=False)
    if house is None:
        st.error(say(UNREACHABLE))
        return
    with st.columns([2, 3])[0], st.container(border=True):
        if half is not None:
            show_second_step(house, half)
        elif link is not None:
            _by_link(house, link)
        elif accounts.empty(house) and not door.offered():
            _unused()
        else:
            _usual(house)


def _unused() -> None:
    """Say what accounts are for, and who creates the first one."""
    st.info(
        say(
            "No one has an account here yet. With accounts, a privacy officer can register a dataset and approve its "
            "results. The server administrator creates the first one, with the link in the terminal."
        )
    )
    if not door.must_sign_in():
        st.caption(say("Samples and your own table need no account."))
    link("help", say("Who may do what, and why"), "help", {"topic": "explanation/roles-and-review"})


def _usual(house: House) -> None:
    """Ask for a login and a password, or send to the provider."""
    if door.offered():
        _organisation()
    with st.form("sign-in", border=False, enter_to_submit=True):
        login = st.text_input(say("Login"), autocomplete="username")
        password = st.text_input(say("Password"), type="password", autocomplete="current-password")
        if st.form_submit_button(say("Sign in"), width="stretch"):
            _try(lambda: signing_in.sign_in(house, login, password, *door.whence()))
    st.caption(
        say(
            "Analysts, officers and administrators sign in to work with registered datasets. Samples "
            "and your own files need no account."
        )
    )


def _organisation() -> None:
    st.button(
        say("Sign in with your organisation"),
        on_click=st.login,
        type="primary",
        width="stretch",
        icon=":material/badge:",
    )
    st.caption(say("or with a password for this server"))


def _by_link(house: House, link: str) -> None:
    purpose = links.pending(house, link)
    if purpose == "setup":
        _first(house, link)
    elif purpose == "password":
        _password(house, link)
    else:
        st.error(say("This link has expired or was already used. Ask for a new one."))


def _first(house: House, link: str) -> None:
    """Create the first account, with the roles administrator and officer."""
    st.markdown(
        say(
            "**The first account** has two roles: administrator (invites people) and privacy officer "
            "(registers datasets, approves requests). Analysts need a separate account."
        )
    )
    with st.form("first", border=False):
        login = st.text_input(say("Login"), autocomplete="username")
        name = st.text_input(say("Name"), autocomplete="name")
        password = _new_password()
        if st.form_submit_button(say("Set up"), type="primary", width="stretch"):
            _try(lambda: joining.set_up(house, link, login, name, password()))


def _password(house: House, link: str) -> None:
    """Choose a password for the account that the link belongs to."""
    person = joining.invited(house, link)
    if person is not None:
        st.markdown(
            say(
                "{name}, choose a password. Your login is {login}; your roles are: {roles}.",
                name=f"**{quoted(person.name)}**",
                login=f"**{quoted(person.login)}**",
                roles=in_words(person.roles),
            )
        )
    with st.form("password", border=False):
        password = _new_password()
        if st.form_submit_button(say("Save password"), type="primary", width="stretch"):
            _try(lambda: joining.choose_password(house, link, password()))


def _new_password() -> Callable[[], str]:
    """Ask for a new password twice; the returned function checks that both are equal and returns it."""
    typed = [
        st.text_input(label, type="password", autocomplete="new-password")
        for label in (say("New password"), say("Repeat new password"))
    ]
    st.caption(say("At least {fewest} characters. A sentence works well.", fewest=accounts.FEWEST))

    def same() -> str:
        if typed[0] != typed[1]:
            raise ParameterError("The two passwords differ. Enter them again.")
        return str(typed[0])

    return same


def _try(step: Callable[[], Member | Halfway]) -> None:
    """Sign a person in, ask for the second step, or show the error."""
    try:
        arrival = step()
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    if isinstance(arrival, Halfway):
        begin(arrival)
        return
    with st.spinner(say("Signing in")):
        door.let_in(arrival, language())
