"""Signing in: how often it may be tried, the steps after a right password, known browsers, sessions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from time import sleep
from typing import Any, NoReturn

from sqlalchemy import Connection, delete, func, insert, select, update

from discreet.budget import Phrase
from discreet.budget.errors import ParameterError
from discreet.office.house import acts
from discreet.office.house.failures import DAY, HOUR, MINUTE
from discreet.office.house.house import House, writable
from discreet.office.house.roles import Denied, Member, person_of
from discreet.office.house.tables import attempts, devices, people, refusals, sessions
from discreet.office.people import links, second_factor
from discreet.office.people.accounts import LONGEST, fits, of_nobody, turn
from discreet.office.people.links import hashed, token
from discreet.office.people.second_factor import spend

# Tries: attempts to sign in or to compare a file, counted so that one person cannot lock out another one.
#
# They are counted for each account from each address, and for each address. All tries of an account
# together only make the next ones slower.

WINDOW = 15 * MINUTE
MOST_OF_ONE = 5
MOST_OF_PLACE = 100
MOST_CODES = 20  # of one account from any address: a person who guesses them knows its password
PATIENT, SLOWEST = 20, 8.0  # refusals of a day after which each try waits, and the longest wait
MOST_COMPARED = 20  # files of one officer in a day: each reveals in tenths how much of it is registered
HERE = "here"  # a connection from the machine itself, without an address


def place_of(address: str) -> str:
    """Return what counts as one place: an address, or the 2^64 that one customer has."""
    try:
        where = ip_address(address.partition("%")[0])
    except ValueError:
        return address or HERE
    if where.is_loopback:
        return HERE
    if isinstance(where, IPv6Address) and where.ipv4_mapped is not None:
        return str(where.ipv4_mapped)
    return str(where) if where.version == 4 else str(ip_network((where, 64), strict=False))


def slowness(refused: int) -> float:
    """Return how long a try waits after this number of refusals of one account in a day."""
    if refused < PATIENT:
        return 0.0
    return min(SLOWEST, 0.25 * 2.0 ** min(9, refused // PATIENT - 1))


def refused_today(house: House, connection: Connection, login: str) -> int:
    """Return how often an account was refused today."""
    today = house.now.date().isoformat()
    mine = select(refusals.c.times).filter_by(who=hashed(login), day=today)
    return connection.execute(mine).scalar_one_or_none() or 0


def refuse(house: House, connection: Connection, login: str, exists: bool) -> None:
    """Count a refusal; the trail records the first of a day, the tenth, the hundredth and so on."""
    for who, act in ((hashed(login), exists), ("", not exists)):
        times = _once_more(house, connection, who)
        if act and _worth_telling(times):
            house.act(connection, "", acts.WAS_REFUSED, login if exists else "", times=times)


def refuse_code(house: House, connection: Connection, login: str) -> None:
    """Count a wrong code as a refusal, and separately: the person who entered it knew the password."""
    _once_more(house, connection, hashed(login))
    times = _once_more(house, connection, hashed(f"code:{login}"))
    if _worth_telling(times):
        house.act(connection, "", acts.WRONG_CODE, login, times=times)


def count_compared(house: House, connection: Connection, who: str, rows: str) -> None:
    """Count rows that are compared with registered ones; the same ones say the same again, and count once a day."""
    if rows and _once_more(house, connection, hashed(f"rows:{who}:{rows}")) > 1:
        return
    if _once_more(house, connection, hashed(f"compared:{who}")) > MOST_COMPARED:
        raise ParameterError(
            "You reached the daily limit of {most} file comparisons with registered rows. Try again tomorrow.",
            most=MOST_COMPARED,
        )


def _once_more(house: House, connection: Connection, who: str) -> int:
    """Count one more refusal of today; return how many there are."""
    today = house.now.date().isoformat()
    connection.execute(delete(refusals).where(refusals.c.day < today))
    mine = update(refusals).filter_by(who=who, day=today)
    if not connection.execute(mine.values(times=refusals.c.times + 1)).rowcount:
        connection.execute(insert(refusals).values(who=who, day=today, times=1))
    return int(connection.execute(select(refusals.c.times).filter_by(who=who, day=today)).scalar_one())


def _worth_telling(times: int) -> bool:
    return str(times).strip("0") == "1"


def count(house: House, connection: Connection, keys: list[str]) -> None:
    """Count a try before the password is looked at: tries side by side cannot slip through."""
    check(house, connection, keys)
    for key in keys:
        connection.execute(insert(attempts).values(who=key, at=house.clock()))


def check(house: House, connection: Connection, keys: list[str]) -> None:
    """Refuse a try where there were too many."""
    now = house.clock()
    connection.execute(delete(attempts).where(attempts.c.at < now - WINDOW))
    for key, most in zip(keys, (MOST_OF_ONE, MOST_OF_PLACE, MOST_CODES), strict=False):
        tried = select(func.count()).select_from(attempts).where(attempts.c.who == key)
        if connection.execute(tried).scalar_one() >= most:
            raise ParameterError("Too many attempts. Try again in 15 minutes.")


# Halfway: a person with a correct password who is not signed in yet. It is not a session and has no cookie or row.

CODE, FACTOR = "code", "factor"  # what can be missing: a code of the second factor, or the factor itself
HALFWAY_LIFE = 10 * MINUTE
GONE = Phrase("This took too long, or the account was changed. Sign in again.")


@dataclass(frozen=True)
class Halfway:
    """A sign-in with a correct password: its account, its end and the missing step."""

    account: str
    login: str
    missing: str
    until: float
    password: str


def arrived(house: House, row: Any) -> Member | Halfway:
    """Return the person after a correct password, or the sign-in that still misses a step."""
    missing = CODE if row["factor"] else FACTOR if second_factor.lacking(row) else ""
    if not missing:
        return person_of(row)
    return Halfway(row["id"], row["login"], missing, house.clock() + HALFWAY_LIFE, hashed(row["password"]))


def row_of_half(house: House, connection: Connection, half: Halfway, missing: str) -> Any:
    """Return the current account of a sign-in; refuse if it is closed, or password or missing step have changed."""
    row = connection.execute(select(people).filter_by(id=half.account, active=True)).mappings().first()
    same = row is not None and row["password"] is not None and hashed(row["password"]) == half.password
    if row is None or not same or house.clock() > half.until or half.missing != missing:
        raise ParameterError(GONE)
    return row


# Entrance: signing in with a password, from a browser that is known or from anywhere.


KNOWN = 180 * DAY
WRONG = Phrase("Wrong login or password, or the account is closed.")
WRONG_CODE = Phrase("Wrong or already used code. Wait for the next one.")


def sign_in(
    house: House, login: str, password: str, place: str = "", device: str = "", wait: Callable[[float], Any] = sleep
) -> Member | Halfway:
    """Return the person of a login and password, or the sign-in that still misses a step; refuse too many tries."""
    login = writable(login).strip().lower()[:LONGEST]
    account, keys, decoy = _looked_up(house, login, place, device, wait)
    password_hash = account["password"] if account and account["password"] and account["active"] else None
    with turn():  # without a turn the try does not count
        _count(house, keys)
        right = fits(password_hash or decoy, password) and password_hash is not None
    with house.writing() as connection:
        if not right or account is None:
            refuse(house, connection, login, account is not None)
        else:
            arrival = arrived(house, connection.execute(select(people).filter_by(id=account["id"])).mappings().one())
            _come_in(house, connection, arrival, keys)
    if not right or account is None:
        raise ParameterError(WRONG)
    return arrival


def give_code(
    house: House, half: Halfway, code: str, place: str = "", device: str = "", wait: Callable[[float], Any] = sleep
) -> Member:
    """Complete a sign-in by a code of the app or a recovery code; each works once."""
    _, keys = counted(house, half.login, place, device, wait, of_code=True)
    with house.writing() as connection:
        row = row_of_half(house, connection, half, CODE)
        right = spend(house, connection, row, code)
        if right:
            _come_in(house, connection, person_of(row), keys)
    if not right:
        refused_code(house, half.login)
    return person_of(row)


def refused_code(house: House, login: str) -> NoReturn:
    """Say that a code was wrong, once that is counted."""
    with house.writing() as connection:
        refuse_code(house, connection, login)
    raise ParameterError(WRONG_CODE)


def counted(
    house: House, login: str, place: str, device: str, wait: Callable[[float], Any], of_code: bool = False
) -> tuple[Any, list[str]]:
    """Count a try before it is looked at; return the account of a login, and under what the try counts."""
    account, keys, _ = _looked_up(house, login, place, device, wait, of_code)
    _count(house, keys)
    return account, keys


def _looked_up(
    house: House, login: str, place: str, device: str, wait: Callable[[float], Any], of_code: bool = False
) -> tuple[Any, list[str], str]:
    """Return the account of a login, the keys under which a try counts, and the hash to verify without an account.

    Too many tries are refused here; after many refusals of the account in a day a try waits.
    """
    with house.writing() as connection:
        account = connection.execute(select(people).filter_by(login=login)).mappings().first()
        familiar = account is not None and _knows(house, connection, device, account["id"])
        keys = [hashed(f"device:{device}:{login}")] if familiar else _keys(login, place_of(place))
        keys += [hashed(f"code:{login}")] if of_code and not familiar else []
        slow = 0.0 if familiar else slowness(refused_today(house, connection, login))
        check(house, connection, keys)
        decoy = _decoy(connection, login)
    if slow:
        wait(slow)
    return account, keys, decoy


def _count(house: House, keys: list[str]) -> None:
    with house.writing() as connection:
        count(house, connection, keys)


def _decoy(connection: Connection, login: str) -> str:
    """Return what is looked at for an unknown login, so that it takes as long: as for an account that it picks."""
    kept = select(people.c.password).where(people.c.password.is_not(None)).order_by(people.c.id)
    digests = connection.execute(kept).scalars().all()
    return of_nobody(digests[int(hashed(login), 16) % len(digests)] if digests else "")


def _come_in(house: House, connection: Connection, arrival: Member | Halfway, keys: list[str]) -> None:
    """Reset the tries of a person who is signed in, and record it; a sign-in that misses a step resets nothing."""
    if isinstance(arrival, Member):
        connection.execute(delete(attempts).where(attempts.c.who == keys[0]))
        house.act(connection, arrival.id, acts.SIGNED_IN)


def _keys(login: str, place: str) -> list[str]:
    """Return under what a try from somewhere counts."""
    return [hashed(f"login:{login}@{place}"), hashed(f"place:{place}")]


def remember(house: House, who: Member, device: str) -> str:
    """Let a browser be known to an account from now on; return what the browser keeps."""
    device, now = device or token(), house.clock()
    row = {"id": hashed(f"{device}:{who.id}"), "person": who.id, "until": now + KNOWN}
    with house.writing() as connection:
        connection.execute(delete(devices).where(devices.c.until < now))
        connection.execute(delete(devices).filter_by(id=row["id"]))
        connection.execute(insert(devices).values(**row))
    return device


def _knows(house: House, connection: Connection, device: str, person: str) -> bool:
    mine = select(devices.c.id).filter_by(id=hashed(f"{device}:{person}"))
    return connection.execute(mine.where(devices.c.until > house.clock())).first() is not None


# Sessions: what keeps a browser signed in until it ends.

SESSION_LIFE = 12 * HOUR
IDLE = 2 * HOUR


def start_session(house: House, who: Member) -> str:
    """Return the token of a new session."""
    with house.writing() as connection:
        secret = token()
        now = house.clock()
        still = select(people.c.id).filter_by(id=who.id, active=True)
        if connection.execute(still).first() is None:
            raise Denied
        row = {"id": hashed(secret), "person": who.id, "until": now + SESSION_LIFE, "seen": now}
        over = (sessions.c.until < now) | (sessions.c.seen < now - IDLE)
        connection.execute(delete(sessions).where(over))
        connection.execute(insert(sessions).values(**row))
    return secret


def of_session(house: House, secret: str) -> Member | None:
    """Return the person of a session while it lasts, if the account is open and has the required second factor."""
    mark = hashed(secret)
    now = house.clock()
    with house.store.reading() as connection:
        mine = (
            select(people, sessions.c.until, sessions.c.seen)
            .join(sessions, sessions.c.person == people.c.id)
            .where(sessions.c.id == mark)
        )
        line = connection.execute(mine).mappings().first()
    if line is None or not line["active"] or second_factor.lacking(line):
        return None
    if now > min(line["until"], line["seen"] + IDLE):
        with house.writing() as connection:  # it is gone, whatever the clock says later
            connection.execute(delete(sessions).filter_by(id=mark))
        return None
    if now > line["seen"] + MINUTE:
        with house.writing() as connection:
            connection.execute(update(sessions).filter_by(id=mark).values(seen=now))
    return person_of(line)


def end_session(house: House, secret: str, who: Member) -> None:
    """End a session for good."""
    with house.writing() as connection:
        connection.execute(delete(sessions).where(sessions.c.id == hashed(secret)))
        house.act(connection, who.id, acts.SIGNED_OUT)


def ticket(house: House, who: Member, browser: str) -> str:
    """Return a token that this browser, within a minute, exchanges for a session."""
    with house.writing() as connection:
        return links.make(house, connection, "enter", f"{who.id}:{hashed(browser)}", MINUTE)


def enter(house: House, secret: str, browser: str) -> str | None:
    """Exchange a ticket for the token of a session; only the browser that it was made for can."""
    with house.writing() as connection:
        link = links.find(house, connection, secret)
        if link is None or link["purpose"] != "enter":
            return None
        person, _, place = str(link["about"]).partition(":")
        if place != hashed(browser):
            return None
        links.use(house, connection, secret, "enter")
        line = connection.execute(select(people).filter_by(id=person)).mappings().one()
        return start_session(house, person_of(line))
