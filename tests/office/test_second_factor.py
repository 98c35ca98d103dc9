"""The second factor: codes as the standard has them, each once, tries that are counted, and nothing halfway."""

from __future__ import annotations

from base64 import b32encode
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import sqlalchemy as sa
from support.codes import code_of, equip, halfway, wrong_code
from support.offices import ON_SQLITE, Office, everything_in, secret_of, together

from discreet.budget import ParameterError
from discreet.office.__main__ import main
from discreet.office.auditing import inspection
from discreet.office.house import audit_log, replay
from discreet.office.house.failures import DAY
from discreet.office.house.roles import TERMINAL, Denied, Member
from discreet.office.house.tables import people
from discreet.office.notices.deadlines import Watch
from discreet.office.notices.news import bulletins, news
from discreet.office.people import accounts, joining, second_factor, second_factor_setup, signing_in, tokens
from discreet.office.people.links import hashed
from discreet.office.people.second_factor import PERIOD, RECOVERIES, address, new_secret, step_of
from discreet.office.people.signing_in import (
    CODE,
    FACTOR,
    HALFWAY_LIFE,
    MOST_CODES,
    MOST_OF_ONE,
    WINDOW,
    WRONG_CODE,
    Halfway,
    give_code,
)
from discreet.office.running import settings

# RFC 6238, appendix B, SHA-1: seconds, and the last six of its eight digits
SEED = b32encode(b"12345678901234567890").decode()
VECTORS = {
    59: "287082",
    1111111109: "081804",
    1111111111: "050471",
    1234567890: "005924",
    2000000000: "279037",
    20000000000: "353130",
}
LONGER = {59: "94287082", 1111111109: "07081804", 20000000000: "65353130"}
FAR, NEAR = "203.0.113.7", "198.51.100.4"


def acts_of(office: Office, what: str) -> list[audit_log.Entry]:
    """Return the acts of a kind, newest first."""
    return [act for act in audit_log.trail(office.store) if act.what == what]


def later(office: Office, periods: int = 1) -> None:
    """Let the app show another code."""
    office.clock.now += periods * PERIOD


def row_of(office: Office, login: str) -> dict[str, object]:
    """Return an account as it stands in the database."""
    with office.store.reading() as connection:
        return dict(connection.execute(sa.select(people).filter_by(login=login)).mappings().one())


@pytest.mark.parametrize("time", VECTORS)
def test_codes_are_those_of_the_standard(time: int) -> None:
    """The vectors of RFC 6238, by the house and by hand; a code of another secret, or shorter, is none."""
    assert step_of(SEED, VECTORS[time], time) == time // PERIOD
    assert code_of(SEED, time) == VECTORS[time] and code_of(SEED, time, 8) == LONGER.get(time, code_of(SEED, time, 8))
    for code in (VECTORS[time][:-1], VECTORS[time] + "0", "", "x" * 6, "１２３４５６", f"{VECTORS[time][:5]}²"):
        assert step_of(SEED, code, time) is None, code


def test_a_code_counts_in_its_period_and_the_two_beside_it() -> None:
    """Not a second longer, in either direction."""
    time = 1111111109
    own, code = time // PERIOD, code_of(SEED, time)
    for away in range(-3, 4):
        taken = step_of(SEED, code, (own + away) * PERIOD)
        assert taken == (own if abs(away) <= 1 else None), away
    assert step_of(SEED, code, (own - 1) * PERIOD - 0.5) is None
    assert step_of(SEED, code, (own + 2) * PERIOD - 0.5) == own


def test_the_square_says_what_an_app_needs() -> None:
    """The secret, whose it is, of which program, and how codes are made."""
    secret = new_secret()
    where = urlsplit(address(secret, "olga b"))
    said = {name: value for name, (value,) in parse_qs(where.query).items()}
    assert (where.scheme, where.netloc, where.path) == ("otpauth", "totp", "/Discreet:olga%20b")
    assert said == {"secret": secret, "issuer": "Discreet", "algorithm": "SHA1", "digits": "6", "period": "30"}
    assert len({new_secret() for _ in range(9)}) == 9


def test_it_counts_once_a_right_code_was_shown(office: Office) -> None:
    """A wrong one changes nothing; then the password alone opens nothing, and password and code do."""
    secret, before = new_secret(), everything_in(office.store)
    for code in ("000000", "", code_of(SEED, office.clock.now)):
        with pytest.raises(ParameterError, match="Check that your phone's clock is correct,"):
            second_factor_setup.set_up_factor(office.house, office.who["olga"], secret, code)
    assert everything_in(office.store) == before
    assert signing_in.sign_in(office.house, "olga", secret_of("olga")) == office.who["olga"]
    code = code_of(secret, office.clock.now)
    recoveries = second_factor_setup.set_up_factor(office.house, office.who["olga"], secret, f" {code[:3]} {code[3:]} ")
    assert len(set(recoveries)) == RECOVERIES and acts_of(office, "factor")[0].about == "olga"
    half = halfway(office, "olga")
    assert half.missing == CODE and not acts_of(office, "signed in")[1:]
    later(office)
    assert give_code(office.house, half, code_of(secret, office.clock.now)) == office.who["olga"]
    assert acts_of(office, "signed in")[0].who == office.who["olga"].id
    with pytest.raises(ParameterError, match="Two-factor authentication is already set up"):
        second_factor_setup.set_up_factor(office.house, office.who["olga"], SEED, code_of(SEED, office.clock.now))


def test_nothing_of_it_can_be_read_in_the_database(office: Office) -> None:
    """Neither the secret nor a recovery code, in any table or act; two of the same secret differ."""
    secret, recoveries = equip(office, "olga")
    second_factor_setup.set_up_factor(office.house, office.who["otto"], secret, code_of(secret, office.clock.now))
    text = repr(everything_in(office.store))
    for word in (secret, *recoveries, *(code.replace("-", "") for code in recoveries)):
        assert word not in text
    first, second = (second_factor.factor_of(row_of(office, login)) for login in ("olga", "otto"))
    assert first is not None and second is not None and first.secret != second.secret


def test_a_code_works_once(office: Office) -> None:
    """Not again in its period, nor an older one after a newer one; not even the code that set it up."""
    secret, _ = equip(office, "olga")
    first = code_of(secret, office.clock.now)
    assert wrong_code(office, halfway(office, "olga"), first, NEAR) == WRONG_CODE
    later(office)
    now, following = (code_of(secret, office.clock.now + away) for away in (0, PERIOD))
    assert give_code(office.house, halfway(office, "olga"), following) == office.who["olga"]  # a clock that is ahead
    for code in (following, now, first):
        assert wrong_code(office, halfway(office, "olga"), code, NEAR) == WRONG_CODE
    later(office, 2)
    assert give_code(office.house, halfway(office, "olga"), code_of(secret, office.clock.now)) == office.who["olga"]


def test_a_code_works_once_in_two_processes_at_once(office: Office) -> None:
    """Eight tries side by side, on two servers, with a code of the app and with one for recovery."""
    secret, recoveries = equip(office, "olga")
    other = office.again()
    for code in (code_of(secret, office.clock.now + PERIOD), recoveries[3]):
        half = halfway(office, "olga")
        ways = [(house, f"192.0.2.{at}") for at in range(4) for house in (office.house, other)]
        ends = together([partial(give_code, house, half, code, place) for house, place in ways])
        assert [end for end in ends if isinstance(end, Member)] == [office.who["olga"]], ends
        assert {str(end) for end in ends if isinstance(end, Exception)} == {str(WRONG_CODE)}
        office.clock.now += WINDOW + 1


def test_a_recovery_code_works_once_and_is_told(office: Office) -> None:
    """However it is typed; the next sign-in wants another one; the trail says that one was used, not which."""
    _, recoveries = equip(office, "olga")
    olga = office.who["olga"]
    assert give_code(office.house, halfway(office, "olga"), f" {recoveries[0].upper()} ") == olga
    assert wrong_code(office, halfway(office, "olga"), recoveries[0]) == WRONG_CODE
    assert give_code(office.house, halfway(office, "olga"), recoveries[1].replace("-", "")) == olga
    assert second_factor_setup.recoveries_left(office.house, olga) == RECOVERIES - 2
    assert [act.details["left"] for act in acts_of(office, "recovery code")] == [RECOVERIES - 2, RECOVERIES - 1]
    _, others = equip(office, "otto")
    assert wrong_code(office, halfway(office, "olga"), others[0]) == WRONG_CODE
    assert not inspection.look(office.house).all


def test_codes_and_passwords_share_their_tries(office: Office) -> None:
    """A right password in between forgets none of them; only whoever is in begins anew."""
    secret, _ = equip(office, "olga")
    for _ in range(2):
        half = halfway(office, "olga", place=FAR)
        assert wrong_code(office, half, place=FAR) == WRONG_CODE
    half = halfway(office, "olga", place=FAR)
    later(office)
    for _ in range(2):
        assert "Too many attempts" in wrong_code(office, half, code_of(secret, office.clock.now), FAR)
    with pytest.raises(ParameterError, match="Too many attempts"):
        signing_in.sign_in(office.house, "olga", secret_of("olga"), FAR)
    assert give_code(office.house, half, code_of(secret, office.clock.now), NEAR) == office.who["olga"]
    office.clock.now += WINDOW + 1
    for _ in range(MOST_OF_ONE):
        half = halfway(office, "olga", place=FAR)
        later(office)
        assert give_code(office.house, half, code_of(secret, office.clock.now), FAR) == office.who["olga"]


def test_codes_are_not_guessed_from_many_places(office: Office) -> None:
    """Whoever knows a password and has many addresses gets so many tries in all; the owner's browser is let in."""
    secret, _ = equip(office, "olga")
    half = halfway(office, "olga")
    for at in range(MOST_CODES):
        assert wrong_code(office, half, place=f"192.0.2.{at}") == WRONG_CODE
    device = signing_in.remember(office.house, office.who["olga"], "")
    later(office)
    code = code_of(secret, office.clock.now)
    assert "Too many attempts" in wrong_code(office, half, code, "192.0.2.200")
    assert give_code(office.house, half, code, "192.0.2.200", device, lambda _: None) == office.who["olga"]


def test_wrong_codes_are_a_few_acts_and_news_of_the_owner(office: Office) -> None:
    """The first of a day, the tenth and so on; somebody knew the password, and nobody else reads of it."""
    equip(office, "bob")
    half = halfway(office, "bob")
    for at in range(11):
        wrong_code(office, half, place=f"192.0.2.{at}")
    assert [act.details["times"] for act in acts_of(office, "wrong code")] == [10, 1]
    assert acts_of(office, "wrong code")[0].nobody == audit_log.SOMEBODY
    mine = [(str(each.who), str(each.words)) for each in news(office.house, office.who["bob"]) if each.about == "bob"]
    assert mine[0] == ("someone", "entered a wrong two-factor code for") and len(mine) == 3
    assert not [each for each in news(office.house, office.who["eve"]) if each.about == "bob"]
    with office.store.reading() as connection:
        letters = bulletins(office.house, connection, office.who["bob"], wanted=("account",))
    assert {each.title(str) for each in letters} == {"Two-factor authentication of your account has changed"}
    assert len(letters) == 3 and {each.path for each in letters} == {"/news"}


def test_halfway_lasts_ten_minutes_and_ends_with_the_password_and_the_account(office: Office) -> None:
    """A right code is of no use then."""
    secret, _ = equip(office, "olga")
    late = halfway(office, "olga")
    office.clock.now += HALFWAY_LIFE + 1
    assert "took too long" in wrong_code(office, late, code_of(secret, office.clock.now))
    half = halfway(office, "olga")
    link = joining.renew(office.house, TERMINAL, "olga")
    other = joining.choose_password(office.house, link, "another long password")
    assert isinstance(other, Halfway) and other.missing == CODE  # a link opens no more than a password
    assert "the account was changed" in wrong_code(office, half, code_of(secret, office.clock.now))
    accounts.change(office.house, TERMINAL, "olga", office.who["olga"].roles, False)
    assert "the account was changed" in wrong_code(office, other, code_of(secret, office.clock.now))


def test_whoever_is_halfway_is_no_person(office: Office) -> None:
    """Nothing that stands in the database, or in what is returned, is of use to a verb or to a session."""
    equip(office, "olga")
    before = everything_in(office.store)
    half = halfway(office, "olga")
    changed = {name for name, rows in everything_in(office.store).items() if rows != before[name]}
    assert changed <= {"attempts"} and not isinstance(half, Member)
    for start in (signing_in.start_session, lambda *way: signing_in.ticket(*way, "browser")):
        with pytest.raises(AttributeError):
            start(office.house, half)  # type: ignore[arg-type]
    assert "could be anything" not in repr(half) and secret_of("olga") not in repr(half)


def test_setting_it_up_ends_what_was_signed_in_without_it(office: Office) -> None:
    """But for the session in which it was done; tokens end, and new ones are not asked for a code."""
    here, there = (signing_in.start_session(office.house, office.who["olga"]) for _ in range(2))
    token = tokens.issue(office.house, office.who["olga"], "nightly", frozenset({"read"}), 7)
    secret, stay = new_secret(), hashed(here)
    second_factor_setup.set_up_factor(office.house, office.who["olga"], secret, code_of(secret, office.clock.now), stay)
    assert signing_in.of_session(office.house, here) == office.who["olga"]
    assert signing_in.of_session(office.house, there) is None
    assert tokens.bearer(office.house, token) is None
    assert tokens.bearer(office.house, token_of(office, "olga")) is not None


def test_its_owner_takes_it_away_with_a_code(office: Office) -> None:
    """A wrong one is counted as at the door, however the account is tried."""
    secret, recoveries = equip(office, "olga")
    olga = office.who["olga"]
    for _ in range(MOST_OF_ONE):
        with pytest.raises(ParameterError, match="Wrong or already used code"):
            second_factor_setup.drop_factor(office.house, olga, "000000", NEAR)
    later(office)
    with pytest.raises(ParameterError, match="Too many attempts"):
        second_factor_setup.drop_factor(office.house, olga, code_of(secret, office.clock.now), NEAR)
    assert len(acts_of(office, "wrong code")) == 1
    second_factor_setup.drop_factor(office.house, olga, recoveries[5], FAR)
    assert acts_of(office, "factor removed")[0].who == olga.id
    assert signing_in.sign_in(office.house, "olga", secret_of("olga"), FAR) == olga
    assert second_factor_setup.recoveries_left(office.house, olga) is None
    with pytest.raises(ParameterError, match="Wrong or already used code"):
        second_factor_setup.drop_factor(office.house, olga, recoveries[6], FAR)
    equip(office, "olga")  # with an app of the same moment
    assert not inspection.look(office.house).all


def test_an_administrator_takes_it_away_and_its_owner_is_told(office: Office) -> None:
    """All that is signed in ends; nobody takes their own away without a code."""
    equip(office, "olga")
    session = signing_in.start_session(office.house, office.who["olga"])
    for login, why in (("otto", "Two-factor authentication is not set up"), ("nobody", "No account has this login")):
        with pytest.raises(ParameterError, match=why):
            second_factor_setup.take_factor(office.house, office.who["ann"], login)
    second_factor_setup.take_factor(office.house, office.who["ann"], "olga")
    assert signing_in.of_session(office.house, session) is None
    assert signing_in.sign_in(office.house, "olga", secret_of("olga")) == office.who["olga"]
    act = acts_of(office, "factor removed")[0]
    assert (act.who, act.about) == (office.who["ann"].id, "olga")
    assert str(news(office.house, office.who["olga"])[0].words) == "turned off two-factor authentication for"
    equip(office, "ann")
    with pytest.raises(ParameterError, match="Turn off your own two-factor authentication"):
        second_factor_setup.take_factor(office.house, office.who["ann"], "ann")
    second_factor_setup.take_factor(office.house, TERMINAL, "ann")
    assert signing_in.sign_in(office.house, "ann", secret_of("ann")) == office.who["ann"]


def test_a_command_takes_it_away_and_says_who_has_one(office: Office, capsys: pytest.CaptureFixture[str]) -> None:
    """For the last administrator who lost a telephone."""
    equip(office, "adam")
    where = ["--home", str(office.home), "--database", office.url]
    assert main(["people", *where]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.endswith("two-factor authentication")]
    assert len(lines) == 1 and lines[0].startswith("adam")
    assert main(["people", "factor", "adam", *where]) == 0
    assert signing_in.sign_in(office.house, "adam", secret_of("adam")) == office.who["adam"]
    assert acts_of(office, "factor removed")[0].who == TERMINAL.id
    with pytest.raises(SystemExit, match="Two-factor authentication is not set up"):
        main(["people", "factor", "adam", *where])


def test_a_factor_of_somebody_else_opens_nothing_and_is_found(office: Office) -> None:
    """Whoever writes their own into another's row has a secret that is sealed in their own name."""
    secret, recoveries = equip(office, "bob")
    equip(office, "olga")
    office.by_hand("UPDATE people SET factor = (SELECT factor FROM people WHERE login = 'bob') WHERE login = 'olga'")
    later(office)
    half = halfway(office, "olga")
    for code in (code_of(secret, office.clock.now), recoveries[0]):
        assert wrong_code(office, half, code) == WRONG_CODE
    (wrong,) = inspection.look(office.house).all
    assert str(wrong) == "The account olga: “two-factor authentication” does not match the audit log."


def test_accounts_from_before_there_were_factors_hold(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their first acts say nothing of one: that is none, and from now on it is told."""
    with monkeypatch.context() as before:
        state_of = replay.state_of

        def old(kind: str, row: Any) -> Any:
            return {name: value for name, value in state_of(kind, row).items() if name != "factor"}

        before.setattr(replay, "state_of", old)
        link = joining.invite(office.house, TERMINAL, "carl", "Carl", frozenset({"analyst"}))
        carl = joining.choose_password(office.house, link, secret_of("carl"))
        assert isinstance(carl, Member)
    assert "factor" not in acts_of(office, "invited")[0].details["now"] and not inspection.look(office.house).all
    equip(replace(office, who=office.who | {"carl": carl}), "carl")
    assert not inspection.look(office.house).all
    second_factor_setup.take_factor(office.house, TERMINAL, "carl")
    assert not inspection.look(office.house).all
    office.by_hand("UPDATE people SET factor = '{}' WHERE login = 'carl'")
    assert inspection.look(office.house).all


# where the house wants one


@pytest.fixture
def wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Want a second factor of officers and administrators."""
    monkeypatch.setenv(settings.FACTOR, settings.REQUIRED)


def test_nobody_is_asked_unless_the_house_says_so(office: Office) -> None:
    """By default nothing changes."""
    assert not second_factor.factor_required({}) and not second_factor.factor_required(
        {settings.FACTOR: settings.OPTIONAL}
    )
    for login in ("olga", "ann", "bob"):
        assert signing_in.sign_in(office.house, login, secret_of(login)) == office.who[login]


@pytest.mark.usefixtures("wanted")
def test_officers_and_administrators_are_led_to_it(office: Office) -> None:
    """After the password they can set it up, and nothing else; then they are in. Analysts are not asked."""
    assert signing_in.sign_in(office.house, "bob", secret_of("bob")) == office.who["bob"]
    for login in ("olga", "adam", "max"):
        half = halfway(office, login)
        assert half.missing == FACTOR
        assert "the account was changed" in wrong_code(office, half)  # there is nothing of which it could be
        secret = new_secret()
        with pytest.raises(ParameterError, match="Wrong code. Check that"):
            second_factor_setup.finish_setup(office.house, half, secret, "000000")
        with pytest.raises(ParameterError, match="the account was changed"):
            second_factor_setup.come_in(office.house, half)
        recoveries = second_factor_setup.finish_setup(office.house, half, secret, code_of(secret, office.clock.now))
        assert len(recoveries) == RECOVERIES
        assert office.who[login].id not in {act.who for act in acts_of(office, "signed in")}
        assert second_factor_setup.come_in(office.house, half) == office.who[login]
        assert halfway(office, login).missing == CODE
        with pytest.raises(ParameterError, match="Two-factor authentication is already set up"):
            second_factor_setup.finish_setup(office.house, half, SEED, code_of(SEED, office.clock.now))


@ON_SQLITE
@pytest.mark.usefixtures("wanted")
@pytest.mark.parametrize("change", ["another password", "no account", "no factor", "ten minutes"])
def test_recovery_codes_that_stand_on_a_screen_open_nothing_later(office: Office, change: str) -> None:
    """Whoever has set a factor up and not gone on is in as long as their password counts, and no longer."""
    half, secret = halfway(office, "olga"), new_secret()
    second_factor_setup.finish_setup(office.house, half, secret, code_of(secret, office.clock.now))
    if change == "another password":
        link = joining.renew(office.house, TERMINAL, "olga")
        joining.choose_password(office.house, link, "another long password of hers")
    elif change == "no account":
        accounts.change(office.house, TERMINAL, "olga", office.who["olga"].roles, False)
    elif change == "no factor":
        second_factor_setup.take_factor(office.house, office.who["adam"], "olga")
    else:
        office.clock.now += 601
    with pytest.raises(ParameterError, match="This took too long, or the account was"):
        second_factor_setup.come_in(office.house, half)


@pytest.mark.usefixtures("wanted")
def test_a_session_without_what_the_house_wants_is_none(office: Office) -> None:
    """From before the house wanted it, or after an analyst became an officer; a ticket opens nothing either."""
    olga, bob = (signing_in.start_session(office.house, office.who[login]) for login in ("olga", "bob"))
    assert signing_in.of_session(office.house, olga) is None
    assert signing_in.of_session(office.house, bob) == office.who["bob"]
    accounts.change(office.house, TERMINAL, "bob", frozenset({"analyst", "officer"}), True)
    assert signing_in.of_session(office.house, bob) is None
    ticket = signing_in.enter(office.house, signing_in.ticket(office.house, office.who["olga"], "b"), "b")
    assert ticket is not None and signing_in.of_session(office.house, ticket) is None
    equip(office, "olga")
    assert signing_in.of_session(office.house, ticket) is None  # it was begun without
    again = signing_in.start_session(office.house, office.who["olga"])
    assert signing_in.of_session(office.house, again) == office.who["olga"]


@pytest.mark.usefixtures("wanted")
def test_an_invited_officer_and_the_first_account_set_it_up_at_once(office: Office) -> None:
    """A link gives a password, and no way around the rest."""
    link = joining.invite(office.house, TERMINAL, "carl", "Carl", frozenset({"officer"}))
    arrival = joining.choose_password(office.house, link, "a long password of carl")
    assert isinstance(arrival, Halfway) and arrival.missing == FACTOR


@pytest.mark.usefixtures("wanted")
def test_whom_a_provider_signs_in_is_not_asked_nor_is_their_token(office: Office) -> None:
    """Who signs in elsewhere is asked there."""
    carl = joining.from_provider(office.house, "s", "carl", "Carl", frozenset({"officer"}))
    assert carl is not None
    session = signing_in.start_session(office.house, carl)
    assert signing_in.of_session(office.house, session) == carl
    with pytest.raises(ParameterError, match="organisation"):
        second_factor_setup.set_up_factor(office.house, carl, SEED, code_of(SEED, office.clock.now))
    token = tokens.issue(office.house, carl, "nightly", frozenset({"read"}), 7)
    assert tokens.bearer(office.house, token) is not None


@ON_SQLITE
def test_a_house_that_lets_a_password_do_is_caught(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checks above fail where nobody looks for a factor, or where a code is not spent."""
    equip(office, "olga")
    with monkeypatch.context() as broken:
        broken.setattr(signing_in, "arrived", lambda _, row: second_factor.person_of(row))
        with pytest.raises(AssertionError):
            halfway(office, "olga")
    with monkeypatch.context() as broken:
        broken.setattr(signing_in, "spend", lambda *_: True)
        with pytest.raises(pytest.fail.Exception):
            wrong_code(office, halfway(office, "olga"))


def test_a_closed_page_sets_nothing_up(office: Office) -> None:
    """A person whose account is closed since, with all roles on the page that stands open."""
    bob = replace(office.who["bob"], roles=frozenset({"administrator", "officer"}))
    accounts.change(office.house, TERMINAL, "bob", office.who["bob"].roles, False)
    for verb in (
        lambda: second_factor_setup.set_up_factor(office.house, bob, SEED, code_of(SEED, office.clock.now)),
        lambda: second_factor_setup.drop_factor(office.house, bob, "123456"),
        lambda: second_factor_setup.take_factor(office.house, bob, "olga"),
    ):
        with pytest.raises(Denied):
            verb()


def token_of(office: Office, login: str, days: int = 30) -> str:
    """Make a token of somebody."""
    return tokens.issue(office.house, office.who[login], "a program", frozenset({"decide"}), days)


@ON_SQLITE
def test_a_token_asks_what_a_session_asks(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the house wants a second factor, an older token of an officer without one opens nothing."""
    token, of_bob = (token_of(office, login) for login in ("olga", "bob"))
    secret = signing_in.start_session(office.house, office.who["olga"])
    monkeypatch.setenv(settings.FACTOR, settings.REQUIRED)
    assert signing_in.of_session(office.house, secret) is None and tokens.bearer(office.house, token) is None
    assert tokens.bearer(office.house, of_bob) is not None  # of an analyst the house wants none
    monkeypatch.setenv(settings.FACTOR, settings.OPTIONAL)
    assert tokens.bearer(office.house, token) is not None
    equip(office, "olga")
    monkeypatch.setenv(settings.FACTOR, settings.REQUIRED)
    assert tokens.bearer(office.house, token_of(office, "olga")) is not None


@ON_SQLITE
def test_the_first_factor_ends_every_token(office: Office) -> None:
    """Whoever knew the password may have made one; those of others go on."""
    token, other = token_of(office, "olga"), token_of(office, "otto")
    equip(office, "olga")
    assert tokens.bearer(office.house, token) is None and tokens.own_tokens(office.house, office.who["olga"]) == []
    assert tokens.bearer(office.house, other) is not None


@ON_SQLITE
@pytest.mark.parametrize("noticed", ["sent", "looked at"])
def test_a_token_that_is_over_stays_over(office: Office, noticed: str) -> None:
    """Whatever the clock says later; one that is not over goes on."""
    token, longer = token_of(office, "olga", 1), token_of(office, "olga", 30)
    link = joining.renew(office.house, office.who["ann"], "bob")
    before = office.clock.now
    office.clock.now += 8 * DAY
    if noticed == "sent":
        assert tokens.bearer(office.house, token) is None
    else:
        Watch(office.house).round()
    office.clock.now = before
    assert tokens.bearer(office.house, token) is None
    assert tokens.bearer(office.house, longer) is not None and joining.invited(office.house, link) is None
