"""Town: an office for the tests of its screens: people, data, sessions, and a server for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from playwright.sync_api import Browser

from discreet.budget import Cost
from discreet.curator import Request
from discreet.mechanisms import registry as mechanisms
from discreet.office import Desk, House, Member, Policy, Registration
from discreet.office.datasets import registering
from discreet.office.house.roles import TERMINAL
from discreet.office.people import accounts, joining, signing_in
from discreet.office.requests.request import Inquiry
from discreet.queries.mean import Mean
from discreet.rows import Category, Number, Schema
from discreet.ui.session.cookies import SESSION
from support.browsers import empty_page
from support.visitor import Server, Visitor, free_port, serve

CANARY = "91827364"
ROWS = 41573  # no part of an identifier has five digits
TABLE = "age,group,note\n" + "".join(f"{i % 90},{'ab'[i % 2]},x{CANARY}\n" for i in range(ROWS))
SCHEMA = Schema(
    {
        "age": Number(0, 120, integer=True, origin="nobody is older", unit="years"),
        "group": Category(("a", "b"), origin="the form"),
    }
)
PASSWORD = "a long enough password"
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)  # servers read the parameters from the hash
PURPOSE = "To know how old the people of the town are."
ROLES = {"ann": {"analyst"}, "abe": {"analyst"}, "olga": {"officer"}, "adam": {"administrator"}}


def question(epsilon: float = 0.5, mechanism: str = "laplace") -> Request:
    """Return a query about the table."""
    kind: Any = mechanisms[mechanism]
    return Request(kind(query=Mean(), epsilon=epsilon), ("age",))


@dataclass
class Office:
    """An office with people and one dataset, and the server in front of it."""

    house: House
    people: dict[str, Member]
    dataset: str
    server: Server

    def desk(self, name: str = "ann") -> Desk:
        """Return the desk of an analyst."""
        return Desk(self.house, self.people[name], self.dataset)

    def ask(self, epsilon: float = 0.5, name: str = "ann", mechanism: str = "laplace") -> Inquiry:
        """Send a query; a new draw if it was asked before."""
        desk, asked = self.desk(name), question(epsilon, mechanism)
        desk.ask(asked, str(desk.next_round(asked)), PURPOSE)
        sent = desk.latest(asked)
        assert sent is not None
        return sent

    def cookie(self, name: str) -> str:
        """Return the cookie of a new session."""
        return signing_in.start_session(self.house, self.people[name])


TOWN = Registration(
    "town",
    SCHEMA,
    Cost.of("3", "1e-6"),
    "a survey",
    "consent to statistics about the town",
    alone=True,
    access="two people of the town's own computing office",
    keep_until="2031-12-31",
)


@contextmanager
def cheap() -> Iterator[None]:
    """Hash passwords cheaply inside: four real hashes cost twenty times as much as the rest of the office."""
    plain = accounts.HASHER
    accounts.HASHER = CHEAP
    yield
    accounts.HASHER = plain


def prepare(
    home: Path, url: str = "", said: Registration = TOWN, rows: str = TABLE
) -> tuple[House, dict[str, Member], str]:
    """Create an office with four people and one dataset."""
    house = House(home, url or f"sqlite:///{home / 'ledger.db'}")
    people = {}
    with cheap():
        for login, roles in ROLES.items():
            link = joining.invite(house, TERMINAL, login, login.title(), frozenset(roles))
            people[login] = joining.choose_password(house, link, PASSWORD)
    dataset = registering.register(house, people["olga"], rows.encode(), said, Policy(free=0.2))
    return house, people, dataset.id


def start(folder: Path, url: str = "", port: int = 0, **variables: str) -> tuple[Office, Callable[[], None]]:
    """Prepare an office and start a server for it; return both and a function that stops the server."""
    home = folder / "home"
    house, people, dataset = prepare(home, url)
    port, log = port or free_port(), folder / "log.txt"
    variables |= {"DISCREET_HOME": str(home)} | ({"DISCREET_DATABASE": url} if url else {})
    process = serve("app.py", log, port, **variables)
    return Office(house, people, dataset, Server(f"http://127.0.0.1:{port}", log)), process.kill


def visitor(chromium: Browser, office: Office, name: str = "", width: int = 1280, scheme: str = "light") -> Visitor:
    """Return a person at a browser, signed in if a name is given."""
    page = empty_page(chromium, office.server.url, width, scheme)
    if name:
        cookie = {"name": SESSION, "value": office.cookie(name), "url": office.server.url}
        page.context.add_cookies([{**cookie, "httpOnly": True, "sameSite": "Strict"}])  # type: ignore[list-item]
    person = Visitor(page, office.server)
    person.watch(page)
    return person
