"""Coarse: the grid on which a question is looked at, where nobody can go through all answers on the declared one.

Several quantiles at once have as many answers as there are ways to choose so many cells: on a grid of a
few cells all of them are gone through. Everything else stays on the grid that was declared.
"""

from __future__ import annotations

from dataclasses import replace

from discreet.curator.request import Request
from discreet.mechanisms.quartile_range import QuartileRange
from discreet.mechanisms.several_quantiles import SeveralQuantiles
from discreet.rows.columns.number import Number
from discreet.rows.schema import Schema

CELLS = 3


def is_coarse(request: Request) -> bool:
    """Say whether all answers together are too many on the declared grid."""
    return isinstance(request.mechanism, SeveralQuantiles | QuartileRange)


def coarse(request: Request, schema: Schema) -> tuple[Request, Schema]:
    """Return the question and the declaration on which it is looked at; most are as they were asked."""
    if not is_coarse(request):
        return request, schema
    bounds = {name: schema.bounds(name) for name in request.columns}
    few = {name: Number(b.lower, b.upper, step=(b.upper - b.lower) / CELLS) for name, b in bounds.items()}
    # what a filter compares with may be no number of this grid
    where = tuple(each for each in request.where if not {part.column for part in each.filters} & few.keys())
    return replace(request, where=where), replace(schema, columns={**schema.columns, **few})
