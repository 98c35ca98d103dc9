"""House: an office as a version leaves it behind, with people, data, answers, and what is still to be done.

Only what makes an archive uses it. What later versions do not have any more is looked for before it is used.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from old.tables import FEE, LATER_FEE, NEXT_FEE, Asked, Table, fees, noted, registered
from old.texts import GROWN, LOOKED, PURPOSE, REASON, ROWS

from discreet.budget import BudgetExceeded, Cost
from discreet.curator import Request
from discreet.curator.plan import FixedPlan
from discreet.curator.request import plain
from discreet.mechanisms import registry as mechanisms
from discreet.office import House, Member, Policy, Registration
from discreet.office.auditing import bundles, inspection, signing
from discreet.office.auditing.bundles import Period
from discreet.office.cards import cards
from discreet.office.cards.review_case import snapshot
from discreet.office.datasets import changes, lifecycle, registering, registry
from discreet.office.datasets.later_bounds import Later
from discreet.office.decisions import decisions
from discreet.office.decisions.checklist import POINTS
from discreet.office.desk import asking
from discreet.office.people import accounts, joining
from discreet.office.requests import remarks
from discreet.office.requests.request import Inquiry, find
from discreet.queries.mean import Mean
from discreet.rows import Category, Ignored, Schema

NOW = 1_900_000_000.0  # when it is left: a day in 2030
BEFORE = NOW - 20 * 86_400  # when its data are registered: what waits since then has expired
CHECKED = dict.fromkeys(POINTS, LOOKED)
LIMIT = Cost.of("50", "1e-5")
APART = "the people of another survey"
POLICY = Policy(free=6.0, most=20.0, shares={"eve": 12.0})
TWO = Policy(free=6.0, most=20.0, both=("version",))  # officers for a version
LISTED = Policy(free=6.0, most=20.0, both=("publication", "version"))
DELETED = Policy(both=("deletion",))
PAIR = Policy(free=6.0, most=20.0, pair=6.0)
POLICIES = {"by place": TWO, "named rows": TWO, "first sheet": LISTED}
WITHDRAWN = "it was registered with the wrong unit"
NOTE = "one ward was closed in March"
TARIFF = "the tariff that everybody reads"
PEOPLE = {
    "olga": frozenset({"officer"}),
    "otto": frozenset({"officer"}),
    "bob": frozenset({"analyst"}),
    "eve": frozenset({"analyst"}),
}


def secret_of(login: str) -> str:
    """Return somebody's password, which was made for this."""
    return f"a long password of {login}"


@dataclass
class Clock:
    """What time it is in the house."""

    now: float = BEFORE

    def __call__(self) -> float:
        """Tell it."""
        return self.now


@dataclass(frozen=True)
class Old:
    """A house that is being filled, and what of it has to be found again."""

    house: House
    who: dict[str, Member]
    beside: Path
    ids: dict[str, str] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)

    def ask(self, login: str, name: str, question: Any, **more: Any) -> Inquiry:
        """Send a question or a plan."""
        return asking.submit(self.house, self.who[login], self.ids[name], question, PURPOSE, **more)

    def decide(self, asked: Inquiry, verdict: str, reason: str = "") -> Inquiry:
        """Decide as Otto."""
        checked = CHECKED if verdict == "approved" else None
        return decisions.decide(self.house, self.who["otto"], asked.id, verdict, reason, checked)

    def register(self, name: str, table: Table, source: str = "", **more: Any) -> None:
        """Register a file."""
        compared = {"compared": True, "people": 300} if name == "heights" else {}
        source = f"survey {source or name}"
        said = Registration(name, table.schema, LIMIT, source, "consent", apart=APART, alone=True, **compared)
        content = registering.register(self.house, self.who["olga"], table.content, said, POLICY, table.layout, **more)
        self.ids[name] = content.id
        changes.amend(self.house, self.who["otto"], content.id, POLICY)  # what may be asked at once takes two officers

    def rule(self, name: str, policy: Policy) -> None:
        """Set a policy, as both officers want it."""
        assert [changes.amend(self.house, self.who[login], self.ids[name], policy) for login in ("olga", "otto")][-1]

    def leave(self, name: str, content: bytes) -> None:
        """Leave a file beside the house, for whoever brings it again."""
        (self.beside / name).write_bytes(content)


def asks(slug: str, column: str, epsilon: float) -> Request:
    """Ask for a mean, by any mechanism."""
    kind: Any = mechanisms[slug]
    return Request(kind(query=Mean(), epsilon=epsilon), (column,))


def mean(column: str, epsilon: float) -> Request:
    """Ask for a mean."""
    return asks("laplace", column, epsilon)


def raised(asked: Asked) -> Asked:
    """Ask the same for more than may be had at once."""
    return replace(asked, request=replace(asked.request, mechanism=replace(asked.request.mechanism, epsilon=7.2)))


def planned(table: Table) -> FixedPlan:
    """Return a plan of epsilon 8: the numbers of each level, and a mean."""
    return FixedPlan((table.asked[0].request, mean(next(iter(table.columns)), 4.0)), 0.0)


def fill(home: Path) -> dict[str, Any]:
    """Fill a house; return what has to be found in it again."""
    clock = Clock()
    house = House(home, f"sqlite:///{home / 'ledger.db'}", clock)
    old, tables = Old(house, _people(house), home.parent), registered()
    _register(old, tables)
    late = old.ask("bob", "dated", mean("age", 6.3))
    clock.now = NOW
    assert decisions.sweep(house) == 1 and find(house, late.id).status == "expired"
    first, *_ = [old.ask("bob", name, each.request) for name, (table, *_) in tables.items() for each in table.asked]
    waits = _requests(old, tables["heights"][0])
    _later(old, tables)
    _mistakes(old)
    _former(old)
    notes = {
        "at": NOW,
        "people": {login: secret_of(login) for login in ("ann", *PEOPLE)},
        "invited": joining.invite(house, old.who["ann"], "carl", "Carl", frozenset({"analyst"})),
        "public_key": signing.public_key(house),
        "datasets": {name: _dataset(old, name, versions) for name, versions in tables.items()},
        "requests": [_request(asked) for asked in _everything(old)],
        "waits": questions(waits),
        "proposed": list(POLICIES),
        "chosen": {},
        "card": json.loads(cards.card_json(cards.card(snapshot(house, first)))),
    }
    assert inspection.look(house).all == []
    old.leave("bundle.zip", bundles.bundle(house, old.who["ann"], old.ids["heights"], Period()))
    house.store.close()
    return notes | old.notes


def _people(house: House) -> dict[str, Member]:
    """Set accounts up."""
    first = joining.setup_link(house)
    assert first is not None
    ann = joining.set_up(house, first, "ann", "Ann", secret_of("ann"))
    assert isinstance(ann, Member)
    for login, roles in PEOPLE.items():
        link = joining.invite(house, ann, login, login.title(), roles)
        joining.choose_password(house, link, secret_of(login))
    return {account["person"].login: account["person"] for account in accounts.everybody(house)}


def _register(old: Old, tables: dict[str, tuple[Table, ...]]) -> None:
    """Register everything: one in the place of a first try, and one beside data that take two officers."""
    first = replace(tables["objects"][0], columns={"age": Ignored(), **_only(tables["objects"][0], "ward")})
    old.register("first try", first)
    for name, versions in tables.items():
        old.register(name, versions[0], **({"replaces": old.ids.pop("first try")} if name == "objects" else {}))
    for name, policy in POLICIES.items():
        old.rule(name, policy)
    old.notes["replaced"] = {"name": "first try", "by": "objects"}
    if find_spec("discreet.office.apart") is not None:
        _beside(old, tables)


def _only(table: Table, *names: str) -> dict[str, Any]:
    return {name: table.columns[name] for name in names}


def _beside(old: Old, tables: dict[str, tuple[Table, ...]]) -> None:
    """Register rows like those that take two officers, once another one has agreed that their people are others."""
    from discreet.office import apart
    from discreet.office.rules import rights

    table = noted(ROWS, "beside")
    try:
        old.register("beside", table, "named rows")
    except apart.Unagreed as refused:
        for data in refused.waiting:
            motion = rights.pending(old.house, apart.KIND, data.id)
            assert motion is not None
            apart.agree(old.house, old.who["otto"], data.id, motion.id)
        old.register("beside", table, "named rows")
        old.notes["agreed"] = {"beside": "beside", "of": [data.name for data in refused.waiting], "why": APART}
    assert "agreed" in old.notes
    tables["beside"] = (table,)


def _requests(old: Old, table: Table) -> list[Asked]:
    """Leave requests behind in every state; return what two of them wait for."""
    height = next(iter(table.columns))
    old.decide(old.ask("bob", "heights", mean(height, 6.5)), "approved")
    old.decide(old.ask("bob", "heights", mean(height, 7.0)), "denied", REASON)
    changed = old.ask("eve", "heights", mean(height, 7.5))
    remarks.remark(old.house, old.who["otto"], changed.id, "ask for less, please")
    old.decide(changed, "changes", REASON)
    old.ask("eve", "heights", raised(table.asked[0]).request, earlier=changed.id)
    old.ask("bob", "heights", planned(table))
    decisions.withdraw(old.house, old.who["bob"], old.ask("bob", "dated", mean("age", 6.4)).id)
    old.rule("corner", PAIR)
    half = old.ask("bob", "corner", mean("column 3", 6.6))
    assert old.decide(half, "approved").status == "waiting"
    old.notes["half"] = {"id": half.id, "first": "otto", "second": "olga"}
    old.notes["refused"] = _refused(old, [mean("age", epsilon) for epsilon in (19.0, 19.1, 19.2)])
    return [raised(table.asked[0]), table.asked[0]]


def _refused(old: Old, asked: Sequence[Request]) -> dict[str, Any]:
    """Ask for more than there is while others wait, which are taken back; return for what there was no room."""
    *first, last = asked
    waiting = [old.ask("bob", "second sheet", each) for each in first]
    with suppress(BudgetExceeded):
        old.ask("bob", "second sheet", last)
    for each in waiting:
        decisions.withdraw(old.house, old.who["bob"], each.id)
    return {"dataset": "second sheet", "question": plain(last)}


def _later(old: Old, tables: dict[str, tuple[Table, ...]]) -> None:
    """Bring second versions, declare more, and leave proposals behind that wait for a second officer."""
    house, olga, content = old.house, old.who["olga"], {name: each[-1].content for name, each in tables.items()}
    for name in ("heights", "visits"):
        assert changes.renew(house, olga, old.ids[name], content[name], GROWN) is not None
    for name in POLICIES:
        assert changes.renew(house, olga, old.ids[name], content[name], GROWN) is None
        old.leave(f"{name}.new", content[name])
    assert not changes.amend(house, olga, old.ids["over lines"], Policy(free=7.0, most=20.0))
    assert not lifecycle.publish(house, olga, old.ids["first sheet"], True)
    assert lifecycle.publish(house, olga, old.ids["heights"], True)
    changes.note(house, olga, old.ids["visits"], NOTE)
    schema = registry.find(house, old.ids["objects"]).registration.schema
    more = Schema(schema.columns | {"remark": Category(("said",), origin="a form")}, schema.layout)
    assert [changes.extend(house, old.who[login], old.ids["objects"], more) for login in ("olga", "otto")][-1]
    old.notes["told"] = {"dataset": "visits", "note": NOTE}
    old.notes["extended"] = {"dataset": "objects", "column": "remark", "truth": {"said": len(range(0, ROWS, 3))}}
    _bounds(old, content["fees"])


def _bounds(old: Old, content: bytes) -> None:
    """Bring a version with later bounds, as two officers want them, and let one propose the next."""
    third = fees(ROWS + 60, NEXT_FEE)
    more: dict[str, Any] = {"why": GROWN, "later": Later({"fee": str(LATER_FEE)}, TARIFF)}
    id_, both = old.ids["fees"], [old.who[login] for login in ("olga", "otto")]
    assert [changes.renew(old.house, who, id_, content, **more) for who in both][-1] is not None
    more["later"] = Later({"fee": str(NEXT_FEE)}, TARIFF)
    assert changes.renew(old.house, both[0], id_, third.content, **more) is None
    old.leave("fees.new", third.content)
    old.notes["bounds"] = {
        "dataset": "fees",
        "column": "fee",
        "ends": [str(FEE), str(LATER_FEE), str(NEXT_FEE)],
        "source": TARIFF,
        "asked": questions(third.asked),
    }


def _mistakes(old: Old) -> None:
    """Withdraw a registration, and leave another withdrawal behind that waits for a second officer."""
    olga = old.who["olga"]
    for name in ("mistaken", "regretted"):
        table = noted(ROWS, name)
        said = Registration(name, table.schema, LIMIT, f"survey {name}", "consent", apart=APART, alone=True)
        policy = DELETED if name == "regretted" else Policy()
        id_ = registering.register(old.house, olga, table.content, said, policy).id
        assert lifecycle.withdraw(old.house, olga, id_, WITHDRAWN) == (name == "mistaken")
        old.leave(f"{name}.rows", table.content)
        old.notes[name] = {"id": id_, "name": name, "why": WITHDRAWN, "registration": said.to_json()}


def _former(old: Old) -> None:
    """Ask with noise that later versions do not offer, where this one does: one is answered, one waits."""
    if "staircase" in mechanisms:
        given, waiting = (old.ask("eve", "open quote", asks("staircase", "age", epsilon)) for epsilon in (1.0, 6.8))
        assert (given.status, waiting.status) == ("answered", "waiting")
        question = plain(given.request)
        old.notes["former"] = {"answered": given.id, "waits": waiting.id, "dataset": "open quote", "question": question}


def _everything(old: Old) -> list[Inquiry]:
    with old.house.store.reading() as connection:
        ids = connection.exec_driver_sql("SELECT id FROM requests ORDER BY number").scalars().all()
    return [find(old.house, str(each)) for each in ids]


def _request(asked: Inquiry) -> dict[str, Any]:
    """Note a request, with what was answered."""
    given = [answer.answer for answer in asked.answers]
    return {"id": asked.id, "number": asked.number, "status": asked.status, "answers": given}


def _dataset(old: Old, name: str, versions: Sequence[Table]) -> dict[str, Any]:
    """Note what a dataset spent, how it is read, and what the rows say that are asked next."""
    ledger, id_ = registry.ledger(old.house, old.ids[name]), old.ids[name]
    row, schema = registry.row_of(old.house, id_), registry.find(old.house, id_).registration.schema
    held = versions[len(row["versions"])]
    lines = [row, *row["versions"]]
    return {
        "id": id_,
        "spent": [ledger.spent.nano_epsilon, ledger.spent.delta_units],
        "declaration": schema.digest,
        "declared_layout": None if schema.layout is None else schema.layout.plain,
        "layouts": [json.loads(line["layout"]) for line in lines],
        "asked": questions(held.asked),
    }


def questions(asked: Sequence[Asked]) -> list[dict[str, Any]]:
    """Write questions with their true answers down."""
    return [{"question": plain(each.request), "truth": each.truth, "within": each.within} for each in asked]
