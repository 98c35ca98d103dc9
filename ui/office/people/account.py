"""Account: the signed-in person's mail, second factor, substitute and tokens."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

import streamlit as st

from discreet.budget import ParameterError, Phrase
from discreet.office import House, Member
from discreet.office.house.roles import OFFICER, OPENID, ROLES
from discreet.office.notices import mail, news, transport
from discreet.office.notices.mail import Mailbox
from discreet.office.notices.news import KINDS
from discreet.office.people import tokens
from discreet.office.people.tokens import LONGEST_PROVIDED, LONGEST_TOKEN, SCOPES, Credential
from discreet.office.rules import substitutes
from discreet.office.rules.substitutes import LONGEST_SUBSTITUTION, Substitution
from discreet.ui.frame.catalogue import said_in
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.forms import do, told_done
from discreet.ui.office.people import factor
from discreet.ui.session import door
from discreet.ui.session.state import LANGUAGES

# Mail: the address for mail, the code that confirms it, and the topics of the mail.

OFTEN = {False: Phrase("immediately"), True: Phrase("at most one message a day")}


def show_mail(house: House, who: Member) -> None:
    """Show the address, whether it is confirmed, and the choices."""
    st.header(say("Email"), anchor=False)
    st.caption(
        say(
            "Emails report what is new on the News page. A message contains only request numbers and "
            "links, no queries and no names."
        )
    )
    mailbox = mail.own_mailbox(house, who)
    ask_address(house, who, who.login, "" if mailbox is None else mailbox.address)
    way = transport.mail_of()
    if way is None:
        st.info(
            say(
                "Email is not set up on this server. Ask the server administrator to set DISCREET_MAIL. "
                "You can enter your address now."
            )
        )
    elif mailbox is not None and not mailbox.proven:
        _prove(house, who, mailbox, way)
    if mailbox is not None:
        _choose(house, who, mailbox)


def ask_address(house: House, who: Member, login: str, before: str) -> None:
    """Ask for one's own address, or as an administrator for another person's."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        address = st.text_input(say("Email address"), before, key=f"mail:{login}", placeholder="name@example.org")
        if st.button(say("Save address"), key=f"save-mail:{login}"):
            do(lambda: mail.set_address(house, who, login, address), say("Saved."))


def _prove(house: House, who: Member, mailbox: Mailbox, way: transport.Mail) -> None:
    """Send a code to the address, and ask for it."""
    st.warning(say("Nothing is sent to {address} until you enter a code from there.", address=quoted(mailbox.address)))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        code = st.text_input(say("Code"), key="mail-code", placeholder="12345678", max_chars=12)
        if st.button(say("Confirm code"), key="confirm-code"):
            do(lambda: mail.confirm(house, who, code), say("Address confirmed. Email is sent there from now on."))
        if st.button(say("Send code"), key="send-code"):
            done = say("The code was sent. It is valid for 30 minutes.")
            do(lambda: mail.send_code(house, who, way, said_in), done)


def _choose(house: House, who: Member, mailbox: Mailbox) -> None:
    """Ask for the topics of mail, and how often it is sent."""
    with st.form("mail-choices", border=False):
        wants = [
            kind
            for kind, (words, _) in KINDS.items()
            if st.checkbox(say(words), kind in mailbox.wants, key=f"mail-about:{kind}")
        ]
        daily = st.radio(
            say("Frequency"),
            list(OFTEN),
            int(mailbox.daily),
            format_func=lambda each: say(OFTEN[each]),
            horizontal=True,
        )
        sent = st.form_submit_button(say("Save email settings"), width="stretch")
    if sent:
        do(lambda: mail.choose_mail(house, who, wants, bool(daily)), say("Saved."))


# Language: the language of mail, which may differ from that of the screen.


def show_language(house: House, who: Member) -> None:
    """Ask for the language of mail."""
    before = news.own_tongue(house, who)
    codes = list(LANGUAGES)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        language = st.selectbox(
            say("Email language"),
            codes,
            codes.index(before) if before in codes else 0,
            format_func=LANGUAGES.__getitem__,
            key="tongue",
        )
        if st.button(say("Save language"), key="save-tongue"):
            do(lambda: news.choose_tongue(house, who, language), say("Saved."))


# Substitutes: who decides for an officer for some days, and for whom this person does.


def show_substitutes(house: House, who: Member) -> None:
    """Show the current substitutions, and let an officer name a substitute."""
    st.header(say("Substitute"), anchor=False)
    st.caption(
        say(
            "While you are away, your substitute decides on datasets assigned to you by their policy. "
            "The audit log records that they act for you. Where two officers are required, the two of "
            "you count as one. The substitution ends automatically. If a policy names no one, every "
            "officer can decide."
        )
    )
    mine = [each for each in substitutes.substitutions(house, who) if who.id in (each.officer.id, each.substitute.id)]
    for each in mine:
        line(house, who, each)
    others = substitutes.colleagues(house, who)
    if not others:
        st.info(say("No other officer has an account here. An administrator can invite one on the People page."))
        return
    _new_substitute(house, who, others)


def line(house: House, who: Member, each: Substitution) -> None:
    """Show one substitution, with a way to end it."""
    words, way = st.columns([4, 1], vertical_alignment="center")
    first, last = each.days
    words.markdown(
        say(
            "{substitute} substitutes for {officer} from {first} to {last}.",
            substitute=quoted(each.substitute.name),
            officer=quoted(each.officer.name),
            first=first.isoformat(),
            last=last.isoformat(),
        )
    )
    if way.button(say("End substitution"), key=f"end-substitution:{each.id}", width="stretch"):
        do(lambda: substitutes.end_substitution(house, who, each.id), say("The substitution has ended."))


def _new_substitute(house: House, who: Member, others: list[Member]) -> None:
    today = house.now.date()
    with st.form("substitute", border=False):
        other = st.selectbox(
            say("Name of the substitute"), others, format_func=lambda each: f"{each.name} ({each.login})"
        )
        left, right = st.columns(2)
        first = left.date_input(say("First day"), today, min_value=today, key="substitute:first")
        last = right.date_input(
            say("Last day"),
            today,
            min_value=today,
            key="substitute:last",
            help=say("A substitution can last up to {days} days.", days=LONGEST_SUBSTITUTION),
        )
        sent = st.form_submit_button(say("Name substitute"), width="stretch")
    if sent:
        do(lambda: substitutes.name_substitute(house, who, other.login, first, last), say("Saved."))


# Roles as text and as a choice.


def in_words(roles: Collection[str]) -> str:
    """Return roles as text."""
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
        help=say(
            "Analysts send requests, officers register datasets and decide on requests, and "
            "administrators invite people."
        ),
    )
    return frozenset(roles)


DAYS = (1, LONGEST_PROVIDED, 30, 90, LONGEST_TOKEN)


def show() -> None:
    """Show the account: mail, substitute, second factor, tokens, and a way to create a token."""
    st.title(say("Account"), anchor=False)
    house = door.house()
    who = door.who()
    if house is None or who is None:
        return
    told_done()
    name = f"**{quoted(who.name)}**"
    login = quoted(who.login)
    st.markdown(say("{name}, login {login}: {roles}.", name=name, login=login, roles=in_words(who.roles)))
    left, right = st.columns([3, 2], gap="medium")
    if not who.id.startswith(OPENID):  # a provider asks for its own second factor
        with right, st.container(border=True):
            factor.show(house, who)
    _parts(house, who, left, right)


def _parts(
    house: House, who: Member, left: st.delta_generator.DeltaGenerator, right: st.delta_generator.DeltaGenerator
) -> None:
    """Show the mail settings and substitutes on the left, the second factor and tokens on the right."""
    with left, st.container(border=True):
        show_mail(house, who)
        show_language(house, who)
    if OFFICER in who.roles:
        with left, st.container(border=True):
            show_substitutes(house, who)
    with right, st.container(border=True):
        _new(house, who)
    with left, st.container(border=True):
        _tokens(house, who, tokens.own_tokens(house, who))


def _tokens(house: House, who: Member, tokens: Sequence[Credential]) -> None:
    st.header(say("API tokens"), anchor=False)
    st.caption(
        say(
            "A program with your token can do what you can do, under {address} and in your name. "
            "Tokens end with your account, or when an administrator ends your sessions.",
            address="**/api/v1**",
        )
    )
    if not tokens:
        st.info(say("You have no tokens yet."))
    for token in tokens:
        _token(house, who, token)


def _token(house: House, who: Member, token: Credential) -> None:
    """Show one token, with a way to revoke it."""
    words, way = st.columns([4, 1], vertical_alignment="center")
    scopes = " · ".join(sorted(token.scopes))
    used = say("never used") if token.used is None else say("last used {time}", time=_time(token.used))
    until = say("valid until {time}", time=_time(token.until))
    words.markdown(f"**{quoted(token.name)}**  \n:small[{quoted(scopes)} · {quoted(until)} · {quoted(used)}]")
    if way.button(say("Revoke"), key=f"revoke:{token.id}", width="stretch"):
        do(lambda: tokens.revoke(house, who, token.id))


def _new(house: House, who: Member) -> None:
    """Ask for the purpose of a token, and show the new token once."""
    st.header(say("Create token"), anchor=False)
    provided = who.id.startswith(OPENID)
    with st.form("new-token", border=False):
        name = st.text_input(say("Name"), placeholder=say("program that uses the token, and its location"))
        scopes = [scope for scope in SCOPES if st.checkbox(say(SCOPES[scope]), scope == "read", key=f"scope:{scope}")]
        days = st.selectbox(
            say("Valid for (days)"), [day for day in DAYS if not provided or day <= LONGEST_PROVIDED], index=1
        )
        sent = st.form_submit_button(say("Create token"), width="stretch")
    if sent:
        _shown_once(house, who, name, frozenset(scopes), days)


def _shown_once(house: House, who: Member, name: str, scopes: frozenset[str], days: int) -> None:
    try:
        secret = tokens.issue(house, who, name, scopes, days)
    except ParameterError as refused:
        st.error(quoted(say(refused)))
        return
    st.success(say("Copy the token now. It is not shown again. Keep it like a password."))
    st.code(secret, language=None, wrap_lines=True)


def _time(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
