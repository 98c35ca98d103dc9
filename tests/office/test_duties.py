"""Duties: nobody keeps and asks the same data, and two people want what lets others go on alone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest
from support.offices import (
    APART,
    CHECKED,
    ON_SQLITE,
    PURPOSE,
    REASON,
    REGISTRATION,
    Office,
    everything_in,
    question,
    secret_of,
)

from discreet.budget import ParameterError
from discreet.office import Member, Policy
from discreet.office.cards.review_case import dossier
from discreet.office.datasets import changes, lifecycle, registering, registry
from discreet.office.decisions import decisions
from discreet.office.decisions.checklist import checklist
from discreet.office.desk import asking
from discreet.office.house import audit_log
from discreet.office.house.roles import ROLES, TERMINAL, Denied
from discreet.office.people import accounts, joining
from discreet.office.requests import execution
from discreet.office.requests.request import find
from discreet.office.rules import rights, substitutes
from discreet.office.rules.visit import Visit
from discreet.office.running import housekeeping
from tests.office.test_office_guards import VERBS

MORE = b"age,town\n" + b"12,north\n" * 50
BOTH = frozenset({"analyst", "officer"})
By = Callable[[Office, str, frozenset[str]], Member]


def acts_of(office: Office, what: str) -> list[audit_log.Entry]:
    """Return the acts of one kind, oldest first."""
    return [act for act in audit_log.trail(office.store)[::-1] if act.what == what]


def free_of(office: Office) -> float:
    """Return what runs at once."""
    return registry.find(office.house, office.dataset).policy.free


# they change nothing; pages look the person up in each run
READING = {"queue", "how_many", "own", "seen_by", "decided"}
READING |= {"colleagues", "deadlines", "newest", "outlooks", "own_mailbox", "own_mailbox, another's", "own_tongue"}
READING |= {"anything", "shares", "spent_over_time", "substitutions", "trail"}
READING |= {
    "beside",
    "cases",
    "first_of",
    "last_words",
    "news",
    "own_tokens",
    "recoveries_left",
    "stage",
    "thread",
    "unread",
}
READING |= {"all_connections", "draft_of", "knock", "own_connections", "own_drafts", "offers", "reach"}


@ON_SQLITE
def test_a_page_of_a_closed_account_does_nothing(office: Office) -> None:
    """The person that a page was drawn for had all roles; their account is closed since."""
    waits, roles = office.ask(0.5), frozenset(ROLES)
    accounts.change(office.house, TERMINAL, "eve", roles, True)
    eve = replace(office.who["eve"], roles=roles)
    accounts.change(office.house, TERMINAL, "eve", roles, False)
    before, files = everything_in(office.store), sorted((office.home / "vault").iterdir())
    for verb in sorted(set(VERBS) - {"withdraw", "Desk"}):
        with suppress(Denied) if verb in READING else pytest.raises(Denied):
            VERBS[verb][1](office.house, eve, office.dataset, waits)
        assert everything_in(office.store) == before, verb
        assert sorted((office.home / "vault").iterdir()) == files, verb


def test_a_role_that_was_taken_away_is_gone_for_open_pages(office: Office) -> None:
    """Max was an officer when the page was drawn."""
    waits, max_ = office.ask(0.5), office.who["max"]
    accounts.change(office.house, TERMINAL, "max", frozenset({"analyst"}), True)
    with pytest.raises(Denied):
        decisions.decide(office.house, max_, waits.id, "approved", "", CHECKED)
    assert find(office.house, waits.id).state == "waiting"


def test_whoever_keeps_data_asks_nothing_of_them(office: Office) -> None:
    """Who registered them, set or proposed their policy, or decided about a question of them."""
    office.amend(free=0.3)
    waits = office.ask(0.5)
    decisions.decide(office.house, office.who["max"], waits.id, "denied", REASON)
    for login in ("ann", "olga", "otto"):
        accounts.change(office.house, TERMINAL, login, frozenset({"analyst", "administrator"}), True)
    before = office.ledger.lines
    for login in ("ann", "olga", "otto", "max"):
        who = replace(office.who[login], roles=BOTH)
        with pytest.raises(ParameterError, match="Someone else must send the request"):
            asking.submit(office.house, who, office.dataset, question(0.1), PURPOSE)
    assert office.ledger.lines == before


def test_whoever_asked_keeps_and_decides_nothing(office: Office) -> None:
    """Neither about their own question nor about another one, and they set no policy."""
    office.ask(0.1, "max")
    waits, max_ = office.ask(0.5), office.who["max"]
    for verdict in ("approved", "denied"):
        with pytest.raises(ParameterError, match="Another officer must do this"):
            decisions.decide(office.house, max_, waits.id, verdict, REASON, CHECKED)
    with pytest.raises(ParameterError, match="Another officer must do this"):
        changes.amend(office.house, max_, office.dataset, Policy(free=1.0))
    assert find(office.house, waits.id).state == "waiting" and free_of(office) == 0.2


def test_what_runs_at_once_needs_two_officers(office: Office) -> None:
    """One proposes, another one wants the same; the first cannot confirm it."""
    house, olga, otto = office.house, office.who["olga"], office.who["otto"]
    assert not changes.amend(house, olga, office.dataset, Policy(free=0.9))
    assert not changes.amend(house, olga, office.dataset, Policy(free=0.9))
    assert free_of(office) == 0.2
    assert not changes.amend(house, otto, office.dataset, Policy(free=0.8))  # something else
    assert free_of(office) == 0.2
    assert changes.amend(house, olga, office.dataset, Policy(free=0.8))
    assert free_of(office) == 0.8
    last = acts_of(office, "policy")[-1]
    assert last.details["first"] == "otto" and last.details["before"]["free"] == 0.2
    assert rights.pending(house, "policy", office.dataset) is None


def test_a_larger_share_of_what_runs_at_once_needs_two_officers_too(office: Office) -> None:
    """One epsilon runs at once as before, and fifty times as much of it in all would."""
    house, olga, otto = office.house, office.who["olga"], office.who["otto"]
    office.amend(free=0.5, share=0.5)
    wanted = Policy(free=0.5, share=50.0)
    assert not changes.amend(house, olga, office.dataset, wanted)
    assert registry.find(house, office.dataset).policy.share == 0.5
    assert changes.amend(house, otto, office.dataset, wanted)
    assert registry.find(house, office.dataset).policy.share == 50.0


def test_an_officer_who_asked_confirms_nothing_and_is_not_waited_for(office: Office) -> None:
    """Max has asked of the data: with olga alone besides him, her word holds."""
    office.ask(0.1, "max")
    for login in ("ann", "otto"):
        accounts.change(office.house, TERMINAL, login, frozenset({"administrator"}), True)
    assert changes.amend(office.house, office.who["olga"], office.dataset, Policy(free=0.9))
    assert acts_of(office, "policy")[-1].details["alone"] is True


def test_one_officer_alone_ends_what_runs_at_once(office: Office) -> None:
    """What only makes more wait needs nobody, and lets go what was proposed."""
    changes.amend(office.house, office.who["olga"], office.dataset, Policy(free=0.9))
    assert changes.amend(office.house, office.who["otto"], office.dataset, Policy())
    assert free_of(office) == 0 and rights.pending(office.house, "policy", office.dataset) is None


def test_a_proposal_is_over_after_a_week_and_with_its_maker(office: Office) -> None:
    """Neither an old wish nor that of a closed account is half of a decision."""
    house, wanted = office.house, Policy(free=0.9)
    changes.amend(house, office.who["olga"], office.dataset, wanted)
    office.clock.now += 8 * asking.DAY
    assert not changes.amend(house, office.who["otto"], office.dataset, wanted)
    accounts.change(house, TERMINAL, "otto", frozenset({"officer"}), False)
    assert not changes.amend(house, office.who["olga"], office.dataset, wanted)
    assert free_of(office) == 0.2


def test_new_data_run_nothing_at_once_before_a_second_officer(office: Office) -> None:
    """They are registered; the policy that was wanted waits."""
    said, wanted = replace(REGISTRATION, name="more", apart=APART), Policy(free=0.5)
    dataset = registering.register(office.house, office.who["olga"], MORE, said, wanted)
    assert dataset.policy.free == 0
    assert changes.amend(office.house, office.who["otto"], dataset.id, wanted)
    assert registry.find(office.house, dataset.id).policy == wanted


def test_the_only_officer_decides_alone_and_the_trail_says_so(office: Office) -> None:
    """Nobody could confirm it."""
    for login in ("ann", "otto", "max"):
        people = {account["person"].login: account["person"] for account in accounts.everybody(office.house)}
        left = people[login].roles - {"officer"}
        accounts.change(office.house, TERMINAL, login, left or frozenset({"analyst"}), True)
    olga = office.who["olga"]
    assert rights.alone(office.house, olga, "officer")
    assert changes.amend(office.house, olga, office.dataset, Policy(free=0.9))
    assert acts_of(office, "policy")[-1].details["alone"] is True and free_of(office) == 0.9


def roles_of(office: Office, login: str) -> tuple[frozenset[str], bool]:
    """Return the roles of an account, and whether it is open."""
    account = next(o for o in accounts.everybody(office.house) if o["person"].login == login)
    return account["person"].roles, account["active"]


def test_other_roles_need_two_administrators(office: Office) -> None:
    """Also one's own; the trail says what they were."""
    house, ann, adam = office.house, office.who["ann"], office.who["adam"]
    assert not accounts.change(house, adam, "adam", frozenset({"administrator", "officer"}), True)
    assert not accounts.change(house, adam, "bob", BOTH, True)
    assert roles_of(office, "bob") == ({"analyst"}, True)
    assert accounts.change(house, ann, "bob", BOTH, True)
    assert roles_of(office, "bob") == (BOTH, True)
    last = acts_of(office, "roles")[-1]
    assert last.details["before"] == ["analyst"] and last.details["first"] == "adam"
    assert roles_of(office, "adam")[0] == {"administrator"}


def test_an_analyst_is_closed_at_once_an_officer_by_two(office: Office) -> None:
    """Closing is urgent where it only takes away; the terminal closes everybody at once."""
    house, adam = office.house, office.who["adam"]
    assert accounts.change(house, adam, "bob", frozenset({"analyst"}), False)
    assert not accounts.change(house, adam, "olga", frozenset({"officer"}), False)
    assert roles_of(office, "olga")[1]
    assert accounts.change(house, TERMINAL, "olga", frozenset({"officer"}), False)


def test_an_invited_officer_is_let_in_by_a_second_administrator(office: Office) -> None:
    """Nobody makes a second officer, or a second administrator, of their own."""
    house, officer = office.house, frozenset({"officer"})
    link = joining.invite(house, office.who["adam"], "carl", "Carl", officer)
    joining.choose_password(house, link, "a long password of carl")
    assert not roles_of(office, "carl")[1]
    assert accounts.change(house, office.who["ann"], "carl", officer, True)
    assert roles_of(office, "carl") == (officer, True)
    joining.invite(house, office.who["adam"], "cleo", "Cleo", frozenset({"analyst"}))
    assert roles_of(office, "cleo")[1]


def test_a_lone_administrator_is_told_of_on_the_trail(office: Office) -> None:
    """Who could confirm is somebody who can sign in: an invitation alone is nobody."""
    accounts.change(office.house, TERMINAL, "adam", frozenset({"administrator"}), False)
    joining.invite(office.house, TERMINAL, "cleo", "Cleo", frozenset({"administrator"}))
    assert accounts.change(office.house, office.who["ann"], "bob", BOTH, True)
    assert acts_of(office, "roles")[-1].details["alone"] is True


def by_password(office: Office, login: str, roles: frozenset[str]) -> Member:
    """Return somebody new who chose a password."""
    link = joining.invite(office.house, TERMINAL, login, login.title(), roles)
    return joining.choose_password(office.house, link, secret_of(login))  # type: ignore[return-value]


def by_provider(office: Office, login: str, roles: frozenset[str]) -> Member:
    """Return somebody new whom a provider signs in."""
    return joining.from_provider(office.house, f"s {login}", login, login.title(), roles)  # type: ignore[return-value]


def approved(office: Office, who: Member) -> bool:
    """Approve what takes two, and say whether it is answered; likewise below for all that takes two."""
    waits = office.ask(0.5, "eve")
    return decisions.decide(office.house, who, waits.id, "approved", "", CHECKED).release is not None


def registered_alone(office: Office, who: Member) -> bool:
    """Register data that run at once and are the own ones alone; or confirm that."""
    wanted = Policy(officers=(who.login,), free=0.5)
    waits = [data for data in registry.everything(office.house) if data.name == "more"]
    if waits:
        pending = rights.pending(office.house, "policy", waits[0].id)
        assert pending is not None
        return changes.amend(office.house, who, waits[0].id, Policy(**pending.wanted))
    data = registering.register(office.house, who, MORE, replace(REGISTRATION, name="more", apart=APART), wanted)
    return data.policy != replace(wanted, officers=(), free=0.0)


OF_TWO: dict[str, tuple[str, Callable[[Office, Member], bool]]] = {
    "approve": ("officer", approved),
    "amend": ("officer", lambda o, who: changes.amend(o.house, who, o.dataset, replace(PAIRS, free=0.9))),
    "register": ("officer", registered_alone),
    "publish": ("officer", lambda o, who: lifecycle.publish(o.house, who, o.dataset, True)),
    "appoint": ("administrator", lambda o, who: accounts.change(o.house, who, "bob", BOTH, True)),
    "close": ("administrator", lambda o, who: accounts.change(o.house, who, "bob", BOTH, False)),
    "erase": ("officer", lambda o, who: lifecycle.erase(o.house, who, o.dataset)),
}
PAIRS = Policy(free=0.2, pair=0.4, both=("publication", "deletion"))


@ON_SQLITE
@pytest.mark.parametrize("second", [by_password, by_provider])
@pytest.mark.parametrize("first", [by_password, by_provider])
def test_two_are_two_however_each_signs_in(office: Office, first: By, second: By) -> None:
    """One word is never enough while there is another one who can sign in; whoever cannot is nobody, alone or not."""
    for login in ("olga", "otto"):
        changes.amend(office.house, office.who[login], office.dataset, PAIRS)
    joining.invite(office.house, TERMINAL, "ghost", "Ghost", frozenset({"officer", "administrator"}))
    for role in ("officer", "administrator"):
        one, two = first(office, f"pia-{role}", frozenset({role})), second(office, f"pete-{role}", frozenset({role}))
        for account in accounts.everybody(office.house):
            who = account["person"]
            if role in who.roles and who.login not in (one.login, two.login, "ghost"):
                left = who.roles - {role} or frozenset({"analyst"})
                assert accounts.change(office.house, TERMINAL, who.login, left, True)
        for name, (whose, deed) in OF_TWO.items():
            if whose == role:
                assert not deed(office, one), name
                assert deed(office, two), name
        last = acts_of(office, "roles" if role == "administrator" else "deleted")[-1].details
        assert last["first"] == one.login and "alone" not in last


@ON_SQLITE
@pytest.mark.parametrize("only", [by_password, by_provider])
def test_the_only_one_is_alone_however_they_sign_in(office: Office, only: By) -> None:
    """Whoever was invited and never came, or is closed, is no second, and a substitute is one who can sign in."""
    changes.amend(office.house, office.who["olga"], office.dataset, PAIRS)
    one, two = only(office, "pia", frozenset({"officer"})), only(office, "pete", frozenset({"officer"}))
    today = office.house.now.date()
    assert {one.login, two.login} <= {each.login for each in substitutes.colleagues(office.house, office.who["olga"])}
    substitutes.name_substitute(office.house, one, two.login, today, today)
    joining.invite(office.house, TERMINAL, "ghost", "Ghost", frozenset({"officer"}))
    for login in ("olga", "otto", "max", "ann", two.login):
        accounts.change(office.house, TERMINAL, login, frozenset({"analyst"}), login != two.login)
    assert rights.alone(office.house, one, "officer")
    for name, (whose, deed) in OF_TWO.items():
        assert whose != "officer" or deed(office, one), name
    assert acts_of(office, "deleted")[-1].details["alone"] is True


def test_an_approved_question_of_closed_data_is_not_answered(office: Office) -> None:
    """It was approved before a crash, and the data were closed before the next start."""
    waits = office.ask(0.5)
    with office.house.writing() as connection:
        decisions._move(Visit(office.house, connection, office.who["olga"], office.dataset), waits, "approved")
    lifecycle.close(office.house, office.who["otto"], office.dataset)
    housekeeping.resume(office.again())
    assert find(office.house, waits.id).release is None
    with pytest.raises(ParameterError, match="closed"):
        execution.finish(office.house, waits.id)


def test_a_question_above_a_lowered_policy_needs_a_reason_and_says_so(office: Office) -> None:
    """It was within the policy when it was asked."""
    waits = office.ask(0.5)
    office.amend(most=0.4)
    olga = office.who["olga"]
    point = checklist(dossier(office.house, waits, olga))[1]
    assert point.verified is False and "The policy was changed after this request" in point.note
    said = {at: word for at, word in CHECKED.items() if at != "limits"}
    with pytest.raises(ParameterError, match="Answer every checklist item first"):
        decisions.decide(office.house, olga, waits.id, "approved", "", said)
    assert decisions.decide(office.house, olga, waits.id, "approved", "", CHECKED).release is not None


def test_a_share_caps_delta_as_well(office: Office) -> None:
    """A third of epsilon is a third of delta: nobody spends all of either."""
    from tests.office.test_cards import smooth

    office.amend(most=1.0, most_delta=1e-5, shares={"bob": 1.0})
    bob = office.who["bob"]
    with pytest.raises(ParameterError, match="Your limit for this dataset is δ ="):
        asking.submit(office.house, bob, office.dataset, smooth(0.1, 4e-6), PURPOSE)
    asked = asking.submit(office.house, bob, office.dataset, smooth(0.1, 3e-6), PURPOSE)
    assert asked.state == "waiting"


def test_a_renewed_or_ended_account_is_signed_out_everywhere(office: Office) -> None:
    """A lost password may be in other hands, and so may a browser."""
    from discreet.office.people import signing_in

    def held(who: Member) -> str:
        return signing_in.start_session(office.house, who)

    for end in (joining.renew, accounts.end_sessions):
        token = held(office.who["bob"])
        end(office.house, office.who["adam"], "bob")
        assert signing_in.of_session(office.house, token) is None
    assert [acts_of(office, word)[-1].about for word in ("renewed", "ended")] == ["bob", "bob"]
