"""Letters: mail to each person who wants it, of what is new to them; each server takes another one.

A letter that cannot be sent waits longer each time, and then holds what came since as well. Nothing is
given up: what is older than the page News goes back is left out. The log is told each time, and
administrators once a day. Each letter is in the language of who reads it.
"""

from __future__ import annotations

from functools import partial
from logging import getLogger
from typing import Any

from sqlalchemy import Connection, select, update

from discreet.budget import Phrase
from discreet.office.bulletins import Bulletin, Say, bulletins
from discreet.office.causes import cause
from discreet.office.couriers import FIRST, LEASE, ROUND, TOLD_AFTER
from discreet.office.durations import DAY, HOUR
from discreet.office.house import House
from discreet.office.mailboxes import Post, newest_act, proven
from discreet.office.notice_tables import mailboxes
from discreet.office.relations import people
from discreet.office.roles import Member, person_of
from discreet.office.tongues import Said, in_english, tongue_of
from discreet.office.watching import once_a_day

LONGEST, DOUBLED = 6 * HOUR, 10
NAME = "mail"
SINGLE, SEVERAL = Phrase("Discreet: {title}"), Phrase("Discreet: {number} things are new")
END = Phrase("What you get mail about is set on {address}")


def deliver_letters(house: House, way: Post, address: str, said: Said = in_english) -> int:
    """Send what is new to whoever wants it, with links below an address; return how many letters were sent.

    A letter that is refused ends the round, as the next ones may be, too: each waits for its own time.
    """
    for sent in range(ROUND):
        letter = _next(house)
        if letter is None:
            return sent
        row, news, tongue = letter
        say: Say = partial(said, tongue)
        try:
            text, name = _text(news, address, say), f"{row['person']}-{news[0].seq}"
            way.post((row["address"],), _subject(news, say), text, name)
        except OSError as refused:
            _failed(house, row, refused)
            return sent
        _done(house, row, news[0].seq)
    return ROUND


def _next(house: House) -> tuple[Any, list[Bulletin], str] | None:
    """Take the next letter and its language; no other server takes the same one meanwhile."""
    with house.store.reading() as connection:
        if not _due(house, connection):
            return None  # nothing is locked for it
    with house.writing() as connection:
        for row, reader in _due(house, connection):
            wanted = frozenset(row["wants"].split(","))
            news = bulletins(house, connection, reader, row["seq"], wanted)
            if news:
                _write(connection, row, after=house.clock() + LEASE)
                return row, news, tongue_of(connection, row["person"])
            _write(connection, row, seq=newest_act(connection))
    return None


def _due(house: House, connection: Connection) -> list[tuple[Any, Member]]:
    """Return the proven mailboxes of open accounts that are behind and whose time has come, the longest first."""
    both = mailboxes.join(people, people.c.id == mailboxes.c.person)
    where = (mailboxes.c.after <= house.clock()) & people.c.active & (mailboxes.c.seq < newest_act(connection))
    query = select(mailboxes, people).select_from(both).where(where).order_by(mailboxes.c.after, mailboxes.c.person)
    rows = connection.execute(query).mappings().all()
    return [(row, person_of(row)) for row in rows if proven(house, row)]


def _done(house: House, row: Any, seq: int) -> None:
    with house.writing() as connection:
        _write(connection, row, seq=seq, tries=0, after=house.clock() + DAY if row["daily"] else 0.0)


def _failed(house: House, row: Any, why: Exception) -> None:
    """Wait longer each time, and tell whoever keeps the server."""
    tries = row["tries"] + 1
    with house.writing() as connection:
        wait = min(FIRST * 2.0 ** min(tries - 1, DOUBLED), LONGEST)
        _write(connection, row, tries=tries, after=house.clock() + wait)
    getLogger("discreet").error("%s: a letter waits: %s", NAME, cause(why))
    if tries >= TOLD_AFTER:
        once_a_day(house, "unsent", NAME)


def _subject(news: list[Bulletin], say: Say) -> str:
    return say(SINGLE, title=news[0].title(say)) if len(news) == 1 else say(SEVERAL, number=len(news))


def _text(news: list[Bulletin], address: str, say: Say) -> str:
    """Write what happened, oldest first: numbers and links, nothing else."""
    lines = [f"{each.at:%Y-%m-%d %H:%M} UTC  {each.title(say)}\n  {address}{each.path}\n" for each in news[::-1]]
    return "\n".join([*lines, say(END, address=f"{address}/account") + "\n"])


def _write(connection: Connection, row: Any, **values: Any) -> None:
    same = (mailboxes.c.person == row["person"]) & (mailboxes.c.address == row["address"])
    connection.execute(update(mailboxes).where(same).values(**values))
