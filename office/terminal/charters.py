"""Charters: the commands with which a dataset begins, is asked of by other rules, is shown to everybody, and ends."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from discreet.budget import ParameterError
from discreet.office import connections, enrolment, letterhead, registration_file, rulings, upkeep, withdrawals
from discreet.office.house import House
from discreet.office.registration_file import policy_from, written
from discreet.office.roles import Member
from discreet.office.terminal import holdings
from discreet.office.terminal.lookup import dataset_named, somebody, table
from discreet.office.terminal.speech import document, stop, tell, waits
from discreet.rows.elsewhere import Address
from discreet.rows.live_folder import Folder

TABLE, CONNECTION = "table:", "connection:"


def register(house: House, file: str, rows: str, *, replaces: str = "", acting: str = "") -> None:
    """register FILE ROWS [--replaces NAME] [--as LOGIN]: register a dataset as a file says that describe prints.

    NAME is a dataset of which nothing was ever asked: it is withdrawn.

    ROWS is a file, a folder of Parquet, table:NAME, whose address is read from standard input, or
    connection:NAME, with :TABLE behind it where it is none of a folder.
    """
    said, policy = registration_file.read(_text(file), letterhead.of_house(house).said)
    content, through = _rows(house, somebody(house, acting), rows)
    before = dataset_named(house, replaces).id if replaces else ""
    who = somebody(house, acting)
    data = enrolment.register(house, who, content, said, policy, through=through, replaces=before)
    waits = "" if data.policy == policy else " Its policy waits for a second officer."
    tell(f"{data.name} is registered.{waits}")


def describe(house: House, name: str) -> None:
    """describe NAME: print what was said of a dataset, and its policy, as the file that register takes."""
    document(written(dataset_named(house, name)))


def policy(house: House, name: str, file: str, *, acting: str = "") -> int:
    """policy NAME FILE [--as LOGIN]: change the parts of a policy that a file of JSON names, from now on."""
    data = dataset_named(house, name)
    wanted = policy_from(_text(file), data.policy)
    if not rulings.amend(house, somebody(house, acting), data.id, wanted):
        return waits(f"Another policy of {data.name} is proposed.")
    tell(f"The policy of {data.name} {'says so already' if wanted == data.policy else 'is changed'}.")
    return 0


def publish(house: House, name: str, *, no: bool = False, acting: str = "") -> int:
    """publish NAME [--no] [--as LOGIN]: show the list of releases of a dataset to everybody, or show it no more."""
    data = dataset_named(house, name)
    if not upkeep.publish(house, somebody(house, acting), data.id, not no):
        return waits(f"It is proposed to publish the releases of {data.name}; they are not published.")
    tell(f"The releases of {data.name} are {'not ' if no else ''}published.")
    return 0


def withdraw(house: House, name: str, why: str, *, yes: bool = False, acting: str = "") -> int:
    """withdraw NAME WHY --yes [--as LOGIN]: take a registration back of which nothing was asked; its rows go."""
    data = dataset_named(house, name)
    if not yes:
        stop(f"This cannot be undone. If it is meant, say withdraw {quote(data.name)} {quote(why)} --yes")
    places = holdings.copies(house, data.id)
    if not withdrawals.withdraw(house, somebody(house, acting), data.id, why):
        return waits(f"It is proposed to withdraw {data.name}.")
    tell(f"The registration of {data.name} is withdrawn: its rows can be registered anew. {places}")
    return 0


def shut(house: House, name: str, *, acting: str = "") -> None:
    """shut NAME [--as LOGIN]: let nothing more be asked of a dataset; its rows, budget and answers stay."""
    data = dataset_named(house, name)
    upkeep.close(house, somebody(house, acting), data.id)
    tell(f"{data.name} is closed.")


def _rows(house: House, who: Member, place: str) -> tuple[bytes | Address, str]:
    """Return the rows of a file, or where others stay, and through which connection they are reached."""
    if place.startswith(CONNECTION):
        name, _, of = place.removeprefix(CONNECTION).partition(":")
        ids = [each.id for each in connections.own_connections(house, who) if each.name == name]
        if not ids:
            raise ParameterError(connections.ABSENT)
        return connections.reach(house, who, ids[0], of), ids[0]
    if place.startswith(TABLE):
        return table(place.removeprefix(TABLE)), ""
    path = Path(place)
    return (Folder(str(path.resolve())) if path.is_dir() else path.read_bytes()), ""


def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ParameterError("This file must be a JSON object.") from None
