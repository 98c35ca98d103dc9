"""Looking: which officers have a request before them now, so that two do not read the same."""

from __future__ import annotations

from sqlalchemy import delete, insert, select

from discreet.office import charges
from discreet.office.asked import Inquiry
from discreet.office.house import House
from discreet.office.relations import looks, people
from discreet.office.roles import Member, present, require

RECENT, FRESH = 300.0, 30.0  # seconds for which a look counts, and after which it is written anew


def look(house: House, who: Member, asked: Inquiry) -> list[str]:
    """Note that an officer has a request on the screen; return the names of the others who have.

    It decides nothing and is forgotten, so that it is no act on the trail.
    """
    charges.check_reader(house, require(who, "officer"), asked.dataset)
    now = house.clock()
    with house.store.reading() as connection:
        mine = connection.execute(select(looks).filter_by(person=who.id)).mappings().first()
    if mine is None or mine["request"] != asked.id or now - mine["at"] > FRESH:
        with house.writing() as connection:
            present(connection, who, "officer")
            connection.execute(delete(looks).where((looks.c.person == who.id) | (looks.c.at < now - RECENT)))
            connection.execute(insert(looks).values(person=who.id, request=asked.id, at=now))
    return _others(house, who, asked, now)


def _others(house: House, who: Member, asked: Inquiry, now: float) -> list[str]:
    """Return who else has looked at a request lately."""
    both = looks.join(people, people.c.id == looks.c.person)
    lately = (looks.c.request == asked.id) & (looks.c.person != who.id) & (looks.c.at > now - RECENT)
    names = select(people.c.name).select_from(both).where(lately).order_by(people.c.name)
    with house.store.reading() as connection:
        return [str(name) for name in connection.execute(names).scalars()]
