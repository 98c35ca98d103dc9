"""Answers of every mechanism about a small table, to be published."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from discreet.budget import Cost, SessionLedger
from discreet.curator import Curator, Release, Request
from discreet.curator.plan import FixedPlan
from discreet.mechanisms.counts_gaussian import CountsGaussian
from discreet.mechanisms.global_mean import TwoCounts
from discreet.mechanisms.laplace import GlobalLaplace
from discreet.mechanisms.quantile_tree import QuantileTree
from discreet.mechanisms.selection import PermuteAndFlip
from discreet.queries.count import Count
from discreet.rows import Category, Dataset, Date, Filter, LocalSource, Number, Schema

ROOT = Path(__file__).resolve().parents[2]


HOSTILE = "<script>alert('a')</script> & \"b\""


SCHEMA = Schema(
    {
        "age": Number(0, 90, integer=True, unit="years"),
        HOSTILE: Category(("<b>x</b>", "&amp;", "{0}", "=1+1")),
        "town": Category(("north", "south")),
        "day": Date("2024-01-01", "2024-12-31"),
    }
)


LEVELS = SCHEMA.category(HOSTILE).labels


ROWS = "".join(
    f'{20 + i % 50},"{LEVELS[i % 4].replace(chr(34), chr(34) * 2)}",{("north", "south")[i % 2]},2024-0{1 + i % 9}-10\n'
    for i in range(2000)
)


FILE = f'age,"{HOSTILE.replace(chr(34), chr(34) * 2)}",town,day\n{ROWS}'


PLAN = FixedPlan(
    (
        Request(TwoCounts(epsilon=0.2), ("age",)),
        Request(TwoCounts(epsilon=0.2), ("age",), by=HOSTILE),
        Request(GlobalLaplace(query=Count(), epsilon=0.2), ("age",), by=(HOSTILE, "town")),
        Request(CountsGaussian(epsilon=0.2), ("town",), (Filter(HOSTILE, "=", "&amp;"),)),
        Request(QuantileTree(epsilon=0.2), ("age",), by="town"),
        Request(QuantileTree(epsilon=0.2), ("day",)),
        Request(PermuteAndFlip(epsilon=0.2), (HOSTILE,)),
    ),
    1e-6,
)


def curator(schema: Schema = SCHEMA, text: str = FILE) -> Curator:
    """Return who answers for the file."""
    return Curator(Dataset(LocalSource(text.encode()), schema), SessionLedger(Cost.of(20, "1e-2")), tick=0)


def release(mechanism: Any, answer: Any, interval: Any, column: str = "age", **more: Any) -> Release:
    """Return an answer as if it had been drawn."""
    request = Request(mechanism, (column,), **more)
    return Release("a" * 64, request, answer, request.cost(), 0, interval, at=datetime(2026, 7, 26, tzinfo=UTC))
