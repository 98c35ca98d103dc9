"""Officer: how long each of an officer's screens takes with fifty datasets and three hundred waiting requests."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from streamlit.testing.v1 import AppTest

from benchmarks.report import median_seconds, table, verdict
from discreet.budget import Cost
from discreet.curator import Request
from discreet.curator.release import Curator
from discreet.mechanisms import registry as mechanisms
from discreet.office import House, Member, Policy, Registration
from discreet.office.datasets import registering, registry
from discreet.office.desk import asking
from discreet.office.house.roles import TERMINAL
from discreet.office.people import joining
from discreet.queries.mean import Mean
from discreet.rows import Category, Number, Schema
from discreet.ui.session import door

ROOT = Path(__file__).resolve().parents[1]
DATASETS, WAITING, ANALYSTS = 50, 300, 20
SCREENS = ("review", "news", "datasets", "audit_log", "account", "published_results", "budget")
PROMISED = 1000.0  # milliseconds
SCHEMA = Schema({"age": Number(0, 120, integer=True, origin="life span"), "town": Category(("north", "south"))})
ROWS = "".join(f"{at % 90},{('north', 'south')[at % 2]}\n" for at in range(100))


def _person(house: House, login: str, role: str) -> Member:
    link = joining.invite(house, TERMINAL, login, login.title(), frozenset({role}))
    return joining.choose_password(house, link, "a long enough password")


def prepared(folder: Path) -> tuple[House, Member]:
    """Register datasets and submit the waiting requests; no answers are made."""
    house = House(folder, f"sqlite:///{folder / 'ledger.db'}")
    officer = _person(house, "officer", "officer")
    analysts = [_person(house, f"analyst{at}", "analyst") for at in range(ANALYSTS)]
    said = partial(
        Registration,
        schema=SCHEMA,
        limit=Cost.of("50"),
        source="a survey",
        basis="consent",
        alone=True,
        apart="other towns",
    )
    data = [
        registering.register(
            house, officer, f"age,town\n{at},north\n{ROWS}".encode(), said(name=f"data {at}"), Policy()
        )
        for at in range(DATASETS)
    ]
    laplace: Any = mechanisms["laplace"]
    for at in range(WAITING):
        asked = Request(laplace(query=Mean(), epsilon=0.1 + at / 10_000), ("age",))
        asking.submit(house, analysts[at % ANALYSTS], data[at % DATASETS].id, asked, f"to know it for study {at}")
    return house, officer


def _milliseconds(screen: str) -> float:
    """Return the median time of one run of a screen, including the shell around it."""
    app = AppTest.from_file(str(ROOT / "ui" / "shell.py"), default_timeout=60).run()
    app.switch_page(f"../pages/{screen}.py").run()
    assert not app.exception, screen
    return 1000 * median_seconds(app.run)


def run() -> None:
    """Print every time with its limit; a browser's drawing is not included."""
    before: dict[str, Any] = {name: getattr(door, name) for name in ("_house", "who")}
    registry.Curator = partial(Curator, tick=0.0)  # type: ignore[misc, assignment]
    with TemporaryDirectory() as folder:
        house, officer = prepared(Path(folder) / "home")
        door._house, door.who = lambda: house, lambda: officer  # type: ignore[assignment]
        try:
            times = [(screen, _milliseconds(screen)) for screen in SCREENS]
        finally:
            for name, value in before.items():
                setattr(door, name, value)
            registry.Curator = Curator  # type: ignore[misc]
    shown = [(what, f"{ms:.0f}", f"{PROMISED:.0f}", verdict(ms, PROMISED)) for what, ms in times]
    table(
        f"Screens of an officer, {DATASETS} datasets, {WAITING} waiting, ms", ("what", "median", "promised", ""), shown
    )
