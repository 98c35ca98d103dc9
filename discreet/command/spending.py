"""Spending: the options and output of all verbs that read rows and spend a budget."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from discreet.budget import SessionLedger
from discreet.budget.durable import open_ledger
from discreet.budget.durable.budget_file import FileLedger
from discreet.command import questions
from discreet.command.layouts import PARTS, opened
from discreet.command.words import cost
from discreet.curator import Release, Request
from discreet.curator.plan import FixedPlan
from discreet.curator.release import name_of
from discreet.report.intervals import ASSUMED, difference, population, shared
from discreet.report.numbers import numbers
from discreet.report.words import as_read, no_answer, no_interval, off_by, parts, written
from discreet.rows import Dataset, Schema
from discreet.rows.files import titles

FORGETFUL = "No ledger: spending is not recorded. Repeated runs spend again."


@dataclass(frozen=True)
class Purse:
    """The budget of a run: a ledger, and a function that returns its head, to be kept elsewhere."""

    ledger: SessionLedger | FileLedger
    head: Callable[[], str | None] = lambda: None

    def after(self) -> dict[str, Any]:
        """Return what is left, and the head of the ledger."""
        return {"left": self.ledger.left.numbers, "head": self.head()}


def add_to(parser: ArgumentParser) -> None:
    """Add the options for the rows, how they are read, and the budget."""
    parser.add_argument("data", metavar="DATA", help=f"{titles()}, or a folder of Parquet")
    parser.add_argument("--declaration", required=True, metavar="DECLARATION")
    parser.add_argument("--read", action="append", default=[], metavar="NAME=VALUE", help=f"how: {', '.join(PARTS)}")
    memory = parser.add_mutually_exclusive_group(required=True)
    memory.add_argument("--ledger", metavar="FILE", help="the ledger file of the budget to spend from")
    memory.add_argument("--no-ledger", action="store_true", help="spend without recording it in a ledger")
    parser.add_argument("--limit", type=cost, metavar="EPSILON[,DELTA]")
    parser.add_argument("--again", default="", metavar="WORD", help="run again with fresh noise, at full cost")


def check(options: Namespace, parser: ArgumentParser) -> None:
    """Stop with an error for options that conflict, and warn of a run without a ledger."""
    if options.no_ledger and options.limit is None:
        parser.error("--no-ledger needs --limit")
    if options.no_ledger:
        print(FORGETFUL, file=sys.stderr)


def dataset(options: Namespace) -> Dataset:
    """Return the rows behind their declaration."""
    schema = questions.declaration(options.declaration)
    source = opened(options.data, options.read, schema.layout)
    return Dataset(source, replace(schema, layout=source.layout))


def purse(options: Namespace) -> Purse:
    """Return the budget of this run."""
    if options.no_ledger:
        return Purse(SessionLedger(options.limit))
    ledger = open_ledger(options.ledger, options.limit)
    return Purse(ledger, lambda: f"{len(ledger.lines) - 1}:{ledger.head}")


def nonce(options: Namespace, data: Dataset, ledger: SessionLedger | FileLedger, question: Request | FixedPlan) -> str:
    """Return the nonce of the draw: it differs for other bytes, another declaration or other options of reading.

    It depends on a secret of the ledger, because an id is published and must not confirm a guess of the rows. A query
    that was charged before ledgers had one keeps its nonce; so does a declaration without a layout.
    """
    declared = questions.declaration(options.declaration).digest
    former = ":".join((data.digest, declared, options.again, *sorted(options.read)))
    name = name_of(question, former)
    return former if any(entry.request_id == name for entry in ledger.entries) else f"{ledger.secret}:{former}"


def head_line(record: dict[str, Any]) -> list[str]:
    """Return the head in a record as a line, if there is one; the record saves a second reading of the ledger."""
    return [f"Latest hash of the ledger: {record['head']}"] if record["head"] else []


def lines(release: Release, schema: Schema) -> list[str]:
    """Return the release as lines of text."""
    request = release.request
    said = [
        f"{group or 'result'}: {_one(*written(request, schema, (answer, interval)))}"
        for group, answer, interval in numbers(release)
    ]
    if release.size is not None and not request.groups:
        said.append(f"Number of rows: about {release.size:.3g} (noisy, too).")
    if release.refused:
        said.append(str(no_answer(request)))
    elif release.interval is None:
        said.append(f"No interval: {no_interval(request)}")
    said += _of_population(release, schema)
    rows = off_by(request, schema)
    if rows is not None and not release.refused:
        said.append(str(rows))
    return [*said, f"Data handling: {'; '.join(map(str, as_read(request, schema)))}."]


def _of_population(release: Release, schema: Schema) -> list[str]:
    """Return an interval for the population's mean or shares with its assumption, if there is one."""
    spans = population(release, schema)
    if spans is None:
        return []
    each = spans if release.request.groups else (("", spans),)
    if shared(release.request):
        each = tuple(zip(parts(release.request, schema), spans, strict=True))
    ends = [f"{group}{': ' * bool(group)}{span[0]:.6g} to {span[1]:.6g}" for group, span in each if span]
    what = "Population shares" if shared(release.request) else "Population mean"
    lines = [f"{what}, {ASSUMED}, 95% intervals: {'; '.join(ends)}."]
    if len(each) == 2 and release.request.groups:
        first, second = (group for group, _ in each)
        apart = difference(release, schema, second, first)
        lines += [f"Difference {second} minus {first}, likewise: {apart[0]:.6g} to {apart[1]:.6g}."] if apart else []
    return lines


def _one(answer: Any, interval: Any) -> str:
    """Return an answer, with its 95 % interval."""
    if answer is None:
        return "no result"
    if isinstance(answer, (tuple, list)):
        spans = interval or [None] * len(answer)
        return "; ".join(_one(part, span) for part, span in zip(answer, spans, strict=True))
    return f"{answer}" if interval is None else f"{answer} ({interval[0]} to {interval[1]})"
