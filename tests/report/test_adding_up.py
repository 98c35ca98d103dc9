"""Counts that add up: sums of one table of whole numbers, nearest to what was drawn, and made of nothing else."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Release, Request
from discreet.curator.plan import FixedPlan
from discreet.mechanisms.base.mechanism import Mechanism
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.queries.column import Bins
from discreet.queries.count import Count
from discreet.queries.mean import Mean
from discreet.report import adding_up as subject
from discreet.report.adding_up import adding_up
from discreet.report.html import html_report
from discreet.report.publication import publication
from discreet.report.tables import answers_csv
from discreet.rows import Category, Dataset, Filter, LocalSource, Number, Recode, Schema

SCHEMA = Schema(
    {
        "age": Number(0, 90, integer=True),
        "sex": Category(("f", "m")),
        "town": Category(("north", "south"), other=True),
        "many": Category(tuple(f"level {at}" for at in range(400))),
    }
)
COUNT, LISTED = GlobalLaplace(query=Count()), CountsGeometric()
WIDE = 8.0


def given(
    mechanism: Mechanism,
    column: str,
    counts: Any,
    by: Any = None,
    where: tuple[Filter, ...] = (),
    schema: Schema = SCHEMA,
) -> Release:
    """Return a release as somebody might have drawn it."""
    request = Request(mechanism, (column,), where, by)
    spans = _spans(counts)
    if request.groups:
        names = schema.crossed(request.groups)
        counts, spans = tuple(zip(names, counts, strict=True)), tuple(zip(names, spans, strict=True))
    name = f"{column} {by} {where}"
    return Release(name, request, counts, request.cost(), 0, spans, at=datetime(2026, 1, 1, tzinfo=UTC))


def _spans(counts: Any) -> Any:
    return tuple(map(_spans, counts)) if isinstance(counts, tuple) else (counts - WIDE / 2, counts + WIDE / 2)


def whole(*releases: Release) -> dict[str, tuple[int | None, ...]]:
    """Return their counts as they add up."""
    return dict(adding_up([(release, SCHEMA) for release in releases]))


def test_groups_add_up_to_those_of_fewer_columns_and_to_all() -> None:
    """Sex by town, sex, town and all: whatever was drawn, each is a sum of the same whole cells."""
    random = np.random.default_rng(7)
    for _ in range(40):
        cells, few, towns, (every,) = (tuple(random.normal(3, 9, size)) for size in (6, 2, 3, 1))
        asked = [
            given(COUNT, "age", cells, ("town", "sex")),
            given(COUNT, "age", few, "sex"),
            given(COUNT, "age", towns, "town"),
            given(COUNT, "age", every),
        ]
        both, sex, town, (total,) = (whole(*asked)[each.id] for each in asked)
        table = np.reshape(both, (3, 2))
        assert min(*both, *sex, *town, total) >= 0
        assert all(a <= b for a, b in zip(table.sum(0), sex, strict=True)), "a row without a town has a sex"
        assert all(a <= b for a, b in zip(table.sum(1), town, strict=True))
        assert sum(sex) <= total == sum(town), "what is no declared town is another one, and nobody is left out"


def test_counts_that_add_up_stay_as_they_are_in_whatever_order_columns_are_crossed() -> None:
    """Three columns of two, three and two levels, asked in each order, beside those of fewer columns."""
    table = np.random.default_rng(3).integers(0, 50, (2, 3, 2))
    levels = {
        "old": Category(("o",), other=True),
        "kind": Category(("x", "y"), other=True),
        "sex": Category(("f",), other=True),
    }
    schema, axes = Schema({**SCHEMA.columns, **levels}), {"old": 0, "kind": 1, "sex": 2}
    for size in (2, 3):
        for order in permutations(axes, size):
            left = tuple(at for name, at in axes.items() if name not in order)
            kept = [name for name in axes if name in order]
            counts = table.sum(axis=left).transpose([kept.index(name) for name in order]).ravel()
            asked = [
                (given(COUNT, "age", tuple(map(float, counts)), order, schema=schema), schema),
                (given(COUNT, "age", tuple(map(float, table.sum(axis=(1, 2)))), "old", schema=schema), schema),
                (given(COUNT, "age", tuple(map(float, table.ravel())), tuple(axes), schema=schema), schema),
            ]
            sums = dict(adding_up(asked))
            for release, _ in asked:
                assert sums[release.id] == tuple(int(count) for _, count in release.answer), (order, release.id)


def test_no_table_lies_nearer() -> None:
    """Compared with every table of small whole numbers: none is nearer by more than rounding may cost."""
    random = np.random.default_rng(11)
    for _ in range(10):
        lists, every = tuple(random.uniform(-2, 5, 2)), float(random.uniform(-2, 8))
        asked = [given(COUNT, "age", lists, "sex"), given(COUNT, "age", every)]
        sums = whole(*asked)
        drawn = np.array([*lists, every])
        mine = np.array([*sums[asked[0].id], *sums[asked[1].id]])
        tables = ((f, m, f + m + rest) for f, m, rest in product(range(8), repeat=3))
        nearest = min(np.linalg.norm(drawn - np.array(table)) for table in tables)
        assert mine[2] >= mine[0] + mine[1] and np.linalg.norm(drawn - mine) <= nearest + 1


def test_a_surer_count_moves_less() -> None:
    """Each is measured by its interval: where one is ten times as sure, the other gives way."""
    sure, vague = given(COUNT, "age", 100.0), given(COUNT, "age", (80.0, 60.0), "sex")
    narrow = replace(sure, interval=(99.9, 100.1))
    assert whole(narrow, vague)[narrow.id] == (100,)
    wide = replace(sure, interval=(0.0, 200.0))
    assert whole(wide, vague)[vague.id] == (80, 60)


def test_only_counts_of_the_same_rows_are_one_table() -> None:
    """Another filter, another statistic, a choice, a refusal and a public size are none of it."""
    few, every = given(COUNT, "age", (3.2, 4.4), "sex"), given(COUNT, "age", 9.0)
    others = given(COUNT, "age", 5.0, where=(Filter("town", "=", "north"),))
    mean = given(GlobalLaplace(query=Mean()), "age", 40.0)
    assert whole(few) == whole(few, others) == whole(few, mean) == whole() == {}
    assert set(whole(few, every, others, mean)) == {few.id, every.id}
    refused = replace(given(COUNT, "age", 1.0), answer=None, interval=None)
    assert whole(few, refused) == {}
    other = Schema({**SCHEMA.columns, "age": Number(0, 80, integer=True)})
    assert dict(adding_up([(few, SCHEMA), (every, other)])) == {}


def test_merged_levels_are_not_those_that_are_called_alike() -> None:
    """Two lists that swap names, and the category itself, have the same names of groups and count other rows."""
    swapped = Recode("sex", (("m", "f"), ("f", "m")))
    few = given(COUNT, "age", (9.0, 1.0), "sex")
    turned = given(COUNT, "age", (9.0, 1.0), swapped)
    assert SCHEMA.category(swapped).labels == SCHEMA.category("sex").labels
    assert whole(few, turned) == {}
    every = given(COUNT, "age", 12.0)
    assert set(whole(turned, every)) == {turned.id, every.id}


def test_lists_of_levels_and_bins_add_up_with_groups() -> None:
    """Counts of sex, bins of age, and ages by sex; two sets of bins of one column are not mixed."""
    levels, ages = given(LISTED, "sex", (10.0, 20.0)), given(COUNT, "age", (11.0, 21.0), "sex")
    assert set(whole(levels, ages)) == {levels.id, ages.id}
    assert all(
        age <= sex for age, sex in zip(whole(levels, ages)[ages.id], whole(levels, ages)[levels.id], strict=True)
    )
    halves, thirds = (
        given(replace(LISTED, bins=Bins(edges)), "age", counts)
        for edges, counts in (((0.0, 45.0, 90.0), (12.0, 17.0)), ((0.0, 30.0, 60.0, 90.0), (9.0, 9.0, 9.0)))
    )
    assert set(whole(halves, given(COUNT, "age", 33.0))) == {halves.id, "age None ()"}
    assert whole(halves, thirds) == {}


def test_a_table_that_is_too_large_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for it: what fits adds up, the rest stands as it was drawn."""
    long, few = given(LISTED, "many", tuple(map(float, range(400)))), given(COUNT, "age", (3.2, 4.4), "sex")
    every = given(COUNT, "age", 9.0)
    assert set(whole(long, few, every)) == {few.id, every.id}
    monkeypatch.setattr(subject, "MOST_CELLS", 2500)
    assert set(whole(long, few, every)) == {long.id, few.id, every.id}


def test_through_the_road_the_report_and_the_files_say_the_same() -> None:
    """From rows to the page, with what was drawn beside and the sentence that says how."""
    lines = "".join(f"{20 + i % 50},{'fm?'[i % 3]},{('north', 'west')[i % 2]},level 1\n" for i in range(600))
    data = Dataset(LocalSource(f"age,sex,town,many\n{lines}".encode()), SCHEMA)
    plan = FixedPlan(
        (
            Request(GlobalLaplace(query=Count(), epsilon=0.2), ("age",)),
            Request(GlobalLaplace(query=Count(), epsilon=0.2), ("age",), by="sex"),
            Request(GlobalLaplace(query=Count(), epsilon=0.2), ("age",), by=("sex", "town")),
        ),
        1e-6,
    )
    given = Curator(data, SessionLedger(Cost.of(5, "1e-2")), tick=0).run(plan)
    answered = [(release, SCHEMA) for release in given.releases]
    report = publication(answered)
    total, sexes, cells = (chapter.sums for chapter in report.chapters)
    assert total[0] >= sum(_ints(sexes)) and abs(sum(_ints(sexes)) - 400) < 200
    page = html_report(report)
    assert "Rounded, adding up" in page and "as if all queries had counted the same rows" in page
    assert f'<td class="figures">{total[0]:,}</td>' in page
    lines_of_file = list(csv.DictReader(io.StringIO(answers_csv(answered))))
    assert [line["adding up"] for line in lines_of_file] == [str(count) for count in (*total, *sexes, *cells)]
    assert [datum.answer for datum in report.chapters[0].data] == [given.releases[0].answer]


def _ints(counts: Iterable[int | None]) -> list[int]:
    return [count or 0 for count in counts]
