"""Mail: who wants it where, what it says, and how deliveries are made until each has arrived."""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from logging import getLogger
from typing import Any, Protocol
from uuid import uuid4

from sqlalchemy import Connection, delete, func, insert, select, update

from discreet.budget import ParameterError, Phrase
from discreet.office.house import acts
from discreet.office.house.failures import DAY, HOUR, cause
from discreet.office.house.house import House
from discreet.office.house.roles import ADMINISTRATOR, ROLES, Member, person_of, present, require
from discreet.office.house.tables import acts as told_acts
from discreet.office.house.tables import couriers, mailboxes, people
from discreet.office.notices.deadlines import once_a_day
from discreet.office.notices.news import KINDS, OF_OWN, OF_ROLE, Bulletin, Said, Say, bulletins, in_english, tongue_of
from discreet.office.people.accounts import row_of
from discreet.office.requests.states import WAITING

# Mailboxes: where a person wants mail, proven by a code that was mailed there, and of what they want it.
#
# The address is set by the person or an administrator. Nothing but codes is sent to it before the person
# has typed one in; after that its row bears a mark, made with the key of the vault, without which nothing
# is sent: another address in the table gets nothing.

ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])")
DIGITS, LIFE, GUESSES, CODES = 8, 30 * 60.0, 5, 5  # of a code; seconds; wrong ones; codes a day
LONGEST_ADDRESS = 254
NOTICE_WORDS = Phrase(
    "Your code is {code}. Enter it on the Account page within 30 minutes. If you did not "
    "request a code, ignore this message."
)
SUBJECT = Phrase("Discreet: your code")


class Post(Protocol):
    """Whatever sends a letter; what cannot be sent raises OSError."""

    def post(self, receivers: tuple[str, ...], subject: str, text: str, name: str) -> None:
        """Send it, under a name of its own."""


@dataclass(frozen=True)
class Mailbox:
    """A person's mail settings: the address, whether it is confirmed, and the chosen kinds."""

    address: str
    proven: bool
    wants: frozenset[str]
    daily: bool


def own_mailbox(house: House, who: Member | None, login: str = "") -> Mailbox | None:
    """Return the mail settings of the caller or, for an administrator, of a named person."""
    who = require(who, *ROLES)
    if login not in ("", who.login):
        require(who, ADMINISTRATOR)
    with house.store.reading() as connection:
        row = _mailbox_row(connection, row_of(connection, login)["id"] if login else who.id)
    return None if row is None else _mailbox(house, row)


def set_address(house: House, who: Member | None, login: str, address: str) -> None:
    """Set a person's address, one's own or as an administrator; an empty one ends all mail."""
    who, address = require(who, *ROLES), address.strip()
    if address and (len(address) > LONGEST_ADDRESS or not ADDRESS.fullmatch(address) or ".." in address):
        raise ParameterError("This is not a valid email address. Use the form name@example.org with plain letters.")
    with house.writing() as connection:
        who = present(connection, who, *ROLES)
        if login != who.login:
            require(who, ADMINISTRATOR)
        person = row_of(connection, login)["id"]
        before = _mailbox_row(connection, person)
        if (before["address"] if before is not None else "") == address:
            return
        connection.execute(delete(mailboxes).filter_by(person=person))
        if address:
            connection.execute(insert(mailboxes).values(**_begun(connection, person, address, before)))
        house.act(connection, who.id, acts.MAILBOX, login)


def send_code(house: House, who: Member | None, way: Post, said: Said = in_english) -> None:
    """Send a code to one's own address: it confirms the address. The number a day is limited, against mail floods."""
    who, code = require(who, *ROLES), f"{uuid4().int % 10**DIGITS:0{DIGITS}}"
    with house.writing() as connection:
        who, today = present(connection, who, *ROLES), house.now.date().isoformat()
        row = _present(connection, who)
        tongue = tongue_of(connection, who.id)
        sent = row["codes"] if row["day"] == today else 0
        if sent >= CODES:
            raise ParameterError("The limit of {most} codes per day is reached. Try again tomorrow.", most=CODES)
        values = {"code": _code(house, row, code), "code_until": house.clock() + LIFE, "guesses": 0}
        _write_mailbox(connection, who, **values, codes=sent + 1, day=today)
    try:
        text = said(tongue, NOTICE_WORDS, code=code) + "\n"
        way.post((row["address"],), said(tongue, SUBJECT), text, f"code-{uuid4().hex}")
    except OSError as refused:
        getLogger("discreet").error("mail: a code waits for nobody: %s", cause(refused))
        once_a_day(house, acts.UNSENT, "mail")
        raise ParameterError(
            "The mail server did not accept the message. Check the address, then try again later. "
            "Administrators see this in their news."
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
            _write_mailbox(
                connection, who, code="", mark=_mark(house, row), seq=newest_act(connection), tries=0, after=0.0
            )
        elif live:
            _write_mailbox(connection, who, guesses=row["guesses"] + 1)
    if not right:
        raise ParameterError("Wrong or expired code. Check it, or send a new one.")


def choose_mail(house: House, who: Member | None, wants: Collection[str], daily: bool) -> None:
    """Set the kinds of mail, and whether it comes at once or once a day. It is not an act on the trail."""
    who = require(who, *ROLES)
    if set(wants) - set(KINDS):
        raise ParameterError("Choose from the list which emails you want.")
    with house.writing() as connection:
        who = present(connection, who, *ROLES)
        _present(connection, who)
        _write_mailbox(connection, who, wants=",".join(sorted(wants)), daily=daily)


def proven(house: House, row: Any) -> bool:
    """Return whether the address is confirmed."""
    return hmac.compare_digest(str(row["mark"]), _mark(house, row))


def _begun(connection: Connection, person: str, address: str, before: Any) -> dict[str, Any]:
    """Return the row of an address that is not confirmed; the number of codes sent today is kept."""
    sent, day = (0, "") if before is None else (before["codes"], before["day"])
    wants, daily = (",".join(sorted(KINDS)), False) if before is None else (before["wants"], before["daily"])
    row = {"person": person, "address": address, "mark": "", "wants": wants, "daily": daily, "code": ""}
    times = {"code_until": 0.0, "guesses": 0, "codes": sent, "day": day}
    return row | times | {"seq": newest_act(connection), "tries": 0, "after": 0.0}


def _present(connection: Connection, who: Member) -> Any:
    row = _mailbox_row(connection, who.id)
    if row is None:
        raise ParameterError("Enter your email address first.")
    return row


def _mailbox_row(connection: Connection, person: str) -> Any:
    return connection.execute(select(mailboxes).filter_by(person=person)).mappings().first()


def _write_mailbox(connection: Connection, who: Member, **values: Any) -> None:
    connection.execute(update(mailboxes).filter_by(person=who.id).values(**values))


def newest_act(connection: Connection) -> int:
    """Return the number of the newest act."""
    seq = connection.execute(select(func.max(told_acts.c.seq))).scalar()
    return -1 if seq is None else int(seq)


def _mailbox(house: House, row: Any) -> Mailbox:
    wants = frozenset(filter(None, row["wants"].split(",")))
    return Mailbox(row["address"], proven(house, row), wants, bool(row["daily"]))


def _mark(house: House, row: Any) -> str:
    return house.vault.fingerprint(f"mailbox:{row['person']}:{row['address']}")


def _code(house: House, row: Any, code: str) -> str:
    return house.vault.fingerprint(f"code:{row['person']}:{row['address']}:{code}")


# Couriers: news that leaves the house, act by act, from the trail; a place in the database says how far each has come.

MATTERS = sorted({*OF_OWN, *(what for acts_of in OF_ROLE.values() for what in acts_of)})
LEASE = 120.0
FIRST = 30.0
LONGEST = 3600.0
TRIES = 12
ROUND = 50
TOLD_AFTER = 3  # tries before administrators are notified: not of a server that is away for a minute
Message = dict[str, Any]


class Courier(Protocol):
    """A way out of the house: what it is called, and how it sends; what cannot be sent raises OSError."""

    @property
    def name(self) -> str:
        """What its place in the database is called."""

    def send(self, message: Message) -> None:
        """Send one message."""


def deliver(house: House, courier: Courier) -> int:
    """Send what is new, in order; return how many messages were sent."""
    for sent in range(ROUND):
        message = _next(house, courier.name)
        if message is None:
            return sent
        try:
            courier.send(message)
        except (OSError, ParameterError) as refused:
            _failed(house, courier.name, message["id"], refused)
            return sent
        _done(house, courier.name, message["id"])
    return ROUND


def _next(house: House, name: str) -> Message | None:
    """Take the next act to notify; no other server takes the same one meanwhile."""
    with house.writing() as connection:
        row = _delivery_row(connection, name)
        if row["after"] > house.clock():
            return None
        new = (
            select(told_acts)
            .where(told_acts.c.seq > row["seq"], told_acts.c.what.in_(MATTERS))
            .order_by(told_acts.c.seq)
        )
        line = next((line for line in map(dict, connection.execute(new).mappings()) if _tells(line)), None)
        if line is not None:
            _write(connection, name, after=house.clock() + LEASE)
    return None if line is None else message_of(line)


def message_of(line: Mapping[str, Any]) -> Message:
    """Return what leaves the house of an act."""
    act = acts.EVERY[line["what"]]
    about = "" if act.nameless else str(line["about"])
    path = f"/review?waiting={about[1:]}" if about.startswith("#") else "/audit-log"
    words = str(act.words)
    return {"id": line["seq"], "at": line["time"], "what": act.name, "words": words, "about": about, "path": path}


def _tells(line: Mapping[str, Any]) -> bool:
    """Return whether an act is worth a message: a question that needs no decision is not."""
    return bool(line["what"] != acts.ASKED.name or json.loads(line["told"]).get("state") == WAITING.name)


def _delivery_row(connection: Connection, name: str) -> Any:
    """Return how far a courier has come; a new one begins with what happens from now on."""
    row = connection.execute(select(couriers).filter_by(name=name)).mappings().first()
    if row is None:
        newest = connection.execute(select(func.max(told_acts.c.seq))).scalar()
        begin = {"name": name, "seq": -1 if newest is None else newest, "tries": 0, "after": 0.0}
        connection.execute(insert(couriers).values(**begin))
        return begin
    return row


def _done(house: House, name: str, seq: int) -> None:
    with house.writing() as connection:
        _write(connection, name, seq=seq, tries=0, after=0.0)


def _failed(house: House, name: str, seq: int, why: Exception) -> None:
    """Wait longer each time; after many tries give one message up, so that others get out."""
    with house.writing() as connection:
        tries = _delivery_row(connection, name)["tries"] + 1
        over = tries >= TRIES
        wait = min(FIRST * 2 ** (tries - 1), LONGEST)
        rest = {"seq": seq, "tries": 0} if over else {"tries": tries}
        _write(connection, name, after=house.clock() + wait, **rest)
    text = "%s: message %s is given up: %s" if over else "%s: message %s waits: %s"
    getLogger("discreet").error(text, name, seq, cause(why))
    if tries >= TOLD_AFTER:
        once_a_day(house, acts.UNSENT, name)


def _write(connection: Connection, name: str, **values: Any) -> None:
    connection.execute(update(couriers).filter_by(name=name).values(**values))


# Letters: mail to each person who wants it, of what is new to them; each server takes another one.

LONGEST_LETTER = 6 * HOUR
DOUBLED = 10
NAME = "mail"
SINGLE = Phrase("Discreet: {title}")
SEVERAL = Phrase("Discreet: {number} new notifications")
END = Phrase("Choose which emails you receive on {address}")


def deliver_letters(house: House, way: Post, address: str, said: Said = in_english) -> int:
    """Send what is new to the people who chose it, with links below an address; return the number of letters sent.

    A letter that is refused ends the round, as the next ones may be, too: each waits for its own time.
    """
    for sent in range(ROUND):
        letter = _next_letter(house)
        if letter is None:
            return sent
        row, news, tongue = letter
        say: Say = partial(said, tongue)
        try:
            text = _text(news, address, say)
            name = f"{row['person']}-{news[0].seq}"
            way.post((row["address"],), _subject(news, say), text, name)
        except OSError as refused:
            _letter_failed(house, row, refused)
            return sent
        _letter_done(house, row, news[0].seq)
    return ROUND


def _next_letter(house: House) -> tuple[Any, list[Bulletin], str] | None:
    """Take the next letter and its language; no other server takes the same one meanwhile."""
    with house.store.reading() as connection:
        if not _due(house, connection):
            return None  # nothing is locked for it
    with house.writing() as connection:
        for row, reader in _due(house, connection):
            wanted = frozenset(row["wants"].split(","))
            news = bulletins(house, connection, reader, row["seq"], wanted)
            if news:
                _write_letter(connection, row, after=house.clock() + LEASE)
                return row, news, tongue_of(connection, row["person"])
            _write_letter(connection, row, seq=newest_act(connection))
    return None


def _due(house: House, connection: Connection) -> list[tuple[Any, Member]]:
    """Return the proven mailboxes of open accounts that are behind and due, the longest first."""
    both = mailboxes.join(people, people.c.id == mailboxes.c.person)
    where = (mailboxes.c.after <= house.clock()) & people.c.active & (mailboxes.c.seq < newest_act(connection))
    query = select(mailboxes, people).select_from(both).where(where).order_by(mailboxes.c.after, mailboxes.c.person)
    rows = connection.execute(query).mappings().all()
    return [(row, person_of(row)) for row in rows if proven(house, row)]


def _letter_done(house: House, row: Any, seq: int) -> None:
    with house.writing() as connection:
        _write_letter(connection, row, seq=seq, tries=0, after=house.clock() + DAY if row["daily"] else 0.0)


def _letter_failed(house: House, row: Any, why: Exception) -> None:
    """Wait longer after each failure, and log it for the server administrator."""
    tries = row["tries"] + 1
    with house.writing() as connection:
        wait = min(FIRST * 2.0 ** min(tries - 1, DOUBLED), LONGEST_LETTER)
        _write_letter(connection, row, tries=tries, after=house.clock() + wait)
    getLogger("discreet").error("%s: a letter waits: %s", NAME, cause(why))
    if tries >= TOLD_AFTER:
        once_a_day(house, acts.UNSENT, NAME)


def _subject(news: list[Bulletin], say: Say) -> str:
    return say(SINGLE, title=news[0].title(say)) if len(news) == 1 else say(SEVERAL, number=len(news))


def _text(news: list[Bulletin], address: str, say: Say) -> str:
    """Write what happened, oldest first: numbers and links, nothing else."""
    lines = [f"{each.at:%Y-%m-%d %H:%M} UTC  {each.title(say)}\n  {address}{each.path}\n" for each in news[::-1]]
    return "\n".join([*lines, say(END, address=f"{address}/account") + "\n"])


def _write_letter(connection: Connection, row: Any, **values: Any) -> None:
    same = (mailboxes.c.person == row["person"]) & (mailboxes.c.address == row["address"])
    connection.execute(update(mailboxes).where(same).values(**values))
