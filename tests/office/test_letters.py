"""Letters: each person gets what they want, once, at a proven address, and nothing of data or questions is in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pytest
import sqlalchemy as sa
from support.offices import CHECKED, ON_SQLITE, PURPOSE, REASON, Office, together

from discreet.budget import ParameterError
from discreet.office.datasets import changes
from discreet.office.decisions import decisions
from discreet.office.house import acts, audit_log
from discreet.office.house.house import House
from discreet.office.house.roles import TERMINAL, Denied
from discreet.office.house.tables import mailboxes as table
from discreet.office.notices import deadlines, mail, news
from discreet.office.notices.mail import DAY, FIRST, LONGEST_LETTER, deliver_letters
from discreet.office.people import accounts
from discreet.office.requests.remarks import remark
from discreet.office.rules.registration import Policy

HERE = "https://discreet.example.org"
ADDRESS = "olga@example.org"
CODE = re.compile(r"\b\d{8}\b")


@dataclass
class PostOffice:
    """A mail server that keeps what it is given, or refuses it."""

    broken: bool = False
    sent: list[tuple[tuple[str, ...], str, str, str]] = field(default_factory=list)

    def post(self, receivers: tuple[str, ...], subject: str, text: str, name: str) -> None:
        """Keep a letter."""
        if self.broken:
            raise OSError("away")
        self.sent.append((receivers, subject, text, name))

    @property
    def code(self) -> str:
        """The newest code that was sent."""
        return CODE.findall(self.sent[-1][2])[0]


def subscribed(office: Office, login: str, *wants: str, daily: bool = False) -> PostOffice:
    """Prove somebody's address, and want mail there."""
    post, who = PostOffice(), office.who[login]
    mail.set_address(office.house, who, login, f"{login}@example.org")
    mail.send_code(office.house, who, post)
    mail.confirm(office.house, who, post.code)
    mail.choose_mail(office.house, who, wants or tuple(news.KINDS), daily)
    return PostOffice()


def send(office: Office, post: PostOffice) -> list[str]:
    """Deliver what is new; return the texts."""
    before = len(post.sent)
    deliver_letters(office.house, post, HERE)
    return [text for _, _, text, _ in post.sent[before:]]


def test_each_person_reads_what_concerns_them_and_nothing_else(office: Office) -> None:
    """A number and a link: no question, purpose, reason, comment, name, login or dataset."""
    olga, bob = subscribed(office, "olga"), subscribed(office, "bob")
    first = office.ask(0.5)
    remark(office.house, office.who["bob"], first.id, "a comment that stays here")
    office.ask(0.6, "eve")
    deliver_letters(office.house, olga, HERE)
    decisions.decide(office.house, office.who["olga"], first.id, "denied", REASON)
    deliver_letters(office.house, bob, HERE)
    ((receivers, subject, text, _),) = olga.sent
    assert receivers == (ADDRESS,) and subject == "Discreet: 3 new notifications"
    assert text.count(f"{HERE}/review?waiting=1") == 2 and f"{HERE}/review?waiting=2" in text
    ((receivers, subject, text, _),) = bob.sent
    assert receivers == ("bob@example.org",) and subject == "Discreet: #1 · Your request has a decision or a result"
    assert f"{HERE}/requests?request=1" in text and "#2" not in text
    everything = repr(olga.sent + bob.sent)
    words = (PURPOSE, REASON, "comment that", "Bob", "Olga", "people", "age", "epsilon", "ε", "0.5")
    assert not [word for word in words if word in everything.replace("example.org", "")]


def test_two_servers_send_each_letter_once(office: Office) -> None:
    """They share a place in the database."""
    post = subscribed(office, "olga")
    houses: list[House] = [office.house, office.again(), office.again()]
    for at in range(3):
        office.ask(0.5 + at / 10)
        together([lambda house=house: deliver_letters(house, post, HERE) for house in houses])
    deliver_letters(office.house, post, HERE)
    numbers = re.findall(r"#(\d+) · Something is waiting for you", "".join(text for _, _, text, _ in post.sent))
    assert numbers == ["1", "2", "3"] and len({name for *_, name in post.sent}) == len(post.sent)


@ON_SQLITE
def test_only_what_is_wanted_is_sent_and_once_a_day_if_so(office: Office) -> None:
    """The first at once, the next ones together a day later; nothing where nothing is wanted."""
    post = subscribed(office, "olga", "waiting", daily=True)
    waits = office.ask(0.5)
    assert len(send(office, post)) == 1
    remark(office.house, office.who["bob"], waits.id, "a comment")
    office.ask(0.6)
    office.ask(0.7)
    assert send(office, post) == []
    office.clock.now += DAY
    (text,) = send(office, post)
    assert "#2" in text and "#3" in text and "#1" not in text
    mail.choose_mail(office.house, office.who["olga"], (), False)
    office.ask(0.8)
    office.clock.now += DAY
    assert send(office, post) == []


@ON_SQLITE
def test_an_officer_of_other_data_gets_no_mail_of_these(office: Office) -> None:
    """The same guard as News; who stands in gets it as long as they do."""
    olga, otto = subscribed(office, "olga"), subscribed(office, "otto")
    office.amend(officers=("olga",))
    for post in (olga, otto):
        deliver_letters(office.house, post, HERE)
    waits = office.ask(0.5)
    deliver_letters(office.house, otto, HERE)
    assert [receivers for receivers, *_ in otto.sent] == [(ADDRESS,)]  # whoever sends, it is hers
    assert f"#{waits.number}" in otto.sent[0][2]


def test_a_server_that_is_away_is_told_and_tried_again(office: Office) -> None:
    """Later each time, with what came since; administrators read of it once a day, nothing is swallowed."""
    post = subscribed(office, "olga")
    office.ask(0.5)
    post.broken, waits = True, []
    for _ in range(14):
        assert send(office, post) == []
        with office.store.reading() as connection:
            (after,) = connection.execute(sa.select(table.c.after)).scalars()
        waits.append(after - office.clock.now)
        office.clock.now = after
    assert waits[:3] == [FIRST, 2 * FIRST, 4 * FIRST] and waits[-1] == LONGEST_LETTER
    unsent = [act for act in audit_log.trail(office.store) if act.what == "unsent"]
    assert len(unsent) == 2 and {act.about for act in unsent} == {"mail"}  # more than a day went by
    assert "unsent" in str([each.words for each in news.news(office.house, office.who["adam"])]) or any(
        "could not send" in str(each.words) for each in news.news(office.house, office.who["adam"])
    )
    assert not any("could not send" in str(each.words) for each in news.news(office.house, office.who["bob"]))
    office.ask(0.6)
    post.broken = False
    (text,) = send(office, post)
    assert "#1" in text and "#2" in text and send(office, post) == []


@ON_SQLITE
def test_nothing_but_codes_goes_to_an_address_that_nobody_has_proven(office: Office) -> None:
    """A code works for half an hour and five guesses, for its person and its address; five a day are sent."""
    house, olga, post = office.house, office.who["olga"], PostOffice()
    with pytest.raises(ParameterError, match="Enter your email address first"):
        mail.send_code(house, olga, post)
    mail.set_address(house, olga, "olga", ADDRESS)
    office.ask(0.5)
    assert send(office, post) == []
    mail.send_code(house, olga, post)
    right = post.code
    for _ in range(mail.GUESSES):
        with pytest.raises(ParameterError, match="Wrong or expired code"):
            mail.confirm(house, olga, "00000000" if right != "00000000" else "1")
    with pytest.raises(ParameterError, match="Wrong or expired code"):
        mail.confirm(house, olga, right)
    mail.send_code(house, olga, post)
    office.clock.now += mail.LIFE
    with pytest.raises(ParameterError, match="Wrong or expired code"):
        mail.confirm(house, olga, post.code)
    mail.send_code(house, olga, post)
    mail.set_address(house, olga, "olga", "other@example.org")  # the code was for another address
    with pytest.raises(ParameterError, match="Wrong or expired code"):
        mail.confirm(house, olga, post.code)
    for _ in range(mail.CODES - 3):
        mail.send_code(house, olga, post)
    with pytest.raises(ParameterError, match="codes per day is reached"):
        mail.send_code(house, olga, post)  # another address is no way around it
    mail.confirm(house, olga, post.code)
    own = mail.own_mailbox(house, olga)
    assert own is not None and own.proven and send(office, post) == []  # from now on, not what was before
    assert len({name for *_, name in post.sent}) == len(post.sent)


@ON_SQLITE
def test_a_code_that_cannot_be_sent_is_told_to_administrators(office: Office) -> None:
    """Whoever waits for it is told, too; it counts as one of the day."""
    mail.set_address(office.house, office.who["olga"], "olga", ADDRESS)
    for _ in range(2):
        with pytest.raises(ParameterError, match="The mail server did not accept the message"):
            mail.send_code(office.house, office.who["olga"], PostOffice(broken=True))
    assert [act.about for act in audit_log.trail(office.store) if act.what == "unsent"] == ["mail"]


@ON_SQLITE
def test_an_administrator_sets_an_address_and_the_person_proves_it(office: Office) -> None:
    """Nobody else does; the trail says that it was changed, and not what it is."""
    house, adam, olga, post = office.house, office.who["adam"], office.who["olga"], PostOffice()
    mail.set_address(house, adam, "olga", ADDRESS)
    with pytest.raises(Denied):
        mail.set_address(house, office.who["bob"], "olga", "bob@example.org")
    with pytest.raises(ParameterError):
        mail.send_code(house, adam, post)
    mail.send_code(house, olga, post)
    mail.confirm(house, olga, post.code)
    mail.set_address(house, adam, "olga", ADDRESS)  # the same again changes nothing
    own = mail.own_mailbox(house, olga)
    assert own is not None and own.proven
    mail.set_address(house, olga, "olga", "")
    assert mail.own_mailbox(house, olga) is None
    changed = [act for act in audit_log.trail(office.store) if act.what == "mailbox"]
    assert len(changed) == 2 and ADDRESS not in repr(changed) and {act.about for act in changed} == {"olga"}


def test_an_address_written_by_hand_gets_nothing_and_a_closed_account_neither(office: Office) -> None:
    """The mark is of the person and the address, under a key that no database holds."""
    post = subscribed(office, "olga")
    office.ask(0.5)
    office.by_hand("UPDATE mailboxes SET address = 'thief@example.org'")
    assert send(office, post) == []
    office.by_hand(f"UPDATE mailboxes SET address = '{ADDRESS}'")
    accounts.change(office.house, TERMINAL, "olga", frozenset({"officer"}), False)
    assert send(office, post) == []
    accounts.change(office.house, TERMINAL, "olga", frozenset({"officer"}), True)
    assert len(send(office, post)) == 1


@ON_SQLITE
@pytest.mark.parametrize(
    "address",
    [
        "olga",
        "a@b\nBcc: c@d.org",
        "a b@c.org",
        "a@b,c@d.org",
        "<a@b.org>",
        "a@b..org",
        "a@-b.org",
        "ö@b.org",
        "a" * 255,
    ],
)
def test_what_is_no_address_is_refused(office: Office, address: str) -> None:
    """No second receiver, no second header, no name around it."""
    with pytest.raises(ParameterError, match="This is not a valid email address"):
        mail.set_address(office.house, office.who["olga"], "olga", address)


@ON_SQLITE
def test_an_alarm_and_what_expires_come_by_mail(office: Office) -> None:
    """Without anybody looking."""
    post = subscribed(office, "olga", "alarms", "ending")
    waits = office.ask(0.5)
    office.clock.now = waits.until - DAY
    deadlines.remind(office.house)
    deadlines.once_a_day(office.house, acts.ALARMED, "people")
    (text,) = send(office, post)
    assert f"#{waits.number} · A request expires soon" in text and "people" not in text
    assert "A verification failed, or a message could" in text and f"{HERE}/news" in text


def test_all_news_is_of_one_kind() -> None:
    """Nothing that the page shows is left out of every choice, and nothing is in two."""
    acts_of = [what for _, every in news.KINDS.values() for what in every]
    assert len(acts_of) == len(set(acts_of))
    assert set(acts_of) == {
        *news.OF_OWN,
        *news.OF_ACCOUNT,
        *(what for every in news.OF_ROLE.values() for what in every),
    }


@ON_SQLITE
def test_mail_to_others_than_it_concerns_is_noticed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where an officer's news are those of all data."""
    from discreet.office.datasets import registry

    every = frozenset({data.id for data in registry.everything(office.house)})
    monkeypatch.setattr(news, "kept_by", lambda *_: every)
    with pytest.raises(AssertionError):
        test_an_officer_of_other_data_gets_no_mail_of_these(office)


def test_a_dataset_kept_by_others_is_left_at_once(office: Office) -> None:
    """A policy that names others ends an officer's mail with the act that changes it."""
    post = subscribed(office, "otto")
    changes.amend(office.house, office.who["olga"], office.dataset, Policy(officers=("olga",), free=0.2))
    changes.amend(office.house, office.who["otto"], office.dataset, Policy(officers=("olga",), free=0.2))
    waits = office.ask(0.5)
    decisions.decide(office.house, office.who["olga"], waits.id, "approved", "", CHECKED)
    assert send(office, post) == []
