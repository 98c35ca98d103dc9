"""Second factor: one-time codes of an app, recovery codes, and when one is asked for."""

from __future__ import annotations

import json
import os
from base64 import b32decode, b32encode, b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from sqlalchemy import Connection, insert, select, update

from discreet.office.house import acts
from discreet.office.house.house import House
from discreet.office.house.roles import DECIDERS, OPENID, person_of
from discreet.office.house.tables import factor_steps, people
from discreet.rows.sealing import new_key

# One-time codes: what an app shows for thirty seconds (RFC 6238), and the recovery codes for the day it is lost.

SETTING = "DISCREET_SECOND_FACTOR"
REQUIRED = "required"

PERIOD, DIGITS, DRIFT = 30, 6, 1  # seconds; of a code; periods by which the clocks of both may differ
SECRET, RECOVERY, RECOVERIES = 20, 10, 10  # bytes of a secret, bytes of a recovery code, number of recovery codes
SIGNS, GROUP = 16, 4  # of a recovery code, as it is written
ISSUER = "Discreet"


def new_secret() -> str:
    """Return a secret for an app, as people type it: 160 bits."""
    return b32encode(new_key()[:SECRET]).decode()


def new_recoveries() -> tuple[str, ...]:
    """Return recovery codes of 80 bits each."""
    codes = (b32encode(new_key()[:RECOVERY]).decode().lower() for _ in range(RECOVERIES))
    return tuple("-".join(grouped(code)) for code in codes)


def grouped(text: str) -> list[str]:
    """Return a text in parts that an eye can copy."""
    return [text[at : at + GROUP] for at in range(0, len(text), GROUP)]


def plain(code: str) -> str:
    """Return a code as it is compared, however it was typed."""
    return "".join(code.split()).replace("-", "").lower()


def is_recovery(code: str) -> bool:
    """Return whether a plain code has the length of a recovery code."""
    return len(code) == SIGNS


def address(secret: str, login: str) -> str:
    """Return the content of the QR code: the secret, its owner and the program."""
    return _totp(secret).get_provisioning_uri(login, ISSUER)


def step_of(secret: str, code: str, time: float) -> int | None:
    """Return the period that a plain code is of, if it is of now or of a neighbour; the newest first."""
    if len(code) != DIGITS or not (code.isascii() and code.isdecimal()):
        return None
    totp = _totp(secret)
    now = int(time // PERIOD)
    steps = (step for step in range(now + DRIFT, now - DRIFT - 1, -1) if step >= 0)
    return next((step for step in steps if totp.generate(step * PERIOD) == code.encode()), None)


def _totp(secret: str) -> TOTP:
    return TOTP(b32decode(secret), DIGITS, SHA1(), PERIOD)


# Factors: what an account asks for besides its password, how it is kept, and that a code works once.

NONCE = bytes(12)  # each secret is sealed under a key of its own


@dataclass(frozen=True)
class SecondFactor:
    """The second factor of an account: under which name it is sealed, its secret, and marks of recovery codes."""

    id: str
    secret: bytes
    recoveries: tuple[str, ...]

    def to_json(self) -> str:
        """Return it in the form of the row of its account."""
        secret = b64encode(self.secret).decode()
        return json.dumps({"id": self.id, "secret": secret, "recoveries": self.recoveries})


def factor_of(row: Any) -> SecondFactor | None:
    """Return the second factor of an account, if it has one."""
    if not row["factor"]:
        return None
    said = json.loads(row["factor"])
    return SecondFactor(said["id"], b64decode(said["secret"]), tuple(said["recoveries"]))


def lacking(row: Any) -> bool:
    """Return whether the house wants a second factor of an account that has none. A provider asks for its own."""
    keeper = not person_of(row).roles.isdisjoint(DECIDERS) and not row["id"].startswith(OPENID)
    return keeper and not row["factor"] and factor_required()


def begin(
    house: House, connection: Connection, person: str, secret: str, recoveries: Sequence[str], step: int
) -> dict[str, str]:
    """Store a second factor once its owner has shown a valid code; return the new value of the row."""
    name = uuid4().hex
    cipher, owner = _cipher(house, name, person)
    marks = tuple(_mark(house, name, person, plain(code)) for code in recoveries)
    values = {"factor": SecondFactor(name, cipher.encrypt(NONCE, secret.encode(), owner), marks).to_json()}
    connection.execute(update(people).filter_by(id=person).values(**values))
    if connection.execute(select(factor_steps.c.step).filter_by(person=person)).first() is None:
        connection.execute(insert(factor_steps).values(person=person, step=step))
    _later(connection, person, step)
    return values


def end(connection: Connection, person: str) -> dict[str, None]:
    """Take a second factor away; return what the row says now. The period of its last code stays."""
    connection.execute(update(people).filter_by(id=person).values(factor=None))
    return {"factor": None}


def spend(house: House, connection: Connection, row: Any, code: str) -> bool:
    """Return whether a code is right for an account, and let it never be right again."""
    factor, code = factor_of(row), plain(code)
    if factor is None:
        return False
    if is_recovery(code):
        return _spend_recovery(house, connection, row, factor, code)
    cipher, owner = _cipher(house, factor.id, row["id"])
    try:
        secret = cipher.decrypt(NONCE, factor.secret, owner).decode()
    except InvalidTag:
        return False  # it was copied here from another row
    step = step_of(secret, code, house.clock())
    return step is not None and _later(connection, row["id"], step)


def _later(connection: Connection, person: str, step: int) -> bool:
    """Use a period up, if it is later than every one before: in one statement, so that one of two succeeds."""
    later = update(factor_steps).where(factor_steps.c.person == person, factor_steps.c.step < step)
    return connection.execute(later.values(step=step)).rowcount == 1


def _spend_recovery(house: House, connection: Connection, row: Any, factor: SecondFactor, code: str) -> bool:
    """Take one recovery code out of the row, if it is there and the row is still what was read."""
    mark = _mark(house, factor.id, row["id"], code)
    left = tuple(each for each in factor.recoveries if each != mark)
    values = {"factor": SecondFactor(factor.id, factor.secret, left).to_json()}
    mine = update(people).filter_by(id=row["id"], factor=row["factor"])
    if left == factor.recoveries or connection.execute(mine.values(**values)).rowcount != 1:
        return False
    house.act(connection, row["id"], acts.RECOVERY_CODE, meant=values, left=len(left))
    return True


def _cipher(house: House, name: str, person: str) -> tuple[AESGCM, bytes]:
    """Return the cipher of one secret, and its associated data: the owner."""
    return AESGCM(house.seal.derived(f"factor {name}")), person.encode()


def _mark(house: House, name: str, person: str, code: str) -> str:
    return house.vault.fingerprint(f"recovery:{name}:{person}:{code}")


def factor_required(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether officers and administrators with a password need a second factor; by default they do not."""
    return environment.get(SETTING) == REQUIRED
