"""Sessions: signing in, how often one may try, tickets, and when a browser is signed out."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier

import pytest
import sqlalchemy as sa
from support.offices import ON_SQLITE, Office, everything_in, secret_of, together

from discreet.budget import ParameterError
from discreet.office import House, Member
from discreet.office.house import audit_log
from discreet.office.house.failures import MINUTE
from discreet.office.house.roles import TERMINAL
from discreet.office.house.tables import attempts
from discreet.office.people import accounts, joining, signing_in
from discreet.office.people.links import hashed, pending

HOUR = 3600.0
TOO_MANY, SIDE_BY_SIDE = "Too many attempts", 12


def signed_in(office: Office, login: str = "bob") -> str:
    """Sign in as a screen does; return the token of the session."""
    person = signing_in.sign_in(office.house, login, secret_of(login))
    token = signing_in.enter(office.house, signing_in.ticket(office.house, person, "b"), "b")
    assert token is not None
    return token


def who_is(office: Office, token: str) -> str | None:
    """Return whose session it is."""
    member = signing_in.of_session(office.house, token)
    return None if member is None else member.login


def refused(office: Office, login: str, password: str = "not the password", place: str = "") -> str:
    """Fail to sign in; return what was said."""
    with pytest.raises(ParameterError) as refusal:
        signing_in.sign_in(office.house, login, password, place)
    return str(refusal.value)


def test_signing_in_gives_the_person(office: Office) -> None:
    """A login in any case, with blanks around; the password as it is."""
    for login in ("bob", " BOB "):
        member = signing_in.sign_in(office.house, login, secret_of("bob"), "place")
        assert member == office.who["bob"]
    for password in (secret_of("bob").upper(), secret_of("bob") + " ", ""):
        assert refused(office, "bob", password) == signing_in.WRONG


def test_every_refusal_is_the_same_sentence_after_the_same_work(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wrong, unknown, closed, without a password, of a provider, unwritable: one hash each."""
    house, ann, work = office.house, office.who["ann"], []
    accounts.change(house, ann, "eve", office.who["eve"].roles, False)
    joining.invite(house, ann, "carl", "Carl", frozenset({"analyst"}))
    other = joining.from_provider(house, "s", "dora", "Dora", frozenset({"analyst"}))
    assert other is not None
    fits = signing_in.fits
    monkeypatch.setattr(signing_in, "fits", lambda *credentials: work.append(credentials) or fits(*credentials))
    attempts = [
        ("bob", "wrong"),
        ("nobody", "x"),
        ("eve", secret_of("eve")),
        ("carl", ""),
        (other.login, ""),
        ("b\x00'; --", "x"),
        ("", ""),
        ("x" * 999, "x" * 999),
    ]
    for login, password in attempts:
        assert refused(office, login, password) == signing_in.WRONG, login
    assert len(work) == len(attempts)
    assert all(digest.startswith("$argon2id$") for digest, _ in work)


def check_that_five_tries_are_all(office: Office) -> None:
    """Fail if a sixth try is looked at, even with the right password or spelled another way."""
    for login in ("bob", "BOB", " bob", "bob", "Bob"):
        assert refused(office, login) == signing_in.WRONG
    for login in ("bob", " BOB "):
        assert TOO_MANY in refused(office, login, secret_of("bob"))


def test_an_account_is_tried_five_times_a_window(office: Office) -> None:
    """Others may go on; after the window so may this one."""
    check_that_five_tries_are_all(office)
    signing_in.sign_in(office.house, "eve", secret_of("eve"))
    office.clock.now += signing_in.WINDOW
    assert TOO_MANY in refused(office, "bob")
    office.clock.now += 1
    assert signing_in.sign_in(office.house, "bob", secret_of("bob"))


@ON_SQLITE
def test_a_limit_that_is_not_kept_is_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where nobody waits."""
    for where in (signing_in, signing_in):
        monkeypatch.setattr(where, "check", lambda *_: None)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        check_that_five_tries_are_all(office)


def test_success_clears_the_tries_of_the_account(office: Office) -> None:
    """Four slips, then right, again and again."""
    for _ in range(3):
        for _ in range(4):
            refused(office, "bob")
        assert signing_in.sign_in(office.house, "bob", secret_of("bob"))


def test_unknown_accounts_are_limited_as_well(office: Office) -> None:
    """So that the limit does not tell who has an account."""
    for _ in range(5):
        assert refused(office, "nobody") == signing_in.WRONG
    assert TOO_MANY in refused(office, "nobody")


def test_a_place_is_limited_over_all_accounts(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who tries one password on many accounts; another place goes on."""
    monkeypatch.setattr(signing_in, "MOST_OF_PLACE", 8)
    for at in range(7):
        assert refused(office, f"user{at}", place="1.2.3.4") == signing_in.WRONG
    assert signing_in.sign_in(office.house, "bob", secret_of("bob"), "1.2.3.4")
    assert TOO_MANY in refused(office, "bob", secret_of("bob"), "1.2.3.4")
    assert signing_in.sign_in(office.house, "bob", secret_of("bob"), "5.6.7.8")
    office.clock.now += signing_in.WINDOW + 1
    assert signing_in.sign_in(office.house, "bob", secret_of("bob"), "1.2.3.4")


def naive_sign_in(gate: Barrier) -> Callable[[House, str, str], Member]:
    """Return a way to look, then check, then count: what must not be done."""

    def sign_in(house: House, login: str, password: str) -> Member:
        with house.store.reading() as connection:
            query = sa.select(sa.func.count()).select_from(attempts)
            if connection.execute(query).scalar_one() >= signing_in.MOST_OF_ONE:
                raise ParameterError("Too many attempts.")
        gate.wait()  # checking a password takes long enough for the others
        with house.writing() as connection:
            connection.execute(sa.insert(attempts).values(who="x", at=house.clock()))
        raise ParameterError(signing_in.WRONG)

    return sign_in


def looked_at(office: Office, way: Callable[[House, str, str], Member]) -> int:
    """Return how many of twelve tries side by side had their password looked at."""
    outcomes = together([lambda: way(office.house, "bob", "not the password")] * SIDE_BY_SIDE)
    assert all(isinstance(outcome, ParameterError) for outcome in outcomes), outcomes
    return sum(str(outcome) == signing_in.WRONG for outcome in outcomes)


def test_tries_side_by_side_do_not_slip_through(office: Office) -> None:
    """Twelve threads at once: five are looked at. The naive twin looks at all."""
    assert looked_at(office, signing_in.sign_in) == 5
    office.clock.now += signing_in.WINDOW + 1
    assert looked_at(office, signing_in.sign_in) == 5
    office.by_hand("DELETE FROM attempts")
    assert looked_at(office, naive_sign_in(Barrier(SIDE_BY_SIDE))) == SIDE_BY_SIDE


def check_that_a_ticket_works_once(office: Office) -> None:
    """Fail if a ticket works in another browser or a second time."""
    house, bob = office.house, office.who["bob"]
    ticket = signing_in.ticket(house, bob, "mine")
    assert signing_in.enter(house, ticket, "yours") is None
    assert signing_in.enter(house, ticket, "") is None
    token = signing_in.enter(house, ticket, "mine")
    assert token is not None and who_is(office, token) == "bob"
    assert signing_in.enter(house, ticket, "mine") is None


def test_a_ticket_is_for_one_browser_and_one_time(office: Office) -> None:
    """Another browser does not use it up either."""
    check_that_a_ticket_works_once(office)


@ON_SQLITE
def test_a_ticket_that_stays_is_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where links are found but not used up."""
    links = signing_in.links
    monkeypatch.setattr(links, "use", lambda house, c, secret, _: links.find(house, c, secret))
    with pytest.raises(AssertionError):
        check_that_a_ticket_works_once(office)


def test_a_ticket_lasts_a_minute(office: Office) -> None:
    """And no other kind of link is a ticket."""
    house, bob = office.house, office.who["bob"]
    late, ticket = signing_in.ticket(house, bob, "b"), signing_in.ticket(house, bob, "b")
    office.clock.now += MINUTE - 1
    assert signing_in.enter(house, ticket, "b") is not None
    office.clock.now += 1
    assert signing_in.enter(house, late, "b") is None
    invitation = joining.renew(house, office.who["ann"], "bob")
    assert signing_in.enter(house, invitation, "b") is None
    assert pending(house, invitation) == "password" and pending(house, late) is None


def test_eight_at_once_enter_once(office: Office) -> None:
    """The same ticket and browser, in eight threads: one session."""
    ticket = signing_in.ticket(office.house, office.who["bob"], "b")
    tokens = together([lambda: signing_in.enter(office.house, ticket, "b")] * 8)
    assert sum(isinstance(token, str) for token in tokens) == 1 and tokens.count(None) == 7


def test_a_session_ends_by_time_however_busy(office: Office) -> None:
    """Twelve hours after it began."""
    token = signed_in(office)
    for _ in range(12):
        office.clock.now += HOUR
        assert who_is(office, token) == "bob"
    office.clock.now += 1
    assert who_is(office, token) is None


def check_that_idleness_ends(office: Office) -> None:
    """Fail if a session that nobody used for more than two hours is still one."""
    token = signed_in(office)
    for _ in range(2):
        office.clock.now += 2 * HOUR
        assert who_is(office, token) == "bob"
    office.clock.now += 2 * HOUR + 1
    assert who_is(office, token) is None


def test_a_session_ends_by_idleness(office: Office) -> None:
    """Two hours after it was last used."""
    check_that_idleness_ends(office)


@ON_SQLITE
def test_endless_idleness_is_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where idleness counts for nothing."""
    monkeypatch.setattr(signing_in, "IDLE", signing_in.SESSION_LIFE)
    with pytest.raises(AssertionError):
        check_that_idleness_ends(office)


def test_signing_out_ends_this_session_and_no_other(office: Office) -> None:
    """For good; a made-up token is nobody's."""
    token, other = signed_in(office), signed_in(office)
    signing_in.end_session(office.house, token, office.who["bob"])
    assert who_is(office, token) is None and who_is(office, other) == "bob"
    assert who_is(office, "") is None and who_is(office, hashed(other)) is None


def locked_out(office: Office, end: Callable[[], object]) -> None:
    """Fail unless an end reaches the sessions and the tickets of an account, for good."""
    token, others = signed_in(office), signed_in(office, "eve")
    ticket = signing_in.ticket(office.house, office.who["bob"], "b")
    end()
    assert who_is(office, token) is None and who_is(office, others) == "eve"
    assert signing_in.enter(office.house, ticket, "b") is None
    accounts.change(office.house, office.who["ann"], "bob", office.who["bob"].roles, True)
    assert who_is(office, token) is None


def test_closing_the_account_ends_its_sessions_and_tickets(office: Office) -> None:
    """And opening it again does not bring them back, nor an invitation from before."""
    house, ann, roles = office.house, office.who["ann"], office.who["bob"].roles
    invitation = joining.renew(house, ann, "bob")
    locked_out(office, lambda: accounts.change(house, ann, "bob", roles, False))
    with pytest.raises(ParameterError, match="expired or was already used"):
        joining.choose_password(house, invitation, "another password")


def test_a_new_password_ends_sessions_and_tickets_of_the_old_one(office: Office) -> None:
    """Whoever knew the old one is out."""
    invitation = joining.renew(office.house, office.who["ann"], "bob")
    locked_out(office, lambda: joining.choose_password(office.house, invitation, "another password"))
    assert refused(office, "bob", secret_of("bob")) == signing_in.WRONG


@ON_SQLITE
def test_sessions_that_outlive_a_password_are_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where tickets of the old password stay."""
    invitation = joining.renew(office.house, office.who["ann"], "bob")
    monkeypatch.setattr(joining, "sign_out", lambda *_: None)
    with pytest.raises(AssertionError):
        locked_out(office, lambda: joining.choose_password(office.house, invitation, "another password"))


def test_other_roles_hold_in_sessions_at_once(office: Office) -> None:
    """A session says who somebody is, not what they may do."""
    token = signed_in(office)
    accounts.change(office.house, TERMINAL, "bob", frozenset({"officer"}), True)
    member = signing_in.of_session(office.house, token)
    assert member is not None and member.roles == {"officer"}


def test_sessions_that_are_over_are_swept_away(office: Office) -> None:
    """When the next one begins."""
    for _ in range(3):
        signed_in(office)
    office.clock.now += signing_in.SESSION_LIFE + 1
    signed_in(office)
    assert len(everything_in(office.store)["sessions"]) == 1


@pytest.mark.parametrize("over", [signing_in.SESSION_LIFE, signing_in.IDLE])
def test_a_clock_that_is_set_back_brings_no_session_back(office: Office, over: float) -> None:
    """One that was over when somebody came with it, or when the next one began, is gone."""
    came, stayed = signed_in(office), signed_in(office)
    office.clock.now += over + 1
    assert signing_in.of_session(office.house, came) is None
    signed_in(office)
    office.clock.now -= over + 1
    assert signing_in.of_session(office.house, came) is None
    assert signing_in.of_session(office.house, stayed) is None


def check_that_secrets_are_nowhere(office: Office) -> None:
    """Fail if a token, a ticket or a link stands in the database, or in its file."""
    house, ann = office.house, office.who["ann"]
    secrets = [
        signed_in(office),
        signing_in.ticket(house, ann, "browser-secret"),
        "browser-secret",
        joining.renew(house, ann, "eve"),
    ]
    written = repr(everything_in(office.store)).encode()
    if office.store.lite:
        written += b"".join(file.read_bytes() for file in office.home.glob("ledger.db*"))
    for secret in (*secrets, secret_of("bob"), secret_of("ann")):
        assert secret.encode() not in written


def test_tokens_are_kept_as_hashes_only(office: Office) -> None:
    """Whoever reads the database cannot sign in with what stands there."""
    check_that_secrets_are_nowhere(office)
    assert hashed(signed_in(office)) in repr(everything_in(office.store))


@ON_SQLITE
def test_tokens_kept_as_they_are_are_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where nothing is hashed."""
    for module in (signing_in, signing_in.links, joining):
        monkeypatch.setattr(module, "hashed", lambda secret: secret if len(secret) == 64 else hashed(secret))
    with pytest.raises(AssertionError):
        check_that_secrets_are_nowhere(office)


def test_no_two_tokens_are_alike() -> None:
    """64 hexadecimal digits each."""
    tokens = {signing_in.token() for _ in range(1000)}
    assert len(tokens) == 1000 and {len(token) for token in tokens} == {64}


def test_a_failure_is_on_the_trail_without_what_was_typed(office: Office) -> None:
    """People type passwords into the login. It names the account, never as the one who tried."""
    refused(office, "my password is swordfish")
    refused(office, "bob", "swordfish")
    tried = [act for act in audit_log.trail(office.store) if act.what == "was refused"]
    assert [(act.who, act.about) for act in tried] == [("", "bob"), ("", "")]
    assert all(act.nobody == "someone" for act in tried)
    assert "swordfish" not in repr(everything_in(office.store))
