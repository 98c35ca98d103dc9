"""Hard cells: what lies at the edges of grids and of number types, as columns with declarations."""

from __future__ import annotations

import decimal
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from discreet.rows import Bands, Category, Date, Either, Filter, Number, Recode, Schema
from discreet.rows.columns import Kind, YesNo
from discreet.rows.columns.grouping import Grouping
from discreet.rows.counting import Task
from discreet.rows.filters import Condition

EDGES = 50
GRIDS = {
    "fine": Number(0.0, 5000.0),
    "coarse": Number(-10.0, 10.0, step=0.5),
    "odd step": Number(0.1, 0.7, step=0.1),
    "huge": Number(-1e200, 1e200, step=1e198),
    "between wholes": Number(-1.5, 120.5, step=0.5),
    "tiny": Number(0.0, 1e-200, step=1e-203),
    "far": Number(1e15, 1e15 + 64.0, step=0.25),
    "whole": Number(0, 120, integer=True),
    "by sevens": Number(-3, 101, step=7, integer=True),
    "constant": Number(-1.0, 1.0, step=0.125, missing=0.5),
}
ENDS = {
    "int64 ends": Number(-(2**62) + 1, 2**62 - 1, step=2**55, integer=True),
    "beyond a double": Number(2**53, 2**53 + 9, integer=True),
    "ages": Number(0, 120, integer=True, missing=40),
}
TEXTS = (
    "north",
    " north ",
    "North",
    "NORTH",
    "",
    " ",
    "1",
    "1.0",
    "01",
    "true",
    "TRUE",
    "\u00e4",
    "a\u0308",
    "east",
    "\u00a0east",
    "x" * 5000,
)
LONG = {  # at the edges of what a cell of a kind may take, with blanks around it and without
    "number": (
        GRIDS["whole"],
        ["0" * 399 + "7", "0" * 400 + "7", "7." + "0" * 398, "7." + "0" * 399, "7" + " " * 4095, "7" + " " * 4096]
        + [" " * 500 + "7" + " " * 500, "\u00a0" * 2000 + "7", "\u00a0" * 2048 + "7", "9" * 500_000, "7"],
    ),
    "grouped": (
        Number(0.0, 1e9, thousands=",", affixes=("EUR", "()")),
        ["1" + ",234" * 90, "1" + ",234" * 100, "EUR" + " " * 390 + "7", "EUR" + " " * 400 + "7", "(7)" + " " * 4000]
        + ["1,234" * 100_000, "7 EUR"],
    ),
    "date": (
        Date("2020-01-01", "2029-12-31", order="day-month-year"),
        ["31.12.2024", " " * 4000 + "31.12.2024", " " * 4090 + "31.12.2024", "31.12.2024 " + "0" * 500]
        + ["30th.-september.-2024, 12:34:56.123456789 a.m. +05:30", "2024 \u5e74 12 \u6708 31 \u65e5"],
    ),
    "level": (
        Category(("north", "1", "true")),
        ["1." + "0" * 67, "1." + "0" * 68, "north" + " " * 4091, "north" + " " * 4092, "TRUE" + " " * 300]
        + ["north" * 100_000],
    ),
    "other": (Category(("north",), other=True), ["north" + " " * 4092, "north" * 100_000, "north", "", None]),
    "word": (YesNo(("k" * 60,), ("n",)), ["\u212a" * 60, " " * 4000 + "k" * 60, "k" * 61, "y" * 500_000, "N", "n" * 2]),
}


@dataclass(frozen=True)
class Hard:
    """A column of cells, how it is declared, and what filters may ask of it."""

    cells: pa.Array
    declared: Kind
    wheres: tuple[tuple[Condition, ...], ...] = ((),)

    @property
    def schema(self) -> Schema:
        """The declaration of a table that has this column only."""
        return Schema({"x": self.declared})

    @property
    def in_bands(self) -> list[Task]:
        """The task that counts its usual bands, or its levels after two were merged, if it has some."""
        numbers = self.schema.numbers
        usual = numbers["x"].usual if numbers else None
        by: list[Grouping] = [] if usual is None else [Bands("x", every=usual)]
        if not numbers and len(labels := self.schema.category("x").labels) > 1:
            by = [Recode("x", ((labels[-1], "last"), (labels[0], "first")))]
        return [Task.of(self.schema, (), (each,), ()) for each in by]

    @property
    def table(self) -> pa.Table:
        """The table."""
        return pa.table({"x": self.cells})


def around(values: Any) -> list[float]:
    """Return doubles and their neighbours on both sides."""
    doubles = np.asarray(values, dtype=np.float64)
    return [*doubles, *np.nextafter(doubles, -np.inf), *np.nextafter(doubles, np.inf)]


def floats(declared: Number) -> list[float | None]:
    """Return cells around the bounds and many edges of cells, and every odd double there is."""
    grid = declared.bounds
    ticks = np.unique(np.linspace(0, grid.top, EDGES).astype(np.int64))
    middles = [float(grid.lower) + float(grid.resolution) * (tick + 0.5) for tick in ticks.tolist()]
    cells = around([grid.lower, grid.upper, *middles, *np.asarray(grid.value(ticks), dtype=np.float64)])
    odd = around([0.0, -0.0, 1.0, 2.0**53, 2.0**63, 2.2250738585072014e-308])
    least = [5e-324, -5e-324, 1e-310, np.finfo(np.float64).max, np.finfo(np.float64).min]
    return [*cells, *odd, *least, float("inf"), float("-inf"), float("nan"), None, None]


def compared(declared: Number) -> tuple[tuple[Condition, ...], ...]:
    """Return filters at, beside and beyond a few ticks."""
    grid = declared.bounds
    numbers = [float(grid.value(grid.top // 3)), float(grid.value(grid.top // 3)) + float(grid.resolution) / 3]
    numbers.append(float(grid.lower))
    each: list[tuple[Condition, ...]] = [
        (Filter("x", sign, number),) for sign in ("=", "!=", "<", "<=", ">", ">=") for number in numbers
    ]
    outside = Either((Filter("x", "<", numbers[0]), Filter("x", ">", numbers[1])))
    return ((), *each, (Filter("x", ">", numbers[0]), Filter("x", "<=", numbers[1])), (outside,))


def vectors() -> dict[str, Hard]:
    """Return all columns by name."""
    hard = {f"float64 {name}": Hard(pa.array(floats(kind)), kind, compared(kind)) for name, kind in GRIDS.items()}
    for name in ("coarse", "odd step", "whole"):
        with np.errstate(over="ignore", under="ignore"):
            short = [None if cell is None else np.float32(cell) for cell in floats(GRIDS[name])]
        hard[f"float32 {name}"] = Hard(pa.array(short, pa.float32()), GRIDS[name])
    whole = [0, 1, -1, -2, 120, 121, 2**31, -(2**31), 2**53, 2**53 + 1, 2**62, 2**63 - 1, -(2**63), 7, 50, None, None]
    for name, kind in (
        ENDS | {key: GRIDS[key] for key in ("fine", "between wholes", "whole", "by sevens", "constant")}
    ).items():
        hard[f"int64 {name}"] = Hard(pa.array(whole, pa.int64()), kind, compared(kind))
    exact = [decimal.Decimal(cell) for cell in ("0", "-0.0", "0.25", "4.75", "4.7500000001", "1e4", "-1e4", "0.1")]
    for name in ("coarse", "whole"):
        hard[f"decimal {name}"] = Hard(pa.array([*exact, None], pa.decimal128(30, 10)), GRIDS[name])
    levels = Category(("north", "1", "true", "\u00e4"), other=True)
    for name, kind in {"levels": levels, "no other": Category(("north", "True"))}.items():
        wheres = ((), (Filter("x", "=", kind.levels[0]),), (Filter("x", "!=", kind.levels[0]),))
        hard[f"text {name}"] = Hard(pa.array([*TEXTS, None]), kind, wheres)
    hard["text number"] = Hard(
        pa.array([*TEXTS, "5", "+5", "5e0", "inf", "-inf", "nan", "1e999", None]), GRIDS["whole"]
    )
    hard |= {f"long {name}": Hard(pa.array([*cells, None], pa.string()), kind) for name, (kind, cells) in LONG.items()}
    hard["truth"] = Hard(pa.array([True, False, None]), Category(("true", "false")), ((), (Filter("x", "=", "true"),)))
    hard["truth as number"] = Hard(pa.array([True, False, None]), Number(0, 1, step=0.5))
    return hard
