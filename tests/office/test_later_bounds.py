"""Later bounds: data that grow with time, each request under the bounds that held for it, one budget."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.offices import APART, CHECKED, ON_SQLITE, PURPOSE, REGISTRATION, Office, everything_in

from discreet.budget import Cost, ParameterError
from discreet.curator.request import Finer, Request
from discreet.mechanisms import registry as mechanisms
from discreet.mechanisms.base.refining import Difference
from discreet.mechanisms.laplace import Geometric
from discreet.office import Desk, Policy
from discreet.office.auditing import inspection
from discreet.office.cards import cards
from discreet.office.cards.records import releases_json
from discreet.office.cards.review_case import snapshot
from discreet.office.datasets import changes, fingerprint, registering, registry
from discreet.office.datasets.later_bounds import Later
from discreet.office.decisions import decisions
from discreet.office.desk import asking as submissions
from discreet.office.house import audit_log
from discreet.office.requests.request import Inquiry, find
from discreet.office.rules import rights
from discreet.queries.mean import Mean
from discreet.rows import Category, Date, Number, Schema
from discreet.rows.engines.connection import DatabaseSource
from tests.office.test_likeness import related

SCHEMA = Schema(
    {
        "admitted": Date("2025-01-01", "2025-12-31", origin="the year"),
        "cost": Number(0, 1000, integer=True, origin="the tariff"),
        "ward": Category(("a", "b"), origin="the house"),
    }
)
SAID = replace(
    REGISTRATION, name="visits", source="visits", schema=SCHEMA, limit=Cost.of("40", "1e-5"), apart=APART, alone=True
)
OLD = b"admitted,cost,ward\n" + b"2025-07-01,2000,a\n" * 2000  # beyond the bound that is declared first
NEW = OLD + b"2026-03-01,3000,b\n" * 6000
LATER = Later({"admitted": "2026-12-31", "cost": "5000"}, "the calendar and the new tariff")
WHY = "the first quarter of 2026 added"


@pytest.fixture
def visits(office: Office) -> Office:
    """Register a year of visits, of which much runs at once."""
    office.dataset = registering.register(office.house, office.who["olga"], OLD, SAID, Policy()).id
    office.amend(free=5.0, most=10.0)
    return office


def asking(column: str, epsilon: float = 2.0) -> Request:
    """Ask for a median, which is hit closely."""
    kind: Any = mechanisms["quantile-exponential"]
    return Request(kind(epsilon=epsilon), (column,))


def ask(office: Office, column: str, epsilon: float = 2.0, round: int = 0) -> Inquiry:
    """Send it."""
    return submissions.submit(office.house, office.who["bob"], office.dataset, asking(column, epsilon), PURPOSE, round)


def answer(asked: Inquiry) -> float:
    """Return what was released."""
    given: Any = asked.answers[0].answer
    return float(given)


def renewed(office: Office, later: Later = LATER) -> registry.Registered:
    """Add the version, as the two officers that it takes."""
    for login in ("olga", "otto"):
        data = changes.renew(office.house, office.who[login], office.dataset, NEW, WHY, later=later)
    assert data is not None
    return data


def wrong(office: Office) -> list[str]:
    """Return everything that a verification finds."""
    return [str(each) for each in inspection.look(office.again()).all]


def test_each_request_is_answered_under_the_bounds_of_its_version(visits: Office) -> None:
    """What was asked before counts late days and high costs as its bound still; what is asked now does not."""
    early = ask(visits, "cost")
    visits.amend(free=0.0, most=10.0)
    waits = ask(visits, "cost", 2.1)
    visits.amend(free=5.0, most=10.0)
    spent = visits.ledger.spent
    data = renewed(visits)
    assert data.registration.schema.ends == {"admitted": "2026-12-31", "cost": "5000"}
    assert data.first.ends == data.schema_at(waits.number).ends == SCHEMA.ends
    assert visits.ledger.spent == spent and visits.ledger.limit == SAID.limit
    late = decisions.decide(visits.house, visits.who["otto"], waits.id, "approved", "", CHECKED)
    now, days = ask(visits, "cost", 2.2), ask(visits, "admitted", 2.3)
    assert abs(answer(early) - 1000) < 5 and abs(answer(late) - 1000) < 5  # by the bound of version 1
    assert abs(answer(now) - 3000) < 5 and abs(answer(days) - 424) < 2  # the first of March 2026, in days
    records = json.loads(releases_json(visits.house, visits.dataset))["releases"]
    assert [next(word for word in record["as_read"] if "clipped to" in word) for record in records][0::2] == [
        "cost clipped to 0 to 1000, in steps of 1",
        "cost clipped to 0 to 5000, in steps of 1",
    ]
    assert wrong(visits) == []


def test_the_noise_is_that_of_the_bounds_of_the_version(visits: Office) -> None:
    """The card of each says its own error and its own bounds; the forecast is that of now."""
    early = ask(visits, "cost")
    before = Desk(visits.house, visits.who["bob"], visits.dataset).declared.schema
    renewed(visits)
    now = ask(visits, "cost", round=1)
    desk = Desk(visits.house, visits.who["bob"], visits.dataset)
    laplace: Any = mechanisms["laplace"]
    kind = Request(laplace(query=Mean(), epsilon=1.0), ("cost",))
    widths = [kind.mechanism.forecast(kind.public(each, 4000)).half_width for each in (before, desk.declared.schema)]
    assert widths[0] is not None and widths[1] == pytest.approx(5 * widths[0], rel=0.01)
    first, second = (cards.card(snapshot(visits.house, find(visits.house, each.id))).to_json() for each in (early, now))
    assert [each["data"]["columns"]["cost"]["upper"] for each in (first, second)] == [1000, 5000]
    assert "bounds" not in first["data"]["version"]
    assert [str(each) for each in second["data"]["version"]["bounds"]] == [
        "Column admitted is declared up to 2026-12-31 from version 2 on. Before that it was declared up to 2025-12-31.",
        "Column cost is declared up to 5000 from version 2 on. Before that it was declared up to 1000.",
    ]
    assert second["data"]["columns"]["cost"]["origin"] == "the calendar and the new tariff"
    assert cards.strange_parts(second) == []


def test_the_same_question_is_another_one_under_other_bounds(visits: Office) -> None:
    """It is no stored answer of now: a new draw is asked for, and what the old page showed is not sent."""
    desk = Desk(visits.house, visits.who["bob"], visits.dataset)
    seen = fingerprint.of_question(desk.registered, asking("cost", 0.5), 0)
    early = ask(visits, "cost")
    assert desk.stored(asking("cost")) is not None
    renewed(visits)
    desk = Desk(visits.house, visits.who["bob"], visits.dataset)
    assert desk.stored(asking("cost")) is None and desk.next_round(asking("cost")) == 1
    with pytest.raises(ParameterError, match="This query was run with earlier bounds, and"):
        ask(visits, "cost")
    with pytest.raises(ParameterError, match="This page was out of date, so nothing was"):
        submissions.submit(visits.house, visits.who["bob"], visits.dataset, asking("cost", 0.5), PURPOSE, seen=seen)
    assert ask(visits, "cost", round=1).number > early.number
    counts = [Geometric(epsilon=0.5), Geometric(epsilon=1.0)]
    with pytest.raises(ParameterError, match="Results from registered datasets do not"):
        desk.ask(Finer(Request(counts[1], ("cost",)), Difference.between(early.id, *counts)))


@ON_SQLITE
def test_bounds_that_go_further_take_two_officers(visits: Office) -> None:
    """The same file and the same bounds; another end, another source or none of it is another proposal."""
    olga, otto = visits.who["olga"], visits.who["otto"]
    assert changes.renew(visits.house, olga, visits.dataset, NEW, WHY, later=LATER) is None
    for other in (replace(LATER, source="another one"), Later({"cost": "6000"}, LATER.source)):
        assert changes.renew(visits.house, otto, visits.dataset, NEW, WHY, later=other) is None
        assert changes.renew(visits.house, olga, visits.dataset, NEW, WHY, later=LATER) is None
    assert len(registry.find(visits.house, visits.dataset).versions) == 1
    assert changes.renew(visits.house, otto, visits.dataset, NEW, WHY, later=LATER) is not None
    what = [(act.what, act.details.get("first")) for act in audit_log.trail(visits.store, 2)]
    assert what == [("extended", None), ("renewed rows", "olga")]  # the bounds are part of what both wanted
    assert rights.pending(visits.house, "version", visits.dataset) is None


@ON_SQLITE
@pytest.mark.parametrize(
    "later, why",
    [
        (Later({"admitted": "2025-12-31"}, "the calendar"), "later than 2025-12-31"),
        (Later({"admitted": "2025-06-30"}, "the calendar"), "later than 2025-12-31"),
        (Later({"admitted": "soon"}, "the calendar"), "Enter the first and last day as 2020-01-31,"),
        (Later({"cost": "900"}, "the tariff"), "higher than 1000"),
        (Later({"cost": "many"}, "the tariff"), "Enter a number such as 120 or 0"),
        (Later({"cost": "inf"}, "the tariff"), "Enter a number such as 120 or 0"),
        (Later({"cost": "2000.5"}, "the tariff"), "Enter a number such as 120 or 0"),
        (Later({"ward": "c"}, "the house"), "no upper bound"),
        (Later({"nothing": "5"}, "the house"), "no column"),
        (Later({"cost": "5000"}, " "), "public source"),
    ],
)
def test_what_is_no_later_bound_is_refused(visits: Office, later: Later, why: str) -> None:
    """Before anything is written, and no file stays."""
    before, files = everything_in(visits.store), sorted(visits.house.vault.folder.iterdir())
    with pytest.raises(ParameterError, match=why):
        changes.renew(visits.house, visits.who["olga"], visits.dataset, NEW, WHY, later=later)
    assert (everything_in(visits.store), sorted(visits.house.vault.folder.iterdir())) == (before, files)


@ON_SQLITE
def test_a_table_that_is_read_anew_goes_further_by_its_declaration(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has no versions: from the next request on, by two officers; of a file it stays refused."""
    monkeypatch.setenv("DISCREET_DATABASES", f"sqlite:{tmp_path}/*")
    table = DatabaseSource(related(tmp_path / "x.db", "CREATE TABLE wards (cost int, ward text)"), "wards")
    columns = {name: SCHEMA.columns[name] for name in ("cost", "ward")}
    said = replace(SAID, schema=Schema(columns))
    data = registering.register(office.house, office.who["olga"], table, said, Policy())
    more = Schema(columns | {"cost": columns["cost"].until("5000", "the new tariff")})
    for login in ("olga", "otto"):
        holds = changes.extend(office.house, office.who[login], data.id, more)
    assert holds and registry.find(office.house, data.id).registration.schema.ends == {"cost": "5000"}
    less = Schema(columns | {"cost": replace(columns["cost"], upper=500)})
    with pytest.raises(ParameterError, match="The declaration of column 'cost' cannot be changed"):
        changes.extend(office.house, office.who["olga"], data.id, less)


@ON_SQLITE
def test_of_a_file_nothing_else_declares_other_bounds(visits: Office) -> None:
    """Declare more adds columns and levels; bounds go further with a version only."""
    more = replace(SCHEMA, columns=SCHEMA.columns | {"cost": SCHEMA.columns["cost"].until("5000", "the new tariff")})
    with pytest.raises(ParameterError, match="The declaration of column 'cost' cannot be changed"):
        changes.extend(visits.house, visits.who["olga"], visits.dataset, more)
    assert changes
