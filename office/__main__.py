"""Commands for whoever keeps the house; the exit code is 0 if all is well.

The house is the folder DISCREET_HOME (~/.discreet) and the database DISCREET_DATABASE (a file in
it, or postgresql+psycopg://user@host/database), or what --home and --database say. Whatever is done
here is done by "terminal" on the trail, or for the account that --as names, with its guards.
ROLES are analyst, officer, administrator, with commas.

Every line of a ledger and of the trail is sealed with the key in DISCREET_SEAL (seal.key in the
folder), and told outside of the database, in DISCREET_HEADS (heads.txt there). verify reads all of
it: trail, ledgers, seals, heads, rows, and what the trail says that accounts and data should be.

A backup holds all rows and both keys: guard it like the house. It does not hold the keys of rows
in DISCREET_KEYS: name a copy of that folder with --keys where another house is filled. It holds no
links and no sessions: after a restore, with all servers stopped, everybody signs in anew.

What was spent, decided or erased after a backup is not in it. So keep the newest heads and act
(verify prints them) apart from all backups: a backup that lacks them is refused. Where only an
older one is left, say NAME=unknown, and that budget comes back: lower by policy what may still be
asked. Rows erased since come back: erase them again; what is past its day goes with the restore.

Every command takes --json: one object with "ok", "lines", and "error" where it was refused. It ends
with 0, with 1 where it was refused or something is wrong, with 2 where its words are, and with 3
where it is only proposed and waits for a second officer.

examples:
  invite bob "Bob Brown" analyst
  describe town > town.json; register town.json town-2030.csv
  points 7 --as olga; decide 7 approve --as olga --answers answers.json --seen SEAL
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from inspect import signature
from typing import Any

from alembic.util import CommandError
from sqlalchemy.exc import SQLAlchemyError

from discreet.budget import BudgetExceeded, ParameterError
from discreet.office import settings
from discreet.office.causes import ending
from discreet.office.house import DATABASE, HEADS, HOME, KEYS, SEAL, House, open_house, same
from discreet.office.terminal import charters, hearings, holdings, logins, safety, standards, verdicts
from discreet.office.terminal.speech import as_json, stop

COMMANDS: dict[str, Callable[..., int | None]] = {
    "setup": logins.setup,
    "invite": logins.invite,
    "renew": logins.renew,
    "people": logins.people,
    "roles": logins.roles,
    "close": logins.close,
    "reopen": logins.reopen,
    "signout": logins.signout,
    "factor": logins.factor,
    "forget": logins.forget,
    "mail": logins.mail,
    "substitute": logins.substitute,
    "substitutes": logins.list_substitutes,
    "recall": logins.recall,
    "letterhead": standards.letterhead,
    "connection": standards.connection,
    "register": charters.register,
    "describe": charters.describe,
    "policy": charters.policy,
    "publish": charters.publish,
    "withdraw": charters.withdraw,
    "shut": charters.shut,
    "datasets": holdings.datasets,
    "requests": holdings.requests,
    "request": verdicts.request,
    "points": verdicts.points,
    "decide": verdicts.decide,
    "comments": hearings.comments,
    "comment": hearings.comment,
    "examine": hearings.examine,
    "extend": hearings.extend,
    "drop": hearings.drop,
    "expire": holdings.expire,
    "version": holdings.version,
    "note": holdings.note,
    "erase": holdings.erase,
    "retention": holdings.retention,
    "reconnect": holdings.reconnect,
    "export": holdings.export,
    "health": safety.health,
    "verify": safety.verify,
    "trail": safety.trail,
    "backup": safety.backup,
    "restore": safety.restore,
    "bundle": safety.bundle,
    "key": safety.key,
    "migrate": safety.migrate,
}


def main(words: list[str] | None = None) -> int:
    """Do one command."""
    parser = _parser()
    options = vars(parser.parse_intermixed_args(words))
    command, given, where = options.pop("command"), options.pop("words"), _where(options)
    work, out = COMMANDS[command], as_json() if options.pop("json") else nullcontext()
    options = {name: value for name, value in options.items() if value}
    try:
        signature(work).bind(None, *given, **options)
    except TypeError:
        parser.error(f"see --help for the words of {command}")
    with out:
        return _done(lambda house: work(house, *given, **options), where)


def _done(work: Callable[[House], int | None], where: Mapping[str, str]) -> int:
    """Open the house and do a command in it; every refusal is one sentence."""
    try:
        settings.check(os.environ | {name: value for name, value in where.items() if value})
        house = open_house(where)
        house.commanded = True
        return work(house) or 0
    except (ParameterError, BudgetExceeded, CommandError) as refused:
        stop(refused)
    except (OSError, SQLAlchemyError) as refused:
        stop(ending(refused))


def _parser() -> ArgumentParser:
    """Return who reads the command line."""
    usage = "\n  ".join(["commands:", *(str(work.__doc__).rstrip() for work in COMMANDS.values())])
    parser = ArgumentParser(
        "python -m discreet.office", description=__doc__, epilog=usage, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND")
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--home", default=os.environ.get(HOME, ""))
    parser.add_argument("--database", default=os.environ.get(DATABASE, ""))
    for several in ("--head", "--upper"):
        parser.add_argument(several, action="append")
    parser.add_argument("--as", dest="acting", metavar="LOGIN")
    for option in ("--trail", "--seal", "--keys", "--answers", "--seen", "--replaces", "--source"):
        parser.add_argument(option)
    for switch in ("--yes", "--no", "--json", "--holds"):
        parser.add_argument(switch, action="store_true")
    return parser


def _where(options: dict[str, Any]) -> dict[str, str]:
    """Return where the house is; another one than the environment's has a key and heads of its own."""
    where: dict[str, str] = {HOME: options.pop("home"), DATABASE: options.pop("database")}
    if same(where[HOME], os.environ.get(HOME, "")):
        where |= {name: os.environ.get(name, "") for name in (SEAL, HEADS, KEYS)}
    where[KEYS] = options.pop("keys") or where.get(KEYS, "")
    return where


if __name__ == "__main__":
    sys.exit(main())
