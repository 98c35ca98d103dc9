"""Disclosure: of data that are none of theirs nobody reads anything, on any screen, in any list, by any address."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from support.offices import CONTENT, ON_SQLITE, PURPOSE, REASON, REGISTRATION, Office, question

from discreet.budget import ParameterError
from discreet.office import House, Policy
from discreet.office.api.calls import refusal_of
from discreet.office.api.operations import OPERATIONS
from discreet.office.api.service import Sent, Service
from discreet.office.auditing import bundles
from discreet.office.datasets import changes, lifecycle, registering, registry
from discreet.office.decisions import decisions
from discreet.office.desk import asking, queue
from discreet.office.house import acts, audit_log
from discreet.office.house.roles import Denied
from discreet.office.notices import deadlines, disclosure, news, outlook
from discreet.office.people import tokens
from discreet.office.requests import remarks, request
from discreet.office.rules import rights
from discreet.office.rules.visit import select_requests

OTHERS = "zebra data"  # Otto keeps them, Eve asks of them; people is Olga's and Bob's
PEOPLE = {
    "officer of A": "olga",
    "officer of B": "otto",
    "analyst": "bob",
    "other analyst": "eve",
    "administrator": "adam",
}
Look = Callable[[House, Any, str, request.Inquiry], Any]
ALL = frozenset(PEOPLE)
OF_B, EVERYTHING = frozenset({"officer of B", "administrator"}), frozenset({"administrator"})


def _texts(look: Callable[[], Any]) -> str:
    """Return all that a look shows; nothing where it is refused."""
    try:
        return repr(look())
    except (Denied, ParameterError):
        return ""


# every list and file of the screens, called for the dataset B and a request of it
LOOKS: dict[str, Look] = {
    "trail": lambda h, who, d, a: disclosure.trail(h, who),
    "news": lambda h, who, d, a: news.news(h, who),
    "queue": lambda h, who, d, a: queue.queue(h, who),
    "cases": lambda h, who, d, a: queue.cases(h, who),
    "decided": lambda h, who, d, a: request.decided(h, who),
    "newest": lambda h, who, d, a: queue.newest(h, who, 99),
    "request": lambda h, who, d, a: request.seen_by(h, who, a.id),
    "thread": lambda h, who, d, a: (remarks.thread(h, who, a.id), a),
    "beside": lambda h, who, d, a: (asking.beside(h, who, a.id), a),
    "first of two": lambda h, who, d, a: (decisions.first_of(h, who, a.id), a),
    "looking": lambda h, who, d, a: (queue.look(h, who, a), a),
    "overview": lambda h, who, d, a: outlook.outlooks(h, who),
    "shares": lambda h, who, d, a: (outlook.shares(h, who, d), d),
    "over time": lambda h, who, d, a: (outlook.spent_over_time(h, who, d), d),
    "deadlines": lambda h, who, d, a: deadlines.deadlines(h, who),
    "verify": lambda h, who, d, a: (lifecycle.check_ledger(h, who, d), d),
    "bundle": lambda h, who, d, a: (len(bundles.bundle(h, who, d, bundles.Period())), d),
    "registered": lambda h, who, d, a: rights.of_officer(h, who),
}


# who sees anything of B in it, beside the analyst who asked, of their own request
SEEN = dict.fromkeys(LOOKS, OF_B) | {
    "news": frozenset({"officer of B"}),
    "queue": frozenset({"officer of B"}),
    "cases": frozenset({"officer of B"}),
    "thread": frozenset({"officer of B"}),
    "first of two": frozenset({"officer of B"}),
    "looking": frozenset({"officer of B"}),
    "registered": frozenset({"officer of B"}),
}
OWN = {"news": False, "newest": True, "request": True, "thread": True, "beside": True}  # what an analyst has of it


def divided(office: Office) -> None:
    """Give a house data of two officers; a request of B waits, another one was decided."""
    house, who = office.house, office.who
    data = registering.register(
        house,
        who["otto"],
        CONTENT + b"1,north,x\n",
        replace(REGISTRATION, name=OTHERS, apart="people of another country"),
        Policy(until="2030-12-31"),
    )
    for dataset, names in ((office.dataset, ("olga", "bob")), (data.id, ("otto", "eve"))):
        policy = Policy(officers=names[:1], analysts=names[1:], until="2030-12-31")
        for login in ("otto", "olga"):
            if not changes.amend(house, who[login], dataset, policy):
                continue
            break
    asking.submit(house, who["eve"], data.id, question(0.5), PURPOSE)
    done = asking.submit(house, who["eve"], data.id, question(0.6), PURPOSE)
    decisions.decide(house, who["otto"], done.id, "denied", REASON)
    office.ask(0.5)


@pytest.fixture
def two(another: Callable[..., Office]) -> tuple[Office, str, request.Inquiry]:
    """Return a copy of such a house, the data B, and the request that waits."""
    office = another(divided)
    ids = {dataset.name: dataset.id for dataset in registry.everything(office.house)}
    office.dataset, theirs = ids[REGISTRATION.name], ids[OTHERS]
    everyone = request.listed(office.house, select_requests())
    (waits,) = (inquiry for inquiry in everyone if (inquiry.dataset, inquiry.status) == (theirs, "waiting"))
    return office, theirs, waits


def marks(dataset: str, inquiry: request.Inquiry) -> tuple[str, ...]:
    """Return what would show that something of B is there."""
    return (OTHERS, dataset, inquiry.id, f"'#{inquiry.number}'")


def check_that_a_list_holds_own_data_only(two: tuple[Office, str, request.Inquiry], look: str, name: str) -> None:
    """Fail if somebody sees of B in a list what is not theirs, or does not see what is."""
    office, dataset, inquiry = two
    text = _texts(lambda: LOOKS[look](office.house, office.who[PEOPLE[name]], dataset, inquiry))
    here = any(mark in text for mark in marks(dataset, inquiry))
    assert here is (OWN.get(look, False) if name == "other analyst" else name in SEEN[look]), (name, text[:500])


@ON_SQLITE
@pytest.mark.parametrize("look", LOOKS)
def test_each_list_holds_ones_own_data_only(two: tuple[Office, str, request.Inquiry], look: str) -> None:
    """Officers of A and their analysts see nothing of B; administrators see to all data; the analyst what is hers."""
    for name in PEOPLE:
        check_that_a_list_holds_own_data_only(two, look, name)


@ON_SQLITE
@pytest.mark.parametrize("name", PEOPLE)
def test_each_address_of_the_interface_holds_ones_own_data_only(
    two: tuple[Office, str, request.Inquiry], name: str
) -> None:
    """All that only read, called for B and its request: what a table of the screens allows, no more."""
    office, dataset, inquiry = two
    who, service = office.who[PEOPLE[name]], Service()
    token = tokens.issue(office.house, who, "x", frozenset({"read"}), 1)
    seen = set()
    for operation in (each for each in OPERATIONS if each.method == "GET"):
        path = operation.path.format(dataset=dataset, request=inquiry.id)
        sent = Sent("GET", f"/api/v1{path}", authorization=f"Bearer {token}")
        try:
            text = repr(service.answer(office.house, sent))
        except Exception as refused:
            assert refusal_of(refused) is not None
            continue
        if "{" in operation.path or any(mark in text for mark in marks(dataset, inquiry)):
            seen.add(operation.name)
    every = {"datasets", "dataset", "releases", "requests", "request", "card", "checklist"}
    assert (
        seen
        == {
            "officer of A": set(),
            "officer of B": every,
            "analyst": set(),
            "other analyst": {"datasets", "dataset", "requests", "request", "card"},
            "administrator": every - {"datasets", "checklist"},
        }[name]
    )


def test_the_trail_of_an_officer_keeps_what_is_about_no_data(two: tuple[Office, str, request.Inquiry]) -> None:
    """Accounts and the house itself are for every officer; all of it is for administrators."""
    office, _, _ = two
    every = audit_log.trail(office.store)
    olga = disclosure.trail(office.house, office.who["olga"])
    hidden = [act for act in every if act not in olga]
    numbers = {f"#{each.number}" for each in queue.newest(office.house, office.who["eve"], 99)}
    assert {act.about for act in hidden} == {OTHERS, *numbers} and len(numbers) == 2
    assert disclosure.trail(office.house, office.who["adam"]) == every
    assert [act.what for act in olga if act.about == "bob"] == ["joined", "invited"]
    with pytest.raises(Denied):
        disclosure.trail(office.house, office.who["bob"])


@ON_SQLITE
def test_what_an_act_about_everything_says_of_single_data_is_left_out(office: Office) -> None:
    """A restored backup names all its budgets, a verification what is wrong: for administrators."""
    with office.house.writing() as connection:
        office.house.act(connection, "terminal", acts.SET_UP, restored=["secret data=0:x"])
        office.house.act(connection, "terminal", acts.AUDITED, holds=False, wrong=["The ledger of secret data"])
    assert "secret data" not in repr(disclosure.trail(office.house, office.who["olga"]))
    assert repr(disclosure.trail(office.house, office.who["adam"])).count("secret data") == 2


@ON_SQLITE
def test_a_dataset_that_is_called_like_a_request_hides_no_less(two: tuple[Office, str, request.Inquiry]) -> None:
    """Whatever data are called: a name never opens what is about others."""
    office, _, inquiry = two
    said = replace(REGISTRATION, name=f"#{inquiry.number}", apart="people of a third country")
    registering.register(office.house, office.who["olga"], CONTENT + b"2,north,y\n", said, Policy(officers=("olga",)))
    subjects = [act.about for act in disclosure.trail(office.house, office.who["olga"]) if act.what == "asked"]
    assert f"#{inquiry.number}" not in subjects


@ON_SQLITE
def test_lists_of_the_interface_are_read_page_by_page(office: Office) -> None:
    """Each request once, newest first, whatever was the last number; a page reads no more than it gives."""
    for at in range(7):
        office.ask(0.3 + at / 100, ("bob", "eve")[at % 2])
    olga, numbers, before = office.who["olga"], list[int](), None
    while page := queue.newest(office.house, olga, 3, before):
        assert len(page) <= 3
        numbers += [each.number for each in page]
        before = numbers[-1]
    assert numbers == [7, 6, 5, 4, 3, 2, 1]
    assert [each.number for each in queue.newest(office.house, office.who["bob"], 9)] == [7, 5, 3, 1]
    assert registry.find(office.house, office.dataset).name == "people"


@ON_SQLITE
def test_a_trail_that_asks_nobody_is_noticed(
    two: tuple[Office, str, request.Inquiry], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table fails on twins that forget whose the data are."""
    every = frozenset({data.id for data in registry.everything(two[0].house)})
    for name in ("of_reader", "of_officer"):
        monkeypatch.setattr(rights, name, lambda house, who: every)
    for look in ("trail", "overview", "deadlines", "queue"):
        with pytest.raises(AssertionError):
            check_that_a_list_holds_own_data_only(two, look, "officer of A")
