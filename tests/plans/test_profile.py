"""A profile of a dataset: all declared columns, from the declaration alone, and no row that says next to nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pyarrow as pa
import pytest

from discreet.budget import Cost, ParameterError, SessionLedger
from discreet.curator import Curator
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.plans import Plan, Wanted, plan_from, plan_text, planned
from discreet.plans.methods import HOW_READ
from discreet.plans.planning import misfit
from discreet.plans.profile import COARSER, MOST_PERIODS, OUT, Profile, coarser, profile
from discreet.queries.column import HowRead
from discreet.rows import Bands, Category, Dataset, LocalSource, Number, Person, Schema
from discreet.rows.columns.date import Date
from discreet.rows.columns.ignored import Ignored
from discreet.rows.columns.yes_no import YesNo

TOTAL = Cost.of(1, "1e-6")
TOWNS = Category(tuple(f"town {at}" for at in range(200)))
SCHEMA = Schema(
    {
        "who": Person(),
        "age": Number(0, 100, integer=True),
        "grade": Number(1, 5, integer=True),
        "sex": Category(("f", "m")),
        "town": TOWNS,
        "joined": Date("2020-01-01", "2021-12-31"),
        "born": Date("1920-01-01", "2021-12-31"),
        "member": YesNo(),
        "note": Ignored(),
    }
)
Terms = Callable[[tuple[Wanted, ...]], Plan]


def terms(people: int, total: Cost = TOTAL) -> Terms:
    """Return what makes a plan for a guess of people."""
    return lambda items: Plan(items, total, people)


def made(people: int, schema: Schema = SCHEMA) -> Profile:
    """Return a profile."""
    return profile(schema, terms(people))


def asked(found: Profile, column: str) -> list[tuple[str, int | None]]:
    """Return what is asked of a column."""
    return [(item.statistic, item.bins) for item in found.plan.items if item.column == column]


def test_each_column_has_what_suits_it() -> None:
    """With many people nothing is coarser; what cannot be asked is named, and missing values are a result of each."""
    found = made(1_000_000)
    read = (HOW_READ.name, None)
    moments = [("count", None), ("mean", None), ("standard-deviation", None)]
    assert asked(found, "age") == [*moments, ("counts", 10), read]
    assert asked(found, "grade") == [*moments, ("counts", 5), read]  # it has no more values
    assert asked(found, "sex") == asked(found, "member") == asked(found, "town") == [("counts", None), read]
    assert asked(found, "joined") == asked(found, "born") == [("count", None), read]
    bands = {item.column: item.groups[0] for item in found.plan.items if item.groups}
    assert bands["joined"] == Bands("joined", every="month")
    assert all(2 <= len(SCHEMA.category(by).labels) <= MOST_PERIODS for by in bands.values())
    assert SCHEMA.category(bands["born"]).labels[1].startswith("1925-01-01")
    assert found.notes == () and found.left == ("who", "note")
    assert all(item.interval for item in found.plan.items)


def test_a_profile_is_an_ordinary_plan_at_one_price() -> None:
    """It opens from its file, every row can be asked, the moments of a column share a draw, and it costs the total."""
    plan = made(30_000).plan
    assert plan_from(plan_text(plan)) == plan
    assert not [item for item in plan.items if misfit(item, plan, SCHEMA)]
    way = planned(plan, SCHEMA)
    way.fixed.check(SCHEMA)
    assert way.total.cost.fits_in(TOTAL) and way.total.cost.epsilon > 0.99
    assert sorted(len(places) for places in way.draws if len(places) > 1) == [3, 3]
    assert [row.error for row in way.rows] == [row.error for row in planned(plan, SCHEMA, sure=True).rows]


@pytest.mark.parametrize("people", [20, 60, 300, 1000, 5000])
def test_no_row_of_a_profile_says_next_to_nothing(people: int) -> None:
    """What would is coarser or left out, and named; each usual row is in the plan or in one note."""
    found = made(people)
    for row in planned(found.plan, SCHEMA).rows:
        counts = row.item.statistic in ("count", "counts", HOW_READ.name)
        levels = 1 if row.item.statistic == HOW_READ.name else row.subject.labels or 1
        assert not row.vague and (not counts or row.error < row.subject.people / levels / 2), row.item
    usual = made(1_000_000).plan.items
    noted = [item for note in found.notes for item in note.usual]
    new = [item for note in found.notes for item in note.instead]
    assert (
        len(set(noted)) == len(noted) and set(noted).isdisjoint(found.plan.items) and set(new) <= set(found.plan.items)
    )
    assert {*found.plan.items, *noted} - set(new) == set(usual)
    assert {note.why for note in found.notes} <= {COARSER, OUT}
    assert all((note.why == COARSER) == bool(note.instead) for note in found.notes)


def test_fewer_people_get_bins_that_are_coarser_before_none() -> None:
    """Ten bins, five, none; months, then quarters or years."""
    cuts = [[cut for name, cut in asked(made(people), "age") if name == "counts"] for people in (300, 500, 9000)]
    assert cuts == [[], [5], [10]]
    (note,) = [note for note in made(500).notes if note.usual[0].column == "age"]
    assert (note.usual[0].bins, note.instead[0].bins) == (10, 5)


def test_what_leaves_makes_room_for_others() -> None:
    """The noisiest rows leave first: dates of birth stay in few bands, because other rows have left their budget."""
    assert [name for name, _ in asked(made(300), "born")] == ["count", HOW_READ.name]
    assert len(made(60).plan.items) > len(made(30).plan.items) > len(made(15).plan.items)


def test_nothing_to_ask_is_no_profile() -> None:
    """No column, or too few people for any row: it is said, and nothing is planned."""
    for schema, people in ((Schema({"who": Person()}), 1000), (Schema({"sex": Category(("f", "m"))}), 1)):
        with pytest.raises(ParameterError, match="only be noise"):
            profile(schema, terms(people))


def test_missing_values_are_released_with_the_counts_of_all_rows() -> None:
    """The five numbers are how the cells are read: of a number, and of a category whose other values are dropped."""
    rows = LocalSource(pa.table({"age": ["31", "", "abc", "40"] * 500, "sex": ["f", "m", "x", ""] * 500}))
    schema = Schema({"age": Number(0, 100), "sex": Category(("f", "m"))})
    items = tuple(Wanted(HOW_READ.name, name, interval=True) for name in schema.columns)
    way = planned(Plan(items, Cost.of(50), 2000), schema)
    assert all(row.mechanism.view.bins == HowRead() for row in way.rows)  # type: ignore[attr-defined]
    assert isinstance(way.rows[0].mechanism, CountsGeometric)
    answers = Curator(Dataset(rows, schema), SessionLedger(Cost.of(50)), tick=0).run(way.fixed)
    assert [release.answer for release in answers.releases] == [(1000, 0, 0, 500, 500), (1000, 0, 0, 500, 500)]


def test_bands_become_wider_until_they_cannot() -> None:
    """Twice the width, every second edge, the next period, half the bins; no other group changes."""
    mean = Wanted("mean", "age")
    ways = {
        (Bands("age", every=10), "sex"): (Bands("age", every=20), "sex"),
        (Bands("age", (20, 40, 60)),): (Bands("age", (40,)),),
        (Bands("joined", every="month"),): (Bands("joined", every="quarter"),),
    }
    for before, after in ways.items():
        wide = coarser(replace(mean, by=before), SCHEMA)
        assert wide is not None and wide.groups == after
    assert coarser(Wanted("counts", "age", bins=10), SCHEMA) == Wanted("counts", "age", bins=5)
    for last in (("sex",), (Bands("age", every=60),), (Bands("age", (20,)),), (Bands("joined", every="weekday"),)):
        assert coarser(replace(mean, by=last), SCHEMA) is None
    assert coarser(Wanted("counts", "age", bins=3), SCHEMA) is None and coarser(mean, SCHEMA) is None
