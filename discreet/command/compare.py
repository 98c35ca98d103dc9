"""Compare all mechanisms that can run a query, at its cost, on simulated people.

The people are simulated from the declared bounds, a number of people and a distribution. Nothing is read
and nothing is spent. The output is the margin of error (95%): 95% of the results have at most this error.
With --intervals, the mechanisms that release an interval are ranked by half of its usual width.

example:
  discreet compare answer.json --declaration declaration.json --people 2000 --shape skewed
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from discreet.budget.errors import ParameterError
from discreet.command import questions
from discreet.command.words import FINE, Outcome, cost, ended, parser_of
from discreet.curator.request import Request
from discreet.lab.contest import SHAPES, Contender, Ground, Scenario, advice, contenders, fitted, run
from discreet.lab.sweeps import by_width
from discreet.mechanisms.base.mechanism import OneStatistic
from discreet.queries import Query
from discreet.rows.schema import Schema


def main(words: Sequence[str]) -> int:
    """Compare, and print the best first."""
    parser = parser_of("compare", __doc__)
    parser.add_argument("question", metavar="QUESTION", help="a JSON file with the query")
    parser.add_argument("--declaration", required=True, metavar="DECLARATION")
    parser.add_argument("--number", type=int, help="the number of the query in the file, from 1")
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--shape", choices=SHAPES, default="bell")
    parser.add_argument("--cost", type=cost, metavar="EPSILON[,DELTA]", help="use this cost instead of the query's own")
    parser.add_argument("--draws", type=int, choices=range(1, 100_001), metavar="N", default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--intervals", action="store_true", help="rank by the width of the published interval")
    options = parser.parse_args(words)
    return ended(lambda: _compared(options), options.json)


def _compared(options: Namespace) -> Outcome:
    request = questions.read(options.question, options.number)
    schema = questions.declaration(options.declaration)
    query = _query(request)
    ground = _ground(request, schema, options.people, options.shape)
    query = fitted(query, ground)
    asked = contenders(query, options.cost or request.mechanism.cost(), ground, options.intervals)
    if options.intervals:
        return _widths(asked, ground)
    results = run(asked, query, ground, options.draws, options.seed)
    advised = advice(asked, results, ground)
    rows = sorted(
        (
            {"mechanism": contender.slug, "title": contender.title, **result.summary()}
            for contender, result in zip(asked, results, strict=True)
        ),
        key=lambda row: (row["q95"] != row["q95"], row["q95"]),
    )
    best = None if advised is None else advised.best.slug
    record = {"scenario": str(ground.name), "best": best, "mechanisms": rows}
    lines = [f"{row['q95']:>12.6g}  {row['refusals']:>6.1%} without a result  {row['mechanism']}" for row in rows]
    return FINE, record, [f"On a {ground.name}:", *lines, _recommended(best)]


def _widths(asked: Sequence[Contender], ground: Ground) -> Outcome:
    rows = [{"mechanism": each.contender.slug, "half_width": each.width} for each in by_width(asked, ground)]
    best = rows[0]["mechanism"] if rows else None
    lines = [f"{row['half_width']:>12.6g}  {row['mechanism']}" for row in rows]
    record = {"scenario": str(ground.name), "best": best, "mechanisms": rows}
    return FINE, record, [f"On a {ground.name}:", *lines, _recommended(best)]


def _recommended(best: object) -> str:
    return "No mechanism is recommended." if best is None else f"Recommended: {best}."


def _query(request: Request) -> Query:
    if not isinstance(request.mechanism, OneStatistic):
        raise ParameterError("Only a statistic of one number column can be compared.")
    return request.mechanism.query


def _ground(request: Request, schema: Schema, people: int, shape: str) -> Ground:
    request.check(schema)
    if request.columns[0] not in schema.numbers:
        raise ParameterError("Only a statistic of one number column can be compared.")
    return Ground.of(Scenario(schema.bounds(request.columns[0]), people, shape))
