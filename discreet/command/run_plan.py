"""Run all queries of a plan on a file, under one charge, and print the results.

PLAN is the JSON that `discreet plan` reads; DATA and the other options are as in `discreet ask`.
Mechanisms and shares are chosen as in `discreet plan`, from public information only. One ledger entry
pays for all queries: the lowest total that is proven for queries that were fixed in advance. A query
that ends without a result does not stop the others. The same plan on the same bytes returns the stored
results and costs nothing. With --simultaneous the intervals are wider, so that with 95% confidence all
of them are correct; they are computed from the same results and cost nothing. --report writes the results
as one HTML file without external parts, or as one ZIP with the table, its metadata and the results;
--lang sets the language.

example:
  discreet run-plan plan.json people.csv --declaration columns.json --ledger budget.db --limit 2,1e-6
  discreet run-plan plan.json people.csv --declaration columns.json --ledger budget.db --report report.html --lang zh
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence

from discreet.budget.errors import commas
from discreet.command import plan, reports, spending
from discreet.command.words import FINE, WRONG, Outcome, ended, parser_of
from discreet.curator import Curator, Release
from discreet.evidence import packages
from discreet.plans import Planned
from discreet.plans.planning import total_record
from discreet.report.export import release_record
from discreet.report.intervals import share_differences, shares_of_chance, simultaneous
from discreet.report.publication import publication
from discreet.rows import Schema
from discreet.rows.columns.grouping import in_words


def main(words: Sequence[str]) -> int:
    """Run a plan, and print its answers."""
    parser = parser_of("run-plan", __doc__)
    parser.add_argument("plan", metavar="PLAN", help="a JSON file with the plan")
    parser.add_argument(
        "--simultaneous", action="store_true", help="intervals that are all correct with 95%% confidence"
    )
    reports.add_to(parser)
    spending.add_to(parser)
    options = parser.parse_args(words)
    spending.check(options, parser)
    reports.check(options, parser)
    return ended(lambda: _answered(options), options.json)


def _answered(options: Namespace) -> Outcome:
    dataset = spending.dataset(options)
    schema = dataset.schema
    way, _ = plan.read(options.plan, schema)
    packages.check(way.fixed)
    purse = spending.purse(options)
    nonce = spending.nonce(options, dataset, purse.ledger, way.fixed)
    answers = Curator(dataset, purse.ledger).run(way.fixed, nonce)
    wide = simultaneous(answers.releases, schema) if options.simultaneous else ()
    releases = wide or answers.releases
    together = shares_of_chance(wide) if wide else 1
    reports.write(options, publication([(row, schema) for row in answers.releases], way.total, wide))
    record = {"id": answers.id, "releases": [release_record(row, schema, together) for row in releases]}
    apart = [] if wide else list(share_differences(releases, schema))
    record |= {"population_differences": [each.record() for each in apart]}
    record |= total_record(way) | purse.after()
    lines = [f"With 95% confidence, all {together} intervals are correct at the same time."] if together > 1 else []
    lines += [*_lines(way, releases, schema), *(each.line() for each in apart)]
    left = f"Left: {purse.ledger.left} of {purse.ledger.limit}."
    lines += [*plan.total_lines(way), left, *spending.head_line(record)]
    return WRONG if all(release.refused for release in releases) else FINE, record, lines


def _lines(way: Planned, releases: Sequence[Release], schema: Schema) -> Iterator[str]:
    """Yield the name of each row and what was released."""
    for number, (row, release) in enumerate(zip(way.rows, releases, strict=True), 1):
        item = row.item
        yield f"{number}. {item.statistic} of {item.column}" + (
            f" by {commas(in_words(item.groups))}" if item.groups else ""
        )
        yield from (f"   {line}" for line in spending.lines(release, schema))
