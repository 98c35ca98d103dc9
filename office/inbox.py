"""Inbox: what waits for an officer, and an analyst's own requests."""

from __future__ import annotations

from sqlalchemy import func, or_, select

from discreet.office import charges
from discreet.office.asked import Inquiry, listed, select_requests
from discreet.office.decisions import sweep
from discreet.office.house import House
from discreet.office.relations import requests
from discreet.office.roles import ROLES, Member, require


def queue(house: House, who: Member) -> list[Inquiry]:
    """Return what waits for a decision, oldest first."""
    require(who, "officer")
    sweep(house)
    mine = requests.c.dataset.in_(charges.of_officer(house, who))
    return listed(house, select_requests().where(requests.c.state == "waiting", mine))


def how_many(house: House, who: Member) -> int:
    """Return how many requests wait, without looking at them."""
    require(who, "officer")
    mine = requests.c.dataset.in_(charges.of_officer(house, who))
    live = select(func.count()).where(requests.c.state == "waiting", requests.c.until > house.clock(), mine)
    with house.store.reading() as connection:
        return int(connection.execute(live).scalar_one())


def newest(house: House, who: Member | None, most: int, before: int | None = None) -> list[Inquiry]:
    """Return what the lists of somebody's roles hold, newest first: own requests, what waits, what was decided."""
    who = require(who, *ROLES)
    sweep(house)
    waits = requests.c.state == "waiting"
    seen = or_(
        requests.c.analyst == (who.id if "analyst" in who.roles else ""),
        waits & requests.c.dataset.in_(charges.of_officer(house, who)),
        ~waits & requests.c.dataset.in_(charges.of_reader(house, who)),
    )
    page = select_requests().where(seen).order_by(None).order_by(requests.c.number.desc()).limit(most)
    return listed(house, page if before is None else page.where(requests.c.number < before))


def own(house: House, who: Member, dataset: str | None = None) -> list[Inquiry]:
    """Return an analyst's own requests, newest first."""
    require(who, "analyst")
    sweep(house)
    mine = select_requests().where(requests.c.analyst == who.id)
    if dataset is not None:
        mine = mine.where(requests.c.dataset == dataset)
    return listed(house, mine)[::-1]
