"""Units: what the number of an answer is counted in, where the declaration says it."""

from __future__ import annotations

from discreet.curator import Request
from discreet.rows import Schema
from discreet.ui.frame.words import say


def unit_of(request: Request, schema: Schema) -> str:
    """Return the unit behind an answer, with a blank before it, or nothing."""
    declared = schema.columns.get(request.columns[0])
    unit = request.mechanism.view.unit("" if declared is None else declared.unit)
    return f" {say(unit)}" if unit else ""
