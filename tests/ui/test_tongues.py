"""Tongues: what is sent to somebody is in the language of their account, from the screen down to the letter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from support.seats import seat
from support.town import PASSWORD, Member, prepare, question
from support.words import ENGLISH

from discreet.office import House
from discreet.office.decisions import decisions
from discreet.office.desk import asking
from discreet.office.house.roles import TERMINAL
from discreet.office.notices import mail, news, transport
from discreet.office.people import joining
from discreet.ui.office import startup
from discreet.ui.session import door

HERE = "https://discreet.example.org"
ADDRESSES = re.compile(r"https?://\S+")


@dataclass
class Mails:
    """A mail server that keeps what it is given."""

    sent: list[str] = field(default_factory=list)
    receivers: tuple[str, ...] = ()  # no address of the office

    def post(self, receivers: tuple[str, ...], subject: str, text: str, name: str) -> None:
        """Keep a letter."""
        self.sent.append(f"{subject}\n{text}")


@pytest.fixture
def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[House, dict[str, Member], str, Mails]]:
    """Make a house that sends mail, in which a request waits."""
    house, people, dataset = prepare(tmp_path / "home")
    post = Mails()
    monkeypatch.setattr(transport, "mail_of", lambda *_: post)
    monkeypatch.setattr(door, "_house", lambda: house)
    yield house, people, dataset, post
    house.store.close()


def subscribe(house: House, who: Member, post: Mails) -> None:
    """Prove somebody's address."""
    mail.set_address(house, who, who.login, f"{who.login}@example.org")
    mail.send_code(house, who, post)
    mail.confirm(house, who, re.findall(r"\d{8}", post.sent.pop())[0])


def english(texts: list[str]) -> list[str]:
    """Return what is said in English."""
    return [text for text in texts if ENGLISH.search(ADDRESSES.sub("", text))]


def test_mail_is_in_the_language_of_the_account(town: tuple[House, dict[str, Member], str, Mails]) -> None:
    """All kinds of letters: a code, a single matter, several; in Chinese for one officer, in English for an analyst."""
    house, people, dataset, post = town
    olga, ann = people["olga"], people["ann"]
    subscribe(house, olga, post)
    subscribe(house, ann, post)
    news.choose_tongue(house, olga, "zh")
    first = asking.submit(house, ann, dataset, question(0.5), "to know how old they are")
    startup._send(house, HERE)
    for at in range(2):
        asking.submit(house, ann, dataset, question(0.6 + at / 10), "to know how old they are")
    startup._send(house, HERE)
    decisions.decide(house, olga, first.id, "denied", "please ask for less of it")
    mine, several = post.sent
    startup._send(house, HERE)
    hers = post.sent[-1]
    assert not english([mine, several]) and "有事项等待您处理" in mine and several.startswith("Discreet：有 2 条新消息")
    assert "Your request has a decision or a result" in hers and english([hers])


def test_a_language_is_chosen_on_the_screen_and_the_code_speaks_it(
    monkeypatch: pytest.MonkeyPatch, town: tuple[House, dict[str, Member], str, Mails]
) -> None:
    """It is there after the button, for this person only; the next code is in it."""
    house, people, _, post = town
    mail.set_address(house, people["olga"], "olga", "olga@example.org")
    here = seat(monkeypatch, house, people["olga"])
    app = here.app.switch_page("../pages/account.py").run()
    assert app.selectbox(key="tongue").value == "en"
    app.selectbox(key="tongue").set_value("zh").run()
    assert news.own_tongue(house, people["olga"]) == "en"  # nothing is saved before the button
    app.button(key="save-tongue").click().run()
    app.switch_page("../pages/account.py").run()
    assert not app.exception and news.own_tongue(house, people["olga"]) == "zh"
    assert news.own_tongue(house, people["ann"]) == "en"
    app.button(key="send-code").click().run()
    assert "您的验证码是" in post.sent[-1] and not english(post.sent)


def test_the_first_sign_in_takes_the_language_of_the_screen_and_a_later_one_does_not(
    monkeypatch: pytest.MonkeyPatch, town: tuple[House, dict[str, Member], str, Mails]
) -> None:
    """Whoever read Chinese when they chose a password is written to in Chinese, until they say otherwise."""
    house, *_ = town
    link = joining.invite(house, TERMINAL, "mei", "Mei", frozenset({"analyst"}))
    monkeypatch.setattr(door, "go", lambda _: None)
    mei = joining.invited(house, link)
    assert mei is not None
    sign_in(monkeypatch, house, "zh", link)
    assert news.own_tongue(house, mei) == "zh"
    sign_in(monkeypatch, house, "en", "")
    assert news.own_tongue(house, mei) == "zh"


def sign_in(monkeypatch: pytest.MonkeyPatch, house: House, language: str, link: str) -> None:
    """Choose a password by a link, or sign in with it, on a screen in a language."""
    here = seat(monkeypatch, house)
    app = here.app
    app.query_params["lang"] = language
    if link:
        app.query_params["link"] = link
    app.switch_page("../pages/sign_in.py").run()
    for box, text in zip(app.text_input, (PASSWORD, PASSWORD) if link else ("mei", PASSWORD), strict=True):
        box.set_value(text)
    (button,) = [each for each in app.button if "sign" in str(each.key).lower() or "password" in str(each.key).lower()]
    button.click().run()
    assert not app.exception and not app.error
