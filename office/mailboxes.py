"""Mailboxes: where a person wants mail, proven by a code that was mailed there, and of what they want it.

The address is set by the person or an administrator. Nothing but codes is sent to it before the person
has typed one in; after that its row bears a mark, made with the key of the vault, without which nothing
is sent: another address in the table gets nothing.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Collection
from dataclasses import dataclass
from logging import getLogger
from typing import Any, Protocol
from uuid import uuid4

from sqlalchemy import Connection, delete, func, insert, select, update

from discreet.budget import ParameterError, Phrase
from discreet.office.bulletins import KINDS
from discreet.office.causes import cause
from discreet.office.house import House
from discreet.office.memberships import row_of
from discreet.office.notice_tables import mailboxes
from discreet.office.relations import acts
from discreet.office.roles import ROLES, Member, present, require
from discreet.office.tongues import Said, in_english, tongue_of
from discreet.office.watching import once_a_day

ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])")
DIGITS, LIFE, GUESSES, CODES = 8, 30 * 60.0, 5, 5  # of a code; seconds; wrong ones; codes a day
LONGEST = 254
WORDS = Phrase(
    "{code} is your code. Type it in on the page Account within 30 minutes. If you asked for none, do nothing."
)
SUBJECT = Phrase("Discreet: your code")


class Post(Protocol):
    """Whatever sends a letter; what cannot be sent raises OSError."""

    def post(self, receivers: tuple[str, ...], subject: str, text: str, name: str) -> None:
        """Send it, under a name of its own."""


@dataclass(frozen=True)
class Mailbox:
    """Somebody's mail: where to, whether that is proven, and what they want."""

    address: str
    proven: bool
    wants: frozenset[str]
    daily: bool


def own_mailbox(house: House, who: Member | None, login: str = "") -> Mailbox | None:
    """Return where somebody wants mail: oneself, or for an administrator whoever is named."""
    who = require(who, *ROLES)
    if login not in ("", who.login):
        require(who, "administrator")
    with house.store.reading() as connection:
        row = _row(connection, row_of(connection, login)["id"] if login else who.id)
    return None if row is None else _mailbox(house, row)


def set_address(house: House, who: Member | None, login: str, address: str) -> None:
    """Set somebody's address, one's own or as an administrator; nothing ends all mail."""
    who, address = require(who, *ROLES), address.strip()
    if address and (len(address) > LONGEST or not ADDRESS.fullmatch(address) or ".." in address):
        raise ParameterError("This is no mail address. Write it as name@example.org, in plain letters.")
    with house.writing() as connection:
        who = present(connection, who, *ROLES)
        if login != who.login:
            require(who, "administrator")
        person = row_of(connection, login)["id"]
        before = _row(connection, person)
        if (before["address"] if before is not None else "") == address:
            return
        connection.execute(delete(mailboxes).filter_by(person=person))
        if address:
            connection.execute(insert(mailboxes).values(**_begun(connection, person, address, before)))
        house.act(connection, who.id, "mailbox", login)


def send_code(house: House, who: Member | None, way: Post, said: Said = in_english) -> None:
    """Send a code to one's own address: it proves who reads mail there. A few a day, so that nobody is flooded."""
    who, code = require(who, *ROLES), f"{uuid4().int % 10**DIGITS:0{DIGITS}}"
    with house.writing() as connection:
        who, today = present(connection, who, *ROLES), house.now.date().isoformat()
        row, tongue = _present(connection, who), tongue_of(connection, who.id)
        sent = row["codes"] if row["day"] == today else 0
        if sent >= CODES:
            raise ParameterError("{most} codes were sent today. Try again tomorrow.", most=CODES)
        values = {"code": _code(house, row, code), "code_until": house.clock() + LIFE, "guesses": 0}
        _write(connection, who, **values, codes=sent + 1, day=today)
    try:
        text = said(tongue, WORDS, code=code) + "\n"
        way.post((row["address"],), said(tongue, SUBJECT), text, f"code-{uuid4().hex}")
    except OSError as refused:
        getLogger("discreet").error("mail: a code waits for nobody: %s", cause(refused))
        once_a_day(house, "unsent", "mail")
        raise ParameterError(
            "The mail server did not take it. Check the address, and try again later. "
            "Administrators read of it in their news."
        ) from None


def confirm(house: House, who: Member | None, code: str) -> None:
    """Prove one's own address by the code that was sent there; from now on what is wanted is sent."""
    who = require(who, *ROLES)
    with house.writing() as connection:
        who = present(connection, who, *ROLES)
        row = _present(connection, who)
        live = bool(row["code"]) and house.clock() < row["code_until"] and row["guesses"] < GUESSES
        right = live and hmac.compare_digest(row["code"], _code(house, row, code.strip()))
        if right:
            _write(connection, who, code="", mark=_mark(house, row), seq=newest_act(connection), tries=0, after=0.0)
        elif live:
            _write(connection, who, guesses=row["guesses"] + 1)
    if not right:
        raise ParameterError("This is not the code, or it is too old. Look again, or send a new one.")


def choose_mail(house: House, who: Member | None, wants: Collection[str], daily: bool) -> None:
    """Say of what one wants mail, and whether at once or once a day. It concerns nobody else and is no act."""
    who = require(who, *ROLES)
    if set(wants) - set(KINDS):
        raise ParameterError("Choose from the list what you want mail about.")
    with house.writing() as connection:
        who = present(connection, who, *ROLES)
        _present(connection, who)
        _write(connection, who, wants=",".join(sorted(wants)), daily=daily)


def proven(house: House, row: Any) -> bool:
    """Say whether whoever reads mail at an address has proven it."""
    return hmac.compare_digest(str(row["mark"]), _mark(house, row))


def _begun(connection: Connection, person: str, address: str, before: Any) -> dict[str, Any]:
    """Return the row of an address that nobody has proven; how many codes were sent today goes on."""
    sent, day = (0, "") if before is None else (before["codes"], before["day"])
    wants, daily = (",".join(sorted(KINDS)), False) if before is None else (before["wants"], before["daily"])
    row = {"person": person, "address": address, "mark": "", "wants": wants, "daily": daily, "code": ""}
    times = {"code_until": 0.0, "guesses": 0, "codes": sent, "day": day}
    return row | times | {"seq": newest_act(connection), "tries": 0, "after": 0.0}


def _present(connection: Connection, who: Member) -> Any:
    row = _row(connection, who.id)
    if row is None:
        raise ParameterError("Write down your mail address first.")
    return row


def _row(connection: Connection, person: str) -> Any:
    return connection.execute(select(mailboxes).filter_by(person=person)).mappings().first()


def _write(connection: Connection, who: Member, **values: Any) -> None:
    connection.execute(update(mailboxes).filter_by(person=who.id).values(**values))


def newest_act(connection: Connection) -> int:
    """Return the number of the newest act."""
    seq = connection.execute(select(func.max(acts.c.seq))).scalar()
    return -1 if seq is None else int(seq)


def _mailbox(house: House, row: Any) -> Mailbox:
    wants = frozenset(filter(None, row["wants"].split(",")))
    return Mailbox(row["address"], proven(house, row), wants, bool(row["daily"]))


def _mark(house: House, row: Any) -> str:
    return house.vault.fingerprint(f"mailbox:{row['person']}:{row['address']}")


def _code(house: House, row: Any, code: str) -> str:
    return house.vault.fingerprint(f"code:{row['person']}:{row['address']}:{code}")
