"""Disclosure: which acts of the trail a person may read: none about data that they do not manage.

What is about no dataset is for every officer. Administrators see to all data, and read everything.
"""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import ColumnElement, Text, cast, literal, not_, select

from discreet.office.house import audit_log
from discreet.office.house.audit_log import EVERY, Entry, Excerpt
from discreet.office.house.house import House
from discreet.office.house.roles import ADMINISTRATOR, DECIDERS, Member, require
from discreet.office.house.tables import acts as lines
from discreet.office.house.tables import datasets, requests, withdrawn
from discreet.office.rules import rights

OF_ALL = ("restored", "wrong")  # details that name whatever data they are about


def trail(house: House, who: Member | None, newest: int | None = None, sieve: Excerpt = EVERY) -> list[Entry]:
    """Return the acts that a person may read, newest first."""
    who = require(who, *DECIDERS)
    mine = rights.of_reader(house, who)
    newer = audit_log.trail(house.store, newest, sieve, about_none_but(mine))
    return newer if ADMINISTRATOR in who.roles else [_redacted(act) for act in newer]


def about_none_but(mine: frozenset[str]) -> ColumnElement[bool]:
    """Return what must hold of an act that is about no other dataset than these, and no request of another one."""
    names = select(datasets.c.name).where(datasets.c.id.not_in(mine))
    gone = select(withdrawn.c.name).where(withdrawn.c.id.not_in(mine))
    again = select(datasets.c.name).where(datasets.c.id.in_(mine))  # the name now belongs to another dataset
    numbers = select(literal("#") + cast(requests.c.number, Text)).where(requests.c.dataset.not_in(mine))
    former = lines.c.about.in_(gone) & lines.c.about.not_in(again)
    return not_(lines.c.about.in_(names) | lines.c.about.in_(numbers) | former)


def _redacted(act: Entry) -> Entry:
    """Leave out what an act about everything says of single data."""
    return replace(act, details={name: value for name, value in act.details.items() if name not in OF_ALL})
