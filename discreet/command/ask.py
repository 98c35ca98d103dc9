"""Run one query on a file, and print the released result.

QUESTION is the JSON file that the app exports with a result. DECLARATION is the schema that the page
Data exports. DATA is a file, a folder of Parquet files, or a pattern of their names in quotation marks.
The first lines of a file suggest its layout; `--read sheet=Income --read skip=2` corrects it.
The rows are protected: nothing else of them is printed, not even their number.

With --ledger FILE, every run spends from the budget in that file until its limit is reached, whatever
the data file is called. The first run sets the limit, and it cannot be changed. The same query on the
same bytes returns the stored result and costs nothing. If the data change, the query runs again with
fresh noise and costs again. With --no-ledger nothing is recorded: each repetition spends the limit
again, and the noise averages out.

With --finer EPSILON the stored result is improved with less noise, as if the query had been run with
this ε from the start. Only the difference is charged. This needs noise that allows it.

A ledger restrains only people who use this command. Anyone who can read the rows, delete the ledger or
restore an old copy can get around it. Run this where others can do neither, and keep the printed hash
elsewhere (discreet verify --help).

example:
  discreet ask answer.json people.csv --declaration columns.json --ledger budget.db --limit 2,1e-6
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from discreet.budget import Cost, ParameterError
from discreet.command import questions, spending
from discreet.command.words import FINE, WRONG, Outcome, ended, parser_of
from discreet.curator import Curator, Release, Request
from discreet.curator.records import recall
from discreet.curator.refining import refine
from discreet.curator.release import name_after
from discreet.evidence import packages
from discreet.report.export import release_record


def main(words: Sequence[str]) -> int:
    """Ask the query, and print the release."""
    parser = parser_of("ask", __doc__)
    parser.add_argument("question", metavar="QUESTION", help="a JSON file with the query")
    spending.add_to(parser)
    parser.add_argument("--number", type=int, help="the number of the query in the file, from 1")
    parser.add_argument("--finer", metavar="EPSILON", help="improve the stored result, at the cost of the difference")
    options = parser.parse_args(words)
    spending.check(options, parser)
    return ended(lambda: _asked(options), options.json)


def _asked(options: Namespace) -> Outcome:
    request = questions.read(options.question, options.number)
    dataset = spending.dataset(options)
    schema = dataset.schema
    request.check(schema)
    packages.check(request)
    purse = spending.purse(options)
    curator = Curator(dataset, purse.ledger)
    nonce = spending.nonce(options, dataset, purse.ledger, request)
    release = curator.ask(request, nonce) if options.finer is None else _finer(curator, request, nonce, options.finer)
    record = release_record(release, schema) | purse.after()
    cost = f"Cost: {release.cost}. Left: {purse.ledger.left} of {purse.ledger.limit}."
    lines = [*spending.lines(release, schema), cost, *spending.head_line(record)]
    return WRONG if release.refused else FINE, record, lines


def _finer(curator: Curator, request: Request, nonce: str, epsilon: str) -> Release:
    """Return the answer of a query if it has this epsilon, or refine the finest one to it."""
    release = curator.stored(request, nonce)
    wanted = Cost.of(epsilon)
    if release is None:
        raise ParameterError("This query has no stored result to improve. Run it without --finer first.")
    while release.request.mechanism.cost().nano_epsilon != wanted.nano_epsilon:
        after = recall(curator.ledger, name_after(release.id))
        if after is None:
            return refine(curator, release.id, epsilon)
        release = after
    return release
