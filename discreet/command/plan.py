"""Propose methods and shares for a plan, and forecast its errors. Nothing is read and nothing is spent.

PLAN is JSON: one total for all rows, a public guess of how many people there are, and rows, each a
statistic of a column, by groups and under conditions where you like. A row may have a "wish" (an
error that you can live with, 19 times in 20), a "weight", a "held" epsilon or a "method"; the rest
is chosen. Where a row says "interval": true, it is chosen among methods that tell one, and half its
width takes the place of the error. `--schema` prints the JSON Schema of all of it.

PLAN may also be a list of requests as INSEE's app keeps them, which has no total: give one, and
`--write` the plan that it makes, to look at and to run.

Because no row is chosen after seeing the answer of another, the total is less than the sum of all
rows where that is proven; what is printed is what `discreet run-plan` charges.

example:
  discreet plan plan.json --declaration columns.json
  discreet plan requests.json --declaration columns.json --total 1,1e-6 --write plan.json
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from discreet.budget import Cost, ParameterError, Phrase
from discreet.command import questions
from discreet.command.words import FINE, Outcome, cost, ended, parser_of
from discreet.plans import Planned, PlannedRow, plan_from, plan_text, planned, request_list
from discreet.plans.plan import SCHEMA
from discreet.plans.planning import plan_record
from discreet.rows.schema import Schema


def main(words: Sequence[str]) -> int:
    """Plan, and print the forecast."""
    if list(words) == ["--schema"]:
        print(json.dumps(SCHEMA, indent=1))
        return FINE
    parser = parser_of("plan", __doc__)
    parser.add_argument("plan", metavar="PLAN", help="a JSON file with the plan")
    parser.add_argument("--declaration", required=True, metavar="DECLARATION")
    parser.add_argument(
        "--total", type=cost, metavar="EPSILON[,DELTA]", help="use this total instead of the plan's own"
    )
    parser.add_argument("--write", metavar="FILE", help="write the plan to a file, to edit or run it later")
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of plans")
    options = parser.parse_args(words)
    return ended(lambda: _forecast(options), options.json)


def read(path: str, schema: Schema, total: Cost | None = None) -> tuple[Planned, tuple[Phrase, ...]]:
    """Return the plan of a file, with methods and shares, and notes on what a request list means differently."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ParameterError("This is no plan: it is no JSON.") from None
    listed = request_list.is_request_list(text)
    if listed and total is None:
        raise ParameterError(
            "A list of requests has no total: discreet plan {path} --total 1 --write plan.json", path=path
        )
    opened = request_list.opened(text, schema, total) if listed and total else None
    plan = plan_from(text) if opened is None else opened.plan
    way = planned(plan if total is None else plan.of(total), schema)
    way.fixed.check(schema)
    return way, () if opened is None else opened.notes


def _forecast(options: Namespace) -> Outcome:
    way, notes = read(options.plan, questions.declaration(options.declaration), options.total)
    if options.write:
        Path(options.write).write_text(plan_text(way.plan), encoding="utf-8")
    record = plan_record(way) | {"notes": list(notes)}
    about = f"Forecast for {way.plan.people:,} simulated people, distribution {way.plan.shape!r}:"
    lines = [_line(number, row) for number, row in enumerate(way.rows, 1)]
    return FINE, record, [*notes, about, *lines, *total_lines(way)]


def total_lines(way: Planned) -> list[str]:
    """Return the total and its proof as lines."""
    line = f"Total: {way.total.cost}, proven by: {way.total.proof}."
    return [line] if way.total.cost == way.total.plain else [line, f"The plain sum of all rows: {way.total.plain}."]


def _line(number: int, row: PlannedRow) -> str:
    item = row.item
    what = f"{item.statistic} of {item.column}" + (f" by {', '.join(item.groups)}" if item.groups else "")
    wish = "" if row.ratio is None else f", {row.ratio:.0%} of the wish"
    vague = "  (says next to nothing)" if row.vague else ""
    return f"{number:>4}  {what:<36} +/- {row.error:<12.4g}{wish}  {row.mechanism.slug}, {row.request.cost()}{vague}"
