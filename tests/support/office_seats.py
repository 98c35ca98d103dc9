"""The screens of the office in this process: everybody of a town at a screen of their own."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from discreet.office import Desk, House, Member
from discreet.office.datasets import letterhead, places
from discreet.office.datasets.letterhead import Letterhead
from discreet.office.house.roles import TERMINAL
from discreet.office.notices import drafts
from discreet.office.people import joining
from discreet.office.requests.request import Inquiry
from support.seats import Seat, cheaply, seat
from support.town import PURPOSE, TABLE, prepare, question


@dataclass
class Town:
    """A house with people and one dataset, and seats at its screens."""

    house: House
    people: dict[str, Member]
    dataset: str
    sit: Callable[[House, Member | None], Seat]

    def at(self, name: str = "") -> Seat:
        """Sit down as somebody."""
        return self.sit(self.house, self.people.get(name))

    def desk(self, name: str) -> Desk:
        """Return an analyst's desk."""
        return Desk(self.house, self.people[name], self.dataset)

    def ask(self, epsilon: float, name: str = "abe") -> Inquiry:
        """Send a question."""
        desk, asked = self.desk(name), question(epsilon)
        desk.ask(asked, str(desk.next_round(asked)), PURPOSE)
        sent = desk.latest(asked)
        assert sent is not None
        return sent


@pytest.fixture
def town(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Town:
    """Prepare a house, whose passwords are hashed cheaply."""
    cheaply(monkeypatch)
    house, people, dataset = prepare(tmp_path / "home", rows=TABLE[:60_000])
    return Town(house, people, dataset, lambda *whom: seat(monkeypatch, *whom))


def answer_all(officer: Seat) -> None:
    """Say yes to every point of the checklist, and why where the system says no."""
    for part in officer.app.button_group:
        if str(part.key).startswith("item:"):
            part.set_value("yes")
    officer.run()
    for text in officer.app.text_area:
        if text.label == "Reason to approve despite this":
            text.set_value("It is known and accepted.")
    officer.run()


def work_on(analyst: Seat, name: str = "town") -> Seat:
    """Work on registered data."""
    analyst.open("dataset")
    (box,) = [box for box in analyst.app.selectbox if box.label == "Dataset"]
    box.select(f"{name} (registered)")
    return analyst.run()


VISITS = b"patient_id,age,day\n" + b"".join(b"p%d,%d,%d\n" % (at % 90, at % 80, at % 28) for at in range(300))


AGE = '{"columns": {"age": {"kind": "number", "lower": 0, "upper": 120, "integer": true, "origin": "life span"}}}'


QUESTION = "Can one person have more than one row?"


def brought(officer: Seat) -> Seat:
    """Bring visits as somebody does who looks at nothing: bounds of one column, and the fields with a star."""
    officer.open("datasets", registered_view="new", registered_from="file").uploaded("", "visits.csv", VISITS)
    officer.uploaded("Schema or codebook file", "d.json", AGE.encode()).run()
    officer.fill(Source="A register of visits", Or_the_reason_for_having_no_deletion_date="The law keeps them.").run()
    officer.fill(Legal_basis_for_collection="a law", Name="visits").run()
    officer.fill(Were_any_bounds_chosen_by_looking_at_the_data=False, Are_there_other_releases=False).run()
    if any(field.label.startswith("If not: why") for field in officer.app.text_input):
        officer.fill(**{"If not: why does it cover different people?": "They are visits, not people."}).run()
    return officer


FILE = b"pay,place\n1,a\n2,b\n"


COLUMNS = (
    '{"columns": {"pay": {"kind": "number", "lower": 0, "upper": 9, "integer": true, "origin": "law"}, '
    '"place": {"kind": "ignored"}}}'
)


def furnish(folder: Path, house: House, people: dict[str, Member]) -> None:
    """Bring in a second officer, words of the house and a connection."""
    with closing(sqlite3.connect(folder / "folk.db")) as db, db:
        db.execute("CREATE TABLE folk (pay INTEGER, place TEXT)")
    link = joining.invite(house, TERMINAL, "otto", "Otto", frozenset({"officer"}))
    people["otto"] = joining.choose_password(house, link, "a long enough password")
    said = Letterhead("Town Hospital", contact="data@town.example", basis="Hospital Act")
    letterhead.declare(house, people["adam"], said)
    places.connect(house, people["adam"], "Register of folk", f"sqlite:///{folder}/folk.db")


def drafts_of_olga(town: Town) -> list[drafts.FormDraft]:
    """Return what an officer has begun."""
    return drafts.own_drafts(town.house, town.people["olga"])
