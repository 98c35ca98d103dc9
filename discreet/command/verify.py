"""Recompute a ledger entry by entry, and compare it with hashes that are kept elsewhere.

LEDGER is the file of `discreet ask --ledger`, or the address of a database of ledgers with
--budget NAME. A HEAD is LINE:HASH, as it was printed earlier. It shows whether a ledger was restored
to an earlier state, cut or rebuilt. Without LEDGER, the server of this machine is verified, as with
`discreet office verify`.

LEDGER may also be an audit file (.zip). Its signature, its files, its ledger and the positions of its audit log
entries are then verified from that file alone, and that its parts agree and are complete. --key is the public
key of the organisation, as published elsewhere. Without it, the key in the file is used and printed. The audited
organisation holds the signing key, so the output also lists what such a file cannot show.

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
        parser.error("--json needs LEDGER; for a server, use: discreet office verify --json")
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
    trust = (
        "This is the key that you gave."
        if options.key
        else "Compare this key with the one that the organisation publishes elsewhere."
    )
    unseen = [str(word) for word in bundle_check.unseen(files, signed)]
    well = [
        f"The audit file is valid: {signed['dataset']['name']}.",
        *lines,
        f"Signed with {signed['public_key']}. {trust}",
    ]
    return FINE, record | {"unseen": unseen}, [*well, *unseen]


def _verified(options: Namespace) -> Outcome:
    try:
        verdict = verify(_store(options.ledger), options.budget, head_of(*options.heads))
    except DatabaseError:
        raise ParameterError("This file is not a ledger, or it is damaged.") from None
    head = f"{verdict.lines - 1}:{verdict.head}" if verdict.lines else None
    record = {
        "holds": verdict.holds,
        "lines": verdict.lines,
        "head": head,
        "wrong": None if verdict.holds else str(verdict.wrong),
        "at": verdict.at,
    }
    where = "" if verdict.at is None else f"Entry {verdict.at}: "
    lines = ["The ledger is valid." if verdict.holds else f"{where}{verdict.wrong}"]
    lines.append(
        f"{verdict.lines} entries. Latest hash of the ledger: {head}" if head else "The ledger has no entries yet."
    )
    return FINE if verdict.holds else WRONG, record, lines


def _store(place: str) -> Store:
    if "://" in place:
        return Store(place)
    if not Path(place).is_file():
        raise ParameterError("Ledger not found: {place}. Check the path.", place=place)
    return store_of(place)
