"""Former people: what is left of the name and mail address of a closed account once they are erased."""

from __future__ import annotations

import pytest
from sqlalchemy import MetaData, select

from discreet.budget import ParameterError
from discreet.office import cards, decisions, disclosure, invitations, mailboxes, memberships, remarks, tongues
from discreet.office.asked import listed, select_requests
from discreet.office.roles import TERMINAL, Denied, Member
from discreet.office.snapshot import snapshot
from tests.office.offices import CHECKED, Office, secret_of

NAME, MAIL = "Zuleika Dobson-Canary", "zuleika.canary@example.org"


@pytest.fixture
def zuleika(office: Office) -> Member:
    """Return somebody who asked, wrote, gets mail in Chinese, decided, and whose account is closed."""
    house, ann = office.house, office.who["ann"]
    link = invitations.invite(house, TERMINAL, "zuleika", NAME, frozenset({"analyst"}))
    who = invitations.choose_password(house, link, secret_of("zuleika"))
    assert isinstance(who, Member)
    office.who["zuleika"] = who
    office.amend(free=0.0, shares={"zuleika": 1.0})
    asked = office.ask(0.3, "zuleika")
    remarks.remark(house, who, asked.id, "Please look at it.")
    decisions.decide(house, office.who["olga"], asked.id, "approved", "as agreed", CHECKED)
    mailboxes.set_address(house, who, "zuleika", MAIL)
    tongues.choose_tongue(house, who, "zh")
    memberships.change(house, ann, "zuleika", frozenset({"analyst"}), False)
    return who


def written(office: Office) -> dict[str, str]:
    """Return all that stands in the database, by table."""
    tables = MetaData()
    tables.reflect(office.store.engine)
    with office.store.reading() as connection:
        return {
            name: str([tuple(row) for row in connection.execute(select(table))])
            for name, table in tables.tables.items()
        }


def test_name_and_address_stand_nowhere_but_where_the_account_began(office: Office, zuleika: Member) -> None:
    """Every table is read; the trail holds the name once, as its screen says, and everything else the login."""
    house, ann = office.house, office.who["ann"]
    before = written(office)
    assert {name for name, text in before.items() if NAME in text} == {"people", "acts"}
    assert {name for name, text in before.items() if MAIL in text} == {"mailboxes"}
    memberships.erase_name(house, ann, "zuleika")
    after = written(office)
    assert {name for name, text in after.items() if NAME in text} == {"acts"}
    assert after["acts"].count(NAME) == before["acts"].count(NAME) == 1
    assert not any(MAIL in text for text in after.values()) and zuleika.id not in after["tongues"]
    assert memberships.name_of(house, zuleika.id) == "zuleika"
    (asked,) = listed(house, select_requests())
    assert NAME not in str(cards.card(snapshot(house, asked)))
    assert house.wrong_act(whole=True) is None


def test_only_the_name_of_a_closed_account_is_erased_and_once(office: Office, zuleika: Member) -> None:
    """An open account keeps its name; a second time is no act; nobody but an administrator does it."""
    house, ann = office.house, office.who["ann"]
    with pytest.raises(ParameterError, match="Close the account first"):
        memberships.erase_name(house, ann, "bob")
    with pytest.raises(Denied):
        memberships.erase_name(house, office.who["otto"], "zuleika")
    acts = [memberships.erase_name(house, ann, "zuleika") or len(disclosure.trail(house, ann)) for _ in range(2)]
    assert acts[0] == acts[1] and "name erased" in str(disclosure.trail(house, ann))
