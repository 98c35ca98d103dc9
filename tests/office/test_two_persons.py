"""Two persons are two: nobody is both by naming themselves, nor by what is written into the database by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from support.offices import APART, CHECKED, CONTENT, ON_SQLITE, PURPOSE, REGISTRATION, Office, everything_in, question

from discreet.budget import ParameterError
from discreet.office import Policy
from discreet.office.auditing import inspection
from discreet.office.datasets import changes, lifecycle, registering, registry
from discreet.office.decisions import decisions
from discreet.office.desk import asking
from discreet.office.house import acts, audit_log
from discreet.office.house.failures import WEEK
from discreet.office.house.roles import TERMINAL, Member
from discreet.office.house.tables import motions
from discreet.office.notices import news
from discreet.office.people import accounts, joining
from discreet.office.requests import request
from discreet.office.rules import rights, two_persons
from discreet.office.rules.visit import select_requests
from discreet.rows import Category

MORE = b"age,town,note\n" + b"12,north,a\n" * 50
SAID = replace(REGISTRATION, name="more", apart=APART)
ALL_OF_IT = Policy(free=50.0, most=50.0)
OFFICERS = ("ann", "olga", "otto", "max")
GHOST = "ghost"  # an officer who was invited and never came
pytestmark = ON_SQLITE


def policy_of(office: Office) -> Policy:
    """Return the policy as it holds."""
    return registry.find(office.house, office.dataset).policy


def found(office: Office) -> str:
    """Return what a verification says."""
    return "\n".join(map(str, inspection.look(office.house).all))


def only(office: Office, *logins: str) -> None:
    """Let nobody else be an officer here."""
    for login in set(OFFICERS) - set(logins):
        accounts.change(office.house, TERMINAL, login, frozenset({"analyst", "administrator"}), True)


def begun(office: Office, policy: Policy, login: str = "olga", times: int = 0) -> registry.Registered:
    """Register as somebody, several times other rows."""
    rows, said = MORE + b"1,north,x\n" * times, replace(SAID, name=SAID.name + "!" * times)
    data = registering.register(office.house, office.who[login], rows, said, policy)
    office.dataset = data.id
    return data


ALONE = {
    "herself": Policy(officers=("olga",), pair=0.1, both=("publication", "deletion")),
    "with what runs at once": Policy(officers=("olga",), free=0.5),
    "another one": Policy(officers=("otto",)),
    "one who never came": Policy(officers=("olga", GHOST)),
    "an analyst": Policy(officers=("olga", "bob")),
    "one with a closed account": Policy(officers=("olga", "max")),
}


@pytest.mark.parametrize("how", ALONE)
def test_a_registration_that_names_one_officer_names_none_until_another_agrees(office: Office, how: str) -> None:
    """The others hear of it, read it and confirm it, and nothing is looser until then."""
    joining.invite(office.house, TERMINAL, GHOST, "Ghost", frozenset({"officer"}))
    accounts.change(office.house, TERMINAL, "max", office.who["max"].roles, how != "one with a closed account")
    wanted = ALONE[how]
    begun(office, wanted)
    assert policy_of(office) == replace(wanted, officers=(), free=0.0)
    assert ("more", "proposed another policy for") in [
        (item.about, str(item.words)) for item in news.news(office.house, office.who["otto"])
    ]
    waits = rights.pending(office.house, "policy", office.dataset)
    assert waits is not None and Policy(**waits.wanted) == wanted
    assert not changes.amend(office.house, office.who["olga"], office.dataset, wanted)
    assert changes.amend(office.house, office.who["otto"], office.dataset, wanted)
    assert policy_of(office) == wanted and found(office) == ""


def test_ordinary_registrations_and_houses_of_one_officer_go_on_as_before(office: Office) -> None:
    """Two that are named, or none, need nobody; an only officer names herself, and the trail says so."""
    for times, policy in enumerate((Policy(officers=("olga", "otto")), Policy(pair=0.1)), 1):
        assert begun(office, policy, times=times).policy == policy
        assert rights.pending(office.house, "policy", office.dataset) is None
    only(office, "olga")
    assert begun(office, Policy(officers=("olga",))).policy.officers == ("olga",)
    last = next(act for act in audit_log.trail(office.store) if act.what == "registered")
    assert last.details["alone"] is True


@pytest.fixture
def hers(office: Office) -> Office:
    """Let two officers say that Olga alone keeps the data, and what takes two."""
    office.amend(officers=("olga",), pair=0.1, both=("publication", "deletion", "version"))
    return office


LOOSER: dict[str, Callable[[Policy], Policy]] = {
    "free": lambda policy: replace(policy, free=50.0, most=50.0),
    "pair": lambda policy: replace(policy, pair=None),
    "both": lambda policy: replace(policy, both=()),
    "officers": lambda policy: replace(policy, officers=()),
    "analysts": lambda policy: replace(policy, analysts=("bob",)),
}


@pytest.mark.parametrize("part", LOOSER)
def test_what_loosens_a_policy_counts_all_officers_of_the_house(hers: Office, part: str) -> None:
    """Olga is the only one who is named; Otto, who is not, reads her wish, confirms it, and can wish for nothing."""
    wanted = LOOSER[part](policy_of(hers))
    olga, otto = hers.who["olga"], hers.who["otto"]
    before = policy_of(hers)
    for _ in range(2):
        assert not changes.amend(hers.house, olga, hers.dataset, wanted)
    assert policy_of(hers) == before
    assert "proposed another policy" in str(news.news(hers.house, otto)[0].words)
    with pytest.raises(ParameterError, match="names other officers"):
        changes.amend(hers.house, otto, hers.dataset, replace(wanted, most=0.9, free=0.0))
    assert changes.amend(hers.house, otto, hers.dataset, wanted)
    assert policy_of(hers) == wanted and found(hers) == ""
    last = next(act for act in audit_log.trail(hers.store) if act.what == "policy")
    assert (last.who, last.details["first"]) == (otto.id, "olga")


def test_an_officer_who_has_asked_confirms_no_policy_of_data_that_others_keep(hers: Office) -> None:
    """Nor does an analyst, nor a command for either."""
    only(hers, "olga", "otto", "max")
    hers.ask(0.1, "max")
    wanted = LOOSER["pair"](policy_of(hers))
    assert not changes.amend(hers.house, hers.who["olga"], hers.dataset, wanted)
    for login, why in (("max", "names other officers"), ("bob", "Your role")):
        with pytest.raises(ParameterError, match=why):
            changes.amend(hers.house, hers.who[login], hers.dataset, wanted)
    assert policy_of(hers).pair == 0.1


TWICE: dict[str, Callable[[Office, Member], Any]] = {
    "publication": lambda o, who: lifecycle.publish(o.house, who, o.dataset, True),
    "deletion": lambda o, who: lifecycle.erase(o.house, who, o.dataset),
    "version": lambda o, who: changes.renew(o.house, who, o.dataset, CONTENT + b"1,north,later\n", "the next year"),
    "declaration": lambda o, who: changes.extend(o.house, who, o.dataset, wider(o)),
    "approval": lambda o, who: decisions.decide(o.house, who, waiting(o), "approved", "", CHECKED),
}


def wider(office: Office) -> Any:
    """Return a declaration with one town more."""
    schema = registry.find(office.house, office.dataset).registration.schema
    return replace(
        schema, columns=dict(schema.columns) | {"town": Category(("north", "south", "east"), origin="a map")}
    )


def waiting(office: Office) -> str:
    """Return the request that waits."""
    return next(each.id for each in request.listed(office.house, select_requests()) if each.state == "waiting")


@pytest.mark.parametrize("verb", TWICE)
def test_the_only_one_who_is_named_is_not_both_of_two(hers: Office, verb: str) -> None:
    """What takes two waits for a policy that names another one, or for a house without any other officer."""
    hers.ask(0.5)
    before = everything_in(hers.store)
    with pytest.raises(ParameterError, match="names no other officer who could be the second"):
        TWICE[verb](hers, hers.who["olga"])
    assert everything_in(hers.store) == before
    only(hers, "olga")
    assert TWICE[verb](hers, hers.who["olga"])


def test_a_named_officer_who_asks_leaves_nobody_alone(office: Office) -> None:
    """Max is named beside Olga and then asks, as an analyst may: she is not both officers of his question."""
    begun(office, Policy(officers=("olga", "max"), pair=0.1))
    waits = office.ask(0.5, "max")
    with pytest.raises(ParameterError, match="names no other officer who could be the second"):
        decisions.decide(office.house, office.who["olga"], waits.id, "approved", "", CHECKED)
    assert request.find(office.house, waits.id).state == "waiting" and office.kinds(waits.id) == ["reserve"]


# what one of two says first, what the other one does then, and whether that has held
WISHES: dict[str, tuple[Callable[[Office, Member], Any], Callable[[Office], bool]]] = {
    "policy": (
        lambda o, who: changes.amend(o.house, who, o.dataset, replace(ALL_OF_IT, both=policy_of(o).both)),
        lambda o: policy_of(o).free == 50,
    ),
    "publication": (TWICE["publication"], lambda o: registry.find(o.house, o.dataset).published),
    "deletion": (TWICE["deletion"], lambda o: registry.find(o.house, o.dataset).state == "deleted"),
    "version": (TWICE["version"], lambda o: len(registry.find(o.house, o.dataset).versions) == 2),
    "declaration": (TWICE["declaration"], lambda o: bool(registry.find(o.house, o.dataset).later)),
    "roles": (
        lambda o, who: accounts.change(o.house, keeper(o, who), "bob", frozenset({"officer"}), True),
        lambda o: "officer" in account(o, "bob"),
    ),
    "approval": (
        lambda o, who: decisions.decide(o.house, who, request.listed(o.house, select_requests())[0].id, *YES),
        lambda o: any(each.release for each in request.listed(o.house, select_requests())),
    ),
}
YES = ("approved", "", CHECKED)


def keeper(office: Office, who: Member) -> Member:
    """Return the administrator who does what an officer does elsewhere."""
    return office.who[{"olga": "ann", "otto": "adam"}[who.login]]


def account(office: Office, login: str) -> frozenset[str]:
    """Return the roles of an account."""
    return next(each["person"].roles for each in accounts.everybody(office.house) if each["person"].login == login)


@pytest.fixture
def guarded(office: Office) -> Office:
    """Let everything take two, and one request wait."""
    office.amend(pair=0.1, both=("publication", "deletion", "version"))
    office.ask(0.5)
    return office


def kept(office: Office, verb: str) -> dict[str, Any]:
    """Take out what waits for a second person, and return it."""
    with office.store.engine.begin() as connection:
        row = dict(connection.exec_driver_sql("SELECT * FROM motions").mappings().one())
        connection.exec_driver_sql("DELETE FROM motions")
    return row


def put(office: Office, verb: str, row: dict[str, Any]) -> None:
    """Write it in by hand."""
    names = ", ".join(f'"{name}"' for name in row)
    values = ", ".join(f":{name}" for name in row)
    with office.store.engine.begin() as connection:
        connection.execute(sa.text(f"INSERT INTO motions ({names}) VALUES ({values})"), row)


@pytest.mark.parametrize("verb", WISHES)
def test_a_first_voice_that_was_written_by_hand_is_nobodys(guarded: Office, verb: str) -> None:
    """Of every verb of two: the row is as the program writes it, of somebody who never said it."""
    do, held = WISHES[verb]
    olga, otto = guarded.who["olga"], guarded.who["otto"]
    do(guarded, olga)
    row = kept(guarded, verb)
    do(guarded, olga)  # she still wants it
    kept(guarded, verb)
    other = keeper(guarded, otto) if verb == "roles" else otto
    put(guarded, verb, row | {"by": other.id})
    says = "A change to {} is waiting for a second person, but the audit log does not show who proposed it."
    if verb == "approval":
        says = "The audit log does not contain the first of two approvals of request #1."
    assert says.format("bob" if verb == "roles" else "people") in found(guarded)
    do(guarded, olga)
    assert not held(guarded)
    do(guarded, otto)
    assert held(guarded) and found(guarded) == ""


@pytest.mark.parametrize("verb", ["policy", "version", "declaration", "roles", "approval"])
def test_a_first_voice_counts_for_what_was_said_and_for_nothing_else(guarded: Office, verb: str) -> None:
    """Otto did say something: what stands there in its place, with his name, is still nobody's."""
    do, held = WISHES[verb]
    olga, otto = guarded.who["olga"], guarded.who["otto"]
    do(guarded, olga)
    row = kept(guarded, verb)
    less: dict[str, Callable[[], Any]] = {
        "policy": lambda: changes.amend(guarded.house, otto, guarded.dataset, Policy(free=0.3)),
        "version": lambda: changes.renew(
            guarded.house, otto, guarded.dataset, CONTENT + b"2,north,x\n", "another file"
        ),
        "declaration": lambda: changes.extend(guarded.house, otto, guarded.dataset, wider_still(guarded)),
        "roles": lambda: accounts.change(
            guarded.house, keeper(guarded, otto), "bob", frozenset({"administrator"}), True
        ),
        "approval": lambda: decisions.decide(
            guarded.house, otto, row["about"], "approved", "", dict.fromkeys(CHECKED, "no: it should not be asked")
        ),
    }
    less[verb]()
    put(guarded, verb, row | {"by": kept(guarded, verb)["by"]})
    do(guarded, olga)
    assert not held(guarded)


def wider_still(office: Office) -> Any:
    """Return a declaration with two towns more."""
    schema = wider(office)
    towns = ("north", "south", "east", "west")
    return replace(schema, columns=dict(schema.columns) | {"town": Category(towns, origin="a map")})


@pytest.mark.parametrize("verb", ["policy", "publication", "version", "declaration"])
def test_what_was_dropped_or_is_over_is_said_no_more(guarded: Office, verb: str) -> None:
    """Put back as it stood, with a later end: Otto's word was let go, and then it was a week old."""
    do, held = WISHES[verb]
    olga, otto = guarded.who["olga"], guarded.who["otto"]
    do(guarded, otto)
    waits = rights.pending(guarded.house, verb, guarded.dataset)
    assert waits is not None
    with guarded.store.reading() as connection:
        row = dict(connection.execute(sa.select(motions)).mappings().one())
    rights.drop(guarded.house, otto, "officer", waits, "people")
    put(guarded, verb, row | {"until": row["until"] + 52 * WEEK})
    do(guarded, olga)
    assert not held(guarded)
    do(guarded, otto)  # as the second one, of what Olga wants now
    assert held(guarded)


def test_an_old_word_does_not_come_back_with_a_later_end(guarded: Office) -> None:
    """Eight days ago Otto wanted it; the row says that it lasts for a year."""
    do, held = WISHES["publication"]
    do(guarded, guarded.who["otto"])
    guarded.by_hand(f"UPDATE motions SET until = until + {52 * WEEK}")
    guarded.clock.now += 8 * 24 * 3600
    do(guarded, guarded.who["olga"])
    assert not held(guarded)


def test_a_policy_that_stands_by_hand_for_a_moment_decides_nothing(guarded: Office) -> None:
    """Anybody would be answered at once, one officer would publish, and it would be sealed with her own change."""
    before = policy_of(guarded)
    loose = Policy(free=50.0, most=50.0)
    waits = waiting(guarded)
    with guarded.store.engine.begin() as connection:
        connection.execute(sa.text("UPDATE datasets SET policy = :loose"), {"loose": loose.to_json()})
    olga = guarded.who["olga"]
    for work in (
        lambda: asking.submit(guarded.house, guarded.who["bob"], guarded.dataset, question(1.5), PURPOSE),
        lambda: lifecycle.publish(guarded.house, olga, guarded.dataset, True),
        lambda: lifecycle.erase(guarded.house, olga, guarded.dataset),
        lambda: changes.amend(guarded.house, olga, guarded.dataset, replace(loose, free=0.0, most=40.0)),
        lambda: decisions.decide(guarded.house, olga, waits, "approved", "", CHECKED),
    ):
        with pytest.raises(ParameterError, match="The policy does not match the audit log, so"):
            work()
    with guarded.store.engine.begin() as connection:
        connection.execute(sa.text("UPDATE datasets SET policy = :before"), {"before": before.to_json()})
    assert found(guarded) == "" and guarded.kinds(waits) == ["reserve"]


HIDDEN = {
    "closed": ("UPDATE people SET active = FALSE WHERE login <> 'olga'", "UPDATE people SET active = TRUE"),
    "never joined": (
        "CREATE TABLE aside AS SELECT id, password FROM people;UPDATE people SET password = NULL WHERE login <> 'olga'",
        "UPDATE people SET password = (SELECT password FROM aside WHERE aside.id = people.id); DROP TABLE aside",
    ),
    "no officers": (
        "CREATE TABLE aside AS SELECT id, roles FROM people; UPDATE people SET roles = 'analyst' WHERE login <> 'olga'",
        "UPDATE people SET roles = (SELECT roles FROM aside WHERE aside.id = people.id); DROP TABLE aside",
    ),
}


@pytest.mark.parametrize("how", HIDDEN)
def test_officers_who_are_hidden_for_a_moment_leave_nobody_alone(guarded: Office, how: str) -> None:
    """While their rows are otherwise nothing holds on one word; afterwards a verification would find nothing."""
    guarded.without_guards()
    hide, show = HIDDEN[how]
    for statement in hide.split(";"):
        guarded.by_hand(statement)
    waits, olga = waiting(guarded), guarded.who["olga"]
    for work in (
        lambda: changes.amend(guarded.house, olga, guarded.dataset, ALL_OF_IT),
        lambda: lifecycle.publish(guarded.house, olga, guarded.dataset, True),
        lambda: decisions.decide(guarded.house, olga, waits, "approved", "", CHECKED),
        lambda: begun(guarded, Policy(officers=("olga",))),
    ):
        with pytest.raises(ParameterError, match="The accounts in the database do not match"):
            work()
    for statement in show.split(";"):
        guarded.by_hand(statement)
    assert found(guarded) == "" and policy_of(guarded).free == 0 and guarded.kinds(waits) == ["reserve"]


FIRSTS: dict[str, dict[str, Any]] = {
    "who never said it": {"first": "otto"},
    "whom there is not": {"first": "nobody"},
    "who is the second one, too": {"first": "olga"},
}


@pytest.mark.parametrize("who", FIRSTS)
def test_a_first_of_two_on_the_trail_has_said_so_before(guarded: Office, who: str) -> None:
    """Whatever wrote the act: verify names it where nothing stands behind it."""
    olga = guarded.who["olga"]
    with guarded.house.writing() as connection:
        connection.exec_driver_sql("UPDATE datasets SET published = TRUE")
        guarded.house.act(connection, olga.id, acts.PUBLISHED, "people", {"published": True}, **FIRSTS[who])
    name = FIRSTS[who]["first"]
    assert f"names {name} as the first of two people, but no earlier entry records their consent" in found(guarded)


def test_one_word_is_the_first_of_one_act_only(guarded: Office) -> None:
    """Said once by Otto, published by Olga, withdrawn, and published again by her: the second time nobody was first."""
    lifecycle.publish(guarded.house, guarded.who["otto"], guarded.dataset, True)
    with guarded.store.reading() as connection:
        row = dict(connection.execute(sa.select(motions)).mappings().one())
    assert lifecycle.publish(guarded.house, guarded.who["olga"], guarded.dataset, True)
    lifecycle.publish(guarded.house, guarded.who["olga"], guarded.dataset, False)
    put(guarded, "publication", row)
    assert rights.pending(guarded.house, "publication", guarded.dataset) is None
    assert not lifecycle.publish(guarded.house, guarded.who["olga"], guarded.dataset, True)
    assert found(guarded) == ""


def test_an_act_that_nobody_sealed_is_no_word(guarded: Office) -> None:
    """Whoever writes to the database chains an act to the trail as well, and has no key."""
    otto = guarded.who["otto"]
    row = {"id": "x", "kind": "publication", "about": guarded.dataset, "body": "true", "by": otto.id, "stead": ""}
    put(guarded, "publication", row | {"until": guarded.clock.now + WEEK})
    with guarded.store.engine.begin() as connection:
        details = {two_persons.VOICE: two_persons.voice(row)}
        last = audit_log.newest(connection)
        audit_log.write(connection, last, guarded.house.now, otto.id, acts.PUBLICATION_PROPOSED, "people", **details)
    assert not lifecycle.publish(guarded.house, guarded.who["olga"], guarded.dataset, True)
    assert "does not fit into the audit log" in found(guarded)
