"""Units: what the number of an answer is counted in, where the declaration says it."""

from __future__ import annotations

from curator import Number, Request, Schema
from mechanisms.sample_aggregate import SampleAggregate
from ui.words import say

WITHOUT = {"count", "variance", "gini", "skewness", "correlation", "slope", "intercept"}


def unit_of(request: Request, schema: Schema) -> str:
    """Return the unit behind an answer, with a blank before it, or nothing."""
    mechanism = request.mechanism
    if mechanism.view == "scores":
        return f" {say('rows')}" if type(mechanism).topics() == ("counts",) else ""
    query = getattr(mechanism, "query", None)
    name = query.name if query is not None else ""
    if isinstance(mechanism, SampleAggregate):
        name = mechanism.estimator.partition(":")[0]
    if name == "count":
        return f" {say('rows')}"
    declared = schema.columns.get(request.columns[0])
    if name in WITHOUT or not isinstance(declared, Number) or not declared.unit:
        return ""
    return f" {say(declared.unit)}"
