"""Feeds: one's own news at a secret address, which opens nothing else and ends with its token."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from discreet.budget import ParameterError
from discreet.office import credentials, decisions, feeds, memberships, news
from discreet.office.api.problems import refusal_of
from discreet.office.api.service import Sent, Service
from discreet.office.roles import TERMINAL, Denied
from tests.office.offices import CANARY, ON_SQLITE, PURPOSE, REASON, Office

pytestmark = ON_SQLITE
HERE = "https://discreet.example.org"
ATOM = "{http://www.w3.org/2005/Atom}"
FEED = frozenset({"feed"})


def titles(office: Office, login: str) -> list[str]:
    """Return the titles of somebody's feed."""
    tree = ElementTree.fromstring(feeds.atom(office.house, office.who[login], HERE))
    return [str(entry.findtext(f"{ATOM}title")) for entry in tree.iter(f"{ATOM}entry")]


def test_a_feed_is_the_news_of_its_owner(office: Office) -> None:
    """Every part that the format wants is there; nothing of a question, a reason or a person."""
    waits = office.ask(0.5)
    decisions.decide(office.house, office.who["olga"], waits.id, "denied", REASON)
    assert titles(office, "bob") == ["#1 · Your request was decided or answered"]
    assert titles(office, "otto")[0] == "#1 · Something waits for you"
    assert len(titles(office, "otto")) == len(news.news(office.house, office.who["otto"]))
    assert titles(office, "eve") == []
    text = feeds.atom(office.house, office.who["bob"], HERE).decode()
    tree = ElementTree.fromstring(text)
    for part in ("id", "title", "updated", "author"):
        assert tree.find(f"{ATOM}{part}") is not None
    (entry,) = tree.iter(f"{ATOM}entry")
    assert all(entry.findtext(f"{ATOM}{part}") for part in ("id", "title", "updated"))
    link = entry.find(f"{ATOM}link")
    assert link is not None and link.get("href") == f"{HERE}/requests?request=1"
    assert not [word for word in (PURPOSE, REASON, CANARY, "Bob", "bob", "Olga", "people") if word in text]
    assert text == feeds.atom(office.house, office.who["bob"], HERE).decode()  # names stay, so nothing comes twice


def test_a_feed_opens_with_its_own_token_only(office: Office) -> None:
    """Not with one that reads or asks, not once it is revoked, too old, or its account is closed."""
    house, bob = office.house, office.who["bob"]
    token, other = (credentials.issue(house, bob, "x", scopes, 30) for scopes in (FEED, frozenset({"read"})))
    assert feeds.reader(house, token) == bob
    for wrong in (other, token[:-1] + ("0" if token[-1] != "0" else "1"), "", "discreet_x"):
        with pytest.raises(Denied):
            feeds.reader(house, wrong)
    (own,) = [each for each in credentials.own_tokens(house, bob) if each.scopes == FEED]
    credentials.revoke(house, bob, own.id)
    with pytest.raises(Denied):
        feeds.reader(house, token)
    late = credentials.issue(house, bob, "x", FEED, 1)
    office.clock.now += 2 * 24 * 3600.0
    with pytest.raises(Denied):
        feeds.reader(house, late)
    closed = credentials.issue(house, bob, "x", FEED, 1)
    memberships.change(house, TERMINAL, "bob", frozenset({"analyst"}), False)
    with pytest.raises(Denied):
        feeds.reader(house, closed)


def test_the_token_of_a_feed_calls_nothing_and_no_other_scope_goes_with_it(office: Office) -> None:
    """Its address stands in logs of proxies and lists of readers."""
    for scope in ("read", "ask", "decide"):
        with pytest.raises(ParameterError, match="nothing else"):
            credentials.issue(office.house, office.who["olga"], "x", FEED | {scope}, 30)
    token = credentials.issue(office.house, office.who["olga"], "x", FEED, 30)
    for path in ("/me", "/datasets", "/requests"):
        with pytest.raises(Exception, match="may not do this") as refused:
            Service().answer(office.house, Sent("GET", f"/api/v1{path}", authorization=f"Bearer {token}"))
        answer = refusal_of(refused.value)
        assert answer is not None and answer.status == 403


def test_a_calendar_is_for_those_who_see_the_deadlines(office: Office) -> None:
    """With the names that the page has; an analyst has none."""
    office.amend(until="2030-12-31")
    assert b"SUMMARY:The last day of questions: people" in feeds.calendar(office.house, office.who["olga"])
    with pytest.raises(Denied):
        feeds.calendar(office.house, office.who["bob"])
