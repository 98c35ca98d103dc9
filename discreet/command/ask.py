"""Ask one question of a file, and print what is released.

QUESTION is the JSON that the app exports with an answer; DECLARATION the one that its page Data
exports; DATA is a file, a folder of Parquet files, or a pattern of their names in quotation marks.
How a file is read is suggested by its first lines; `--read sheet=Income --read skip=2` corrects it.
The rows are protected: nothing else of them is printed, not even their number.

A budget is as good as its memory. With --ledger FILE every run spends from the one budget of that
file, whatever the data are called and whatever they hold, until its limit is reached; the limit is
said when it begins and never changes. The same question of the same bytes gives the stored answer
for nothing; when the data change it is a new draw, and costs again. With --no-ledger a run
remembers nothing: whoever repeats it spends its limit again, and the noise averages out.

With --finer EPSILON the stored answer of the question is drawn once more with less noise, as if it
had been asked with this epsilon at once: only the difference is charged, where its noise allows that.

Whoever can read the rows, or can delete the ledger or put an older one back, is not held back:
run this where others can do neither, and keep the printed head elsewhere (discreet verify --help).

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
    nonce = spending.nonce(options, dataset)
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
        raise ParameterError("There is no answer yet that could be refined. Ask without --finer first.")
    while release.request.mechanism.cost().nano_epsilon != wanted.nano_epsilon:
        after = recall(curator.ledger, name_after(release.id))
        if after is None:
            return refine(curator, release.id, epsilon)
        release = after
    return release
