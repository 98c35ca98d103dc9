"""Odd tables: files as they lie on people's disks, each with what was meant by it.

All of them are generated here. A table is read as it is meant by the declaration of somebody who
knows what is in it; where somebody careless declares it as plain numbers and plain words, the
check of what could be read names the column; what is no table is refused in a sentence.
"""

from __future__ import annotations

import gzip
import io
import json
import pickle
import sqlite3
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import xlsxwriter

from discreet.rows import Category, Date, Number, YesNo
from discreet.rows.columns import Kind

ROWS = 600
AMOUNTS = [round(900 + 7.25 * i, 2) for i in range(ROWS)]
AGES = [18 + i % 70 for i in range(ROWS)]
SEXES = ["female" if i % 3 else "male" for i in range(ROWS)]
DAYS = [date(2020, 1, 1) + timedelta(days=i) for i in range(ROWS)]
TRUTHS = [i % 4 == 0 for i in range(ROWS)]
AMOUNT, AGE = Number(0, 10_000, step=0.01), Number(0, 120, integer=True)
DAY = Date("2020-01-01", "2024-12-31")
SEX, ANSWER = Category(("female", "male")), YesNo()


@dataclass(frozen=True)
class Odd:
    """A file, the column that is odd in it, how it is declared with care, and what its cells mean."""

    data: bytes
    column: str
    careful: Kind
    meant: Sequence[Any]
    careless: Kind | None = None  # who declares it so must be told
    layout: dict[str, Any] = field(default_factory=dict)  # what is corrected of how it is read


def lines(*columns: Sequence[object], header: str = "", separator: str = ",", end: str = "\n") -> str:
    """Return columns as text."""
    rows = (separator.join(map(str, row)) for row in zip(*columns, strict=True))
    return end.join([*([header] if header else []), *rows]) + end


def german(value: float) -> str:
    """Write a number as in Germany: 1.234,50."""
    return f"{value:,.2f}".translate(str.maketrans(",.", ".,"))


def typed(frame: pd.DataFrame | pa.Table) -> bytes:
    """Return a file of Parquet."""
    sink = io.BytesIO()
    pq.write_table(frame if isinstance(frame, pa.Table) else pa.Table.from_pandas(frame), sink)
    return sink.getvalue()


def book(rows: Sequence[Sequence[object]], sheets: Sequence[str] = ("Sheet1",)) -> bytes:
    """Return a workbook; the table lies in its last sheet, the others hold a remark."""
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"default_date_format": "yyyy-mm-dd"}) as workbook:
        for name in sheets:
            sheet = workbook.add_worksheet(name)
            for at, row in enumerate(rows if name == sheets[-1] else [["a remark"]]):
                sheet.write_row(at, 0, row)
    return sink.getvalue()


def labelled(verb: str, name: str, frame: pd.DataFrame, **more: Any) -> bytes:
    """Return a file of a statistics program."""
    import pyreadstat

    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        getattr(pyreadstat, verb)(frame, str(path), **more)
        return path.read_bytes()


def csv(*columns: Sequence[object], header: str, **how: Any) -> bytes:
    """Return columns as a text in UTF-8."""
    return lines(*columns, header=header, **how).encode()


EURO = Number(0, 10_000, step=0.01, decimal=",", thousands=".", affixes=("€",))
DOLLAR = Number(0, 10_000, step=0.01, thousands=",", affixes=("$",))
COMMA = Number(0, 10_000, step=0.01, decimal=",")
PERCENT = Number(0, 100, step=0.5, affixes=("%",))
SHARES = [round((i % 200) / 2, 1) for i in range(ROWS)]
BLANKS = [f"{a:,.2f}".replace(",", "\u202f") for a in AMOUNTS]
SWISS = [f"{a:,.2f}".replace(",", "'") for a in AMOUNTS]
CLOCK = [datetime(2020, 1, 1, i % 24, 30) + timedelta(days=i) for i in range(ROWS)]


def tables() -> dict[str, Callable[[], Odd]]:
    """Return every odd table by its name, made when it is asked for."""
    age, amount = "age", "amount"
    people = {"age": AGES, "amount": AMOUNTS}
    both = f"{age},{amount}"
    return {
        "german": lambda: Odd(
            lines(AGES, map(german, AMOUNTS), header="age;amount", separator=";").encode("cp1252"),
            amount,
            Number(0, 10_000, step=0.01, decimal=",", thousands="."),
            AMOUNTS,
            AMOUNT,
        ),
        "comma decimals": lambda: Odd(
            csv(AGES, [str(a).replace(".", ",") for a in AMOUNTS], header="age;amount", separator=";"),
            amount,
            COMMA,
            AMOUNTS,
            AMOUNT,
        ),
        "euros behind": lambda: Odd(
            csv(AGES, [f"{german(a)} €" for a in AMOUNTS], header="age;amount", separator=";"),
            amount,
            EURO,
            AMOUNTS,
            AMOUNT,
        ),
        "dollars in front": lambda: Odd(
            csv(AGES, [f'"${a:,.2f}"' for a in AMOUNTS], header=both), amount, DOLLAR, AMOUNTS, AMOUNT
        ),
        "thousands in quotes": lambda: Odd(
            csv(AGES, [f'"{a:,.2f}"' for a in AMOUNTS], header=both),
            amount,
            Number(0, 10_000, step=0.01, thousands=","),
            AMOUNTS,
            AMOUNT,
        ),
        "thin blanks": lambda: Odd(
            csv(AGES, BLANKS, header=both), amount, Number(0, 10_000, step=0.01, thousands=" "), AMOUNTS, AMOUNT
        ),
        "swiss": lambda: Odd(
            csv(AGES, SWISS, header=both), amount, Number(0, 10_000, step=0.01, thousands="'"), AMOUNTS, AMOUNT
        ),
        "percent": lambda: Odd(
            csv(AGES, [f"{s}%" for s in SHARES], header="age,share"), "share", PERCENT, SHARES, Number(0, 100)
        ),
        "percent with a comma": lambda: Odd(
            csv(AGES, [f"{s} %".replace(".", ",") for s in SHARES], header="age;share", separator=";"),
            "share",
            Number(0, 100, step=0.5, decimal=",", affixes=("%",)),
            SHARES,
            Number(0, 100),
        ),
        "kilograms": lambda: Odd(
            csv(AGES, [f"{s} kg" for s in SHARES], header="age,share"),
            "share",
            Number(0, 100, step=0.5, affixes=("kg",)),
            SHARES,
            Number(0, 100),
        ),
        "iso days": lambda: Odd(csv(AGES, DAYS, header="age,day"), "day", DAY, DAYS, AMOUNT),
        "german days": lambda: Odd(
            csv(AGES, [f"{d:%d.%m.%Y}" for d in DAYS], header="age,day"),
            "day",
            Date("2020-01-01", "2024-12-31", order="day-month-year"),
            DAYS,
            AMOUNT,
        ),
        "american days": lambda: Odd(
            csv(AGES, [f"{d:%m/%d/%Y}" for d in DAYS], header="age,day"),
            "day",
            Date("2020-01-01", "2024-12-31", order="month-day-year"),
            DAYS,
            AMOUNT,
        ),
        "times": lambda: Odd(csv(AGES, CLOCK, header="age,day"), "day", DAY, [c.date() for c in CLOCK], AMOUNT),
        "times of a zone": lambda: Odd(
            csv(AGES, [f"{c:%Y-%m-%dT%H:%M:%S}Z" for c in CLOCK], header="age,day"),
            "day",
            DAY,
            [c.date() for c in CLOCK],
            AMOUNT,
        ),
        "parquet days": lambda: Odd(typed(pd.DataFrame({"age": AGES, "day": DAYS})), "day", DAY, DAYS, AMOUNT),
        "parquet times": lambda: Odd(
            typed(pd.DataFrame({"age": AGES, "day": CLOCK})), "day", DAY, [c.date() for c in CLOCK], AMOUNT
        ),
        "excel days": lambda: Odd(
            book([["age", "day"], *map(list, zip(AGES, DAYS, strict=True))]), "day", DAY, DAYS, AMOUNT
        ),
        "capital levels": lambda: Odd(
            csv(AGES, [s.upper() for s in SEXES], header="age,sex"),
            "sex",
            Category(("FEMALE", "MALE"), names=("female", "male")),
            SEXES,
            SEX,
        ),
        "codes": lambda: Odd(
            csv(AGES, [{"female": 2, "male": 1}[s] for s in SEXES], header="age,sex"),
            "sex",
            Category(("1", "2"), names=("male", "female")),
            SEXES,
            SEX,
        ),
        "codes as fractions": lambda: Odd(
            csv(AGES, [{"female": "2.0", "male": "1.0"}[s] for s in SEXES], header="age,sex"),
            "sex",
            Category(("1", "2"), names=("male", "female")),
            SEXES,
        ),
        "blanks around levels": lambda: Odd(csv(AGES, [f"  {s} " for s in SEXES], header="age,sex"), "sex", SEX, SEXES),
        "truths of python": lambda: Odd(
            csv(AGES, TRUTHS, header="age,ill"), "ill", ANSWER, TRUTHS, Category(("ja", "nein"))
        ),
        "truths in german": lambda: Odd(
            csv(AGES, ["ja" if t else "nein" for t in TRUTHS], header="age,ill"), "ill", ANSWER, TRUTHS
        ),
        "truths of parquet": lambda: Odd(typed(pd.DataFrame({"age": AGES, "ill": TRUTHS})), "ill", ANSWER, TRUTHS),
        "truths of excel": lambda: Odd(
            book([["age", "ill"], *map(list, zip(AGES, TRUTHS, strict=True))]), "ill", ANSWER, TRUTHS
        ),
        "index of pandas": lambda: Odd(pd.DataFrame(people).to_csv().encode(), amount, AMOUNT, AMOUNTS),
        "two columns of one name": lambda: Odd(
            csv(AGES, AMOUNTS, SHARES, header="age,amount,amount"), "amount (2)", Number(0, 100, step=0.5), SHARES
        ),
        "title above": lambda: Odd(
            b"Our survey of 2020\n\n" + csv(AGES, AMOUNTS, AGES, header="age,amount,again"),
            amount,
            AMOUNT,
            AMOUNTS,
            layout={"skip": 1},
        ),
        "comments": lambda: Odd(b"# exported today\n" + csv(AGES, AMOUNTS, header=both), amount, AMOUNT, AMOUNTS),
        "no header": lambda: Odd(csv(AGES, AMOUNTS, header=""), "column 2", AMOUNT, AMOUNTS),
        "semicolons": lambda: Odd(csv(AGES, AMOUNTS, header="age;amount", separator=";"), amount, AMOUNT, AMOUNTS),
        "tabs": lambda: Odd(csv(AGES, AMOUNTS, header="age\tamount", separator="\t"), amount, AMOUNT, AMOUNTS),
        "bars": lambda: Odd(csv(AGES, AMOUNTS, header="age|amount", separator="|"), amount, AMOUNT, AMOUNTS),
        "byte order mark": lambda: Odd(b"\xef\xbb\xbf" + csv(AGES, AMOUNTS, header=both), age, AGE, AGES),
        "utf-16": lambda: Odd(lines(AGES, AMOUNTS, header=both).encode("utf-16"), amount, AMOUNT, AMOUNTS),
        "chinese": lambda: Odd(
            lines(AGES, ["女" if s == "female" else "男" for s in SEXES], header="年龄,性别").encode("gb18030"),
            "性别",
            Category(("女", "男"), names=("female", "male")),
            SEXES,
            SEX,
            {"encoding": "gb18030"},
        ),
        "line ends of windows": lambda: Odd(csv(AGES, AMOUNTS, header=both, end="\r\n"), amount, AMOUNT, AMOUNTS),
        "cells over lines": lambda: Odd(
            csv([f'"a\nb, {a}"' for a in AGES], AMOUNTS, header="note,amount"), amount, AMOUNT, AMOUNTS
        ),
        "numbers in quotes": lambda: Odd(csv([f'"{a}"' for a in AGES], AMOUNTS, header=both), age, AGE, AGES),
        "plus signs": lambda: Odd(csv([f"+{a}" for a in AGES], AMOUNTS, header=both), age, AGE, AGES),
        "exponents": lambda: Odd(csv(AGES, [f"{a:.6e}" for a in AMOUNTS], header=both), amount, AMOUNT, AMOUNTS),
        "nullable integers": lambda: Odd(
            typed(pd.DataFrame({"age": pd.array(AGES, "Int64"), "amount": AMOUNTS})), age, AGE, AGES
        ),
        "decimals": lambda: Odd(
            typed(pa.table({"age": AGES, "amount": pa.array([Decimal(str(a)) for a in AMOUNTS])})),
            amount,
            AMOUNT,
            AMOUNTS,
        ),
        "categoricals": lambda: Odd(
            typed(pd.DataFrame({"sex": pd.Categorical(SEXES), "age": AGES})), "sex", SEX, SEXES
        ),
        "feather": lambda: Odd(_feathered(), amount, AMOUNT, AMOUNTS),
        "excel": lambda: Odd(
            book([["age", "amount"], *map(list, zip(AGES, AMOUNTS, strict=True))]), amount, AMOUNT, AMOUNTS
        ),
        "second sheet": lambda: Odd(
            book([["age", "amount"], *map(list, zip(AGES, AMOUNTS, strict=True))], ("Notes", "Data")),
            amount,
            AMOUNT,
            AMOUNTS,
            layout={"sheet": "Data"},
        ),
        "title in excel": lambda: Odd(
            book([["Our survey"], ["age", "amount"], *map(list, zip(AGES, AMOUNTS, strict=True))]),
            amount,
            AMOUNT,
            AMOUNTS,
            layout={"skip": 1},
        ),
        "packed": lambda: Odd(gzip.compress(csv(AGES, AMOUNTS, header=both)), amount, AMOUNT, AMOUNTS),
        "json lines": lambda: Odd(_json_lines().encode(), amount, AMOUNT, AMOUNTS),
        "json": lambda: Odd(f"[{','.join(_json_lines().splitlines())}]".encode(), amount, AMOUNT, AMOUNTS),
        "spss": lambda: Odd(labelled("write_sav", "x.sav", pd.DataFrame(people)), amount, AMOUNT, AMOUNTS),
        "stata": lambda: Odd(labelled("write_dta", "x.dta", pd.DataFrame(people)), amount, AMOUNT, AMOUNTS),
        "sas": lambda: Odd(labelled("write_xport", "x.xpt", pd.DataFrame(people)), amount, AMOUNT, AMOUNTS),
    }


def _feathered() -> bytes:
    sink = io.BytesIO()
    feather.write_feather(pa.table({"age": AGES, "amount": AMOUNTS}), sink)
    return sink.getvalue()


def _json_lines() -> str:
    return "\n".join(json.dumps({"age": a, "amount": b}) for a, b in zip(AGES, AMOUNTS, strict=True))


def refused() -> dict[str, bytes]:
    """Return what is no table, or none that can be read whole."""
    table = csv(AGES, AMOUNTS, header="age,amount")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.db"
        db = sqlite3.connect(path)
        db.execute("create table t (x)")
        db.commit()
        db.close()
        database = path.read_bytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("table.csv", table)
        archive.writestr("table 2.csv", table)
    whole = typed(pd.DataFrame({"age": AGES}))
    return {
        "empty": b"",
        "header alone": b"age,amount\n",
        "packed twice": gzip.compress(gzip.compress(table)),
        "archive": packed.getvalue(),
        "pickle": pickle.dumps({"age": AGES}),
        "database": database,
        "web page": b"<!DOCTYPE html><html><body><table></table></body></html>",
        "torn parquet": whole[: len(whole) // 2],
        "torn workbook": book([["age"], [1]])[:300],
        "old excel": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000),
        "picture": b"\x89PNG\r\n\x1a\n" + bytes(100),
        "nul signs": b"age,amount\n1,\x002\n",
        "open quote": b'age,amount\n1,"2\n' + table * 2000,
    }
