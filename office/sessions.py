"""Sessions: signing in with a password, and what keeps a browser signed in until it ends.

Attempts are counted before the password is looked at, for each account from each address and for
each address, so that nobody can lock somebody else out. A browser that the account signed in from
before is counted by itself. All tries of an account together only make the next ones slower.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from ipaddress import IPv6Address, ip_address, ip_network
from time import sleep
from typing import Any
from uuid import uuid4

from argon2.exceptions import Argon2Error, InvalidHashError
from sqlalchemy import Connection, delete, func, insert, select, update

from discreet.budget.errors import ParameterError
from discreet.budget.phrase import Phrase
from discreet.office import links
from discreet.office.house import House, writable
from discreet.office.links import MINUTE, hashed, token
from discreet.office.names import LONGEST
from discreet.office.people import HASHER, Person, person_of, provided
from discreet.office.roles import Denied
from discreet.office.tables import acts, attempts, devices, people, refusals, sessions

WINDOW, MOST_OF_ONE, MOST_OF_PLACE = 15 * MINUTE, 5, 100
PATIENT, SLOWEST = 20, 8.0  # refusals of a day after which each try waits, and the longest wait
LIFE, IDLE, KNOWN = 12 * 3600.0, 2 * 3600.0, 180 * 24 * 3600.0
HERE = "here"  # whoever comes from the machine itself, without an address
NOBODY = HASHER.hash(uuid4().hex)  # checked for unknown logins, so that they take as long
WRONG = Phrase("Login and password do not belong together, or the account is closed.")


def sign_in(
    house: House, login: str, password: str, place: str = "", device: str = "", wait: Callable[[float], Any] = sleep
) -> Person:
    """Return the person a login and password belong to, or refuse; too many tries must wait."""
    login = writable(login).strip().lower()[:LONGEST]
    with house.writing() as connection:
        found = connection.execute(select(people).filter_by(login=login)).mappings().first()
        if found and _knows(house, connection, device, found["id"]):
            keys, slow = [hashed(f"device:{device}:{login}")], 0.0
        else:
            here = place_of(place)
            keys = [hashed(f"login:{login}@{here}"), hashed(f"place:{here}")]
            slow = slowness(_refused(house, connection, login))
        _wait(house, connection, keys)
        for key in keys:  # counted before the check: tries side by side cannot slip through
            connection.execute(insert(attempts).values(who=key, at=house.clock()))
    if slow:
        wait(slow)
    known = found["password"] if found and found["password"] and found["active"] else None
    right = _right(known or NOBODY, password) and known is not None
    with house.writing() as connection:
        if not right or found is None:
            _refuse(house, connection, login, found is not None)
        else:
            connection.execute(delete(attempts).where(attempts.c.who == keys[0]))
            house.act(connection, found["id"], "signed in")
    if not right or found is None:
        raise ParameterError(WRONG)
    return person_of(found)


def place_of(address: str) -> str:
    """Return what counts as one place: an address, or the 2^64 that one customer has."""
    try:
        told = ip_address(address.partition("%")[0])
    except ValueError:
        return address or HERE
    if told.is_loopback:
        return HERE
    if isinstance(told, IPv6Address) and told.ipv4_mapped is not None:
        return str(told.ipv4_mapped)
    return str(told) if told.version == 4 else str(ip_network((told, 64), strict=False))


def slowness(refused: int) -> float:
    """Return for how long a try waits after so many refusals of one account in a day."""
    if refused < PATIENT:
        return 0.0
    return min(SLOWEST, 0.25 * 2.0 ** min(9, refused // PATIENT - 1))


def remember(house: House, who: Person, device: str) -> str:
    """Let a browser be known to an account from now on; return what the browser keeps."""
    device, now = device or token(), house.clock()
    row = {"id": hashed(f"{device}:{who.id}"), "person": who.id, "until": now + KNOWN}
    with house.writing() as connection:
        connection.execute(delete(devices).where(devices.c.until < now))
        connection.execute(delete(devices).filter_by(id=row["id"]))
        connection.execute(insert(devices).values(**row))
    return device


def left_after(house: House, subject: str, at: float) -> bool:
    """Say whether somebody of a provider has signed out here since their provider's word."""
    gone = (
        select(acts.c.time)
        .where(acts.c.who == provided(subject), acts.c.what == "signed out")
        .order_by(acts.c.seq.desc())
    )
    with house.store.reading() as connection:
        last = connection.execute(gone.limit(1)).scalar_one_or_none()
    return last is not None and datetime.fromisoformat(last).timestamp() >= at


def _knows(house: House, connection: Connection, device: str, person: str) -> bool:
    mine = select(devices.c.id).filter_by(id=hashed(f"{device}:{person}"))
    return connection.execute(mine.where(devices.c.until > house.clock())).first() is not None


def _refused(house: House, connection: Connection, login: str) -> int:
    today = house.now.date().isoformat()
    found = select(refusals.c.times).filter_by(who=hashed(login), day=today)
    return connection.execute(found).scalar_one_or_none() or 0


def _refuse(house: House, connection: Connection, login: str, known: bool) -> None:
    """Count a refusal; the trail tells the first of a day, the tenth, the hundredth and so on."""
    today = house.now.date().isoformat()
    connection.execute(delete(refusals).where(refusals.c.day < today))
    for who, act in ((hashed(login), known), ("", not known)):
        mine = update(refusals).filter_by(who=who, day=today)
        if not connection.execute(mine.values(times=refusals.c.times + 1)).rowcount:
            connection.execute(insert(refusals).values(who=who, day=today, times=1))
        told = select(refusals.c.times).filter_by(who=who, day=today)
        times = connection.execute(told).scalar_one()
        if act and str(times).strip("0") == "1":
            house.act(connection, "", "was refused", login if known else "", times=times)


def start_session(house: House, who: Person) -> str:
    """Return the token of a new session."""
    with house.writing() as connection:
        secret, now = token(), house.clock()
        still = select(people.c.id).filter_by(id=who.id, active=True)
        if connection.execute(still).first() is None:
            raise Denied
        row = {"id": hashed(secret), "person": who.id, "until": now + LIFE, "seen": now}
        over = (sessions.c.until < now) | (sessions.c.seen < now - IDLE)
        connection.execute(delete(sessions).where(over))
        connection.execute(insert(sessions).values(**row))
    return secret


def of_session(house: House, secret: str) -> Person | None:
    """Return whose session a token is, while it lasts and the account is open."""
    mark, now = hashed(secret), house.clock()
    with house.store.reading() as connection:
        found = (
            select(people, sessions.c.until, sessions.c.seen)
            .join(sessions, sessions.c.person == people.c.id)
            .where(sessions.c.id == mark)
        )
        line = connection.execute(found).mappings().first()
    if line is None or not line["active"]:
        return None
    if now > min(line["until"], line["seen"] + IDLE):
        with house.writing() as connection:  # it is gone, whatever the clock says later
            connection.execute(delete(sessions).filter_by(id=mark))
        return None
    if now > line["seen"] + MINUTE:
        with house.writing() as connection:
            connection.execute(update(sessions).filter_by(id=mark).values(seen=now))
    return person_of(line)


def end_session(house: House, secret: str, who: Person) -> None:
    """End a session for good."""
    with house.writing() as connection:
        connection.execute(delete(sessions).where(sessions.c.id == hashed(secret)))
        house.act(connection, who.id, "signed out")


def ticket(house: House, who: Person, browser: str) -> str:
    """Return a token that this browser, within a minute, exchanges for a session."""
    with house.writing() as connection:
        return links.make(house, connection, "enter", f"{who.id}:{hashed(browser)}", MINUTE)


def enter(house: House, secret: str, browser: str) -> str | None:
    """Exchange a ticket for the token of a session; only the browser that it was made for can."""
    with house.writing() as connection:
        told = links.find(house, connection, secret)
        if told is None or told["purpose"] != "enter":
            return None
        person, _, place = str(told["about"]).partition(":")
        if place != hashed(browser):
            return None
        links.use(house, connection, secret, "enter")
        line = connection.execute(select(people).filter_by(id=person)).mappings().one()
        return start_session(house, person_of(line))


def _wait(house: House, connection: Connection, keys: list[str]) -> None:
    now = house.clock()
    connection.execute(delete(attempts).where(attempts.c.at < now - WINDOW))
    for key, most in zip(keys, (MOST_OF_ONE, MOST_OF_PLACE), strict=False):
        tried = select(func.count()).select_from(attempts).where(attempts.c.who == key)
        if connection.execute(tried).scalar_one() >= most:
            raise ParameterError("Too many attempts. Wait a quarter of an hour and try again.")


def _right(kept: str, password: str) -> bool:
    try:
        return HASHER.verify(kept, password[: LONGEST + 1])
    except (Argon2Error, InvalidHashError):
        return False
