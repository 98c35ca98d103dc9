"""Plan record: what a plan is worth and costs, as plain JSON, before anything is asked."""

from __future__ import annotations

from typing import Any

from discreet.lab.plans.planned import Planned, PlannedRow


def plan_record(way: Planned) -> dict[str, Any]:
    """Return the rows of a plan with their methods and errors, and what they cost together."""
    record = {"rows": [_row_record(row) for row in way.rows], **total_record(way)}
    return record | {"people": way.plan.people, "shape": way.plan.shape}


def total_record(way: Planned) -> dict[str, Any]:
    """Return what a plan costs, and why."""
    cost, plain = way.total.cost, way.total.plain
    return {"total": cost.numbers, "proof": str(way.total.proof), "plain_sum": plain.numbers}


def _row_record(row: PlannedRow) -> dict[str, Any]:
    item, own = row.item, row.request.cost()
    return {
        "statistic": item.statistic,
        "column": item.column,
        "by": item.by,
        "method": row.mechanism.slug,
        "interval": item.interval,
        "reason": str(row.reason),
        "epsilon": own.epsilon,
        "delta": own.delta,
        "error": row.error,
        "of_wish": row.ratio,
        "vague": row.vague,
    }
