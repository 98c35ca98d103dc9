"""Tongues: what is sent to somebody is in the language of their account, from the screen down to the letter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from seats import seat
from test_words import ENGLISH
from town import PASSWORD, Member, prepare, question

from discreet.office import House, decisions, invitations, mailboxes, sending, submissions, tongues
from discreet.office.roles import TERMINAL
from discreet.ui.office import door, startup

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
    monkeypatch.setattr(sending, "mail_of", lambda *_: post)
    monkeypatch.setattr(door, "_house", lambda: house)
    yield house, people, dataset, post
    house.store.close()


def subscribe(house: House, who: Member, post: Mails) -> None:
    """Prove somebody's address."""
    mailboxes.set_address(house, who, who.login, f"{who.login}@example.org")
    mailboxes.send_code(house, who, post)
    mailboxes.confirm(house, who, re.findall(r"\d{8}", post.sent.pop())[0])


def english(texts: list[str]) -> list[str]:
    """Return what is said in English."""
    return [text for text in texts if ENGLISH.search(ADDRESSES.sub("", text))]


def test_mail_is_in_the_language_of_the_account(town: tuple[House, dict[str, Member], str, Mails]) -> None:
    """All kinds of letters: a code, a single matter, several; in Chinese for one officer, in English for an analyst."""
    house, people, dataset, post = town
    olga, ann = people["olga"], people["ann"]
    subscribe(house, olga, post)
    subscribe(house, ann, post)
    tongues.choose_tongue(house, olga, "zh")
    first = submissions.submit(house, ann, dataset, question(0.5), "to know how old they are")
    startup._send(house, HERE)
    for at in range(2):
        submissions.submit(house, ann, dataset, question(0.6 + at / 10), "to know how old they are")
    startup._send(house, HERE)
    decisions.decide(house, olga, first.id, "denied", "please ask for less of it")
    mine, several = post.sent
    startup._send(house, HERE)
    hers = post.sent[-1]
    assert not english([mine, several]) and "有事项等待您处理" in mine and several.startswith("Discreet：有 2 条新消息")
    assert "Your request was decided" in hers and english([hers])


def test_a_language_is_chosen_on_the_screen_and_the_code_speaks_it(
    monkeypatch: pytest.MonkeyPatch, town: tuple[House, dict[str, Member], str, Mails]
) -> None:
    """It is there after the button, for this person only; the next code is in it."""
    house, people, _, post = town
    mailboxes.set_address(house, people["olga"], "olga", "olga@example.org")
    here = seat(monkeypatch, house, people["olga"])
    app = here.app.switch_page("../pages/account.py").run()
    assert app.selectbox(key="tongue").value == "en"
    app.selectbox(key="tongue").set_value("zh").run()
    assert tongues.own_tongue(house, people["olga"]) == "en"  # nothing is saved before the button
    app.button(key="save-tongue").click().run()
    app.switch_page("../pages/account.py").run()
    assert not app.exception and tongues.own_tongue(house, people["olga"]) == "zh"
    assert tongues.own_tongue(house, people["ann"]) == "en"
    app.button(key="send-code").click().run()
    assert "您的验证码是" in post.sent[-1] and not english(post.sent)


def test_the_first_sign_in_takes_the_language_of_the_screen_and_a_later_one_does_not(
    monkeypatch: pytest.MonkeyPatch, town: tuple[House, dict[str, Member], str, Mails]
) -> None:
    """Whoever read Chinese when they chose a password is written to in Chinese, until they say otherwise."""
    house, *_ = town
    link = invitations.invite(house, TERMINAL, "mei", "Mei", frozenset({"analyst"}))
    monkeypatch.setattr(door, "go", lambda _: None)
    mei = invitations.invited(house, link)
    assert mei is not None
    sign_in(monkeypatch, house, "zh", link)
    assert tongues.own_tongue(house, mei) == "zh"
    sign_in(monkeypatch, house, "en", "")
    assert tongues.own_tongue(house, mei) == "zh"


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
