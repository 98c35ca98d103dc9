"""The thread of a request: comments and who reads them, requests that follow others, news, and what is told unasked."""

from __future__ import annotations

import json

import pytest
import sqlalchemy as sa
from support.offices import CHECKED, ON_SQLITE, PURPOSE, REASON, Office, question, together

from discreet.budget import ParameterError
from discreet.office.auditing import inspection
from discreet.office.decisions import decisions
from discreet.office.desk import asking
from discreet.office.house import audit_log
from discreet.office.house.roles import Denied
from discreet.office.notices import deadlines, news
from discreet.office.requests import remarks
from discreet.office.requests.remarks import OFFICERS, remark, thread
from discreet.office.requests.request import Inquiry

SECRET = "between us: the ward is very small"


def again(office: Office, earlier: Inquiry, epsilon: float = 0.4, login: str = "bob") -> Inquiry:
    """Ask once more, changed, in the place of an earlier request."""
    who = office.who[login]
    return asking.submit(
        office.house, who, office.dataset, question(epsilon), PURPOSE, earlier.round + 1, None, earlier.id
    )


def what(office: Office, login: str) -> list[tuple[str, str]]:
    """Return what is new to somebody, oldest first."""
    items = news.news(office.house, office.who[login])[::-1]
    assert news.unread(office.house, office.who[login]) == sum(item.new for item in items)
    return [(str(item.words), item.about) for item in items if item.new]


def test_comments_are_read_by_those_they_are_for(office: Office) -> None:
    """An analyst reads what is for all; officers read everything; nobody else anything."""
    asked, house, who = office.ask(0.5), office.house, office.who
    remark(house, who["olga"], asked.id, "Which towns?")
    remark(house, who["otto"], asked.id, SECRET, OFFICERS)
    remark(house, who["bob"], asked.id, "  Both \u202eof them.\x00 \n\nAll. ")
    assert [each.body for each in thread(house, who["olga"], asked.id)] == [
        "Which towns?",
        SECRET,
        "Both of them.\n\nAll.",
    ]
    assert [each.name for each in thread(house, who["bob"], asked.id)] == ["Olga", "Bob"]
    for login in ("eve", "adam"):
        with pytest.raises(Denied):
            thread(house, who[login], asked.id)
        with pytest.raises(Denied):
            remark(house, who[login], asked.id, "I may not")
    with pytest.raises(Denied):
        remark(house, who["bob"], asked.id, "To officers only", OFFICERS)
    for text in ("", " \n ", "x" * (remarks.LONGEST + 1)):
        with pytest.raises(ParameterError, match="1 to 2000"):
            remark(house, who["bob"], asked.id, text)
    with pytest.raises(ParameterError, match="A comment must be for everyone or for"):
        remark(house, who["olga"], asked.id, "To whom?", "everybody")


def test_whoever_asked_is_no_officer_of_their_own_request(office: Office) -> None:
    """Somebody with both roles reads nothing of what officers say among themselves about their question."""
    asked = office.ask(0.5, "max")
    remark(office.house, office.who["olga"], asked.id, SECRET, OFFICERS)
    assert thread(office.house, office.who["max"], asked.id) == []
    with pytest.raises(Denied):
        remark(office.house, office.who["max"], asked.id, "About me?", OFFICERS)
    assert not any("commented" in words for words, _ in what(office, "max"))
    other = office.ask(0.6)
    remark(office.house, office.who["olga"], other.id, SECRET, OFFICERS)
    assert [each.body for each in thread(office.house, office.who["max"], other.id)] == [SECRET]


def test_the_trail_knows_that_it_was_said_and_not_what(office: Office) -> None:
    """A mark of the text, with the vault's key: the words are in one table only, and no card has them."""
    asked = office.ask(0.5)
    remark(office.house, office.who["olga"], asked.id, SECRET, OFFICERS)
    (act,) = [act for act in audit_log.trail(office.store) if act.what == "remarked"]
    assert act.about == "#1" and act.details["audience"] == OFFICERS and len(act.details["mark"]) == 64
    assert SECRET not in json.dumps([act.details for act in audit_log.trail(office.store)])
    assert not inspection.look(office.house).all


def test_a_comment_that_is_changed_or_taken_away_by_hand_is_noticed(office: Office) -> None:
    """The database refuses it; without its guards the verification finds it."""
    asked = office.ask(0.5)
    for text in ("one", "two"):
        remark(office.house, office.who["olga"], asked.id, text)
    for statement in ("UPDATE remarks SET body = 'three'", "DELETE FROM remarks"):
        with pytest.raises(sa.exc.DBAPIError, match="stays as it was said|never changes"):
            office.by_hand(statement)
    office.without_guards()
    office.by_hand("UPDATE remarks SET audience = 'officers' WHERE body = 'one'")
    office.by_hand("DELETE FROM remarks WHERE body = 'two'")
    assert list(map(str, inspection.look(office.house).all)) == [
        "A comment on request #1 was changed.",
        "A comment on request #1 is missing.",
    ]


def test_many_speak_at_once_and_nothing_is_lost(office: Office) -> None:
    """Each comment has its own place, and the chain holds."""
    asked = office.ask(0.5)
    voices = [("olga", "a"), ("otto", "b"), ("bob", "c"), ("max", "d")]
    works = [
        lambda at=at, who=who, text=text: remark(office.house, office.who[who], asked.id, f"{text}{at}")
        for at in range(3)
        for who, text in voices
    ]
    assert together(works) == [None] * 12
    said = [each.body for each in thread(office.house, office.who["olga"], asked.id)]
    assert sorted(said) == sorted(f"{text}{at}" for at in range(3) for _, text in voices)
    assert not inspection.look(office.house).all


@ON_SQLITE
def test_a_thread_has_an_end(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody fills the disk with it."""
    asked = office.ask(0.5)
    monkeypatch.setattr(remarks, "MOST", 2)
    for text in ("one", "two"):
        remark(office.house, office.who["bob"], asked.id, text)
    with pytest.raises(ParameterError, match="2 comments"):
        remark(office.house, office.who["olga"], asked.id, "three")


def test_a_changed_request_follows_the_one_it_replaces(office: Office) -> None:
    """Both know of each other, the trail says so; nobody follows what is not theirs, or not over."""
    first, house, bob = office.ask(0.5), office.house, office.who["bob"]
    with pytest.raises(ParameterError, match="ended without a result"):
        again(office, first)
    decisions.decide(house, office.who["olga"], first.id, "changes", REASON)
    second = again(office, first)
    assert asking.beside(house, bob, second.id) == (decisions.find(house, first.id), [])
    assert asking.beside(house, office.who["otto"], first.id) == (None, [second.number])
    asked = [act.details for act in audit_log.trail(office.store) if act.what == "asked"]
    assert asked[0]["replaces"] == "#1" and "replaces" not in asked[1]
    for login, of in (("eve", first), ("bob", second)):
        before = len(audit_log.trail(office.store))
        with pytest.raises(ParameterError, match="ended without a result"):
            again(office, of, 0.3, login)
        assert len(audit_log.trail(office.store)) == before and office.ledger.left.epsilon == pytest.approx(2.6)
    with pytest.raises(Denied):
        asking.beside(house, office.who["eve"], first.id)
    assert not inspection.look(house).all
    office.without_guards()
    office.by_hand("DELETE FROM revisions")
    assert [str(wrong) for wrong in inspection.look(house).all] == [
        f"Request #{second.number} replaces a different request from the one in the audit log."
    ]


def test_everybody_has_their_own_news_until_they_have_read_them(office: Office) -> None:
    """An officer of what waits, an analyst of what became of it; nobody of what they did themselves."""
    for login in ("olga", "otto"):
        news.mark(office.house, office.who[login], len(audit_log.trail(office.store)) - 1)
    first, second = office.ask(0.5), office.ask(0.6, "eve")
    office.ask(0.1)  # within policy: it waits for nobody
    remark(office.house, office.who["olga"], first.id, "For you.")
    remark(office.house, office.who["olga"], first.id, SECRET, OFFICERS)
    decisions.decide(office.house, office.who["olga"], first.id, "approved", "", CHECKED)
    decisions.withdraw(office.house, office.who["eve"], second.id)
    assert what(office, "olga") == [("asked", "#1"), ("asked", "#2"), ("withdrew", "#2")]
    assert what(office, "otto") == [
        ("asked", "#1"),
        ("asked", "#2"),
        ("commented on", "#1"),
        ("commented on", "#1"),
        ("withdrew", "#2"),
    ]
    released = ("released the result of", "#1")
    assert what(office, "bob")[1:] == [("commented on", "#1"), ("approved", "#1"), released]
    assert what(office, "bob")[0] == ("released the result of", "#3") and what(office, "eve") == []
    newest = news.news(office.house, office.who["otto"])[0].seq
    news.mark(office.house, office.who["otto"], newest)
    news.mark(office.house, office.who["otto"], 0)  # an older page that is read later
    assert what(office, "otto") == [] and what(office, "olga")
    office.clock.now += 31 * 24 * 3600
    assert news.news(office.house, office.who["olga"]) == []


def test_what_expires_soon_is_told_once(office: Office) -> None:
    """By the server, to the officers and the analyst; later it expires, without anybody looking."""
    asked = office.ask(0.5)
    assert deadlines.remind(office.house) == []
    office.clock.now += 12.5 * 24 * 3600
    together([lambda: deadlines.remind(office.house)] * 3)
    office.clock.now += 3600
    assert deadlines.remind(office.house) == []
    assert [words for words, _ in what(office, "bob")] == ["sent a reminder of the expiry of"]
    assert [act.who for act in audit_log.trail(office.store) if act.what == "reminded"] == [""]
    office.clock.now += 2 * 24 * 3600
    deadlines.Watch(office.house).round()
    assert decisions.find(office.house, asked.id).state == "expired"
    assert [words for words, _ in what(office, "bob")][-1] == "recorded the expiry of"


def test_a_ledger_that_does_not_verify_is_told_once_a_day(office: Office) -> None:
    """Nobody has to look at it; the trail says which."""
    office.ask(0.5)
    watch = deadlines.Watch(office.house)
    watch.round()
    assert what(office, "adam") == []
    office.without_guards()
    office.by_hand("UPDATE lines SET note = 'forged'")
    for hours in (0.5, 1, 1, 30):
        office.clock.now += hours * 3600
        watch.round()
    assert what(office, "adam") == [("reported a problem with", "people")] * 2
