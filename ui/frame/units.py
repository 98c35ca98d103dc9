"""Units: what the number of an answer is counted in, where the declaration says it."""

from __future__ import annotations

from discreet.curator import Number, Request, Schema
from discreet.ui.frame.words import say


def unit_of(request: Request, schema: Schema) -> str:
    """Return the unit behind an answer, with a blank before it, or nothing."""
    declared = schema.columns.get(request.columns[0])
    unit = request.mechanism.view.unit(declared.unit if isinstance(declared, Number) else "")
    return f" {say(unit)}" if unit else ""
