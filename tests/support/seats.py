"""Seats: a signed-in person at a screen of the office, without a browser.

The first screen is opened by its address, as from a bookmark: the screen Data is not drawn before it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from threats.screens import elements

import discreet.ui.session.state
from discreet.office import House, Member
from discreet.office.people import accounts, signing_in
from discreet.office.people.links import hashed
from discreet.ui.session import door
from discreet.ui.session.cookies import SESSION
from support.town import CHEAP

SHELL = Path(__file__).resolve().parents[2] / "ui" / "shell.py"
FIELDS = ("text_input", "text_area", "number_input", "checkbox", "toggle", "selectbox", "radio", "button_group")


ADDRESSES: dict[Hashable, dict[Any, Any]] = {}  # of the screens that a person has


def by_address(app: AppTest, who: Hashable) -> None:
    """Open the next screen by its address, as from a bookmark: the addresses take a run to learn, and are cached."""
    if who not in ADDRESSES:
        ADDRESSES[who] = app.run()._registered_pages
        assert not app.exception, app.exception
    app._registered_pages = ADDRESSES[who]


def roles() -> Hashable:
    """Return what determines which screens the current person has."""
    person = door.who()
    return door.must_sign_in(), None if person is None else person.roles


@dataclass
class Seat:
    """A person at a screen: its content, and ways to type and press."""

    screens: AppTest
    enter: Callable[[], None]  # makes this person the current one
    begun: bool = False

    @property
    def app(self) -> AppTest:
        """Return the screen, which is the start screen if none was opened."""
        if not self.begun:
            self.run()
        return self.screens

    def run(self) -> Seat:
        """Run the screen again, which must not fail."""
        self.enter()
        self.screens.run()
        assert not self.screens.exception, self.screens.exception
        self.begun = True
        return self

    def open(self, page: str, **address: str) -> Seat:
        """Open a screen by its address."""
        self.enter()
        if not self.begun:
            by_address(self.screens, roles())
            address.setdefault("lang", "en")
            self.begun = True
        self.app.query_params.clear()
        for name, value in address.items():
            self.app.query_params[name.replace("_", "-")] = value
        self.app.switch_page(f"../pages/{page.replace(chr(45), chr(95))}.py")
        return self.run()

    def field(self, label: str) -> Any:
        """Return the field with this label, or whose label begins with it."""
        fields = [field for kind in FIELDS for field in getattr(self.app, kind)]
        (same, *_) = [field for field in fields if field.label == label] or [
            field for field in fields if field.label.startswith(label)
        ]
        return same

    def fill(self, **entries: object) -> Seat:
        """Set fields by label, without a run before the next press."""
        for label, value in entries.items():
            self.field(label.replace("_", " ")).set_value(value)
        return self

    def buttons(self, label: str) -> list[Any]:
        """Return the buttons with this label, or whose labels begin with it."""
        every = [button for button in self.app.button if button.label.startswith(label)]
        return [button for button in every if button.label == label] or every

    def press(self, label: str) -> Seat:
        """Press the only button whose label begins like this, which must be enabled."""
        (button,) = self.buttons(label)
        assert not button.disabled, label
        button.click()
        return self.run()

    def uploaded(self, label: str, name: str, data: bytes) -> Seat:
        """Choose a file."""
        (uploader,) = [field for field in self.app.file_uploader if field.label.startswith(label)]
        uploader.upload(name, data)
        return self.run()

    def sent(self) -> str:
        """Return everything that a browser is sent."""
        return "\n".join(map(str, elements(self.app)))

    def text(self) -> str:
        """Return all text on the screen."""
        return "\n".join(str(getattr(part, "value", "")) for part in self.app._tree if part.type != "html").replace(
            "\\", ""
        )


def cheaply(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords cheaply, on a server without visits."""
    monkeypatch.setattr(accounts, "HASHER", CHEAP)
    discreet.ui.session.state.server().clear()


def seat(monkeypatch: pytest.MonkeyPatch, house: House, person: Member | None = None) -> Seat:
    """Return a seat, signed in as a person or as no one."""
    cookies = {} if person is None else {SESSION: signing_in.start_session(house, person)}

    def enter() -> None:
        monkeypatch.setattr(door, "_house", lambda: house)
        monkeypatch.setattr(door, "who", lambda: door.of_cookies(cookies))
        monkeypatch.setattr(door, "stay", lambda: hashed(cookies.get(SESSION, "")))

    discreet.ui.session.state.server()
    app = AppTest.from_file(str(SHELL), default_timeout=60)
    app.query_params["lang"] = "en"
    return Seat(app, enter)
