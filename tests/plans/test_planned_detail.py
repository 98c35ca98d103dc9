"""Bands that are wider where there are few people: from a file's bytes to a table, its record and its report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.budget import Cost
from discreet.budget.errors import ParameterError
from discreet.curator.request import plain
from discreet.mechanisms.counts_detail import DETAIL, AdaptiveDetail
from discreet.plans import Plan, Wanted, plan_from, plan_text, planned
from discreet.plans.plan import Sizes
from discreet.plans.profile import joined
from discreet.queries.column import Bins
from discreet.queries.count import Count
from discreet.report.html import html_report
from discreet.report.numbers import rows_behind
from discreet.report.publication import publication
from discreet.rows import Bands, Category, Date, Number, Person, Schema

PEOPLE = {"north": 15, "south": 90, "east": 400, "west": 0}
SCHEMA = Schema(
    {"district": Category(tuple(PEOPLE)), "age": Number(0, 79, integer=True), "moved": Date("2020-01-01", "2025-12-31")}
)
TENS = Bands("age", every=10)
ROW = Wanted(DETAIL.name, "age", ("district", TENS))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a file of districts of unequal size."""
    rng = np.random.default_rng(5)
    lines = [f"{name},{age},2021-01-01" for name, many in PEOPLE.items() for age in rng.integers(0, 80, many)]
    path = tmp_path_factory.mktemp("rows") / "people.csv"
    path.write_text("\n".join(["district,age,moved", *lines]))
    return path


def asked(file: Path, **more: Any) -> Any:
    """Ask for the table."""
    return discreet.open(str(file), SCHEMA, epsilon=8).ask(DETAIL.name, "age", by=("district", TENS), **more)


def test_a_table_has_narrow_bands_where_there_are_many_people(file: Path) -> None:
    """From bytes to numbers: each names its band, has an interval, and bands that are too narrow are left out."""
    result = asked(file, epsilon=8)
    records = result.records
    of = {name: [each for each in records if each["district"] == name] for name in PEOPLE}
    assert [len(of[name]) for name in ("east", "west")] == [15, 1]
    assert len(of["south"]) in (7, 15) and len(of["north"]) in (1, 3, 7)
    assert [each["part"] for each in of["east"]][:3] == ["0–79", "0–39", "40–79"]
    assert all(each["value"] == pytest.approx(PEOPLE[name], abs=12) for name in PEOPLE for each in of[name][:1])
    assert sum(each["value"] for each in of["east"][-8:]) == pytest.approx(of["east"][0]["value"], abs=1e-6)
    request = result.release.request
    assert request.by == "district" and request.cost() == Cost.of(8)
    assert plain(request.mechanism)["bins"]["edges"] == [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 79.0]
    assert json.dumps(records)


def test_a_report_says_how_many_rows_there_are_once(file: Path) -> None:
    """Numbers that contain each other are not added up."""
    release = asked(file, epsilon=8).release
    assert rows_behind(release, SCHEMA) == pytest.approx(sum(PEOPLE.values()), abs=20)
    text = html_report(publication([(release, SCHEMA)]))
    assert "0–79" in text and "70–79" in text


def test_a_person_with_several_rows_pays_once(tmp_path: Path) -> None:
    """Rows in several districts and bands add up."""
    path = tmp_path / "rows.csv"
    path.write_text(
        "who,district,age\n" + "".join(f"{who},{name},{who % 80}\n" for who in range(90) for name in PEOPLE)
    )
    schema = Schema({"who": Person(rows=3), "district": SCHEMA.columns["district"], "age": SCHEMA.columns["age"]})
    result = discreet.open(str(path), schema, epsilon=4).ask(DETAIL.name, "age", by="district", epsilon=2)
    assert result.release.cost == Cost.of(2) and result.release.request.mechanism.noises.count > 3 / 2
    assert result.release.request.mechanism.bins == Bins((0.0, 10.0, 20.0, 30.0, 40.0, 49.0, 59.0, 69.0, 79.0))


def test_a_plan_asks_it_beside_others_and_keeps_it_in_its_file() -> None:
    """The bands of its own column are joined; those of another one are groups."""
    plan = Plan(
        (ROW, Wanted(Count.name, "age", "district"), Wanted(DETAIL.name, "age", bins=4)), Cost.of(2), people=500
    )
    assert plan_from(plan_text(plan)) == plan
    way = planned(plan, SCHEMA)
    first, _, third = (row.request for row in way.rows)
    assert first.by == "district" and third.by is None
    assert isinstance(first.mechanism, AdaptiveDetail) and len(first.mechanism.bins.labels) == 8  # type: ignore[union-attr]
    assert len(third.mechanism.bins.labels) == 4  # type: ignore[attr-defined]
    assert sum(row.share for row in way.rows) == pytest.approx(2, rel=1e-3)
    dates = planned(
        Plan((Wanted(DETAIL.name, "moved", ("district", Bands("moved", every="year"))),), Cost.of(1)), SCHEMA
    )
    assert len(dates.rows[0].request.mechanism.bins.labels) == 6  # type: ignore[attr-defined]
    with pytest.raises(ParameterError, match="come again"):
        Wanted(DETAIL.name, "moved", ("district", Bands("moved", every="weekday"))).subject(SCHEMA, 500, "bell")


@pytest.mark.parametrize(("people", "sizes"), [(300, ()), (4000, ()), (2000, (1, 1, 1, 97))])
def test_it_is_offered_where_a_table_would_mostly_be_too_noisy(people: int, sizes: tuple[int, ...]) -> None:
    """By the public guesses alone; what is offered is the same table."""
    guesses = (Sizes("district", tuple(zip(PEOPLE, map(float, sizes), strict=True))),) if sizes else ()
    plan = Plan((Wanted(Count.name, "age", ("district", TENS)),), Cost.of(1), people=people, sizes=guesses)
    other = joined(planned(plan, SCHEMA).rows[0], plan, SCHEMA)
    assert (other is not None) == (people < 4000)
    if other is not None:
        assert (other.statistic, other.column, other.by) == (ROW.statistic, ROW.column, ROW.by)
    alone = plan.edited(0, by=TENS)
    assert joined(planned(alone, SCHEMA).rows[0], alone, SCHEMA) is None
