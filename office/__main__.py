"""Administer a server: locked-out accounts, backups, verification, deletion.

A server keeps its data in the folder DISCREET_HOME (~/.discreet) and the database DISCREET_DATABASE
(a file in the folder, or postgresql+psycopg://user@host/database); --home and --database override them.
The audit log records these commands as acts of "terminal". Datasets are registered, queried and
reviewed on the pages of the app, or by a program through the API.

Every entry of a ledger and of the audit log is sealed with the key in DISCREET_SEAL (seal.key in the
folder). Its hash is also written outside the database, to DISCREET_HEADS (heads.txt in the folder).

Every command takes --json: one object with "ok", "lines", and "error" if it was refused. Exit codes:
0 success; 1 refused, or something is wrong; 2 invalid command line.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from importlib import import_module
from typing import Any

PROGRAM = "discreet office"
MOST_DIGITS = 9
# what was a command once, and where it is done now
BY_PROGRAM = ", or by a program through the API"
REVIEW = "Use the page Review"
REGISTERED = "Use the page Registered data."
ACCOUNT = "Use the page Account"
PEOPLE = "An administrator does this on the page People."
GONE = {
    **dict.fromkeys(("invite", "reopen", "forget"), PEOPLE),
    **{name: f"Use: people {name} LOGIN." for name in ("renew", "close", "signout", "factor")},
    "roles": "Use: people roles LOGIN ROLES.",
    "mail": f"{ACCOUNT}, or ask an administrator to use the page People.",
    **dict.fromkeys(("substitute", "substitutes", "recall"), f"{ACCOUNT}."),
    **dict.fromkeys(("letterhead", "connection"), "Use the page Settings."),
    **dict.fromkeys(("register", "describe", "policy", "publish", "withdraw", "shut", "version"), REGISTERED),
    **dict.fromkeys(("note", "reconnect", "extend", "agree", "drop"), REGISTERED),
    "datasets": "Use the page Registered data; verify lists the names.",
    **dict.fromkeys(("requests", "request", "points", "decide"), f"{REVIEW}{BY_PROGRAM}."),
    **dict.fromkeys(("comment", "comments"), f"{REVIEW}."),
    "examine": "Use the page Privacy tests.",
    "expire": "The server does this automatically.",
}


def main(words: list[str] | None = None) -> int:
    """Do one command."""
    place, rest = _places().parse_known_args(words)
    gone = next((word for word in rest if not word.startswith("-")), "")
    options = {} if gone in GONE else vars(_parser().parse_args(rest))
    options = {name: value for name, value in options.items() if name not in place}
    from discreet.office.terminal.output import as_json, stop

    with as_json() if place.json else nullcontext():
        if gone in GONE:
            stop(f"The command {gone} was removed. {GONE[gone]}")
        module, _, name = options.pop("work").partition(".")
        work = getattr(import_module(f"discreet.office.terminal.{module}"), name)
        return _done(lambda house: work(house, **options), place)


def _done(work: Callable[[Any], int | None], place: Any) -> int:
    """Open the house and do a command in it; every refusal is one sentence."""
    from alembic.util import CommandError
    from sqlalchemy.exc import SQLAlchemyError

    from discreet.budget import BudgetExceeded, ParameterError
    from discreet.office.house.failures import ending
    from discreet.office.house.house import open_house
    from discreet.office.running import settings
    from discreet.office.terminal.output import stop

    try:
        where = _where(place)
        settings.check(os.environ | {name: value for name, value in where.items() if value})
        return work(open_house(where)) or 0
    except (ParameterError, BudgetExceeded, CommandError) as refused:
        stop(refused)
    except (OSError, SQLAlchemyError) as refused:
        stop(ending(refused))


def _places() -> ArgumentParser:
    """Return who reads what every command takes, before its name or behind it."""
    parser = ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--home", default="", metavar="FOLDER", help="use this folder instead of DISCREET_HOME")
    parser.add_argument(
        "--database", default="", metavar="ADDRESS", help="use this database instead of DISCREET_DATABASE"
    )
    parser.add_argument("--keys", default="", metavar="FOLDER", help="use this folder instead of DISCREET_KEYS")
    parser.add_argument("--json", action="store_true", help="print the output as one JSON object")
    return parser


def _parser() -> ArgumentParser:
    """Return who reads a command and its words. What does the work is named, and imported when it is done."""
    parser = ArgumentParser(
        PROGRAM, description=__doc__, formatter_class=RawDescriptionHelpFormatter, parents=[_places()]
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, work: str, words: str, more: str = "", among: Any = commands) -> ArgumentParser:
        text = f"{words[0].upper()}{words[1:]}. {more}".strip()
        added: ArgumentParser = among.add_parser(name, help=words, description=text, allow_abbrev=False)
        added.set_defaults(work=work)
        return added

    _accounts(command)
    _checks(command)
    _copies(command)
    _data(command)
    return parser


def _accounts(command: Callable[..., ArgumentParser]) -> None:
    """Add the commands for accounts and their sign-in links."""
    command("setup", "people.setup", "print the link that creates the first account")
    people = command("people", "people.people", "list the accounts, or change one: see people --help")
    acts = people.add_subparsers(title="changes", metavar="WHAT")
    for name, words in (
        ("renew", "print a new link for a lost link or password"),
        ("roles", "replace the roles of an account"),
        ("close", "close an account and end its sessions"),
        ("signout", "end all sessions and tokens of an account and forget its browsers"),
        ("factor", "remove two-factor authentication from an account and end its sessions and tokens"),
    ):
        act = command(name, f"people.{name}", words, among=acts)
        act.add_argument("login", metavar="LOGIN")
        if name == "roles":
            act.add_argument(
                "roles", metavar="ROLES", help="one or more of analyst, officer and administrator, separated by commas"
            )


def _checks(command: Callable[..., ArgumentParser]) -> None:
    """Add what looks at the house."""
    verify = command(
        "verify",
        "safety.verify",
        "verify the audit log, the ledgers and the rows",
        "Prints the latest hashes. Keep them separate from all backups.",
    )
    verify.add_argument(
        "name", metavar="NAME", nargs="?", default="", help="print only the latest hash of this dataset"
    )
    verify.add_argument(
        "--head", action="append", default=[], metavar="LINE:HASH", help="an earlier hash of the dataset NAME"
    )
    verify.add_argument("--trail", default="", metavar="LINE:HASH", help="an earlier hash of the audit log")
    trail = command("trail", "status.trail", "print the newest entries of the audit log")
    trail.add_argument(
        "most", metavar="N", nargs="?", type=_number, default=20, help="the number of entries (default: 20)"
    )
    command("health", "status.health", "check the database, the disk and the keys")
    command("migrate", "status.migrate", "update the database to this version, as every command does")
    command("key", "status.key", "print the public key that verifies signatures of this server")


def _copies(command: Callable[..., ArgumentParser]) -> None:
    """Add what copies the house."""
    backup = command(
        "backup",
        "safety.backup",
        "write a full copy to a new private folder and print the hashes to keep separately",
        "A backup contains all rows and both keys. Protect it like the server. It does not contain the row keys in "
        "DISCREET_KEYS, links or sessions.",
    )
    backup.add_argument("folder", metavar="FOLDER")
    restore = command(
        "restore",
        "safety.restore",
        "restore a backup to an empty server",
        "Stop all servers first. A backup lacks what was spent, decided or erased after it, so enter the latest hashes "
        "of the datasets and the audit log. A backup without these entries is refused. If only an older backup is "
        "left, enter NAME=unknown: the budget spent since then becomes available again. Rows erased since then also "
        "return, so erase them again. Rows past their deletion date are deleted. All users must sign in again.",
    )
    restore.add_argument("folder", metavar="FOLDER")
    restore.add_argument("words", metavar="NAME=LINE:HASH", nargs="*", help="the latest hash of each dataset")
    restore.add_argument("--trail", default="", metavar="LINE:HASH", help="the latest hash of the audit log")
    restore.add_argument("--seal", default="", metavar="HASH", help="the hash of the sealing key")
    restore.add_argument("--yes", action="store_true", help="also restore what fails verification, with a warning")


def _data(command: Callable[..., ArgumentParser]) -> None:
    """Add what hands the data of the house on, or deletes them."""
    command("retention", "datasets.retention", "delete the rows of all datasets past their deletion date")
    erase = command(
        "erase", "datasets.erase", "permanently delete the rows of a dataset", "Its budget and its results stay."
    )
    erase.add_argument("name", metavar="NAME")
    erase.add_argument("--yes", action="store_true", help="confirm: this cannot be undone")
    export = command("export", "datasets.export", "write the results and the ledger of a dataset to a JSON file")
    bundle = command("bundle", "datasets.bundle", "write the signed audit file of a dataset")
    for each in (export, bundle):
        each.add_argument("name", metavar="NAME")
        each.add_argument("file", metavar="FILE")
    bundle.add_argument(
        "first", metavar="FIRST", nargs="?", default="", help="the first date to include, such as 2030-01-31"
    )
    bundle.add_argument("last", metavar="LAST", nargs="?", default="", help="the last date to include")


def _number(text: str) -> int:
    """Read a number of acts."""
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise ArgumentTypeError("the number of entries must be a whole number")
    return int(text)


def _where(place: Any) -> Mapping[str, str]:
    """Return where the house is; another one than the environment's has a key and heads of its own."""
    from discreet.office.house.house import DATABASE, HEADS, HOME, KEYS, SEAL, same

    here = os.environ
    where = {HOME: place.home or here.get(HOME, ""), DATABASE: place.database or here.get(DATABASE, "")}
    if same(where[HOME], here.get(HOME, "")):
        where |= {name: here.get(name, "") for name in (SEAL, HEADS, KEYS)}
    return where | {KEYS: place.keys or where.get(KEYS, "")}


if __name__ == "__main__":
    sys.exit(main())
