"""Brought plan: a plan, or a list of requests, in a file that somebody brings to a server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discreet.budget import Cost
from discreet.budget.errors import ParameterError
from discreet.lab.plans import request_list
from discreet.lab.plans.plan_file import plan_from, plan_text
from discreet.lab.plans.wanted import Plan
from discreet.rows.aside import read_aside
from discreet.rows.capacity import MIB
from discreet.rows.schema import Schema

LARGEST = MIB


def brought_plan(data: bytes, schema: Schema, total: Cost) -> Plan:
    """Read it in the process that has limits; a list of requests under a declaration and a total of one's own."""
    if len(data) > LARGEST:
        raise ParameterError("A plan may have {most} MiB at most.", most=LARGEST // MIB)
    beside = {"schema": schema.to_json(), "total": [total.nano_epsilon, total.delta_units]}
    return plan_from(read_aside(in_our_form, data, beside).decode())


def in_our_form(data: bytes, beside: Mapping[str, Any]) -> bytes:
    """Return a file as the plan that would be saved here."""
    text = data.decode("utf-8-sig", "replace")
    if not request_list.is_request_list(text):
        return plan_text(plan_from(text)).encode()
    schema, total = Schema.from_json(beside["schema"]), Cost(*beside["total"])
    return plan_text(request_list.opened(text, schema, total).plan).encode()
