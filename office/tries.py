"""Tries: how often somebody tried to sign in, or compared a file; counted so that nobody can lock somebody else out.

They are counted for each account from each address, and for each address. All tries of an account
together only make the next ones slower.
"""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from sqlalchemy import Connection, delete, func, insert, select, update

from discreet.budget.errors import ParameterError
from discreet.office.durations import MINUTE
from discreet.office.house import House
from discreet.office.relations import attempts, refusals
from discreet.office.tokens import hashed

WINDOW, MOST_OF_ONE, MOST_OF_PLACE = 15 * MINUTE, 5, 100
MOST_CODES = 20  # of one account, from wherever: whoever may guess them knows its password
PATIENT, SLOWEST = 20, 8.0  # refusals of a day after which each try waits, and the longest wait
MOST_COMPARED = 20  # files of one officer in a day: each tells in tenths how much of it is registered
HERE = "here"  # whoever comes from the machine itself, without an address


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
    """Return for how long a try waits after so many refusals of one account in a day."""
    if refused < PATIENT:
        return 0.0
    return min(SLOWEST, 0.25 * 2.0 ** min(9, refused // PATIENT - 1))


def refused_today(house: House, connection: Connection, login: str) -> int:
    """Return how often an account was refused today."""
    today = house.now.date().isoformat()
    mine = select(refusals.c.times).filter_by(who=hashed(login), day=today)
    return connection.execute(mine).scalar_one_or_none() or 0


def refuse(house: House, connection: Connection, login: str, exists: bool) -> None:
    """Count a refusal; the trail tells the first of a day, the tenth, the hundredth and so on."""
    for who, act in ((hashed(login), exists), ("", not exists)):
        times = _once_more(house, connection, who)
        if act and _worth_telling(times):
            house.act(connection, "", "was refused", login if exists else "", times=times)


def refuse_code(house: House, connection: Connection, login: str) -> None:
    """Count a wrong code as a refusal, and by itself: whoever gives one knew the password."""
    _once_more(house, connection, hashed(login))
    times = _once_more(house, connection, hashed(f"code:{login}"))
    if _worth_telling(times):
        house.act(connection, "", "wrong code", login, times=times)


def count_compared(house: House, connection: Connection, who: str, rows: str) -> None:
    """Count rows that are compared with registered ones; the same ones say the same again, and count once a day."""
    if rows and _once_more(house, connection, hashed(f"rows:{who}:{rows}")) > 1:
        return
    if _once_more(house, connection, hashed(f"compared:{who}")) > MOST_COMPARED:
        raise ParameterError(
            "You compared {most} files with registered rows today, and that is the most for one day. Go on tomorrow.",
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
            raise ParameterError("Too many attempts. Wait a quarter of an hour and try again.")
