"""Spending: what every verb shares that reads rows and spends a budget."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from discreet.budget import Ledger, SessionLedger
from discreet.budget.durable import open_ledger
from discreet.command import questions
from discreet.command.layouts import PARTS, opened
from discreet.command.words import cost
from discreet.curator import Release
from discreet.report.intervals import ASSUMED, difference, population, shared
from discreet.report.numbers import numbers
from discreet.report.words import as_read, no_answer, no_interval, off_by, parts, written
from discreet.rows import Dataset, Schema
from discreet.rows.files import titles

FORGETFUL = "No ledger: nothing remembers what this run spends. Repeated, it is spent again."


@dataclass(frozen=True)
class Purse:
    """What pays: a ledger, and what names its last line to whoever keeps that elsewhere, if anything does."""

    ledger: Ledger
    head: Callable[[], str | None] = lambda: None

    def after(self) -> dict[str, Any]:
        """Return what is left, and the head of the ledger."""
        return {"left": self.ledger.left.numbers, "head": self.head()}


def add_to(parser: ArgumentParser) -> None:
    """Add what says where rows are, how they are read, and what pays."""
    parser.add_argument("data", metavar="DATA", help=f"{titles()}, or a folder of Parquet")
    parser.add_argument("--declaration", required=True, metavar="DECLARATION")
    parser.add_argument("--read", action="append", default=[], metavar="NAME=VALUE", help=f"how: {', '.join(PARTS)}")
    memory = parser.add_mutually_exclusive_group(required=True)
    memory.add_argument("--ledger", metavar="FILE", help="the budget that this spends from")
    memory.add_argument("--no-ledger", action="store_true", help="spend without a memory")
    parser.add_argument("--limit", type=cost, metavar="EPSILON[,DELTA]")
    parser.add_argument("--again", default="", metavar="WORD", help="draw anew, at its full cost")


def check(options: Namespace, parser: ArgumentParser) -> None:
    """Refuse words that do not go together, and warn of a run without a memory."""
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
    """Return the budget that pays."""
    if options.no_ledger:
        return Purse(SessionLedger(options.limit))
    ledger = open_ledger(options.ledger, options.limit)
    return Purse(ledger, lambda: f"{len(ledger.lines) - 1}:{ledger.head}")


def nonce(options: Namespace, data: Dataset) -> str:
    """Name the draw: other bytes, another declaration or another word on reading never get the stored answer of these.

    A declaration that says nothing of reading names what it named before there was anything to say.
    """
    declared = questions.declaration(options.declaration).digest
    return ":".join((data.digest, declared, options.again, *sorted(options.read)))


def head_line(record: dict[str, Any]) -> list[str]:
    """Return the head that a record has as a line, where there is one: reading it again is reading the ledger again."""
    return [f"Head of the ledger: {record['head']}"] if record["head"] else []


def lines(release: Release, schema: Schema) -> list[str]:
    """Return what is released, as text."""
    request = release.request
    said = [
        f"{group or 'answer'}: {_one(*written(request, schema, (answer, interval)))}"
        for group, answer, interval in numbers(release)
    ]
    if release.size is not None and not request.groups:
        said.append(f"Of about {release.size:.3g} rows: that number is noisy, too.")
    if release.refused:
        said.append(str(no_answer(request)))
    elif release.interval is None:
        said.append(f"No interval: {no_interval(request)}")
    said += _of_population(release, schema)
    rows = off_by(request, schema)
    if rows is not None and not release.refused:
        said.append(str(rows))
    return [*said, f"As read: {'; '.join(map(str, as_read(request, schema)))}."]


def _of_population(release: Release, schema: Schema) -> list[str]:
    """Say where the mean or the shares of the population lie, and under which assumption, where that follows."""
    spans = population(release, schema)
    if spans is None:
        return []
    each = spans if release.request.groups else (("", spans),)
    if shared(release.request):
        each = tuple(zip(parts(release.request, schema), spans, strict=True))
    ends = [f"{group}{': ' * bool(group)}{span[0]:.6g} to {span[1]:.6g}" for group, span in each if span]
    what = "Shares of the population" if shared(release.request) else "Of the population"
    lines = [f"{what}, {ASSUMED}, 19 times in 20: {'; '.join(ends)}."]
    if len(each) == 2 and release.request.groups:
        first, second = (group for group, _ in each)
        apart = difference(release, schema, second, first)
        lines += [f"Of {second} less {first}, likewise: {apart[0]:.6g} to {apart[1]:.6g}."] if apart else []
    return lines


def _one(answer: Any, interval: Any) -> str:
    """Return an answer, with where it lies in 95 of 100 cases."""
    if answer is None:
        return "refused"
    if isinstance(answer, (tuple, list)):
        spans = interval or [None] * len(answer)
        return "; ".join(_one(part, span) for part, span in zip(answer, spans, strict=True))
    return f"{answer}" if interval is None else f"{answer} ({interval[0]} to {interval[1]})"
