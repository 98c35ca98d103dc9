"""Work: a question that is too large is refused before it costs anything."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from discreet.budget import Cost, ParameterError, SessionLedger
from discreet.curator import Curator, Request
from discreet.mechanisms import registry as mechanisms
from discreet.queries.mean import Mean
from discreet.rows import Category, Dataset, LocalSource, Number, Schema
from discreet.rows.filters import Filter

LAPLACE: Any = mechanisms["laplace"]
ASKED = LAPLACE(query=Mean(), epsilon=0.1)


def office(levels: int, upper: float = 100) -> tuple[Curator, SessionLedger]:
    """Return a curator of a few rows, with so many declared levels and steps."""
    schema = Schema({"pay": Number(0, upper, integer=True), "town": Category(tuple(f"t{i}" for i in range(levels)))})
    table = pa.table({"pay": [1, 2, 3], "town": ["t0", "t1", "t1"]})
    ledger = SessionLedger(Cost.of("3", "1e-5"))
    return Curator(Dataset(LocalSource(table), schema), ledger), ledger


@pytest.mark.parametrize(
    ("levels", "upper", "request_", "says"),
    [
        (2_000, 1_000_000, Request(ASKED, ("pay",), by="town"), "coarser step"),
        (10_001, 100, Request(ASKED, ("pay",), by="town"), "at most 10,000 groups"),
        (2, 100, Request(ASKED, ("pay",), (Filter("pay", ">=", 1),) * 101), "at most 100 cond"),
    ],
)
def test_a_question_that_is_too_large_is_refused_and_costs_nothing(
    levels: int, upper: float, request_: Request, says: str
) -> None:
    """By its declaration alone: three rows are refused as three billion would be."""
    curator, ledger = office(levels, upper)
    with pytest.raises(ParameterError, match=says):
        curator.ask(request_)
    assert ledger.spent == Cost.zero()


def test_ordinary_questions_are_not_refused() -> None:
    """A thousand groups of a hundred steps, and a column of a million steps, are answered."""
    curator, _ = office(1_000)
    assert curator.ask(Request(ASKED, ("pay",), by="town")).answer is not None
    curator, _ = office(2, 1_000_000)
    assert curator.ask(Request(ASKED, ("pay",))).answer is not None
