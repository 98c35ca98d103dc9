"""Standards: the commands with which an administrator says once what holds for all registrations."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from getpass import getpass

from discreet.budget import ParameterError
from discreet.office import connections
from discreet.office.house import House
from discreet.office.letterhead import declare, of_house
from discreet.office.terminal.lookup import somebody
from discreet.office.terminal.speech import stop, tell

EVERYBODY = "all"


def letterhead(house: House, field: str = "", text: str = "", *, acting: str = "") -> None:
    """letterhead [FIELD TEXT] [--as LOGIN]: print what every registration begins with, or say one part of it."""
    before = of_house(house)
    if field:
        if field not in asdict(before):
            stop(f"There is no {field}. The parts are {', '.join(asdict(before))}.")
        declare(house, somebody(house, acting), replace(before, **{field: text}))
    for name, said in asdict(of_house(house)).items():
        tell(field=name, text=said or "-")


def connection(house: House, what: str, name: str = "", logins: str = "", *, acting: str = "") -> None:
    """connection add|list|test|remove [NAME] [LOGINS] [--as LOGIN]: places of rows that officers pick by name.

    add reads the address from standard input, and gives a connection of that name a new password; LOGINS
    with commas are the officers who may use it, all of them if nothing is said.
    """
    who = somebody(house, acting)
    if what == "list":
        for each in connections.all_connections(house, who):
            tell(name=each.name, place=each.place, officers=",".join(each.officers) or EVERYBODY)
    elif not name:
        stop("Name the connection.")
    elif what == "add":
        connections.connect(house, who, name, _address(), tuple(filter(None, logins.split(","))))
        tell(f"{name} is set up.")
    elif what == "test":
        connections.knock(house, who, name)
        tell(f"{name} answers.")
    elif what == "remove":
        connections.disconnect(house, who, name)
        tell(f"{name} is removed.")
    else:
        raise ParameterError("Say add, list, test or remove.")


def _address() -> str:
    """Read an address, which may hold a password, where nobody sees it."""
    return getpass("Address: ") if sys.stdin.isatty() else sys.stdin.readline()
