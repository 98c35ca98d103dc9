"""Health: whether a server can do its work at this moment: its database, its disk, its keys.

The public answer is only whether all parts are well; the failing part is written to the log and
is printed by `office health`, for the server administrator.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from logging import getLogger
from pathlib import Path
from threading import Lock
from uuid import uuid4

from sqlalchemy import select, text
from sqlalchemy.exc import SQLAlchemyError

from discreet.budget import Phrase
from discreet.office.house.acts import REGISTERED
from discreet.office.house.failures import cause, ending
from discreet.office.house.house import House
from discreet.office.house.tables import acts
from discreet.office.house.vault import KEY

LEAST_ROOM = 64 * 2**20  # bytes: a charge takes some kilobytes, and a ledger that cannot grow answers nothing
FRESH = 5.0  # seconds for which a check is reused, so that requests for it cannot load the server
READ_ONLY = Phrase("The database does not let this server write.")
LITTLE_ROOM = Phrase("The server's disk is nearly full: {room:.0f} MiB left. Free some disk space.")
NO_VAULT_KEY = Phrase("The vault key is missing. Restore it as {path}.")
OTHER_VAULT_KEY = Phrase(
    "The vault key differs from the one that was used to register the datasets. Restore the original key."
)
NO_SEAL = Phrase("The seal key is missing. Restore it as {path}.")


def wrongs(house: House) -> dict[str, str]:
    """Return what is wrong, by part; empty if all is well."""
    return {part: why for part, look in LOOKS.items() if (why := _looked(house, part, look))}


def _looked(house: House, part: str, look: Callable[[House], Iterator[str]]) -> str:
    """Return the first problem of one part; a part that cannot be checked is a problem."""
    try:
        return next(look(house), "")
    except (OSError, SQLAlchemyError) as wrong:
        getLogger("discreet").error("health of %s: %s", part, cause(wrong))
        return ending(wrong)


def _database(house: House) -> Iterator[str]:
    """Look at whether the database answers, and takes what is written."""
    with house.store.engine.connect() as connection:
        connection.execute(select(acts.c.seq).limit(1)).first()
        if house.store.lite:
            file = Path(str(house.store.engine.url.database))
            if not os.access(file, os.W_OK) or not os.access(file.parent, os.W_OK):
                yield str(READ_ONLY)
        elif connection.execute(text("SHOW transaction_read_only")).scalar() != "off":
            yield str(READ_ONLY)


def _disk(house: House) -> Iterator[str]:
    """Look at whether there is room, by writing a little where rows lie."""
    folder = house.vault.folder
    room = shutil.disk_usage(folder).free
    if room < LEAST_ROOM:
        yield str(Phrase(LITTLE_ROOM, room=room / 2**20))
    probe = folder.parent / f".probe-{uuid4().hex}"
    try:
        with open(probe, "xb", 0) as file:
            file.write(b"x" * 4096)
    finally:
        probe.unlink(missing_ok=True)


def _keys(house: House) -> Iterator[str]:
    """Look at whether both keys are there, and the vault's is the one that the data were registered with."""
    path = house.vault.folder / KEY
    if not path.is_file():
        yield str(Phrase(NO_VAULT_KEY, path=path))
        return
    with house.store.reading() as connection:
        if house.seal.missing(connection):
            yield str(Phrase(NO_SEAL, path=house.seal.path))
        newest = select(acts.c.told).filter_by(what=REGISTERED.name).order_by(acts.c.seq.desc()).limit(1)
        registered = connection.execute(newest).scalar_one_or_none()
    if registered and '"vault"' in registered and house.vault.fingerprint("") not in registered:
        yield str(OTHER_VAULT_KEY)


LOOKS: dict[str, Callable[[House], Iterator[str]]] = {"database": _database, "disk": _disk, "keys": _keys}


class Pulse:
    """A look that is good for some seconds, shared by all who ask."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Have looked at nothing."""
        self._clock = clock
        self._lock = Lock()
        self._at = float("-inf")
        self._well = False

    def well(self, house: Callable[[], House | None]) -> bool:
        """Return whether a house is there and all of it is well; log which part is not."""
        with self._lock:
            if self._clock() - self._at >= FRESH:
                here = house()
                wrong = wrongs(here) if here is not None else {"database": ""}
                for part in wrong:
                    getLogger("discreet").error("not well: %s", part)
                self._well, self._at = not wrong, self._clock()
            return self._well
