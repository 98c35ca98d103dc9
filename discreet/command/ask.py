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

Whoever can read the rows, or can delete the ledger or put an older one back, is not held back:
run this where others can do neither, and keep the printed head elsewhere (discreet verify --help).

example:
  discreet ask answer.json people.csv --declaration columns.json --ledger budget.db --limit 2,1e-6
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import fields

from discreet.budget import SessionLedger
from discreet.budget.durable import DurableLedger, open_ledger
from discreet.command import questions
from discreet.command.layouts import opened
from discreet.command.words import FINE, WRONG, Told, cost, ended, parser_of
from discreet.curator import Curator, Release
from discreet.lab.report.dated import written
from discreet.lab.report.export import release_record
from discreet.lab.report.meaning import as_read, no_answer, no_interval
from discreet.lab.report.sheets import numbers
from discreet.rows import Dataset, Schema
from discreet.rows.files import Layout, titles

PARTS = tuple(field.name for field in fields(Layout))[1:]
FORGETFUL = "No ledger: nothing remembers what this run spends. Repeated, it is spent again."


def main(words: Sequence[str]) -> int:
    """Ask, and print the release."""
    parser = _parser()
    options = parser.parse_args(words)
    if options.no_ledger and options.limit is None:
        parser.error("--no-ledger needs --limit")
    if options.no_ledger:
        print(FORGETFUL, file=sys.stderr)
    return ended(lambda: _asked(options), options.json)


def _parser() -> ArgumentParser:
    parser = parser_of("ask", __doc__)
    parser.add_argument("question", metavar="QUESTION", help="a file of JSON")
    parser.add_argument("data", metavar="DATA", help=f"{titles()}, or a folder of Parquet")
    parser.add_argument("--declaration", required=True, metavar="DECLARATION")
    parser.add_argument("--read", action="append", default=[], metavar="NAME=VALUE", help=f"how: {', '.join(PARTS)}")
    memory = parser.add_mutually_exclusive_group(required=True)
    memory.add_argument("--ledger", metavar="FILE", help="the budget that this spends from")
    memory.add_argument("--no-ledger", action="store_true", help="spend without a memory")
    parser.add_argument("--limit", type=cost, metavar="EPSILON[,DELTA]")
    parser.add_argument("--number", type=int, help="which question of a file of several, from 1")
    parser.add_argument("--again", default="", metavar="WORD", help="draw anew, at its full cost")
    return parser


def _asked(options: Namespace) -> Told:
    request = questions.read(options.question, options.number)
    schema = questions.declaration(options.declaration)
    dataset = Dataset(opened(options.data, options.read), schema)
    request.check(schema)
    ledger = SessionLedger(options.limit) if options.no_ledger else open_ledger(options.ledger, options.limit)
    # other bytes or another declaration are another question, and never get its stored answer
    nonce = ":".join((dataset.digest, schema.digest, options.again, *sorted(options.read)))
    release = Curator(dataset, ledger).ask(request, nonce)
    record = release_record(release, schema) | {
        "left": {"epsilon": ledger.left.epsilon, "delta": ledger.left.delta},
        "head": _head(ledger),
    }
    return WRONG if release.refused else FINE, record, _lines(release, schema, ledger)


def _head(ledger: SessionLedger | DurableLedger) -> str | None:
    if not isinstance(ledger, DurableLedger):
        return None
    return f"{len(ledger.lines) - 1}:{ledger.head}"


def _lines(release: Release, schema: Schema, ledger: SessionLedger | DurableLedger) -> list[str]:
    """Return what is released, as text."""
    request, head = release.request, _head(ledger)
    lines = [
        f"{group or 'answer'}: {_one(*written(request, schema, (answer, interval)))}"
        for group, answer, interval in numbers(release)
    ]
    if release.refused:
        lines.append(str(no_answer(request)))
    elif release.interval is None:
        lines.append(f"No interval: {no_interval(request)}")
    lines.append(f"As read: {'; '.join(map(str, as_read(request, schema)))}.")
    lines.append(f"Cost: {release.cost}. Left: {ledger.left} of {ledger.limit}.")
    return lines + ([f"Head of the ledger: {head}"] if head else [])


def _one(answer: object, interval: tuple[float, float] | None) -> str:
    """Return an answer, with where it lies in 95 of 100 cases."""
    if answer is None:
        return "refused"
    return f"{answer}" if interval is None else f"{answer} ({interval[0]} to {interval[1]})"
