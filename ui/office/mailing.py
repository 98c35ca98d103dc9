"""Mailing: where somebody wants mail, the code that proves it, and what the mail is about."""

from __future__ import annotations

import streamlit as st

from discreet.budget import Phrase
from discreet.office import House, Member, mailboxes, sending
from discreet.office.bulletins import KINDS
from discreet.office.mailboxes import Mailbox
from discreet.ui.frame.catalogues import said_in
from discreet.ui.frame.words import quoted, say
from discreet.ui.office.steps import do

OFTEN = {False: Phrase("at once"), True: Phrase("at most one message a day")}


def show(house: House, who: Member) -> None:
    """Show the address, what is still to be done about it, and the choices."""
    st.header(say("Mail"), anchor=False)
    st.caption(
        say("What is new on the page News. A message holds numbers of requests and links: no question, no name.")
    )
    mailbox = mailboxes.own_mailbox(house, who)
    ask_address(house, who, who.login, "" if mailbox is None else mailbox.address)
    way = sending.mail_of()
    if way is None:
        st.info(
            say("This server sends no mail yet. Whoever keeps it sets DISCREET_MAIL; an address can be written down.")
        )
    elif mailbox is not None and not mailbox.proven:
        _prove(house, who, mailbox, way)
    if mailbox is not None:
        _choose(house, who, mailbox)


def ask_address(house: House, who: Member, login: str, before: str) -> None:
    """Ask for an address, one's own or, as an administrator, somebody else's."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        address = st.text_input(say("Mail address"), before, key=f"mail:{login}", placeholder="name@example.org")
        if st.button(say("Save the address"), key=f"save-mail:{login}"):
            do(lambda: mailboxes.set_address(house, who, login, address), say("Saved."))


def _prove(house: House, who: Member, mailbox: Mailbox, way: sending.Mail) -> None:
    """Send a code to the address, and ask for it."""
    st.warning(
        say("Nothing is sent to {address} before you have typed in a code from there.", address=quoted(mailbox.address))
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        code = st.text_input(say("Code"), key="mail-code", placeholder="12345678", max_chars=12)
        if st.button(say("Confirm the code"), key="confirm-code"):
            do(lambda: mailboxes.confirm(house, who, code), say("The address is proven. Mail goes there from now on."))
        if st.button(say("Send a code"), key="send-code"):
            done = say("The code is on its way. It works for 30 minutes.")
            do(lambda: mailboxes.send_code(house, who, way, said_in), done)


def _choose(house: House, who: Member, mailbox: Mailbox) -> None:
    """Ask what the mail is about, and how often it comes."""
    with st.form("mail-choices", border=False):
        wants = [
            kind
            for kind, (words, _) in KINDS.items()
            if st.checkbox(say(words), kind in mailbox.wants, key=f"mail-about:{kind}")
        ]
        daily = st.radio(
            say("How often"),
            list(OFTEN),
            int(mailbox.daily),
            format_func=lambda each: say(OFTEN[each]),
            horizontal=True,
        )
        sent = st.form_submit_button(say("Save what I want"), width="stretch")
    if sent:
        do(lambda: mailboxes.choose_mail(house, who, wants, bool(daily)), say("Saved."))
