"""What a limit or a filter leaves out is told by released counts, and nothing else is."""

from __future__ import annotations

import re

import pytest

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator
from discreet.lab import reading_check
from discreet.lab.reading_check import UNSURE, Reading
from discreet.rows import Category, Dataset, Filter, LocalSource, Number, Person, Schema

AGE, TOWN = Number(0, 120, integer=True), Category(("a", "b"))


def table(people: int, rows: int) -> LocalSource:
    """Return so many people with so many rows each; the town of a fifth of them is "b"."""
    lines = (f"p{at};{at % 90};{'b' if at % 5 == 0 else 'a'}\n" for at in range(people) for _ in range(rows))
    return LocalSource(("who;age;town\n" + "".join(lines)).encode())


def limit(people: int, rows: int, declared: int, epsilon: float = 1.0) -> Reading:
    """Return what the check says of a limit, asked on the road of every answer and paid once."""
    source, ledger = table(people, rows), SessionLedger(Cost.of(2, 0))
    schema = Schema({"who": Person(declared), "age": AGE, "town": TOWN})
    wide = reading_check.wider(schema)
    assert wide is not None and wide.rows_per_person == 2 * declared
    asked, doubled = reading_check.counting(schema, "age", epsilon), reading_check.limited(wide, epsilon)
    assert doubled is not None
    answers = [Curator(Dataset(source, way), ledger, tick=0).ask(q) for way, q in ((schema, asked), (wide, doubled))]
    assert ledger.spent == Cost.of(2 * epsilon, 0)
    return reading_check.of_limit(schema, *answers)


def test_rows_beyond_the_limit_are_told() -> None:
    """Five rows a person where one may count: twice as many would count with two."""
    line = limit(3000, 5, 1)
    more = re.search(r"more than 1 rows\. .* about (\d+)% more rows", line.verdict)
    assert not line.good and more is not None and 95 <= int(more.group(1)) <= 105  # both counts are noisy


def test_a_limit_that_nobody_reaches_is_no_trouble() -> None:
    """Two rows a person, and five may count."""
    assert limit(4000, 2, 5).good


def test_too_few_people_tell_nothing() -> None:
    """The noise of ten people hides whether they have more rows."""
    line = limit(10, 5, 1, 0.1)
    assert line.verdict is UNSURE and not line.good


@pytest.mark.parametrize("person", [None, Person(1, "first"), Person(10_000)])
def test_where_no_limit_leaves_rows_out_nothing_is_asked(person: Person | None) -> None:
    """Without persons every row counts; one row made of all is meant so; the largest limit has no double."""
    assert reading_check.wider(Schema({"age": AGE} | ({"who": person} if person else {}))) is None


@pytest.mark.parametrize(
    ("level", "good", "part"), [("b", True, "20%"), ("a", True, "80%"), ("c", False, "Almost no rows pass the filter")]
)
def test_a_filter_says_what_passes(level: str, good: bool, part: str) -> None:
    """A fifth, four fifths, or a level that is declared and that nobody has."""
    schema = Schema({"age": AGE, "town": Category(("a", "b", "c"))})
    curator = Curator(Dataset(table(8000, 1), schema), SessionLedger(Cost.of(3, 0)), tick=0)
    counted = curator.ask(reading_check.counting(schema, "age", 1.0))
    where = [Filter("town", "in", (level,))]
    line = reading_check.of_filter(schema, counted, curator.ask(reading_check.filtered(schema, "age", where, 1.0)))
    assert line.good is good and part in line.verdict
