"""Commands for whoever keeps the budgets: bring a database up to date, verify a chain.

python -m budget.durable prepare sqlite:///vault/ledger.db
python -m budget.durable verify sqlite:///vault/ledger.db NAME [LINE:HASH ...]
"""

from __future__ import annotations

import argparse
import sys

from budget.durable.store import Store
from budget.durable.verify import verify


def main(words: list[str] | None = None) -> int:
    """Do one command; the exit code is 0 if all is well."""
    parser = argparse.ArgumentParser(prog="python -m budget.durable", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    prepare = commands.add_parser("prepare", help="create the tables, or bring them up to date")
    prepare.add_argument("url", help="sqlite:///file or postgresql+psycopg://...")
    check = commands.add_parser("verify", help="recompute the chain of a budget")
    check.add_argument("url")
    check.add_argument("budget")
    check.add_argument("anchors", nargs="*", help="LINE:HASH, from cards or earlier verifications")
    told = parser.parse_args(words)
    store = Store(told.url)
    if told.command == "prepare":
        store.prepare()
        print("The database is up to date.")
        return 0
    found = verify(store, told.budget, dict(map(_anchor, told.anchors)))
    print(f"{found.lines} lines, head {found.lines - 1}:{found.head}")
    print("The chain holds." if found.holds else f"Line {found.at}: {found.wrong}")
    return 0 if found.holds else 1


def _anchor(text: str) -> tuple[int, str]:
    line, _, told = text.partition(":")
    return int(line), told


if __name__ == "__main__":
    sys.exit(main())
