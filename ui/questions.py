"""Which questions the page Ask offers, and the mechanism behind each."""

from __future__ import annotations

from collections.abc import Callable

from curator import Number, Schema
from mechanisms import Mechanism
from mechanisms.global_mean import TwoCounts
from mechanisms.laplace import Geometric, GlobalLaplace
from mechanisms.quantile_exponential import QuantileExponential
from mechanisms.smooth import SmoothCoreTail
from queries import Relation
from queries.count import Count
from queries.mean import Mean
from queries.median import Median
from queries.sum import Sum

CHOICES: dict[str, Callable[[float, Relation], Mechanism]] = {
    "Mean (smooth sensitivity)": lambda e, r: SmoothCoreTail(Mean(r), e, m=64),
    "Mean (two soft counts)": lambda e, r: TwoCounts(epsilon=e, relation=r),
    "Median (exponential mechanism)": lambda e, r: QuantileExponential(
        q=0.5, epsilon=e, relation=r
    ),
    "Median (smooth sensitivity)": lambda e, r: SmoothCoreTail(Median(r), e, m=3),
    "Quantile 0.9 (exponential mechanism)": lambda e, r: QuantileExponential(
        q=0.9, epsilon=e, relation=r
    ),
    "Sum (Laplace)": lambda e, r: GlobalLaplace(Sum(r), e),
    "Count (geometric)": lambda e, r: Geometric(Count(r), e),
}


def mechanism_for(choice: str, epsilon: float, rows: int) -> Mechanism:
    """Return the mechanism of a choice, for so many rows a person."""
    return CHOICES[choice](epsilon, Relation(rows=rows))


def number_columns(schema: Schema) -> list[str]:
    """Return the names of the number columns."""
    return [name for name, declared in schema.columns.items() if isinstance(declared, Number)]
