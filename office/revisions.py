"""Revisions: a request that is asked again, changed, follows the one that it replaces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, insert, select

from discreet.budget import ParameterError, Phrase
from discreet.office.asked import Inquiry, find, seen_by
from discreet.office.house import House
from discreet.office.relations import requests, revisions
from discreet.office.roles import Member

OVER = ("changes", "denied", "withdrawn", "expired", "refused")  # ended without an answer


def check(house: House, earlier: str, dataset: str, analyst: str) -> Inquiry:
    """Return the request that a new one follows: one's own, of the same data, that ended without an answer."""
    asked = find(house, earlier)
    if (asked.dataset, asked.analyst) != (dataset, analyst) or asked.state not in OVER:
        raise ParameterError("Only an own request of these data that ended without an answer can be asked again.")
    return asked


def follow(connection: Connection, request: str, earlier: str) -> None:
    """Write down which request another one follows."""
    connection.execute(insert(revisions).values(request=request, earlier=earlier))


def strange(connection: Connection, sealed: Iterable[Mapping[str, Any]]) -> list[Phrase]:
    """Return which requests follow another one in the table than the trail says."""
    said = {act["about"]: act["replaces"] for act in sealed if "replaces" in act}
    first, second = requests.alias(), requests.alias()
    joined = revisions.join(first, first.c.id == revisions.c.request).join(second, second.c.id == revisions.c.earlier)
    pairs = connection.execute(select(first.c.number, second.c.number).select_from(joined))
    written = {f"#{number}": f"#{earlier}" for number, earlier in pairs}
    odd = sorted(about for about in said | written if said.get(about) != written.get(about))
    return [Phrase("Request {about} follows another one than the trail says.", about=about) for about in odd]


def beside(house: House, who: Member | None, request: str) -> tuple[Inquiry | None, list[int]]:
    """Return the request that this one follows, and the numbers of those that follow it."""
    seen_by(house, who, request)
    with house.store.reading() as connection:
        earlier = connection.execute(select(revisions.c.earlier).filter_by(request=request)).scalar_one_or_none()
        later = select(requests.c.number).join(revisions, revisions.c.request == requests.c.id)
        numbers = connection.execute(later.where(revisions.c.earlier == request).order_by(requests.c.number))
        return None if earlier is None else find(house, earlier), list(numbers.scalars())
