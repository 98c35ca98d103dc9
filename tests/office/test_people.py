"""People: the first account, invitations, passwords, roles, and accounts of a provider."""

from __future__ import annotations

import argon2
import pytest
from support.offices import ON_SQLITE, Office, everything_in, secret_of, together

from discreet.budget import ParameterError
from discreet.office import House, Member
from discreet.office.house.failures import WEEK
from discreet.office.house.roles import TERMINAL
from discreet.office.people import accounts, joining, signing_in

PASSWORD = "correct horse battery"
ANALYST = frozenset({"analyst"})


def setting_up(house: House, link: str | None, login: str = "ann") -> Member:
    """Use a link for the first account."""
    assert link is not None
    return joining.set_up(house, link, login, "Ann", PASSWORD)


def test_a_house_is_set_up_once_and_there_is_no_second_link(empty: House) -> None:
    """The first account is administrator and officer; the link is used up and none is made."""
    link = joining.setup_link(empty)
    assert accounts.empty(empty)
    ann = setting_up(empty, link)
    assert ann.roles == {"administrator", "officer"} and not accounts.empty(empty)
    assert joining.setup_link(empty) is None
    before = everything_in(empty.store)
    with pytest.raises(ParameterError, match="This link has expired or was already used"):
        setting_up(empty, link, "mallory")
    assert everything_in(empty.store) == before


def test_a_newer_setup_link_ends_the_older_one(empty: House) -> None:
    """A link that stands in an old log opens nothing."""
    older, newer = joining.setup_link(empty), joining.setup_link(empty)
    with pytest.raises(ParameterError, match="This link has expired or was already used"):
        setting_up(empty, older)
    setting_up(empty, newer)


def test_a_link_ends_by_time(empty: House) -> None:
    """It works to the last moment of its week, not after it."""
    link = joining.setup_link(empty)
    empty.clock.now += WEEK  # type: ignore[attr-defined]
    with pytest.raises(ParameterError, match="This link has expired or was already used"):
        setting_up(empty, link)
    link = joining.setup_link(empty)
    empty.clock.now += WEEK - 1  # type: ignore[attr-defined]
    setting_up(empty, link)


def test_a_made_up_link_and_one_for_something_else_open_nothing(empty: House) -> None:
    """Neither a guess, nor an invitation or a ticket where the first account is made."""
    for guess in ("", "0" * 64):
        with pytest.raises(ParameterError, match="This link has expired or was already used"):
            joining.choose_password(empty, guess, PASSWORD)
    setup = joining.setup_link(empty)
    assert setup is not None
    with pytest.raises(ParameterError, match="This link has expired or was already used"):
        joining.choose_password(empty, setup, PASSWORD)
    ann = setting_up(empty, setup)
    ticket = signing_in.ticket(empty, ann, "browser")
    with pytest.raises(ParameterError, match="This link has expired or was already used"):
        joining.choose_password(empty, ticket, PASSWORD)


def test_eight_at_once_set_up_one_account(empty: House) -> None:
    """The same link, in eight threads."""
    link = joining.setup_link(empty)
    outcomes = together([lambda at=at: setting_up(empty, link, f"ann{at}") for at in range(8)])
    assert sum(isinstance(outcome, Member) for outcome in outcomes) == 1
    assert len(accounts.everybody(empty)) == 1


def check_that_a_lost_link_ends(office: Office) -> None:
    """Fail if an older link of an account works beside the newest, or after it was used."""
    older = joining.renew(office.house, office.who["ann"], "bob")
    newer = joining.renew(office.house, office.who["ann"], "bob")
    with pytest.raises(ParameterError):
        joining.choose_password(office.house, older, "the finder's password")
    assert joining.choose_password(office.house, newer, PASSWORD) == office.who["bob"]
    with pytest.raises(ParameterError):
        joining.choose_password(office.house, newer, "the finder's password")
    assert signing_in.sign_in(office.house, "bob", PASSWORD) == office.who["bob"]


def test_only_the_newest_invitation_works_and_once(office: Office) -> None:
    """Whoever found an older link has nothing."""
    check_that_a_lost_link_ends(office)


@ON_SQLITE
def test_links_that_stay_are_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where older links are kept."""
    monkeypatch.setattr(joining, "sign_out", lambda *_: None)
    with pytest.raises(pytest.fail.Exception):
        check_that_a_lost_link_ends(office)


def test_an_invitation_ends_by_time(office: Office) -> None:
    """After a week the administrator makes a new one."""
    link = joining.invite(office.house, office.who["ann"], "carl", "Carl", ANALYST)
    office.clock.now += WEEK
    with pytest.raises(ParameterError, match="This link has expired or was already used"):
        joining.choose_password(office.house, link, PASSWORD)


def test_a_password_has_12_to_200_characters(office: Office) -> None:
    """A refused password leaves the link as it was."""
    link = joining.renew(office.house, office.who["ann"], "bob")
    for length in (0, 11, 201):
        with pytest.raises(ParameterError, match="12 to 200"):
            joining.choose_password(office.house, link, "ä" * length)
    for length in (12, 200):
        joining.choose_password(office.house, link, "ä" * length)
        signing_in.sign_in(office.house, "bob", "ä" * length)
        link = joining.renew(office.house, office.who["ann"], "bob")


def test_a_password_is_kept_as_an_argon2id_hash_only(office: Office) -> None:
    """Salted: the same password twice gives two hashes; no password stands anywhere."""
    for login in ("bob", "eve"):
        link = joining.renew(office.house, office.who["ann"], login)
        joining.choose_password(office.house, link, PASSWORD)
    everything = everything_in(office.store)
    hashes = [str(row[4]) for row in everything["people"]]
    assert len(set(hashes)) == len(hashes) and all(digest.startswith("$argon2id$") for digest in hashes)
    assert PASSWORD not in repr(everything) and secret_of("ann") not in repr(everything)


def test_the_hash_in_use_costs_enough() -> None:
    """The one of the module, not of these tests: argon2id with at least 19 MiB, twice over."""
    real = argon2.PasswordHasher(parallelism=1)
    assert real.type is argon2.Type.ID
    assert real.memory_cost >= 19 * 1024 and real.time_cost >= 2
    source = accounts.__file__
    with open(source, encoding="utf-8") as text:
        assert "HASHER = PasswordHasher(parallelism=1)" in text.read()


def test_what_is_checked_for_nobody_is_checked_as_long() -> None:
    """With the costs of all passwords, by the one who hashes them; nothing fits."""
    decoy = accounts.of_nobody()
    assert argon2.extract_parameters(decoy) == argon2.extract_parameters(accounts.HASHER.hash(PASSWORD))
    with pytest.raises(argon2.exceptions.VerifyMismatchError):
        accounts.HASHER.verify(decoy, PASSWORD)


REFUSED = [
    ("ab", "Carl", ANALYST, "login"),
    ("c" * 121, "Carl", ANALYST, "login"),
    ("carl smith", "Carl", ANALYST, "login"),
    ("carl<b>", "Carl", ANALYST, "login"),
    ("carl\x00", "Carl", ANALYST, "login"),
    ("carl", "", ANALYST, "name"),
    ("carl", " \x00", ANALYST, "name"),
    ("carl", "C" * 201, ANALYST, "name"),
    ("carl", "Carl", frozenset(), "role"),
    ("carl", "Carl", frozenset({"king"}), "role"),
    (" BOB ", "Bob", ANALYST, "account with this login"),
]


def test_an_invitation_that_makes_no_sense_is_refused(office: Office) -> None:
    """Nothing is written."""
    before = everything_in(office.store)
    for login, name, roles, why in REFUSED:
        with pytest.raises(ParameterError, match=why):
            joining.invite(office.house, office.who["ann"], login, name, roles)
    assert everything_in(office.store) == before


def test_names_may_be_anybody_s(office: Office) -> None:
    """Any script, blanks made one, what no database writes left out."""
    joining.invite(office.house, office.who["ann"], "Ōe.健", " Ōe \n Kenzaburō\x00 大江 ", ANALYST)
    names = {account["person"].login: account["person"].name for account in accounts.everybody(office.house)}
    assert names["ōe.健"] == "Ōe Kenzaburō 大江"


HIDING = ["bo\u202eb1", "bob\u200b1", "b\x1b[2Job", "bob\u2066x"]


def test_no_login_or_name_looks_like_another_one(office: Office) -> None:
    """Signs that turn a text around, or that nobody sees, are in no login; in no name what turns it around."""
    for login in HIDING:
        with pytest.raises(ParameterError, match="login"):
            joining.invite(office.house, office.who["ann"], login, "Carl", ANALYST)
        carl = joining.from_provider(office.house, f"s {login}", login, f"{login} der Große", ANALYST)
        assert carl is not None and carl.login.isprintable()
        assert not {"\u202e", "\u2066"} & set(carl.name)
    joining.invite(office.house, office.who["ann"], "nilofar", "نیلو\u200cفر", ANALYST)
    names = {shown["person"].login: shown["person"].name for shown in accounts.everybody(office.house)}
    assert names["nilofar"] == "نیلو\u200cفر"  # which parts letters, and turns nothing


def test_an_unknown_account_is_neither_changed_nor_renewed(office: Office) -> None:
    """It says so, and nothing is written."""
    house, ann, before = office.house, office.who["ann"], everything_in(office.store)
    for login in ("nobody", "carl #abcdef", ""):
        with pytest.raises(ParameterError, match="No account has this login"):
            accounts.change(house, ann, login, ANALYST, True)
        with pytest.raises(ParameterError, match="No account has this login"):
            joining.renew(house, ann, login)
    assert everything_in(office.store) == before


def test_accounts_are_shown_without_their_passwords(office: Office) -> None:
    """With who has not joined yet."""
    joining.invite(office.house, office.who["ann"], "carl", "Carl", ANALYST)
    shown = accounts.everybody(office.house)
    assert "argon2" not in repr(shown)
    assert [account["person"].login for account in shown if not account["joined"]] == ["carl"]
    assert accounts.name_of(office.house, office.who["bob"].id) == "Bob"
    assert accounts.name_of(office.house, "terminal") == "terminal"


def test_the_last_administrator_remains(office: Office) -> None:
    """Neither closed nor without the role, by nobody; one that is closed does not count."""
    ann = office.who["ann"]
    accounts.change(office.house, TERMINAL, "adam", frozenset({"administrator"}), False)
    before = everything_in(office.store)
    for roles, active in ((frozenset({"officer"}), True), (ann.roles, False)):
        for who in (ann, TERMINAL):
            with pytest.raises(ParameterError, match="must remain"):
                accounts.change(office.house, who, "ann", roles, active)
    assert everything_in(office.store) == before


def test_two_administrators_cannot_close_each_other_at_once(office: Office) -> None:
    """In two threads, each wants something else: nothing of it holds."""
    ann, adam = office.who["ann"], office.who["adam"]
    applied = together(
        [
            lambda: accounts.change(office.house, ann, "adam", adam.roles, False),
            lambda: accounts.change(office.house, adam, "ann", ann.roles, False),
        ]
    )
    assert applied == [False, False]
    assert all(account["active"] for account in accounts.everybody(office.house))


def test_somebody_of_a_provider_may_do_what_the_configuration_says_today(office: Office) -> None:
    """Made at first sight; other roles next time, none the time after; unknown roles are none."""

    def come(*roles: str) -> Member | None:
        return joining.from_provider(office.house, "https://id#carl", "Carl@x", "Carl", frozenset(roles))

    first = come("officer", "king")
    assert first is not None and first.roles == {"officer"}
    assert come("analyst") == Member(first.id, first.login, "Carl", ANALYST)
    browser = signing_in.enter(office.house, signing_in.ticket(office.house, first, "b"), "b")
    assert browser is not None
    now = signing_in.of_session(office.house, browser)
    assert now is not None and now.roles == ANALYST
    bare = come()
    assert bare is not None and not bare.roles
    acts = [row[3] for row in everything_in(office.store)["acts"] if row[2] in (first.id,)]
    assert acts.count("signed in") == 1 and acts.count("roles") == 2


def check_that_closed_is_closed(office: Office, *roles: str) -> None:
    """Fail if somebody of a provider comes in after an administrator closed the account."""
    carl = joining.from_provider(office.house, "s", "carl", "Carl", frozenset(roles))
    assert carl is not None
    token = signing_in.start_session(office.house, carl)
    accounts.change(office.house, office.who["ann"], carl.login, carl.roles, False)
    again = joining.from_provider(office.house, "s", "carl", "Carl", frozenset({"officer"}))
    assert again is None and signing_in.of_session(office.house, token) is None


@pytest.mark.parametrize("roles", [("analyst",), ()])
def test_a_closed_account_stays_out_whatever_its_provider_says(office: Office, roles: tuple[str, ...]) -> None:
    """Even one that has no roles can be closed, and no new configuration opens it."""
    check_that_closed_is_closed(office, *roles)


@ON_SQLITE
def test_an_account_that_a_provider_opens_again_is_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where closing does not reach the account."""
    monkeypatch.setattr(accounts, "change", lambda *_: None)
    with pytest.raises(AssertionError):
        check_that_closed_is_closed(office, "analyst")


def test_a_provider_s_name_is_nobody_else_s(office: Office) -> None:
    """Who signs in there as ann is not the ann here; a later name does not change a login."""
    twin = joining.from_provider(office.house, "s", "ann", "Ann", ANALYST)
    other = joining.from_provider(office.house, "t", "ann", "Ann", ANALYST)
    assert twin is not None and other is not None
    assert len({office.who["ann"].id, twin.id, other.id}) == 3
    assert len({"ann", twin.login, other.login}) == 3
    renamed = joining.from_provider(office.house, "s", "chief", "Chief\x00", ANALYST)
    assert renamed is not None and renamed.login == twin.login
    with pytest.raises(ParameterError):
        signing_in.sign_in(office.house, twin.login, secret_of("ann"))


@pytest.mark.parametrize("name", ["\u200b", "\x1b", " \x00\u202e ", ""])
def test_a_name_that_nobody_sees_is_none(office: Office, name: str) -> None:
    """Whoever a provider calls so is called by their login; signs that move a cursor are in no name."""
    ghost = joining.from_provider(office.house, "g", "ghost", name, ANALYST)
    plain = joining.from_provider(office.house, "h", "bob", "Bo\x1b[2Jb", ANALYST)
    assert ghost is not None and ghost.name == "ghost" and plain is not None and plain.name == "Bo[2Jb"
    with pytest.raises(ParameterError, match="name"):
        joining.invite(office.house, office.who["ann"], "carl", name, ANALYST)


def test_nobody_signs_in_before_choosing_a_password(office: Office) -> None:
    """An invited account has none, not an empty one."""
    joining.invite(office.house, office.who["ann"], "carl", "Carl", ANALYST)
    for password in ("", "None", PASSWORD):
        with pytest.raises(ParameterError):
            signing_in.sign_in(office.house, "carl", password)
