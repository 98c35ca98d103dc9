"""Queue: what waits for an officer, who looks at it now, and an analyst's own requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, func, insert, or_, select

from discreet.budget import Cost, Phrase
from discreet.budget.durable.ledger import left_of_each
from discreet.office.datasets import registry
from discreet.office.decisions.decisions import sweep
from discreet.office.house.failures import DAY
from discreet.office.house.house import House
from discreet.office.house.roles import ROLES, Member, present, require
from discreet.office.house.tables import looks, people, requests
from discreet.office.people import accounts
from discreet.office.requests.request import Inquiry, Same, listed, question_of
from discreet.office.requests.states import RUNNABLE, WAITING
from discreet.office.rules import rights
from discreet.office.rules.visit import select_requests

# Looking: which officers have a request before them now, so that two do not read the same.

RECENT, FRESH = 300.0, 30.0  # seconds for which a look counts, and after which it is written anew


def look(house: House, who: Member, asked: Inquiry) -> list[str]:
    """Note that an officer has a request on the screen; return the names of the others who have.

    It decides nothing and is not kept, so it is not an act on the trail.
    """
    rights.check_reader(house, require(who, "officer"), asked.dataset)
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


# Inbox: what waits for an officer, and an analyst's own requests.


def queue(house: House, who: Member) -> list[Inquiry]:
    """Return what waits for a decision, oldest first."""
    require(who, "officer")
    sweep(house)
    mine = requests.c.dataset.in_(rights.of_officer(house, who))
    return listed(house, select_requests().where(requests.c.state == WAITING.name, mine))


def how_many(house: House, who: Member) -> int:
    """Return how many requests wait, without looking at them."""
    require(who, "officer")
    mine = requests.c.dataset.in_(rights.of_officer(house, who))
    live = select(func.count()).where(requests.c.state == WAITING.name, requests.c.until > house.clock(), mine)
    with house.store.reading() as connection:
        return int(connection.execute(live).scalar_one())


def newest(house: House, who: Member | None, most: int, before: int | None = None) -> list[Inquiry]:
    """Return the requests in the lists of a person's roles, newest first: own, waiting and decided ones."""
    who = require(who, *ROLES)
    sweep(house)
    waits = requests.c.state == WAITING.name
    seen = or_(
        requests.c.analyst == (who.id if "analyst" in who.roles else ""),
        waits & requests.c.dataset.in_(rights.of_officer(house, who)),
        ~waits & requests.c.dataset.in_(rights.of_reader(house, who)),
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


# Awaiting: the queue as a list: who asks what at which price, how long it can wait, and what to look at.

MUCH, SOON = 0.2, 2.0  # of what is left; days


@dataclass(frozen=True)
class Awaited:
    """A request that waits, with what an officer sorts by; `before` is how often the same was granted.

    `beside` are all that wait and ask the same of the same data, itself with them.
    """

    asked: Inquiry
    data: str
    asker: str
    left: Cost
    before: int
    now: float
    beside: tuple[Inquiry, ...] = ()

    @property
    def together(self) -> Cost:
        """What all that wait and ask the same would cost together."""
        return sum((asked.cost for asked in self.beside), Cost.zero())

    @property
    def share(self) -> float:
        """How much it takes of the epsilon that all others leave."""
        epsilon = self.asked.cost.epsilon
        return epsilon / (epsilon + self.left.epsilon)

    @property
    def age(self) -> float:
        """For how many days it has waited."""
        return (self.now - self.asked.asked.timestamp()) / DAY

    @property
    def rest(self) -> float:
        """In how many days it expires."""
        return (self.asked.until - self.now) / DAY

    @property
    def risks(self) -> tuple[str, ...]:
        """What to look at, by the names of `RISKS`."""
        return tuple(name for name, (_, there) in RISKS.items() if there(self))


RISKS: dict[str, tuple[Phrase, Callable[[Awaited], bool]]] = {
    "late": (Phrase("expires soon"), lambda case: case.rest < SOON),
    "much": (Phrase("large share of remaining budget"), lambda case: case.share > MUCH),
    "part": (Phrase("with filter"), lambda case: any(row.where for row in case.asked.request.rows)),
    "groups": (Phrase("with groups"), lambda case: any(row.groups for row in case.asked.request.rows)),
    "delta": (Phrase("spends δ"), lambda case: case.asked.cost.delta_units > 0),
    "again": (Phrase("repeated query"), lambda case: case.before > 0),
}
ORDERS: dict[str, tuple[Phrase, Callable[[Awaited], float]]] = {
    "oldest": (Phrase("oldest first"), lambda case: case.asked.number),
    "ending": (Phrase("expiring soonest"), lambda case: case.rest),
    "dearest": (Phrase("largest ε first"), lambda case: -case.asked.cost.epsilon),
    "share": (Phrase("largest share of remaining budget first"), lambda case: -case.share),
}


@dataclass(frozen=True)
class Sieve:
    """Which requests are looked at, and in which order; empty lets everything through."""

    words: str = ""
    data: str = ""
    asker: str = ""
    risk: str = ""
    order: str = "oldest"

    def lets(self, case: Awaited, text: str) -> bool:
        """Return whether a case is wanted; its text contains every word, in any order."""
        fits = self.data in ("", case.data) and self.asker in ("", case.asker)
        return (
            fits
            and (not self.risk or self.risk in case.risks)
            and all(word in text.casefold() for word in self.words.casefold().split())
        )


def cases(house: House, who: Member) -> list[Awaited]:
    """Return what waits for a decision, oldest first, with what it is sorted by."""
    waiting = queue(house, who)
    now = house.clock()
    people = {account["person"].id: account["person"].name for account in accounts.everybody(house)}
    names = {data.id: data.name for data in registry.everything(house)}
    left = _left(house, {asked.dataset for asked in waiting})
    before = _granted(house, waiting)
    same = Same((asked.dataset, asked.request) for asked in waiting)
    return [
        Awaited(
            asked,
            names[asked.dataset],
            people.get(asked.analyst, asked.analyst),
            left[asked.dataset],
            before[asked.id],
            now,
            tuple(waiting[at] for at in same.of(asked.dataset, asked.request)),
        )
        for asked in waiting
    ]


def _left(house: House, datasets: Collection[str]) -> dict[str, Cost]:
    """Return what each of the data has left, in the period of this moment where its budget has periods."""
    plain = left_of_each(house.store, datasets)
    return plain | {name: registry.ledger(house, name).left for name in datasets if name not in plain}


def _granted(house: House, waiting: Sequence[Inquiry]) -> Counter[str]:
    """Count how often what each request that waits asks was granted, at any epsilon."""
    each = (requests.c.dataset, requests.c.question)
    times = select(*each, func.count()).where(requests.c.state.in_(RUNNABLE)).group_by(*each)
    mine = {asked.dataset for asked in waiting}
    with house.store.reading() as connection:
        found = connection.execute(times.where(requests.c.dataset.in_(mine))).all()
    same = Same((dataset, question_of(text)) for dataset, text, _ in found)
    return Counter({asked.id: sum(found[at][2] for at in same.of(asked.dataset, asked.request)) for asked in waiting})


def arranged(waiting: Iterable[Awaited], sieve: Sieve, text: Callable[[Awaited], str]) -> list[Awaited]:
    """Return the cases that are wanted, in their order; `text` is what is searched."""
    _, place = ORDERS.get(sieve.order, ORDERS["oldest"])
    return sorted((case for case in waiting if sieve.lets(case, text(case))), key=place)


def beside(order: Sequence[int], number: int) -> tuple[int | None, int | None]:
    """Return the numbers before and after one; after the last there is none."""
    at = order.index(number)
    return order[at - 1] if at else None, order[at + 1] if at + 1 < len(order) else None
