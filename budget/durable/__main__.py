"""Commands for whoever keeps the budgets; the exit code is 0 if all is well.

    prepare URL                     create the tables, or bring them up to date
    verify URL BUDGET [HEAD ...]    recompute a chain, with heads that are known of it
    backup URL FILE                 write everything to a new file, and print the heads
    restore URL FILE BUDGET=HEAD ...    fill an empty database; BUDGET=unknown where none is known

A URL is sqlite:///file or postgresql+psycopg://user@host/database; a HEAD is LINE:HASH.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Table, inspect

from discreet.budget.durable.backup import backup, head_of, restore
from discreet.budget.durable.budget_file import HISTORY, secrets
from discreet.budget.durable.store import Store
from discreet.budget.durable.verify import Verdict, verify
from discreet.budget.errors import ParameterError


def prepare_(store: Store, words: list[str]) -> int:
    """Create the tables, or bring them up to date."""
    store.prepare()
    print("The database is up to date.")
    return 0


def verify_(store: Store, words: list[str]) -> int:
    """Recompute a chain."""
    verdict = verify(store, words[0], head_of(*words[1:]))
    print(_told(words[0], verdict))
    return 0 if verdict.holds else 1


def backup_(store: Store, words: list[str]) -> int:
    """Write everything, and print the heads: keep them separately from the backup."""
    verdicts = backup(store, Path(words[0]), _beside(store))
    print("\n".join(_told(name, verdict) for name, verdict in verdicts.items()))
    return 0 if all(verdict.holds for verdict in verdicts.values()) else 1


def restore_(store: Store, words: list[str]) -> int:
    """Fill an empty database from a backup."""
    heads = {}
    for word in words[1:]:
        name, _, head = word.rpartition("=")
        heads[name] = None if head == "unknown" else head_of(head)
    whole = Store(store.engine.url.render_as_string(hide_password=False), None, HISTORY) if store.lite else store
    restore(whole.prepare(), Path(words[0]), heads, _beside(whole))
    print("Restored. What was spent after these heads is not known here.")
    return 0


def _beside(store: Store) -> tuple[Table, ...]:
    """Return the table of a budget file that other databases lack."""
    return (secrets,) if inspect(store.engine).has_table(secrets.name) else ()


COMMANDS: dict[str, tuple[int, Callable[[Store, list[str]], int]]] = {
    "prepare": (0, prepare_),
    "verify": (1, verify_),
    "backup": (1, backup_),
    "restore": (1, restore_),
}


def main(words: list[str] | None = None) -> int:
    """Run one command."""
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m discreet.budget.durable", description=__doc__, formatter_class=style)
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("url")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args(words)
    least, work = COMMANDS[options.command]
    if len(options.words) < least:
        parser.error("a word is missing; see --help")
    try:
        return work(Store(options.url), options.words)
    except ParameterError as refused:
        print(refused)
        return 1


def _told(name: str, verdict: Verdict) -> str:
    word = "The chain holds." if verdict.holds else f"Line {verdict.at}: {verdict.wrong}"
    head = f"head {verdict.lines - 1}:{verdict.head}" if verdict.lines else "no head"
    return f"{name}: {verdict.lines} lines, {head}. {word}"


if __name__ == "__main__":
    sys.exit(main())
