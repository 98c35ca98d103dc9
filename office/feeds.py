"""Feeds: somebody's news and deadlines at a secret address, for programs that send no token with a call.

The address holds a token whose only scope is this: it is shown once, ends by itself, and is revoked
like every other one. Of the news it gives numbers and links; a calendar names the data, as its page does.
"""

from __future__ import annotations

from functools import partial
from uuid import UUID
from xml.etree import ElementTree

from discreet.office import credentials, deadlines
from discreet.office.bulletins import Bulletin, bulletins
from discreet.office.house import House
from discreet.office.roles import ROLES, Denied, Member, require
from discreet.office.tongues import Said, in_english, own_tongue, tongue_of

SPACE = "http://www.w3.org/2005/Atom"


def reader(house: House, token: str) -> Member:
    """Return whose feed a token opens; no other token opens one."""
    bearer = credentials.bearer(house, token)
    if bearer is None or bearer.credential.scopes != {credentials.FEED}:
        raise Denied
    return bearer.who


def atom(house: House, who: Member | None, address: str, said: Said = in_english) -> bytes:
    """Write somebody's news as a feed in their language, with links below an address."""
    who = require(who, *ROLES)
    with house.store.reading() as connection:
        news, tongue = bulletins(house, connection, who), tongue_of(connection, who.id)
    feed = ElementTree.Element("feed", xmlns=SPACE)
    _add(feed, "id", _name(house, who.id))
    _add(feed, "title", "Discreet")
    _add(feed, "updated", (news[0].at if news else house.now).isoformat(timespec="seconds"))
    _add(_add(feed, "author"), "name", "Discreet")
    ElementTree.SubElement(feed, "link", href=f"{address}/news")
    for each in news:
        _entry(house, feed, each, address, each.title(partial(said, tongue)))
    written: bytes = ElementTree.tostring(feed, "utf-8", xml_declaration=True)
    return written


def calendar(house: House, who: Member | None, said: Said = in_english) -> bytes:
    """Write the deadlines of the data that somebody keeps as a calendar, with the names that the page has."""
    ends = deadlines.deadlines(house, require(who, "officer", "administrator"))
    tongue = own_tongue(house, who)
    return deadlines.as_calendar(house, ends, [f"{said(tongue, each.what)}: {each.of}" for each in ends])


def _entry(house: House, feed: ElementTree.Element, each: Bulletin, address: str, title: str) -> None:
    entry = _add(feed, "entry")
    _add(entry, "id", _name(house, str(each.seq)))
    _add(entry, "title", title)
    _add(entry, "updated", each.at.isoformat(timespec="seconds"))
    ElementTree.SubElement(entry, "link", href=f"{address}{each.path}")


def _add(parent: ElementTree.Element, tag: str, text: str = "") -> ElementTree.Element:
    element = ElementTree.SubElement(parent, tag)
    element.text = text or None
    return element


def _name(house: House, part: str) -> str:
    """Return a name that no other house gives, and that says nothing."""
    return UUID(house.vault.fingerprint(f"feed:{part}")[:32]).urn
