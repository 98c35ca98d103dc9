"""Tables: files as people bring them to a house, what is declared of each, and what its rows say.

No reading is asked for here what it says: every truth is counted from the lists that a file is written from.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import xlsxwriter

from discreet.curator import Request
from discreet.mechanisms import registry
from discreet.queries import Relation
from discreet.queries.sum import Sum
from discreet.rows import Category, Ignored, Number, Person, Schema
from discreet.rows.columns import Kind
from discreet.rows.files import Layout

COUNTS, TOTAL = 4.0, 6.0  # epsilons: an answer is off by more than is allowed here with a chance below exp(-28)
ROWS = 300
GROWN = "the rows of those who came later"
TOWNS = ("Köln", "Düren", "Bonn")
WARDS = ("north", "south")
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
    """The bytes of one version, its declaration, how it was said to be read (None: nobody said), what it says."""

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


def german(rows: int, heading: str = "Größe;Stadt") -> Table:
    """Return a text of Latin-1, semicolons and decimal commas."""
    towns, tenths = [TOWNS[at * at % 3] for at in range(rows)], [1500 + at % 400 for at in range(rows)]
    lines = [f"{tenth // 10},{tenth % 10};{town}" for tenth, town in zip(tenths, towns, strict=True)]
    height, town = heading.splitlines()[-1].split(";")
    asked = counts(town, towns, TOWNS), total(height, [tenth / 10 for tenth in tenths], 220)
    columns = {height: HEIGHT, town: Category(TOWNS, origin="a map")}
    return Table("\n".join([heading, *lines, ""]).encode("latin-1"), columns, asked)


def people(content: bytes, rows: int, age: str = "age", ward: str = "ward", **columns: Kind) -> Table:
    """Return a table of ages and wards, in whatever file."""
    asked = counts(ward, wards(rows), WARDS), total(age, ages(rows), 100)
    return Table(content, {age: AGE, ward: WARD, **columns}, asked)


def named_rows(rows: int) -> Table:
    """Return a text as R writes it: rows have names, and their column has none."""
    lines = [f'"{at + 1}",{age},"{ward}"' for at, (age, ward) in enumerate(zip(ages(rows), wards(rows), strict=True))]
    return people("\n".join(['"age","ward"', *lines, ""]).encode(), rows)


def over_lines(rows: int) -> Table:
    """Return a text with remarks in quotes that go on over lines and hold commas and quotes."""
    said = ['"came,\nand ""went""\n"', '""', '"plain"']
    both = enumerate(zip(ages(rows), wards(rows), strict=True))
    lines = [f"{age},{said[at % 3]},{ward}" for at, (age, ward) in both]
    return people("\n".join(["age,remark,ward", *lines, ""]).encode(), rows, remark=Ignored())


def by_place(rows: int) -> Table:
    """Return a text without a line of names."""
    lines = [f"{age},{ward},{at % 7}.5" for at, (age, ward) in enumerate(zip(ages(rows), wards(rows), strict=True))]
    return people("\n".join([*lines, ""]).encode(), rows, "column 1", "column 2")


def open_quote(rows: int, at: int = 40) -> Table:
    """Return a text in which one quote is not closed: that row cannot be read, and every other one can."""
    lines = [f"{age},{ward},fine" for age, ward in zip(ages(rows), wards(rows), strict=True)]
    lines[at] = lines[at].replace("fine", '"not so')
    asked = [
        counts("ward", wards(rows)[:at] + wards(rows)[at + 1 :], WARDS),
        total("age", ages(rows)[:at] + ages(rows)[at + 1 :], 100),
    ]
    columns = {"age": AGE, "ward": WARD, "remark": Ignored()}
    return Table("\n".join(["age,ward,remark", *lines, ""]).encode(), columns, tuple(asked))


def workbook(rows: int, sheets: Sequence[str], at: str, layout: Layout | None) -> Table:
    """Return a workbook in which one sheet is meant, and others hold other people."""
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink) as book:
        for name in sheets:
            many = rows if name == at else rows // 3
            sheet = book.add_worksheet(name)
            for line, row in enumerate([("age", "ward"), *zip(ages(many), wards(many), strict=True)]):
                sheet.write_row(line, 0, row)
    table = people(sink.getvalue(), rows)
    return Table(table.content, table.columns, table.asked, layout)


def visits(rows: int, each: int = 3) -> Table:
    """Return a Parquet file in which every person has so many rows."""
    who = [f"p{at // each}" for at in range(rows)]
    sink = io.BytesIO()
    pq.write_table(pa.table({"who": who, "age": ages(rows), "ward": wards(rows)}), sink)
    asked = counts("ward", wards(rows), WARDS, each), total("age", ages(rows), 100, each)
    return Table(sink.getvalue(), {"who": Person(rows=each), "age": AGE, "ward": WARD}, asked)


def registered() -> dict[str, tuple[Table, ...]]:
    """Return all versions of what is registered, by name: nobody says how a file is read but of `second sheet`."""
    second = Layout("excel", sheet="those")
    return {
        "heights": (german(ROWS), german(ROWS + 30)),
        "named rows": (named_rows(ROWS), named_rows(ROWS + 60)),
        "over lines": (over_lines(ROWS),),
        "by place": (by_place(ROWS), by_place(ROWS + 60)),
        "open quote": (open_quote(ROWS),),
        "first sheet": (workbook(ROWS, ("these", "those"), "these", None),),
        "second sheet": (workbook(ROWS + 3, ("these", "those"), "those", second),),
        "visits": (visits(ROWS), visits(ROWS + 90)),
    }
