"""Status: the commands that look at the house without reading its data."""

from __future__ import annotations

from json import dumps

from discreet.office.auditing import signing
from discreet.office.house import audit_log
from discreet.office.house.house import House
from discreet.office.people import accounts
from discreet.office.running.health import wrongs
from discreet.office.terminal.output import end, tell


def trail(house: House, most: int) -> None:
    """Print the newest acts."""
    for act in audit_log.trail(house.store, most):
        who = accounts.name_of(house, act.who)
        details = dumps(act.details) if act.details else ""
        time = f"{act.time:%Y-%m-%d %H:%M:%S}"
        tell(act=act.seq, time=time, who=who, what=act.words, about=act.about, details=details)


def key(house: House) -> None:
    """Print the public key for checking the signatures of this house."""
    tell(signing.public_key(house))


def health(house: House) -> int:
    """Look at database, disk and keys."""
    return end([f"{part}: {why}" for part, why in wrongs(house).items()], "All is well.")


def migrate(house: House) -> None:
    """Say at which revision the database is: it was brought up to date when it was opened."""
    with house.store.reading() as connection:
        revision = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one()
    tell(f"The database is up to date, at revision {revision}.")
