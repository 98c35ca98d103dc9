"""The reading check: what does not fit is noticed, what fits is not blamed, all by released counts."""

from __future__ import annotations

import pytest

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator
from discreet.lab import reading_check
from discreet.lab.reading_check import LITTLE, NOTHING, OTHERS, UNSURE, WHOLE
from discreet.rows import Category, Dataset, Date, LocalSource, Number, Person, Schema
from discreet.rows.columns import Kind

AGE, HEIGHT = Number(0, 120, integer=True), Number(0, 250)
TOWN = Category(("a", "b"))


def table(rows: int, height: str = "171.4", town: str = "a", empty: int = 1, people: int = 10**9) -> bytes:
    """Return a table; of `empty` rows one has an age."""
    lines = (f"p{i % people};{i % 90 if i % empty == 0 else ''};{height};{town}\n" for i in range(rows))
    return ("who;age;height;town\n" + "".join(lines)).encode()


def verdicts(data: bytes, columns: dict[str, Kind], epsilon: float = 1.0) -> dict[str, str]:
    """Return what the check says of each column, asked on the road of every answer."""
    schema, ledger = Schema(columns), SessionLedger(Cost.of(2, 0))
    curator = Curator(Dataset(LocalSource(data), schema), ledger, tick=0)
    asked = reading_check.requests(schema, epsilon)
    assert reading_check.cost(asked).epsilon <= epsilon
    answers = {name: curator.ask(request) for name, request in asked.items()}
    assert ledger.spent == reading_check.cost(asked)
    return {line.column: str(line.verdict) for line in reading_check.readings(schema, answers)}


def test_what_fits_is_read() -> None:
    """No column is blamed."""
    assert set(verdicts(table(5000), {"age": AGE, "height": HEIGHT, "town": TOWN}).values()) == {str(WHOLE)}


@pytest.mark.parametrize(
    ("wrong", "column", "verdict"),
    [({"height": "171,4"}, "height", NOTHING), ({"town": "A"}, "town", NOTHING), ({"empty": 4}, "age", LITTLE)],
)
def test_what_does_not_fit_is_named(wrong: dict[str, object], column: str, verdict: str) -> None:
    """Comma decimals, levels in capitals, and a column that most rows lack: each is told, and no other column."""
    seen = verdicts(table(5000, **wrong), {"age": AGE, "height": HEIGHT, "town": TOWN})  # type: ignore[arg-type]
    assert seen == dict.fromkeys(("age", "height", "town"), str(WHOLE)) | {column: str(verdict)}


def test_a_part_that_is_missing_is_told_as_a_share() -> None:
    """A third of the ages is not there."""
    seen = verdicts(table(9000, empty=1) + table(4500, empty=10**9).split(b"\n", 1)[1], {"age": AGE, "height": HEIGHT})
    assert "67%" in seen["age"] or "66%" in seen["age"] or "68%" in seen["age"]


def test_levels_that_nobody_names_are_told_where_others_count() -> None:
    """All rows count as other, so none is left out; they are still not what was meant."""
    assert verdicts(table(5000, town="A"), {"age": AGE, "town": Category(("a", "b"), other=True)})["town"] == OTHERS


def test_a_few_rows_tell_nothing() -> None:
    """The noise hides ten people: it says so and blames nothing."""
    assert set(verdicts(table(10), {"age": AGE, "height": HEIGHT}, 0.1).values()) == {str(UNSURE)}


def test_several_rows_of_a_person_cost_accuracy() -> None:
    """With five rows a person the noise is five times as large, and said to be."""
    schema = Schema({"who": Person(5), "age": AGE})
    (request,) = reading_check.requests(schema, 0.5).values()
    curator = Curator(Dataset(LocalSource(table(5000, people=1000)), schema), SessionLedger(Cost.of(2, 0)), tick=0)
    (line,) = reading_check.readings(schema, {"age": curator.ask(request)})
    assert line.good and 60 < line.width < 80


@pytest.mark.parametrize("many", [1, 3, 6, 7, 100])
def test_a_wide_declaration_shares_the_price(many: int) -> None:
    """Any number of columns cost what was chosen, to the last unit of the ledger."""
    columns: dict[str, Kind] = {f"c{i}": AGE for i in range(many)}
    assert reading_check.cost(reading_check.requests(Schema(columns), 0.1)) == Cost.of("0.1")


@pytest.mark.parametrize(
    ("cell", "advice"),
    [
        ("05.03.24", "four digits"),
        ("5.3.'24", "four digits"),
        ("2024-W05", "a week a weekday"),
        ("W05 2024", "a weekday"),
    ],
)
def test_dates_that_cannot_be_read_are_told_how_to_be_written(cell: str, advice: str) -> None:
    """Years of two digits, weeks without a weekday: no row has a date, and the sentence says what to do."""
    rows = "age;day\n" + f"31;{cell}\n" * 4000
    seen = verdicts(rows.encode(), {"age": AGE, "day": Date("2020-01-01", "2024-12-31", order="day-month-year")})
    assert seen["age"] == WHOLE and NOTHING in seen["day"] and advice in seen["day"]
