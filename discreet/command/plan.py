"""Choose mechanisms and shares for a plan, and forecast its margins of error. Nothing is read or spent.

PLAN is JSON: one total for all queries, a public guess of the number of people, and "rows", the list of
queries. Each query is a statistic of a column, optionally by groups and with a filter. A query may have
a "wish" (a target margin of error, 95%), a "weight", a "held" ε or a "method"; the rest is chosen. If a
query has "interval": true, only mechanisms that release an interval are considered, and half of its
width takes the place of the error. A query with a filter may have a "passing", the part of the people
that is guessed to pass (0.1 for a tenth); without it, every declared value is assumed equally often.
"sizes" has the guessed sizes of groups: [{"by": "town", "people": {"a": 700, "b": 300}}]. A margin of
error is then printed for the largest and the smallest group; targets are for a group of middle size.
`--schema` prints the JSON Schema of plans.

PLAN may also be a list of requests, as INSEE's app exports it. Such a list has no total: set it with
--total. Use --write to save the resulting plan, and check it before you run it.

No query is chosen after seeing the result of another. The total is therefore less than the sum of all
queries where that is proven; the printed total is what `discreet run-plan` charges.

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
from discreet.budget.errors import commas
from discreet.command import questions
from discreet.command.words import FINE, Outcome, cost, ended, parser_of
from discreet.plans import Planned, PlannedRow, plan_from, plan_text, planned, request_list
from discreet.plans.plan import SCHEMA
from discreet.plans.planning import guesses, plan_record
from discreet.rows.columns.grouping import in_words
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
        raise ParameterError("This file is not a plan file: it is not valid JSON.") from None
    listed = request_list.is_request_list(text)
    if listed and total is None:
        raise ParameterError(
            "A list of requests has no total. Set one: discreet plan {path} --total 1 --write plan.json", path=path
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
    assumed = guesses(way, range(1, len(way.rows) + 1))
    record = plan_record(way) | {"notes": [*notes, *assumed]}
    about = f"Forecast for {way.plan.people:,} simulated people, distribution {way.plan.shape!r}:"
    lines = [_line(number, row) for number, row in enumerate(way.rows, 1)]
    return FINE, record, [*notes, about, *lines, *map(str, assumed), *total_lines(way)]


def total_lines(way: Planned) -> list[str]:
    """Return the total and its proof as lines."""
    shares = list(map(str, way.fixed.sharing))
    line = f"Total: {way.total.cost} (composition: {way.total.proof})."
    return (
        [*shares, line]
        if way.total.cost == way.total.plain
        else [*shares, line, f"Sum of all queries: {way.total.plain}."]
    )


def _line(number: int, row: PlannedRow) -> str:
    item = row.item
    what = f"{item.statistic} of {item.column}" + (f" by {commas(in_words(item.groups))}" if item.groups else "")
    wish = "" if row.ratio is None else f", {row.ratio:.0%} of the target"
    vague = "  (too noisy to be useful)" if row.vague else ""
    error = f"{row.error:.4g}" if row.span is None else f"{row.span[0]:.4g} to {row.span[1]:.4g}"
    return f"{number:>4}  {what:<36} +/- {error:<12}{wish}  {row.mechanism.slug}, {row.request.cost()}{vague}"
