"""Commands for whoever keeps the house; the exit code is 0 if all is well.

The house is the folder DISCREET_HOME (~/.discreet) and the database DISCREET_DATABASE (a file in
it, or postgresql+psycopg://user@host/database), or what --home and --database say. Whatever is done
here is done by "terminal" on the trail. ROLES are analyst, officer, administrator, with commas.

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
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from getpass import getpass
from inspect import signature
from json import dumps
from pathlib import Path
from shlex import quote
from typing import Any

from alembic.util import CommandError
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from discreet.budget import ParameterError
from discreet.budget.durable import backup as kept
from discreet.budget.durable.files import private
from discreet.budget.phrase import printable
from discreet.lab.report.export import release_record
from discreet.office import acts, audit, keeping, people, registry, requests, settings, tables
from discreet.office.asked import listed, released, select_requests
from discreet.office.beside import FILES, backup, restored
from discreet.office.causes import ending
from discreet.office.house import DATABASE, HEADS, HOME, KEYS, SEAL, House, open_house, same
from discreet.office.people import TERMINAL
from discreet.office.vault import FOLDER
from discreet.rows.connection import Connection

LINK = "/sign-in?link="
MIRROR = "What opens its rows is gone, too. Mirror the folder of keys now, so that no copy has it."
MOST = 20  # so many findings of a verification stand on the trail


def setup_(house: House) -> None:
    """setup: print the link for the first account, while nobody has one."""
    link = people.setup_link(house)
    _tell(LINK + link if link else "Somebody has an account already. Use invite or renew.")


def invite_(house: House, login: str, name: str, roles: str) -> None:
    """invite LOGIN NAME ROLES: create an account, print the link with which its owner signs in."""
    _tell(LINK + people.invite(house, TERMINAL, login, name, frozenset(roles.split(","))))


def renew_(house: House, login: str) -> None:
    """renew LOGIN: print a new link, for a lost link or password."""
    _tell(LINK + people.renew(house, TERMINAL, _account(house, login)["person"].login))


def people_(house: House) -> None:
    """people: list the accounts."""
    for one in people.everybody(house):
        who, joined = one["person"], "" if one["joined"] else "no password"
        _tell(who.login, who.name, *sorted(who.roles), joined if one["active"] else "closed")


def roles_(house: House, login: str, roles: str) -> None:
    """roles LOGIN ROLES: give an account these roles instead of its own."""
    one, told = _account(house, login), frozenset(roles.split(","))
    people.change(house, TERMINAL, one["person"].login, told, one["active"])


def close_(house: House, login: str) -> None:
    """close LOGIN: close an account and end its sessions."""
    who = _account(house, login)["person"]
    people.change(house, TERMINAL, who.login, who.roles, False)


def datasets_(house: House) -> None:
    """datasets: list the datasets with their state, what is spent of the limit, and id."""
    for one in registry.everything(house):
        ledger = registry.ledger(house, one.id)
        _tell(one.name, one.state, f"{ledger.spent} of {ledger.limit}", one.id)


def requests_(house: House) -> None:
    """requests: list the requests and how they stand."""
    names = {one.id: one.name for one in registry.everything(house)}
    for one in listed(house, select_requests()):
        _tell(f"#{one.number}", one.status, names[one.dataset], one.cost)


def expire_(house: House) -> None:
    """expire: let requests expire that nobody decided in time."""
    _tell(f"{requests.sweep(house)} expired.")


def erase_(house: House, name: str, *, yes: bool = False) -> None:
    """erase NAME --yes: delete the rows of a dataset for good; its budget and answers stay."""
    one = _dataset(house, name)
    if not yes:
        sys.exit(f"This cannot be undone. If it is meant, say erase {quote(one.name)} --yes")
    with house.store.reading() as connection:
        row = select(tables.datasets.c.content).filter_by(id=one.id)
        content = connection.execute(row).scalar_one()
    sealed = house.vault.sealed(content)
    registry.erase(house, TERMINAL, one.id)
    more = MIRROR if sealed else f"Delete {FILES}/{content} in all backups, too."
    _tell(f"{one.name} is erased. {more}")


def reconnect_(house: House, name: str, table: str) -> None:
    """reconnect NAME TABLE: reach the same table by a new address, read from standard input."""
    url = getpass("Address of the database: ") if sys.stdin.isatty() else sys.stdin.readline()
    where = Connection(url.strip(), table)
    registry.reconnect(house, TERMINAL, _dataset(house, name).id, where)
    _tell(f"{name} is reached by the new address.")


def retention_(house: House) -> None:
    """retention: erase the rows of all datasets whose day is past."""
    for one in keeping.past_retention(house):
        erase_(house, one.name, yes=True)


def export_(house: House, name: str, file: str) -> None:
    """export NAME FILE: write the answers and the ledger of a dataset to a new file, as JSON."""
    one = _dataset(house, name)
    answers = [asked.release for asked in released(house, one.id) if asked.release is not None]
    ledger = registry.ledger(house, one.id)
    told = {
        "discreet_dataset": 1,
        "name": one.name,
        "id": one.id,
        "rule": ledger.rule.name,
        "limit": [ledger.limit.epsilon, ledger.limit.delta],
        "releases": [release_record(answer, one.registration.schema) for answer in answers],
        "lines": ledger.lines,
    }
    with private(Path(file)) as sink:
        sink.write(dumps(told, indent=1, ensure_ascii=False).encode())
    _tell(f"{len(answers)} answers are written.")


def verify_(house: House, name: str = "", *, head: Sequence[str] = (), trail: str = "") -> int:
    """verify [NAME [--head LINE:HASH]] [--trail LINE:HASH]: replay trail, ledgers, rows, heads."""
    if head and not name:
        sys.exit("Say of which dataset this head is known.")
    one = _dataset(house, name) if name else None
    found = audit.look(house, {one.id: kept.head_of(*head)} if one else None)
    wrong = [str(word) for word in found.all]
    if trail and not acts.known(house.store, trail):
        wrong.append(f"The trail lacks {trail}: it was cut or rebuilt.")
    with house.writing() as connection:
        house.act(connection, TERMINAL.id, "audited", holds=not wrong, wrong=wrong[:MOST])
    for each in [one] if one else registry.everything(house):
        _tell(quote(kept.word_of(each.name, found.verdicts[each.id])))
    _tell(f"--trail {acts.head(house.store)}")
    return _end(wrong, "All is well.")


def trail_(house: House, most: str = "20") -> None:
    """trail [N]: print the newest acts, 20 if nothing else is said."""
    if not (most.isascii() and most.isdigit() and len(most) < 10):
        sys.exit("Say how many acts, as a number.")
    for one in acts.trail(house.store, int(most)):
        who, told = people.name_of(house, one.who), dumps(one.told) if one.told else ""
        _tell(one.seq, f"{one.time:%Y-%m-%d %H:%M:%S}", who, one.words, one.about, told)


def backup_(house: House, folder: str) -> int:
    """backup FOLDER: write everything to a new private folder, and print what to keep apart."""
    target = Path(folder)
    target.mkdir(mode=FOLDER)
    found = audit.look(house)
    with house.writing() as connection:
        house.act(connection, TERMINAL.id, "backup", target.name, holds=not found.all)
    words, missing = backup(house, target)
    for word in words:
        _tell(word)
    wrong = [*map(str, found.all)] or [f"{name} is missing." for name in missing]
    more = ["The backup holds what is wrong, too: keep an older one that was well."] if wrong else []
    return _end([*wrong, *more], "Keep these words apart from the backup: restore takes them.")


def restore_(house: House, folder: str, *words: str, trail: str = "", seal: str = "", yes: bool = False) -> int:
    """restore FOLDER NAME=LINE:HASH ... [--trail LINE:HASH] [--seal HASH] [--yes]: fill a house.

    It must be empty. With --yes what does not verify, a ledger aside, comes back and is told.
    """
    with house.writing() as connection, restored(house, Path(folder), words, trail, seal) as (rows, missing):
        house.begin_seals()
        found = audit.look(house)
        forgotten = any(word.endswith("=unknown") for word in words)
        for odd in [] if yes else [*found.wrong, *([] if forgotten else found.cut)]:
            sys.exit(f"The backup is damaged. {odd} Say --yes to bring it back as it is.")
        for row in kept.of(rows, "datasets"):
            if row["name"] in found.rows and row["content"] not in missing:
                house.vault.leave_out(row["content"])
        house.act(connection, TERMINAL.id, "set up", restored=words)
    retention_(house)
    wrong = [f"{odd}" for odd in (*found.wrong, *found.cut)]
    wrong += [
        f"The rows of {name} are not restored; its budget and answers are. {why}" for name, why in found.rows.items()
    ]
    return _end(wrong, "Restored. What was spent or erased since these heads is not known here.")


def migrate_(house: House) -> None:
    """migrate: bring the database up to date, as every command does, and say where it is."""
    with house.store.reading() as connection:
        told = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one()
    _tell(f"The database is up to date, at revision {told}.")


def _dataset(house: House, name: str) -> registry.Registered:
    found = [one for one in registry.everything(house) if one.name == name]
    return found[0] if found else sys.exit("There is no dataset of this name.")


def _account(house: House, login: str) -> dict[str, Any]:
    mine = [one for one in people.everybody(house) if one["person"].login == login.strip().lower()]
    return mine[0] if mine else sys.exit("There is no account with this login.")


def _tell(*parts: object) -> None:
    print(printable("  ".join(str(part) for part in parts if str(part))))


def _end(wrong: list[str], well: str) -> int:
    for line in wrong or [well]:
        _tell(line)
    return 1 if wrong else 0


COMMANDS: dict[str, Callable[..., int | None]] = {
    "setup": setup_,
    "invite": invite_,
    "renew": renew_,
    "people": people_,
    "roles": roles_,
    "close": close_,
    "datasets": datasets_,
    "requests": requests_,
    "expire": expire_,
    "erase": erase_,
    "retention": retention_,
    "reconnect": reconnect_,
    "export": export_,
    "verify": verify_,
    "trail": trail_,
    "backup": backup_,
    "restore": restore_,
    "migrate": migrate_,
}


def main(words: list[str] | None = None) -> int:
    """Do one command."""
    usage = "\n  ".join(["commands:", *(str(work.__doc__).rstrip() for work in COMMANDS.values())])
    parser = ArgumentParser(
        "python -m discreet.office", description=__doc__, epilog=usage, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND")
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--home", default=os.environ.get(HOME, ""))
    parser.add_argument("--database", default=os.environ.get(DATABASE, ""))
    parser.add_argument("--head", action="append")
    for option in ("--trail", "--seal", "--keys"):
        parser.add_argument(option)
    parser.add_argument("--yes", action="store_true")
    told = vars(parser.parse_intermixed_args(words))
    where = {HOME: told.pop("home"), DATABASE: told.pop("database")}
    if same(where[HOME], os.environ.get(HOME, "")):  # another house has a key and heads of its own
        where |= {name: os.environ.get(name, "") for name in (SEAL, HEADS, KEYS)}
    where[KEYS] = told.pop("keys") or where.get(KEYS, "")
    command, given = told.pop("command"), told.pop("words")
    work = COMMANDS[command]
    told = {name: value for name, value in told.items() if value}
    try:
        signature(work).bind(None, *given, **told)
    except TypeError:
        parser.error(f"see --help for the words of {command}")
    try:
        settings.check(os.environ | {name: value for name, value in where.items() if value})
        return work(open_house(where), *given, **told) or 0
    except (ParameterError, CommandError) as refused:
        sys.exit(str(refused))
    except (OSError, SQLAlchemyError) as refused:
        sys.exit(ending(refused))


if __name__ == "__main__":
    sys.exit(main())
