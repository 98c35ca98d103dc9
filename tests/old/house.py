"""House: an office as a version leaves it behind, with people, data, answers, and what is still to be done."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from old.tables import GROWN, Asked, Table, registered

from discreet.budget import Cost
from discreet.curator import Request
from discreet.curator.fixed import FixedPlan
from discreet.curator.request import plain
from discreet.mechanisms import registry as mechanisms
from discreet.office import (
    House,
    Member,
    Policy,
    Registration,
    bundles,
    cards,
    decisions,
    enrolment,
    invitations,
    memberships,
    registry,
    remarks,
    renewal,
    rulings,
    signing,
    submissions,
    upkeep,
)
from discreet.office.asked import Inquiry, find
from discreet.office.bundles import Period
from discreet.office.checklist import POINTS
from discreet.office.snapshot import snapshot
from discreet.queries.mean import Mean

NOW = 1_900_000_000.0  # when all of it happens: a day in 2030
PURPOSE, REASON = "to plan the beds of next year", "the purpose is not clear enough"
CHECKED = dict.fromkeys(POINTS, "explained: looked at it")
LIMIT = Cost.of("50", "1e-5")
APART = "the people of another survey"
POLICY = Policy(free=6.0, most=20.0, shares={"eve": 12.0})
TWO = Policy(free=6.0, most=20.0, both=("version",))  # officers for a version
LISTED = Policy(free=6.0, most=20.0, both=("publication", "version"))
POLICIES = {"by place": TWO, "named rows": TWO, "first sheet": LISTED}
PEOPLE = {
    "olga": frozenset({"officer"}),
    "otto": frozenset({"officer"}),
    "bob": frozenset({"analyst"}),
    "eve": frozenset({"analyst"}),
}


def secret_of(login: str) -> str:
    """Return somebody's password, which was made for this."""
    return f"a long password of {login}"


def opened(home: Path) -> House:
    """Open the house in which all of this happens, at its time."""
    return House(home, f"sqlite:///{home / 'ledger.db'}", lambda: NOW)


@dataclass(frozen=True)
class Old:
    """A house that is being filled."""

    house: House
    who: dict[str, Member]
    ids: dict[str, str]

    def ask(self, login: str, name: str, question: Any, **more: Any) -> Inquiry:
        """Send a question or a plan."""
        return submissions.submit(self.house, self.who[login], self.ids[name], question, PURPOSE, **more)

    def decide(self, asked: Inquiry, verdict: str, reason: str = "") -> Inquiry:
        """Decide as Otto."""
        checked = CHECKED if verdict == "approved" else None
        return decisions.decide(self.house, self.who["otto"], asked.id, verdict, reason, checked)


def mean(column: str, epsilon: float) -> Request:
    """Ask for a mean."""
    kind: Any = mechanisms["laplace"]
    return Request(kind(query=Mean(), epsilon=epsilon), (column,))


def raised(asked: Asked) -> Asked:
    """Ask the same for more than may be had at once."""
    return replace(asked, request=replace(asked.request, mechanism=replace(asked.request.mechanism, epsilon=7.2)))


def planned(table: Table) -> FixedPlan:
    """Return a plan of epsilon 8: the numbers of each level, and a mean."""
    return FixedPlan((table.asked[0].request, mean(next(iter(table.columns)), 4.0)), 0.0)


def fill(home: Path) -> dict[str, Any]:
    """Fill a house; return what has to be found in it again."""
    house = opened(home)
    who, link = _people(house)
    old = Old(house, who, {})
    tables = registered()
    for name, versions in tables.items():
        _register(old, name, versions[0])
    for name, policy in POLICIES.items():
        assert [rulings.amend(house, who[login], old.ids[name], policy) for login in ("olga", "otto")][-1]
    first, *_ = [old.ask("bob", name, each.request) for name, (table, *_) in tables.items() for each in table.asked]
    _requests(old, tables["heights"][0])
    _later(old, tables)
    notes = {
        "at": NOW,
        "people": {login: secret_of(login) for login in ("ann", *PEOPLE)},
        "invited": link,
        "public_key": signing.public_key(house),
        "datasets": {name: _dataset(old, name, versions) for name, versions in tables.items()},
        "requests": [_request(asked) for asked in _everything(old)],
        "waits": noted([raised(tables["heights"][0].asked[0]), tables["heights"][0].asked[0]]),
        "card": json.loads(cards.card_json(cards.card(snapshot(house, first)))),
    }
    (home.parent / "bundle.zip").write_bytes(bundles.bundle(house, who["ann"], old.ids["heights"], Period()))
    house.store.close()
    return notes


def _people(house: House) -> tuple[dict[str, Member], str]:
    """Set accounts up; return them, and the link of one who was invited and did not come yet."""
    first = invitations.setup_link(house)
    assert first is not None
    ann = invitations.set_up(house, first, "ann", "Ann", secret_of("ann"))
    assert isinstance(ann, Member)
    for login, roles in PEOPLE.items():
        link = invitations.invite(house, ann, login, login.title(), roles)
        invitations.choose_password(house, link, secret_of(login))
    waits = invitations.invite(house, ann, "carl", "Carl", frozenset({"analyst"}))
    return {account["person"].login: account["person"] for account in memberships.everybody(house)}, waits


def _register(old: Old, name: str, table: Table) -> None:
    """Register a file; what may be asked at once takes two officers."""
    compared = {"compared": True, "people": 300} if name == "heights" else {}
    said = Registration(name, table.schema, LIMIT, f"survey {name}", "consent", apart=APART, alone=True, **compared)
    content = enrolment.register(old.house, old.who["olga"], table.content, said, POLICY, table.layout)
    old.ids[name] = content.id
    rulings.amend(old.house, old.who["otto"], content.id, POLICY)


def _requests(old: Old, table: Table) -> None:
    """Leave requests behind in every state."""
    height = next(iter(table.columns))
    old.decide(old.ask("bob", "heights", mean(height, 6.5)), "approved")
    old.decide(old.ask("bob", "heights", mean(height, 7.0)), "denied", REASON)
    changed = old.ask("eve", "heights", mean(height, 7.5))
    remarks.remark(old.house, old.who["otto"], changed.id, "ask for less, please")
    old.decide(changed, "changes", REASON)
    old.ask("eve", "heights", raised(table.asked[0]).request, earlier=changed.id)
    old.ask("bob", "heights", planned(table))


def _later(old: Old, tables: dict[str, Sequence[Table]]) -> None:
    """Bring second versions, and leave proposals behind that wait for a second officer."""
    house, olga, content = old.house, old.who["olga"], {name: each[-1].content for name, each in tables.items()}
    for name in ("heights", "visits"):
        assert renewal.renew(house, olga, old.ids[name], content[name], GROWN) is not None
    for name in POLICIES:
        assert renewal.renew(house, olga, old.ids[name], content[name], GROWN) is None
        (house.vault.folder.parent.parent / f"{name}.new").write_bytes(content[name])
    assert not rulings.amend(house, olga, old.ids["over lines"], Policy(free=7.0, most=20.0))
    assert not upkeep.publish(house, olga, old.ids["first sheet"], True)


def _everything(old: Old) -> list[Inquiry]:
    with old.house.store.reading() as connection:
        ids = connection.exec_driver_sql("SELECT id FROM requests ORDER BY number").scalars().all()
    return [find(old.house, str(each)) for each in ids]


def _request(asked: Inquiry) -> dict[str, Any]:
    """Note a request, with what was answered."""
    given = [answer.answer for answer in asked.answers]
    return {"id": asked.id, "number": asked.number, "status": asked.status, "answers": given}


def _dataset(old: Old, name: str, versions: Sequence[Table]) -> dict[str, Any]:
    """Note what a dataset spent, how it was read, and what the rows say that are asked next."""
    ledger, id_ = registry.ledger(old.house, old.ids[name]), old.ids[name]
    row = registry.row_of(old.house, id_)
    held = versions[len(row["versions"])]
    lines = [row, *row["versions"]]
    return {
        "id": id_,
        "spent": [ledger.spent.nano_epsilon, ledger.spent.delta_units],
        "declaration": registry.find(old.house, id_).registration.schema.digest,
        "layouts": [json.loads(line["layout"]) for line in lines],
        "asked": noted(held.asked),
    }


def noted(questions: Sequence[Asked]) -> list[dict[str, Any]]:
    """Write questions with their true answers down."""
    return [{"question": plain(each.request), "truth": each.truth, "within": each.within} for each in questions]
