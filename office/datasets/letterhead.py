"""Letterhead: what would be asked in every registration and is the same in the whole house: said once, then offered.

A registration that was made keeps what was said in it. What changes here changes the next one only.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any

from sqlalchemy import insert, select, update

from discreet.budget import ParameterError, Phrase
from discreet.office.house import acts, replay
from discreet.office.house.house import House, writable
from discreet.office.house.roles import ADMINISTRATOR, Member
from discreet.office.house.tables import letterhead
from discreet.office.rules.visit import Visit, acting, looking

ROW = "*"  # it is about all registrations to come
LONGEST = 500
LABELS = {
    "organisation": Phrase("Organisation"),
    "kind": Phrase("Kind of organisation"),
    "sector": Phrase("Sector"),
    "contact": Phrase("Contact for people in the dataset"),
    "basis": Phrase("Legal basis for collection"),
    "region": Phrase("Region"),
    "access": Phrase("Server administrator"),
}
SECTORS = ("Technology", "Healthcare", "Education", "Government", "Energy", "Finance")
CURATORS = ("Government", "Nonprofit", "Industry")
LISTS = {"kind": tuple(CURATORS), "sector": SECTORS}


@dataclass(frozen=True)
class Letterhead:
    """What every registration begins with; nothing said is empty."""

    organisation: str = ""
    kind: str = ""
    sector: str = ""
    contact: str = ""
    basis: str = ""
    region: str = ""
    access: str = ""

    def __post_init__(self) -> None:
        """Refuse what no registration could say."""
        for name, label in LABELS.items():
            text = getattr(self, name)
            if not isinstance(text, str) or len(text) > LONGEST or text != writable(text):
                raise ParameterError("{label} must have 1 to {most} characters.", label=label, most=LONGEST)
            if text and text not in LISTS.get(name, (text,)):
                raise ParameterError("{label} must be one of: {choices}.", label=label, choices=", ".join(LISTS[name]))

    @property
    def said(self) -> dict[str, str]:
        """What is said, by the names of the fields of a registration."""
        return {name: text for name, text in asdict(self).items() if text}


def of_house(house: House) -> Letterhead:
    """Return what is said now; a text that is not on the trail is refused."""
    with looking(house) as visit:
        return _read(visit)


def declare(house: House, who: Member | None, said: Letterhead) -> None:
    """Say it from the next registration on."""
    body = json.dumps(asdict(said), sort_keys=True)
    with acting(house, who, ADMINISTRATOR) as visit:
        changed = visit.connection.execute(update(letterhead).filter_by(name=ROW).values(body=body)).rowcount
        if not changed:
            visit.connection.execute(insert(letterhead).values(name=ROW, body=body))
        visit.act(acts.LETTERHEAD, ROW, {"body": body})


def _read(visit: Visit) -> Letterhead:
    row = visit.connection.execute(select(letterhead).filter_by(name=ROW)).mappings().first()
    if row is None:
        return Letterhead()
    if not replay.holds(visit.trail, "letterhead", dict(row)):
        raise ParameterError("The organisation's details do not match the audit log. Contact the server administrator.")
    said: dict[str, Any] = json.loads(row["body"])
    return Letterhead(**{field.name: said.get(field.name, "") for field in fields(Letterhead)})
