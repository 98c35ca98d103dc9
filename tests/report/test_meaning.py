"""Meaning: every answer says of which rows it is, and an interval covers the value of those."""

from __future__ import annotations

import json
import re
import runpy
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from support.for_each import for_each

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Request
from discreet.lab.simulation import SimulationNoise as Noise
from discreet.mechanisms import registry
from discreet.mechanisms.counts_geometric import CountsGeometric
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.randomized_response import RandomizedResponse
from discreet.mechanisms.sample_aggregate import BlocksMedian
from discreet.mechanisms.several_gaussian import SeveralGaussian
from discreet.queries import Relation
from discreet.queries.column import Bins
from discreet.queries.mean import Mean
from discreet.queries.sum import Sum
from discreet.queries.trimmed import TrimmedMean
from discreet.report.export import release_record
from discreet.report.programs import script
from discreet.report.tables import releases_csv
from discreet.report.words import as_read, no_answer, no_interval
from discreet.rows import Category, Dataset, Filter, LocalSource, Number, OpenData, Person, Schema
from discreet.rows.persons import DrawnLots

AGE, TOWN = Number(0, 100, integer=True), Category(("north", "south"))


def schema(person: Person | None = None, age: Number = AGE, town: Category = TOWN) -> Schema:
    """Return a declaration, with persons or without."""
    return Schema({"age": age, "town": town} | ({"who": person} if person else {}))


def words(request: Request, declared: Schema) -> str:
    """Return what is said, as one text."""
    return "; ".join(as_read(request, declared))


MEAN = Request(GlobalLaplace(query=Mean()), ("age",))
BLOCKS = Request(BlocksMedian(k=20, upper=100.0), ("age",))
COUNTS = Request(CountsGeometric(), ("town",))
GROUPS = Request(GlobalLaplace(query=Mean()), ("age",), by="town")


@pytest.mark.parametrize(
    ("request_", "declared", "says"),
    [
        (MEAN, schema(), "every row; age clipped to 0 to 100, in steps of 1; rows without age"),
        (MEAN, schema(Person(1)), "at most one row per person, picked at random"),
        (MEAN, schema(Person(3)), "at most 3 rows per person, picked at random"),
        (MEAN, schema(Person(3)), "rows without who dropped"),
        (MEAN, schema(Person(reduce="mean")), "one value per person, the mean of their rows"),
        (MEAN, schema(Person(reduce="first")), "one row per person, picked at random"),
        (COUNTS, schema(Person(reduce="mean")), "one row per person, picked at random"),
        (COUNTS, schema(), "rows with another value of town dropped"),
        (COUNTS, schema(town=Category(("a",), other=True)), "other values of town count as other"),
        (GROUPS, schema(Person(reduce="mean")), "each person in the group of one row"),
        (GROUPS, schema(), "each group of town separately"),
        (BLOCKS, schema(Person(3)), "all rows of a person, together in one block chosen at random"),
        (BLOCKS, schema(), "every row, assigned to one block at random"),
        (MEAN, schema(age=Number(0, 9, 0.5, missing=2)), "age counts as 2 where it is missing"),
        (MEAN, schema(age=Number(0, 9, 0.5)), "in steps of 0.5"),
        (
            Request(MEAN.mechanism, ("age",), (Filter("town", "in", ("north", "south")),)),
            schema(),
            "only where town in north, south",
        ),
        (
            Request(GlobalLaplace(query=Mean(Relation(size=70))), ("age",)),
            schema(),
            "cut at random, or filled up with a public value, to 70 rows",
        ),
        (Request(SeveralGaussian(queries=(TrimmedMean(resize=60),)), ("age",)), schema(), "to 60 rows"),
        (
            Request(CountsGeometric(bins=Bins((0.0, 9.0, 20.0))), ("age",)),
            schema(),
            "values outside all bins count in the nearest bin",
        ),
        (Request(RandomizedResponse(people=50), ("town",)), schema(), "as reports of 50 people"),
    ],
)
def test_an_answer_says_of_which_rows_it_is(request_: Request, declared: Schema, says: str) -> None:
    """Whatever reading does to the rows is in the line."""
    assert says in words(request_, declared)


def test_only_columns_are_resized() -> None:
    """Counts and blocks under a public size are not cut to it, and do not say so."""
    relation = Relation(size=50)
    assert Request(CountsGeometric(relation=relation), ("town",)).public_rows is None
    assert Request(BlocksMedian(relation=relation), ("age",)).public_rows is None


@for_each([s for s, kind in registry.items() if not kind.open_only])
def test_every_mechanism_can_say_why_there_is_no_interval(slug: str) -> None:
    """A mechanism of a family that nobody knows fails here, and not on somebody's screen."""
    assert no_interval(Request(registry[slug](), ("age",)))


@pytest.mark.parametrize(
    ("slug", "says"),
    [
        ("propose-test-release", "A larger bound b may pass"),
        ("propose-grid", "too close to a jump.$"),
        ("smooth-core-tail", "No result is released, and nothing else is"),
    ],
)
def test_a_refusal_advises_only_what_the_question_has(slug: str, says: str) -> None:
    """A grid of bounds has no b that could be larger."""
    assert re.search(says, no_answer(Request(registry[slug](), ("age",))))


def table(rows: int) -> Any:
    """Return persons with several rows each, some values far out and some missing."""
    ages = [250 if i % 7 == 0 else None if i % 11 == 0 else i % 90 for i in range(rows)]
    return pa.table(
        {
            "who": [str(i // 5) for i in range(rows)],
            "age": pa.array(ages, pa.int64()),
            "town": ["north" if i % 3 else "south" for i in range(rows)],
        }
    )


PERSONS = [None, Person(2), Person(reduce="mean"), Person(reduce="first")]


@pytest.mark.parametrize("person", PERSONS, ids=["rows", "two", "mean", "first"])
@pytest.mark.parametrize("query", [Mean, Sum], ids=["mean", "sum"])
def test_an_interval_covers_the_value_of_the_rows_as_read(person: Any, query: Any) -> None:
    """And not that of the file: 400 answers of 40 readings; by chance it fails less than once in 10^9."""
    declared = schema(person)
    rows = 2 if person is not None and person.reduce is None else 1
    data = OpenData(LocalSource(table(300)), declared)
    asked = Request(GlobalLaplace(query=query(Relation(rows=rows)), epsilon=0.5), ("age",))
    noise, covered = Noise(7), 0
    width = asked.mechanism.forecast(asked.public(declared)).half_width
    assert width is not None
    for _ in range(40):  # readings, of which each says what the value of ten answers is
        column = data.column("age", (), DrawnLots(noise))
        law, value = asked.mechanism.law(column), query().value(column)
        for _ in range(10):
            answer = law.draw(noise)
            assert isinstance(answer, float)
            covered += abs(answer - value) <= width
    assert covered >= 352  # 6.4 standard deviations below 380


def test_every_export_takes_the_line_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """JSON, CSV and the script say the same as the screen."""
    declared = schema(Person(2))
    data = Dataset(LocalSource(table(60)), declared)
    curator = Curator(data, SessionLedger(Cost.of(5)), tick=0)
    release = curator.ask(Request(GlobalLaplace(query=Mean(Relation(rows=2))), ("age",)))
    line = words(release.request, declared)
    record = json.loads(json.dumps(release_record(release, declared)))
    assert "; ".join(record["as_read"]) == line
    assert line in releases_csv([release], declared)
    file, code = tmp_path / "rows.csv", tmp_path / "ask.py"
    file.write_text("who,age,town\n1,2,north\n", encoding="utf-8")
    code.write_text(script(release.request, declared, Cost.of(5)), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", [str(code), str(file)])
    runpy.run_path(str(code), run_name="__main__")
    assert f"Data handling: {line}." in capsys.readouterr().out
