"""Recompute a ledger line by line, and compare it with heads that are kept elsewhere.

LEDGER is the file of `discreet ask --ledger`, or the address of a database of ledgers with
--budget NAME. A HEAD is LINE:HASH, as it was printed earlier: it finds a ledger that was rolled
back, cut, or begun anew. Without LEDGER this machine's office is verified, as
`discreet office verify` does.

LEDGER may also be an auditor's file (.zip): its signature, its files, its ledger, the places of its acts, and
that its parts say the same and lack nothing that another one knows, are verified from that file alone. --key is
the public key of the house, as it was told elsewhere; without it the key inside is taken, and printed. The
audited house holds the key: what such a file cannot show is printed, too.

example:
  discreet verify budget.db 2:1f0e...
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from zipfile import is_zipfile

from sqlalchemy.exc import DatabaseError

from discreet.budget.durable import Store, verify
from discreet.budget.durable.backup import head_of
from discreet.budget.durable.budget_file import NAME, store_of
from discreet.budget.errors import ParameterError
from discreet.command import office
from discreet.command.words import FINE, WRONG, Outcome, ended, parser_of


def main(words: Sequence[str]) -> int:
    """Verify, and print the result."""
    parser = parser_of("verify", __doc__)
    parser.add_argument("ledger", nargs="?", metavar="LEDGER")
    parser.add_argument("heads", nargs="*", metavar="HEAD")
    parser.add_argument("--budget", default=NAME, metavar="NAME")
    parser.add_argument("--key", default="", metavar="PUBLIC_KEY")
    options = parser.parse_args(words)
    if options.ledger is None and options.json:
        parser.error("an office tells text only; leave --json out")
    if options.ledger is None:
        return office.main(["verify"])
    work = _bundle if _is_archive(options.ledger) else _verified
    return ended(lambda: work(options), options.json)


def _is_archive(place: str) -> bool:
    """Return whether a path is meant as an auditor's file: damaged ones are, too."""
    return Path(place).is_file() and (is_zipfile(place) or Path(place).suffix.lower() == ".zip")


def _bundle(options: Namespace) -> Outcome:
    """Verify an auditor's file."""
    from discreet.office.auditing import bundle_check, bundles

    files = bundle_check.read(Path(options.ledger))
    wrong = [str(finding) for finding in bundle_check.findings(files, options.key)]
    signed = json.loads(files[bundles.MANIFEST]) if not wrong else {}
    record = {"holds": not wrong, "wrong": wrong, "signed": signed}
    if wrong:
        return WRONG, record, wrong
    lines = [f"{name}: {signed[name]}" for name in ("first", "last", "at", "ledger_head", "trail_head")]
    trust = "It is the key that you named." if options.key else "Compare it with what the house tells elsewhere."
    unseen = [str(word) for word in bundle_check.unseen(files, signed)]
    well = [f"The file holds: {signed['dataset']['name']}.", *lines, f"Signed with {signed['public_key']}. {trust}"]
    return FINE, record | {"unseen": unseen}, [*well, *unseen]


def _verified(options: Namespace) -> Outcome:
    try:
        verdict = verify(_store(options.ledger), options.budget, head_of(*options.heads))
    except DatabaseError:
        raise ParameterError("This file is no ledger, or it is damaged.") from None
    head = f"{verdict.lines - 1}:{verdict.head}" if verdict.lines else None
    record = {
        "holds": verdict.holds,
        "lines": verdict.lines,
        "head": head,
        "wrong": None if verdict.holds else str(verdict.wrong),
        "at": verdict.at,
    }
    where = "" if verdict.at is None else f"Line {verdict.at}: "
    lines = ["The ledger holds." if verdict.holds else f"{where}{verdict.wrong}"]
    lines.append(f"{verdict.lines} lines. Head of the ledger: {head}" if head else "No lines yet.")
    return FINE if verdict.holds else WRONG, record, lines


def _store(place: str) -> Store:
    if "://" in place:
        return Store(place)
    if not Path(place).is_file():
        raise ParameterError("There is no ledger at this place.")
    return store_of(place)
