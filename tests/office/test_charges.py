"""Who keeps which data, who may ask of them, and what takes two officers because the policy says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.offices import CHECKED, ON_SQLITE, PURPOSE, REASON, Office, question

from discreet.budget import ParameterError
from discreet.office import Desk, Policy
from discreet.office.datasets import changes, lifecycle, registry
from discreet.office.decisions import decisions
from discreet.office.desk import asking, queue
from discreet.office.house import audit_log
from discreet.office.house.roles import TERMINAL, Denied
from discreet.office.notices import news
from discreet.office.requests import remarks, request
from discreet.office.rules.registration import PAIRED

NAMED = {"officers": ("olga",), "analysts": ("bob",)}
Verb = Callable[[Office, Any, request.Inquiry], Any]
# what only the officers of a dataset can do with it, and read of it
KEEPING: dict[str, Verb] = {
    "decide": lambda o, who, a: decisions.decide(o.house, who, a.id, "denied", REASON),
    "amend": lambda o, who, a: changes.amend(o.house, who, o.dataset, Policy(**NAMED)),
    "publish": lambda o, who, a: lifecycle.publish(o.house, who, o.dataset, True),
    "close": lambda o, who, a: lifecycle.close(o.house, who, o.dataset),
    "erase": lambda o, who, a: lifecycle.erase(o.house, who, o.dataset),
    "note": lambda o, who, a: changes.note(o.house, who, o.dataset, "a note that is long enough"),
    "seen_by": lambda o, who, a: request.seen_by(o.house, who, a.id),
    "thread": lambda o, who, a: remarks.thread(o.house, who, a.id),
    "remark": lambda o, who, a: remarks.remark(o.house, who, a.id, "a comment"),
}


def amend(office: Office, **policy: Any) -> None:
    """Set a policy as two officers."""
    for login in ("olga", "otto"):
        changes.amend(office.house, office.who[login], office.dataset, Policy(**policy))


@ON_SQLITE
@pytest.mark.parametrize("verb", KEEPING)
def test_an_officer_of_other_data_does_and_reads_nothing_of_these(office: Office, verb: str) -> None:
    """Otto has the role, and these data are Olga's; she can do the same."""
    waits = office.ask(0.5)
    amend(office, **NAMED)
    with pytest.raises((Denied, ParameterError), match=r"names other officers|does not give you this"):
        KEEPING[verb](office, office.who["otto"], waits)
    KEEPING[verb](office, office.who["olga"], waits)


@ON_SQLITE
def test_queues_and_lists_hold_what_is_ones_own(office: Office) -> None:
    """Otto's queue is empty; administrators read everything; the terminal has the disk."""
    waits, done = office.ask(0.5), office.ask(0.6)
    decisions.decide(office.house, office.who["olga"], done.id, "denied", REASON)
    amend(office, **NAMED)
    house, who = office.house, office.who
    assert [each.id for each in queue.queue(house, who["olga"])] == [waits.id]
    assert queue.queue(house, who["otto"]) == [] and queue.how_many(house, who["otto"]) == 0
    assert request.decided(house, who["otto"]) == [] and len(request.decided(house, who["adam"])) == 1
    assert request.seen_by(house, who["adam"], waits.id) == waits and queue.queue(house, TERMINAL)


@ON_SQLITE
def test_an_analyst_of_other_data_neither_sits_down_nor_asks(office: Office) -> None:
    """Bob is named, Eve is not; what was asked before stays hers to read."""
    before = office.ask(0.5, "eve")
    amend(office, **NAMED)
    assert Desk(office.house, office.who["bob"], office.dataset) and office.ask(0.6)
    with pytest.raises(Denied):
        Desk(office.house, office.who["eve"], office.dataset)
    with pytest.raises(ParameterError, match="policy of this dataset allows only other analysts"):
        asking.submit(office.house, office.who["eve"], office.dataset, question(0.7), PURPOSE)
    assert request.seen_by(office.house, office.who["eve"], before.id) == before


def test_publication_and_deletion_take_two_where_the_policy_says_so(office: Office) -> None:
    """One proposes, which others read in their news; the same one twice is not two; withdrawing a list takes one."""
    amend(office, both=tuple(PAIRED))
    house, olga, otto = office.house, office.who["olga"], office.who["otto"]
    for verb in (
        lambda who: lifecycle.publish(house, who, office.dataset, True),
        lambda who: lifecycle.erase(house, who, office.dataset),
    ):
        assert verb(olga) is False and verb(olga) is False
        data = registry.find(house, office.dataset)
        assert data.state == "open" and (office.home / "vault" / registry.row_of(house, data.id)["content"]).exists()
        assert "propose" in str(news.news(house, otto)[0].words)
        assert verb(otto) is True
        assert audit_log.trail(office.store, 1)[0].details["first"] == "olga"
        lifecycle.publish(house, olga, office.dataset, False)
    assert registry.find(house, office.dataset).state == "deleted"
    assert house.wrong_act(whole=True) is None


@ON_SQLITE
def test_a_policy_of_two_cannot_be_loosened_by_one(office: Office) -> None:
    """Neither what takes two, nor who keeps the data or asks of them; with `policy` not even what is stricter."""
    amend(office, both=("publication",))
    house, olga, otto = office.house, office.who["olga"], office.who["otto"]
    for looser in (Policy(), Policy(both=("publication",), officers=("olga",)), Policy(both=("deletion",))):
        assert changes.amend(house, olga, office.dataset, looser) is False
    strict = Policy(both=("policy", "publication"))
    assert changes.amend(house, olga, office.dataset, strict) is True
    assert changes.amend(house, olga, office.dataset, Policy(both=strict.both, most=0.1)) is False
    assert changes.amend(house, otto, office.dataset, Policy(both=strict.both, most=0.1)) is True


@ON_SQLITE
def test_only_those_who_keep_the_data_are_the_second(office: Office) -> None:
    """A proposal of one named officer is not confirmed by an officer of other data."""
    amend(office, both=("publication",), officers=("olga", "max"))
    house, who = office.house, office.who
    assert lifecycle.publish(house, who["olga"], office.dataset, True) is False
    with pytest.raises(ParameterError, match="names other officers"):
        lifecycle.publish(house, who["otto"], office.dataset, True)
    assert lifecycle.publish(house, who["max"], office.dataset, True) is True
    waits = office.ask(0.5)
    assert decisions.decide(house, who["max"], waits.id, "approved", "", CHECKED).state == "approved"


@ON_SQLITE
def test_a_policy_names_somebody_who_could_act(office: Office) -> None:
    """Nobody locks all officers out; an act that is not on the list is refused."""
    with pytest.raises(ParameterError, match="None of these logins belongs to an officer"):
        amend(office, officers=("bob", "nobody"))
    with pytest.raises(ParameterError, match="from the list"):
        Policy(both=("coffee",))
    assert Policy.from_json('{"free": 0.1}') == Policy(free=0.1)  # as it was written before
