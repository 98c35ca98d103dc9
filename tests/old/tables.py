"""Tables: files as people bring them to a house, what is declared of each, and what its rows say.

No reading is asked for here what it says: every truth is counted from the lists that a file is written from.
Only what makes an archive uses them.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import xlsxwriter
from old.texts import COUNTS, GERMAN, ROWS, SHEETS, TOTAL, TOWNS, german_text, tenths_of, towns_of

from discreet.curator import Request
from discreet.mechanisms import registry
from discreet.queries import Relation
from discreet.queries.sum import Sum
from discreet.rows import Category, Date, Filter, Ignored, Number, Person, Schema
from discreet.rows.columns import Kind
from discreet.rows.files import Layout

WARDS = ("north", "south")
FEE, LATER_FEE, NEXT_FEE = 100, 200, 300  # the largest one, in each version
LATIN = Layout("text", "latin-1", ";")
AGE = Number(0, 100, integer=True, origin="life span")
WARD = Category(WARDS, origin="a map")
HEIGHT = Number(100, 220, step=0.1, decimal=",", origin="an atlas")


@dataclass(frozen=True)
class Asked:
    """A question with its true answer, and how far a released one may be from it."""

    request: Request
    truth: Any
    within: float


@dataclass(frozen=True)
class Table:
    """The bytes of one version, its declaration, its declared reading (None: as its heading says), what it says."""

    content: bytes = field(repr=False)
    columns: Mapping[str, Kind]
    asked: tuple[Asked, ...]
    layout: Layout | None = None

    @property
    def schema(self) -> Schema:
        """What an officer declares."""
        return Schema(self.columns)


def counts(column: str, cells: Sequence[str], levels: Sequence[str], most: int = 1) -> Asked:
    """Ask how many rows each level has, where a person has so many at most."""
    kind: Any = registry["counts-geometric"]
    truth = Counter(cells)
    return Asked(
        Request(kind(Relation(rows=most), COUNTS), (column,)), {level: truth[level] for level in levels}, 8.0 * most
    )


def total(column: str, cells: Sequence[float], largest: float, most: int = 1) -> Asked:
    """Ask for a sum of cells, each at most so large."""
    kind: Any = registry["laplace"]
    return Asked(Request(kind(Sum(Relation(rows=most)), TOTAL), (column,)), sum(cells), 5.0 * largest * most)


def ages(rows: int) -> list[int]:
    """Return how old people are."""
    return [20 + at % 60 for at in range(rows)]


def wards(rows: int) -> list[str]:
    """Return where people live: more of them in the north."""
    return [WARDS[at % 3 == 0] for at in range(rows)]


def german(rows: int, heading: str = GERMAN) -> Table:
    """Return a text of Latin-1, semicolons and decimal commas."""
    height, town = heading.splitlines()[-1].split(";")
    asked = counts(town, towns_of(rows), TOWNS), total(height, [tenth / 10 for tenth in tenths_of(rows)], 220)
    columns = {height: HEIGHT, town: Category(TOWNS, origin="a map")}
    layout = replace(LATIN, skip=len(heading.splitlines()) - 1)
    return Table(german_text(rows, heading).encode("latin-1"), columns, asked, layout)


def people(content: bytes, rows: int, age: str = "age", ward: str = "ward", **columns: Kind) -> Table:
    """Return a table of ages and wards, in whatever file."""
    asked = counts(ward, wards(rows), WARDS), total(age, ages(rows), 100)
    return Table(content, {age: AGE, ward: WARD, **columns}, asked)


def named_rows(rows: int) -> Table:
    """Return a text as R writes it: rows have names, and their column has none."""
    lines = [f'"{at + 1}",{age},"{ward}"' for at, (age, ward) in enumerate(zip(ages(rows), wards(rows), strict=True))]
    table = people("\n".join(['"age","ward"', *lines, ""]).encode(), rows)
    return replace(table, layout=Layout("text", row_names=True))


def over_lines(rows: int) -> Table:
    """Return a text with remarks in quotes that go on over lines and hold commas and quotes."""
    said = ['"came,\nand ""went""\n"', '""', '"plain"']
    both = enumerate(zip(ages(rows), wards(rows), strict=True))
    lines = [f"{age},{said[at % 3]},{ward}" for at, (age, ward) in both]
    return people("\n".join(["age,remark,ward", *lines, ""]).encode(), rows, remark=Ignored())


def by_place(rows: int) -> Table:
    """Return a text without a line of names."""
    lines = [f"{age},{ward},{at % 7}.5" for at, (age, ward) in enumerate(zip(ages(rows), wards(rows), strict=True))]
    table = people("\n".join([*lines, ""]).encode(), rows, "column 1", "column 2")
    return replace(table, layout=Layout("text", header=False, columns=3))


def open_quote(rows: int, at: int = 40) -> Table:
    """Return a text in which one quote is not closed: that row is declared to be left out, and no other one."""
    lines = [f"{age},{ward},fine" for age, ward in zip(ages(rows), wards(rows), strict=True)]
    lines[at] = lines[at].replace("fine", '"not so')
    asked = [
        counts("ward", wards(rows)[:at] + wards(rows)[at + 1 :], WARDS),
        total("age", ages(rows)[:at] + ages(rows)[at + 1 :], 100),
    ]
    columns = {"age": AGE, "ward": WARD, "remark": Ignored()}
    content = "\n".join(["age,ward,remark", *lines, ""]).encode()
    return Table(content, columns, tuple(asked), Layout("text", lenient=True))


def workbook(rows: int, at: str) -> Table:
    """Return a workbook in which one sheet is meant; others hold other people, and the first one nothing."""
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink) as book:
        book.add_worksheet("empty")
        for name in SHEETS:
            many = rows if name == at else rows // 3
            _write(book.add_worksheet(name), [("age", "ward"), *zip(ages(many), wards(many), strict=True)], 0)
    return replace(people(sink.getvalue(), rows), layout=Layout("excel", sheet=at))


def corner(rows: int) -> Table:
    """Return a workbook without names, whose table begins in its third column: a column is called by its place."""
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink) as book:
        _write(book.add_worksheet("corner"), [*zip(ages(rows), wards(rows), strict=True)], 2)
    table = people(sink.getvalue(), rows, "column 3", "column 4")
    return replace(table, layout=Layout("excel", header=False))


def _write(sheet: Any, lines: Sequence[Sequence[Any]], left: int) -> None:
    for at, line in enumerate(lines):
        sheet.write_row(at, left, line)


def objects(rows: int) -> Table:
    """Return JSON whose first object names the columns; others lack some, or say more."""
    both = enumerate(zip(ages(rows), wards(rows), strict=True))
    more = [{"remark": "said"}, {}, {"later": [1]}]
    lines = [json.dumps({"age": age, "ward": ward, **more[at % 3]}) for at, (age, ward) in both]
    return people("\n".join(lines).encode(), rows, remark=Ignored())


def dated(rows: int) -> Table:
    """Return a text of UTF-16 and tabs below a comment; only those who came from June on are counted."""
    months, both = [1 + at % 12 for at in range(rows)], zip(ages(rows), wards(rows), strict=True)
    lines = [f"{age}\t{ward}\t07.{month:02}.2029" for (age, ward), month in zip(both, months, strict=True)]
    table = people("\n".join(["# those of 2029", "age\tward\tcame", *lines, ""]).encode("utf-16"), rows)
    late = [ward for ward, month in zip(wards(rows), months, strict=True) if month >= 6]
    first = counts("ward", late, WARDS)
    asked = replace(first, request=replace(first.request, where=(Filter("came", ">=", "2029-06-01"),)))
    came = Date("2029-01-01", "2029-12-31", order="day-month-year", origin="the survey")
    return replace(table, columns={**table.columns, "came": came}, asked=(asked, *table.asked))


def visits(rows: int, each: int = 3) -> Table:
    """Return a Parquet file in which every person has so many rows."""
    who = [f"p{at // each}" for at in range(rows)]
    sink = io.BytesIO()
    pq.write_table(pa.table({"who": who, "age": ages(rows), "ward": wards(rows)}), sink)
    asked = counts("ward", wards(rows), WARDS, each), total("age", ages(rows), 100, each)
    return Table(sink.getvalue(), {"who": Person(rows=each), "age": AGE, "ward": WARD}, asked)


def semicolons(rows: int) -> Table:
    """Return a text of UTF-8 in which semicolons stand between cells, as is declared."""
    lines = [f"{age};{ward}" for age, ward in zip(ages(rows), wards(rows), strict=True)]
    table = people("\n".join(["age;ward", *lines, ""]).encode(), rows)
    return replace(table, layout=Layout("text", separator=";"))


def fees(rows: int, largest: int = FEE) -> Table:
    """Return a text of fees, which rise with each version."""
    paid = [largest - at % 90 for at in range(rows)]
    lines = [f"{fee},{ward}" for fee, ward in zip(paid, wards(rows), strict=True)]
    asked = counts("ward", wards(rows), WARDS), total("fee", paid, largest)
    columns = {"fee": Number(0, largest, integer=True, origin="a tariff"), "ward": WARD}
    return Table("\n".join(["fee,ward", *lines, ""]).encode(), columns, asked)


def noted(rows: int, of: str) -> Table:
    """Return a text that no other one is like but by the names of its columns."""
    both = enumerate(zip(ages(rows), wards(rows), strict=True))
    lines = [f"{age},{ward},{of}-{at}" for at, (age, ward) in both]
    return people("\n".join(["age,ward,note", *lines, ""]).encode(), rows, note=Ignored())


def registered() -> dict[str, tuple[Table, ...]]:
    """Return all versions of what is registered, by name."""
    return {
        "heights": (german(ROWS), german(ROWS + 30)),
        "named rows": (named_rows(ROWS), named_rows(ROWS + 60)),
        "over lines": (over_lines(ROWS),),
        "by place": (by_place(ROWS), by_place(ROWS + 60)),
        "open quote": (open_quote(ROWS),),
        "first sheet": (workbook(ROWS, SHEETS[0]), workbook(ROWS + 60, SHEETS[0])),
        "second sheet": (workbook(ROWS + 3, SHEETS[1]),),
        "corner": (corner(ROWS),),
        "objects": (objects(ROWS),),
        "dated": (dated(ROWS),),
        "visits": (visits(ROWS), visits(ROWS + 90)),
        "fees": (fees(ROWS), fees(ROWS + 30, LATER_FEE)),
    }
