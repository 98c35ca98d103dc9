"""Units: what the number of an answer is counted in, where the declaration says it."""

from __future__ import annotations

from curator import Number, Request, Schema
from mechanisms.sample_aggregate import SampleAggregate
from mechanisms.vector import COUNTS
from queries.estimators import registry as estimators
from ui.words import say


def unit_of(request: Request, schema: Schema) -> str:
    """Return the unit behind an answer, with a blank before it, or nothing."""
    mechanism = request.mechanism
    if mechanism.view == "scores":
        return f" {say('rows')}" if COUNTS in type(mechanism).topics() else ""
    declared = schema.columns.get(request.columns[0])
    unit = declared.unit if isinstance(declared, Number) else ""
    query = getattr(mechanism, "query", None)
    if isinstance(mechanism, SampleAggregate):
        unit = estimators[mechanism.estimator].unit(unit)
    elif query is not None:
        unit = query.unit(unit)
    return f" {say(unit)}" if unit else ""
