"""Seats: somebody at a screen of the office, signed in by a session of the house, without a browser.

Whoever opens a screen first comes by its address, as from a bookmark: the screen Data is not drawn on the way.
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


ADDRESSES: dict[Hashable, dict[Any, Any]] = {}  # of the screens that somebody has


def by_address(app: AppTest, who: Hashable) -> None:
    """Let the next screen be the first of all, as from a bookmark: it takes a run to learn the addresses, once."""
    if who not in ADDRESSES:
        ADDRESSES[who] = app.run()._registered_pages
        assert not app.exception, app.exception
    app._registered_pages = ADDRESSES[who]


def roles() -> Hashable:
    """Return what decides which screens there are for whoever looks now."""
    person = door.who()
    return door.must_sign_in(), None if person is None else person.roles


@dataclass
class Seat:
    """Somebody at a screen: what stands on it, what is typed and pressed."""

    screens: AppTest
    enter: Callable[[], None]  # who looks is whoever sits here
    begun: bool = False

    @property
    def app(self) -> AppTest:
        """Return the screen; it is the first of all for somebody who has opened none."""
        if not self.begun:
            self.run()
        return self.screens

    def run(self) -> Seat:
        """Let the screen be drawn anew, which must not fail."""
        self.enter()
        self.screens.run()
        assert not self.screens.exception, self.screens.exception
        self.begun = True
        return self

    def open(self, page: str, **address: str) -> Seat:
        """Go to a screen by its address."""
        self.enter()
        if not self.begun:
            by_address(self.screens, roles())
            address.setdefault("lang", "en")
            self.begun = True
        self.app.query_params.clear()
        for name, value in address.items():
            self.app.query_params[name.replace("_", "-")] = value
        self.app.switch_page(f"../pages/{page}.py")
        return self.run()

    def field(self, label: str) -> Any:
        """Return the field of a label, or the one whose label begins so."""
        fields = [field for kind in FIELDS for field in getattr(self.app, kind)]
        (same, *_) = [field for field in fields if field.label == label] or [
            field for field in fields if field.label.startswith(label)
        ]
        return same

    def fill(self, **entries: object) -> Seat:
        """Set fields by their labels; what is pressed next has not been drawn with them."""
        for label, value in entries.items():
            self.field(label.replace("_", " ")).set_value(value)
        return self

    def buttons(self, label: str) -> list[Any]:
        """Return the buttons with this label, or those whose label begins so."""
        every = [button for button in self.app.button if button.label.startswith(label)]
        return [button for button in every if button.label == label] or every

    def press(self, label: str) -> Seat:
        """Press the only button whose label begins so; what is off is not pressed."""
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
        """Return all that a browser is sent."""
        return "\n".join(map(str, elements(self.app)))

    def text(self) -> str:
        """Return all that stands on the screen."""
        return "\n".join(str(getattr(part, "value", "")) for part in self.app._tree if part.type != "html").replace(
            "\\", ""
        )


def cheaply(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords cheaply, on a server that nobody has visited."""
    monkeypatch.setattr(accounts, "HASHER", CHEAP)
    discreet.ui.session.state.server().clear()


def seat(monkeypatch: pytest.MonkeyPatch, house: House, person: Member | None = None) -> Seat:
    """Sit down, signed in as somebody or as nobody."""
    cookies = {} if person is None else {SESSION: signing_in.start_session(house, person)}

    def enter() -> None:
        monkeypatch.setattr(door, "_house", lambda: house)
        monkeypatch.setattr(door, "who", lambda: door.of_cookies(cookies))
        monkeypatch.setattr(door, "stay", lambda: hashed(cookies.get(SESSION, "")))

    discreet.ui.session.state.server()
    app = AppTest.from_file(str(SHELL), default_timeout=60)
    app.query_params["lang"] = "en"
    return Seat(app, enter)
