"""Lock-out: whoever guesses passwords stops themselves, nobody else, and fills no trail."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from argon2 import PasswordHasher, extract_parameters
from sqlalchemy import update
from support.offices import CHEAP, Office, everything_in, secret_of

from discreet.budget import ParameterError
from discreet.office.house import audit_log
from discreet.office.house.tables import people
from discreet.office.people import accounts, joining, signing_in
from discreet.office.people.signing_in import HERE, MOST_OF_ONE, WINDOW, place_of, sign_in, slowness

FAR, NEAR = "203.0.113.7", "198.51.100.4"


def guess(office: Office, times: int, place: str = FAR, login: str = "olga", **options: str) -> None:
    """Try wrong passwords."""
    for _ in range(times):
        with pytest.raises(ParameterError):
            sign_in(office.house, login, "not this one", place, wait=lambda _: None, **options)


def test_a_stranger_locks_nobody_out(office: Office) -> None:
    """Only the place that guesses has to wait; the owner comes in from another one."""
    guess(office, 3 * MOST_OF_ONE)
    olga = sign_in(office.house, "olga", secret_of("olga"), NEAR)
    assert olga.login == "olga"
    with pytest.raises(ParameterError, match="Too many attempts"):
        sign_in(office.house, "olga", secret_of("olga"), FAR)
    office.clock.now += WINDOW + 1
    assert sign_in(office.house, "olga", secret_of("olga"), FAR) == olga


def test_a_known_browser_comes_in_from_a_place_that_is_shut(office: Office) -> None:
    """As where everybody comes from one address; it is counted by itself."""
    device = signing_in.remember(office.house, office.who["olga"], "")
    guess(office, 2 * MOST_OF_ONE, "")
    assert sign_in(office.house, "olga", secret_of("olga"), "", device).login == "olga"
    with pytest.raises(ParameterError, match="Too many"):
        sign_in(office.house, "olga", secret_of("olga"), "")
    guess(office, MOST_OF_ONE, "", device=device)
    with pytest.raises(ParameterError, match="Too many"):
        sign_in(office.house, "olga", secret_of("olga"), "", device)


@pytest.mark.parametrize("forget", [joining.renew, accounts.end_sessions])
def test_a_browser_is_known_for_one_account_until_it_is_forgotten(office: Office, forget: object) -> None:
    """Neither for another account, nor after half a year, nor after a new password."""
    device = signing_in.remember(office.house, office.who["olga"], "")
    guess(office, MOST_OF_ONE, "", "otto")
    with pytest.raises(ParameterError, match="Too many"):
        sign_in(office.house, "otto", secret_of("otto"), "", device)
    assert signing_in.remember(office.house, office.who["otto"], device) == device
    assert sign_in(office.house, "otto", secret_of("otto"), "", device).login == "otto"
    forget(office.house, office.who["ann"], "otto")  # type: ignore[operator]
    with pytest.raises(ParameterError, match="Too many"):
        sign_in(office.house, "otto", secret_of("otto"), "", device)
    guess(office, MOST_OF_ONE, "")
    office.clock.now += signing_in.KNOWN
    guess(office, MOST_OF_ONE, "")
    with pytest.raises(ParameterError, match="Too many"):
        sign_in(office.house, "olga", secret_of("olga"), "", device)


def test_whoever_has_no_address_is_one_place(office: Office) -> None:
    """On loopback the server knows none: all tries there count together."""
    assert place_of("") == place_of("127.0.0.1") == place_of("::1") == HERE
    for at in range(signing_in.MOST_OF_PLACE):
        guess(office, 1, "", f"nobody{at}")
    with pytest.raises(ParameterError, match="Too many"):
        sign_in(office.house, "bob", secret_of("bob"), "127.0.0.1")


def test_one_customers_addresses_are_one_place() -> None:
    """2^64 addresses of one line are no 2^64 tries."""
    assert place_of("2001:db8::1") == place_of("2001:db8::ffff:1") != place_of("2001:db8:1::1")
    assert place_of("::ffff:203.0.113.7") == place_of(FAR) == FAR


def test_many_places_together_only_slow_an_account_down(office: Office) -> None:
    """No number of them shuts it; a known browser does not wait."""
    waited: list[float] = []
    for at in range(60):
        guess(office, 1, f"203.0.113.{at}")
    assert sign_in(office.house, "olga", secret_of("olga"), NEAR, wait=waited.append)
    assert waited == [slowness(60)] and 0 < waited[0] <= signing_in.SLOWEST
    device = signing_in.remember(office.house, office.who["olga"], "")
    assert sign_in(office.house, "olga", secret_of("olga"), NEAR, device, wait=waited.append)
    assert len(waited) == 1
    delays = [slowness(n) for n in range(500)]
    assert delays == sorted(delays) and delays[0] == 0 and delays[-1] == signing_in.SLOWEST


@pytest.mark.parametrize("login", ["olga", "nobody"])
def test_a_flood_of_refusals_is_a_few_acts(office: Office, login: str) -> None:
    """The first of a day, the tenth, the hundredth; how many stands there."""
    for at in range(120):
        guess(office, 1, f"203.0.113.{at}", login if login == "olga" else f"{login}{at}")
    refusals = [act for act in audit_log.trail(office.store) if act.what == "was refused"]
    assert [act.details["times"] for act in refusals[::-1]] == [1, 10, 100]
    office.clock.now += 24 * 3600
    guess(office, 1, FAR, login)
    refusals = [act for act in audit_log.trail(office.store) if act.what == "was refused"]
    assert len(refusals) == 4 and refusals[0].details["times"] == 1
    assert len(everything_in(office.store)["refusals"]) <= 2  # of today only


def test_a_provider_word_from_before_the_sign_out_brings_nobody_back(office: Office) -> None:
    """As in a second tab of the same browser."""
    carl = joining.from_provider(office.house, "s", "carl", "Carl", frozenset({"analyst"}))
    assert carl is not None
    said = office.clock.now
    assert not joining.left_after(office.house, "s", said)
    office.clock.now += 60
    signing_in.end_session(office.house, signing_in.start_session(office.house, carl), carl)
    assert joining.left_after(office.house, "s", said)
    assert not joining.left_after(office.house, "s", office.clock.now + 1)
    assert not joining.left_after(office.house, "somebody else", said)


def test_passwords_are_looked_at_a_few_at_once_and_who_finds_no_turn_has_not_tried(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each takes a core and 64 MiB; forty at once kept everybody else waiting for seconds."""
    monkeypatch.setattr(accounts, "PATIENCE", 0.05)
    with ExitStack() as held:
        for _ in range(accounts.AT_ONCE):
            held.enter_context(accounts.turn())
        for _ in range(2 * MOST_OF_ONE):
            with pytest.raises(ParameterError, match="Too many people are signing in now"):
                sign_in(office.house, "olga", secret_of("olga"), FAR)
        with pytest.raises(ParameterError, match="Too many people are signing in now"):
            accounts.hash_of("a password of twelve")
    assert sign_in(office.house, "olga", secret_of("olga"), FAR).login == "olga"


def test_who_must_wait_holds_no_turn(office: Office) -> None:
    """A wait of seconds, for an account that is tried from everywhere, is nobody else's."""
    for at in range(5 * signing_in.PATIENT):
        guess(office, 1, f"192.0.2.{at}")
    others: list[str] = []

    def wait(seconds: float) -> None:
        assert seconds > 1
        with ExitStack() as held:
            for _ in range(accounts.AT_ONCE):
                held.enter_context(accounts.turn())
        others.append(sign_in(office.house, "otto", secret_of("otto"), NEAR).login)

    assert sign_in(office.house, "olga", secret_of("olga"), FAR, wait=wait).login == "olga"
    assert others == ["otto"]


def test_passwords_of_before_fit_and_nobody_takes_as_long_as_they_do(office: Office) -> None:
    """A hash says how many threads it was made with; an unknown login is looked at like one of those that are kept."""
    before = PasswordHasher(time_cost=1, memory_cost=64, parallelism=4)
    kept = {"olga": before.hash(secret_of("olga")), "otto": CHEAP.hash(secret_of("otto"))}
    with office.house.writing() as connection:
        for login, digest in kept.items():
            connection.execute(update(people).filter_by(login=login).values(password=digest))
        connection.execute(update(people).where(people.c.login.not_in(kept)).values(password=None))
    assert sign_in(office.house, "olga", secret_of("olga"), FAR).login == "olga"
    with office.house.store.reading() as connection:
        decoys = [signing_in._decoy(connection, f"nobody{at}") for at in range(64)]
        assert decoys == [signing_in._decoy(connection, f"nobody{at}") for at in range(64)]
    assert {extract_parameters(decoy).parallelism for decoy in decoys} == {1, 4}
    assert not any(accounts.fits(decoy, "") for decoy in decoys)
